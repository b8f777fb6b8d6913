// Writers' marks on tiles (tile.ts): below the moment up to which these are claimed, every transaction that writes or
// deletes samples adds the times it touched to the table stale. Readers take those times from samples until the tiles
// are made anew (rollup.ts), so a statistic is right however late a sample comes.
import type { Transaction } from '../../base/database/sql.ts'
import type { SampleRows } from './rows.ts'

export const markStaleText = `
  insert into stale (stream_key, first_time, last_time)
  select stream_key,
         to_timestamp(first_ms / 1000) + (first_ms % 1000) * interval '1 millisecond',
         to_timestamp(last_ms / 1000) + (last_ms % 1000) * interval '1 millisecond'
  from unnest($1::text::integer[], $2::text::bigint[], $3::text::bigint[]) as touched (stream_key, first_ms, last_ms)`

/** Times of one stream that lie closer than this are marked as one span: a long upload of old samples is one row. */
const joinWithinMs = 6 * 3_600_000

export type SpanParameters = [streamKeys: string, firstMs: string, lastMs: string]

/** The times below the claimed moment, as parameters of markStaleText; undefined: none. */
export const staleParameters = (
  { streamKeys, storedMs }: Pick<SampleRows, 'streamKeys' | 'storedMs'>,
  claimedUntilMs: number,
): SpanParameters | undefined => {
  const touched = new Map<number, number[]>()
  for (let row = 0; row < storedMs.length; row += 1) {
    const timeMs = storedMs[row]!
    if (timeMs >= claimedUntilMs) continue
    const times = touched.get(streamKeys[row]!)
    if (times) times.push(timeMs)
    else touched.set(streamKeys[row]!, [timeMs])
  }
  return touched.size === 0 ? undefined : spansOfTimes(touched)
}

/** Times of streams as spans, in columns. */
export const spansOfTimes = (touched: ReadonlyMap<number, number[]>): SpanParameters => {
  const spans: [number[], number[], number[]] = [[], [], []]
  for (const [streamKey, times] of touched) pushSpans(spans, streamKey, times)
  return spans.map((values) => `{${values.join(',')}}`) as SpanParameters
}

const pushSpans = (
  [streamKeys, firstMs, lastMs]: readonly [number[], number[], number[]],
  streamKey: number,
  times: number[],
) => {
  times.sort((a, b) => a - b)
  times.forEach((timeMs, at) => {
    if (at > 0 && timeMs - times[at - 1]! <= joinWithinMs) lastMs[lastMs.length - 1] = timeMs
    else {
      streamKeys.push(streamKey)
      firstMs.push(timeMs)
      lastMs.push(timeMs)
    }
  })
}

export const markStale = async (
  sql: Transaction,
  rows: Pick<SampleRows, 'streamKeys' | 'storedMs'>,
  claimedUntilMs: number,
): Promise<void> => {
  const touched = staleParameters(rows, claimedUntilMs)
  if (touched) await sql.unsafe(markStaleText, touched, { prepare: true })
}

/** An expression of SQL: ms as a time, exact from year 1 to 9999. */
export const timeOf = (ms: string): string => `to_timestamp(${ms} / 1000) + (${ms} % 1000) * interval '1 millisecond'`

/** All times are after this, a multiple of joinWithinMs before the year 1. */
const originMs = -3000 * 365 * 4 * joinWithinMs

/**
 * The same for samples that are in the database: those of a query with the columns stream_key and ms. Times within one part
 * of the day lie closer anyway, so that only the parts are put in order.
 */
export const markStaleIn = async (sql: Transaction, text: string, claimedUntilMs: number): Promise<void> => {
  const claimed = `select * from (${text}) as given where ms < ${Math.ceil(Math.max(claimedUntilMs, -(2 ** 53)))}`
  await sql.unsafe(`insert into stale (stream_key, first_time, last_time) ${spansIn(claimed)}`)
}

/** Of each stream of a query the spans of its times, as SQL. */
export const spansIn = (text: string): string => `
  select stream_key, ${timeOf('min(first_ms)')}, ${timeOf('max(last_ms)')}
  from (
    select *, count(*) filter (where is_apart) over (partition by stream_key order by first_ms) as island
    from (
      select *, first_ms - lag(last_ms) over (partition by stream_key order by first_ms) > ${joinWithinMs} as is_apart
      from (
        select stream_key, min(ms) as first_ms, max(ms) as last_ms
        from (${text}) as timed
        group by stream_key, (ms - ${originMs}) / ${joinWithinMs}
      ) as part
    ) as step
  ) as touched
  group by stream_key, island`
