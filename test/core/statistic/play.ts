// A seeded game against the oracle: uploads early and late, overwrites, gaps, deletes, scripts, on both sides of every
// change of the clocks, with reads of statistics and samples in between and materialization at any moment. A difference ends it with an error that
// names the seed.
import assert from 'node:assert/strict'
import { Temporal } from 'temporal-polyfill'
import { Fault } from '../../../src/base/errors.ts'
import { openLog } from '../../../src/base/log.ts'
import { readConfig } from '../../../src/base/config.ts'
import { sqlCode, transaction } from '../../../src/base/database/sql.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import type { SampleBatch } from '../../../src/core/sample/batch.ts'
import { noDerivation } from '../../../src/core/sample/batch.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { CycleDefinition } from '../../../src/core/time/calendar.ts'
import type { Caller } from '../../../src/core/caller.ts'
import { openCompression } from '../../../src/core/upkeep/compression.ts'
import { dropEmptied } from '../../../src/core/sample/chunk.ts'
import { insertStockCycles } from '../../../src/core/cycle.ts'
import { openGate } from '../../../src/core/sample/gate.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import type { SampleTimes } from '../../../src/core/sample/store.ts'
import { readComponents } from '../../../src/core/sample/registered.ts'
import { lockOrganization, updateOrganization } from '../../../src/core/organization.ts'
import { archiveSome, newRetentionPace } from '../../../src/core/upkeep/retention.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { mendDaysToo } from '../../../src/core/statistic/tile-state.ts'
import { readSamples } from '../../../src/core/reading/sample-read.ts'
import { deleteSamples, sampleValue } from '../../../src/core/sample/sample.ts'
import { readStatistic } from '../../../src/core/statistic/statistic-read.ts'
import type { StatisticSample } from '../../../src/core/statistic/statistic.ts'
import { statistics } from '../../../src/core/statistic/statistic.ts'
import type { Value } from '../../../src/core/sample/value.ts'
import { callerOf } from '../../support/caller.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { chooseSeed, openRandom } from '../../support/random.ts'
import type { Expected, OracleSample, OracleStream } from './oracle.ts'
import {
  archiveUntil,
  expectSamples,
  expectStatistic,
  isArchived,
  isSame,
  remove,
  removeAt,
  samplesOf,
  upload as store,
} from './oracle.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Apia',
]

const reference = '2001-01-01T00:00:00'
const cycles: readonly CycleDefinition[] = [
  { size: 1, unit: 'second', reference },
  { size: 1, unit: 'minute', reference },
  { size: 15, unit: 'minute', reference },
  { size: 30, unit: 'minute', reference },
  { size: 1, unit: 'hour', reference },
  { size: 1, unit: 'hour', reference },
  { size: 1, unit: 'day', reference },
  { size: 1, unit: 'day', reference },
  { size: 1, unit: 'day', reference },
  { size: 1, unit: 'week', reference },
  { size: 1, unit: 'month', reference },
  { size: 1, unit: 'month', reference },
  { size: 3, unit: 'month', reference },
  { size: 1, unit: 'year', reference },
  { size: 90, unit: 'minute', reference },
  { size: 7, unit: 'hour', reference: '2024-02-29T05:00:00' },
  { size: 5, unit: 'hour', reference: '2010-05-05T05:07:00' },
  { size: 100_000, unit: 'second', reference },
  { size: 3, unit: 'day', reference: '2020-06-01T06:30:00' },
  { size: 2, unit: 'week', reference: '2001-01-04T02:15:00' },
  { size: 1, unit: 'month', reference: '2000-01-31T00:00:00' },
  { size: 4, unit: 'year', reference: '2024-02-29T12:00:00' },
]

type GameComponent = {
  readonly id: string
  readonly zone: string
  readonly streams: readonly OracleStream[]
  readonly organization: GameOrganization
}

type GameOrganization = {
  readonly caller: Caller
  /** Undefined: samples are kept for ever. */
  retentionDays: number | undefined
}

type StreamKindOf = {
  readonly kind: 'random' | 'interval' | 'point'
  readonly valueType: 'DOUBLE' | 'LONG' | 'BOOLEAN' | 'STRING'
  readonly base: string | null
}

const streamKinds: readonly StreamKindOf[] = [
  { kind: 'random', valueType: 'DOUBLE', base: null },
  { kind: 'interval', valueType: 'DOUBLE', base: '5minute' },
  { kind: 'interval', valueType: 'LONG', base: 'hour' },
  { kind: 'random', valueType: 'LONG', base: null },
  { kind: 'interval', valueType: 'DOUBLE', base: 'day' },
  { kind: 'random', valueType: 'STRING', base: null },
  { kind: 'interval', valueType: 'BOOLEAN', base: '15minute' },
  { kind: 'interval', valueType: 'STRING', base: 'minute' },
  { kind: 'interval', valueType: 'LONG', base: 'month' },
  { kind: 'point', valueType: 'DOUBLE', base: null },
]

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** At the end as much is materialized as there is time for. */
const lastPassesMs = 5_000

export type Game = {
  readonly seed: number
  readonly operations: number
  readonly onProgress?: (done: number, counts: Readonly<Record<string, number>>) => void
}

export const play = async (pool: Pool, url: string, { seed, operations, onProgress }: Game): Promise<void> => {
  const { fraction, integer: below, pick } = openRandom(seed)
  /** From 1 to most, small numbers as often as large ones. */
  const size = (most: number) => Math.max(1, Math.floor(Math.exp(fraction() * Math.log(most + 1))))

  let nowMs = Date.parse('2026-02-27T22:40:00Z')
  // Nothing is aggregated or archived beyond the database's own now: 10,000 operations come some 200 days closer to it.
  const pace = Math.min(1, 10_000 / operations)
  const components = await settle(pool, pick, below)
  const keeper = components.at(-1)!.organization
  // Chunks of a week, as in production, make hundreds, and an operation four times as slow; so they are rarely tried.
  await pool`select set_chunk_time_interval('sample', ${pick([7, 90, 90, 90, 90, 360])} * interval '1 day')`
  const log = openLog('silent')
  const world = { config: readConfig({}), sql: pool, readSql: pool, clock: { now: () => nowMs }, log }
  const ingestion = await Ingestion.open(world, url)
  const counts = {
    uploads: 0,
    scripts: 0,
    samples: 0,
    refused: 0,
    deletes: 0,
    reads: 0,
    intervals: 0,
    feeds: 0,
    passes: 0,
    archived: 0,
    together: 0,
    cycles: 0,
  }
  let pass: Promise<unknown> = Promise.resolve()
  let care: Promise<unknown> = Promise.resolve()
  let operation = 0

  // Old samples come to some weeks again and again: each week is a chunk, and hundreds of them make all slow.
  const weeks = Array.from({ length: 12 }, () => nowMs - below(3_000) * dayMs)
  const changes = new Map(zones.map((zone) => [zone, Array.from({ length: 4 }, () => pick(clockChanges(zone)))]))

  const moment = (zone: string): number => {
    const day = below(dayMs)
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return nowMs - below(3 * dayMs)
      case 4:
        return nowMs - below(60) * dayMs - day
      case 5:
        return pick(weeks) - below(4) * dayMs - day
      case 6:
      case 7:
        return pick(changes.get(zone)!) + below(2 * dayMs) - dayMs
      case 8:
        return Date.parse(pick(['2024-02-29', '2025-12-31', '2011-12-30'])) + day
      case 9:
        return openCalendar(pick(cycles), zone).startOf(pick([nowMs, ...weeks])) + pick([-1, 0, 1, -minuteMs])
      case 10:
        return nowMs + below(40) * dayMs
      default:
        return below(200) === 0 ? pick([-62_135_596_800_000, 253_402_300_799_999, -5e13, 1e14]) : nowMs - below(hourMs)
    }
  }

  const valueFor = ({ kind, valueType }: OracleStream): Value => {
    if (below(kind === 'interval' ? 10 : 30) === 0) return null
    switch (valueType) {
      case 'DOUBLE':
        return pick([Math.round(fraction() * 20_000) / 100, below(5), 0 - below(1_000) / 8, fraction() * 1e6])
      case 'LONG':
        return pick([
          below(5),
          below(1_000_000) - 500_000,
          2n ** 62n - BigInt(below(100)),
          -(2n ** 60n) - BigInt(below(9)),
        ])
      case 'BOOLEAN':
        return below(2) === 1
      case 'STRING':
      case 'FILE':
        return pick(['', 'on', 'off', 'größer', "it's", `${below(1_000)}`])
    }
  }

  const samplesFor = (stream: OracleStream, zone: string): readonly OracleSample[] => {
    const count = size(1_000)
    const known = samplesOf(stream)
    const give = (timeMs: number): OracleSample => ({ timeMs: Math.round(timeMs), value: valueFor(stream) })
    const startMs = moment(zone)
    // The end of an interval has to lie in the calendar, too.
    if (Math.abs(startMs) > 1e13) return [give(stream.kind === 'interval' ? Math.min(startMs, 2.5e14) : startMs)]
    switch (below(6)) {
      case 0: {
        // Goes on where the stream ends, or from a day ago.
        const last = known.at(-1)?.timeMs ?? nowMs - dayMs
        const fromMs = last < nowMs - 30 * dayMs || last > nowMs ? nowMs - dayMs : last
        const stepMs = pick([1_000, minuteMs, 5 * minuteMs, hourMs])
        return Array.from({ length: count }, (_, at) => give(fromMs + (at + 1) * stepMs))
      }
      case 1:
      case 2: {
        const stepMs = pick([1, 777, 10_000, minuteMs, 15 * minuteMs, hourMs, 7 * hourMs, dayMs])
        const reach = Math.ceil((20 * dayMs) / stepMs)
        return Array.from({ length: Math.min(count, reach) }, (_, at) => give(startMs + at * stepMs))
      }
      case 3: {
        const reachMs = pick([minuteMs, hourMs, dayMs, 2 * dayMs, below(10) === 0 ? 30 * dayMs : hourMs])
        return Array.from({ length: count }, () => give(startMs - fraction() * reachMs))
      }
      case 4:
        if (known.length > 0) return Array.from({ length: Math.min(count, 50) }, () => give(pick(known).timeMs))
        return [give(startMs)]
      default:
        return Array.from({ length: Math.min(count, 40) }, () => give(startMs + below(4) * minuteMs))
    }
  }

  /** The last change, at which half of the reads look. */
  let changed: { readonly component: GameComponent; readonly stream: OracleStream; readonly timeMs: number } | undefined

  const write = async (component: GameComponent, streams: readonly OracleStream[], mayBeScript: boolean) => {
    const uploadMs = nowMs
    const chosen = new Map<OracleStream, readonly OracleSample[]>()
    for (let left = 1 + below(2); left > 0; left -= 1) {
      const stream = pick(streams)
      chosen.set(stream, samplesFor(stream, component.zone))
    }
    const fillsGaps = below(2) === 0 && [...chosen].every(([stream, samples]) => canFill(stream, samples))
    const { caller } = component.organization
    const batch = batchOf(component, chosen, uploadMs, fillsGaps)
    // A script, which may delete before it stores and after, has a transaction of its own.
    const isScript = mayBeScript && below(6) === 0
    const [before, after] = isScript ? [someKnown(component), someKnown(component)] : [[], []]
    const upload = isScript
      ? ingestion.ingestAll(caller, [
          { kind: 'delete', series: before.map(timesIn(component)) },
          { kind: 'batch', batch },
          { kind: 'delete', series: after.map(timesIn(component)) },
        ])
      : ingestion.ingest(caller, batch)
    if (isTooOld(component, chosen, uploadMs, fillsGaps)) {
      await assert.rejects(upload, (error) => error instanceof Fault && error.status === 400)
      return () => void (counts.refused += 1)
    }
    await upload
    return () => {
      for (const { stream, timeMs } of before) removeAt(stream, [timeMs])
      for (const [stream, samples] of chosen) {
        store(stream, samples, fillsGaps, uploadMs)
        counts.samples += samples.length
        changed = { component, stream, timeMs: pick(samples).timeMs }
      }
      for (const { stream, timeMs } of after) {
        removeAt(stream, [timeMs])
        changed = { component, stream, timeMs }
      }
      counts[isScript ? 'scripts' : 'uploads'] += 1
    }
  }

  const writeOne = async () => {
    const component = pick(components)
    const done = await write(component, component.streams, true)
    done()
  }

  /** Calls at the same time are stored in some order: so none of them touches what another does. */
  const writeTogether = async () => {
    const component = pick(components)
    const other = pick(components)
    const half = 1 + below(component.streams.length - 1)
    const writes =
      other === component
        ? [write(component, component.streams.slice(0, half), false), write(other, other.streams.slice(half), false)]
        : [write(component, component.streams, true), write(other, other.streams, true)]
    for (const done of await Promise.all(writes)) done()
  }

  const isTooOld = (
    { organization: { retentionDays } }: GameComponent,
    chosen: ReadonlyMap<OracleStream, readonly OracleSample[]>,
    uploadMs: number,
    fillsGaps: boolean,
  ): boolean => {
    const oldestMs = retentionDays === undefined ? -Infinity : uploadMs - retentionDays * dayMs
    return [...chosen].some(
      ([stream, samples]) =>
        stream.kind !== 'point' &&
        (samples.some(({ timeMs }) => timeMs - (stream.kind === 'interval' ? 1 : 0) < oldestMs) ||
          timesStored(stream, samples, fillsGaps).some((timeMs) => isArchived(stream, timeMs))),
    )
  }

  /** Intervals by their ends, and those between the first and the last where gaps are filled. */
  const timesStored = (
    stream: OracleStream,
    samples: readonly OracleSample[],
    fillsGaps: boolean,
  ): readonly number[] => {
    const times = samples.map(({ timeMs }) => timeMs)
    if (stream.kind !== 'interval') return times
    const ends = times.map((ms) => stream.calendar!.endAtOrAfter(ms))
    if (!fillsGaps) return ends
    const [first, last] = [Math.min(...ends), Math.max(...ends)]
    return stream.calendar!.edgesBetween(first, last, 1_000_000)
  }

  const someKnown = ({ streams }: GameComponent) => {
    const stream = pick(streams)
    const samples = samplesOf(stream)
    const count = samples.length === 0 ? 0 : below(20)
    return Array.from({ length: count }, () => ({ stream, timeMs: pick(samples).timeMs }))
  }

  const erase = async (stream: OracleStream, startMs: number, endMs: number) => {
    const { deleted } = await transaction(pool, async (sql) => {
      const { claimedUntilMs } = await openGate(sql, 0)
      return deleteSamples(sql, stream, { startMs, endMs }, claimedUntilMs)
    })
    const expected = remove(stream, startMs, endMs)
    assert.equal(deleted, expected, 'deleted samples')
    const component = components.find(({ streams }) => streams.includes(stream))!
    changed = { component, stream, timeMs: pick([startMs, endMs]) }
    counts.deletes += 1
  }

  /** Samples of the organization that keeps them for some days only. */
  const archive = async () => {
    const pieces = newRetentionPace(pick([1, 3, 10, 1_000_000]))
    while (await archiveSome(pool, nowMs, undefined, undefined, pieces));
    if (keeper.retentionDays === undefined) return
    const untilMs = Math.floor(nowMs / dayMs) * dayMs - (keeper.retentionDays + 1) * dayMs
    for (const { organization, streams } of components)
      if (organization === keeper) for (const stream of streams) archiveUntil(stream, untilMs)
    counts.archived += 1
  }

  /** As if all that is marked had been touched by one upload of many streams (core/sample/stale.ts). */
  const markTogether = () =>
    transaction(pool, async (sql) => {
      await mendDaysToo(sql)
      await sql`
        with taken as (
          delete from stale_mark returning stream_key, date_bin('1 hour', first_time, '0001-01-01 00:00+00') as first,
            date_bin('1 hour', last_time, '0001-01-01 00:00+00') as last
        )
        insert into stale_group (stream_keys, from_time, until_time)
        select array_agg(distinct stream_key), first, last + interval '1 hour' from taken group by first, last`
      counts.together += 1
    })

  /** A cycle in some zone, which all streams of its organization then have tiles for; or none any more. */
  const changeCycle = async () => {
    const { organizationKey } = pick(components).organization.caller
    const gone =
      await pool`delete from cycle where organization_key = ${organizationKey} and id = 'elsewhere' returning key`
    if (gone.length === 0)
      await pool`
        insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
        values (${organizationKey}, 'elsewhere', 'elsewhere', 1, 'day', '2001-01-01T00:00:00', ${pick(zones)})`
    if (below(2) === 0) await pool`update tile_member set spare_since = spare_since - interval '1 day'`
    counts.cycles += 1
  }

  const changeRetention = async () => {
    const days = pick([20, 45, 90, 400, undefined])
    await transaction(pool, async (sql) => {
      const organization = (await lockOrganization(sql, keeper.caller.organizationKey))!
      await updateOrganization(sql, organization, { ...organization, retentionDays: days ?? null })
    })
    keeper.retentionDays = days
  }

  const read = async () => {
    const seen = below(2) === 0 ? changed : undefined
    const component = seen?.component ?? pick(components)
    const streams = below(5) === 0 ? component.streams : [seen?.stream ?? pick(component.streams)]
    const cycle = pick(cycles)
    const zone = below(4) === 0 ? pick(zones) : component.zone
    const calendar = openCalendar(cycle, zone)
    const near = seen?.timeMs ?? pick([moment(zone), samplesOf(streams[0]!).at(-below(20))?.timeMs ?? nowMs])
    const endMs = below(2) === 0 ? undefined : calendar.endOf(near) + pick([0, 1, -1, below(dayMs), 40 * dayMs])
    const startMs =
      endMs === undefined || below(3) === 0
        ? undefined
        : Math.min(endMs, pick([calendar.startOf(near), near - below(40 * dayMs), near - below(4_000 * dayMs)]))
    const window = { startMs, endMs }
    const limit = size(1_000)
    const mostPerStream = below(6) === 0 ? 1 : limit
    const describeRead = (what: string) => () =>
      `SEED=${seed} operation ${operation}: ${what} of ${JSON.stringify(cycle)} in ${zone}, ` +
      `streams ${streams.map(({ key, kind, valueType }) => `${key} ${kind} ${valueType}`).join('; ')}, ` +
      `window ${startMs}..${endMs}, limit ${limit}, per stream ${mostPerStream}, now ${nowMs}`
    for (const statistic of below(8) === 0 ? statistics : [pick(statistics)]) {
      let found: readonly StatisticSample[]
      try {
        found = await readStatistic(pool, streams, calendar, statistic, window, limit, mostPerStream)
      } catch (error) {
        throw new Error(describeRead(statistic)(), { cause: error })
      }
      const expected = expectStatistic(streams, calendar, statistic, window, limit, mostPerStream)
      compare(found, expected, describeRead(statistic))
      counts.reads += 1
      counts.intervals += found.length
    }
    if (below(3) > 0) return
    const samples = await readSamples(pool, streams, window, limit, mostPerStream)
    const typeOf = (key: number) => streams.find((stream) => stream.key === key)!.valueType
    assert.deepEqual(
      samples.map((sample) => [sample.streamKey, sample.timeMs, sampleValue(typeOf(sample.streamKey), sample)]),
      expectSamples(streams, window, limit, mostPerStream),
      describeRead('samples')(),
    )
    counts.feeds += 1
  }

  try {
    for (operation = 1; operation <= operations; operation += 1) {
      const what = below(100)
      if (what < 35) await writeOne()
      else if (what < 40) await writeTogether()
      else if (what < 44) {
        const stream = pick(pick(components).streams)
        const samples = samplesOf(stream)
        const fromMs = samples.length > 0 ? pick(samples).timeMs : nowMs
        // Streams stay small enough for brute force.
        if (samples.length > 20_000) await erase(stream, samples[0]!.timeMs, samples[10_000]!.timeMs)
        else await erase(stream, fromMs, fromMs + pick([1, minuteMs, below(dayMs), below(90 * dayMs)]))
      } else if (what < 47) nowMs += Math.floor(pace * below(below(4) === 0 ? 5 * dayMs : 4 * hourMs))
      else if (what === 47) {
        await care
        // Whole chunks, while others write and read.
        care = below(3) === 0 ? dropEmptied(pool, nowMs) : openCompression()(pool, nowMs, 0)
        if (below(2) === 0) await care
      } else if (what === 48) await (below(5) === 0 ? changeRetention() : archive())
      else if (what < 53) {
        await pass
        const budgetMs = pick([1, 5, 50, 400])
        if (below(3) === 0) await markTogether()
        pass = rollUp(pool, nowMs, budgetMs).catch(unlessInTheWay)
        counts.passes += 1
        // Half of them run beside what follows.
        if (below(2) === 0) await pass
      } else if (what === 53) {
        await pass
        await markTogether()
      } else if (what === 54) await changeCycle()
      else await read()
      if (operation % 1_000 === 0) onProgress?.(operation, counts)
    }
    await Promise.all([pass, care])
    const endAt = performance.now() + lastPassesMs
    while (performance.now() < endAt && (await rollUp(pool, nowMs)));
    for (let last = 0; last < Math.min(500, operations / 20); last += 1, operation += 1) await read()
  } catch (error) {
    throw new Error(`SEED=${seed} operation ${operation}`, { cause: error })
  } finally {
    await Promise.allSettled([pass, care])
    await ingestion.close()
  }
}

/** A pass leaves a relation for later where readers are in its way for long, and the jobs try again. */
const unlessInTheWay = (error: unknown): void => {
  if (sqlCode(error) !== '55P03') throw error
}

/** Components in half of the zones, and one of an organization that does not keep its samples; streams of every kind. */
const settle = async (
  pool: Pool,
  pick: <T>(list: readonly T[]) => T,
  below: (most: number) => number,
): Promise<readonly GameComponent[]> => {
  const hoarder = await addOrganization(pool, 'hoarder', undefined)
  const keeper = await addOrganization(pool, 'keeper', 45)
  const first = below(zones.length)
  const places = [0, 1, 2, 4].map((step) => [hoarder, zones[(first + step) % zones.length]!] as const)
  const components: GameComponent[] = []
  for (const [organization, zone] of [...places, [keeper, pick(zones)] as const]) {
    const kinds = new Set([
      ...streamKinds.slice(0, 2 + below(3)),
      pick(streamKinds),
      pick(streamKinds),
      pick(streamKinds),
    ])
    components.push(await addComponent(pool, organization, zone, [...kinds]))
  }
  return components
}

const addOrganization = async (
  pool: Pool,
  name: string,
  retentionDays: number | undefined,
): Promise<GameOrganization> => {
  const [{ key, uid }] = await pool<[{ key: number; uid: string }]>`
    insert into organization (name, retention_days) values (${name}, ${retentionDays ?? null}) returning key, uid`
  await insertStockCycles(pool, key)
  return { caller: callerOf({ key, uid }), retentionDays }
}

const addComponent = async (
  pool: Pool,
  organization: GameOrganization,
  zone: string,
  kinds: readonly StreamKindOf[],
): Promise<GameComponent> => {
  const { organizationKey } = organization.caller
  const id = `in ${zone}`
  const [folder] = await pool<[{ key: number }]>`
    insert into folder (organization_key, path) values (${organizationKey}, ${`/Components/${zone}`}) returning key`
  const [component] = await pool<[{ key: number }]>`
    insert into component (organization_key, id, name, folder_key, time_zone)
    values (${organizationKey}, ${id}, ${id}, ${folder.key}, ${zone})
    returning key`
  for (const [at, { kind, valueType, base }] of kinds.entries())
    await pool`
      insert into stream (component_key, id, name, kind, value_type, base_cycle_key, position)
      values (${component.key}, ${`s${at + 1}`}, 's', ${kind}, ${valueType},
        (select key from cycle where organization_key = ${organizationKey} and id = ${base}), ${at + 1})`
  const found = (await readComponents(pool, organizationKey, [id])).get(id)!
  const streams = found.streams.map(({ key, kind, valueType, calendar }): OracleStream => ({
    key,
    kind,
    valueType,
    calendar,
    values: new Map(),
    sorted: undefined,
    archived: [],
  }))
  return { id, zone, streams, organization }
}

const timesIn =
  ({ id, streams }: GameComponent) =>
  ({ stream, timeMs }: { readonly stream: OracleStream; readonly timeMs: number }): SampleTimes => ({
    cid: id,
    id: idOf(streams, stream),
    timesMs: [timeMs],
  })

const idOf = (streams: readonly OracleStream[], stream: OracleStream) => `s${streams.indexOf(stream) + 1}`

const batchOf = (
  { id, streams }: GameComponent,
  chosen: ReadonlyMap<OracleStream, readonly OracleSample[]>,
  uploadMs: number,
  fillsGaps: boolean,
): SampleBatch => {
  const samples: SampleBatch['samples'] = { components: [], streamRefs: [], values: [], timesMs: [] }
  for (const [stream, given] of chosen)
    for (const { timeMs, value } of given) {
      samples.components.push(0)
      samples.streamRefs.push(idOf(streams, stream))
      samples.values.push(value)
      samples.timesMs.push(timeMs)
    }
  return {
    form: 'json',
    uploadMs,
    components: [{ ref: id, name: undefined, templateId: undefined }],
    samples,
    wantedStreamIds: [],
    creation: { folderPath: '/Components', streamTemplate: undefined },
    fillsGaps,
    derivation: noDerivation,
  }
}

const canFill = ({ calendar }: OracleStream, samples: readonly OracleSample[]): boolean => {
  const times = samples.map(({ timeMs }) => timeMs)
  return calendar === undefined || calendar.countEdges(Math.min(...times), Math.max(...times)) < 2_000
}

/** The moments around now at which a zone's clocks change, Apia's skipped day included; somewhere, if there are none. */
const clockChanges = (zone: string): readonly number[] => {
  const changes = [Date.parse('2011-12-30T10:00:00Z'), Date.parse('2024-03-31T01:00:00Z')]
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from('2023-01-01T00:00:00Z').toZonedDateTimeISO(zone)
  while ((at = at.getTimeZoneTransition('next')) && at.year < 2028) changes.push(at.epochMilliseconds)
  return changes
}

const compare = (found: readonly StatisticSample[], expected: readonly Expected[], describeRead: () => string) => {
  const at = expected.findIndex((each, index) => found[index] === undefined || !isEqual(found[index], each))
  if (at < 0 && found.length === expected.length) return
  const where = at < 0 ? expected.length : at
  assert.fail(
    `${describeRead()}\n${found.length} intervals, expected ${expected.length}; the first difference is number ${where}:\n` +
      `found    ${show(found[where])}\nexpected ${show(expected[where])}`,
  )
}

const show = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))

const isEqual = (found: StatisticSample, expected: Expected) =>
  found.streamKey === expected.streamKey &&
  found.startMs === expected.startMs &&
  found.timeMs === expected.timeMs &&
  isSame(found.value, expected.value, expected.scale)

/** A test of a game with a seed of its own. */
export const itEqualsTheOracle = (operations: number): void => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  it("equal the oracle's after uploads, deletes, scripts and passes in any order", async () => {
    await play(database.sql, database.url, {
      seed: chooseSeed(),
      operations: Number(process.env['OPERATIONS'] ?? operations),
    })
  }).timeout(600_000)
}
