// Windows of a cycle's intervals: their edges, and their measures. Streams that have the same window are read together.
import type { Calendar } from '../time/calendar.ts'
import type { Span } from '../time/span.ts'
import type { Reader } from './reader.ts'
import type { Measure, Part, PartValues, Texts } from './measure.ts'
import { valuesOf } from './measure.ts'
import type { Intervals } from './part-read.ts'
import { readParts } from './part-read.ts'
import type { Plan } from './plan.ts'
import { planWindow, usesTiles } from './plan.ts'
import { measureOf } from './statistic.ts'
import type { Statistic, StatisticStream } from './statistic.ts'

/** The question about streams. */
export type StatisticQuestion = { readonly calendar: Calendar; readonly statistic: Statistic; readonly texts: Texts }

/** The edges of a window, its start and its end included; where intervals are counted by length, only these two. */
export type Edges = readonly number[]

/** Intervals that no tile can help with are given by their length, so that windows of millions of seconds need no list. */
export const isCountedByLength = (calendar: Calendar) => !usesTiles(calendar)

/** The window of up to `most` intervals that ends with an edge. */
export const edgesBefore = (calendar: Calendar, endMs: number, downToMs: number, most: number): Edges => {
  const { fixed } = calendar
  if (fixed && isCountedByLength(calendar)) return [Math.max(downToMs, endMs - most * fixed.lengthMs), endMs]
  const edges = [endMs]
  for (let atMs = endMs; atMs > downToMs && edges.length <= most;) {
    atMs = fixed ? atMs - fixed.lengthMs : calendar.startOf(atMs - 1)
    edges.push(atMs)
  }
  return edges.toReversed()
}

/** The intervals of a stream within a window that was read for several streams at once. */
export type FirstWindow = {
  /** The span in which all its samples lie. */
  readonly extent: Span
  readonly fromMs: number
  readonly parts: readonly Part[]
}

/** Streams with the same window, plan and columns are read by the same statements. */
export const readFirstWindows = async (
  reader: Reader,
  streams: readonly StatisticStream[],
  asked: StatisticQuestion,
  windows: ReadonlyMap<number, Edges>,
  extents: ReadonlyMap<number, Span>,
): Promise<ReadonlyMap<number, FirstWindow>> => {
  const { calendar, statistic, texts } = asked
  // The longest of windows that end together serves all.
  const longest = new Map<number, Edges>()
  for (const edges of windows.values()) {
    const endMs = edges.at(-1)!
    const known = longest.get(endMs)
    if (known === undefined || edges[0]! < known[0]!) longest.set(endMs, edges)
  }
  const plans = new Map<string, Plan>()
  const groups = new Map<string, { edges: Edges; streams: StatisticStream[]; plan: Plan }>()
  for (const stream of streams) {
    const own = windows.get(stream.key)
    if (own === undefined) continue
    const edges = longest.get(own.at(-1)!)!
    const { archived, stale, readyUntilMs } = reader.coverage.get(stream.key)!
    const minutes = [...readyUntilMs.keys()].map((phase) => phase.minutes)
    const planName = JSON.stringify([edges.at(-1), archived, stale, minutes])
    const plan = plans.get(planName) ?? planWindow(calendar, edges, reader.coverage.get(stream.key)!)
    plans.set(planName, plan)
    const name = `${planName} ${valuesOf(stream.valueType, texts)} ${measureOf(statistic, stream)}`
    const group = groups.get(name)
    if (group) group.streams.push(stream)
    else groups.set(name, { edges, streams: [stream], plan })
  }
  const firsts = new Map<number, FirstWindow>()
  await Promise.all(
    [...groups.values()].map(async ({ edges, streams: same, plan }) => {
      const parts = await readWindow(reader, same, asked, edges, plan)
      for (const { key } of same) {
        const own = same.length === 1 ? parts : parts.filter(({ streamKey }) => streamKey === key)
        firsts.set(key, { extent: extents.get(key)!, fromMs: edges[0]!, parts: own })
      }
    }),
  )
  return firsts
}

/** The parts of a window, each with the start of its interval in place of its number, from the latest back. */
export const readWindow = (
  reader: Reader,
  streams: readonly StatisticStream[],
  { calendar, statistic, texts }: StatisticQuestion,
  edges: Edges,
  plan: Plan,
): Promise<readonly Part[]> => {
  const [sample] = streams as [StatisticStream]
  const values = valuesOf(sample.valueType, texts)
  return readMeasure(reader, streams, calendar, measureOf(statistic, sample), values, edges, plan)
}

/** The same for a measure. */
export const readMeasure = async (
  reader: Reader,
  streams: readonly StatisticStream[],
  calendar: Calendar,
  measure: Measure,
  values: PartValues,
  edges: Edges,
  plan: Plan,
): Promise<readonly Part[]> => {
  const intervals: Intervals = isCountedByLength(calendar)
    ? { kind: 'fixed', ...calendar.fixed! }
    : { kind: 'edges', edges }
  const streamKeys = streams.map(({ key }) => key)
  const parts = await readParts(reader, { measure, values, streamKeys, intervals, plan })
  const started =
    intervals.kind === 'edges'
      ? parts.map((part) => Object.assign(part, { interval: edges[part.interval - 1] }))
      : parts
  return started.toSorted((a, b) => b.interval - a.interval)
}
