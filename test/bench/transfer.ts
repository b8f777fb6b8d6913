// How fast history goes in and out: one import of 500,000 samples of 1,000 streams as CSV and as NDJSON, beside the same samples
// as JSON arrays of PUT /feed on one connection; and their export beside GET feed, 1,000 at a time. README.md has the
// findings.
import { say } from './feed/data.ts'
import { openBenchDatabase } from './harness/database.ts'
import { benchApiKey, startCoppice } from './harness/subjects.ts'
import { median, printTable } from './harness/table.ts'
import type { BenchOptions } from './main.ts'

const components = 10
const streams = 100
const perStream = 500
const all = components * streams * perStream
const startMs = Date.parse('2026-01-01T00:00:00Z')
const stepMs = 60_000

type Row = { readonly compId: string; readonly streamId: string; readonly time: number; readonly data: number }

/** Stream by stream, as an export has them, in components of this name. */
function* rowsOf(name: string): Generator<Row> {
  for (let component = 0; component < components; component += 1)
    for (let stream = 0; stream < streams; stream += 1)
      for (let n = 0; n < perStream; n += 1)
        yield {
          compId: `${name}${component}`,
          streamId: `s${stream}`,
          time: startMs + n * stepMs,
          data: Math.round(Math.sin(n / 50 + stream) * 1000) / 10,
        }
}

const csvOf = (name: string) =>
  ['compId,streamId,time,data', ...Array.from(rowsOf(name), (row) => Object.values(row).join()), ''].join('\r\n')
const ndjsonOf = (name: string) => Array.from(rowsOf(name), (row) => `${JSON.stringify(row)}\n`).join('')

type Way = { readonly title: string; readonly run: (url: string, round: number) => Promise<number> }

const timed = async (work: () => Promise<void>): Promise<number> => {
  const beganMs = performance.now()
  await work()
  return all / ((performance.now() - beganMs) / 1000)
}

const ask = async (url: string, path: string, init?: RequestInit): Promise<string> => {
  const reply = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}api_key=${benchApiKey}`, init ?? {})
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${text.slice(0, 500)}`)
  return text
}

const putArrays = (size: number): Way => ({
  title: `PUT /feed, arrays of ${size.toLocaleString('en')}, one connection`,
  run: (url, round) => {
    const rows = [...rowsOf(`put${size}x${round}x`)]
    const bodies: string[] = []
    for (let from = 0; from < rows.length; from += size) bodies.push(JSON.stringify(rows.slice(from, from + size)))
    return timed(async () => {
      for (const body of bodies) await ask(url, '/api/feed', { method: 'PUT', body })
    })
  },
})

const importAs = (format: string, bodyOf: (name: string) => string): Way => ({
  title: `POST /api/import, ${format}`,
  run: async (url, round) => {
    const body = bodyOf(`${format}${round}x`)
    return timed(async () => {
      const reply = JSON.parse(await ask(url, '/api/import', { method: 'POST', body })) as {
        import: { stored: number }
      }
      if (reply.import.stored !== all) throw new Error(`${reply.import.stored} of ${all} rows were stored`)
    })
  },
})

const writing: readonly Way[] = [
  putArrays(5000),
  putArrays(100_000),
  importAs('csv', csvOf),
  importAs('ndjson', ndjsonOf),
]

const scope = Array.from({ length: components }, (_, n) => `compId=csv0x${n}`).join('&')
const reading: readonly Way[] = [
  {
    title: 'GET feed, by links of 1,000, one connection',
    run: (url) =>
      timed(async () => {
        for (let component = 0; component < components; component += 1)
          for (let link: string | undefined = '?retStreamId'; link !== undefined;) {
            const reply: Response = await fetch(`${url}/api/comp/csv0x${component}/feed${link}&api_key=${benchApiKey}`)
            await reply.json()
            link = /^<([^>]*)>/.exec(reply.headers.get('link') ?? '')?.[1]
          }
      }),
  },
  ...['csv', 'ndjson', 'parquet'].map((format): Way => ({
    title: `GET /api/export, ${format}`,
    run: (url) => timed(async () => void (await ask(url, `/api/export?format=${format}&${scope}`))),
  })),
]

export const run = async ({ rounds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  say(
    `${database.description}; ${all.toLocaleString('en')} samples, ${rounds} rounds, medians; ratios to the first line`,
  )
  await measure('in', writing, coppice.url, rounds)
  await measure('out', reading, coppice.url, rounds)
  say(`peak of the server: ${await coppice.program.peakMegabytes()} MB`)
}

const measure = async (title: string, ways: readonly Way[], url: string, rounds: number): Promise<void> => {
  const speeds = ways.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, way] of ways.entries()) speeds[index]!.push(await way.run(url, round))
  const medians = speeds.map(median)
  printTable(
    title,
    ['', 'samples a second', 'ratio'],
    ways.map((way, index) => [way.title, medians[index], medians[index]! / medians[0]!]),
  )
}
