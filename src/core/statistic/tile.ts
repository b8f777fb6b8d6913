// Tiles: what the samples of a stream come to per hour, and per day on top of the hours, in UTC. A statistic over
// any cycle in any zone is the sum of whole days, whole hours and, at edges that cut an hour, a few samples.
//
// Most zones have their midnights on a full hour of UTC. Where they have not (Kathmandu, Kolkata, St. John's), the
// edge of every day would cut an hour, so such zones get tiles whose hours begin 15 or 30 minutes past; their days
// begin with the days of Nepal and of India. Each kind of tile is a phase, made when a zone first needs it.
//
// The Community edition keeps tiles as continuous aggregates (tile-aggregate.ts), the Apache edition as tables of the same
// names and columns, which are filled by the same selects (tile-table.ts).
import type { Sql } from '../../base/database/sql.ts'
import { openZone } from '../time/zone.ts'

export type Phase = {
  readonly minutes: number
  readonly hourTable: string
  readonly dayTable: string
  /** When its days begin, after midnight UTC; hours are counted from there, too. */
  readonly offsetMs: number
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** What is left of samples that are gone (retention.ts) is kept by the quarter of an hour. */
export const archiveStepMs = hourMs / 4

export const phases: readonly Phase[] = [
  { minutes: 0, hourTable: 'tile_hour', dayTable: 'tile_day', offsetMs: 0 },
  { minutes: 15, hourTable: 'tile_hour_15', dayTable: 'tile_day_15', offsetMs: 18.25 * hourMs },
  { minutes: 30, hourTable: 'tile_hour_30', dayTable: 'tile_day_30', offsetMs: 18.5 * hourMs },
]

/** The phase whose hours the moment does not cut; undefined where there is none. */
export const phaseOf = (ms: number): Phase | undefined => {
  const pastHourMs = ms - Math.floor(ms / hourMs) * hourMs
  return phases.find(({ minutes }) => minutes * 60_000 === pastHourMs)
}

/** The phases that the midnights of a zone have in the year around a moment. */
export const phasesOfZone = (zone: string, nowMs: number): readonly Phase[] => {
  const { offsetMs } = openZone(zone)
  const needed = new Set([nowMs - 182 * dayMs, nowMs, nowMs + 182 * dayMs].map((ms) => phaseOf(-offsetMs(ms))))
  return phases.filter((phase) => needed.has(phase))
}

/**
 * Values beyond this are left out of sums of doubles, because Postgres refuses a sum that overflows, and one
 * such stream must not keep all others from being aggregated. Such a tile's sum is infinite: look at the samples.
 */
export const hugeNum = 1e280

/** A double as a numeric, digit for digit: Postgres' own cast keeps fifteen, with which the largest is out of range. */
export const exactNum = 'num::text::numeric'

export const isFilled = 'num is not null or long is not null or text is not null'
export const isOrdinary = `num between -${hugeNum} and ${hugeNum}`
const unlessHuge = (sum: string) =>
  `case when min(num) < -${hugeNum} or max(num) > ${hugeNum} then 'infinity'::double precision else ${sum} end`

/**
 * The columns of a tile, over samples. Of samples with the least value the first in time counts: in the order of time
 * first() and last() keep the one that they saw first. That takes a fifth longer than tiles without times; twice as
 * long would be min() and max() of arrays of value and time.
 */
const hourColumns = `
  count(*) as samples,
  count(*) filter (where ${isFilled}) as filled,
  sum(span) filter (where ${isFilled}) as covered,
  ${unlessHuge(`sum(num) filter (where ${isOrdinary})`)} as sum_num,
  ${unlessHuge(`sum(num * span) filter (where ${isOrdinary})`)} as weighted_num,
  min(num) as min_num,
  first(time, num order by time) as min_num_time,
  max(num) as max_num,
  last(time, num order by time) as max_num_time,
  first(num, time) filter (where num is not null) as first_num,
  last(num, time) filter (where num is not null) as last_num,
  sum(long) as sum_long,
  sum(long::numeric * span) as weighted_long,
  min(long) as min_long,
  first(time, long order by time) as min_long_time,
  max(long) as max_long,
  last(time, long order by time) as max_long_time,
  first(long, time) filter (where long is not null) as first_long,
  last(long, time) filter (where long is not null) as last_long,
  first(text, time) filter (where text is not null) as first_text,
  last(text, time) filter (where text is not null) as last_text`

/** The same over hours. */
const dayColumns = `
  sum(samples)::bigint as samples,
  sum(filled)::bigint as filled,
  sum(covered)::bigint as covered,
  sum(sum_num) as sum_num,
  sum(weighted_num) as weighted_num,
  min(min_num) as min_num,
  first(min_num_time, min_num order by bucket) as min_num_time,
  max(max_num) as max_num,
  last(max_num_time, max_num order by bucket) as max_num_time,
  first(first_num, bucket) filter (where first_num is not null) as first_num,
  last(last_num, bucket) filter (where last_num is not null) as last_num,
  sum(sum_long) as sum_long,
  sum(weighted_long) as weighted_long,
  min(min_long) as min_long,
  first(min_long_time, min_long order by bucket) as min_long_time,
  max(max_long) as max_long,
  last(max_long_time, max_long order by bucket) as max_long_time,
  first(first_long, bucket) filter (where first_long is not null) as first_long,
  last(last_long, bucket) filter (where last_long is not null) as last_long,
  first(first_text, bucket) filter (where first_text is not null) as first_text,
  last(last_text, bucket) filter (where last_text is not null) as last_text`

const bucketOf = (phase: Phase, width: string, column: string) =>
  phase.offsetMs === 0
    ? `time_bucket(interval '${width}', ${column})`
    : `time_bucket(interval '${width}', ${column}, "offset" => interval '${phase.offsetMs / 60_000} minutes')`

export const hourSelect = (phase: Phase, where = '') => `
  select stream_key, ${bucketOf(phase, '1 hour', 'time')} as bucket, ${hourColumns}
  from sample ${where}
  group by 1, 2`

export const daySelect = (phase: Phase, where = '') => `
  select stream_key, ${bucketOf(phase, '1 day', 'bucket')} as bucket, ${dayColumns}
  from ${phase.hourTable} ${where}
  group by 1, ${bucketOf(phase, '1 day', 'bucket')}`

export type TileKind = 'aggregate' | 'table'

/** What tiles have to be in this edition. */
export const tileKind = async (sql: Sql): Promise<TileKind> => {
  const [row] = await sql<[{ license: string }]>`select current_setting('timescaledb.license') as license`
  return row.license === 'timescale' ? 'aggregate' : 'table'
}
