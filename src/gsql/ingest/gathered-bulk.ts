// Samples that were gathered in the thread of the external session (gathered.ts), for the write path: their streams by
// names, and their rows once it is known which stream each of them is.
import { copyInto } from '../../base/database/copy.ts'
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { BulkGathered, BulkStreams } from '../../core/sample/bulk.ts'
import { spoolName } from '../emit/emit-table.ts'
import type { GatheredSummary } from './gathered.ts'
import type { ImportOrder } from './import-encoder.ts'

/** Rows that the thread has kept (outbound/fetch.ts). */
export type Kept = {
  readonly known: unknown
  readonly give: (order: ImportOrder) => AsyncIterable<readonly Uint8Array[]>
}

export type GatheredStream = {
  readonly cid: string
  readonly id: string
  readonly span: BulkStreams['spans'][number]
}

/** The streams of a part, in one order for all imports, so that none waits for another in a circle. */
export const gatheredStreams = ({ known }: Kept, part: number): readonly GatheredStream[] => {
  const { cids, ids, firstMs, lastMs } = (known as GatheredSummary).parts[part]!
  return cids
    .map((cid, at) => ({ cid, id: ids[at]!, span: { firstMs: firstMs[at]!, lastMs: lastMs[at]! } }))
    .map((stream) => ({ stream, cid: Buffer.from(stream.cid), id: Buffer.from(stream.id) }))
    .toSorted((one, other) => one.cid.compare(other.cid) || one.id.compare(other.id))
    .map(({ stream }) => stream)
}

export const gatheredOf = ({ known, give }: Kept): BulkGathered => {
  const { parts, samples } = known as GatheredSummary
  return {
    samples,
    stretches: parts.flatMap(({ cids, ids, stretches }) =>
      stretches.map(([stream, firstMs, lastMs]) => ({ cid: cids[stream]!, id: ids[stream]!, firstMs, lastMs })),
    ),
    rows: async function* (placeOf, timeAs) {
      const places = parts.map(({ cids, ids }) => cids.map((cid, at) => placeOf(cid, ids[at]!)))
      const keys = places.map((ofPart) => Int32Array.from(ofPart, ({ key }) => key))
      const longs = places.map((ofPart) => Uint8Array.from(ofPart, ({ isLong }) => (isLong ? 1 : 0)))
      for await (const [piece] of give({ kind: 'samples', keys, longs, timeAs })) yield piece!
    },
  }
}

/** The rows themselves, into the tables of the script, for whoever must look at them one by one. */
export const spoolGathered = async (sql: Transaction, { give }: Kept): Promise<void> => {
  for await (const encoded of give({ kind: 'rows' })) await copyIntoSpools(sql, encoded)
}

/** A COPY for each batch: while the external database is waited for, nothing is open here. */
export const copyIntoSpools = async (sql: Sql, encoded: readonly Uint8Array[]): Promise<void> => {
  for (const [spool, bytes] of encoded.entries())
    await copyInto(sql, `copy ${spoolName(spool)} from stdin (format binary)`, [bytes])
}
