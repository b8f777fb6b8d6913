// Removes rows of the journal that have been visible for longer than listeners may be away. The time of their
// transactions' beginning would not do: what a long one has written is new when it is committed. So every few seconds a
// snapshot is noted, and the rows go that an old enough one saw.
import type { Pool } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { journalKeptMs, removeOldInterests } from './interest.ts'

const rowsAtOnce = 20_000

/** A step of the job; true when there is more. `keptMs` is for tests. */
export const trimJournal = async (pool: Pool, keptMs = journalKeptMs): Promise<boolean> => {
  await removeOldInterests(pool)
  const [state] = await pool<[{ isUsed: boolean }]>`
    select exists (select from live_interest) or exists (select from live_journal) or exists (select from live_mark)
      as "isUsed"`
  if (!state.isUsed) return false
  return transaction(pool, async (sql) => {
    await sql`insert into live_mark default values`
    const [old] = await sql<{ atText: string; snapshot: string }[]>`
      select at::text as "atText", snapshot::text
      from live_mark
      where at <= now() - ${keptMs} * interval '1 millisecond'
      order by at desc
      limit 1`
    if (old === undefined) return false
    await sql`update live_state set trimmed = ${old.snapshot}::text::pg_snapshot`
    const { count } = await sql`
      delete from live_journal
      where ctid = any(array(
        select ctid
        from live_journal
        where xact < pg_snapshot_xmax(${old.snapshot}::text::pg_snapshot)
          and pg_visible_in_snapshot(xact, ${old.snapshot}::text::pg_snapshot)
        limit ${rowsAtOnce}))`
    if (count === rowsAtOnce) return true
    // With the last mark goes the last trace of listeners.
    await sql`
      delete from live_mark
      where at < ${old.atText}::text::timestamptz
        or not exists (select from live_interest) and not exists (select from live_journal)`
    return false
  })
}
