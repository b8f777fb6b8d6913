// The streams of an organization, a folder or some components, some at a time (docs/transfer.md#export): in the order in
// which their components were made, and in each in definition order.
import type { Sql } from '../../base/database/sql.ts'
import { belowFolder } from '../folder.ts'
import { streamColumns, streamFrom } from './stream-read.ts'
import type { ReadComponent, ReadStream, StreamRow } from './stream-read.ts'

/** Undefined: no limit of that kind. */
export type StreamScope = {
  readonly organizationKey: number
  /** Components in this folder, or below it. */
  readonly folderKey: number | undefined
  /** The components that were asked for by name, or that the caller may see at all. */
  readonly componentUids: readonly string[] | undefined
  /** Whether they were asked for: then one that is gone makes it less than whole. */
  readonly isNamed: boolean
  readonly streamIds: readonly string[] | undefined
}

export type ScopedStream = ReadStream & { readonly component: ReadComponent }

/**
 * A place in that order: behind streams of a component, however they are ordered by now. Behind a stream that is removed all others move
 * up, and the next one would be passed by.
 */
export type ScopePlace = { readonly componentKey: number; readonly streamKeys: readonly number[] }

export const scopeStart: ScopePlace = { componentKey: 0, streamKeys: [] }

/** Behind the streams that were read from a place on. */
export const placeBehind = (before: ScopePlace, streams: readonly ScopedStream[]): ScopePlace => {
  const componentKey = streams.at(-1)?.component.key ?? before.componentKey
  const ofIt = streams.filter(({ component }) => component.key === componentKey).map(({ key }) => key)
  return { componentKey, streamKeys: before.componentKey === componentKey ? [...before.streamKeys, ...ofIt] : ofIt }
}

/** The next streams after a place. */
export const readScope = async (
  sql: Sql,
  scope: StreamScope,
  after: ScopePlace,
  most: number,
): Promise<readonly ScopedStream[]> => {
  const isInFolder = await belowFolder(sql, scope.organizationKey, scope.folderKey)
  const rows = await sql<(StreamRow & ComponentRow)[]>`
    select ${streamColumns(sql)}, component.key as "componentKey", component.uid as "componentUid",
      component.id as "componentId", component.time_zone as "componentZone"
    from component
    join stream on stream.component_key = component.key
    left join cycle on cycle.key = stream.base_cycle_key
    where ${inScope(sql, scope)} and ${isInFolder()} and component.key >= ${after.componentKey}
      and (component.key > ${after.componentKey} or stream.key <> all(${after.streamKeys}::integer[]))
      and ${scope.streamIds === undefined ? sql`true` : sql`stream.id = any(${scope.streamIds}::text[])`}
    order by component.key, stream.position
    limit ${most}`
  return rows.map((row) => {
    const { componentKey: key, componentUid: uid, componentId: id, componentZone: timeZone } = row
    return Object.assign(streamFrom(row, timeZone), { component: { key, uid, id, timeZone } })
  })
}

/** The keys of those streams that are there still. A key may be another's by now. */
export const findKept = async (sql: Sql, streams: readonly ScopedStream[]): Promise<ReadonlySet<number>> => {
  const rows = await sql<{ key: number }[]>`
    select stream.key
    from unnest(${streams.map(({ key }) => key)}::integer[], ${streams.map(({ uid }) => uid)}::text[]) as known (key, uid)
    join stream on stream.key = known.key and stream.uid = known.uid`
  return new Set(rows.map(({ key }) => key))
}

/** Whether the folder that was asked for is there still, all components by name, and all streams that were asked for in them. */
export const hasAllNamed = async (
  sql: Sql,
  {
    folderKey,
    componentUids,
    isNamed,
    streamIds,
  }: Pick<StreamScope, 'folderKey' | 'componentUids' | 'isNamed'> & Partial<StreamScope>,
): Promise<boolean> => {
  if (folderKey !== undefined && (await sql`select from folder where key = ${folderKey}`).length === 0) return false
  if (!isNamed) return true
  const [counted] = await sql<[{ components: number; streams: number }]>`
    select count(distinct component.key)::integer as components, count(distinct stream.id)::integer as streams
    from component
    left join stream on stream.component_key = component.key and stream.id = any(${streamIds ?? []}::text[])
    where component.uid = any(${componentUids!}::text[])`
  return counted.components === new Set(componentUids).size && counted.streams === new Set(streamIds).size
}

type ComponentRow = {
  readonly componentKey: number
  readonly componentUid: string
  readonly componentId: string | null
  readonly componentZone: string
}

const inScope = (sql: Sql, { organizationKey, componentUids }: StreamScope) => sql`
  component.organization_key = ${organizationKey} and not component.is_template
  and ${componentUids === undefined ? sql`true` : sql`component.uid = any(${componentUids}::text[])`}`

/** The named components that are there, by ID, with those of the named streams that they have. */
export const findNamed = async (
  sql: Sql,
  organizationKey: number,
  componentIds: readonly string[],
  streamIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly uid: string; readonly streamIds: readonly string[] }>> => {
  const rows = await sql<{ id: string; uid: string; streamIds: string[] }[]>`
    select component.id, component.uid, array(
      select stream.id from stream
      where stream.component_key = component.key and stream.id = any(${streamIds}::text[])
    ) as "streamIds"
    from component
    where organization_key = ${organizationKey} and not is_template and id = any(${componentIds}::text[])`
  return new Map(rows.map(({ id, ...found }) => [id, found]))
}
