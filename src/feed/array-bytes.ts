// The array form of PUT /feed, straight from the bytes of its body, which gateways send by the thousand:
//
//   [{"compId":"Boiler","streamId":"temp","data":20.1,"time":1700000000000}, ...]
//
// A sample takes 0.6 µs, where JSON.parse and the reading of its result take 1.3. It makes no object per sample and of
// each ID one string, so that the largest body costs no more memory than its samples do.
//
// It reads bodies that are usual and right. At anything else, such as a wrong type, a nested member or an integer
// beyond 2^53, it gives up, and put-json.ts reads the body again, by all the rules and with all the messages.
import { isUtf8 } from 'node:buffer'
import { tooLarge } from '../base/errors.ts'
import { firstMs, lastMs } from '../base/http/params.ts'
import type { BatchSamples } from '../core/sample/batch.ts'
import { emptySamples, pushSample } from '../core/sample/batch.ts'
import type { RawValue } from '../core/sample/value.ts'

export type ArraySamples = {
  readonly samples: BatchSamples
  /** The component IDs that the samples' numbers stand for; null: the component of the query. */
  readonly componentIds: readonly (string | null)[]
  readonly streamIds: readonly string[]
}

/** Undefined where the bytes are to be read in another way. The IDs are still to be checked. */
export const samplesFromBytes = (bytes: Buffer, uploadMs: number, mostSamples: number): ArraySamples | undefined => {
  if (!isUtf8(bytes)) return undefined
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return readArray({ bytes, at: hasMark ? 3 : 0 }, uploadMs, mostSamples)
  } catch (error) {
    if (error === unusual) return undefined
    throw error
  }
}

const unusual = new Error('unusual')

export const tooManySamples = (most: number) => tooLarge(`more than ${most} samples in one call`)

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Every byte is looked at once: at 3 ns each, looking is the whole cost. */
type Cursor = { readonly bytes: Buffer; at: number }

const readArray = (cursor: Cursor, uploadMs: number, mostSamples: number): ArraySamples => {
  const samples = emptySamples()
  const components = noNames()
  const streams = noNames()
  take(cursor, openBracket)
  if (next(cursor) === closeBracket) cursor.at += 1
  else
    do {
      if (samples.values.length === mostSamples) throw tooManySamples(mostSamples)
      readElement(cursor, uploadMs, samples, components, streams)
    } while (takesComma(cursor, closeBracket))
  const { bytes } = cursor
  // Old firmware leaves a NUL and line ends behind the array.
  for (let { at } = cursor; at < bytes.length; at += 1) if (!isBlank(bytes[at]!) && bytes[at] !== 0) throw unusual
  return { samples, componentIds: components.list, streamIds: streams.list as string[] }
}

const readElement = (
  cursor: Cursor,
  uploadMs: number,
  samples: BatchSamples,
  components: Names,
  streams: Names,
): void => {
  let component = -1
  let stream = -1
  let value: RawValue | undefined
  let timeMs = uploadMs
  take(cursor, openBrace)
  // The last of two members with one name counts; of two components, nothing of the first must remain.
  do {
    take(cursor, quote)
    const member = readMember(cursor)
    take(cursor, colon)
    const first = next(cursor)
    if (member === streamId) stream = readName(cursor, first, streams)
    else if (member === data) value = readScalar(cursor, first)
    else if (member === time) timeMs = readTime(cursor, first) ?? uploadMs
    else if (member === compId) {
      if (component >= 0) throw unusual
      component = first === quote ? readName(cursor, first, components) : readNull(cursor)
    } else readScalar(cursor, first)
  } while (takesComma(cursor, closeBrace))
  if (stream < 0 || value === undefined) throw unusual
  if (component < 0) component = nameOf(components, null)
  pushSample(samples, component, streams.list[stream]!, value, timeMs)
}

// Names with their closing quotes.
const compId = Buffer.from('compId"')
const streamId = Buffer.from('streamId"')
const data = Buffer.from('data"')
const time = Buffer.from('time"')

/** Takes a member's name; undefined for one that means nothing here. */
const readMember = (cursor: Cursor): Buffer | undefined => {
  const first = cursor.bytes[cursor.at]
  const member = first === compId[0] ? compId : first === streamId[0] ? streamId : first === data[0] ? data : time
  if (isText(cursor, member)) {
    cursor.at += member.length
    return member
  }
  skipName(cursor)
  return undefined
}

const meaningful = new Set(['compid', 'streamid', 'data', 'time'])

const skipName = (cursor: Cursor): void => {
  const from = cursor.at
  for (let byte = cursor.bytes[cursor.at]!; byte !== quote; byte = cursor.bytes[cursor.at]!) {
    // An escaped name may be a meaningful one after all.
    if (!(byte >= 0x20) || byte === backslash) throw unusual
    cursor.at += 1
  }
  // A name in another case may be a meaningful one as well.
  if (meaningful.has(cursor.bytes.toString('latin1', from, cursor.at).toLowerCase())) throw unusual
  cursor.at += 1
}

const isText = ({ bytes, at }: Cursor, text: Buffer): boolean => {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text[n]) return false
  return true
}

/** The next byte that is not blank, without taking it; at the end it is undefined, and equal to nothing. */
const next = (cursor: Cursor): number => {
  let byte = cursor.bytes[cursor.at]!
  while (isBlank(byte)) {
    cursor.at += 1
    byte = cursor.bytes[cursor.at]!
  }
  return byte
}

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const take = (cursor: Cursor, byte: number): void => {
  if (next(cursor) !== byte) throw unusual
  cursor.at += 1
}

/** Takes a comma, or else the end of the list or object. */
const takesComma = (cursor: Cursor, end: number): boolean => {
  const byte = next(cursor)
  if (byte !== comma && byte !== end) throw unusual
  cursor.at += 1
  return byte === comma
}

/** Behind an opening quote: takes the string and its closing quote. */
const readString = (cursor: Cursor): string => {
  const { bytes, at: from } = cursor
  let hasEscape = false
  let at = from
  for (let byte = bytes[at]!; byte !== quote; byte = bytes[at]!) {
    if (!(byte >= 0x20)) throw unusual
    if (byte === backslash) hasEscape = true
    at += byte === backslash ? 2 : 1
  }
  cursor.at = at + 1
  return hasEscape ? (readByNode(bytes, from - 1, at + 1) as string) : bytes.toString('utf8', from, at)
}

const readByNode = (bytes: Buffer, from: number, until: number): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8', from, until))
  } catch {
    throw unusual
  }
}

const readScalar = (cursor: Cursor, first: number): RawValue => {
  if (first === minus || isDigit(first)) return readNumber(cursor, first)
  if (first !== quote) return readWord(cursor)
  cursor.at += 1
  return readString(cursor)
}

const words: readonly (readonly [null | boolean, Buffer])[] = [
  [null, Buffer.from('null')],
  [true, Buffer.from('true')],
  [false, Buffer.from('false')],
]

const readWord = (cursor: Cursor): null | boolean => {
  for (const [value, text] of words) {
    if (!isText(cursor, text)) continue
    cursor.at += text.length
    return value
  }
  throw unusual
}

/** An ID that is null is as good as none. */
const readNull = (cursor: Cursor): -1 => {
  if (readWord(cursor) !== null) throw unusual
  return -1
}

const readTime = (cursor: Cursor, first: number): number | undefined => {
  if (!isDigit(first)) {
    readNull(cursor)
    return undefined
  }
  const ms = readNumber(cursor, first)
  if (!Number.isSafeInteger(ms) || ms < firstMs || ms > lastMs) throw unusual
  return ms
}

const isDigit = (byte: number) => byte >= zero && byte <= nine

const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/**
 * Up to 15 digits are an integer that a double holds exactly, as it does the power of ten that the decimals ask for:
 * one division then rounds as reading the text would. A longer number, or one with an exponent, is for JSON.parse.
 */
const readNumber = (cursor: Cursor, first: number): number => {
  const { bytes } = cursor
  const from = first === minus ? cursor.at + 1 : cursor.at
  let at = from
  let digits = 0
  let byte = bytes[at]!
  for (; isDigit(byte); byte = bytes[at]!) {
    digits = digits * 10 + (byte - zero)
    at += 1
  }
  const whole = at - from
  if (byte === dot) {
    at += 1
    for (byte = bytes[at]!; isDigit(byte); byte = bytes[at]!) {
      digits = digits * 10 + (byte - zero)
      at += 1
    }
  }
  const decimals = at === from + whole ? 0 : at - from - whole - 1
  const isUsual =
    whole > 0 &&
    (whole === 1 || bytes[from] !== zero) &&
    whole + decimals <= 15 &&
    decimals > 0 === at > from + whole &&
    (byte === comma || byte === closeBrace || isBlank(byte))
  if (!isUsual) return readLongNumber(cursor)
  cursor.at = at
  const number = decimals === 0 ? digits : digits / powersOfTen[decimals]!
  return first === minus ? -number : number
}

const readLongNumber = (cursor: Cursor): number => {
  const { bytes, at: from } = cursor
  let byte = bytes[from]!
  let hasPoint = false
  while (byte !== comma && byte !== closeBrace && !isBlank(byte)) {
    if (!(byte >= 0x20)) throw unusual
    if (byte !== minus && !isDigit(byte)) hasPoint = true
    cursor.at += 1
    byte = bytes[cursor.at]!
  }
  const number = readByNode(bytes, from, cursor.at)
  // Without point or exponent, an integer that a number does not hold exactly must become a bigint.
  if (typeof number !== 'number' || (!hasPoint && !Number.isSafeInteger(number))) throw unusual
  return number
}

/** The distinct ones among many strings. Each is made once, and known again by its bytes. */
type Names = {
  readonly list: (string | null)[]
  readonly byHash: Map<number, Known[]>
  readonly byText: Map<string | null, number>
}

type Known = { readonly from: number; readonly until: number; readonly name: number }

const noNames = (): Names => ({ list: [], byHash: new Map(), byText: new Map() })

// A caller that sends many names with the same hash only loses the short cut.
const mostAlike = 8

const readName = (cursor: Cursor, first: number, names: Names): number => {
  if (first !== quote) throw unusual
  cursor.at += 1
  const { bytes, at: from } = cursor
  let at = from
  let hash = 0
  for (let byte = bytes[at]!; byte !== quote; byte = bytes[at]!) {
    if (!(byte >= 0x20) || byte === backslash) return nameOf(names, readString(cursor))
    hash = (Math.imul(hash, 31) + byte) | 0
    at += 1
  }
  cursor.at = at + 1
  const alike = names.byHash.get(hash)
  if (alike) for (const known of alike) if (isSame(bytes, known, from, at)) return known.name
  const name = nameOf(names, bytes.toString('utf8', from, at))
  if (alike === undefined) names.byHash.set(hash, [{ from, until: at, name }])
  else if (alike.length < mostAlike) alike.push({ from, until: at, name })
  return name
}

const isSame = (bytes: Buffer, known: Known, from: number, until: number): boolean => {
  if (known.until - known.from !== until - from) return false
  for (let n = 0; n < until - from; n += 1) if (bytes[known.from + n] !== bytes[from + n]) return false
  return true
}

const nameOf = ({ list, byText }: Names, text: string | null): number => {
  const known = byText.get(text)
  if (known !== undefined) return known
  byText.set(text, list.length)
  return list.push(text) - 1
}
