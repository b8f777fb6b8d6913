// Writers' marks on tiles (tile.ts): below the moment up to which these are claimed, every transaction that writes or
// deletes samples says which times it touched. Readers take those times from samples until the tiles
// are made anew (rollup.ts), so a statistic is right however late a sample comes.
//
// Statistics see the marks of streams by the function stale_of (db/0042_stale_group.sql). Of a thousand streams that were touched in the same hours
// a mark each costs the database 4.4 µs a stream, half of it for the index; marked together, nearly nothing.
import type { Transaction } from '../../base/database/sql.ts'
import { ceilTo, floorTo } from '../time/span.ts'
import type { SampleRows } from './rows.ts'

/** An expression of SQL: ms as a time, exact from year 1 to 9999. */
export const timeOf = (ms: string): string => `to_timestamp(${ms} / 1000) + (${ms} % 1000) * interval '1 millisecond'`

export const markStaleText = `
  insert into stale_mark (stream_key, first_time, last_time)
  select stream_key, ${timeOf('first_ms')}, ${timeOf('last_ms')}
  from unnest($1::text::integer[], $2::text::bigint[], $3::text::bigint[]) as touched (stream_key, first_ms, last_ms)`

export const markGroupText = `
  insert into stale_group (stream_keys, from_time, until_time)
  values ($1::text::integer[], ${timeOf('$2::text::bigint')}, ${timeOf('$3::text::bigint')})`

const hourMs = 3_600_000

/** Times of one stream that lie closer than this are marked as one span: a long upload of old samples is one row. */
const joinWithinMs = 6 * hourMs

/** From so many streams on that were touched in the same hours, these are marked together. */
const leastTogether = 8
/** More go into several rows: one row is turned into marks by stream at a time, at least. */
const mostTogether = 1000
/** Of one upload: every reader looks at all of them. Others are marked stream by stream. */
const mostHours = 32

export type SpanParameters = [streamKeys: string, firstMs: string, lastMs: string]

/** Parameters of markGroupText. */
export type GroupParameters = [streamKeys: string, fromMs: string, untilMs: string]

export type StaleMarks = {
  /** Of markStaleText; undefined: none. */
  readonly spans: SpanParameters | undefined
  readonly groups: readonly GroupParameters[]
}

type Spans = { readonly streamKeys: number[]; readonly firstMs: number[]; readonly lastMs: number[] }

const emptySpans = (): Spans => ({ streamKeys: [], firstMs: [], lastMs: [] })

const noMarks: StaleMarks = { spans: undefined, groups: [] }

/** The marks for times below the claimed moment. */
export const staleMarks = (rows: Pick<SampleRows, 'streamKeys' | 'storedMs'>, claimedUntilMs: number): StaleMarks => {
  const spans = spansOfSorted(rows, claimedUntilMs) ?? spansOfUnsorted(rows, claimedUntilMs)
  if (spans.streamKeys.length === 0) return noMarks
  if (spans.streamKeys.length < leastTogether) return { spans: parametersOf(spans), groups: [] }
  return grouped(spans)
}

/** Of rows that are sorted (rows.ts), as those of uploads are; undefined: these are not. */
const spansOfSorted = (
  { streamKeys, storedMs }: Pick<SampleRows, 'streamKeys' | 'storedMs'>,
  claimedUntilMs: number,
): Spans | undefined => {
  const spans = emptySpans()
  let key = -1
  let lastMs = 0
  for (let row = 0; row < storedMs.length; row += 1) {
    const timeMs = storedMs[row]!
    if (timeMs >= claimedUntilMs) continue
    const rowKey = streamKeys[row]!
    if (rowKey < key || (rowKey === key && timeMs < lastMs)) return undefined
    if (rowKey === key && timeMs - lastMs <= joinWithinMs) spans.lastMs[spans.lastMs.length - 1] = timeMs
    else pushSpan(spans, rowKey, timeMs)
    key = rowKey
    lastMs = timeMs
  }
  return spans
}

const spansOfUnsorted = (
  { streamKeys, storedMs }: Pick<SampleRows, 'streamKeys' | 'storedMs'>,
  claimedUntilMs: number,
): Spans => {
  const touched = new Map<number, number[]>()
  for (let row = 0; row < storedMs.length; row += 1) {
    const timeMs = storedMs[row]!
    if (timeMs >= claimedUntilMs) continue
    const times = touched.get(streamKeys[row]!)
    if (times) times.push(timeMs)
    else touched.set(streamKeys[row]!, [timeMs])
  }
  return joinTimes(touched)
}

/** Times of streams as spans, in columns. */
export const spansOfTimes = (touched: ReadonlyMap<number, number[]>): SpanParameters => parametersOf(joinTimes(touched))

const joinTimes = (touched: ReadonlyMap<number, number[]>): Spans => {
  const spans = emptySpans()
  for (const [streamKey, times] of touched) {
    times.sort((a, b) => a - b)
    times.forEach((timeMs, at) => {
      if (at > 0 && timeMs - times[at - 1]! <= joinWithinMs) spans.lastMs[spans.lastMs.length - 1] = timeMs
      else pushSpan(spans, streamKey, timeMs)
    })
  }
  return spans
}

const pushSpan = (spans: Spans, streamKey: number, timeMs: number): void => {
  spans.streamKeys.push(streamKey)
  spans.firstMs.push(timeMs)
  spans.lastMs.push(timeMs)
}

const parametersOf = ({ streamKeys, firstMs, lastMs }: Spans): SpanParameters => [
  textOf(streamKeys),
  textOf(firstMs),
  textOf(lastMs),
]

const textOf = (values: readonly number[]): string => `{${values.join(',')}}`

/** Puts spans of the same hours together. */
const grouped = ({ streamKeys, firstMs, lastMs }: Spans): StaleMarks => {
  const byHours = new Map<string, { readonly hours: readonly [string, string]; readonly at: number[] }>()
  // Spans of the same hours mostly follow each other.
  let before = { fromMs: Number.NaN, untilMs: Number.NaN, at: [] as number[] }
  for (let at = 0; at < streamKeys.length; at += 1) {
    const fromMs = floorTo(firstMs[at]!, 0, hourMs)
    const untilMs = ceilTo(lastMs[at]! + 1, 0, hourMs)
    if (fromMs !== before.fromMs || untilMs !== before.untilMs) {
      const hours = [String(fromMs), String(untilMs)] as const
      const name = hours.join()
      const group = byHours.get(name) ?? { hours, at: [] }
      byHours.set(name, group)
      before = { fromMs, untilMs, at: group.at }
    }
    before.at.push(at)
  }
  const single = emptySpans()
  const groups: GroupParameters[] = []
  const largestFirst = [...byHours.values()].toSorted((a, b) => b.at.length - a.at.length)
  for (const [nth, { hours, at: all }] of largestFirst.entries())
    if (nth < mostHours && all.length >= leastTogether)
      for (let from = 0; from < all.length; from += mostTogether) {
        const keys = all.slice(from, from + mostTogether).map((at) => streamKeys[at]!)
        groups.push([textOf(keys), ...hours])
      }
    else
      for (const at of all) {
        pushSpan(single, streamKeys[at]!, firstMs[at]!)
        single.lastMs[single.lastMs.length - 1] = lastMs[at]!
      }
  return { spans: single.streamKeys.length === 0 ? undefined : parametersOf(single), groups }
}

export const markStale = async (
  sql: Transaction,
  rows: Pick<SampleRows, 'streamKeys' | 'storedMs'>,
  claimedUntilMs: number,
): Promise<void> => {
  const { spans, groups } = staleMarks(rows, claimedUntilMs)
  if (spans) await sql.unsafe(markStaleText, spans, { prepare: true })
  await Promise.all(groups.map((group) => sql.unsafe(markGroupText, group, { prepare: true })))
}

/** All times are after this, a multiple of joinWithinMs before the year 1. */
const originMs = -3000 * 365 * 4 * joinWithinMs

/**
 * The same for samples that are in the database: those of a query with the columns stream_key and ms. Times within one part
 * of the day lie closer anyway, so that only the parts are put in order.
 */
export const markStaleIn = async (sql: Transaction, text: string, claimedUntilMs: number): Promise<void> => {
  const claimed = `select * from (${text}) as given where ms < ${Math.ceil(Math.max(claimedUntilMs, -(2 ** 53)))}`
  await sql.unsafe(`insert into stale_mark (stream_key, first_time, last_time) ${spansIn(claimed)}`)
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
