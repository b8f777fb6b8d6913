// Uploads by MQTT at quality 1, which is acknowledged after the commit: single samples, and arrays that are stored as a
// whole. A connection that breaks is opened anew.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { generate, parser } from 'mqtt-packet'
import type { Packet } from 'mqtt-packet'
import { openLedger } from './ledger.ts'
import type { Doors, Load } from './load.ts'
import { samplesOf } from './load.ts'

const streamIds = ['a', 'b', 'c']
/** The database is away (docs/mqtt.md#acknowledgement). */
const awayCodes = new Set([0x83, 0x88])

export const messages = (doors: Doors): Load => {
  const ledger = openLedger<string>('messages')
  let line: Line | undefined
  let next = 0
  const isGood = (packet: Packet | undefined): boolean => {
    const code = (packet as { reasonCode?: number } | undefined)?.reasonCode ?? 0
    assert.ok(code === 0 || awayCodes.has(code), `MQTT refuses with ${code}: ${JSON.stringify(packet)}`)
    return packet !== undefined && code === 0
  }
  const open = async (): Promise<Line | undefined> => {
    if (line?.isOpen()) return line
    line = openLine(doors.mqtt.port)
    const hello = { clientId: 'messages', clean: true, keepalive: 0, username: doors.mqtt.apiKey } as const
    const packet: Packet = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, ...hello }
    return isGood(await line.exchange(packet)) ? line : line.close()
  }
  return {
    name: 'messages by MQTT',
    step: async () => {
      const opened = await open()
      if (opened === undefined) return false
      const n = (next += 1)
      // Into one stream, or into all three by an array.
      const isSingle = n % 2 === 1
      const written = isSingle ? ['a'] : streamIds
      const acknowledge = ledger.note(new Map(written.map((streamId) => [`${streamId} ${n}`, n])))
      const array = written.map((streamId) => ({ streamId, time: n, data: n }))
      const packet = await opened.exchange({
        cmd: 'publish',
        topic: isSingle ? 'Message/a' : 'Message',
        payload: JSON.stringify(isSingle ? { time: n, data: n } : array),
        qos: 1,
        messageId: 1 + (n % 60_000),
        dup: false,
        retain: false,
      })
      if (!isGood(packet)) return false
      acknowledge()
      return true
    },
    judge: async () => {
      line?.close()
      ledger.judge(await samplesOf(doors, 'Message', streamIds))
    },
  }
}

type Line = {
  readonly isOpen: () => boolean
  /** The packet that answers; undefined where the connection broke. */
  readonly exchange: (packet: Packet) => Promise<Packet | undefined>
  readonly close: () => undefined
}

const openLine = (port: number): Line => {
  const socket = connect(port, '127.0.0.1')
  let isOpen = true
  let onAnswer: (packet: Packet | undefined) => void = () => {}
  const reader = parser({ protocolVersion: 5 }).on('packet', (packet) => onAnswer(packet))
  socket
    .on('data', (bytes) => void reader.parse(bytes))
    .on('error', () => {})
    .on('close', () => {
      isOpen = false
      onAnswer(undefined)
    })
  return {
    isOpen: () => isOpen,
    exchange: (packet) =>
      new Promise((resolve) => {
        if (!isOpen) return resolve(undefined)
        onAnswer = resolve
        socket.write(generate(packet, { protocolVersion: 5 }))
      }),
    close: () => void socket.destroy(),
  }
}
