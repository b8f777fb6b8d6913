// The two ways of a request beside each other: a server that reads requests by node:http alone, and one that takes those
// that it can by the short way. The same bytes must mean the same to both: which requests they are, with which headers
// and bodies, and what is answered. Connections are streams in memory, a thousand times as many as sockets would be.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
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
import { openRandom } from '../support/random.ts'

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
  /** Whether the server closed the connection before the client did. */
  readonly isCutOff: boolean
}

/** The server's end of a connection, on which the pieces come one by one; behind the last the client closes its sending side. */
class Wire extends Duplex {
  readonly #pieces: Iterator<Buffer>
  readonly #isPatient: boolean
  #isFirst = true
  #hasEnded = false
  isCutOff = false
  readonly written: Buffer[] = []
  /** Kept here: a request may still be read when its connection is over, and is none of the next connection. */
  readonly requests: Meant[] = []
  isUnmeasured = false

  constructor({ pieces, isPatient }: Sent) {
    super()
    this.#pieces = pieces.values()
    this.#isPatient = isPatient
  }

  override _read(): void {
    const piece = this.#pieces.next()
    const turns = this.#isPatient && !this.#isFirst ? turnsOfAnswer : 0
    this.#isFirst = false
    if (piece.done) inTurns(turns + 1, () => this.#end())
    else if (turns === 0) this.push(piece.value)
    else inTurns(turns, () => this.push(piece.value))
  }

  /** As of a socket: while it is paused nobody learns that its client has closed. */
  #end(): void {
    if (this.isPaused()) this.once('resume', () => this.#end())
    else {
      this.#hasEnded = true
      this.push(null)
    }
  }
  override _final(done: () => void): void {
    this.isCutOff = !this.#hasEnded
    done()
  }
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(chunk)
    done()
  }
}

export type Sent = {
  readonly pieces: readonly Buffer[]
  /** Whether the client gives the server time to answer before it sends the next piece. */
  readonly isPatient: boolean
}

/** Turns of the event loop in which both ways have answered a request that was whole. */
const turnsOfAnswer = 6

const inTurns = (turns: number, work: () => void): void =>
  void setImmediate(() => (turns === 1 ? work() : inTurns(turns - 1, work)))

/** Gives what a server with these ways takes the bytes for. */
export const openHttp = (hasShortWay: boolean): ((sent: Sent) => Promise<Heard>) => {
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
        const answered = note(socket, method, target, headers, body?.toString('latin1') ?? '')
        // Not at once, as in the service: the next piece may come before.
        setImmediate(() => reply(answered))
      },
    })),
    { idleMs: 1e6 },
  )
  listening(server)
  return async (sent) => {
    const wire = new Wire(sent)
    server.emit('connection', wire)
    const over = new Promise((resolve) => wire.once('finish', resolve).once('close', resolve))
    const errors: Error[] = []
    wire.on('error', (error) => errors.push(error))
    await over
    wire.destroy()
    assert.deepEqual(errors, [])
    const { requests, isUnmeasured, isCutOff, written } = wire
    const replies = repliesOf(Buffer.concat(written).toString('latin1'))
    return { requests: [...requests], replies, isUnmeasured, isCutOff }
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

/**
 * The bytes in pieces: a request in each, and every second time one is cut in two, anywhere. The bytes themselves decide, so
 * that an input of the corpus is always cut in the same way.
 */
const piecesOf = (bytes: Buffer): readonly Buffer[] => {
  const random = openRandom(createHash('sha1').update(bytes).digest().readInt32LE())
  const requests = [...bytes.toString('latin1').matchAll(/(?:PUT|POST|GET) \//g)].map(({ index }) => index)
  const places = random.integer(2) === 0 ? requests : [...requests, random.integer(bytes.length + 1)]
  const edges = [0, ...places.toSorted((one, other) => one - other), bytes.length]
  return edges.slice(1).flatMap((edge, n) => (edge > edges[n]! ? [bytes.subarray(edges[n], edge)] : []))
}

/** Bytes of whole connections, in one piece and in those that they are cut into. */
export const compareWays = async (bytes: Buffer): Promise<void> => {
  await compareSent({ pieces: [bytes], isPatient: false })
  // The first bytes of a connection decide whether it is looked at for such heads (line-ends.ts), and each way has others.
  if (/ HTTP\/1\.[01]\n\n/.test(bytes.toString('latin1'))) return
  const pieces = piecesOf(bytes)
  if (pieces.length === 1) return
  const { isCutOff } = await compareSent({ pieces, isPatient: true })
  // Bytes that are no request end the connection: of requests that wait then, some are not heard, and some replies are lost.
  if (!isCutOff) await compareSent({ pieces, isPatient: false })
}

/** Gives what node:http takes them for. */
const compareSent = async (sent: Sent): Promise<Heard> => {
  ways ??= [openHttp(true), openHttp(false)]
  const [short, long] = (await Promise.all(ways.map((hear) => hear(sent)))) as [Heard, Heard]
  if (short.isUnmeasured) {
    // It is the last one, and node:http takes it for the next request: that it must not be.
    const before = short.requests.slice(0, -1)
    assert.deepEqual(before, long.requests.slice(0, before.length))
    assert.match(short.requests.at(-1)!.body, /^[\s\ufeff\xef\xbb\xbf]*[[{]/)
  } else assert.deepEqual({ ...short, isCutOff: long.isCutOff }, long, sent.pieces.join('|'))
  return long
}

/** Bodies that say that they are gzip, in pieces of any size; given what they should be. */
export const compareGzip = async (bytes: Buffer, expected: string | undefined): Promise<void> => {
  ways ??= [openHttp(true), openHttp(false)]
  const head = `PUT /api/feed?compId=C HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`
  const all = Buffer.concat([Buffer.from(head), bytes])
  for (const size of [all.length, 1, 100]) {
    const { requests, replies } = await ways[0]!({ pieces: cut(all, size), isPatient: false })
    assert.deepEqual(
      requests.map(({ body }) => body),
      expected === undefined ? [] : [expected],
      `${replies.join()} in pieces of ${size}`,
    )
  }
}
