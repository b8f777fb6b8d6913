// The MQTT port (docs/mqtt.md): connections, of which each address has a share, and what they upload. A message becomes a
// call of PUT /feed, which goes the way of all such calls: guard, limits, audit, metrics and refusals are theirs.
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { addressGroup } from '../base/http/address.ts'
import { callFromHead } from '../base/http/call.ts'
import type { Call } from '../base/http/call.ts'
import type { Reply } from '../base/http/reply.ts'
import { openShares } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import type { Refusal } from './answer.ts'
import { Connection } from './connection.ts'
import type { Upload } from './topic.ts'

const mostConnections = 10_000
/** For packets that have not come whole, of all connections. */
const mostPartBytes = 32 * 1024 * 1024

export type MqttOptions = {
  readonly world: World
  readonly port: number
  /** Answers PUT /feed as for HTTP. */
  readonly put: (call: Call) => Promise<Reply>
  /** Resolves where the credential of the call is good; else the refusal is counted. */
  readonly recognize: (call: Call) => Promise<void>
}

export type Mqtt = {
  readonly port: number
  readonly size: () => number
  readonly close: () => Promise<void>
}

export const openMqtt = async ({ world, port, put, recognize }: MqttOptions): Promise<Mqtt> => {
  const { host, trustedProxies } = world.config
  const places = openShares(mostConnections)
  const parts = openShares(mostPartBytes)
  const connections = new Set<Connection>()
  const callOf = (key: string, { query, body }: Upload, socket: Socket): Call =>
    callFromHead(
      { method: 'PUT', target: `/api/feed?api_key=${encodeURIComponent(key)}&${query}`, headers: {}, socket },
      body,
      trustedProxies,
    )
  const uploads = {
    connect: async (key: string, socket: Socket): Promise<Refusal | undefined> => {
      await recognize(callOf(key, { query: '', body: undefined }, socket))
      return undefined
    },
    put: async (key: string, upload: Upload, socket: Socket): Promise<Refusal | undefined> => {
      const { status, body, onSent } = await put(callOf(key, upload, socket))
      onSent?.()
      return status < 400 ? undefined : { status, message: messageOf(body) }
    },
    onFailure: (error: unknown) => world.log.error({ err: error }, 'an MQTT connection failed'),
  }
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    const address = addressGroup(socket.remoteAddress ?? '')
    const place = places.open([address])
    if (!place.take(1)) return void socket.on('error', () => {}).destroy()
    const connection = new Connection(socket, parts.open([address]), uploads)
    connections.add(connection)
    socket.once('close', () => {
      connections.delete(connection)
      place.give()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', uploads.onFailure)
  return {
    port: (server.address() as AddressInfo).port,
    size: () => connections.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(Array.from(connections, (connection) => connection.leave()))
      await closed
    },
  }
}

const messageOf = (body: Reply['body']): string => {
  try {
    return typeof body === 'string' ? (JSON.parse(body) as { message: string }).message : ''
  } catch {
    return ''
  }
}
