// One run of an import (docs/imports.md#a-run): claimed, so that no other server runs it at the same time; fetched into
// tables of its own connection; worked out there by the Ingest SQL; and stored in one transaction, together with the
// end of the run. The write gate is entered only for the last.
import { sharedNow } from '../base/clock.ts'
import { onOwnConnection } from '../base/database/pool.ts'
import { faultFromSql, transaction } from '../base/database/sql.ts'
import type { Pool, Sql, Transaction } from '../base/database/sql.ts'
import { conflict, Fault, forbidden } from '../base/errors.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { isSwitchedOff } from '../core/import/import-queue.ts'
import { keepResult } from '../core/import/import-result.ts'
import type { ImportResult } from '../core/import/import-result.ts'
import {
  claimRun,
  failRun,
  findOrder,
  finishRun,
  giveUpClaim,
  lastRunBefore,
  noteProgress,
} from '../core/import/import-run.ts'
import type { ImportOrder, ImportRun } from '../core/import/import-run.ts'
import { storeBulk } from '../core/sample/bulk.ts'
import type { BulkCounts } from '../core/sample/bulk.ts'
import type { Gate } from '../core/sample/gate.ts'
import type { WriteStep } from '../core/sample/store.ts'
import { callerForUser } from '../core/user.ts'
import { bulkOf } from '../gsql/ingest/import-effects.ts'
import { makeTables, runImported } from '../gsql/ingest/imported.ts'
import type { RanImport } from '../gsql/ingest/imported.ts'
import { maxResultBytes } from '../gsql/run/run.ts'
import type { KeptRows, WhileWaiting } from '../outbound/fetch.ts'
import type { DiskWatch } from './disk.ts'
import { fetchInto } from './fetched.ts'
import type { Watched } from './fetched.ts'
import { againOf, endUnchanged, findLast, newSeed, openLook } from './unchanged.ts'
import { cleanUp } from './workbench.ts'
import type { Workbench } from './workbench.ts'

export type RunOptions = {
  readonly uid: string
  readonly connectorKey: number
  readonly scheduled: boolean
  /** Ends the run; its reason is shown. */
  readonly ending: AbortController
  readonly onClaimed: (run: ImportRun) => void
  readonly whileWaiting: WhileWaiting
}

type StoreOptions = {
  readonly expectsOthers: boolean
  readonly snapshot?: string | undefined
  readonly beside?: Transaction
}

/** A run that has ended, well or not; undefined where it does not wait any more, or another server runs it. */
export const runImport = (bench: Workbench, options: RunOptions): Promise<ImportRun | undefined> => {
  const { world, pool } = bench
  const { uid, connectorKey, scheduled, ending } = options
  ending.signal.throwIfAborted()
  return onOwnConnection(pool, ending.signal, async (own) => {
    const startMs = await sharedNow(world.clock, own)
    if (!(await claimRun(own, { uid, connectorKey, startMs }))) return undefined
    let run: ImportRun = {
      uid,
      startMs,
      endMs: null,
      place: null,
      scheduled,
      fetched: 0,
      inserted: 0,
      skipped: 0,
      truncated: false,
      error: null,
    }
    options.onClaimed(run)
    const watch = (change: Partial<ImportRun>) => void (run = { ...run, ...change })
    let version: number | undefined
    try {
      const order = await findOrder(own, connectorKey)
      if (order === undefined) throw conflict('the connector is gone')
      ;({ version } = order)
      const stopReporting = reportEvery(bench, order, options, () => run)
      try {
        const lastRunMs = await lastRunBefore(own, order, startMs)
        await fetchAndStore(bench, own, { ...order, lastRunMs }, options, { get: () => run, watch })
      } finally {
        stopReporting()
      }
    } catch (error) {
      const endMs = await endOf(world, world.sql, startMs).catch(() => Math.max(startMs, world.clock.now()))
      const failure = {
        ...run,
        endMs,
        inserted: 0,
        error: sentenceOf(world.log, error, ending.signal),
      }
      run = await failRun(world.sql, { connectorKey, version }, failure).catch((cause: unknown) => {
        world.log.warn({ err: cause, run: uid }, 'the end of an import could not be kept')
        return failure
      })
    } finally {
      await cleanUp(own, giveUpClaim)
    }
    return run
  })
}

/** A clock that was set back meanwhile makes no run end before it began. */
const endOf = async ({ clock }: Workbench['world'], sql: Sql, startMs: number): Promise<number> =>
  Math.max(startMs, await sharedNow(clock, sql))

const fetchAndStore = async (
  bench: Workbench,
  own: Pool,
  order: ImportOrder,
  { ending, whileWaiting }: RunOptions,
  run: Watched,
): Promise<void> => {
  const { world, ingestion } = bench
  const { config, clock } = world
  const { signal } = ending
  const endsMs = performance.now() + config.importTimeoutMs
  const leftMs = () => Math.max(1, Math.ceil(endsMs - performance.now()))
  const caller = await runningUser(world.sql, order)
  const holders = [`tenant ${caller.tenantUid}`, `import ${order.connectorUid}`] as const
  const script = await bench.compile(order.ingestSql, holders, signal)
  if (script.writes) demand(caller, 'PUT component/feed')
  const memory = bench.openMemory(holders)
  let disk: DiskWatch | undefined
  let kept: KeptRows | undefined
  try {
    await makeTables(own, script)
    disk = await bench.watchDisk(own, holders, (reason) => ending.abort(reason))
    const { maxRows, timeZone, connectorKey } = order
    const options = { maxRows, timeZone, timeoutMs: leftMs(), signal, holders, batchRows: 5000, whileWaiting }
    let ended: (ImportRun & BulkCounts) | undefined
    const finish = async (sql: Transaction, counts: BulkCounts): Promise<void> => {
      signal.throwIfAborted()
      ended = { ...run.get(), ...counts, endMs: await endOf(world, sql, run.get().startMs!) }
      await finishRun(sql, order, ended)
    }
    // Rights may have gone while rows were fetched and worked on.
    const demandRight = async (sql: Transaction): Promise<void> => {
      if (script.writes) demand(await runningUser(sql, order), 'PUT component/feed')
    }
    const last = await findLast(own, order, script)
    const wanted = () => ({ ...againOf(script, order, last!.known!, clock.now()), timeoutMs: leftMs() })
    const look = last?.known && openLook(own, caller, wanted, last.known)
    /** Whether these rows need not be read: all that they make is stored, and the run has ended by that. */
    const isStored = async (known: ImportResult): Promise<boolean> => {
      run.watch({ fetched: known.fetched })
      const isEnded = await endUnchanged(ingestion, own, caller, wanted(), known, await look?.found(), async (sql) => {
        await demandRight(sql)
        await finish(sql, { inserted: 0, skipped: known.samples })
      })
      // The transaction may have begun anew, and not have come so far again.
      if (!isEnded) ended = undefined
      return isEnded
    }
    const compared = last && { ...last, look, isStored }
    const fetched = await fetchInto(bench, own, script, caller, order, options, run, compared)
    ;({ kept } = fetched)
    if (ended) return run.watch(ended)
    await disk.check()
    const variables = {
      JDBC_RESULT: fetched.text,
      LAST_RUN_DATE: order.lastRunMs === null ? 0 : order.lastRunMs - order.overlapSeconds * 1000,
      CONNECTOR_ID: order.connectorUid,
    }
    const nowMs = clock.now()
    const context = await bench.contextFor(caller, { nowMs, zone: timeZone, holders, memory, variables, signal })
    const work = async () => {
      const limits = { timeoutMs: leftMs(), maxRows: config.gsqlMaxRows, maxBytes: maxResultBytes }
      const ran = await runImported(own, limits, script, context)
      await disk?.check()
      return ran
    }
    /** The script's effects are read in the transaction that stores them, or in one beside. */
    const store = async (
      { fixed }: RanImport,
      sql: Transaction,
      gate: Gate,
      { expectsOthers, snapshot, beside }: StoreOptions,
    ) => {
      const onSamples = (count: number) => {
        signal.throwIfAborted()
        run.watch({ inserted: count })
      }
      const { written, ...effects } = bulkOf(beside ?? sql, script, fixed, onSamples, kept)
      const bulk = {
        ...effects,
        ...(beside ? { queries: () => undefined } : {}),
        connectorKey,
        skipsUnchanged: order.skipUnchanged,
        expectsOthers,
        // Without its streams the next run could not look for the samples.
        seed: () => (fetched.print && written() ? newSeed() : undefined),
        nowMs,
        timeoutMs: leftMs(),
        // By the connection of the pool that no run has.
        apart: (piece: (sql: Sql) => Promise<unknown>) => {
          signal.throwIfAborted()
          return piece(bench.pool)
        },
      }
      await demandRight(sql)
      const { counts, digest, ...stored } = await storeBulk(sql, caller, bulk, gate, snapshot)
      const streams = digest && written()
      if (streams) await keepResult(sql, connectorKey, { ...fetched.print!, ...digest, streams })
      await finish(sql, counts)
      return { ...stored, rows: counts.inserted }
    }
    if (script.writesWhatItReads)
      await ingestion.ingestSeen(
        caller,
        async () => {
          memory.beginAnew()
          const ran = await work()
          const step: WriteStep = {
            kind: 'own',
            store: (sql, gate, seen) =>
              transaction(own, (beside) => store(ran, sql, gate, { expectsOthers: false, snapshot: seen, beside })),
          }
          return { seen: ran.seen!, steps: [step], result: undefined }
        },
        signal,
      )
    else {
      const ran = await work()
      await ingestion.ingestFrom(own, caller, (expectsOthers) => ({
        kind: 'own',
        store: (sql, gate) => store(ran, sql, gate, { expectsOthers }),
      }))
    }
    run.watch(ended!)
  } finally {
    kept?.end()
    disk?.close()
    memory.close()
  }
}

const runningUser = async (sql: Sql, order: ImportOrder): Promise<Caller> => {
  if (!order.enabled) throw conflict(isSwitchedOff)
  const { organizationKey, userKey } = order
  const user = userKey === null ? undefined : await callerForUser(sql, organizationKey, userKey)
  if (user === undefined) throw forbidden("this import's running user is gone")
  return { ...user, title: "this import's running user" }
}

const everyMs = 1000

/** Reports the progress, and finds out whether the run should go on, and for how long it may. */
const reportEvery = (
  { world: { sql, config, log } }: Workbench,
  order: ImportOrder,
  { uid, ending }: RunOptions,
  get: () => ImportRun,
): (() => void) => {
  let isOver = false
  const report = async (): Promise<void> => {
    const why = await noteProgress(sql, uid, order.version, get())
    if (why !== undefined && !isOver) ending.abort(conflict(why))
  }
  // The run itself notices a database that is away for a moment.
  const timer = setInterval(
    () => void report().catch((err: unknown) => log.debug({ err }, 'no progress kept')),
    everyMs,
  )
  const timeout = setTimeout(
    () => ending.abort(conflict(`it took longer than ${config.importTimeoutMs} ms`)),
    config.importTimeoutMs,
  )
  return () => {
    isOver = true
    clearInterval(timer)
    clearTimeout(timeout)
  }
}

/** The sentence for users who look at the run; our own mistake is logged and not shown. */
const sentenceOf = (log: Workbench['world']['log'], error: unknown, signal: AbortSignal): string => {
  const cause = faultFromSql(signal.aborted && signal.reason instanceof Fault ? signal.reason : error)
  if (cause instanceof Fault && cause.code !== 'internal') return cause.message
  log.error({ err: cause }, 'an import failed')
  return 'internal error'
}
