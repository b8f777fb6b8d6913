// Packets that are written by hand, beside those of mqtt-packet.
import assert from 'node:assert/strict'
import { generate } from 'mqtt-packet'
import type { Packet } from 'mqtt-packet'
import { suback, unsuback } from '../../src/mqtt/answer.ts'

describe('mqtt/answer', () => {
  const mostPacketBytes = Number.POSITIVE_INFINITY
  const reasonString = 'this server takes messages only: to listen, GET /api/live'

  for (const version of [3, 4, 5] as const)
    for (const topics of [1, 120, 126, 1000])
      it(`answers SUBSCRIBE and UNSUBSCRIBE of ${topics} topics by version ${version}`, () => {
        const of = (packet: object) => generate(packet as Packet, { protocolVersion: version })
        const granted = (code: number) => Array<number>(topics).fill(code)
        const refusal = { cmd: 'suback', messageId: 0x1234, granted: granted(version === 5 ? 0x83 : 0x80) }
        const client = { version, wantsReasons: false, mostPacketBytes }
        const reasoned = of({ ...refusal, properties: { reasonString } })
        const asked = { ...client, wantsReasons: true }
        assert.deepEqual(suback(0x1234, topics, client), of(refusal))
        assert.deepEqual(suback(0x1234, topics, asked), reasoned)
        assert.deepEqual(suback(0x1234, topics, { ...asked, mostPacketBytes: reasoned.length }), reasoned)
        assert.deepEqual(
          suback(0x1234, topics, { ...asked, mostPacketBytes: reasoned.length - 1 }),
          version === 5 ? of(refusal) : reasoned,
        )
        assert.deepEqual(unsuback(7, topics, client), of({ cmd: 'unsuback', messageId: 7, granted: granted(0x11) }))
      })
})
