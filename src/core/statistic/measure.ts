// Measures: what can be asked of the samples of a cycle's interval. Each is read in parts, one per source (samples, tiles
// or the archive) by columns of its own, and parts of several sources become one.
import type { ValueType } from '../stream.ts'
import { exactNum, isFilled, isOrdinary } from './tile.ts'

/** Which columns hold the values: doubles and booleans, longs, or texts. */
export type Column = 'num' | 'long' | 'text'

export const columnOf = (valueType: ValueType): Column => {
  switch (valueType) {
    case 'DOUBLE':
    case 'BOOLEAN':
      return 'num'
    case 'LONG':
      return 'long'
    case 'STRING':
    case 'FILE':
      return 'text'
  }
}

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

/** Where a source has a value: a sample in its column, the others have what samples came to. */
const nameIn = (source: Source, side: 'first' | 'last' | 'min' | 'max', column: Column): string =>
  source === 'samples' ? column : `${side}_${column}`

const end = (source: Source, column: Column, side: 'first' | 'last'): string => {
  const value = nameIn(source, side, column)
  const at = source === 'samples' ? 'time' : 'bucket'
  return `${side}(${value}, ${at}) filter (where ${value} is not null) as value,
    ${side === 'first' ? 'min' : 'max'}(${at}) filter (where ${value} is not null) as "atMs"`
}

/** In the order of time first() and last() keep, of rows with the same value, the one that they saw first (tile.ts). */
const extreme = (source: Source, column: Column, side: 'min' | 'max'): string => {
  const value = nameIn(source, side, column)
  const at = { samples: 'time', tiles: `${value}_time`, archive: `${side}_time` }[source]
  return `${side}(${value}) as value, ${side === 'min' ? 'first' : 'last'}(${at}, ${value} order by ${at}) as "atMs"`
}

type Sum = number | string | null | undefined

/** Numerics, which are texts, are whole numbers here. */
const add = (a: Sum, b: Sum): number | string | null => {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (typeof a === 'number' && typeof b === 'number') return a + b
  return String(BigInt(a) + BigInt(b))
}

const extremeOf = (a: Part, b: Part, isMore: (one: number | bigint, other: number | bigint) => boolean): Part => {
  const [one, other] = [a.value as number | bigint | null, b.value as number | bigint | null]
  if (one === null || other === null) return one === null ? b : a
  if (isMore(one, other)) return a
  if (isMore(other, one)) return b
  return (a.atMs ?? 0) <= (b.atMs ?? 0) ? a : b
}

const joinSums = (a: Part, b: Part): Part => ({
  streamKey: a.streamKey,
  interval: a.interval,
  filled: (a.filled ?? 0) + (b.filled ?? 0),
  covered: add(a.covered, b.covered) as number | null,
  sum: add(a.sum, b.sum),
  huge: add(a.huge, b.huge) as string | null,
})

const joinLeast = (a: Part, b: Part): Part => extremeOf(a, b, (one, other) => one < other)
const joinMost = (a: Part, b: Part): Part => extremeOf(a, b, (one, other) => one > other)
const joinFirst = (a: Part, b: Part): Part => ((a.atMs ?? Infinity) <= (b.atMs ?? Infinity) ? a : b)
const joinLast = (a: Part, b: Part): Part => ((a.atMs ?? -Infinity) >= (b.atMs ?? -Infinity) ? a : b)

type Way = {
  /** The columns of a part, over rows of a source. */
  readonly columns: (source: Source, column: Column) => string
  /** Two parts of one interval as one. */
  readonly join: (a: Part, b: Part) => Part
}

export const measures = {
  count: { columns: (source) => `${filled(source)}, ${covered(source)}`, join: joinSums },
  sum: { columns: (source, column) => sum(source, column, false), join: joinSums },
  mean: { columns: (source, column) => `${filled(source)}, ${sum(source, column, false)}`, join: joinSums },
  weightedMean: { columns: (source, column) => `${covered(source)}, ${sum(source, column, true)}`, join: joinSums },
  min: { columns: (source, column) => `min(${nameIn(source, 'min', column)}) as value`, join: joinLeast },
  max: { columns: (source, column) => `max(${nameIn(source, 'max', column)}) as value`, join: joinMost },
  first: { columns: (source, column) => end(source, column, 'first'), join: joinFirst },
  last: { columns: (source, column) => end(source, column, 'last'), join: joinLast },
  minTime: { columns: (source, column) => extreme(source, column, 'min'), join: joinLeast },
  maxTime: { columns: (source, column) => extreme(source, column, 'max'), join: joinMost },
} as const satisfies Readonly<Record<string, Way>>

export type Measure = keyof typeof measures

/**
 * The select that makes parts from rows of a source; `interval` is the SQL that tells a row's interval, from where
 * `rows` have their stream_key and their time or bucket.
 */
export const partsSelect = (measure: Measure, source: Source, column: Column, interval: string, rows: string) => `
  select stream_key as "streamKey", ${interval} as interval, ${measures[measure].columns(source, column)}
  from ${rows}
  group by 1, 2`
