// Finds where a stream has samples, without looking at all chunks: tiles have a row for every hour in which there are
// any, marks name the times touched since, and samples that are not aggregated yet are read themselves.
import { weekMs } from '../sample/chunk.ts'
import { floorTo, joinSpans, meetSpans, touchedSteps } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { archivedUntil, run, tiledUntil, time } from './reader.ts'
import type { Reader } from './reader.ts'
import { archiveStepMs, hourMs, mainPhase } from './tile.ts'

/**
 * For each stream a span within [fromMs, untilMs) that all its samples there lie in, not much longer than needed;
 * streams without any are missing. Where only the end is asked for, the start is the one given.
 */
export const findExtents = async (
  { sql, coverage }: Reader,
  streamKeys: readonly number[],
  [fromMs, untilMs]: Span,
  sides: 'both' | 'end',
): Promise<ReadonlyMap<number, Span>> => {
  // All have the same: it is a matter of the snapshot.
  const tiledMs = tiledUntil(coverage.get(streamKeys[0]!)!)
  // The tiles that end after fromMs.
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
  // Where only the end counts, most streams have it in samples that are not aggregated yet.
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
  /** Spans outside of which there is no sample, from reachedMs on. */
  readonly spans: readonly Span[]
  readonly reachedMs: number
}

/** The hours in [fromMs, untilMs) in which a stream has samples, from the latest back. */
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

/**
 * The chunks in which the samples of each stream within [fromMs, untilMs) lie, the latest first: neighbours as one
 * span, and after as many as hold `most` samples for sure, all earlier ones as another.
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
