// Components and streams that a process remembers, so that an upload need not look them up. The memory is never trusted
// by itself: the write gate reports the changes, inside the write's transaction (gate.ts).
import type { Pool, Sql } from '../../base/database/sql.ts'
import { openCalendar } from '../time/calendar.ts'
import type { Calendar, CycleUnit } from '../time/calendar.ts'
import { everything, goesOn, nobodyHears } from './gate.ts'
import type { Gate, Heard, KnownMoment } from './gate.ts'
import { LookUps } from './look-ups.ts'
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

const manyById = (streams: readonly RegisteredStream[]): Map<string, RegisteredStream> | undefined =>
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

// Limits of all that is remembered, and of one reading: a call that names a thousand components of ten
// thousand streams each must not have ten million in memory.
const mostBytes = 128 * 2 ** 20
const mostRows = 100_000
/** So many components cannot have more streams than that. */
const mostUncounted = mostRows / mostStreams

// Read ahead at once, and the most streams of one that is: devices that come by the thousand have few. While 64 callers ask without
// a pause, 100,000 components are known after 3.8 s, for 36 µs of this server's CPU each.
const mostAhead = 200
const mostStreamsAhead = 10

/** Measured by the heap, with short IDs: 628 bytes a component of one stream, 280 a stream of a hundred; two for each character of a longer ID. */
const bytesOf = ({ streams }: Pick<RegisteredComponent, 'streams'>): number =>
  streams.reduce((sum, { id }) => sum + 280 + 2 * (id?.length ?? 0), 350)

type Learning = { readonly streams: RegisteredStream[]; streamsById: Map<string, RegisteredStream> | undefined }

type Remembered = { readonly organizationKey: number; readonly refs: ComponentRef[]; bytes: number }

export class Registry {
  /** Components by organization, then by reference. */
  readonly #components = new Map<number, ByComponentRef<RegisteredComponent>>()
  readonly #refsByKey = new Map<number, Remembered>()
  readonly #bytesByOrganization = new Map<number, number>()
  readonly #mostBytes: number
  #bytes = 0
  #moment: KnownMoment
  #heard: Heard
  #lookUps: LookUps | undefined
  /** The last ID that was read ahead, by organization; null: all are, or are being read. */
  readonly #aheadUpTo = new Map<number, string | null>()

  constructor(moment: KnownMoment, most = mostBytes, heard: Heard = nobodyHears) {
    this.#moment = moment
    this.#mostBytes = most
    this.#heard = heard
  }

  /** To be reached when room is made, and not passed by what nobody has asked for. */
  get #usualBytes(): number {
    return (this.#mostBytes * 3) / 4
  }

  get moment(): KnownMoment {
    return this.#moment
  }

  /** The organizations that somebody listens to, as of the moment. */
  get heard(): Heard {
    return this.#heard
  }

  /** About the bytes of all that is remembered, in total or of one organization. */
  bytes(organizationKey?: number): number {
    return organizationKey === undefined ? this.#bytes : (this.#bytesByOrganization.get(organizationKey) ?? 0)
  }

  get(organizationKey: number, ref: ComponentRef): RegisteredComponent | undefined {
    return this.#components.get(organizationKey)?.get(ref)
  }

  /** Reads those that are not remembered; afterwards get() knows every one that exists. False: they are too many. */
  async load(sql: Pool, organizationKey: number, refs: readonly ComponentRef[]): Promise<boolean> {
    const [first] = refs
    if (refs.length > 1 || first === undefined || !isId(first)) return this.#load(sql, organizationKey, refs)
    this.#lookUps ??= new LookUps(
      mostUncounted,
      (key, ids) => this.#load(sql, key, ids),
      (key) => this.#readAhead(sql, key),
    )
    await this.#lookUps.ask(organizationKey, first)
    return true
  }

  async #load(sql: Sql, organizationKey: number, asked: readonly ComponentRef[]): Promise<boolean> {
    // Some may have been read ahead while they waited.
    const refs = asked.filter((ref) => this.get(organizationKey, ref) === undefined)
    if (refs.length > mostUncounted && (await countStreams(sql, organizationKey, refs)) > mostRows) return false
    if (refs.length > 0) await this.#read(sql, organizationKey, refs)
    return true
  }

  /**
   * Reads the next components of an organization by their IDs, once through, and only into room that nobody else needs.
   * Where it is forgotten meanwhile, that begins anew.
   */
  async #readAhead(sql: Sql, organizationKey: number): Promise<void> {
    const from = this.#aheadUpTo.get(organizationKey) ?? ''
    if (this.#aheadUpTo.get(organizationKey) === null || this.#bytes > this.#usualBytes) return
    this.#aheadUpTo.set(organizationKey, null)
    let upTo: string | null = from
    try {
      const next = await readNextIds(sql, organizationKey, from)
      const small = next.filter(({ streams }) => streams <= mostStreamsAhead).map(({ id }) => id)
      const unknown = small.filter((id) => this.get(organizationKey, id) === undefined)
      if (unknown.length > 0) await this.#read(sql, organizationKey, unknown)
      upTo = next.length === mostAhead ? next.at(-1)!.id : null
    } finally {
      if (this.#aheadUpTo.has(organizationKey)) this.#aheadUpTo.set(organizationKey, upTo)
    }
  }

  async #read(sql: Sql, organizationKey: number, refs: readonly ComponentRef[]): Promise<void> {
    const moment = this.#moment
    const found = await readComponents(sql, organizationKey, refs)
    // Something changed during the reading: the result may be the old state.
    if (moment !== this.#moment) return
    for (const ref of refs) {
      const component = found.get(ref)
      // Where it was read twice at the same time, there may be writes that the first knows of.
      if (component === undefined || this.get(organizationKey, ref) !== undefined) continue
      const known = this.#components.get(organizationKey) ?? new ByComponentRef()
      // As the database has it: the caller's text may be a part of a whole body (base/own-text.ts).
      const own = isId(ref) ? component.id! : { uid: component.uid }
      known.set(own, component)
      this.#components.set(organizationKey, known)
      const before = this.#refsByKey.get(component.key)
      before?.refs.push(own)
      // Not pushed into an empty array, which would take room for seventeen.
      const remembered = before ?? { organizationKey, refs: [own], bytes: 0 }
      if (before === undefined) this.#refsByKey.set(component.key, remembered)
      this.#charge(remembered, bytesOf(component))
    }
    if (this.#bytes > this.#mostBytes) this.#makeRoom(this.#usualBytes)
  }

  /**
   * Takes note of streams that a call has made or found, of a component as the call saw it. Where others were made
   * besides, whose order is not known, the component is forgotten.
   */
  learn(component: RegisteredComponent): void {
    const remembered = this.#refsByKey.get(component.key)
    for (const ref of remembered?.refs ?? []) {
      const known = this.#components.get(remembered!.organizationKey)!.get(ref)! as unknown as Learning
      const { streams } = known
      for (const stream of component.streams) {
        if (stream.position <= streams.length) continue
        if (stream.position > streams.length + 1) return this.forget(component.key)
        streams.push({ ...stream, written: new WrittenTimes() })
        if (known.streamsById === undefined) known.streamsById = manyById(streams)
        else if (stream.id !== null) known.streamsById.set(stream.id, streams.at(-1)!)
        this.#charge(remembered!, bytesOf({ streams: [stream] }))
      }
    }
  }

  /** Components that are remembered, for tests. */
  get size(): number {
    return this.#refsByKey.size
  }

  /** Forgets the changed components that the gate reports, and everything where the database has another history. */
  applyChanges(gate: Gate): void {
    const { serial, history } = gate
    const hasGoneOn = goesOn(this.#moment, history)
    if (!hasGoneOn) this.#forgetAll()
    if (!hasGoneOn || serial >= this.#moment.serial) {
      if (this.#moment.serial !== serial || this.#moment.history !== history) this.#moment = { serial, history }
      this.#heard = gate.heard
    }
    for (const key of gate.changedComponentKeys) this.forget(key)
  }

  /** Takes a component's key, or a number that gate.ts has in its place. */
  forget(componentKey: number): void {
    if (componentKey === everything) this.#forgetAll()
    if (componentKey < 0) this.#forgetOrganization(-componentKey)
    const known = this.#refsByKey.get(componentKey)
    if (known === undefined) return
    for (const ref of known.refs) this.#components.get(known.organizationKey)?.delete(ref)
    this.#refsByKey.delete(componentKey)
    this.#charge(known, -known.bytes)
  }

  #charge(remembered: Remembered, bytes: number): void {
    const { organizationKey } = remembered
    remembered.bytes += bytes
    this.#bytes += bytes
    const all = this.bytes(organizationKey) + bytes
    if (all === 0) this.#bytesByOrganization.delete(organizationKey)
    else this.#bytesByOrganization.set(organizationKey, all)
  }

  /**
   * Forgets the oldest components of the largest organization, until it takes half, and so on. If all were forgotten at
   * once, every device of a fleet would be looked up anew in one moment, and small organizations would pay for large
   * ones.
   */
  #makeRoom(target: number): void {
    while (this.#bytes > target) {
      const [largest, bytes] = [...this.#bytesByOrganization].reduce((a, b) => (b[1] > a[1] ? b : a))
      for (const [key, { organizationKey }] of this.#refsByKey) {
        if (this.#bytes <= target || this.bytes(largest) <= bytes / 2) break
        if (organizationKey === largest) this.forget(key)
      }
    }
  }

  #forgetOrganization(organizationKey: number): void {
    const keys = new Set(Array.from(this.#components.get(organizationKey)?.values() ?? [], ({ key }) => key))
    for (const key of keys) this.forget(key)
    this.#components.delete(organizationKey)
    this.#aheadUpTo.delete(organizationKey)
  }

  #forgetAll(): void {
    this.#components.clear()
    this.#refsByKey.clear()
    this.#bytesByOrganization.clear()
    this.#aheadUpTo.clear()
    this.#bytes = 0
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
const countStreams = async (sql: Sql, organizationKey: number, refs: readonly ComponentRef[]): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum((select max(position) from stream where component_key = component.key)), 0)::integer as count
    from component
    where component.organization_key = ${organizationKey} and not component.is_template and ${namedBy(sql, refs)}`
  return row.count
}

const readNextIds = async (sql: Sql, organizationKey: number, from: string) =>
  sql<{ id: string; streams: number }[]>`
    select id, coalesce((select max(position) from stream where component_key = component.key), 0) as streams
    from component
    where organization_key = ${organizationKey} and not is_template and id > ${from}
    order by id
    limit ${mostAhead}`

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
