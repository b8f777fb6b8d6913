// The rows of an import as its parsers give them, in columns; and the readers that CSV and NDJSON share.
import { badRequest, shorten } from '../base/errors.ts'
import { identifier } from '../base/http/members.ts'
import { firstMs, lastMs } from '../base/http/params.ts'
import { ownText } from '../base/own-text.ts'
import type { RawValue } from '../core/sample/value.ts'
import { isDay } from '../core/time/iso.ts'
import type { BodyRecord } from './records.ts'

/** A row, or the reason why it is none. */
export type Row = {
  readonly componentId: string
  readonly streamId: string
  readonly timeMs: number
  readonly value: RawValue
}

/** The component and stream of all rows, where the call names them. */
export type Fixed = { readonly componentId: string | undefined; readonly streamId: string | undefined }

/** Reads one record, which is UTF-8; throws a Fault that says why it is no row. */
export type ReadRow = (record: BodyRecord) => Row

/** Known ones are not looked at again: most rows name the same few. */
export const openIds = (name: string): ((id: string) => string) => {
  const known = new Map<string, string>()
  return (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    identifier(name, id)
    if (known.size >= mostKnown) known.clear()
    const alone = ownText(id)
    known.set(alone, alone)
    return alone
  }
}

const mostKnown = 10_000

/** Epoch milliseconds as digits, or an ISO time with its offset. */
export const timeFrom = (text: string): number => {
  const ms = isDigits(text) ? Number(text) : isoTime.test(text) && isDay(text) ? msFromIso(text) : Number.NaN
  if (!Number.isSafeInteger(ms))
    throw badRequest(`time must be epoch milliseconds, or an ISO time with an offset, not '${shorten(text)}'`)
  return withinYears(ms)
}

export const withinYears = (ms: number): number => {
  if (ms < firstMs || ms > lastMs) throw badRequest(`time ${ms} is outside the years 1 to 9999`)
  return ms
}

const isDigits = (text: string): boolean => {
  const from = text.charCodeAt(0) === minus ? 1 : 0
  if (text.length === from || text.length > 17) return false
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < zero || code > nine) return false
  }
  return true
}

const minus = 0x2d
const zero = 0x30
const nine = 0x39

/** With no offset of 19 hours or more, or of 60 minutes: '+99:99' was stored as 100 hours before. */
const isoTime =
  /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-])(0\d|1[0-8]):?([0-5]\d)(?::([0-5]\d))?)$/

/** By hand: Date knows no seconds in an offset, which zones had before they had standard time. */
const msFromIso = (text: string): number => {
  const [, local, sign, hours = '0', minutes = '0', seconds = '0'] = isoTime.exec(text)!
  const localMs = Date.parse(`${local!.replace(' ', 'T')}Z`)
  const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? localMs + offsetMs : localMs - offsetMs
}
