// All connections of the server (docs/replies.md#bodies-and-connections): each address has a share of them (shares.ts), and
// useless ones are closed: connections whose clients do not read, and heads that never end.
//
// An address that has its share gets no further connection by being refused, but in place of its oldest idle one, if
// possible one that has never been answered. So a client that opens thousands and leaves them idle does not even keep
// out others at the same address.
import type { Server } from 'node:http'
import { addressGroup, inRanges } from './address.ts'
import type { AddressRange } from '../config.ts'
import type { ServerSocket } from './connection.ts'
import { busy } from '../errors.ts'
import { faultReply, replyText } from './reply.ts'
import { openShares } from '../shares.ts'
import type { Holding, Shares } from '../shares.ts'

export type ConnectionOptions = {
  readonly most: number
  /** Proxies, whose connections carry many clients: of these each may have all that there are. */
  readonly trustedProxies: readonly AddressRange[]
  readonly mostOfProxies: number
  /** Whether a request on it is being answered. */
  readonly isBusy: (socket: ServerSocket) => boolean
  readonly lookEveryMs?: number
}

/** Of a process. An idle one takes 10 KB. */
export const mostClientConnections = 22_000

/** Connections by address, of clients or of proxies: neither of them can take what the other has. */
type Hall = { readonly shares: Shares; readonly byAddress: Map<string, Set<ServerSocket>> }

const openHall = (most: number): Hall => ({ shares: openShares(most), byAddress: new Map() })

type Known = {
  readonly address: string
  readonly hall: Hall
  readonly holding: Holding
  /** The bytes read when it was last busy, or answered: the rest is an incomplete head. */
  readBefore: number
  writtenBefore: number
  sentBefore: number
  /** Looks during which next to nothing of the reply was sent. */
  stalledLooks: number
}

// A client reads 1 KiB in 30 s, as slowly as it may send (pace.ts).
const leastSentBytes = 1024
const mostStalledLooks = 6
/** The most bytes of all incomplete heads: a thousand times 32 KB, the longest address that must work. */
const mostHeadBytes = 32 * 1024 * 1024
/** The most connections searched for one that can be closed. */
const mostSearched = 64

/** To be called when all others have their listeners for the server's connections, and before it listens. */
export const shareConnections = (
  server: Server,
  { most, trustedProxies, mostOfProxies, isBusy, lookEveryMs = 5000 }: ConnectionOptions,
): { readonly sockets: () => Iterable<ServerSocket> } => {
  const ofClients = openHall(most)
  const ofProxies = openHall(mostOfProxies)
  const connections = new Map<ServerSocket, Known>()
  let proxied = 0

  const forget = (socket: ServerSocket) => {
    const known = connections.get(socket)
    if (!connections.delete(socket)) return
    const { holding, address, hall } = known!
    holding.give()
    const ofAddress = hall.byAddress.get(address)!
    ofAddress.delete(socket)
    if (ofAddress.size === 0) hall.byAddress.delete(address)
  }
  const close = (socket: ServerSocket) => {
    forget(socket)
    socket.destroy()
  }
  /** The oldest that is idle; those that are busy are not looked at first again. */
  const findIdle = (sockets: Set<ServerSocket>): ServerSocket | undefined => {
    let searched = 0
    let idle: ServerSocket | undefined
    for (const socket of sockets) {
      if (searched++ === mostSearched) break
      if (isBusy(socket)) {
        sockets.delete(socket)
        sockets.add(socket)
      } else if (socket.bytesWritten === 0) return socket
      else idle ??= socket
    }
    return idle
  }
  const makeRoom = ({ byAddress }: Hall, address: string): void => {
    const ofAddress = byAddress.get(address)
    if (ofAddress) {
      const idle = findIdle(ofAddress)
      if (idle) close(idle)
      return
    }
    // Nothing is left at all.
    let searched = 0
    for (const others of byAddress.values()) {
      const idle = findIdle(others)
      if (idle) return close(idle)
      if (searched++ === mostSearched) return
    }
  }

  const admit = (socket: ServerSocket): boolean => {
    const peer = socket.remoteAddress ?? ''
    const address = addressGroup(peer)
    const isProxied = inRanges(peer, trustedProxies)
    const hall = isProxied ? ofProxies : ofClients
    // One may have all of them: each connection is a caller of its own.
    const holding = hall.shares.open([isProxied ? String((proxied += 1)) : address])
    if (!holding.take(1)) {
      makeRoom(hall, address)
      if (!holding.take(1)) return false
    }
    const ofAddress = hall.byAddress.get(address) ?? new Set()
    hall.byAddress.set(address, ofAddress.add(socket))
    connections.set(socket, {
      address,
      hall,
      holding,
      readBefore: 0,
      writtenBefore: 0,
      sentBefore: 0,
      stalledLooks: 0,
    })
    socket.once('close', () => forget(socket))
    return true
  }

  const isStalled = (socket: ServerSocket, known: Known): boolean => {
    const { bytesWritten = 0, writeQueueSize = 0 } = socket['_handle'] ?? {}
    const sent = bytesWritten - writeQueueSize
    if (socket.writableLength === 0 || sent - known.sentBefore >= leastSentBytes) {
      known.stalledLooks = 0
      known.sentBefore = sent
    } else known.stalledLooks += 1
    return known.stalledLooks >= mostStalledLooks
  }
  const headBytes = (socket: ServerSocket, known: Known): number => {
    if (isBusy(socket) || socket.bytesWritten !== known.writtenBefore) {
      known.readBefore = socket.bytesRead
      known.writtenBefore = socket.bytesWritten
    }
    return socket.bytesRead - known.readBefore
  }
  const look = () => {
    let headsBytes = 0
    const heads: (readonly [bytes: number, socket: ServerSocket])[] = []
    for (const [socket, known] of connections) {
      if (isStalled(socket, known)) {
        close(socket)
        continue
      }
      const bytes = headBytes(socket, known)
      headsBytes += bytes
      if (bytes > 0) heads.push([bytes, socket])
    }
    if (headsBytes <= mostHeadBytes) return
    heads.sort(([a], [b]) => b - a)
    for (const [bytes, socket] of heads) {
      close(socket)
      headsBytes -= bytes
      if (headsBytes <= mostHeadBytes / 2) return
    }
  }

  const listeners = server.listeners('connection') as ((socket: ServerSocket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: ServerSocket) => {
    if (admit(socket)) for (const listener of listeners) listener.call(server, socket)
    else
      socket
        .on('error', () => {})
        .end(replyText(faultReply(busy('too many connections')), 'close'), () => socket.destroy())
  })
  const timer = setInterval(look, lookEveryMs).unref()
  server.once('close', () => clearInterval(timer))
  return { sockets: () => connections.keys() }
}
