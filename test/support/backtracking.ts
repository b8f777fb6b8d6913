// Counts the steps of a regular expression as engines that backtrack, V8's among them, take them: which way was tried
// first, how often they came back, and where the search began again. A count is the same on every machine, so that
// growth can be distinguished from noise.
//
// It reads JavaScript's syntax except for references back to a group, which no linear matcher can have.

/** The parts of a regular expression. Characters and classes are left to the engine itself. */
type Part =
  | { readonly kind: 'set'; readonly has: (character: string) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'repeat'
      readonly part: Part
      readonly least: number
      readonly most: number
      readonly lazy: boolean
    }
  | { readonly kind: 'edge'; readonly holds: (text: string, at: number) => boolean }
  | { readonly kind: 'look'; readonly part: Part; readonly behind: boolean; readonly negative: boolean }

type Step =
  | { readonly kind: 'set'; readonly has: (character: string) => boolean; readonly next: Step }
  | { readonly kind: 'fork'; first: Step; second: Step }
  | { readonly kind: 'edge'; readonly holds: (text: string, at: number) => boolean; readonly next: Step }
  | {
      readonly kind: 'look'
      readonly start: Step
      readonly behind: boolean
      readonly negative: boolean
      readonly next: Step
    }
  /** Goes on only if something was read since the loop was entered: (a*)* does not turn for ever. */
  | { readonly kind: 'progress'; readonly loop: symbol; readonly next: Step }
  | { readonly kind: 'enter'; readonly loop: symbol; readonly next: Step }
  | { readonly kind: 'end' }

export type Expression = { readonly source: string; readonly flags: string }

/** How many steps all matches in the text take; no more than `most` are counted. */
export const openStepCounter = (expression: Expression): ((text: string, most: number) => number) => {
  const start = stepsOf(parse(expression), { kind: 'end' })
  const isSticky = expression.flags.includes('y')
  return (text, most) => {
    const counter = { steps: 0, most }
    // All matches, as replaceAll and split look for them: a search for the first only does less.
    for (let at = 0; at <= text.length && counter.steps < most;) {
      const end = run(start, text, at, counter)
      if (end === undefined && isSticky) break
      at = end === undefined || end === at ? at + 1 : end
    }
    return counter.steps
  }
}

type Counter = { steps: number; readonly most: number }
type Entered = { readonly loop: symbol; readonly at: number; readonly before: Entered } | undefined

const run = (start: Step, text: string, from: number, counter: Counter, behind = false): number | undefined => {
  const waiting: [step: Step, at: number, entered: Entered][] = [[start, from, undefined]]
  for (let top = waiting.pop(); top; top = waiting.pop()) {
    let [step, at, entered] = top
    for (;;) {
      counter.steps += 1
      if (counter.steps > counter.most) return undefined
      if (step.kind === 'end') return at
      if (step.kind === 'set') {
        const place = behind ? at - 1 : at
        if (place < 0 || place >= text.length || !step.has(text[place]!)) break
        at = behind ? at - 1 : at + 1
      } else if (step.kind === 'fork') {
        waiting.push([step.second, at, entered])
        step = step.first
        continue
      } else if (step.kind === 'edge') {
        if (!step.holds(text, at)) break
      } else if (step.kind === 'look') {
        const found = run(step.start, text, at, counter, step.behind) !== undefined
        if (found === step.negative) break
      } else if (step.kind === 'enter') entered = { loop: step.loop, at, before: entered }
      else {
        let last: Entered = entered
        while (last && last.loop !== step.loop) last = last.before
        if (last?.at === at) break
      }
      step = step.next
    }
  }
  return undefined
}

const stepsOf = (part: Part, next: Step, behind = false): Step => {
  switch (part.kind) {
    case 'set':
      return { kind: 'set', has: part.has, next }
    case 'edge':
      return { kind: 'edge', holds: part.holds, next }
    case 'look': {
      const start = stepsOf(part.part, { kind: 'end' }, part.behind)
      return { kind: 'look', start, behind: part.behind, negative: part.negative, next }
    }
    case 'sequence':
      return (behind ? part.parts : part.parts.toReversed()).reduce<Step>(
        (after, one) => stepsOf(one, after, behind),
        next,
      )
    case 'choice':
      return part.parts
        .map((one) => stepsOf(one, next, behind))
        .reduceRight((second, first): Step => ({ kind: 'fork', first, second }))
    case 'repeat':
      return repeatOf(part, next, behind)
  }
}

const repeatOf = (part: Extract<Part, { kind: 'repeat' }>, next: Step, behind: boolean): Step => {
  const fork = (more: Step, done: Step): Step =>
    part.lazy ? { kind: 'fork', first: done, second: more } : { kind: 'fork', first: more, second: done }
  let step = next
  if (part.most === Number.POSITIVE_INFINITY) {
    const loop = Symbol('loop')
    const turn = { kind: 'fork', first: next, second: next } satisfies Step as Extract<Step, { kind: 'fork' }>
    const body: Step = {
      kind: 'enter',
      loop,
      next: stepsOf(part.part, { kind: 'progress', loop, next: turn }, behind),
    }
    turn[part.lazy ? 'second' : 'first'] = body
    step = turn
  } else for (let extra = part.least; extra < part.most; extra++) step = fork(stepsOf(part.part, step, behind), next)
  for (let count = 0; count < part.least; count++) step = stepsOf(part.part, step, behind)
  return step
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
const isLineEnd = (character: string | undefined) => character !== undefined && /[\n\r\u2028\u2029]/.test(character)

const parse = ({ source, flags }: Expression): Part => {
  let next = 0
  const own = flags.replace(/[^isuv]/g, '')
  const take = (shape: RegExp): RegExpExecArray | undefined => {
    const found = shape.exec(source.slice(next))
    if (found) next += found[0].length
    return found ?? undefined
  }
  const choice = (): Part => {
    const parts = [sequence()]
    while (take(/^\|/)) parts.push(sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }
  const sequence = (): Part => {
    const parts: Part[] = []
    while (next < source.length && !/[|)]/.test(source[next]!)) parts.push(repeated())
    return { kind: 'sequence', parts }
  }
  const repeated = (): Part => {
    const part = atom()
    const found = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/)
    if (!found) return part
    const [, sign, least, comma, most, lazy] = found
    const infinite = Number.POSITIVE_INFINITY
    const [low, high] = sign
      ? [sign === '+' ? 1 : 0, sign === '?' ? 1 : infinite]
      : [Number(least), most ? Number(most) : comma ? infinite : Number(least)]
    return { kind: 'repeat', part, least: low, most: high, lazy: lazy !== '' }
  }
  const atom = (): Part => {
    const look = take(/^\(\?(<?)([=!])/)
    if (look) return { kind: 'look', part: closed(), behind: look[1] !== '', negative: look[2] === '!' }
    if (take(/^\((?:\?:|\?<\w+>)?/)) return closed()
    if (take(/^\^/))
      return { kind: 'edge', holds: (text, at) => at === 0 || (flags.includes('m') && isLineEnd(text[at - 1])) }
    if (take(/^\$/))
      return { kind: 'edge', holds: (text, at) => at === text.length || (flags.includes('m') && isLineEnd(text[at])) }
    const edge = take(/^\\([bB])/)
    if (edge) {
      const isAsked = edge[1] === 'b'
      return { kind: 'edge', holds: (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === isAsked }
    }
    if (/^\\[1-9k]/.test(source.slice(next))) throw new Error(`/${source}/ refers back to a group`)
    const one = take(
      /^(?:\[(?:[^\]\\]|\\[^])*\]|\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])|[^])/u,
    )![0]
    return { kind: 'set', has: memberOf(one, own) }
  }
  const closed = (): Part => {
    const part = choice()
    if (!take(/^\)/)) throw new Error(`/${source}/ is not read at ${next}`)
    return part
  }
  const all = choice()
  if (next < source.length) throw new Error(`/${source}/ is not read at ${next}`)
  return all
}

const memberOf = (one: string, flags: string): ((character: string) => boolean) => {
  const alone = new RegExp(`^${one}$`, flags)
  const known = new Map<string, boolean>()
  return (character) => {
    const answer = known.get(character) ?? alone.test(character)
    known.set(character, answer)
    return answer
  }
}

const alphabet = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from('\u0085\u00a0éßΩ\u0663\u2028\u202e字\ud83d\ufffd\uffff'),
]

/** How long the texts are that growth is measured with; four times as long takes a linear one four times as long. */
const [short, long] = [200, 800]
/** More than a thousand steps for each character, and there is nothing left to measure. */
const mostSteps = 200_000
/** Between 4, which is linear, and 16, which is quadratic. */
const mostGrowth = 8

/**
 * A text that, repeated, makes the expression's steps grow faster than its length; or undefined. Texts are made of the
 * expression's own kinds of characters: one or two of them over and over, behind a lead into each of its loops, before
 * an end of none or all of them.
 */
export const findSlowRepetition = (expression: Expression): string | undefined => {
  const steps = openStepCounter(expression)
  const whole = parse(expression)
  const kinds = kindsOf(setsOf(whole))
  const pumps = [...new Set([...kinds, ...kinds.flatMap((a) => kinds.map((b) => a + b)), ...loopTexts(whole, kinds)])]
  const leads = ['', ...new Set(leadsOf(whole, kinds))]
  const ends = ['', ...kinds]
  const texts = pumps.flatMap((pump) => {
    // A pair of characters that is slow is so behind few heads and before few tails; to try all takes minutes.
    const [heads, tails] = pump.length === 1 ? [[...leads, ...kinds], ends] : [leads, ends.slice(0, 3)]
    return heads.flatMap((head) => tails.map((tail) => ({ head, pump, tail })))
  })
  const textOf = ({ head, pump, tail }: (typeof texts)[number], length: number) =>
    head + pump.repeat(Math.ceil(length / pump.length)) + tail
  const tried = texts
    .map((made) => ({ made, count: steps(textOf(made, 40), 5000) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 12)
  return tried
    .map(({ made }) => made)
    .find((made) => {
      const before = steps(textOf(made, short), mostSteps)
      return before >= mostSteps || steps(textOf(made, long), before * 2 * mostGrowth) / before > mostGrowth
    })?.pump
}

const below = (part: Part): readonly Part[] =>
  part.kind === 'sequence' || part.kind === 'choice'
    ? part.parts
    : part.kind === 'repeat' || part.kind === 'look'
      ? [part.part]
      : []

const setsOf = (part: Part): readonly Extract<Part, { kind: 'set' }>[] =>
  part.kind === 'set' ? [part] : below(part).flatMap(setsOf)

/** One character for each kind that the sets distinguish, and one that is in none of them. */
const kindsOf = (sets: readonly Extract<Part, { kind: 'set' }>[]): readonly string[] => {
  const kinds = new Map<string, string>()
  for (const character of ['a', '0', ' ', ...alphabet]) {
    const kind = sets.map(({ has }) => (has(character) ? 1 : 0)).join('')
    if (!kinds.has(kind)) kinds.set(kind, character)
  }
  return [...kinds.values()].slice(0, 14)
}

/** A shortest text that the part reads, each set by the character that `pick` chooses. */
const sampleOf = (part: Part, pick: (fitting: readonly string[]) => string, kinds: readonly string[]): string => {
  switch (part.kind) {
    case 'set':
      return pick([...kinds, ...alphabet].filter(part.has)) ?? ''
    case 'sequence':
      return part.parts.map((one) => sampleOf(one, pick, kinds)).join('')
    case 'choice':
      return sampleOf(part.parts[0]!, pick, kinds)
    case 'repeat':
      return sampleOf(part.part, pick, kinds).repeat(part.least)
    case 'edge':
    case 'look':
      return ''
  }
}

/** The text of one turn of each loop, for each of its branches, by its first and by its last fitting character. */
const loopTexts = (part: Part, kinds: readonly string[]): readonly string[] => {
  const turns = (one: Part): readonly Part[] => (one.kind === 'choice' ? one.parts.flatMap(turns) : [one])
  const own =
    part.kind === 'repeat' && part.most > 10
      ? turns(part.part).flatMap((turn) => [
          sampleOf(turn, (fitting) => fitting[0]!, kinds),
          sampleOf(turn, (fitting) => fitting.at(-1)!, kinds),
        ])
      : []
  return [...own, ...below(part).flatMap((one) => loopTexts(one, kinds))].filter((text) => text !== '')
}

/** The texts that lead up to each loop. */
const leadsOf = (part: Part, kinds: readonly string[], before = ''): readonly string[] => {
  const sample = (one: Part) => sampleOf(one, (fitting) => fitting[0]!, kinds)
  const own = part.kind === 'repeat' && part.most > 10 ? [before] : []
  if (part.kind !== 'sequence') return [...own, ...below(part).flatMap((one) => leadsOf(one, kinds, before))]
  const found: string[] = []
  let lead = before
  for (const one of part.parts) {
    found.push(...leadsOf(one, kinds, lead))
    lead += sample(one)
  }
  return found
}
