// The pool of connections: postgres.js, with times as epoch milliseconds, that outlives its database.
//
// Single queries share connections of one driver's pool. When one of these is lost, the driver's pool is replaced by
// a new one (database-socket.ts says why); queries under way on connections that are still good end there. A
// transaction has a driver of its own, with one connection: what the driver reserves of its pool it can lose. While
// the database cannot be reached, every query fails at once.
//
// Postgres keeps every statement that a connection has prepared, with its plan, until the connection ends. A driver whose
// statements have become too many is replaced.
import assert from 'node:assert/strict'
import postgres from 'postgres'
import { DriverSocket, openSocket, SocketError } from './database-socket.ts'
import type { SocketEnd, Target } from './database-socket.ts'
import { databaseTarget, sessionSettings } from './database-url.ts'
import { watched } from './pulse.ts'
import { integerFromText, msFromTimestamptz, timestamptzFromMs } from './sql.ts'
import type { Pool, Transaction } from './sql.ts'

type PoolOptions = {
  /** As many transactions, and half as many connections for single queries, which may wait on one another. */
  readonly connections: number
  readonly name: string
  /** Settings of the database that hold for every connection, such as a role. */
  readonly settings?: Readonly<Record<string, string>>
}

const socketTimeoutMs = 1000
const signInTimeoutSeconds = 1.5
// A database that cannot be reached is asked again this often, however many queries want it.
const askAgainAfterMs = 100
const replaceAfterMs = 1000

/** A driver, until a connection of it is lost, or has more statements than it may. */
type Driver = { readonly sql: Pool; sockets: number; isLost: boolean; isFull: boolean }

/** A pool that can also be asked on a connection that nobody else uses meanwhile, without a transaction. */
export type LendingPool = Pool & { readonly lend: <T>(work: (sql: Pool) => Promise<T>) => Promise<T> }

/** Of statements that a connection may have prepared, as they went there. */
const maxPreparedBytes = 128 * 1024
// By then all that was asked of a driver that is replaced has been answered.
const endFullAfterMs = 60_000

type Work = (sql: Transaction) => Promise<unknown>

export const openPool = (databaseUrl: string, { connections, name, settings }: PoolOptions): LendingPool => {
  const startDriver = driverMaker(databaseUrl, name, settings)
  const drivers = new Set<Driver>()
  let ending: Promise<unknown> | undefined

  const start = (max: number): Driver => {
    const driver = startDriver(max, () => {
      if (driver.sockets === 0) drivers.delete(driver)
      // Not at once: when the database goes, so do the others.
      else setTimeout(() => void (driver.sockets > 0 && driver.sql.end()), replaceAfterMs).unref()
    })
    drivers.add(driver)
    return driver
  }

  const retire = (driver: Driver): void => {
    driver.isLost = true
    drivers.delete(driver)
    void driver.sql.end()
  }

  let shared: Driver | undefined
  const sql = (): Pool => {
    if (shared?.isFull && !shared.isLost && !ending) {
      const full = shared
      // Not at once: what waits in the driver's queue would be forgotten.
      setTimeout(() => retire(full), endFullAfterMs).unref()
      shared = undefined
    }
    if (shared === undefined || (shared.isLost && !ending)) shared = start(Math.ceil(connections / 2))
    return shared.sql
  }

  const idle: Driver[] = []
  const waiting: ((driver: Driver) => void)[] = []
  let alone = 0
  const take = (): Driver | Promise<Driver> => {
    for (let driver = idle.pop(); driver; driver = idle.pop()) {
      if (!driver.isLost) return driver
      alone -= 1
    }
    if (alone >= connections) return new Promise((resolve) => waiting.push(resolve))
    alone += 1
    return start(1)
  }
  const give = (driver: Driver): void => {
    if (driver.isFull && !driver.isLost && !ending) retire(driver)
    const next = waiting.shift()
    if (next) next(driver.isLost ? start(1) : driver)
    else idle.push(driver)
  }

  const begin = async (...given: readonly [Work] | readonly [mode: string, Work]): Promise<unknown> => {
    const [mode, work] = given.length === 1 ? ['', given[0]] : given
    const driver = await take()
    try {
      return await runTransaction(driver, mode, work)
    } finally {
      give(driver)
    }
  }
  const lend = async (work: (sql: Pool) => Promise<unknown>): Promise<unknown> => {
    const driver = await take()
    try {
      return await work(driver.sql)
    } finally {
      give(driver)
    }
  }
  const end = (options?: { timeout?: number }): Promise<unknown> => {
    sql()
    return (ending ??= Promise.all([...drivers].map((driver) => driver.sql.end(options))))
  }

  // The driver's own functions need no `this`, so they can be handed out as they are.
  return new Proxy((() => {}) as unknown as LendingPool, {
    apply: (_target, _this, given: unknown[]) => (sql() as (...args: unknown[]) => unknown)(...given),
    get: (_target, property) => {
      if (property === 'begin') return begin
      if (property === 'lend') return lend
      if (property === 'end') return end
      assert.notEqual(property, 'reserve', 'a transaction keeps a connection, reserve() may lose it')
      return Reflect.get(sql(), property) as unknown
    },
  })
}

/** On a driver with one connection, which nobody else uses meanwhile. */
const runTransaction = async (driver: Driver, mode: string, work: Work): Promise<unknown> => {
  const { sql } = driver
  await sql.unsafe(`begin ${mode}`)
  let result: unknown
  let isOver = false
  try {
    // Who fails may have a branch that is still at it: its queries must not follow the rollback, where each would be
    // stored by itself, nor come into the transaction that has the connection next.
    const asked = guarded(sql, () => {
      if (isOver) throw new Error('the transaction is over')
    })
    result = await work(asked as unknown as Transaction)
    isOver = true
  } catch (error) {
    isOver = true
    await sql`rollback`.catch(() => {
      // Whatever it is, the next transaction must not begin in this one.
      driver.isLost = true
      void sql.end({ timeout: 0 })
    })
    throw error
  }
  const { command } = await sql`commit`
  // Postgres answers so where a query has failed and nobody cared.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back because a query in it had failed')
  return result
}

/** The same tag, in transactions too, which checks before each query whether it may still be asked. */
export const guarded = (sql: Pool, check: () => void): Pool =>
  new Proxy(sql, {
    apply: (target, _this, given: unknown[]) => {
      check()
      return (target as (...args: unknown[]) => unknown)(...given)
    },
    get: (target, property) => {
      check()
      if (property === 'begin')
        return (...given: readonly [Work] | readonly [mode: string, Work]) => {
          const [mode, work] = given.length === 1 ? ['', given[0]] : given
          return target.begin(mode, (inside) =>
            work(guarded(inside as unknown as Pool, check) as unknown as Transaction),
          )
        }
      return Reflect.get(target, property) as unknown
    },
  })

const timestamptz = { to: 1184, from: [1184], serialize: timestamptzFromMs, parse: msFromTimestamptz }
const int8 = { to: 20, from: [20], serialize: String, parse: integerFromText }

/** Items of a list as Postgres writes them: {1,"two, or so",NULL}. */
const splitArray = (text: string): readonly (string | null)[] =>
  [...text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)].map(([item, inner]) =>
    inner === undefined ? (item === 'NULL' ? null : item) : inner.replace(/\\(.)/gs, '$1'),
  )

const arrayOf = <T>(oid: number, serialize: (item: T) => string, parse: (text: string) => unknown) => ({
  to: oid,
  from: [oid],
  /** A text is a list that somebody has written already. */
  serialize: (items: readonly (T | null)[] | string) =>
    typeof items === 'string'
      ? items
      : `{${items.map((item) => (item === null ? 'null' : quoted(serialize(item)))).join(',')}}`,
  parse: (text: string) => splitArray(text).map((item) => (item === null ? null : parse(item))),
})

const quoted = (text: string) => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`

const typeHandlers = {
  timestamptz,
  int8,
  bools: arrayOf<boolean>(1000, String, (text) => text === 't'),
  int4s: arrayOf<number>(1007, String, Number),
  texts: arrayOf<string>(1009, String, String),
  int8s: arrayOf<number | bigint>(1016, String, integerFromText),
  float8s: arrayOf<number>(1022, String, Number),
  timestamptzs: arrayOf<number>(1185, timestamptzFromMs, msFromTimestamptz),
}

/** TimescaleDB's Community edition refuses to change more than 100,000 compressed rows at once unless told otherwise. */
const unlimited = { 'timescaledb.max_tuples_decompressed_per_dml_transaction': '0' }

/** Drivers of one database know together whether it can be reached. */
const driverMaker = (databaseUrl: string, name: string, settings: PoolOptions['settings']) => {
  const { url, tls } = databaseTarget(databaseUrl)
  let failure: { readonly error: Error; readonly untilMs: number } | undefined
  const fail = (error: Error) => {
    failure = { error, untilMs: performance.now() + askAgainAfterMs }
  }
  return (max: number, onLoss: () => void): Driver => {
    const connect = async (target: Target): Promise<DriverSocket> => {
      if (failure && performance.now() < failure.untilMs) return new DriverSocket(failure.error)
      if (driver.isLost) return new DriverSocket(new SocketError('CONNECTION_CLOSED', 'the connection was lost'))
      try {
        const socket = watched(databaseUrl, await openSocket(target, tls, socketTimeoutMs))
        driver.sockets += 1
        const onEnd = (end: SocketEnd, reason: Error) => {
          driver.sockets -= 1
          if (end === 'refused') fail(reason)
          if (end === 'closed') return
          driver.isLost = true
          onLoss()
        }
        return new DriverSocket(socket, onEnd, (bytes) => (driver.isFull ||= bytes > maxPreparedBytes))
      } catch (error) {
        fail(error as Error)
        return new DriverSocket(error as Error)
      }
    }
    const options = {
      max,
      connect_timeout: signInTimeoutSeconds,
      max_lifetime: null,
      // Every watched socket has it.
      keep_alive: null,
      backoff: () => 0,
      ssl: false,
      // An answer means that it is on disk, whatever the server's own default (decisions 2.18).
      connection: {
        application_name: name,
        TimeZone: 'UTC',
        synchronous_commit: 'on',
        ...sessionSettings,
        ...unlimited,
        ...settings,
      },
      // The driver would ask each connection for the types of arrays, and end the process when that fails.
      fetch_types: false,
      types: typeHandlers,
      onnotice: () => {},
      // An option that the types do not list.
      socket: connect,
    }
    const driver: Driver = { sockets: 0, isLost: false, isFull: false, sql: postgres(url, options) }
    return driver
  }
}
