// The streams that have tiles of a phase other than the main one: those of components in the zones that are listed for it,
// and of organizations with a cycle in such a zone (db/0043_tile_zone.sql), so that nobody's tiles become more by
// another's zone. A component that comes to be one of these is noted, by a trigger or when its zone is listed; it is read
// without such tiles until its streams are marked as stale all over, and those made anew.
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

const joinZone = (pool: Pool, zone: string, phase: Phase): Promise<void> =>
  transaction(pool, async (sql) => {
    await sql`select set_config('lock_timeout', '100ms', true)`
    // Waits for components that are coming into a zone, and keeps others from it.
    await sql`lock table tile_zone in share row exclusive mode`
    const state = (await readPhases(sql)).find((each) => each.phase === phase)
    if (state === undefined) return
    await sql`insert into tile_zone (zone, minutes) values (${zone}, ${phase.minutes})`
    await sql`
      select join_tiles(
        array(
          select key
          from component
          where time_zone = ${zone} or organization_key in (select organization_key from cycle where time_zone = ${zone})),
        ${state.pieceUntilMs ?? state.readyUntilMs})`
  })

/** Of a component, at a time. */
const streamsTogether = 1000

type Joining = { readonly componentKey: number; readonly untilMs: number; readonly nextStream: number }

/**
 * Of the component that has come to have tiles of a phase the longest ago: removes those that its streams may have had
 * there before, and marks each from its first sample on. False when there was none.
 */
export const joinSome = (pool: Pool): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const [joining] = await sql<Joining[]>`
      select component_key as "componentKey", until_time as "untilMs", next_stream as "nextStream"
      from tile_joining
      order by since, component_key
      limit 1
      for update skip locked`
    if (joining === undefined) return false
    const { componentKey, untilMs, nextStream } = joining
    const streams = await sql<{ key: number }[]>`
      select key
      from stream
      where component_key = ${componentKey} and key >= ${nextStream} and kind <> 'point'
      order by key
      limit ${streamsTogether}`
    const keys = streams.map(({ key }) => key)
    for (const { phase } of await readPhases(sql))
      for (const table of phase === mainPhase ? [] : ownTables(phase))
        await sql`delete from ${sql(table)} where stream_key = any(${keys}::integer[]) and bucket < ${untilMs}`
    // In place of the marks that it covers, so that these do not become more however often the component comes.
    await sql`
      with first as (
        select key, time
        from unnest(${keys}::integer[]) as key
        cross join lateral (select time from sample where stream_key = key order by time limit 1) as first
        where time < ${untilMs}
      ), covered as (
        delete from stale_mark
        using first
        where stream_key = key and first_time >= time and last_time < ${untilMs}
      )
      insert into stale_mark (stream_key, first_time, last_time)
      select key, time, ${untilMs - 1} from first`
    if (keys.length < streamsTogether) await sql`delete from tile_joining where component_key = ${componentKey}`
    else await sql`update tile_joining set next_stream = ${keys.at(-1)! + 1} where component_key = ${componentKey}`
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
