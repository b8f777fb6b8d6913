// Makes stale tiles anew (rollup.ts), of the streams that are late, so that these cost nobody else's tiles, and of those
// that are compressed only a batch or two of each is taken out. Both editions: the rows of a continuous aggregate are those of a
// table, too. TimescaleDB's own refresh would make a day of all streams anew for one sample.
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { ceilTo, floorTo, joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { dayMs, daySelect, hourMs, hourSelect, mainPhase, tileColumnNames } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'
import {
  clearStale,
  daysOf,
  hoursOf,
  inTurn,
  lastMarks,
  mendDaysToo,
  readPhases,
  readStale,
  timed,
} from './tile-state.ts'
import type { Pace, TileEdition } from './tile-state.ts'
import { streamsOfPhases } from './tile-zone.ts'
import { wantedTiles } from './wanted.ts'

/** The table that holds the rows of a relation of tiles. */
export type TableOf = TileEdition['tableOf']

/** Plans that are made for given times leave out other chunks. */
export const planForTimes = (sql: Transaction) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Makes the hours of a span anew, and the days that end below untilMs. */
export const remake = async (
  sql: Transaction,
  tableOf: TableOf,
  phase: Phase,
  streamKeys: readonly number[],
  span: Span,
  untilMs: number,
): Promise<void> => {
  if (streamKeys.length === 0) return
  const columns = ['stream_key', 'bucket', ...tileColumnNames].join(', ')
  const remakeRows = async (name: string, select: string, [fromMs, toMs]: Span) => {
    const table = await tableOf(sql, name)
    const values = [streamKeys as number[], fromMs, toMs]
    await sql.unsafe(
      `delete from ${table} where stream_key = any($1::integer[]) and bucket >= $2 and bucket < $3`,
      values,
      { prepare: true },
    )
    // One index scan per stream: without it Postgres reads whole chunks for a few hours of them.
    await sql.unsafe(
      `insert into ${table} (${columns})
       select tile.* from unnest($1::integer[]) as wanted (key) cross join lateral (${select}) as tile`,
      values,
      { prepare: true },
    )
  }
  const hours = phase.hasDaysOnly ? undefined : hoursOf(phase, span, untilMs)
  if (hours)
    await remakeRows(
      phase.hourTable,
      hourSelect(phase, 'where stream_key = wanted.key and time >= $2 and time < $3'),
      hours,
    )
  const days = daysOf(phase, span, untilMs)
  if (days)
    await remakeRows(
      phase.dayTable,
      daySelect(phase, 'where stream_key = wanted.key and bucket >= $2 and bucket < $3'),
      days,
    )
}

/**
 * Makes a bounded part of the stale tiles anew; false when none was stale. The first stream's last marks say of which hours,
 * because most readers ask for the latest; streams whose marks end there too are done with it: a statement costs as much for
 * one stream as for a hundred, and late samples often come for many at once.
 */
export const mendSome = async (pool: Pool, pace: Pace, tableOf: (kind: TileKind) => TableOf): Promise<boolean> => {
  const next = await inTurn(pool, async (sql) => {
    await planForTimes(sql)
    await mendDaysToo(sql)
    const { snapshot, streams, isWanted } = await nextMarks(sql, pace)
    const [first, ...others] = streams
    if (first === undefined) return undefined
    const spans = await readStale(sql, first.key, dayMs, mostRead)
    const last = spans.at(-1)!
    const [earliestMs, untilMs] = windowOf([startOfRun(spans), last[1]], pace.streamMs)
    const fromMs = startWithin(spans, await startOfSome(sql, first.key, [earliestMs, untilMs]))
    const most = Math.max(1, Math.floor(pace.streamMs / (untilMs - fromMs)))
    const late = others.filter(({ ms }) => ms >= fromMs && ms < untilMs)
    const mended = await firstOfSome(
      sql,
      [first, ...late].slice(0, most).map(({ key }) => key),
      [fromMs, untilMs],
    )
    await timed(
      async () => {
        const known = { aggregate: remembering(tableOf('aggregate')), table: remembering(tableOf('table')) }
        const members = await streamsOfPhases(sql, mended)
        for (const { phase, kind, readyUntilMs, pieceUntilMs } of await readPhases(sql)) {
          const keys = phase === mainPhase ? mended : (members.get(phase.minutes) ?? [])
          await remake(sql, known[kind], phase, keys, [fromMs, untilMs], pieceUntilMs ?? readyUntilMs)
        }
      },
      (factor) => (pace.streamMs = Math.min(Math.max(hourMs, pace.streamMs * factor), longestPaceMs)),
    )
    await clearStale(sql, mended, snapshot, fromMs)
    if (isWanted) return pace.nextStream
    pace.turn += 1
    const isDone = spans.length < mostRead && fromMs <= spans[0]![0]
    return isDone || pace.turn >= mostSteps ? first.key + 1 : first.key
  })
  if (next !== undefined) {
    if (next !== pace.nextStream) pace.turn = 0
    pace.nextStream = next
    return true
  }
  const isLeft = pace.nextStream > 0
  pace.nextStream = 0
  return isLeft
}

/** Whether the next step is for readers that wait: every other one, lest they keep all others from being mended. */
let isForReaders = false

/** Those of the streams that readers wait for, the latest first; else of those behind the last stream. */
const nextMarks = async (sql: Transaction, { wanted, nextStream }: Pace) => {
  for (const key of await wantedTiles(sql)) wanted.add(key)
  isForReaders = !isForReaders
  if (wanted.size > 0 && isForReaders) {
    const { snapshot, streams } = await lastMarks(sql, wanted)
    if (streams.length > 0) return { snapshot, streams: streams.toSorted((a, b) => b.ms - a.ms), isWanted: true }
    wanted.clear()
  }
  return { ...(await lastMarks(sql, nextStream)), isWanted: false }
}

/** Whole hours: samples of many streams that come late together seldom have the very same times. */
const windowOf = ([fromMs, toMs]: Span, mostMs: number): Span => {
  const endMs = ceilTo(toMs, 0, hourMs)
  return [Math.max(floorTo(fromMs, 0, hourMs), endMs - floorTo(mostMs, 0, hourMs)), endMs]
}

/**
 * So many samples are read in a step, and those of an hour more, which takes 0.1 s. Streams with a sample a week let
 * steps grow to decades; three years of minutes were then one step of ten seconds, in which nothing else was mended.
 */
const mostSamples = 20_000

/** A thousand streams of thirty years: steps grow no further, and are soon small again. */
const longestPaceMs = 30_000 * 365 * dayMs

/** Marks of a stream that are read for a step. */
const mostRead = 1000

/** Steps of a stream before others have their turn. */
const mostSteps = 20

/** Marks that lie further apart are done one by one: chunks in between are looked into. */
const runWithinMs = 365 * dayMs

/** Where the marks begin that follow each other up to the last one. */
const startOfRun = (spans: readonly Span[]): number => joinSpans(spans, runWithinMs).at(-1)![0]

/** The beginning of the first span that lies behind a time, or that time: samples between spans are not read for nothing. */
const startWithin = (spans: readonly Span[], fromMs: number): number => {
  const first = spans.find(([ms]) => floorTo(ms, 0, hourMs) >= fromMs)
  return first ? floorTo(first[0], 0, hourMs) : fromMs
}

/** The hour from which on a window has so many samples of the stream, or the window's own start. */
const startOfSome = async (sql: Transaction, streamKey: number, [fromMs, untilMs]: Span): Promise<number> => {
  const [row] = await sql<{ timeMs: number }[]>`
    select time as "timeMs" from sample
    where stream_key = ${streamKey} and time >= ${fromMs} and time < ${untilMs}
    order by time desc
    offset ${mostSamples}
    limit 1`
  return row === undefined ? fromMs : Math.max(fromMs, floorTo(row.timeMs, 0, hourMs))
}

/** The first streams, at least one, that have so many samples together. */
const firstOfSome = async (
  sql: Transaction,
  keys: readonly number[],
  [fromMs, untilMs]: Span,
): Promise<readonly number[]> => {
  if (keys.length === 1) return keys
  const [row] = await sql<[{ count: number }]>`
    with recursive counted (nth, samples) as (
      select 0, 0::bigint
      union all
      select nth + 1, samples + (
        select count(*)
        from (
          select from sample
          where stream_key = (${keys as number[]}::integer[])[nth + 1] and time >= ${fromMs} and time < ${untilMs}
          limit ${mostSamples} - samples + 1
        ) as first)
      from counted
      where nth < ${keys.length} and samples <= ${mostSamples}
    )
    select count(*)::integer from counted where nth > 0 and samples <= ${mostSamples}`
  return keys.slice(0, Math.max(1, row.count))
}

/** Of one transaction: it is asked for at every step. */
const remembering = (tableOf: TableOf): TableOf => {
  const tables = new Map<string, Promise<string>>()
  return (sql, name) => {
    const table = tables.get(name) ?? tableOf(sql, name)
    tables.set(name, table)
    return table
  }
}
