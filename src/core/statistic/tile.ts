// Tiles: aggregates of the samples of a stream per hour, and per day on top of the hours, in UTC. A statistic over any
// cycle in any zone is the sum of whole days, whole hours and, at edges that cut an hour, a few samples.
//
// Most zones have their midnights on a full hour of UTC. Where they have not (Kathmandu, Kolkata, St. John's), the
// edge of every day would cut an hour, so such zones get tiles whose hours begin 15 or 30 minutes past; their days
// begin with the days of Nepal and of India. Each kind of tile is a phase, made when a zone first needs it, and of the
// streams in such zones only (tile-zone.ts).
//
// A day of New York holds no whole day of UTC, and would be read from 24 hours, which takes twice as long as from a day
// (25 and 13 ms for 1,000). So there are days that begin at other hours of UTC too, made of the same hours: phases that
// have days only, for both offsets of a zone with summer time. One takes a 24th of the storage of the hours.
//
// The Community edition keeps tiles as continuous aggregates (tile-aggregate.ts), the Apache edition as tables of the same
// names and columns, which are filled by the same selects (tile-table.ts). The archive has the same columns by the
// quarter of an hour, and no samples below it any more.
import assert from 'node:assert/strict'
import type { Sql } from '../../base/database/sql.ts'
import { openZone } from '../time/zone.ts'

export type Phase = {
  /** Its name in the database: the minutes past the hour at which its hours begin, or the day where it has days only. */
  readonly minutes: number
  readonly hourTable: string
  readonly dayTable: string
  /** The beginning of its days, after midnight UTC; hours are counted from there, too. */
  readonly offsetMs: number
  /** Whether its hours are those of the main phase. */
  readonly hasDaysOnly: boolean
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** The archive of removed samples (../upkeep/retention.ts) is kept by the quarter of an hour. */
export const archiveStepMs = hourMs / 4

/** The phase that always is there. */
export const mainPhase: Phase = {
  minutes: 0,
  hourTable: 'tile_hour',
  dayTable: 'tile_day',
  offsetMs: 0,
  hasDaysOnly: false,
}

const pastPhases: readonly Phase[] = [
  { minutes: 15, hourTable: 'zone_hour_15', dayTable: 'zone_day_15', offsetMs: 18.25 * hourMs, hasDaysOnly: false },
  { minutes: 30, hourTable: 'zone_hour_30', dayTable: 'zone_day_30', offsetMs: 18.5 * hourMs, hasDaysOnly: false },
]

const dayPhases: readonly Phase[] = Array.from({ length: 23 }, (_, at) => {
  const minutes = (at + 1) * 60
  const { hourTable } = mainPhase
  return { minutes, hourTable, dayTable: `zone_day_${minutes}`, offsetMs: minutes * 60_000, hasDaysOnly: true }
})

export const phases: readonly Phase[] = [mainPhase, ...pastPhases, ...dayPhases]

/** The phase whose hours the moment does not cut; undefined where there is none. */
export const phaseOf = (ms: number): Phase | undefined => {
  const pastHourMs = floorMod(ms, hourMs)
  return phases.find(({ minutes, hasDaysOnly }) => !hasDaysOnly && minutes * 60_000 === pastHourMs)
}

/** The phase one of whose days begins at the moment; undefined where there is none. */
export const dayPhaseOf = (ms: number): Phase | undefined => {
  const pastDayMs = floorMod(ms, dayMs)
  return phases.find(({ offsetMs }) => offsetMs === pastDayMs)
}

/** The phase whose hours a phase reads. */
export const hourPhaseOf = (phase: Phase): Phase => (phase.hasDaysOnly ? mainPhase : phase)

const floorMod = (ms: number, stepMs: number) => ms - Math.floor(ms / stepMs) * stepMs

/** The phases that the midnights of a zone have in the year around a moment. */
export const phasesOfZone = (zone: string, nowMs: number): readonly Phase[] => {
  const { offsetMs } = openZone(zone)
  const midnights = [nowMs - 182 * dayMs, nowMs, nowMs + 182 * dayMs].map((ms) => -offsetMs(ms))
  const needed = new Set(midnights.flatMap((ms) => [phaseOf(ms), dayPhaseOf(ms)]))
  return phases.filter((phase) => needed.has(phase))
}

/**
 * Larger doubles are summed as numerics, in columns of their own: Postgres refuses a sum of doubles that overflows, and
 * one such stream must not keep all others from being aggregated.
 */
const hugeNum = 1e280
const isOrdinary = `num between -${hugeNum} and ${hugeNum}`
/** A double as a numeric, digit for digit: Postgres' own cast keeps fifteen, with which the largest is out of range. */
const exactNum = 'num::text::numeric'
const isFilled = 'num is not null or long is not null or text is not null'

/** Columns that hold values: doubles and booleans, longs, or texts. */
export type ValueColumn = 'num' | 'long' | 'text'

/** The making of a tile's column: of samples, and of the columns of smaller tiles. */
type TileColumn = { readonly name: string; readonly ofSamples: string; readonly ofTiles: string }

const summed = (name: string, ofSamples: string, cast = ''): TileColumn => ({
  name,
  ofSamples,
  ofTiles: `sum(${name})${cast}`,
})

const chosen = (side: 'min' | 'max', column: 'num' | 'long'): TileColumn => ({
  name: `${side}_${column}`,
  ofSamples: `${side}(${column})`,
  ofTiles: `${side}(${side}_${column})`,
})

const ended = (side: 'first' | 'last', column: ValueColumn): TileColumn => {
  const name = `${side}_${column}`
  return {
    name,
    ofSamples: `${side}(${column}, time) filter (where ${column} is not null)`,
    ofTiles: `${side}(${name}, bucket) filter (where ${name} is not null)`,
  }
}

/**
 * The time of an extreme. Of samples with the least value the first in time counts: in the order of time first() and
 * last() keep the one that they saw first. That takes a fifth longer than tiles without times; min() and max() of
 * arrays of value and time would take twice as long.
 */
export const extremeTime = (side: 'min' | 'max', source: Source, column: 'num' | 'long'): string => {
  const [value, at] = source === 'samples' ? [column, 'time'] : [`${side}_${column}`, `${side}_time`]
  return `${side === 'min' ? 'first' : 'last'}(${at}, ${value} order by ${at})`
}

/** A stream has values in one of both. */
const timed = (side: 'min' | 'max'): TileColumn => {
  const of = (source: Source) => `coalesce(${extremeTime(side, source, 'num')}, ${extremeTime(side, source, 'long')})`
  return { name: `${side}_time`, ofSamples: of('samples'), ofTiles: of('tiles') }
}

/** The columns of tiles and of the archive (db/0014_archive.sql), in the order in which that has them. */
const tileColumns: readonly TileColumn[] = [
  { name: 'first_time', ofSamples: 'min(time)', ofTiles: 'min(first_time)' },
  { name: 'last_time', ofSamples: 'max(time)', ofTiles: 'max(last_time)' },
  summed('samples', 'count(*)', '::bigint'),
  summed('filled', `count(*) filter (where ${isFilled})`, '::bigint'),
  summed('covered', `sum(span) filter (where ${isFilled})`, '::bigint'),
  summed('sum_num', `sum(num) filter (where ${isOrdinary})`),
  summed('weighted_num', `sum(num * span) filter (where ${isOrdinary})`),
  summed('huge_num', `sum(${exactNum}) filter (where not ${isOrdinary})`),
  summed('huge_weighted_num', `sum(${exactNum} * span) filter (where not ${isOrdinary})`),
  ...(['min', 'max'] as const).map((side) => chosen(side, 'num')),
  ...(['first', 'last'] as const).map((side) => ended(side, 'num')),
  summed('sum_long', 'sum(long)'),
  summed('weighted_long', 'sum(long::numeric * span)'),
  ...(['min', 'max'] as const).map((side) => chosen(side, 'long')),
  ...(['first', 'last'] as const).map((side) => ended(side, 'long')),
  ...(['first', 'last'] as const).map((side) => ended(side, 'text')),
  timed('min'),
  timed('max'),
]

/** The source of a part of a statistic. The archive is read as tiles of a quarter of an hour. */
export type Source = 'samples' | 'tiles'

const columnsByName = new Map(tileColumns.map((column) => [column.name, column]))

/** The SQL that makes a column of a tile from rows of a source. */
export const tileColumn = (name: string, source: Source): string => {
  const column = columnsByName.get(name)
  assert(column)
  return source === 'samples' ? column.ofSamples : column.ofTiles
}

export const tileColumnNames: readonly string[] = tileColumns.map(({ name }) => name)

const columnsFrom = (source: Source): string =>
  tileColumnNames.map((name) => `${tileColumn(name, source)} as ${name}`).join(',\n  ')

/**
 * The version of these columns, and of the streams that have such tiles, by which servers know tiles. Where it changes, tiles
 * are made anew.
 */
export const layoutOf = (phase: Phase): number => (phase === mainPhase ? 2 : 3)

const bucketOf = (phase: Phase, width: string, column: string) =>
  phase.offsetMs === 0
    ? `time_bucket(interval '${width}', ${column})`
    : `time_bucket(interval '${width}', ${column}, "offset" => interval '${phase.offsetMs / 60_000} minutes')`

export const hourSelect = (phase: Phase, where = '') => `
  select stream_key, ${bucketOf(phase, '1 hour', 'time')} as bucket, ${columnsFrom('samples')}
  from sample ${where}
  group by 1, 2`

export const daySelect = (phase: Phase, where = '') => `
  select stream_key, ${bucketOf(phase, '1 day', 'bucket')} as bucket, ${columnsFrom('tiles')}
  from ${phase.hourTable} ${where}
  group by 1, ${bucketOf(phase, '1 day', 'bucket')}`

/** The aggregates of removed samples, by the quarter of an hour. */
export const archiveSelect = (rows: string) => `
  select stream_key, time_bucket(interval '15 minutes', time) as bucket, ${columnsFrom('samples')}
  from ${rows}
  group by 1, 2`

export type TileKind = 'aggregate' | 'table'

/** An aggregate has all streams, and one of an aggregate must begin where that does: so the others are tables in both editions. */
export const kindOf = (phase: Phase, edition: TileKind): TileKind => (phase === mainPhase ? edition : 'table')

/** The kind of tiles that this edition has. */
export const tileKind = async (sql: Sql): Promise<TileKind> => {
  const [row] = await sql<[{ license: string }]>`select current_setting('timescaledb.license') as license`
  return row.license === 'timescale' ? 'aggregate' : 'table'
}
