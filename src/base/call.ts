// A request as the doors see it, and the shape of what answers it. A door is a function from a Call to a
// Reply: it knows neither Koa nor the lean path, so both can serve it (app.ts, lean.ts).
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Query } from './query.ts'
import type { Reply } from './reply.ts'

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
  /** The JSON or form body, on routes whose body is parsed for them; undefined without one. */
  readonly input: unknown
  /** The request itself, for doors that read the body by themselves (base/body.ts). */
  readonly request: IncomingMessage
}

export type Handler = (call: Call) => Promise<Reply>

/** How a route wants its body: parsed by koa-body into call.input, or left alone on call.request. */
export type BodyKind = 'parsed' | 'raw'

export type Route = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** @koa/router's notation, such as /api/comp/:compId/feed. */
  readonly path: string
  readonly handle: Handler
  readonly body: BodyKind
}
