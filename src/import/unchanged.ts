// A run whose rows are those of the last one (docs/imports.md#skip-unchanged). That they are is known by their bytes, before
// anybody reads them; what they make, and where, is remembered from the last run. Whether exactly these samples are still
// stored is left to find out, and a sum of hashes says so, while the rows still come: reading, placing, sorting and comparing
// a million rows took nine seconds, and this takes one.
import { createHash, randomBytes } from 'node:crypto'
import type { Pool, Transaction } from '../base/database/sql.ts'
import { Fault } from '../base/errors.ts'
import { productVersion } from '../base/version.ts'
import type { Caller } from '../core/caller.ts'
import { findResult } from '../core/import/import-result.ts'
import type { ImportResult } from '../core/import/import-result.ts'
import type { ImportOrder } from '../core/import/import-run.ts'
import { demandStored, lookAtStored, NotStored } from '../core/sample/bulk.ts'
import type { Bulk, StoredLook } from '../core/sample/bulk.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import { streamsAgain } from '../gsql/ingest/import-effects.ts'
import type { CompiledScript } from '../gsql/script.ts'
import { isSteady } from '../gsql/ingest/steady.ts'

export type LastResult = {
  readonly known: ImportResult | undefined
  /** With all that the samples depend on besides the rows; the session knows its own part. */
  readonly basisOf: (ofSession: string) => string
}

/** Undefined where the rows alone do not say what the run will make of them. */
export const findLast = async (
  own: Pool,
  { connectorKey, skipUnchanged, maxRows, externalSql, ingestSql, timeZone }: ImportOrder,
  script: CompiledScript,
): Promise<LastResult | undefined> => {
  if (!skipUnchanged || maxRows > 0 || !isSteady(script)) return undefined
  const basisOf = (ofSession: string) =>
    createHash('sha256')
      .update(JSON.stringify([productVersion, externalSql, ingestSql, timeZone, ofSession]))
      .digest('hex')
  return { known: await findResult(own, connectorKey), basisOf }
}

/** The streams that the same rows were written to. */
export const againOf = (
  script: CompiledScript,
  { connectorUid, timeZone }: ImportOrder,
  { streams }: ImportResult,
  nowMs: number,
): Pick<Bulk, 'streams' | 'nowMs'> => {
  const variables = new Map([['connector_id', connectorUid]])
  return { streams: streamsAgain(script, { variables, nowMs, zone: timeZone }, streams), nowMs }
}

/** A look at the stored samples beside the rows that come; one at most, on a connection that nobody else uses until it has ended. */
export type Look = {
  readonly begin: () => void
  /** Undefined where none was begun, or it was not to the end. */
  readonly found: () => Promise<StoredLook | undefined>
  readonly stop: () => Promise<void>
}

type Wanted = Pick<Bulk, 'streams' | 'nowMs' | 'timeoutMs'>

export const openLook = (own: Pool, caller: Caller, wanted: () => Wanted, known: ImportResult): Look => {
  let looking: Promise<StoredLook | undefined> | undefined
  let isStopped = false
  // The look inside the gate finds the reason of a failure once more.
  const look = () => lookAtStored(own, caller, wanted(), known, () => isStopped).catch(() => undefined)
  return {
    begin: () => void (looking ??= isStopped ? undefined : look()),
    found: async () => looking,
    stop: async () => {
      isStopped = true
      await looking
    },
  }
}

/** False, and nothing is changed, when others are stored. */
export const endUnchanged = async (
  ingestion: Ingestion,
  own: Pool,
  caller: Caller,
  wanted: Wanted,
  known: ImportResult,
  look: StoredLook | undefined,
  finish: (sql: Transaction) => Promise<void>,
): Promise<boolean> => {
  if (look?.areStored === false) return false
  try {
    await ingestion.ingestFrom(own, caller, () => ({
      kind: 'own',
      store: async (sql, gate) => {
        await demandStored(sql, caller, wanted, known, gate, look).catch((error: unknown) => {
          // A stream that may not be made, say: whoever looks at the rows finds the reason, and names the row.
          throw error instanceof Fault ? new NotStored() : error
        })
        await finish(sql)
        return { components: [], streamKeys: [] }
      },
    }))
    return true
  } catch (error) {
    if (error instanceof NotStored) return false
    throw error
  }
}

/** Nobody can make samples that have the same digest as others. */
export const newSeed = (): string => String(randomBytes(8).readBigInt64BE())
