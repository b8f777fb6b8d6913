// How a change of what a template's streams are derived by reaches the components that were made from it
// (docs/derived.md#templates). One statement for all of them, however many they are.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { tooLarge } from '../base/errors.ts'
import type { StreamDefinition } from './stream.ts'
import { mostStreams } from './stream.ts'

/** A stream of a component, as far as a change has to do with it. */
export type ReachedStream = { readonly key: number; readonly componentKey: number; readonly isDerived: boolean }

export type DerivationChange = Pick<StreamDefinition, 'id' | 'kind' | 'valueType' | 'baseCycleKey'> & {
  readonly former: Derivation
  readonly now: Derivation
}

type Derivation = Pick<StreamDefinition, 'expression' | 'variables'>

export const hasComponents = async (sql: Sql, templateKey: number): Promise<boolean> => {
  const [row] = await sql`select from component where template_key = ${templateKey} limit 1`
  return row !== undefined
}

/** Of this order is everything that takes several of them. */
export const lockComponentsOf = async (sql: Transaction, templateKey: number): Promise<void> => {
  await sql`select from component where template_key = ${templateKey} order by key for update`
}

/** Streams that still are as the template made them are derived as its streams are now. */
export const changeReached = (
  sql: Transaction,
  templateKey: number,
  changes: readonly DerivationChange[],
): Promise<readonly ReachedStream[]> =>
  sql<ReachedStream[]>`
    update stream
    set expression = change.expression, variables = change.variables, version = stream.version + 1
    from component, jsonb_to_recordset(${sql.json(
      changes.map(({ former, now, ...change }) => ({
        ...change,
        ...now,
        formerExpression: former.expression,
        formerVariables: former.variables,
      })),
    )}) as change (
      id text, kind text, "valueType" text, "baseCycleKey" integer, expression text, variables jsonb,
      "formerExpression" text, "formerVariables" jsonb)
    where component.template_key = ${templateKey}
      and stream.component_key = component.key
      and stream.id = change.id
      and stream.kind = change.kind
      and stream.value_type = change."valueType"
      and stream.base_cycle_key is not distinct from change."baseCycleKey"
      and stream.expression is not distinct from change."formerExpression"
      and stream.variables is not distinct from change."formerVariables"
    returning stream.key, stream.component_key as "componentKey", stream.expression is not null as "isDerived"`

/** So many streams take 6 s to make, inside the write gate. */
const mostMade = 100_000

/** Gives all components those of the template's streams that they lack, behind their own. */
export const addReached = async (
  sql: Transaction,
  templateKey: number,
  modelKeys: readonly number[],
): Promise<readonly ReachedStream[]> => {
  const made = await sql<(ReachedStream & { readonly position: number })[]>`
    insert into stream (component_key, id, name, description, kind, value_type, base_cycle_key, unit_key, position,
      expression, variables)
    select component.key, model.id, model.name, model.description, model.kind, model.value_type, model.base_cycle_key,
      model.unit_key,
      coalesce((select max(position) from stream where component_key = component.key), 0)
        + row_number() over (partition by component.key order by model.position),
      model.expression, model.variables
    from component
    join stream as model on model.component_key = ${templateKey} and model.key = any(${modelKeys}::integer[])
    where component.template_key = ${templateKey}
      and not exists (select from stream as own where own.component_key = component.key and own.id = model.id)
    limit ${mostMade + 1}
    returning key, component_key as "componentKey", expression is not null as "isDerived", position`
  if (made.length > mostMade)
    throw tooLarge(`the template's change would make more than ${mostMade} streams in components made from it`)
  if (made.some(({ position }) => position > mostStreams))
    throw tooLarge(`a component may have ${mostStreams} streams, and one that was made from the template has no room`)
  return made
}
