// The streams that have tiles of a phase other than the main one: those of components in the zones that are listed for it,
// and of organizations with a cycle in such a zone (db/0043_tile_zone.sql), so that nobody's tiles become more by
// another's zone. Triggers note whose zone has changed; the roll-up alone says who has such tiles, one step after another:
//
//   list     a zone that some component or cycle has, once its phases are made
//   review   those whose zone has changed
//   join     a component that has come, whose streams are read without such tiles until then, and from samples until
//            they are mended
//   leave    one that has not needed them for a day
import type { Fragment, Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { mainPhase, phasesOfZone } from './tile.ts'
import type { Phase } from './tile.ts'
import { inTurn, mendDaysToo, readPhases, timed } from './tile-state.ts'
import type { Pace } from './tile-state.ts'

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

/** Lists zones for the phases that they need and that are made. */
export const listZones = async (pool: Pool, zones: readonly string[], nowMs: number): Promise<void> => {
  const listed = await pool<{ zone: string; minutes: number }[]>`select zone, minutes from tile_zone`
  const known = new Set(listed.map(({ zone, minutes }) => `${zone} ${minutes}`))
  const made = new Set((await readPhases(pool)).map(({ phase }) => phase))
  for (const zone of zones) {
    const phases = phasesOfZone(zone, nowMs).filter(
      (phase) => phase !== mainPhase && made.has(phase) && !known.has(`${zone} ${phase.minutes}`),
    )
    if (phases.length === 0) continue
    await inTurn(pool, async (sql) => {
      await sql`
        insert into tile_zone (zone, minutes)
        select ${zone}, minutes from unnest(${phases.map(({ minutes }) => minutes)}::integer[]) as minutes`
      await chooseMembers(
        sql,
        sql`time_zone = ${zone} or organization_key in (select organization_key from cycle where time_zone = ${zone})`,
      )
    })
  }
}

/** Changes that are looked at together; those of one organization or component are one. */
const changesTogether = 10_000

/** Looks again at components and organizations whose zones have changed. True when there may be more. */
export const reviewZones = (pool: Pool): Promise<boolean> =>
  inTurn(pool, async (sql) => {
    const changes = await sql<{ organizationKey: number | null; componentKey: number | null }[]>`
      delete from zone_change
      where ctid = any(array(select ctid from zone_change limit ${changesTogether}))
      returning organization_key as "organizationKey", component_key as "componentKey"`
    if (changes.length === 0) return false
    const organizationKeys = new Set(changes.flatMap(({ organizationKey }) => organizationKey ?? []))
    const componentKeys = new Set(changes.flatMap(({ componentKey }) => componentKey ?? []))
    await sql`
      delete from tile_member
      where component_key = any(${[...componentKeys]}::integer[])
        and not exists (select from component where key = component_key)`
    await chooseMembers(
      sql,
      sql`key = any(${[...componentKeys]}::integer[]) or organization_key = any(${[...organizationKeys]}::integer[])`,
    )
    return changes.length === changesTogether
  })

/** The components that are asked about, and the tiles that each needs. */
const neededTiles = (sql: Transaction, isAsked: Fragment) => sql`
  asked as (
    select key, organization_key, time_zone from component where not is_template and (${isAsked})
  ), used as (
    select distinct organization_key, minutes
    from cycle
    join tile_zone on tile_zone.zone = cycle.time_zone
    where organization_key in (select organization_key from asked)
  ), needed as (
    select asked.key, minutes from asked join tile_zone on tile_zone.zone = asked.time_zone
    union
    select asked.key, minutes from asked join used on used.organization_key = asked.organization_key
  ), wanted as (
    select asked.key, array_remove(array_agg(minutes order by minutes), null) as minutes
    from asked
    left join needed on needed.key = asked.key
    group by asked.key
  )`

/** Has those components have all tiles that they need. One that needs others than it has begins anew. */
const chooseMembers = async (sql: Transaction, isAsked: Fragment): Promise<void> => {
  await sql`
    with ${neededTiles(sql, isAsked)}
    update tile_member
    set spare_since = now()
    from wanted
    where component_key = wanted.key and spare_since is null and not tile_member.minutes <@ wanted.minutes`
  await sql`
    with ${neededTiles(sql, isAsked)}
    insert into tile_member (component_key, minutes)
    select key, array(select unnest(wanted.minutes) union select unnest(tile_member.minutes) order by 1)
    from wanted
    left join tile_member on component_key = key
    where not wanted.minutes <@ coalesce(tile_member.minutes, '{}')
    on conflict (component_key) do update set minutes = excluded.minutes, next_stream = 0, since = now()`
}

/** Tiles that are not needed any more stay for so long. */
const spareFor = '1 day'

/** Takes from components the tiles that they have not needed for long. True when there may be more. */
export const leaveSome = (pool: Pool): Promise<boolean> =>
  inTurn(pool, async (sql) => {
    const members = await sql<{ key: number }[]>`
      select component_key as key
      from tile_member
      where spare_since < now() - ${spareFor}::interval
      order by spare_since
      limit ${changesTogether}`
    const keys = members.map(({ key }) => key)
    if (keys.length === 0) return false
    await sql`
      with ${neededTiles(sql, sql`key = any(${keys}::integer[])`)}
      update tile_member
      set spare_since = null,
        minutes = array(select unnest(tile_member.minutes) intersect select unnest(wanted.minutes) order by 1)
      from wanted
      where component_key = key`
    await sql`delete from tile_member where component_key = any(${keys}::integer[]) and minutes = '{}'`
    return keys.length === changesTogether
  })

/** In a step; of components so many, too. */
const mostTogether = 1000

type Member = { readonly componentKey: number; readonly minutes: readonly number[] }

/**
 * Of components that have come to have tiles of a phase, those that came first: removes tiles that their streams may have
 * had there before, and marks each stream from its first sample on, as far as tiles are made. False when there was none.
 */
export const joinSome = (pool: Pool, pace: Pick<Pace, 'joining'>): Promise<boolean> =>
  inTurn(pool, async (sql) => {
    const members = await sql<Member[]>`
      select component_key as "componentKey", minutes
      from tile_member
      where next_stream is not null
      order by since, component_key
      limit ${mostTogether}`
    if (members.length === 0) return false
    await mendDaysToo(sql)
    const limit = pace.joining
    const streams = await sql<{ key: number; componentKey: number }[]>`
      select stream.key, stream.component_key as "componentKey"
      from tile_member
      join stream on stream.component_key = tile_member.component_key
      where tile_member.component_key = any(${members.map(({ componentKey }) => componentKey)}::integer[])
        and stream.key >= next_stream and kind <> 'point'
      order by since, stream.component_key, stream.key
      limit ${limit}`
    await timed(
      () => beginAnew(sql, members, streams),
      (factor) => (pace.joining = Math.min(mostTogether, Math.max(1, Math.floor(pace.joining * factor)))),
    )
    const last = streams.at(-1)
    const partAt =
      streams.length < limit
        ? members.length
        : members.findIndex(({ componentKey }) => componentKey === last!.componentKey)
    const whole = members.slice(0, partAt).map(({ componentKey }) => componentKey)
    await sql`update tile_member set next_stream = null where component_key = any(${whole}::integer[])`
    if (partAt < members.length)
      await sql`update tile_member set next_stream = ${last!.key + 1} where component_key = ${last!.componentKey}`
    return true
  })

/** Nothing is older. */
const yearOneMs = Date.parse('0001-01-01T00:00:00Z')

const beginAnew = async (
  sql: Transaction,
  members: readonly Member[],
  streams: readonly { readonly key: number; readonly componentKey: number }[],
): Promise<void> => {
  const states = await readPhases(sql)
  const madeUntilMs = new Map(states.map((state) => [state.phase.minutes, state.pieceUntilMs ?? state.readyUntilMs]))
  const untilMs = new Map(
    members.map(({ componentKey, minutes }) => [
      componentKey,
      Math.max(yearOneMs, ...minutes.map((each) => madeUntilMs.get(each) ?? yearOneMs)),
    ]),
  )
  const keys = streams.map(({ key }) => key)
  for (const { phase } of states)
    for (const table of phase === mainPhase ? [] : ownTables(phase))
      await sql`delete from ${sql(table)} where stream_key = any(${keys}::integer[])`
  // In place of the marks that it covers, so that these do not become more however often a component comes.
  await sql`
    with touched as (
      select key, time, until_time
      from unnest(${keys}::integer[], ${streams.map(({ componentKey }) => untilMs.get(componentKey)!)}::timestamptz[])
        as given (key, until_time)
      cross join lateral (
        select time from sample where stream_key = key and time < until_time order by time limit 1
      ) as first
    ), covered as (
      delete from stale_mark
      using touched
      where stream_key = key and first_time >= time and last_time < until_time
    )
    insert into stale_mark (stream_key, first_time, last_time)
    select key, time, until_time - interval '1 millisecond' from touched`
}

const ownTables = ({ hourTable, dayTable, hasDaysOnly }: Phase) => (hasDaysOnly ? [dayTable] : [hourTable, dayTable])

/** Of these streams, those that have tiles of each phase, by its minutes. */
export const streamsOfPhases = async (
  sql: Sql,
  streamKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const rows = await sql<{ minutes: number; keys: number[] }[]>`
    select phase as minutes, array_agg(stream_key) as keys
    from tile_stream
    cross join unnest(minutes) as phase
    where stream_key = any(${[...streamKeys]}::integer[])
    group by phase`
  return new Map(rows.map(({ minutes, keys }) => [minutes, keys]))
}
