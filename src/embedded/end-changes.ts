// Transactions that have written, and go on for long: where they take the last room of the disk (disk-watch.ts) their
// connections are ended, since between two statements there is nothing to cancel.
import { Client } from 'pg'

/** Those that are about to end are let do so. */
const shortMs = 1000

/** Gives their number. */
export const endChanges = async (adminUrl: string): Promise<number> => {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid)
      from pg_stat_activity
      where backend_type = 'client backend' and backend_xid is not null
        and xact_start <= clock_timestamp() - $1 * interval '1 ms'`,
      [shortMs],
    )
    return rowCount ?? 0
  } finally {
    await client.end().catch(() => {})
  }
}
