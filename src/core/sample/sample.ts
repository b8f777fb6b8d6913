// Samples: the rows of the hypertable `sample` and of `point_sample`, and all SQL that writes them (sample-read.ts reads).
// Rows travel in columns, because a call may bring 100,000 of them and goes out as one COPY or one array each.
//
// Interval streams are stored at their end less one millisecond (db/0011_sample.sql says why); storedMs and
// shownMs are the only places that know it.
import { withBackslashes } from '../../base/database/quote.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { untieContents } from '../file/blob.ts'
import { Overtaken } from './seen.ts'
import { markStale } from './stale.ts'
import type { StreamKind, ValueType } from '../stream.ts'
import type { Value } from './value.ts'

export const storedMs = (kind: StreamKind, timeMs: number) => (kind === 'interval' ? timeMs - 1 : timeMs)
export const shownMs = (kind: StreamKind, stored: number) => (kind === 'interval' ? stored + 1 : stored)

export type SampleRows = {
  readonly streamKeys: number[]
  /** Seconds; null in random streams. */
  readonly spans: (number | null)[]
  readonly storedMs: number[]
  readonly nums: (number | null)[]
  readonly longs: (number | bigint | null)[]
  readonly texts: (string | null)[]
}

export const emptyRows = (): SampleRows => ({ streamKeys: [], spans: [], storedMs: [], nums: [], longs: [], texts: [] })

/** Shared by all that have none: never pushed to. */
export const noRows: SampleRows = emptyRows()

/** A FILE's value is its name; its content's key is given by the file's own writer, in `long`. */
export const pushRow = (
  rows: SampleRows,
  streamKey: number,
  span: number | null,
  timeMs: number,
  type: ValueType,
  value: Value,
  long: number | null = null,
): void => {
  rows.streamKeys.push(streamKey)
  rows.spans.push(span)
  rows.storedMs.push(timeMs)
  const isNumber = type === 'DOUBLE' || type === 'BOOLEAN'
  rows.nums.push(isNumber && value !== null ? Number(value) : null)
  rows.longs.push(type === 'LONG' ? (value as number | bigint | null) : long)
  rows.texts.push(isNumber || type === 'LONG' ? null : (value as string | null))
}

export const copyRow = (from: SampleRows, index: number, to: SampleRows): void => {
  to.streamKeys.push(from.streamKeys[index]!)
  to.spans.push(from.spans[index]!)
  to.storedMs.push(from.storedMs[index]!)
  to.nums.push(from.nums[index]!)
  to.longs.push(from.longs[index]!)
  to.texts.push(from.texts[index]!)
}

/**
 * The rows in the order of the primary key, and of rows with the same key only the last. In this order COPY takes
 * 3.7 µs a row and not 5.3 (5,000 rows over 1,000 streams). Sorting takes 0.2, because rows of one stream mostly
 * come in the order of their times: they only have to be put to their stream.
 */
export const sortRows = (rows: SampleRows): SampleRows => {
  if (isSorted(rows)) return rows
  const order = orderByStream(rows.streamKeys)
  const { streamKeys, storedMs: times } = rows
  const sorted = emptyRows()
  for (let from = 0, to: number; from < order.length; from = to) {
    const key = streamKeys[order[from]!]!
    to = from + 1
    let isAscending = true
    for (; to < order.length && streamKeys[order[to]!] === key; to += 1)
      if (times[order[to]!]! < times[order[to - 1]!]!) isAscending = false
    if (!isAscending) order.subarray(from, to).sort((a, b) => times[a]! - times[b]! || a - b)
    for (let at = from; at < to; at += 1)
      if (at + 1 === to || times[order[at + 1]!] !== times[order[at]!]) copyRow(rows, order[at]!, sorted)
  }
  return sorted
}

/** The rows' numbers, stream by stream in the order of their keys, those of one stream in the order they came. */
const orderByStream = (streamKeys: readonly number[]): Uint32Array => {
  const slots = new Map<number, number>()
  const slotOfRow = new Uint32Array(streamKeys.length)
  const counts: number[] = []
  for (let row = 0; row < streamKeys.length; row += 1) {
    let slot = slots.get(streamKeys[row]!)
    if (slot === undefined) {
      slot = counts.push(0) - 1
      slots.set(streamKeys[row]!, slot)
    }
    counts[slot]! += 1
    slotOfRow[row] = slot
  }
  const next = new Uint32Array(counts.length)
  let start = 0
  for (const key of Int32Array.from(slots.keys()).toSorted()) {
    const slot = slots.get(key)!
    next[slot] = start
    start += counts[slot]!
  }
  const order = new Uint32Array(streamKeys.length)
  for (let row = 0; row < order.length; row += 1) {
    const slot = slotOfRow[row]!
    order[next[slot]!] = row
    next[slot]! += 1
  }
  return order
}

const isSorted = ({ streamKeys, storedMs: times }: SampleRows): boolean => {
  for (let row = 1; row < streamKeys.length; row += 1) {
    const step = streamKeys[row]! - streamKeys[row - 1]!
    if (step < 0 || (step === 0 && times[row]! <= times[row - 1]!)) return false
  }
  return true
}

/**
 * Inserts or overwrites. The rows must be sorted: Postgres refuses the same key twice, and order avoids deadlocks.
 * With a snapshot, only what that saw may be overwritten, else it throws Overtaken (seen.ts).
 */
export const upsertSamples = async (sql: Transaction, rows: SampleRows, snapshot?: string): Promise<void> => {
  for (let from = 0; from < rows.streamKeys.length; from += mostAtOnce)
    await upsertAll(sql, upsertText, 'sample', sliceRows(rows, from, from + mostAtOnce), snapshot)
}

const upsertAll = async (
  sql: Transaction,
  text: string,
  table: 'sample' | 'point_sample',
  rows: SampleRows,
  snapshot: string | undefined,
): Promise<void> => {
  const values = upsertParameters(rows)
  if (snapshot === undefined) {
    await sql.unsafe(text, values, { prepare: true })
    return
  }
  const ifSeen = `${text} where is_seen(${table}.xmin, $7::pg_snapshot)`
  const { count } = await sql.unsafe(ifSeen, [...values, snapshot], { prepare: true })
  // Of a point stream several may be given, of which the last is stored.
  if (count < (table === 'sample' ? rows.streamKeys.length : new Set(rows.streamKeys).size)) throw new Overtaken()
}

// They are texts on their way, here and in the database: a million would have 100 MB.
const mostAtOnce = 20_000

const sliceRows = (rows: SampleRows, from: number, until: number): SampleRows => ({
  streamKeys: rows.streamKeys.slice(from, until),
  spans: rows.spans.slice(from, until),
  storedMs: rows.storedMs.slice(from, until),
  nums: rows.nums.slice(from, until),
  longs: rows.longs.slice(from, until),
  texts: rows.texts.slice(from, until),
})

// to_timestamp of whole seconds and an interval of whole milliseconds are exact from year 1 to 9999;
// to_timestamp(ms / 1000.0) is not beyond 2255.
export const upsertText = `
  insert into sample (stream_key, span, time, num, long, text)
  select stream_key, span, to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond', num, long, text
  from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
              $5::text::bigint[], $6::text::text[]) as row (stream_key, span, ms, num, long, text)
  on conflict (stream_key, time)
  do update set span = excluded.span, num = excluded.num, long = excluded.long, text = excluded.text`

export const upsertParameters = (rows: SampleRows): string[] => [
  arrayText(rows.streamKeys),
  arrayText(rows.spans),
  arrayText(rows.storedMs),
  arrayText(rows.nums),
  arrayText(rows.longs),
  textArrayText(rows.texts),
]

/** A Postgres array of numbers as text: joining is several times faster than a driver's element-wise encoding. */
const arrayText = (values: readonly (number | bigint | null)[]) => {
  let joined = ''
  for (const value of values) joined += value === null ? ',null' : `,${value}`
  return `{${joined.slice(1)}}`
}

const textArrayText = (values: readonly (string | null)[]) => {
  let joined = ''
  for (const value of values) joined += value === null ? ',null' : `,"${withBackslashes(value)}"`
  return `{${joined.slice(1)}}`
}

/** Sets the one sample of each point stream; of several for one stream the last. */
export const setPoints = async (sql: Transaction, rows: SampleRows, snapshot?: string): Promise<void> => {
  if (rows.streamKeys.length > 0) await upsertAll(sql, setPointsText, 'point_sample', rows, snapshot)
}

export const setPointsText = `
  insert into point_sample (stream_key, time, num, long, text)
  select distinct on (stream_key)
         stream_key, to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond', num, long, text
  from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
              $5::text::bigint[], $6::text::text[]) with ordinality as row (stream_key, span, ms, num, long, text, nth)
  order by stream_key, nth desc
  on conflict (stream_key)
  do update set time = excluded.time, num = excluded.num, long = excluded.long, text = excluded.text`

/** A stored sample, with the time as the reply shows it. */
export type Sample = {
  readonly streamKey: number
  readonly timeMs: number
  /** Seconds; null in random and point streams. */
  readonly span: number | null
  readonly num: number | null
  readonly long: number | bigint | null
  readonly text: string | null
}

export const sampleValue = (type: ValueType, sample: Pick<Sample, 'num' | 'long' | 'text'>): Value => {
  switch (type) {
    case 'DOUBLE':
      return sample.num
    case 'LONG':
      return sample.long
    case 'BOOLEAN':
      return sample.num === null ? null : sample.num !== 0
    case 'STRING':
    case 'FILE':
      return sample.text
  }
}

export type Window = {
  /** Inclusive and exclusive, in terms of the shown time; undefined: unbounded. */
  readonly startMs: number | undefined
  readonly endMs: number | undefined
}

/** What a reader must know of a stream. */
export type ReadableStream = { readonly key: number; readonly kind: StreamKind }

/**
 * Deletes the samples of a stream within the window and marks their times, and what is archived of it; gives how many
 * samples and how many quarters of the archive. The gate is open.
 */
export const deleteSamples = async (
  sql: Transaction,
  { key, kind }: ReadableStream,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  claimedUntilMs: number,
): Promise<{ readonly deleted: number; readonly archived: number }> => {
  if (kind === 'point') {
    const points = await sql`
      delete from point_sample where stream_key = ${key} and time >= ${startMs} and time < ${endMs}`
    return { deleted: points.count, archived: 0 }
  }
  const [from, until] = [storedMs(kind, startMs), storedMs(kind, endMs)]
  await untieContents(sql, key, from, until)
  // Of what is archived only whole quarters can go.
  const { count: archived } = await sql`
    delete from archive where stream_key = ${key} and first_time >= ${from} and last_time < ${until}`
  // In one statement: what somebody else stores before it is deleted here must be marked here as well.
  const [gone] = await sql<[{ count: number }]>`
    with gone as (
      delete from sample where stream_key = ${key} and time >= ${from} and time < ${until} returning time
    ), marked as (
      insert into stale (stream_key, first_time, last_time)
      select ${key}, min(time), max(time) from gone where time < ${Math.max(from, Math.min(until, claimedUntilMs))} having count(*) > 0
    )
    select count(*) from gone`
  return { deleted: gone.count, archived }
}

/**
 * Deletes the samples at these times, as replies show them, and marks their hours; gives how many. The gate is open.
 * With a snapshot, they must be those that it saw, else it throws Overtaken (seen.ts).
 */
export const deleteSamplesAt = async (
  sql: Transaction,
  { key, kind, valueType }: ReadableStream & { readonly valueType: ValueType },
  timesMs: readonly number[],
  claimedUntilMs: number,
  snapshot?: string,
): Promise<number> => {
  const isSeen = snapshot === undefined ? sql`true` : sql`is_seen(xmin, ${snapshot}::pg_snapshot)`
  if (kind === 'point') {
    const points = await sql`delete from point_sample where stream_key = ${key} and ${isSeen}`
    if ((await sql`select from point_sample where stream_key = ${key}`).length > 0) throw new Overtaken()
    return points.count
  }
  const rows = emptyRows()
  for (const timeMs of timesMs) pushRow(rows, key, null, storedMs(kind, timeMs), 'DOUBLE', null)
  await markStale(sql, rows, claimedUntilMs)
  if (valueType === 'FILE') for (const ms of rows.storedMs) await untieContents(sql, key, ms, ms + 1)
  const ofThem = sql`stream_key = ${key} and time = any(${rows.storedMs}::timestamptz[])`
  const { count } = await sql`delete from sample where ${ofThem} and ${isSeen}`
  if (count < timesMs.length && (await sql`select from sample where ${ofThem} limit 1`).length > 0)
    throw new Overtaken()
  return count
}
