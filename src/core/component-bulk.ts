// Many components in one call (docs/management.md#many-components-at-once): each step is one statement for all of them,
// or for some thousands at a time.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { parentsOf } from './folder.ts'
import type { StreamKind, ValueType, Variable } from './stream.ts'

export type KnownComponent = {
  readonly key: number
  readonly uid: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly folderKey: number
  readonly timeZone: string
  readonly templateUid: string | null
}

/** The components that have these IDs, locked in the order of their keys. */
export const lockComponentsById = (
  sql: Transaction,
  organizationKey: number,
  ids: readonly string[],
): Promise<readonly KnownComponent[]> => sql<KnownComponent[]>`
  select component.key, component.uid, component.id, component.name, component.description,
    component.folder_key as "folderKey", component.time_zone as "timeZone", template.uid as "templateUid"
  from component
  left join component as template on template.key = component.template_key
  where component.organization_key = ${organizationKey} and not component.is_template
    and component.id = any(${ids as string[]}::text[])
  order by component.key
  for update of component`

/** The keys of folders by their paths; they and their parents are made when missing. */
export const ensureFolders = async (
  sql: Transaction,
  organizationKey: number,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const all = [...new Set(paths.flatMap(parentsOf))]
  // In one order, in which parents come first, so that calls that create overlapping paths wait for each other.
  await sql`
    insert into folder (organization_key, path)
    select ${organizationKey}, path
    from unnest(${all}::text[]) as given (path)
    where not exists (select from folder as known where known.organization_key = ${organizationKey} and known.path = given.path)
    order by path collate "C"
    on conflict do nothing`
  const rows = await sql<{ path: string; key: number }[]>`
    select path, key from folder where organization_key = ${organizationKey} and path = any(${all}::text[])`
  return new Map(rows.map(({ path, key }) => [path, key]))
}

export type NewOne = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly folderKey: number
  readonly timeZone: string
  readonly templateKey: number | null
}

/** Gives those that were not there already. They come in the order of their IDs. */
export const insertMany = (
  sql: Transaction,
  organizationKey: number,
  components: readonly NewOne[],
): Promise<readonly { readonly key: number; readonly uid: string; readonly id: string }[]> => sql<
  { key: number; uid: string; id: string }[]
>`
  insert into component (organization_key, id, name, description, folder_key, time_zone, template_key)
  select ${organizationKey}, id, name, description, "folderKey", "timeZone", "templateKey"
  from jsonb_to_recordset(${sql.json(components)}) as new (
    id text, name text, description text, "folderKey" integer, "timeZone" text, "templateKey" integer)
  order by id
  on conflict (organization_key, is_template, id) do nothing
  returning key, uid, id`

/** Gives the members that are given to components, which are locked. */
export const updateMany = async (
  sql: Transaction,
  changes: readonly Pick<KnownComponent, 'key' | 'name' | 'description' | 'folderKey'>[],
): Promise<void> => {
  await sql`
    update component
    set name = change.name, description = change.description, folder_key = change."folderKey", version = version + 1
    from jsonb_to_recordset(${sql.json(changes)}) as change (
      key integer, name text, description text, "folderKey" integer)
    where component.key = change.key`
}

/** A stream of a known component, as far as a call with many may change it or must find it the same. */
export type KnownStream = {
  readonly key: number
  readonly uid: string
  readonly componentKey: number
  readonly id: string
  readonly name: string
  readonly description: string
  readonly kind: StreamKind
  readonly valueType: ValueType
  readonly baseCycleKey: number | null
  readonly unitKey: number | null
  readonly expression: string | null
  readonly variables: readonly Variable[] | null
}

/** The streams of these components that have these IDs, pair by pair. */
export const findNamedStreams = (
  sql: Sql,
  componentKeys: readonly number[],
  ids: readonly string[],
): Promise<readonly KnownStream[]> => sql<KnownStream[]>`
  select stream.key, stream.uid, stream.component_key as "componentKey", stream.id, stream.name, stream.description,
    stream.kind, stream.value_type as "valueType", stream.base_cycle_key as "baseCycleKey", stream.unit_key as "unitKey",
    stream.expression, stream.variables
  from unnest(${componentKeys}::integer[], ${ids as string[]}::text[]) as named (component_key, id)
  join stream on stream.component_key = named.component_key and stream.id = named.id`

export const updateNamedStreams = async (
  sql: Transaction,
  changes: readonly Pick<KnownStream, 'key' | 'name' | 'description' | 'unitKey'>[],
): Promise<void> => {
  await sql`
    update stream
    set name = change.name, description = change.description, unit_key = change."unitKey", version = version + 1
    from jsonb_to_recordset(${sql.json(changes)}) as change (
      key integer, name text, description text, "unitKey" integer)
    where stream.key = change.key`
}
