// Streams, which hold a component's samples, in the order of their definition (docs/words.md). Positions are 1, 2, ...
// without holes; a transaction that inserts, moves or removes streams holds the lock on their component's row
// (lockComponent), so the order is the same for everybody.
import type { Fragment, Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import { tooLarge } from '../base/errors.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holdsInNames, isBelow, isEqual, openListing, orderOf } from './listing.ts'
import { heavyCharacters, mostStreamBytes, refuseHeavy, tooHeavy } from './stream-weight.ts'

export const streamKinds = ['random', 'interval', 'point'] as const
export type StreamKind = (typeof streamKinds)[number]

export const valueTypes = ['DOUBLE', 'LONG', 'BOOLEAN', 'STRING', 'FILE'] as const
export type ValueType = (typeof valueTypes)[number]

/** A name in a derived stream's expression and the stream that stands behind it (docs/management.md#derived-streams). */
export type Variable = {
  readonly name: string
  /** Missing: the derived stream's own component. */
  readonly componentId?: string
  readonly streamId: string
  readonly offset?: number
  readonly cycleId?: string
  readonly statistic?: string
}

export type StreamDefinition = {
  readonly id: string | null
  readonly name: string
  readonly description: string
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** The base cycle of an interval stream, null in all others. */
  readonly baseCycleKey: number | null
  readonly unitKey: number | null
  readonly expression: string | null
  readonly variables: readonly Variable[] | null
}

export type Stream = StreamDefinition & {
  readonly key: number
  readonly uid: string
  readonly componentKey: number
  /** The place in the definition order, from 1. */
  readonly position: number
  readonly version: number
}

/** A stream with the names that the management API shows in place of keys. */
export type StreamDetail = Stream & {
  /** The uid of the component or template. */
  readonly ownerUid: string
  readonly isTemplate: boolean
  readonly baseCycleId: string | null
  readonly unitUid: string | null
  /** From there on a derived stream may be other than its sources say. */
  readonly staleFromMs: number | null
  /** Why a derived stream goes no further: the moment, the time of the sample that it fails for, the reason. */
  readonly deriveError: { readonly atMs: number; readonly timeMs: number; readonly message: string } | null
}

/** The stream that auto-creation makes: random, without a unit, named by its ID. */
export const randomStream = (id: string, valueType: ValueType): StreamDefinition => ({
  id,
  name: id,
  description: '',
  kind: 'random',
  valueType,
  baseCycleKey: null,
  unitKey: null,
  expression: null,
  variables: null,
})

const columns = (sql: Sql) => sql`
  stream.key, stream.uid, stream.component_key as "componentKey", stream.id, stream.name, stream.description,
  stream.kind, stream.value_type as "valueType", stream.base_cycle_key as "baseCycleKey",
  stream.unit_key as "unitKey", stream.position, stream.expression, stream.variables, stream.version`

/** The streams of a component or template in definition order. */
export const streamsOf = (sql: Sql, componentKey: number): Promise<readonly Stream[]> =>
  sql<Stream[]>`
    select ${columns(sql)} from stream where component_key = ${componentKey} order by position`

/** A stream that is to be made, and its component. */
export type NewStream = { readonly componentKey: number; readonly definition: StreamDefinition }

/** Appends streams in the order given. The caller holds the component's lock and knows that the IDs are free. */
export const insertStreams = (
  sql: Transaction,
  componentKey: number,
  definitions: readonly StreamDefinition[],
): Promise<readonly Stream[]> =>
  insertStreamsOfMany(
    sql,
    definitions.map((definition) => ({ componentKey, definition })),
  )

/**
 * Streams that a component or template may have. All of them are in memory while samples are written to one, and are
 * shown with it by the management API.
 */
export const mostStreams = 10_000

/**
 * The same for streams of several components, each of which keeps its own order. An upload that
 * makes 10,000 streams takes 1.4 s, one that makes 30,000 2.1; when each row looked for the last position, 7 s and 104.
 */
export const insertStreamsOfMany = async (
  sql: Transaction,
  newStreams: readonly NewStream[],
): Promise<readonly Stream[]> => {
  if (newStreams.length === 0) return []
  const heavy = new Map<number, number>()
  for (const { componentKey, definition } of newStreams) {
    const characters = heavyCharacters(definition)
    if (characters === 0) continue
    const all = (heavy.get(componentKey) ?? 0) + characters
    // Refused before they are stored.
    if (all > mostStreamBytes) throw tooHeavy()
    heavy.set(componentKey, all)
  }
  const positions = await countStreams(sql, [...new Set(newStreams.map(({ componentKey }) => componentKey))])
  const rows = newStreams.map(({ componentKey, definition }) => {
    const position = (positions.get(componentKey) ?? 0) + 1
    if (position > mostStreams) throw tooLarge(`a component may have ${mostStreams} streams`)
    positions.set(componentKey, position)
    return { ...definition, componentKey, position }
  })
  const streams: Stream[] = []
  for (let from = 0; from < rows.length; from += mostAtOnce)
    for (const stream of await insertRows(sql, rows.slice(from, from + mostAtOnce))) streams.push(stream)
  if (heavy.size > 0) await refuseHeavy(sql, [...heavy.keys()])
  return streams.toSorted((a, b) => a.position - b.position)
}

/** The numbers of streams of components that have any. Their positions are without holes. */
export const countStreams = async (sql: Sql, componentKeys: readonly number[]): Promise<Map<number, number>> => {
  const rows = await sql<{ componentKey: number; position: number }[]>`
    select * from (
      select asked as "componentKey", (select max(position) from stream where component_key = asked) as position
      from unnest(${componentKeys}::integer[]) as asked) as counted
    where position is not null`
  return new Map(rows.map(({ componentKey, position }) => [componentKey, position]))
}

export const countStreamsOfOrganization = async (sql: Sql, organizationKey: number): Promise<number> => {
  const [row] = await sql<[{ n: number }]>`
    select count(*)::integer as n
    from stream
    join component on component.key = stream.component_key
    where component.organization_key = ${organizationKey} and not component.is_template`
  return row.n
}

// Streams travel as one JSON text.
const mostAtOnce = 5_000

const insertRows = (
  sql: Transaction,
  rows: readonly (StreamDefinition & { readonly componentKey: number; readonly position: number })[],
): Promise<readonly Stream[]> => sql<Stream[]>`
  insert into stream (component_key, id, name, description, kind, value_type, base_cycle_key, unit_key,
    position, expression, variables)
  select "componentKey", id, name, description, kind, "valueType", "baseCycleKey", "unitKey", position, expression,
    variables
  from jsonb_to_recordset(${sql.json(rows)}) as definition (
    "componentKey" integer, position integer, id text, name text, description text, kind text, "valueType" text,
    "baseCycleKey" integer, "unitKey" integer, expression text, variables jsonb)
  returning ${columns(sql)}`

/** The given IDs that streams of a component have. */
export const takenStreamIds = async (
  sql: Sql,
  componentKey: number,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from stream where component_key = ${componentKey} and id = any(${ids}::text[])`
  return rows.map(({ id }) => id)
}

const detail = (sql: Sql) => sql`
  select ${columns(sql)}, owner.uid as "ownerUid", owner.is_template as "isTemplate", cycle.id as "baseCycleId",
    unit.uid as "unitUid", derivation.stale_from as "staleFromMs",
    case when derivation.error_at is not null then jsonb_build_object(
      'atMs', (extract(epoch from derivation.error_at) * 1000)::bigint,
      'timeMs', (extract(epoch from derivation.error_time) * 1000)::bigint,
      'message', derivation.error_message) end as "deriveError"`

const detailFrom = (sql: Sql) => sql`
  from stream
  join component as owner on owner.key = stream.component_key
  left join cycle on cycle.key = stream.base_cycle_key
  left join unit on unit.key = stream.unit_key
  left join derivation on derivation.stream_key = stream.key`

export const streamDetailsOf = (sql: Sql, componentKeys: readonly number[]): Promise<readonly StreamDetail[]> =>
  sql<StreamDetail[]>`
    ${detail(sql)} ${detailFrom(sql)}
    where stream.component_key = any(${componentKeys}::integer[])
    order by stream.component_key, stream.position`

/** Those of these streams that are there, in definition order. */
export const streamDetails = (sql: Sql, keys: readonly number[]): Promise<readonly StreamDetail[]> =>
  sql<StreamDetail[]>`
    ${detail(sql)} ${detailFrom(sql)}
    where stream.key = any(${keys}::integer[])
    order by stream.position`

/** Further conditions of a list. Those of a template are listed where its uid is asked for. */
export type StreamFilter = {
  /** The uid of a component or template. */
  readonly ownerUid?: string | undefined
  readonly componentId?: string | undefined
  /** A folder and all below it. */
  readonly folderPath?: string | undefined
  readonly id?: string | undefined
  readonly kind?: StreamKind | undefined
  readonly valueType?: ValueType | undefined
  /** Null: those without one; and so below. */
  readonly baseCycleId?: string | null | undefined
  readonly unitUid?: string | null | undefined
  readonly isDerived?: boolean | undefined
}

export const streamSorts = {
  name: 'lower(stream.name)',
  id: 'lower(stream.id)',
  description: 'lower(stream.description)',
  componentId: 'lower(owner.id)',
  kind: 'stream.kind',
  valueType: 'stream.value_type',
  baseCycleId: 'lower(cycle.id)',
  unitUid: 'unit.uid',
  position: 'stream.position',
  version: 'stream.version',
} as const satisfies Sorts

/** The streams of all components, or those of one component or template, in definition order unless another is asked for. */
export const listStreams = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { ownerUid, componentId, folderPath, id, kind, valueType, baseCycleId, unitUid, isDerived }: StreamFilter,
): Promise<Listing<StreamDetail>> =>
  openListing<StreamDetail>(sql, page, {
    select: detail(sql),
    from: sql`
      ${detailFrom(sql)}
      ${folderPath === undefined ? sql`` : sql`join folder on folder.key = owner.folder_key`}
      where owner.organization_key = ${organizationKey}
        and ${ownerUid === undefined ? sql`not owner.is_template` : sql`owner.uid = ${ownerUid}`}
        and ${holdsInNames(sql, page.text, 'stream')}
        and ${isEqual(sql, 'owner.id', componentId)}
        and ${isBelow(sql, 'folder.path', folderPath)}
        and ${isEqual(sql, 'stream.id', id)}
        and ${isEqual(sql, 'stream.kind', kind)}
        and ${isEqual(sql, 'stream.value_type', valueType)}
        and ${isEqual(sql, 'cycle.id', baseCycleId)}
        and ${isEqual(sql, 'unit.uid', unitUid)}
        and ${isDerived === undefined ? sql`true` : sql`(stream.expression is not null) = ${isDerived}`}`,
    order: orderOf(sql, page, streamSorts, 'stream.key', sql`stream.component_key, stream.position`),
    // A hundred variables.
    rowBytes: 256 * 1024,
    rows: { key: 'stream.key', from: detailFrom(sql) },
  })

export const findStream = async (sql: Sql, organizationKey: number, uid: string): Promise<StreamDetail | undefined> => {
  const [stream] = await sql<StreamDetail[]>`
    ${detail(sql)} ${detailFrom(sql)} where owner.organization_key = ${organizationKey} and stream.uid = ${uid}`
  return stream
}

/** The caller holds the component's lock. */
export const updateStream = async (
  sql: Transaction,
  key: number,
  { id, name, description, kind, valueType, baseCycleKey, unitKey, expression, variables }: StreamDefinition,
): Promise<void> => {
  await unlessTaken(
    sql`
      update stream
      set id = ${id}, name = ${name}, description = ${description}, kind = ${kind}, value_type = ${valueType},
        base_cycle_key = ${baseCycleKey}, unit_key = ${unitKey}, expression = ${expression},
        variables = ${variables && sql.json(variables)}, version = version + 1
      where key = ${key}`,
    `there is a stream with the id '${id}'`,
  )
}

/** Puts the streams of a component, all of which are named, into this order. The caller holds its lock. */
export const orderStreams = async (sql: Transaction, keys: readonly number[]): Promise<void> => {
  await sql`
    update stream
    set position = given.position, version = version + 1
    from unnest(${keys}::integer[]) with ordinality as given (key, position)
    where stream.key = given.key and stream.position <> given.position`
}

/** Streams behind it move up. The caller holds the component's lock. */
export const deleteStream = async (sql: Transaction, stream: Stream): Promise<void> => {
  await sql`delete from stream where key = ${stream.key}`
  await sql`
    update stream
    set position = position - 1, version = version + 1
    where component_key = ${stream.componentKey} and position > ${stream.position}`
}

/** A derived stream that has a certain stream or cycle among its variables. */
export type VariableUse = { readonly componentName: string; readonly streamName: string }

/** A use of a stream of a component or template, by a stream other than itself. */
export const useOfStream = (
  sql: Sql,
  owner: { readonly key: number; readonly isTemplate: boolean },
  stream: Pick<Stream, 'key' | 'id'>,
): Promise<VariableUse | undefined> =>
  owner.isTemplate
    ? findUse(
        sql,
        sql`
          derived.component_key = ${owner.key} and derived.key <> ${stream.key}
          and variable ->> 'streamId' = ${stream.id}`,
      )
    : findUse(
        sql,
        sql`
          derived.key <> ${stream.key}
          and derived.key in (select derived_key from derivation_source where source_key = ${stream.key})`,
      )

/** A use of any stream of a component in another one. */
export const useOfComponent = (sql: Sql, componentKey: number): Promise<VariableUse | undefined> =>
  findUse(sql, sql`derived.component_key <> ${componentKey} and ${isDerivedFrom(sql, componentKey)}`)

/** A use of any stream of a component by the component's ID, in itself too. */
export const useOfComponentId = (sql: Sql, componentKey: number, id: string): Promise<VariableUse | undefined> =>
  findUse(sql, sql`variable ->> 'componentId' = ${id} and ${isDerivedFrom(sql, componentKey)}`)

const isDerivedFrom = (sql: Sql, componentKey: number) => sql`
  derived.key in (
    select derived_key
    from stream as source
    join derivation_source on source_key = source.key
    where source.component_key = ${componentKey})`

export const useOfCycleId = (sql: Sql, organizationKey: number, id: string): Promise<VariableUse | undefined> =>
  findUse(sql, sql`user_of.organization_key = ${organizationKey} and variable ->> 'cycleId' = ${id}`)

const findUse = async (sql: Sql, condition: Fragment): Promise<VariableUse | undefined> => {
  const [use] = await sql<VariableUse[]>`
    select user_of.name as "componentName", derived.name as "streamName"
    from stream as derived
    join component as user_of on user_of.key = derived.component_key
    cross join jsonb_array_elements(derived.variables) as variable
    where derived.variables is not null and ${condition}
    limit 1`
  return use
}
