// Samples: the hypertable `sample` and `point_sample`, and all SQL that writes them (../reading reads). The form of
// rows stands in rows.ts.
import { withBackslashes } from '../../base/database/quote.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { untieContents } from '../file/blob.ts'
import { parameterRows } from './copy-rows.ts'
import { emptyRows, pushRow, slicesOf, storedMs } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { Overtaken } from './seen.ts'
import { markStale } from './stale.ts'
import type { StreamKind, ValueType } from '../stream.ts'
import { noteDeleted } from './touched.ts'
import type { Value } from './value.ts'

/**
 * Inserts or overwrites. The rows must be sorted: Postgres refuses the same key twice, and order avoids deadlocks. With
 * a snapshot, only samples that it saw may be overwritten, else it throws Overtaken (seen.ts).
 */
export const upsertSamples = async (sql: Transaction, rows: SampleRows, snapshot?: string): Promise<void> => {
  for (const slice of slicesOf(rows)) await upsertAll(sql, upsertText, 'sample', slice, snapshot)
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
  // Several samples may be given for a point stream, of which the last is stored.
  if (count < (table === 'sample' ? rows.streamKeys.length : new Set(rows.streamKeys).size)) throw new Overtaken()
}

// to_timestamp of whole seconds and an interval of whole milliseconds are exact from year 1 to 9999;
// to_timestamp(ms / 1000.0) is not beyond 2255.
const upsert = (rows: string) => `
  insert into sample (stream_key, span, time, num, long, text)
  ${rows}
  on conflict (stream_key, time)
  do update set span = excluded.span, num = excluded.num, long = excluded.long, text = excluded.text`

export const upsertText = upsert(`
  select stream_key, span, to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond', num, long, text
  from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
              $5::text::bigint[], $6::text::text[]) as row (stream_key, span, ms, num, long, text)`)

/** The same with binaryParameters, for lanes; postgres.js would take the arrays' elements for its own. */
export const upsertBinaryText = upsert(parameterRows)

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

const set = (rows: string) => `
  insert into point_sample (stream_key, time, num, long, text)
  ${rows}
  on conflict (stream_key)
  do update set time = excluded.time, num = excluded.num, long = excluded.long, text = excluded.text`

const setPointsText = set(`
  select distinct on (stream_key)
         stream_key, to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond', num, long, text
  from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
              $5::text::bigint[], $6::text::text[]) with ordinality as row (stream_key, span, ms, num, long, text, nth)
  order by stream_key, nth desc`)

/** With binaryParameters of rows of which each is of another stream. */
export const setPointsBinaryText = set(`select stream_key, time, num, long, text from (${parameterRows}) as row`)

/** A stored sample, with the time as the reply shows it. */
export type Sample = {
  readonly streamKey: number
  readonly timeMs: number
  /** Seconds; null in random and point streams. */
  readonly span: number | null
  readonly num: number | null
  readonly long: number | bigint | null
  readonly text: string | null
  /** The bytes of a text that is too long to be read along, which is null then (../reading/long-text.ts). */
  readonly textBytes: number | null
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

/** The facts of a stream that a reader needs. */
export type ReadableStream = { readonly key: number; readonly kind: StreamKind }

/**
 * Deletes the samples of a stream within the window, archived ones too, and marks their times; gives the numbers of
 * samples and of quarters of the archive. The gate is open.
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
    if (points.count > 0) await noteDeleted(sql, key, startMs, endMs - 1)
    return { deleted: points.count, archived: 0 }
  }
  const [from, until] = [storedMs(kind, startMs), storedMs(kind, endMs)]
  await untieContents(sql, key, from, until)
  // One statement deletes and marks: a sample that another call stores just before must be marked here as well.
  const [gone] = await sql<[{ count: number }]>`
    with gone as (
      delete from sample where stream_key = ${key} and time >= ${from} and time < ${until} returning time
    ), marked as (
      insert into stale_mark (stream_key, first_time, last_time)
      select ${key}, min(time), max(time) from gone where time < ${Math.max(from, Math.min(until, claimedUntilMs))} having count(*) > 0
    )
    select count(*) from gone`
  // Only whole quarters of the archive can go; behind the samples, which retention may have made quarters of meanwhile.
  const { count: archived } = await sql`
    delete from archive where stream_key = ${key} and first_time >= ${from} and last_time < ${until}`
  if (gone.count > 0) await noteDeleted(sql, key, from, until - 1)
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
    if (points.count > 0) await noteDeleted(sql, key, ...extentOf(timesMs))
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
  if (count > 0) {
    await noteDeleted(sql, key, ...extentOf(rows.storedMs))
  }
  return count
}

const extentOf = (timesMs: readonly number[]): [firstMs: number, lastMs: number] => {
  const ascending = timesMs.toSorted((a, b) => a - b)
  return [ascending[0]!, ascending.at(-1)!]
}
