// GET of cycle statistics (docs/statistics.md): lists and last values, of one stream or of all of a component.
import type { Call } from '../base/http/call.ts'
import { notFound } from '../base/errors.ts'
import { whenItFits } from '../base/http/large-reply.ts'
import type { ReplyPieces } from '../base/http/large-reply.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { rowFormat } from '../base/http/row-format.ts'
import { snapshot } from '../base/database/sql.ts'
import type { Transaction } from '../base/database/sql.ts'
import { openCalendar } from '../core/time/calendar.ts'
import { holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { cycleNotFound, findCycle } from '../core/cycle.ts'
import { readStatisticIn } from '../core/statistic/statistic-read.ts'
import { findStatistic, isPlainStatistic, statistics, typeOfStatistic } from '../core/statistic/statistic.ts'
import type { StatisticSample } from '../core/statistic/statistic.ts'
import { longStatisticBytes, withLongStatistics } from '../core/statistic/statistic-text.ts'
import { findForReading, readInOrder } from '../core/reading/stream-read.ts'
import { unitsOf } from '../core/unit.ts'
import { readQuery } from './read-query.ts'
import type { ReadQuery } from './read-query.ts'
import { itemsToRead, largeBytes, largeListReply, listReply } from './more.ts'
import { judge } from './read.ts'
import { presentSample } from './wire.ts'

type Handle = (caller: Caller, call: Call) => Promise<Reply>

export const getStatistic = (world: ReadingWorld): Handle => handler(world, undefined)

export const getLastStatistic = (world: ReadingWorld): Handle => handler(world, 1)

/** All of it in one snapshot: the streams, their samples and aggregates, and the units (docs/replies.md). */
const handler =
  ({ readSql, reading }: ReadingWorld, mostPerStream: number | undefined): Handle =>
  async (caller, call) => {
    const query = readQuery(call.query)
    const holders = holdersOf(caller, call.address)
    return whenItFits(call, holders, (pieces) =>
      reading(readSql, holders, call, (pool) =>
        snapshot(pool, (sql) => reply(sql, caller, call, query, mostPerStream, pieces)),
      ),
    )
  }

/** Makes the reply, or gives the bytes of a large one, unless there are pieces to put it into. */
const reply = async (
  sql: Transaction,
  caller: Caller,
  call: Call,
  query: ReadQuery,
  mostPerStream: number | undefined,
  pieces: ReplyPieces | undefined,
): Promise<Reply | number> => {
  const { compId, streamId, cycleId, statId } = call.params
  const [, found, cycle] = await Promise.all([
    holdChunks(sql),
    findForReading(sql, caller.organizationKey, compId!, streamId),
    findCycle(sql, caller.organizationKey, cycleId!),
  ])
  judge(
    caller,
    'GET component/feed',
    call.params,
  )(found?.component.uid, streamId === undefined || found?.stream !== undefined)
  const { component, stream } = found!
  if (cycle === undefined) throw await cycleNotFound(sql, caller.organizationKey, cycleId!)
  const statistic = findStatistic(statId!)
  if (statistic === undefined) throw notFound('statistic', statId!, statistics)
  const calendar = openCalendar(cycle, cycle.timeZone ?? component.timeZone)
  const { show } = query
  const range = { ...query, limit: itemsToRead(query) }
  const { streams, items } = await readInOrder(sql, component, stream, range, (some, window, most) =>
    readStatisticIn(sql, some, calendar, statistic, window, most, mostPerStream, 'short'),
  )
  const longBytes = longStatisticBytes(items)
  if (longBytes > 0 && pieces === undefined) return largeBytes(query, longBytes, items.length)
  // Counts and times of extremes are not in the stream's unit.
  const needsUnits = (show.formatted || show.unit) && !isPlainStatistic(statistic)
  const units = needsUnits ? await unitsOf(sql, [...streams.keys()]) : new Map<number, never>()
  const present = ({ streamKey, startMs, timeMs, value }: StatisticSample) => {
    const { id, valueType } = streams.get(streamKey)!
    const shown = {
      streamId: id,
      startMs,
      timeMs,
      value,
      valueType: typeOfStatistic(statistic, valueType),
      unit: units.get(streamKey),
    }
    return presentSample(component.id ?? '', shown, show)
  }
  const placeOf = ({ streamKey, timeMs }: StatisticSample) => ({ position: streams.get(streamKey)!.position, timeMs })
  const isLastValue = mostPerStream !== undefined
  const format = rowFormat(call)
  const lines = format === 'json' ? undefined : { format, timeZone: component.timeZone, hasFiles: false }
  if (pieces === undefined) return listReply(call, query, items, present, placeOf, isLastValue, lines)
  const withTexts = (some: readonly StatisticSample[]) => withLongStatistics(sql, some, streams, calendar, statistic)
  return largeListReply(pieces, call, query, items, withTexts, present, placeOf, isLastValue, lines)
}
