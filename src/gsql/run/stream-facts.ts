// Facts about streams that must be known before a statement can run: the current interval of a cycle in each zone, and
// statistics. Both come from core, whose calendar is the one source of interval edges (docs/statistics.md#cycles).
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { openCalendar } from '../../core/time/calendar.ts'
import { listed, shorten } from '../../base/errors.ts'
import type { Calendar } from '../../core/time/calendar.ts'
import { cycleIds, findCycle } from '../../core/cycle.ts'
import type { Cycle } from '../../core/cycle.ts'
import { readStatisticIn } from '../../core/statistic/statistic-read.ts'
import { typeOfStatistic } from '../../core/statistic/statistic.ts'
import type { StatisticSample } from '../../core/statistic/statistic.ts'
import { withLongStatistics } from '../../core/statistic/statistic-text.ts'
import { readStreamsByKey } from '../../core/reading/stream-read.ts'
import { anyText } from '../text/any.ts'
import type { Emitted, StreamParameter } from '../emit/emitted.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { Value } from '../value.ts'
import { arrayText } from '../emit/postgres-array.ts'
import { charactersOf } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import type { CompiledStatement, CompiledStream } from '../script.ts'

type CycleEdges = { readonly zones: string[]; readonly lows: number[]; readonly highs: number[] }

type Statistics = {
  readonly streams: number[]
  readonly starts: number[]
  readonly ends: number[]
  /** Values by statistic, as JSON. */
  readonly values: readonly (string | null)[][]
}

export type StreamFacts = {
  readonly cycles: Map<string, CycleEdges>
  readonly statistics: Map<number, Statistics>
}

export const emptyFacts = (): StreamFacts => ({ cycles: new Map(), statistics: new Map() })

/** The organization, zone and time that facts depend on. */
export type FactContext = { readonly organizationKey: number; readonly nowMs: number; readonly memory: ScriptMemory }

/** The ways to find facts: by the script's own queries, and by core. */
export type FactFinder = {
  readonly maxRows: number
  readonly ask: (emitted: Emitted, row: (raw: readonly unknown[]) => void) => Promise<void>
  /** In a transaction of its own with one snapshot; nothing is asked meanwhile, so that nobody waits for two. */
  readonly read: <T>(work: (sql: Transaction) => Promise<T>) => Promise<T>
}

/** Finds the value of a parameter, unless it is known already. */
export const findFact = async (
  facts: StreamFacts,
  parameter: StreamParameter,
  { streams }: CompiledStatement,
  context: FactContext,
  finder: FactFinder,
): Promise<void> => {
  for (const { relation, at, reading, wanted } of streams) {
    if (parameter.kind === 'cycle') {
      const { cycleId } = parameter
      if (facts.cycles.has(cycleId) || reading.range?.kind !== 'cycle' || reading.range.cycleId !== cycleId) continue
      facts.cycles.set(cycleId, await currentEdges(context, cycleId, reading.range.at, finder))
    } else if (parameter.relation === relation && !facts.statistics.has(relation))
      facts.statistics.set(relation, await findStatistics(context, reading, wanted!, at, finder))
  }
}

const cycleNamed = async (sql: Sql, context: FactContext, id: string, at: Position): Promise<Cycle> => {
  const cycle = await findCycle(sql, context.organizationKey, id)
  if (cycle) return cycle
  const known = await cycleIds(sql, context.organizationKey)
  throw scriptFault(at, `unknown cycle '${shorten(id)}', there are ${listed(known)}`)
}

const currentEdges = async (
  context: FactContext,
  cycleId: string,
  at: Position,
  { ask, read }: FactFinder,
): Promise<CycleEdges> => {
  const cycle = await read((sql) => cycleNamed(sql, context, cycleId, at))
  const edges: CycleEdges = { zones: [], lows: [], highs: [] }
  await ask({ text: 'select distinct time_zone from gs.stream_row', parameters: [] }, ([zone]) => {
    const calendar = openCalendar(cycle, cycle.timeZone ?? (zone as string))
    edges.zones.push(zone as string)
    edges.lows.push(calendar.startOf(context.nowMs))
    edges.highs.push(calendar.endOf(context.nowMs))
  })
  return edges
}

/** Streams that are asked the same question. */
type Group = {
  readonly zone: string
  readonly low: number | null
  readonly high: number | null
  readonly streamKeys: Set<number>
}

const findStatistics = async (
  context: FactContext,
  reading: CompiledStream['reading'],
  wanted: Emitted,
  at: Position,
  { maxRows, ask, read }: FactFinder,
): Promise<Statistics> => {
  const groups = await groupsOf(wanted, ask)
  const found: Statistics = { streams: [], starts: [], ends: [], values: reading.statistics.map(() => []) }
  await read(async (sql) => {
    const cycle = await cycleNamed(sql, context, reading.cycleId!, reading.cycleAt!)
    for (const group of groups) await readGroup(sql, context, reading, cycle, group, maxRows, at, found)
  })
  for (const list of found.values) for (let row = 0; row < found.streams.length; row++) list[row] ??= null
  return found
}

const readGroup = async (
  sql: Transaction,
  context: FactContext,
  { range, statistics, endsWith }: CompiledStream['reading'],
  cycle: Cycle,
  { zone, low, high, ...group }: Group,
  maxRows: number,
  at: Position,
  found: Statistics,
): Promise<void> => {
  const most = !range ? 1 : range.kind === 'last' ? range.count : maxRows + 1
  const streams = await readStreamsByKey(sql, context.organizationKey, [...group.streamKeys])
  const calendar = openCalendar(cycle, cycle.timeZone ?? zone)
  const window = { startMs: low ?? undefined, endMs: high === null ? undefined : endOf(endsWith, calendar, high) }
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  const rows = new Map<string, number>()
  const rowOf = ({ streamKey, startMs, timeMs }: StatisticSample): number => {
    const name = `${streamKey} ${timeMs}`
    const known = rows.get(name)
    if (known !== undefined) return known
    const row = found.streams.push(streamKey) - 1
    if (row === maxRows) throw scriptFault(at, `more than ${maxRows} rows`)
    context.memory.spend(at, 3 + found.values.length, 0)
    found.starts.push(startMs)
    found.ends.push(timeMs)
    rows.set(name, row)
    return row
  }
  for (const [index, statistic] of statistics.entries()) {
    const samples = await readStatisticIn(sql, streams, calendar, statistic, window, maxRows + 1, most, 'brief')
    const longs = new Set(
      streams.flatMap(({ key, valueType }) => (typeOfStatistic(statistic, valueType) === 'LONG' ? key : [])),
    )
    // They come from the latest back, and are wanted in the order of time.
    const ordered = samples.toReversed()
    const placed = ordered.map(rowOf)
    let next = 0
    // Longer texts some at a time, so that no more than some of them are here before they are charged.
    for await (const some of withLongStatistics(sql, ordered, byKey, calendar, statistic))
      for (const { streamKey, value } of some) {
        const text = textOf(value, longs.has(streamKey))
        context.memory.spend(at, 0, charactersOf(text))
        found.values[index]![placed[next++]!] = text
      }
  }
}

/**
 * A statistic is timed by its end, so that up to now, or to a stream's last sample, the interval that is going on then
 * would be left out.
 */
const endOf = (endsWith: CompiledStream['reading']['endsWith'], calendar: Calendar, high: number): number => {
  // The last sample itself is before `high`.
  if (endsWith === 'streamEd') return calendar.endOf(high - 1) + 1
  return endsWith === 'now' ? calendar.endOf(high) + 1 : high
}

/** Even a sum of a stream of LONGs need not be one. */
const textOf = (value: Value, ofLongs: boolean): string | null => {
  if (value === null) return null
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return anyText(Number(value))
  return anyText(ofLongs && typeof value === 'number' ? BigInt(value) : value)
}

const groupsOf = async (wanted: Emitted, ask: FactFinder['ask']): Promise<readonly Group[]> => {
  const groups = new Map<string, Group>()
  await ask(wanted, (raw) => {
    const [streamKey, , zone, low, high] = raw as [number, string, string, number | null, number | null]
    const name = `${zone} ${low} ${high}`
    const group = groups.get(name) ?? { zone, low, high, streamKeys: new Set() }
    groups.set(name, group)
    group.streamKeys.add(streamKey)
  })
  return [...groups.values()]
}

export const factArray = (facts: StreamFacts, parameter: StreamParameter): string => {
  if (parameter.kind === 'cycle') {
    const { zones, lows, highs } = facts.cycles.get(parameter.cycleId)!
    return arrayText(parameter.column === 'zone' ? zones : parameter.column === 'low' ? lows : highs)
  }
  const { streams, starts, ends, values } = facts.statistics.get(parameter.relation)!
  if (parameter.column === 'stream') return arrayText(streams)
  if (parameter.column === 'start') return arrayText(starts)
  return arrayText(parameter.column === 'end' ? ends : values[parameter.column]!)
}
