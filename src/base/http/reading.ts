// A reading ends in time: each statement by statement_timeout (service.ts), all of them together by a look at the clock
// before each. And it ends with its caller: when the client has gone away, the query under way is cancelled and no
// further one is asked.
//
// Each has a connection of its own: on connections that queries of several share, postgres.js 3.4.9 loses count when
// one is cancelled that waits behind another, and hands its rows to the next asker. Connections are few, so readings
// have places (shares.ts): a caller with many slow ones waits for itself, and not the others for it.
import type { Call } from './call.ts'
import { whenClosed, whenGone } from './connection.ts'
import { busy, clientGone, tookTooLong } from '../errors.ts'
import { guarded, onOwnConnection } from '../database/pool.ts'
import type { Holders, Shares } from '../shares.ts'
import { openShares } from '../shares.ts'
import { holdersOfCall } from './room.ts'
import { snapshot } from '../database/sql.ts'
import type { Pool, Transaction } from '../database/sql.ts'
import type { World } from '../world.ts'

type UntilSignal<T> = (signal: AbortSignal) => Promise<T>

/** Works until the client goes away; then the signal is aborted, and an error caused by that is nobody's fault. */
export const untilGone = <T>(call: Call, work: UntilSignal<T>): Promise<T> => until(whenGone, call, work)

/** The same behind a body, for a client that may have closed its sending side and wait. */
export const untilClosed = <T>(call: Call, work: UntilSignal<T>): Promise<T> => until(whenClosed, call, work)

const until = async <T>(watch: typeof whenGone, { socket }: Call, work: UntilSignal<T>): Promise<T> => {
  const leaving = new AbortController()
  const stopWatching = watch(socket, () => leaving.abort())
  try {
    leaving.signal.throwIfAborted()
    return await work(leaving.signal)
  } catch (error) {
    throw leaving.signal.aborted ? clientGone() : error
  } finally {
    stopWatching()
  }
}

/** Reads on a connection of the pool that nobody else uses meanwhile, until the client goes away. */
export type Reading = {
  <T>(pool: Pool, holders: Holders, call: Call, read: (sql: Pool) => Promise<T>): Promise<T>
  /** For work that reads at its end, and could not be undone if there were no place then: it has one from the beginning. */
  readonly withPlace: <T>(holders: Holders, work: (read: ReadInPlace) => Promise<T>) => Promise<T>
}

export type ReadInPlace = <T>(pool: Pool, read: (sql: Pool) => Promise<T>) => Promise<T>

export type ReadingWorld = World & { readonly reading: Reading }

/** Longer than it takes to find the database silent (pulse.ts), which is then the reported error. */
const patienceMs = 20_000
const briefPatienceMs = 2000

/**
 * A caller alone may have half of the places. With 8 places a caller's 32 connections read 0.8 as fast as when all
 * shared five connections, with 20 places 0.95; four connections read 1.1 to 1.5 times as fast.
 */
export const openReading = (timeoutMs: number, places: number): Reading => {
  const shares = openShares(places)
  const inPlace = async <T>(holders: Holders, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const holding = shares.open(holders)
    if (!(await holding.wait(1, Math.min(patienceMs, timeoutMs), signal))) throw busy('too many readings at once')
    try {
      return await work()
    } finally {
      holding.give()
    }
  }
  const readUntil = <T>(deadlineMs: number, pool: Pool, signal: AbortSignal | undefined, read: Read<T>): Promise<T> => {
    const look = () => {
      if (signal?.aborted) throw clientGone()
      if (performance.now() > deadlineMs) throw tookTooLong()
    }
    return onOwnConnection(pool, signal, (sql) => read(guarded(sql, look)))
  }
  const reading = <T>(pool: Pool, holders: Holders, call: Call, read: Read<T>) => {
    const deadlineMs = performance.now() + timeoutMs
    return untilGone(call, (signal) => inPlace(holders, signal, () => readUntil(deadlineMs, pool, signal, read)))
  }
  const withPlace = <T>(holders: Holders, work: (read: ReadInPlace) => Promise<T>) =>
    inPlace(holders, undefined, () =>
      work((pool, read) => readUntil(performance.now() + timeoutMs, pool, undefined, read)),
    )
  return Object.assign(reading, { withPlace })
}

type Read<T> = (sql: Pool) => Promise<T>

/**
 * One moment of the database, for calls that read the catalogue: lists, and single things that may be large. Where there are no
 * standbys the pool is that of changes, which share its connections in the same way (caller-transaction.ts): a search through
 * 150,000 streams takes a second, and sixty of them at once kept everybody's changes waiting for 40.
 */
export const callerSnapshot = <T>(
  call: Call,
  pool: Pool,
  read: (sql: Transaction) => Promise<T>,
  /** Whether memory for the reply is held already: others may need it, and it does not wait for long. */
  hasMemory = false,
): Promise<T> =>
  untilGone(call, (signal) => {
    const look = () => {
      if (signal.aborted) throw clientGone()
    }
    const enter = async (shares: Shares) => {
      const holding = shares.open(holdersOfCall(call))
      if (!(await holding.wait(1, hasMemory ? briefPatienceMs : patienceMs, signal)))
        throw busy('too many lists at once')
      return () => holding.give()
    }
    return onOwnConnection(pool, signal, (sql) => snapshot(guarded(sql, look), read), enter)
  })
