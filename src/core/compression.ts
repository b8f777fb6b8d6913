// Compresses old chunks where the edition can (Community): those of samples, and of tiles.
//
// Compression keeps writers out of a chunk for as long as it takes, so it begins when late samples have become rare,
// and gives way as soon as anybody waits for it. A sample that comes even later is stored as a row beside the
// compressed ones, an overwritten or deleted one is taken out first; where many have gathered, the chunk is compressed
// anew.
//
// A chunk that is compressed is gone for old snapshots, as one that is dropped: TimescaleDB 2.29 shows it to them as it was at that moment, with what was
// written and without what was deleted since, so that of an upload over two chunks half was seen; and of one that is compressed anew not what had come
// late. Earlier versions were not tried. So readers with one snapshot, which hold the chunks (sample/chunk.ts), are waited for.
import type { Pool, Sql, Transaction } from '../base/database/sql.ts'
import { sqlCode, transaction } from '../base/database/sql.ts'
import { holdChunksAlone, isNear, unlessLocked } from './sample/chunk.ts'
import type { Chunk } from './sample/chunk.ts'
import { dayMs, tileKind } from './statistic/tile.ts'
import { compressibleTiles } from './statistic/tile-edition.ts'
import type { CompressibleTiles } from './statistic/tile-edition.ts'

const compressAfterMs = 14 * dayMs
/** So many bytes beside a compressed chunk, or in a wide one, are worth compressing: some 80,000 samples. */
const mostLateBytes = 4 * 2 ** 20

/** Of TimescaleDB's views, which show what others have in the same database, too. */
const isOf = (sql: Sql, table: string) => sql`
  (hypertable_schema, hypertable_name) = (
    select nspname, relname
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = ${table}::text::regclass)`

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
      return await holdChunksAlone(sql, ms)
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
