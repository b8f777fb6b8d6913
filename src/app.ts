// The whole HTTP surface on one page: the table of routes, and what every request goes through.
//
// A request is answered by Koa and its router, except uploads and readings of feeds and connector sinks: fleets live on
// them, and Koa, router and body parser would cost two thirds of an upload's time, so their handlers are called
// directly (the lean path), and where a PUT /feed has no body or what is pushed to a sink comes in one piece, without
// node:http (base/short.ts). They are the same handlers behind the same guard and limits; only the way is shorter.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import type { Access } from './access/guard.ts'
import { callFromHead, callFromRequest } from './base/call.ts'
import type { Call, Matched, Route } from './base/call.ts'
import { answerBrokenRequests, oneAfterAnother, refuseUncertainEnds } from './base/connection.ts'
import { badRequest, busy, Fault } from './base/errors.ts'
import type { Limiter } from './base/limit.ts'
import { closeIdle } from './base/idle.ts'
import { cleanUrl } from './base/log.ts'
import { splitTarget } from './base/query.ts'
import type { Reply } from './base/reply.ts'
import { replyFromError, writeReply } from './base/reply.ts'
import type { Secrets } from './base/secret.ts'
import { takeShortRequests } from './base/short.ts'
import type { World } from './base/world.ts'
import { catalogRoutes } from './catalog/routes.ts'
import type { BlobStore } from './core/blob-store.ts'
import { connectorRoutes } from './connector/routes.ts'
import { openScripts } from './connector/script.ts'
import type { Ingestion } from './core/ingest.ts'
import { feedRoutes } from './feed/routes.ts'
import { fileRoutes } from './file/routes.ts'
import { healthRoutes } from './health.ts'
import type { Compiler } from './gsql/compiler.ts'
import type { ScriptPool } from './gsql/pool.ts'
import type { Metrics } from './metrics.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { studioRoutes } from './studio/routes.ts'

export type Parts = {
  readonly world: World
  readonly access: Access
  readonly secrets: Secrets
  readonly limiter: Limiter
  readonly ingestion: Ingestion
  readonly store: BlobStore
  /** Of GS SQL (gsql/pool.ts). */
  readonly scriptPool: ScriptPool
  readonly compiler: Compiler
  readonly metrics: Metrics
  /** The metrics of all processes, as Prometheus reads them. */
  readonly metricsText: () => Promise<string>
}

export const routesOf = ({
  world,
  access,
  secrets,
  limiter,
  ingestion,
  store,
  scriptPool,
  compiler,
  metricsText,
}: Parts): readonly Route[] => {
  const scripts = openScripts(world, ingestion, scriptPool, compiler)
  return [
    ...healthRoutes(world, metricsText),
    ...studioRoutes(),
    ...oauthRoutes(world, access, secrets, limiter),
    ...feedRoutes(world, ingestion, access.guard, limiter),
    ...fileRoutes(world, ingestion, store, access.guard, limiter),
    ...connectorRoutes(world, scripts, access),
    ...catalogRoutes(world, access, secrets, limiter, scripts.compile),
  ]
}

export const openApp = (parts: Parts): Server => {
  const { world, metrics } = parts
  const { trustedProxies } = world.config
  const routes = routesOf(parts)
  const answer = answerOf(world, metrics)
  const matchLean = leanMatcher(routes)
  const writer = writerOf(world, () => !server.listening)
  const koa = koaApp(world, routes, answer, writer)
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // Old firmware doubles slashes; everything behind this line sees the path with single ones.
    const [path, query] = splitTarget(request.url ?? '/')
    request.url = query === '' ? path : `${path}?${query}`
    const lean = matchLean(request.method ?? 'GET', path)
    if (lean) answer(lean.route, callFromRequest(request, trustedProxies, lean.matched), writer(response))
    else koa(request, response)
  }
  const server = createServer(serverOptions, oneAfterAnother(refuseUncertainEnds(serve)))
  answerBrokenRequests(server, serverOptions.maxHeaderSize)
  closeIdle(server, idleMs)
  const putFeed = matchLean('PUT', '/api/feed')!.route
  takeShortRequests(
    server,
    [
      {
        begin: /^PUT \/api\/feed\?/,
        mayHaveBody: false,
        answer: (request, reply) => answer(putFeed, callFromHead(request, trustedProxies), reply),
      },
      {
        begin: /^(?:PUT|POST) \/api\/conn_sink\/[^/%? ]+\/[^/%? ]+[? ]/,
        mayHaveBody: true,
        answer: (request, reply) => {
          const { route, matched } = matchLean(request.method, splitTarget(request.target)[0])!
          answer(route, callFromHead(request, trustedProxies, matched), reply)
        },
      },
    ],
    idleMs,
  )
  return server
}

const leanPaths: ReadonlySet<string> = new Set([
  '/api/feed',
  '/api/conn_sink/:org/:endpoint',
  '/api/comp/:compId/feed',
  '/api/comp/:compId/last_value',
  '/api/comp/:compId/stream/:streamId/feed',
  '/api/comp/:compId/stream/:streamId/last_value',
])

/** Finds the route among those of the lean path; names with escapes are left to the router. */
const leanMatcher = (routes: readonly Route[]) => {
  const lean = routes
    .filter(({ path }) => leanPaths.has(path))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[^/%]+)')}$`) }))
  return (method: string, path: string): { readonly route: Route; readonly matched: Matched } | undefined => {
    for (const { route, pattern } of lean) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match) return { route, matched: { params: match.groups ?? {}, readInput: undefined } }
    }
    return undefined
  }
}

// Proxies in front keep connections for 60 s; who closes first must not be the server.
const idleMs = 65_000

/**
 * Firmware in the field sends bare line feeds, no Host, an empty Host, Content-Type twice (test/journey/devices):
 * the strict parser refuses them. What leniency costs is request smuggling behind a proxy that reads such
 * requests differently: what has no certain end is refused, and the README says what a proxy in front must do.
 * URLs of 32 KB must fit.
 */
const serverOptions = {
  insecureHTTPParser: true,
  requireHostHeader: false,
  maxHeaderSize: 64 * 1024,
  // A large file from a slow device takes hours; who falls silent is cut off much sooner (base/body-stream.ts).
  requestTimeout: 12 * 3_600_000,
  headersTimeout: 60_000,
  noDelay: true,
}

type Answer = (route: Route, call: Call, write: (reply: Reply) => void) => void

/** Calls the route's handler, and `write` with what it gives or throws. Nothing that it does can end the process. */
const answerOf = (world: World, metrics: Metrics): Answer => {
  let requests = 0
  // Not async: on the way of every upload each promise less counts.
  return (route, call, write) => {
    requests += 1
    const id = requests
    const startedMs = performance.now()
    const settle = (reply: Reply) => {
      if (world.log.isLevelEnabled('debug')) {
        const { method, path, rawQuery } = call
        world.log.debug({ request: id, method, url: cleanUrl(`${path}?${rawQuery}`), status: reply.status }, 'answered')
      }
      metrics.observe(route, reply.status, (performance.now() - startedMs) / 1000)
      try {
        write(reply)
      } catch (error) {
        world.log.error({ request: id, err: error }, 'not answered')
      }
    }
    const fail = (error: unknown) => settle(replyFromError(error, world.log.child({ request: id })))
    try {
      route.handle(call).then(settle, fail)
    } catch (error) {
      fail(error)
    }
  }
}

type Writer = (response: ServerResponse) => (reply: Reply) => void

const writerOf =
  (world: World, isStopping: () => boolean): Writer =>
  (response) =>
  (reply) => {
    // A server that stops asks its clients to leave.
    if (isStopping()) response.shouldKeepAlive = false
    writeReply(response, reply, response.req.method === 'HEAD').catch((error: unknown) => {
      world.log.debug({ err: error }, 'the client went away')
      response.destroy()
    })
  }

const koaApp = (world: World, routes: readonly Route[], answer: Answer, writer: Writer) => {
  const router = new Router()
  for (const route of routes) {
    const { method, path } = route
    router.register(
      path,
      [method],
      [
        (context) => {
          context.respond = false
          const readInput = route.body === 'parsed' ? () => readInputOf(context) : undefined
          const call = callFromRequest(context.req, world.config.trustedProxies, { params: context.params, readInput })
          answer(route, call, writer(context.res))
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
      await writeReply(context.res, replyFromError(error, world.log), context.method === 'HEAD')
    }
  })
  app.use(router.routes())
  app.use((context) => {
    const matched = (context as unknown as { matched?: readonly { methods: readonly string[] }[] }).matched ?? []
    const methods = [...new Set(matched.flatMap((layer) => layer.methods))]
    if (methods.length === 0) throw new Fault('not_found', 'no such address')
    throw new Fault('method_not_allowed', `${context.method} is not for this address`, {
      headers: { Allow: methods.join(', ') },
    })
  })
  const callback = app.callback()
  return (request: IncomingMessage, response: ServerResponse) => void callback(request, response)
}

const mostParsedBytes = 4 * 1024 * 1024

// Together no more memory than uploads may have (base/body.ts), and nobody holds a place for long.
const mostParsedAtOnce = 32
const parsedWithinMs = 60_000
let parsing = 0

const readInputOf = async (context: Koa.Context): Promise<unknown> => {
  if (parsing >= mostParsedAtOnce) throw busy('too many bodies at once')
  parsing += 1
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fault = badRequest('the body did not arrive in time', { headers: { Connection: 'close' } })
    timer = setTimeout(() => reject(fault), parsedWithinMs)
  })
  try {
    await Promise.race([koaParser(context, async () => {}), late])
    return context.request.body
  } finally {
    clearTimeout(timer)
    parsing -= 1
  }
}

const koaParser = koaBody({
  json: true,
  urlencoded: true,
  text: false,
  multipart: false,
  jsonLimit: mostParsedBytes,
  formLimit: mostParsedBytes,
  parsedMethods: ['POST', 'PUT', 'DELETE'] as never,
  onError: (error) => {
    const isTooLarge = 'status' in error && error.status === 413
    throw isTooLarge
      ? new Fault('too_large', `the body is larger than ${mostParsedBytes} bytes`)
      : badRequest('the body is not valid JSON or form data')
  },
})

/** Pages of any origin may call the API; no credential of the browser's comes along (decisions 1). */
const preflight = async (context: Koa.Context): Promise<void> => {
  context.respond = false
  await writeReply(context.res, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, PUT, POST, DELETE, HEAD',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Content-Encoding, Content-Disposition, Range, If-Range, If-None-Match',
      'Access-Control-Max-Age': '86400',
    },
    body: '',
  })
}
