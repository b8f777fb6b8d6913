// The routes behind Koa and its router; a request without a route, or with another method, is refused here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { hasCredential, internal } from './answer.ts'
import type { Answer, Writer } from './answer.ts'
import { callFromRequest } from './base/http/call.ts'
import type { Route } from './base/http/call.ts'
import { Fault } from './base/errors.ts'
import { replyFromError, writeReply } from './base/http/reply.ts'
import type { World } from './base/world.ts'
import type { Refusals } from './refusals.ts'

export const koaApp = (world: World, routes: readonly Route[], answer: Answer, writer: Writer, refusals: Refusals) => {
  const router = new Router()
  for (const route of routes) {
    const { method, path } = route
    router.register(
      path,
      [method],
      [
        (context) => {
          context.respond = false
          const call = callFromRequest(context.req, world.config.trustedProxies, context.params)
          answer(route, call, writer(context.res, call))
        },
      ],
    )
  }
  const app = new Koa()
  app.silent = true
  app.use(async (context, next) => {
    try {
      await (context.method === 'OPTIONS' ? preflight(context) : next())
    } catch (error) {
      context.respond = false
      const reply = replyFromError(error, world.log)
      const call = callFromRequest(context.req, world.config.trustedProxies)
      const fault = error instanceof Fault ? error : internal
      refusals.count({ status: reply.status, fault, route: undefined, call, hasCredential: hasCredential(call) })
      await writeReply(context.res, reply, context.method === 'HEAD')
    }
  })
  app.use(router.routes())
  app.use((context) => {
    const matched = (context as unknown as { matched?: readonly { methods: readonly string[] }[] }).matched ?? []
    const methods = [...new Set(matched.flatMap((layer) => layer.methods))]
    if (methods.length === 0) throw new Fault('not_found', 'no such address: /docs lists all calls')
    throw new Fault(
      'method_not_allowed',
      `${context.method} is not for this address, but ${methods.filter((method) => method !== 'HEAD').join(', ')}`,
      {
        headers: { Allow: methods.join(', ') },
      },
    )
  })
  const callback = app.callback()
  return (request: IncomingMessage, response: ServerResponse) => void callback(request, response)
}

/** Pages of any origin may call the API; no credential of the browser's comes along (docs/replies.md). */
const preflight = async (context: Koa.Context): Promise<void> => {
  context.respond = false
  await writeReply(context.res, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, PUT, POST, DELETE, HEAD',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Content-Encoding, Content-Disposition, Range, If-Range, If-None-Match, Mcp-Protocol-Version',
      'Access-Control-Max-Age': '86400',
    },
    body: '',
  })
}
