// One listener: its connection, and how far it has come. It holds little memory: a text that its client has not read is
// charged to its caller (shares.ts), and where that is too much it gets nothing further until it has been read.
import type { ServerResponse } from 'node:http'
import type { Call } from '../base/http/call.ts'
import { whenGone } from '../base/http/connection.ts'
import type { JournalPlace } from '../core/live/journal.ts'
import type { Position } from '../core/live/position.ts'
import type { Caller } from '../core/caller.ts'
import { openShares } from '../base/shares.ts'
import type { Holders, Holding } from '../base/shares.ts'
import type { Channel, ChannelFacts } from './channel.ts'
import { gradually } from './gradually.ts'
import type { LiveQuery } from './query.ts'
import { heartbeat, joinEvents, namedEvent } from './show.ts'

/** Texts that clients have not read, of all listeners together. */
export const mostUnreadBytes = 48 * 1024 * 1024
/** A listener that has more unread gets nothing further. */
const mostOwnBytes = 64 * 1024
/** Smaller texts are not counted while nothing is unread before them. */
const smallBytes = 4096
/** Within this time a client reads what was sent to it. */
const patienceMs = 20_000
const lingerMs = 5000

const unread = openShares(mostUnreadBytes)
const destroyInTurn = gradually<ServerResponse>((response) => void response.destroy())
const endInTurn = gradually<() => void>((end) => end())

/** Part of the journal, as it is given to listeners that are live. They have everything up to `from`, and the rows up to `after`. */
export type Stretch = {
  readonly from: Position
  readonly until: Position
  readonly after: JournalPlace | undefined
}

/** Why a listener ends: a Fault is one. */
export type Reason = { readonly code: string; readonly message: string }

/** How much of it: all, a part, or none because too much is unread. */
export type Sent = 'done' | 'some' | 'nothing'

export class Listener {
  readonly call: Call
  readonly caller: Caller
  readonly holders: Holders
  readonly query: LiveQuery
  readonly facts: ChannelFacts
  readonly #response: ServerResponse
  readonly #holding: Holding
  readonly #onEnd: () => void
  channel!: Channel<Listener>
  /** It has everything up to here, if it is not live: then it is where the hub is, or the crowd of its tenant. */
  position: Position | undefined
  isLive = false
  /** The stretch that it is being given, if it is live. */
  lap: Stretch | undefined
  /** The one that it was being given when it fell behind: it has a part of it. */
  rest: Stretch | undefined
  /** Something came for it, or may have come, that it has not got. */
  hasMissed = false
  isEnded = false
  /** Whether it is being asked at this moment if it may still listen. */
  isBeingJudged = false
  #doubt: Doubt | undefined
  /** It ends when it is its turn. */
  #isEnding = false
  #isClosed = false
  /** By performance.now(). */
  sentAtMs: number
  /** The same: when the seconds are over that it asked for. */
  endAtMs = Number.POSITIVE_INFINITY

  constructor(
    facts: ChannelFacts,
    query: LiveQuery,
    call: Call,
    holders: Holders,
    response: ServerResponse,
    onEnd: () => void,
  ) {
    this.facts = facts
    this.caller = facts.caller
    this.query = query
    this.call = call
    this.holders = holders
    this.#response = response
    this.#holding = unread.open(holders)
    this.#onEnd = onEnd
    this.sentAtMs = performance.now()
    // A client that has closed only its sending side looks as if it were there until something is sent to it twice.
    const stopWatching = whenGone(call.socket, () => destroyInTurn(response))
    response.once('close', () => {
      stopWatching()
      this.#isClosed = true
      this.#holding.give()
      this.#leave()
    })
    // A client that goes away makes writes fail; the connection's end is what counts.
    response.on('error', () => {})
  }

  /** Set while nobody knows whether it may still listen: it gets no samples until that is known, or it has ended. */
  get doubt(): Promise<void> | undefined {
    return this.#doubt?.over
  }

  beginDoubt(): void {
    if (!this.isEnded) this.#doubt ??= openDoubt()
  }

  endDoubt(): void {
    if (this.#isEnding && !this.isEnded) return
    this.#doubt?.end()
    this.#doubt = undefined
  }

  /** False where too much is unread: then nothing is sent. */
  send(text: Buffer | string): boolean {
    if (this.isEnded) return true
    const waiting = this.#response.writableLength
    if (this.#isFull()) return false
    if (waiting > 0 || text.length > smallBytes) {
      const bytes = Math.min(text.length, mostUnreadBytes / 4)
      if (!this.#holding.take(bytes)) return false
      this.#response.write(text, () => {
        if (!this.#isClosed) this.#holding.give(bytes)
      })
    } else this.#response.write(text)
    this.sentAtMs = performance.now()
    return true
  }

  /** Sends when there is room; false where there is none in time, and the listener is ended. */
  sendPatiently(text: string): Promise<boolean> {
    return this.patiently(() => (this.send(text) ? 'done' : 'nothing'))
  }

  /**
   * Tries until all is sent, each time that its client has read something: what is to be sent is not kept meanwhile, nor read
   * again in vain. False where nothing is read in time, and the listener is ended.
   */
  async patiently(attempt: () => Promise<Sent> | Sent): Promise<boolean> {
    for (let waitedMs = 0; ;) {
      await this.doubt
      const sent = this.isEnded ? 'done' : this.#isFull() ? 'nothing' : await attempt()
      if (sent === 'done') return !this.isEnded
      if (sent === 'some') waitedMs = 0
      if (sent === 'some' && !this.#isFull()) continue
      waitedMs = (await this.#drained()) ? 0 : waitedMs + pauseMs
      if (waitedMs > patienceMs) return this.endSlow()
    }
  }

  /** Too much is unread. */
  #isFull(): boolean {
    return this.#response.writableLength > mostOwnBytes
  }

  /** Waits until something has been read, or a moment. */
  #drained(): Promise<true | undefined> {
    return new Promise((resolve) => {
      const settle = (isRead: true | undefined) => () => {
        clearTimeout(timer)
        this.#response.off('drain', onDrain).off('close', onDrain)
        resolve(isRead)
      }
      const onDrain = settle(true)
      const timer = setTimeout(settle(undefined), pauseMs)
      this.#response.once('drain', onDrain).once('close', onDrain)
    })
  }

  beat(position: Position | undefined): void {
    if (this.#response.writableLength === 0) this.send(heartbeat(this.isLive ? position : undefined))
  }

  endSlow(): false {
    this.end({ code: 'too_slow', message: 'the listener reads too slowly: come back with the last id' })
    return false
  }

  /** Where many may end in one moment: it gets nothing further, and ends when it is its turn. */
  endInTurn(reason: Reason): void {
    if (this.isEnded || this.#isEnding) return
    this.#isEnding = true
    this.beginDoubt()
    endInTurn(() => this.end(reason))
  }

  /** The reason is the last event. */
  end({ code, message }: Reason): void {
    if (this.isEnded) return
    const response = this.#response
    response.end(joinEvents([namedEvent('end', { code, message })], undefined))
    const timer = setTimeout(() => response.destroy(), lingerMs).unref()
    response.once('close', () => clearTimeout(timer))
    this.#leave()
  }

  #leave(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.endDoubt()
    this.#onEnd()
  }
}

const pauseMs = 1000

type Doubt = { readonly over: Promise<void>; readonly end: () => void }

const openDoubt = (): Doubt => {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over, end }
}
