// How fast pushed bodies become samples: sinks beside plain uploads of the same samples, in the same rounds, so that
// what else the machine does falls on both. README.md has the findings.
import { cpus, totalmem } from 'node:os'
import { countSamples, createFleet, say } from './feed/data.ts'
import type { Fleet } from './feed/loads.ts'
import { batchLoads, singleLoads, startMs } from './feed/loads.ts'
import { createUplinkDevices, csvLoad, openConnectors, scripts, uplinkBytes, uplinkLoad } from './gsql/connectors.ts'
import { openBenchDatabase } from './harness/database.ts'
import type { Driven, Load } from './harness/load.ts'
import { drive } from './harness/load.ts'
import { startCoppice } from './harness/subjects.ts'
import { median, printTable } from './harness/table.ts'
import type { BenchOptions } from './main.ts'

type Driving = { readonly name: string; readonly load: Load; readonly samples: number }

type Case = {
  readonly title: string
  readonly connections: number
  /** Requests, or samples. */
  readonly counts: 'requests' | 'samples'
  readonly goal: number
  readonly plain: Driving
  readonly sinks: readonly Driving[]
}

const devices: Fleet = { name: 'device', components: 1000, streams: 1 }
const plant: Fleet = { name: 'plant', components: 10, streams: 100 }

const rising = (hours: number) => ({ fromMs: startMs + hours * 3_600_000, stepMs: 200 })

const casesOf = (sinkPath: (endpoint: string) => string): readonly Case[] => [
  {
    title: `uplink: a body of ${uplinkBytes} bytes, three SELECTs joined by UNION ALL, 64 connections`,
    connections: 64,
    counts: 'requests',
    goal: 0.2,
    plain: { name: 'one sample per PUT', load: singleLoads('device', devices.components).Coppice, samples: 1 },
    sinks: [
      { name: 'sink that copies', load: uplinkLoad(sinkPath('uplink-copied'), 1000, rising(0)), samples: 3 },
      { name: 'sink that computes', load: uplinkLoad(sinkPath('uplink-computed'), 1000, rising(100)), samples: 3 },
    ],
  },
  {
    title: 'csv: 10,000 rows over 1,000 streams, 4 connections',
    connections: 4,
    counts: 'samples',
    goal: 0.4,
    plain: { name: 'JSON array PUT', load: batchLoads(plant, 1000, 10, rising(0)).Coppice, samples: 10_000 },
    sinks: [
      {
        name: 'sink that copies',
        load: csvLoad(sinkPath('csv-copied'), plant, 10, '$TIME', rising(2)),
        samples: 10_000,
      },
      {
        name: 'sink that filters',
        load: csvLoad(sinkPath('csv-filtered'), plant, 10, '$TIME', rising(4)),
        samples: 10_000,
      },
      {
        name: 'sink that reads dates',
        load: csvLoad(sinkPath('csv-dated'), plant, 10, '$DATE', rising(6)),
        samples: 10_000,
      },
    ],
  },
]

export const run = async ({ words, seconds, rounds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  const sinkPath = await openConnectors(coppice.url, scripts)
  for (const fleet of [devices, plant]) await createFleet(coppice.url, fleet)
  await createUplinkDevices(coppice.url, devices.components)
  const processor = cpus()
  say(
    `${processor.length} cores ${processor[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}`,
  )
  say(`${database.description}; ${rounds} rounds of ${seconds} s each, medians`)
  for (const each of casesOf(sinkPath).filter(({ title }) => words.every((word) => title.includes(word))))
    await measure(each, { url: coppice.url, databaseUrl: database.url, seconds, rounds })
}

type Setting = {
  readonly url: string
  readonly databaseUrl: string
  readonly seconds: number
  readonly rounds: number
}

const measure = async (
  { title, connections, counts, goal, plain, sinks }: Case,
  { url, databaseUrl, seconds, rounds }: Setting,
): Promise<void> => {
  const all = [plain, ...sinks]
  const driven = new Map<Driving, Driven[]>(all.map((each) => [each, []]))
  const before = await countSamples(databaseUrl)
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const each of all) {
      const from = driven.get(each)!.at(-1)?.next ?? 0
      driven.get(each)!.push(await drive(url, each.load, { connections, seconds, from }))
    }
  const acknowledged = all.flatMap((each) =>
    driven.get(each)!.map((one) => (one.requests - one.failures) * each.samples),
  )
  const promised = acknowledged.reduce((sum, count) => sum + count, 0)
  const stored = (await countSamples(databaseUrl)) - before
  if (stored < promised) throw new Error(`${promised} samples were acknowledged, but ${stored} are stored`)

  const rate = (each: Driving) =>
    median(
      driven
        .get(each)!
        .slice(1)
        .map((one) => ((one.requests - one.failures) * (counts === 'samples' ? each.samples : 1)) / one.seconds),
    )
  const ofAll = (each: Driving, pick: (one: Driven) => number) => median(driven.get(each)!.slice(1).map(pick))
  printTable(
    title,
    ['', `${counts} per second`, 'of plain', 'p50 ms', 'p99 ms', 'failed', 'goal'],
    all.map((each) => [
      each.name,
      rate(each),
      rate(each) / rate(plain),
      ofAll(each, (one) => one.p50Ms),
      ofAll(each, (one) => one.p99Ms),
      String(driven.get(each)!.reduce((sum, one) => sum + one.failures, 0)),
      each === plain ? undefined : `>= ${goal}`,
    ]),
  )
}
