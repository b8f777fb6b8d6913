// Measures of the samples in a cycle's interval. Each is read in parts, from samples and from tiles, by the columns
// that it needs (tile.ts), and parts of several sources become one.
import { textColumns } from '../reading/long-text.ts'
import type { ValueType } from '../stream.ts'
import { extremeTime, tileColumn } from './tile.ts'
import type { Source, ValueColumn } from './tile.ts'

/** The column with the values of a stream; only the lengths of long texts are read, unless whole ones are wanted. */
export type PartValues = ValueColumn | 'shortText' | 'briefText'

/** Whether texts are read whole, or only short or brief ones (../reading/long-text.ts). */
export type Texts = 'whole' | 'short' | 'brief'

export const valuesOf = (valueType: ValueType, texts: Texts): PartValues => {
  switch (valueType) {
    case 'DOUBLE':
    case 'BOOLEAN':
      return 'num'
    case 'LONG':
      return 'long'
    case 'STRING':
    case 'FILE':
      return texts === 'whole' ? 'text' : `${texts}Text`
  }
}

/** A row as the queries below give it, with the optional members that the measure asks for. */
export type Part = {
  readonly streamKey: number
  /** The number of the interval among the window's edges, from 1, or its start. */
  readonly interval: number
  /** The interval of the last sample, of tiles that an edge may cut. */
  readonly lastInterval?: number
  /** Samples that are no gaps, and the seconds that they cover. */
  readonly filled?: number
  readonly covered?: number | null
  /** Longs are summed as numerics, which arrive as text. */
  readonly sum?: number | string | null
  /** The sum of doubles too large to be summed as such. */
  readonly huge?: string | null
  readonly value?: number | bigint | string | null
  /** The bytes of a long text that was not read; else null. */
  readonly textBytes?: number | null
  /** The time of the value; of a first or last one in a tile, the start of the tile. */
  readonly atMs?: number | null
  /** The extremes beside a mean. */
  readonly least?: number | bigint | null
  readonly most?: number | bigint | null
}

const column = (source: Source, from: string, to: string) => `${tileColumn(from, source)} as ${to}`

const filled = (source: Source) => column(source, 'filled', 'filled')
const covered = (source: Source) => column(source, 'covered', 'covered')

const sum = (source: Source, values: PartValues, isWeighted: boolean): string => {
  const own = column(source, `${isWeighted ? 'weighted' : 'sum'}_${values}`, 'sum')
  return values === 'num' ? `${own}, ${column(source, isWeighted ? 'huge_weighted_num' : 'huge_num', 'huge')}` : own
}

const extreme = (source: Source, values: PartValues, side: 'min' | 'max'): string =>
  column(source, `${side}_${values}`, 'value')

const timedExtreme = (source: Source, values: PartValues, side: 'min' | 'max'): string =>
  `${extreme(source, values, side)}, ${extremeTime(side, source, values as 'num' | 'long')} as "atMs"`

const end = (source: Source, values: PartValues, side: 'first' | 'last'): string => {
  const size = values === 'shortText' ? 'short' : values === 'briefText' ? 'brief' : undefined
  const own = size ? 'text' : values
  const [value, at] = source === 'samples' ? [own, 'time'] : [`${side}_${own}`, 'bucket']
  const found = tileColumn(`${side}_${own}`, source)
  return `${size ? textColumns(found, 'value', size) : `${found} as value`},
    ${side === 'first' ? 'min' : 'max'}(${at}) filter (where ${value} is not null) as "atMs"`
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

const bandColumns = (source: Source, values: PartValues, isWeighted: boolean): string =>
  [
    isWeighted ? covered(source) : filled(source),
    sum(source, values, isWeighted),
    column(source, `min_${values}`, 'least'),
    column(source, `max_${values}`, 'most'),
  ].join(', ')

type Extreme = number | bigint | null | undefined

/** The one of both that lies further out. */
const outer = (a: Extreme, b: Extreme, isMore: (one: number | bigint, other: number | bigint) => boolean) => {
  if (a === null || a === undefined) return b ?? null
  return b === null || b === undefined || isMore(a, b) ? a : b
}

const joinBands = (a: Part, b: Part): Part => ({
  ...joinSums(a, b),
  least: outer(a.least, b.least, (one, other) => one < other),
  most: outer(a.most, b.most, (one, other) => one > other),
})

const joinLeast = (a: Part, b: Part): Part => extremeOf(a, b, (one, other) => one < other)
const joinMost = (a: Part, b: Part): Part => extremeOf(a, b, (one, other) => one > other)
const joinFirst = (a: Part, b: Part): Part => ((a.atMs ?? Infinity) <= (b.atMs ?? Infinity) ? a : b)
const joinLast = (a: Part, b: Part): Part => ((a.atMs ?? -Infinity) >= (b.atMs ?? -Infinity) ? a : b)

type Way = {
  /** The columns of a part, over rows of a source; values are those that the stream's type has. */
  readonly columns: (source: Source, values: PartValues) => string
  /** Two parts of one interval as one. */
  readonly join: (a: Part, b: Part) => Part
}

export const measures = {
  count: { columns: (source) => `${filled(source)}, ${covered(source)}`, join: joinSums },
  sum: { columns: (source, values) => sum(source, values, false), join: joinSums },
  mean: { columns: (source, values) => `${filled(source)}, ${sum(source, values, false)}`, join: joinSums },
  weightedMean: { columns: (source, values) => `${covered(source)}, ${sum(source, values, true)}`, join: joinSums },
  min: { columns: (source, values) => extreme(source, values, 'min'), join: joinLeast },
  max: { columns: (source, values) => extreme(source, values, 'max'), join: joinMost },
  band: { columns: (source, values) => bandColumns(source, values, false), join: joinBands },
  weightedBand: { columns: (source, values) => bandColumns(source, values, true), join: joinBands },
  first: { columns: (source, values) => end(source, values, 'first'), join: joinFirst },
  last: { columns: (source, values) => end(source, values, 'last'), join: joinLast },
  minTime: { columns: (source, values) => timedExtreme(source, values, 'min'), join: joinLeast },
  maxTime: { columns: (source, values) => timedExtreme(source, values, 'max'), join: joinMost },
} as const satisfies Readonly<Record<string, Way>>

export type Measure = keyof typeof measures
