// Keeps tiles (tile.ts) true. Two moments rule it: below claimed_until writers note the times they touch (stale.ts),
// and below a phase's ready_until readers may read tiles.
//
//   claim   moves claimed_until forward while no writer is inside the gate of all, which takes a moment; long writers notice at
//           their end, and begin anew
//   fill    makes the tiles from ready_until to claimed_until, then moves ready_until
//   divide  makes marks of streams out of those of groups of streams
//   join    has streams begin to have tiles that their zone needs (tile-zone.ts)
//   mend    makes tiles anew where writers touched them, and removes the marks it saw when it began
//
// At every moment a tile that is ready and not stale equals its samples, and a reader with one snapshot sees all of it
// at one moment. Nothing here locks rows that writers need; an interrupted step is done again. Quarters of a day are
// claimed at a time, some hours late: devices that send in batches then cost no mending, the rest to be read from
// samples stays short, and the tiles of a stream lie next to each other on disk.
import type { Pool, Sql } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { Fault } from '../../base/errors.ts'
import { mostNearMs, unlessLocked } from '../sample/chunk.ts'
import { closeCommonGate } from '../sample/catalog-change.ts'
import { floorTo } from '../time/span.ts'
import { dayMs, hourMs, kindOf, layoutOf, mainPhase, tileKind } from './tile.ts'
import type { Phase } from './tile.ts'
import { makeTiles, removeTiles, tileEditions } from './tile-edition.ts'
import { mendSome } from './tile-mend.ts'
import { divideGroups, leastPieceMs, newPace, readAllPhases, readPhases } from './tile-state.ts'
import type { Pace, PhaseState } from './tile-state.ts'
import { joinSome, leaveSome, listZones, neededPhases, reviewZones, zonesInUse } from './tile-zone.ts'

const claimDelayMs = 3 * hourMs

/**
 * Works for about budgetMs; false when nothing is left to do. One at a time: the caller holds the job's lock. Zones that
 * are not given are looked up. It goes on where another with the same pace ended.
 */
export const rollUp = async (
  pool: Pool,
  nowMs: number,
  budgetMs = 500,
  zones?: readonly string[],
  pace = newPace(),
): Promise<boolean> => {
  const edition = await tileKind(pool)
  const made = await readAllPhases(pool)
  const used = zones ?? (await zonesInUse(pool))
  const needed = neededPhases(used, nowMs)
  const isRight = ({ phase, kind, layout }: PhaseState) => kind === kindOf(phase, edition) && layout === layoutOf(phase)
  const isMade = (phase: Phase) => made.some((state) => state.phase === phase && isRight(state))
  const isDone = await unlessHeld(pace, async () => {
    for (const phase of needed) if (!isMade(phase)) await makeTiles(pool, phase, edition)
    for (const state of made) if (!needed.includes(state.phase) && !isRight(state)) await removeTiles(pool, state.phase)
  })
  // Without the main ones there is nothing to go on with.
  if (!isDone && !isMade(mainPhase)) return false
  await listZones(pool, used, nowMs)
  const claimedUntilMs = await claim(pool, nowMs)
  const isMore = [await reviewZones(pool), await leaveSome(pool)].includes(true)
  const endAt = performance.now() + budgetMs
  do {
    const divided = await divideGroups(pool)
    const joined = await joinSome(pool, pace)
    const filled = await fillSome(pool, claimedUntilMs, pace)
    const mended = await mendSome(pool, pace, (kind) => tileEditions[kind].tableOf)
    if (!divided && !joined && !filled && !mended) return isMore
  } while (performance.now() < endAt)
  return true
}

const heldMs = 10_000

/**
 * A reader of hours keeps tiles from being made, and nothing else. All other readings wait behind each try: so there is one, for all that is to
 * be made, and a while until the next.
 */
const unlessHeld = async (pace: Pace, work: () => Promise<void>): Promise<boolean> => {
  if (performance.now() < pace.heldUntilMs) return false
  const isDone = await unlessLocked(work().then(() => true))
  if (!isDone) pace.heldUntilMs = performance.now() + heldMs
  return isDone
}

/** Uploads wait behind a claim that waits for one of them. It can be tried again, until it is late by a whole step. */
const claimWaitMs = 20
const overdueWaitMs = 200

const claim = async (pool: Pool, nowMs: number): Promise<number> => {
  const { claimedUntilMs, databaseMs } = await readClaim(pool)
  // A claim is never taken back: of the two clocks the one that is behind counts.
  const targetMs = floorTo(Math.min(nowMs, databaseMs) - claimDelayMs, 0, leastPieceMs)
  if (claimedUntilMs >= targetMs) return claimedUntilMs
  try {
    await transaction(pool, async (sql) => {
      await closeCommonGate(sql, targetMs - claimedUntilMs > leastPieceMs ? overdueWaitMs : claimWaitMs)
      await sql`update rollup_state set claimed_until = greatest(claimed_until, ${targetMs})`
    })
    return targetMs
  } catch (error) {
    // Somebody stands inside the gate for long: next time.
    if (error instanceof Fault && error.code === 'busy') return claimedUntilMs
    throw error
  }
}

const readClaim = async (sql: Sql) => {
  const [row] = await sql<[{ claimedUntilMs: number; databaseMs: number }]>`
    select claimed_until as "claimedUntilMs", now() as "databaseMs" from rollup_state`
  return row
}

/** Fills a bounded part of the claimed time; false when all of it is filled. */
const fillSome = async (pool: Pool, claimedUntilMs: number, pace: Pace): Promise<boolean> => {
  const states = await readPhases(pool)
  // Days are made of hours, as far as these are.
  const hoursUntilMs = states.find(({ phase }) => phase === mainPhase)?.readyUntilMs ?? Number.NEGATIVE_INFINITY
  const endOf = ({ phase }: PhaseState) =>
    phase.hasDaysOnly
      ? floorTo(Math.min(claimedUntilMs, hoursUntilMs), phase.offsetMs, dayMs)
      : floorTo(claimedUntilMs, phase.offsetMs, hourMs)
  const state = states.find((each) => each.readyUntilMs < endOf(each))
  if (state === undefined) return false
  const pieceUntilMs = state.pieceUntilMs ?? (await choosePiece(pool, state, endOf(state), pace))
  await tileEditions[state.kind].fill(pool, { ...state, pieceUntilMs }, pace)
  return true
}

/**
 * The end of the next piece; where much is left, some time beyond the start of the next chunk, or all of a wide one.
 */
const choosePiece = async (sql: Sql, { phase, readyUntilMs }: PhaseState, endMs: number, pace: Pace) => {
  if (endMs - readyUntilMs <= pace.spanMs) return endMs
  const [chunk] = await sql<{ startMs: number; endMs: number }[]>`
    select range_start as "startMs", range_end as "endMs"
    from timescaledb_information.chunks
    where hypertable_schema = current_schema() and hypertable_name = 'sample' and range_end > ${readyUntilMs}
    order by range_start
    limit 1`
  const fromMs = Math.max(readyUntilMs, chunk?.startMs ?? endMs)
  const isWide = chunk !== undefined && chunk.endMs - chunk.startMs > mostNearMs
  const stepMs = phase.hasDaysOnly ? dayMs : hourMs
  const untilMs = isWide ? chunk.endMs : fromMs + Math.max(pace.spanMs, 2 * stepMs)
  // A chunk ends where a day of UTC does, which may be before the next hour or day of a phase.
  return floorTo(Math.min(endMs, Math.max(untilMs, readyUntilMs + stepMs)), phase.offsetMs, stepMs)
}

export type RollupMetrics = {
  /** The age of the moment up to which all hours are ready. */
  readonly lagMs: number
  /** Marks that wait to be mended, and components that wait for tiles of their zone. */
  readonly stale: number
}

export const rollupMetrics = async (sql: Sql, nowMs: number): Promise<RollupMetrics> => {
  const [row] = await sql<[{ readyUntilMs: number | null; stale: number }]>`
    select
      (select min(ready_until) from rollup_phase where minutes < 60) as "readyUntilMs",
      (select count(*) from stale_mark)
        + (select coalesce(sum(cardinality(stream_keys)), 0) from stale_group)::integer
        + (select count(*) from tile_member where next_stream is not null) as stale`
  return { lagMs: row.readyUntilMs === null ? nowMs : nowMs - row.readyUntilMs, stale: row.stale }
}
