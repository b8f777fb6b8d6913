// Streams that somebody reads while much of their tiles is stale, as after an import of years. Every other step of
// mending is for these (tile-mend.ts), so that a page that is looked at is soon as fast as ever, whatever else is to be done. A reader says so by
// a lock that nobody waits for, and that ends with its transaction: nothing is written, and any process at the primary can
// see it. Readers at a standby are not seen.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { Span } from '../time/span.ts'
import { dayMs } from './tile.ts'

const lockName = 'coppice wanted tiles'

/** Less is read from samples in a moment. */
const worthwhileMs = 2 * dayMs
/** A lock each, of which the server has room for some thousands. */
const mostWanted = 50

export const wantTiles = async (sql: Transaction, stale: ReadonlyMap<number, readonly Span[]>): Promise<void> => {
  const keys: number[] = []
  for (const [key, spans] of stale)
    if (keys.length < mostWanted && spans.reduce((sum, [from, until]) => sum + until - from, 0) >= worthwhileMs)
      keys.push(key)
  if (keys.length > 0)
    await sql`
      select pg_try_advisory_xact_lock_shared(hashtext(${lockName}), key) from unnest(${keys}::integer[]) as key`
}

/** The streams that readers wait for now. */
export const wantedTiles = async (sql: Sql): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    select distinct objid::bigint::integer as key
    from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = hashtext(${lockName})::bigint & 4294967295 and objsubid = 2`
  return rows.map(({ key }) => key)
}
