// The data of a case before it is driven: components and streams, made as their owners would make them where there are
// few, and by SQL where there are many.
import { query } from '../harness/database.ts'
import { benchApiKey } from '../harness/subjects.ts'
import type { Fleet } from './loads.ts'

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1000).toFixed(1)

/** By auto-creation: each stream gets its first sample, long ago. */
export const createFleet = async (url: string, { name, components, streams }: Fleet): Promise<void> => {
  const beganMs = performance.now()
  const elements = Array.from({ length: components * streams }, (_, at) => ({
    compId: `${name}${Math.floor(at / streams)}`,
    streamId: streams === 1 ? 'temp' : `s${at % streams}`,
    data: 1,
    time: 0,
  }))
  for (let from = 0; from < elements.length; from += 1000) {
    const body = JSON.stringify(elements.slice(from, from + 1000))
    const reply = await fetch(`${url}/api/feed?api_key=${benchApiKey}`, { method: 'PUT', body })
    if (!reply.ok) throw new Error(await reply.text())
  }
  say(`${components} components with ${elements.length} streams, created by their first samples: ${seconds(beganMs)} s`)
}

/** 100,000 components named house0 to house99999, each with a stream named temp and a sample every week of a year. */
export const createHouses = async (databaseUrl: string): Promise<void> => {
  const beganMs = performance.now()
  await query(
    databaseUrl,
    `with owner as (select key from organization limit 1),
     place as (
       insert into folder (organization_key, path) select key, '/Components' from owner
       on conflict (organization_key, path) do update set path = excluded.path
       returning key
     ),
     made as (
       insert into component (organization_key, id, name, folder_key, time_zone)
       select owner.key, 'house' || n, 'house' || n, place.key, 'UTC'
       from owner, place, generate_series(0, 99999) as n
       returning key
     )
     insert into stream (component_key, id, name, kind, value_type, position)
     select key, 'temp', 'temp', 'random', 'DOUBLE', 1 from made`,
  )
  await query(
    databaseUrl,
    `insert into sample (stream_key, time, num)
     select stream.key, week, 20 + stream.key % 100 / 10.0
     from generate_series(now() - interval '364 days', now(), interval '7 days') as week,
       (select stream.key from stream join component on component.key = component_key
        where component.id like 'house%' order by stream.key) as stream`,
  )
  await query(databaseUrl, 'analyze component')
  await query(databaseUrl, 'analyze stream')
  await query(databaseUrl, 'analyze sample')
  const [size] = await query<{ chunks: number; bytes: string }>(
    databaseUrl,
    `select pg_size_pretty(hypertable_size('sample')) as bytes,
       (select count(*)::integer from show_chunks('sample')) as chunks`,
  )
  say(
    `100,000 components with a sample every week of a year, 5.3 million in ${size!.chunks} chunks, ${size!.bytes}: ` +
      `${seconds(beganMs)} s`,
  )
}

/** Aggregates of what was written late are made anew in the background; a reading case waits for that. */
export const waitForAggregates = async (url: string): Promise<void> => {
  const beganMs = performance.now()
  const untilMs = Date.now() + 300_000
  const isDone = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^coppice_rollup_stale_marks (\S+)/m.exec(metrics)?.[1]) === 0
  }
  while (Date.now() < untilMs && !(await isDone())) await new Promise((done) => setTimeout(done, 500))
  say(`the background had work for another ${seconds(beganMs)} s`)
}

export const countSamples = async (databaseUrl: string): Promise<number> => {
  const [row] = await query<{ n: string }>(databaseUrl, 'select count(*) as n from sample')
  return Number(row!.n)
}
