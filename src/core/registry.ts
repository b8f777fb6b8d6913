// What a process remembers of components and streams, so that an upload need not look them up. It is never
// trusted by itself: the write gate says, inside the write's transaction, what to forget (gate.ts).
import type { Sql } from '../base/sql.ts'
import { openCalendar } from './calendar.ts'
import type { Calendar, CycleUnit } from './calendar.ts'
import { everything } from './gate.ts'
import type { Gate } from './gate.ts'
import type { StreamKind, ValueType } from './stream.ts'

export type RegisteredStream = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly kind: StreamKind
  readonly valueType: ValueType
  /** Of the base cycle in the component's zone; interval streams only. */
  readonly calendar: Calendar | undefined
  readonly isDerived: boolean
  /** The latest stored time this process has written: what is later is taken to append. */
  latestMs: number
  /** Between this and the latest, this process has written nothing. */
  beforeMs: number
}

export type RegisteredComponent = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly timeZone: string
  /** In definition order. */
  readonly streams: readonly RegisteredStream[]
  readonly streamsById: ReadonlyMap<string, RegisteredStream>
  /** Of the organization; null: samples are kept for ever. */
  readonly retentionDays: number | null
  /** Before this its samples are archived (retention.ts), whatever is said of retention now. */
  readonly keptUntilMs: number | null
}

/**
 * A component or stream is named by a reference: its ID as it is, or its uid or position behind a control
 * character, which no ID may contain.
 */
export const uidRef = (uid: string) => `\u0000${uid}`
export const positionRef = (position: number) => `\u0001${position}`

export const streamByRef = (component: RegisteredComponent, ref: string): RegisteredStream | undefined => {
  const stream = component.streamsById.get(ref)
  if (stream !== undefined) return stream
  if (ref[0] === '\u0000') return component.streams.find(({ uid }) => uid === ref.slice(1))
  return ref[0] === '\u0001' ? component.streams[Number(ref.slice(1)) - 1] : undefined
}

// Components and streams together: 500,000 take about 200 MB.
const mostEntries = 500_000

export class Registry {
  /** By organization, then by reference. */
  readonly #components = new Map<number, Map<string, RegisteredComponent>>()
  readonly #refsByKey = new Map<
    number,
    { readonly organizationKey: number; readonly refs: string[]; readonly entries: number }
  >()
  #entries = 0
  #serial: number

  constructor(serial: number) {
    this.#serial = serial
  }

  get serial(): number {
    return this.#serial
  }

  get(organizationKey: number, ref: string): RegisteredComponent | undefined {
    return this.#components.get(organizationKey)?.get(ref)
  }

  /** Reads those that are not remembered; afterwards get() knows every one that exists. */
  async load(sql: Sql, organizationKey: number, refs: readonly string[]): Promise<void> {
    const serialBefore = this.#serial
    for (const [ref, component] of await readComponents(sql, organizationKey, refs)) {
      // Something changed while we read: what we hold may be the old state.
      if (serialBefore !== this.#serial) return
      if (this.#entries >= mostEntries) this.#forgetOldest(mostEntries / 4)
      const known = this.#components.get(organizationKey)
      if (known) known.set(ref, component)
      else this.#components.set(organizationKey, new Map([[ref, component]]))
      const remembered = this.#refsByKey.get(component.key)
      if (remembered) remembered.refs.push(ref)
      else {
        const entries = 1 + component.streams.length
        this.#refsByKey.set(component.key, { organizationKey, refs: [ref], entries })
        this.#entries += entries
      }
    }
  }

  /** Components that are remembered, for tests. */
  get size(): number {
    return this.#refsByKey.size
  }

  /** Takes note of what the gate told. */
  heed(gate: Gate): void {
    this.#serial = Math.max(this.#serial, gate.serial)
    for (const key of gate.changedComponentKeys) this.forget(key)
  }

  /** A component's key, or what gate.ts has in its place. */
  forget(componentKey: number): void {
    if (componentKey === everything) this.#forgetAll()
    if (componentKey < 0) this.#forgetOrganization(-componentKey)
    const known = this.#refsByKey.get(componentKey)
    if (known === undefined) return
    for (const ref of known.refs) this.#components.get(known.organizationKey)?.delete(ref)
    this.#refsByKey.delete(componentKey)
    this.#entries -= known.entries
  }

  /** Those remembered first; all at once would make every device of a fleet be looked up anew in one moment. */
  #forgetOldest(entries: number): void {
    const target = this.#entries - entries
    for (const key of this.#refsByKey.keys()) {
      if (this.#entries <= target) return
      this.forget(key)
    }
  }

  #forgetOrganization(organizationKey: number): void {
    const keys = new Set(Array.from(this.#components.get(organizationKey)?.values() ?? [], ({ key }) => key))
    for (const key of keys) this.forget(key)
    this.#components.delete(organizationKey)
  }

  #forgetAll(): void {
    this.#components.clear()
    this.#refsByKey.clear()
    this.#entries = 0
  }
}

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
  readonly size: number | null
  readonly unit: CycleUnit
  readonly reference: string
  readonly cycleZone: string | null
}

export const readComponents = async (
  sql: Sql,
  organizationKey: number,
  refs: readonly string[],
): Promise<ReadonlyMap<string, RegisteredComponent>> => {
  const wanted = new Set(refs)
  const rows = await sql<Row[]>`
    select component.key as "componentKey", component.uid as "componentUid", component.id as "componentId",
           component.time_zone as "componentZone", organization.retention_days as "retentionDays",
           organization.kept_until as "keptUntilMs",
           stream.key, stream.uid, stream.id, stream.kind, stream.value_type as "valueType",
           stream.expression is not null as "isDerived",
           cycle.size, cycle.unit, cycle.reference, cycle.time_zone as "cycleZone"
    from component
    join organization on organization.key = component.organization_key
    left join stream on stream.component_key = component.key
    left join cycle on cycle.key = stream.base_cycle_key
    where component.organization_key = ${organizationKey} and not component.is_template and not organization.is_removed
      and ${namedBy(sql, refs)}
    order by component.key, stream.position`
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const known = found.get(row.componentKey)
    if (known) known.push(row)
    else found.set(row.componentKey, [row])
  }
  const byRef = new Map<string, RegisteredComponent>()
  for (const group of found.values()) {
    const component = componentFrom(group)
    for (const ref of [component.id, uidRef(component.uid)])
      if (ref !== null && wanted.has(ref)) byRef.set(ref, component)
  }
  return byRef
}

/**
 * Asked for one ID, as reading calls do, Postgres keeps its plan and answers in 0.16 ms. For lists, and where it
 * could be an ID or a uid, it plans anew each time, which takes 0.7.
 */
const namedBy = (sql: Sql, refs: readonly string[]) => {
  const ids = refs.filter((ref) => ref[0] !== '\u0000')
  const uids = refs.filter((ref) => ref[0] === '\u0000').map((ref) => ref.slice(1))
  if (uids.length === 0)
    return ids.length === 1 ? sql`component.id = ${ids[0]!}` : sql`component.id = any(${ids}::text[])`
  return sql`(component.id = any(${ids}::text[]) or component.uid = any(${uids}::text[]))`
}

const componentFrom = (rows: readonly Row[]): RegisteredComponent => {
  const streams = rows.filter((row) => row.key !== null).map(streamFrom)
  const streamsById = new Map(streams.flatMap((stream) => (stream.id === null ? [] : [[stream.id, stream]])))
  const [{ componentKey: key, componentUid: uid, componentId: id, componentZone: timeZone, ...more }] = rows as [Row]
  const { retentionDays, keptUntilMs } = more
  return { key, uid, id, timeZone, streams, streamsById, retentionDays, keptUntilMs }
}

const streamFrom = (row: Row): RegisteredStream => ({
  key: row.key!,
  uid: row.uid,
  id: row.id,
  kind: row.kind,
  valueType: row.valueType,
  isDerived: row.isDerived,
  calendar:
    row.size === null
      ? undefined
      : openCalendar({ size: row.size, unit: row.unit, reference: row.reference }, row.cycleZone ?? row.componentZone),
  latestMs: Number.NEGATIVE_INFINITY,
  beforeMs: Number.NEGATIVE_INFINITY,
})
