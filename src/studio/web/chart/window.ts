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
}

/** A line of a chart. */
export type Drawn = {
  readonly label: string
  readonly unit: string
  readonly series: Series
  /** A statistic over a stream that is there itself. */
  readonly isOverlay?: boolean
}

export type StreamOf = { readonly compId: string; readonly streamId: string; readonly isInterval: boolean }

type ChartReply = {
  readonly step: { readonly size: number; readonly unit: string } | null
  readonly items: readonly (readonly (number | null)[])[]
}

/** As many as there are pixels in a usual chart. */
const usualPoints = 1000

export const loadWindow = async (
  client: Client,
  { compId, streamId, isInterval }: StreamOf,
  { from, to }: Window,
  signal?: AbortSignal,
  points = usualPoints,
): Promise<Series> => {
  const { step, items } = (await client.call('GET /api/comp/{compId}/stream/{streamId}/chart', {
    path: { compId, streamId },
    query: { sd: inYears(Math.floor(from)), ed: inYears(Math.ceil(to)), points },
    ...(signal ? { signal } : {}),
  })) as ChartReply
  const starts = items.map(([start]) => start!)
  const times = items.map(([, time]) => time!)
  const values = items.map(([, , value]) => value ?? null)
  if (step)
    return {
      ...(isInterval ? { starts, times, values } : withoutShortGaps(starts, times, values)),
      least: items.map((item) => item[3] ?? null),
      most: items.map((item) => item[4] ?? null),
      cycle: step.size === 1 ? step.unit : `${step.size} ${step.unit}s`,
      isInterval: true,
    }
  const plain = { least: undefined, most: undefined, cycle: undefined, isInterval }
  return isInterval ? { ...plain, starts, times, values } : { ...plain, ...withGaps(times, values) }
}

/** The years that the server knows. */
const inYears = (ms: number): number => Math.max(-62_135_596_800_000, Math.min(253_402_300_799_999, ms))

/** Samples of a random stream may just miss one interval: that is no gap, the one before goes on. */
const withoutShortGaps = (
  starts: readonly number[],
  times: readonly number[],
  values: readonly (number | null)[],
): Pick<Series, 'times' | 'values'> & { readonly starts: readonly number[] } => ({
  starts: starts.map((start, index) => {
    const before = times[index - 1]
    const isShort = before !== undefined && start - before < 1.5 * (times[index]! - start)
    return isShort ? before : start
  }),
  times,
  values,
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
  for await (const one of client.statistics(compId, reading)) {
    if (Number((one as { readonly sdTime?: number }).sdTime) < to) found.push(one)
    if (found.length >= mostOverlaid) break
  }
  found.reverse()
  return {
    series: {
      starts: found.map(({ sdTime, time }) => sdTime ?? time),
      times: found.map(({ time }) => time),
      values: found.map(({ data }) => numberOf(data)),
      least: undefined,
      most: undefined,
      cycle,
      isInterval: true,
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
