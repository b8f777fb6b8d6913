// Much framing in few bytes: chunks of one byte, or thousands of requests behind each other. A read of 64 KiB may have 10,000 chunks, for each
// of which node:http makes a Buffer of its own, in one turn of the event loop: 1,500 connections that sent such a read each held
// everybody up for a minute, and took 6 GB, without a credential.
//
// So node:http is given no more than some lines at a time, and the rest in later turns, as callers share them (../turns.ts); and chunks that came
// together are one for whoever reads the body. Bodies with a length are given as they come: there is no framing in them.
import type { IncomingMessage } from 'node:http'
import { freeChunk } from '../free.ts'
import type { ServerSocket } from './connection.ts'

/** A head has ten or twenty. */
const mostLines = 48
/** A larger chunk is handed on by itself. */
const mostGathered = 1024
const lineFeedCode = 10
const carriageReturnCode = 13

type OnBody = (this: Parser, bytes: Buffer) => void
type OnEnd = (this: Parser) => unknown

/** The parser of node:http, which calls its members by number, undocumented, since long before version 20. */
type Parser = {
  incoming: (IncomingMessage & { readonly upgrade?: boolean | null }) | null
  execute: (bytes: Buffer) => unknown
  [member: number]: OnBody | OnEnd
  readonly constructor: { readonly kOnBody: number; readonly kOnMessageComplete: number }
}

type Following = {
  /** Of the bytes that were given last. */
  readBytes: number
  /** Chunks that came together, until they are handed on; undefined while nothing is given by us. */
  gathered: Buffer[] | undefined
  handOn: () => void
}

/** The bytes so far of bodies whose length is known. */
const received = new WeakMap<IncomingMessage, number>()
/** The lenient parser (../../app.ts) takes a length beside chunks, and then goes by the chunks. */
const lengthOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['transfer-encoding'] === undefined ? headers['content-length'] : undefined

/** Parsers are used again, for other connections: also of other servers, and of clients. */
const followed = new WeakMap<Parser, Following>()

const follow = (parser: Parser): Following => {
  const known = followed.get(parser)
  if (known) return known
  const { kOnBody, kOnMessageComplete } = parser.constructor
  const [onBody, onEnd] = [parser[kOnBody] as OnBody, parser[kOnMessageComplete] as OnEnd]
  const { execute } = parser
  const following: Following = {
    readBytes: 0,
    gathered: undefined,
    handOn: () => {
      const { gathered } = following
      if (gathered === undefined || gathered.length === 0) return
      following.gathered = []
      onBody.call(parser, gathered.length === 1 ? gathered[0]! : Buffer.concat(gathered))
    },
  }
  const gather: OnBody = function (bytes) {
    if (this.incoming && lengthOf(this.incoming) !== undefined)
      received.set(this.incoming, (received.get(this.incoming) ?? 0) + bytes.length)
    if (following.gathered === undefined) return onBody.call(this, bytes)
    following.gathered.push(bytes)
    if (bytes.length > mostGathered) following.handOn()
  }
  const end: OnEnd = function () {
    following.handOn()
    return onEnd.call(this)
  }
  parser.execute = function (bytes) {
    const read = execute.call(this, bytes)
    if (typeof read === 'number' && this.incoming?.upgrade === false) following.readBytes = read
    return read
  }
  parser[kOnBody] = gather
  parser[kOnMessageComplete] = end
  followed.set(parser, following)
  return following
}

/** So many of the bytes that come next are of a body whose length is known. */
const bytesOfBody = ({ incoming }: Parser): number => {
  const length = incoming && !incoming.complete ? lengthOf(incoming) : undefined
  if (length === undefined) return 0
  const left = Number(length) - (received.get(incoming!) ?? 0)
  return left > 0 ? left : 0
}

/**
 * The end of the last line behind the body that is given at once. For the lenient parser a carriage return alone ends a line, too: `1\ra1\ra`
 * are two chunks.
 */
const endOfLines = (bytes: Buffer, bodyEnd: number): number => {
  let end = bodyEnd
  let [feed, carriage] = [-1, -1]
  for (let lines = 0; lines < mostLines && end < bytes.length; lines += 1) {
    if (feed < end) feed = indexOrEnd(bytes, lineFeedCode, end)
    if (carriage < end) carriage = indexOrEnd(bytes, carriageReturnCode, end)
    end = 1 + (carriage + 1 === feed ? feed : Math.min(carriage, feed))
  }
  return Math.min(end, bytes.length)
}

const indexOrEnd = (bytes: Buffer, code: number, from: number): number => {
  const index = bytes.indexOf(code, from)
  return index < 0 ? bytes.length : index
}

/**
 * `later` calls what it is given in a later turn. To be called when node:http has its listener on the socket, and before anything of it is
 * read.
 */
export const giveInSlices = (socket: ServerSocket, later: (goOn: () => void) => void): void => {
  const [listener] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  /**
   * Gives the number of bytes that were read. Behind a head with `Upgrade` the parser stops, as if another protocol followed; node:http then goes
   * on with HTTP, but throws the rest away: requests that stood there had no reply, or began in the middle.
   */
  const give = (bytes: Buffer): number => {
    const parser = socket.parser as unknown as Parser | null
    const following = parser && follow(parser)
    if (!following) {
      listener!.call(socket, bytes)
      return bytes.length
    }
    following.gathered = []
    following.readBytes = bytes.length
    try {
      listener!.call(socket, bytes)
      following.handOn()
    } finally {
      following.gathered = undefined
    }
    return following.readBytes
  }
  let slices = 0
  const goOnBehind = (slice: number) => {
    // node:http may have gone on by itself when its client had read a reply, and others have paused it since.
    if (slice !== slices || socket.destroyed) return
    socket['_paused'] = false
    socket.resume()
  }
  const onData = (bytes: Buffer) => {
    const slice = ++slices
    const parser = socket.parser as unknown as Parser | null
    const bodyEnd = parser ? bytesOfBody(parser) : 0
    const givenEnd = endOfLines(bytes, bodyEnd)
    const end = give(bytes.subarray(0, givenEnd))
    if (end === bytes.length) {
      // The parser has made a copy of it. These were a tenth of the memory under an overload.
      if (bodyEnd >= end) freeChunk(bytes)
      return
    }
    if (socket.destroyed) return
    // Others who have paused it, because the client does not read or nobody takes the body, also have it go on.
    const isPaused = socket.isPaused() || socket['_paused'] === true
    socket.pause()
    socket.unshift(bytes.subarray(end))
    if (isPaused) return
    socket['_paused'] = true
    later(() => goOnBehind(slice))
  }
  // A listener of ours also keeps the parser from reading the socket by itself: it would read on at the event of a resume, which comes a turn
  // later, though the socket was paused in between, and a body that nobody took came into memory as a whole, uncounted.
  socket.off('data', listener!).on('data', onData)
}
