// The SQL behind statistics: the parts of a stream's intervals, from tiles, samples and the archive. All of it runs in one
// transaction with one snapshot (reader.ts).
//
// Joining many spans of time to samples costs 10 µs per chunk and span, so spans are taken together by the week, which is
// a chunk.
import type { Sql } from '../../base/database/sql.ts'
import type { Parameter, Reader } from './reader.ts'
import { run, time } from './reader.ts'
import { floorTo } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import type { Measure, Part, PartValues } from './measure.ts'
import { measures } from './measure.ts'
import type { Plan, TileSpans } from './plan.ts'
import { archiveStepMs } from './tile.ts'
import type { Source } from './tile.ts'
import { weekMs } from '../sample/chunk.ts'

/** The way in which rows find their interval: by number among edges, or by its start where all have one length. */
export type Intervals =
  | { readonly kind: 'edges'; readonly edges: readonly number[] }
  | { readonly kind: 'fixed'; readonly originMs: number; readonly lengthMs: number }

/** Numbers cost less on their way than times; as a subquery the array is made once. */
const edgesSql = `(
  select array(
    select to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond'
    from unnest($1::text::bigint[]) with ordinality as edge (ms, nth)
    order by nth))`

/** $1 and $2 of every statement about intervals; the third, the streams, is $3. One edge: all is in its interval. */
const intervalOf = (intervals: Intervals, column: string) => {
  if (intervals.kind === 'fixed') return `time_bucket($1::interval, ${column}, $2::timestamptz)`
  return intervals.edges.length === 1 ? '1' : `width_bucket(${column}, ${edgesSql})`
}

const intervalValues = (intervals: Intervals): [Parameter, Parameter] =>
  intervals.kind === 'edges'
    ? [`{${intervals.edges.map(time).join()}}`, '']
    : [`${intervals.lengthMs / 1000} seconds`, time(intervals.originMs)]

export type PartsQuery = {
  readonly measure: Measure
  readonly values: PartValues
  readonly streamKeys: readonly number[]
  readonly intervals: Intervals
  readonly plan: Plan
}

/** The parts of the plan's sources, joined: one per stream and interval that has samples. */
export const readParts = async ({ sql }: Reader, query: PartsQuery): Promise<readonly Part[]> => {
  const { measure, plan } = query
  const found = await Promise.all([
    ...plan.tiles.map((tiles) => readTiles(sql, query, tiles)),
    ...byWeek(plan.samples).map((spans) => readSource(sql, query, 'samples', 'sample', spans)),
  ])
  const joined = new Map<string, Part>()
  const cut: Place[] = []
  for (const part of found.flat()) {
    const { streamKey, interval, lastInterval = interval } = part
    if (lastInterval !== interval) cut.push(part, { streamKey, interval: lastInterval })
    const name = nameOf(part)
    const known = joined.get(name)
    joined.set(name, known ? measures[measure].join(known, part) : part)
  }
  // A cut interval is deleted even where other samples of it are known: these alone would be wrong.
  for (const place of cut) joined.delete(nameOf(place))
  return [...joined.values()]
}

type Place = Pick<Part, 'streamKey' | 'interval'>

const nameOf = ({ streamKey, interval }: Place) => `${streamKey} ${interval}`

/** Spans in groups that lie within a week each; a longer span is a group of its own. */
const byWeek = (spans: readonly Span[]): readonly (readonly Span[])[] => {
  const groups: Span[][] = []
  for (const span of spans) {
    const group = groups.at(-1)
    if (group && span[1] - group[0]![0] <= weekMs) group.push(span)
    else groups.push([span])
  }
  return groups
}

/**
 * The edges of a span, and the number before them: each edge that is sent costs a microsecond, and each row's look-up
 * 0.2.
 */
const edgesOf = (intervals: Intervals, [fromMs, untilMs]: Span): [Intervals, before: number] => {
  if (intervals.kind === 'fixed') return [intervals, 0]
  const { edges } = intervals
  const from = Math.max(0, countUpTo(edges, fromMs) - 1)
  return [{ kind: 'edges', edges: edges.slice(from, countUpTo(edges, untilMs - 1)) }, from]
}

/** The number of edges at or before the moment. */
const countUpTo = (edges: readonly number[], ms: number): number => {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! <= ms) low = middle + 1
    else high = middle
  }
  return low
}

/** A select that makes parts of rows; `interval` is the SQL that says in which interval a row lies. */
const partsText = (interval: string, columns: string, rows: string) => `
  select stream_key as "streamKey", ${interval} as interval, ${columns}
  from ${rows}
  group by 1, 2`

const readTiles = (sql: Sql, query: PartsQuery, { table, spans, isCut }: TileSpans) =>
  isCut ? readCutTiles(sql, query, table, spans) : readSource(sql, query, 'tiles', table, spans)

const readSource = async (
  sql: Sql,
  { measure, values: valueColumns, streamKeys, intervals }: PartsQuery,
  source: Source,
  table: string,
  spans: readonly Span[],
): Promise<readonly Part[]> => {
  const at = source === 'samples' ? 'time' : 'bucket'
  const [fromMs, untilMs] = [spans[0]![0], spans.at(-1)![1]]
  const [near, before] = edgesOf(intervals, [fromMs, untilMs])
  const within = `stream_key = any($3::integer[]) and ${at} >= $4::timestamptz and ${at} < $5::timestamptz`
  const values: Parameter[] = [...intervalValues(near), streamKeys, time(fromMs), time(untilMs)]
  // $1 and $2 may have no use; a statement must mention every parameter.
  const unused = near.kind === 'edges' ? 'and $1::text is not null and $2::text is not null' : ''
  let rows = `${table} where ${within} ${unused}`
  if (spans.length > 1) {
    // Without the offset Postgres may read everything between the first span and the last, for each of them.
    rows = `
      unnest($6::timestamptz[], $7::timestamptz[]) as span (from_time, until_time)
      cross join lateral (
        select * from ${table}
        where ${within} and ${at} >= span.from_time and ${at} < span.until_time ${unused}
        offset 0
      ) as ${table}`
    values.push(
      spans.map(([from]) => time(from)),
      spans.map(([, until]) => time(until)),
    )
  }
  const text = partsText(intervalOf(near, at), measures[measure].columns(source, valueColumns), rows)
  const parts = await run<Part>(sql, text, values)
  return before === 0 ? parts : parts.map((part) => Object.assign(part, { interval: part.interval + before }))
}

/**
 * Tiles that an edge may cut: of each group the last is the only one whose samples may reach beyond the interval. Rows
 * of the spans are asked for as one: between them there are none.
 */
const readCutTiles = (
  sql: Sql,
  { measure, values: valueColumns, streamKeys, intervals }: PartsQuery,
  table: string,
  spans: readonly Span[],
): Promise<readonly Part[]> => {
  const [fromMs, untilMs] = [spans[0]![0], spans.at(-1)![1]]
  const lastInterval = `${intervalOf(intervals, 'max(last_time)')} as "lastInterval"`
  const text = partsText(
    intervalOf(intervals, 'first_time'),
    `${lastInterval}, ${measures[measure].columns('tiles', valueColumns)}`,
    `${table}
     where stream_key = any($3::integer[])
       and bucket >= $4::timestamptz and bucket < $6::timestamptz
       and last_time >= $5::timestamptz and first_time < $6::timestamptz
       and $2::text is not null`,
  )
  return run<Part>(sql, text, [
    ...intervalValues(intervals),
    streamKeys,
    time(floorTo(fromMs, 0, archiveStepMs)),
    time(fromMs),
    time(untilMs),
  ])
}
