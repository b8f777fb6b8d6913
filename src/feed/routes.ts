// The feed's routes (docs/feeds.md), the deletion of samples included.
import type { Call, Route } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import { Fault, forbidden } from '../base/errors.ts'
import type { Limiter } from '../base/http/limit.ts'
import { flag } from '../base/http/params.ts'
import { withoutParameter } from '../base/http/query-string.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import type { Caller } from '../core/caller.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import { getChart } from './chart.ts'
import { feedDescriptions as about } from './descriptions.ts'
import { putFeed } from './put.ts'
import { deleteFeed, getFeed, getLastValue } from './read.ts'
import { getLastStatistic, getStatistic } from './statistic.ts'

type Handle = (caller: Caller, call: Call) => Promise<Reply>
type Guard = (handle: Handle, audience?: 'known' | 'anyone') => Route['handle']

export const feedRoutes = (
  world: ReadingWorld,
  ingestion: Ingestion,
  guard: Guard,
  limiter: Limiter,
): readonly Route[] => {
  const put = limiter.limited('feed', putFeed(world, ingestion))
  const get = (path: string, handle: Handle, description: Description): Route => ({
    method: 'GET',
    path,
    handle: guard(handle, 'anyone'),
    description,
  })
  return [
    { method: 'PUT', path: '/api/feed', handle: guard(put), description: about.put },
    {
      method: 'GET',
      path: '/api/feed',
      handle: asPut(guard(refusingCookies(withoutCacheBuster(put)))),
      description: about.putByGet,
    },
    get('/api/comp/:compId/feed', getFeed(world), about.feedOfComponent),
    get('/api/comp/:compId/stream/:streamId/feed', getFeed(world), about.feedOfStream),
    get('/api/comp/:compId/stream/:streamId/chart', getChart(world), about.chart),
    get('/api/comp/:compId/last_value', getLastValue(world), about.lastOfComponent),
    get('/api/comp/:compId/stream/:streamId/last_value', getLastValue(world), about.lastOfStream),
    get('/api/comp/:compId/cycle/:cycleId/stat/:statId/feed', getStatistic(world), about.statisticOfComponent),
    get(
      '/api/comp/:compId/stream/:streamId/cycle/:cycleId/stat/:statId/feed',
      getStatistic(world),
      about.statisticOfStream,
    ),
    get(
      '/api/comp/:compId/cycle/:cycleId/stat/:statId/last_value',
      getLastStatistic(world),
      about.lastStatisticOfComponent,
    ),
    get(
      '/api/comp/:compId/stream/:streamId/cycle/:cycleId/stat/:statId/last_value',
      getLastStatistic(world),
      about.lastStatisticOfStream,
    ),
    {
      method: 'DELETE',
      path: '/api/comp/:compId/stream/:streamId/feed',
      handle: guard(deleteFeed(world)),
      description: about.remove,
    },
  ]
}

/** Any page can make a browser GET, cookies and all: with asPut a key or token must be in the URL or a header. */
const refusingCookies =
  (handle: Handle): Handle =>
  async (caller, call) => {
    if (caller.byCookie) throw forbidden('asPut needs a key or token in the URL or a header, not in a cookie')
    return handle(caller, call)
  }

/** GET /feed?asPut is the PUT, for devices and pages that can only GET. */
const asPut =
  (handle: Route['handle']): Route['handle'] =>
  async (call) => {
    if (call.method !== 'GET' || !flag(call.query.get('asput')))
      throw new Fault('method_not_allowed', 'use PUT, or GET with asPut', { headers: { Allow: 'PUT' } })
    return handle(call)
  }

/** Pages add _ to the address of a GET. It is removed behind the guard, which notes the caller on the call itself. */
const withoutCacheBuster =
  (handle: Handle): Handle =>
  (caller, call) =>
    handle(caller, { ...call, query: withoutParameter(call.query, '_') })
