// Snapshots that outlive a crash of the database. By a snapshot, transactions may have ended that a crash forgets: those that were
// rolled back, and those whose COMMIT waits for no disk, as of pieces of files. Their numbers are given again then, and who
// remembers the snapshot would take the new transactions for old ones: uploads were shown to no listener, and a key that
// was revoked went on. So a snapshot is gone by only when the log was on the disk up to where it was then.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fragment, Pool, Sql } from './sql.ts'
import { transaction } from './sql.ts'

export type Lasting = {
  /** All that had ended by the snapshot is on the disk. */
  readonly isLasting: boolean
  /** Else it is when the log is there up to here. */
  readonly logEnd: string
}

/** Columns beside a snapshot of the same statement. */
export const lastingColumns = (sql: Sql): Fragment => sql`
  pg_current_wal_insert_lsn()::text as "logEnd", pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as "isLasting"`

/** Beside others who store it is there within some milliseconds, else within PostgreSQL's own 200 or so. */
const pausesMs = [5, 10, 20, 40, 80, 160]

export const untilLasting = async (pool: Pool, { isLasting, logEnd }: Lasting): Promise<void> => {
  if (isLasting) return
  for (const ms of pausesMs) {
    await sleep(ms)
    const [row] = await pool<[{ isThere: boolean }]>`
      select pg_current_wal_flush_lsn() >= ${logEnd}::text::pg_lsn as "isThere"`
    if (row.isThere) return
  }
  // A commit takes it there; standbys have nothing to do with it.
  await transaction(pool, async (sql) => {
    await sql`select set_config('synchronous_commit', 'local', true)`
    await sql`select pg_logical_emit_message(true, 'coppice', '')`
  })
}
