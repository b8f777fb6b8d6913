// Notes of writers to derived streams (../derive): a transaction that writes or deletes samples of a stream that others
// are derived from adds the times it touched to the table derive_mark, where whoever derives finds them. A writer that
// works from memory knows by the registry which streams are sources; all others leave it to SQL.
import type { Transaction } from '../../base/database/sql.ts'
import type { RegisteredStream } from './registered.ts'
import type { SampleRows } from './rows.ts'
import { spansIn, spansOfTimes } from './stale.ts'
import type { SpanParameters } from './stale.ts'

/** Of sources, the stored times that are written. */
export type Touched = Map<number, number[]>

/** The organization of a stream. Without it a trigger looks it up, in several times as long (db/0045_derive_mark.sql). */
const organizationOf = (streamKey: string) =>
  `(select organization_key from stream join component on component.key = component_key where stream.key = ${streamKey})`

export const markSourcesText = `
  insert into derive_mark (source_key, first_time, last_time, organization_key)
  select stream_key,
         to_timestamp(first_ms / 1000) + (first_ms % 1000) * interval '1 millisecond',
         to_timestamp(last_ms / 1000) + (last_ms % 1000) * interval '1 millisecond',
         ${organizationOf('touched.stream_key')}
  from unnest($1::text::integer[], $2::text::bigint[], $3::text::bigint[]) as touched (stream_key, first_ms, last_ms)`

/** The same of spans that may be of any streams. */
export const markSourceSpansText = `${markSourcesText}
  where exists (select from derivation_source where source_key = touched.stream_key)`

export const touch = (touched: Touched | undefined, { key }: RegisteredStream, timeMs: number): Touched => {
  if (touched === undefined) return new Map([[key, [timeMs]]])
  const times = touched.get(key)
  if (times) times.push(timeMs)
  else touched.set(key, [timeMs])
  return touched
}

type Placed = {
  readonly rows: SampleRows
  readonly streams: readonly RegisteredStream[]
  readonly touchedPoints: Touched | undefined
}

export const touchedBy = ({ rows, streams, touchedPoints }: Placed): Touched | undefined => {
  let touched = touchedPoints
  for (let row = 0; row < streams.length; row += 1)
    if (streams[row]!.isSource) touched = touch(touched, streams[row]!, rows.storedMs[row]!)
  return touched
}

export const joinTouched = (parts: readonly Touched[]): Touched | undefined => {
  if (parts.length <= 1) return parts[0]
  const joined: Touched = new Map()
  for (const part of parts)
    for (const [key, times] of part) {
      const known = joined.get(key)
      // A part stays as it is: its call may be written once more, alone.
      if (known === undefined) joined.set(key, [...times])
      else for (const timeMs of times) known.push(timeMs)
    }
  return joined
}

export const sourceParameters = (touched: Touched | undefined): SpanParameters | undefined =>
  touched && spansOfTimes(touched)

export const markSources = async (sql: Transaction, touched: Touched | undefined): Promise<void> => {
  const spans = sourceParameters(touched)
  if (spans) await sql.unsafe(markSourcesText, spans, { prepare: true })
}

/** The same for samples that are in the database: those of a query with the columns stream_key and ms. */
export const markSourcesIn = async (sql: Transaction, text: string): Promise<void> => {
  const ofSources = `
    select * from (${text}) as given
    where exists (select from derivation_source where source_key = given.stream_key)`
  await sql.unsafe(`
    insert into derive_mark (source_key, first_time, last_time, organization_key)
    select *, ${organizationOf('touched.stream_key')} from (${spansIn(ofSources)}) as touched (stream_key, first_time, last_time)`)
}

/**
 * Samples of a stream were deleted, by their stored times. Streams that are derived from it hear of it; the stream
 * itself, if it is derived, lacks them until it is derived anew.
 */
export const noteDeleted = async (sql: Transaction, key: number, fromMs: number, lastMs: number): Promise<void> => {
  await sql`
    insert into derive_mark (source_key, first_time, last_time)
    select ${key}, ${fromMs}, ${lastMs}
    where exists (select from derivation_source where source_key = ${key})`
  await sql`
    update derivation
    set stale_from = least(stale_from, ${fromMs}::timestamptz), last_time = (
      select time from sample where stream_key = ${key} order by time desc limit 1)
    where stream_key = ${key}`
}
