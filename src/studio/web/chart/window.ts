// One stream within a window of time, as a chart needs it: its samples where they are few, else mean, least and most of
// intervals. The server chooses (docs/statistics.md#charts), so a chart of ten years costs as much as one of ten minutes.
import type { Client, Sample, Statistic } from '../../../client/client.ts'

export type Window = { readonly from: number; readonly to: number }

export type Series = {
  /** Of intervals their ends. */
  readonly times: readonly number[]
  /** Nulls are gaps. */
  readonly values: readonly (number | null)[]
  /** Of each interval, where the series is made of statistics. */
  readonly least: readonly (number | null)[] | undefined
  readonly most: readonly (number | null)[] | undefined
  /** The length of the intervals that statistics are of; undefined: these are the samples themselves. */
  readonly cycle: string | undefined
  /** Whether a value holds for the interval that ends at its time. */
  readonly isInterval: boolean
  /** Of each interval its start; where it is not given, the time before. */
  readonly starts?: readonly number[]
  /** Of a stream of texts, in place of values: states, each of which holds until the next. */
  readonly texts?: readonly string[]
  /** Whether there is more in the window than was loaded: the latest of it is here. */
  readonly isCut?: boolean
}

/** A line of a chart. */
export type Drawn = {
  readonly label: string
  readonly unit: string
  readonly series: Series
  /** A statistic over a stream that is there itself. */
  readonly isOverlay?: boolean
}

export type StreamOf = {
  readonly compId: string
  readonly streamId: string
  readonly isInterval: boolean
  readonly isText?: boolean
}

type ChartReply = {
  readonly step: { readonly size: number; readonly unit: string } | null
  readonly items: readonly (readonly (number | null)[])[]
}

/** As many as there are pixels in a usual chart. */
const usualPoints = 1000

export const loadWindow = async (
  client: Client,
  { compId, streamId, isInterval, isText }: StreamOf,
  { from, to }: Window,
  signal?: AbortSignal,
  points = usualPoints,
): Promise<Series> => {
  if (isText) return loadTexts(client, { compId, streamId }, { from, to }, signal)
  const { step, items } = (await client.call('GET /api/comp/{compId}/stream/{streamId}/chart', {
    path: { compId, streamId },
    query: { sd: inYears(Math.floor(from)), ed: inYears(Math.ceil(to)), points },
    ...(signal ? { signal } : {}),
  })) as ChartReply
  const read = items.map(([start, time, value, least, most]): Item => ({
    start: start!,
    time: time!,
    value: value ?? null,
    least: least ?? null,
    most: most ?? null,
  }))
  if (step) {
    const marked = withGapMarks(isInterval ? read : withoutShortGaps(read))
    return {
      ...columnsOf(marked),
      least: marked.map(({ least }) => least),
      most: marked.map(({ most }) => most),
      cycle: step.size === 1 ? step.unit : `${step.size} ${step.unit}s`,
      isInterval: true,
    }
  }
  const plain = { least: undefined, most: undefined, cycle: undefined, isInterval }
  if (isInterval) return { ...plain, ...columnsOf(withGapMarks(read)) }
  return {
    ...plain,
    ...withGaps(
      read.map(({ time }) => time),
      read.map(({ value }) => value),
    ),
  }
}

const mostTexts = 1000

/** The latest texts of the window, and the one that holds at its beginning. */
const loadTexts = async (
  client: Client,
  path: { readonly compId: string; readonly streamId: string },
  { from, to }: Window,
  signal?: AbortSignal,
): Promise<Series> => {
  const read = async (query: { readonly sd?: number; readonly ed: number; readonly limit: number }) => {
    const given = { path, query, ...(signal ? { signal } : {}) }
    const reply = await client.fetch('GET /api/comp/{compId}/stream/{streamId}/feed', given)
    return (await reply.json()) as readonly Sample[]
  }
  const [start, end] = [inYears(Math.floor(from)), inYears(Math.ceil(to))]
  const [within, before] = await Promise.all([
    read({ sd: start, ed: end, limit: mostTexts }),
    read({ ed: start, limit: 1 }),
  ])
  const isCut = within.length >= mostTexts
  const samples = [...within, ...(isCut ? [] : before)].filter(({ data }) => data !== null).toReversed()
  return {
    times: samples.map(({ time }) => time),
    values: samples.map(() => null),
    texts: samples.map(({ data }) => String(data)),
    least: undefined,
    most: undefined,
    cycle: undefined,
    isInterval: false,
    isCut,
  }
}

type Item = {
  readonly start: number
  readonly time: number
  readonly value: number | null
  readonly least: number | null
  readonly most: number | null
}

const columnsOf = (items: readonly Item[]) => ({
  starts: items.map(({ start }) => start),
  times: items.map(({ time }) => time),
  values: items.map(({ value }) => value),
})

/** Where an interval does not begin with the end of the one before, there is a null between them. */
const withGapMarks = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item, index) => {
    const end = items[index - 1]?.time
    if (end === undefined || end >= item.start) return [item]
    return [{ start: end, time: item.start, value: null, least: null, most: null }, item]
  })

/** The years that the server knows. */
const [earliestMs, latestMs] = [-62_135_596_800_000, 253_402_300_799_999]
const inYears = (ms: number): number => Math.max(earliestMs, Math.min(latestMs, ms))

/** Moved into these years, and no longer than they are: browsers know no dates that are far beyond. */
export const withinYears = ({ from, to }: Window): Window => {
  const length = Math.min(to - from, latestMs - earliestMs)
  const start = Math.max(earliestMs, Math.min(latestMs - length, from))
  return { from: start, to: start + length }
}

/** Samples of a random stream may just miss one interval: that is no gap, the next begins earlier. */
const withoutShortGaps = (items: readonly Item[]): readonly Item[] =>
  items.map((item, index) => {
    const end = items[index - 1]?.time
    const isShort = end !== undefined && item.start - end < 1.5 * (item.time - item.start)
    return isShort ? { start: end, time: item.time, value: item.value, least: item.least, most: item.most } : item
  })

export type Overlay = {
  readonly cycle: string
  readonly statistic: Statistic
  /** About the length of the cycle's intervals. */
  readonly length: number
}

/** The most intervals of an overlay that are drawn; a reply has a thousand. */
export const mostOverlaid = 5000

/** A statistic of a cycle, whose intervals are those of the calendar, whatever the window is. */
export const loadOverlay = async (
  client: Client,
  { compId, streamId }: StreamOf,
  { cycle, statistic, length }: Overlay,
  { from, to }: Window,
  signal?: AbortSignal,
): Promise<{ readonly series: Series; readonly unit: string }> => {
  const found: (Sample & { readonly sdTime?: number; readonly unit?: string })[] = []
  // The interval that the window ends in ends behind it.
  const reading = {
    stream: streamId,
    cycle,
    statistic,
    sd: inYears(Math.floor(from)),
    ed: inYears(Math.ceil(to + length) + 1),
    retIntvlSd: true,
    retUnit: true,
    ...(signal ? { signal } : {}),
  } as const
  let isCut = false
  for await (const one of client.statistics(compId, reading)) {
    isCut = found.length >= mostOverlaid
    if (isCut) break
    if (Number((one as { readonly sdTime?: number }).sdTime) < to) found.push(one)
  }
  const items = found.toReversed().map(({ sdTime, time, data }): Item => ({
    start: sdTime ?? time,
    time,
    value: numberOf(data),
    least: null,
    most: null,
  }))
  return {
    series: {
      ...columnsOf(withGapMarks(items)),
      least: undefined,
      most: undefined,
      cycle,
      isInterval: true,
      isCut,
    },
    unit: found[0]?.unit ?? '',
  }
}

const numberOf = (data: unknown): number | null => {
  if (data === null || data === undefined || data === '') return null
  const number = Number(data)
  return Number.isFinite(number) ? number : null
}

/** A random stream has no grid: a pause much longer than its usual ones is shown as a gap. */
const pauseFactor = 8

export const withGaps = (
  times: readonly number[],
  values: readonly (number | null)[],
): Pick<Series, 'times' | 'values'> => {
  const pauses = times.slice(1).map((time, index) => time - times[index]!)
  const usual = pauses.toSorted((a, b) => a - b)[pauses.length >> 1]
  if (usual === undefined) return { times, values }
  const shown: { times: number[]; values: (number | null)[] } = { times: [], values: [] }
  for (const [index, time] of times.entries()) {
    const before = times[index - 1]
    if (before !== undefined && time - before > pauseFactor * usual) {
      shown.times.push(before + 1)
      shown.values.push(null)
    }
    shown.times.push(time)
    shown.values.push(values[index]!)
  }
  return shown
}
