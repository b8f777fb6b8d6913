// The whole HTTP surface on one page: the table of routes, and the steps of every request.
//
// A request is answered by Koa and its router, except uploads and readings of feeds and connector sinks: fleets live on
// them, and Koa, router and body parser would cost two thirds of an upload's time, so their handlers are called
// directly (the lean path), and where an upload or a push to a sink comes in one piece, without node:http
// (base/http/short.ts). They are the same handlers behind the same guard and limits; only the way is shorter.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Access } from './access/guard.ts'
import { answerOf, hasCredential, namingCallers, shortWriter, writerOf } from './answer.ts'
import type { Answer } from './answer.ts'
import { clientAddress } from './base/http/address.ts'
import { callFromHead, callFromRequest } from './base/http/call.ts'
import type { Call, RequestHead, Route } from './base/http/call.ts'
import { answerBrokenRequests, answerHalfClosed, oneAfterAnother, refuseUncertainEnds } from './base/http/connection.ts'
import type { ServerSocket } from './base/http/connection.ts'
import { shareConnections } from './base/http/client-connections.ts'
import { Fault } from './base/errors.ts'
import type { Limiter } from './base/http/limit.ts'
import { closeIdle } from './base/http/idle.ts'
import type { Leaving, LeavingConnections } from './base/http/leave.ts'
import { streamPace } from './base/http/pace.ts'
import { splitTarget } from './base/http/query-string.ts'
import type { Reading } from './base/http/reading.ts'
import { askWhenNeeded, dropRefusedBodies } from './base/http/refused-body.ts'
import type { Reply } from './base/http/reply.ts'
import type { Holders } from './base/shares.ts'
import { faultFromSql } from './base/database/sql.ts'
import type { Secrets } from './base/secret.ts'
import { takeShortRequests } from './base/http/short.ts'
import { productVersion } from './base/version.ts'
import { addressWeight, longAddress, openTurns, uploadWeight, weights } from './base/turns.ts'
import type { Turns } from './base/turns.ts'
import type { World } from './base/world.ts'
import { openCatalogueLines } from './catalog/catalogue.ts'
import { openRestore } from './catalog/restore.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { holdersOf, strangerHolders } from './core/caller.ts'
import type { BlobStore } from './core/file/blob-store.ts'
import type { CallLog } from './connector/call-log.ts'
import { connectorRoutes } from './connector/routes.ts'
import { openScripts } from './connector/run-script.ts'
import type { ScriptPools } from './connector/run-script.ts'
import type { Deriver } from './core/derive/deriver.ts'
import type { Ingestion } from './core/sample/ingest.ts'
import { feedRoutes } from './feed/routes.ts'
import { fileRoutes } from './feed/file/routes.ts'
import { healthRoutes } from './health.ts'
import type { Compiler } from './gsql/compiler.ts'
import { importRoutes } from './import/routes.ts'
import type { Runs } from './import/runs.ts'
import type { Workbench } from './import/workbench.ts'
import { koaApp } from './koa-app.ts'
import type { Live } from './live/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import type { Metrics } from './metrics.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { withDescription } from './openapi/routes.ts'
import { openRefusals } from './refusals.ts'
import { openBuiltFiles } from './studio/built.ts'
import { studioRoutes } from './studio/routes.ts'
import { transferRoutes } from './transfer/routes.ts'

export type Parts = {
  readonly world: World
  readonly access: Access
  readonly secrets: Secrets
  readonly limiter: Limiter
  readonly ingestion: Ingestion
  readonly store: BlobStore
  /** The pools of GS SQL (gsql/run/script-pool.ts). */
  readonly scriptPools: ScriptPools
  readonly compiler: Compiler
  readonly sinkCalls: CallLog
  readonly imports: { readonly bench: Workbench; readonly runs: Runs }
  readonly deriver: Deriver
  readonly metrics: Metrics
  readonly reading: Reading
  readonly live: Live
  /** The metrics of all processes, as Prometheus reads them. */
  readonly metricsText: () => Promise<string>
  readonly leaving: Leaving
  /** Of clients of HTTP, and of proxies. */
  readonly mostConnections: number
  readonly mostOfProxies: number
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
  sinkCalls,
  imports,
  deriver,
  reading,
  live,
  metrics,
  metricsText,
  leaving,
}: Parts): readonly Route[] => {
  const studio = openBuiltFiles()
  const scripts = openScripts(world, ingestion, scriptPools, compiler)
  const routes: readonly Route[] = [
    ...healthRoutes(world, access, metricsText, leaving),
    ...studioRoutes(studio),
    ...oauthRoutes(world, access, secrets, limiter, studio.page),
    ...feedRoutes({ ...world, reading }, ingestion, access.guard, limiter),
    ...live.routes,
    ...fileRoutes({ ...world, reading }, ingestion, store, access.guard, limiter),
    ...connectorRoutes(world, scripts, access, sinkCalls),
    ...transferRoutes({ ...world, reading }, ingestion, access, limiter, {
      lines: openCatalogueLines,
      openRestore: (caller, call, charge) => openRestore(world.sql, caller, call, charge),
    }),
    ...importRoutes(imports.bench, imports.runs, access),
    ...catalogRoutes(
      { ...world, reading },
      access,
      secrets,
      limiter,
      { check: scripts.compile, checkIngest: imports.bench.compile },
      deriver,
    ),
  ]
  const countTool = metrics.counter('coppice_mcp_tool_calls_total', 'Calls of tools by assistants', ['tool', 'outcome'])
  return withDescription(world, productVersion, [...routes, ...mcpRoutes(world, access, routes, countTool)])
}

export type App = {
  readonly server: Server
  readonly clients: LeavingConnections
  /** PUT /feed for other doors than HTTP: counted and refused as there. */
  readonly put: (call: Call) => Promise<Reply>
  /** For the work of other doors. */
  readonly turns: Turns
  /** The holders of a call's shares; throws where its credential is not good, and counts that. */
  readonly recognize: (call: Call) => Promise<Holders>
}

export const openApp = (parts: Parts): App => {
  const { world, metrics, leaving } = parts
  const { trustedProxies } = world.config
  const routes = routesOf(parts)
  const refusals = namingCallers(openRefusals(metrics, world.log), parts.access)
  const answer = answerOf(world, metrics, refusals)
  const matchLean = leanMatcher(routes)
  const isClosing = () => leaving.isLeaving || !server.listening
  const writer = writerOf(world, isClosing)
  const koa = koaApp(world, routes, answer, writer, refusals)
  const turns = openTurns()
  const { holdersNow } = parts.access
  /** The credential stands somewhere in a long address: that is read in turns of the clients by their own addresses. */
  const readInTurn = (
    target: string,
    { headers, socket }: Pick<RequestHead, 'headers' | 'socket'>,
    work: () => void,
  ) => {
    if (target.length <= longAddress) return work()
    const holders = () => strangerHolders(clientAddress(socket.remoteAddress, headers, trustedProxies))
    turns.begin(addressWeight(target.length), holders, work)
  }
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    readInTurn(request.url ?? '/', request, () =>
      turns.begin(
        weights.request,
        () => holdersNow(callFromRequest(request, trustedProxies)),
        () => {
          // Its client has gone while it waited, and nothing more comes of its body.
          if (!request.socket.destroyed) serveNow(request, response)
        },
      ),
    )
  const serveNow = (request: IncomingMessage, response: ServerResponse) => {
    // Old firmware doubles slashes; everything behind this line sees the path with single ones.
    const [path, query] = splitTarget(request.url ?? '/')
    request.url = query === '' ? path : `${path}?${query}`
    const lean = matchLean(request.method ?? 'GET', path)
    if (!lean) return koa(request, response)
    const call = callFromRequest(request, trustedProxies, lean.params)
    answer(lean.route, call, writer(response, call))
  }
  const onRefused = (fault: Fault, peer = '') =>
    refusals.count({ status: fault.status, fault, route: undefined, call: strangerAt(peer), hasCredential: false })
  const server = createServer(serverOptions, oneAfterAnother(refuseUncertainEnds(dropRefusedBodies(serve), onRefused)))
  const inTurn = (address: string, work: () => void) =>
    turns.begin(weights.request, () => strangerHolders(address), work)
  answerBrokenRequests(server, serverOptions.maxHeaderSize, onRefused, inTurn)
  answerHalfClosed(server)
  askWhenNeeded(server)
  closeIdle(server, idleMs)
  const answerInTurn: Answer = (route, call, write) =>
    turns.begin(
      uploadWeight(Buffer.isBuffer(call.body) ? call.body.length : 0),
      () => holdersNow(call),
      () => answer(route, call, write),
    )
  const putFeed = matchLean('PUT', '/api/feed')!.route
  const short = takeShortRequests(
    server,
    [
      {
        begin: /^PUT \/api\/feed\?/,
        answer: (head, body, reply) =>
          readInTurn(head.target, head, () => {
            const call = callFromHead(head, body, trustedProxies)
            // Only last values can be large; all other replies need no further closure.
            const write = call.query.get('rsid') === undefined ? reply : shortWriter(call, reply)
            answerInTurn(putFeed, call, write)
          }),
      },
      {
        begin: /^(?:PUT|POST) \/api\/conn_sink\/[^/%? ]+\/[^/%? ]+[? ]/,
        answer: (head, body, reply) =>
          readInTurn(head.target, head, () => {
            const { route, params } = matchLean(head.method, splitTarget(head.target)[0])!
            const call = callFromHead(head, body, trustedProxies, params)
            answerInTurn(route, call, shortWriter(call, reply))
          }),
      },
    ],
    { idleMs, onRefused, later: (address, goOn) => setImmediate(inTurn, address, goOn), isClosing },
  )
  const isBusy = (socket: ServerSocket) => !!socket['_httpMessage'] || short.isAnswering(socket)
  const { mostConnections: most, mostOfProxies } = parts
  const { sockets } = shareConnections(server, { most, trustedProxies, mostOfProxies, isBusy })
  const isAnswering = (socket: ServerSocket) =>
    socket['_httpMessage']?.req.complete === true || short.isAnswering(socket)
  return {
    server,
    clients: { sockets, isBusy, isAnswering },
    put: (call) => new Promise((resolve) => answerInTurn(putFeed, call, resolve)),
    turns,
    recognize: async (call) => {
      try {
        return holdersOf(await parts.access.identify(call), call.address)
      } catch (error) {
        const fault = faultFromSql(error)
        if (fault instanceof Fault)
          refusals.count({ status: fault.status, fault, route: undefined, call, hasCredential: hasCredential(call) })
        throw fault
      } finally {
        call.letGo?.()
      }
    },
  }
}

const strangerAt = (peer: string) => ({ actor: undefined, address: clientAddress(peer, {}, []) })

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
  return (method: string, path: string): { readonly route: Route; readonly params: Call['params'] } | undefined => {
    for (const { route, pattern } of lean) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match) return { route, params: match.groups ?? {} }
    }
    return undefined
  }
}

// Proxies in front keep connections for 60 s; the server must not close first.
const idleMs = 65_000

/**
 * Firmware in the field sends bare line feeds, no Host, an empty Host, Content-Type twice (test/journey/devices): the
 * strict parser refuses them. The price of leniency is request smuggling behind a proxy that reads such requests
 * differently: a request without a certain end is refused, and docs/operations.md#behind-a-proxy has the duties of a
 * proxy in front. URLs of 32 KB must fit.
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
