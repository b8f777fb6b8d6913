// What keeps the aggregates true: a write below the point up to which aggregates are claimed says, in its own
// transaction, which hours of which streams it touched. Readers take those hours from samples until they are
// aggregated anew.
import type { Transaction } from '../base/sql.ts'
import type { SampleRows } from './sample.ts'

export const markDirtyText = `
  insert into dirty (stream_key, hour)
  select stream_key, to_timestamp(hour * 3600)
  from unnest($1::text::integer[], $2::text::bigint[]) as touched (stream_key, hour)`

const hourMs = 3_600_000

/** The distinct hours that the rows touch below the claimed point, as parameters of markDirtyText; undefined: none. */
export const dirtyParameters = (
  rows: SampleRows,
  claimedUntilMs: number,
): [streamKeys: string, hours: string] | undefined => {
  const touched = new Map<number, Set<number>>()
  rows.storedMs.forEach((timeMs, row) => {
    if (timeMs >= claimedUntilMs) return
    const hours = touched.get(rows.streamKeys[row]!)
    if (hours) hours.add(Math.floor(timeMs / hourMs))
    else touched.set(rows.streamKeys[row]!, new Set([Math.floor(timeMs / hourMs)]))
  })
  if (touched.size === 0) return undefined
  const pairs = [...touched].flatMap(([streamKey, hours]) => [...hours].map((hour) => [streamKey, hour] as const))
  return [`{${pairs.map(([streamKey]) => streamKey).join()}}`, `{${pairs.map(([, hour]) => hour).join()}}`]
}

export const markDirty = async (sql: Transaction, rows: SampleRows, claimedUntilMs: number): Promise<void> => {
  const touched = dirtyParameters(rows, claimedUntilMs)
  if (touched) await sql.unsafe(markDirtyText, touched, { prepare: true })
}

/** Marks the hours of a stream that hold samples within [fromMs, untilMs), before these are deleted. */
export const markRangeDirty = async (
  sql: Transaction,
  streamKey: number,
  fromMs: number,
  untilMs: number,
): Promise<void> => {
  if (fromMs >= untilMs) return
  await sql`
    insert into dirty (stream_key, hour)
    select distinct ${streamKey}::integer, time_bucket('1 hour', time)
    from sample
    where stream_key = ${streamKey} and time >= ${fromMs} and time < ${untilMs}`
}
