// Bodies that nobody reads to their end, because the call was refused before. The client must still be able to read why:
// most look for a reply only after they have sent everything, and a connection that is cut takes it from them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { freeChunk } from '../free.ts'
import { hasBody } from './call.ts'
import type { RequestBody } from './call.ts'
import type { Serve } from './connection.ts'
import { closeSoon } from './connection.ts'

const continues = new WeakMap<IncomingMessage, () => void>()

/**
 * A client that asks whether to send its body (Expect: 100-continue) is answered by the body's reader, if any. Other
 * expectations count for nothing (RFC 9110, 10.1.1): node:http would refuse them by itself, all of a connection in one go,
 * so that 60 strangers stopped everybody, and without a look at where their bodies end.
 */
export const askWhenNeeded = (server: Server): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continues.set(request, () => response.writeContinue())
    server.emit('request', request, response)
  })
}

/** To be called before a body is read. */
export const askForBody = (request: IncomingMessage): void => {
  continues.get(request)?.()
  continues.delete(request)
}

/** Whether the client waits with its body until it is asked for it. */
export const waitsWithBody = (body: RequestBody): boolean => continues.has(body as IncomingMessage)

const mostDroppedBytes = 512 * 1024 * 1024
const droppedWithinMs = 120_000
const lookAfterMs = 15_000
/** A client that sends less than this between two looks is not busy sending, and has had time to read. */
const leastBytes = 1024

/** The rest of the body, after the reply, is read and dropped, within limits; then the connection is closed. */
export const dropRefusedBodies =
  (serve: Serve, lookEveryMs = lookAfterMs): Serve =>
  (request, response) => {
    // Before node:http's own listener, which may close the connection.
    if (hasBody(request)) response.prependListener('finish', () => dropRest(request, lookEveryMs))
    serve(request, response)
  }

const dropRest = (request: IncomingMessage, lookEveryMs: number): void => {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  const mostRead = socket.bytesRead + mostDroppedBytes
  const untilMs = performance.now() + droppedWithinMs
  let last = socket.bytesRead
  const look = () => {
    const read = socket.bytesRead
    if (read - last < leastBytes || read > mostRead || performance.now() > untilMs) socket.destroy()
    last = read
  }
  const timer = setInterval(look, lookEveryMs).unref()
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  request.once('end', stop).on('error', stop)
  // node:http tells a request that has its reply nothing of its connection's end.
  socket.once('close', stop)
  // Not before its reader has let go of it.
  setImmediate(() => request.on('data', freeChunk).resume())
  // This is how node:http closes the connection. Now the reply and our end go out, but reading goes on.
  socket.destroySoon = () => {
    socket.end()
    if (request.complete) closeSoon(socket)
    else request.once('end', () => closeSoon(socket))
  }
}
