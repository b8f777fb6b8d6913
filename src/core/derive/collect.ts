// The rows of variables of streams that samples alone do not give: where variables have cycles, or are rolled up by base
// intervals. Statistics are read by core/statistic, in the same transaction; the expression is left to Postgres. Streams
// of a fleet are read together.
import { firstMs as beginningOfTime, lastMs as endOfTime } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { shownMs } from '../sample/rows.ts'
import { presence } from '../statistic/statistic.ts'
import type { Calendar } from '../time/calendar.ts'
import type { Span } from '../time/span.ts'
import { intervalEnd } from './affected.ts'
import type { Definition } from './definition.ts'
import { findStarts, selectRows, slotsOf } from './statement.ts'
import type { GivenRows } from './statement.ts'
import { readRanges, valuesAt } from './statistics.ts'
import type { Intervals } from './statistics.ts'

/** A stream and times of it, as shown. */
export type Wanted = { readonly definition: Definition; readonly span: Span }

/** Rows from the beginning of a span on, and the time before which there are no others. */
export type Collected = {
  readonly rows: GivenRows
  readonly reachedMs: number
  /**
   * Of a clock at the ends of cycles: before this it is done with, unless somebody touches it. Behind there may be more
   * once all sources have come so far.
   */
  readonly doneMs?: number | undefined
}

/** Rows at once; where texts are among them, few may be long. */
const mostRows = 2000
const mostTexts = 200

/** A hole of more base intervals, in which no variable has a sample, is left out. */
const longestHole = 100_000

/** So many rows of streams like this one are collected together at most. */
export const rowsAtOnce = ({ variables }: Definition, most: number): number =>
  Math.min(most, variables.some(({ type }) => type === 'STRING') ? mostTexts : mostRows)

/** The first rows of each span, at most so many of each. The streams are different ones of one fleet (fleetName). */
export const collectRows = async (
  sql: Transaction,
  wanted: readonly Wanted[],
  most: number,
): Promise<readonly Collected[]> => {
  const [first] = wanted
  if (first === undefined) return []
  const { definition } = first
  if (definition.shape !== 'clocked') return collectSamples(sql, wanted, most)
  return definition.calendar === undefined
    ? collectEnds(sql, wanted, most)
    : collectIntervals(sql, wanted, definition.calendar, most)
}

const nothing = ({ definition: { key, variables }, span }: Wanted): Collected => ({
  rows: { key, span, timesMs: [], spans: [], columns: variables.map(() => []) },
  reachedMs: span[1],
})

/** Times of a stream, before the values of its variables are known. */
type Timed = {
  readonly wanted: Wanted
  readonly timesMs: readonly number[]
  /** Those at which variables are looked at. */
  readonly shownTimesMs: readonly number[]
  readonly spans: readonly (number | null)[]
  readonly reachedMs: number
  /** By variable; undefined: it is to be read. */
  readonly known?: readonly (GivenRows['columns'][number] | undefined)[]
}

const withValues = async (sql: Transaction, timed: readonly Timed[]): Promise<readonly Collected[]> => {
  const columns = timed.map(({ known }) => [...(known ?? [])])
  const variables = timed[0]?.wanted.definition.variables ?? []
  for (const [at, variable] of variables.entries()) {
    if (columns[0]?.[at] !== undefined || variable.calendar === undefined) continue
    const questions = timed.map(({ wanted: { definition }, shownTimesMs }) => ({
      variable: definition.variables[at]!,
      timesMs: shownTimesMs,
    }))
    for (const [n, values] of (await valuesAt(sql, questions)).entries()) columns[n]![at] = values
  }
  return timed.map(({ wanted: { definition, span }, timesMs, spans, reachedMs }, n) => ({
    rows: {
      key: definition.key,
      span: [span[0], reachedMs],
      timesMs,
      spans,
      columns: columns[n] as GivenRows['columns'],
    },
    reachedMs,
  }))
}

/** Streams without rows have nothing to be read. */
const collectedOf = async (
  sql: Transaction,
  wanted: readonly Wanted[],
  timed: readonly (Timed | undefined)[],
): Promise<readonly Collected[]> => {
  const filled = timed.filter((each) => each !== undefined)
  const collected = new Map((await withValues(sql, filled)).map((each) => [each.rows.key, each]))
  return wanted.map((each) => collected.get(each.definition.key) ?? nothing(each))
}

// ---- beside samples ----

type SampleRow = { readonly key: number; readonly time: number } & Readonly<
  Record<`c${number}`, string | number | boolean | null>
>

const collectSamples = async (
  sql: Transaction,
  wanted: readonly Wanted[],
  most: number,
): Promise<readonly Collected[]> => {
  const { definition } = wanted[0]!
  const windows = wanted.map(({ definition: own, span }) => ({
    key: own.key,
    span,
    sourceKeys: slotsOf(own).map(({ first }) => first.source.key),
  }))
  const { text, values } = selectRows(definition, windows, await findStarts(sql, definition, windows), most)
  const found = new Map<number, SampleRow[]>()
  for (const row of await sql.unsafe<SampleRow[]>(text, values as (string | number)[])) {
    const known = found.get(row.key)
    if (known) known.push(row)
    else found.set(row.key, [row])
  }
  const timed = wanted.map((each): Timed | undefined => {
    const rows = found.get(each.definition.key)
    if (rows === undefined) return undefined
    const timesMs = rows.map(({ time }) => time)
    return {
      wanted: each,
      timesMs,
      shownTimesMs: timesMs,
      spans: timesMs.map(() => null),
      reachedMs: rows.length < most ? each.span[1] : timesMs.at(-1)! + 1,
      known: each.definition.variables.map(({ calendar }, at) =>
        calendar === undefined ? rows.map((row) => row[`c${at + 1}`]!) : undefined,
      ),
    }
  })
  return collectedOf(sql, wanted, timed)
}

// ---- at the ends of cycles ----

const collectEnds = async (
  sql: Transaction,
  wanted: readonly Wanted[],
  most: number,
): Promise<readonly Collected[]> => {
  const completeMs = await findComplete(sql, wanted)
  const calendars = wanted[0]!.definition.variables.map(({ calendar }) => calendar!)
  // Of each variable a sample that counts in an interval whose end is not before the span: by a long cycle that is an old one.
  const next = await samplesAround(
    sql,
    wanted.flatMap(({ definition: { variables }, span }) =>
      variables.map(({ source, calendar }) => ({
        source,
        storedMs: calendar!.startOf(calendar!.endAtOrAfter(span[0]) - 1),
      })),
    ),
  )
  const untilsMs = wanted.map(({ span }, n) => Math.max(span[0], Math.min(span[1], completeMs[n]! + 1)))
  const windows = wanted.map(({ definition: { variables }, span }, n) => {
    const untilMs = untilsMs[n]!
    const firstMs = Math.min(
      ...variables.flatMap(({ source, calendar }, at) => {
        const sample = next[n * variables.length + at]!.nextMs
        return sample === null ? [] : [intervalEnd(calendar!, source.kind, sample)]
      }),
    )
    const fromMs = Math.max(span[0], firstMs)
    if (fromMs >= untilMs) return undefined
    const reachedMs = Math.min(untilMs, ...calendars.map((each) => each.step(each.endAtOrAfter(fromMs), most)))
    return { fromMs, reachedMs, isLast: reachedMs === untilMs }
  })
  const ends = wanted.map(() => new Set<number>())
  for (const [at, calendar] of calendars.entries()) {
    const ranges = wanted.flatMap(({ definition: { variables } }, n) => {
      const window = windows[n]
      return window ? [{ source: variables[at]!.source, firstMs: window.fromMs, lastMs: window.reachedMs - 1 }] : []
    })
    const present = await readRanges(sql, calendar, presence, ranges)
    for (const [n, window] of windows.entries())
      for (const ms of present.get(wanted[n]!.definition.variables[at]!.source.key)?.keys() ?? [])
        if (window && ms >= window.fromMs && ms < window.reachedMs) ends[n]!.add(ms)
  }
  const timed = wanted.map((each, n): Timed | undefined => {
    const window = windows[n]
    if (window === undefined) return undefined
    const timesMs = [...ends[n]!].toSorted((a, b) => a - b)
    const reachedMs = window.isLast ? each.span[1] : window.reachedMs
    return { wanted: each, timesMs, shownTimesMs: timesMs, spans: timesMs.map(() => null), reachedMs }
  })
  const collected = await collectedOf(sql, wanted, timed)
  return collected.map(({ rows, reachedMs }, n) => ({ rows, reachedMs, doneMs: windows[n]?.reachedMs ?? untilsMs[n]! }))
}

// ---- per base interval ----

const collectIntervals = async (
  sql: Transaction,
  wanted: readonly Wanted[],
  calendar: Calendar,
  most: number,
): Promise<readonly Collected[]> => {
  const completeMs = await findComplete(sql, wanted)
  const firstEnds = wanted.map(({ span }) => calendar.endAtOrAfter(span[0]))
  const around = await samplesAroundOf(
    sql,
    wanted.map(({ definition }, n) => ({ definition, storedMs: calendar.startOf(firstEnds[n]! - 1) })),
  )
  const ends = wanted.map(({ definition, span }, n): readonly number[] => {
    const untilMs = Math.min(span[1], completeMs[n]! + 1)
    const from = firstEnd(definition, calendar, firstEnds[n]!, around[n]!)
    return from === undefined || from >= untilMs ? [] : calendar.edgesBetween(from, untilMs - 1, most)
  })
  const ranges = wanted.flatMap(({ definition: { variables } }, n) =>
    ends[n]!.length === 0
      ? []
      : variables.map(({ source }) => ({ source, firstMs: ends[n]![0]!, lastMs: ends[n]!.at(-1)! })),
  )
  const present: Intervals = await readRanges(sql, calendar, presence, ranges)
  const timed = wanted.map((each, n): Timed | undefined => {
    const own = ends[n]!
    if (own.length === 0) return undefined
    const { variables } = each.definition
    // Whether a hole that goes on behind the last of them is too long is not known yet.
    const last = own.findLastIndex((end) => variables.some(({ source }) => present.get(source.key)?.has(end)))
    const kept = last < 0 ? own : own.slice(0, last + 1)
    return {
      wanted: each,
      timesMs: kept.map((end) => end - 1),
      shownTimesMs: kept,
      spans: kept.map((end) => (end - calendar.startOf(end - 1)) / 1000),
      reachedMs: kept.at(-1)! + 1,
    }
  })
  return collectedOf(sql, wanted, timed)
}

/** The first base interval that counts, from one on: not in a hole that is too long, nor before all samples. */
const firstEnd = (
  { variables }: Definition,
  calendar: Calendar,
  endMs: number,
  around: ReadonlyMap<number, Around>,
): number | undefined => {
  const ends = (read: (each: Around) => number | null) =>
    variables.flatMap(({ source }) => {
      const sample = read(around.get(source.key)!)
      return sample === null ? [] : [intervalEnd(calendar, source.kind, sample)]
    })
  const [next, before] = [ends(({ nextMs }) => nextMs), ends(({ beforeMs }) => beforeMs)]
  if (next.length === 0) return undefined
  const nextMs = Math.min(...next)
  if (nextMs <= endMs) return endMs
  const isFilled = before.length > 0 && calendar.countEdges(Math.max(...before), nextMs) - 1 <= longestHole
  return isFilled ? endMs : nextMs
}

// ---- what is there ----

type Around = { readonly nextMs: number | null; readonly beforeMs: number | null }

type Asked = { readonly source: Definition['variables'][number]['source']; readonly storedMs: number }

/** Of each source the samples next to a stored time, the one at it or after it and the one before; as shown. */
const samplesAround = async (sql: Transaction, given: readonly Asked[]): Promise<readonly Around[]> => {
  // Where a cycle begins before all time, there is nothing either.
  const asked = given.map(({ source, storedMs }) => ({ ...source, storedMs: Math.max(storedMs, beginningOfTime) }))
  // Chunks before the first time, or behind the last, are left out while it is planned.
  const low = Math.min(...asked.map(({ storedMs }) => storedMs))
  const high = Math.max(...asked.map(({ storedMs }) => storedMs))
  const rows = await sql<Around[]>`
    select
      coalesce(
        (select time from sample where stream_key = key and time >= at and time >= ${low} order by time limit 1),
        (select time from point_sample where stream_key = key and time >= at)) as "nextMs",
      coalesce(
        (select time from sample where stream_key = key and time < at and time < ${high} order by time desc limit 1),
        (select time from point_sample where stream_key = key and time < at)) as "beforeMs"
    from unnest(${asked.map(({ key }) => key)}::integer[], ${asked.map(({ storedMs }) => storedMs)}::timestamptz[])
      with ordinality as asked (key, at, place)
    order by place`
  return rows.map(({ nextMs, beforeMs }, place) => {
    const shown = (ms: number | null) => (ms === null ? null : shownMs(asked[place]!.kind, ms))
    return { nextMs: shown(nextMs), beforeMs: shown(beforeMs) }
  })
}

/** The same of all sources of each stream, by their keys. */
const samplesAroundOf = async (
  sql: Transaction,
  streams: readonly { readonly definition: Definition; readonly storedMs: number }[],
): Promise<readonly ReadonlyMap<number, Around>[]> => {
  const asked = streams.flatMap(({ definition: { variables }, storedMs }, n) =>
    Array.from(new Map(variables.map(({ source }) => [source.key, source])).values(), (source) => ({
      n,
      source,
      storedMs,
    })),
  )
  const found = streams.map(() => new Map<number, Around>())
  for (const [place, around] of (await samplesAround(sql, asked)).entries()) {
    const { n, source } = asked[place]!
    found[n]!.set(source.key, around)
  }
  return found
}

/** Up to when every variable of each stream has samples, as shown. */
export const findComplete = async (
  sql: Transaction,
  wanted: readonly Pick<Wanted, 'definition'>[],
): Promise<readonly number[]> => {
  const around = await samplesAroundOf(
    sql,
    wanted.map(({ definition }) => ({ definition, storedMs: endOfTime + 1 })),
  )
  return around.map((each) =>
    Math.min(...Array.from(each.values(), ({ beforeMs }) => beforeMs ?? Number.NEGATIVE_INFINITY)),
  )
}
