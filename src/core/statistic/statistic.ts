// The thirteen statistics (docs/statistics.md#statistics), each from the joined part of an interval. Pure.
import type { Span } from '../time/span.ts'
import type { Part } from './measure.ts'
import type { RegisteredStream } from '../sample/registry.ts'
import type { Value } from '../sample/value.ts'

export const statistics = [
  'first',
  'last',
  'min',
  'max',
  'avg',
  'sum',
  'minoccurrence',
  'maxoccurrence',
  'gapcount',
  'nongapcount',
  'intvlcount',
  'milliseccount',
  'nongapmilliseccount',
] as const
export type Statistic = (typeof statistics)[number]

export type StatisticStream = Pick<RegisteredStream, 'key' | 'kind' | 'valueType' | 'calendar'>

/** A statistic of one interval; timeMs is its end. */
export type StatisticSample = {
  readonly streamKey: number
  readonly startMs: number
  readonly timeMs: number
  readonly value: Value
}

/** Any case; undefined when there is no such statistic. */
export const findStatistic = (id: string): Statistic | undefined =>
  statistics.find((statistic) => statistic === id.toLowerCase())

/** Whether a statistic is a count or a time: shown as a plain integer, without the stream's unit. */
export const isPlainStatistic = (statistic: Statistic): boolean =>
  statistics.indexOf(statistic) >= statistics.indexOf('minoccurrence')

/** Bounds are the shown times of the stream's first and last sample, where base intervals are counted. */
export const statisticValue = (
  statistic: Statistic,
  stream: Pick<StatisticStream, 'kind' | 'valueType' | 'calendar'>,
  part: Part,
  interval: Span,
  bounds: Span | undefined,
): Value => {
  const isInterval = stream.kind === 'interval'
  const base = isInterval && bounds ? countBase(stream, part, interval, bounds) : { count: 0, ms: 0 }
  switch (statistic) {
    case 'first':
    case 'last':
    case 'min':
    case 'max':
      return valueOf(stream, part.value)
    case 'sum':
      return sumOf(part)
    case 'avg':
      return meanOf(part)
    case 'minoccurrence':
    case 'maxoccurrence':
      return part.atMs ?? null
    case 'gapcount':
      return isInterval ? base.count - (part.filled ?? 0) : 0
    case 'nongapcount':
      return part.filled ?? 0
    case 'intvlcount':
      return isInterval ? base.count : (part.filled ?? 0)
    case 'milliseccount':
      return isInterval ? base.ms : interval[1] - interval[0]
    case 'nongapmilliseccount':
      return isInterval ? (part.covered ?? 0) * 1000 : interval[1] - interval[0]
  }
}

const valueOf = ({ valueType }: Pick<StatisticStream, 'valueType'>, value: Part['value']): Value =>
  value === null || value === undefined ? null : valueType === 'BOOLEAN' ? value !== 0 : value

/** Of a sum of longs the exact number; a sum of doubles that is beyond them has none. */
const sumOf = ({ sum, huge }: Part): Value => {
  if (typeof sum === 'string') return numberOf(BigInt(sum))
  if (typeof huge !== 'string') return sum ?? null
  return finite(Number(huge) + (sum ?? 0))
}

/** By the seconds that were covered where these are known, else by the number of samples. */
const meanOf = ({ filled, covered, sum, huge }: Part): Value => {
  const weight = covered ?? filled
  if (!weight) return null
  const mean = sum === null || sum === undefined ? undefined : divide(sum, weight)
  if (typeof huge !== 'string') return mean ?? null
  return finite(divide(huge, weight) + (mean ?? 0))
}

/** The quotient of a whole number too long for a double is taken before it becomes one. */
const divide = (total: number | string, weight: number): number => {
  if (typeof total === 'number') return total / weight
  const exact = BigInt(total)
  const whole = exact / BigInt(weight)
  return Number(whole) + Number(exact - whole * BigInt(weight)) / weight
}

const finite = (number: number): Value => (Number.isFinite(number) ? number : null)

const numberOf = (exact: bigint): Value => {
  const number = Number(exact)
  return Number.isSafeInteger(number) ? number : exact
}

/**
 * The base intervals whose end lies in the interval and not outside the stream's samples, and the ms that they cover.
 * Never fewer than have a value: the rules of the base cycle's zone may have changed since they were stored.
 */
const countBase = (
  { calendar }: Pick<StatisticStream, 'calendar'>,
  { filled = 0, covered }: Part,
  [startMs, endMs]: Span,
  [first, last]: Span,
): { readonly count: number; readonly ms: number } => {
  const afterMs = Math.max(startMs, first - 1)
  const untilMs = Math.min(endMs, last)
  const count = calendar!.countEdges(afterMs, untilMs)
  const ms = count === 0 ? 0 : calendar!.startOf(untilMs) - calendar!.startOf(calendar!.endOf(afterMs) - 1)
  return { count: Math.max(count, filled), ms: Math.max(ms, (covered ?? 0) * 1000) }
}
