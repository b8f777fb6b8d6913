// For operators and their tools: is the process up, is it ready to serve, and how is it doing
// (docs/operations.md#monitoring).
import { setTimeout as sleep } from 'node:timers/promises'
import { inRanges } from './base/http/address.ts'
import type { Route } from './base/http/call.ts'
import { doneReply } from './base/http/description.ts'
import { forbidden } from './base/errors.ts'
import { jsonReply } from './base/http/reply.ts'
import { connectionFault } from './base/database/sql.ts'
import type { World } from './base/world.ts'

/** `metricsText` gives all processes' metrics, not only this one's. */
export const healthRoutes = (world: World, metricsText: () => Promise<string>): readonly Route[] => [
  get('/healthz', 'Whether the process is up', async () => jsonReply({ success: true, message: '' })),
  get('/readyz', 'Whether it can serve: the database answers', async () => {
    const late = new AbortController()
    try {
      // The server listens only after its migrations, so a database that answers is a database that is ready.
      await Promise.race([world.sql`select from rollup_state`, noAnswer(late.signal)])
    } catch (error) {
      throw connectionFault(error)
    } finally {
      late.abort()
    }
    return jsonReply({ success: true, message: '' })
  }),
  get('/metrics', 'Figures for Prometheus', async (call) => {
    if (!inRanges(call.address, world.config.metricsAddresses)) throw forbidden('metrics are not for this address')
    return { status: 200, headers: { 'Content-Type': contentType }, body: await metricsText() }
  }),
]

const answerWithinMs = 2000

/** A database that does not answer is found out later (base/database/pulse.ts); a caller of /readyz wants to know now. */
const noAnswer = async (signal: AbortSignal): Promise<never> => {
  await sleep(answerWithinMs, undefined, { signal })
  throw new Error(`the database did not answer within ${answerWithinMs} ms`)
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

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
