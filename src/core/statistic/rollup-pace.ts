// The pace of the roll-up: the times of its passes, and their length.
import type { Pool, Sql } from '../../base/database/sql.ts'
import { rollUp } from './rollup.ts'
import { newPace } from './tile-state.ts'
import { zonesInUse } from './tile-zone.ts'

/**
 * The length of passes in a job that runs every half a second: where many samples come in, a tenth of the time, so that
 * uploads keep theirs; else most of it, so that a bulk import is caught up with soon.
 */
export class Pacer {
  #before: { readonly rows: number; readonly atMs: number } | undefined
  #restUntilMs = 0

  /** The time of a pass that begins now, given the number of rows ever inserted; undefined: none is needed yet. */
  budgetMs(atMs: number, rows: number): number | undefined {
    if (atMs < this.#restUntilMs) return undefined
    const before = this.#before
    const isBusy = before !== undefined && rows - before.rows > (busyRowsPerSecond * (atMs - before.atMs)) / 1000
    return isBusy ? 50 : 2_000
  }

  /** The rows of the pass itself are not counted: tiles are rows, too. */
  passed(atMs: number, rows: number, isMore: boolean): void {
    this.#before = { rows, atMs }
    if (!isMore) this.#restUntilMs = atMs + idleRestMs
  }
}

const busyRowsPerSecond = 2_000
const idleRestMs = 5_000

/** A new zone is read from hours for so long: 100,000 components take tens of milliseconds to look through. */
const zonesEveryMs = 60_000

export const pacedRollUp = (): ((pool: Pool, nowMs: number) => Promise<void>) => {
  const pacer = new Pacer()
  let zones: readonly string[] = []
  let zonesAtMs = Number.NEGATIVE_INFINITY
  const pace = newPace()
  return async (pool, nowMs) => {
    const budgetMs = pacer.budgetMs(performance.now(), await insertedRows(pool))
    if (budgetMs === undefined) return
    if (performance.now() - zonesAtMs > zonesEveryMs) {
      zones = await zonesInUse(pool)
      zonesAtMs = performance.now()
    }
    const isMore = await rollUp(pool, nowMs, budgetMs, zones, pace)
    pacer.passed(performance.now(), await insertedRows(pool), isMore)
  }
}

const insertedRows = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ rows: number }]>`
    select tup_inserted as rows from pg_stat_database where datname = current_database()`
  return row.rows
}
