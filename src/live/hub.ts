// All listeners of a process. A few times a second it reads what was committed since it last looked, once for all of
// them, and gives to each what it hears (docs/live.md). Without listeners it asks nothing.
//
// A tenant with more news than its share goes on beside it (crowd.ts). Whether listeners may still listen is looked at beside
// both: nobody waits for the rows of another.
//
// A listener is live when it has everything up to the hub's position, or its crowd's. One that has just come, or that reads slower than
// samples come, is not: it reads the journal by itself (catch-up.ts) until nothing is missing. So does one of which it
// takes long to know whether it may still listen: nobody waits for the look-ups of others' credentials.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../base/errors.ts'
import { untilLasting } from '../base/database/lasting.ts'
import { faultFromSql } from '../base/database/sql.ts'
import type { Pool } from '../base/database/sql.ts'
import type { Holders } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { openInterest, prolongEveryMs, prolongInterests } from '../core/live/interest.ts'
import { readJournal } from '../core/live/journal.ts'
import type { Page, Wanted } from '../core/live/journal.ts'
import { isAtOrAfter, positionFrom } from '../core/live/position.ts'
import type { Position } from '../core/live/position.ts'
import { Channels } from './channel.ts'
import { Crowd } from './crowd.ts'
import { mostTogether, openGiven } from './given.ts'
import { endOfGone, endOfGoneFolders } from './gone.ts'
import { gradually } from './gradually.ts'
import { Lap } from './lap.ts'
import { openLook } from './look.ts'
import type { Look, Settle } from './look.ts'
import type { Listener, Stretch } from './listener.ts'
import type { ShowSamples } from './show.ts'

export type HubOptions = {
  readonly world: World
  /** For its own readings, short ones, which must not wait for anybody's long ones. */
  readonly sql: Pool
  readonly showSamples: ShowSamples
  readonly settle: Settle
}

const pollEveryMs = 200
const lookEveryMs = 1000
const retryMs = 1000

/**
 * A share of its own: in that of the listener who came first the others would wait for all that this one has under way. By tenants, who
 * take turns: those of one with thousands of organizations would all come before another's.
 */
const tellersOf = ({ tenantUid, organizationKey }: Caller): Holders => [
  `live of ${tenantUid}`,
  `live ${organizationKey}`,
]

/** Before everything. */
const nowhere = positionFrom('1:1:')!

const stopping = { code: 'stopping', message: 'the server is stopping: come back with the last id' }

export class Hub {
  readonly sql: Pool
  readonly world: World
  readonly showSamples: ShowSamples
  readonly #look: Look
  readonly channels = new Channels<Listener>()
  readonly #listeners = new Set<Listener>()
  /** By tenant: those that are not where the hub is. */
  readonly #crowds = new Map<string, Crowd>()
  /** Called for a listener that is not live any more. */
  readonly #onBehind: (listener: Listener) => void
  #position: Position | undefined
  #trimmed: Position = nowhere
  #history: string | undefined
  /** Of the last reading, and of the last look at what is gone. */
  #catalogSerial: number | undefined
  #lookedSerial: number | undefined
  /** Of organizations with listeners: since when the journal has everything. */
  readonly #since = new Map<number, Position>()
  /** Of those that writers are being told of. */
  readonly #telling = new Map<number, Promise<void>>()
  #running: Promise<void> | undefined
  #isStopped = false
  /** Waiting for the next reading. */
  #readings: (() => void)[] = []
  #wake: () => void = () => {}

  constructor({ world, sql, showSamples, settle }: HubOptions, onBehind: (listener: Listener) => void) {
    this.world = world
    this.sql = sql
    this.showSamples = showSamples
    this.#look = openLook(this.#listeners, settle, (listener) => this.positionOf(listener))
    this.#onBehind = onBehind
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Known after the first reading. */
  get position(): Position | undefined {
    return this.#position
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  judging = (): Promise<void> | undefined => this.#look.underWay()

  /** Where the listener is if it is live. */
  positionOf({ channel }: Listener): Position | undefined {
    return this.#crowds.get(channel.tenantUid)?.position ?? this.#position
  }

  /** Where the listener begins that has just come. */
  beginningOf({ channel }: Listener): Position | undefined {
    return this.#crowds.get(channel.tenantUid)?.begin() ?? this.#position
  }

  /** The listener has everything up to there. */
  setLive(listener: Listener): void {
    listener.isLive = true
    this.#crowds.get(listener.channel.tenantUid)?.wake()
  }

  /** Whether the journal has everything since then. A position of another history says nothing, however late it is asked for. */
  hasSince(organizationKey: number, position: Position): boolean {
    const since = this.#since.get(organizationKey)
    return (
      since !== undefined &&
      position.history === this.#position?.history &&
      isAtOrAfter(position, since) &&
      isAtOrAfter(position, this.#trimmed)
    )
  }

  /** The same of a position that a client names: it may be invented. */
  mayGoOnAt(organizationKey: number, named: Position): boolean {
    const here = this.#position
    return here !== undefined && isAtOrAfter(here, named) && this.hasSince(organizationKey, named)
  }

  /** Whether writers know that somebody listens, and this server keeps it so. */
  isHeard(organizationKey: number): boolean {
    return this.#since.has(organizationKey)
  }

  /** Tells writers of the listener: one for thousands that come together. Where that one fails the others have not been told. */
  tell({ caller }: Listener): Promise<void> {
    const { organizationKey } = caller
    const known = this.#telling.get(organizationKey)
    if (known) return known.catch(() => {})
    const isWanted = () => this.channels.tenantOf(organizationKey) !== undefined
    const telling = openInterest(this.world.sql, tellersOf(caller), organizationKey, isWanted)
      .then((since) => {
        if (since && isWanted()) this.#since.set(organizationKey, since)
      })
      .finally(() => this.#telling.delete(organizationKey))
    this.#telling.set(organizationKey, telling)
    return telling
  }

  add(listener: Listener): void {
    this.#listeners.add(listener)
    listener.channel = this.channels.add(listener.facts, listener)
    // It came by a connection that it had, or what it hears was looked up meanwhile. It is not refused: browsers that are do
    // not come back.
    if (this.#isStopped) listener.end(stopping)
    else this.#running ??= this.#start()
  }

  async #start(): Promise<void> {
    const ending = new AbortController()
    const beside = [
      this.#repeat(lookEveryMs, ending.signal, this.#look.once),
      this.#repeat(lookEveryMs, ending.signal, () => this.#lookAtCatalog()),
      this.#repeat(lookEveryMs, ending.signal, () => endOfGoneFolders(this.sql, this.channels)),
      this.#repeat(prolongEveryMs, ending.signal, () => this.#prolong()),
    ]
    await this.#run()
    ending.abort()
    await Promise.all([...beside, ...Array.from(this.#crowds.values(), (crowd) => crowd.end())])
    for (const tenantUid of this.#crowds.keys()) this.channels.takeBack(tenantUid)
    this.#crowds.clear()
    this.#position = undefined
    this.#since.clear()
    // One may have come in the last moment.
    this.#running = this.#listeners.size > 0 && !this.#isStopped ? this.#start() : undefined
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener)
    this.channels.remove(listener.channel, listener)
  }

  /** Resolves after a reading that began after this. */
  async nextReading(): Promise<void> {
    this.#wake()
    await new Promise<void>((resolve) => this.#readings.push(resolve))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const listener of this.#listeners) listener.endInTurn(stopping)
    this.#settleReadings()
    this.#wake()
    await this.#running
    while (this.#listeners.size > 0) await setImmediate()
  }

  async #run(): Promise<void> {
    while (this.#listeners.size > 0 && !this.#isStopped) {
      try {
        await this.#takeBack()
        if (await this.#read()) continue
        await this.#pause()
      } catch (error) {
        this.report(error)
        await sleep(retryMs)
      }
    }
    this.#settleReadings()
  }

  /** Beside the readings: nobody's rights wait for anybody's rows. */
  async #repeat(everyMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch(this.report)
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }

  /** The request path reports a database that is away; listeners wait for it. True where it is that. */
  report = (error: unknown): boolean => {
    const cause = faultFromSql(error)
    if (cause instanceof Fault) return true
    this.world.log.error({ err: cause }, 'live feeds could not be read')
    return false
  }

  /** Shorter when somebody waits for the next reading. */
  async #pause(): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    if (this.#readings.length === 0) await sleep(pollEveryMs, undefined, { signal: waking.signal }).catch(() => {})
    this.#wake = () => {}
  }

  #settleReadings(): void {
    for (const resolve of this.#readings.splice(0)) settleInTurn(resolve)
  }

  /** Crowds that have come to where the hub is; only here, because a reading that is under way leaves them out. */
  async #takeBack(): Promise<void> {
    for (const crowd of this.#crowds.values()) {
      await crowd.comeBack()
      const { tenantUid } = crowd
      if (crowd.isLost) for (const listener of this.channels.listenersOf(tenantUid)) this.fallBehind(listener)
      else if (!crowd.isAt(this.#position) && this.channels.hasTenant(tenantUid)) continue
      void crowd.end()
      this.#crowds.delete(tenantUid)
      this.channels.takeBack(tenantUid)
    }
  }

  /** Reads what is new; true: something was. */
  async #read(): Promise<boolean> {
    const waiting = this.#readings.splice(0)
    const from = this.#position
    try {
      const wanted = from === undefined ? { componentKeys: [], organizationKeys: [] } : this.channels.wanted()
      const page = await this.#readLasting(from ?? nowhere, wanted)
      this.#trimmed = page.trimmed
      const isSame = (this.#history ??= page.history) === page.history
      this.#history = page.history
      // Positions go back where files of an earlier moment are put back.
      const hasGoneOn = isSame && (from === undefined || isAtOrAfter(page.position, from))
      if (!hasGoneOn) {
        // Positions and serials mean nothing in another history: all listeners begin anew.
        this.#since.clear()
        this.#lookedSerial = undefined
      }
      this.#catalogSerial = page.catalogSerial
      if (from !== undefined && (!hasGoneOn || !isAtOrAfter(from, page.trimmed))) this.#restart(page.position)
      else if (from === undefined || page.rows.length === 0) this.#position = page.position
      else await this.#deliver(from, page)
      return from !== undefined && page.rows.length > 0
    } finally {
      for (const resolve of waiting) settleInTurn(resolve)
    }
  }

  async #readLasting(from: Position, wanted: Wanted): Promise<Page> {
    for (;;) {
      const page = await readJournal(this.sql, { from, wanted })
      if (await untilLasting(this.sql, page)) return page
    }
  }

  goesOn(from: Position, { history, trimmed }: Page): boolean {
    if (isAtOrAfter(trimmed, this.#trimmed)) this.#trimmed = trimmed
    return history === this.#history && isAtOrAfter(from, trimmed)
  }

  /** The process stood still for so long that rows are gone that it has not read. */
  #restart(position: Position): void {
    for (const crowd of this.#crowds.values()) crowd.lose()
    for (const listener of this.#listeners) this.fallBehind(listener)
    this.#position = position
  }

  fallBehind = (listener: Listener): void => {
    listener.hasMissed = true
    if (!listener.isLive) return
    listener.isLive = false
    listener.position = listener.lap?.from ?? this.positionOf(listener)
    listener.rest = listener.lap && stretchOf(listener.lap)
    listener.lap = undefined
    this.#onBehind(listener)
  }

  async #deliver(from: Position, first: Page): Promise<void> {
    const lap = this.#nextLap(from, first)
    const given = openGiven(mostTogether)
    const part = ({ tenantUid }: { readonly tenantUid: string }) => this.#part(tenantUid, lap)
    try {
      for (let page = first; ;) {
        for (const tenantUid of this.#tenantsOf(page)) if (!given.take({ tenantUid })) part({ tenantUid })
        await lap.give(this.sql, page, { take: given.take, part })
        if (page.isLast || this.#isStopped) return
        const { until, after } = lap
        page = await readJournal(this.sql, { from, until, after, wanted: this.channels.wanted() })
      }
    } catch (error) {
      // All of them go on by themselves, behind the last page that was given.
      lap.leaveAll()
      throw error
    }
  }

  /** The tenant of each row. */
  *#tenantsOf({ rows }: Page): Generator<string> {
    for (const { organizationKey } of rows) {
      const tenantUid = this.channels.tenantOf(organizationKey)
      if (tenantUid !== undefined) yield tenantUid
    }
  }

  #nextLap(from: Position, page: Page): Lap {
    const lap = new Lap(this, { from, until: page.position, after: undefined })
    const organizations = new Set(page.rows.map(({ organizationKey }) => organizationKey))
    // From here on nobody becomes live at the position before, except where nothing came for the organization.
    this.#position = page.position
    for (const listener of this.#listeners) {
      const { tenantUid, organizationKey } = listener.channel
      if (this.#crowds.has(tenantUid)) continue
      if (listener.isLive) lap.add(listener)
      else if (organizations.has(organizationKey) || !page.isLast) listener.hasMissed = true
    }
    return lap
  }

  /** The tenant has had its share of the lap: its listeners go on by themselves, together. */
  #part(tenantUid: string, lap: Lap): void {
    if (this.#crowds.has(tenantUid)) return
    this.channels.setApart(tenantUid)
    this.#crowds.set(tenantUid, new Crowd(this, tenantUid, lap.split(tenantUid)))
  }

  /** Streams and components that are listened to may be gone. New streams of a fleet change the catalogue all the time. */
  async #lookAtCatalog(): Promise<void> {
    const serial = this.#catalogSerial
    if (serial === this.#lookedSerial) return
    await endOfGone(this.sql, this.channels)
    this.#lookedSerial = serial
  }

  async #prolong(): Promise<void> {
    const before = [...this.#since]
    if (before.length === 0) return
    const prolonged = await prolongInterests(
      this.sql,
      before.map(([organizationKey]) => organizationKey),
    )
    const withListeners = new Set(Array.from(this.#listeners, ({ caller }) => caller.organizationKey))
    for (const [organizationKey, since] of before) {
      if (withListeners.has(organizationKey) && prolonged.get(organizationKey)?.text === since.text) continue
      if (this.#since.get(organizationKey) === since) this.#since.delete(organizationKey)
      // Nobody prolonged it for too long, and writers stopped writing the journal.
      if (withListeners.has(organizationKey))
        for (const listener of this.#listeners)
          if (listener.caller.organizationKey === organizationKey) this.fallBehind(listener)
    }
  }
}

/** Thousands may wait for one reading, and each has something to ask or to send behind it. */
const settleInTurn = gradually<() => void>((resolve) => resolve())

/** As it is now. */
const stretchOf = ({ from, until, after }: Stretch): Stretch => ({ from, until, after })
