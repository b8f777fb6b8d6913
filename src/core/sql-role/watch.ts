// SQL roles at work (sql-role.ts): a role can switch its own limits off, hold a snapshot for ever and keep others waiting by
// locks. Nothing in PostgreSQL ends that, so jobs look for it (jobs.ts).
import { onOwnConnection } from '../../base/database/pool.ts'
import type { Pool, Sql } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'

/**
 * Jobs of TimescaleDB that roles have made, where nobody could take the right to that away. Only who made the role, or a superuser, can.
 * Gives how many.
 */
export const removeJobs = async (sql: Sql, names: readonly string[]): Promise<number> => {
  const removed = await sql`
    select delete_job(job_id) from timescaledb_information.jobs
    where owner::oid in (select oid from pg_roles where rolname = any(${names}::text[])) and pg_has_role(owner, 'usage')`
  return removed.length
}

const mostStatementSeconds = 120
const mostTransactionSeconds = 300

/**
 * Ends the work of SQL roles that nothing else ends: they can switch their own limits off, hold a snapshot for ever, take the
 * locks by which servers agree on jobs, and make jobs of their own.
 */
export const endLongWork = async (sql: Sql): Promise<number> => {
  const found = await sql<{ name: string; isEnded: boolean | null }[]>`
    select usename::text as name,
      case when pg_has_role(usesysid, 'usage') or pg_has_role('pg_signal_backend', 'usage')
        then pg_terminate_backend(pid) end as "isEnded"
    from pg_stat_activity
    where usename in (select name from bi.role)
      and (
        (state = 'active' and clock_timestamp() - query_start > ${mostStatementSeconds} * interval '1 second')
        or clock_timestamp() - xact_start > ${mostTransactionSeconds} * interval '1 second'
        or exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid and locktype = 'advisory'))`
  const roles = await sql<{ name: string }[]>`select name::text from bi.role`
  const removed = await removeJobs(
    sql,
    roles.map(({ name }) => name),
  )
  // Only now: one that somebody else has made keeps none of the others.
  const left = new Set(found.flatMap(({ name, isEnded }) => (isEnded === null ? [name] : [])))
  if (left.size > 0)
    throw new Error(
      `sessions of SQL roles that the server's user is no member of cannot be ended: ${[...left].join(', ')}`,
    )
  return found.length + removed
}

export type KnownRole = { readonly oid: number; readonly name: string; readonly mayEnd: boolean }
type StrongLock = { readonly role: number; readonly relation: number }

/** Writers wait for those who have or want one of these, autovacuum ends for who wants the first (`comment on table`); readings take none. */
const strongModes = [
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]
/**
 * A writing statement takes these before it is refused; by `prepare` a transaction keeps them on any table of public. Work on chunks
 * waits for them as for readings, which alone it ends.
 */
const weakModes = ['RowShareLock', 'RowExclusiveLock']
const mostWeakSeconds = 1
/** The system's own relations are below. */
const firstUserOid = 16_384

/**
 * Roles that have, or wait for, a lock on what is not theirs lose their login and all their sessions, but for locks of readings. For
 * `truncate sample` TimescaleDB, and for a trigger or a comment PostgreSQL, asks for the lock first and only then for the right: so everybody's
 * uploads waited behind one that waited for a reading, for as long as its role liked. A look is to come at a moment that nobody knows: in
 * `pg_locks` everybody sees when it was, and could wait in between.
 *
 * It may be a lock on any table, also of the catalog and of our roles. So the look asks nothing but functions, about the roles of the
 * look before, by statements that its connection knows: a new one could not log in while one waits for pg_authid.
 * `watch`: a pool that nothing else uses, and this only while there are roles. Gives who has lost the login now.
 */
export const openShutOut = (): ((sql: Pool, watch: Pool) => Promise<readonly string[]>) => {
  let known: readonly KnownRole[] = []
  return async (sql, watch) => {
    if (known.length === 0) known = await knownRoles(sql)
    if (known.length === 0) return []
    return onOwnConnection(watch, undefined, async (own) => {
      const locks = await strongLocks(own, known)
      const wrong = locks.length === 0 ? [] : await notTheirs(own, locks)
      const found = known.filter(({ oid }) => wrong.some(({ role }) => role === oid))
      const mayEnd = found.filter((role) => role.mayEnd)
      // Also where there is none: the connection has to know the statement.
      await endSessions(own, mayEnd)
      const { shut, left } = await takeLogins(own, found)
      // Those that have come meanwhile.
      if (mayEnd.length > 0) await endSessions(own, mayEnd)
      known = await knownRoles(own)
      const notEnded = found.filter((role) => !role.mayEnd || left.includes(role))
      if (notEnded.length > 0)
        throw new Error(
          `SQL roles that keep others waiting by locks cannot be shut out by the server's user: ${namesOf(notEnded).join(', ')}`,
        )
      return namesOf(shut)
    })
  }
}

const namesOf = (roles: readonly KnownRole[]): readonly string[] => roles.map(({ name }) => name)

/** Asking for name and membership keeps in the connection's memory what the end of a session depends on. */
const knownRoles = async (sql: Sql): Promise<readonly KnownRole[]> => sql<KnownRole[]>`
  select oid::bigint as oid, pg_get_userbyid(oid)::text as name,
    pg_has_role(oid, 'usage') or pg_has_role('pg_signal_backend', 'usage') as "mayEnd"
  from (select to_regrole(quote_ident(name))::oid as oid from bi.role) role
  where oid is not null`

/** Nobody gets or gives a lock while PostgreSQL lists them: it does only while a session of a role is at work. */
const strongLocks = async (sql: Sql, known: readonly KnownRole[]): Promise<readonly StrongLock[]> => {
  const [row] = await sql<[{ locks: readonly StrongLock[] | null }]>`
    with session as materialized (
      select pid, usesysid, xact_start from pg_stat_get_activity(null)
      where usesysid = any(${known.map(({ oid }) => oid)}::bigint[]::oid[]) and state is distinct from 'idle')
    select case when exists (select from session) then (
      select json_agg(json_build_object('role', usesysid::bigint, 'relation', relation::bigint))
      from pg_lock_status()
      join session using (pid)
      where locktype = 'relation'
        and (mode = any(${[...strongModes]}::text[]) or (
          mode = any(${[...weakModes]}::text[]) and relation::bigint >= ${firstUserOid}
          and clock_timestamp() - xact_start > ${mostWeakSeconds} * interval '1 second'))
        and database in (0, (select datid from pg_stat_get_activity(pg_backend_pid())))) end as locks`
  return row.locks ?? []
}

/** A relation that only its maker sees yet is the maker's. While one of the system is locked, we may be unable to ask about others. */
const notTheirs = async (sql: Sql, locks: readonly StrongLock[]): Promise<readonly StrongLock[]> => {
  const ofSystem = locks.filter(({ relation }) => relation < firstUserOid)
  if (ofSystem.length > 0) return ofSystem
  return sql<StrongLock[]>`
    select role, relation
    from unnest(${locks.map(({ role }) => role)}::bigint[], ${locks.map(({ relation }) => relation)}::bigint[])
      as held (role, relation)
    join pg_class on oid = relation::oid
    where not pg_has_role(role::oid, relowner, 'member')`
}

const endSessions = (sql: Sql, roles: readonly KnownRole[]): Promise<unknown> => sql`
  select pg_terminate_backend(pid) from pg_stat_get_activity(null)
  where usesysid = any(${roles.map(({ oid }) => oid)}::bigint[]::oid[])`

/** `left`: those that the server's user may not alter. */
const takeLogins = async (sql: Pool, roles: readonly KnownRole[]) => {
  const shut: KnownRole[] = []
  const left: KnownRole[] = []
  for (const role of roles)
    await takeLogin(sql, role).then(
      (isTaken) => void (isTaken && shut.push(role)),
      (error: unknown) => {
        // 42501: insufficient privilege.
        if (sqlCode(error) !== '42501') throw error
        left.push(role)
      },
    )
  return { shut, left }
}

/** Servers do it one after the other: PostgreSQL refuses two at once. False: another has done it. */
export const takeLogin = (pool: Pool, { oid }: Pick<KnownRole, 'oid'>): Promise<boolean> =>
  transaction(pool, async (sql) => {
    await sql`lock table bi.role in exclusive mode`
    const [role] = await sql<{ name: string }[]>`
      select quote_ident(rolname) as name from pg_roles where oid = ${oid}::bigint::oid and rolcanlogin`
    if (role) await sql.unsafe(`alter role ${role.name} nologin`)
    return role !== undefined
  })
