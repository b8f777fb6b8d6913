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
