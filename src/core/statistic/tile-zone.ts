// The streams that have tiles of a phase other than the main one: those of components in the zones that are listed for it
// (db/0043_tile_zone.sql), so that nobody's tiles become more by another's zone. A stream that comes to be one of them is
// marked as stale all over, and so is read from samples until it has its tiles: a zone that is listed later, here; a
// component that comes into a zone, by a trigger.
import type { Pool, Sql } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { layoutOf, mainPhase, phasesOfZone } from './tile.ts'
import type { Phase } from './tile.ts'
import { readPhases } from './tile-state.ts'

/** The zones of all components, which are read for it. */
export const zonesInUse = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ zone: string }[]>`
    select distinct time_zone as zone from component where time_zone is not null order by zone`
  return rows.map(({ zone }) => zone)
}

/** The main phase first. */
export const neededPhases = (zones: readonly string[], nowMs: number): readonly Phase[] => [
  ...new Set([mainPhase, ...zones.flatMap((zone) => phasesOfZone(zone, nowMs))]),
]

/** Lists zones for the phases that they need and that are made. */
export const joinZones = async (pool: Pool, zones: readonly string[], nowMs: number): Promise<void> => {
  const listed = await pool<{ zone: string; minutes: number }[]>`select zone, minutes from tile_zone`
  const known = new Set(listed.map(({ zone, minutes }) => `${zone} ${minutes}`))
  const isNew = (zone: string, { minutes }: Phase) => !known.has(`${zone} ${minutes}`)
  for (const zone of zones)
    for (const phase of phasesOfZone(zone, nowMs))
      if (phase !== mainPhase && isNew(zone, phase)) await joinZone(pool, zone, phase)
}

/** In a row of stale_group (sample/stale.ts). */
const streamsTogether = 1000

const joinZone = (pool: Pool, zone: string, phase: Phase): Promise<void> =>
  transaction(pool, async (sql) => {
    await sql`select set_config('lock_timeout', '500ms', true)`
    // Waits for components that are coming into a zone, and keeps others from it.
    await sql`lock table tile_zone in share row exclusive mode`
    const state = (await readPhases(sql)).find((each) => each.phase === phase)
    if (state?.layout !== layoutOf(phase)) return
    await sql`insert into tile_zone (zone, minutes) values (${zone}, ${phase.minutes})`
    const madeUntilMs = state.pieceUntilMs ?? state.readyUntilMs
    await sql`
      insert into stale_group (stream_keys, from_time, until_time)
      select array_agg(key), '0001-01-01 00:00:00+00', ${madeUntilMs}
      from (
        select stream.key, (row_number() over (order by stream.key) - 1) / ${streamsTogether} as part
        from stream
        join component on component.key = stream.component_key
        where component.time_zone = ${zone} and stream.kind <> 'point'
      ) as numbered
      where ${madeUntilMs}::timestamptz > '0001-01-01 00:00:00+00'
      group by part`
  })

/** Of these streams, those that have tiles of each phase, by its minutes. */
export const streamsOfPhases = async (
  sql: Sql,
  streamKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const rows = await sql<{ minutes: number; keys: number[] }[]>`
    select minutes, array_agg(stream.key) as keys
    from stream
    join component on component.key = stream.component_key
    join tile_zone on tile_zone.zone = component.time_zone
    where stream.key = any(${[...streamKeys]}::integer[])
    group by minutes`
  return new Map(rows.map(({ minutes, keys }) => [minutes, keys]))
}
