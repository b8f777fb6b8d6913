// The usual line of NDJSON, straight from its bytes: five times as fast as by JSON.parse and the reading of its result.
//
//   {"compId":"Boiler","streamId":"temp","time":1700000000000,"data":20.1}
//
// At anything else, such as a nested member, a time as text or a name in another case, it gives up, and ndjson-rows.ts reads the
// line again, by all the rules and with all the messages.
import { firstMs, lastMs } from '../base/http/params.ts'
import {
  closeBrace,
  colon,
  isBlank,
  isText,
  memberNames,
  next,
  openBrace,
  quote,
  readMember,
  readScalar,
  readString,
  take,
  takesComma,
  unusual,
} from '../base/json-bytes.ts'
import type { Cursor } from '../base/json-bytes.ts'
import type { RawValue } from '../core/sample/value.ts'
import type { BodyRecord } from './records.ts'
import type { Fixed, Row } from './rows.ts'

/** A long line would else be read twice, for as long as it can hold everybody. */
const mostBytes = 4096

type ReadId = (id: string) => string

/** Gives undefined for a line that is to be read in another way. */
export const usualReader = (
  fixed: Fixed,
  componentOf: ReadId,
  streamOf: ReadId,
): ((record: BodyRecord) => Row | undefined) => {
  const readComponent = openIdReader(componentOf)
  const readStream = openIdReader(streamOf)
  return ({ bytes }) => {
    if (bytes.length > mostBytes) return undefined
    try {
      return readObject({ bytes, at: 0 }, fixed, readComponent, readStream)
    } catch (error) {
      if (error === unusual) return undefined
      throw error
    }
  }
}

const members = memberNames('compId', 'streamId', 'data', 'time')
const compId = 0
const streamId = 1
const data = 2
const time = 3

type ReadIdAt = (cursor: Cursor) => string

const readObject = (cursor: Cursor, fixed: Fixed, readComponent: ReadIdAt, readStream: ReadIdAt): Row => {
  let component: string | undefined
  let stream: string | undefined
  let value: RawValue | undefined
  let timeMs: RawValue | undefined
  take(cursor, openBrace)
  // The last of two members with one name counts.
  do {
    take(cursor, quote)
    const member = readMember(cursor, members)
    take(cursor, colon)
    const first = next(cursor)
    if (member === compId && fixed.componentId === undefined) component = readComponent(cursor)
    else if (member === streamId && fixed.streamId === undefined) stream = readStream(cursor)
    else if (member === data) value = readScalar(cursor, first)
    else if (member === time) timeMs = readScalar(cursor, first)
    else readScalar(cursor, first)
  } while (takesComma(cursor, closeBrace))
  const { bytes } = cursor
  for (let { at } = cursor; at < bytes.length; at += 1) if (!isBlank(bytes[at]!)) throw unusual
  const componentId = fixed.componentId ?? component
  const id = fixed.streamId ?? stream
  if (componentId === undefined || id === undefined || value === undefined || !isTime(timeMs)) throw unusual
  return { componentId, streamId: id, timeMs, value }
}

const isTime = (ms: RawValue | undefined): ms is number =>
  typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= firstMs && ms <= lastMs

/** The ID of the line before is known by its bytes, and no text made of it: most lines have it. */
const openIdReader = (read: ReadId): ReadIdAt => {
  // With its closing quote.
  let last = Buffer.alloc(0)
  let lastId = ''
  return (cursor) => {
    take(cursor, quote)
    const { bytes, at: from } = cursor
    if (last.length > 0 && isText(cursor, last)) {
      cursor.at += last.length
      return lastId
    }
    const id = orUnusual(read, readString(cursor))
    last = Buffer.from(bytes.subarray(from, cursor.at))
    lastId = id
    return id
  }
}

/** An ID that is refused is not the first reason to refuse a line that is no JSON. */
const orUnusual = (read: ReadId, text: string): string => {
  try {
    return read(text)
  } catch {
    throw unusual
  }
}
