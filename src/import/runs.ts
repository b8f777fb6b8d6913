// Which imports run in this process, and when. Bottleneck paces them: a few at once, and of one connection one at a time,
// so that no external database has more of our sessions than that. Several servers share the schedule: of those that see
// that an import is due, the one that moves its next time on runs it (core/import-run.ts).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import { importsAtOnce } from '../base/database/connections.ts'
import { faultFromSql } from '../base/database/sql.ts'
import { busy, conflict, Fault } from '../base/errors.ts'
import { dueOrders, takeDue, wasCancelled } from '../core/import-run.ts'
import type { ImportOrder, ImportRun } from '../core/import-run.ts'
import { nextRunMs } from '../core/schedule.ts'
import { runImport } from './run.ts'
import type { Workbench } from './workbench.ts'

export type Started = {
  readonly uid: string
  /** When it has begun; it may wait for its turn. */
  readonly claimed: Promise<ImportRun>
  readonly ended: Promise<ImportRun>
}

export type Runs = {
  readonly start: (connector: { readonly key: number; readonly connectionUid: string }) => Started
  /** Ends a run of this process, if it is one. */
  readonly cancel: (uid: string) => void
  readonly stop: () => Promise<void>
}

type UnderWay = Started & { readonly ending: AbortController }

const lookEveryMs = 1000
const stopWithinMs = 3000

export const openRuns = (bench: Workbench): Runs => {
  const { world } = bench
  const { sql, clock, log } = world
  const all = new Bottleneck({ maxConcurrent: importsAtOnce })
  const byConnection = new Bottleneck.Group({ maxConcurrent: 1, timeout: 60_000 })
  byConnection.on('created', (limiter: Bottleneck) => void limiter.chain(all))
  /** By connector. */
  const underWay = new Map<number, UnderWay>()
  let isStopping = false

  const begin = (connectorKey: number, connectionUid: string, due?: ImportOrder): UnderWay => {
    if (isStopping) throw busy('the server is stopping')
    if (underWay.has(connectorKey)) throw conflict('this import is running')
    const uid = randomUUID()
    const ending = new AbortController()
    let onClaimed: (run: ImportRun) => void = () => {}
    const claimed = new Promise<ImportRun>((resolve) => (onClaimed = resolve))
    const work = async (): Promise<ImportRun> => {
      if (due && !(await takeDue(sql, due, thenMs(due)))) throw conflict('another server runs it')
      return runImport(bench, { uid, connectorKey, scheduled: due !== undefined, ending, onClaimed })
    }
    const ended = byConnection
      .key(connectionUid)
      .schedule(work)
      .finally(() => underWay.delete(connectorKey))
    const one = { uid, ending, claimed, ended }
    underWay.set(connectorKey, one)
    return one
  }

  /** Of the times that have gone by meanwhile there is none more. */
  const thenMs = ({ schedule, timeZone, nextRunMs: dueMs }: ImportOrder): number | null =>
    schedule === null ? null : nextRunMs(schedule, timeZone, Math.max(clock.now(), dueMs!))

  const look = async (): Promise<void> => {
    for (const order of await dueOrders(sql, clock.now())) {
      if (isStopping || underWay.has(order.connectorKey)) continue
      begin(order.connectorKey, order.connectionUid, order).ended.then(
        ({ error, uid }) =>
          error !== null && log.warn({ connector: order.connectorUid, run: uid, error }, 'import failed'),
        (error: unknown) => {
          const cause = faultFromSql(error)
          if (!(cause instanceof Fault))
            log.error({ err: cause, connector: order.connectorUid }, 'an import did not begin')
        },
      )
    }
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      const cause = faultFromSql(error)
      if (!(cause instanceof Fault)) log.error({ err: cause }, 'imports that are due could not be read')
    })
  }, lookEveryMs).unref()

  return {
    start: ({ key, connectionUid }) => begin(key, connectionUid),
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
      await byConnection.disconnect(false)
      await all.disconnect(false)
    },
  }
}
