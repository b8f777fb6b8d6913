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
  /** The name of the stream in a message. */
  readonly name: string
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
    select derived.key, coalesce(derived.id, derived.name) as name, derived.kind, derived.value_type as "valueType",
      derived.expression,
      (
        select jsonb_agg(variable || jsonb_build_object(
          'source', case when source.key is not null then jsonb_build_object(
            'key', source.key, 'kind', source.kind, 'valueType', source.value_type) end,
          'hasCycle', not variable ? 'cycleId' or exists (
            select from cycle where cycle.organization_key = ${organizationKey} and cycle.id = variable ->> 'cycleId'))
          order by place)
        from jsonb_array_elements(derived.variables) with ordinality as given (variable, place)
        left ${namedSource(sql, organizationKey)}
      ) as variables
    from reached
    join stream as derived on derived.key = reached.key and derived.expression is not null`

/** A join with the stream that a variable of `derived` names. */
const namedSource = (sql: Sql, organizationKey: number) => sql`
  join stream as source on source.id = variable ->> 'streamId' and source.component_key = case
    when variable ? 'componentId' then (
      select component.key
      from component
      where component.organization_key = ${organizationKey} and not component.is_template
        and component.id = variable ->> 'componentId')
    else derived.component_key
  end`
