// The runs of imports in this process, and their times. A run waits in the database until a server has a place for it
// (core/import/import-queue.ts). Of one connection one runs at a time, so that no external database has more sessions of this
// process than that, and of one tenant two (connection-turns.ts). Sessions, each with a connection to our database and a thread, and
// places, of which there are fewer, go round the tenants (base/shares.ts): one with a hundred imports that are due delays its own. A
// run has its session to the end, and its place while it works (place.ts).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedNow } from '../base/clock.ts'
import { importPlaces, importsAtOnce } from '../base/database/connections.ts'
import { faultFromSql } from '../base/database/sql.ts'
import { busy, conflict, Fault } from '../base/errors.ts'
import { openShares } from '../base/shares.ts'
import {
  dropSwitchedOff,
  endAbandoned,
  mostWaiting,
  queueDue,
  queueRun,
  waitingRuns,
} from '../core/import/import-queue.ts'
import type { WaitingRun } from '../core/import/import-queue.ts'
import { dueOrders, findRun, mostDue, wasCancelled } from '../core/import/import-run.ts'
import type { Due, ImportRun } from '../core/import/import-run.ts'
import { nextRunMs } from '../core/import/schedule.ts'
import { openTurns } from './connection-turns.ts'
import { openPlace } from './place.ts'
import { runImport } from './run.ts'
import { openSchedules } from './schedules.ts'
import type { Workbench } from './workbench.ts'

export type Started = {
  readonly uid: string
  /** Resolves when it has begun here; it may wait for its turn, or begin in another server. */
  readonly claimed: Promise<unknown>
  /** The ended run, of any server; rejects when the signal is aborted before. */
  readonly ended: (signal: AbortSignal) => Promise<ImportRun>
}

export type Runs = {
  /** Rejects where a run of the same import waits or goes on. */
  readonly start: (connector: Omit<WaitingRun, 'uid' | 'scheduled' | 'enabled'>) => Promise<Started>
  /** Ends a run of this process, if it is one. */
  readonly cancel: (uid: string) => void
  readonly stop: () => Promise<void>
}

type UnderWay = {
  readonly uid: string
  readonly ending: AbortController
  readonly claimed: Promise<unknown>
  /** Undefined: not here, or not yet. */
  readonly ended: Promise<ImportRun | undefined>
  readonly hasTurn: () => boolean
}

const lookEveryMs = 1000
const mostOfTenant = 2
const stopWithinMs = 3000
/** A run waits for as long as it takes. */
const patienceMs = 2 ** 31 - 1

export const openRuns = (bench: Workbench, everyMs = lookEveryMs): Runs => {
  const { world } = bench
  const { sql, clock, log } = world
  const ofConnections = openTurns()
  const ofTenants = openTurns(mostOfTenant)
  const sessions = openShares(importsAtOnce)
  const places = openShares(importPlaces)
  /** Runs under way, by connector. */
  const underWay = new Map<number, UnderWay>()
  let isStopping = false

  /** Runs it here once it has its turn, if nobody else does before. */
  const take = (waiting: WaitingRun): UnderWay | undefined => {
    const { uid, scheduled, connectorKey, connectorUid } = waiting
    const known = underWay.get(connectorKey)
    if (known?.uid === uid) return known
    // A run that waits here was cancelled elsewhere; one that has had its turn will soon have ended.
    if (known !== undefined) return void (known.hasTurn() || known.ending.abort(conflict(wasCancelled)))
    const ending = new AbortController()
    let hasTurn = false
    let onClaimed: () => void = () => {}
    const claimed = new Promise<void>((resolve) => (onClaimed = resolve))
    const holders = [`tenant ${waiting.tenantUid}`, `import ${connectorUid}`] as const
    const [session, place] = [sessions.open(holders), places.open(holders)]
    const work = async (): Promise<ImportRun | undefined> => {
      try {
        for (const each of [session, place]) if (!(await each.wait(1, patienceMs, ending.signal))) return undefined
        hasTurn = true
        const whileWaiting = openPlace(place, ending.signal)
        return await runImport(bench, { uid, connectorKey, scheduled, ending, onClaimed, whileWaiting })
      } finally {
        place.give()
        session.give()
      }
    }
    const turn = ofConnections.schedule(waiting.connectionUid, () => ofTenants.schedule(waiting.tenantUid, work))
    const ended = Promise.race([turn, aborted(ending.signal).then(() => (hasTurn ? turn : undefined))]).finally(() => {
      underWay.delete(connectorKey)
      lookSoon()
    })
    ended.then(
      (run) => {
        if (run && run.error !== null && run.scheduled)
          log.warn({ connector: connectorUid, run: uid, error: run.error }, 'import failed')
      },
      (error: unknown) => {
        const cause = faultFromSql(error)
        if (!(cause instanceof Fault)) log.error({ err: cause, connector: connectorUid }, 'an import did not begin')
      },
    )
    const one = { uid, ending, claimed, ended, hasTurn: () => hasTurn }
    underWay.set(connectorKey, one)
    return one
  }

  /** The run that is due makes up for all times that have gone by (docs/imports.md#schedule); the next is after now. */
  const thenMs = ({ schedule, timeZone, nextRunMs: dueMs }: Due, nowMs: number): number | null =>
    schedule === null ? null : nextRunMs(schedule, timeZone, Math.max(nowMs, dueMs!))

  const schedules = openSchedules(sql, () => isStopping)
  const look = async (): Promise<void> => {
    const nowMs = await sharedNow(clock, sql)
    await schedules.keep(nowMs)
    let queued = 0
    const due = await dueOrders(sql, nowMs)
    for (const order of due)
      if (!isStopping && !underWay.has(order.connectorKey))
        queued += Number(await queueDue(sql, order, thenMs(order, nowMs), { uid: randomUUID(), nowMs }))
    if (isStopping) return
    const here = [...underWay.values()]
    const waiting = await waitingRuns(sql)
    if (isStopping) return
    const uids = new Set(waiting.map(({ uid }) => uid))
    // Cancelled, or begun elsewhere. Nothing is known of runs beyond those that are read.
    if (waiting.length < mostWaiting)
      for (const { uid, ending, hasTurn } of here)
        if (!hasTurn() && !uids.has(uid)) ending.abort(conflict(wasCancelled))
    for (const one of waiting) if (one.enabled) take(one)
    // Where there is nothing to change nothing is written, once a second, by every process.
    if (waiting.some(({ enabled }) => !enabled)) await dropSwitchedOff(sql, nowMs)
    if (due.length === mostDue && queued > 0) lookSoon()
  }
  let looking = Promise.resolve()
  let isLookAhead = false
  const lookSoon = (): void => {
    if (isStopping || isLookAhead) return
    isLookAhead = true
    looking = looking
      .then(() => {
        isLookAhead = false
        return look()
      })
      .catch((error: unknown) => {
        const cause = faultFromSql(error)
        if (!(cause instanceof Fault)) log.error({ err: cause }, 'imports that are due could not be read')
      })
  }
  const timer = setInterval(lookSoon, everyMs).unref()

  const follow = async (connectorKey: number, uid: string, signal: AbortSignal): Promise<ImportRun> => {
    for (let looks = 1; ; looks += 1) {
      const here = underWay.get(connectorKey)
      const run = here?.uid === uid ? await Promise.race([here.ended, aborted(signal)]) : undefined
      if (run) return run
      signal.throwIfAborted()
      if (isStopping) throw busy('the server is stopping; the run that was asked for is not lost')
      const found = await findRun(sql, connectorKey, uid)
      if (found === undefined) throw conflict('the connector is gone')
      if (found.endMs !== null) return found
      // Nobody else would find out that the server which began it is gone, before the next run is asked for.
      if (found.startMs !== null && looks % 4 === 0)
        await endAbandoned(sql, { connectorKey, nowMs: await sharedNow(clock, sql) })
      await sleep(lookEveryMs / 4, undefined, { ref: false, signal })
    }
  }

  return {
    start: async (connector) => {
      if (isStopping) throw busy('the server is stopping')
      const { connectorKey } = connector
      const uid = randomUUID()
      if (!(await queueRun(sql, { uid, connectorKey, scheduled: false, nowMs: await sharedNow(clock, sql) })))
        throw conflict('this import is running, or waits for its turn')
      const here = take({ ...connector, uid, scheduled: false, enabled: true })
      return {
        uid,
        claimed: here?.claimed ?? new Promise(() => {}),
        ended: (signal) => follow(connectorKey, uid, signal),
      }
    },
    cancel: (uid) => {
      for (const one of underWay.values()) if (one.uid === uid) one.ending.abort(conflict(wasCancelled))
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await looking
      const running = [...underWay.values()]
      for (const { ending } of running) ending.abort(busy('the server is stopping'))
      await Promise.race([
        Promise.allSettled(running.map(({ ended }) => ended)),
        sleep(stopWithinMs, undefined, { ref: false }),
      ])
    },
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
