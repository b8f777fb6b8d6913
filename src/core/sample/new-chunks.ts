// Makes chunks of the hypertable `sample` before rows come for them. TimescaleDB makes a chunk under a lock that it keeps
// until the end of the transaction, and nobody makes another meanwhile: a transaction that stores one row in a new week
// and then takes minutes would keep out everybody's uploads into other new weeks. So chunks are made in transactions that
// do nothing else: those of the weeks to come by a job, those of an import, a script or an upload over several weeks by
// itself, before it stores.
//
// A chunk is made only in weeks of rows that are about to be stored, which would make it. There are never more than the weeks
// that have chunks of their own, some 1,600 (chunk.ts). One that stays empty, because the import fails, is dropped by a job.
import { callerTransaction } from '../../base/database/caller-transaction.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Pool, Sql } from '../../base/database/sql.ts'
import { Fault } from '../../base/errors.ts'
import type { Holders } from '../../base/shares.ts'
import { cutSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { comingWeeks, nearFromMs, weekMs } from './chunk.ts'
import { timeOf } from './stale.ts'

/** Runs a short piece of work by itself: on another connection than the rows, outside their transaction. */
export type Apart = (work: (sql: Sql) => Promise<unknown>) => Promise<unknown>

/** Notes rows, of which none is more than a week from the next, by the times of the first and the last. */
type Note = (firstMs: number, lastMs: number) => void

/**
 * Makes the chunks that are missing within a span, in the weeks of the rows that `noteRows` notes: all that lie in the
 * span that it is given, or more. It is asked only where a chunk is missing. Gives how many were made.
 */
export const makeChunks = async (
  sql: Sql,
  span: Span,
  apart: Apart,
  noteRows: (note: Note, within: Span) => Promise<void> | void,
): Promise<number> => {
  const gaps = await findGaps(sql, span)
  if (gaps.length === 0) return 0
  const within: Span = [gaps[0]![0], gaps.at(-1)![1]]
  const weeks = openWeeks(within)
  await noteRows(weeks.note, within)
  let made = 0
  for (const ms of weeks.timesIn(gaps)) {
    if (!(await makeChunk(apart, ms))) break
    made += 1
  }
  return made
}

/** All weeks that may have chunks of their own until 2095; all other times are in wide ones, which are always there. */
const ownWeeks: Span = [nearFromMs, nearFromMs + 5000 * weekMs]

/** Where there is no chunk. */
const findGaps = async (sql: Sql, span: Span): Promise<readonly Span[]> => {
  const [fromMs, untilMs] = [Math.max(span[0], ownWeeks[0]), Math.min(span[1], ownWeeks[1])]
  if (fromMs >= untilMs) return []
  const chunks = await sql<{ startMs: number; endMs: number }[]>`
    select range_start as "startMs", range_end as "endMs"
    from timescaledb_information.chunks
    where hypertable_schema = current_schema() and hypertable_name = 'sample'
      and range_start < ${untilMs} and range_end > ${fromMs}
    order by range_start`
  return cutSpans(
    [[fromMs, untilMs]],
    chunks.map(({ startMs, endMs }): Span => [startMs, endMs]),
  )
}

/** The weeks in which there are rows, however many rows there are of each. */
const openWeeks = ([fromMs, untilMs]: Span) => {
  const weekOf = (ms: number) => Math.floor(ms / weekMs)
  const first = weekOf(fromMs)
  const count = weekOf(untilMs - 1) - first + 1
  // How many more stretches of rows there are in a week than in the one before.
  const changes = new Int32Array(count + 1)
  const note: Note = (firstMs, lastMs) => {
    const [from, until] = [Math.max(0, weekOf(firstMs) - first), Math.min(count, weekOf(lastMs) - first + 1)]
    if (from >= until) return
    changes[from]! += 1
    changes[until]! -= 1
  }
  /** One of each week with rows that reaches into a span. */
  const timesIn = (spans: readonly Span[]): readonly number[] => {
    let open = 0
    const hasRows = Array.from(changes, (change) => (open += change) > 0)
    return spans.flatMap(([startMs, endMs]) => {
      const times: number[] = []
      for (let week = weekOf(startMs); week * weekMs < endMs; week += 1)
        if (hasRows[week - first]) times.push(Math.max(startMs, week * weekMs))
      return times
    })
  }
  return { note, timesIn }
}

/** Others make a chunk in milliseconds. If the lock is not to be had, the rows make the chunk themselves. */
const lockMs = 2000

/**
 * By a row of stream 0, which there never is, and which goes by the name of its chunk: to look for it in the hypertable takes
 * longer the more chunks there are, 60 ms with 1,000. False: somebody else makes chunks for long.
 */
const makeChunk = async (apart: Apart, ms: number): Promise<boolean> => {
  try {
    // Statements that are sent as one text are one transaction.
    await apart((sql) =>
      sql.unsafe(`
        set local lock_timeout = ${lockMs};
        do $$
        declare
          chunk regclass;
        begin
          insert into sample (stream_key, time)
          values (0, ${timeOf(`${BigInt(ms)}::bigint`)})
          returning tableoid into chunk;
          execute format('delete from only %s where stream_key = 0', chunk);
        end $$`),
    )
    return true
  } catch (error) {
    if (['55P03', '40P01'].includes(sqlCode(error) ?? '') || (error instanceof Fault && error.code === 'busy'))
      return false
    throw error
  }
}

/** A chunk that is dropped meanwhile is made by the rows themselves. */
const rememberedMs = 60_000

/** Makes the chunks for samples at these times, before they are stored; of a caller that may store them. */
export type MakeChunksFor = (holders: Holders, timesMs: readonly number[]) => Promise<void>

/** For writers that come often: it remembers for a while where chunks are. */
export const openNewChunks = (pool: Pool): MakeChunksFor => {
  let gaps: readonly Span[] = []
  let endAt = Number.NEGATIVE_INFINITY
  return async (holders, timesMs) => {
    if (!isAnyIn(gaps, timesMs)) {
      if (performance.now() < endAt) return
      // Others who come meanwhile do not look as well.
      endAt = performance.now() + rememberedMs
    }
    try {
      await makeChunks(
        pool,
        ownWeeks,
        (work) => callerTransaction(pool, holders, work),
        (note) => {
          for (const ms of timesMs) note(ms, ms)
        },
      )
      gaps = await findGaps(pool, ownWeeks)
      endAt = performance.now() + rememberedMs
    } catch {
      // The rows make them, or fail by the same reason.
      endAt = Number.NEGATIVE_INFINITY
    }
  }
}

/** Whether they are of several weeks: the chunk of one is made soon enough with its rows. */
export const areOfWeeks = (timesMs: readonly number[]): boolean => {
  const week = Math.floor(timesMs[0]! / weekMs)
  return timesMs.some((ms) => Math.floor(ms / weekMs) !== week)
}

/** Whether one of the times is in one of the spans, which are in order. Most times are near the one before. */
const isAnyIn = (spans: readonly Span[], timesMs: readonly number[]): boolean => {
  let [fromMs, untilMs] = [Infinity, -Infinity]
  for (const ms of timesMs) {
    if (ms >= fromMs && ms < untilMs) continue
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (spans[middle]![1] <= ms) low = middle + 1
      else high = middle
    }
    fromMs = spans[low - 1]?.[1] ?? -Infinity
    untilMs = spans[low]?.[0] ?? Infinity
    if (ms >= untilMs) return true
  }
  return false
}

/** Makes the chunks of this week and the next ones; gives how many. */
export const makeComingChunks = (sql: Sql, nowMs: number): Promise<number> => {
  const span = comingWeeks(nowMs)
  return makeChunks(
    sql,
    span,
    (work) => work(sql),
    (note, [fromMs, untilMs]) => note(fromMs, untilMs - 1),
  )
}
