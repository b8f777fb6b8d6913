// Regular expressions of ReplaceAll and ReplaceFirst, in the syntax that RE2 and Java share, as Postgres takes them.
//
// Linear time is kept by leaving out what needs a search: no backreferences, no lookaround. Postgres then matches
// by automaton; only groups are looked for afterwards, so groups that the replacement does not use are not groups
// any more, and one that it uses must not lie inside a repetition. The longest match from the left wins.
// The time of a match then grows with the text and with the expression, whose size is bounded here: by measurement, twice
// the text took twice as long for every hostile expression tried, from (a+)+$ to ((a{0,9}){0,9}){0,9}b. As in RE2, that
// holds for each match: one that looks to the end before every short match, as a*b|a does over as alone, takes the
// square (10,000 characters 1.5 s, 20,000 5 s), until the time limit of scripts ends it.
import { shorten } from '../../base/errors.ts'
import { wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'

export const maxRepetition = 255
/** Repetitions inside repetitions are copied out by Postgres. */
const maxCopies = 1000
const maxLength = 1000
const maxReplacementLength = 10_000
/** Of the expression with its repetitions copied out, in characters. */
const maxSize = 2000

type Node =
  | { readonly kind: 'text'; readonly sql: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'either'; readonly nodes: readonly Node[] }
  | { readonly kind: 'group'; readonly number: number | undefined; readonly node: Node }
  | {
      readonly kind: 'repeat'
      readonly least: number
      readonly most: number
      readonly lazy: boolean
      readonly node: Node
    }

type Parsed = { readonly node: Node; readonly groups: number; readonly ignoreCase: boolean }

export type Replacing = { readonly expression: string; readonly replacement: string }

export const replacing = (
  expression: string,
  replacement: string,
  at: Position,
  replacementAt: Position,
): Replacing => {
  const parsed = parse(expression, at)
  if (replacement.length > maxReplacementLength)
    throw scriptFault(replacementAt, `the replacement is longer than ${maxReplacementLength} characters`)
  const used = new Set<number>()
  const parts = replacementParts(replacement)
  for (const part of parts) {
    if (typeof part === 'string' || part === 0) continue
    if (part > parsed.groups)
      throw scriptFault(replacementAt, `$${part} names no group, the regular expression has ${parsed.groups}`)
    used.add(part)
  }
  refuseRepeated(parsed.node, used, false, replacementAt)
  refuseCopies(parsed.node, at)
  if (sizeOf(parsed.node) > maxSize)
    throw scriptFault(at, `the regular expression stands for more than ${maxSize} characters`)
  const numbers = [...used].toSorted((a, b) => a - b)
  const body = print(parsed.node, used)
  const sql = parts
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll('\\', '\\\\')
      return part === 0 ? '\\&' : `\\${numbers.indexOf(part) + 1}`
    })
    .join('')
  if (numbers.length > 9) throw scriptFault(replacementAt, 'a replacement can use at most 9 groups')
  // As it stands the first quantifier would decide for the whole; wrapped so, the whole is greedy.
  const whole = isMixed(parsed.node) ? `(?:${body}){1,1}` : body
  return { expression: `${parsed.ignoreCase ? '(?i)' : ''}${whole}`, replacement: sql }
}

/** $1 and ${1} are groups, $0 the whole match; a backslash takes the next character as it is. */
const replacementParts = (text: string): readonly (string | number)[] =>
  [...text.matchAll(/\\(.)|\$(\d)|\$\{(\d{1,2})\}|[^]/gsu)].map(([all, escaped, short, long]) =>
    escaped !== undefined ? escaped : short !== undefined ? Number(short) : long !== undefined ? Number(long) : all,
  )

const refuseRepeated = (node: Node, used: ReadonlySet<number>, repeated: boolean, at: Position): void => {
  switch (node.kind) {
    case 'text':
      return
    case 'sequence':
    case 'either':
      for (const one of node.nodes) refuseRepeated(one, used, repeated, at)
      return
    case 'repeat':
      return refuseRepeated(node.node, used, repeated || node.most > 1, at)
    case 'group':
      if (repeated && node.number !== undefined && used.has(node.number))
        throw scriptFault(at, `$${node.number} is a group inside a repetition, which has no one text`)
      return refuseRepeated(node.node, used, repeated, at)
  }
}

const refuseCopies = (node: Node, at: Position, copies = 1): void => {
  if (node.kind === 'text') return
  if (node.kind === 'group') return refuseCopies(node.node, at, copies)
  if (node.kind !== 'repeat') {
    for (const one of node.nodes) refuseCopies(one, at, copies)
    return
  }
  const more = copies * Math.max(1, Number.isFinite(node.most) ? node.most : node.least)
  if (more > maxCopies) throw scriptFault(at, `the regular expression repeats more than ${maxCopies} times`)
  return refuseCopies(node.node, at, more)
}

const sizeOf = (node: Node): number => {
  switch (node.kind) {
    case 'text':
      return 1
    case 'sequence':
    case 'either':
      return node.nodes.reduce((sum, one) => sum + sizeOf(one), 0)
    case 'group':
      return sizeOf(node.node)
    case 'repeat':
      return sizeOf(node.node) * Math.max(1, Number.isFinite(node.most) ? node.most : node.least)
  }
}

const isMixed = (node: Node): boolean => {
  const kinds = new Set<boolean>()
  const look = (one: Node): void => {
    if (one.kind === 'text') return
    if (one.kind === 'sequence' || one.kind === 'either') return one.nodes.forEach(look)
    if (one.kind === 'repeat' && one.least !== one.most) kinds.add(one.lazy)
    look(one.node)
  }
  look(node)
  return kinds.size === 2
}

const print = (node: Node, used: ReadonlySet<number>): string => {
  switch (node.kind) {
    case 'text':
      return node.sql
    case 'sequence':
      return node.nodes.map((one) => print(one, used)).join('')
    case 'either':
      return node.nodes.map((one) => print(one, used)).join('|')
    case 'group':
      return `(${node.number !== undefined && used.has(node.number) ? '' : '?:'}${print(node.node, used)})`
    case 'repeat':
      return `${print(node.node, used)}${quantifier(node.least, node.most)}${node.lazy ? '?' : ''}`
  }
}

const quantifier = (least: number, most: number) => {
  if (most === Infinity) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`
}

const parse = (text: string, at: Position): Parsed => {
  const bad = (why: string) => scriptFault(at, `the regular expression '${shorten(text, 40)}' ${why}`)
  if (text.length > maxLength) throw bad(`is longer than ${maxLength} characters`)
  const characters = Array.from(text)
  let next = 0
  let groups = 0
  let depth = 0
  const peek = (part: string) => characters.slice(next, next + part.length).join('') === part
  const take = (part: string) => {
    if (!peek(part)) return false
    next += part.length
    return true
  }
  const ignoreCase = take('(?i)')

  const either = (): Node => {
    const nodes = [sequence()]
    while (take('|')) nodes.push(sequence())
    return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes }
  }
  const sequence = (): Node => {
    const nodes: Node[] = []
    while (next < characters.length && !peek('|') && !peek(')')) nodes.push(repeated())
    return { kind: 'sequence', nodes }
  }
  const repeated = (): Node => {
    const anchored = /^(?:\^|\$|\\[AzZbB])/.test(characters.slice(next, next + 2).join(''))
    const node = atom()
    const counts = quantifierHere()
    if (!counts) return node
    if (anchored) throw bad('repeats what has no length')
    const [least, most] = counts
    if (least > maxRepetition || (most !== Infinity && most > maxRepetition))
      throw bad(`repeats more than ${maxRepetition} times`)
    if (most < least) throw bad('has a repetition that ends before it begins')
    const lazy = take('?')
    if (peek('+') || quantifierHere()) throw bad('repeats a repetition')
    return { kind: 'repeat', least, most, lazy, node }
  }
  const quantifierHere = (): readonly [number, number] | undefined => {
    if (take('*')) return [0, Infinity]
    if (take('+')) return [1, Infinity]
    if (take('?')) return [0, 1]
    const found = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(characters.slice(next, next + 16).join(''))
    if (!found) return undefined
    next += found[0].length
    const least = Number(found[1])
    return [least, !found[2] ? least : found[3] ? Number(found[3]) : Infinity]
  }
  const atom = (): Node => {
    if (take('(')) return group()
    if (take('[')) return { kind: 'text', sql: bracket() }
    if (take('.')) return { kind: 'text', sql: String.raw`[^\n]` }
    const character = characters[next++]!
    if (character === '\\') return escape()
    if (character === '^' || character === '$') return { kind: 'text', sql: character }
    if (/[*+?]/.test(character)) throw bad('repeats nothing')
    return literal(character)
  }
  const group = (): Node => {
    if (++depth > 50) throw bad('is nested too deeply')
    const named = /^\?P?<[A-Za-z]\w*>/.exec(characters.slice(next, next + 40).join(''))
    let number: number | undefined
    if (named) next += named[0].length
    else if (/^\?(?:<?[=!]|>)/.test(characters.slice(next, next + 3).join('')))
      throw bad('looks around, which is not supported')
    else if (peek('?') && !peek('?:')) throw bad('begins a group that is not known')
    if (!take('?:')) number = ++groups
    const node = either()
    if (!take(')')) throw bad('has a ( that is not closed')
    depth--
    return { kind: 'group', number, node }
  }
  const escape = (): Node => {
    const letter = characters[next++]
    if (letter === undefined) throw bad('ends with a backslash')
    if (/\d/.test(letter)) throw bad('refers back to a group, which is not supported')
    const same = sameInPostgres.get(letter)
    if (same) return { kind: 'text', sql: same }
    if (letter === 'Q') {
      const end = characters.join('\u0000').indexOf('\\\u0000E', next * 2)
      const quoted = characters.slice(next, end < 0 ? undefined : end / 2)
      next = end < 0 ? characters.length : end / 2 + 2
      return { kind: 'group', number: undefined, node: { kind: 'sequence', nodes: quoted.map(literal) } }
    }
    if (letter === 'p' || letter === 'P') return { kind: 'text', sql: `[${letter === 'P' ? '^' : ''}${property()}]` }
    return literal(characterOf(letter))
  }
  const property = (): string => {
    const found = /^(?:\{(\w+)\}|(\w))/.exec(characters.slice(next, next + 20).join(''))
    const sql = found && properties.get(found[1] ?? found[2]!)
    if (!sql) throw bad('names a \\p class that is not known')
    next += found[0].length
    return sql
  }
  const characterOf = (letter: string): string => {
    const code = codes.get(letter)
    const control = controls.get(letter)
    if (control) return control
    if (code) {
      const found = code.exec(characters.slice(next, next + 8).join(''))
      const point = found ? Number.parseInt(found[1] ?? found[2]!, 16) : 0
      if (!found || point === 0 || point > 0x10ffff) throw bad(`has a \\${letter} without a character`)
      next += found[0].length
      return String.fromCodePoint(point)
    }
    if (/[A-Za-z]/.test(letter)) throw bad(`has \\${letter}, which is not known`)
    return letter
  }
  /** [a-z\d_], the opening bracket taken already. */
  const bracket = (): string => {
    let sql = take('^') ? '[^' : '['
    let isFirst = true
    for (;;) {
      if (next >= characters.length) throw bad('has a [ that is not closed')
      if (!isFirst && take(']')) return `${sql}]`
      isFirst = false
      const named = /^\[:(\^?)([a-z]+):\]/.exec(characters.slice(next, next + 14).join(''))
      if (named) {
        if (named[1] || !posixClasses.has(named[2]!)) throw bad('names a class that is not known')
        sql += named[0]
        next += named[0].length
        continue
      }
      const from = member()
      if (from.length > 1) {
        sql += from[1]
        continue
      }
      if (peek('-') && characters[next + 1] !== ']' && next + 1 < characters.length) {
        next++
        const to = member()
        if (to.length > 1 || to[0].codePointAt(0)! < from[0].codePointAt(0)!) throw bad('has a range out of order')
        sql += `${inBracket(from[0])}-${inBracket(to[0])}`
      } else sql += inBracket(from[0])
    }
  }
  /** One character, or a class as a second element. */
  const member = (): readonly [string] | readonly [string, string] => {
    const character = characters[next++]
    if (character === undefined) throw bad('has a [ that is not closed')
    if (character !== '\\') return [character]
    const letter = characters[next++]
    if (letter === undefined) throw bad('ends with a backslash')
    if (letter === 'd' || letter === 'w' || letter === 's') return ['', bracketClasses[letter]]
    if (letter === 'p') return ['', property()]
    if (/[DWSPbBAzZQE\d]/.test(letter)) throw bad(`has \\${letter} inside [ ]`)
    return [characterOf(letter)]
  }

  const node = either()
  if (next < characters.length) throw bad('closes a ( that is not open')
  return { node, groups, ignoreCase }
}

const literal = (character: string): Node => ({
  kind: 'text',
  sql: /[\p{L}\p{N}]/u.test(character) || character.codePointAt(0)! < 0x21 ? character : `\\${character}`,
})

const inBracket = (character: string) => (/[\]\\^[-]/.test(character) ? `\\${character}` : character)

const sameInPostgres = wordTable({
  d: String.raw`\d`,
  D: String.raw`\D`,
  w: String.raw`\w`,
  W: String.raw`\W`,
  s: String.raw`\s`,
  S: String.raw`\S`,
  b: String.raw`\y`,
  B: String.raw`\Y`,
  A: String.raw`\A`,
  z: String.raw`\Z`,
  Z: String.raw`\Z`,
})

const bracketClasses = { d: '[:digit:]', w: '[:alnum:]_', s: '[:space:]' } as const

const posixClasses = new Set([
  'alnum',
  'alpha',
  'blank',
  'cntrl',
  'digit',
  'graph',
  'lower',
  'print',
  'punct',
  'space',
  'upper',
  'xdigit',
])

const properties = wordTable({
  L: '[:alpha:]',
  Alpha: '[:alpha:]',
  Lu: '[:upper:]',
  Upper: '[:upper:]',
  Ll: '[:lower:]',
  Lower: '[:lower:]',
  N: '[:digit:]',
  Nd: '[:digit:]',
  Digit: '[:digit:]',
  Alnum: '[:alnum:]',
  Punct: '[:punct:]',
  P: '[:punct:]',
  Space: '[:space:]',
  XDigit: '[:xdigit:]',
})

const controls = wordTable({
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  a: '\u0007',
  e: '\u001b',
})

const codes = wordTable({
  x: /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/,
  u: /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/,
})
