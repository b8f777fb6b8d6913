// The embedded database: made when there is none, started, watched and started again when it dies, stopped.
//
//   DIR/data              PostgreSQL's own, belongs to the user who runs it
//   DIR/password          of the roles postgres and coppice, readable by us alone
//   DIR/postgresql.conf   written at every start, and when the disk is nearly full or has room again
//   DIR/log               the server's messages
//
// It listens on 127.0.0.1 and lets nobody in without the password: other users of the machine are strangers.
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../base/log.ts'
import { StartError } from '../base/start-error.ts'
import { complaint } from './complaint.ts'
import { watchDisk } from './disk-watch.ts'
import { endChanges } from './end-changes.ts'
import { initialize, readPassword } from './initialize.ts'
import { dataPlace, ownerOf, refuseOthers } from './place.ts'
import { keepLogShort } from './log-file.ts'
import { clearLeftovers, hasEnded, runningPort, serverState, startPostmaster, stopChild } from './postmaster.ts'
import type { User } from './program.ts'
import type { Installation } from './provision.ts'
import { settingsFor, settingsText, thisMachine } from './settings.ts'
import type { Settings } from './settings.ts'

export type ClusterOptions = {
  readonly installation: Installation
  /** DIR above; made when missing. The caller holds the lock on the DATA_DIR it lies in. */
  readonly dir: string
  /** The connections that the servers on this database may open together. */
  readonly connections?: number
  /** Undefined: a free one. */
  readonly port?: number | undefined
  /** Settings beside and above those of settings.ts. */
  readonly settings?: Settings
  readonly log: Log
}

export type Cluster = {
  /** The database coppice as its owner, who is no superuser. */
  readonly url: string
  /** The database postgres as superuser, for copies and repairs. */
  readonly adminUrl: string
  readonly pid: () => number | undefined
  /** Calls the listener each time the server ended without being asked; it is then started again. */
  readonly onExit: (listener: (reason: string) => void) => void
  /** Resolves within five seconds. */
  readonly stop: () => Promise<void>
}

/** The database coppice as superuser. */
export const asAdmin = ({ url, adminUrl }: Pick<Cluster, 'url' | 'adminUrl'>): string =>
  Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href

/** The major version that the data in DIR were made with; undefined when there are none. */
export const clusterMajor = async (dir: string): Promise<number | undefined> => {
  const text = await readFile(join(dir, 'data', 'PG_VERSION'), 'utf8').catch(() => '')
  if (text === '') return undefined
  const major = Number.parseInt(text, 10)
  if (Number.isNaN(major))
    throw new StartError(`${join(dir, 'data', 'PG_VERSION')} does not name a version of PostgreSQL.`)
  return major
}

export const openCluster = async ({
  installation,
  dir,
  connections,
  port: wantedPort,
  settings,
  log,
}: ClusterOptions): Promise<Cluster> => {
  const place = await dataPlace(dir)
  const dataDir = join(place, 'data')
  await refuseOthers(dataDir)
  const major = await clusterMajor(place)
  if (major === undefined) {
    log.info({ dir: place }, 'making a new database')
    await initialize({ installation, place, durable: settings?.['fsync'] !== 'off' })
  } else if (major !== installation.major) throw wrongMajor(place, major, installation)

  const user = await ownerOf(dataDir)
  const password = await readPassword(place)
  const found = await clearLeftovers(dataDir)
  if (found !== 'nothing') log.warn({ dir: place }, `the last run left ${found} behind, which is cleared away`)

  const all = { ...settingsFor(await thisMachine(place), connections), ...settings }
  const server: Server = {
    installation,
    place,
    dataDir,
    user,
    settings: all,
    log,
    ending: new AbortController(),
    state: { isReadOnly: false },
  }
  const { child, port } = await (wantedPort === undefined ? startOnFreePort(server) : startOnPort(server, wantedPort))
  const url = urlsOf(password, port)
  try {
    await updateExtension(url('postgres', 'coppice'), installation)
    await closeOtherDatabases(url('postgres', 'coppice'))
  } catch (error) {
    await stopChild(child)
    throw error
  }
  const adminUrl = url('postgres', 'postgres')
  return { url: url('coppice', 'coppice'), adminUrl, ...watch(server, child, port, adminUrl) }
}

const urlsOf = (password: string, port: number) => (role: string, database: string) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`

/** The database of a server that runs already; undefined where none does. */
export const findRunning = async (dir: string): Promise<Pick<Cluster, 'url' | 'adminUrl'> | undefined> => {
  await refuseOthers(join(dir, 'data'))
  const port = await runningPort(join(dir, 'data'))
  if (port === undefined) return undefined
  const url = urlsOf(await readPassword(dir), port)
  return { url: url('coppice', 'coppice'), adminUrl: url('postgres', 'postgres') }
}

const wrongMajor = (place: string, made: number, { major, version }: Installation) =>
  new StartError(
    made > major
      ? `The data in ${place} were made by PostgreSQL ${made}, newer than the ${version} here: use that, or another DATA_DIR.`
      : `The data in ${place} were made by PostgreSQL ${made}, and the one here is ${version}: install PostgreSQL ${made} ` +
          'with TimescaleDB on this host, or carry the data over with `coppice backup` and `coppice restore`.',
  )

type Server = {
  readonly installation: Installation
  readonly place: string
  readonly dataDir: string
  readonly user: User | undefined
  readonly settings: Settings
  readonly log: Log
  /** Aborted by stop(). */
  readonly ending: AbortController
  /** Also at its next start, when it dies meanwhile. */
  readonly state: { isReadOnly: boolean }
}

const restartPausesMs = [100, 500, 1000, 2000, 5000]

const watch = (
  server: Server,
  first: ChildProcess,
  port: number,
  adminUrl: string,
): Pick<Cluster, 'pid' | 'onExit' | 'stop'> => {
  const { place, dataDir, log, ending } = server
  const listeners: ((reason: string) => void)[] = []
  let child = first
  let restarting: Promise<void> | undefined

  const restart = async () => {
    for (let attempt = 0; !ending.signal.aborted; attempt++) {
      try {
        await pause(restartPausesMs[attempt] ?? restartPausesMs.at(-1), undefined, { signal: ending.signal })
        await clearLeftovers(dataDir)
        child = await start(server, port)
        listen()
        // The disk's state may have changed while it started.
        await writeConfiguration(server)
        child.kill('SIGHUP')
        log.info({ dir: place }, 'the database is back')
        return
      } catch (error) {
        if (!ending.signal.aborted) log.error({ dir: place, err: error }, 'the database does not start')
      }
    }
  }
  const listen = () =>
    child.once('exit', (code, signal) => {
      if (ending.signal.aborted) return
      const reason = signal ? `was ended by ${signal}` : `ended with ${code}`
      log.error({ dir: place }, `the database ${reason}; it is started again`)
      restarting = restart()
      for (const listener of listeners) listener(reason)
    })
  listen()
  const logFile = keepLogShort(join(place, 'log'))
  const database = {
    setReadOnly: (isReadOnly: boolean) => setReadOnly(server, isReadOnly, child),
    end: (pid: number, what: 'statement' | 'connection') => endWork(pid, what, child),
    endChanges: () => endChanges(adminUrl),
  }
  const disk = watchDisk(place, database, log)
  return {
    pid: () => child.pid,
    onExit: (listener) => void listeners.push(listener),
    stop: async () => {
      ending.abort()
      await disk.stop()
      await logFile.stop()
      await restarting
      await stopChild(child)
    },
  }
}

/** Transactions that begin once it has read its settings again obey. */
const setReadOnly = async (server: Server, isReadOnly: boolean, child: ChildProcess) => {
  server.state.isReadOnly = isReadOnly
  await writeConfiguration(server)
  child.kill('SIGHUP')
}

const signalOf = { statement: 'SIGINT', connection: 'SIGTERM' } as const

/** By its number alone it could be a process of somebody else, which has come after it. */
const endWork = async (pid: number, what: keyof typeof signalOf, postmaster: ChildProcess): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (Number(/\) \S (\d+) /.exec(status)?.[1]) !== postmaster.pid) return false
  try {
    return process.kill(pid, signalOf[what])
  } catch {
    return false
  }
}

const cannotListen = /could not create any TCP\/IP sockets/

const startOnPort = async (server: Server, port: number): Promise<{ child: ChildProcess; port: number }> => {
  try {
    return { child: await start(server, port), port }
  } catch (error) {
    if (!cannotListen.test((error as Error).message)) throw error
    throw new StartError(
      `Port ${port} of 127.0.0.1 is in use by another program: stop it, or set EMBEDDED_PORT.`,
      error,
    )
  }
}

const startOnFreePort = async (server: Server): Promise<{ child: ChildProcess; port: number }> => {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { child: await start(server, port), port }
    } catch (error) {
      if (attempt === 5 || !cannotListen.test((error as Error).message)) throw error
    }
  }
}

/** Below the range that the kernel gives to outgoing connections, so that a restart finds its port still free. */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Resolves when the server takes connections. Recovery after a crash may take its time, and is reported. */
const start = async (server: Server, port: number): Promise<ChildProcess> => {
  const { installation, place, dataDir, user, log, ending } = server
  const logFile = join(place, 'log')
  const configFile = await writeConfiguration(server)
  const logged = await sizeOf(logFile)
  const child = await startPostmaster({ binDir: installation.binDir, dataDir, configFile, logFile, port, user })
  const sinceMs = Date.now()
  let toldMs = sinceMs
  while ((await serverState(dataDir, child.pid ?? 0)) !== 'ready') {
    if (hasEnded(child)) throw complaint(await textFrom(logFile, logged), place)
    if (ending.signal.aborted) {
      await stopChild(child)
      ending.signal.throwIfAborted()
    }
    if (Date.now() - toldMs > 5000) {
      toldMs = Date.now()
      log.info({ dir: place }, `the database is starting, ${Math.round((toldMs - sinceMs) / 1000)} s so far`)
    }
    await pause(20)
  }
  return child
}

const writeConfiguration = async ({ place, settings, state }: Server): Promise<string> => {
  const path = join(place, 'postgresql.conf')
  const text =
    '# Written at every start. For settings of your own use `alter system`, which is read after this file.\n' +
    "include 'data/postgresql.conf'\n" +
    settingsText({
      ...settings,
      ...(state.isReadOnly ? { default_transaction_read_only: 'on' } : {}),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    })
  try {
    // A name of its own: the disk's state may change while the server starts.
    const written = `${path}.${randomInt(2 ** 32)}`
    await writeFile(written, text)
    await chmod(written, 0o644)
    await rename(written, path)
    return path
  } catch (error) {
    throw complaint((error as Error).message, place, error)
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** The log since then; it may have been begun anew meanwhile. */
const textFrom = async (path: string, from: number): Promise<string> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const position = from <= size ? from : 0
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - position), position })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Data of an older TimescaleDB need the extension updated before anything else in a session touches it. Where no
 * update leads from theirs to ours, theirs is the newer.
 */
const updateExtension = async (url: string, { timescaledb }: Installation) => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('alter extension timescaledb update')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // 42704: a new database, which has no extension yet.
    if (code === '42704') return
    throw new StartError(`The data do not open with TimescaleDB ${timescaledb}, the one here: ${message}.`, error)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Those that every server has. Roles of people who ask by SQL (docs/bi.md) would have there what is taken from them in ours:
 * temporary tables and large objects, which fill the disk.
 */
const closeOtherDatabases = async (url: string) => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isOpen: boolean }>(
      `select has_database_privilege('public', 'postgres', 'connect') as "isOpen"`,
    )
    if (rows[0]!.isOpen) await client.query('revoke connect on database postgres, template1 from public')
  } catch (error) {
    // The disk is full, and it takes no changes; the next start comes.
    if (!['25006', '53100'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    await client.end().catch(() => {})
  }
}
