// Years of samples that come late, are overwritten with other values and deleted by weeks, while tiles are made of them, in
// two time zones: all statistics are those of the samples, before all tiles are made anew and after it.
import assert from 'node:assert/strict'
import type { Pool } from '../../../src/base/database/sql.ts'
import { rollupMetrics } from '../../../src/core/statistic/rollup.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import { statistics } from '../../../src/core/statistic/statistic.ts'
import { phases } from '../../../src/core/statistic/tile.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { OracleStream } from '../../core/statistic/oracle.ts'
import { expectStatistic, isSame } from '../../core/statistic/oracle.ts'
import type { Random } from '../../support/random.ts'
import { shortOrLong } from '../../support/soak.ts'
import { eventually } from '../../support/within.ts'
import { openLedger } from './ledger.ts'
import type { Doors, Load } from './load.ts'
import { dayMs, put, weekMs } from './load.ts'

/** A Saturday: clocks change on Sundays. */
const firstMs = Date.parse('2024-01-06T00:00:00Z')
/** Each is a chunk; so few that most are written to often. */
const weeks = shortOrLong(20, 90)
const quarterMs = 900_000
const endMs = 4_102_444_800_000

const components = [
  // Days of tiles begin so many minutes past midnight, and in New York in winter and in summer.
  { compId: 'History', zone: 'UTC', phases: [0] },
  { compId: 'History-New-York', zone: 'America/New_York', phases: [240, 300] },
]

export const history = async (doors: Doors, { integer }: Random): Promise<Load> => {
  for (const { compId, zone } of components)
    await doors.ask('POST', '/api/component', { id: compId, timeZone: zone, stream: [{ id: 'a' }] })
  const ledgers = components.map(({ compId }) => openLedger<number>(compId))
  let next = 0
  return {
    name: 'history',
    step: async () => {
      const n = (next += 1)
      const { compId } = components[n % 2]!
      const ledger = ledgers[n % 2]!
      const fromMs = firstMs + integer(weeks) * weekMs
      if (integer(6) === 0) {
        const untilMs = fromMs + (1 + integer(5)) * weekMs
        const inside = ledger.keys().filter((time) => time >= fromMs && time < untilMs)
        const acknowledge = ledger.note(new Map(inside.map((time) => [time, undefined])))
        const path = `/api/comp/${compId}/stream/a/feed?sd=${fromMs}&ed=${untilMs}`
        if ((await doors.ask('DELETE', path)) === undefined) return false
        acknowledge()
        return true
      }
      const times = new Set(Array.from({ length: 50 }, () => fromMs + integer((2 * dayMs) / quarterMs) * quarterMs))
      // No other call has these values, and some of them are alike.
      const changes = new Map([...times].map((time) => [time, (n % 3 === 0 ? -1 : 1) * (n + integer(8) / 8)]))
      const acknowledge = ledger.note(changes)
      const body = [...changes].map(([time, data]) => ({ compId, streamId: 'a', data, time }))
      if (!(await put(doors, '', body))) return false
      acknowledge()
      return true
    },
    judge: async () => {
      const all = await Promise.all(components.map(({ compId }) => doors.samples(compId, 'a')))
      for (const [at, stored] of all.entries()) ledgers[at]!.judge(stored)
      const judgeAll = async () => {
        for (const [at, stored] of all.entries()) await judgeStatistics(doors, components[at]!, stored)
      }
      await judgeAll()
      await doors.database(async (sql) => {
        await eventually(async () => (await isMade(sql)) && (await rollupMetrics(sql, Date.now())).stale === 0)
        for (const [at, stored] of all.entries()) await judgeTiles(sql, components[at]!, stored)
      })
      await judgeAll()
    },
  }
}

type Component = (typeof components)[number]

/** All days of the history are below the moment up to which tiles are read. */
const isMade = async (sql: Pool): Promise<boolean> => {
  const made = await sql<{ minutes: number; readyUntilMs: number }[]>`
    select minutes, ready_until as "readyUntilMs" from rollup_phase`
  const needed = components.flatMap((component) => component.phases)
  return needed.every((phase) =>
    made.some(({ minutes, readyUntilMs }) => minutes === phase && readyUntilMs > firstMs + weeks * weekMs),
  )
}

/** There is a tile for each day that has samples. */
const judgeTiles = async (sql: Pool, { compId, phases: needed }: Component, stored: ReadonlyMap<number, unknown>) => {
  for (const { dayTable, offsetMs } of phases.filter(({ minutes }) => needed.includes(minutes))) {
    const tiles = await sql<{ ms: number }[]>`
      select tile.bucket as ms
      from ${sql(dayTable)} as tile
      join stream on stream.key = tile.stream_key
      join component on component.key = stream.component_key
      where component.id = ${compId} and tile.samples > 0
      order by tile.bucket`
    const days = new Set([...stored.keys()].map((time) => Math.floor((time - offsetMs) / dayMs) * dayMs + offsetMs))
    assert.deepEqual(
      tiles.map(({ ms }) => ms),
      [...days].toSorted((a, b) => a - b),
      `${dayTable} of ${compId}`,
    )
  }
}

const judgeStatistics = async (doors: Doors, component: Component, stored: ReadonlyMap<number, unknown>) => {
  const values = stored as ReadonlyMap<number, number>
  const kind = { key: 0, kind: 'random', valueType: 'DOUBLE', calendar: undefined } as const
  const stream: OracleStream = { ...kind, values: new Map(values), sorted: undefined, archived: [] }
  for (const cycle of ['day', 'month'] as const)
    for (const statistic of statistics) await judgeStatistic(doors, component, stream, cycle, statistic)
}

const judgeStatistic = async (
  doors: Doors,
  { compId, zone }: Component,
  stream: OracleStream,
  cycle: 'day' | 'month',
  statistic: Statistic,
): Promise<void> => {
  const calendar = openCalendar({ size: 1, unit: cycle, reference: '2001-01-01T00:00:00' }, zone)
  const expected = expectStatistic([stream], calendar, statistic, { startMs: 0, endMs }, 1000)
  const path = `/api/comp/${compId}/stream/a/cycle/${cycle}/stat/${statistic}/feed`
  const shown = (await doors.ask('GET', `${path}?retIntvlSd&limit=1000&sd=0&ed=${endMs}`)) as {
    sdTime: number
    time: number
    data: number | null
  }[]
  const at = expected.findIndex(({ startMs, timeMs, value, scale }, index) => {
    const found = shown[index]
    return found?.sdTime !== startMs || found.time !== timeMs || !isSame(found.data, value, scale)
  })
  assert.ok(
    at < 0 && shown.length === expected.length,
    `${statistic} by ${cycle} of ${compId}: ${JSON.stringify([shown.length, shown[at]])}, not ${JSON.stringify([expected.length, expected[at]])}`,
  )
}
