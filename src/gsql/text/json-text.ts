// Reading JSON exactly: whole numbers beyond 2^53 become bigints, and an error in the text is reported with its position.
// JSON.parse does the work where it can, which is nearly always, for long texts in pieces (json-pieces.ts).
import type { Json } from '../value.ts'
import { readJsonInPieces } from './json-pieces.ts'
import { atOnce } from './slices.ts'
import type { Sliced } from './slices.ts'

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

/** Of one object in a long text: listing a million takes as long as parsing them. */
export const maxJsonMembers = 100_000

/** What JSON.parse reads in some milliseconds. */
const mostAtOnce = 64 * 1024

export const parseJson = function* (text: string): Sliced<Json> {
  try {
    if (text.length <= mostAtOnce) {
      if (!longNumber.test(text) && !isDeep(text)) return JSON.parse(text) as Json
    } else {
      const limits = { pieceLength: mostAtOnce, depth: maxJsonDepth, members: maxJsonMembers }
      const value = yield* readJsonInPieces(text, parsePiece, limits)
      if (value !== undefined) return value
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof NotJson)) throw error
    // Read again below, to find the place.
  }
  return yield* readJson(text)
}

const parsePiece = (piece: string): Json =>
  longNumber.test(piece) ? atOnce(readJson(piece)) : (JSON.parse(piece) as Json)

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
const literal = /true|false|null/y
const escape = /\\u[0-9a-fA-F]{4}/y
const simpleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/** An array or an object that is not closed yet; `name` is that of the member whose value comes next. */
type Open = { readonly elements: Json[] } | { readonly members: [string, Json][]; name: string }

const valuesPerSlice = 1000

const readJson = function* (text: string): Sliced<Json> {
  const { isNext, take, scalar, name, fail } = openReader(text)
  const open: Open[] = []
  for (let values = 1; ; values += 1) {
    if (values % valuesPerSlice === 0) yield
    if (open.length > maxJsonDepth) throw fail(`nested deeper than ${maxJsonDepth} levels`)
    let value: Json
    if (isNext('[')) {
      take('[')
      if (!isNext(']')) {
        open.push({ elements: [] })
        continue
      }
      take(']')
      value = []
    } else if (isNext('{')) {
      take('{')
      if (!isNext('}')) {
        open.push({ members: [], name: name() })
        continue
      }
      take('}')
      value = {}
    } else value = scalar()
    for (;;) {
      const around = open.at(-1)
      if (around === undefined) {
        if (!isNext('')) throw fail()
        return value
      }
      if ('elements' in around) {
        around.elements.push(value)
        if (isNext(',')) {
          take(',')
          break
        }
        take(']')
        value = around.elements
      } else {
        around.members.push([around.name, value])
        if (around.members.length > maxJsonMembers) throw fail(`an object has more than ${maxJsonMembers} members`)
        if (isNext(',')) {
          take(',')
          around.name = name()
          break
        }
        take('}')
        value = Object.fromEntries(around.members)
      }
      open.pop()
    }
  }
}

/** The signs and words of a text, one after the other. */
const openReader = (text: string) => {
  let next = 0
  const fail = (what?: string) =>
    what !== undefined
      ? new NotJson(what, next + 1)
      : next >= text.length
        ? new NotJson('the text ends too early', next + 1)
        : new NotJson(`unexpected '${String.fromCodePoint(text.codePointAt(next)!)}'`, next + 1)
  /** Whether the sign is what comes after blanks; '' stands for the end. */
  const isNext = (sign: string): boolean => {
    let code = text.charCodeAt(next)
    while (code === 0x20 || (code <= 0x0d && (code === 0x0a || code === 0x0d || code === 0x09)))
      code = text.charCodeAt(++next)
    return code === sign.charCodeAt(0) || (sign === '' && next >= text.length)
  }
  const take = (sign: string): void => {
    if (!isNext(sign)) throw fail()
    next += 1
  }
  const matched = (shape: RegExp): string | undefined => {
    shape.lastIndex = next
    if (!shape.test(text)) return undefined
    const from = next
    next = shape.lastIndex
    return text.slice(from, next)
  }
  // By hand: a regular expression would keep a place to come back to for every character of a long text.
  const string = (): string => {
    const start = next++
    let isPlain = true
    for (;;) {
      const code = text.charCodeAt(next)
      if (Number.isNaN(code) || code < 0x20) throw fail()
      if (code === 0x5c) {
        isPlain = false
        if (simpleEscapes.has(text.charCodeAt(next + 1))) {
          next += 2
          continue
        }
        escape.lastIndex = next
        if (!escape.test(text)) throw fail()
        next = escape.lastIndex
      } else {
        next += 1
        if (code === 0x22)
          return isPlain ? text.slice(start + 1, next - 1) : (JSON.parse(text.slice(start, next)) as string)
      }
    }
  }
  return {
    fail,
    isNext,
    take,
    /** Anything but an array or an object. */
    scalar: (): Json => {
      if (isNext('"')) return string()
      const digits = matched(number)
      if (digits !== undefined) return numberOf(digits)
      const word = matched(literal)
      if (word === undefined) throw fail()
      return word === 'null' ? null : word === 'true'
    },
    /** That of a member, with its colon. */
    name: (): string => {
      if (!isNext('"')) throw fail()
      const name = string()
      take(':')
      return name
    },
  }
}

const numberOf = (digits: string): number | bigint => {
  const short = Number(digits)
  // Beyond all doubles it is infinite, however it is written: making millions of digits a bigint takes seconds.
  if (Number.isSafeInteger(short) || !Number.isFinite(short) || !/^-?\d+$/.test(digits)) return short
  return BigInt(digits)
}

/** JSON.stringify, for values that may hold bigints. */
export const jsonText = (value: Json): string => (isPlain(value) ? JSON.stringify(value) : textOf(value))

/** Whether JSON.stringify writes it as it was: it refuses bigints, and makes null of numbers beyond all doubles. */
const isPlain = (value: Json): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value !== 'object') return typeof value !== 'bigint'
  return (Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)).every(isPlain)
}

const textOf = (value: Json): string => {
  if (typeof value === 'bigint') return String(value)
  // Number beyond all doubles: what was written is not known any more, but it was a number and no null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(textOf).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .join(',')}}`
}
