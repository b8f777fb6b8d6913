// Brings a database to the schema of this version: db/*.sql in the order of their numbers, all that are missing in
// one transaction, under a lock, so that of two servers that start at once one does it and the other waits.
// A database that cannot serve is refused first, in a sentence.
//
// Servers of the version before may be at work meanwhile. A table that one of them is reading for long is not waited
// for, because all others would wait behind us: after two seconds the transaction is given up and tried again.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RunnerOption } from 'node-pg-migrate'
import { Client } from 'pg'
import { primaryTarget } from './primary.ts'
import { searchPath, sessionOptions } from './url.ts'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'

/** The Community edition has continuous aggregates, compression and policies; the Apache edition has not. */
export type Edition = 'apache' | 'community'

export type Migrated = {
  readonly edition: Edition
  readonly postgres: string
  readonly timescaledb: string
  /** The connections that the database has for this user, shared with all other programs. */
  readonly connections: number
  /** The files that were run, in order, without their ending. */
  readonly applied: readonly string[]
}

export const leastPostgres = 15
/**
 * The first version that refreshes an aggregate even where it is believed to be up to date (core/statistic/rollup.ts).
 */
export const leastTimescaledb = '2.18'

// The same two steps up from src/base and from dist/base.
const schemaDir = fileURLToPath(new URL('../../../db', import.meta.url))
const table = 'migration'
/** Any number does, as long as all versions of Coppice use the same. */
const lockKey = 7_046_293_115

const lockWaitMs = 2000
const tryEveryMs = 1000

/** The names of all migrations of this version, in order, without their ending. */
export const migrationNames = async (dir = schemaDir): Promise<readonly string[]> =>
  (await readdir(dir))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.replace(/\.sql$/, ''))
    .toSorted()

/** The texts of migrations. */
export const migrationTexts = (names: readonly string[]): Promise<readonly string[]> =>
  Promise.all(names.map((name) => readFile(join(schemaDir, `${name}.sql`), 'utf8')))

/** With `most`, no more than the first so many: the state of an older version, for the data of that. */
export const migrate = async (
  url: string,
  log: Log,
  dir = schemaDir,
  patienceMs = 60_000,
  most = Infinity,
): Promise<Migrated> => {
  const client = new Client({ ...primaryTarget(url), options: sessionOptions, application_name: 'coppice migrate' })
  // A connection that breaks fails the query under way; the event as well must not end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const postgres = await requirePostgres(client)
    await waitForTurn(client, log)
    const timescaledb = await requireTimescaledb(client)
    const present = (await refuseForeign(client, dir)).length
    const missing = Math.min(most, (await migrationNames(dir)).length) - present
    if (missing > 0) await requireScriptRole(client)
    await client.query(`set lock_timeout = ${lockWaitMs}`)
    const path = searchPath(url)
    if (path !== undefined) await client.query(`set search_path = ${path}`)
    const names = missing > 0 ? await patiently(patienceMs, log, () => runMissing(client, dir, missing, log)) : []
    if (names.length > 0) log.info({ migrations: names }, 'the schema is up to date')
    const connections = await readConnections(client)
    return { edition: await readEdition(client), postgres, timescaledb, connections, applied: names }
  } catch (error) {
    throw startErrorFrom(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The package takes a quarter of a second of a core to load, and most starts find nothing to do. */
const runMissing = async (client: Client, dir: string, count: number, log: Log): Promise<readonly string[]> => {
  const { runner } = await import('node-pg-migrate')
  const options: RunnerOption = {
    dbClient: client,
    dir,
    // There is a README, too.
    ignorePattern: '(?!.*\\.sql$).*',
    direction: 'up',
    count,
    migrationsTable: table,
    singleTransaction: true,
    // Our own lock is held already, and for longer.
    noLock: true,
    log: (line) => log.debug(line),
  }
  const applied = await runner(options)
  return applied.map(({ name }) => name)
}

const patiently = async <T>(patienceMs: number, log: Log, run: () => Promise<T>): Promise<T> => {
  const untilMs = Date.now() + patienceMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      // Nothing of it is done: a lock was not to be had, or another waited for ours.
      const { code } = error as { code?: string }
      if (code !== '55P03' && code !== '40P01') throw error
      if (Date.now() >= untilMs)
        throw new StartError(
          `The schema cannot be brought up to date: for ${Math.round(patienceMs / 1000)} s tables of it were locked by others. ` +
            'pg_stat_activity shows the long transactions: end them, and start again.',
          error,
        )
      log.info('tables are in use that a new version of the schema changes: trying again')
      await sleep(tryEveryMs)
    }
  }
}

/** Problems that an administrator of the database can mend become a sentence. */
const startErrorFrom = (error: unknown): unknown => {
  const { code, message } = error as { code?: string; message: string }
  if (code === '58P01' && message.includes('timescaledb'))
    return new StartError(
      'The TimescaleDB in the database is of another version than the one on its server: ' +
        'let `alter extension timescaledb update` be the first command of a new session there.',
      error,
    )
  // P0001: one of our migrations explains itself. 42501: a right is missing.
  return code === 'P0001' || code === '42501' ? new StartError(`The schema cannot be made: ${message}.`, error) : error
}

/**
 * The grant that an administrator has to give this user; '' if none is missing. Scripts of all services of a server run
 * under one role, which the first of them makes. From PostgreSQL 16 on, CREATEROLE is no right to a role that another user
 * has made.
 */
export const missingScriptGrant = (client: Client): Promise<string> =>
  text(
    client,
    `select coalesce(min(format('grant coppice_gsql to %I', current_user)), '')
     from pg_roles
     where rolname = 'coppice_gsql' and not pg_has_role(oid, 'member')
       and (current_setting('server_version_num')::integer >= 160000
         or not exists (select from pg_roles where rolname = current_user and rolcreaterole))`,
  )

/** db/0019_gsql.sql would name CREATEROLE first. */
const requireScriptRole = async (client: Client): Promise<void> => {
  const advice = await missingScriptGrant(client)
  if (advice !== '')
    throw new StartError(
      `The role coppice_gsql belongs to another user of this server: run as an administrator: ${advice}.`,
    )
}

const requirePostgres = async (client: Client): Promise<string> => {
  const version = await text(client, 'show server_version')
  const number = version.split(' ')[0]!
  if (Number.parseInt(number, 10) < leastPostgres)
    throw new StartError(`The database is PostgreSQL ${number}; Coppice needs ${leastPostgres} or newer.`)
  return number
}

const waitForTurn = async (client: Client, log: Log) => {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
  if (rows[0]!.taken) return
  log.info('another server is bringing the schema up to date: waiting for it')
  await client.query('select pg_advisory_lock($1)', [lockKey])
}

/** Until the end of a transaction no server changes the schema: one that starts waits. */
export const holdSchema = async (client: Client): Promise<void> => {
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
}

const requireTimescaledb = async (client: Client): Promise<string> => {
  const available = await text(
    client,
    `select coalesce(installed_version, default_version) from pg_available_extensions where name = 'timescaledb'`,
  )
  if (available === '')
    throw new StartError(
      'The database server has no TimescaleDB: install the extension there, or use another DATABASE_URL.',
    )
  if (available.localeCompare(leastTimescaledb, 'en', { numeric: true }) < 0)
    throw new StartError(
      `The database has TimescaleDB ${available}; Coppice needs ${leastTimescaledb} or newer ` +
        '(alter extension timescaledb update).',
    )
  try {
    await client.query('create extension if not exists timescaledb')
  } catch (error) {
    throw new StartError(
      `The extension timescaledb cannot be made in the database: ${(error as Error).message}. ` +
        'Let a superuser run `create extension timescaledb` in it.',
      error,
    )
  }
  return available
}

/** The migrations that the database has; they must be the first ones of ours. */
const refuseForeign = async (client: Client, dir: string): Promise<readonly string[]> => {
  const theirs = await presentMigrations(client)
  const ours = await migrationNames(dir)
  const at = theirs.findIndex((name, n) => name !== ours[n])
  if (at === -1) return theirs
  if (at === ours.length)
    throw new StartError(
      `The database was made by a newer version of Coppice (it has ${theirs.slice(at).join(', ')}, unknown here): run that version.`,
    )
  throw new StartError(
    `The database was made by a development version of Coppice (it has ${theirs[at]} in place of ${ours[at]}) and cannot be ` +
      'brought up to date: start with an empty one, under another DATABASE_URL or, without DATABASE_URL, another DATA_DIR.',
  )
}

/** The names of the migrations that a database has, in order; none where it is not ours. */
export const presentMigrations = async (client: Client): Promise<readonly string[]> => {
  if ((await text(client, `select to_regclass('public.${table}')`)) === '') return []
  const { rows } = await client.query<{ name: string }>(`select name from public.${table} order by id`)
  return rows.map(({ name }) => name)
}

const readEdition = async (client: Client): Promise<Edition> =>
  (await text(client, 'show timescaledb.license')) === 'timescale' ? 'community' : 'apache'

const readConnections = async (client: Client): Promise<number> =>
  Number(
    await text(
      client,
      `select least(
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - coalesce(current_setting('reserved_connections', true)::integer, 0),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user))`,
    ),
  )

/** The first column of the first row; '' for none and for null. */
const text = async (client: Client, query: string): Promise<string> => {
  const { rows } = await client.query<(string | null)[]>({ text: query, rowMode: 'array' })
  return rows[0]?.[0] ?? ''
}
