// The service as one value: everything opened in order on a migrated database, and closed in the reverse
// order. main.ts runs it; the tests open as many as they like.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAccess } from './access/guard.ts'
import { openApp } from './app.ts'
import { listenOftenIfPossible } from './base/http/accept.ts'
import { hostOf } from './base/http/address.ts'
import { mostClientConnections } from './base/http/client-connections.ts'
import type { Clock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import type { Leaving } from './base/http/leave.ts'
import { closeGradually, proxySeesWithinMs, tellProxies } from './base/http/leave.ts'
import type { Lender } from './base/http/limit.ts'
import { openLimiter } from './base/http/limit.ts'
import { openReading } from './base/http/reading.ts'
import type { Log } from './base/log.ts'
import { besidePlaces, divideConnections } from './base/database/connections.ts'
import { filesLeft, partWithFiles } from './base/open-files.ts'
import { openSecrets, randomToken } from './base/secret.ts'
import { openPool, within } from './base/database/pool.ts'
import { databaseConnections } from './base/database/pulse.ts'
import type { World } from './base/world.ts'
import { BlobStore } from './core/file/blob-store.ts'
import { Ingestion } from './core/sample/ingest.ts'
import { databaseBytes } from './core/installation.ts'
import { countsIn, openExchange } from './core/limit-use.ts'
import { openDeriver } from './core/derive/deriver.ts'
import { showSamples } from './feed/read.ts'
import { compileDerivation } from './gsql/derivation.ts'
import { openCompiler } from './gsql/compiler.ts'
import type { Compiler } from './gsql/compiler.ts'
import { openCallLog } from './connector/call-log.ts'
import { openRuns } from './import/runs.ts'
import { openWorkbench } from './import/workbench.ts'
import { openLive } from './live/routes.ts'
import { openMqtt, usualLimits } from './mqtt/server.ts'
import type { MqttLimits } from './mqtt/server.ts'
import { showAggregates, showDerived } from './background-metrics.ts'
import { showImports } from './import-metrics.ts'
import type { Metrics } from './metrics.ts'
import { chooseScriptPlace, openReadPlaces, routeReadings, showStandbys } from './read-places.ts'
import { openMetrics, readOnce } from './metrics.ts'

export type Service = {
  readonly world: World
  readonly server: Server
  /** http://127.0.0.1:8080, with the port that was really opened. */
  readonly url: string
  /** The port of MQTT that was really opened. */
  readonly mqttPort: number | undefined
  /** Prepares the parts that the first call of its kind would wait for. */
  readonly warmUp: () => void
  /** Tells proxies in front that it is about to end, and serves them until they have seen that. */
  readonly leave: () => Promise<void>
  /** Takes no new connections; those that are open are asked to leave with their next reply, and cut after a while. */
  readonly stopListening: () => void
  /** Answers the calls under way, and lets go of the database. */
  readonly close: () => Promise<void>
}

export type ServiceOptions = {
  readonly config: Config
  readonly databaseUrl: string
  readonly masterKey: string
  readonly clock: Clock
  readonly log: Log
  /** In a process of several: the process that lends the calls of rate limits. */
  readonly lender?: Lender | undefined
  /** The uid of the server, for all its processes. */
  readonly serverUid?: string
  readonly metrics?: Metrics
  /** Likewise: the process that gathers the metrics of all of them. */
  readonly metricsText?: () => Promise<string>
  /** Shared by several services in one process; its opener closes it. */
  readonly compiler?: Compiler
  /** Whether several new connections are taken in one turn of the loop. */
  readonly takesMany?: boolean
  readonly mqttLimits?: MqttLimits
}

/** The most time of a statement of a change, or of an upload that creates: a million samples need less. */
const changeMs = 60_000
const changeLockMs = 10_000
const accessMs = 10_000
const sizeEveryMs = 60_000

const fewFiles =
  'a process may open too few files for all connections, and takes fewer: raise `ulimit -n`, or LimitNOFILE of systemd'

export const openService = async ({
  config: given,
  databaseUrl,
  masterKey,
  clock,
  log,
  lender,
  serverUid = randomToken(),
  metrics = openMetrics(),
  metricsText = () => metrics.registry.metrics(),
  compiler: sharedCompiler,
  takesMany = false,
  mqttLimits = usualLimits,
}: ServiceOptions): Promise<Service> => {
  // PORT=0 and MQTT_PORT=0 become the ports that were opened, for all texts that name our address.
  const config: { -readonly [Name in keyof Config]: Config[Name] } = { ...given }
  const connections = divideConnections(config.databaseConnections)
  const sql = openPool(databaseUrl, {
    connections: connections.calls,
    name: 'coppice',
    // A stuck transaction must not hold its locks, nor the write gate, for ever.
    settings: {
      ...within(changeMs, changeLockMs),
      idle_in_transaction_session_timeout: String(changeMs + config.gsqlTimeoutMs),
    },
  })
  const readPlaces = openReadPlaces(config, databaseUrl, sql)
  const { primary, places, standbys } = readPlaces
  const { readSql, listSql } = routeReadings(readPlaces)
  const world: World = { config, sql, readSql, listSql, clock, log }
  const deriver = openDeriver(clock, compileDerivation)
  const ingestion = await Ingestion.open(world, databaseUrl, deriver)
  const store = new BlobStore(world, databaseUrl, { standbys })
  const secrets = openSecrets(masterKey)
  // A pool of its own, so that callers who read much do not keep others from being recognized.
  const accessSql = openPool(databaseUrl, {
    connections: connections.access,
    queries: connections.access,
    name: 'coppice access',
    settings: within(accessMs, accessMs),
  })
  const access = openAccess({ ...world, sql: accessSql }, secrets)
  const exchange = openExchange(accessSql, clock, serverUid, log)
  const limiter = openLimiter(config.rateLimits, clock, { lender, exchange, failures: countsIn(accessSql) })
  if (config.rateLimits !== 'off') exchange.start()
  metrics.gauge('coppice_database_connections', 'Connections to the database that are open', databaseConnections)
  metrics.gauge('coppice_waiting_samples', 'Samples that wait for the next commit', () => ingestion.writer.waitingRows)
  metrics.total(
    'coppice_stored_samples_total',
    'Samples that were stored by uploads, files, sinks, scripts and imports',
    () => ingestion.storedSamples,
  )
  const bytes = readOnce(() => databaseBytes(sql), sizeEveryMs)
  metrics.gauge('coppice_database_bytes', 'The database on its disk', () => bytes().catch(() => Number.NaN), 'max')
  showAggregates(metrics, world)
  showDerived(metrics, world)
  const scriptPools = { primary, choose: () => chooseScriptPlace(readPlaces) }
  const compiler = sharedCompiler ?? openCompiler({ maxBytes: config.gsqlMaxScriptBytes })
  const bench = openWorkbench({ world, ingestion, secrets, compiler, databaseUrl })
  const sinkCalls = openCallLog(world)
  const imports = { bench, runs: openRuns(bench) }
  showImports(metrics, world)
  if (standbys) showStandbys(metrics, standbys)
  const reading = openReading(config.readTimeoutMs, connections.readings - besidePlaces)
  const { guardLasting, settle } = access
  const live = openLive({ world, sql: accessSql, reading, guardLasting, settle, showSamples })
  metrics.gauge('coppice_live_listeners', 'Listeners of live feeds', live.size)
  const leaving: Leaving = { isLeaving: false }
  const ofMqtt = config.mqttPort === undefined ? 0 : usualLimits.mostConnections + usualLimits.mostStrangers
  const hasProxies = config.trustedProxies.length > 0
  const ofHttp = mostClientConnections * (hasProxies ? 2 : 1)
  const part = partWithFiles(ofHttp + ofMqtt, config.databaseConnections)
  const mostConnections = Math.floor(part * mostClientConnections)
  const leftByOthers = filesLeft(part * (mostClientConnections + ofMqtt), config.databaseConnections)
  const mostOfProxies = Math.max(mostConnections, Math.floor(leftByOthers))
  if (part < 1) log.warn({ connections: mostConnections }, fewFiles)
  const parts = {
    world,
    access,
    secrets,
    limiter,
    ingestion,
    store,
    scriptPools,
    compiler,
    sinkCalls,
    imports,
    deriver,
    reading,
    live,
    metrics,
    metricsText,
    leaving,
    mostConnections,
    mostOfProxies,
  }
  const { server, clients, turns, put, recognize } = openApp(parts)
  await listen(server, config)
  const further = takesMany ? await listenOftenIfPossible(server, backlog, log) : []
  const mqtt =
    config.mqttPort === undefined
      ? undefined
      : await openMqtt({
          world,
          port: config.mqttPort,
          takesMany,
          turns,
          put,
          recognize,
          limits: {
            ...mqttLimits,
            mostConnections: Math.min(mqttLimits.mostConnections, Math.floor(part * usualLimits.mostConnections)),
            mostStrangers: Math.min(mqttLimits.mostStrangers, Math.floor(part * usualLimits.mostStrangers)),
          },
        })
  metrics.gauge('coppice_mqtt_connections', 'MQTT connections that are open', () => mqtt?.size() ?? 0)
  let left: Promise<void> | undefined
  let closing: Promise<void> | undefined
  let closed: Promise<void> | undefined
  config.port = (server.address() as AddressInfo).port
  config.mqttPort = mqtt?.port
  const closeConnections = () =>
    closeGradually([server, ...further], clients, left && hasProxies ? proxySeesWithinMs : 0)
  const closeAll = async () => {
    // Stopped first, so that callers who wait for the end of a run are answered.
    await imports.runs.stop()
    await Promise.all([live.stop(), mqtt?.close()])
    await (closing ??= closeConnections())
    await Promise.all([ingestion.close(), store.close(), exchange.stop(), sinkCalls.flush()])
    if (sharedCompiler === undefined) await compiler.close()
    standbys?.close()
    const ofPlaces = [primary, ...places.values()].flatMap((place) => [place.readSql, place.listSql, place.scripts.sql])
    const pools = new Set([sql, accessSql, bench.pool, ...ofPlaces])
    await Promise.all([...pools].map((pool) => pool.end({ timeout: 1 })))
  }
  return {
    world,
    server,
    url: `http://${hostOf(config)}:${config.port}`,
    mqttPort: mqtt?.port,
    warmUp: compiler.warmUp,
    leave: () => (left ??= tellProxies(leaving, hasProxies)),
    stopListening: () => {
      void live.stop()
      void mqtt?.close()
      closing ??= closeConnections()
    },
    // A worker may be asked twice: by a supervisor that signals all processes at once, and by the primary.
    close: () => (closed ??= closeAll()),
  }
}

/**
 * Connections that wait to be taken; the kernel has a limit of its own, on Linux mostly as large. Where there is no room
 * for one, its client tries again after 1, 3, 7 and 15 s: with Node's 511, a caller who opened 760 at once made others
 * wait for 16 s.
 */
const backlog = 4096

const listen = (server: Server, { host, port }: Config) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
