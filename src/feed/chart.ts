// GET of a stream for a chart (docs/statistics.md#charts): one call for each picture, however much lies behind it.
import type { Call } from '../base/http/call.ts'
import { badRequest } from '../base/errors.ts'
import { integerFrom } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { snapshot, untilItIsRead } from '../base/database/sql.ts'
import type { Transaction } from '../base/database/sql.ts'
import { holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { findForReading } from '../core/reading/stream-read.ts'
import { readChartIn } from '../core/statistic/chart-read.ts'
import { readQuery } from './read-query.ts'
import { judge } from './read.ts'

const usualPoints = 1000
const mostPoints = 4000

export const getChart =
  ({ readSql, reading }: ReadingWorld) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const { startMs, endMs } = readQuery(call.query).window
    if (endMs !== undefined && startMs === undefined) throw badRequest('ed needs sd')
    const points = pointsOf(call.query)
    const { compId, streamId } = call.params
    const read = async (sql: Transaction) => {
      const [, found] = await Promise.all([
        holdChunks(sql),
        findForReading(sql, caller.organizationKey, compId!, streamId),
      ])
      judge(caller, 'GET component/feed', call.params)(found?.component.uid, found?.stream !== undefined)
      const { timeZone } = found!.component
      const window = startMs === undefined ? undefined : ([startMs, endMs!] as const)
      return { ...(await readChartIn(sql, found!.stream!, timeZone, window, points)), timeZone }
    }
    const chart = await untilItIsRead(() =>
      reading(readSql, holdersOf(caller, call.address), call, (pool) => snapshot(pool, read)),
    )
    const { window, step, items, timeZone } = chart
    return jsonReply({ sd: window?.[0] ?? null, ed: window?.[1] ?? null, timeZone, step: step ?? null, items })
  }

const pointsOf = (query: Query): number => {
  const text = query.get('points')
  const points = text === undefined ? usualPoints : integerFrom('points', text, 0)
  if (points > mostPoints) throw badRequest(`points must be at most ${mostPoints}, not ${points}`)
  return points
}
