// A fuzzer that goes by coverage: inputs are changed at random, and those that reach code which none before has reached are
// kept and changed further. The reach is that of V8's own precise coverage, so no package and no other build is needed.
//
//   const engine = await openEngine(target, openRandom(seed), isGuided)
//   await engine.play(1000)
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import type { FuzzTarget } from './target.ts'

const mostBytes = 4096
/** Coverage is asked for after so many inputs: asking takes longer than running one. */
const batchSize = 25

export type Engine = {
  /** Runs so many changed inputs; throws with the first that fails. */
  readonly play: (count: number) => Promise<void>
  /** Inputs that reached something new, those given at first not among them. */
  readonly found: readonly Buffer[]
}

export const openEngine = async (
  { name, seeds, run }: FuzzTarget,
  corpus: readonly Buffer[],
  random: Random,
  isGuided: boolean,
): Promise<Engine> => {
  const known = [...seeds.map((seed) => Buffer.from(seed as string)), ...corpus]
  const found: Buffer[] = []
  const reach = isGuided ? await openReach() : undefined
  const runOne = async (input: Buffer): Promise<void> => {
    try {
      await ending(run(input))
    } catch (error) {
      throw new Error(`${name} fails with ${JSON.stringify(input.toString('latin1'))} (latin1)`, { cause: error })
    }
  }
  for (const input of known) await runOne(input)
  await reach?.hasGrown()

  const playBatch = async (count: number): Promise<void> => {
    const inputs = Array.from({ length: count }, () => mutate(random.pick(known), known, random))
    for (const input of inputs) await runOne(input)
    if (reach === undefined || !(await reach.hasGrown())) return
    // One of them: which one is found by running each again, among code that is not known yet.
    for (const input of inputs) {
      await runOne(input)
      if (!(await reach.isNew())) continue
      known.push(input)
      found.push(input)
    }
    await reach.learn()
  }
  return {
    found,
    play: async (count) => {
      for (let left = count; left > 0; left -= batchSize) await playBatch(Math.min(left, batchSize))
    },
  }
}

/** One that waits for ever is a failure, too; none takes a second on a quiet machine. */
const longestMs = 60_000

const ending = async (running: Promise<void> | void): Promise<void> => {
  if (running === undefined) return
  const done = new AbortController()
  const never = sleep(longestMs, undefined, { signal: done.signal }).then(() => {
    throw new Error(`not done after ${longestMs} ms`)
  })
  try {
    await Promise.race([running, never])
  } finally {
    done.abort()
    await never.catch(() => {})
  }
}

/** Our own source, and the packages that read strangers' bytes for it: without their reach a schedule has no second step. */
const isGuiding = (url: string): boolean =>
  url.includes('/src/') || /\/node_modules\/(?:accepts|antlr4ng|croner|ipaddr\.js|jsonpath|negotiator)\//.test(url)

/** Blocks of that code that have ever been run. */
const openReach = async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const blocks = new Set<string>()
  let waiting = new Set<string>()
  /** Those of the inputs since the last time. */
  const take = async (): Promise<readonly string[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => isGuiding(url))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${url} ${startOffset} ${endOffset}`),
        ),
      )
  }
  return {
    hasGrown: async (): Promise<boolean> => {
      waiting = new Set((await take()).filter((block) => !blocks.has(block)))
      if (waiting.size > 0 && blocks.size === 0) {
        for (const block of waiting) blocks.add(block)
        return false
      }
      return waiting.size > 0
    },
    /** Of one input: whether it reached some of what has grown. */
    isNew: async (): Promise<boolean> => {
      const own = (await take()).filter((block) => waiting.delete(block))
      for (const block of own) blocks.add(block)
      return own.length > 0
    },
    learn: async (): Promise<void> => {
      for (const block of waiting) blocks.add(block)
      for (const block of await take()) blocks.add(block)
    },
  }
}

const words = [
  '"',
  "'",
  ',',
  '\r\n',
  '\n',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '%',
  '&',
  '=',
  '--',
  '(',
  ')',
  '\\',
  '*',
  '/',
  ' ',
].concat([
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '1e999',
  '9007199254740993',
  'null',
  'NaN',
  '\u00ff',
  '\ud83d\ude00',
  '%00',
  '%zz',
])

const mutate = (input: Buffer, known: readonly Buffer[], random: Random): Buffer => {
  let bytes = Buffer.from(input)
  for (let steps = 1 + random.integer(4); steps > 0; steps -= 1) bytes = changeOnce(bytes, known, random)
  return bytes.subarray(0, mostBytes)
}

const changeOnce = (bytes: Buffer, known: readonly Buffer[], random: Random): Buffer<ArrayBuffer> => {
  const place = random.integer(bytes.length + 1)
  const until = Math.min(bytes.length, place + 1 + random.integer(16))
  const splice = (with_: Buffer) => Buffer.concat([bytes.subarray(0, place), with_, bytes.subarray(until)])
  switch (random.integer(7)) {
    case 0: {
      const changed = Buffer.from(bytes)
      if (place < bytes.length) changed[place] = changed[place]! ^ (1 << random.integer(8))
      return changed
    }
    case 1:
      return splice(random.bytes(1 + random.integer(4)))
    case 2:
      return splice(Buffer.alloc(0))
    case 3:
      return Buffer.concat([bytes.subarray(0, place), Buffer.from(random.pick(words)), bytes.subarray(place)])
    case 4:
      return splice(Buffer.from(random.pick(words)))
    case 5:
      // A piece of it over and over.
      return splice(Buffer.concat(Array.from({ length: 2 + random.integer(30) }, () => bytes.subarray(place, until))))
    default: {
      const other = random.pick(known)
      const from = random.integer(other.length + 1)
      return Buffer.concat([
        bytes.subarray(0, place),
        other.subarray(from, from + 1 + random.integer(64)),
        bytes.subarray(place),
      ])
    }
  }
}
