// The state of tiles, made and stale: the tables rollup_phase (db/0013_statistic.sql) and stale_mark (db/0042_stale_group.sql). And the part of tiles
// that differs by edition, beside their columns: how their relations are made, filled and mended.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { ceilTo, floorTo, joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, hourMs, layoutOf, phases } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'

/** The differences between the kinds of tiles, which those of the editions are. */
export type TileEdition = {
  /** The lengths of chunks. */
  readonly chunks: { readonly hour: string; readonly day: string }
  /** Makes a relation of tiles with chunks of that length. */
  readonly make: (sql: Transaction, name: string, select: string, chunk: string) => Promise<void>
  readonly drop: (sql: Transaction, name: string) => Promise<unknown>
  /** The table that holds the rows of a relation of tiles. */
  readonly tableOf: (sql: Transaction, name: string) => Promise<string>
  /** Fills a phase up to pieceUntilMs, or a bounded part of that, and says in rollup_phase how far it came. */
  readonly fill: (pool: Pool, state: PhaseState & { readonly pieceUntilMs: number }, pace: Pace) => Promise<void>
}

/** Tiles are claimed, and aggregates filled, by no less at a time. */
export const leastPieceMs = 6 * hourMs

/**
 * The size of a step, so that it takes some tens of milliseconds: streams and time to fill, the time of all streams
 * together to mend; the stream that is mended next; streams to join (tile-zone.ts); and those that readers wait for
 * (wanted.ts).
 */
export type Pace = {
  streams: number
  spanMs: number
  streamMs: number
  nextStream: number
  /** Steps that it has had in its turn. */
  turn: number
  joining: number
  /** Until then, by performance.now(), no tiles are made: somebody was in the way. */
  heldUntilMs: number
  readonly wanted: Set<number>
}

export const newPace = (): Pace => ({
  streams: 200,
  spanMs: 7 * dayMs,
  streamMs: 7 * dayMs,
  nextStream: 0,
  turn: 0,
  joining: 50,
  heldUntilMs: 0,
  wanted: new Set(),
})

/**
 * A step of the roll-up, one at a time: the job's lock says so too, but may be lost while the step goes on, if its connection
 * is.
 */
export const inTurn = <T>(pool: Pool, step: (sql: Transaction) => Promise<T>): Promise<T> =>
  transaction(pool, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('coppice roll-up step'))`
    return step(sql)
  })

const tooShortMs = 40
const tooLongMs = 160

/** Works, and asks for larger or smaller steps where this one was too short or too long. */
export const timed = async (work: () => Promise<void>, change: (factor: number) => void): Promise<void> => {
  const startedAt = performance.now()
  await work()
  const took = performance.now() - startedAt
  if (took < tooShortMs) change(2)
  else if (took > tooLongMs) change(0.5)
}

export type PhaseState = {
  readonly phase: Phase
  readonly kind: TileKind
  readonly readyUntilMs: number
  readonly pieceUntilMs: number | null
  readonly nextStream: number
  /** The version of its columns (tile.ts). */
  readonly layout: number
}

/** The phases whose tiles are as this version makes them. */
export const readPhases = async (sql: Sql): Promise<readonly PhaseState[]> =>
  (await readAllPhases(sql)).filter(({ phase, layout }) => layout === layoutOf(phase))

export const readAllPhases = async (sql: Sql): Promise<readonly PhaseState[]> => {
  const rows = await sql<(Omit<PhaseState, 'phase'> & { minutes: number })[]>`
    select minutes, kind, ready_until as "readyUntilMs", piece_until as "pieceUntilMs", next_stream as "nextStream",
      layout
    from rollup_phase
    order by minutes`
  return rows.flatMap(({ minutes, ...state }) => {
    const phase = phases.find((each) => each.minutes === minutes)
    return phase ? [{ phase, ...state }] : []
  })
}

export const setReady = async (
  sql: Sql,
  { phase, readyUntilMs }: Pick<PhaseState, 'phase' | 'readyUntilMs'>,
  untilMs: number,
): Promise<void> => {
  await sql`
    update rollup_phase
    set ready_until = ${untilMs}, piece_until = null, next_stream = 0
    where minutes = ${phase.minutes} and ready_until = ${readyUntilMs}`
}

/** The hours that a span touches, below untilMs; undefined: none. */
export const hoursOf = ({ offsetMs }: Phase, [fromMs, toMs]: Span, untilMs: number): Span | undefined =>
  spanOrNone(floorTo(fromMs, offsetMs, hourMs), Math.min(untilMs, ceilTo(toMs, offsetMs, hourMs)))

/** The days that a span touches and that end below untilMs; undefined: none. */
export const daysOf = ({ offsetMs }: Phase, [fromMs, toMs]: Span, untilMs: number): Span | undefined =>
  spanOrNone(
    floorTo(fromMs, offsetMs, dayMs),
    Math.min(floorTo(untilMs, offsetMs, dayMs), ceilTo(toMs, offsetMs, dayMs)),
  )

const spanOrNone = (fromMs: number, untilMs: number): Span | undefined =>
  fromMs < untilMs ? [fromMs, untilMs] : undefined

/** In a step, which takes some tens of milliseconds: so many groups are looked at, and so many marks made of them. */
const mostGroups = 1_000
const mostDivided = 100_000

/**
 * Divides groups of streams that were marked together into marks by stream, joined where they touch; false when there was
 * none. Most are the same: devices that are late send on. Once a mark stands alone it is seen by whoever begins later
 * only, and so are the samples of its writer.
 */
export const divideGroups = async (sql: Sql): Promise<boolean> => {
  const divided = await sql`
    with same as (
      select stream_keys, from_time, until_time, array_agg(ctid) as rows
      from (select ctid, * from stale_group limit ${mostGroups}) as first
      group by stream_keys, from_time, until_time
    ), given as (
      select *, sum(cardinality(stream_keys)) over (order by rows[1]) as streams from same
    ), taken as (
      delete from stale_group
      where ctid = any(array(select unnest(rows) from given where streams <= ${mostDivided}))
    )
    insert into stale_mark (stream_key, first_time, last_time)
    select stream_key, lower(span), upper(span) - interval '1 millisecond'
    from (
      select stream_key, unnest(range_agg(tstzrange(from_time, until_time))) as span
      from given
      cross join unnest(stream_keys) as stream_key
      where streams <= ${mostDivided}
      group by stream_key
    ) as joined`
  return divided.count > 0
}

/** Streams with marks, by key, and when the latest of each ends; and the snapshot that saw these marks. */
type LastMarks = {
  readonly snapshot: string
  readonly streams: readonly { readonly key: number; readonly ms: number }[]
}

/** So many marks are looked at in a step, however many there are: a stream may have a million. */
const mostMarks = 5_000

/** Of streams from a key on, or of those that are given. */
export const lastMarks = async (sql: Sql, from: number | ReadonlySet<number>): Promise<LastMarks> => {
  const isAsked = typeof from === 'number' ? sql`stream_key >= ${from}` : sql`stream_key = any(${[...from]}::integer[])`
  const streams = await sql<{ key: number; ms: number; marks: number; snapshot: string }[]>`
    select stream_key as key, max(last_time) as ms, count(*) as marks, pg_current_snapshot()::text as snapshot
    from (
      select stream_key, last_time from stale_mark where ${isAsked} order by stream_key limit ${mostMarks}
    ) as mark
    group by stream_key
    order by stream_key`
  const marks = streams.reduce((sum, stream) => sum + stream.marks, 0)
  // Of the last stream some marks may be missing, and so the latest.
  const whole = marks < mostMarks ? streams : streams.slice(0, Math.max(1, streams.length - 1))
  return { snapshot: streams[0]?.snapshot ?? '', streams: whole }
}

/** The spans of the last marks of a stream, so many at most; those that are closer than joinWithinMs are one. */
export const readStale = async (
  sql: Sql,
  streamKey: number,
  joinWithinMs: number,
  most: number,
): Promise<readonly Span[]> => {
  const rows = await sql<{ firstMs: number; lastMs: number }[]>`
    select lower(span) as "firstMs", upper(span) as "lastMs"
    from (
      select range_agg(tstzrange(first_time, last_time, '[]')) as spans
      from (
        select first_time, last_time from stale_mark where stream_key = ${streamKey} order by last_time desc limit ${most}
      ) as last
    ) as marked
    cross join unnest(marked.spans) as span`
  return joinSpans(
    rows.map(({ firstMs, lastMs }): Span => [firstMs, lastMs + 1]),
    joinWithinMs,
  )
}

/** Says that this transaction knows all tiles there are, also where it removes marks (db/0041_day_tiles.sql). */
export const mendDaysToo = (sql: Transaction) => sql`select set_config('coppice.mends', 'days', true)`

/** Removes the marks that were seen, as far as they lie at doneFromMs or behind it. */
export const clearStale = async (
  sql: Sql,
  streamKeys: readonly number[],
  snapshot: string,
  doneFromMs: number,
): Promise<void> => {
  const seen = sql`
    stream_key = any(${[...streamKeys]}::integer[]) and pg_visible_in_snapshot(tx, ${snapshot}::pg_snapshot)`
  await sql`delete from stale_mark where ${seen} and first_time >= ${doneFromMs}`
  await sql`
    update stale_mark set last_time = ${doneFromMs - 1}
    where ${seen} and first_time < ${doneFromMs} and last_time >= ${doneFromMs}`
}
