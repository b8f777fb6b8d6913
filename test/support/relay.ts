// A network between a server and its database that can be cut silently: nothing arrives, in either direction, and no
// side gets an error. A connection opened meanwhile is taken, as a frozen server's kernel does, and gets no answer.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export type Relay = {
  /** The database's address through the relay. */
  readonly url: string
  /** How many go through it now. */
  readonly connections: () => number
  readonly cut: () => void
  /** For new connections: those that were cut stay so. */
  readonly mend: () => void
  /** All connections are closed. */
  readonly end: () => void
  readonly close: () => Promise<void>
}

export const openRelay = async (databaseUrl: string): Promise<Relay> => {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
  }
  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => void (!cutOff.has(from) && to.write(chunk)))
    from.on('close', () => void (!cutOff.has(from) && to.destroy()))
  }
  const cutOff = new WeakSet<Socket>()
  const server = createServer((client) => {
    keep(client)
    if (isCut) return void client.on('data', () => {})
    const upstream = keep(connect(Number(port), hostname))
    forward(client, upstream)
    forward(upstream, client)
  })
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    connections: () => sockets.size / 2,
    cut: () => {
      isCut = true
      for (const socket of sockets) cutOff.add(socket)
    },
    mend: () => {
      isCut = false
    },
    end,
    close: async () => {
      end()
      server.close()
      await once(server, 'close')
    },
  }
}
