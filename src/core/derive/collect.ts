// The rows of variables of streams that samples alone do not give: where variables have cycles, or are rolled up by base
// intervals. Statistics are read by core/statistic, in the same transaction; the expression is left to Postgres.
import { lastMs as endOfTime } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { shownMs } from '../sample/rows.ts'
import type { Value } from '../sample/value.ts'
import { readStatisticIn } from '../statistic/statistic-read.ts'
import { presence } from '../statistic/statistic.ts'
import type { Statistic, StatisticStream } from '../statistic/statistic.ts'
import type { Calendar } from '../time/calendar.ts'
import type { Span } from '../time/span.ts'
import { intervalEnd, stepBack, stepOn } from './affected.ts'
import type { DefinedVariable, Definition } from './definition.ts'
import { findStarts, selectRows, slotsOf } from './statement.ts'
import type { GivenRows } from './statement.ts'

/** Rows from the beginning of a span on, and the time before which there are no others. */
export type Collected = { readonly rows: GivenRows; readonly reachedMs: number }

/** Rows at once; where texts are among them, few may be long. */
const mostRows = 2000
const mostTexts = 200

/** Intervals of a cycle that are read at once. */
const mostIntervals = 20_000

/** A hole of more base intervals, in which no variable has a sample, is left out. */
const longestHole = 100_000

const rowsAtOnce = ({ variables }: Definition, most: number) =>
  Math.min(most, variables.some(({ type }) => type === 'STRING') ? mostTexts : mostRows)

/** The first rows of the span, at most so many. */
export const collectRows = (sql: Transaction, definition: Definition, span: Span, most: number): Promise<Collected> => {
  const rows = rowsAtOnce(definition, most)
  if (definition.shape !== 'clocked') return collectSamples(sql, definition, span, rows)
  return definition.calendar === undefined
    ? collectEnds(sql, definition, span, rows)
    : collectIntervals(sql, definition, definition.calendar, span, rows)
}

const nothing = ({ key, variables }: Definition, span: Span): Collected => ({
  rows: { key, span, timesMs: [], spans: [], columns: variables.map(() => []) },
  reachedMs: span[1],
})

// ---- beside samples ----

type SampleRow = { readonly time: number } & Readonly<Record<`c${number}`, string | number | boolean | null>>

const collectSamples = async (
  sql: Transaction,
  definition: Definition,
  span: Span,
  most: number,
): Promise<Collected> => {
  const sourceKeys = slotsOf(definition).map(({ first }) => first.source.key)
  const window = { key: definition.key, span, sourceKeys }
  const { text, values } = selectRows(definition, window, await findStarts(sql, definition, [window]), most)
  const found = await sql.unsafe<SampleRow[]>(text, values as (string | number)[])
  if (found.length === 0) return nothing(definition, span)
  const timesMs = found.map(({ time }) => time)
  const columns: (readonly (string | number | boolean | null)[])[] = []
  for (const [at, variable] of definition.variables.entries())
    columns.push(
      variable.calendar === undefined
        ? found.map((row) => row[`c${at + 1}`]!)
        : await valuesAt(sql, variable, variable.calendar, timesMs),
    )
  const reachedMs = found.length < most ? span[1] : timesMs.at(-1)! + 1
  return {
    rows: { key: definition.key, span: [span[0], reachedMs], timesMs, spans: timesMs.map(() => null), columns },
    reachedMs,
  }
}

// ---- at the ends of cycles ----

const collectEnds = async (sql: Transaction, definition: Definition, span: Span, most: number): Promise<Collected> => {
  const { variables } = definition
  const untilMs = Math.min(span[1], (await completeMs(sql, definition)) + 1)
  if (span[0] >= untilMs) return nothing(definition, span)
  const calendars = variables.map(({ calendar }) => calendar!)
  // A sample that counts in an interval whose end is not before the span.
  const fromStoredMs = Math.min(...calendars.map((each) => each.startOf(each.endAtOrAfter(span[0]) - 1)))
  const next = await samplesAround(sql, definition, fromStoredMs)
  const firstMs = Math.min(
    ...variables.flatMap(({ source, calendar }) => {
      const sample = next.get(source.key)?.nextMs ?? null
      return sample === null ? [] : [intervalEnd(calendar!, source.kind, sample)]
    }),
  )
  const fromMs = Math.max(span[0], firstMs)
  if (fromMs >= untilMs) return nothing(definition, span)
  const reachedMs = Math.min(untilMs, ...calendars.map((each) => stepOn(each, each.endAtOrAfter(fromMs), most)))
  const ends = new Set<number>()
  for (const { source, calendar } of variables)
    for (const { timeMs } of await readIntervals(sql, source, calendar!, presence, [fromMs, reachedMs - 1]))
      ends.add(timeMs)
  const timesMs = [...ends].toSorted((a, b) => a - b)
  const columns: (readonly Value[])[] = []
  for (const variable of variables) columns.push(await valuesAt(sql, variable, variable.calendar!, timesMs))
  const isLast = reachedMs === untilMs
  return {
    rows: {
      key: definition.key,
      span: [span[0], isLast ? span[1] : reachedMs],
      timesMs,
      spans: timesMs.map(() => null),
      columns: columns as GivenRows['columns'],
    },
    reachedMs: isLast ? span[1] : reachedMs,
  }
}

// ---- per base interval ----

const collectIntervals = async (
  sql: Transaction,
  definition: Definition,
  calendar: Calendar,
  span: Span,
  most: number,
): Promise<Collected> => {
  const { key, variables } = definition
  const untilMs = Math.min(span[1], (await completeMs(sql, definition)) + 1)
  const from = await firstEnd(sql, definition, calendar, calendar.endAtOrAfter(span[0]))
  if (from === undefined || from >= untilMs) return nothing(definition, span)
  const ends = calendar.edgesBetween(from, untilMs - 1, most)
  const sources = new Map(variables.map(({ source }) => [source.key, source]))
  const withData = new Set<number>()
  for (const source of sources.values())
    for (const { timeMs } of await readIntervals(sql, source, calendar, presence, [ends[0]!, ends.at(-1)!]))
      withData.add(timeMs)
  // Whether a hole that goes on behind the last of them is too long is not known yet.
  const lastWithData = ends.findLastIndex((end) => withData.has(end))
  const kept = lastWithData < 0 ? ends : ends.slice(0, lastWithData + 1)
  const columns: (readonly Value[])[] = []
  for (const variable of variables) columns.push(await valuesAt(sql, variable, variable.calendar!, kept))
  const reachedMs = kept.at(-1)! + 1
  return {
    rows: {
      key,
      span: [span[0], reachedMs],
      timesMs: kept.map((end) => end - 1),
      spans: kept.map((end) => (end - calendar.startOf(end - 1)) / 1000),
      columns: columns as GivenRows['columns'],
    },
    reachedMs,
  }
}

/** The first base interval that counts, from one on: not in a hole that is too long, nor before all samples. */
const firstEnd = async (
  sql: Transaction,
  definition: Definition,
  calendar: Calendar,
  endMs: number,
): Promise<number | undefined> => {
  const around = await samplesAround(sql, definition, calendar.startOf(endMs - 1))
  const ends = (read: (each: Around) => number | null) =>
    definition.variables.flatMap(({ source }) => {
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

type Around = { readonly key: number; readonly nextMs: number | null; readonly beforeMs: number | null }

/** Of each source the samples next to a stored time, the one at it or after it and the one before; as shown. */
const samplesAround = async (
  sql: Transaction,
  { variables }: Definition,
  storedMs: number,
): Promise<ReadonlyMap<number, Around>> => {
  const kinds = new Map(variables.map(({ source }) => [source.key, source.kind]))
  const rows = await sql<Around[]>`
    select key,
      coalesce(
        (select time from sample where stream_key = key and time >= ${storedMs} order by time limit 1),
        (select time from point_sample where stream_key = key and time >= ${storedMs})) as "nextMs",
      coalesce(
        (select time from sample where stream_key = key and time < ${storedMs} order by time desc limit 1),
        (select time from point_sample where stream_key = key and time < ${storedMs})) as "beforeMs"
    from unnest(${[...kinds.keys()]}::integer[]) as key`
  const shown = (key: number, ms: number | null) => (ms === null ? null : shownMs(kinds.get(key)!, ms))
  return new Map(
    rows.map(({ key, nextMs, beforeMs }) => [key, { key, nextMs: shown(key, nextMs), beforeMs: shown(key, beforeMs) }]),
  )
}

/** Up to when every variable has samples, as shown. */
const completeMs = async (sql: Transaction, definition: Definition): Promise<number> => {
  const around = await samplesAround(sql, definition, endOfTime + 1)
  return Math.min(...Array.from(around.values(), ({ beforeMs }) => beforeMs ?? Number.NEGATIVE_INFINITY))
}

// ---- statistics ----

/** The values of a variable at times in order: of the intervals that ended there or before, and so many further back. */
const valuesAt = async (
  sql: Transaction,
  { source, statistic, back }: DefinedVariable,
  calendar: Calendar,
  timesMs: readonly number[],
): Promise<readonly (string | number | boolean | null)[]> => {
  const edges = edgesOf(calendar, timesMs, back)
  const distinct = [...new Set(edges)]
  const values = new Map<number, Value>()
  await readEdges(sql, source, calendar, statistic, distinct, values)
  return edges.map((edge) => {
    const value = values.get(edge) ?? null
    return typeof value === 'bigint' ? Number(value) : value
  })
}

const edgesOf = (calendar: Calendar, timesMs: readonly number[], back: number): readonly number[] => {
  const latest = timesMs.map((ms) => calendar.startOf(ms))
  if (back === 0 || latest.length === 0) return latest
  if (calendar.fixed) return latest.map((edge) => stepBack(calendar, edge, back))
  const all = calendar.edgesBetween(stepBack(calendar, latest[0]!, back), latest.at(-1)!, Number.POSITIVE_INFINITY)
  let at = 0
  return latest.map((edge) => {
    while (all[at]! < edge) at += 1
    return all[at - back] ?? Number.NEGATIVE_INFINITY
  })
}

/** Halves the list where too many other intervals lie between. */
const readEdges = async (
  sql: Transaction,
  source: StatisticStream,
  calendar: Calendar,
  statistic: Statistic,
  edges: readonly number[],
  values: Map<number, Value>,
): Promise<void> => {
  if (edges.length === 0) return
  const [first, last] = [edges[0]!, edges.at(-1)!]
  if (edges.length > 1 && calendar.countEdges(first - 1, last) > mostIntervals) {
    const middle = Math.ceil(edges.length / 2)
    await readEdges(sql, source, calendar, statistic, edges.slice(0, middle), values)
    await readEdges(sql, source, calendar, statistic, edges.slice(middle), values)
    return
  }
  for (const { timeMs, value } of await readIntervals(sql, source, calendar, statistic, [first, last]))
    values.set(timeMs, value)
}

/** Of the intervals that have samples and end from the first to the last of these, both included. */
const readIntervals = (
  sql: Transaction,
  source: StatisticStream,
  calendar: Calendar,
  statistic: Statistic,
  [firstMs, lastMs]: readonly [number, number],
) => {
  const most = calendar.countEdges(firstMs - 1, lastMs) + 1
  return readStatisticIn(sql, [source], calendar, statistic, { startMs: firstMs, endMs: lastMs + 1 }, most)
}
