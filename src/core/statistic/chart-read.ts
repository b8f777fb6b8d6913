// A stream as a chart needs it (docs/statistics.md#charts): its samples where they are few, else mean, least and most of
// intervals that are just long enough. All three are read together, by one statement for each source: as three
// statistics of 700,000 samples they took 2.7 to 3.7 times as long.
import type { Transaction } from '../../base/database/sql.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import { sampleValue } from '../sample/sample.ts'
import { readSamplesIn } from '../reading/sample-read.ts'
import type { Value } from '../sample/value.ts'
import { meetSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import type { Calendar } from '../time/calendar.ts'
import { findBounds } from './bounds.ts'
import type { ChartStep } from './chart-step.ts'
import { calendarOfStep, stepFor } from './chart-step.ts'
import { findExtents } from './extent.ts'
import type { Part } from './measure.ts'
import { valuesOf } from './measure.ts'
import { planWindow } from './plan.ts'
import type { Reader } from './reader.ts'
import { openReader, run, tiledUntil, time } from './reader.ts'
import type { StatisticStream } from './statistic.ts'
import { statisticValue } from './statistic.ts'
import { archiveStepMs, hourMs, mainPhase } from './tile.ts'
import { edgesBefore, readMeasure } from './window-read.ts'

/** From its start to its end, which a sample of a random stream has at the same moment. */
export type ChartItem = readonly [startMs: number, timeMs: number, value: number | null, ...band: readonly number[]]

export type Chart = {
  /** The window; undefined: there was none given, and the stream has no sample. */
  readonly window: Span | undefined
  /** Undefined: the items are the samples. */
  readonly step: ChartStep | undefined
  readonly items: readonly ChartItem[]
}

/** Of shown times in the window, all of it unless given; at most `points` items, from the earliest on. */
export const readChartIn = async (
  sql: Transaction,
  stream: StatisticStream,
  timeZone: string,
  given: Span | undefined,
  points: number,
): Promise<Chart> => {
  const reader = await openReader(sql, [stream.key])
  const window = given ?? (await wholeOf(reader, stream))
  if (window === undefined || points === 0) return { window, step: undefined, items: [] }
  const stored: Span = [storedMs(stream.kind, window[0]), storedMs(stream.kind, window[1])]
  const isArchived = meetSpans(reader.coverage.get(stream.key)!.archived, [stored]).length > 0
  const samples = isArchived && stream.kind !== 'point' ? undefined : await readFew(sql, stream, window, points)
  if (samples) return { window, step: undefined, items: samples }
  const atLeastMs = Math.max(isArchived ? archiveStepMs : 0, await shortestStep(reader, stream, stored, points))
  const step = stepFor(stored, points, atLeastMs)
  return { window, step, items: await readIntervals(reader, stream, calendarOfStep(step, timeZone), stored) }
}

const wholeOf = async (reader: Reader, stream: StatisticStream): Promise<Span | undefined> => {
  if (stream.kind === 'point') {
    const [sample] = await readSamplesIn(reader.sql, [stream], { startMs: undefined, endMs: undefined }, 1)
    return sample && [sample.timeMs, sample.timeMs + 1]
  }
  const stored = await findBounds(reader, stream.key)
  return stored && [shownMs(stream.kind, stored[0]), shownMs(stream.kind, stored[1]) + 1]
}

/** Undefined where there are more. */
const readFew = async (
  sql: Transaction,
  stream: StatisticStream,
  [startMs, endMs]: Span,
  points: number,
): Promise<readonly ChartItem[] | undefined> => {
  const samples = await readSamplesIn(sql, [stream], { startMs, endMs }, points + 1)
  if (samples.length > points) return undefined
  return samples
    .map((sample): ChartItem => {
      const value = numberOf(sampleValue(stream.valueType, sample))
      return [sample.timeMs - (sample.span ?? 0) * 1000, sample.timeMs, value]
    })
    .toReversed()
}

/** Charts draw numbers; a long beyond doubles is drawn where the nearest double is. */
const numberOf = (value: Value): number | null => (value === null || typeof value === 'string' ? null : Number(value))

/** More samples are not read for a picture where so many hours, which are there already as tiles, are a picture, too. */
const mostSamples = [
  { hours: 200, samples: 200_000 },
  { hours: 48, samples: 1_000_000 },
] as const

const shortestStep = async (
  { sql, coverage }: Reader,
  { key }: StatisticStream,
  [fromMs, untilMs]: Span,
  points: number,
): Promise<number> => {
  // Before the first of them are made, there is no table.
  if (fromMs >= tiledUntil(coverage.get(key)!)) return 0
  const hours = (untilMs - fromMs) / hourMs
  const most = mostSamples.find((each) => hours >= each.hours)?.samples
  if (most === undefined || hours > points) return 0
  const [row] = await run<{ samples: number | null }>(
    sql,
    `select sum(samples)::double precision as samples from ${mainPhase.hourTable}
     where stream_key = $1::integer and bucket >= $2::timestamptz and bucket < $3::timestamptz`,
    [key, time(fromMs), time(untilMs)],
  )
  return (row?.samples ?? 0) > most ? hourMs : 0
}

const readIntervals = async (
  reader: Reader,
  stream: StatisticStream,
  calendar: Calendar,
  [fromMs, untilMs]: Span,
): Promise<readonly ChartItem[]> => {
  const whole: Span = [calendar.startOf(fromMs), calendar.endOf(untilMs - 1)]
  const extent = (await findExtents(reader, [stream.key], whole, 'both')).get(stream.key)
  if (extent === undefined) return []
  const edges = edgesBefore(calendar, calendar.endOf(extent[1] - 1), calendar.startOf(extent[0]), Infinity)
  const plan = planWindow(calendar, edges, reader.coverage.get(stream.key)!)
  const measure = isText(stream) ? 'count' : stream.kind === 'interval' ? 'weightedBand' : 'band'
  const values = valuesOf(stream.valueType, 'brief')
  const parts = await readMeasure(reader, [stream], calendar, measure, values, edges, plan)
  return parts.map((part) => itemOf(stream, part, calendar)).toReversed()
}

/** Texts have no mean: their intervals only say that there are samples. */
const isText = ({ valueType }: StatisticStream): boolean => valueType === 'STRING' || valueType === 'FILE'

const itemOf = (stream: StatisticStream, part: Part, calendar: Calendar): ChartItem => {
  const startMs = part.interval
  const timeMs = calendar.endOf(startMs)
  if (isText(stream)) return [startMs, timeMs, null]
  const measured = { stream, part, interval: [startMs, timeMs], bounds: undefined } as const
  const mean = numberOf(statisticValue('avg', measured))
  const { least, most } = part
  return least === null || most === null
    ? [startMs, timeMs, mean]
    : [startMs, timeMs, mean, Number(least), Number(most)]
}
