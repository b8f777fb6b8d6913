// The streams that have tiles of a phase other than the main one: those of components in the zones that are listed for it,
// and of organizations with a cycle in such a zone (db/0043_tile_zone.sql), so that nobody's tiles become more by another's zone. A stream that comes to be one of them is
// marked as stale all over, and so is read from samples until it has its tiles: a zone that is listed later, here; a
// component that comes into a zone, and a new cycle, by triggers.
import type { Pool, Sql } from '../../base/database/sql.ts'
import { sqlCode, transaction } from '../../base/database/sql.ts'
import { mainPhase, phasesOfZone } from './tile.ts'
import type { Phase } from './tile.ts'
import { readPhases } from './tile-state.ts'

/** The zones of all components and cycles, which are read for it. */
export const zonesInUse = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ zone: string }[]>`
    select time_zone as zone from component where time_zone is not null
    union
    select time_zone from cycle where time_zone is not null
    order by zone`
  return rows.map(({ zone }) => zone)
}

/** The main phase first. */
export const neededPhases = (zones: readonly string[], nowMs: number): readonly Phase[] => [
  ...new Set([mainPhase, ...zones.flatMap((zone) => phasesOfZone(zone, nowMs))]),
]

const lockNotAvailable = '55P03'

/** Lists zones for the phases that they need and that are made. */
export const joinZones = async (pool: Pool, zones: readonly string[], nowMs: number): Promise<void> => {
  const listed = await pool<{ zone: string; minutes: number }[]>`select zone, minutes from tile_zone`
  const known = new Set(listed.map(({ zone, minutes }) => `${zone} ${minutes}`))
  const isNew = (zone: string, { minutes }: Phase) => !known.has(`${zone} ${minutes}`)
  for (const zone of zones)
    for (const phase of phasesOfZone(zone, nowMs))
      if (phase !== mainPhase && isNew(zone, phase))
        await joinZone(pool, zone, phase).catch((error: unknown) => {
          // A component is coming into some zone: next time.
          if (sqlCode(error) !== lockNotAvailable) throw error
        })
}

/** In a row of stale_group (sample/stale.ts). */
const streamsTogether = 1000

const joinZone = (pool: Pool, zone: string, phase: Phase): Promise<void> =>
  transaction(pool, async (sql) => {
    await sql`select set_config('lock_timeout', '100ms', true)`
    // Waits for components that are coming into a zone, and keeps others from it.
    await sql`lock table tile_zone in share row exclusive mode`
    const state = (await readPhases(sql)).find((each) => each.phase === phase)
    if (state === undefined) return
    await sql`insert into tile_zone (zone, minutes) values (${zone}, ${phase.minutes})`
    const madeUntilMs = state.pieceUntilMs ?? state.readyUntilMs
    await sql`
      insert into stale_group (stream_keys, from_time, until_time, is_whole)
      select array_agg(key), '0001-01-01 00:00:00+00', ${madeUntilMs}, true
      from (
        select stream.key, (row_number() over (order by stream.key) - 1) / ${streamsTogether} as part
        from stream
        join component on component.key = stream.component_key
        where stream.kind <> 'point' and (
          component.time_zone = ${zone}
          or component.organization_key in (select organization_key from cycle where time_zone = ${zone}))
      ) as numbered
      where ${madeUntilMs}::timestamptz > '0001-01-01 00:00:00+00'
      group by part`
  })

/**
 * Streams that are marked all over since they came to have tiles of a phase: removes those that they may have had there
 * before, and marks each from its first sample on. False when there was none.
 */
export const beginAnew = (pool: Pool): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const [group] = await sql<{ keys: number[]; untilMs: number }[]>`
      delete from stale_group
      where ctid = (select ctid from stale_group where is_whole limit 1)
      returning stream_keys as keys, until_time as "untilMs"`
    if (group === undefined) return false
    const { keys, untilMs } = group
    for (const { phase } of await readPhases(sql))
      for (const table of phase === mainPhase ? [] : ownTables(phase))
        await sql`delete from ${sql(table)} where stream_key = any(${keys}::integer[])`
    await sql`
      insert into stale_mark (stream_key, first_time, last_time)
      select key, time, ${untilMs - 1}
      from unnest(${keys}::integer[]) as key
      cross join lateral (select time from sample where stream_key = key order by time limit 1) as first
      where time < ${untilMs}`
    return true
  })

const ownTables = ({ hourTable, dayTable, hasDaysOnly }: Phase) => (hasDaysOnly ? [dayTable] : [hourTable, dayTable])

/** Of these streams, those that have tiles of each phase, by its minutes. */
export const streamsOfPhases = async (
  sql: Sql,
  streamKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const rows = await sql<{ minutes: number; keys: number[] }[]>`
    select minutes, array_agg(distinct stream.key) as keys
    from stream
    join tile_member on tile_member.component_key = stream.component_key
    where stream.key = any(${[...streamKeys]}::integer[])
    group by minutes`
  return new Map(rows.map(({ minutes, keys }) => [minutes, keys]))
}
