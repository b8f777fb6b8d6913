// Packets that clients are sent, and refusals of ours in the codes of MQTT: 3.1.1 has few, MQTT 5 one for each and a text.
// Pure.
import { generate } from 'mqtt-packet'
import type { Packet as Generated } from 'mqtt-packet'
import type { Connect, Version } from './packet.ts'

export type Refusal = { readonly status: number; readonly message: string }

/** As far as answers depend on it. */
export type Client = Pick<Connect, 'version' | 'wantsReasons' | 'mostPacketBytes'>

const packetBytes = (packet: Generated, version: Version): Buffer => generate(packet, { protocolVersion: version })

/** Texts are left out where the packet would be longer than the client takes. */
const reasoned = (packet: Generated, message: string, { version, mostPacketBytes }: Client): Buffer => {
  const properties = { ...(packet as { readonly properties?: object }).properties, reasonString: short(message) }
  const bytes = packetBytes({ ...packet, properties } as Generated, version)
  return bytes.length <= mostPacketBytes ? bytes : packetBytes(packet, version)
}

/** A client need not take long ones. */
const short = (message: string): string => message.slice(0, 200).toWellFormed()

export type Limits = { readonly mostPacketBytes: number; readonly mostUnderWay: number; readonly mostKeepalive: number }

export const connackAccepted = ({ version, clientId, keepaliveSeconds: asked }: Connect, limits: Limits): Buffer =>
  packetBytes(
    {
      cmd: 'connack',
      returnCode: 0,
      reasonCode: 0,
      sessionPresent: false,
      properties: {
        maximumPacketSize: limits.mostPacketBytes,
        receiveMaximum: limits.mostUnderWay,
        topicAliasMaximum: 0,
        sessionExpiryInterval: 0,
        wildcardSubscriptionAvailable: false,
        sharedSubscriptionAvailable: false,
        subscriptionIdentifiersAvailable: false,
        ...(asked === keepaliveOf(asked, limits) ? {} : { serverKeepAlive: limits.mostKeepalive }),
        // Every client must have an ID, and gets one if it gave none.
        ...(clientId === '' ? { assignedClientIdentifier: `coppice-${Math.random().toString(36).slice(2)}` } : {}),
      },
    },
    version,
  )

/** None at all counts as the longest. */
export const keepaliveOf = (asked: number, { mostKeepalive }: Pick<Limits, 'mostKeepalive'>): number =>
  asked === 0 || asked > mostKeepalive ? mostKeepalive : asked

export const connackRefused = ({ status, message }: Refusal, client: Client): Buffer => {
  const [code, reason] = connackCodesOf(status)
  return client.version === 5
    ? reasoned({ cmd: 'connack', reasonCode: reason, sessionPresent: false }, message, client)
    : packetBytes({ cmd: 'connack', returnCode: code, sessionPresent: false }, client.version)
}

/** Of MQTT 3.1.1, and of 5. */
const connackCodesOf = (status: number): readonly [number, number] => {
  if (status === 401) return [4, 0x86]
  if (status === 413 || status === 429) return [3, 0x97]
  return status >= 500 ? [3, 0x88] : [5, 0x87]
}

const heads = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const

/** By hand: there is one for every message. */
export const acknowledgement = (cmd: keyof typeof heads, messageId: number): Buffer =>
  Buffer.from([heads[cmd], 2, messageId >> 8, messageId & 0xff])

/** Of MQTT 5: the others cannot say it. */
export const negativeAcknowledgement = (
  cmd: 'puback' | 'pubrec',
  messageId: number,
  { status, message }: Refusal,
  client: Client,
): Buffer => {
  const packet: Generated = { cmd, messageId, reasonCode: reasonOf(status) }
  return client.wantsReasons ? reasoned(packet, message, client) : packetBytes(packet, client.version)
}

const subscribesElsewhere = 'this server takes messages only: to listen, GET /api/live'

/** SUBACK and UNSUBACK by hand: they are asked for by packets of few bytes, and take mqtt-packet twenty times as long. */
const suffixed = (head: number, messageId: number, properties: Buffer, codes: number, code: number): Buffer => {
  const start = [head, ...lengthBytes(2 + properties.length + codes), messageId >> 8, messageId & 0xff]
  const bytes = Buffer.alloc(start.length + properties.length + codes, code)
  bytes.set(start)
  bytes.set(properties, start.length)
  return bytes
}

/** A number as MQTT writes lengths. */
const lengthBytes = (length: number): readonly number[] =>
  length < 128 ? [length] : [(length & 127) | 128, ...lengthBytes(length >> 7)]

const empty = Buffer.alloc(0)
/** Properties of MQTT 5: their length, and in it the reason with its own length. */
const noProperties = Buffer.from([0])
const toSubscribe = Buffer.concat([
  Buffer.from([3 + subscribesElsewhere.length, 0x1f, 0, subscribesElsewhere.length]),
  Buffer.from(subscribesElsewhere),
])

export const suback = (messageId: number, topics: number, client: Client): Buffer => {
  if (client.version !== 5) return suffixed(0x90, messageId, empty, topics, 0x80)
  const bytes = suffixed(0x90, messageId, client.wantsReasons ? toSubscribe : noProperties, topics, 0x83)
  return bytes.length <= client.mostPacketBytes ? bytes : suffixed(0x90, messageId, noProperties, topics, 0x83)
}

/** Before MQTT 5 it has no codes. */
export const unsuback = (messageId: number, topics: number, { version }: Client): Buffer =>
  version === 5 ? suffixed(0xb0, messageId, noProperties, topics, 0x11) : suffixed(0xb0, messageId, empty, 0, 0)

export const pingresp = Buffer.from([0xd0, 0])

/** Of MQTT 5. */
export const disconnect = (reasonCode: number, message: string, client: Client): Buffer =>
  reasoned({ cmd: 'disconnect', reasonCode }, message, client)

/** The reason code of MQTT 5 for a status of HTTP, of those that PUBACK and PUBREC have. */
const reasonOf = (status: number): number => {
  if (status === 401 || status === 403) return 0x87
  if (status === 404) return 0x90
  if (status === 429) return 0x97
  // 0x95, packet too large, is for whole connections.
  return status < 500 && status !== 413 ? 0x99 : 0x83
}
