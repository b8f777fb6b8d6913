// The rules of time zones come from two places: cycles and intervals follow this process (Intl, which comes with Node),
// GS SQL's functions follow the database (tzdata of its host). Both are right until a country changes its clocks and
// only one of them has the new rules. They are compared at start and once a day, for the zones in use
// (docs/operations.md#time-zones).
import type { Sql } from '../../base/database/sql.ts'
import type { World } from '../../base/world.ts'
import { openZone } from './zone.ts'

const dayMs = 86_400_000

/** Moments of a year back and two ahead: a change of rules shows within days of its beginning. */
const momentsAround = (nowMs: number): number[] =>
  Array.from({ length: 160 }, (_, week) => nowMs - 365 * dayMs + week * 7 * dayMs)

/** The names of the zones in use for which the database has other rules, or none. */
export const differingZones = async (
  sql: Sql,
  nowMs: number,
  offsetMs = (zone: string, ms: number) => openZone(zone).offsetMs(ms),
): Promise<readonly string[]> => {
  const zones = await sql<{ name: string; isKnown: boolean }[]>`
    select name, exists (select from pg_timezone_names known where lower(known.name) = lower(used.name)) as "isKnown"
    from (
      select time_zone as name from component
      union select time_zone from user_account
      union select time_zone from connector
      union select time_zone from cycle
      union select time_zone from organization
      union select time_zone from query
    ) used
    where name is not null
    order by name`
  const known: string[] = zones.flatMap(({ name, isKnown }) => (isKnown ? [name] : []))
  const moments = momentsAround(nowMs)
  const offsets = await sql<{ name: string; ms: number; offset: number }[]>`
    select name, ms,
      (extract(epoch from timezone(name, at) - timezone('UTC', at)) * 1000)::integer as offset
    from unnest(${known}::text[]) name,
      unnest(${moments}::bigint[]) ms,
      lateral (select to_timestamp(ms / 1000)) moment (at)`
  const differ = offsets.filter(({ name, ms, offset }) => offsetMs(name, Math.floor(ms / 1000) * 1000) !== offset)
  const unknown = zones.flatMap(({ name, isKnown }) => (isKnown ? [] : [name]))
  return [...new Set([...unknown, ...differ.map(({ name }) => name)])].toSorted()
}

/** Only warns, and only of differences that it can find. */
export const warnOfZones = async ({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<void> => {
  try {
    const zones = await differingZones(sql, clock.now())
    if (zones.length > 0)
      log.warn(
        { zones, server: process.versions['tz'] },
        'the database has other rules for these time zones than this server: cycles follow the server, GS SQL the database; update tzdata on its host and restart it, or Node here',
      )
  } catch (error) {
    log.debug({ err: error }, 'time zones not compared')
  }
}
