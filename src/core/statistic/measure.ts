// Parts of a statistic: what the samples of one cycle interval come to in one source (samples, tiles or the
// archive), and how parts of several sources become one. Each statistic asks only for the columns that it needs.
import { exactNum, isFilled, isOrdinary } from './tile.ts'

/** Which columns hold the values: doubles and booleans, longs, or texts. */
export type Column = 'num' | 'long' | 'text'

/** What is asked of the samples of an interval. */
export type Measure =
  | 'count'
  | 'sum'
  | 'mean'
  | 'weightedMean'
  | 'min'
  | 'max'
  | 'first'
  | 'last'
  | 'minTime'
  | 'maxTime'

export type Source = 'samples' | 'tiles' | 'archive'

/** A row as the queries below give it: of the optional members those that the measure asks for. */
export type Part = {
  readonly streamKey: number
  /** The number of the interval among the window's edges, from 1, or its start. */
  readonly interval: number
  /** Samples that are no gaps, and the seconds that they cover. */
  readonly filled?: number
  readonly covered?: number | null
  /** Longs are summed as numerics, which arrive as text. Infinite: a tile that cannot tell. */
  readonly sum?: number | string | null
  /** The sum of doubles too large to be summed as such. */
  readonly huge?: string | null
  readonly value?: number | bigint | string | null
  /** When the value was seen; of a first or last one in a tile, when the tile begins. */
  readonly atMs?: number | null
}

const filled = (source: Source) =>
  source === 'samples' ? `count(*) filter (where ${isFilled}) as filled` : 'sum(filled)::bigint as filled'

const covered = (source: Source) =>
  source === 'samples' ? `sum(span) filter (where ${isFilled}) as covered` : 'sum(covered)::bigint as covered'

const sum = (source: Source, column: Column, isWeighted: boolean): string => {
  if (source !== 'samples') {
    const own = isWeighted ? `weighted_${column}` : `sum_${column}`
    const huge = isWeighted ? 'huge_weighted_num' : 'huge_num'
    return source === 'archive' && column === 'num' ? `sum(${own}) as sum, sum(${huge}) as huge` : `sum(${own}) as sum`
  }
  if (column === 'long') return `sum(${isWeighted ? 'long::numeric * span' : 'long'}) as sum`
  return `sum(${isWeighted ? 'num * span' : 'num'}) filter (where ${isOrdinary}) as sum,
    sum(${exactNum} ${isWeighted ? '* span' : ''}) filter (where not ${isOrdinary}) as huge`
}

const end = (source: Source, column: Column, side: 'first' | 'last'): string => {
  const value = source === 'samples' ? column : `${side}_${column}`
  const at = source === 'samples' ? 'time' : 'bucket'
  return `${side}(${value}, ${at}) filter (where ${value} is not null) as value,
    ${side === 'first' ? 'min' : 'max'}(${at}) filter (where ${value} is not null) as "atMs"`
}

/** In the order of time first() and last() keep, of rows with the same value, the one that they saw first (tile.ts). */
const extreme = (source: Source, column: Column, side: 'min' | 'max'): string => {
  const value = source === 'samples' ? column : `${side}_${column}`
  const at = { samples: 'time', tiles: `${value}_time`, archive: `${side}_time` }[source]
  return `${side}(${value}) as value, ${side === 'min' ? 'first' : 'last'}(${at}, ${value} order by ${at}) as "atMs"`
}

const columnsOf = (measure: Measure, source: Source, column: Column): string => {
  switch (measure) {
    case 'count':
      return `${filled(source)}, ${covered(source)}`
    case 'sum':
      return sum(source, column, false)
    case 'mean':
      return `${filled(source)}, ${sum(source, column, false)}`
    case 'weightedMean':
      return `${covered(source)}, ${sum(source, column, true)}`
    case 'min':
    case 'max':
      return `${measure}(${source === 'samples' ? column : `${measure}_${column}`}) as value`
    case 'first':
    case 'last':
      return end(source, column, measure)
    case 'minTime':
      return extreme(source, column, 'min')
    case 'maxTime':
      return extreme(source, column, 'max')
  }
}

/**
 * The select that makes parts from rows of a source; `interval` is the SQL that tells a row's interval, from where
 * `rows` have their stream_key and their time or bucket.
 */
export const partsSelect = (measure: Measure, source: Source, column: Column, interval: string, rows: string) => `
  select stream_key as "streamKey", ${interval} as interval, ${columnsOf(measure, source, column)}
  from ${rows}
  group by 1, 2`

/** Two parts of one interval as one. */
export const joinParts = (measure: Measure, a: Part, b: Part): Part => {
  const { streamKey, interval } = a
  switch (measure) {
    case 'count':
    case 'sum':
    case 'mean':
    case 'weightedMean':
      return {
        streamKey,
        interval,
        filled: (a.filled ?? 0) + (b.filled ?? 0),
        covered: add(a.covered, b.covered) as number | null,
        sum: add(a.sum, b.sum),
        huge: add(a.huge, b.huge) as string | null,
      }
    case 'min':
    case 'minTime':
      return { streamKey, interval, ...extremeOf(a, b, (one, other) => one < other) }
    case 'max':
    case 'maxTime':
      return { streamKey, interval, ...extremeOf(a, b, (one, other) => one > other) }
    case 'first':
      return { streamKey, interval, ...valued((a.atMs ?? Infinity) <= (b.atMs ?? Infinity) ? a : b) }
    case 'last':
      return { streamKey, interval, ...valued((a.atMs ?? -Infinity) >= (b.atMs ?? -Infinity) ? a : b) }
  }
}

type Sum = number | string | null | undefined

/** Numerics, which are texts, are whole numbers here. */
const add = (a: Sum, b: Sum): number | string | null => {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (typeof a === 'number' && typeof b === 'number') return a + b
  return String(BigInt(a) + BigInt(b))
}

type Valued = Pick<Part, 'value' | 'atMs'>

const extremeOf = (a: Part, b: Part, isMore: (one: number | bigint, other: number | bigint) => boolean): Valued => {
  const [one, other] = [a.value as number | bigint | null, b.value as number | bigint | null]
  if (one === null || other === null) return valued(one === null ? b : a)
  if (isMore(one, other)) return valued(a)
  if (isMore(other, one)) return valued(b)
  return valued((a.atMs ?? 0) <= (b.atMs ?? 0) ? a : b)
}

const valued = ({ value = null, atMs = null }: Part): Valued => ({ value, atMs })
