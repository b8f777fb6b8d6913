// How far derived streams are: the rows of derivation and derivation_source (db/0032_derivation.sql).
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { closeCommonGate, closeOwnGates, noteChange } from '../sample/catalog-change.ts'

/**
 * Takes note of what these streams are derived by and from, as it is saved now, or that they are derived no more.
 * Samples that are there by now make them stale. To be called once all streams that variables name are there, and only
 * for those whose expression, variables, kind or types are other than before. Gives the components whose streams are
 * sources: writers remember that, so unless these are new, too, the gate is closed and the change noted.
 */
export const registerDerivations = async (
  sql: Transaction,
  streamKeys: readonly number[],
): Promise<readonly number[]> => {
  const keys = [...new Set(streamKeys)]
  if (keys.length === 0) return []
  // Those that are derived no more, too; what hangs on a row goes with it.
  const before = await sql<{ componentKey: number }[]>`
    with gone as (
      delete from derivation_source where derived_key = any(${keys}::integer[]) returning source_key
    ), ended as (
      delete from derivation using stream
      where derivation.stream_key = any(${keys}::integer[]) and stream.key = derivation.stream_key
        and stream.expression is null
    )
    select distinct stream.component_key as "componentKey" from gone join stream on stream.key = gone.source_key`
  const after = await sql<{ componentKey: number }[]>`
    with derived as (
      select stream.key, stream.component_key, stream.variables, component.organization_key
      from stream
      join component on component.key = stream.component_key
      where stream.key = any(${keys}::integer[]) and stream.expression is not null and not component.is_template
    ), made as (
      insert into derivation (stream_key, organization_key)
      select key, organization_key from derived
      on conflict (stream_key) do update
      set depth = 1, touched_from = null, stale_from = null, pending_until = null, error_at = null, error_time = null,
        error_message = null
    ), used as (
      select distinct source.key, source.component_key, derived.key as derived_key
      from derived
      cross join jsonb_array_elements(derived.variables) as variable
      cross join lateral (
        select source.key, source.component_key
        from stream as source
        where source.id = variable ->> 'streamId' and source.component_key = case
          when variable ? 'componentId' then (
            select component.key
            from component
            where component.organization_key = derived.organization_key and not component.is_template
              and component.id = variable ->> 'componentId')
          else derived.component_key
        end
        limit 1
      ) as source
    ), noted as (
      insert into derivation_source (source_key, derived_key) select key, derived_key from used
    )
    select distinct component_key as "componentKey" from used`
  await noteWhatIsThere(sql, keys)
  await deepen(sql, keys)
  return [...new Set([...before, ...after].map(({ componentKey }) => componentKey))]
}

/** Streams that are registered in one transaction. */
const mostMissing = 1000

/**
 * Takes note of derived streams that nobody has taken note of: those that a server saved before there were notes, or that
 * was of such a version while others were not. Only where all variables name a stream. True when there is more.
 */
export const registerMissing = (pool: Pool): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const find = () => sql<{ key: number; organizationKey: number }[]>`
      select stream.key, component.organization_key as "organizationKey"
      from stream
      join component on component.key = stream.component_key and not component.is_template
      where stream.variables is not null and stream.expression is not null
        and not exists (select from derivation where derivation.stream_key = stream.key)
        and not exists (
          select
          from jsonb_array_elements(stream.variables) as variable
          where not exists (
            select
            from stream as source
            where source.id = variable ->> 'streamId' and source.component_key = case
              when variable ? 'componentId' then (
                select named.key
                from component as named
                where named.organization_key = component.organization_key and not named.is_template
                  and named.id = variable ->> 'componentId')
              else stream.component_key
            end))
      order by stream.key
      limit ${mostMissing}`
    const organizationKeys = new Set((await find()).map(({ organizationKey }) => organizationKey))
    if (organizationKeys.size === 0) return false
    // Those with a long upload under way are left for the next time.
    const closed = new Set(await closeOwnGates(sql, [...organizationKeys]))
    if (closed.size === 0) return false
    await closeCommonGate(sql)
    const missing = (await find()).filter(({ organizationKey }) => closed.has(organizationKey))
    const sources = await registerDerivations(
      sql,
      missing.map(({ key }) => key),
    )
    await noteChange(sql, sources)
    return missing.length === mostMissing
  })

/** Streams whose sources have samples already are stale from the first of them on, or from their own first. */
const noteWhatIsThere = async (sql: Transaction, keys: readonly number[]): Promise<void> => {
  await sql`
    update derivation
    set stale_from = own.first_time, last_time = (
      select time from sample where sample.stream_key = own.stream_key order by time desc limit 1)
    from (
      select derivation.stream_key, (
        select min(first.time)
        from (
          select source_key as key from derivation_source where derived_key = derivation.stream_key
          union all
          select derivation.stream_key
        ) as each
        join stream on stream.key = each.key
        cross join lateral (
          select case stream.kind when 'point' then (select time from point_sample where stream_key = stream.key)
            else (select time from sample where sample.stream_key = stream.key order by time limit 1)
              + case stream.kind when 'interval' then interval '1 millisecond' else interval '0' end
          end as time
        ) as first
      ) as first_time
      from derivation
      where derivation.stream_key = any(${keys}::integer[])
    ) as own
    where derivation.stream_key = own.stream_key`
}

type Edge = { readonly source: number; readonly derived: number; readonly depth: number | null }

/** Sets the depths of these streams, and of all that are derived from them. */
const deepen = async (sql: Transaction, keys: readonly number[]): Promise<void> => {
  const edges = await sql<Edge[]>`
    with recursive reached (key) as (
      select unnest(${[...keys]}::integer[])
      union
      select derived_key from reached join derivation_source on source_key = reached.key
    )
    select source_key as source, derived_key as derived, derivation.depth
    from reached
    join derivation_source on derived_key = reached.key
    left join derivation on derivation.stream_key = source_key`
  const ahead = new Set(edges.map(({ derived }) => derived))
  const usersOf = new Map<number, number[]>()
  const waitsFor = new Map<number, number>()
  const depths = new Map<number, number>()
  for (const key of ahead) waitsFor.set(key, 0)
  for (const { source, derived, depth } of edges) {
    if (!ahead.has(source)) {
      depths.set(derived, Math.max(depths.get(derived) ?? 1, (depth ?? 0) + 1))
      continue
    }
    waitsFor.set(derived, waitsFor.get(derived)! + 1)
    const users = usersOf.get(source)
    if (users) users.push(derived)
    else usersOf.set(source, [derived])
  }
  const ready = [...ahead].filter((key) => waitsFor.get(key) === 0)
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    const depth = depths.get(key) ?? 1
    for (const user of usersOf.get(key) ?? []) {
      depths.set(user, Math.max(depths.get(user) ?? 1, depth + 1))
      waitsFor.set(user, waitsFor.get(user)! - 1)
      if (waitsFor.get(user) === 0) ready.push(user)
    }
  }
  if (depths.size === 0) return
  await sql`
    update derivation
    set depth = given.depth
    from unnest(${[...depths.keys()]}::integer[], ${[...depths.values()]}::integer[]) as given (key, depth)
    where derivation.stream_key = given.key and derivation.depth <> given.depth`
}
