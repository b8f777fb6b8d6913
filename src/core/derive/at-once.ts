// Derives in an upload's own transaction (derMaxS and derTout of docs/feeds.md#upload-in-the-url), behind a savepoint: an
// upload never fails by what is derived from it. What is not done stays as marks for the background.
import type { Clock } from '../../base/clock.ts'
import type { Transaction } from '../../base/database/sql.ts'
import type { DeriveAtOnce } from '../sample/store.ts'
import { markSources } from '../sample/touched.ts'
import type { Touched } from '../sample/touched.ts'
import { joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { deriveChains } from './chain.ts'
import { joinWithinMs, leaveTasks } from './mark.ts'
import type { TouchedSpans } from './mark.ts'
import { settleTransaction } from './work.ts'
import type { Tools } from './work.ts'

/** Samples that need not be counted before they are worked out together. */
const mostSmall = 20_000

export const openAtOnce =
  (clock: Clock, tools: Tools): DeriveAtOnce =>
  async (sql, { claimedUntilMs }, touched, { mostStreams, endAt }) => {
    const leftMs = Math.floor(endAt - performance.now())
    if (leftMs <= 0) return markSources(sql, touched)
    const usualMs = await usualTimeout(sql)
    await sql`savepoint upload`
    try {
      await settleTransaction(sql, leftMs)
      const isSmall = Array.from(touched.values()).reduce((sum, times) => sum + times.length, 0) <= mostSmall
      const work = { ...tools, sql, claimedUntilMs, nowMs: clock.now(), endAt, statementMs: leftMs, isSmall }
      const left = await deriveChains(work, spansOf(touched), [], { whenHeld: 'skip', mostStreams, withWaiting: true })
      await leaveTasks(sql, left)
      await sql`release savepoint upload`
    } catch {
      // Whatever it was, the samples are there; if the connection is lost, this fails as well.
      await sql`rollback to savepoint upload`
      await markSources(sql, touched)
    }
    await sql`select set_config('statement_timeout', ${usualMs}, true)`
  }

const usualTimeout = async (sql: Transaction): Promise<string> => {
  const [row] = await sql<[{ usual: string }]>`select current_setting('statement_timeout') as usual`
  return row.usual
}

const spansOf = (touched: Touched): TouchedSpans =>
  new Map(
    Array.from(touched, ([key, times]) => [
      key,
      joinSpans(
        times.map((ms): Span => [ms, ms + 1]),
        joinWithinMs,
      ),
    ]),
  )
