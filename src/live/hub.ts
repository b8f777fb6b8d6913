// All listeners of a process. A few times a second it reads what was committed since it last looked, once for all of
// them, and gives to each what it hears (docs/live.md). Without listeners it asks nothing.
//
// A listener is live when it has everything up to the hub's position. One that has just come, or that reads slower than
// samples come, is not: it reads the journal by itself (catch-up.ts) until nothing is missing. So does one of which it
// takes long to know whether it may still listen: nobody waits for the look-ups of others' credentials.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../base/errors.ts'
import { faultFromSql } from '../base/database/sql.ts'
import type { Pool } from '../base/database/sql.ts'
import { openBreath } from '../base/slices.ts'
import type { World } from '../base/world.ts'
import { readHeardStreams } from '../core/live/heard-stream.ts'
import { prolongEveryMs, prolongInterests } from '../core/live/interest.ts'
import { readJournal } from '../core/live/journal.ts'
import type { JournalRow, Page } from '../core/live/journal.ts'
import { isAtOrAfter, positionFrom } from '../core/live/position.ts'
import type { Position } from '../core/live/position.ts'
import { Channels } from './channel.ts'
import type { Channel } from './channel.ts'
import { openGiven } from './given.ts'
import { endOfGone, endOfGoneFolders } from './gone.ts'
import type { Listener } from './listener.ts'
import { eventMaker, joinEvents } from './show.ts'
import type { EventText, ShowSamples } from './show.ts'

export type HubOptions = {
  readonly world: World
  /** For its own readings, short ones, which must not wait for anybody's long ones. */
  readonly sql: Pool
  readonly showSamples: ShowSamples
  /** Undefined: what is remembered of credentials is right. Else a promise to await first, one for all listeners. */
  readonly settle: () => Promise<void> | undefined
}

const pollEveryMs = 200
const lookEveryMs = 1000
const beatEveryMs = 15_000
const retryMs = 1000
/** All wait so long for the look-ups of credentials that were forgotten: most take less, and then nobody falls behind. */
const judgedWithinMs = 100

/** Before everything. */
const nowhere = positionFrom('1:1:')!

const stopping = { code: 'stopping', message: 'the server is stopping: come back with the last id' }

export class Hub {
  readonly sql: Pool
  readonly world: World
  readonly showSamples: ShowSamples
  readonly #settle: HubOptions['settle']
  readonly channels = new Channels<Listener>()
  readonly #listeners = new Set<Listener>()
  /** Called for a listener that is not live any more. */
  readonly #onBehind: (listener: Listener) => void
  #position: Position | undefined
  #trimmed: Position = nowhere
  #history: string | undefined
  #catalogSerial: number | undefined
  #catalogAtMs = Number.NEGATIVE_INFINITY
  /** Of organizations with listeners: since when the journal has everything. */
  readonly #since = new Map<number, Position>()
  #running: Promise<void> | undefined
  #isStopped = false
  #prolongedAtMs = Number.NEGATIVE_INFINITY
  #lookedAtMs = Number.NEGATIVE_INFINITY
  /** Waiting for the next reading. */
  #readings: (() => void)[] = []
  #wake: () => void = () => {}

  constructor({ world, sql, showSamples, settle }: HubOptions, onBehind: (listener: Listener) => void) {
    this.world = world
    this.sql = sql
    this.showSamples = showSamples
    this.#settle = settle
    this.#onBehind = onBehind
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Known after the first reading. */
  get position(): Position | undefined {
    return this.#position
  }

  /** Whether the journal has everything since then. */
  hasSince(organizationKey: number, position: Position): boolean {
    const since = this.#since.get(organizationKey)
    return since !== undefined && isAtOrAfter(position, since) && isAtOrAfter(position, this.#trimmed)
  }

  /** Whether writers know that somebody listens, and this server keeps it so. */
  isHeard(organizationKey: number): boolean {
    return this.#since.has(organizationKey)
  }

  noteSince(organizationKey: number, since: Position): void {
    this.#since.set(organizationKey, since)
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
    await this.#run()
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
    for (const listener of this.#listeners) listener.end(stopping)
    this.#settleReadings()
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#listeners.size > 0 && !this.#isStopped) {
      try {
        await this.#prolong()
        await this.#look()
        if (await this.#read()) continue
        await this.#pause()
      } catch (error) {
        // The request path reports a database that is away; listeners wait for it.
        const cause = faultFromSql(error)
        if (!(cause instanceof Fault)) this.world.log.error({ err: cause }, 'live feeds could not be read')
        await sleep(retryMs)
      }
    }
    this.#settleReadings()
  }

  /** Shorter when somebody waits for the next reading. */
  async #pause(): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    if (this.#readings.length === 0) await sleep(pollEveryMs, undefined, { signal: waking.signal }).catch(() => {})
    this.#wake = () => {}
  }

  #settleReadings(): void {
    for (const resolve of this.#readings.splice(0)) resolve()
  }

  /** Reads what is new; true: something was. */
  async #read(): Promise<boolean> {
    const waiting = this.#readings.splice(0)
    const from = this.#position
    try {
      const wanted = from === undefined ? { componentKeys: [], organizationKeys: [] } : this.channels.wanted()
      const page = await readJournal(this.sql, { from: from ?? nowhere, wanted })
      this.#trimmed = page.trimmed
      const hasGoneOn = (this.#history ??= page.history) === page.history
      this.#history = page.history
      if (!hasGoneOn) {
        // Positions and serials mean nothing in another history: all listeners begin anew.
        this.#since.clear()
        this.#catalogSerial = undefined
      }
      await this.#lookAtCatalog(page.catalogSerial)
      if (from !== undefined && (!hasGoneOn || !isAtOrAfter(from, page.trimmed))) this.#restart(page.position)
      else if (from === undefined || page.rows.length === 0) this.#position = page.position
      else await this.#deliver(from, page, wanted)
      return from !== undefined && page.rows.length > 0
    } finally {
      for (const resolve of waiting) resolve()
    }
  }

  /** The process stood still for so long that rows are gone that it has not read. */
  #restart(position: Position): void {
    for (const listener of this.#listeners) this.#fallBehind(listener, this.#position)
    this.#position = position
  }

  #fallBehind(listener: Listener, position: Position | undefined): void {
    listener.hasMissed = true
    if (!listener.isLive) return
    listener.isLive = false
    listener.position = position
    this.#onBehind(listener)
  }

  async #deliver(from: Position, first: Page, wanted: ReturnType<Channels<Listener>['wanted']>): Promise<void> {
    const until = first.position
    // From here on nobody becomes live at the position before.
    this.#position = until
    const live = new Map<Channel<Listener>, Listener[]>()
    for (const listener of this.#listeners) {
      if (!listener.isLive) listener.hasMissed = true
      else if (listener.doubt) this.#fallBehind(listener, from)
      else if (live.get(listener.channel)?.push(listener) === undefined) live.set(listener.channel, [listener])
    }
    try {
      for (let page = first; ;) {
        await this.#deliverPage(from, page.isLast ? until : undefined, page.rows, live)
        if (page.isLast || this.#isStopped) return
        page = await readJournal(this.sql, { from, until, after: page.rows.at(-1), wanted })
      }
    } catch (error) {
      // Nobody knows who has got how much: all of them go on from where they were.
      for (const listeners of live.values()) for (const listener of listeners) this.#fallBehind(listener, from)
      throw error
    }
  }

  async #deliverPage(
    from: Position,
    id: Position | undefined,
    rows: readonly JournalRow[],
    live: Map<Channel<Listener>, readonly Listener[]>,
  ): Promise<void> {
    const needsUnits = [...live.keys()].some(({ show }) => show.formatted || show.unit)
    const streams = await readHeardStreams(this.sql, [...new Set(rows.map(({ streamKey }) => streamKey))], needsUnits)
    const makeEvent = await eventMaker(this.sql, this.showSamples, rows, streams)
    const breathe = openBreath(() => {})
    const heard = new Map<Channel<Listener>, JournalRow[]>()
    const given = openGiven()
    for (const row of rows) {
      const stream = streams.get(row.streamKey)
      if (stream === undefined) continue
      for (const channel of this.channels.hearing(stream)) {
        if (!live.has(channel)) continue
        const own = heard.get(channel)
        if (own?.at(-1) === row) continue
        if (!given.take(channel)) {
          for (const listener of live.get(channel)!) this.#fallBehind(listener, from)
          live.delete(channel)
          heard.delete(channel)
          continue
        }
        if (own === undefined) heard.set(channel, [row])
        else own.push(row)
      }
      await breathe()
    }
    for (const [channel, own] of heard) {
      const events: EventText[] = []
      for (const row of own) {
        events.push(makeEvent(row, channel))
        await breathe()
      }
      const text = Buffer.from(joinEvents(events, id))
      for (const listener of live.get(channel)!) {
        if (listener.isLive && !listener.isEnded && !listener.send(text)) this.#fallBehind(listener, from)
        await breathe()
      }
    }
  }

  /** Streams and components that are listened to may be gone. */
  async #lookAtCatalog(serial: number): Promise<void> {
    const nowMs = performance.now()
    // New streams of a fleet change it all the time.
    if (this.#catalogSerial === serial || nowMs - this.#catalogAtMs < lookEveryMs) return
    this.#catalogAtMs = nowMs
    await endOfGone(this.sql, this.channels)
    this.#catalogSerial = serial
  }

  async #prolong(): Promise<void> {
    if (performance.now() - this.#prolongedAtMs < prolongEveryMs) return
    this.#prolongedAtMs = performance.now()
    if (this.#since.size === 0) return
    const prolonged = await prolongInterests(this.sql, [...this.#since.keys()])
    const withListeners = new Set(Array.from(this.#listeners, ({ caller }) => caller.organizationKey))
    for (const [organizationKey, since] of this.#since) {
      const now = prolonged.get(organizationKey)
      if (now?.text === since.text) continue
      // Nobody prolonged it for too long, and writers stopped writing the journal.
      this.#since.delete(organizationKey)
      if (withListeners.has(organizationKey))
        for (const listener of this.#listeners)
          if (listener.caller.organizationKey === organizationKey) this.#fallBehind(listener, this.#position)
    }
    for (const organizationKey of this.#since.keys())
      if (!withListeners.has(organizationKey)) this.#since.delete(organizationKey)
  }

  /** Once a second: whether listeners may still listen, and that they are still there. */
  async #look(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs < lookEveryMs) return
    this.#lookedAtMs = nowMs
    await endOfGoneFolders(this.sql, this.channels)
    // Where it fails, none of them can be judged.
    await this.#settle()?.catch(() => {})
    let looked = 0
    const judging: Promise<void>[] = []
    for (const listener of this.#listeners) {
      if (!listener.isBeingJudged) judging.push(this.#judge(listener))
      if (nowMs >= listener.endAtMs)
        listener.end({ code: 'time_is_up', message: 'the seconds that were asked for are over' })
      else if (nowMs - listener.sentAtMs >= beatEveryMs) listener.beat(this.#position)
      looked += 1
      if (looked % 500 === 0) await setImmediate()
    }
    await Promise.race([Promise.all(judging), sleep(judgedWithinMs)])
  }

  /** Ends one that may listen no longer. Where that cannot be known it is in doubt until the next look. Never fails. */
  async #judge(listener: Listener): Promise<void> {
    try {
      const judging = listener.call.judgeAgain?.()
      if (judging) {
        listener.isBeingJudged = true
        listener.beginDoubt()
        await judging
      }
      listener.endDoubt()
    } catch (error) {
      const fault = faultFromSql(error)
      if (fault instanceof Fault && fault.status < 500) listener.end(fault)
      else listener.beginDoubt()
    } finally {
      listener.isBeingJudged = false
    }
  }
}
