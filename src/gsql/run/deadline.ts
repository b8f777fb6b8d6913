// A script's time (grammar/REFERENCE.md#limits): all that it asks, of streams, texts and statistics together, has one
// limit. Each query gets the remaining time as its statement_timeout. That is set anew when it has become shorter by
// more than a moment, ahead of the query and without a trip of its own.
import { guarded } from '../../base/database/pool.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'

export type Deadline = {
  /** The remaining time; throws when none is left, or when the caller is gone. */
  readonly leftMs: () => number
  readonly isOver: () => boolean
  /** Whether a query that was cancelled just now came to the end of its time: clocks may differ by a moment. */
  readonly wasReached: () => boolean
  /** Whether a query with the limit of the shared connections would still leave half of the time. */
  readonly isFar: () => boolean
}

const momentMs = 100

/** The time of a query on connections that calls share: one that needs longer is asked again on its own. */
export const sharedTimeoutMs = (timeoutMs: number) => Math.ceil(timeoutMs / 4)

export class OutOfTime extends Error {}

export const openDeadline = (timeoutMs: number, signal: AbortSignal | undefined): Deadline => {
  const beganMs = performance.now()
  const goneMs = () => performance.now() - beganMs
  return {
    leftMs: () => {
      signal?.throwIfAborted()
      const left = timeoutMs - goneMs()
      if (left <= 0) throw new OutOfTime()
      return Math.ceil(left)
    },
    isOver: () => goneMs() >= timeoutMs,
    wasReached: () => goneMs() >= timeoutMs - momentMs,
    isFar: () => goneMs() < sharedTimeoutMs(timeoutMs),
  }
}

/** The same transaction, with queries that end within the deadline. */
export const limited = (sql: Transaction, deadline: Deadline): Transaction => {
  let setMs = Number.POSITIVE_INFINITY
  return guarded(sql as unknown as Pool, () => {
    const leftMs = deadline.leftMs()
    if (setMs - leftMs < momentMs) return
    setMs = leftMs
    sql`select set_config('statement_timeout', ${String(leftMs)}, true)`.catch(() => {})
  }) as unknown as Transaction
}
