// The MQTT port (docs/mqtt.md): connections, of which each caller has a share, and what they upload. A message becomes a
// call of PUT /feed, which goes the way of all such calls: guard, limits, audit, metrics and refusals are theirs.
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { listenOftenIfPossible } from '../base/http/accept.ts'
import { clientAddress } from '../base/http/address.ts'
import { callFromHead } from '../base/http/call.ts'
import type { Call } from '../base/http/call.ts'
import type { Reply } from '../base/http/reply.ts'
import { openShares } from '../base/shares.ts'
import type { Holders } from '../base/shares.ts'
import type { Turns } from '../base/turns.ts'
import type { World } from '../base/world.ts'
import { strangerHolders } from '../core/caller.ts'
import type { Refusal } from './answer.ts'
import { Connection } from './connection.ts'
import type { Admission, Uploads } from './connection.ts'
import { openPlaces } from './places.ts'
import type { PlaceLimits } from './places.ts'
import { openSessions } from './sessions.ts'
import type { Upload } from './topic.ts'

export type MqttLimits = PlaceLimits & {
  /** For packets that have not come whole, messages under way and wills, of all connections. */
  readonly mostHeldBytes: number
  /** Messages under way of all connections, beside one that each of them has. */
  readonly mostFurther: number
}

export const usualLimits: MqttLimits = {
  mostConnections: 10_000,
  // More than look-ups of one address that wait (access/look-up.ts): guesses at keys do not take all of a proxy's, unless the process may open few files.
  mostStrangers: 6000,
  mostHeldBytes: 32 * 1024 * 1024,
  mostFurther: 10_000,
}

const lookEveryMs = 1000
const cutAfterMs = 2000

export type MqttOptions = {
  readonly world: World
  readonly port: number
  /** Whether several new connections are taken in one turn of the loop. */
  readonly takesMany: boolean
  /** Shared with HTTP. */
  readonly turns: Turns
  /** Answers PUT /feed as for HTTP. */
  readonly put: (call: Call) => Promise<Reply>
  /** Gives the holders of a call whose credential is good; else the refusal is counted. */
  readonly recognize: (call: Call) => Promise<Holders>
  readonly limits: MqttLimits
}

export type Mqtt = {
  readonly port: number
  readonly size: () => number
  readonly close: () => Promise<void>
}

export const openMqtt = async ({
  world,
  port,
  takesMany,
  turns,
  put,
  recognize,
  limits,
}: MqttOptions): Promise<Mqtt> => {
  const { host, trustedProxies } = world.config
  const places = openPlaces(limits, trustedProxies)
  const room = openShares(limits.mostHeldBytes)
  const further = openShares(limits.mostFurther)
  const sessions = openSessions()
  const connections = new Set<Connection>()
  /** A will is stored when its socket knows no address any more. */
  const uploadsFrom = (address: string): Uploads => {
    const callOf = (key: string, { query, body }: Upload, socket: Socket): Call => {
      const target = `/api/feed?api_key=${encodeURIComponent(key)}&${query}`
      return { ...callFromHead({ method: 'PUT', target, headers: {}, socket }, body, trustedProxies), address }
    }
    return {
      connect: async (key, socket): Promise<Admission> => ({
        holders: await recognize(callOf(key, { query: '', body: undefined }, socket)),
      }),
      put: async (key, upload, socket): Promise<Refusal | undefined> => {
        const { status, body, onSent } = await put(callOf(key, upload, socket))
        onSent?.()
        return status < 400 ? undefined : { status, message: messageOf(body) }
      },
      openFurther: further.open,
      begin: turns.begin,
      sessions,
      onFailure,
    }
  }
  const onFailure = (error: unknown) => world.log.error({ err: error }, 'an MQTT connection failed')
  const server = createServer(options, (socket) => {
    const address = clientAddress(socket.remoteAddress, {}, trustedProxies)
    const place = places.enter(address, {
      giveWay: () => connection.giveWay(),
      strangerBytes: () => connection.strangerBytes(),
    })
    if (place === undefined) return void socket.on('error', () => {}).destroy()
    const connection = new Connection(socket, place, strangerHolders(address), room.open, uploadsFrom(address))
    connections.add(connection)
    void connection.ended.then(() => {
      connections.delete(connection)
      place.give()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', onFailure)
  const listeners = takesMany ? await listenOftenIfPossible(server, backlog, world.log, options) : []
  const looking = setInterval(() => {
    for (const connection of connections) connection.look()
  }, lookEveryMs)
  return {
    port: (server.address() as AddressInfo).port,
    size: () => connections.size,
    close: async () => {
      const closed = Promise.all([server, ...listeners].map((one) => new Promise((resolve) => one.close(resolve))))
      await Promise.all(Array.from(connections, (connection) => connection.stop()))
      const cut = setTimeout(() => {
        for (const connection of connections) connection.cut()
      }, cutAfterMs)
      await closed
      await Promise.all(Array.from(connections, ({ ended }) => ended))
      clearTimeout(cut)
      clearInterval(looking)
    },
  }
}

const options = {
  noDelay: true,
  allowHalfOpen: true,
  /** A connection reads when it is its turn. */
  pauseOnConnect: true,
  /** Of answers that a client has not read: then nothing further is read from it. */
  highWaterMark: 16 * 1024,
}
/** As for HTTP (service.ts). */
const backlog = 4096

const messageOf = (body: Reply['body']): string => {
  try {
    return typeof body === 'string' ? (JSON.parse(body) as { message: string }).message : ''
  } catch {
    return ''
  }
}
