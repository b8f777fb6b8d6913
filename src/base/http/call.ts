// A request as the doors see it, and the shape of what answers it. A door is a function from a Call to a
// Reply: it knows neither Koa nor the lean path, so both can serve it (app.ts).
import { IncomingMessage } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { clientAddress } from './address.ts'
import type { AddressRange } from '../config.ts'
import { badRequest, shorten } from '../errors.ts'
import type { Fault } from '../errors.ts'
import { decodePercent, parseQuery, splitTarget } from './query-string.ts'
import type { Query } from './query-string.ts'
import type { Reply } from './reply.ts'
import type { Holders } from '../shares.ts'

export type Call = {
  readonly method: string
  /** The path without the query, doubled slashes reduced, still escaped. */
  readonly path: string
  /** The named parts of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** What stands after the question mark, as it came. */
  readonly rawQuery: string
  readonly headers: IncomingHttpHeaders
  /** The client's address: the socket's peer, or what a trusted proxy says of it. */
  readonly address: string
  /** A fault in the form of the address, to be thrown once the credential is known to be good. */
  readonly fault: Fault | undefined
  /** The JSON or form body, on routes whose body is parsed for them; undefined without one. */
  readonly input: unknown
  /** Reads the input: for the guard, once the credential is known to be good (access/guard.ts). */
  readonly readInput: ((call: Call) => Promise<unknown>) | undefined
  /** The request itself, for doors that read the body by themselves (base/http/body.ts). */
  readonly request: IncomingMessage
  /** The body, where it came along with the head; there is nothing to be read from the request then. */
  readonly wholeBody: Buffer | undefined
  /** The caller, as core/caller.ts names it; set by the guard when it has recognized the credential. */
  actor: string | undefined
  /**
   * Whose share of what is scarce it has (room.ts); set by the guard when it has recognized the caller. Not a function that
   * would say it: those outlived their calls, and the collector took three times as long.
   */
  callerHolders: Holders | undefined
}

export type Handler = (call: Call) => Promise<Reply>

/**
 * How a route wants its body: JSON, read into call.input whatever Content-Type says (curl says that it is a form); JSON
 * or really a form; or left alone on call.request.
 */
export type BodyKind = 'parsed' | 'parsed or form' | 'raw'

export type Route = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** @koa/router's notation, such as /api/comp/:compId/feed. */
  readonly path: string
  readonly handle: Handler
  readonly body: BodyKind
}

/** What the router found: the route's named parts, decoded, and how the body is read if it is to be parsed. */
export type Matched = {
  readonly params: Readonly<Record<string, string>>
  readonly readInput: Call['readInput']
}

/** What stands in front of a request's body. */
export type RequestHead = {
  readonly method: string
  /** The address as it came, with its query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** The address of the other end of the connection. */
  readonly peer: string | undefined
  /** The body, where it came along. */
  readonly body?: Buffer
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

export const callFromRequest = (
  request: IncomingMessage,
  trustedProxies: readonly AddressRange[],
  matched: Matched = unmatched,
): Call => {
  const { method = 'GET', url: target = '/', headers, socket } = request
  return callFromHead({ method, target, headers, peer: socket.remoteAddress }, trustedProxies, matched, request)
}

const unmatched: Matched = { params: {}, readInput: undefined }

/** Without a request it has no body but the one that came along. */
export const callFromHead = (
  { method, target, headers, peer, body }: RequestHead,
  trustedProxies: readonly AddressRange[],
  { params, readInput }: Matched = unmatched,
  request: IncomingMessage = noRequest,
): Call => {
  const [path, rawQuery] = splitTarget(target)
  const query = parseQuery(rawQuery)
  const decodedPath = decodePercent(path)
  const broken = decodedPath === undefined ? path : query.broken
  return {
    method,
    path,
    params,
    query,
    rawQuery,
    headers,
    address: clientAddress(peer, headers, trustedProxies),
    fault:
      broken !== undefined
        ? badRequest(`broken escape in '${shorten(broken, 40)}'`)
        : /[\u0000-\u001f\u007f-\u009f]/.test(decodedPath!)
          ? badRequest('the address has a control character')
          : undefined,
    input: undefined,
    readInput,
    request,
    wholeBody: body,
    actor: undefined,
    callerHolders: undefined,
  }
}

/** Stands for the request of all that have nothing to read. */
const noRequest = new IncomingMessage(new Socket())
