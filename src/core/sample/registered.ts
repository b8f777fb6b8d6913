// Components and streams as writers know them: what an upload needs of them, how its words find them, and the statement that
// reads them.
import type { Sql } from '../../base/database/sql.ts'
import { openCalendar } from '../time/calendar.ts'
import type { Calendar, CycleUnit } from '../time/calendar.ts'
import { ByComponentRef, isId, isUid } from './ref.ts'
import type { ComponentRef, StreamRef } from './ref.ts'
import type { Span } from '../time/span.ts'
import { mostStreams } from '../stream.ts'
import type { StreamKind, ValueType } from '../stream.ts'
import { WrittenTimes } from './written-times.ts'

export type RegisteredStream = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** The calendar of the base cycle in the component's zone; interval streams only. */
  readonly calendar: Calendar | undefined
  readonly isDerived: boolean
  /** Whether others are derived from it. */
  readonly isSource: boolean
  /** In the definition order, from 1. */
  readonly position: number
  /** Spans of stored times whose samples are archived: none can be written there, whatever the retention is now. */
  readonly archived: readonly Span[]
  /** Changes with every upload (append.ts), while all else stays as it was read. */
  readonly written: WrittenTimes
}

export type RegisteredComponent = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly timeZone: string
  /** In definition order; where only some were read (NamedStreams), those. */
  readonly streams: readonly RegisteredStream[]
  /** Where there are more than a few. */
  readonly streamsById: ReadonlyMap<string, RegisteredStream> | undefined
  /** The days that the organization keeps samples; null: for ever. */
  readonly retentionDays: number | null
  /** Before this its samples are being archived (../upkeep/retention.ts), as long as it does not keep them for ever. */
  readonly keptUntilMs: number | null
}

export const streamByRef = (component: RegisteredComponent, ref: StreamRef): RegisteredStream | undefined => {
  if (isId(ref)) return component.streamsById ? component.streamsById.get(ref) : fewById(component.streams, ref)
  return isUid(ref) ? streamByUid(component.streams, ref.uid) : component.streams[ref.position - 1]
}

/** A Map of one takes 200 bytes, and a fleet has components with one stream by the hundred thousand. */
const fewStreams = 8

const fewById = (streams: readonly RegisteredStream[], id: string): RegisteredStream | undefined => {
  for (const stream of streams) if (stream.id === id) return stream
  return undefined
}

export const manyById = (streams: readonly RegisteredStream[]): Map<string, RegisteredStream> | undefined =>
  streams.length <= fewStreams
    ? undefined
    : new Map(streams.flatMap((stream) => (stream.id === null ? [] : [[stream.id, stream]])))

/** Made when they are first asked for: few calls name streams by uid, but one may name a hundred thousand. */
const uidsOf = new WeakMap<readonly RegisteredStream[], Map<string, RegisteredStream>>()

const streamByUid = (streams: readonly RegisteredStream[], uid: string): RegisteredStream | undefined => {
  const known = uidsOf.get(streams) ?? new Map<string, RegisteredStream>()
  // Others may have been learned since.
  for (let next = known.size; next < streams.length; next += 1) known.set(streams[next]!.uid, streams[next]!)
  uidsOf.set(streams, known)
  return known.get(uid)
}

// Of one reading: a call that names a thousand components of ten thousand streams each must not have ten million in memory.
export const mostRows = 100_000
/** So many components cannot have more streams than that. */
export const mostUncounted = mostRows / mostStreams

type Row = {
  readonly componentKey: number
  readonly componentUid: string
  readonly componentId: string | null
  readonly componentZone: string
  readonly retentionDays: number | null
  readonly keptUntilMs: number | null
  readonly key: number | null
  readonly uid: string
  readonly id: string | null
  readonly kind: StreamKind
  readonly valueType: ValueType
  readonly isDerived: boolean
  readonly isSource: boolean
  readonly position: number
  /** From, until, from, until ... */
  readonly spans: readonly number[] | null
  readonly size: number | null
  readonly unit: CycleUnit
  readonly reference: string
  readonly cycleZone: string | null
}

/** The streams that a call names: by IDs, by uids, and all up to a position. */
export type NamedStreams = { readonly ids: readonly string[]; readonly uids: readonly string[]; readonly upTo: number }

/** The number of streams of all these components together. */
export const countStreams = async (
  sql: Sql,
  organizationKey: number,
  refs: readonly ComponentRef[],
): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum((select max(position) from stream where component_key = component.key)), 0)::integer as count
    from component
    where component.organization_key = ${organizationKey} and not component.is_template and ${namedBy(sql, refs)}`
  return row.count
}

export const readNextIds = async (sql: Sql, organizationKey: number, from: string, most: number) =>
  sql<{ id: string; streams: number }[]>`
    select id, coalesce((select max(position) from stream where component_key = component.key), 0) as streams
    from component
    where organization_key = ${organizationKey} and not is_template and id > ${from}
    order by id
    limit ${most}`

/** The components, with all of their streams or those that are named. */
export const readComponents = async (
  sql: Sql,
  organizationKey: number,
  refs: readonly ComponentRef[],
  named?: NamedStreams,
): Promise<ByComponentRef<RegisteredComponent>> => {
  const rows = await sql<Row[]>`
    select component.key as "componentKey", component.uid as "componentUid", component.id as "componentId",
           component.time_zone as "componentZone", organization.retention_days as "retentionDays",
           organization.kept_until as "keptUntilMs", archived.spans,
           stream.key, stream.uid, stream.id, stream.kind, stream.value_type as "valueType", stream.position,
           stream.expression is not null as "isDerived",
           -- Looked up for each: by exists, Postgres would read those of all organizations.
           (select true from derivation_source where source_key = stream.key limit 1) is not null as "isSource",
           cycle.size, cycle.unit, cycle.reference, cycle.time_zone as "cycleZone"
    from component
    join organization on organization.key = component.organization_key
    ${named === undefined ? sql`left join stream on stream.component_key = component.key` : joinNamed(sql, named)}
    left join cycle on cycle.key = stream.base_cycle_key
    left join lateral (
      select array_agg(edge order by edge) as spans
      from kept, unnest(array[since, until]) as edge
      where kept.stream_key = stream.key
    ) as archived on true
    where component.organization_key = ${organizationKey} and not component.is_template and not organization.is_removed
      and ${namedBy(sql, refs)}
    order by component.key, stream.position`
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const known = found.get(row.componentKey)
    if (known) known.push(row)
    else found.set(row.componentKey, [row])
  }
  const byRef = new ByComponentRef<RegisteredComponent>()
  for (const group of found.values()) {
    const component = componentFrom(group)
    if (component.id !== null) byRef.set(component.id, component)
    byRef.set({ uid: component.uid }, component)
  }
  return byRef
}

/** Each by its own index: one condition with "or" reads all streams of a component. */
const joinNamed = (sql: Sql, { ids, uids, upTo }: NamedStreams) => sql`
  left join lateral (
    select key from stream where component_key = component.key and id = any(${ids}::text[])
    union
    select key from stream where component_key = component.key and uid = any(${uids}::text[])
    union
    select key from stream where component_key = component.key and position <= ${upTo}
  ) as named on true
  left join stream on stream.key = named.key`

/**
 * Asked for one ID, Postgres keeps its plan and answers in 0.16 ms, and for a few that are always as many likewise. For
 * other lists, and where it could be an ID or a uid, it plans anew each time, which takes 0.7.
 */
const namedBy = (sql: Sql, refs: readonly ComponentRef[]) => {
  const ids = refs.filter(isId)
  const uids = refs.filter(isUid).map(({ uid }) => uid)
  if (uids.length === 0 && ids.length === 1) return sql`component.id = ${ids[0]!}`
  while (uids.length === 0 && ids.length > 0 && ids.length < mostUncounted) ids.push(ids.at(-1)!)
  if (uids.length === 0) return sql`component.id = any(${ids}::text[])`
  return sql`(component.id = any(${ids}::text[]) or component.uid = any(${uids}::text[]))`
}

const componentFrom = (rows: readonly Row[]): RegisteredComponent => {
  const streams = rows.filter((row) => row.key !== null).map(streamFrom)
  const [{ componentKey: key, componentUid: uid, componentId: id, componentZone, ...more }] = rows as [Row]
  const { retentionDays, keptUntilMs } = more
  const timeZone = sharedText(componentZone)
  return { key, uid, id, timeZone, streams, streamsById: manyById(streams), retentionDays, keptUntilMs }
}

/** Texts that rows repeat: the driver makes one for each. */
const shared = new Map<string, string>()
const mostShared = 10_000

const sharedText = <Text extends string>(text: Text): Text => {
  const known = shared.get(text)
  if (known !== undefined) return known as Text
  if (shared.size === mostShared) shared.clear()
  shared.set(text, text)
  return text
}

const streamFrom = (row: Row): RegisteredStream => ({
  key: row.key!,
  uid: row.uid,
  id: row.id === null ? null : sharedText(row.id),
  kind: sharedText(row.kind),
  valueType: sharedText(row.valueType),
  isDerived: row.isDerived,
  isSource: row.isSource,
  position: row.position,
  archived: row.spans === null ? notArchived : spansFrom(row.spans),
  calendar:
    row.size === null
      ? undefined
      : openCalendar({ size: row.size, unit: row.unit, reference: row.reference }, row.cycleZone ?? row.componentZone),
  written: new WrittenTimes(),
})

/** Shared by all streams without an archive. */
const notArchived: readonly Span[] = []

/** They do not overlap, so pairs of their edges in order are the spans. */
const spansFrom = (edges: readonly number[]): readonly Span[] =>
  Array.from({ length: edges.length / 2 }, (_, n): Span => [edges[2 * n]!, edges[2 * n + 1]!])
