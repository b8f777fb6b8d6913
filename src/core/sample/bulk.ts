// The samples of an import (docs/imports.md#stored-samples): more than can be in memory at once, and still all of them
// or nothing. Where no rule could refuse one of its samples, SQL places them all at once (bulk-place.ts). Else they are
// converted batch by batch, as those of any upload, into a temporary table of the transaction. From there SQL compares
// them with stored samples, and stores them (bulk-latest.ts). The gate is open.
import type { Transaction } from '../../base/database/sql.ts'
import type { Caller } from '../caller.ts'
import { copyGathered, givenGathered } from './bulk-gathered.ts'
import type { BulkGathered } from './bulk-gathered.ts'
import { storeLatest } from './bulk-latest.ts'
import type { BulkCounts, BulkDigest, Given } from './bulk-latest.ts'
import { openPlaces } from './bulk-place.ts'
import type { BulkQuery } from './bulk-place.ts'
import { digestStored } from './bulk-stored.ts'
import { findComponents } from './bulk-streams.ts'
import type { BatchStep, BulkStreams, Components } from './bulk-streams.ts'
import type { Gate } from './gate.ts'
import type { Apart } from './new-chunks.ts'
import { placeBatch } from './place.ts'
import type { RegisteredStream } from './registered.ts'
import type { SampleRows } from './rows.ts'
import { upsertParameters } from './sample.ts'
import { auditDeleted, deleteThese, explained } from './store.ts'
import type { Stored, Tally, WriteStep } from './store.ts'

export type { BulkGathered } from './bulk-gathered.ts'
export { MetOthers } from './bulk-latest.ts'
export type { BulkCounts, BulkDigest } from './bulk-latest.ts'
export type { BulkQuery } from './bulk-place.ts'
export { demandStored, lookAtStored, NotStored } from './bulk-stored.ts'
export type { StoredLook } from './bulk-stored.ts'
export type { BulkStreams } from './bulk-streams.ts'

export type BulkPart =
  /** `isByRun`: the samples have no times of their own, but that of the run. */
  { readonly step: BatchStep; readonly isByRun: boolean } | { readonly step: Extract<WriteStep, { kind: 'delete' }> }

/** All may be asked for several times, if the transaction has to begin anew. */
export type Bulk = {
  readonly connectorKey: number
  readonly skipsUnchanged: boolean
  /** After MetOthers was thrown: then it is not thrown again. */
  readonly expectsOthers: boolean
  /** Asks for a digest of the samples. Asked for after the streams. */
  readonly seed: () => string | undefined
  /** The time of samples that have none of their own. */
  readonly nowMs: number
  /** Time that each statement may take. */
  readonly timeoutMs: number
  /** For chunks of new weeks, which nobody else could make until the end of the transaction (new-chunks.ts). */
  readonly apart: Apart
  readonly streams: () => AsyncIterable<BulkStreams>
  /** Of samples in the order that they were given, or in that of their times. */
  readonly parts: (order: 'given' | 'time') => AsyncIterable<BulkPart>
  /** The same as queries in the transaction that stores; undefined where they are not, or hold what must be looked at. Asked for after the streams. */
  readonly queries: () => readonly BulkQuery[] | undefined
  /** The same in the order of their streams and times, where somebody has put them so. Asked for after the streams. */
  readonly gathered?: () => BulkGathered | undefined
}

export type StoredBulk = Pick<Stored, 'components' | 'streamKeys'> & {
  readonly counts: BulkCounts
  /** Of samples that were placed in SQL and have times of their own, where it is asked for. */
  readonly digest?: BulkDigest | undefined
}

/** Throws MetOthers, inside the transaction, where others store samples at the same time. */
export const storeBulk = async (
  sql: Transaction,
  caller: Caller,
  bulk: Bulk,
  gate: Gate,
  snapshot?: string,
): Promise<StoredBulk> => {
  await sql`select set_config('statement_timeout', ${String(bulk.timeoutMs)}, true)`
  const { organizationKey } = caller
  const places = openPlaces(bulk.nowMs)
  const components = await findComponents(sql, caller, bulk.streams, places)
  const touched = { components: [...components.values()], streamKeys: new Set<number>() }
  const counts = { inserted: 0, skipped: 0 }
  const streams = new Map<number, RegisteredStream>()
  for (const component of touched.components) for (const stream of component.streams) streams.set(stream.key, stream)
  const store = async (given: Given, digestedBy?: string): Promise<BulkDigest | undefined> => {
    const options = { ...bulk, organizationKey, seed: digestedBy }
    const stored = await storeLatest(sql, options, given, gate, streams, snapshot)
    counts.inserted += stored.inserted
    counts.skipped += stored.skipped
    for (const key of stored.streamKeys) touched.streamKeys.add(key)
    return stored.digest
  }
  const gathered = places.arePlain() ? bulk.gathered?.() : undefined
  const seed = bulk.seed()
  if (gathered) {
    const mayCopy = !bulk.expectsOthers && !gate.heard.has(organizationKey)
    if (mayCopy && (await copyGathered(sql, gathered, places, bulk.nowMs, gate, bulk.apart))) {
      for (const { cid, id } of gathered.stretches) touched.streamKeys.add(places.placeOf(cid, id).key)
      const digest = seed === undefined ? undefined : await digestStored(sql, places.spans(), seed)
      const isAll = digest?.samples === gathered.samples
      return { ...touched, counts: { inserted: gathered.samples, skipped: 0 }, digest: isAll ? digest : undefined }
    }
    const digest = await store(await givenGathered(sql, gathered, places, bulk.nowMs), seed)
    return { ...touched, counts, digest }
  }
  const queries = places.arePlain() ? bulk.queries() : undefined
  if (queries) {
    const digest = await store(await places.place(sql, queries), seed)
    return { ...touched, counts, digest }
  }
  await makeTable(sql)
  let isEmpty = true
  const flush = async (): Promise<void> => {
    if (isEmpty) return
    isEmpty = true
    await store(await givenBatches(sql))
    await sql`truncate placed`
  }
  const deleted: Tally = new Map()
  // Of several values in one interval the latest in time wins; of a random stream's at one time the last that is given.
  const order = [...streams.values()].some(({ kind }) => kind === 'interval') ? 'time' : 'given'
  for await (const part of bulk.parts(order)) {
    if (part.step.kind === 'delete') {
      await flush()
      const gone = await deleteThese(sql, caller, part.step.series, gate, deleted, snapshot)
      touched.components.push(...gone.components)
      for (const key of gone.streamKeys) touched.streamKeys.add(key)
      continue
    }
    const { step } = part
    const { batch } = step
    isEmpty = false
    await explained(step, place(sql, batch, components, 'isByRun' in part && part.isByRun))
  }
  await flush()
  await auditDeleted(sql, caller, deleted)
  return { ...touched, counts }
}

const place = async (
  sql: Transaction,
  batch: BatchStep['batch'],
  components: Components,
  isByRun: boolean,
): Promise<void> => {
  const named = batch.components.map(({ ref }) => components.get(ref)!)
  // Gaps are filled once all is there.
  const placed = placeBatch({ ...batch, fillsGaps: false }, named)!
  await insertPlaced(sql, placed.rows, isByRun, false)
  await insertPlaced(sql, placed.points, isByRun, true)
}

const makeTable = async (sql: Transaction): Promise<void> => {
  await sql`
    create temp table placed (
      n bigint generated always as identity, stream_key integer, span integer, ms bigint, num double precision,
      long bigint, text text, is_by_run boolean, is_point boolean
    ) on commit drop`
}

const insertPlaced = async (sql: Transaction, rows: SampleRows, isByRun: boolean, isPoint: boolean): Promise<void> => {
  if (rows.streamKeys.length === 0) return
  await sql.unsafe(
    `insert into placed (stream_key, span, ms, num, long, text, is_by_run, is_point)
     select stream_key, span, ms, num, long, text, ${isByRun}, ${isPoint}
     from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
                 $5::text::bigint[], $6::text::text[]) as row (stream_key, span, ms, num, long, text)`,
    upsertParameters(rows).map((text, column) => (hasValues(rows, column) ? text : null)),
  )
}

/** Most columns have no values at all: unnest fills them up with nulls, which nobody has to write and read. */
const hasValues = ({ spans, nums, longs, texts }: SampleRows, column: number): boolean =>
  [undefined, spans, undefined, nums, longs, texts][column]?.some((value) => value !== null) ?? true

const givenBatches = async (sql: Transaction): Promise<Given> => {
  await sql`analyze placed`
  const [range] = await sql<[Given['range']]>`
    select min(ms) as "firstMs", max(ms) as "lastMs", min(stream_key) as "firstKey", max(stream_key) as "lastKey"
    from placed`
  return {
    text: `
      select placed.*, stream.component_key
      from placed
      join stream on stream.key = placed.stream_key`,
    values: [],
    order: ['n'],
    range,
  }
}
