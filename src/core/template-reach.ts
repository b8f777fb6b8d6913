// How a change of a template's streams reaches the components that were made from it (docs/management.md#templates).
// One statement for all of them, however many they are.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { tooLarge } from '../base/errors.ts'
import { heavyCharacters, refuseHeavy } from './stream-weight.ts'
import type { Stream, StreamDefinition } from './stream.ts'
import { mostStreams } from './stream.ts'

/** Streams of components that were made or changed: a million of them may be, so nothing is kept of each but of the derived ones. */
export type Reached = {
  readonly streams: number
  /** Those that are derived, or were, in another way than before, and their components. */
  readonly derived: readonly number[]
  readonly derivedIn: readonly number[]
  /** Of the named ones: the streams that were changed, and the components of all. */
  readonly uids: readonly string[]
}

const nothing = { streams: 0, derived: [], derivedIn: [], uids: [] }

export type StreamChange = Pick<StreamDefinition, 'id' | 'kind' | 'valueType' | 'baseCycleKey'> & {
  readonly former: ReachingMembers
  readonly now: ReachingMembers
}

/** The members of a template's stream that reach components. */
export type ReachingMembers = Pick<StreamDefinition, 'name' | 'description' | 'unitKey' | 'expression' | 'variables'>

export const hasComponents = async (sql: Sql, templateKey: number): Promise<boolean> => {
  const [row] = await sql`select from component where template_key = ${templateKey} limit 1`
  return row !== undefined
}

/** Of this order is everything that takes several of them. */
export const lockComponentsOf = async (sql: Transaction, templateKey: number): Promise<void> => {
  await sql`
    select count(*) from (select from component where template_key = ${templateKey} order by key for update) as locked`
}

/**
 * Members that still are as the template made them become as its streams have them now; others are the component's own
 * and stay. An expression reaches streams of the same kind, type and base cycle. Of the streams and components with these
 * uids it is said which were reached.
 */
export const changeReached = async (
  sql: Transaction,
  templateKey: number,
  changes: readonly StreamChange[],
  named: readonly string[],
): Promise<Reached> => {
  if (changes.length === 0) return nothing
  const isHeavy = areHeavy(changes.map(({ id, now }) => ({ id, ...now })))
  const portions = await sql<Portion[]>`
    with reached as (
      update stream
      set name = merged.name, description = merged.description, unit_key = merged.unit_key,
        expression = merged.expression, variables = merged.variables, version = stream.version + 1
      from component
      cross join jsonb_to_recordset(${sql.json(
        changes.map(({ former, now, ...change }) => ({ ...change, ...now, ...formerly(former) })),
      )}) as change (
        id text, kind text, "valueType" text, "baseCycleKey" integer,
        name text, description text, "unitKey" integer, expression text, variables jsonb,
        "formerName" text, "formerDescription" text, "formerUnitKey" integer, "formerExpression" text,
        "formerVariables" jsonb)
      join stream as own on own.component_key = component.key and own.id = change.id
      cross join lateral (
        select own.kind = change.kind
          and own.value_type = change."valueType"
          and own.base_cycle_key is not distinct from change."baseCycleKey"
          and own.expression is not distinct from change."formerExpression"
          and own.variables is not distinct from change."formerVariables" as derives) as still
      cross join lateral (
        select case when own.name = change."formerName" then change.name else own.name end as name,
          case when own.description = change."formerDescription" then change.description else own.description end
            as description,
          case when own.unit_key is not distinct from change."formerUnitKey" then change."unitKey" else own.unit_key end
            as unit_key,
          case when still.derives then change.expression else own.expression end as expression,
          case when still.derives then change.variables else own.variables end as variables) as merged
      where component.template_key = ${templateKey} and stream.key = own.key
        and row(merged.name, merged.description, merged.unit_key, merged.expression, merged.variables)
          is distinct from row(own.name, own.description, own.unit_key, own.expression, own.variables)
      returning stream.key, stream.uid, stream.component_key, component.uid as component_uid,
        row(own.expression, own.variables) is distinct from row(merged.expression, merged.variables) as derives_anew
    )
    select ${portionOf(sql, isHeavy, named)}
    from (select *, ${portionNumber(sql)} as portion from reached) as numbered
    group by portion`
  await refuseHeavyOf(sql, portions)
  return joined(portions)
}

const formerly = ({ name, description, unitKey, expression, variables }: ReachingMembers) => ({
  formerName: name,
  formerDescription: description,
  formerUnitKey: unitKey,
  formerExpression: expression,
  formerVariables: variables,
})

/** So many streams take 6 s to make. */
const mostMade = 100_000

/** Gives all components those of the template's streams that they lack, behind their own. */
export const addReached = async (
  sql: Transaction,
  templateKey: number,
  models: readonly Stream[],
  named: readonly string[],
): Promise<Reached> => {
  if (models.length === 0) return nothing
  const portions = await sql<(Portion & { readonly lastPosition: number })[]>`
    with made as (
      insert into stream (component_key, id, name, description, kind, value_type, base_cycle_key, unit_key, position,
        expression, variables)
      select component.key, model.id, model.name, model.description, model.kind, model.value_type, model.base_cycle_key,
        model.unit_key,
        coalesce((select max(position) from stream where component_key = component.key), 0)
          + row_number() over (partition by component.key order by model.position),
        model.expression, model.variables
      from component
      join stream as model
        on model.component_key = ${templateKey} and model.key = any(${models.map(({ key }) => key)}::integer[])
      where component.template_key = ${templateKey}
        and not exists (select from stream as own where own.component_key = component.key and own.id = model.id)
      limit ${mostMade + 1}
      returning key, uid, component_key, expression is not null as derives_anew, position
    )
    select ${portionOf(sql, areHeavy(models), named)}, max(position) as "lastPosition"
    from (
      select made.*, component.uid as component_uid, ${portionNumber(sql)} as portion
      from made
      join component on component.key = component_key) as numbered
    group by portion`
  const made = joined(portions)
  if (made.streams > mostMade)
    throw tooLarge(`the template's change would make more than ${mostMade} streams in components made from it`)
  if (portions.some(({ lastPosition }) => lastPosition > mostStreams))
    throw tooLarge(`a component may have ${mostStreams} streams, and one that was made from the template has no room`)
  await refuseHeavyOf(sql, portions)
  return made
}

const areHeavy = (definitions: readonly (ReachingMembers & { readonly id: string | null })[]): boolean =>
  definitions.some((definition) => heavyCharacters(definition) > 0)

/** Some of the reached streams, and their components whose weight is to be looked at: a list of a million is not read in one go. */
type Portion = Reached & { readonly componentKeys: readonly number[] }

const ofPortion = 1000

const portionNumber = (sql: Sql) => sql`row_number() over () / ${ofPortion}::integer`

const portionOf = (sql: Sql, isHeavy: boolean, named: readonly string[]) => sql`
  count(*)::integer as streams,
  coalesce(array_agg(uid) filter (where uid = any(${named}::text[])), '{}')
    || coalesce(array_agg(distinct component_uid) filter (where component_uid = any(${named}::text[])), '{}') as uids,
  coalesce(array_agg(key) filter (where derives_anew), '{}') as derived,
  coalesce(array_agg(distinct component_key) filter (where derives_anew), '{}') as "derivedIn",
  coalesce(array_agg(distinct component_key) filter (where ${isHeavy}), '{}') as "componentKeys"`

const joined = (portions: readonly Portion[]): Reached => ({
  streams: portions.reduce((sum, { streams }) => sum + streams, 0),
  derived: portions.flatMap(({ derived }) => derived),
  derivedIn: portions.flatMap(({ derivedIn }) => derivedIn),
  uids: portions.flatMap(({ uids }) => uids),
})

const refuseHeavyOf = async (sql: Transaction, portions: readonly Portion[]): Promise<void> => {
  const componentKeys = portions.flatMap((portion) => portion.componentKeys)
  if (componentKeys.length > 0) await refuseHeavy(sql, componentKeys)
}

/** To look for the samples of so many streams takes seconds where there are many chunks. */
const mostLookedAt = 10_000

/**
 * The streams that components have from this one of the template: still as it made them, without samples, and used by no
 * other stream; none where these are too many to look at. To be asked for before the gate is closed.
 */
export const unusedCopies = async (sql: Transaction, model: Stream): Promise<readonly number[]> => {
  const copies = await sql<{ key: number }[]>`
    select stream.key
    from stream
    join component on component.key = stream.component_key
    join stream as model on model.key = ${model.key}
    where component.template_key = ${model.componentKey}
      and stream.id = model.id
      and row(stream.name, stream.description, stream.kind, stream.value_type, stream.base_cycle_key, stream.unit_key,
          stream.expression, stream.variables)
        is not distinct from row(model.name, model.description, model.kind, model.value_type, model.base_cycle_key,
          model.unit_key, model.expression, model.variables)
      and not exists (select from derivation_source where source_key = stream.key)
    limit ${mostLookedAt + 1}`
  if (copies.length > mostLookedAt) return []
  const unused = await sql<{ key: number }[]>`
    select key
    from unnest(${copies.map(({ key }) => key)}::integer[]) as copy (key)
    where not exists (select from point_sample where stream_key = copy.key)
      and not exists (select from archive where stream_key = copy.key)
      and not exists (select from sample where stream_key = copy.key)`
  return unused.map(({ key }) => key)
}

/** Removes them from their components, whose rows are locked; streams behind them move up. */
export const removeReached = async (
  sql: Transaction,
  keys: readonly number[],
): Promise<readonly { readonly uid: string; readonly componentKey: number; readonly componentUid: string }[]> => {
  const gone = await sql<{ key: number; uid: string; componentKey: number; componentUid: string; position: number }[]>`
    delete from stream
    using component
    where stream.key = any(${keys}::integer[]) and component.key = component_key
      and not exists (select from derivation_source where source_key = stream.key)
    returning stream.key, stream.uid, component_key as "componentKey", component.uid as "componentUid", position`
  const columns = [
    gone.map(({ key }) => key),
    gone.map(({ componentKey }) => componentKey),
    gone.map(({ position }) => position),
  ] as const
  await sql`
    update stream
    set position = stream.position - 1, version = version + 1
    from unnest(${columns[1]}::integer[], ${columns[2]}::integer[]) as gone (component_key, position)
    where stream.component_key = gone.component_key and stream.position > gone.position`
  // A sample that came just now goes with its stream.
  await sql`
    insert into removal (stream_key, tenant_uid)
    select gone.key, coalesce(organization.tenant_uid, organization.uid)
    from unnest(${columns[0]}::integer[], ${columns[1]}::integer[]) as gone (key, component_key)
    join component on component.key = gone.component_key
    join organization on organization.key = component.organization_key
    on conflict do nothing`
  return gone
}
