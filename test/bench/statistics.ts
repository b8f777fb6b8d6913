// How fast cycle statistics are read: this server by HTTP, beside the same numbers from its samples by SQL and from
// InfluxDB, in several zones; how long years are mended, and what that costs readers and uploads. README.md has the findings.
import { cpus } from 'node:os'
import { Client } from 'pg'
import { createFleet, say } from './feed/data.ts'
import type { Fleet } from './feed/loads.ts'
import { batchLoads } from './feed/loads.ts'
import { openBenchDatabase, query } from './harness/database.ts'
import type { BenchDatabase } from './harness/database.ts'
import { drive } from './harness/load.ts'
import type { Subject } from './harness/subjects.ts'
import { startCoppice, startInflux } from './harness/subjects.ts'
import type { Cell } from './harness/table.ts'
import { median, printTable } from './harness/table.ts'
import { ask, timeOf } from './harness/time.ts'
import type { BenchOptions } from './main.ts'
import type { Case } from './statistics/cases.ts'
import { besidePath, casesFor, zones } from './statistics/cases.ts'
import type { Plant } from './statistics/data.ts'
import { createPlant, loadPlant, markAll, staleDays, waitForTiles } from './statistics/data.ts'

/** How many of the streams have three years of minutes: 1.6 million samples each. */
const longStreams = Number(process.env['BENCH_LONG_STREAMS'] ?? 4)

export const run = async ({ words, seconds, rounds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  const influx = await startInflux()
  say(`${cpus().length} cores ${cpus()[0]?.model ?? ''}; Node ${process.version}; ${database.description}`)
  const plant = await createPlant(database.url, zones)
  await loadPlant(database.url, influx, plant, longStreams)
  await waitForTiles(coppice.url)
  const cases = casesFor(plant).filter(({ title }) => words.every((word) => title.includes(word)))
  // Programs that compile while they run show their speed after a while.
  for (let round = 0; round < 20; round += 1) for (const { path } of cases) await ask(`${coppice.url}${path}`)
  const measured: Measured[] = []
  for (const each of cases) {
    measured.push(await measure(each, database, coppice, influx, seconds, rounds))
    const { title, ownMs, sqlMs, influxMs } = measured.at(-1)!
    say(`${title}: ${ownMs.toFixed(2)} ms, by SQL ${sqlMs.toFixed(1)} ms, InfluxDB ${influxMs?.toFixed(1) ?? '-'} ms`)
  }
  printMeasured(measured)
  if (words.length === 0 || words.includes('mending')) await measureMending(database, coppice, plant, cases[0]!)
  if (words.length === 0 || words.includes('uploads')) await measureUploads(database, coppice, plant, seconds, rounds)
}

type Measured = {
  readonly title: string
  readonly intervals: number
  readonly ownMs: number
  readonly sqlMs: number
  readonly influxMs: number | undefined
}

type Shown = { readonly streamId: string; readonly sdTime: number; readonly time: number; readonly data: number }

const measure = async (
  { path, sql, influx: influxQuery, title }: Case,
  database: BenchDatabase,
  coppice: Subject,
  influx: Subject | undefined,
  seconds: number,
  rounds: number,
): Promise<Measured> => {
  const reply = await fetch(`${coppice.url}${path}`)
  const shown = (await reply.json()) as readonly Shown[]
  const fromMs = Math.min(...shown.map(({ sdTime }) => sdTime))
  const untilMs = Math.max(...shown.map(({ time }) => time))
  const { text, values } = sql(fromMs, untilMs)
  compare(title, shown, await query<{ start: Date; value: number }>(database.url, text, [...values]))
  const influxPath =
    influxQuery &&
    `/query?db=bench&epoch=ms&q=${encodeURIComponent(influxQuery(fromMs, untilMs)).replaceAll("'", '%27')}`
  if (influx && influxPath) await checkInflux(influx.url, influxPath)
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('set plan_cache_mode = force_custom_plan')
  const times = { own: [] as number[], sql: [] as number[], influx: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.own.push(await timeOf(seconds, () => ask(`${coppice.url}${path}`)))
    times.sql.push(await timeOf(seconds, () => client.query({ name: title.slice(0, 60), text, values: [...values] })))
    if (influx && influxPath) times.influx.push(await timeOf(seconds, () => ask(`${influx.url}${influxPath}`)))
  }
  await client.end()
  return {
    title,
    intervals: shown.length,
    ownMs: median(times.own),
    sqlMs: median(times.sql),
    influxMs: times.influx.length > 0 ? median(times.influx) : undefined,
  }
}

/** A fast and wrong answer is worth nothing. */
const compare = (title: string, shown: readonly Shown[], expected: readonly { start: Date; value: number }[]) => {
  const isEqual = (at: number) => {
    const [one, other] = [shown[at]!, expected[at]!]
    return one.sdTime === other.start.getTime() && Math.abs(one.data - other.value) <= 1e-9 * Math.abs(other.value)
  }
  const differing = shown.findIndex((_, at) => expected[at] === undefined || !isEqual(at))
  if (shown.length === expected.length && differing < 0) return
  throw new Error(
    `${title}: ${shown.length} intervals, by SQL ${expected.length}; ` +
      `${JSON.stringify(shown[differing])} and ${JSON.stringify(expected[differing])}`,
  )
}

const checkInflux = async (url: string, path: string) => {
  const reply = (await (await fetch(`${url}${path}`)).json()) as { results: [{ error?: string; series?: unknown[] }] }
  if (reply.results[0].error !== undefined || reply.results[0].series === undefined)
    throw new Error(`InfluxDB: ${reply.results[0].error ?? 'nothing found'}`)
}

const printMeasured = (measured: readonly Measured[]): void =>
  printTable(
    'statistics: median time of a reply, one connection',
    ['', 'intervals', 'ms', 'samples by SQL ms', 'times faster', 'InfluxDB ms', 'times faster', 'goal'],
    measured.map(({ title, intervals, ownMs, sqlMs, influxMs }): Cell[] => [
      title,
      intervals,
      ownMs,
      sqlMs,
      sqlMs / ownMs,
      influxMs,
      influxMs && influxMs / ownMs,
      influxMs === undefined ? '>= 20' : '>= 20, > 1',
    ]),
  )

/**
 * All years of the long streams are mended, while they are read, and another stream beside them. Of the former, statistics are
 * read from samples until their tiles are true.
 */
const measureMending = async (database: BenchDatabase, coppice: Subject, plant: Plant, { title, path }: Case) => {
  const reading = (what: string, asked: string) => ({
    title: what,
    path: asked,
    restMs: 0,
    tookMs: [] as number[],
    slowUntilMs: 0,
  })
  const read = [
    reading(`${title}, which is mended`, path),
    reading('50 days of a stream beside it, UTC', besidePath(plant)),
  ]
  for (const each of read) each.restMs = await timeOf(2, () => ask(`${coppice.url}${each.path}`))
  await markAll(database.url, plant.streamKeys.slice(0, longStreams))
  const days = await staleDays(database.url)
  const startedMs = performance.now()
  const seconds = await waitForTiles(coppice.url, async () => {
    for (const each of read) {
      const beganMs = performance.now()
      await ask(`${coppice.url}${each.path}`)
      const endedMs = performance.now()
      each.tookMs.push(endedMs - beganMs)
      if (endedMs - beganMs > 2 * each.restMs) each.slowUntilMs = endedMs - startedMs
    }
  })
  const marked = `${Math.round(days).toLocaleString('en')} days of minutes`
  printTable(
    `mending: ${marked} made anew in ${seconds.toFixed(1)} s, and statistics meanwhile`,
    ['', 'ms at rest', 'ms meanwhile, p50', 'longest ms', 'ratio', 'twice as slow until, s', 'goal'],
    read.map(({ title: what, restMs, tookMs, slowUntilMs }): Cell[] => {
      const p50 = median(tookMs)
      return [what, restMs, p50, Math.max(...tookMs), p50 / restMs, slowUntilMs / 1000, '<= 2']
    }),
  )
}

const fleet: Fleet = { name: 'fleet', components: 10, streams: 100 }

/** Uploads while nothing waits to be aggregated, and while all of it does, in turns. */
const measureUploads = async (
  database: BenchDatabase,
  coppice: Subject,
  plant: Plant,
  seconds: number,
  rounds: number,
) => {
  await createFleet(coppice.url, fleet)
  await waitForTiles(coppice.url)
  const load = batchLoads(fleet, 1_000, 1, { fromMs: Date.now() - 3_600_000, stepMs: 200 }).Coppice
  const rates: Record<'without' | 'with', number[]> = { without: [], with: [] }
  let next = 0
  const upload = async (kind: keyof typeof rates, isCounted: boolean) => {
    const driven = await drive(coppice.url, load, {
      connections: 4,
      // Several steps of aggregation go on beside them.
      seconds: Math.max(10, Math.ceil(seconds)),
      from: next,
    })
    if (driven.failures > 0) throw new Error(`${driven.failures} uploads failed`)
    next = driven.next
    if (isCounted) rates[kind].push((driven.requests * 1_000) / driven.seconds)
  }
  let madeDays = 0
  for (let round = 0; round <= rounds; round += 1) {
    await upload('without', round > 0)
    await markAll(database.url, plant.streamKeys.slice(0, longStreams))
    const before = await staleDays(database.url)
    await upload('with', round > 0)
    const after = await staleDays(database.url)
    if (after === 0 || after === before)
      throw new Error(`${before} days were to be aggregated, then ${after}: this is no figure of both at once`)
    madeDays += before - after
    // The tiles were true before: they need not be made to the end.
    await query(database.url, 'delete from stale_mark')
    await waitForTiles(coppice.url)
  }
  const [without, beside] = [median(rates.without), median(rates.with)]
  printTable(
    `uploads: arrays of 1,000 samples over 1,000 streams, 4 connections; meanwhile ${Math.round(madeDays)} days were aggregated`,
    ['', 'samples per second', 'ratio', 'goal'],
    [
      ['while nothing is aggregated', without, undefined, ''],
      ['while years are aggregated', beside, beside / without, '>= 0.9'],
    ],
  )
}
