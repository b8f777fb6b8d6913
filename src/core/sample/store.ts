// Stores the samples of one call or script, in the transaction and inside the gate that it is given: creates missing
// streams, converts, writes. Several steps are all stored or none.
import type { Transaction } from '../../base/database/sql.ts'
import { writeAuditOfMany } from '../audit.ts'
import type { SampleBatch } from './batch.ts'
import { publishContent } from '../file/blob.ts'
import type { Caller } from '../caller.ts'
import { demand } from '../caller.ts'
import { createMissing } from './create.ts'
import type { DeriveLimits } from './foreseen.ts'
import type { Gate } from './gate.ts'
import { journalDeletions, lastOfEach, writeJournal } from './journal.ts'
import { placeBatch } from './place.ts'
import type { PlacedRows } from './place.ts'
import { readComponents, streamByRef } from './registered.ts'
import type { RegisteredComponent } from './registered.ts'
import { deleteSamplesAt, setPoints, upsertSamples } from './sample.ts'
import { sortRows } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { markStale } from './stale.ts'
import { markSources, touchedBy } from './touched.ts'
import type { Touched } from './touched.ts'

export type Ingested = {
  /** The batch's components as they are now, in its order. */
  readonly components: readonly RegisteredComponent[]
  /** The wantedStreamIds of the batch that were missing before the call. */
  readonly missingStreamIds: readonly string[]
}

/** One of several things that are stored together. */
export type WriteStep =
  | {
      readonly kind: 'batch'
      readonly batch: SampleBatch
      /** Replaces a thrown error by one that names the origin of the samples. */
      readonly explain?: (error: unknown) => unknown
    }
  | { readonly kind: 'delete'; readonly series: readonly SampleTimes[] }
  /** Stores by itself (bulk.ts), inside the gate. */
  | {
      readonly kind: 'own'
      readonly store: (sql: Transaction, gate: Gate, snapshot: string | undefined) => Promise<StepStored>
    }

/** Samples of one stream. */
export type SampleTimes = { readonly cid: string; readonly id: string; readonly timesMs: readonly number[] }

/** The error of a step, as the step explains it. */
export const explained = <T>({ explain }: Extract<WriteStep, { kind: 'batch' }>, storing: Promise<T>): Promise<T> =>
  storing.catch((error: unknown) => {
    throw explain ? explain(error) : error
  })

/** The number of deleted samples of each stream, by the stream's uid. */
export type Tally = Map<string, number>

const addTo = (tally: Tally, streamUid: string, count: number): void => {
  if (count > 0) tally.set(streamUid, (tally.get(streamUid) ?? 0) + count)
}

export type Stored = Ingested & { readonly streamKeys: Iterable<number>; readonly rows: number }

type StepStored = Pick<Stored, 'components' | 'streamKeys'> & Partial<Pick<Stored, 'rows'>>

/** Stores the steps in order; only samples that the snapshot saw are overwritten or deleted. */
export const storeSteps = async (
  sql: Transaction,
  caller: Caller,
  steps: readonly WriteStep[],
  gate: Gate,
  nowMs: number,
  snapshot?: string,
): Promise<Pick<Stored, 'components' | 'streamKeys' | 'rows'>> => {
  const components: RegisteredComponent[] = []
  const streamKeys = new Set<number>()
  const deleted: Tally = new Map()
  let rows = 0
  for (const step of steps) {
    const stored: StepStored =
      step.kind === 'delete'
        ? await deleteThese(sql, caller, step.series, gate, deleted, snapshot)
        : step.kind === 'own'
          ? await step.store(sql, gate, snapshot)
          : await explained(step, storeBatch(sql, caller, step.batch, gate, nowMs, snapshot))
    components.push(...stored.components)
    rows += stored.rows ?? 0
    for (const key of stored.streamKeys) streamKeys.add(key)
  }
  await auditDeleted(sql, caller, deleted)
  return { components, streamKeys, rows }
}

/** Writes the entries of a DELETE by HTTP; overwriting is never in the audit log. */
export const auditDeleted = (sql: Transaction, caller: Caller, deleted: Tally): Promise<void> =>
  writeAuditOfMany(
    sql,
    caller,
    'feed.delete',
    [...deleted.keys()],
    Array.from(deleted.values(), (count) => ({ deleted: count })),
  )

/** Derives what hangs on samples that were just stored, or leaves it to the background (../derive). */
export type DeriveAtOnce = (sql: Transaction, gate: Gate, touched: Touched, limits: DeriveLimits) => Promise<void>

/** Creates missing components and streams and writes, in the transaction given. */
export const storeBatch = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
  gate: Gate,
  nowMs: number,
  snapshot?: string,
  derive?: (gate: Gate, touched: Touched) => Promise<void>,
): Promise<Stored> => {
  const made = await createMissing(sql, caller, batch)
  const placed = placeBatch(made.batch, made.components)!
  const sorted = sortRows(placed.rows)
  const rows = batch.file ? await publishContent(sql, batch.file, sorted, nowMs) : sorted
  await storeRows(sql, caller, placed, gate, rows, snapshot, derive)
  const streamKeys = [...rows.streamKeys, ...placed.points.streamKeys]
  return { ...made, streamKeys: new Set(streamKeys), rows: streamKeys.length }
}

/** The rows of a batch, in the order of their keys. */
export const storeRows = async (
  sql: Transaction,
  { organizationKey }: Pick<Caller, 'organizationKey'>,
  placed: PlacedRows,
  gate: Gate,
  sorted: SampleRows,
  snapshot?: string,
  derive?: (gate: Gate, touched: Touched) => Promise<void>,
): Promise<void> => {
  await markStale(sql, sorted, gate.claimedUntilMs)
  await upsertSamples(sql, sorted, snapshot)
  await setPoints(sql, placed.points, snapshot)
  if (gate.heard.has(organizationKey))
    await writeJournal(sql, { organizationKey, rows: sorted, points: lastOfEach(placed.points) })
  const touched = touchedBy(placed)
  if (touched) await (derive ? derive(gate, touched) : markSources(sql, touched))
}

export const deleteThese = async (
  sql: Transaction,
  caller: Caller,
  series: readonly SampleTimes[],
  gate: Gate,
  tally: Tally,
  snapshot: string | undefined,
): Promise<Pick<Stored, 'components' | 'streamKeys'>> => {
  const componentIds = [...new Set(series.map(({ cid }) => cid))]
  const ids = [...new Set(series.map(({ id }) => id))]
  const components = await readComponents(sql, caller.organizationKey, componentIds, { ids, uids: [], upTo: 0 })
  for (const component of components.values()) demand(caller, 'DELETE component/feed', component.uid)
  const streamKeys: number[] = []
  for (const { cid, id, timesMs } of series) {
    const component = components.get(cid)
    const stream = component && streamByRef(component, id)
    if (stream === undefined) continue
    addTo(tally, stream.uid, await deleteSamplesAt(sql, stream, timesMs, gate.claimedUntilMs, snapshot))
    if (gate.heard.has(caller.organizationKey))
      await journalDeletions(
        sql,
        caller.organizationKey,
        stream,
        timesMs.map((timeMs) => [timeMs, timeMs + 1]),
      )
    streamKeys.push(stream.key)
  }
  return { components: [...components.values()], streamKeys }
}
