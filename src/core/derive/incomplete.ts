// A stream by base intervals, or at the ends of cycles, has samples up to where all of its variables have some. Where the
// last samples of a variable are deleted, or are gone since it was derived anew, that is before the stream's own last one,
// however long before the deleted ones: from there on it is stale.
import { firstMs as beginningOfTime } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import type { Piece } from './by-samples.ts'
import { findComplete } from './collect.ts'
import { openSpans } from './progress.ts'
import type { Progress } from './progress.ts'

/** A time up to which all variables have samples, and that of the first sample too many, both as shown. */
export type Incomplete = { readonly completeMs: number; readonly timeMs: number }

/** Streams that have samples too many. */
export const findIncomplete = async (
  sql: Transaction,
  progresses: readonly Progress[],
): Promise<ReadonlyMap<Progress, Incomplete>> => {
  const clocked = progresses.filter(
    ({ definition, lastMs }) => definition.shape === 'clocked' && Number.isFinite(lastMs),
  )
  const completeMs = clocked.length === 0 ? [] : await findComplete(sql, clocked)
  const asked = clocked.flatMap((progress, n) => {
    const fromMs = Math.max(completeMs[n]! + 1, beginningOfTime)
    const [open] = openSpans(progress, [[fromMs, progress.lastMs + 1]])
    return open && open[0] < open[1]
      ? [{ progress, completeMs: fromMs - 1, fromMs: storedMs(progress.definition.kind, open[0]) }]
      : []
  })
  if (asked.length === 0) return new Map()
  const rows = await sql<{ timeMs: number | null }[]>`
    select (
      select time from sample where stream_key = key and time >= from_time order by time limit 1) as "timeMs"
    from unnest(${asked.map(({ progress }) => progress.definition.key)}::integer[],
      ${asked.map(({ fromMs }) => fromMs)}::timestamptz[]) with ordinality as asked (key, from_time, nth)
    order by nth`
  return new Map(
    asked.flatMap(({ progress, completeMs: untilMs }, n) => {
      const storedAt = rows[n]!.timeMs
      if (storedAt === null) return []
      const timeMs = shownMs(progress.definition.kind, storedAt)
      return [[progress, { completeMs: untilMs, timeMs }] as const]
    }),
  )
}

/**
 * Pieces that begin where all variables of their stream have samples, or that need not wait for any. Asked for all at once:
 * a stream of which one variable has nothing would be looked at by itself for every sample of the others.
 */
export const onlyDue = async (sql: Transaction, pieces: readonly Piece[]): Promise<readonly Piece[]> => {
  const clocked = [...new Set(pieces.map(({ progress }) => progress))].filter(
    ({ definition }) => definition.shape === 'clocked',
  )
  if (clocked.length < 2) return pieces
  const completes = await findComplete(sql, clocked)
  const completeMs = new Map(clocked.map((progress, n) => [progress, completes[n]!]))
  return pieces.filter(({ progress, span }) => {
    if (span[0] <= (completeMs.get(progress) ?? Number.POSITIVE_INFINITY)) return true
    // It waits for them there.
    progress.touchedMs = Math.min(progress.touchedMs ?? span[0], span[0])
    return false
  })
}
