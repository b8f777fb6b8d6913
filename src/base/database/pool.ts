// The pool of connections: postgres.js, with times as epoch milliseconds, that outlives its database.
//
// Single queries share connections of one driver's pool. When one of these is lost, the driver's pool is replaced by a
// new one (socket.ts says why); queries under way on connections that are still good end there. A transaction has a
// driver of its own, with one connection: the driver can lose a connection that it reserves of its pool. So has a
// reading, which can be cancelled there. While the database cannot be reached, every query fails at once. Connections
// unused for a while are closed.
//
// Postgres keeps every statement that a connection has prepared, with its plan, until the connection ends. A driver whose
// statements have become too many is replaced.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { openPrimarySocket } from './primary.ts'
import { DriverSocket, openSocket, sendCancel, SocketError } from './socket.ts'
import type { Backend, SocketEnd, Target } from './socket.ts'
import { databaseTarget, searchPath, sessionSettings } from './url.ts'
import { watched } from './pulse.ts'
import { withBackslashes } from './quote.ts'
import { integerFromText, isStandbyLoss, msFromTimestamptz, timestamptzFromMs } from './sql.ts'
import type { Pool, Transaction } from './sql.ts'
import { StandbyLost } from '../errors.ts'
import { openShares } from '../shares.ts'
import type { Shares } from '../shares.ts'

type PoolOptions = {
  /** At most so many in all, but one of each kind at least. */
  readonly connections: number
  /** The connections for single queries, which may wait on one another; a third by default. */
  readonly queries?: number
  readonly name: string
  /** An unused connection is closed after this time, or up to twice as much. */
  readonly idleMs?: number
  /** Settings of the database that hold for every connection, such as a role. */
  readonly settings?: Readonly<Record<string, string>>
  /** For readings that a standby can answer; otherwise one is refused. */
  readonly mayBeStandby?: boolean
}

/** Settings by which the database ends every statement and every wait for a lock. */
export const within = (statementMs: number, lockMs: number) => ({
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
})

const socketTimeoutMs = 1000
// The pause between two tries to reach the database, for all queries together.
const askAgainAfterMs = 100
const replaceAfterMs = 1000
const usuallyIdleMs = 60_000

/** A driver, until a connection of it is lost, and why it was; or until it has more statements than it may. */
type Driver = {
  readonly sql: Pool
  sockets: number
  isLost: boolean
  reason?: Error
  isFull: boolean
  /** Cancels the query that is under way on a connection, by the server's names for that. */
  readonly cancel: (backend: Backend) => Promise<void>
}

/** The most bytes of statements that a connection may have prepared. */
const maxPreparedBytes = 128 * 1024
// By then all queries of a replaced driver have been answered.
const endFullAfterMs = 60_000

type Work = (sql: Transaction) => Promise<unknown>

export const openPool = (
  databaseUrl: string,
  {
    connections,
    queries = Math.ceil(connections / 3),
    name,
    settings,
    idleMs = usuallyIdleMs,
    mayBeStandby,
  }: PoolOptions,
): Pool => {
  const transactions = Math.max(1, connections - queries)
  const shares = openShares(transactions)
  const startDriver = driverMaker(databaseUrl, name, settings, mayBeStandby)
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
  let isSharedUsed = false
  const sql = (): Pool => {
    isSharedUsed = true
    if (shared?.isFull && !shared.isLost && !ending) {
      const full = shared
      // Not at once: queries that wait in the driver's queue would be forgotten.
      setTimeout(() => retire(full), endFullAfterMs).unref()
      shared = undefined
    }
    if (shared === undefined || (shared.isLost && !ending)) shared = start(queries)
    return shared.sql
  }

  /** The one used last is taken first. */
  const idle: Driver[] = []
  /** The number of them, from the lowest, that nobody has taken since the last look. */
  let unused = 0
  const waiting: ((driver: Driver) => void)[] = []
  let alone = 0
  const take = (): Driver | Promise<Driver> => {
    for (let driver = idle.pop(); driver; driver = idle.pop()) {
      unused = Math.min(unused, idle.length)
      if (!driver.isLost) return driver
      alone -= 1
    }
    if (alone >= transactions) return new Promise((resolve) => waiting.push(resolve))
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
  const own: Own = async (work, signal, enter) => {
    const leaveShare = await enter?.(shares)
    try {
      return await ownWork(work, signal)
    } finally {
      leaveShare?.()
    }
  }
  const ownWork = async (work: OwnWork, signal: AbortSignal | undefined): Promise<unknown> => {
    const driver = await take()
    // The query asked last: the driver knows its backend, which is that of all queries here.
    let last: { readonly state?: { readonly pid: number | null; readonly secret: number | null } } | undefined
    const endings: PromiseLike<unknown>[] = []
    const cancel = () => {
      const { pid, secret } = last?.state ?? {}
      if (pid && typeof secret === 'number') endings.push(driver.cancel({ pid, secret }))
    }
    signal?.addEventListener('abort', cancel)
    const leave = async () => {
      signal?.removeEventListener('abort', cancel)
      // Once a cancellation is known to be sent, a backend that is idle by then takes no notice of it.
      await Promise.all(endings)
      give(driver)
    }
    try {
      const note = (query: unknown) => (last = query as typeof last)
      const result = await work(ownSql(driver, note, (ended) => endings.push(ended)))
      void leave()
      return result
    } catch (error) {
      // The rollback comes after all other queries here. Outside a transaction it does no harm.
      await rollBack(driver)
      await leave()
      throw error
    }
  }
  // Not by the driver's own timer: nobody else may have the driver while it ends its connection.
  const closeUnused = (): void => {
    const gone = idle.splice(0, unused)
    alone -= gone.length
    unused = idle.length
    if (shared && !isSharedUsed) gone.push(shared)
    if (!isSharedUsed) shared = undefined
    isSharedUsed = false
    for (const driver of gone) void driver.sql.end().finally(() => drivers.delete(driver))
  }
  const timer = setInterval(closeUnused, idleMs).unref()

  const end = (options?: { timeout?: number }): Promise<unknown> => {
    clearInterval(timer)
    sql()
    return (ending ??= Promise.all([...drivers].map((driver) => driver.sql.end(options))))
  }

  // The driver's own functions need no `this`, so they can be handed out as they are.
  return new Proxy((() => {}) as unknown as Pool, {
    apply: (_target, _this, given: unknown[]) => (sql() as (...args: unknown[]) => unknown)(...given),
    get: (_target, property) => {
      if (property === 'begin') return begin
      if (property === 'end') return end
      if (property === ownProperty) return own
      if (property === sharesProperty) return shares
      assert.notEqual(property, 'reserve', 'a transaction keeps a connection, reserve() may lose it')
      return Reflect.get(sql(), property) as unknown
    },
  })
}

/**
 * Works on a connection that nobody else uses meanwhile. When the signal is aborted, the query that is under way there
 * is cancelled; the work must look at the signal before the next one.
 */
export const onOwnConnection = <T>(
  pool: Pool,
  signal: AbortSignal | undefined,
  work: (sql: Pool) => Promise<T>,
  enter?: Enter,
): Promise<T> => (Reflect.get(pool, ownProperty) as Own)(work, signal, enter) as Promise<T>

const ownProperty = Symbol('own')

/** A pool of a standby, and whether a connection of it shows all that a reading must see. */
export type Route = { readonly pool: Pool; readonly shows: (sql: Pool) => Promise<boolean> }

/**
 * The pool of the primary, whose readings go to a standby where `choose` gives one: transactions that only read, and
 * work on an own connection. `onLoss` gets the pool of a standby on which one has failed as it would not elsewhere.
 */
export const openRoutedPool = (
  primary: Pool,
  choose: () => Promise<Route | undefined>,
  onLoss: (pool: Pool) => void,
): Pool => {
  const routed = async (read: (pool: Pool) => Promise<unknown>): Promise<unknown> => {
    const route = await choose()
    if (route === undefined) return read(primary)
    try {
      return await read(checkedPool(route))
    } catch (error) {
      if (!isStandbyLoss(error)) throw error
      onLoss(route.pool)
      throw new StandbyLost(error)
    }
  }
  return withReadings(
    primary,
    (mode, work) => (mode.endsWith(readOnly) ? routed((pool) => pool.begin(mode, work)) : primary.begin(mode, work)),
    (work, signal, enter) => routed((pool) => onOwnConnection(pool, signal, work, enter)),
  )
}

/**
 * The pool of a standby whose connections are asked, in the same go as the reading itself, whether they show enough: one
 * name may stand for several servers. If not, what was read, or the error that came of it, means nothing.
 */
export const checkedPool = ({ pool, shows }: Route): Pool => {
  const own: Own = (work, signal, enter) => {
    const checked = async (sql: Pool) => {
      const isShown = shows(sql)
      isShown.catch(() => {})
      const result = await work(withShown(sql, isShown)).catch(async (error: unknown) => {
        if (await isShown.catch(() => true)) throw error
        throw behind()
      })
      if (!(await isShown)) throw behind()
      return result
    }
    return onOwnConnection(pool, signal, checked, enter)
  }
  return withReadings(pool, (mode, work) => own((sql) => sql.begin(mode, work), undefined), own)
}

const behind = () => new SocketError('25006', 'the standby is behind')

const withShown = (sql: Pool, isShown: Promise<boolean>): Pool =>
  new Proxy(sql, {
    get: (target, property) => (property === shownProperty ? isShown : (Reflect.get(target, property) as unknown)),
  })

/**
 * For work on an own connection that keeps what it has read though its reading is begun anew: waits until it is known that the
 * connection shows enough, and fails where it does not.
 */
export const demandShown = async (sql: Pool): Promise<void> => {
  if ((await (Reflect.get(sql, shownProperty) as Promise<boolean> | undefined)) === false) throw behind()
}

const shownProperty = Symbol('shown')

const withReadings = (pool: Pool, read: (mode: string, work: Work) => Promise<unknown>, own: Own): Pool => {
  const begin = (...given: readonly [Work] | readonly [mode: string, Work]) => {
    const [mode, work] = given.length === 1 ? ['', given[0]] : given
    return read(mode, work)
  }
  return new Proxy(pool, {
    get: (target, property) => {
      if (property === 'begin') return begin
      if (property === ownProperty) return own
      return Reflect.get(target, property) as unknown
    },
  })
}

/** Shares of the connections that the pool has for transactions (caller-transaction.ts). */
export const transactionShares = (pool: Pool): Shares => Reflect.get(pool, sharesProperty) as Shares

const sharesProperty = Symbol('shares')

type OwnWork = (sql: Pool) => Promise<unknown>
/** Takes a place of the pool that the work goes to in the end, and gives how to leave it. */
type Enter = (shares: Shares) => Promise<() => void>
type Own = (work: OwnWork, signal: AbortSignal | undefined, enter?: Enter) => Promise<unknown>

/**
 * The one connection of a driver, on which transactions can be begun; a reading transaction need not be waited for at
 * its end.
 */
const ownSql = (driver: Driver, note: (query: unknown) => void, atEnd: (ended: Promise<void>) => void): Pool => {
  const noted = <T>(query: T): T => {
    note(query)
    return query
  }
  const begin = (...given: readonly [Work] | readonly [mode: string, Work]) => {
    const [mode, work] = given.length === 1 ? ['', given[0]] : given
    const end = mode.endsWith(readOnly) ? (ended: Promise<void>) => atEnd(ended.catch(() => lose(driver))) : undefined
    return runTransaction(driver, mode, work, note, end)
  }
  return new Proxy(driver.sql, {
    apply: (target, _this, given: unknown[]) => noted((target as (...args: unknown[]) => unknown)(...given)),
    get: (target, property) => {
      if (property === 'begin') return begin
      if (property === 'unsafe') return (...given: Parameters<Pool['unsafe']>) => noted(target.unsafe(...given))
      return Reflect.get(target, property) as unknown
    },
  })
}

const readOnly = 'read only'

/** The next transaction must not begin in this one, for whatever reason it failed. */
const lose = (driver: Driver): void => {
  driver.isLost = true
  void driver.sql.end({ timeout: 0 })
}

const rollBack = (driver: Driver): Promise<unknown> => driver.sql`rollback`.catch(() => lose(driver))

/** On a driver with one connection, which nobody else uses meanwhile. */
const runTransaction = async (
  driver: Driver,
  mode: string,
  work: Work,
  note: (query: unknown) => void = () => {},
  atEnd?: (ended: Promise<void>) => void,
): Promise<unknown> => {
  const { sql } = driver
  const begun = sql.unsafe(`begin ${mode}`).execute()
  note(begun)
  // A read-only transaction sends its first queries along with BEGIN, and their answers count if BEGIN succeeds: a
  // connection that is not ready in time loses it, and the driver would ask the queries on the next one, outside of a
  // transaction.
  if (mode.endsWith(readOnly)) begun.catch(() => {})
  else await begun
  let result: unknown
  let isOver = false
  try {
    // A failed transaction may have a branch still at work: its queries must not follow the rollback, where each would
    // be stored by itself, nor come into the next transaction on the connection.
    const asked = guarded(sql, () => {
      if (isOver) throw new Error('the transaction is over')
    })
    result = await work(asked as unknown as Transaction)
    isOver = true
    await begun
  } catch (error) {
    isOver = true
    await rollBack(driver)
    await begun
    throw error
  }
  if (atEnd) atEnd(commit(driver))
  else await commit(driver)
  return result
}

const commit = async (driver: Driver): Promise<void> => {
  const { command } = await driver.sql`commit`
  // Postgres answers ROLLBACK to a COMMIT where a query has failed and its error was ignored.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back because a query in it had failed')
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

const quoted = (text: string) => `"${withBackslashes(text)}"`

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

/** TimescaleDB's Community edition refuses to change more than 100,000 compressed rows at once by default. */
const unlimited = { 'timescaledb.max_tuples_decompressed_per_dml_transaction': '0' }

const lost = new SocketError('CONNECTION_CLOSED', 'the connection was lost')

/** Drivers of one database know together whether it can be reached. */
const driverMaker = (databaseUrl: string, name: string, settings: PoolOptions['settings'], mayBeStandby = false) => {
  const { url, tls } = databaseTarget(databaseUrl)
  const path = searchPath(databaseUrl)
  let failure: { readonly error: Error; readonly untilMs: number } | undefined
  const fail = (error: Error) => {
    failure = { error, untilMs: performance.now() + askAgainAfterMs }
  }
  return (max: number, onLoss: () => void): Driver => {
    let reached: Target | undefined
    const open = async (target: Target): Promise<Socket> => {
      reached ??= target
      if (!mayBeStandby) return openPrimarySocket(databaseUrl, target, tls, socketTimeoutMs)
      const socket = watched(databaseUrl, await openSocket(target, tls, socketTimeoutMs))
      reached = { ...target, address: socket.remoteAddress }
      return socket
    }
    const connect = async (given: Target): Promise<DriverSocket> => {
      // Where there is but one, another is opened only to cancel what that one does, and must come to the same server.
      const target = max === 1 && driver.sockets > 0 && reached ? reached : given
      if (failure && performance.now() < failure.untilMs) return new DriverSocket(failure.error)
      if (driver.isLost) return new DriverSocket(driver.reason ?? lost)
      try {
        const socket = await open(target)
        driver.sockets += 1
        const onEnd = (end: SocketEnd, reason: Error) => {
          driver.sockets -= 1
          if (end === 'refused') fail(reason)
          if (end === 'closed') return
          driver.isLost = true
          driver.reason = reason
          onLoss()
        }
        return new DriverSocket(socket, onEnd, (bytes) => (driver.isFull ||= bytes > maxPreparedBytes), mayBeStandby)
      } catch (error) {
        fail(error as Error)
        return new DriverSocket(error as Error)
      }
    }
    const options = {
      max,
      // Its timer would not know whose silence it measures (socket.ts).
      connect_timeout: 0,
      max_lifetime: null,
      // Every watched socket has it.
      keep_alive: null,
      backoff: () => 0,
      ssl: false,
      // An answer means that the data are on disk, whatever the server's own default (docs/replies.md).
      connection: {
        application_name: name,
        TimeZone: 'UTC',
        ...(path === undefined ? {} : { search_path: path }),
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
    const driver: Driver = {
      sockets: 0,
      isLost: false,
      isFull: false,
      sql: postgres(url, options),
      cancel: async (backend) => {
        // A server that cannot be reached any more has lost the query, or ends it in time.
        const socket = reached && (await open(reached).catch(() => undefined))
        if (socket) await sendCancel(socket, backend, socketTimeoutMs)
      },
    }
    return driver
  }
}
