// Packets of clients from their bytes, beside those that mqtt-packet writes.
import assert from 'node:assert/strict'
import { generate } from 'mqtt-packet'
import type { Packet as Generated } from 'mqtt-packet'
import { FrameError } from '../../src/mqtt/frame.ts'
import { readPacket } from '../../src/mqtt/packet.ts'
import type { Version } from '../../src/mqtt/packet.ts'

const write = (packet: Generated, version: Version) => generate(packet, { protocolVersion: version })
const bytes = (...parts: readonly (number | string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part as string))))
/** With a length of one byte before it. */
const packet = (head: number, ...parts: readonly (number | string | Buffer)[]): Buffer => {
  const rest = bytes(...parts)
  assert.ok(rest.length < 128)
  return bytes(head, rest.length, rest)
}
const publish = (topic: string | Buffer, ...more: readonly (number | string)[]) => {
  const name = Buffer.from(topic as string)
  return packet(0x32, 0, name.length, name, ...more)
}

const assertRefused = (given: Buffer, reason: RegExp) =>
  assert.throws(
    () => readPacket(given, 5),
    (error: unknown) => error instanceof FrameError && reason.test(error.message),
  )

describe('mqtt/packet', () => {
  for (const version of [3, 4, 5] as const)
    it(`reads what a client of version ${version} sends`, () => {
      const connecting = write(
        {
          cmd: 'connect',
          protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
          protocolVersion: version,
          clientId: 'Zähler',
          clean: true,
          keepalive: 300,
          username: 'somebody',
          password: Buffer.from('secret'),
          will: {
            topic: 'W/status',
            payload: Buffer.from('offline'),
            qos: 1,
            retain: true,
            ...(version === 5 ? { properties: { willDelayInterval: 5, userProperties: { a: ['b', 'c'] } } } : {}),
          },
          ...(version === 5
            ? { properties: { requestProblemInformation: false, maximumPacketSize: 99, userProperties: { x: 'y' } } }
            : {}),
        },
        version,
      )
      assert.deepEqual(readPacket(connecting, 4), {
        kind: 'connect',
        version,
        clientId: 'Zähler',
        keepaliveSeconds: 300,
        username: 'somebody',
        password: 'secret',
        will: { topic: 'W/status', payload: Buffer.from('offline') },
        wantsReasons: version !== 5,
        mostPacketBytes: version === 5 ? 99 : Number.POSITIVE_INFINITY,
      })
      const message = { cmd: 'publish', topic: 'a/b', payload: Buffer.from('1'), messageId: 7, dup: true } as const
      const read = readPacket(write({ ...message, qos: 2, retain: true }, version), version)
      assert.deepEqual(read, { kind: 'publish', topic: 'a/b', qos: 2, messageId: 7, payload: Buffer.from('1') })
      const topics = { cmd: 'subscribe', messageId: 9, subscriptions: ['a', '#'].map((topic) => ({ topic, qos: 1 })) }
      assert.deepEqual(readPacket(write(topics as Generated, version), version), {
        kind: 'subscribe',
        messageId: 9,
        topics: 2,
      })
      const leaving = readPacket(write({ cmd: 'disconnect', reasonCode: 4 }, version), version)
      assert.deepEqual(leaving, { kind: 'disconnect', wantsWill: version === 5 })
      assert.deepEqual(readPacket(packet(0xc0), version), { kind: 'pingreq' })
    })

  const connect = (...rest: readonly (number | string)[]) => packet(0x10, 0, 4, 'MQTT', ...rest)
  const wrong: readonly (readonly [title: string, bytes: Buffer, reason: RegExp])[] = [
    ['a topic that is no UTF-8', publish(Buffer.from([0xff]), 0, 1), /UTF-8/],
    ['a topic with a NUL', publish('a\0b', 0, 1), /NUL/],
    ['a topic longer than its packet', packet(0x32, 0xff, 0xff, 'a'), /shorter/],
    ['no topic', publish('', 0, 1, 0), /alias/],
    ['a packet identifier of 0', publish('a', 0, 0), /identifier/],
    ['half a packet identifier', publish('a', 0), /shorter/],
    ['quality of service 3', packet(0x36, 0, 1, 'a', 0, 1), /quality/],
    ['a topic alias', publish('a', 0, 1, 3, 0x23, 0, 1), /alias/],
    ['an unknown property', publish('a', 0, 1, 2, 0x7f, 1), /property/],
    ['a property beyond its properties', publish('a', 0, 1, 1, 0x26, 0, 1, 'a', 0, 0), /properties/],
    ['properties beyond their packet', publish('a', 0, 1, 0x7f), /shorter/],
    ['a PUBREL of 0', packet(0x62, 0, 0), /identifier/],
    ['a PUBREL with wrong flags', packet(0x60, 0, 1), /kind/],
    ['a SUBSCRIBE without topics', packet(0x82, 0, 1, 0), /topics/],
    ['a packet of the server', packet(0x20, 0, 0), /kind/],
    ['AUTH', packet(0xf0), /kind/],
    ['another protocol', packet(0x10, 0, 4, 'HTTP', 5, 2, 0, 60, 0, 0, 0), /spoken/],
    ['version 6', connect(6, 2, 0, 60, 0, 0, 0), /spoken/],
    ['the reserved flag of CONNECT', connect(4, 3, 0, 60, 0, 0), /flags/],
    ['the quality of no will', connect(4, 0x0a, 0, 60, 0, 0), /flags/],
    ['another way to authenticate', connect(5, 2, 0, 60, 4, 0x15, 0, 1, 'x', 0, 0), /authentication/],
    ['a CONNECT that breaks off', connect(4, 2, 0), /shorter/],
    ['a length of five bytes in properties', publish('a', 0, 1, 0xff, 0xff, 0xff, 0xff, 1), /four bytes/],
  ]
  for (const [title, given, reason] of wrong) it(`refuses ${title}`, () => assertRefused(given, reason))

  it('refuses more than 1,000 topics at once', () => {
    const subscriptions = Array.from({ length: 1001 }, () => ({ topic: 'a', qos: 0 }))
    const given = write({ cmd: 'subscribe', messageId: 1, subscriptions } as Generated, 4)
    assert.throws(() => readPacket(given, 4), /1000 topics/)
  })

  it('refuses more than 100 properties', () => {
    const message = (count: number) => {
      const topic = bytes(0, 1, 'a', 0, 1)
      const properties = bytes(0x80 | ((count * 2) & 127), (count * 2) >> 7, Buffer.alloc(count * 2, 1))
      const rest = bytes(topic, properties)
      return bytes(0x32, 0x80 | (rest.length & 127), rest.length >> 7, rest)
    }
    assert.equal(readPacket(message(100), 5).kind, 'publish')
    assertRefused(message(101), /^a packet has at most 100 properties$/)
  })

  it('refuses every beginning of a packet, and never fails otherwise', () => {
    const whole = write(
      {
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 5,
        clientId: 'c',
        clean: true,
        keepalive: 1,
        username: 'u',
        password: Buffer.from('p'),
        properties: { userProperties: { constructor: 'x', ['__proto__']: 'y' }, sessionExpiryInterval: 5 },
      },
      5,
    )
    for (let end = 2; end < whole.length; end += 1) assertRefused(whole.subarray(0, end), /./)
    for (let at = 2; at < whole.length; at += 1)
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = byte
        try {
          readPacket(changed, 5)
        } catch (error) {
          assert.ok(error instanceof FrameError, String(error))
        }
      }
  })
})
