// Streams that are listened to: what a listener names, found; and their names, kinds and places as events show them.
import type { Fragment, Sql } from '../../base/database/sql.ts'
import type { FeedStream } from '../reading/feed-read.ts'
import type { ReadableStream } from '../sample/sample.ts'
import { unitsOf } from '../unit.ts'

export type HeardStream = FeedStream & {
  readonly organizationKey: number
  readonly componentKey: number
  readonly componentUid: string
  /** '' where it has none. */
  readonly componentId: string
  readonly folder: string
}

/** Streams that a listener hears, by their keys and those of their components, or by folders above them. */
export type Subscription = {
  readonly streamKeys: readonly number[]
  readonly componentKeys: readonly number[]
  readonly folders: readonly string[]
}

type Row = Omit<HeardStream, 'unit'>

const columns = (sql: Sql): Fragment => sql`
  stream.key, stream.id, stream.kind, stream.value_type as "valueType", stream.position,
  component.organization_key as "organizationKey", component.key as "componentKey", component.uid as "componentUid",
  coalesce(component.id, '') as "componentId",
  folder.path as folder
  from stream
  join component on component.key = stream.component_key and not component.is_template
  join folder on folder.key = component.folder_key`

/** Those that still exist. */
export const readHeardStreams = async (
  sql: Sql,
  keys: readonly number[],
  needsUnits: boolean,
): Promise<ReadonlyMap<number, HeardStream>> => {
  const rows = await sql<Row[]>`
    select ${columns(sql)}
    where stream.key = any(${keys}::integer[])`
  return withUnits(sql, rows, needsUnits)
}

/** A stream among those that a listener hears: they come by component. */
export type HeardPlace = { readonly componentKey: number; readonly streamKey: number }

export const heardStart: HeardPlace = { componentKey: 0, streamKey: 0 }

/**
 * Some of the streams that a listener hears, those behind `after`. By component, and components by their keys, so that a
 * page costs what it shows, however many streams there are that nobody asks for.
 */
export const listHeardStreams = async (
  sql: Sql,
  organizationKey: number,
  { streamKeys, componentKeys, folders }: Subscription,
  /** Those of the streams included. */
  allComponentKeys: readonly number[],
  after: HeardPlace,
  most: number,
  needsUnits: boolean,
): Promise<ReadonlyMap<number, HeardStream>> => {
  const inFolder = sql`exists (
    select from unnest(${folders}::text[]) as above (path)
    where folder.path = above.path or starts_with(folder.path, above.path || '/'))`
  const isNamed = sql`component.key = any(${allComponentKeys}::integer[])`
  const isWhole = sql`component.key = any(${componentKeys}::integer[])`
  const rows = await sql<Row[]>`
    select stream.key, stream.id, stream.kind, stream.value_type as "valueType", stream.position, heard.*
    from (
      select component.organization_key as "organizationKey", component.key as "componentKey",
        component.uid as "componentUid", coalesce(component.id, '') as "componentId", folder.path as folder,
        ${folders.length === 0 ? isWhole : sql`(${isWhole} or ${inFolder})`} as is_whole
      from component
      join folder on folder.key = component.folder_key
      where component.organization_key = ${organizationKey} and not component.is_template
        and component.key >= ${after.componentKey}
        and ${folders.length === 0 ? isNamed : sql`(${isNamed} or ${inFolder})`}
    ) as heard
    join stream on stream.component_key = heard."componentKey"
    where (heard."componentKey" > ${after.componentKey} or stream.key > ${after.streamKey})
      and (heard.is_whole or stream.key = any(${streamKeys}::integer[]))
    order by heard."componentKey", stream.key
    limit ${most}`
  return withUnits(sql, rows, needsUnits)
}

const withUnits = async (
  sql: Sql,
  rows: readonly Row[],
  needsUnits: boolean,
): Promise<ReadonlyMap<number, HeardStream>> => {
  const units = needsUnits ? await unitsOf(sql, rows.map(keyOf)) : undefined
  return new Map(rows.map((row) => [row.key, { ...row, unit: units?.get(row.key) ?? null }]))
}

const keyOf = ({ key }: ReadableStream) => key

export type NamedPair = { readonly componentId: string; readonly streamId: string | undefined }

/** The keys of a name, null where there is no such thing. */
export type FoundPair = {
  readonly componentKey: number | null
  readonly componentUid: string | null
  readonly streamKey: number | null
}

/** In the order given. */
export const findPairs = (
  sql: Sql,
  organizationKey: number,
  pairs: readonly NamedPair[],
): Promise<readonly FoundPair[]> => sql<FoundPair[]>`
  select component.key as "componentKey", component.uid as "componentUid", stream.key as "streamKey"
  from unnest(${pairs.map(({ componentId }) => componentId)}::text[],
    ${pairs.map(({ streamId }) => streamId ?? null)}::text[]) with ordinality as named (component_id, stream_id, nth)
  left join component
    on component.organization_key = ${organizationKey} and not component.is_template and component.id = named.component_id
  left join stream on stream.component_key = component.key and stream.id = named.stream_id
  order by nth`

/** Of folders those that there are. */
export const existingFolders = async (
  sql: Sql,
  organizationKey: number,
  paths: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ path: string }[]>`
    select path from folder where organization_key = ${organizationKey} and path = any(${paths}::text[])`
  return new Set(rows.map(({ path }) => path))
}

export type PlacedFolder = { readonly organizationKey: number; readonly path: string }

/** Of folders those that there are no more. */
export const findGoneFolders = (sql: Sql, folders: readonly PlacedFolder[]): Promise<readonly PlacedFolder[]> =>
  sql<PlacedFolder[]>`
    select organization_key as "organizationKey", path
    from unnest(${folders.map(({ organizationKey }) => organizationKey)}::integer[],
      ${folders.map(({ path }) => path)}::text[]) as given (organization_key, path)
    where not exists (
      select from folder where folder.organization_key = given.organization_key and folder.path = given.path)`

/** Of the keys those that there are no more. */
export const findGone = async (
  sql: Sql,
  streamKeys: readonly number[],
  componentKeys: readonly number[],
): Promise<{ readonly streams: ReadonlySet<number>; readonly components: ReadonlySet<number> }> => {
  const rows = await sql<{ streamKey: number | null; componentKey: number | null }[]>`
    select key as "streamKey", null::integer as "componentKey"
    from unnest(${streamKeys}::integer[]) as given (key)
    where not exists (select from stream where stream.key = given.key)
    union all
    select null, key
    from unnest(${componentKeys}::integer[]) as given (key)
    where not exists (select from component where component.key = given.key)`
  return {
    streams: new Set(rows.flatMap(({ streamKey }) => streamKey ?? [])),
    components: new Set(rows.flatMap(({ componentKey }) => componentKey ?? [])),
  }
}
