// Roles of the database for people who ask by SQL (docs/bi.md): each sees the views of one organization, and nothing else
// (db/0035_sql_view.sql). They are made on the host, and not over HTTP: a role has a share of the database itself.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, conflict, notFound } from '../../base/errors.ts'
import { randomToken } from '../../base/secret.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import { writeAudit } from '../audit.ts'
import { findOrganization } from '../organization.ts'
import { fillEdges } from './calendar.ts'
import { removeJobs, takeLogin } from './watch.ts'
import type { KnownRole } from './watch.ts'

export type SqlRole = {
  readonly name: string
  /** Null once the organization is gone. */
  readonly organizationUid: string | null
  readonly organizationName: string | null
  readonly createdMs: number
  /** Of one that somebody has dropped by hand nothing is left but its row. */
  readonly state: 'open' | 'shut out' | 'gone'
}

export type NewSqlRole = {
  readonly organizationUid: string
  readonly name?: string | undefined
}

const views = ['component', 'stream', 'sample', 'hour', 'day', 'month'] as const

/** The actor of changes that are made on the host. */
const host = 'host'

/** Settings that a session begins with. A role can change its own: hard limits are its connections and `endLongWork`. */
const settings: Readonly<Record<string, string>> = {
  search_path: 'coppice',
  default_transaction_read_only: 'on',
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
  work_mem: '16MB',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}
const mostConnections = 10

/** By this comment, which a role cannot change itself, other installations of the same PostgreSQL know it for no user of theirs. */
const mark = 'An SQL role of Coppice'

export type MadeSqlRole = SqlRole & {
  readonly password: string
  readonly isClosed: boolean
  /** Other databases that it may connect to, quoted: of that nobody there knows. */
  readonly elsewhere: readonly string[]
}

/** Gives the password, which is kept nowhere. `admin`: the same database as its superuser, where that is known. */
export const createSqlRole = async (
  pool: Pool,
  { organizationUid, name = `coppice_sql_${randomBytes(4).toString('hex')}` }: NewSqlRole,
  nowMs: number,
  admin: Pool = pool,
): Promise<MadeSqlRole> => {
  if (!/^[a-z][a-z0-9_]{2,62}$/.test(name) || name.startsWith('pg_'))
    throw badRequest("the role's name must have 3 to 63 lower-case letters, digits and underscores, a letter first")
  const password = randomToken()
  const role = await transaction(pool, async (sql) => {
    await sql`lock table bi.role in exclusive mode`
    const organization = await findOrganization(sql, organizationUid)
    if (organization === undefined) throw notFound('organization', organizationUid)
    const [taken] = await sql`select from pg_roles where rolname = ${name}`
    if (taken) throw conflict(`there is a role ${name} in the database already`)
    await makeViews(sql)
    await makeRole(sql, name, password)
    // Of one that somebody has dropped by hand.
    await sql`delete from bi.role where name = ${name}`
    await sql`insert into bi.role (name, organization_key) values (${name}, ${organization.key})`
    await writeAudit(sql, { organizationKey: organization.key, actor: host }, 'sql_role.create', name)
    return { name, organizationUid, organizationName: organization.name, createdMs: nowMs, state: 'open' } as const
  })
  const isClosed = await closeEverybodysDoors(admin)
  await fillEdges(pool, nowMs)
  return { ...role, password, isClosed, elsewhere: await databasesElsewhere(pool, name) }
}

const databasesElsewhere = async (sql: Sql, role: string): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select quote_ident(datname) as name
    from pg_database
    where datallowconn and datname <> current_database() and has_database_privilege(${role}::name, oid, 'connect')
    order by datname`
  return rows.map(({ name }) => name)
}

const makeViews = async (sql: Transaction): Promise<void> => {
  await sql`create schema if not exists coppice`
  for (const view of views)
    await sql.unsafe(`create or replace view coppice.${view} with (security_barrier) as select * from bi.${view}`)
}

/** Names are checked, or come from this file. The database gets no password, which it might log, but its verifier. */
const makeRole = async (sql: Transaction, name: string, password: string): Promise<void> => {
  const run = (text: string) => sql.unsafe(text)
  // It may be a word of the language.
  const role = `"${name}"`
  const [facts] = await sql<[{ version: number; database: string; owner: string }]>`
    select current_setting('server_version_num')::integer as version, quote_ident(current_database()) as database,
      quote_ident(current_user) as owner`
  const { database, owner } = facts
  await run(`create role ${role} login nosuperuser nocreatedb nocreaterole noreplication noinherit
    connection limit ${mostConnections} password '${verifierOf(password)}'`)
  await run(`comment on role ${role} is '${mark}'`)
  // Only a member may end its work; from PostgreSQL 16 on the maker of a role is one without these rights.
  await run(`grant ${role} to ${owner}${facts.version >= 160_000 ? ' with inherit true' : ''}`)
  for (const [setting, value] of Object.entries(settings)) await run(`alter role ${role} set ${setting} = '${value}'`)
  await run(`grant connect on database ${database} to ${role}`)
  // Temporary tables would have no limit, and a place for functions.
  await run(`grant temporary on database ${database} to ${owner}`)
  await run(`revoke temporary on database ${database} from public`)
  await run(`grant usage on schema coppice to ${role}`)
  for (const view of views) await run(`grant select on coppice.${view} to ${role}`)
  const functions = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'bi'::regnamespace`
  for (const each of functions) await run(`grant execute on function ${each.name} to ${role}`)
}

/**
 * Functions that everybody has, and by which one role harms all others: locks by which servers let writers in, large objects, exported
 * snapshots (a file each, 9,000 a second) and messages in the log of the database without a limit, jobs of TimescaleDB, which go on when their role has left, and those by
 * which TimescaleDB works on chunks: `drop_chunk` asks nobody whose they are. Of its own functions each that may change something goes;
 * those that are asked in queries (`time_bucket_gapfill`) stand elsewhere. Only a superuser can take them away
 * (docs/bi.md#rights-and-limits-of-a-role); false: this is none.
 */
export const closeEverybodysDoors = (pool: Pool): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const [user] = await sql<[{ isSuper: boolean }]>`
      select rolsuper as "isSuper" from pg_roles where rolname = current_user`
    if (!user.isSuper) return false
    await sql`lock table bi.role in exclusive mode`
    const roles = await sql<{ name: string }[]>`
      select quote_ident(rolname) as name from pg_roles where rolname in (select name from bi.role)`
    if (roles.length === 0) return true
    // Of a version before.
    for (const { name } of roles) await sql.unsafe(`comment on role ${name} is '${mark}'`)
    // Those of other installations in the same PostgreSQL: one removed all samples of its neighbour, whose doors were closed.
    const strangers = await sql<{ name: string }[]>`
      select quote_ident(rolname) as name
      from pg_roles
      where shobj_description(oid, 'pg_authid') = ${mark} and rolname not in (select name from bi.role)`
    const doors = await sql<{ name: string }[]>`
      select oid::regprocedure::text as name
      from pg_proc
      where exists (
          select from pg_roles
          where quote_ident(rolname) = any(${[...roles, ...strangers].map(({ name }) => name)}::text[])
            and has_function_privilege(rolname, pg_proc.oid, 'execute'))
        and case pronamespace
          when 'pg_catalog'::regnamespace then proname ~ '^pg_(try_)?advisory_(xact_)?lock' or proname in (
            'lo_creat', 'lo_create', 'lo_from_bytea', 'pg_logical_emit_message', 'pg_export_snapshot')
          else (proname = 'add_job' and probin like '%timescaledb%') or (
            pronamespace::regnamespace::text like '%timescaledb\\_%' and provolatile = 'v'
              and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)) end`
    // Everybody else keeps them: servers may run as another user than the one that makes roles.
    const others = await sql<{ name: string }[]>`
      select quote_ident(rolname) as name
      from pg_roles
      where not rolsuper and rolname !~ '^pg_' and rolname not in (select name from bi.role)`
    if (doors.length > 0) {
      const routines = listed(doors)
      if (others.length > 0) await sql.unsafe(`grant execute on routine ${routines} to ${listed(others)}`)
      await sql.unsafe(
        `revoke execute on routine ${routines} from ${['public', ...strangers.map(({ name }) => name)].join(', ')}`,
      )
    }
    for (const { name } of roles)
      for (const [setting, value] of Object.entries(fixedSettings))
        await sql.unsafe(`alter role ${name} set ${setting} = '${value}'`)
    return true
  })

const listed = (things: readonly { readonly name: string }[]): string => things.map(({ name }) => name).join(', ')

/** Settings that a role cannot change: sorts and joins on disk, of each session; what it may write into the log of the database. */
const fixedSettings: Readonly<Record<string, string>> = {
  temp_file_limit: '1GB',
  log_min_messages: 'fatal',
}

/** RFC 5803: the SCRAM-SHA-256 verifier that PostgreSQL keeps. */
const verifierOf = (password: string): string => {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest()
  const encoded = [salt, storedKey, hmac('Server Key')].map((bytes) => bytes.toString('base64'))
  return `SCRAM-SHA-256$${iterations}:${encoded[0]}$${encoded[1]}:${encoded[2]}`
}

export const listSqlRoles = async (sql: Sql): Promise<readonly SqlRole[]> => sql<SqlRole[]>`
  select role.name::text as name, organization.uid as "organizationUid", organization.name as "organizationName",
    role.created_at as "createdMs",
    case when rolcanlogin then 'open' when rolcanlogin is null then 'gone' else 'shut out' end as state
  from bi.role
  left join organization on organization.key = role.organization_key
  left join pg_roles on rolname = role.name
  order by role.name`

export const dropSqlRole = async (pool: Pool, name: string): Promise<void> => {
  const known = await pool`select from bi.role where name = ${name}`
  if (known.length === 0) throw badRequest(`there is no SQL role '${name}'`)
  await endAllSessions(pool, name)
  await transaction(pool, async (sql) => {
    await sql`lock table bi.role in exclusive mode`
    const [role] = await sql<{ key: number | null }[]>`
      delete from bi.role where name = ${name} returning organization_key as key`
    if (role === undefined) throw badRequest(`there is no SQL role '${name}'`)
    await removeJobs(sql, [name])
    // None where somebody has dropped it by hand, or the database was copied to another server.
    const [left] = await sql<{ quoted: string }[]>`
      select quote_ident(rolname) as quoted from pg_roles where rolname = ${name}`
    if (left) await dropLogin(sql, left.quoted)
    if (role.key !== null) await writeAudit(sql, { organizationKey: role.key, actor: host }, 'sql_role.delete', name)
  })
}

const mostEndingMs = 10_000
/** Of somebody who was let in just before, and whom PostgreSQL does not show at once. */
const enteringMs = 250

/**
 * First nobody comes in any more: a session that began between the end of the others and that of the role went on without it, with its
 * snapshot, for ever (22 in 8 drops beside three that signed in anew and anew), and none but a superuser can end it then.
 */
const endAllSessions = async (pool: Pool, name: string): Promise<void> => {
  const [role] = await pool<Pick<KnownRole, 'oid'>[]>`
    select oid::bigint as oid from pg_roles where rolname = ${name}`
  if (role === undefined) return
  await takeLogin(pool, role)
  const untilMs = performance.now() + mostEndingMs
  for (let looks = 0; looks < 2; looks += 1) {
    if (looks > 0) await sleep(enteringMs)
    const { count } = await pool`
      select pg_terminate_backend(pid) from pg_stat_activity where usesysid = ${role.oid}::bigint::oid`
    if (count > 0) looks = 0
    if (performance.now() > untilMs) throw conflict('the sessions of the role do not end, try again')
  }
}

const dropLogin = async (sql: Transaction, quoted: string): Promise<void> => {
  await sql.unsafe(`drop owned by ${quoted}`)
  await sql.unsafe(`drop role ${quoted}`).catch((error: unknown) => {
    // 2BP01: something depends on it.
    if (sqlCode(error) !== '2BP01') throw error
    throw conflict(
      `the role has things or rights elsewhere on the server: as a superuser, run "drop owned by ${quoted}" in each other database, and drop it again`,
    )
  })
}
