// A client of MQTT by bytes: packets are written one by one, and all that come are kept.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { generate, parser } from 'mqtt-packet'
import type { Packet } from 'mqtt-packet'
import { eventually } from './within.ts'

export type MqttClient = {
  readonly socket: Socket
  readonly packets: readonly Packet[]
  readonly isClosed: () => boolean
  readonly send: (packet: Packet) => void
  readonly got: (count: number) => Promise<readonly Packet[]>
  readonly closed: () => Promise<void>
}

/** From another address of the same machine, if one is named. */
export const dialMqtt = (port: number, version: 4 | 5 = 5, localAddress = '127.0.0.1'): MqttClient => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const packets: Packet[] = []
  let isClosed = false
  const reader = parser({ protocolVersion: version }).on('packet', (packet) => void packets.push(packet))
  socket
    .on('data', (bytes) => void reader.parse(bytes))
    .on('error', () => {})
    .on('close', () => (isClosed = true))
  return {
    socket,
    packets,
    isClosed: () => isClosed,
    send: (packet) => void socket.write(generate(packet, { protocolVersion: version })),
    got: async (count) => {
      await eventually(() => Promise.resolve(packets.length >= count))
      return packets
    },
    closed: () => eventually(() => Promise.resolve(isClosed)),
  }
}
