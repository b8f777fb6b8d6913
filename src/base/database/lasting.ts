// Snapshots that outlive a crash of the database. By a snapshot, transactions may have ended that a crash forgets: those that were
// rolled back, and those whose COMMIT waits for no disk, as of pieces of files. Their numbers are given again then, and who
// remembers the snapshot would take the new transactions for old ones: uploads were shown to no listener, and a key that
// was revoked went on. So a snapshot is gone by only when the log was on the disk up to where it was then.
//
// The log may get there behind a crash, too, with other things in it: the checkpoint and the first commits after it take more than the few
// hundred bytes that were lost. A crash is told from none by the last checkpoint: the database makes another before it answers again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fragment, Pool, Sql, Transaction } from './sql.ts'
import { transaction } from './sql.ts'

export type Lasting = {
  /** All that had ended by the snapshot is on the disk. */
  readonly isLasting: boolean
  /** Else it is when the log is there up to here, and the last checkpoint is still this one. */
  readonly logEnd: string
  readonly checkpoint: string
}

/** Columns beside a snapshot of the same statement. */
export const lastingColumns = (sql: Sql): Fragment => sql`
  pg_current_wal_insert_lsn()::text as "logEnd", pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as "isLasting",
  ${checkpointNow(sql)}::text as checkpoint`

const checkpointNow = (sql: Sql): Fragment => sql`(select checkpoint_lsn from pg_control_checkpoint())`

type Unsure = Pick<Lasting, 'logEnd' | 'checkpoint'>

/** Null where it is of nothing. */
export const isOnDisk = (sql: Sql, of: Unsure | undefined): Fragment => sql`
  (pg_current_wal_flush_lsn() >= ${of?.logEnd ?? null}::text::pg_lsn and ${isWithoutCrash(sql, of)})`

/** False after some checkpoints without a crash, too. */
export const isWithoutCrash = (sql: Sql, of: Pick<Lasting, 'checkpoint'> | undefined): Fragment => sql`
  (${checkpointNow(sql)} = ${of?.checkpoint ?? null}::text::pg_lsn)`

/** The same at the end of the transaction that began with it: no crash lies between. */
export const lastingByNow = async (sql: Transaction, { isLasting, logEnd, checkpoint }: Lasting): Promise<Lasting> => {
  if (isLasting) return { isLasting, logEnd, checkpoint }
  const [row] = await sql<[{ isLasting: boolean }]>`
    select pg_current_wal_flush_lsn() >= ${logEnd}::text::pg_lsn as "isLasting"`
  return { isLasting: row.isLasting, logEnd, checkpoint }
}

/** Beside others who store it is there within some milliseconds, else within PostgreSQL's own 200 or so. */
const pausesMs = [5, 10, 20, 40, 80, 160]

/** False: a crash may lie between, and what was read is to be read again. */
export const untilLasting = async (pool: Pool, lasting: Lasting): Promise<boolean> => {
  if (lasting.isLasting) return true
  for (const ms of pausesMs) {
    await sleep(ms)
    const [row] = await pool<[{ isThere: boolean; isSame: boolean }]>`
      select pg_current_wal_flush_lsn() >= ${lasting.logEnd}::text::pg_lsn as "isThere", ${isWithoutCrash(pool, lasting)} as "isSame"`
    if (row.isThere || !row.isSame) return row.isSame
  }
  // A commit takes it there; standbys have nothing to do with it.
  await transaction(pool, async (sql) => {
    await sql`select set_config('synchronous_commit', 'local', true)`
    await sql`select pg_logical_emit_message(true, 'coppice', '')`
  })
  const [row] = await pool<[{ isLasting: boolean }]>`select ${isOnDisk(pool, lasting)} as "isLasting"`
  return row.isLasting
}
