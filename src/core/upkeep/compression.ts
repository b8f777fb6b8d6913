// Compresses old chunks where the edition can (Community): those of samples, and of tiles.
//
// Compression keeps writers out of a chunk for as long as it takes, so it begins when late samples have become rare,
// and gives way as soon as anybody waits for it. A sample that comes even later is stored as a row beside the
// compressed ones, an overwritten or deleted one is taken out first; where many have gathered, the chunk is compressed
// anew.
//
// A chunk that is compressed is gone for old snapshots, as one that is dropped: TimescaleDB 2.29 shows it to them as it was at that moment, with what was
// written and without what was deleted since, so that of an upload over two chunks half was seen; and of one that is compressed anew not what had come
// late. Earlier versions were not tried. So readers with one snapshot, which hold the chunks (../sample/chunk.ts), are waited for.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import { holdChunksAlone, isNear, unlessLocked } from '../sample/chunk.ts'
import type { Chunk } from '../sample/chunk.ts'
import { dayMs, tileKind } from '../statistic/tile.ts'
import { compressibleTiles } from '../statistic/tile-edition.ts'
import type { CompressibleTiles } from '../statistic/tile-edition.ts'

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

/** Nobody was in the way, or those who were. */
type Outcome = 'done' | 'readers' | 'writers'

/** After this time readers give way to compression, and no longer it to them: else one caller that reads all the time would fill the disk of all. */
const mostRefusedMs = dayMs

/**
 * Compresses one chunk, if there is one; true when it did. It remembers since when readers have refused that, and which chunk was given up
 * for writers: the younger ones come before it then, else one device whose clock is wrong would keep all of them as they are.
 */
export const openCompression = (
  refusedSinceMs?: number,
): ((pool: Pool, nowMs: number, enoughBytes?: number) => Promise<boolean>) => {
  // By the name of the chunk, or of the hypertable that may not be compressed at all yet: others that are done meanwhile change nothing.
  const refused = new Map<string, Refusals>()
  const givenUp: GivenUp = new Map()
  return async (pool, nowMs, enoughBytes = mostLateBytes) => {
    const attempt: Attempt = async (name, work) => {
      const known = refused.get(name)
      // Not refused for as long: another server has compressed it meanwhile, and it has become large anew.
      const sinceMs = known && nowMs - known.lastMs <= mostRefusedMs ? known.sinceMs : undefined
      const outcome = await work(nowMs - (sinceMs ?? refusedSinceMs ?? nowMs) > mostRefusedMs)
      if (outcome === 'done') refused.delete(name)
      else if (outcome === 'readers') refused.set(name, { sinceMs: sinceMs ?? nowMs, lastMs: nowMs })
      return outcome
    }
    return compressSome(pool, nowMs, enoughBytes, attempt, givenUp)
  }
}

type Refusals = { readonly sinceMs: number; readonly lastMs: number }

type Attempt = (name: string, work: (isOverdue: boolean) => Promise<Outcome>) => Promise<Outcome>

/** The start of the chunk of a hypertable that was given up last for writers. */
type GivenUp = Map<string, number>

const compressSome = async (
  pool: Pool,
  nowMs: number,
  enoughBytes: number,
  attempt: Attempt,
  givenUp: GivenUp,
): Promise<boolean> => {
  if ((await tileKind(pool)) !== 'aggregate') return false
  for (const hypertable of [samples, ...(await compressibleTiles(pool)).map(tilesOf)]) {
    const allowed = await attempt(hypertable.table, (isOverdue) => allowCompression(pool, hypertable, isOverdue))
    if (allowed !== 'done') continue
    const chunk = await nextToCompress(pool, hypertable, nowMs, enoughBytes, givenUp.get(hypertable.table))
    if (chunk === undefined) continue
    let isInVain = false
    // Another server may have compressed it the first time.
    const outcome = await attempt(chunk.isAgain ? `${chunk.name} again` : chunk.name, async (isOverdue) => {
      isInVain = await hasLongReader(pool, isOverdue)
      return isInVain ? 'readers' : compress(pool, chunk, isOverdue)
    })
    if (isInVain) return false
    if (outcome === 'writers') givenUp.set(hypertable.table, chunk.startMs)
    if (outcome === 'done' && (!chunk.isAgain || (await isSmallNow(pool, chunk, enoughBytes)))) return true
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

const allowCompression = async (
  pool: Pool,
  { table, allowing }: Compressible,
  isOverdue: boolean,
): Promise<Outcome> => {
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
  if (hypertable?.isAllowed) return 'done'
  const isAllowed = await unlessLocked(
    transaction(pool, async (sql) => {
      // Uploads would wait behind this lock. Readers are ended after the first half of a second.
      await sql`select set_config('lock_timeout', ${isOverdue ? '2s' : '500ms'}, true)`
      const [{ pid }] = await backendOf(sql)
      await whileLooking(
        async () => void (isOverdue && (await endReaders(pool, pid))),
        async () => {
          for (const statement of allowing) await sql.unsafe(statement)
        },
      )
      return true
    }),
  )
  return isAllowed ? 'done' : 'readers'
}

/** The oldest chunk that is aggregated and has no marks of late writes that are still to be mended; those behind the one that was given up come first. */
const nextToCompress = async (
  sql: Sql,
  { table }: Compressible,
  nowMs: number,
  enoughBytes: number,
  givenUpMs?: number,
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
    order by range_start <= ${givenUpMs ?? null}::timestamptz, range_start
    limit 1`
  return chunk
}

const isSqlRole = (sql: Sql) => sql`exists (select from bi.role where name = usename)`

/**
 * Sessions that are never ended for it: backups, and writers, which end by themselves. Of imports only temporary tables are written
 * meanwhile. A SQL role calls itself as it likes.
 */
const isSpared = (sql: Sql) => sql`
  not ${isSqlRole(sql)}
    and (application_name ~ '^(coppice backup|pg_dump)' or (backend_xid is not null and application_name <> 'coppice imports'))`

const mayBeEnded = (sql: Sql) => sql`(pg_has_role(usesysid, 'usage') and not (${isSpared(sql)}))`

/** A reader that has taken longer, a backup for one, may be there at the end, too: minutes of work would be for nothing. */
const longReaderMs = 3000

const hasLongReader = async (sql: Sql, isOverdue: boolean): Promise<boolean> => {
  const [row] = await sql<[{ isThere: boolean }]>`
    select exists (
      select from pg_locks
      join pg_stat_activity using (pid)
      where locktype = 'relation' and relation = 'chunk_hold'::regclass and granted
        and database = (select oid from pg_database where datname = current_database())
        and clock_timestamp() - xact_start > ${longReaderMs} * interval '1 millisecond'
        and not (${isOverdue} and ${mayBeEnded(sql)})) as "isThere"`
  return row.isThere
}

/**
 * So long it waits for readers with an older snapshot, time and again: readers that come meanwhile wait behind it, and have as
 * long between. It does not give way to these: beside four readings of a second each it never came to its end.
 * A reading waits 1.6 s for it at most, and so long only beside others of seconds.
 */
const readersMs = [100, 200, 400, 800, 1600]
/** Once it is overdue: none can come in its way any more, and those that are there are ended meanwhile. */
const overdueMs = [5000]

const keepReadersOut = async (sql: Transaction, triesMs: readonly number[]): Promise<void> => {
  for (const [n, ms] of triesMs.entries()) {
    await sql`savepoint reading`
    try {
      return await holdChunksAlone(sql, ms)
    } catch (error) {
      if (sqlCode(error) !== '55P03' || n === triesMs.length - 1) throw error
      await sql`rollback to savepoint reading`
      // In the database, where it is cancelled when somebody waits for the chunk.
      await sql`select pg_sleep(${ms / 1000})`
    }
  }
}

/** Below the second after which PostgreSQL looks for two that wait for one another, and may end us. */
const patienceMs = 500

/**
 * Ends what readers do who have kept a backend waiting: the statement of a reading, which may be tried again, and the session where there is none
 * under way, or of a SQL role: that may have let a statement lie that nobody reads, and no cancellation ends.
 */
const endReaders = (sql: Sql, pid: number) => sql`
  select
    case when state = 'active' and not ${isSqlRole(sql)}
      then pg_cancel_backend(blocking.pid)
      else pg_terminate_backend(blocking.pid) end
  from pg_locks as own
  cross join unnest(pg_blocking_pids(${pid})) as blocking (pid)
  join pg_stat_activity on pg_stat_activity.pid = blocking.pid
  where own.pid = ${pid} and not own.granted and clock_timestamp() - own.waitstart > ${patienceMs} * interval '1 millisecond'
    and exists (
      select from pg_locks as held
      where held.pid = blocking.pid and held.relation = own.relation and held.mode = 'AccessShareLock' and held.granted)
    and (state = 'active' or clock_timestamp() - state_change > ${patienceMs} * interval '1 millisecond')
    and ${mayBeEnded(sql)}`

/** Cancels what a backend does where others wait for it; gives who these are. Readers that wait for the commit alone are none. */
const giveWay = async (sql: Sql, pid: number, isOverdue: boolean): Promise<Outcome | undefined> => {
  const [found] = await sql<{ isReader: boolean }[]>`
    select "isReader", pg_cancel_backend(${pid})
    from (
      select bool_and(not (${isSpared(sql)}) and exists (
        select from pg_locks
        where pg_locks.pid = pg_stat_activity.pid and not granted and mode = 'AccessShareLock')) as "isReader"
      from pg_stat_activity
      where wait_event_type = 'Lock' and ${pid} = any(pg_blocking_pids(pid))
        and not exists (
          select from pg_locks
          where pg_locks.pid = pg_stat_activity.pid and not granted and relation = 'chunk_hold'::regclass)
    ) as waiting
    where not "isReader" or ("isReader" and not ${isOverdue})`
  return found && (found.isReader ? 'readers' : 'writers')
}

const lookEveryMs = 200

/** Looks time and again until the work is over; not once more behind it, so that the next query on its connection is not cancelled. */
const whileLooking = async (look: () => Promise<void>, work: () => Promise<void>): Promise<void> => {
  let looking = Promise.resolve()
  const timer = setInterval(() => (looking = looking.then(look).catch(() => {})), lookEveryMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
    await looking
  }
}

const backendOf = (sql: Transaction) => sql<[{ pid: number }]>`select pg_backend_pid() as pid`

const compress = async (pool: Pool, { name }: Chunk, isOverdue: boolean): Promise<Outcome> => {
  let inTheWay: Outcome | undefined
  try {
    await transaction(pool, async (sql) => {
      const [{ pid }] = await backendOf(sql)
      await whileLooking(
        async () => {
          // Again at each look: a cancellation between two statements has no effect.
          inTheWay = (await giveWay(pool, pid, isOverdue)) ?? inTheWay
          if (isOverdue) await endReaders(pool, pid)
        },
        async () => {
          await sql`select compress_chunk(${name}::text::regclass)`
          await keepReadersOut(sql, isOverdue ? overdueMs : readersMs)
        },
      )
    })
    return 'done'
  } catch (error) {
    // Cancelled by us, a deadlock that we were chosen to end, or a lock that was not to be had: mostly for readers.
    if (['57014', '40P01', '55P03'].includes(sqlCode(error) ?? '')) return inTheWay ?? 'readers'
    throw error
  }
}
