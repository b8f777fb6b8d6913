// Statistics of the sources of a fleet: of many streams at once, where their intervals lie close together, so that a
// thousand streams with news in the same hour are read like one.
import { firstMs as beginning } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { holdChunks } from '../sample/chunk.ts'
import type { Value } from '../sample/value.ts'
import { readStatisticIn } from '../statistic/statistic-read.ts'
import type { Statistic, StatisticStream } from '../statistic/statistic.ts'
import type { Calendar } from '../time/calendar.ts'
import type { DefinedVariable } from './definition.ts'

/** Intervals of a cycle that are read at once. */
const mostIntervals = 20_000

/** The ends of a stream's intervals that are wanted: from the first to the last, both included. */
export type Range = { readonly source: StatisticStream; readonly firstMs: number; readonly lastMs: number }

/** By the key of a stream, the values of its intervals by their ends: of those that have samples, and sometimes others. */
export type Intervals = ReadonlyMap<number, ReadonlyMap<number, Value>>

export const readRanges = async (
  sql: Transaction,
  calendar: Calendar,
  statistic: Statistic,
  ranges: readonly Range[],
): Promise<Intervals> => {
  const found = new Map<number, Map<number, Value>>()
  const sorted = ranges.toSorted((a, b) => a.firstMs - b.firstMs)
  const read = async (some: readonly Range[]): Promise<void> => {
    const [first] = some
    if (first === undefined) return
    const lastMs = some.reduce((latest, each) => Math.max(latest, each.lastMs), first.lastMs)
    const streams = [...new Map(some.map(({ source }) => [source.key, source])).values()]
    const most = calendar.countEdges(first.firstMs - 1, lastMs) + 1
    if (some.length > 1 && most * streams.length > mostIntervals && isSpread(calendar, some, most)) {
      const middle = Math.ceil(some.length / 2)
      await read(some.slice(0, middle))
      return read(some.slice(middle))
    }
    const window = { startMs: first.firstMs, endMs: lastMs + 1 }
    const samples = await readStatisticIn(sql, streams, calendar, statistic, window, most * streams.length, most)
    for (const { streamKey, timeMs, value } of samples) {
      const known = found.get(streamKey)
      if (known) known.set(timeMs, value)
      else found.set(streamKey, new Map([[timeMs, value]]))
    }
  }
  await holdChunks(sql)
  await read(sorted)
  return found
}

/** Whether reading them together reads more than each by itself. */
const isSpread = (calendar: Calendar, ranges: readonly Range[], most: number): boolean =>
  ranges.some(({ firstMs, lastMs }) => calendar.countEdges(firstMs - 1, lastMs) + 1 < most)

/** A variable of a stream, and times of the stream in order. */
export type ValueQuestion = { readonly variable: DefinedVariable; readonly timesMs: readonly number[] }

/**
 * The values of a variable at times, of each stream of a fleet: of the intervals that ended there or before, and so many
 * further back.
 */
export const valuesAt = async (
  sql: Transaction,
  questions: readonly ValueQuestion[],
): Promise<readonly (readonly (string | number | boolean | null)[])[]> => {
  const [first] = questions
  if (first === undefined) return []
  const { calendar, statistic, back } = first.variable
  const edges = questions.map(({ timesMs }) => edgesOf(calendar!, timesMs, back))
  const ranges = questions.flatMap(({ variable: { source } }, at) =>
    rangesOf(calendar!, source, [...new Set(edges[at]!.filter((edge) => edge !== undefined))]),
  )
  const values = await readRanges(sql, calendar!, statistic, ranges)
  return questions.map(({ variable: { source } }, at) => {
    const own = values.get(source.key)
    return edges[at]!.map((edge) => {
      const value = edge === undefined ? null : (own?.get(edge) ?? null)
      return typeof value === 'bigint' ? Number(value) : value
    })
  })
}

/** Undefined: before all samples. */
const edgesOf = (calendar: Calendar, timesMs: readonly number[], back: number): readonly (number | undefined)[] =>
  timesMs.map((ms) => {
    const edge = calendar.step(calendar.startOf(ms), -back)
    return edge < beginning ? undefined : edge
  })

/** Halves the list where too many other intervals lie between. */
const rangesOf = (calendar: Calendar, source: StatisticStream, edges: readonly number[]): readonly Range[] => {
  if (edges.length === 0) return []
  const [firstMs, lastMs] = [edges[0]!, edges.at(-1)!]
  if (edges.length === 1 || calendar.countEdges(firstMs - 1, lastMs) <= mostIntervals)
    return [{ source, firstMs, lastMs }]
  const middle = Math.ceil(edges.length / 2)
  return [...rangesOf(calendar, source, edges.slice(0, middle)), ...rangesOf(calendar, source, edges.slice(middle))]
}
