// Real databases for tests. The first openTestDatabase() of a process starts a server of its own and migrates a
// template; each call clones that, in a tenth of a second. Files that run at the same time so share no server, and may
// count what is going on there. TEST_DATABASE_URL, a superuser's, names a server to use instead.
//
//   let database: TestDatabase
//   before(async () => (database = await openTestDatabase()))
//   after(() => database.drop())
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { openLog } from '../../src/base/log.ts'
import { migrate } from '../../src/base/database/migrate.ts'
import type { Edition } from '../../src/base/database/migrate.ts'
import { openPool } from '../../src/base/database/pool.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { openCluster } from '../../src/embedded/cluster.ts'
import { choosePrefix } from '../../src/embedded/place.ts'
import { provision } from '../../src/embedded/provision.ts'
import type { Installation } from '../../src/embedded/provision.ts'
import { closeRun, newDirectory } from './directory.ts'

export type TestDatabase = {
  readonly url: string
  readonly sql: Pool
  readonly edition: Edition
  readonly drop: () => Promise<void>
}

export const quietLog = openLog('silent')

/** A clone of the migrated template. */
export const openTestDatabase = async (): Promise<TestDatabase> => {
  const { admin, template, edition, urlOf, owner } = await testServer()
  const name = newName()
  await admin.query(`create database ${name} template ${template} strategy file_copy owner ${owner}`)
  return { ...open(urlOf(name), admin, name), edition }
}

/** A database with nothing in it, for the tests of migrations. */
export const openEmptyDatabase = async (): Promise<Omit<TestDatabase, 'edition'>> => {
  const { admin, urlOf, owner } = await testServer()
  const name = newName()
  await admin.query(`create database ${name} owner ${owner}`)
  return open(urlOf(name), admin, name)
}

/** Whether a statement waits for a lock. Not to be asked inside a transaction, which is shown everybody as at its first look. */
export const isSomebodyWaiting = async (sql: Pool): Promise<boolean> => {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length > 0
}

const open = (url: string, admin: Client, name: string) => {
  const sql = openPool(url, { connections: 6, name: 'test' })
  const drop = async () => {
    await sql.end({ timeout: 1 })
    await admin.query(`drop database ${name} with (force)`)
  }
  return { url, sql, drop }
}

const run = randomBytes(4).toString('hex')
let lastNumber = 0
const newName = () => `coppice_test_${run}_${++lastNumber}`

let installation: Promise<Installation> | undefined

/** The PostgreSQL that tests of the embedded database run. */
export const testInstallation = (): Promise<Installation> => {
  installation ??= choosePrefix(fileURLToPath(new URL('../..', import.meta.url))).then((prefix) =>
    provision({ prefix, progress: (line) => void process.stdout.write(`${line}\n`) }),
  )
  return installation
}

/** Fetching PostgreSQL takes longer than a test may. Where it fails, the tests that need it fail. */
export const prepareTestServer = async () => {
  await testInstallation().catch(() => {})
}

type TestServer = {
  readonly admin: Client
  readonly template: string
  readonly edition: Edition
  readonly owner: string
  readonly urlOf: (database: string) => string
  readonly close: () => Promise<void>
}

let server: Promise<TestServer> | undefined

const testServer = (): Promise<TestServer> => {
  server ??= openServer()
  return server
}

/** The end of the run: its server and its directory. */
export const closeTestServer = async () => {
  const opened = await server?.catch(() => undefined)
  await opened?.close()
  // The servers of processes that ran files for us end with the directory; on one that stays, they leave databases.
  const url = process.env['TEST_DATABASE_URL']
  if (url && !opened) {
    const admin = new Client({ connectionString: url })
    await admin.connect()
    await sweep(admin)
    await admin.end()
  }
  await closeRun()
}

const openServer = async (): Promise<TestServer> => {
  const { adminUrl, ownerUrl, stop } = await (process.env['TEST_DATABASE_URL']
    ? otherServer(process.env['TEST_DATABASE_URL'])
    : ownServer())
  const admin = new Client({ connectionString: adminUrl })
  admin.on('error', () => {})
  try {
    await admin.connect()
    await sweep(admin)
    const urlOf = (database: string) => Object.assign(new URL(ownerUrl), { pathname: `/${database}` }).href
    const owner = decodeURIComponent(new URL(ownerUrl).username)
    const template = newName()
    await admin.query(`create database ${template} owner ${owner}`)
    const { edition } = await migrate(urlOf(template), quietLog)
    // TimescaleDB's scheduler lets templates alone; elsewhere its connection comes between two clones.
    await admin.query(`alter database ${template} is_template true allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [template])
    const close = async () => {
      await dropRun(admin, run)
      await admin.end()
      await stop()
    }
    return { admin, template, edition, owner, urlOf, close }
  } catch (error) {
    await admin.end().catch(() => {})
    await stop()
    throw error
  }
}

type Address = {
  readonly adminUrl: string
  /** Of the role that owns the test databases: no superuser where we can choose, as in the embedded database. */
  readonly ownerUrl: string
  readonly stop: () => Promise<void>
}

/** Its owner of databases is no superuser, whom no limit would hold for. */
const otherServer = async (url: string): Promise<Address> => {
  const [name, password] = ['coppice_test', 'password of the tests']
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    // Runs at the same time, and files of one run, share the role.
    await admin.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await admin.query<{ name: string }>(
      "select rolname as name from pg_roles where rolname in ($1, 'coppice_gsql')",
      [name],
    )
    const known = new Set(rows.map((row) => row.name))
    if (!known.has(name)) await admin.query(`create role ${name} login createrole password '${password}'`)
    // That of another service on this server.
    if (known.has('coppice_gsql')) await admin.query(`grant coppice_gsql to ${name} with admin option`)
  } finally {
    await admin.end()
  }
  const ownerUrl = Object.assign(new URL(url), { username: name, password }).href
  return { adminUrl: url, ownerUrl, stop: () => Promise.resolve() }
}

const ownServer = async (): Promise<Address> => {
  const cluster = await openCluster({
    installation: await testInstallation(),
    dir: join(await newDirectory('server'), 'postgres'),
    // A test may have several services, and pools beside them.
    connections: 270,
    // Nothing here outlives the run, so nothing has to reach the disk.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      shared_buffers: '128MB',
      max_wal_size: '1GB',
      min_dynamic_shared_memory: '0',
    },
    log: quietLog,
  })
  await makePasswordsCheap([cluster.adminUrl, cluster.url])
  return { adminUrl: cluster.adminUrl, ownerUrl: cluster.url, stop: () => cluster.stop() }
}

/** The same passwords, stored with one turn of hashing in place of 4096: each new connection takes some ms of a core less. */
const makePasswordsCheap = async (urls: readonly [adminUrl: string, ownerUrl: string]) => {
  const admin = new Client({ connectionString: urls[0] })
  await admin.connect()
  await admin.query('set scram_iterations = 1')
  for (const { username, password } of urls.map((url) => new URL(url)))
    await admin.query(`alter role ${username} password ${admin.escapeLiteral(decodeURIComponent(password))}`)
  await admin.end()
}

/** On a server that is not ours alone, drops what runs left there that are no longer alive: their lock is free. */
const sweep = async (admin: Client) => {
  await admin.query('select pg_advisory_lock(hashtext($1))', [run])
  const { rows } = await admin.query<{ name: string }>(
    `select distinct split_part(datname, '_', 3) as name from pg_database where datname ~ '^coppice_test_[0-9a-f]{8}_\\d+$'`,
  )
  for (const { name } of rows) {
    const lock = await admin.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtext($1)) as taken', [name])
    if (lock.rows[0]!.taken) await dropRun(admin, name)
  }
}

const dropRun = async (admin: Client, name: string) => {
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
    `^coppice_test_${name}_\\d+$`,
  ])
  for (const { datname } of rows) {
    await admin.query(`alter database ${datname} is_template false`)
    await admin.query(`drop database ${datname} with (force)`)
  }
}
