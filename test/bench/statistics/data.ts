// The samples behind statistics: 1,000 streams of minute samples, most for a day, the twenty of one component for two
// months at least, and some of these for three years; the same in this server's database and in InfluxDB.
import { finished } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { copyBuffer, copyText } from '../../../src/core/sample/copy-rows.ts'
import type { SampleRows } from '../../../src/core/sample/rows.ts'
import { emptyRows, pushRow } from '../../../src/core/sample/rows.ts'
import { say } from '../feed/data.ts'
import { query } from '../harness/database.ts'
import type { Subject } from '../harness/subjects.ts'

const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1000).toFixed(1)

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

export type Plant = {
  /** Those of the component that is asked about; the first ones have the three years. */
  readonly streamKeys: readonly number[]
  /** All samples lie before. */
  readonly endMs: number
}

const streamsOfPlant = 20
const otherStreams = 980
const daysOf = { long: 1_100, plant: 60, other: 1 }

/** Component `plant` with streams s0 to s19, `others` with 980 more, and day and month cycles of some zones. */
export const createPlant = async (databaseUrl: string, zones: readonly string[]): Promise<Plant> => {
  const rows = await query<{ key: number }>(
    databaseUrl,
    `with owner as (select key from organization limit 1),
     place as (
       insert into folder (organization_key, path) select key, '/Components/bench' from owner returning key
     ),
     made as (
       insert into component (organization_key, id, name, folder_key, time_zone)
       select owner.key, id, id, place.key, 'UTC' from owner, place, unnest(array['plant', 'others']) as id
       returning key, id
     ),
     cycle as (
       insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
       select owner.key, unit || ' in ' || zone, unit, 1, unit, '2001-01-01T00:00:00', zone
       from owner, unnest($1::text[]) as zone, unnest(array['day', 'month']) as unit
     )
     insert into stream (component_key, id, name, kind, value_type, position)
     select key, 's' || n - 1, 's' || n - 1, 'random', 'DOUBLE', n
     from made, generate_series(1, case id when 'plant' then $2::integer else $3 end) as n
     order by id desc, n
     returning key`,
    [zones, streamsOfPlant, otherStreams],
  )
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs
  return { streamKeys: rows.slice(0, streamsOfPlant).map(({ key }) => key), endMs }
}

/** A sensor: its values follow the day and the year, with noise of its own. */
const valueAt = (stream: number, minute: number): number => {
  const noise = ((Math.imul(minute ^ (stream << 16), 0x9e3779b1) >>> 8) % 1_000) / 100
  const value = 20 + 8 * Math.sin((minute / 1_440) * 2 * Math.PI) + 6 * Math.sin(minute / 83_000) + noise
  return Math.round(value * 100) / 100
}

/** Day by day from the oldest, each in the order of the key. The marks are what an import would leave. */
export const loadPlant = async (
  databaseUrl: string,
  influx: Subject | undefined,
  { streamKeys, endMs }: Plant,
  longStreams: number,
): Promise<void> => {
  const startedMs = performance.now()
  const [{ first: firstOther }] = (await query<{ first: number }>(
    databaseUrl,
    `select min(stream.key) as first from stream join component on component.key = component_key where component.id = 'others'`,
  )) as [{ first: number }]
  const streams = [...streamKeys, ...Array.from({ length: otherStreams }, (_, at) => firstOther + at)]
  const daysOfStream = (at: number) =>
    at < longStreams ? daysOf.long : at < streamsOfPlant ? daysOf.plant : daysOf.other
  const total = streams.reduce((sum, _, at) => sum + daysOfStream(at) * 1_440, 0)
  say(
    `${total.toLocaleString('en')} samples: ${longStreams} streams with a sample a minute for three years, ` +
      `${streamsOfPlant - longStreams} for ${daysOf.plant} days, ${otherStreams} for a day`,
  )
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  let done = 0
  let saidMs = performance.now()
  const spent = { database: 0, influx: 0 }
  for (let day = daysOf.long; day > 0; day -= 1) {
    const rows = emptyRows()
    const fromMs = endMs - day * dayMs
    for (const [at, key] of streams.entries())
      if (day <= daysOfStream(at))
        for (let timeMs = fromMs; timeMs < fromMs + dayMs; timeMs += minuteMs)
          pushRow(rows, key, null, timeMs, 'DOUBLE', valueAt(at, timeMs / minuteMs))
    spent.database += await timed(async () => {
      const copy = client.query(copyFrom(copyText))
      copy.end(copyBuffer(rows))
      await finished(copy)
    })
    if (influx) spent.influx += await timed(() => writeLines(influx.url, rows))
    done += rows.storedMs.length
    if (performance.now() - saidMs > 10_000 || day === 1) {
      saidMs = performance.now()
      say(
        `${((100 * done) / total).toFixed(0)} % after ${seconds(startedMs)} s ` +
          `(database ${(spent.database / 1000).toFixed(1)} s, InfluxDB ${(spent.influx / 1000).toFixed(1)} s)`,
      )
    }
  }
  await client.query('vacuum analyze sample')
  await client.end()
  await markAll(databaseUrl, streams)
}

/** As an import of all samples of these streams leaves them: every tile is to be made anew. */
export const markAll = async (databaseUrl: string, streamKeys: readonly number[]): Promise<void> => {
  await query(
    databaseUrl,
    `insert into stale_mark (stream_key, first_time, last_time)
     select stream_key, min(time), max(time) from sample where stream_key = any($1::integer[]) group by stream_key`,
    [streamKeys],
  )
}

/** The days of all streams together that wait to be aggregated. */
export const staleDays = async (databaseUrl: string): Promise<number> => {
  const [row] = await query<{ days: number }>(
    databaseUrl,
    `select coalesce(sum(extract(epoch from last_time - first_time)) / 86400, 0)::float8 as days from stale_mark`,
  )
  return row!.days
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

const linesAtOnce = 10_000

const writeLines = async (url: string, { streamKeys, storedMs, nums }: SampleRows): Promise<void> => {
  for (let from = 0; from < streamKeys.length; from += linesAtOnce) {
    let body = ''
    for (let at = from; at < Math.min(from + linesAtOnce, streamKeys.length); at += 1)
      body += `plant,stream=${streamKeys[at]} value=${nums[at]} ${storedMs[at]}\n`
    const reply = await fetch(`${url}/write?db=bench&precision=ms`, { method: 'POST', body })
    if (!reply.ok) throw new Error(await reply.text())
    await reply.arrayBuffer()
  }
}

/** Until all of it is aggregated; gives the seconds. Between looks, something else may be done. */
export const waitForTiles = async (url: string, meanwhile = pause): Promise<number> => {
  const startedMs = performance.now()
  const read = async (name: string) => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
  }
  let saidMs = startedMs
  for (;;) {
    const [stale, lagSeconds] = [await read('coppice_rollup_stale_marks'), await read('coppice_rollup_lag_seconds')]
    if (stale === 0 && lagSeconds < 86_400) break
    if (performance.now() - saidMs > 10_000) {
      saidMs = performance.now()
      say(
        `aggregates for ${seconds(startedMs)} s: ${stale} streams wait, ${Math.round(lagSeconds / 3600)} hours behind`,
      )
    }
    await meanwhile()
  }
  say(`all is aggregated after ${seconds(startedMs)} s`)
  return (performance.now() - startedMs) / 1000
}

const pause = () => new Promise<void>((resume) => setTimeout(resume, 500))
