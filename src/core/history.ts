// The history that the database goes on with. A failover to a standby that did not have all, a restore, and another
// database behind the same address begin another one: then keys and serials that a server has remembered may be those of
// other things, or of nothing. So whatever is remembered is kept with this, and forgotten when it is another
// (docs/scale.md#standbys).
//
// A timeline is never gone back from, and a connection to the primary stays on one.

/** An expression of SQL: the cluster, the database in it, and the timeline. */
export const historyText = `(
  select concat_ws('/', cluster.system_identifier, database.oid,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end)
  from pg_control_system() as cluster, pg_database as database
  where database.datname = current_database())`

/**
 * For what a server remembers while it goes on: files of an earlier moment may be put back (a snapshot of a disk), which are of the same
 * timeline. A component that came after that moment had the key of another by then, and its samples were stored there. It takes a stop
 * of the database, so each start of it counts.
 */
export const memoryText = `(
  select concat_ws('/', known.history, extract(epoch from pg_postmaster_start_time()))
  from ${historyText} as known (history))`
