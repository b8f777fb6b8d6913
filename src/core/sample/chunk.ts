// The chunks of the hypertable `sample`: one per week, and wide ones for times in which no device measures
// (db/0012_chunk.sql). Those of weeks without any sample left are dropped; new-chunks.ts makes them, ../upkeep/compression.ts compresses old ones.
//
// A dropped chunk is gone for old snapshots as well, so a reader with one snapshot holds the chunks before it takes that
// (holdChunks).
import { Fault } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import { closeAllGates } from './catalog-change.ts'
import { floorTo } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs } from '../statistic/tile.ts'

/** The length of a chunk, unless it is a wide one. */
export const weekMs = 7 * dayMs
/** Wide chunks are longer. */
export const mostNearMs = 365 * dayMs

/** The first statement of a transaction that reads samples by one snapshot; LOCK itself takes none. */
export const holdChunks = (sql: Transaction) => sql`lock table chunk_hold in access share mode`

/**
 * Keeps these readers out until the end of a transaction after which other chunks, or other tiles, are there. Its COMMIT waits for no standby: it would with all
 * locks in hand, and with no standby there all readings would wait with it. Nobody is told that it is done; a standby that lacks it
 * has everything as it was.
 */
export const holdChunksAlone = async (sql: Transaction, mostMs: number): Promise<void> => {
  await sql`select set_config('synchronous_commit', 'local', true), set_config('lock_timeout', ${`${mostMs}ms`}, true)`
  await sql`lock table chunk_hold in access exclusive mode`
}

export const isNear = (sql: Sql) => sql`range_end - range_start <= ${mostNearMs} * interval '1 millisecond'`

export type Chunk = { readonly name: string; readonly startMs: number; readonly endMs: number }

/** False where a lock was not to be had in time. */
export const unlessLocked = async (work: Promise<boolean>): Promise<boolean> => {
  try {
    return await work
  } catch (error) {
    if (sqlCode(error) === '55P03' || (error instanceof Fault && error.code === 'busy')) return false
    throw error
  }
}

const weeksAhead = 2

/**
 * The weeks whose chunks are made before the first sample comes (new-chunks.ts): else everybody's uploads would wait for one
 * another at the beginning of each.
 */
export const comingWeeks = (nowMs: number): Span => {
  const startMs = floorTo(nowMs, 0, weekMs)
  return [startMs, startMs + (1 + weeksAhead) * weekMs]
}

/** A reader that takes long, a backup for one, is in the way of all: with each try uploads wait for a tenth of a second. */
const mostHeld = 3

/** Drops the chunks of weeks without a sample, but for those that wait for one; gives how many. */
export const dropEmptied = async (pool: Pool, nowMs: number): Promise<number> => {
  const [keptFromMs, keptUntilMs] = comingWeeks(nowMs)
  const chunks = await pool<Chunk[]>`
    select format('%I.%I', chunk_schema, chunk_name) as name, range_start as "startMs", range_end as "endMs"
    from timescaledb_information.chunks
    where hypertable_schema = current_schema() and hypertable_name = 'sample'
      and ${isNear(pool)} and (range_end <= ${keptFromMs} or range_start >= ${keptUntilMs})
    order by range_start`
  let dropped = 0
  let held = 0
  for (const chunk of chunks) {
    if (!(await isEmpty(pool, chunk))) continue
    if (await drop(pool, chunk)) dropped += 1
    else held += 1
    if (held === mostHeld) break
  }
  return dropped
}

const isEmpty = async (sql: Sql, { name }: Chunk): Promise<boolean> => {
  const [row] = await sql.unsafe<[{ isEmpty: boolean }]>(`select not exists (select from ${name}) as "isEmpty"`)
  return row.isEmpty
}

/** False when somebody writes to it again, or reads for long. */
const drop = (pool: Pool, chunk: Chunk): Promise<boolean> =>
  unlessLocked(
    transaction(pool, async (sql) => {
      await holdAlone(sql, chunk)
      if (!(await isEmpty(sql, chunk))) return false
      await dropChunk(sql, chunk)
      return true
    }),
  )

/** Keeps away writers, whose sample would go to a chunk that is dropped meanwhile, and readers with one snapshot. */
const holdAlone = async (sql: Transaction, { name }: Chunk): Promise<void> => {
  // Others wait behind us, and there may be many chunks to drop: not for long.
  await closeAllGates(sql, 50)
  await holdChunksAlone(sql, 100)
  await sql.unsafe(`lock table ${name} in access exclusive mode`)
}

const dropChunk = (sql: Transaction, { startMs, endMs }: Chunk) => sql`
  select drop_chunks('sample', newer_than => ${startMs}::timestamptz, older_than => ${endMs}::timestamptz)`

/** From here on weeks have chunks of their own. */
export const nearFromMs = Date.parse('2000-01-06T00:00:00Z')
/** They have up to three years ahead, which is moved on when two are left. */
const nearAheadMs = 3 * 365 * dayMs
const leastAheadMs = 2 * 365 * dayMs
const mostMoved = 1_000_000

/**
 * Moves the start of the wide chunk of times to come on, and its samples with it, or makes it where it is missing; true
 * when it did. Where there are too many samples, it stays: a chunk that is wider than needed is slower, not wrong.
 */
export const extendWeeklyChunks = async (pool: Pool, nowMs: number): Promise<boolean> => {
  const nearUntilMs = floorTo(nowMs + nearAheadMs, 0, weekMs)
  const [wide] = await pool<Chunk[]>`
    select format('%I.%I', chunk_schema, chunk_name) as name, range_start as "startMs", range_end as "endMs"
    from timescaledb_information.chunks
    where hypertable_schema = current_schema() and hypertable_name = 'sample' and not ${isNear(pool)}
      and range_start > ${nowMs} and range_start <= ${nowMs + 2 * nearAheadMs}
    order by range_start
    limit 1`
  if (wide !== undefined && (wide.startMs > nowMs + leastAheadMs || (await hasTooMany(pool, wide)))) return false
  return unlessLocked(
    transaction(pool, async (sql) => {
      if (wide === undefined) await closeAllGates(sql)
      else {
        await holdAlone(sql, wide)
        // A reader must wait here meanwhile, before it looks which chunks there are.
        await sql`lock table only sample in access exclusive mode`
        await sql.unsafe(`create temporary table moved on commit drop as select * from ${wide.name}`)
        await dropChunk(sql, wide)
      }
      await sql`select lay_out_chunks('sample', 'time', interval '7 days', ${nearFromMs}, ${nearUntilMs})`
      if (wide !== undefined) await sql`insert into sample select * from moved`
      return true
    }),
  )
}

const hasTooMany = async (sql: Sql, { name }: Chunk): Promise<boolean> => {
  const [found] = await sql.unsafe<[{ count: number }]>(
    `select count(*) from (select from ${name} limit ${mostMoved + 1}) as found`,
  )
  return found.count > mostMoved
}
