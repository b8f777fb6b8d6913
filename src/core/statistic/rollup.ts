// What keeps tiles true (tile.ts). Two moments rule it: below claimed_until writers say what they touch (stale.ts),
// and below a phase's ready_until readers may read tiles.
//
//   claim   moves claimed_until forward while no writer is inside the gate, which takes a moment
//   fill    makes the tiles from ready_until to claimed_until, then moves ready_until
//   mend    makes tiles anew where writers touched them, and removes the marks it saw when it began
//
// At every moment a tile that is ready and not stale equals its samples, and a reader with one snapshot sees all of
// it at one moment. Nothing here locks what writers need; whatever is interrupted is done again.
// Quarters of a day are claimed at a time, some hours late: devices that send in batches then cost no mending, the
// rest to be read from samples stays short, and the tiles of a stream lie next to each other on disk.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { Fault } from '../../base/errors.ts'
import { mostNearMs, weekMs } from '../sample/chunk.ts'
import { closeGate } from '../sample/gate.ts'
import { ceilTo, floorTo, joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, daySelect, hourMs, hourSelect, makeTiles, phases, phasesOfZone, tileKind } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'

const claimStepMs = 6 * hourMs
const claimDelayMs = 3 * hourMs

/** Works for about budgetMs; false when nothing is left to do. One at a time: the caller holds the job's lock. */
export const rollUp = async (pool: Pool, nowMs: number, budgetMs = 500): Promise<boolean> => {
  const kind = await tileKind(pool)
  const made = await readPhases(pool)
  for (const phase of await neededPhases(pool, nowMs))
    if (made.find((state) => state.phase === phase)?.kind !== kind) await makeTiles(pool, phase, kind)
  const claimedUntilMs = await claim(pool, nowMs)
  const pace: Pace = { streams: 200, spanMs: weekMs, nextStream: 0 }
  const endAt = performance.now() + budgetMs
  do {
    const filled = await fillSome(pool, kind, claimedUntilMs, pace)
    const mended = await mendSome(pool, kind, pace)
    if (!filled && !mended) return false
  } while (performance.now() < endAt)
  return true
}

/** How much is done at once, so that a step takes some tens of milliseconds; and the stream that is mended next. */
type Pace = { streams: number; spanMs: number; nextStream: number }

const tooShortMs = 40
const tooLongMs = 160

const timed = async (work: () => Promise<void>, change: (factor: number) => void): Promise<void> => {
  const startedAt = performance.now()
  await work()
  const took = performance.now() - startedAt
  if (took < tooShortMs) change(2)
  else if (took > tooLongMs) change(0.5)
}

const neededPhases = async (sql: Sql, nowMs: number): Promise<readonly Phase[]> => {
  const zones = await sql<{ zone: string }[]>`
    select time_zone as zone from component where time_zone is not null
    union select time_zone from cycle where time_zone is not null`
  const needed = new Set([phases[0]!, ...zones.flatMap(({ zone }) => phasesOfZone(zone, nowMs))])
  return [...needed]
}

/** Uploads wait behind a claim that waits for one of them. It can be tried again, until it is late by a whole step. */
const claimWaitMs = 20
const overdueWaitMs = 200

const claim = async (pool: Pool, nowMs: number): Promise<number> => {
  const { claimedUntilMs, databaseMs } = await readClaim(pool)
  // A claim is never taken back: of the two clocks the one that is behind counts.
  const targetMs = floorTo(Math.min(nowMs, databaseMs) - claimDelayMs, 0, claimStepMs)
  if (claimedUntilMs >= targetMs) return claimedUntilMs
  try {
    await transaction(pool, async (sql) => {
      await closeGate(sql, targetMs - claimedUntilMs > claimStepMs ? overdueWaitMs : claimWaitMs)
      await sql`update rollup_state set claimed_until = greatest(claimed_until, ${targetMs})`
    })
    return targetMs
  } catch (error) {
    // A long upload stands inside the gate: next time.
    if (error instanceof Fault && error.code === 'busy') return claimedUntilMs
    throw error
  }
}

const readClaim = async (sql: Sql) => {
  const [row] = await sql<[{ claimedUntilMs: number; databaseMs: number }]>`
    select claimed_until as "claimedUntilMs", now() as "databaseMs" from rollup_state`
  return row
}

type PhaseState = {
  readonly phase: Phase
  readonly kind: TileKind
  readonly readyUntilMs: number
  readonly pieceUntilMs: number | null
  readonly nextStream: number
}

const readPhases = async (sql: Sql): Promise<readonly PhaseState[]> => {
  const rows = await sql<(Omit<PhaseState, 'phase'> & { minutes: number })[]>`
    select minutes, kind, ready_until as "readyUntilMs", piece_until as "pieceUntilMs", next_stream as "nextStream"
    from rollup_phase
    order by minutes`
  return rows.flatMap(({ minutes, ...state }) => {
    const phase = phases.find((each) => each.minutes === minutes)
    return phase ? [{ phase, ...state }] : []
  })
}

/** Fills a bounded part of what was claimed; false when all of it is filled. */
const fillSome = async (pool: Pool, kind: TileKind, claimedUntilMs: number, pace: Pace): Promise<boolean> => {
  const states = await readPhases(pool)
  const state = states.find(({ phase, readyUntilMs }) => readyUntilMs < floorTo(claimedUntilMs, phase.offsetMs, hourMs))
  if (state === undefined) return false
  const { phase, readyUntilMs } = state
  const untilMs = state.pieceUntilMs ?? (await choosePiece(pool, state, claimedUntilMs, pace))
  if (kind === 'table') {
    await fillTables(pool, { ...state, pieceUntilMs: untilMs }, pace)
    return true
  }
  await timed(
    () => refreshAggregates(pool, phase, [readyUntilMs, untilMs], untilMs),
    (factor) => (pace.spanMs = Math.max(claimStepMs, pace.spanMs * factor)),
  )
  await setReady(pool, phase, untilMs)
  return true
}

const setReady = async (sql: Sql, phase: Phase, readyUntilMs: number): Promise<void> => {
  await sql`
    update rollup_phase
    set ready_until = ${readyUntilMs}, piece_until = null, next_stream = 0
    where minutes = ${phase.minutes}`
}

/** Up to where to fill next; where much is left, some time beyond the start of the next chunk, or all of a wide one. */
const choosePiece = async (sql: Sql, { phase, readyUntilMs }: PhaseState, claimedUntilMs: number, pace: Pace) => {
  if (claimedUntilMs - readyUntilMs <= pace.spanMs) return floorTo(claimedUntilMs, phase.offsetMs, hourMs)
  const [chunk] = await sql<{ startMs: number; endMs: number }[]>`
    select range_start as "startMs", range_end as "endMs"
    from timescaledb_information.chunks
    where hypertable_schema = current_schema() and hypertable_name = 'sample' and range_end > ${readyUntilMs}
    order by range_start
    limit 1`
  const fromMs = Math.max(readyUntilMs, chunk?.startMs ?? claimedUntilMs)
  const isWide = chunk !== undefined && chunk.endMs - chunk.startMs > mostNearMs
  const untilMs = isWide ? chunk.endMs : fromMs + Math.max(pace.spanMs, 2 * hourMs)
  // A chunk ends where a day does, which may be before the next hour of a phase.
  return floorTo(Math.min(claimedUntilMs, Math.max(untilMs, readyUntilMs + hourMs)), phase.offsetMs, hourMs)
}

// The Apache edition: tables.

const fillTables = async (pool: Pool, state: PhaseState, pace: Pace): Promise<void> => {
  const { phase, readyUntilMs, nextStream } = state
  const untilMs = state.pieceUntilMs!
  await timed(
    () =>
      transaction(pool, async (sql) => {
        await planForTimes(sql)
        const streams = await sql<{ key: number }[]>`
          select key from stream where key >= ${nextStream} and kind <> 'point' order by key limit ${pace.streams}`
        const keys = streams.map(({ key }) => key)
        await remakeTables(sql, phase, keys, [readyUntilMs, untilMs], untilMs)
        if (keys.length < pace.streams) await setReady(sql, phase, untilMs)
        else
          await sql`
            update rollup_phase
            set piece_until = ${untilMs}, next_stream = ${keys.at(-1)! + 1}
            where minutes = ${phase.minutes}`
      }),
    (factor) => (pace.streams = Math.min(5_000, Math.max(1, Math.floor(pace.streams * factor)))),
  )
}

/** Plans that are made for given times leave out other chunks. */
const planForTimes = (sql: Transaction) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Makes the hours of a span anew, and the days that end below untilMs. */
const remakeTables = async (
  sql: Transaction,
  phase: Phase,
  streamKeys: readonly number[],
  span: Span,
  untilMs: number,
): Promise<void> => {
  if (streamKeys.length === 0) return
  const remake = async (table: string, select: string, [fromMs, toMs]: Span) => {
    const values = [streamKeys as number[], fromMs, toMs]
    await sql.unsafe(
      `delete from ${table} where stream_key = any($1::integer[]) and bucket >= $2 and bucket < $3`,
      values,
      { prepare: true },
    )
    // One index scan per stream: without it Postgres reads whole chunks for a few hours of them.
    await sql.unsafe(
      `insert into ${table}
       select tile.* from unnest($1::integer[]) as wanted (key) cross join lateral (${select}) as tile`,
      values,
      { prepare: true },
    )
  }
  const hours = hoursOf(phase, span, untilMs)
  if (hours)
    await remake(
      phase.hourTable,
      hourSelect(phase, 'where stream_key = wanted.key and time >= $2 and time < $3'),
      hours,
    )
  const days = daysOf(phase, span, untilMs)
  if (days)
    await remake(
      phase.dayTable,
      daySelect(phase, 'where stream_key = wanted.key and bucket >= $2 and bucket < $3'),
      days,
    )
}

/** The hours that a span touches, below untilMs; undefined: none. */
const hoursOf = ({ offsetMs }: Phase, [fromMs, toMs]: Span, untilMs: number): Span | undefined =>
  spanOrNone(floorTo(fromMs, offsetMs, hourMs), Math.min(untilMs, ceilTo(toMs, offsetMs, hourMs)))

/** The days that a span touches and that end below untilMs; undefined: none. */
const daysOf = ({ offsetMs }: Phase, [fromMs, toMs]: Span, untilMs: number): Span | undefined =>
  spanOrNone(
    floorTo(fromMs, offsetMs, dayMs),
    Math.min(floorTo(untilMs, offsetMs, dayMs), ceilTo(toMs, offsetMs, dayMs)),
  )

const spanOrNone = (fromMs: number, untilMs: number): Span | undefined =>
  fromMs < untilMs ? [fromMs, untilMs] : undefined

// The Community edition: continuous aggregates. A refresh makes a span anew for all streams, and is forced: what
// TimescaleDB itself has noted about changes then does not matter, only our own marks do.

const refreshAggregates = async (pool: Pool, phase: Phase, span: Span, untilMs: number): Promise<void> => {
  const [procedure] = await pool<[{ isBatched: boolean }]>`
    select exists (
      select from pg_proc where proname = 'refresh_continuous_aggregate' and 'options' = any(proargnames)
    ) as "isBatched"`
  // Newer versions do ten hours at a time, of which the years of a wide chunk have millions.
  const atOnce = procedure.isBatched ? pool`, options => '{"buckets_per_batch": 0}'` : pool``
  const refresh = (name: string, [fromMs, toMs]: Span) => pool`
    call refresh_continuous_aggregate(
      ${name}::text::regclass, ${fromMs}::timestamptz, ${toMs}::timestamptz, force => true ${atOnce})`
  const hours = hoursOf(phase, span, untilMs)
  if (hours) await refresh(phase.hourTable, hours)
  const days = daysOf(phase, span, untilMs)
  if (days) await refresh(phase.dayTable, days)
}

/** Mends a bounded part of what is stale; false when nothing was. */
const mendSome = async (pool: Pool, kind: TileKind, pace: Pace): Promise<boolean> =>
  kind === 'table' ? mendTables(pool, pace) : mendAggregates(pool, pace)

type Stale = {
  /** By which the marks that were seen are known. */
  readonly snapshot: string
  readonly spans: readonly Span[]
}

const readStale = async (sql: Sql, streamKey: number | undefined, joinWithinMs: number): Promise<Stale> => {
  const rows = await sql<{ snapshot: string; firstMs: number; lastMs: number }[]>`
    select pg_current_snapshot()::text as snapshot, lower(span) as "firstMs", upper(span) as "lastMs"
    from (
      select range_agg(tstzrange(first_time, last_time, '[]')) as spans
      from stale
      ${streamKey === undefined ? sql`` : sql`where stream_key = ${streamKey}`}
    ) as marked
    cross join unnest(marked.spans) as span`
  const spans = rows.map(({ firstMs, lastMs }): Span => [firstMs, lastMs + 1])
  return { snapshot: rows[0]?.snapshot ?? '', spans: joinSpans(spans, joinWithinMs) }
}

/** Removes the marks that were seen, as far as they lie below doneUntilMs. */
const clearStale = async (sql: Sql, streamKey: number | undefined, snapshot: string, doneUntilMs: number) => {
  const seen = sql`
    pg_visible_in_snapshot(tx, ${snapshot}::pg_snapshot)
    ${streamKey === undefined ? sql`` : sql`and stream_key = ${streamKey}`}`
  await sql`delete from stale where ${seen} and last_time < ${doneUntilMs}`
  await sql`
    update stale set first_time = ${doneUntilMs}
    where ${seen} and first_time < ${doneUntilMs} and last_time >= ${doneUntilMs}`
}

const mendTables = async (pool: Pool, pace: Pace): Promise<boolean> => {
  const [next] = await pool<{ key: number }[]>`
    select stream_key as key from stale where stream_key >= ${pace.nextStream} order by stream_key limit 1`
  if (next === undefined) {
    const isLeft = pace.nextStream > 0
    pace.nextStream = 0
    return isLeft
  }
  const isDone = await transaction(pool, async (sql) => {
    await planForTimes(sql)
    const { snapshot, spans } = await readStale(sql, next.key, dayMs)
    const states = await readPhases(sql)
    const endAt = performance.now() + tooLongMs
    for (const [fromMs, toMs] of spans)
      for (let atMs = fromMs; atMs < toMs;) {
        const untilMs = Math.min(toMs, atMs + pace.spanMs)
        const span: Span = [atMs, untilMs]
        await timed(
          async () => {
            for (const { phase, readyUntilMs, pieceUntilMs } of states)
              await remakeTables(sql, phase, [next.key], span, pieceUntilMs ?? readyUntilMs)
          },
          (factor) => (pace.spanMs = Math.max(hourMs, pace.spanMs * factor)),
        )
        atMs = untilMs
        if (performance.now() > endAt) {
          await clearStale(sql, next.key, snapshot, untilMs)
          return false
        }
      }
    await clearStale(sql, next.key, snapshot, spans.at(-1)![1])
    return true
  })
  if (isDone) pace.nextStream = next.key + 1
  return true
}

const mendAggregates = async (pool: Pool, pace: Pace): Promise<boolean> => {
  const { snapshot, spans } = await readStale(pool, undefined, dayMs)
  if (spans.length === 0) return false
  const [fromMs, toMs] = spans[0]!
  const untilMs = Math.min(toMs, fromMs + pace.spanMs)
  await timed(
    async () => {
      for (const { phase, readyUntilMs } of await readPhases(pool))
        await refreshAggregates(pool, phase, [fromMs, untilMs], readyUntilMs)
    },
    (factor) => (pace.spanMs = Math.max(hourMs, pace.spanMs * factor)),
  )
  await clearStale(pool, undefined, snapshot, untilMs)
  return true
}

/**
 * How long passes may take in a job that comes every half a second: where many samples come in, a tenth of the time,
 * so that uploads keep theirs; else most of it, so that a bulk import is caught up with soon.
 */
export class Pacer {
  #before: { readonly rows: number; readonly atMs: number } | undefined
  #restUntilMs = 0

  /** What the pass may take that begins now, when so many rows were ever inserted; undefined: none is needed yet. */
  budgetMs(atMs: number, rows: number): number | undefined {
    if (atMs < this.#restUntilMs) return undefined
    const before = this.#before
    const isBusy = before !== undefined && rows - before.rows > (busyRowsPerSecond * (atMs - before.atMs)) / 1000
    return isBusy ? 50 : 2_000
  }

  /** Its own rows are not counted: tiles are rows, too. */
  passed(atMs: number, rows: number, isMore: boolean): void {
    this.#before = { rows, atMs }
    if (!isMore) this.#restUntilMs = atMs + idleRestMs
  }
}

const busyRowsPerSecond = 2_000
const idleRestMs = 5_000

export const pacedRollUp = (): ((pool: Pool, nowMs: number) => Promise<void>) => {
  const pacer = new Pacer()
  return async (pool, nowMs) => {
    const budgetMs = pacer.budgetMs(performance.now(), await insertedRows(pool))
    if (budgetMs === undefined) return
    const isMore = await rollUp(pool, nowMs, budgetMs)
    pacer.passed(performance.now(), await insertedRows(pool), isMore)
  }
}

const insertedRows = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ rows: number }]>`
    select tup_inserted as rows from pg_stat_database where datname = current_database()`
  return row.rows
}

export type RollupMetrics = {
  /** How long ago the moment was up to which all tiles are ready. */
  readonly lagMs: number
  /** Marks that wait to be mended. */
  readonly stale: number
}

export const rollupMetrics = async (sql: Sql, nowMs: number): Promise<RollupMetrics> => {
  const [row] = await sql<[{ readyUntilMs: number | null; stale: number }]>`
    select (select min(ready_until) from rollup_phase) as "readyUntilMs", (select count(*) from stale) as stale`
  return { lagMs: row.readyUntilMs === null ? nowMs : nowMs - row.readyUntilMs, stale: row.stale }
}
