// Where a stream has samples, as far as a reader's snapshot can tell without looking at all chunks: tiles have a row for
// every hour in which there are any, marks tell what was touched since, and what is not aggregated yet is asked itself.
//
// Times are always parameters of the statement itself and plans are made for them (force_custom_plan): only then
// does TimescaleDB leave out chunks while planning, which makes 0.3 ms of 15 ms with three years of chunks.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { firstMs, lastMs } from '../../base/http/params.ts'
import { holdChunks, weekMs } from '../sample/chunk.ts'
import { cutSpans, floorTo, joinSpans, meetSpans, touchedSteps } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { archiveStepMs, dayMs, hourMs, phases, tileLayout } from './tile.ts'
import type { Phase } from './tile.ts'

/** What a reader's snapshot says of a stream's tiles. */
export type TileCoverage = {
  /** Up to when the tiles of each phase are ready; phases that are not made are missing. */
  readonly readyUntilMs: ReadonlyMap<Phase, number>
  /** Where samples are gone, and the archive has what they came to. */
  readonly archived: readonly Span[]
  readonly stale: readonly Span[]
}

type CoverageRow = {
  readonly key: number
  readonly sinceMs: readonly number[] | null
  readonly untilMs: readonly number[] | null
  readonly firstMs: readonly number[] | null
  readonly lastMs: readonly number[] | null
}

/** A transaction with one snapshot, and what it says of the streams that are asked about. */
export type Reader = { readonly sql: Transaction; readonly coverage: ReadonlyMap<number, TileCoverage> }

export const openReader = async (sql: Transaction, streamKeys: readonly number[]): Promise<Reader> => {
  const [, ready, rows] = await Promise.all([
    holdChunks(sql),
    sql<
      { minutes: number; untilMs: number }[]
    >`select minutes, ready_until as "untilMs" from rollup_phase where layout = ${tileLayout}`,
    sql<CoverageRow[]>`
      select key, gone."sinceMs", gone."untilMs", marked."firstMs", marked."lastMs"
      from unnest(${[...streamKeys]}::integer[]) as key
      cross join lateral (
        select array_agg(since) as "sinceMs", array_agg(until) as "untilMs" from kept where stream_key = key
      ) as gone
      cross join lateral (
        select array_agg(lower(span)) as "firstMs", array_agg(upper(span)) as "lastMs"
        from (
          select unnest(range_agg(tstzrange(first_time, last_time, '[]'))) as span from stale where stream_key = key
        ) as joined
      ) as marked`,
    // After those two, whose plans are the same for all.
    sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`,
  ])
  const readyUntilMs = new Map<Phase, number>()
  for (const { minutes, untilMs } of ready) {
    const phase = phases.find((each) => each.minutes === minutes)
    if (phase) readyUntilMs.set(phase, untilMs)
  }
  const coverage = new Map(
    rows.map(({ key, sinceMs, untilMs, firstMs: from, lastMs: to }) => [
      key,
      {
        readyUntilMs,
        archived: joinSpans((sinceMs ?? []).map((each, at): Span => [each, untilMs![at]!])),
        stale: joinSpans((from ?? []).map((each, at): Span => [each, to![at]! + 1])),
      },
    ]),
  )
  return { sql, coverage }
}

const [mainPhase] = phases as [Phase]

const archivedUntil = ({ archived }: TileCoverage): number => archived.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY

/** Up to when a stream's hours are listed as tiles. */
const tiledUntil = ({ readyUntilMs }: TileCoverage): number => readyUntilMs.get(mainPhase) ?? Number.NEGATIVE_INFINITY

// Edges may lie outside of the years that samples have, where Postgres knows no time.
export const time = (ms: number) => Math.max(firstMs - 366 * dayMs, Math.min(lastMs + 366 * dayMs, ms))

export type Parameter = string | number | readonly (string | number)[]

/**
 * Rows that a statement gives, prepared, because there are few such texts. Its parameters have the types that they are
 * used as: a cast from text would be done anew for every row, and no chunk left out by it.
 */
export const run = <Row extends object>(sql: Sql, text: string, values: readonly Parameter[]) =>
  sql.unsafe<Row[]>(text, values as (string | number)[], { prepare: true })

/**
 * For each stream a span within [fromMs, untilMs) that all its samples there lie in, not much longer than needed;
 * streams without any are missing. Who needs but the end gets the start as it was given.
 */
export const findExtents = async (
  { sql, coverage }: Reader,
  streamKeys: readonly number[],
  [fromMs, untilMs]: Span,
  sides: 'both' | 'end',
): Promise<ReadonlyMap<number, Span>> => {
  // All have the same: it is a matter of the snapshot.
  const tiledMs = tiledUntil(coverage.get(streamKeys[0]!)!)
  // Those that end after fromMs.
  const tiled: Span = [fromMs - hourMs + 1, Math.min(untilMs, tiledMs)]
  const archived = streamKeys.filter((key) => archivedUntil(coverage.get(key)!) > fromMs)
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
  const latest = end(streamKeys, 'sample', 'time', [Math.max(fromMs, tiledMs), untilMs], 'desc')
  // Where only the end counts, most streams have it in what is not aggregated yet.
  const isKnown = new Set(
    sides === 'end' ? (await latest).flatMap(({ key, atMs }) => (atMs === null ? [] : [key])) : [],
  )
  const unknown = streamKeys.filter((key) => !isKnown.has(key))
  const [, lastHours, firstHours, lastKept, firstKept] = await Promise.all([
    latest,
    end(unknown, mainPhase.hourTable, 'bucket', tiled, 'desc'),
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
  for (const { key, atMs } of await latest) if (atMs !== null) widen(key, tiledMs, atMs + 1)
  for (const { key, atMs } of [...lastHours, ...firstHours]) if (atMs !== null) widen(key, atMs, atMs + hourMs)
  for (const { key, atMs } of [...lastKept, ...firstKept]) if (atMs !== null) widen(key, atMs, atMs + archiveStepMs)
  for (const key of streamKeys) for (const [from, until] of coverage.get(key)!.stale) widen(key, from, until)
  return extents
}

export type Cells = {
  /** Outside of these there is no sample, from reachedMs on. */
  readonly spans: readonly Span[]
  readonly reachedMs: number
}

/** Where a stream has samples in [fromMs, untilMs), by the hour, from the latest back. */
export const findCells = async (
  { sql, coverage }: Reader,
  streamKey: number,
  [fromMs, untilMs]: Span,
  most: number,
): Promise<Cells> => {
  const own = coverage.get(streamKey)!
  const { stale } = own
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
      Math.min(untilMs, archivedUntil(own)),
    ),
    ...joinSpans(stale, weekMs).map(([from, until]) =>
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

const always: Span = [firstMs - dayMs, lastMs + 366 * dayMs]

/** The stored times of a stream's first and last sample; undefined when it has none. */
export const findBounds = async (reader: Reader, streamKey: number): Promise<Span | undefined> => {
  const extent = (await findExtents(reader, [streamKey], always, 'both')).get(streamKey)
  if (extent === undefined) return undefined
  const first = await findEnd(reader, streamKey, extent, 'first')
  return first === undefined ? undefined : [first, (await findEnd(reader, streamKey, extent, 'last'))!]
}

const findEnd = async (
  { sql, coverage }: Reader,
  streamKey: number,
  extent: Span,
  side: 'first' | 'last',
): Promise<number | undefined> => {
  const own = coverage.get(streamKey)!
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
  const archived = () => one('archive', 'bucket', always[0], archivedUntil(own), `${side}_time`)
  /** What is aggregated, where nothing is archived. Tiles of what is, are still there, and say nothing. */
  const below = async ([fromMs, untilMs]: Span): Promise<number | undefined> => {
    const endMs = Math.min(untilMs, tiledMs)
    // A tile that is stale says nothing; then all chunks are asked in which there may be samples.
    if (own.stale.length > 0) return one('sample', 'time', Math.max(fromMs, extent[0]), Math.min(endMs, extent[1]))
    const found = await one(mainPhase.hourTable, 'bucket', floorTo(fromMs, 0, hourMs), endMs, `${side}_time`)
    if (found === undefined || (found >= fromMs && found < endMs)) return found
    // An hour that is cut by what is archived may have nothing else.
    return one('sample', 'time', Math.max(fromMs, extent[0]), Math.min(endMs, extent[1]))
  }
  const live = async (): Promise<number | undefined> => {
    const spans = cutSpans([always], own.archived)
    for (const span of side === 'first' ? spans : spans.toReversed()) {
      const above = () => one('sample', 'time', Math.max(span[0], tiledMs), span[1])
      const found =
        side === 'first' ? ((await below(span)) ?? (await above())) : ((await above()) ?? (await below(span)))
      if (found !== undefined) return found
    }
    return undefined
  }
  const found = [await archived(), await live()].filter((ms) => ms !== undefined)
  if (found.length === 0) return undefined
  return side === 'first' ? Math.min(...found) : Math.max(...found)
}

/**
 * The chunks in which the samples of each stream within [fromMs, untilMs) lie, the latest first: neighbours as one span,
 * and after as many as hold `most` samples for sure, all that may be before as another.
 */
export const findChunks = async (
  { sql, coverage }: Reader,
  streamKeys: readonly number[],
  [fromMs, untilMs]: Span,
  most: number,
): Promise<ReadonlyMap<number, readonly Span[]>> => {
  const tiledMs = tiledUntil(coverage.get(streamKeys[0]!)!)
  const tiled: Span = [fromMs - hourMs + 1, Math.min(untilMs, tiledMs)]
  const rows =
    tiled[0] >= tiled[1]
      ? []
      : await run<{ key: number; atMs: number }>(
          sql,
          `select key, bucket as "atMs"
           from unnest($1::integer[]) as key
           cross join lateral (
             select bucket from ${mainPhase.hourTable}
             where stream_key = key and bucket >= $2::timestamptz and bucket < $3::timestamptz
             order by bucket desc limit $4::integer
           ) as hour
           order by bucket desc`,
          [streamKeys, time(tiled[0]), time(tiled[1]), most],
        )
  const hours = new Map(streamKeys.map((key): [number, Span[]] => [key, []]))
  for (const { key, atMs } of rows) hours.get(key)!.push([atMs, atMs + hourMs])
  const chunksOf = (key: number): readonly Span[] => {
    const own = hours.get(key)!
    const reachedMs = own.length < most ? fromMs : Math.max(fromMs, floorTo(own.at(-1)![0], 0, weekMs))
    const spans = joinSpans([...own, ...coverage.get(key)!.stale, [tiledMs, untilMs]])
    const chunks = meetSpans(touchedSteps(spans, 0, weekMs), [[reachedMs, untilMs]]).toReversed()
    return reachedMs > fromMs ? [...chunks, [fromMs, reachedMs]] : chunks
  }
  return new Map(streamKeys.map((key) => [key, chunksOf(key)]))
}
