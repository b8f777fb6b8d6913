// The short way: a request that fleets of devices send ten thousand times a second is read from its socket and answered
// here, without node:http, which takes 51 µs of processor time for a request and its reply where this takes 31.
//
// It takes only requests that leave no question: a whole request in one piece, written as RFC 9112 wants it, without a
// body or with one of a stated length, and nothing behind it. In addition it takes a request that node:http cannot
// serve: a body without a length, which ends when its client closes its sending side (docs/feeds.md#old-devices).
// Anything else, and all that comes after it on the same connection, goes to node:http as if nobody had looked at it.
// So a strange, slow, large, old or pipelined request is judged in one place only.
import type { Server } from 'node:http'
import type { RequestHead } from './call.ts'
import { closeGently } from './connection.ts'
import type { OnRefused, ServerSocket } from './connection.ts'
import type { Fault } from '../errors.ts'
import { giveInSlices } from './framing.ts'
import { hasWholeLineEnds, mendLineEnds } from './line-ends.ts'
import type { Reply } from './reply.ts'
import { faultReply, replyText } from './reply.ts'
import { openHeaders } from './short-headers.ts'
import type { ReadHeaders } from './short-headers.ts'
import { UnmeasuredBody } from './unmeasured-body.ts'
import type { Unmeasured } from './unmeasured-body.ts'

export type ShortKind = {
  /** The beginning of these requests, such as /^PUT \/api\/feed\?/. */
  readonly begin: RegExp
  /** Calls `reply` once, now or later; its body is text. */
  readonly answer: (head: RequestHead, body: Buffer | undefined, reply: (reply: Reply) => void) => void
}

export type ShortOptions = {
  /** Idle connections are closed as in idle.ts. */
  readonly idleMs: number
  readonly onRefused?: OnRefused
  /** The longest wait for a body without a length. */
  readonly patienceMs?: number
  /** Goes on with what one address has sent in a later turn of the event loop (../turns.ts). */
  readonly later?: (address: string, goOn: () => void) => void
  /** Whether clients are asked to leave with their reply; those of a server that listens are not. */
  readonly isClosing?: () => boolean
}

export type Short = {
  /** Whether a request on this connection is being answered here. */
  readonly isAnswering: (socket: ServerSocket) => boolean
}

/**
 * Takes requests of these kinds. To be called when all others have their listeners for the server's connections, and
 * before it listens.
 */
export const takeShortRequests = (
  server: Server,
  kinds: readonly ShortKind[],
  {
    idleMs,
    onRefused = () => {},
    patienceMs = 10_000,
    later = (_address, goOn) => void setImmediate(goOn),
    isClosing = () => !server.listening,
  }: ShortOptions,
): Short => {
  const toHttp = server.listeners('connection') as ((socket: ServerSocket) => void)[]
  server.removeAllListeners('connection')
  const connections = new Map<ServerSocket, ShortConnection>()
  const readHeaders = openHeaders()
  server.on('connection', (socket: ServerSocket) => {
    const origin: Origin = { socket, peer: socket.remoteAddress }
    const connection = new ShortConnection(socket, {
      take: (chunk, reply) => {
        const head = takeShortRequest(chunk, kinds, origin, readHeaders, reply)
        if (head) socket.lacksLength = head.headers['content-length'] === undefined
        return head !== undefined
      },
      takeUnmeasured: (chunk) => takeUnmeasured(chunk, kinds, origin, readHeaders),
      patienceMs,
      onRefused: (fault) => onRefused(fault, origin.peer),
      isClosing,
      onEnd: (left) => {
        connections.delete(socket)
        if (left === undefined) return
        for (const listener of toHttp) listener.call(server, socket)
        if (!hasWholeLineEnds(left)) mendLineEnds(socket)
        giveInSlices(socket, (goOn) => later(origin.peer ?? '', goOn))
        socket.resume()
      },
    })
    connections.set(socket, connection)
  })

  const timer = setInterval(() => {
    for (const connection of connections.values()) connection.look()
  }, idleMs / 2).unref()
  server.once('close', () => clearInterval(timer))

  // These connections are closed together with the server's own.
  const closeAllConnections = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    for (const connection of connections.values()) connection.close()
    closeAllConnections()
  }
  return { isAnswering: (socket) => connections.get(socket)?.isAnswering === true }
}

type ConnectionOptions = {
  /** False: the request is left to node:http. */
  readonly take: (chunk: Buffer, reply: (reply: Reply) => void) => boolean
  readonly takeUnmeasured: (chunk: Buffer) => Unmeasured | undefined
  readonly patienceMs: number
  readonly onRefused: (fault: Fault) => void
  readonly isClosing: () => boolean
  /** Called when the connection is closed, or left to node:http with these bytes and all that is still to be read. */
  readonly onEnd: (left: Buffer | undefined) => void
}

class ShortConnection {
  readonly #socket: ServerSocket
  readonly #options: ConnectionOptions
  #isAnswering = false
  /** Bytes that came while a request was being answered. */
  #ahead: Buffer | undefined
  #unmeasured: UnmeasuredBody | undefined
  #hasEnded = false
  #idleLooks = 0

  constructor(socket: ServerSocket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
  }

  get isAnswering(): boolean {
    return this.#isAnswering
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#unmeasured) return this.#unmeasured.add(chunk)
    if (this.#isAnswering) {
      this.#ahead = chunk
      this.#putBack(chunk)
      return
    }
    this.#isAnswering = true
    if (this.#options.take(chunk, this.#reply)) return
    this.#isAnswering = false
    const unmeasured = this.#options.takeUnmeasured(chunk)
    if (unmeasured) {
      this.#unmeasured = new UnmeasuredBody(unmeasured, this.#options.patienceMs, this.#refuse)
      return
    }
    this.#putBack(chunk)
    this.#handOver(chunk)
  }

  readonly #refuse = (fault: Fault): void => {
    this.#options.onRefused(fault)
    this.#stopListening()
    this.#options.onEnd(undefined)
    this.#socket.on('error', this.#onError)
    closeGently(this.#socket, replyText(faultReply(fault), 'close'))
  }

  readonly #reply = (reply: Reply): void => {
    this.#isAnswering = false
    this.#idleLooks = 0
    if (this.#socket.destroyed) return reply.onSent?.()
    const isLast = this.#hasEnded || this.#options.isClosing()
    // The socket calls it, too, when the client goes away before.
    const isTaken = this.#socket.write(replyText(reply, isLast ? 'close' : 'keep-alive'), reply.onSent)
    // A client that does not read its replies gets no further ones.
    if (!isTaken) this.#socket.pause().once('drain', () => this.#socket.resume())
    if (isLast) this.#socket.end()
    else if (this.#ahead) this.#handOver(this.#ahead)
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (this.#unmeasured) {
      this.#isAnswering = true
      this.#unmeasured.end(this.#reply)
    } else if (!this.#isAnswering) this.#socket.end()
  }

  // The socket closes by itself after an error; without a listener the error would end the process.
  readonly #onError = (): void => {}

  readonly #onClose = (): void => {
    this.#unmeasured?.drop()
    this.#options.onEnd(undefined)
  }

  /** Into the socket and not beside it: its end is then not seen before these bytes are. */
  #putBack(chunk: Buffer): void {
    this.#socket.pause()
    this.#socket.unshift(chunk)
  }

  #handOver(chunk: Buffer): void {
    this.#stopListening()
    this.#options.onEnd(chunk)
  }

  #stopListening(): void {
    this.#socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose)
  }

  /** Called from time to time: closes a connection that was idle at the last two looks and is now. */
  look(): void {
    if (this.#isAnswering || this.#unmeasured) return
    this.#idleLooks += 1
    if (this.#idleLooks > 2) this.close()
  }

  close(): void {
    this.#socket.destroy()
  }
}

const mostHeadBytes = 16 * 1024

/** The connection of a request, and its client's address, which node:net looks up anew each time. */
type Origin = Pick<RequestHead, 'socket' | 'peer'>

const takeShortRequest = (
  chunk: Buffer,
  kinds: readonly ShortKind[],
  origin: Origin,
  readHeaders: ReadHeaders,
  reply: (reply: Reply) => void,
): RequestHead | undefined => {
  const headEnd = chunk.indexOf('\r\n\r\n', 0, 'latin1') + 4
  if (headEnd < 4 || headEnd > mostHeadBytes) return undefined
  const text = chunk.toString('latin1', 0, headEnd)
  const kind = kinds.find(({ begin }) => begin.test(text))
  if (kind === undefined) return undefined
  const body = headEnd === chunk.length ? undefined : chunk.subarray(headEnd)
  const head = readShortHead(text, body?.length ?? 0, origin, readHeaders)
  if (head) kind.answer(head, body, reply)
  return head
}

/**
 * A request with neither a length nor chunks has no body, and what follows is the next request (RFC 9112, 6.3). JSON cannot
 * be one, since no method begins with a bracket: so it is the body that it looks like, and no proxy sees anything else in it.
 */
const takeUnmeasured = (
  chunk: Buffer,
  kinds: readonly ShortKind[],
  origin: Origin,
  readHeaders: ReadHeaders,
): Unmeasured | undefined => {
  const text = chunk.toString('latin1', 0, mostHeadBytes)
  const kind = kinds.find(({ begin }) => begin.test(text))
  const headEnd = kind && /\n\r?\n/.exec(text)
  if (!headEnd) return undefined
  const bodyAt = headEnd.index + headEnd[0].length
  if (!/^[\t\n\r ]*(?:\xef\xbb\xbf)?[[{]/.test(text.slice(bodyAt))) return undefined
  const lines = text
    .slice(0, bodyAt)
    .replaceAll(/\r?\n/g, '\r\n')
    .replace(' HTTP/1.0\r\n', ' HTTP/1.1\r\n')
    .replace(/\r\nConnection:[\t ]*(?:close|keep-alive)[\t ]*(?=\r\n)/i, '')
  const head = readShortHead(lines, 0, origin, readHeaders)
  if (head === undefined || head.headers['content-length'] !== undefined) return undefined
  return { begin: chunk.subarray(bodyAt), answer: (body, reply) => kind.answer(head, body, reply) }
}

/** Undefined unless it leaves no question. */
const readShortHead = (
  text: string,
  bodyBytes: number,
  origin: Origin,
  readHeaders: ReadHeaders,
): RequestHead | undefined => {
  const lineEnd = text.indexOf('\r\n')
  const line = text.slice(0, lineEnd)
  if (!wholeLine.test(line) || !line.endsWith(' HTTP/1.1')) return undefined
  const methodEnd = line.indexOf(' ')
  const targetEnd = lineEnd - ' HTTP/1.1'.length
  if (line.indexOf(' ', methodEnd + 1) !== targetEnd) return undefined
  const headers = readHeaders(text.slice(lineEnd + 2))
  if (headers === undefined || (headers['content-length'] ?? '0') !== String(bodyBytes)) return undefined
  const { socket, peer } = origin
  return { method: line.slice(0, methodEnd), target: line.slice(methodEnd + 1, targetEnd), headers, socket, peer }
}

const wholeLine = /^[ -~]+$/
