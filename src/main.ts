// Start: read the configuration, open the database (bringing one along when none is named), migrate, listen,
// start the jobs; and stop cleanly. Every reason not to start is one sentence and exit 1; arguments are answered by the
// usage.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { systemClock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import { ConfigError, readConfig } from './base/config.ts'
import { connectionsInAll } from './base/database/connections.ts'
import { tooManyConnectionsAdvice } from './base/errors.ts'
import { foreseeableHashesAdvice, hasForeseeableHashes } from './base/hashes.ts'
import type { Log } from './base/log.ts'
import { openLog } from './base/log.ts'
import { findMasterKey, keepMasterKey, masterKeyPath } from './base/master-key.ts'
import { migrate } from './base/database/migrate.ts'
import { openSecrets, randomToken } from './base/secret.ts'
import { openPool } from './base/database/pool.ts'
import { StartError } from './base/start-error.ts'
import { waitForDatabase } from './base/database/wait.ts'
import type { FirstSecrets } from './core/bootstrap.ts'
import { bootstrap } from './core/bootstrap.ts'
import { checkMasterKey, isNewInstallation, wrongMasterKey } from './core/installation.ts'
import { closeEverybodysDoors } from './core/sql-role/sql-role.ts'
import { asAdmin } from './embedded/cluster.ts'
import type { Cluster } from './embedded/cluster.ts'
import { lockDataDirectory } from './embedded/lock.ts'
import { openEmbedded } from './embedded/open.ts'
import { startJobs } from './jobs.ts'
import type { Service } from './service.ts'
import { openService } from './service.ts'
import { runWorker, startWorkers } from './workers.ts'

/** Closes everything that was opened, last first. */
type Closing = (() => Promise<void>)[]

const start = async (config: Config, log: Log, closing: Closing): Promise<void> => {
  const lock = await lockDataDirectory(config.dataDir)
  closing.push(lock.release)
  await tryPort(config)
  if (hasForeseeableHashes()) log.warn(foreseeableHashesAdvice)
  const own = config.databaseUrl === undefined ? await openOwnDatabase(config, log, closing) : undefined
  const databaseUrl = config.databaseUrl ?? own!.url
  if (config.databaseUrl) await waitForDatabase(config.databaseUrl, say)
  const { edition, postgres, timescaledb, connections } = await migrate(databaseUrl, log)
  // Of roles that a version before has made.
  if (own) await closeDoors(asAdmin(own))
  log.info(
    { postgres, timescaledb, edition },
    `TimescaleDB ${timescaledb}, ${edition} edition, on PostgreSQL ${postgres}`,
  )

  const wanted = databaseConnectionsInAll(config)
  if (wanted > connections)
    log.warn(
      `this server opens up to ${wanted} connections, and the database has ${connections} for it: ` +
        'raise its max_connections, or lower DATABASE_CONNECTIONS or WORKERS',
    )

  const { masterKey, first } = await prepare(config, databaseUrl, log)
  const options = { config, databaseUrl, masterKey, clock: systemClock, log }
  const url =
    config.workers === 1
      ? await serveHere(await openService({ ...options, takesMany: true }), databaseUrl, closing)
      : await startWorkers(options, closing)
  if (first) welcome(config.baseUrl ?? url, first)
  log.info(`listening on ${url}`)
}

const databaseConnectionsInAll = ({ databaseConnections, workers }: Config) =>
  connectionsInAll(databaseConnections, workers)

/** Tried before anything is made: the first secrets are shown when all is well, and only then. */
const tryPort = async ({ host, port }: Config): Promise<void> => {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

const openOwnDatabase = async (config: Config, log: Log, closing: Closing): Promise<Cluster> => {
  const { dataDir, embeddedPort: port } = config
  const database = await openEmbedded({
    dataDir,
    connections: databaseConnectionsInAll(config),
    port,
    log,
    progress: say,
  })
  closing.push(database.stop)
  return database
}

const closeDoors = async (adminUrl: string): Promise<void> => {
  const admin = openPool(adminUrl, { connections: 1, name: 'coppice start' })
  try {
    await closeEverybodysDoors(admin)
  } finally {
    await admin.end({ timeout: 1 })
  }
}

/** A database that knows another key must not be given a new one. */
const keptMasterKey = async (config: Config, mayMake: boolean): Promise<string> => {
  const { dataDir } = config
  try {
    if (mayMake) await keepMasterKey(dataDir, randomToken())
  } catch (error) {
    throw new StartError(
      `The master key cannot be written to ${masterKeyPath(dataDir)}: ${(error as Error).message}.`,
      error,
    )
  }
  const kept = await findMasterKey(config)
  if (kept === undefined) throw wrongMasterKey()
  return kept
}

const prepare = async (config: Config, databaseUrl: string, log: Log) => {
  const sql = openPool(databaseUrl, { connections: 1, name: 'coppice start' })
  try {
    const masterKey = config.masterKey ?? (await keptMasterKey(config, await isNewInstallation(sql)))
    const secrets = openSecrets(masterKey)
    await checkMasterKey(sql, secrets)
    return { masterKey, first: await bootstrap({ config, sql, readSql: sql, clock: systemClock, log }, secrets) }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const serveHere = async (service: Service, databaseUrl: string, closing: Closing): Promise<string> => {
  closing.push(service.close)
  const jobs = startJobs(service.world, databaseUrl)
  closing.push(jobs.stop)
  closing.push(async () => service.stopListening())
  closing.push(service.leave)
  service.warmUp()
  return service.url
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const welcome = (url: string, { ownerEmail, ownerPassword, feedApiKey }: FirstSecrets): void => {
  // The shell expands a variable between double quotes only.
  const [key, quote] = feedApiKey ? [feedApiKey, "'"] : ['$FEED_API_KEY', '"']
  say(`
Coppice is ready. What follows is shown only this once.

  Studio     ${url}/
  Owner      ${ownerEmail}
  Password   ${ownerPassword ?? '(from OWNER_PASSWORD)'}
  API key    ${feedApiKey ?? '(from FEED_API_KEY)'}

  Upload a sample:
  curl -X PUT ${quote}${url}/api/feed?compId=Boiler&temp=20.1&api_key=${key}${quote}

  Read it back:
  curl ${quote}${url}/api/comp/Boiler/feed?retStreamId&api_key=${key}${quote}
`)
}

/** The last connections are closed after eight seconds (leave.ts), pools a second later; containers are killed after ten. */
const stopWithinMs = 9500
/** An embedded database is stopped after that (embedded/postmaster.ts). */
const stopDatabaseWithinMs = 5000

// Left to itself, V8 looks for garbage when the heap is four times its live part: an overload then took 420 MB. With
// less than a third as much again, and the room that bodies have (base/http/room.ts), it takes 360 to 377.
setFlagsFromString('--heap-growing-percent=30')

const usage = `Coppice: a time-series data service.

usage: node dist/main.js      (npm start builds it first)

It takes no arguments: variables configure it, HOST, PORT, DATA_DIR, DATABASE_URL and others.
All of them: docs/operations.md#configuration. Everything else: docs/README.md, and /docs of a running service.
From a shell: npx coppice help
`

/** The end of a start with arguments, which are none of a server's; undefined without any. */
const statusOf = ([argument, ...others]: readonly string[]): 0 | 2 | undefined => {
  if (argument === undefined) return undefined
  if (others.length === 0 && ['--help', '-h', 'help'].includes(argument)) {
    process.stdout.write(usage)
    return 0
  }
  process.stderr.write(`A server takes no arguments, such as '${argument}'.\n\n${usage}`)
  return 2
}

const run = async (): Promise<void> => {
  process.exitCode = statusOf(process.argv.slice(2))
  if (process.exitCode !== undefined) return
  const config = readConfig()
  const log = openLog(config.logLevel)
  if (cluster.isWorker) return runWorker(config, log)
  const closing: Closing = []
  let isStopping = false
  const stop = async (status: number): Promise<void> => {
    // Ctrl-C under npm arrives twice, from the terminal and from npm; the stop has its own time limit.
    if (isStopping) return
    isStopping = true
    const withinMs = config.databaseUrl ? stopWithinMs : stopWithinMs + stopDatabaseWithinMs
    setTimeout(() => process.exit(status), withinMs).unref()
    for (const close of closing.toReversed())
      await close().catch((error: unknown) => log.error({ err: error }, 'not closed'))
    log.flush()
    process.exit(status)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!isStopping) log.info(`stopping: ${signal}`)
      void stop(0)
    })
  try {
    await start(config, log, closing)
  } catch (error) {
    say(sentence(error))
    await stop(1)
  }
}

/** The place of an error, as Node reports it. */
type Place = { readonly port?: number; readonly address?: string; readonly hostname?: string }

/** The report of a start that failed: a sentence when it is the user's to mend, all of it when it is ours. */
const sentence = (error: unknown): string => {
  if (error instanceof StartError) return error.message
  const { code, port, address, hostname, stack, message } = error as NodeJS.ErrnoException & Place
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is in use by another program: stop it, or set PORT.`
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be opened by this user: set PORT.`
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}: set HOST.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host ${hostname} is not known: set HOST.`
  if (code === '53300') return `The database takes no more connections: ${tooManyConnectionsAdvice}.`
  if (code === 'ENOSPC' || code === '53100') return `The disk is full: ${message}.`
  return stack ?? message
}

try {
  await run()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  for (const problem of error.problems) say(problem)
  process.exitCode = 1
}
