// What a call costs as the data grow: a fleet of streams with a week of minutes each, from ten thousand samples to ten
// million (BENCH_GROWTH=8: to 10^8), and then streams with one sample, up to a million. The same calls after each step, one
// after the other on one connection, and the bytes on disk. README.md has the findings.
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyBuffer, copyText } from '../../src/core/sample/copy-rows.ts'
import { emptyRows, pushRow } from '../../src/core/sample/rows.ts'
import { say, waitForAggregates } from './feed/data.ts'
import { openBenchDatabase, query } from './harness/database.ts'
import type { Subject } from './harness/subjects.ts'
import { benchApiKey, startCoppice } from './harness/subjects.ts'
import type { Cell } from './harness/table.ts'
import { printTable } from './harness/table.ts'
import { ask, timeOf } from './harness/time.ts'
import type { BenchOptions } from './main.ts'

const mostSamples = 10 ** Number(process.env['BENCH_GROWTH'] ?? 7)
const perStream = 10_000
const streamsPerComponent = 10
const minuteMs = 60_000

/** Streams that are there after each step, with so many samples each; those of the second kind come on top. */
const steps = [
  ...[1, 10, 100, 1000, 10_000]
    .map((streams) => ({ streams, samples: perStream }))
    .filter(({ streams }) => streams * perStream <= mostSamples),
  ...[10_000, 100_000, 1_000_000].map((streams) => ({ streams, samples: 1 })),
]

export const run = async ({ seconds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  say(`${database.description}; a call after the other on one connection, ${seconds} s each, medians`)
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs
  const total = { streams: 0, samples: 0 }
  const rows: Cell[][] = []
  for (const [index, { streams, samples }] of steps.entries()) {
    const before = steps[index - 1]?.samples === samples ? steps[index - 1]!.streams : 0
    const name = `step${index}x`
    const keys = await addStreams(database.url, name, streams - before)
    await loadSamples(client, keys, samples, endMs)
    total.streams += keys.length
    total.samples += keys.length * samples
    await client.query('analyze component')
    await client.query('analyze stream')
    await client.query('analyze sample')
    await waitForAggregates(coppice.url)
    const [disk] = await query<{ bytes: number }>(database.url, `select hypertable_size('sample')::float8 as bytes`)
    const costs = await costsOf(coppice, name, Math.ceil(keys.length / streamsPerComponent), seconds)
    const memory = await coppice.program.peakMegabytes()
    rows.push([
      total.samples.toLocaleString('en'),
      total.streams.toLocaleString('en'),
      ...costs,
      disk!.bytes / total.samples,
      memory,
    ])
    say(
      `${total.samples.toLocaleString('en')} samples of ${total.streams.toLocaleString('en')} streams: ${costs.map((ms) => ms.toFixed(2)).join(', ')} ms`,
    )
  }
  await client.end()
  printTable(
    'growth: ms of a call',
    [
      'samples',
      'streams',
      'PUT of one',
      'JSON array of 1,000',
      'last values',
      '1,000 samples',
      'seven days',
      'of another component each time',
      'bytes a sample',
      'peak MB',
    ],
    rows,
  )
}

/** Components of ten streams, made by SQL. Gives the keys of the streams. */
const addStreams = async (databaseUrl: string, name: string, streams: number): Promise<readonly number[]> => {
  const rows = await query<{ key: number }>(
    databaseUrl,
    `with owner as (select key from organization limit 1),
     place as (
       insert into folder (organization_key, path) select key, '/Components/' || $1 from owner returning key
     ),
     made as (
       insert into component (organization_key, id, name, folder_key, time_zone)
       select owner.key, $1 || n, $1 || n, place.key, 'Europe/Berlin'
       from owner, place, generate_series(0, ($2::integer - 1) / $3::integer) as n
       returning key, id
     )
     insert into stream (component_key, id, name, kind, value_type, position)
     select key, 's' || n, 's' || n, 'random', 'DOUBLE', n
     from made, generate_series(1, least($2::integer, $3)) as n
     returning key`,
    [name, streams, streamsPerComponent],
  )
  return rows.map(({ key }) => key)
}

const rowsAtOnce = 100_000

const loadSamples = async (client: Client, keys: readonly number[], samples: number, endMs: number): Promise<void> => {
  let rows = emptyRows()
  const flush = async () => {
    const copy = client.query(copyFrom(copyText))
    copy.end(copyBuffer(rows))
    await finished(copy)
    rows = emptyRows()
  }
  for (const key of keys) {
    for (let n = samples; n > 0; n -= 1)
      pushRow(rows, key, null, endMs - n * minuteMs, 'DOUBLE', 20 + ((key * 7 + n * 13) % 1000) / 100)
    if (rows.storedMs.length >= rowsAtOnce) await flush()
  }
  await flush()
  // As an import would leave them: their aggregates are made anew. Those of the last hours are not made yet.
  if (samples > 1)
    await client.query(
      `insert into stale_mark (stream_key, first_time, last_time)
     select key, $2::timestamptz, $3::timestamptz from unnest($1::integer[]) as key`,
      [keys, new Date(endMs - samples * minuteMs), new Date(endMs - minuteMs)],
    )
}

const costsOf = async ({ url }: Subject, name: string, components: number, seconds: number): Promise<number[]> => {
  const key = `api_key=${benchApiKey}`
  const stream = `${url}/api/comp/${name}0/stream/s1`
  let next = 0
  const batch = () => {
    next += 1
    const timeMs = Date.now()
    const element = (_: unknown, at: number) => ({
      compId: `${name}${at % components}`,
      streamId: 's1',
      data: at,
      time: timeMs - at,
    })
    return JSON.stringify(Array.from({ length: 1000 }, element))
  }
  const times: number[] = []
  for (const work of [
    () => ask(`${url}/api/feed?compId=${name}0&s1=${(next += 1)}&${key}`, 'PUT'),
    () => ask(`${url}/api/feed?${key}`, 'PUT', batch()),
    () => ask(`${url}/api/comp/${name}0/last_value?${key}`),
    () => ask(`${stream}/feed?limit=1000&${key}`),
    () => ask(`${stream}/cycle/day/stat/avg/feed?limit=7&${key}`),
    () => ask(`${url}/api/comp/${name}${(next = (next + 7919) % components)}/last_value?${key}`),
  ])
    times.push(await timeOf(seconds, work))
  return times
}
