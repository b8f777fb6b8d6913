// GET of cycle statistics (4.3, decisions 4): lists and last values, of one stream or of all of a component.
import type { Call } from '../base/call.ts'
import { notFound } from '../base/errors.ts'
import { reading } from '../base/reading.ts'
import type { Reply } from '../base/reply.ts'
import { jsonReply } from '../base/reply.ts'
import type { Pool } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { openCalendar } from '../core/calendar.ts'
import type { Caller } from '../core/caller.ts'
import { cycleNotFound, findCycle } from '../core/cycle.ts'
import { readStatistic } from '../core/statistic.ts'
import { findStatistic, isPlainStatistic, statistics } from '../core/statistic-value.ts'
import type { Statistic } from '../core/statistic-value.ts'
import type { ValueType } from '../core/stream.ts'
import { unitsOf } from '../core/unit.ts'
import { readQuery } from './get.ts'
import { findStreams } from './read.ts'
import { presentSample } from './wire.ts'

export const getStatistic = (world: World) => (caller: Caller, call: Call) =>
  reading(world, call, (sql) => reply(sql, caller, call))

export const getLastStatistic = (world: World) => (caller: Caller, call: Call) =>
  reading(world, call, (sql) => reply(sql, caller, call, 1))

const reply = async (sql: Pool, caller: Caller, call: Call, mostPerStream?: number): Promise<Reply> => {
  const { window, limit, show } = readQuery(call.query)
  const { cycleId, statId } = call.params
  const [{ component, streams }, cycle] = await Promise.all([
    findStreams(sql, caller, call, 'GET component/feed'),
    findCycle(sql, caller.organizationKey, cycleId!),
  ])
  if (cycle === undefined) throw await cycleNotFound(sql, caller.organizationKey, cycleId!)
  const statistic = findStatistic(statId!)
  if (statistic === undefined) throw notFound('statistic', statId!, statistics)
  const calendar = openCalendar(cycle, cycle.timeZone ?? component.timeZone)
  const samples = await readStatistic(sql, streams, calendar, statistic, window, limit, mostPerStream)
  // Counts and times of extremes are not in the stream's unit.
  const needsUnits = (show.formatted || show.unit) && !isPlainStatistic(statistic)
  const keys = streams.map(({ key }) => key)
  const units = needsUnits ? await unitsOf(sql, keys) : new Map<number, never>()
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  return jsonReply(
    samples.map(({ streamKey, startMs, timeMs, value }) => {
      const stream = byKey.get(streamKey)!
      const valueType = typeOf(statistic, stream.valueType)
      const shown = { streamId: stream.id, startMs, timeMs, value, valueType, unit: units.get(streamKey) }
      return presentSample(component.id ?? '', shown, show)
    }),
  )
}

/** The sum and the average of booleans are numbers. */
const typeOf = (statistic: Statistic, valueType: ValueType): ValueType =>
  valueType === 'BOOLEAN' && (statistic === 'sum' || statistic === 'avg') ? 'DOUBLE' : valueType
