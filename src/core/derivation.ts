// Derived streams (docs/management.md#derived-streams): the streams that their variables name, and the streams behind
// those in turn.
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { StreamKind, ValueType, Variable } from './stream.ts'

/** A variable of a derived stream, and the stream it names; null: none. */
export type NamedVariable = Variable & {
  readonly source: { readonly key: number; readonly kind: StreamKind; readonly valueType: ValueType } | null
  readonly hasCycle: boolean
}

export type DerivedStream = {
  readonly key: number
  readonly componentKey: number
  /** Its name in messages, and that of its component or template. */
  readonly name: string
  readonly componentName: string
  readonly kind: StreamKind
  readonly valueType: ValueType
  readonly expression: string
  readonly variables: readonly NamedVariable[]
}

/**
 * Changes of derivations go one at a time in an organization: two that are right by themselves could make a circle, or
 * name a stream that the other removes. The last lock that a change takes.
 */
export const lockDerivations = async (sql: Transaction, organizationKey: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('coppice derivation'), ${organizationKey})`
}

/** The derived ones of these streams, and all derived streams that they are derived from. */
export const readDerivations = (
  sql: Sql,
  organizationKey: number,
  streamKeys: readonly number[],
): Promise<readonly DerivedStream[]> =>
  sql<DerivedStream[]>`
    with recursive reached (key) as (
      select unnest(${streamKeys}::integer[])
      union
      select source.key
      from reached
      join stream as derived on derived.key = reached.key and derived.expression is not null
      cross join jsonb_array_elements(derived.variables) as variable
      ${namedSource(sql, organizationKey)})
    select derived.key, derived.component_key as "componentKey", coalesce(derived.id, derived.name) as name,
      coalesce(owner.id, owner.name) as "componentName", derived.kind, derived.value_type as "valueType",
      derived.expression,
      (
        select jsonb_agg(${named(sql, organizationKey)} order by place)
        from jsonb_array_elements(derived.variables) with ordinality as given (variable, place)
        left ${namedSource(sql, organizationKey)}
      ) as variables
    from reached
    join stream as derived on derived.key = reached.key and derived.expression is not null
    join component as owner on owner.key = derived.component_key`

/** The same of variables that are not saved, or not yet; without a componentId they name streams of this component. */
export const nameVariables = (
  sql: Sql,
  organizationKey: number,
  componentKey: number | null,
  variables: readonly Variable[],
): Promise<readonly NamedVariable[]> =>
  sql<{ variable: NamedVariable }[]>`
    select ${named(sql, organizationKey)} as variable
    from (select ${componentKey}::integer as component_key) as derived
    cross join jsonb_array_elements(${sql.json(variables)}) with ordinality as given (variable, place)
    left ${namedSource(sql, organizationKey)}
    order by place`.then((rows) => rows.map(({ variable }) => variable))

const named = (sql: Sql, organizationKey: number) => sql`
  variable || jsonb_build_object(
    'source', case when source.key is not null then jsonb_build_object(
      'key', source.key, 'kind', source.kind, 'valueType', source.value_type) end,
    'hasCycle', not variable ? 'cycleId' or exists (
      select from cycle where cycle.organization_key = ${organizationKey} and cycle.id = variable ->> 'cycleId'))`

/** A join with the stream that a variable of `derived` names, which is looked up by itself. */
const namedSource = (sql: Sql, organizationKey: number) => sql`
  join lateral (
    select *
    from stream as source
    where source.id = variable ->> 'streamId' and source.component_key = case
      when variable ? 'componentId' then (
        select component.key
        from component
        where component.organization_key = ${organizationKey} and not component.is_template
          and component.id = variable ->> 'componentId')
      else derived.component_key
    end
    limit 1
  ) as source on true`

/** The streams that have a stream among their variables. */
export const usersOf = async (
  sql: Sql,
  owner: { readonly key: number; readonly isTemplate: boolean },
  stream: { readonly key: number; readonly id: string | null },
): Promise<readonly number[]> => {
  const rows = owner.isTemplate
    ? await sql<{ key: number }[]>`
        select key
        from stream
        where component_key = ${owner.key} and expression is not null
          and variables @> ${sql.json([{ streamId: stream.id }])}`
    : await sql<{ key: number }[]>`
        select derived_key as key from derivation_source where source_key = ${stream.key}`
  return rows.map(({ key }) => key)
}

/** Streams that are derived by a cycle, which is about to be cut otherwise. */
export const derivedByCycle = async (
  sql: Sql,
  organizationKey: number,
  cycleId: string,
): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    select stream.key
    from component
    join stream on stream.component_key = component.key and stream.variables is not null
    where component.organization_key = ${organizationKey} and not component.is_template
      and stream.variables @> ${sql.json([{ cycleId }])}`
  return rows.map(({ key }) => key)
}

/** Streams that are derived by cycles in the zone of a component, which is about to change. */
export const derivedByZone = async (sql: Sql, componentKey: number): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    select distinct derived.key
    from stream as source
    join derivation_source on source_key = source.key
    join stream as derived on derived.key = derived_key
    cross join jsonb_array_elements(derived.variables) as variable
    where source.component_key = ${componentKey} and variable ? 'cycleId' and variable ->> 'streamId' = source.id`
  return rows.map(({ key }) => key)
}
