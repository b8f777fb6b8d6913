// One stream within a window of time, as a chart needs it: its samples where they are few, else the statistics of the
// shortest cycle that has no more intervals than the chart has room for. So a chart of ten years costs as much as a chart of ten minutes.
import type { Client, Sample } from '../../../client/client.ts'

export type Window = { readonly from: number; readonly to: number }

export type Series = {
  readonly times: readonly number[]
  readonly values: readonly (number | null)[]
  /** Of each interval, where the series is made of statistics. */
  readonly least: readonly (number | null)[] | undefined
  readonly most: readonly (number | null)[] | undefined
  /** The cycle of the statistics; undefined: these are the samples themselves. */
  readonly cycle: string | undefined
  /** Whether a value holds for the interval that ends at its time. */
  readonly isInterval: boolean
}

export type StreamOf = { readonly compId: string; readonly streamId: string; readonly isInterval: boolean }

/** The stock cycles, with about their length. */
const cycles: readonly (readonly [string, number])[] = [
  ['second', 1000],
  ['minute', 60_000],
  ['5minute', 300_000],
  ['15minute', 900_000],
  ['30minute', 1_800_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
  ['month', 2_629_800_000],
  ['quarter', 7_889_400_000],
  ['year', 31_557_600_000],
]

/** One reply has at most 1,000 items. */
const mostSamples = 1000
const mostIntervals = 800

export const cycleFor = ({ from, to }: Window): string =>
  cycles.find(([, length]) => (to - from) / length <= mostIntervals)?.[0] ?? 'year'

export const loadWindow = async (
  client: Client,
  stream: StreamOf,
  window: Window,
  signal?: AbortSignal,
): Promise<Series> =>
  (await loadSamples(client, stream, window, signal)) ?? loadStatistics(client, stream, window, signal)

/** Undefined when there are more than one reply holds. */
const loadSamples = async (
  client: Client,
  { compId, streamId, isInterval }: StreamOf,
  { from, to }: Window,
  signal: AbortSignal | undefined,
): Promise<Series | undefined> => {
  const reply = await client.fetch('GET /api/comp/{compId}/stream/{streamId}/feed', {
    path: { compId, streamId },
    query: { sd: Math.floor(from), ed: Math.ceil(to), limit: mostSamples },
    ...(signal ? { signal } : {}),
  })
  const samples = (await reply.json()) as readonly Sample[]
  if (samples.length >= mostSamples) return undefined
  const latestLast = samples.toReversed()
  const times = latestLast.map(({ time }) => time)
  const values = latestLast.map(({ data }) => numberOf(data))
  return isInterval
    ? { times, values, least: undefined, most: undefined, cycle: undefined, isInterval }
    : { ...withGaps(times, values), least: undefined, most: undefined, cycle: undefined, isInterval }
}

const loadStatistics = async (
  client: Client,
  { compId, streamId }: StreamOf,
  window: Window,
  signal: AbortSignal | undefined,
): Promise<Series> => {
  const cycle = cycleFor(window)
  const read = async (statId: 'avg' | 'min' | 'max') => {
    const reply = await client.fetch('GET /api/comp/{compId}/stream/{streamId}/cycle/{cycleId}/stat/{statId}/feed', {
      path: { compId, streamId, cycleId: cycle, statId: statId },
      query: { sd: Math.floor(window.from), ed: Math.ceil(window.to), limit: mostSamples, retIntvlSd: true },
      ...(signal ? { signal } : {}),
    })
    return ((await reply.json()) as readonly (Sample & { readonly sdTime?: number })[]).toReversed()
  }
  const [avg, min, max] = await Promise.all([read('avg'), read('min'), read('max')])
  const leasts = new Map(min.map(({ time, data }) => [time, numberOf(data)]))
  const mosts = new Map(max.map(({ time, data }) => [time, numberOf(data)]))
  const times: number[] = []
  const values: (number | null)[] = []
  let end: number | undefined
  for (const { time, sdTime, data } of avg) {
    // An interval without samples is not in the reply: a gap, which begins where the one before ended.
    if (end !== undefined && Number(sdTime) > end) {
      times.push(Number(sdTime))
      values.push(null)
    }
    end = time
    times.push(end)
    values.push(numberOf(data))
  }
  return {
    times,
    values,
    least: times.map((time) => leasts.get(time) ?? null),
    most: times.map((time) => mosts.get(time) ?? null),
    cycle,
    isInterval: true,
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
