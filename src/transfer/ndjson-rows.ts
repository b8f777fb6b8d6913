// Rows of NDJSON (docs/transfer.md#import): one JSON object a line, with the members of the array form of uploads.
import { badRequest } from '../base/errors.ts'
import { parseJson } from '../base/json.ts'
import type { Json } from '../base/json.ts'
import { ownMember } from '../base/own.ts'
import type { RawValue } from '../core/sample/value.ts'
import { textOf } from './records.ts'
import type { BodyRecord } from './records.ts'
import { openIds, timeFrom, withinYears } from './rows.ts'
import type { Fixed, ReadRow } from './rows.ts'
import { usualReader } from './usual-lines.ts'

export const ndjsonReader = (fixed: Fixed): ReadRow => {
  const [componentOf, streamOf] = [openIds('compId'), openIds('streamId')]
  const readUsual = usualReader(fixed, componentOf, streamOf)
  const idOf = (members: Members, name: string, read: (id: string) => string): string => {
    const id = member(members, name)
    if (typeof id !== 'string') throw badRequest(`${name} is missing, or no text`)
    return read(id)
  }
  return (record) => {
    const usual = readUsual(record)
    if (usual) return usual
    const members = objectFrom(record, mostRowValues)
    return {
      componentId: fixed.componentId ?? idOf(members, 'compId', componentOf),
      streamId: fixed.streamId ?? idOf(members, 'streamId', streamOf),
      timeMs: timeOf(member(members, 'time')),
      value: valueOf(member(members, 'data')),
    }
  }
}

type Members = Readonly<Record<string, Json>>

/** A line is read at once: a row has four that count, and a megabyte of brackets with an integer beyond 2^53 took 0.3 s. */
const mostRowValues = 1000

/** The object of a line. */
export const objectFrom = (record: BodyRecord, mostJsonValues: number): Members => {
  const object = parseLine(textOf(record), mostJsonValues)
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw badRequest('the line is no JSON object')
  return object as Members
}

const parseLine = (text: string, mostJsonValues: number): Json => {
  // Short and without long integers: nothing that a limit is for.
  if (text.length < shortLength && !sixteenDigits.test(text))
    try {
      return JSON.parse(text) as Json
    } catch {
      throw badRequest('the line is not JSON')
    }
  return parseJson(Buffer.from(text), undefined, mostJsonValues)
}

const shortLength = 16_384
const sixteenDigits = /\d{16}/

const member = (members: Members, name: string): Json | undefined => {
  const own = ownMember(members, name)
  if (own !== undefined) return own
  const found = Object.keys(members).find((each) => each.toLowerCase() === name.toLowerCase())
  return found === undefined ? undefined : ownMember(members, found)
}

const timeOf = (time: Json | undefined): number => {
  if (typeof time === 'string') return timeFrom(time)
  if (time === undefined || time === null) throw badRequest('time is missing')
  if (typeof time !== 'number' || !Number.isSafeInteger(time)) throw badRequest('time must be epoch milliseconds')
  return withinYears(time)
}

const valueOf = (data: Json | undefined): RawValue => {
  if (data === undefined) throw badRequest('data is missing')
  if (typeof data === 'object' && data !== null) throw badRequest('data must be a number, a text, true, false or null')
  return data
}
