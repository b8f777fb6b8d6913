// Rules of one connection: its requests are served one after another, each has a certain end, a client that has closed
// its sending side gets its reply, and so do bytes that are not even a request.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { badRequest, tooLarge } from '../errors.ts'
import type { Fault } from '../errors.ts'
import { faultReply, replyText, writeReply } from './reply.ts'

/** Called for each request that is refused before any door sees it. */
export type OnRefused = (fault: Fault, peer: string | undefined) => void

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** Members that node:http keeps on its sockets, undocumented, since long before version 20; and ours. */
export type ServerSocket = Socket & {
  /** Set, it does not resume the socket by itself, and pauses the parser. */
  ['_paused']?: boolean
  parser?: { resume: () => void } | null
  /** The response that is being written. */
  ['_httpMessage']?: ServerResponse | null
  /** The writer to the network: the bytes it was given, and how many of them still wait. */
  ['_handle']?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null
  /** Ours: when the last request's turn came; Infinity until its client's end would have been seen. */
  servedMs?: number
  /** Ours: when the client closed its sending side. */
  endedMs?: number
  /** Ours: whether the last request could have had a body, but said nothing of one. */
  lacksLength?: boolean
  /** Ours: whether bytes came that are not a request. */
  isBroken?: boolean
}

// A client that closes only its sending side does so directly behind its request: an end that had come with the request is
// seen in the next round of the event loop, however long that takes in a busy process, and so the time begins behind it.
const directlyBehindMs = 50

const beginTime = (socket: ServerSocket): void => {
  socket.servedMs = performance.now()
}
const awaitRound = (socket: ServerSocket): void => void setImmediate(beginTime, socket)

/**
 * A client that closes its sending side after its request (netcat, cheap modems) waits for the reply. One that leaves
 * looks just the same, but closes some time later. One that leaves at once cannot be distinguished from the first
 * before something is written to it: only then its side answers with a reset, and an interim reply (102) is not for old
 * devices.
 */
export const answerHalfClosed = (server: Server): void => {
  ;(server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true
  server.on('connection', (socket: ServerSocket) => socket.once('end', noteEnd))
}

function noteEnd(this: ServerSocket): void {
  this.endedMs = performance.now()
}

const isGone = ({ destroyed, endedMs = 0, servedMs = 0 }: ServerSocket): boolean =>
  destroyed || endedMs - servedMs > directlyBehindMs

/** Calls `leave` when the client has left, or now if it has already; returns a function that stops watching. */
export const whenGone = (socket: ServerSocket, leave: () => void): (() => void) => {
  const onEnd = () => {
    if (isGone(socket)) leave()
  }
  onEnd()
  socket.once('close', leave).once('end', onEnd)
  return () => void socket.off('close', leave).off('end', onEnd)
}

/** The same where a client may well close its sending side some time later, and wait: behind a long body. */
export const whenClosed = (socket: ServerSocket, leave: () => void): (() => void) => {
  if (socket.destroyed) leave()
  socket.once('close', leave)
  return () => void socket.off('close', leave)
}

/**
 * A client may send the next request before it has read the reply to the last. Two uploads of the same sample must
 * not overtake each other then, and a million requests in one go must not wait in memory: each is served when the
 * reply before it is out, and nothing more is read from the connection while some wait.
 */
export const oneAfterAnother = (handle: Serve): Serve => {
  const serve: Serve = (request, response) => {
    const socket = request.socket as ServerSocket
    socket.servedMs = Infinity
    setImmediate(awaitRound, socket)
    socket.lacksLength = lacksLength(request)
    handle(request, response)
  }
  const waiting = new WeakMap<ServerSocket, number>()
  return (request, response) => {
    // The last reply is out, but node:http goes on with further requests in the same bytes (RFC 9112, 9.6).
    if (request.socket.writableEnded) return
    // node:http gives a response its socket when it is its turn; that is at once unless requests are pipelined.
    if (response.socket !== null) return serve(request, response)
    const socket: ServerSocket = request.socket
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    stopReading(socket)
    response.once('socket', () => {
      const left = waiting.get(socket)! - 1
      waiting.set(socket, left)
      if (left === 0) goOnReading(socket)
      serve(request, response)
    })
  }
}

const lacksLength = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'PUT' || method === 'POST') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

// Stops as node:http does itself where a client sends faster than it reads.
const stopReading = (socket: ServerSocket): void => {
  socket['_paused'] = true
  socket.pause()
}

const goOnReading = (socket: ServerSocket): void => {
  socket['_paused'] = false
  socket.parser?.resume()
  socket.resume()
}

/**
 * The lenient parser (app.ts) takes requests whose end others would look for elsewhere, so that behind a proxy a second
 * request could hide in the body of the first (RFC 9112, 11.2). These are refused and the connection closed: the bytes
 * behind them are nobody's request.
 */
export const refuseUncertainEnds =
  (serve: Serve, onRefused: OnRefused = () => {}): Serve =>
  (request, response) => {
    if (hasCertainEnd(request)) return serve(request, response)
    const fault = badRequest('where the body ends is not certain', { headers: { Connection: 'close' } })
    onRefused(fault, request.socket.remoteAddress)
    void writeReply(response, faultReply(fault), request.method === 'HEAD').catch(() => response.destroy())
  }

const hasCertainEnd = ({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): boolean => {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers
  if (encoding !== undefined && (length !== undefined || !/^chunked$/i.test(encoding) || httpVersionMinor === 0))
    return false
  // `Content-Length : 5` counts for the parser, but has another name when the header is read.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.charCodeAt(name.length - 1) <= 0x20 && /^(content-length|transfer-encoding)\s/i.test(name)) return false
  }
  return true
}

const lingerMs = 2000

/** Begins the work in this turn of the event loop or a later one (turns.ts). */
type BeginInTurn = (address: string, work: () => void) => void

/**
 * Answers bytes that node:http could not read as a request, and closes the connection. In turns: the ends of thousands of
 * requests that break off together come in one turn of the event loop, and each takes as long as a request.
 */
export const answerBrokenRequests = (
  server: Server,
  mostHeaderBytes: number,
  onRefused: OnRefused = () => {},
  beginInTurn: BeginInTurn = (_address, work) => work(),
): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, stream: Duplex) => {
    const socket = stream as ServerSocket
    // The parser reports each further chunk, too, until the connection is answered.
    if (socket.isBroken && error.code?.startsWith('HPE_')) return
    socket.isBroken = true
    beginInTurn(socket.remoteAddress ?? '', () => answerBroken(error, socket, mostHeaderBytes, onRefused))
  })
}

const answerBroken = (
  error: NodeJS.ErrnoException,
  socket: ServerSocket,
  mostHeaderBytes: number,
  onRefused: OnRefused,
): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const current = socket['_httpMessage']
  const fault = faultOf(error, mostHeaderBytes)
  onRefused(fault, socket.remoteAddress)
  // The bytes are the body of a request that has its reply: a second one would be taken for the reply to the next.
  const isUnmeasuredBody = socket.lacksLength && error.code === 'HPE_INVALID_METHOD'
  const text = isUnmeasuredBody ? '' : replyText(faultReply(fault), 'close')
  if (!current || current.writableEnded) closeGently(socket, text)
  // The broken bytes may stand behind a good request, which has its reply first.
  else if (current.req.complete) current.once('close', () => closeGently(socket))
  // Or they are the body of this one: its reader must notice now, and does so by the connection's end.
  else if (current.headersSent) socket.destroy()
  else socket.end(text, () => socket.destroy())
}

const faultOf = ({ code }: NodeJS.ErrnoException, mostBytes: number): Fault => {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge(`the address and the headers are larger than ${mostBytes} bytes`)
  if (code === 'HPE_INVALID_EOF_STATE') return badRequest('the request broke off')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badRequest('the request did not arrive in time')
  return badRequest('this is not an HTTP request')
}

/**
 * A connection closed while its client still sends would be reset, and the reply lost: so further bytes are thrown
 * away.
 */
export const closeGently = (socket: Socket, text = ''): void => {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  // The last reply may have ended it already.
  if (!socket.writableEnded) socket.end(text)
  closeSoon(socket)
}

/** Closes when the client has closed its side too, or after a moment. */
export const closeSoon = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer))
}
