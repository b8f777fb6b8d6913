// The array form of PUT /feed, straight from the bytes of its body, which gateways send by the thousand:
//
//   [{"compId":"Boiler","streamId":"temp","data":20.1,"time":1700000000000}, ...]
//
// A sample takes 0.6 µs, where JSON.parse and the reading of its result take 1.3. It makes no object per sample and of
// each ID one string, so that the largest body costs no more memory than its samples do.
//
// It reads bodies that are usual and right. At anything else, such as a wrong type, a nested member or an integer
// beyond 2^53, it gives up, and put-json.ts reads the body again, by all the rules and with all the messages.
//
// In slices: the largest body takes 70 ms, which nobody else is to wait for.
import { isUtf8 } from 'node:buffer'
import { tooLarge } from '../base/errors.ts'
import { firstMs, lastMs } from '../base/http/params.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  isBlank,
  isDigit,
  memberNames,
  mostBlanks,
  mostNameBytes,
  next,
  openBrace,
  openBracket,
  quote,
  readMember,
  readNull,
  readNumber,
  readScalar,
  readString,
  take,
  takesComma,
  unusual,
} from '../base/json-bytes.ts'
import type { Cursor } from '../base/json-bytes.ts'
import type { Sliced } from '../base/slices.ts'
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
export const samplesInSlices = function* (
  bytes: Buffer,
  uploadMs: number,
  mostSamples: number,
): Sliced<ArraySamples | undefined> {
  if (!isUtf8(bytes)) return undefined
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return yield* readArray({ bytes, at: hasMark ? 3 : 0 }, uploadMs, mostSamples)
  } catch (error) {
    if (error === unusual) return undefined
    throw error
  }
}

export const tooManySamples = (most: number) => tooLarge(`more than ${most} samples in one call`)

const samplesPerSlice = 1000
/** Of long texts a thousand may be all of the body. */
const bytesPerSlice = 512 * 1024

const readArray = function* (cursor: Cursor, uploadMs: number, mostSamples: number): Sliced<ArraySamples> {
  const samples = emptySamples()
  const components = noNames()
  const streams = noNames()
  let sliceFrom = 0
  take(cursor, openBracket)
  if (next(cursor) === closeBracket) cursor.at += 1
  else
    do {
      if (samples.values.length === mostSamples) throw tooManySamples(mostSamples)
      readElement(cursor, uploadMs, samples, components, streams)
      if (samples.values.length % samplesPerSlice === 0 || cursor.at - sliceFrom > bytesPerSlice) {
        sliceFrom = cursor.at
        yield
      }
    } while (takesComma(cursor, closeBracket))
  const { bytes } = cursor
  // Old firmware leaves a NUL and line ends behind the array.
  if (bytes.length - cursor.at > mostBlanks) throw unusual
  for (let { at } = cursor; at < bytes.length; at += 1) if (!isBlank(bytes[at]!) && bytes[at] !== 0) throw unusual
  return { samples, componentIds: components.list, streamIds: streams.list as string[] }
}

const members = memberNames('compId', 'streamId', 'data', 'time')
const compId = 0
const streamId = 1
const data = 2
const time = 3

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
    const member = readMember(cursor, members)
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

const readTime = (cursor: Cursor, first: number): number | undefined => {
  if (!isDigit(first)) {
    readNull(cursor)
    return undefined
  }
  const ms = readNumber(cursor, first)
  if (!Number.isSafeInteger(ms) || ms < firstMs || ms > lastMs) throw unusual
  return ms
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
  const end = from + mostNameBytes
  let at = from
  let hash = 0
  for (let byte = bytes[at]!; byte !== quote; byte = bytes[at]!) {
    if (!(byte >= 0x20) || byte === backslash) return nameOf(names, readString(cursor))
    if (at === end) throw unusual
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

/**
 * A Map knows all texts of 16,384 characters or more by their length alone: 3,500 such IDs, in 100 KB of gzip, were compared with each other for
 * 55 s without a pause.
 */
const nameOf = ({ list, byText }: Names, text: string | null): number => {
  if (text !== null && text.length > mostNameBytes) throw unusual
  const known = byText.get(text)
  if (known !== undefined) return known
  byText.set(text, list.length)
  return list.push(text) - 1
}
