// JSON texts, read exactly: whole numbers beyond 2^53 become bigints, and an error in the text is reported with its
// position. JSON.parse does the work where it can, which is nearly always, for long texts in pieces (json-pieces.ts).
import { endOfString, readJsonInPieces } from './json-pieces.ts'
import type { Json } from './json-pieces.ts'
import { setOwnMember } from './own.ts'
import { atOnce } from './slices.ts'
import type { Sliced } from './slices.ts'

export class NotJson extends Error {
  /** One-based, in characters. */
  readonly position: number
  constructor(what: string, position: number) {
    super(what)
    this.name = 'NotJson'
    this.position = position
  }
}

export type JsonLimits = {
  /** Arrays and objects inside each other: a walk of the value may recurse that deep. */
  readonly depth: number
  /** The most members of one object in a long text: listing a million takes as long as parsing them. */
  readonly members: number
}

/** The length that JSON.parse reads in some milliseconds. */
const mostAtOnce = 64 * 1024
/** Characters that it reads in one, also where they are small arrays. */
export const pieceLength = 16 * 1024

/** The text that is meant by a piece of another, such as one of its bytes. */
type Meant = (piece: string) => string
const itself: Meant = (piece) => piece

/** In slices: nothing else waits for a long text. In pieces it takes two to three times as long as by JSON.parse alone. */
export const readJsonText = function* (text: string, limits: JsonLimits, meant = itself): Sliced<Json> {
  try {
    if (text.length <= mostAtOnce) {
      const whole = meant(text)
      if (!longNumber.test(whole) && !isDeep(whole, limits.depth)) return JSON.parse(whole) as Json
    } else {
      const parse = (part: string) => {
        const piece = meant(part)
        // Of a long run of blanks, each may stand before digits: they are looked for first.
        return sixteenDigits.test(piece) && longNumber.test(piece)
          ? parseExactly(piece, limits)
          : (JSON.parse(piece) as Json)
      }
      const value = yield* readJsonInPieces(text, parse, { ...limits, pieceLength })
      if (value !== undefined) return value
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof NotJson)) throw error
    // Read again below, to find the place.
  }
  return yield* readExactly(meant(text), limits)
}

/**
 * The same of bytes that are UTF-8, whose signs of JSON are bytes. As a text of all its bytes it takes its own size; decoded at once, by a single
 * character beyond Latin-1 twice that: four bodies of 57 MB took 510 to 543 MB, now 420 to 440.
 */
export const readJsonBytes = (bytes: Buffer, limits: JsonLimits): Sliced<Json> =>
  readJsonText(bytes.toString('latin1'), limits, decoded)

const decoded: Meant = (piece) =>
  /[\u0080-\u00ff]/.test(piece) ? Buffer.from(piece, 'latin1').toString('utf8') : piece

/** At once, and by hand: for texts with whole numbers beyond 2^53. */
export const parseExactly = (text: string, limits: JsonLimits): Json => atOnce(readExactly(text, limits))

/** Digits that may be a whole number beyond 2^53; behind a quote they are part of a text, as device IDs are. */
const longNumber = /(?:^|[[,:\s])-?\d{16}/
const sixteenDigits = /\d{16}/

/** A bound on the depth: brackets inside strings count too, which only costs the slower way. */
const isDeep = (text: string, mostDepth: number): boolean => {
  // Looking for the next one is far cheaper than looking at every character, and most texts have few.
  if (countUpTo(text, '{', mostDepth) + countUpTo(text, '[', mostDepth) <= mostDepth) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > mostDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** The number of brackets of this kind, counted up to one above `most`. */
const countUpTo = (text: string, bracket: string, most: number): number => {
  let count = 0
  for (let at = text.indexOf(bracket); at >= 0 && count <= most; at = text.indexOf(bracket, at + 1)) count += 1
  return count
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literal = /true|false|null/y
const escape = /\\u[0-9a-fA-F]{4}/y
const simpleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/** An array or an object that is not closed yet; `name` is that of the member whose value comes next. */
type Open = { readonly elements: Json[] } | { readonly members: [string, Json][]; name: string }

const valuesPerSlice = 1000
const blanksPerSlice = 16 * 1024

const readExactly = function* (text: string, limits: JsonLimits): Sliced<Json> {
  const { isNext, take, scalar, name, fail, isBeforeBlanks, skipBlanks } = openReader(text)
  const open: Open[] = []
  for (let values = 1; ; values += 1) {
    if (values % valuesPerSlice === 0) yield
    if (open.length > limits.depth) throw fail(`nested deeper than ${limits.depth} levels`)
    let value: Json
    while (isBeforeBlanks()) yield skipBlanks()
    if (isNext('[')) {
      take('[')
      while (isBeforeBlanks()) yield skipBlanks()
      if (!isNext(']')) {
        open.push({ elements: [] })
        continue
      }
      take(']')
      value = []
    } else if (isNext('{')) {
      take('{')
      while (isBeforeBlanks()) yield skipBlanks()
      if (!isNext('}')) {
        open.push({ members: [], name: yield* name() })
        continue
      }
      take('}')
      value = {}
    } else value = scalar()
    for (;;) {
      while (isBeforeBlanks()) yield skipBlanks()
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
        if (around.members.length > limits.members) throw fail(`an object has more than ${limits.members} members`)
        if (isNext(',')) {
          take(',')
          around.name = yield* name()
          break
        }
        take('}')
        value = objectOf(around.members)
      }
      open.pop()
    }
  }
}

const indexName = /^\d/

/**
 * A name that is a number is a place in an array to V8: made member by member, each {"1020":1} takes 12 KB, and a body of 1.2 MB ended the
 * server with a heap of 1 GB. JSON.parse makes these sparse.
 */
const objectOf = (members: readonly [string, Json][]): Json => {
  if (!members.some(([name]) => indexName.test(name))) return Object.fromEntries(members)
  const object = JSON.parse(`{${members.map(([name]) => `${JSON.stringify(name)}:0`).join()}}`) as Record<string, Json>
  // Each is the object's own by now, __proto__ as well.
  for (const [name, value] of members) setOwnMember(object, name, value)
  return object
}

const isBlank = (code: number) => code === 0x20 || (code <= 0x0d && (code === 0x0a || code === 0x0d || code === 0x09))

/** The signs and words of a text, one after the other. */
const openReader = (text: string) => {
  let next = 0
  const fail = (what?: string) =>
    what !== undefined
      ? new NotJson(what, next + 1)
      : next >= text.length
        ? new NotJson('the text ends too early', next + 1)
        : new NotJson(`unexpected '${String.fromCodePoint(text.codePointAt(next)!)}'`, next + 1)
  /** Whether the sign comes next, after blanks; '' stands for the end. */
  const isNext = (sign: string): boolean => {
    let code = text.charCodeAt(next)
    while (isBlank(code)) code = text.charCodeAt(++next)
    return code === sign.charCodeAt(0) || (sign === '' && next >= text.length)
  }
  /** Whether so many blanks may come that others are to be served in between: 59 MB of them took 0.15 s of CPU. */
  const isBeforeBlanks = (): boolean =>
    isBlank(text.charCodeAt(next)) && isBlank(text.charCodeAt(next + blanksPerSlice))
  const skipBlanks = (): void => {
    for (const end = next + blanksPerSlice; next < end && isBlank(text.charCodeAt(next));) next += 1
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
    const start = next
    for (let at = start + 1; ; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 0x22) {
        next = at + 1
        return text.slice(start + 1, at)
      }
      if (code === 0x5c || Number.isNaN(code) || code < 0x20) return escapedString()
    }
  }
  const escapedString = (): string => {
    const end = endOfString(text, next)
    try {
      const value = JSON.parse(text.slice(next, end + 1)) as string
      next = end + 1
      return value
    } catch {
      throw failInString()
    }
  }
  const failInString = (): NotJson => {
    for (next += 1; ; next += 1) {
      const code = text.charCodeAt(next)
      if (Number.isNaN(code) || code < 0x20) return fail()
      if (code !== 0x5c) continue
      if (simpleEscapes.has(text.charCodeAt(next + 1))) {
        next += 1
        continue
      }
      escape.lastIndex = next
      if (!escape.test(text)) return fail()
      next = escape.lastIndex - 1
    }
  }
  return {
    fail,
    isNext,
    take,
    isBeforeBlanks,
    skipBlanks,
    /** Anything but an array or an object. */
    scalar: (): Json => {
      if (isNext('"')) return string()
      const digits = matched(number)
      if (digits !== undefined) return numberOf(digits)
      const word = matched(literal)
      if (word === undefined) throw fail()
      return word === 'null' ? null : word === 'true'
    },
    /** Reads the name of a member, with its colon. */
    name: function* (this: void): Sliced<string> {
      while (isBeforeBlanks()) yield skipBlanks()
      if (!isNext('"')) throw fail()
      const name = string()
      while (isBeforeBlanks()) yield skipBlanks()
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
