// Regular expressions of ReplaceAll and ReplaceFirst as they are read: the syntax that RE2 and Java share, without the
// parts that need a search. The parts that have no others inside are texts as Postgres takes them.
import { shorten } from '../../base/errors.ts'
import { wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'

const maxRepetition = 255
const maxLength = 1000

export type Node =
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

export type Parsed = { readonly node: Node; readonly groups: number; readonly ignoreCase: boolean }

export const parseRegularExpression = (text: string, at: Position): Parsed => {
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
    if (anchored) throw bad('repeats a part without length')
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
