// Connections that are kept open and not used any more are closed after a while. node:http can do that by itself
// (keepAliveTimeout), but sets a timer after every reply and clears it with every request, which takes 8 of the
// 50 µs that it needs for a request. Here all connections are looked at every now and then instead.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Use = {
  /** The last look before its last request. */
  look: number
  response: ServerResponse | undefined
}

/** Closes a connection between one and one and a half times idleMs after its last reply. Before the server listens. */
export const closeIdle = (server: Server, idleMs: number): void => {
  const uses = new Map<Socket, Use>()
  let looks = 0
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => {
    uses.set(socket, { look: looks, response: undefined })
    socket.once('close', () => uses.delete(socket))
  })
  server.on('request', (request, response) => {
    const use = uses.get(request.socket)
    if (use === undefined) return
    use.look = looks
    use.response = response
  })
  const look = () => {
    looks += 1
    for (const [socket, { look: last, response }] of uses) {
      // A connection without any request yet is node:http's to judge (headersTimeout).
      if (response === undefined || looks - last < 3) continue
      if (response.writableFinished) socket.destroy()
    }
  }
  const timer = setInterval(look, idleMs / 2).unref()
  server.once('close', () => clearInterval(timer))
}
