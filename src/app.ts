// The whole HTTP surface on one page: the table of routes, and what every request goes through.
//
// A request is answered by Koa and its router, except uploads and readings of feeds and connector sinks: fleets live on
// them, and Koa, router and body parser would cost two thirds of an upload's time, so their handlers are called
// directly (the lean path), and where an upload or what is pushed to a sink comes in one piece, without node:http
// (base/http/short.ts). They are the same handlers behind the same guard and limits; only the way is shorter.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Router } from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { findCredential, findSinkCredential } from './access/credential.ts'
import type { Access } from './access/guard.ts'
import { clientAddress } from './base/http/address.ts'
import { jsonBytes, readBody } from './base/http/body.ts'
import { callFromHead, callFromRequest } from './base/http/call.ts'
import type { BodyKind, Call, Matched, Route } from './base/http/call.ts'
import { answerBrokenRequests, answerHalfClosed, oneAfterAnother, refuseUncertainEnds } from './base/http/connection.ts'
import { shareConnections } from './base/http/client-connections.ts'
import { besidePlaces, divideConnections } from './base/database/connections.ts'
import { badRequest, Fault } from './base/errors.ts'
import type { Limiter } from './base/http/limit.ts'
import { closeIdle } from './base/http/idle.ts'
import { cleanUrl } from './base/log.ts'
import { formInput, isForm, jsonInput } from './base/http/input.ts'
import { streamPace } from './base/http/pace.ts'
import { splitTarget } from './base/http/query-string.ts'
import { openReading } from './base/http/reading.ts'
import { askWhenNeeded, dropRefusedBodies } from './base/http/refused-body.ts'
import type { Reply } from './base/http/reply.ts'
import { replyFromError, writeReply } from './base/http/reply.ts'
import { smallBytes } from './base/http/room.ts'
import { bytesAtOnce, whenThereIsRoom, whenThereIsRoomUntilSent } from './base/http/unread-reply.ts'
import type { Secrets } from './base/secret.ts'
import { takeShortRequests } from './base/http/short.ts'
import { faultFromSql } from './base/database/sql.ts'
import type { World } from './base/world.ts'
import { catalogRoutes } from './catalog/routes.ts'
import type { BlobStore } from './core/file/blob-store.ts'
import { connectorRoutes } from './connector/routes.ts'
import { openScripts } from './connector/run-script.ts'
import type { ScriptPools } from './connector/run-script.ts'
import type { Ingestion } from './core/sample/ingest.ts'
import { feedRoutes } from './feed/routes.ts'
import { fileRoutes } from './feed/file/routes.ts'
import { healthRoutes } from './health.ts'
import type { Compiler } from './gsql/compiler.ts'
import type { Metrics } from './metrics.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { openRefusals } from './refusals.ts'
import type { Refusals } from './refusals.ts'
import { studioRoutes } from './studio/routes.ts'

export type Parts = {
  readonly world: World
  readonly access: Access
  readonly secrets: Secrets
  readonly limiter: Limiter
  readonly ingestion: Ingestion
  readonly store: BlobStore
  /** Of GS SQL (gsql/script-pool.ts). */
  readonly scriptPools: ScriptPools
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
  scriptPools,
  compiler,
  metricsText,
}: Parts): readonly Route[] => {
  const scripts = openScripts(world, ingestion, scriptPools, compiler)
  const places = divideConnections(world.config.databaseConnections).readings - besidePlaces
  const reading = openReading(world.config.readTimeoutMs, places)
  return [
    ...healthRoutes(world, metricsText),
    ...studioRoutes(),
    ...oauthRoutes(world, access, secrets, limiter),
    ...feedRoutes({ ...world, reading }, ingestion, access.guard, limiter),
    ...fileRoutes(world, ingestion, store, access.guard, limiter),
    ...connectorRoutes(world, scripts, access),
    ...catalogRoutes(world, access, secrets, limiter, scripts.compile),
  ]
}

export const openApp = (parts: Parts): Server => {
  const { world, metrics } = parts
  const { trustedProxies } = world.config
  const routes = routesOf(parts)
  const refusals = namingCallers(openRefusals(metrics, world.log), parts.access)
  const answer = answerOf(world, metrics, refusals)
  const matchLean = leanMatcher(routes)
  const writer = writerOf(world, () => !server.listening)
  const koa = koaApp(world, routes, answer, writer, refusals)
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // Old firmware doubles slashes; everything behind this line sees the path with single ones.
    const [path, query] = splitTarget(request.url ?? '/')
    request.url = query === '' ? path : `${path}?${query}`
    const lean = matchLean(request.method ?? 'GET', path)
    if (!lean) return koa(request, response)
    const call = callFromRequest(request, trustedProxies, lean.matched)
    answer(lean.route, call, writer(response, call))
  }
  const onRefused = (fault: Fault, peer = '') =>
    refusals.count({ status: fault.status, fault, route: undefined, call: strangerAt(peer), hasCredential: false })
  const server = createServer(serverOptions, oneAfterAnother(refuseUncertainEnds(dropRefusedBodies(serve), onRefused)))
  answerBrokenRequests(server, serverOptions.maxHeaderSize, onRefused)
  answerHalfClosed(server)
  askWhenNeeded(server)
  closeIdle(server, idleMs)
  const putFeed = matchLean('PUT', '/api/feed')!.route
  const short = takeShortRequests(
    server,
    [
      {
        begin: /^PUT \/api\/feed\?/,
        answer: (request, reply) => {
          const call = callFromHead(request, trustedProxies)
          // Only last values can be large; for all others there is no closure more.
          answer(putFeed, call, call.query.get('rsid') === undefined ? reply : shortWriter(call, reply))
        },
      },
      {
        begin: /^(?:PUT|POST) \/api\/conn_sink\/[^/%? ]+\/[^/%? ]+[? ]/,
        answer: (request, reply) => {
          const { route, matched } = matchLean(request.method, splitTarget(request.target)[0])!
          const call = callFromHead(request, trustedProxies, matched)
          answer(route, call, shortWriter(call, reply))
        },
      },
    ],
    { idleMs, onRefused },
  )
  shareConnections(server, {
    most: mostConnections,
    trustedProxies,
    isBusy: (socket) => !!socket['_httpMessage'] || short.isAnswering(socket),
  })
  return server
}

const strangerAt = (peer: string) => ({ actor: undefined, address: clientAddress(peer, {}, []) })

// An idle one takes 10 KB.
const mostConnections = 10_000

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

// Proxies in front keep connections for 60 s; the server must not close first.
const idleMs = 65_000

/**
 * Firmware in the field sends bare line feeds, no Host, an empty Host, Content-Type twice (test/journey/devices):
 * the strict parser refuses them. The price of leniency is request smuggling behind a proxy that reads such
 * requests differently: a request without a certain end is refused, and docs/operations.md#behind-a-proxy says what a
 * proxy in front must do.
 * URLs of 32 KB must fit.
 */
const serverOptions = {
  insecureHTTPParser: true,
  requireHostHeader: false,
  maxHeaderSize: 64 * 1024,
  // A large file from a slow device takes hours; a body that hardly comes is refused much sooner (base/http/pace.ts).
  requestTimeout: streamPace.withinMs,
  headersTimeout: 60_000,
  noDelay: true,
}

type Answer = (route: Route, call: Call, write: (reply: Reply) => void) => void

/** Calls the route's handler, and `write` with what it gives or throws. Nothing that it does can end the process. */
const answerOf = (world: World, metrics: Metrics, refusals: Refusals): Answer => {
  let requests = 0
  // Not async: on the way of every upload each promise less counts.
  return (route, call, write) => {
    requests += 1
    const id = requests
    const startedMs = performance.now()
    const settle = (reply: Reply, fault?: Pick<Fault, 'code' | 'message'>) => {
      if (world.log.isLevelEnabled('debug')) {
        const { method, path, rawQuery } = call
        world.log.debug({ request: id, method, url: cleanUrl(`${path}?${rawQuery}`), status: reply.status }, 'answered')
      }
      metrics.observe(route, reply.status, (performance.now() - startedMs) / 1000)
      try {
        write(reply)
        if (reply.status > 399)
          refusals.count({ status: reply.status, fault, route, call, hasCredential: hasCredential(call) })
      } catch (error) {
        world.log.error({ request: id, err: error }, 'not answered')
      }
    }
    const fail = (error: unknown) => {
      const known = faultFromSql(error)
      settle(replyFromError(known, world.log.child({ request: id })), known instanceof Fault ? known : internal)
    }
    try {
      // Not settle itself: it has a second parameter.
      route.handle(call).then((reply) => settle(reply), fail)
    } catch (error) {
      fail(error)
    }
  }
}

const internal = { code: 'internal', message: 'internal error' } as const

/**
 * What is refused before its guard was asked, such as another method, is counted by its credential too. Of one that was
 * refused for its credential, the guard has said all there is to say.
 */
const namingCallers = ({ count }: Refusals, { identify }: Access): Refusals => ({
  count: (refused) => {
    const { status, call, hasCredential: mayBeKnown } = refused
    if (call === undefined || !('query' in call) || call.actor !== undefined || status === 401 || !mayBeKnown)
      return count(refused)
    try {
      const identified = identify(call as Call)
      if (!(identified instanceof Promise)) return count(refused)
      identified.then(
        () => count(refused),
        () => count(refused),
      )
    } catch {
      count(refused)
    }
  },
})

/** One in a wrong form, which is refused by being looked for, is one too. */
const hasCredential = (call: Call): boolean => {
  try {
    return (findCredential(call) ?? findSinkCredential(call)) !== undefined
  } catch {
    return true
  }
}

type Writer = (response: ServerResponse, call: Call) => (reply: Reply) => void

const writerOf =
  (world: World, isStopping: () => boolean): Writer =>
  (response, call) =>
  (reply) => {
    // A server that stops asks its clients to leave.
    if (isStopping()) response.shouldKeepAlive = false
    const isBodiless = response.req.method === 'HEAD'
    const bytes = isBodiless ? 0 : bytesAtOnce(reply)
    const written =
      bytes <= smallBytes
        ? writeReply(response, reply, isBodiless)
        : whenThereIsRoom(call, response, reply, bytes).then((given) => writeReply(response, given))
    written.catch((error: unknown) => {
      world.log.debug({ err: error }, 'the client went away')
      response.destroy()
    })
  }

/** Large replies have their caller's share of memory here, too: those of rsid and of sinks. */
const shortWriter =
  (call: Call, write: (reply: Reply) => void) =>
  (reply: Reply): void => {
    const bytes = bytesAtOnce(reply)
    if (bytes <= smallBytes) write(reply)
    else void whenThereIsRoomUntilSent(call, reply, bytes).then(write)
  }

const koaApp = (world: World, routes: readonly Route[], answer: Answer, writer: Writer, refusals: Refusals) => {
  const router = new Router()
  for (const route of routes) {
    const { method, path } = route
    router.register(
      path,
      [method],
      [
        (context) => {
          context.respond = false
          const readInput =
            route.body === 'raw' ? undefined : (ofCall: Call) => readInputOf(context, ofCall, route.body)
          const call = callFromRequest(context.req, world.config.trustedProxies, { params: context.params, readInput })
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
    if (methods.length === 0) throw new Fault('not_found', 'no such address')
    throw new Fault('method_not_allowed', `${context.method} is not for this address`, {
      headers: { Allow: methods.join(', ') },
    })
  })
  const callback = app.callback()
  return (request: IncomingMessage, response: ServerResponse) => void callback(request, response)
}

const mostParsedBytes = 4 * 1024 * 1024

/** koa-body reads what body.ts has let in: by itself it would hold any number of bodies, for as long as they take. */
const readInputOf = async (context: Koa.Context, call: Call, kind: BodyKind): Promise<unknown> => {
  const { bytes, release } = await readBody(call, mostParsedBytes)
  try {
    if (jsonBytes(bytes).length === 0) return undefined
    const type = context.get('Content-Type')
    // The body itself says which it is.
    context.req.headers['content-type'] = 'text/plain'
    const headers = { 'content-length': String(bytes.length) }
    const request = Object.assign(Readable.from([bytes], { objectMode: false }), { headers })
    await koaParser(Object.create(context, { req: { value: request } }) as Koa.ParameterizedContext, async () => {})
    const text = jsonBytes(Buffer.from(context.request.body as string))
    return kind === 'parsed or form' && isForm(type, text) ? formInput(text) : jsonInput(text)
  } finally {
    release()
  }
}

const koaParser = koaBody({
  json: false,
  urlencoded: false,
  text: true,
  multipart: false,
  textLimit: mostParsedBytes,
  parsedMethods: ['POST', 'PUT', 'DELETE'] as never,
  onError: () => {
    throw badRequest('the body cannot be read')
  },
})

/** Pages of any origin may call the API; no credential of the browser's comes along (docs/replies.md). */
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
