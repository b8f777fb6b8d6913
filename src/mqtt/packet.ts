// Packets that clients send, read from their bytes (MQTT 5 and 3.1.1, 3). By hand: mqtt-packet makes an object of every
// property and every topic, so that a stranger's CONNECT of 128 KiB stopped everybody for 60 ms and a SUBSCRIBE of 1 MiB
// for 400; here both take about one. It also passes texts that are no UTF-8, of which two would be one component. Pure.
import { isUtf8 } from 'node:buffer'
import { FrameError } from './frame.ts'

export type Version = 3 | 4 | 5

export type Qos = 0 | 1 | 2

export type Will = { readonly topic: string; readonly payload: Buffer }

export type Connect = {
  readonly kind: 'connect'
  readonly version: Version
  readonly clientId: string
  /** 0: none. */
  readonly keepaliveSeconds: number
  readonly username: string
  readonly password: string
  readonly will: Will | undefined
  /** Whether acknowledgements may have a text. */
  readonly wantsReasons: boolean
  /** The longest packet that the client takes. */
  readonly mostPacketBytes: number
}

export type Publish = {
  readonly kind: 'publish'
  readonly topic: string
  readonly qos: Qos
  /** 0 at quality 0. */
  readonly messageId: number
  readonly payload: Buffer
}

export type Packet =
  | Connect
  | Publish
  | { readonly kind: 'pubrel'; readonly messageId: number }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly messageId: number; readonly topics: number }
  | { readonly kind: 'pingreq' }
  /** wantsWill: the client leaves, and its will is to be stored all the same. */
  | { readonly kind: 'disconnect'; readonly wantsWill: boolean }

/** Topics of one SUBSCRIBE: each is answered by a byte. */
const mostTopics = 1000

/** Of a whole packet; CONNECT says the version itself. Texts and payloads are copies or views of the bytes. */
export const readPacket = (bytes: Buffer, version: Version): Packet => {
  const head = bytes[0]!
  const reader = new Reader(bytes)
  reader.length()
  if (head >> 4 === publishType) return readPublish(reader, head, version)
  switch (head) {
    case 0x10:
      return readConnect(reader)
    case 0x62:
      return { kind: 'pubrel', messageId: reader.messageId() }
    case 0x82:
      return readTopics(reader, 'subscribe', version)
    case 0xa2:
      return readTopics(reader, 'unsubscribe', version)
    case 0xc0:
      return { kind: 'pingreq' }
    case 0xe0:
      // 0x04: the client leaves, and wants its will to be stored.
      return { kind: 'disconnect', wantsWill: version === 5 && !reader.isAtEnd() && reader.byte() === 0x04 }
    default:
      throw new FrameError('a client sends no packet of this kind')
  }
}

const publishType = 3

const readPublish = (reader: Reader, head: number, version: Version): Publish => {
  const qos = (head >> 1) & 3
  if (qos === 3) throw new FrameError('there is no quality of service 3')
  const topic = reader.text()
  const messageId = qos === 0 ? 0 : reader.messageId()
  const { topicAlias } = version === 5 ? reader.properties() : noProperties
  if (topic === '' || topicAlias !== undefined) throw new FrameError('there are no topic aliases here')
  return { kind: 'publish', topic, qos: qos as Qos, messageId, payload: reader.rest() }
}

const readTopics = (reader: Reader, kind: 'subscribe' | 'unsubscribe', version: Version): Packet => {
  const messageId = reader.messageId()
  if (version === 5) reader.properties()
  let topics = 0
  while (!reader.isAtEnd()) {
    reader.skipText()
    if (kind === 'subscribe') reader.byte()
    topics += 1
    if (topics > mostTopics) break
  }
  if (topics === 0 || topics > mostTopics) throw new FrameError(`from 1 to ${mostTopics} topics at once`)
  return { kind, messageId, topics }
}

const readConnect = (reader: Reader): Connect => {
  const name = reader.text()
  // A bridge sets the highest bit.
  const version = reader.byte() & 0x7f
  const isKnown = name === 'MQTT' ? version === 4 || version === 5 : name === 'MQIsdp' && version === 3
  if (!isKnown) throw new FrameError('MQTT 3.1, 3.1.1 and 5 are spoken here')
  const flags = reader.byte()
  const hasWill = (flags & 0x04) !== 0
  const willQos = (flags >> 3) & 3
  if ((flags & 1) !== 0 || willQos === 3 || (!hasWill && (flags & 0x38) !== 0))
    throw new FrameError('the flags of CONNECT are wrong')
  const keepaliveSeconds = reader.integer(2)
  const { authenticationMethod, requestProblemInformation, maximumPacketSize } =
    version === 5 ? reader.properties() : noProperties
  if (authenticationMethod) throw new FrameError('authentication is by user name and password alone')
  const clientId = reader.text()
  const will = hasWill ? readWill(reader, version as Version) : undefined
  const username = flags & 0x80 ? reader.text() : ''
  const password = flags & 0x40 ? reader.binary() : empty
  if (!isUtf8(password)) throw new FrameError('the password is not UTF-8')
  return {
    kind: 'connect',
    version: version as Version,
    clientId,
    keepaliveSeconds,
    username,
    password: password.toString(),
    will,
    wantsReasons: requestProblemInformation !== 0,
    mostPacketBytes: maximumPacketSize ?? Number.POSITIVE_INFINITY,
  }
}

/** Kept as long as the connection: a view would keep all of CONNECT. */
const readWill = (reader: Reader, version: Version): Will => {
  if (version === 5) reader.properties()
  const topic = reader.text()
  return { topic, payload: Buffer.from(reader.binary()) }
}

/** Of all properties those that mean something here. */
type Properties = {
  requestProblemInformation?: number
  maximumPacketSize?: number
  topicAlias?: number
  authenticationMethod?: true
}
const noProperties: Properties = {}

/** Of one packet. 1 MiB of the shortest ones took 70 ms to read. */
const mostProperties = 100

type PropertyType = 1 | 2 | 4 | 'length' | 'text' | 'pair'

/** MQTT 5, 2.2.2.2; the bytes of integers. */
const propertyTypes: ReadonlyMap<number, PropertyType> = new Map<number, PropertyType>([
  ...[0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2a].map((id) => [id, 1] as const),
  ...[0x13, 0x21, 0x22, 0x23].map((id) => [id, 2] as const),
  ...[0x02, 0x11, 0x18, 0x27].map((id) => [id, 4] as const),
  [0x0b, 'length'],
  ...[0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1a, 0x1c, 0x1f].map((id) => [id, 'text'] as const),
  [0x26, 'pair'],
])

const empty = Buffer.alloc(0)

/** Behind the first byte of a packet. A class: closures for each packet took longer than all the rest. */
class Reader {
  readonly #bytes: Buffer
  #at = 1

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  #step(count: number): number {
    const from = this.#at
    this.#at += count
    if (this.#at > this.#bytes.length) throw new FrameError('a packet is shorter than it says')
    return from
  }

  byte(): number {
    return this.#bytes[this.#step(1)]!
  }

  integer(count: number): number {
    return this.#bytes.readUIntBE(this.#step(count), count)
  }

  messageId(): number {
    const id = this.integer(2)
    if (id === 0) throw new FrameError('a packet identifier is not 0')
    return id
  }

  length(): number {
    let value = 0
    for (let factor = 1; factor <= 128 ** 3; factor *= 128) {
      const part = this.byte()
      value += (part & 127) * factor
      if (part < 128) return value
    }
    throw new FrameError('a length has at most four bytes')
  }

  binary(): Buffer {
    const length = this.integer(2)
    const from = this.#step(length)
    return this.#bytes.subarray(from, from + length)
  }

  text(): string {
    const piece = this.binary()
    if (!isUtf8(piece) || piece.includes(0)) throw new FrameError('a text is not UTF-8, or has a NUL')
    return piece.toString()
  }

  skipText(): void {
    this.#step(this.integer(2))
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  properties(): Properties {
    const end = this.length() + this.#at
    const found: Properties = {}
    for (let count = 1; this.#at < end; count += 1) {
      if (count > mostProperties) throw new FrameError(`a packet has at most ${mostProperties} properties`)
      this.#property(found)
    }
    if (this.#at !== end) throw new FrameError('properties are longer than they say')
    return found
  }

  #property(found: Properties): void {
    const id = this.byte()
    const type = propertyTypes.get(id)
    if (type === undefined) throw new FrameError('there is no such property')
    if (type === 'pair' || type === 'text') {
      this.skipText()
      if (type === 'pair') this.skipText()
      else if (id === 0x15) found.authenticationMethod = true
      return
    }
    const value = type === 'length' ? this.length() : this.integer(type)
    if (id === 0x17) found.requestProblemInformation = value
    else if (id === 0x23) found.topicAlias = value
    else if (id === 0x27) found.maximumPacketSize = value
  }
}
