// A lap: what was committed between two positions, given page by page to the listeners that were live at the first of them.
// Events are made once for all of them. One that cannot take a page leaves the lap, and goes on by itself behind the page before.
import type { Sql } from '../base/database/sql.ts'
import { openBreath } from '../base/slices.ts'
import { readHeardStreams } from '../core/live/heard-stream.ts'
import type { JournalPlace, JournalRow, Page } from '../core/live/journal.ts'
import type { Position } from '../core/live/position.ts'
import type { Channel, Channels } from './channel.ts'
import type { Listener, Stretch } from './listener.ts'
import { eventMaker, joinEvents } from './show.ts'
import type { EventText, ShowSamples, Streams } from './show.ts'

/** All that laps need to know of a hub. */
export type LapHub = {
  readonly channels: Channels<Listener>
  readonly showSamples: ShowSamples
  /** Whether listeners may still listen is being looked at: it is over soon. */
  readonly judging: () => Promise<void> | undefined
  readonly fallBehind: (listener: Listener) => void
  /** True where the database is away. */
  readonly report: (error: unknown) => boolean
}

/** The part of a page that is given. */
export type Share = {
  /** Counts a row for so many channels of one tenant; false when that is too much. */
  readonly take: (tenant: Tenant, channels: number) => boolean
  /** The tenant leaves the lap. Without this the page ends before the row: all get as much of it. */
  readonly part?: (tenant: Tenant) => void
}

type Tenant = Pick<Channel<Listener>, 'tenantUid'>

type Heard = {
  readonly byChannel: ReadonlyMap<Channel<Listener>, readonly JournalRow[]>
  /** Rows of the page, from the first on, that are given. */
  readonly count: number
}

export class Lap implements Stretch {
  readonly from: Position
  readonly until: Position
  /** The last row of the last page that was given. */
  after: JournalPlace | undefined
  readonly #hub: LapHub
  readonly #live = new Map<Channel<Listener>, Listener[]>()

  constructor(hub: LapHub, { from, until, after }: Stretch) {
    this.#hub = hub
    this.from = from
    this.until = until
    this.after = after
  }

  add(listener: Listener): void {
    listener.lap = this
    const others = this.#live.get(listener.channel)
    if (others === undefined) this.#live.set(listener.channel, [listener])
    else others.push(listener)
  }

  *listeners(): Generator<Listener> {
    for (const all of this.#live.values()) for (const listener of all) if (this.#has(listener)) yield listener
  }

  get isEmpty(): boolean {
    return this.listeners().next().done === true
  }

  /** The rest of the lap for the listeners of one tenant, who leave this one. */
  split(tenantUid: string): Lap {
    const lap = new Lap(this.#hub, this)
    for (const [channel, listeners] of this.#live) {
      if (channel.tenantUid !== tenantUid) continue
      for (const listener of listeners) if (this.#has(listener)) lap.add(listener)
      this.#live.delete(channel)
    }
    return lap
  }

  /** Listeners of the channel go on by themselves. */
  leave(channel: Channel<Listener>): void {
    for (const listener of this.#live.get(channel) ?? []) if (this.#has(listener)) this.#hub.fallBehind(listener)
    this.#live.delete(channel)
  }

  leaveAll(): void {
    for (const channel of this.#live.keys()) this.leave(channel)
  }

  /** Gives the page, or the first rows of it where all would be too much. Returns their number. */
  async give(sql: Sql, page: Page, share: Share): Promise<number> {
    const needsUnits = [...this.#live.keys()].some(({ show }) => show.formatted || show.unit)
    const streamKeys = new Set(page.rows.map(({ streamKey }) => streamKey))
    const streams = await readHeardStreams(sql, [...streamKeys], needsUnits)
    const { byChannel, count } = await this.#heard(page.rows, streams, share)
    const isLast = page.isLast && count === page.rows.length
    const rowsHeard = [...new Set([...byChannel.values()].flat())]
    const makeEvent = await eventMaker(sql, this.#hub.showSamples, rowsHeard, streams)
    await this.#hub.judging()
    const breathe = openBreath(() => {})
    for (const [channel, rows] of byChannel) {
      const events: EventText[] = []
      try {
        for (const row of rows) {
          events.push(makeEvent(row, channel))
          await breathe()
        }
      } catch (error) {
        // The others have nothing to do with it, and must not get the page again.
        this.#hub.report(error)
        this.leave(channel)
        continue
      }
      await this.#send(channel, joinEvents(events, isLast ? this.until : undefined))
    }
    this.after = page.rows[count - 1] ?? this.after
    if (isLast) for (const listener of this.listeners()) listener.lap = undefined
    return count
  }

  async #heard(rows: readonly JournalRow[], streams: Streams, share: Share): Promise<Heard> {
    const breathe = openBreath(() => {})
    const byChannel = new Map<Channel<Listener>, JournalRow[]>()
    const isLive = (channel: Channel<Listener>) => this.#live.has(channel)
    let count = 0
    for (const row of rows) {
      const stream = streams.get(row.streamKey)
      const channels = stream && this.#hub.channels.hearing(stream, isLive)
      // All that hear a row are of one tenant.
      const [first] = channels ?? []
      if (channels === undefined || first === undefined || share.take(first, channels.size)) {
        for (const channel of channels ?? []) {
          const own = byChannel.get(channel)
          if (own === undefined) byChannel.set(channel, [row])
          else own.push(row)
        }
      } else if (share.part) share.part(first)
      else break
      count += 1
      await breathe()
    }
    for (const channel of byChannel.keys()) if (!isLive(channel)) byChannel.delete(channel)
    return { byChannel, count }
  }

  async #send(channel: Channel<Listener>, text: string): Promise<void> {
    const breathe = openBreath(() => {})
    const bytes = Buffer.from(text)
    for (const listener of this.#live.get(channel) ?? []) {
      if (listener.doubt) await this.#hub.judging()
      if (this.#has(listener) && (listener.doubt || !listener.send(bytes))) this.#hub.fallBehind(listener)
      await breathe()
    }
  }

  /** One that fell behind may be live again, elsewhere in the journal. */
  #has(listener: Listener): boolean {
    return listener.lap === this && !listener.isEnded
  }
}
