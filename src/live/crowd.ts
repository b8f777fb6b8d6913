// A crowd: the live listeners of a tenant that has more news than its share of what the hub reads for all. They go on together,
// with a position of their own, a page at a turn; the hub reads without them, so that nobody else waits for their rows. When
// little is missing they wait for the hub, which takes them back between two of its readings.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../base/database/sql.ts'
import { openShares } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import { mostRows, readJournal } from '../core/live/journal.ts'
import type { Page } from '../core/live/journal.ts'
import type { Position } from '../core/live/position.ts'
import { mostTogether, openGiven } from './given.ts'
import { Lap } from './lap.ts'
import type { LapHub } from './lap.ts'
import type { Listener } from './listener.ts'

/** All that crowds need to know of a hub. */
export type CrowdHub = LapHub & {
  readonly world: World
  /** For short readings, which the hub itself waits for. */
  readonly sql: Pool
  readonly position: Position | undefined
  readonly isStopped: boolean
  /** False where what was read is of another history, or rows before it are gone. */
  readonly goesOn: (from: Position, page: Page) => boolean
}

/** Crowds that read at one time, by the connections of calls: each has a page in memory. */
const turns = openShares(2)
const patienceMs = 600_000
const retryMs = 1000

/** One row counts for each channel that hears it: never more than there are listeners (routes.ts), so that one always fits. */
const mostOfPage = 100_000
/**
 * A crowd that has no more than this to read is taken back by the hub: everybody waits for that. So it is given no more
 * meanwhile than is a tenant's share of what is read for all.
 */
const nearRows = 500

/** One page. */
type Step = {
  /** It was a whole lap, and a short one. */
  readonly isNear: boolean
  /** Rows that were given, where all that were read would have been too much. */
  readonly cutAt: number | undefined
}

export class Crowd {
  readonly tenantUid: string
  readonly #hub: CrowdHub
  #position: Position
  #lap: Lap | undefined
  /** Rows of the next page: fewer where many channels hear them. */
  #mostOfNext = mostRows
  #isRunning = false
  #running: Promise<void> = Promise.resolve()
  /** Little is missing: the hub reads that, when it comes to it. */
  #isNear = false
  /** There is no way from its position to the hub's. */
  #isLost = false
  /** The hub has taken its listeners back: it must not touch them any more. */
  #isOver = false

  /** From the first rest of a lap. */
  constructor(hub: CrowdHub, tenantUid: string, lap: Lap) {
    this.#hub = hub
    this.tenantUid = tenantUid
    this.#position = lap.until
    this.#lap = lap
    this.wake()
  }

  /** Its live listeners have everything up to here, or are being given it. */
  get position(): Position {
    return this.#position
  }

  get isLost(): boolean {
    return this.#isLost
  }

  isAt(position: Position | undefined): boolean {
    return this.#lap === undefined && this.#position.text === position?.text
  }

  /** Goes on, if there is a listener to go on for. */
  wake(): void {
    if (!this.#isRunning && this.#mayRun()) this.#running = this.#run()
  }

  /** Resolves when it reads no more. */
  end(): Promise<void> {
    this.#isOver = true
    return this.#running
  }

  /** Where a listener begins that has just come: where the hub is, if nobody would miss what is between. */
  begin(): Position {
    const { position } = this.#hub
    if (position !== undefined && !this.#hasLive()) {
      this.#lap = undefined
      this.#moveTo(position)
    }
    return this.#position
  }

  /** The last page, for which the hub stands still. */
  async comeBack(): Promise<void> {
    if (!this.#isNear) return
    this.#isNear = false
    this.#isRunning = true
    try {
      await this.#step(this.#hub.sql, nearRows, mostTogether)
    } finally {
      this.#isRunning = false
      if (!this.isAt(this.#hub.position)) this.wake()
    }
  }

  lose(): void {
    this.#isLost = true
    this.#isNear = false
    this.#lap = undefined
    for (const listener of this.#listeners()) this.#hub.fallBehind(listener)
  }

  #listeners(): Iterable<Listener> {
    return this.#hub.channels.listenersOf(this.tenantUid)
  }

  #hasLive(): boolean {
    for (const { isLive } of this.#listeners()) if (isLive) return true
    return false
  }

  #mayRun(): boolean {
    return !this.#isNear && !this.#isLost && !this.#isOver && !this.#hub.isStopped
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#mayRun() && this.#hasLive()) {
      try {
        this.#isNear = await this.#takeTurn()
      } catch (error) {
        // The lap is as it was where a page could not be read. Else each listener finds out by itself.
        if (!this.#hub.report(error)) this.#lap?.leaveAll()
        await sleep(retryMs)
      }
    }
    this.#isRunning = false
  }

  async #takeTurn(): Promise<boolean> {
    const turn = turns.open([`tenant ${this.tenantUid}`])
    try {
      // The hub may have taken it back meanwhile.
      if (!(await turn.wait(1, patienceMs)) || !this.#mayRun()) return false
      const { isNear, cutAt } = await this.#step(this.#hub.world.sql, this.#mostOfNext, mostOfPage)
      this.#mostOfNext = cutAt === undefined ? Math.min(2 * this.#mostOfNext, mostRows) : Math.max(1, cutAt)
      return isNear
    } finally {
      turn.give()
    }
  }

  /** Gives one page, or as much of it as is allowed: nobody falls behind because there are many. */
  async #step(sql: Pool, most: number, mostGiven: number): Promise<Step> {
    if (this.#lap?.isEmpty) this.#lap = undefined
    const isNew = this.#lap === undefined
    const lap = (this.#lap ??= this.#nextLap())
    if (lap === undefined) return { isNear: true, cutAt: undefined }
    const { from, until, after } = lap
    const wanted = this.#hub.channels.wantedOf(this.tenantUid)
    const page = await readJournal(sql, { from, until, after, wanted, most })
    if (!this.#hub.goesOn(from, page)) {
      this.lose()
      return { isNear: false, cutAt: undefined }
    }
    const { take, countOf } = openGiven(mostGiven)
    const count = await lap.give(sql, page, { take })
    if (count < page.rows.length) return { isNear: false, cutAt: count }
    if (page.isLast) this.#lap = undefined
    const isShort = count <= nearRows && countOf(this) <= mostTogether
    return { isNear: isNew && page.isLast && isShort, cutAt: undefined }
  }

  /** Undefined where there is nothing new. */
  #nextLap(): Lap | undefined {
    const { position: until } = this.#hub
    if (until === undefined || this.isAt(until)) return undefined
    const lap = new Lap(this.#hub, { from: this.#position, until, after: undefined })
    this.#moveTo(until)
    for (const listener of this.#listeners()) if (listener.isLive) lap.add(listener)
    return lap
  }

  /** Nobody becomes live at the position before. */
  #moveTo(position: Position): void {
    if (this.#position.text === position.text) return
    this.#position = position
    for (const listener of this.#listeners()) if (!listener.isLive) listener.hasMissed = true
  }
}
