// Components and streams as readings need them: no more of a component's streams than are shown. A reading of several
// streams asks for all of it in one snapshot, so that a component created or deleted meanwhile is seen whole or not at
// all (docs/replies.md#order-of-judgement).
import type { Fragment, Sql } from '../../base/database/sql.ts'
import { openCalendar } from '../time/calendar.ts'
import type { CycleUnit } from '../time/calendar.ts'
import type { RegisteredStream } from '../sample/registered.ts'
import type { Window } from '../sample/sample.ts'

export type ReadComponent = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly timeZone: string
}

export type ReadStream = Pick<RegisteredStream, 'key' | 'uid' | 'id' | 'kind' | 'valueType' | 'calendar'> & {
  /** In the definition order, from 1. */
  readonly position: number
}

/** A component by its ID, and its stream with the ID given; with ten thousand streams it takes as long as with one. */
export const findForReading = async (
  sql: Sql,
  organizationKey: number,
  componentId: string,
  streamId: string | undefined,
): Promise<{ readonly component: ReadComponent; readonly stream: ReadStream | undefined } | undefined> => {
  const [row] = await sql<(ComponentRow & (StreamRow | Nulls<StreamRow>))[]>`
    select component.key as "componentKey", component.uid as "componentUid", component.id as "componentId",
      component.time_zone as "componentZone", ${streamColumns(sql)}
    from component
    join organization on organization.key = component.organization_key
    left join stream on stream.component_key = component.key and stream.id = ${streamId ?? null}
    left join cycle on cycle.key = stream.base_cycle_key
    where component.organization_key = ${organizationKey} and component.id = ${componentId}
      and not component.is_template and not organization.is_removed`
  if (row === undefined) return undefined
  const { componentKey: key, componentUid: uid, componentId: id, componentZone: timeZone } = row
  const component = { key, uid, id, timeZone }
  return { component, stream: row.key === null ? undefined : streamFrom(row, timeZone) }
}

/** Some of a component's streams in definition order, from a position on. */
const readStreamsFrom = async (
  sql: Sql,
  { key, timeZone }: Pick<ReadComponent, 'key' | 'timeZone'>,
  position: number,
  most: number,
): Promise<readonly ReadStream[]> => {
  const rows = await sql<StreamRow[]>`
    select ${streamColumns(sql)}
    from stream
    left join cycle on cycle.key = stream.base_cycle_key
    where stream.component_key = ${key} and stream.position >= ${position}
    order by stream.position
    limit ${most}`
  return rows.map((row) => streamFrom(row, timeZone))
}

/** In the order of their components, and in each in definition order. */
export const readStreamsByKey = async (
  sql: Sql,
  organizationKey: number,
  keys: readonly number[],
): Promise<readonly ReadStream[]> => {
  const rows = await sql<(StreamRow & { readonly componentZone: string })[]>`
    select ${streamColumns(sql)}, component.time_zone as "componentZone"
    from stream
    join component on component.key = stream.component_key
    left join cycle on cycle.key = stream.base_cycle_key
    where stream.key = any(${keys}::integer[]) and component.organization_key = ${organizationKey}
    order by stream.component_key, stream.position`
  return rows.map((row) => streamFrom(row, row.componentZone))
}

export type ReadInOrder<Item> = {
  /** The streams that were gone through, by their keys. */
  readonly streams: ReadonlyMap<number, ReadStream>
  readonly items: readonly Item[]
}

/** Streams that are found at a time: most components have fewer than the first. */
const firstCount = 100
const mostCount = 1000

/** The end of an earlier reply: this stream, and where a time is given, its item at that time. */
export type After = { readonly position: number; readonly timeMs: number | undefined }

export type Range = { readonly window: Window; readonly after: After | undefined; readonly limit: number }

/**
 * Reads items of one stream, or of a component's streams in their order, some streams at a time, until there are enough.
 * `read` gives at most as many as it is asked for.
 */
export const readInOrder = async <Item>(
  sql: Sql,
  component: ReadComponent,
  stream: ReadStream | undefined,
  { window, after, limit }: Range,
  read: (streams: readonly ReadStream[], window: Window, most: number) => Promise<readonly Item[]>,
): Promise<ReadInOrder<Item>> => {
  const streams = new Map<number, ReadStream>()
  const items: Item[] = []
  const take = async (some: readonly ReadStream[], within: Window) => {
    if (some.length === 0 || items.length >= limit) return
    for (const each of some) streams.set(each.key, each)
    for (const item of await read(some, within, limit - items.length)) items.push(item)
  }
  if (stream) await take([stream], window)
  else {
    let position = after === undefined ? 1 : after.position + 1
    if (after?.timeMs !== undefined)
      // The items before the end of an earlier reply, of the stream in which it ended.
      await take(await readStreamsFrom(sql, component, after.position, 1), { ...window, endMs: after.timeMs })
    for (let count = firstCount; items.length < limit; count = mostCount) {
      const some = await readStreamsFrom(sql, component, position, count)
      await take(some, window)
      if (some.length < count) break
      position += count
    }
  }
  return { streams, items }
}

type ComponentRow = {
  readonly componentKey: number
  readonly componentUid: string
  readonly componentId: string | null
  readonly componentZone: string
}

export type StreamRow = Omit<ReadStream, 'calendar'> & {
  readonly size: number | null
  readonly unit: CycleUnit
  readonly reference: string
  readonly cycleZone: string | null
}

type Nulls<Columns> = { readonly [Name in keyof Columns]: null }

export const streamColumns = (sql: Sql): Fragment => sql`
  stream.key, stream.uid, stream.id, stream.kind, stream.value_type as "valueType", stream.position,
  cycle.size, cycle.unit, cycle.reference, cycle.time_zone as "cycleZone"`

export const streamFrom = (
  { key, uid, id, kind, valueType, position, size, unit, reference, cycleZone }: StreamRow,
  componentZone: string,
): ReadStream => ({
  key,
  uid,
  id,
  kind,
  valueType,
  position,
  calendar: size === null ? undefined : openCalendar({ size, unit, reference }, cycleZone ?? componentZone),
})
