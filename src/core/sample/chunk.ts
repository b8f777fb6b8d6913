// The chunks of the hypertable `sample`: one per week, and wide ones for times in which no device measures
// (db/0012_chunk.sql). Old ones are compressed where the edition can (Community), and so are those of tiles; those of weeks
// without any sample left are dropped. new-chunks.ts makes them.
//
// Compression keeps writers out of a chunk for as long as it takes, so it begins when late samples have become rare,
// and gives way as soon as anybody waits for it. A sample that comes even later is stored as a row beside the
// compressed ones, an overwritten or deleted one is taken out first; where many have gathered, the chunk is compressed
// anew.
//
// A dropped chunk is gone for old snapshots as well, so a reader with one snapshot holds the chunks before it takes that
// (holdChunks). So is a chunk that is compressed: TimescaleDB 2.29 shows it to old snapshots as it was at that moment, with what was written
// and without what was deleted since, so that of an upload over two chunks half was seen; and of one that is compressed anew not what had come
// late. Earlier versions were not tried.
import { Fault } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import { closeAllGates } from './catalog-change.ts'
import { floorTo } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, tileKind } from '../statistic/tile.ts'
import { compressibleTiles } from '../statistic/tile-edition.ts'
import type { CompressibleTiles } from '../statistic/tile-edition.ts'

/** The length of a chunk, unless it is a wide one. */
export const weekMs = 7 * dayMs
/** Wide chunks are longer. */
export const mostNearMs = 365 * dayMs

/** The first statement of a transaction that reads samples by one snapshot; LOCK itself takes none. */
export const holdChunks = (sql: Transaction) => sql`lock table chunk_hold in access share mode`

const compressAfterMs = 14 * dayMs
/** So many bytes beside a compressed chunk, or in a wide one, are worth compressing: some 80,000 samples. */
const mostLateBytes = 4 * 2 ** 20

const isNear = (sql: Sql) => sql`range_end - range_start <= ${mostNearMs} * interval '1 millisecond'`

/** Of TimescaleDB's views, which show what others have in the same database, too. */
const isOf = (sql: Sql, table: string) => sql`
  (hypertable_schema, hypertable_name) = (
    select nspname, relname
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = ${table}::text::regclass)`

type Chunk = { readonly name: string; readonly startMs: number; readonly endMs: number }

/** A hypertable whose old chunks are compressed by stream, in order of time, as statistics and feeds read. */
type Compressible = {
  readonly table: string
  /** The statements that allow it. */
  readonly allowing: readonly string[]
}

const compressing = (column: string) =>
  `timescaledb.compress, timescaledb.compress_segmentby = 'stream_key', timescaledb.compress_orderby = '${column}'`

const samples: Compressible = { table: 'sample', allowing: [`alter table sample set (${compressing('time')})`] }

/** Chunks of tiles that were made before these could be compressed are wide ones; those to come are not. */
const tilesOf = ({ name, kind, table, chunk }: CompressibleTiles): Compressible => ({
  table,
  allowing: [
    `alter ${kind === 'table' ? 'table' : 'materialized view'} ${name} set (${compressing('bucket')})`,
    `select set_chunk_time_interval('${table}', interval '${chunk}')`,
  ],
})

/** Compresses one chunk, if there is one; true when it did. */
export const compressSome = async (pool: Pool, nowMs: number, enoughBytes = mostLateBytes): Promise<boolean> => {
  if ((await tileKind(pool)) !== 'aggregate') return false
  for (const hypertable of [samples, ...(await compressibleTiles(pool)).map(tilesOf)]) {
    if (!(await allowCompression(pool, hypertable))) continue
    const chunk = await nextToCompress(pool, hypertable, nowMs, enoughBytes)
    if (chunk === undefined) continue
    if (await hasLongReader(pool)) return false
    if (!(await compress(pool, chunk))) continue
    if (!chunk.isAgain || (await isSmallNow(pool, chunk, enoughBytes))) return true
  }
  return false
}

/**
 * Rows that are compressed anew are deleted, not cut off with their file, so that the chunk would be found again and
 * again. False: somebody still sees them, or the file is in use; the next run looks again.
 */
const isSmallNow = async (pool: Pool, { name }: Chunk, enoughBytes: number): Promise<boolean> => {
  await pool.unsafe(`vacuum ${name}`)
  const [row] = await pool<[{ bytes: number }]>`select pg_relation_size(${name}::text::regclass) as bytes`
  return row.bytes <= enoughBytes
}

/** False when somebody is in the way. */
const allowCompression = async (pool: Pool, { table, allowing }: Compressible): Promise<boolean> => {
  // The tables behind aggregates are not among the hypertables.
  const [hypertable] = await pool<{ isAllowed: boolean }[]>`
    select compression_enabled as "isAllowed"
    from (
      select hypertable_schema, hypertable_name, compression_enabled
      from timescaledb_information.hypertables
      union all
      select materialization_hypertable_schema, materialization_hypertable_name, compression_enabled
      from timescaledb_information.continuous_aggregates
    ) as hypertable
    where ${isOf(pool, table)}`
  if (hypertable?.isAllowed) return true
  return unlessLocked(
    transaction(pool, async (sql) => {
      // Uploads would wait behind this lock.
      await sql`select set_config('lock_timeout', '500ms', true)`
      for (const statement of allowing) await sql.unsafe(statement)
      return true
    }),
  )
}

/** False where a lock was not to be had in time. */
const unlessLocked = async (work: Promise<boolean>): Promise<boolean> => {
  try {
    return await work
  } catch (error) {
    if (sqlCode(error) === '55P03' || (error instanceof Fault && error.code === 'busy')) return false
    throw error
  }
}

/** The oldest chunk that is aggregated and has no marks of late writes that are still to be mended. */
const nextToCompress = async (
  sql: Sql,
  { table }: Compressible,
  nowMs: number,
  enoughBytes: number,
): Promise<(Chunk & { readonly isAgain: boolean }) | undefined> => {
  const [chunk] = await sql<(Chunk & { readonly isAgain: boolean })[]>`
    select format('%I.%I', chunk_schema, chunk_name) as name, range_start as "startMs", range_end as "endMs",
      is_compressed as "isAgain"
    from timescaledb_information.chunks
    where ${isOf(sql, table)}
      and range_end <= least(${nowMs - compressAfterMs}, (select coalesce(min(ready_until), '-infinity') from rollup_phase where minutes = 0))
      and not exists (select from stale_mark where first_time < range_end and last_time >= range_start)
      and not exists (select from stale_group where from_time < range_end and until_time > range_start)
      and ((not is_compressed and ${isNear(sql)})
        or pg_relation_size(format('%I.%I', chunk_schema, chunk_name)::regclass) > ${enoughBytes})
    order by range_start
    limit 1`
  return chunk
}

const lookEveryMs = 200

/** A reader that has taken longer, a backup for one, may be there at the end, too: minutes of work would be for nothing. */
const longReaderMs = 3000

const hasLongReader = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<[{ isThere: boolean }]>`
    select exists (
      select from pg_locks
      join pg_stat_activity using (pid)
      where locktype = 'relation' and relation = 'chunk_hold'::regclass and granted
        and database = (select oid from pg_database where datname = current_database())
        and clock_timestamp() - xact_start > ${longReaderMs} * interval '1 millisecond') as "isThere"`
  return row.isThere
}

/**
 * So long it waits for readers with an older snapshot, time and again: readers that come meanwhile wait behind it, and have as
 * long between. It does not give way to these: beside four readings of a second each it never came to its end.
 * A reading waits 1.6 s for it at most, and so long only beside others of seconds.
 */
const readersMs = [100, 200, 400, 800, 1600]

const keepReadersOut = async (sql: Transaction): Promise<void> => {
  for (const [n, ms] of readersMs.entries()) {
    await sql`savepoint reading`
    try {
      await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`
      await sql`lock table chunk_hold in access exclusive mode`
      return
    } catch (error) {
      if (sqlCode(error) !== '55P03' || n === readersMs.length - 1) throw error
      await sql`rollback to savepoint reading`
      // In the database, where it is cancelled when somebody waits for the chunk.
      await sql`select pg_sleep(${ms / 1000})`
    }
  }
}

/** Gives false when it gave way to others. */
const compress = async (pool: Pool, { name }: Chunk): Promise<boolean> => {
  try {
    await transaction(pool, async (sql) => {
      const [backend] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
      const giveWay = async () => {
        await pool`
          select pg_cancel_backend(${backend.pid})
          where exists (
            select from pg_stat_activity
            where wait_event_type = 'Lock' and ${backend.pid} = any(pg_blocking_pids(pid))
              and not exists (
                select from pg_locks
                where pg_locks.pid = pg_stat_activity.pid and not granted and relation = 'chunk_hold'::regclass))`
      }
      let looking = Promise.resolve()
      const timer = setInterval(() => (looking = looking.then(giveWay).catch(() => {})), lookEveryMs)
      try {
        await sql`select compress_chunk(${name}::text::regclass)`
        await keepReadersOut(sql)
      } finally {
        clearInterval(timer)
        // The next query on this connection is not to be cancelled.
        await looking
      }
    })
    return true
  } catch (error) {
    // Cancelled by us, a deadlock that we were chosen to end, or a lock that was not to be had.
    if (['57014', '40P01', '55P03'].includes(sqlCode(error) ?? '')) return false
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
  await sql`select set_config('lock_timeout', '100ms', true)`
  await sql`lock table chunk_hold in access exclusive mode`
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
