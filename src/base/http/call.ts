// A request as the doors see it, and the shape of the doors. A door is a function from a Call to a Reply: it knows
// neither Koa nor the lean path, so both can serve it (app.ts).
//
// A body is read by its door, once the credential is known to be good: into memory (body.ts), piece by piece
// (body-stream.ts), or as JSON (input.ts).
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress } from './address.ts'
import type { AddressRange } from '../config.ts'
import type { Description, PageDescription } from './description.ts'
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
  /** The query after the question mark, as it came. */
  readonly rawQuery: string
  readonly headers: IncomingHttpHeaders
  /** The client's address: the socket's peer, or the address that a trusted proxy names. */
  readonly address: string
  /** A fault in the form of the address, to be thrown once the credential is known to be good. */
  readonly fault: Fault | undefined
  readonly body: RequestBody
  /** The client's connection. */
  readonly socket: Socket
  /** The caller, as core/caller.ts names it; set by the guard when it has recognized the credential. */
  actor: string | undefined
  /**
   * The holders whose shares the call uses (room.ts); set by the guard when it has recognized the caller. Not a
   * function: closures outlived their calls, and the collector took three times as long.
   */
  callerHolders: Holders | undefined
  /**
   * Throws when the credential has lost since what it had when the guard let the call in. Set by the guard for calls that
   * can be long under way, and asked when their body has come (body.ts) and before they change what others rely on.
   */
  judgeAgain: JudgeAgain | undefined
  /** Gives back what the guard holds for the call; called when it is over. */
  letGo: (() => void) | undefined
}

export type JudgeAgain = () => Promise<void> | undefined

/** A body that arrives as it is read, or one that came along with its head (short.ts); undefined: there is none. */
export type RequestBody = IncomingMessage | Buffer | undefined

export type Handler = (call: Call) => Promise<Reply>

export type Route = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** @koa/router's notation, such as /api/comp/:compId/feed. */
  readonly path: string
  readonly handle: Handler
  readonly description: Description | PageDescription
}

/** The head of a request, in front of its body. */
export type RequestHead = {
  readonly method: string
  /** The address as it came, with its query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
  /** The address at the socket's other end, where it is known: node:net looks it up anew each time. */
  readonly peer?: string | undefined
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

export const callFromRequest = (
  request: IncomingMessage,
  trustedProxies: readonly AddressRange[],
  params: Call['params'] = noParams,
): Call => {
  const { method = 'GET', url: target = '/', headers, socket } = request
  const body = hasBody(request) ? request : undefined
  return callFromHead({ method, target, headers, socket }, body, trustedProxies, params)
}

const noParams = {}

export const callFromHead = (
  { method, target, headers, socket, peer = socket.remoteAddress }: RequestHead,
  body: RequestBody,
  trustedProxies: readonly AddressRange[],
  params: Call['params'] = noParams,
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
    body,
    socket,
    actor: undefined,
    callerHolders: undefined,
    judgeAgain: undefined,
    letGo: undefined,
  }
}
