// The last result of an import, in a few bytes (db/0038_import_result.sql): the hashes of its rows, the streams that it
// wrote to, and a hash of the samples that it made.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { BulkDigest } from '../sample/bulk.ts'

/** A stream, by the names that a statement of the Ingest SQL gave it, and a sample by which its type was known. */
export type ResultStream = readonly [
  statement: number,
  cid: string | number,
  id: string | number,
  sample: string | null,
  firstMs: number,
  lastMs: number,
]

export type ImportResult = {
  readonly basis: string
  readonly blocks: Uint8Array
  readonly fetched: number
  readonly streams: readonly ResultStream[]
} & BulkDigest

export const findResult = async (sql: Sql, connectorKey: number): Promise<ImportResult | undefined> => {
  const [row] = await sql<ImportResult[]>`
    select basis, blocks, fetched, samples, seed::text as seed, digest::text as digest, streams
    from import_result
    where connector_key = ${connectorKey}`
  return row
}

export const keepResult = async (sql: Transaction, connectorKey: number, result: ImportResult): Promise<void> => {
  const { basis, blocks, fetched, samples, seed, digest, streams } = result
  await sql`
    insert into import_result (connector_key, basis, blocks, fetched, samples, seed, digest, streams)
    values (${connectorKey}, ${basis}, ${Buffer.from(blocks)}, ${fetched}, ${samples}, ${seed}::text::bigint,
            ${digest}::text::numeric, ${JSON.stringify(streams)}::text::jsonb)
    on conflict (connector_key)
    do update set basis = excluded.basis, blocks = excluded.blocks, fetched = excluded.fetched,
      samples = excluded.samples, seed = excluded.seed, digest = excluded.digest, streams = excluded.streams`
}
