// The SQL behind statistics: what a reader's snapshot says of tiles, where a stream has samples, and the parts of
// its intervals. All of it runs in one transaction with one snapshot.
//
// Times are always parameters of the statement itself and plans are made for them (force_custom_plan): only then
// does TimescaleDB leave out chunks while planning, which makes 0.3 ms of 15 ms with three years of chunks. Joining
// many spans of time to samples costs 10 µs per chunk and span for the same reason, so spans are taken together by
// the week, which is a chunk.
import type { Sql, Transaction } from '../base/sql.ts'
import { firstMs, lastMs } from '../base/params.ts'
import { holdChunks } from './chunk.ts'
import { joinSpans } from './span.ts'
import type { Span } from './span.ts'
import type { Column, Measure, Part, Source } from './statistic-part.ts'
import { joinParts, partsSelect } from './statistic-part.ts'
import type { Plan, Standing } from './statistic-plan.ts'
import { archiveStepMs, dayMs, hourMs, phases } from './tile.ts'
import type { Phase } from './tile.ts'

/** What all reading here needs, of the streams that are asked about. */
export type Reader = { readonly sql: Transaction; readonly standing: ReadonlyMap<number, Standing> }

export const openReader = async (sql: Transaction, streamKeys: readonly number[]): Promise<Reader> => {
  const [, , ready, rows] = await Promise.all([
    holdChunks(sql),
    sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`,
    sql<{ minutes: number; untilMs: number }[]>`select minutes, ready_until as "untilMs" from rollup_phase`,
    sql<{ key: number; keptUntilMs: number | null; firstMs: number[] | null; lastMs: number[] | null }[]>`
      select key, kept.until as "keptUntilMs", marked."firstMs", marked."lastMs"
      from unnest(${[...streamKeys]}::integer[]) as key
      left join kept on kept.stream_key = key
      cross join lateral (
        select array_agg(lower(span)) as "firstMs", array_agg(upper(span)) as "lastMs"
        from (
          select unnest(range_agg(tstzrange(first_time, last_time, '[]'))) as span from stale where stream_key = key
        ) as joined
      ) as marked`,
  ])
  const readyUntilMs = new Map<Phase, number>()
  for (const { minutes, untilMs } of ready) {
    const phase = phases.find((each) => each.minutes === minutes)
    if (phase) readyUntilMs.set(phase, untilMs)
  }
  const standing = new Map(
    rows.map(({ key, keptUntilMs, firstMs: from, lastMs: to }) => [
      key,
      {
        readyUntilMs,
        keptUntilMs: keptUntilMs ?? Number.NEGATIVE_INFINITY,
        stale: joinSpans((from ?? []).map((each, at): Span => [each, to![at]! + 1])),
      },
    ]),
  )
  return { sql, standing }
}

const [mainPhase] = phases as [Phase]

/** Up to when a stream's hours are listed as tiles. */
const tiledUntil = ({ readyUntilMs }: Standing): number => readyUntilMs.get(mainPhase) ?? Number.NEGATIVE_INFINITY

// Edges may lie outside of the years that samples have, where Postgres knows no time.
const time = (ms: number) => Math.max(firstMs - 366 * dayMs, Math.min(lastMs + 366 * dayMs, ms))

type Parameter = string | number | readonly (string | number)[]

/**
 * Rows that a statement gives, prepared, because there are few such texts. Its parameters have the types that they are
 * used as: a cast from text would be done anew for every row, and no chunk left out by it.
 */
const run = <Row extends object>(sql: Sql, text: string, values: readonly Parameter[]) =>
  sql.unsafe<Row[]>(text, values as (string | number)[], { prepare: true })

/**
 * For each stream a span within [fromMs, untilMs) that all its samples there lie in, not much longer than needed;
 * streams without any are missing. Who needs but the end gets the start as it was given.
 */
export const findExtents = async (
  { sql, standing }: Reader,
  streamKeys: readonly number[],
  [fromMs, untilMs]: Span,
  sides: 'both' | 'end',
): Promise<ReadonlyMap<number, Span>> => {
  // All have the same: it is a matter of the snapshot.
  const tiledMs = tiledUntil(standing.get(streamKeys[0]!)!)
  // Those that end after fromMs.
  const tiled: Span = [fromMs - hourMs + 1, Math.min(untilMs, tiledMs)]
  const archived = streamKeys.filter((key) => standing.get(key)!.keptUntilMs > fromMs)
  const kept: Span = [fromMs - archiveStepMs + 1, untilMs]
  const end = async (
    keys: readonly number[],
    table: string,
    column: string,
    [from, until]: Span,
    order: 'asc' | 'desc',
  ): Promise<readonly { key: number; atMs: number | null }[]> =>
    from >= until || keys.length === 0
      ? []
      : await run(
          sql,
          `select key, (
             select ${column} from ${table}
             where stream_key = key and ${column} >= $2::timestamptz and ${column} < $3::timestamptz
             order by ${column} ${order} limit 1) as "atMs"
           from unnest($1::integer[]) as key`,
          [keys, time(from), time(until)],
        )
  const [latest, lastHours, firstHours, lastKept, firstKept] = await Promise.all([
    end(streamKeys, 'sample', 'time', [Math.max(fromMs, tiledMs), untilMs], 'desc'),
    end(streamKeys, mainPhase.hourTable, 'bucket', tiled, 'desc'),
    sides === 'both' ? end(streamKeys, mainPhase.hourTable, 'bucket', tiled, 'asc') : [],
    end(archived, 'archive', 'bucket', kept, 'desc'),
    sides === 'both' ? end(archived, 'archive', 'bucket', kept, 'asc') : [],
  ])
  const extents = new Map<number, [number, number]>()
  const widen = (key: number, from: number, until: number) => {
    const [low, high] = [sides === 'both' ? Math.max(from, fromMs) : fromMs, Math.min(until, untilMs)]
    if (Math.max(from, fromMs) >= high) return
    const extent = extents.get(key)
    if (extent === undefined) extents.set(key, [low, high])
    else {
      extent[0] = Math.min(extent[0], low)
      extent[1] = Math.max(extent[1], high)
    }
  }
  for (const { key, atMs } of latest) if (atMs !== null) widen(key, tiledMs, atMs + 1)
  for (const { key, atMs } of [...lastHours, ...firstHours]) if (atMs !== null) widen(key, atMs, atMs + hourMs)
  for (const { key, atMs } of [...lastKept, ...firstKept]) if (atMs !== null) widen(key, atMs, atMs + archiveStepMs)
  for (const key of streamKeys) for (const [from, until] of standing.get(key)!.stale) widen(key, from, until)
  return extents
}

export type Cells = {
  /** Outside of these there is no sample, from reachedMs on. */
  readonly spans: readonly Span[]
  readonly reachedMs: number
}

/** Where a stream has samples in [fromMs, untilMs), by the hour, from the latest back. */
export const findCells = async (
  { sql, standing }: Reader,
  streamKey: number,
  [fromMs, untilMs]: Span,
  most: number,
): Promise<Cells> => {
  const own = standing.get(streamKey)!
  const { stale, keptUntilMs } = own
  const tiledMs = tiledUntil(own)
  const list = async (source: string, table: string, column: string, from: number, until: number) =>
    from >= until
      ? []
      : await run<{ atMs: number }>(
          sql,
          `select distinct ${source} as "atMs" from ${table}
           where stream_key = $1::integer
             and ${column} >= $2::timestamptz and ${column} < $3::timestamptz
           order by 1 desc limit ${most}`,
          [streamKey, time(from), time(until)],
        )
  const hours = "time_bucket(interval '1 hour', time)"
  const found = await Promise.all([
    list(hours, 'sample', 'time', Math.max(fromMs, tiledMs), untilMs),
    list('bucket', mainPhase.hourTable, 'bucket', fromMs - hourMs, Math.min(untilMs, tiledMs)),
    list(
      "time_bucket(interval '1 hour', bucket)",
      'archive',
      'bucket',
      fromMs - hourMs,
      Math.min(untilMs, keptUntilMs),
    ),
    ...joinSpans(stale, 7 * dayMs).map(([from, until]) =>
      list(hours, 'sample', 'time', Math.max(fromMs, from), Math.min(untilMs, until, tiledMs)),
    ),
  ])
  const reachedMs = Math.max(fromMs, ...found.map((rows) => (rows.length < most ? fromMs : rows.at(-1)!.atMs)))
  const spans = joinSpans(found.flat().map(({ atMs }): Span => [atMs, atMs + hourMs]))
  return {
    spans: spans.flatMap(([from, until]): Span[] => {
      const span: Span = [Math.max(from, reachedMs), Math.min(until, untilMs)]
      return span[0] < span[1] ? [span] : []
    }),
    reachedMs,
  }
}

/** How rows find their interval: by number among edges, or by its start where all have one length. */
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
  readonly column: Column
  readonly streamKeys: readonly number[]
  readonly intervals: Intervals
  readonly plan: Plan
}

/** The parts of the plan's sources, joined: one per stream and interval that has samples. */
export const readParts = async ({ sql }: Reader, query: PartsQuery): Promise<readonly Part[]> => {
  const { measure, plan } = query
  const [archived, ...found] = await Promise.all([
    plan.archive.length === 0 ? { parts: [], untold: [] } : readArchive(sql, query),
    ...plan.tiles.map(({ table, spans }) => readSource(sql, query, 'tiles', table, spans)),
    ...byWeek(plan.samples).map((spans) => readSource(sql, query, 'samples', 'sample', spans)),
  ])
  const joined = new Map<string, Part>()
  for (const part of [...archived.parts, ...found.flat()]) {
    const name = nameOf(part)
    const known = joined.get(name)
    joined.set(name, known ? joinParts(measure, known, part) : part)
  }
  // Also where other samples of the interval are still there: the rest alone would be wrong.
  for (const place of archived.untold) joined.delete(nameOf(place))
  return [...joined.values()]
}

type Place = Pick<Part, 'streamKey' | 'interval'>

const nameOf = ({ streamKey, interval }: Place) => `${streamKey} ${interval}`

const weekMs = 7 * dayMs

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

/** The edges of a span, and how many come before: each that is sent costs a microsecond, and to ask where a row lies 0.2. */
const edgesOf = (intervals: Intervals, [fromMs, untilMs]: Span): [Intervals, before: number] => {
  if (intervals.kind === 'fixed') return [intervals, 0]
  const { edges } = intervals
  const from = Math.max(0, countUpTo(edges, fromMs) - 1)
  return [{ kind: 'edges', edges: edges.slice(from, countUpTo(edges, untilMs - 1)) }, from]
}

/** How many of the edges are at or before the moment. */
const countUpTo = (edges: readonly number[], ms: number): number => {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! <= ms) low = middle + 1
    else high = middle
  }
  return low
}

const readSource = async (
  sql: Sql,
  { measure, column, streamKeys, intervals }: PartsQuery,
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
    // Without the offset Postgres may read all there is between the first span and the last, for each of them.
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
  const parts = await run<Part>(sql, partsSelect(measure, source, column, intervalOf(near, at), rows), values)
  return before === 0 ? parts : parts.map((part) => Object.assign(part, { interval: part.interval + before }))
}

type Archived = { readonly parts: readonly Part[]; readonly untold: readonly Place[] }

/** Of the archive only what lies whole in one interval can be told; intervals that cut the rest are untold. */
const readArchive = async (sql: Sql, query: PartsQuery): Promise<Archived> => {
  const { measure, column, streamKeys, intervals, plan } = query
  const [fromMs, untilMs] = plan.archive[0]!
  const values = [...intervalValues(intervals), streamKeys, time(fromMs), time(untilMs)]
  const [first, last] = [intervalOf(intervals, 'first_time'), intervalOf(intervals, 'last_time')]
  const within = `archive
    where stream_key = any($3::integer[]) and last_time >= $4::timestamptz
      and bucket < $5::timestamptz and first_time < $5::timestamptz
      and $2::text is not null`
  const [parts, untold] = await Promise.all([
    run<Part>(sql, partsSelect(measure, 'archive', column, first, `${within} and ${first} = ${last}`), values),
    run<Place>(
      sql,
      `select distinct stream_key as "streamKey", interval
       from (select stream_key, ${first} as first, ${last} as last from ${within}) as tile
       cross join unnest(array[first, last]) as interval
       where first <> last`,
      values,
    ),
  ])
  return { parts, untold }
}

/** The stored times of a stream's first and last sample; undefined when it has none. */
export const findBounds = async (reader: Reader, streamKey: number): Promise<Span | undefined> => {
  const first = await findEnd(reader, streamKey, 'first')
  return first === undefined ? undefined : [first, (await findEnd(reader, streamKey, 'last'))!]
}

const findEnd = async (
  { sql, standing }: Reader,
  streamKey: number,
  side: 'first' | 'last',
): Promise<number | undefined> => {
  const own = standing.get(streamKey)!
  const tiledMs = tiledUntil(own)
  const order = side === 'first' ? 'asc' : 'desc'
  const one = async (
    table: string,
    column: string,
    fromMs: number,
    untilMs: number,
    shown = column,
  ): Promise<number | undefined> => {
    if (fromMs >= untilMs) return undefined
    const [row] = await run<{ atMs: number }>(
      sql,
      `select ${shown} as "atMs" from ${table}
       where stream_key = $1::integer
         and ${column} >= $2::timestamptz and ${column} < $3::timestamptz
       order by ${column} ${order} limit 1`,
      [streamKey, time(fromMs), time(untilMs)],
    )
    return row?.atMs
  }
  const always: Span = [firstMs - dayMs, lastMs + 366 * dayMs]
  const archived = async () =>
    own.keptUntilMs > always[0] ? await one('archive', 'bucket', always[0], own.keptUntilMs, `${side}_time`) : undefined
  const tiled = async () => {
    const bucketMs = await one(mainPhase.hourTable, 'bucket', Math.max(always[0], own.keptUntilMs), tiledMs)
    return bucketMs === undefined ? undefined : await one('sample', 'time', bucketMs, bucketMs + hourMs)
  }
  // A tile that is stale says nothing; then all chunks are asked.
  const below = own.stale.length > 0 ? () => one('sample', 'time', always[0], tiledMs) : tiled
  const above = () => one('sample', 'time', Math.max(always[0], tiledMs), always[1])
  const live = async () =>
    side === 'first' ? ((await below()) ?? (await above())) : ((await above()) ?? (await below()))
  return side === 'first' ? ((await archived()) ?? (await live())) : ((await live()) ?? (await archived()))
}
