// The thirteen statistics (docs/statistics.md#statistics): the streams that have each, its measure of the samples of an
// interval (measure.ts), and how its value is made of that. No other file decides by statistic. Pure.
import type { Span } from '../time/span.ts'
import type { Measure, Part } from './measure.ts'
import type { RegisteredStream } from '../sample/registered.ts'
import type { Value } from '../sample/value.ts'
import type { ValueType } from '../stream.ts'

export type StatisticStream = Pick<RegisteredStream, 'key' | 'kind' | 'valueType' | 'calendar'>

/** A statistic of one interval; timeMs is its end. */
export type StatisticSample = {
  readonly streamKey: number
  readonly startMs: number
  readonly timeMs: number
  readonly value: Value
  /** The bytes of a long text that was not read; else null. */
  readonly textBytes: number | null
}

/** The facts of an interval, of which a value is made. */
type Measured = {
  readonly stream: Pick<StatisticStream, 'kind' | 'valueType' | 'calendar'>
  readonly part: Part
  readonly interval: Span
  /** The shown times of the stream's first and last sample, where the way asks for them. */
  readonly bounds: Span | undefined
}

type Way = {
  readonly measure: Measure
  readonly value: (measured: Measured) => Value
  readonly needsBounds?: boolean
}

type Rule = {
  /** Streams of other types have null: only numbers have a sum, files have no first value, all have counts. */
  readonly of: 'numbers' | 'values' | 'samples'
  /** The kind of the value: one of the stream's own, their sum, their mean, or a count or time, which has no unit. */
  readonly gives: 'value' | 'sum' | 'mean' | 'count'
  readonly interval: Way
  /** Also for point streams. */
  readonly random: Way
}

/** The same way for streams of every kind. */
const always = (measure: Measure, value: Way['value']): Pick<Rule, 'interval' | 'random'> => {
  const way: Way = { measure, value }
  return { interval: way, random: way }
}

const filledOf = ({ part }: Measured) => part.filled ?? 0
const coveredMs = ({ part }: Measured) => (part.covered ?? 0) * 1000
const lengthMs = ({ interval: [startMs, endMs] }: Measured) => endMs - startMs
const atMs = ({ part }: Measured) => part.atMs ?? null

const valueOf = ({ stream, part: { value = null } }: Measured): Value =>
  value !== null && stream.valueType === 'BOOLEAN' ? value !== 0 : value

/** The sum of longs is exact; a sum beyond all doubles has no value. */
const sumOf = ({ part: { sum, huge } }: Measured): Value => {
  if (typeof sum === 'string') return numberOf(BigInt(sum))
  if (typeof huge !== 'string') return sum ?? null
  return finite(Number(huge) + (sum ?? 0))
}

/** The mean by the covered seconds where these are known, else by the number of samples. */
const meanOf = ({ part: { filled, covered, sum, huge } }: Measured): Value => {
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
 * Never fewer than those with a value: the rules of the base cycle's zone may have changed since they were stored.
 */
const baseOf = (measured: Measured): { readonly count: number; readonly ms: number } => {
  const { stream, interval, bounds } = measured
  if (bounds === undefined) return { count: 0, ms: 0 }
  const calendar = stream.calendar!
  const afterMs = Math.max(interval[0], bounds[0] - 1)
  const untilMs = Math.min(interval[1], bounds[1])
  const count = calendar.countEdges(afterMs, untilMs)
  const ms = count === 0 ? 0 : calendar.startOf(untilMs) - calendar.startOf(calendar.endOf(afterMs) - 1)
  return { count: Math.max(count, filledOf(measured)), ms: Math.max(ms, coveredMs(measured)) }
}

const rules = {
  first: { of: 'values', gives: 'value', ...always('first', valueOf) },
  last: { of: 'values', gives: 'value', ...always('last', valueOf) },
  min: { of: 'numbers', gives: 'value', ...always('min', valueOf) },
  max: { of: 'numbers', gives: 'value', ...always('max', valueOf) },
  avg: {
    of: 'numbers',
    gives: 'mean',
    interval: { measure: 'weightedMean', value: meanOf },
    random: { measure: 'mean', value: meanOf },
  },
  sum: { of: 'numbers', gives: 'sum', ...always('sum', sumOf) },
  minoccurrence: { of: 'numbers', gives: 'count', ...always('minTime', atMs) },
  maxoccurrence: { of: 'numbers', gives: 'count', ...always('maxTime', atMs) },
  gapcount: {
    of: 'samples',
    gives: 'count',
    interval: { measure: 'count', needsBounds: true, value: (each) => baseOf(each).count - filledOf(each) },
    random: { measure: 'count', value: () => 0 },
  },
  nongapcount: { of: 'samples', gives: 'count', ...always('count', filledOf) },
  intvlcount: {
    of: 'samples',
    gives: 'count',
    interval: { measure: 'count', needsBounds: true, value: (each) => baseOf(each).count },
    random: { measure: 'count', value: filledOf },
  },
  milliseccount: {
    of: 'samples',
    gives: 'count',
    interval: { measure: 'count', needsBounds: true, value: (each) => baseOf(each).ms },
    random: { measure: 'count', value: lengthMs },
  },
  nongapmilliseccount: {
    of: 'samples',
    gives: 'count',
    interval: { measure: 'count', value: coveredMs },
    random: { measure: 'count', value: lengthMs },
  },
} as const satisfies Readonly<Record<string, Rule>>

export type Statistic = keyof typeof rules

/** In the order in which they are listed where a name is not known. */
export const statistics = Object.keys(rules) as readonly Statistic[]

/** Any case; undefined when there is no such statistic. */
export const findStatistic = (id: string): Statistic | undefined =>
  statistics.find((statistic) => statistic === id.toLowerCase())

const ruleOf = (statistic: Statistic): Rule => rules[statistic]

const hasStatistic = (statistic: Statistic, valueType: ValueType): boolean => {
  switch (ruleOf(statistic).of) {
    case 'numbers':
      return valueType !== 'STRING' && valueType !== 'FILE'
    case 'values':
      return valueType !== 'FILE'
    case 'samples':
      return true
  }
}

const wayOf = (statistic: Statistic, { kind }: Pick<StatisticStream, 'kind'>): Way =>
  ruleOf(statistic)[kind === 'interval' ? 'interval' : 'random']

/** Where a stream has no such statistic, its intervals are found all the same, and shown with null. */
export const measureOf = (statistic: Statistic, stream: StatisticStream): Measure =>
  hasStatistic(statistic, stream.valueType) ? wayOf(statistic, stream).measure : 'count'

/** Whether the value depends on the stream's first and last sample as well. */
export const needsBounds = (statistic: Statistic, stream: StatisticStream): boolean =>
  wayOf(statistic, stream).needsBounds ?? false

/** The value of a statistic of an interval. */
export const statisticValue = (statistic: Statistic, measured: Measured): Value =>
  hasStatistic(statistic, measured.stream.valueType) ? wayOf(statistic, measured.stream).value(measured) : null

/** The statistic of all streams by which intervals that hold samples are found. */
export const presence: Statistic = 'nongapcount'

/** Whether a statistic is a count or a time: shown as a plain integer, without the stream's unit. */
export const isPlainStatistic = (statistic: Statistic): boolean => ruleOf(statistic).gives === 'count'

/** The type of a statistic's values; TRUE counts as 1, so that of BOOLEANs there are sums and means. */
export const typeOfStatistic = (statistic: Statistic, valueType: ValueType): ValueType => {
  const { gives } = ruleOf(statistic)
  if (gives === 'count') return 'LONG'
  if (gives === 'value' || !hasStatistic(statistic, valueType)) return valueType
  if (gives === 'mean') return 'DOUBLE'
  return valueType === 'BOOLEAN' ? 'LONG' : valueType
}
