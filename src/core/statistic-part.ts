// Parts of a statistic: what the samples of one cycle interval come to in one source (samples, tiles or the
// archive), and how parts of several sources become one. Each statistic asks only for the columns that it needs.
import { hugeNum } from './tile.ts'

/** Which columns hold the values: doubles and booleans, longs, or texts. */
export type Column = 'num' | 'long' | 'text'

/** What is asked of the samples of an interval. */
export type Measure = 'count' | 'sum' | 'mean' | 'min' | 'max' | 'first' | 'last' | 'minTime' | 'maxTime'

export type Source = 'samples' | 'tiles' | 'archive'

/** A row as the queries below give it; of the optional members those that the measure asks for. */
export type Part = {
  readonly streamKey: number
  /** The number of the interval among the window's edges, from 1, or its start. */
  readonly interval: number
  /** Gaps included. */
  readonly samples: number
  /** Without gaps, and the seconds that they cover. */
  readonly filled: number
  readonly covered: number | null
  /** Longs are summed as numerics, which arrive as text. */
  readonly sum?: number | string | null
  readonly weighted?: number | string | null
  /** The sum of doubles too large to be summed as such, or that there are some (true). */
  readonly huge?: string | boolean | null
  readonly hugeWeighted?: string | null
  readonly value?: number | bigint | string | null
  /** When the value was first or last seen; in a tile, when the tile begins. */
  readonly atMs?: number | null
  /** The length of the tile in which the time of an extreme has still to be found. */
  readonly stepMs?: number
}

const isFilled = 'num is not null or long is not null or text is not null'
const isOrdinary = `num between -${hugeNum} and ${hugeNum}`

const counts: Readonly<Record<Source, string>> = {
  samples: `count(*) as samples, count(*) filter (where ${isFilled}) as filled,
    sum(span) filter (where ${isFilled}) as covered`,
  tiles: 'sum(samples)::bigint as samples, sum(filled)::bigint as filled, sum(covered)::bigint as covered',
  archive: 'sum(samples)::bigint as samples, sum(filled)::bigint as filled, sum(covered)::bigint as covered',
}

const sums = (source: Source, column: Column, isWeighted: boolean): string => {
  const tile = isWeighted ? `weighted_${column}` : `sum_${column}`
  const name = isWeighted ? 'weighted' : 'sum'
  if (column === 'long') {
    const sample = isWeighted ? 'long::numeric * span' : 'long'
    return `sum(${source === 'samples' ? sample : tile}) as ${name}`
  }
  const sample = isWeighted ? 'num * span' : 'num'
  const huge = isWeighted ? '"hugeWeighted"' : 'huge'
  switch (source) {
    case 'samples':
      return `sum(${sample}) filter (where ${isOrdinary}) as ${name},
        sum(${isWeighted ? 'num::numeric * span' : 'num::numeric'}) filter (where not ${isOrdinary}) as ${huge}`
    case 'tiles':
      return isWeighted
        ? `sum(${tile}) as ${name}`
        : `sum(${tile}) as ${name}, bool_or(min_num < -${hugeNum} or max_num > ${hugeNum}) as huge`
    case 'archive':
      return `sum(${tile}) as ${name}, sum(${isWeighted ? 'huge_weighted_num' : 'huge_num'}) as ${huge}`
  }
}

const end = (source: Source, column: Column, side: 'first' | 'last'): string => {
  const value = source === 'samples' ? column : `${side}_${column}`
  const at = source === 'samples' ? 'time' : 'bucket'
  return `${side}(${value}, ${at}) filter (where ${value} is not null) as value,
    ${side === 'first' ? 'min' : 'max'}(${at}) filter (where ${value} is not null) as "atMs"`
}

const columnsOf = (measure: Measure, source: Source, column: Column): string => {
  switch (measure) {
    case 'count':
      return counts[source]
    case 'sum':
      return `${counts[source]}, ${sums(source, column, false)}`
    case 'mean':
      return `${counts[source]}, ${sums(source, column, false)}, ${sums(source, column, true)}`
    case 'min':
    case 'max':
      return `${counts[source]}, ${measure}(${source === 'samples' ? column : `${measure}_${column}`}) as value`
    case 'first':
    case 'last':
      return `${counts[source]}, ${end(source, column, measure)}`
    case 'minTime':
    case 'maxTime':
      throw new Error('times of extremes have a query of their own')
  }
}

/**
 * The select that makes parts from rows of a source; `interval` is the SQL that tells a row's interval, from where
 * `rows` have their stream_key and their time or bucket.
 */
export const partsSelect = (measure: Measure, source: Source, column: Column, interval: string, rows: string) => {
  if (measure !== 'minTime' && measure !== 'maxTime')
    return `
      select stream_key as "streamKey", ${interval} as interval, ${columnsOf(measure, source, column)}
      from ${rows}
      group by 1, 2`
  const side = measure === 'minTime' ? 'min' : 'max'
  const value = source === 'samples' ? column : `${side}_${column}`
  const at = { samples: 'time', tiles: 'bucket', archive: `${side}_time` }[source]
  // The row with the extreme and of these the first; the counts are those of the whole interval.
  const [samples, filled] = source === 'samples' ? ['1', `(${value} is not null)::integer`] : ['samples', 'filled']
  return `
    select distinct on (stream_key, interval)
           stream_key as "streamKey", interval, value, case when value is not null then at end as "atMs",
           sum(samples) over one as samples, sum(filled) over one as filled, null::bigint as covered
    from (
      select stream_key, ${interval} as interval, ${value} as value, ${at} as at,
             ${samples}::integer as samples, ${filled}::integer as filled
      from ${rows}
    ) as row
    window one as (partition by stream_key, interval)
    order by stream_key, interval, value ${side === 'min' ? 'asc' : 'desc'} nulls last, at`
}

/** Two parts of one interval as one. */
export const joinParts = (measure: Measure, a: Part, b: Part): Part => {
  const counted = {
    streamKey: a.streamKey,
    interval: a.interval,
    samples: a.samples + b.samples,
    filled: a.filled + b.filled,
    covered: add(a.covered, b.covered) as number | null,
  }
  switch (measure) {
    case 'count':
      return counted
    case 'sum':
    case 'mean':
      return {
        ...counted,
        sum: add(a.sum, b.sum),
        weighted: add(a.weighted, b.weighted),
        huge: a.huge === true || b.huge === true ? true : (addText(a.huge, b.huge) ?? null),
        hugeWeighted: addText(a.hugeWeighted, b.hugeWeighted) ?? null,
      }
    case 'min':
    case 'minTime':
      return { ...counted, ...extremeOf(a, b, (one, other) => one < other) }
    case 'max':
    case 'maxTime':
      return { ...counted, ...extremeOf(a, b, (one, other) => one > other) }
    case 'first':
      return { ...counted, ...endOf(a, b, (a.atMs ?? Infinity) <= (b.atMs ?? Infinity)) }
    case 'last':
      return { ...counted, ...endOf(a, b, (a.atMs ?? -Infinity) >= (b.atMs ?? -Infinity)) }
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

const addText = (a: string | boolean | null | undefined, b: string | boolean | null | undefined) =>
  typeof a !== 'string' ? (typeof b === 'string' ? b : undefined) : typeof b !== 'string' ? a : String(add(a, b))

type Valued = Pick<Part, 'value' | 'atMs' | 'stepMs'>

const endOf = (a: Part, b: Part, isA: boolean): Valued => {
  const chosen = isA ? a : b
  return { value: chosen.value ?? null, atMs: chosen.atMs ?? null }
}

const extremeOf = (a: Part, b: Part, isMore: (one: number | bigint, other: number | bigint) => boolean): Valued => {
  const [one, other] = [a.value as number | bigint | null, b.value as number | bigint | null]
  if (one === null || other === null) return valued(one === null ? b : a)
  if (isMore(one, other)) return valued(a)
  if (isMore(other, one)) return valued(b)
  return valued((a.atMs ?? 0) <= (b.atMs ?? 0) ? a : b)
}

const valued = ({ value = null, atMs = null, stepMs }: Part): Valued =>
  stepMs === undefined ? { value, atMs } : { value, atMs, stepMs }
