// One run of an import (docs/imports.md#a-run): claimed, so that no other server runs it at the same time; fetched into
// tables of its own connection; worked out there by the Ingest SQL; and stored in one transaction, together with the news
// that it has ended. The write gate is entered only for the last.
import { onOwnConnection } from '../base/database/pool.ts'
import { faultFromSql, transaction } from '../base/database/sql.ts'
import type { Pool, Transaction } from '../base/database/sql.ts'
import { conflict, Fault, forbidden } from '../base/errors.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { claimRun, failRun, findOrder, finishRun, giveUpClaim, noteProgress } from '../core/import-run.ts'
import type { ImportOrder, ImportRun } from '../core/import-run.ts'
import { storeBulk } from '../core/sample/bulk.ts'
import type { BulkCounts } from '../core/sample/bulk.ts'
import type { Gate } from '../core/sample/gate.ts'
import type { WriteStep } from '../core/sample/store.ts'
import { callerForUser } from '../core/user.ts'
import { bulkOf } from '../gsql/import-effects.ts'
import { makeTables, openResult, runImported } from '../gsql/imported.ts'
import type { RanImport } from '../gsql/imported.ts'
import { maxResultBytes } from '../gsql/run.ts'
import type { CompiledScript } from '../gsql/script.ts'
import type { ExternalRows, FetchOptions } from '../outbound/fetch.ts'
import { cleanUp } from './workbench.ts'
import type { Workbench } from './workbench.ts'

export type RunOptions = {
  readonly uid: string
  readonly connectorKey: number
  readonly scheduled: boolean
  /** Ends it; its reason is shown. */
  readonly ending: AbortController
  readonly onClaimed: (run: ImportRun) => void
}

/** A run that has ended, well or not; it throws where it could not begin. */
export const runImport = (bench: Workbench, options: RunOptions): Promise<ImportRun> => {
  const { world, pool } = bench
  const { uid, connectorKey, scheduled, ending } = options
  ending.signal.throwIfAborted()
  return onOwnConnection(pool, ending.signal, async (own) => {
    const startMs = world.clock.now()
    if (!(await claimRun(own, { uid, connectorKey, scheduled, startMs }))) throw conflict('this import is running')
    let run: ImportRun = {
      uid,
      startMs,
      endMs: null,
      scheduled,
      fetched: 0,
      inserted: 0,
      skipped: 0,
      truncated: false,
      error: null,
    }
    options.onClaimed(run)
    const watch = (change: Partial<ImportRun>) => void (run = { ...run, ...change })
    try {
      const order = await findOrder(own, connectorKey)
      if (order === undefined) throw conflict('the connector is gone')
      const stopReporting = reportEvery(bench, order, options, () => run)
      try {
        await fetchAndStore(bench, own, order, options, { get: () => run, watch })
      } finally {
        stopReporting()
      }
    } catch (error) {
      const failure = {
        ...run,
        endMs: world.clock.now(),
        inserted: 0,
        error: sentenceOf(world.log, error, ending.signal),
      }
      run = await failRun(world.sql, connectorKey, failure).catch((cause: unknown) => {
        world.log.warn({ err: cause, run: uid }, 'the end of an import could not be kept')
        return failure
      })
    } finally {
      await cleanUp(own, giveUpClaim)
    }
    return run
  })
}

type Watched = { readonly get: () => ImportRun; readonly watch: (change: Partial<ImportRun>) => void }

const fetchAndStore = async (
  bench: Workbench,
  own: Pool,
  order: ImportOrder,
  { ending: { signal } }: RunOptions,
  run: Watched,
): Promise<void> => {
  const { world, ingestion } = bench
  const { config, clock } = world
  const endsMs = performance.now() + config.importTimeoutMs
  const leftMs = () => Math.max(1, Math.ceil(endsMs - performance.now()))
  const caller = await runningUser(bench, order)
  const holders = [`organization ${caller.organizationUid}`, `import ${order.connectorUid}`] as const
  const script = await bench.compile(order.ingestSql, holders, signal)
  if (script.writes) demand(caller, 'PUT component/feed')
  const memory = bench.openMemory(holders)
  try {
    await makeTables(own, script)
    const { maxRows, timeZone } = order
    const options = { maxRows, timeZone, timeoutMs: leftMs(), signal, batchRows: 5000 }
    const variables = {
      JDBC_RESULT: await fetchInto(bench, own, script, caller, order, options, run),
      LAST_RUN_DATE: order.lastRunMs === null ? 0 : order.lastRunMs - order.overlapSeconds * 1000,
      CONNECTOR_ID: order.connectorUid,
    }
    const nowMs = clock.now()
    const context = await bench.contextFor(caller, { nowMs, zone: timeZone, holders, memory, variables, signal })
    const work = () => {
      const limits = { timeoutMs: leftMs(), maxRows: config.gsqlMaxRows, maxBytes: maxResultBytes }
      return runImported(own, limits, script, context)
    }
    let ended: (ImportRun & BulkCounts) | undefined
    /** What the script has written is read in the transaction that stores it, or in one beside. */
    const store = async (
      { fixed }: RanImport,
      sql: Transaction,
      gate: Gate,
      snapshot?: string,
      beside?: Transaction,
    ) => {
      const onSamples = (count: number) => {
        signal.throwIfAborted()
        run.watch({ inserted: count })
      }
      const { connectorKey, skipUnchanged: skipsUnchanged } = order
      const bulk = {
        ...bulkOf(beside ?? sql, script, fixed, onSamples),
        ...(beside ? { queries: () => undefined } : {}),
        connectorKey,
        skipsUnchanged,
        nowMs,
        timeoutMs: leftMs(),
      }
      const { counts, ...stored } = await storeBulk(sql, caller, bulk, gate, snapshot)
      signal.throwIfAborted()
      ended = { ...run.get(), ...counts, endMs: clock.now() }
      await finishRun(sql, order, ended)
      return stored
    }
    if (script.writesWhatItReads)
      await ingestion.ingestSeen(
        caller,
        async () => {
          memory.beginAnew()
          const ran = await work()
          const step: WriteStep = {
            kind: 'own',
            store: (sql, gate, seen) => transaction(own, (beside) => store(ran, sql, gate, seen, beside)),
          }
          return { seen: ran.seen!, steps: [step], result: undefined }
        },
        signal,
      )
    else {
      const ran = await work()
      await ingestion.ingestFrom(own, caller, { kind: 'own', store: (sql, gate) => store(ran, sql, gate) })
    }
    run.watch(ended!)
  } finally {
    memory.close()
  }
}

/** The external rows into the script's tables; gives them as a text, where the script wants that. */
const fetchInto = async (
  bench: Workbench,
  own: Pool,
  script: CompiledScript,
  caller: Caller,
  { connectionUid, externalSql }: ImportOrder,
  options: FetchOptions,
  run: Watched,
): Promise<string | null> => {
  const count = (rows: number) => {
    run.watch({ fetched: run.get().fetched + rows })
    options.signal.throwIfAborted()
  }
  const namesOf = (columns: ExternalRows['columns']) => columns.map(({ name }) => name)
  if (script.imported!.readsText) {
    const { columns, batches, truncated } = await bench.fetch(caller, connectionUid, externalSql, options)
    const result = openResult(own, script, namesOf(columns))
    for await (const rows of batches) {
      await result.add(rows)
      count(rows.length)
    }
    run.watch({ truncated: truncated() })
    return result.end()
  }
  const { columns, batches, truncated } = await bench.fetchEncoded(caller, connectionUid, externalSql, options, script)
  const result = openResult(own, script, namesOf(columns))
  for await (const { rows, encoded } of batches) {
    await result.addEncoded(encoded)
    count(rows)
  }
  run.watch({ truncated: truncated() })
  return result.end()
}

const runningUser = async ({ world }: Workbench, order: ImportOrder): Promise<Caller> => {
  if (!order.enabled) throw conflict('the connector is switched off')
  const { organizationKey, userKey } = order
  const user = userKey === null ? undefined : await callerForUser(world.sql, organizationKey, userKey)
  if (user === undefined) throw forbidden("this import's running user is gone")
  return { ...user, title: "this import's running user" }
}

const everyMs = 1000

/** Says how far it is, and hears whether it should go on, and for how long it may. */
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
  // A database that is away for a moment is heard of by the run itself.
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

/** For whoever looks at the run; what is our own mistake is logged and not shown. */
const sentenceOf = (log: Workbench['world']['log'], error: unknown, signal: AbortSignal): string => {
  const cause = faultFromSql(signal.aborted && signal.reason instanceof Fault ? signal.reason : error)
  if (cause instanceof Fault && cause.code !== 'internal') return cause.message
  log.error({ err: cause }, 'an import failed')
  return 'internal error'
}
