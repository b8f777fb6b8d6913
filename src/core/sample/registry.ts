// Components and streams that a process remembers, so that an upload need not look them up. The memory is never trusted
// by itself: the write gate reports the changes, inside the write's transaction (gate.ts).
import type { Pool, Sql } from '../../base/database/sql.ts'
import { everything, goesOn, nobodyHears } from './gate.ts'
import type { Gate, Heard, KnownMoment } from './gate.ts'
import { LookUps } from './look-ups.ts'
import { countStreams, manyById, mostRows, mostUncounted, readComponents, readNextIds } from './registered.ts'
import type { RegisteredComponent, RegisteredStream } from './registered.ts'
import { WrittenTimes } from './written-times.ts'
import { ByComponentRef, isId } from './ref.ts'
import type { ComponentRef } from './ref.ts'

/** Of all that is remembered. */
const mostBytes = 128 * 2 ** 20

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
      const next = await readNextIds(sql, organizationKey, from, mostAhead)
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
