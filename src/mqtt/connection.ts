// One MQTT connection (docs/mqtt.md): CONNECT shows the key, every PUBLISH is a PUT /feed and is acknowledged after its
// commit. Messages of one topic are stored one after the other; of several topics some are under way at once, and all are
// acknowledged in the order in which they came (MQTT 5, 4.6).
import type { Socket } from 'node:net'
import { parser } from 'mqtt-packet'
import type { IConnectPacket, IPublishPacket, ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet'
import { Fault } from '../base/errors.ts'
import type { Holding } from '../base/shares.ts'
import { connackRefused, packetBytes, reasonOf, short } from './answer.ts'
import type { Refusal, Version } from './answer.ts'
import { FrameError, Framer } from './frame.ts'
import { uploadFrom } from './topic.ts'
import type { Upload } from './topic.ts'

export type Uploads = {
  /** Undefined: the key is good. */
  readonly connect: (key: string, socket: Socket) => Promise<Refusal | undefined>
  readonly put: (key: string, upload: Upload, socket: Socket) => Promise<Refusal | undefined>
  readonly onFailure: (error: unknown) => void
}

export const mostPacketBytes = 1024 * 1024
/** A will has 64 KiB at most, like names and keys; the longest is refused. */
const mostConnectBytes = 128 * 1024
const connectKind = 0x10
const connectWithinMs = 10_000
/** A packet that has begun comes to its end in this time. */
const packetWithinMs = 30_000
const mostKeepaliveSeconds = 3600
/** Messages of one connection under way at once. */
const mostUnderWay = 32
/** Messages of QoS 2 whose release has not come. */
const mostUnreleased = 1000

const subscribesElsewhere = 'this server takes messages only: to listen, GET /api/live'

export class Connection {
  readonly #socket: Socket
  readonly #uploads: Uploads
  /** For bytes of packets that have not come whole. */
  readonly #room: Holding
  readonly #framer = new Framer()
  #version: Version = 4
  /** The key, once it is known to be good. */
  #key: string | undefined
  #will: IConnectPacket['will']
  #isConnecting = false
  #timer: NodeJS.Timeout
  #keepaliveMs = 0
  /** The last message of each topic that is under way. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  #underWayCount = 0
  #acknowledging: Promise<void> = Promise.resolve()
  readonly #unreleased = new Set<number>()

  constructor(socket: Socket, room: Holding, uploads: Uploads) {
    this.#socket = socket
    this.#room = room
    this.#uploads = uploads
    this.#timer = setTimeout(() => socket.destroy(), connectWithinMs)
    socket.on('data', (piece) => this.#take(piece))
    // A client that closes its side has sent all it wants to.
    socket.on('end', () => void this.#settled().then(() => socket.end()))
    socket.on('error', () => {})
    socket.once('close', () => this.#close())
  }

  #take(piece: Buffer): void {
    this.#framer.push(piece)
    this.#goOn()
  }

  /** Reads packets as long as there is room for what they ask; nothing that comes can throw further than here. */
  #goOn(): void {
    try {
      while (this.#isFree()) {
        const bytes = this.#next()
        if (bytes === undefined) break
        this.#receive(this.#parse(bytes))
      }
      this.#charge()
      if (this.#isFree()) this.#socket.resume()
      else this.#socket.pause()
      this.#watch()
    } catch (error) {
      if (!(error instanceof FrameError) && !(error instanceof Fault)) this.#uploads.onFailure(error)
      this.#refuse(0x81, error instanceof Error ? error.message : '')
    }
  }

  /** Of a stranger nothing but CONNECT is waited for. */
  #next(): Buffer | undefined {
    if (this.#key !== undefined) return this.#framer.next(mostPacketBytes)
    if ((this.#framer.kind ?? connectKind) !== connectKind) throw new FrameError('the first packet must be CONNECT')
    return this.#framer.next(mostConnectBytes)
  }

  #isFree(): boolean {
    return !this.#isConnecting && this.#underWayCount < mostUnderWay && !this.#socket.destroyed
  }

  #charge(): void {
    const more = this.#framer.heldBytes - this.#room.amount
    if (more < 0) this.#room.give(-more)
    else if (more > 0 && !this.#room.take(more)) throw new FrameError('too many packets at once')
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const isWaiting = !this.#framer.isEmpty && this.#isFree()
    const ms = this.#key === undefined ? connectWithinMs : isWaiting ? packetWithinMs : this.#keepaliveMs
    this.#timer = setTimeout(() => this.#refuse(0x8d, 'nothing came in time'), ms)
  }

  #parse(bytes: Buffer): Packet {
    let packet: Packet | undefined
    let failure: Error | undefined
    parser({ protocolVersion: this.#version })
      .on('packet', (found) => (packet = found))
      .on('error', (error: Error) => (failure ??= error))
      .parse(bytes)
    if (packet === undefined || failure) throw new FrameError(failure?.message ?? 'a packet is broken')
    return packet
  }

  #receive(packet: Packet): void {
    if (packet.cmd === 'connect') return this.#connect(packet)
    if (this.#key === undefined) throw new FrameError('the first packet must be CONNECT')
    switch (packet.cmd) {
      case 'publish':
        return this.#publish(this.#key, packet)
      case 'pubrel':
        this.#unreleased.delete(packet.messageId!)
        return this.#send({ cmd: 'pubcomp', messageId: packet.messageId!, reasonCode: 0 })
      case 'subscribe':
        return this.#subscribe(packet)
      case 'unsubscribe':
        return this.#unsubscribe(packet)
      case 'pingreq':
        return this.#send({ cmd: 'pingresp' })
      case 'disconnect':
        // 0x04: the client leaves, and wants its will to be stored.
        if (packet.reasonCode !== 0x04) this.#will = undefined
        return void this.#settled().then(() => this.#socket.end())
      case 'auth':
      case 'connack':
      case 'pingresp':
      case 'puback':
      case 'pubcomp':
      case 'pubrec':
      case 'suback':
      case 'unsuback':
        throw new FrameError(`a client does not send ${packet.cmd.toUpperCase()}`)
    }
  }

  #connect(packet: IConnectPacket): void {
    if (this.#key !== undefined) throw new FrameError('a second CONNECT')
    this.#version = packet.protocolVersion ?? 4
    const key = keyFrom(packet)
    this.#isConnecting = true
    void this.#uploads
      .connect(key, this.#socket)
      .catch((error: unknown) => this.#failed(error))
      .then((refusal) => this.#safely(() => this.#admit(packet, key, refusal)))
  }

  #admit(packet: IConnectPacket, key: string, refusal: Refusal | undefined): void {
    this.#isConnecting = false
    if (refusal) return void this.#socket.end(connackRefused(refusal, this.#version))
    this.#key = key
    this.#will = packet.will
    const asked = packet.keepalive ?? 0
    const seconds = asked === 0 || asked > mostKeepaliveSeconds ? mostKeepaliveSeconds : asked
    this.#keepaliveMs = seconds * 1500
    this.#send({
      cmd: 'connack',
      returnCode: 0,
      reasonCode: 0,
      sessionPresent: false,
      properties: {
        maximumPacketSize: mostPacketBytes,
        receiveMaximum: mostUnderWay,
        topicAliasMaximum: 0,
        wildcardSubscriptionAvailable: false,
        sharedSubscriptionAvailable: false,
        subscriptionIdentifiersAvailable: false,
        ...(seconds === asked ? {} : { serverKeepAlive: seconds }),
        // Every client must have an ID, and gets one if it gave none.
        ...(packet.clientId === ''
          ? { assignedClientIdentifier: `coppice-${Math.random().toString(36).slice(2)}` }
          : {}),
      },
    })
    this.#goOn()
  }

  #publish(key: string, packet: IPublishPacket): void {
    const { topic, qos, messageId } = packet
    if (qos === 2 && this.#unreleased.has(messageId!)) return this.#acknowledge(packet)
    if (qos === 2 && this.#unreleased.add(messageId!).size > mostUnreleased)
      throw new FrameError(`more than ${mostUnreleased} messages are not released`)
    if (topic === '' || packet.properties?.topicAlias !== undefined)
      throw new FrameError('there are no topic aliases here')
    const before = this.#underWay.get(topic)
    const store = () => this.#store(key, topic, packet.payload)
    const storing = before ? before.then(store) : store()
    this.#underWayCount += 1
    this.#underWay.set(topic, storing)
    void storing.then(() => {
      if (this.#underWay.get(topic) === storing) this.#underWay.delete(topic)
    })
    this.#acknowledge(packet, storing)
  }

  /** Never fails. */
  async #store(key: string, topic: string, payload: Buffer | string): Promise<Refusal | undefined> {
    try {
      return await this.#uploads.put(key, uploadFrom(topic, Buffer.from(payload)), this.#socket)
    } catch (error) {
      return this.#failed(error)
    }
  }

  #failed(error: unknown): Refusal {
    if (error instanceof Fault) return error
    this.#uploads.onFailure(error)
    return { status: 500, message: 'internal error' }
  }

  /** Without an upload, of one that is there already. */
  #acknowledge({ qos, messageId }: IPublishPacket, storing?: Promise<Refusal | undefined>): void {
    this.#acknowledging = this.#acknowledging.then(async () => {
      const refusal = await storing
      if (storing) this.#underWayCount -= 1
      this.#safely(() => this.#answer(qos, messageId, refusal))
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

  #answer(qos: number, messageId: number | undefined, refusal: Refusal | undefined): void {
    if (refusal?.status === 401) return this.#refuse(0x87, refusal.message)
    if (qos === 0) return
    if (refusal && qos === 2) this.#unreleased.delete(messageId!)
    const cmd = qos === 1 ? 'puback' : 'pubrec'
    if (refusal === undefined) return this.#send({ cmd, messageId: messageId!, reasonCode: 0 })
    // MQTT 3.1.1 has no other way to say that a message was not stored.
    if (this.#version !== 5) return this.#refuse(0, refusal.message)
    this.#send({
      cmd,
      messageId: messageId!,
      reasonCode: reasonOf(refusal.status),
      properties: { reasonString: short(refusal.message) },
    })
  }

  #subscribe({ messageId, subscriptions }: ISubscribePacket): void {
    const code = this.#version === 5 ? 0x83 : 0x80
    this.#send({
      cmd: 'suback',
      messageId: messageId!,
      granted: subscriptions.map(() => code),
      ...(this.#version === 5 ? { properties: { reasonString: subscribesElsewhere } } : {}),
    })
  }

  #unsubscribe({ messageId, unsubscriptions }: IUnsubscribePacket): void {
    this.#send({ cmd: 'unsuback', messageId: messageId!, granted: unsubscriptions.map(() => 0x11) })
  }

  #send(packet: Packet): void {
    if (!this.#socket.writable) return
    this.#socket.write(packetBytes(packet, this.#version))
    // A client that sends and does not read its acknowledgements.
    if (this.#socket.writableLength > mostUnreadBytes) this.#socket.destroy()
  }

  /** Ends the connection; MQTT 5 can say why. */
  #refuse(reasonCode: number, message: string): void {
    if (this.#socket.destroyed) return
    if (this.#version === 5 && this.#key !== undefined && this.#socket.writable)
      this.#socket.end(
        packetBytes({ cmd: 'disconnect', reasonCode, properties: { reasonString: short(message) } }, this.#version),
      )
    this.#socket.destroySoon()
  }

  /** When all messages that have come are stored. */
  #settled(): Promise<void> {
    return this.#acknowledging
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#room.give()
    const [key, will] = [this.#key, this.#will]
    this.#will = undefined
    if (key !== undefined && will) void this.#settled().then(() => this.#store(key, will.topic, will.payload))
  }

  /** The server stops. */
  async leave(): Promise<void> {
    this.#will = undefined
    await this.#settled()
    this.#refuse(0x8b, 'the server is stopping')
  }
}

const mostUnreadBytes = 64 * 1024

/** The user name, unless the password is something else: then that, and the user name is the client's own. */
const keyFrom = ({ username = '', password }: IConnectPacket): string => {
  const given = password?.toString() ?? ''
  return given === '' ? username : given
}
