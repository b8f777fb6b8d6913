// MQTT: packets of a mebibyte, and hundreds of thousands of the smallest, by strangers and by those with a key.
import { megabyte } from './fill.ts'
import type { Hostile } from './target.ts'

/** Bytes of a length as MQTT writes it. */
const lengthOf = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128))
    bytes.push((rest % 128) + (rest >= 128 ? 128 : 0))
  return Buffer.from(bytes)
}
const packet = (head: number, ...parts: readonly Buffer[]): Buffer => {
  const rest = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([head]), lengthOf(rest.length), rest])
}
const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}
const filled = (bytes: number, part: readonly number[]): Buffer =>
  Buffer.alloc(Math.floor(bytes / part.length) * part.length, Buffer.from(part))
const properties = (bytes: Buffer): Buffer => Buffer.concat([lengthOf(bytes.length), bytes])
const none = Buffer.from([0])
/** The smallest user property. */
const pair = [0x26, 0, 1, 0x61, 0, 0]

const connect = (key: string, given: Buffer = none, clientId = ''): Buffer =>
  packet(0x10, text('MQTT'), Buffer.from([5, 0x82, 0, 60]), given, text(clientId), text(key))
const publish = (topic: string, payload: string | Buffer, given: Buffer = none): Buffer =>
  packet(0x32, text(topic), Buffer.from([0, 1]), given, Buffer.from(payload as string))

const most = megabyte - 1000
const byKey =
  (...packets: readonly Buffer[]): Hostile['send'] =>
  (to) =>
    to.mqtt((key) => Buffer.concat([connect(key), ...packets]))

export const messages: readonly Hostile[] = [
  {
    title: 'CONNECT of properties',
    send: (to) => to.mqtt(() => connect('x', properties(filled(120_000, pair)))),
  },
  {
    title: 'CONNECT of the same property',
    send: (to) => to.mqtt(() => connect('x', properties(filled(120_000, [0x22, 0, 1])))),
  },
  {
    title: 'CONNECT of a long name',
    send: (to) => to.mqtt(() => connect('x'.repeat(65_000), none, 'y'.repeat(60_000))),
  },
  { title: 'half a CONNECT, byte by byte', send: (to) => to.mqtt(() => connect('x').subarray(0, 12), 1) },
  { title: 'a packet of 256 MB', send: (to) => to.mqtt(() => Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])) },
  { title: '500,000 pings', send: byKey(filled(megabyte, [0xc0, 0])) },
  { title: '250,000 releases', send: byKey(filled(megabyte, [0x62, 2, 0, 1])) },
  {
    title: 'SUBSCRIBE of topics',
    send: byKey(packet(0x82, Buffer.from([0, 1, 0]), filled(most, [0, 1, 0x61, 0]))),
  },
  { title: 'UNSUBSCRIBE of topics', send: byKey(packet(0xa2, Buffer.from([0, 1, 0]), filled(most, [0, 0]))) },
  { title: 'a message of properties', send: byKey(publish('C/long', '1', properties(filled(most, pair)))) },
  { title: 'a message of parameters', send: byKey(publish('C', 'a=1&'.repeat(most / 4))) },
  { title: 'a message of %', send: byKey(publish('C', '%'.repeat(60_000))) },
  { title: 'a message of [', send: byKey(publish('C', '['.repeat(most))) },
  { title: 'a message of nesting', send: byKey(publish('C/long', `{"data":${'['.repeat(most - 100)}`)) },
  { title: 'a message of blanks', send: byKey(publish('C/text', ' '.repeat(most))) },
  { title: 'a message of digits', send: byKey(publish('C/long', '1'.repeat(most))) },
  {
    title: 'a message of members',
    send: byKey(publish('C/long', `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join()}}`)),
  },
  { title: 'a topic of slashes', send: byKey(publish('/'.repeat(60_000), '1')) },
  { title: 'a topic of escapes', send: byKey(publish('%41'.repeat(20_000), '1')) },
  {
    title: 'messages of a thousand topics that are refused',
    send: byKey(...Array.from({ length: 1000 }, (_, n) => publish(`a/b/${n}`, '1'))),
  },
]
