// Reading JSON exactly: whole numbers beyond 2^53 become bigints, and what is not JSON is told with its position.
// JSON.parse does the work where it can, which is nearly always.
import type { Json } from './json-path.ts'

/** Arrays and objects inside each other: whatever walks the value may recurse that deep. */
export const maxJsonDepth = 500

export class NotJson extends Error {
  /** One-based, in characters. */
  readonly position: number
  constructor(what: string, position: number) {
    super(what)
    this.name = 'NotJson'
    this.position = position
  }
}

export const parseJson = (text: string): Json => {
  if (!longNumber.test(text) && !isDeep(text)) {
    try {
      return JSON.parse(text) as Json
    } catch {
      // Read again below, to find the place.
    }
  }
  return readJson(text)
}

/** Digits that may be a whole number beyond 2^53; behind a quote they are part of a text, as device IDs are. */
const longNumber = /(?:^|[[,:\s])-?\d{16}/

/** A bound on the depth: brackets inside strings count too, which only costs the slower way. */
const isDeep = (text: string): boolean => {
  // Looking for the next one is far cheaper than looking at every character, and most bodies have few.
  if (countUpTo(text, '{') + countUpTo(text, '[') <= maxJsonDepth) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > maxJsonDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** How often it is there; no more than one above the most depth are counted. */
const countUpTo = (text: string, bracket: string): number => {
  let count = 0
  for (let at = text.indexOf(bracket); at >= 0 && count <= maxJsonDepth; at = text.indexOf(bracket, at + 1)) count += 1
  return count
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const blank = /[ \t\r\n]*/y
const literal = /true|false|null/y
const escape = /\\u[0-9a-fA-F]{4}/y
const simpleEscapes = '"\\/bfnrt'

const readJson = (text: string): Json => {
  let next = 0
  const skip = () => {
    blank.lastIndex = next
    blank.test(text)
    next = blank.lastIndex
  }
  const unexpected = () =>
    next >= text.length
      ? new NotJson('the text ends too early', next + 1)
      : new NotJson(`unexpected '${String.fromCodePoint(text.codePointAt(next)!)}'`, next + 1)
  const take = (shape: RegExp): string | undefined => {
    shape.lastIndex = next
    const found = shape.exec(text)?.[0]
    if (found !== undefined) next = shape.lastIndex
    return found
  }
  const expect = (sign: string) => {
    skip()
    if (text[next] !== sign) throw unexpected()
    next++
  }
  const value = (depth: number): Json => {
    if (depth > maxJsonDepth) throw new NotJson(`nested deeper than ${maxJsonDepth} levels`, next + 1)
    skip()
    if (text[next] === '{') return object(depth)
    if (text[next] === '[') return array(depth)
    if (text[next] === '"') return string()
    const digits = take(number)
    if (digits !== undefined) return numberOf(digits)
    const word = take(literal)
    if (word !== undefined) return word === 'null' ? null : word === 'true'
    throw unexpected()
  }
  // By hand: a regular expression would keep a place to come back to for every character of a long text.
  const string = (): string => {
    const start = next++
    for (;;) {
      const code = text.charCodeAt(next)
      if (Number.isNaN(code) || code < 0x20) throw unexpected()
      if (code === 0x5c) {
        if (simpleEscapes.includes(text[next + 1] ?? ' ')) {
          next += 2
          continue
        }
        escape.lastIndex = next
        if (!escape.test(text)) throw unexpected()
        next = escape.lastIndex
      } else {
        next++
        if (code === 0x22) return JSON.parse(text.slice(start, next)) as string
      }
    }
  }
  const array = (depth: number): Json => {
    const elements: Json[] = []
    next++
    skip()
    if (text[next] === ']') {
      next++
      return elements
    }
    for (;;) {
      elements.push(value(depth + 1))
      skip()
      if (text[next] === ']') break
      expect(',')
    }
    next++
    return elements
  }
  const object = (depth: number): Json => {
    const members: [string, Json][] = []
    next++
    skip()
    if (text[next] === '}') {
      next++
      return {}
    }
    for (;;) {
      skip()
      if (text[next] !== '"') throw unexpected()
      const name = string()
      expect(':')
      members.push([name, value(depth + 1)])
      skip()
      if (text[next] === '}') break
      expect(',')
    }
    next++
    return Object.fromEntries(members)
  }

  const result = value(0)
  skip()
  if (next < text.length) throw unexpected()
  return result
}

const numberOf = (digits: string): number | bigint => {
  const short = Number(digits)
  // Beyond all doubles it is infinite, however it is written: making millions of digits a bigint takes seconds.
  if (Number.isSafeInteger(short) || !Number.isFinite(short) || !/^-?\d+$/.test(digits)) return short
  return BigInt(digits)
}

/** JSON.stringify, for values that may hold bigints. */
export const jsonText = (value: Json): string => {
  if (typeof value === 'bigint') return String(value)
  // Number beyond all doubles: what was written is not known any more, but it was a number and no null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonText).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
    .join(',')}}`
}
