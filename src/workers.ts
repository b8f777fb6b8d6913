// WORKERS > 1: the primary keeps the database, the jobs and the rate limits' ledger, and each worker is a
// process that serves the same port. A worker that dies is replaced.
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { systemClock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import { lenderFrom, openLedger } from './base/limit-ledger.ts'
import type { Port } from './base/limit-ledger.ts'
import type { Log } from './base/log.ts'
import { openPool } from './base/sql.ts'
import { startJobs } from './jobs.ts'
import type { ServiceOptions } from './service.ts'
import { openService } from './service.ts'

/** From the primary to a new worker: what it cannot know from its environment. */
type Orders = { readonly orders: { readonly databaseUrl: string; readonly masterKey: string } }
/** From a worker that can hear (what is sent earlier is lost), that serves, or that cannot. */
type News =
  | { readonly ready: true }
  | { readonly listening: string }
  | { readonly failure: { readonly code?: string; readonly message: string } }

const restartAfterMs = 1000

/** Gives the address once all workers serve it. */
export const startWorkers = async (options: ServiceOptions, closing: (() => Promise<void>)[]): Promise<string> => {
  const { config, databaseUrl, masterKey, clock, log } = options
  const ledger = config.rateLimits === 'off' ? undefined : openLedger(config.rateLimits, clock, config.workers)
  let isStopping = false
  const startOne = async (): Promise<string> => {
    const worker = cluster.fork()
    const disconnect = ledger?.connect(portOf(worker))
    const url = listening(worker, { orders: { databaseUrl, masterKey } })
    worker.once('exit', (code, signal) => {
      disconnect?.()
      if (isStopping) return
      log.error({ worker: worker.id, code, signal }, 'a worker ended and is replaced')
      setTimeout(() => void (isStopping || startOne().catch(() => {})), restartAfterMs)
    })
    return url
  }
  closing.push(async () => {
    isStopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [endOf(worker)] : [])))
  })
  const urls = await Promise.all(Array.from({ length: config.workers }, startOne))

  const sql = openPool(databaseUrl, { connections: 4, name: 'coppice jobs' })
  closing.push(() => sql.end({ timeout: 1 }))
  closing.push(startJobs({ config, sql, readSql: sql, clock, log }).stop)
  return urls[0]!
}

const portOf = (worker: Worker): Port => ({
  send: (message) => void (worker.isConnected() && worker.send(message)),
  onMessage: (receive) => void worker.on('message', receive),
})

const listening = (worker: Worker, orders: Orders): Promise<string> =>
  new Promise((resolve, reject) => {
    worker.on('message', (news: News) => {
      if ('ready' in news) worker.send(orders)
      if ('listening' in news) resolve(news.listening)
      if ('failure' in news) reject(Object.assign(new Error(news.failure.message), news.failure))
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
  // Ctrl-C reaches the whole group; a worker waits for the primary's word.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(1))
  const { databaseUrl, masterKey } = await ordersFromPrimary()
  const port: Port = {
    send: (message) => void process.send?.(message),
    onMessage: (receive) => void process.on('message', receive),
  }
  const lender = config.rateLimits === 'off' ? undefined : lenderFrom(port, config.workers)
  try {
    const service = await openService({ config, databaseUrl, masterKey, clock: systemClock, log, lender })
    process.on('SIGTERM', () => void service.close().then(() => process.exit(0)))
    port.send({ listening: service.url } satisfies News)
  } catch (error) {
    const {
      code,
      message,
      port: wanted,
      address,
    } = error as NodeJS.ErrnoException & { port?: number; address?: string }
    port.send({ failure: { message, ...(code === undefined ? {} : { code }), port: wanted, address } })
  }
}

const ordersFromPrimary = (): Promise<Orders['orders']> =>
  new Promise((resolve) => {
    process.on('message', (message: Orders) => {
      if ('orders' in message) resolve(message.orders)
    })
    process.send?.({ ready: true } satisfies News)
  })
