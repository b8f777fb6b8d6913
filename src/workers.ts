// WORKERS > 1: the primary keeps the database, the jobs and the rate limits' ledger, and each worker is a
// process that serves the same port. A worker that dies is replaced.
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { RegistryContentType } from 'prom-client'
import { systemClock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import { lenderFrom, openLedger } from './base/http/limit-ledger.ts'
import type { Port } from './base/http/limit-ledger.ts'
import type { Log } from './base/log.ts'
import { randomToken } from './base/secret.ts'
import { startJobs } from './jobs.ts'
import { openMetrics } from './metrics.ts'
import type { ServiceOptions } from './service.ts'
import { openService } from './service.ts'

/** The facts that the primary sends a new worker, which cannot know them from its environment. */
type Orders = {
  readonly orders: { readonly databaseUrl: string; readonly masterKey: string; readonly serverUid: string }
}
/** The metrics of all workers together, asked for by one of them and given by the primary. */
type MetricsAsked = { readonly metricsAsked: number }
type MetricsGiven = { readonly metricsGiven: number; readonly text: string }
/** The reports of a worker: it listens (messages sent earlier are lost), it serves, or it cannot. */
type WorkerReport =
  | { readonly ready: true }
  | { readonly listening: string }
  | { readonly failure: { readonly code?: string; readonly message: string } }

const restartAfterMs = 1000

/**
 * Each worker accepts from the port itself. Handed out in turn by the primary, connections on their way to a worker that
 * is killed stayed open and were never answered: 8 to 14 of them in 15 kills under load, none so. Measured over 90
 * connections, three workers had 22 to 40 each.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Gives the address once all workers serve it. */
export const startWorkers = async (options: ServiceOptions, closing: (() => Promise<void>)[]): Promise<string> => {
  const { config, databaseUrl, masterKey, clock, log } = options
  const ledger = config.rateLimits === 'off' ? undefined : openLedger(config.rateLimits, clock, config.workers)
  const allMetrics = new AggregatorRegistry()
  const serverUid = randomToken()
  let isStopping = false
  const startOne = async (): Promise<string> => {
    const worker = cluster.fork()
    const disconnect = ledger?.connect(portOf(worker))
    giveMetrics(allMetrics, portOf(worker))
    const url = listening(worker, { orders: { databaseUrl, masterKey, serverUid } })
    // A message to one that has just died, of which its end is not known yet.
    worker.on('error', (err) => log.warn({ worker: worker.id, err }, 'a worker was not reached'))
    worker.once('exit', (code, signal) => {
      disconnect?.()
      if (isStopping) return
      log.error({ worker: worker.id, exitCode: code, signal }, 'a worker ended and is replaced')
      setTimeout(() => {
        // A worker that cannot start has logged the reason and ends, and is tried again.
        if (isStopping) return
        const report = () => log.info({ instead: worker.id }, 'a worker serves in place of one that ended')
        startOne().then(report, (err: unknown) => log.error({ err }, 'a worker cannot start'))
      }, restartAfterMs)
    })
    return url
  }
  let ended: Promise<unknown> | undefined
  const endAll = async () => {
    isStopping = true
    await (ended ??= Promise.all(
      Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [endOf(worker)] : [])),
    ))
  }
  closing.push(endAll)
  const urls = await Promise.all(Array.from({ length: config.workers }, startOne))

  closing.push(startJobs({ config, clock, log }, databaseUrl).stop)
  // They take their time, while the jobs are stopped.
  closing.push(async () => void endAll())
  return urls[0]!
}

const portOf = (worker: Worker): Port => ({
  send: (message) => void (worker.isConnected() && worker.send(message)),
  onMessage: (receive) => void worker.on('message', receive),
})

const giveMetrics = (all: AggregatorRegistry<RegistryContentType>, { send, onMessage }: Port): void =>
  onMessage((message) => {
    if (typeof message !== 'object' || message === null || !('metricsAsked' in message)) return
    const { metricsAsked } = message as MetricsAsked
    const give = (text: string) => send({ metricsGiven: metricsAsked, text } satisfies MetricsGiven)
    all.clusterMetrics().then(give, (error: Error) => give(`# ${error.message}\n`))
  })

const askMetrics = ({ send, onMessage }: Port): (() => Promise<string>) => {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  onMessage((message) => {
    if (typeof message !== 'object' || message === null || !('metricsGiven' in message)) return
    const { metricsGiven, text } = message as MetricsGiven
    waiting.get(metricsGiven)?.(text)
    waiting.delete(metricsGiven)
  })
  return () =>
    new Promise((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      send({ metricsAsked: asked } satisfies MetricsAsked)
    })
}

const listening = (worker: Worker, orders: Orders): Promise<string> =>
  new Promise((resolve, reject) => {
    worker.on('message', (report: WorkerReport) => {
      if ('ready' in report) worker.send(orders)
      if ('listening' in report) resolve(report.listening)
      if ('failure' in report) reject(Object.assign(new Error(report.failure.message), report.failure))
    })
    worker.once('exit', () => reject(new Error('a worker ended before it could serve')))
  })

const endOf = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.kill('SIGTERM')
  })

/** The life of one worker. Its configuration is the primary's, because the environment is. */
export const runWorker = async (config: Config, log: Log): Promise<void> => {
  // Ctrl-C reaches the whole group; a worker waits for the primary's message.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(1))
  const { serverUid, ...orders } = await ordersFromPrimary()
  const port: Port = {
    send: (message) => void process.send?.(message),
    onMessage: (receive) => void process.on('message', receive),
  }
  const lender = config.rateLimits === 'off' ? undefined : lenderFrom(port, config.workers)
  const metrics = openMetrics()
  // Its constructor makes a worker answer the primary's collection.
  void new AggregatorRegistry()
  AggregatorRegistry.setRegistries(metrics.registry)
  const metricsText = askMetrics(port)
  try {
    const options = { config, ...orders, serverUid, clock: systemClock, log, lender, metrics, metricsText }
    const service = await openService({ ...options, takesMany: true })
    const stop = async () => {
      await service.leave()
      await service.close()
      process.exit(0)
    }
    process.on('SIGTERM', () => void stop())
    service.warmUp()
    port.send({ listening: service.url } satisfies WorkerReport)
  } catch (error) {
    const {
      code,
      message,
      port: wanted,
      address,
    } = error as NodeJS.ErrnoException & { port?: number; address?: string }
    const failure = { message, ...(code === undefined ? {} : { code }), port: wanted, address }
    process.send?.({ failure } satisfies WorkerReport, () => process.exit(1))
  }
}

const ordersFromPrimary = (): Promise<Orders['orders']> =>
  new Promise((resolve) => {
    process.on('message', (message: Orders) => {
      if ('orders' in message) resolve(message.orders)
    })
    process.send?.({ ready: true } satisfies WorkerReport)
  })
