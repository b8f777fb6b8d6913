// The two ways of a request beside each other: a server that reads requests by node:http alone, and one that takes those
// that it can by the short way. The same bytes must mean the same to both: which requests they are, with which headers
// and bodies, and what is answered. Connections are streams in memory, a thousand times as many as sockets would be.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { Fault } from '../../src/base/errors.ts'
import { hasBody } from '../../src/base/http/call.ts'
import {
  answerBrokenRequests,
  answerHalfClosed,
  oneAfterAnother,
  refuseUncertainEnds,
} from '../../src/base/http/connection.ts'
import { streamPace } from '../../src/base/http/pace.ts'
import { receiveBody } from '../../src/base/http/receive-body.ts'
import { askWhenNeeded } from '../../src/base/http/refused-body.ts'
import { faultReply, jsonReply, writeReply } from '../../src/base/http/reply.ts'
import type { Reply } from '../../src/base/http/reply.ts'
import { takeShortRequests } from '../../src/base/http/short.ts'

/** Those of src/app.ts. */
const kinds = [/^PUT \/api\/feed\?/, /^(?:PUT|POST) \/api\/conn_sink\/[^/%? ]+\/[^/%? ]+[? ]/]
const options = { insecureHTTPParser: true, requireHostHeader: false, maxHeaderSize: 64 * 1024 }
const mostBodyBytes = 1024 * 1024

type Meant = {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** As latin1. */
  readonly body: string
}
type Heard = {
  readonly requests: readonly Meant[]
  /** All that was answered, without the headers. */
  readonly replies: readonly string[]
  /** Whether a body without a length was read, which node:http cannot. */
  readonly isUnmeasured: boolean
}

/** The server's end of a connection: the client has sent everything, and closed its sending side. */
class Wire extends Duplex {
  readonly #pieces: Iterator<Buffer>
  readonly written: Buffer[] = []
  /** Kept here: a request may still be read when its connection is over, and is none of the next connection. */
  readonly requests: Meant[] = []
  isUnmeasured = false

  constructor(pieces: readonly Buffer[]) {
    super()
    this.#pieces = pieces.values()
  }

  override _read(): void {
    const piece = this.#pieces.next()
    if (!piece.done) this.push(piece.value)
    else setImmediate(() => this.#end())
  }

  /** As of a socket: while it is paused nobody learns that its client has closed. */
  #end(): void {
    if (this.isPaused()) this.once('resume', () => this.#end())
    else this.push(null)
  }
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(chunk)
    done()
  }
}

/** Gives what a server with these ways takes the bytes for. */
export const openHttp = (hasShortWay: boolean): ((pieces: readonly Buffer[]) => Promise<Heard>) => {
  const note = (socket: Duplex, method: string, target: string, headers: IncomingHttpHeaders, body: string): Reply => {
    assert(socket instanceof Wire)
    const count = socket.requests.push({ method, target, headers: plain(headers), body })
    return jsonReply({ heard: count })
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers, socket } = request
    const reply = await bodyOf(request).then(
      (body) => note(socket, method, url, headers, body),
      (error: unknown) => {
        if (error instanceof Fault) return faultReply(error)
        throw error
      },
    )
    await writeReply(response, reply, method === 'HEAD')
  }
  const server = createServer(
    options,
    oneAfterAnother(refuseUncertainEnds((request, response) => void serve(request, response))),
  )
  answerBrokenRequests(server, options.maxHeaderSize)
  answerHalfClosed(server)
  askWhenNeeded(server)
  // Without any kind it hands everything over, with the line ends of old firmware mended as always.
  takeShortRequests(
    server,
    (hasShortWay ? kinds : []).map((begin) => ({
      begin,
      answer: ({ socket, method, target, headers }, body, reply) => {
        assert(socket instanceof Wire)
        if (body && headers['content-length'] === undefined) socket.isUnmeasured = true
        reply(note(socket, method, target, headers, body?.toString('latin1') ?? ''))
      },
    })),
    { idleMs: 1e6 },
  )
  listening(server)
  return async (pieces) => {
    const wire = new Wire(pieces)
    server.emit('connection', wire)
    const over = new Promise((resolve) => wire.once('finish', resolve).once('close', resolve))
    const errors: Error[] = []
    wire.on('error', (error) => errors.push(error))
    await over
    wire.destroy()
    assert.deepEqual(errors, [])
    const { requests, isUnmeasured, written } = wire
    return { requests: [...requests], replies: repliesOf(Buffer.concat(written).toString('latin1')), isUnmeasured }
  }
}

/** One that does not listen asks its clients to leave; its timers must keep no process. */
const listening = (server: Server): void => void Object.defineProperty(server, 'listening', { get: () => true })

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  if (!hasBody(request)) return ''
  const chunks: Buffer[] = []
  let bytes = 0
  const take = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostBodyBytes) throw new Fault('too_large', 'too large')
    chunks.push(chunk)
    return undefined
  }
  await receiveBody(request, { take }, streamPace)
  return Buffer.concat(chunks).toString('latin1')
}

/** node:http makes a list of some headers, even of one. */
const plain = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Lines that say how it went, and bodies. */
const repliesOf = (text: string): readonly string[] =>
  text.split(/(?=HTTP\/1\.1 )/).map((reply) => {
    const headEnd = reply.indexOf('\r\n\r\n')
    return `${reply.slice(0, reply.indexOf('\r\n'))} ${headEnd < 0 ? '' : reply.slice(headEnd + 4)}`
  })

const cut = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

let ways: readonly ReturnType<typeof openHttp>[] | undefined

/** Bytes of whole connections. */
export const compareWays = async (bytes: Buffer): Promise<void> => {
  ways ??= [openHttp(true), openHttp(false)]
  const [short, long] = await Promise.all(ways.map((hear) => hear([bytes])))
  if (short!.isUnmeasured) {
    // node:http takes it for the next request: what it must not be is one.
    assert.match(short!.requests[0]!.body, /^[\s\ufeff\xef\xbb\xbf]*[[{]/)
    return
  }
  assert.deepEqual(short, long)
}

/** Bodies that say that they are gzip, in pieces of any size; given what they should be. */
export const compareGzip = async (bytes: Buffer, expected: string | undefined): Promise<void> => {
  ways ??= [openHttp(true), openHttp(false)]
  const head = `PUT /api/feed?compId=C HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`
  const all = Buffer.concat([Buffer.from(head), bytes])
  for (const size of [all.length, 1, 100]) {
    const { requests, replies } = await ways[0]!(cut(all, size))
    assert.deepEqual(
      requests.map(({ body }) => body),
      expected === undefined ? [] : [expected],
      `${replies.join()} in pieces of ${size}`,
    )
  }
}
