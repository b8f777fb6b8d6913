// The share of our database's disk that runs and trials may have (docs/imports.md#limits): IMPORT_MAX_BYTES each, and
// IMPORT_TOTAL_BYTES all of a process together, of which they have shares. Tables are measured while they grow. A database
// that takes no changes, since its disk is nearly full, ends the run.
import type { Fault } from '../base/errors.ts'
import { conflict, databaseReadOnly } from '../base/errors.ts'
import type { Pool } from '../base/database/sql.ts'
import type { Holders, Shares } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import { temporaryBytes, temporarySchema } from '../core/import/import-disk.ts'

export type DiskWatch = {
  /** Measures now; throws where the tables are too large. */
  readonly check: () => Promise<void>
  readonly close: () => void
}

const everyMs = 500

/**
 * Watches a connection that has its tables already. `end` is called with the reason when they have become too large.
 */
export const watchDisk = async (
  { sql, config, log }: World,
  disk: Shares,
  own: Pool,
  holders: Holders,
  end: (reason: Error) => void,
): Promise<DiskWatch> => {
  const { importMaxBytes, importTotalBytes } = config
  const schema = await temporarySchema(own)
  const holding = disk.open(holders)
  let isClosed = false

  const measure = async (): Promise<Fault | undefined> => {
    const { bytes, isFull } = await temporaryBytes(sql, schema)
    if (isClosed) return undefined
    if (isFull) return databaseReadOnly(undefined)
    const why = tooMuch(bytes)
    return why === undefined ? undefined : conflict(why)
  }
  const tooMuch = (bytes: number): string | undefined => {
    if (bytes > importMaxBytes)
      return `it keeps more than ${importMaxBytes} bytes in temporary tables (IMPORT_MAX_BYTES): fetch less at once, by WHERE or Max Rows`
    const more = bytes - holding.amount
    if (more < 0) holding.give(-more)
    else if (more > 0 && !holding.take(more))
      return `imports that run at once keep too much in temporary tables for ${importTotalBytes} bytes (IMPORT_TOTAL_BYTES)`
    return undefined
  }
  const check = async (): Promise<void> => {
    const why = await measure()
    if (why !== undefined) throw why
  }
  let isMeasuring = false
  const timer = setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    measure()
      .then(
        (why) => why !== undefined && end(why),
        // The run itself notices a database that is away for a moment.
        (err: unknown) => log.debug({ err }, 'temporary tables were not measured'),
      )
      .finally(() => (isMeasuring = false))
  }, everyMs)
  return {
    check,
    close: () => {
      isClosed = true
      clearInterval(timer)
      holding.give()
    },
  }
}
