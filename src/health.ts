// For operators and their tools: is the process up, is it ready to serve, and how is it doing
// (docs/operations.md#monitoring).
import type { Access } from './access/guard.ts'
import { isByOtherSite } from './access/other-site.ts'
import { inRanges, isFromStrangeProxy } from './base/http/address.ts'
import type { Route } from './base/http/call.ts'
import type { Description } from './base/http/description.ts'
import { doneReply } from './base/http/description.ts'
import { busy, forbidden } from './base/errors.ts'
import type { Leaving } from './base/http/leave.ts'
import type { Reply } from './base/http/reply.ts'
import { jsonReply } from './base/http/reply.ts'
import { afterSilence } from './base/database/silence.ts'
import { connectionFault } from './base/database/sql.ts'
import type { World } from './base/world.ts'
import { demand } from './core/caller.ts'
import { isOfOperator } from './core/organization.ts'
import { readOnce } from './metrics.ts'

/** `metricsText` gives all processes' metrics, not only this one's. */
export const healthRoutes = (
  world: World,
  { guard }: Pick<Access, 'guard'>,
  metricsText: () => Promise<string>,
  leaving: Leaving,
): readonly Route[] => [
  operatorRoute(guard, metricsText),
  get('/healthz', 'Whether the process is up', async () => jsonReply({ success: true, message: '' })),
  get('/readyz', 'Whether it can serve: the database answers, and it is not being stopped', async () => {
    if (leaving.isLeaving) throw busy('the server is being stopped')
    const { silence, stop } = noAnswer()
    try {
      // The server listens only after its migrations, so a database that answers is a database that is ready.
      await Promise.race([world.sql`select from rollup_state`, silence])
    } catch (error) {
      throw connectionFault(error)
    } finally {
      stop()
    }
    return jsonReply({ success: true, message: '' })
  }),
  metricsRoute(world, metricsText),
]

const answerWithinMs = 2000

/** A database that does not answer is found out later (base/database/pulse.ts); a caller of /readyz wants to know now. */
const noAnswer = () => {
  let stop = () => {}
  const silence = new Promise<never>((_, reject) => {
    stop = afterSilence(answerWithinMs, () =>
      reject(new Error(`the database did not answer within ${answerWithinMs} ms`)),
    )
  })
  return { silence, stop }
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

const metricsReply = (text: string): Reply => ({ status: 200, headers: { 'Content-Type': contentType }, body: text })

const metricsRoute = ({ config }: World, metricsText: () => Promise<string>): Route => {
  // Looks that come while a text is made have the same. It is no older: some figures begin anew with every text.
  const text = readOnce(metricsText, 0)
  return get('/metrics', 'Figures for Prometheus', async (call) => {
    const { metricsAddresses, trustedProxies } = config
    if (!inRanges(call.address, metricsAddresses)) throw forbidden('metrics are not for this address')
    if (isFromStrangeProxy(call.socket.remoteAddress, call.headers, trustedProxies))
      throw forbidden('metrics are not for clients of a proxy that is not in TRUSTED_PROXIES')
    // An address is no credential either for what a page makes its browser ask.
    if (isByOtherSite(call.headers, config.baseUrl)) throw forbidden('metrics are not for pages of other sites')
    return metricsReply(await text())
  })
}

/** Figures of all organizations: not for the admins of one, unless it is the operator's own. */
const operatorRoute = (guard: Access['guard'], metricsText: () => Promise<string>): Route => {
  // However many ask, the database is asked once a second.
  const text = readOnce(metricsText, 1000)
  return {
    method: 'GET',
    path: '/api/server_metrics',
    handle: guard(async (caller) => {
      demand(caller, 'GET metrics')
      if (!isOfOperator({ key: caller.organizationKey }))
        throw forbidden('metrics are for the organization that runs the server')
      return metricsReply(await text())
    }),
    description: {
      part: 'operations',
      summary: "The figures of /metrics, for admins of the operator's organization and keys with this right",
      reply: { type: 'text/plain', schema: {} },
    } satisfies Description,
  }
}

const get = (path: string, summary: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  handle,
  description: {
    part: 'operations',
    summary,
    by: 'nobody',
    reply: path === '/metrics' ? { type: 'text/plain', schema: {} } : doneReply,
  },
})
