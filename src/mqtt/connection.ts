// One MQTT connection (docs/mqtt.md): CONNECT shows the key, every PUBLISH is a PUT /feed and is acknowledged after its
// commit. Messages of one topic are stored one after the other; of several topics some are under way at once, and all are
// acknowledged in the order in which they came (MQTT 5, 4.6).
//
// Nothing is read while its messages are under way or its answers are unread, and all that it holds is charged to its
// caller: a client can slow down nobody but itself.
import type { Socket } from 'node:net'
import { Fault } from '../base/errors.ts'
import type { Holders, Holding } from '../base/shares.ts'
import { addressWeight, uploadWeight, weights } from '../base/turns.ts'
import type { Turns } from '../base/turns.ts'
import {
  acknowledgement,
  connackAccepted,
  connackRefused,
  disconnect,
  keepaliveOf,
  negativeAcknowledgement,
  pingresp,
  suback,
  unsuback,
} from './answer.ts'
import type { Client, Limits, Refusal } from './answer.ts'
import { FrameError, Framer } from './frame.ts'
import { readPacket } from './packet.ts'
import type { Connect, Packet, Publish, Will } from './packet.ts'
import { openPatience } from './patience.ts'
import type { Place } from './places.ts'
import type { Session, Sessions } from './sessions.ts'
import { uploadFrom } from './topic.ts'
import type { Upload } from './topic.ts'

/** The holders of a good key, or why it is none. */
export type Admission = { readonly holders: Holders } | { readonly refusal: Refusal }

export type Uploads = {
  readonly connect: (key: string, socket: Socket) => Promise<Admission>
  readonly put: (key: string, upload: Upload, socket: Socket) => Promise<Refusal | undefined>
  /** Places of messages under way, beside the one that each connection has. */
  readonly openFurther: (holders: Holders) => Holding
  /** Reads what has come when it is the caller's turn (base/turns.ts). */
  readonly begin: Turns['begin']
  readonly sessions: Sessions
  readonly onFailure: (error: unknown) => void
}

const limits: Limits = { mostPacketBytes: 1024 * 1024, mostUnderWay: 32, mostKeepalive: 3600 }
/** A will has 64 KiB at most, like names and keys; the longest is refused. */
const mostConnectBytes = 128 * 1024
const connectKind = 0x10
/** Messages of one connection under way at once have no more bytes, but for the last. */
const mostUnderWayBytes = 256 * 1024
/** Messages of QoS 2 whose release has not come. */
const mostUnreleased = 1000
/** Memory of the number of one. */
const bytesOfUnreleased = 48
/** To read a longer message, which may be parameters, is more than a part of reading packets: it has a turn of its own, before that of its upload. */
const longBytes = 1024
/** Then it is somebody else's turn. */
const packetsAtOnce = 100
const bytesAtOnce = 64 * 1024

/** Until CONNECT has come. */
const stranger: Client = { version: 4, wantsReasons: true, mostPacketBytes: Number.POSITIVE_INFINITY }

export class Connection {
  readonly #socket: Socket
  readonly #place: Place
  readonly #uploads: Uploads
  readonly #openRoom: (holders: Holders) => Holding
  readonly #patience: ReturnType<typeof openPatience>
  /** Of the caller, once that is known. */
  #holders: Holders
  /** For all bytes that it holds. */
  #room: Holding
  readonly #framer = new Framer()
  #client = stranger
  /** The key, once it is known to be good. */
  #key: string | undefined
  #will: Will | undefined
  #session: Session | undefined
  #isConnecting = false
  /** Its memory is its caller's. */
  #isKnown = false
  /** Nothing further is read. */
  #isLeaving = false
  /** The client has closed its side: it leaves when all that has come is read. */
  #hasEnded = false
  /** Waits for its turn to read what has come. */
  #isYielding = false
  /** Bytes that came, until its turn: the copy that the framer makes is part of the work. */
  #arrived: Buffer[] = []
  #arrivedBytes = 0
  /** Pings that are not answered yet. */
  #pings = 0
  /** The last message of each topic that is under way. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  #underWayCount = 0
  #underWayBytes = 0
  /** The places of all messages under way but one, and of the next. */
  #further: Holding | undefined
  #connectBytes = 0
  #acknowledging: Promise<void> = Promise.resolve()
  /** All that had come is stored, and the will. */
  #settling: Promise<void> | undefined
  /** Their outcomes by their numbers. */
  readonly #unreleased = new Map<number, Promise<Refusal | undefined>>()
  /** Resolves when its socket is closed and all that had come is stored. */
  readonly ended: Promise<void>

  constructor(
    socket: Socket,
    place: Place,
    holders: Holders,
    openRoom: (holders: Holders) => Holding,
    uploads: Uploads,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#socket = socket
    this.#place = place
    this.#openRoom = openRoom
    this.#holders = holders
    this.#room = openRoom(holders)
    this.#uploads = uploads
    this.#patience = openPatience(nowMs)
    socket.on('data', (piece) => this.#take(piece))
    socket.on('drain', () => this.#goOn())
    socket.on('end', () => {
      this.#hasEnded = true
      this.#goOn()
    })
    socket.on('error', () => {})
    // Not before its turn: thousands that connect at once have all sent their first packet when they are looked at.
    socket.pause()
    uploads.begin(
      weights.packets,
      () => this.#holders,
      () => socket.resume(),
    )
    this.ended = new Promise((resolve) => socket.once('close', () => void this.#close().then(resolve)))
  }

  #take(piece: Buffer): void {
    if (this.#isLeaving) return
    this.#arrived.push(piece)
    this.#arrivedBytes += piece.length
    if (!this.#isYielding) this.#goOnInTurn()
  }

  #goOnInTurn(): void {
    this.#isYielding = true
    const bytes = Math.min(bytesAtOnce, this.#framer.waitingBytes + this.#arrivedBytes)
    this.#uploads.begin(
      weights.packets + uploadWeight(bytes),
      () => this.#holders,
      () => {
        this.#isYielding = false
        this.#goOn()
      },
    )
    if (!this.#isYielding || this.#isLeaving) return
    // Not its turn: nothing further is read until then.
    this.#socket.pause()
    this.#safely(() => this.#chargeOrRefuse())
  }

  /** Reads packets as long as there is room for what they ask; nothing that comes can throw further than here. */
  #goOn(): void {
    if (this.#isLeaving || this.#isYielding) return
    try {
      this.#frame()
      let bytesRead = 0
      for (let packets = 0; this.#isFree(); packets += 1) {
        if (packets === packetsAtOnce || bytesRead >= bytesAtOnce) {
          this.#yield()
          break
        }
        const bytes = this.#next()
        if (bytes === undefined) break
        bytesRead += bytes.length
        this.#patience.onPacket()
        this.#receive(readPacket(bytes, this.#client.version), bytes.length)
      }
      this.#answerPings()
      this.#charge()
    } catch (error) {
      this.#failReading(error)
    }
    if (this.#hasEnded && this.#isFree() && !this.#isYielding) this.#leave()
    else if (this.#isFree() && !this.#isYielding) this.#socket.resume()
    else if (!this.#isLeaving) this.#socket.pause()
    this.#watch()
  }

  #frame(): void {
    for (const piece of this.#arrived) this.#framer.push(piece)
    this.#dropArrived()
  }

  #dropArrived(): void {
    this.#arrived = []
    this.#arrivedBytes = 0
  }

  #yield(): void {
    this.#isYielding = true
    setImmediate(() => this.#goOnInTurn())
  }

  /** Of a stranger nothing but CONNECT is waited for. */
  #next(): Buffer | undefined {
    if (this.#key !== undefined) return this.#framer.next(limits.mostPacketBytes)
    if ((this.#framer.kind ?? connectKind) !== connectKind) throw new FrameError('the first packet must be CONNECT')
    return this.#framer.next(mostConnectBytes)
  }

  #isFree(): boolean {
    return !this.#isLeaving && !this.#isConnecting && !this.#isFull() && !this.#socket.writableNeedDrain
  }

  #isFull(): boolean {
    if (this.#underWayCount >= limits.mostUnderWay || this.#underWayBytes >= mostUnderWayBytes) return true
    return !this.#hasPlaceForNext()
  }

  /** A message takes 4 KB until it is stored, however short it is. Where there is no place, one of its own is stored first. */
  #hasPlaceForNext(): boolean {
    const further = this.#underWayCount - (this.#further?.amount ?? 0)
    return further <= 0 || this.#further!.take(further)
  }

  #givePlaces(): void {
    const more = this.#further!.amount - this.#underWayCount
    if (more > 0) this.#further!.give(more)
  }

  #charge(): void {
    const will = this.#will ? this.#will.topic.length * 2 + this.#will.payload.length : 0
    const unread = this.#framer.heldBytes + this.#arrivedBytes
    const unreleased = this.#unreleased.size * bytesOfUnreleased
    const more = unread + this.#connectBytes + this.#underWayBytes + unreleased + will - this.#room.amount
    if (more < 0) this.#room.give(-more)
    else if (more > 0) this.#takeRoom(more)
    if (more !== 0 && !this.#isKnown) this.#place.weigh()
  }

  /** Of strangers the one that has sent most gives way, so that long CONNECTs keep no short one out. */
  #takeRoom(bytes: number): void {
    while (!this.#room.take(bytes)) if (this.#isKnown || !this.#place.makeRoom(this.#room.amount + bytes)) throw tooMuch
  }

  #chargeOrRefuse(): void {
    try {
      this.#charge()
    } catch (error) {
      this.#failReading(error)
    }
  }

  #watch(): void {
    if (this.#isLeaving || this.#key === undefined) return
    if (this.#socket.writableNeedDrain) this.#patience.onUnread()
    else if (!this.#isFree()) this.#patience.onWork()
    else this.#patience.onWaiting(this.#framer.waitingBytes)
  }

  /** Called once a second. */
  look(): void {
    if (!this.#patience.isOver()) return
    if (this.#isLeaving || this.#key === undefined) this.#socket.destroy()
    else this.#refuse(0x8d, 'nothing came in time')
  }

  #receive(packet: Packet, bytes: number): void {
    if (packet.kind === 'connect') return this.#connect(packet, bytes)
    if (this.#key === undefined) throw new FrameError('the first packet must be CONNECT')
    switch (packet.kind) {
      case 'publish':
        return this.#publish(this.#key, packet, bytes)
      case 'pubrel':
        this.#unreleased.delete(packet.messageId)
        return this.#send(acknowledgement('pubcomp', packet.messageId))
      case 'subscribe':
        return this.#send(suback(packet.messageId, packet.topics, this.#client))
      case 'unsubscribe':
        return this.#send(unsuback(packet.messageId, packet.topics, this.#client))
      case 'pingreq':
        this.#pings += 1
        return
      case 'disconnect':
        if (!packet.wantsWill) this.#will = undefined
        return this.#leave()
    }
  }

  /** Together: a flood of them costs as little as it can. */
  #answerPings(): void {
    if (this.#pings === 0) return
    this.#send(this.#pings === 1 ? pingresp : Buffer.alloc(2 * this.#pings, pingresp))
    this.#pings = 0
  }

  #connect(packet: Connect, bytes: number): void {
    if (this.#key !== undefined) throw new FrameError('a second CONNECT')
    const { version, wantsReasons, mostPacketBytes } = packet
    this.#client = { version, wantsReasons, mostPacketBytes }
    if (!this.#place.ask()) return this.#leave(connackRefused(tooManyAtOnce, this.#client))
    const key = keyFrom(packet)
    this.#isConnecting = true
    // Charged until it is known who this is; of all that it says only the will stays.
    this.#connectBytes = bytes
    this.#patience.onWork()
    this.#acknowledging = this.#uploads
      .connect(key, this.#socket)
      .catch((error: unknown): Admission => ({ refusal: this.#failed(error) }))
      .then((admission) => this.#safely(() => this.#admit(packet, key, admission)))
      .then(() => this.#session?.before)
      .then(() => this.#safely(() => this.#accept(packet, key)))
  }

  /** Whether its key is good and there is room for its will: then it has the place of a connection of the same client. */
  #admit(packet: Connect, key: string, admission: Admission): void {
    this.#connectBytes = 0
    this.#place.rest()
    if (this.#isLeaving) return
    if ('refusal' in admission) return this.#leave(connackRefused(admission.refusal, this.#client))
    this.#room.give()
    this.#holders = admission.holders
    this.#room = this.#openRoom(admission.holders)
    this.#further = this.#uploads.openFurther(admission.holders)
    this.#isKnown = true
    // One without room for its will is left among strangers until it is closed: in front of heavy ones, with what its CONNECT took.
    this.#place.weigh()
    this.#will = packet.will
    if (!this.#hasRoomForWill()) return this.#refuseConnect({ status: 413, message: tooMuch.message })
    const own = { place: this.#place, supersede: () => this.#supersede() }
    this.#session = this.#uploads.sessions.enter(key, packet.clientId, admission.holders, own)
    if (this.#session === undefined)
      this.#refuseConnect({ status: 429, message: 'too many connections of this key or its organization' })
  }

  #refuseConnect(refusal: Refusal): void {
    this.#will = undefined
    this.#room.give()
    this.#leave(connackRefused(refusal, this.#client))
  }

  #accept(packet: Connect, key: string): void {
    this.#isConnecting = false
    if (this.#isLeaving || this.#session === undefined) return
    this.#key = key
    this.#patience.setKeepalive(keepaliveOf(packet.keepaliveSeconds, limits) * 1500)
    this.#send(connackAccepted(packet, limits))
    this.#goOn()
  }

  /** Before it is accepted: a will that nobody has room for must not be kept until the connection is closed, and stored then. */
  #hasRoomForWill(): boolean {
    try {
      this.#charge()
      return true
    } catch (error) {
      if (error === tooMuch) return false
      throw error
    }
  }

  #publish(key: string, packet: Publish, bytes: number): void {
    const { topic, qos, messageId } = packet
    const first = qos === 2 ? this.#unreleased.get(messageId) : undefined
    if (first !== undefined) {
      // Sent again, before it was released: it waits for its turn like others, counts like them, and ends as the first did.
      this.#underWayCount += 1
      const again = this.#itsTurn().then(() => first)
      return this.#acknowledge({ qos, messageId, outcome: first }, again)
    }
    if (qos === 2 && this.#unreleased.size >= mostUnreleased)
      throw new FrameError(`more than ${mostUnreleased} messages are not released`)
    const before = this.#underWay.get(topic)
    const store = () => this.#store(key, topic, packet.payload)
    const storing = before ? before.then(store) : store()
    this.#underWayCount += 1
    this.#underWayBytes += bytes
    this.#underWay.set(topic, storing)
    if (qos === 2) this.#unreleased.set(messageId, storing)
    const stored = storing.then((refusal) => {
      if (this.#underWay.get(topic) === storing) this.#underWay.delete(topic)
      return refusal
    })
    this.#acknowledge({ qos, messageId, outcome: storing }, stored, bytes)
  }

  /** Never fails. */
  async #store(key: string, topic: string, payload: Buffer): Promise<Refusal | undefined> {
    try {
      if (payload.length > longBytes) await this.#itsTurn(addressWeight(payload.length))
      return await this.#uploads.put(key, uploadFrom(topic, payload), this.#socket)
    } catch (error) {
      await this.#itsTurn()
      return this.#failed(error)
    }
  }

  /**
   * Of a message that is answered without an upload, which would wait for one. An answer lets the next message be read: without
   * turns a flood of them was read and answered in one go, and 100 connections stopped everybody for as long as they sent.
   */
  #itsTurn(weight: number = weights.upload): Promise<undefined> {
    return new Promise((resolve) =>
      this.#uploads.begin(
        weight,
        () => this.#holders,
        () => resolve(undefined),
      ),
    )
  }

  #failed(error: unknown): Refusal {
    if (error instanceof Fault) return error
    this.#uploads.onFailure(error)
    return { status: 500, message: 'internal error' }
  }

  #acknowledge(packet: Acknowledged, storing: Promise<Refusal | undefined>, bytes = 0): void {
    this.#acknowledging = this.#acknowledging.then(async () => {
      const refusal = await storing
      this.#underWayCount -= 1
      this.#underWayBytes -= bytes
      this.#givePlaces()
      this.#safely(() => this.#answer(packet, refusal))
      this.#goOn()
    })
  }

  /** No fault of ours may end the process, nor leave a client waiting. */
  #safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#uploads.onFailure(error)
      this.#socket.destroy()
    }
  }

  #answer({ qos, messageId, outcome }: Acknowledged, refusal: Refusal | undefined): void {
    if (refusal?.status === 401) return this.#refuse(0x87, refusal.message)
    if (qos === 0) return
    if (qos === 2) this.#noteOutcome(messageId, outcome, refusal)
    const cmd = qos === 1 ? 'puback' : 'pubrec'
    if (refusal === undefined) this.#send(acknowledgement(cmd, messageId))
    // MQTT 3.1.1 has no other way to say that a message was not stored.
    else if (this.#client.version !== 5) this.#refuse(0, refusal.message)
    else this.#send(negativeAcknowledgement(cmd, messageId, refusal, this.#client))
  }

  /** The number of one that is refused is free again, and that of one whose release came early is: it may be another's by now. */
  #noteOutcome(messageId: number, outcome: Acknowledged['outcome'], refusal: Refusal | undefined): void {
    if (this.#unreleased.get(messageId) !== outcome) return
    if (refusal) this.#unreleased.delete(messageId)
    else this.#unreleased.set(messageId, isStored)
  }

  /** Answers of one turn go together. */
  #send(bytes: Buffer): void {
    const socket = this.#socket
    if (!socket.writable) return
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    socket.write(bytes)
  }

  #failReading(error: unknown): void {
    if (error instanceof QuotaError) return this.#refuse(0x97, error.message)
    if (!(error instanceof FrameError)) this.#uploads.onFailure(error)
    this.#refuse(0x81, error instanceof FrameError ? error.message : 'internal error')
  }

  /** Ends the connection; MQTT 5 can say why. */
  #refuse(reasonCode: number, message: string): void {
    const canSay = this.#client.version === 5 && this.#key !== undefined
    this.#leave(canSay ? disconnect(reasonCode, message, this.#client) : undefined, 'at once')
  }

  /** Reads nothing further; ends when messages that have come are stored, or at once. */
  #leave(last?: Buffer, when: 'at once' | 'when all is stored' = 'when all is stored'): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#framer.clear()
    this.#dropArrived()
    // The rest is thrown away as it comes: unread bytes would make the end a reset, and the last answer be lost.
    this.#socket.resume()
    const end = () => {
      this.#patience.onEnd()
      if (!this.#socket.writable) return
      if (last && last.length <= this.#client.mostPacketBytes) this.#socket.end(last)
      else this.#socket.end()
    }
    this.#patience.onWork()
    if (when === 'at once') end()
    else void this.#acknowledging.then(end)
  }

  /** All that is under way stays charged: by resetting connections a client could else have any number of messages there. */
  async #close(): Promise<void> {
    this.#isLeaving = true
    this.#framer.clear()
    this.#dropArrived()
    await this.#settle()
    this.#session?.leave()
    this.#room.give()
  }

  /** Once: a connection that another takes the place of is settled before it is closed. */
  #settle(): Promise<void> {
    this.#settling ??= this.#storeRest()
    return this.#settling
  }

  async #storeRest(): Promise<void> {
    const [key, will] = [this.#key, this.#will]
    this.#will = undefined
    await this.#acknowledging
    if (key !== undefined && will) await this.#store(key, will.topic, will.payload)
  }

  /** The client has connected anew. Its old connection may be broken, and is not waited for. */
  #supersede(): Promise<void> {
    this.#refuse(0x8e, 'another connection has this client ID')
    return this.#settle()
  }

  /** The server stops: resolves when all messages that have come are stored. */
  async stop(): Promise<void> {
    this.#will = undefined
    await this.#acknowledging
    this.#refuse(0x8b, 'the server is stopping')
  }

  cut(): void {
    this.#socket.destroy()
  }

  /** Memory that it has as a stranger. */
  strangerBytes(): number {
    return this.#isKnown ? 0 : this.#room.amount
  }

  /** Others need its place. Where its client has a newer connection, messages may be under way: these stay charged. */
  giveWay(): void {
    this.#isLeaving = true
    this.#framer.clear()
    this.#dropArrived()
    if (!this.#isKnown) this.#room.give()
    this.#socket.destroy()
  }
}

/** One for all messages that wait for nothing but their release. */
const isStored: Promise<undefined> = Promise.resolve(undefined)

/** All of a message that its acknowledgement needs, so that no content waits with it. */
type Acknowledged = Pick<Publish, 'qos' | 'messageId'> & { readonly outcome: Promise<Refusal | undefined> }

/** More than the caller's share of memory. */
class QuotaError extends Error {}
/** One for all: thousands may be refused at once, and a stack takes as long as all the rest. */
const tooMuch = new QuotaError('too much at once')

/** Of its address, whose keys are being looked up. */
const tooManyAtOnce: Refusal = { status: 503, message: 'too many connections at once' }

/** The user name, unless the password is something else: then that, and the user name is the client's own. */
const keyFrom = ({ username, password }: Connect): string => (password === '' ? username : password)
