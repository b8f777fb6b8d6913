// How fast samples come in and go out: this server with everything on, beside InfluxDB and VictoriaMetrics under the
// same load, and beside what its database does without it. README.md has the findings.
import { cpus, totalmem } from 'node:os'
import { countSamples, createFleet, createHouses, say, waitForAggregates } from './feed/data.ts'
import type { Fleet, Loads } from './feed/loads.ts'
import { batchLoads, singleLoads, startMs } from './feed/loads.ts'
import type { BenchDatabase } from './harness/database.ts'
import { openBenchDatabase, query } from './harness/database.ts'
import type { Driven, Load } from './harness/load.ts'
import { drive } from './harness/load.ts'
import { createRawTable, driveRawQuery, driveRawWrite } from './harness/raw.ts'
import type { RawWay } from './harness/raw.ts'
import type { Subject } from './harness/subjects.ts'
import { benchApiKey, startCoppice, startInflux, startVictoria } from './harness/subjects.ts'
import type { Cell } from './harness/table.ts'
import { median, printTable } from './harness/table.ts'
import type { BenchOptions } from './main.ts'

type Bench = { readonly database: BenchDatabase; readonly coppice: Subject; readonly others: readonly Subject[] }

type Case = {
  readonly title: string
  /** The unit of the count: requests, or the samples in them. */
  readonly samplesPerRequest: number
  readonly connections: number
  readonly loads: Partial<Loads>
  /** The same by the database alone. */
  readonly bare?: (bench: Bench, seconds: number, from: number) => Promise<Driven>
  readonly prepare: (bench: Bench) => Promise<void>
  readonly goal: string
  /** Whether it is compared with arrays that are appended. */
  readonly isOfAppends?: boolean
  /** Whether samples are added: then all acknowledged ones must be found. */
  readonly appends: boolean
  /** Under overload some are refused, as they should be, and answers take seconds: it is driven three times as long. */
  readonly isOverload?: boolean
}

/** Does it when it is first asked for. */
const once = (work: (bench: Bench) => Promise<void>) => {
  let done: Promise<void> | undefined
  return (bench: Bench) => (done ??= work(bench))
}

const devices: Fleet = { name: 'device', components: 1000, streams: 1 }
const plant: Fleet = { name: 'plant', components: 10, streams: 100 }
const city: Fleet = { name: 'city', components: 1000, streams: 100 }
const fleetOf = (fleet: Fleet) => once(({ coppice }) => createFleet(coppice.url, fleet))
const withDevices = fleetOf(devices)
const withPlant = fleetOf(plant)
const withCity = fleetOf(city)
const withHouses = once(({ database }) => createHouses(database.url))
const withSettledHouses = once(async (bench) => {
  await withHouses(bench)
  await waitForAggregates(bench.coppice.url)
})

// Each case has hours of its own, of which it fills minutes.
const rising = (hours: number) => ({ fromMs: startMs + hours * 3_600_000, stepMs: 200 })

/** Two connections, as many as the server writes by, each with transactions of the same size as a request's. */
const bareWrite =
  (way: RawWay, streams: number, slices: number, blocks: number, times: Load['times']) =>
  ({ database }: Bench, seconds: number, from: number) =>
    driveRawWrite(database.url, { way, streams, slices, blocks, times }, { connections: 2, seconds, from })

const single = (connections: number): Case => ({
  title: `single: one sample per PUT, ${connections} connections`,
  samplesPerRequest: 1,
  connections,
  loads: singleLoads('device', devices.components),
  prepare: withDevices,
  goal: '>= 1.3 of InfluxDB on arm, 2.0 on x86',
  appends: true,
})

const arrayTitle = (blocks: number) => `arrays of ${blocks},000 samples over 1,000 streams, 4 connections`
const appendsTitle = arrayTitle(1)

const array = (blocks: number, hours: number): Case => {
  const times = rising(hours)
  return {
    title: arrayTitle(blocks),
    samplesPerRequest: blocks * 1000,
    connections: 4,
    loads: batchLoads(plant, 1000, blocks, times),
    bare: bareWrite('copy', 1000, 1, blocks, times),
    prepare: withPlant,
    goal: '>= 0.95 of COPY',
    appends: true,
  }
}

const overwritten = { ...rising(4), cycle: 50 }
const late = { fromMs: startMs - 48 * 3_600_000, stepMs: -200 }
const many = rising(6)

const cases: readonly Case[] = [
  single(64),
  single(256),
  array(1, 0),
  array(5, 2),
  {
    title: 'overwriting: arrays of 1,000 samples that are stored, 4 connections',
    samplesPerRequest: 1000,
    connections: 4,
    loads: batchLoads(plant, 1000, 1, overwritten),
    bare: bareWrite('upsert', 1000, 1, 1, overwritten),
    prepare: withPlant,
    goal: '>= 0.6 of InfluxDB',
    appends: false,
  },
  {
    title: 'late: arrays of 1,000 samples, each older than the last, 4 connections',
    samplesPerRequest: 1000,
    connections: 4,
    loads: batchLoads(plant, 1000, 1, late),
    bare: bareWrite('upsert', 1000, 1, 1, late),
    prepare: withPlant,
    goal: '>= 0.8 of appends',
    isOfAppends: true,
    appends: true,
  },
  {
    title: 'many: arrays of 1,000 samples over 100,000 streams, 4 connections',
    samplesPerRequest: 1000,
    connections: 4,
    loads: batchLoads(city, 1000, 1, many),
    bare: bareWrite('copy', 1000, 100, 1, many),
    prepare: withCity,
    goal: '>= 0.5 of COPY',
    appends: true,
  },
  {
    title: 'overload: arrays of 5,000 samples, 256 connections',
    samplesPerRequest: 5000,
    connections: 256,
    loads: { Coppice: batchLoads(plant, 1000, 5, rising(8)).Coppice },
    prepare: withPlant,
    goal: 'under 400 MB',
    appends: true,
    isOverload: true,
  },
  {
    title: 'overload: arrays of 100,000 samples, 64 connections',
    samplesPerRequest: 100_000,
    connections: 64,
    loads: { Coppice: batchLoads(plant, 1000, 100, rising(12)).Coppice },
    prepare: withPlant,
    goal: 'under 400 MB',
    appends: true,
    isOverload: true,
  },
  {
    title: 'single among 100,000 components, 64 connections',
    samplesPerRequest: 1,
    connections: 64,
    loads: singleLoads('house', 100_000),
    prepare: withHouses,
    goal: '>= 1.0 of InfluxDB',
    appends: true,
  },
  {
    title: 'last_value of one among 100,000 components with a year of data, 4 connections',
    samplesPerRequest: 1,
    connections: 4,
    loads: {
      Coppice: {
        method: 'GET',
        path: `/api/comp/house$DEVICE/last_value?api_key=${benchApiKey}`,
        devices: 100_000,
        times: { fromMs: 0, stepMs: 0 },
      },
    },
    bare: async ({ database }, seconds) => {
      const [row] = await query<{ first: number }>(
        database.url,
        `select min(stream.key) as first from stream join component on component.key = component_key
         where component.id like 'house%'`,
      )
      const text = 'select time, num, long, text, span from sample where stream_key = $1 order by time desc limit 1'
      return driveRawQuery(database.url, text, (n) => [row!.first + ((n * 7919) % 100_000)], 4, seconds)
    },
    prepare: withSettledHouses,
    goal: '>= 0.9 of the bare SQL',
    appends: false,
  },
]

type Measured = Pick<Case, 'title' | 'goal' | 'isOfAppends'> & { readonly rows: readonly Row[] }
type Row = {
  readonly name: string
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
  readonly peakMegabytes: number | undefined
}

export const run = async ({ words, seconds, rounds }: BenchOptions): Promise<void> => {
  const chosen = cases.filter(({ title }) => words.every((word) => title.includes(word)))
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  const others = [await startInflux(), await startVictoria()].filter((each) => each !== undefined)
  await createRawTable(database.url)
  const processor = cpus()
  say(
    `${processor.length} cores ${processor[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}`,
  )
  say(
    `${database.description}; ${rounds} rounds of ${seconds} s each, medians; ratios are this server's part of the other`,
  )
  const measured: Measured[] = []
  for (const each of chosen) {
    const result = await measure(each, { database, coppice, others }, seconds, rounds)
    measured.push(result)
    printCase(result)
  }
  printSummary(measured)
}

const measure = async (
  { title, goal, isOfAppends = false, samplesPerRequest, connections, loads, bare, prepare, appends, isOverload }: Case,
  bench: Bench,
  givenSeconds: number,
  rounds: number,
): Promise<Measured> => {
  const seconds = isOverload ? 3 * givenSeconds : givenSeconds
  await prepare(bench)
  const subjects = [bench.coppice, ...bench.others].filter(({ name }) => name in loads)
  const driven = new Map<string, Driven[]>()
  const note = (name: string, one: Driven) => void driven.set(name, [...(driven.get(name) ?? []), one])
  const next = (name: string) => driven.get(name)?.at(-1)?.next ?? 0
  for (const { program } of subjects) await program.forgetPeak()
  const before = appends ? await countSamples(bench.database.url) : 0
  // The first round only warms up: programs that compile while they run show their speed after a while.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, url } of subjects)
      note(name, await drive(url, loads[name as keyof Loads]!, { connections, seconds, from: next(name) }))
    if (bare) note('bare SQL', await bare(bench, seconds, next('bare SQL')))
  }
  if (appends) await checkStored(bench, before, driven.get('Coppice')!, samplesPerRequest)
  const rows = [...driven].map(async ([name, [, ...counted]]): Promise<Row> => ({
    name,
    perSecond: median(counted.map((one) => ((one.requests - one.failures) * samplesPerRequest) / one.seconds)),
    p50Ms: median(counted.map((one) => one.p50Ms)),
    p99Ms: median(counted.map((one) => one.p99Ms)),
    failures: counted.reduce((sum, one) => sum + one.failures, 0),
    peakMegabytes: await subjects.find((subject) => subject.name === name)?.program.peakMegabytes(),
  }))
  const result = { title, goal, isOfAppends, rows: await Promise.all(rows) }
  if (!isOverload && result.rows.some(({ failures }) => failures > 0)) say(`${title}: some requests failed`)
  return result
}

/** An acknowledged sample that is not stored would be worth more than all the rest of this. */
const checkStored = async ({ database }: Bench, before: number, driven: readonly Driven[], samples: number) => {
  const acknowledged = driven.reduce((sum, one) => sum + one.requests - one.failures, 0) * samples
  const stored = (await countSamples(database.url)) - before
  if (stored < acknowledged) throw new Error(`${acknowledged} samples were acknowledged, but ${stored} are stored`)
}

const ratioTo = (rows: readonly Row[], name: string): number | undefined => {
  const other = rows.find((row) => row.name === name)
  return other && rows[0]!.perSecond / other.perSecond
}

const printCase = ({ title, rows }: Measured): void =>
  printTable(
    title,
    ['', 'per second', 'ratio', 'p50 ms', 'p99 ms', 'refused', 'peak MB'],
    rows.map(({ name, perSecond, p50Ms, p99Ms, failures, peakMegabytes }): Cell[] => [
      name,
      perSecond,
      ratioTo(rows, name),
      p50Ms,
      p99Ms,
      String(failures),
      peakMegabytes === undefined ? undefined : String(peakMegabytes),
    ]),
    'detail',
  )

const printSummary = (measured: readonly Measured[]): void => {
  const appended = measured.find(({ title }) => title === appendsTitle)?.rows[0]?.perSecond ?? Number.NaN
  printTable(
    'feed: uploads and last values',
    [
      '',
      'per second',
      'p50 ms',
      'p99 ms',
      'peak MB',
      'of InfluxDB',
      'of VictoriaMetrics',
      'of bare SQL',
      'of appends',
      'goal',
    ],
    measured.map(({ title, goal, isOfAppends, rows }): Cell[] => {
      const { perSecond, p50Ms, p99Ms, peakMegabytes } = rows[0]!
      return [
        title,
        perSecond,
        p50Ms,
        p99Ms,
        peakMegabytes === undefined ? undefined : String(peakMegabytes),
        ratioTo(rows, 'InfluxDB'),
        ratioTo(rows, 'VictoriaMetrics'),
        ratioTo(rows, 'bare SQL'),
        isOfAppends ? perSecond / appended : undefined,
        goal,
      ]
    }),
  )
}
