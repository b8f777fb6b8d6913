// What deriving costs: an upload of one sample with a chain of five behind it, derived at once, beside the plain upload in
// the same rounds; an upload to a stream that others are derived from; how long a fleet's derived samples are waited for
// in the background; and a million samples derived anew through a chain of three. README.md has the findings.
//
//   BENCH_ROWS   samples that are derived anew, 1,000,000 by default
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { say } from './feed/data.ts'
import { openBenchDatabase, query } from './harness/database.ts'
import { summaryOf } from './harness/raw.ts'
import { benchApiKey, startCoppice } from './harness/subjects.ts'
import { median, printTable } from './harness/table.ts'
import type { BenchOptions } from './main.ts'

const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const goals = { ofPlain: 3, marked: 1.02, seconds: 60, delayMs: 5000 }
const startMs = Date.parse('2026-01-01T00:00:00Z')

export const run = async ({ seconds, rounds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url)
  const processor = cpus()
  say(
    `${processor.length} cores ${processor[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}`,
  )
  say(`${database.description}; ${rounds} rounds of ${seconds} s, medians`)
  const manage = await openManage(coppice.url)
  await manage.component('plain', 0)
  await manage.component('source', 1)
  await manage.component('chain', 5)
  await uploads(coppice.url, { seconds, rounds })
  await delays(coppice.url, database.url, manage, Math.max(10, rounds * seconds))
  const uids = await manage.component('million', 3)
  await fill(database.url, uids.source)
  const beganMs = performance.now()
  await manage.derive(uids.derived[0]!)
  const took = (performance.now() - beganMs) / 1000
  for (const uid of uids.derived) {
    const [count] = await query<{ count: number }>(
      database.url,
      `select count(*)::integer as count from sample where stream_key = (select key from stream where uid = '${uid}')`,
    )
    if (count?.count !== rows) throw new Error(`${rows} samples were derived anew, but ${count?.count} are stored`)
  }
  printTable(
    `derive: ${rows.toLocaleString('en')} samples anew through a chain of three`,
    ['', 'seconds', 'samples per second', 'goal'],
    [['request', took, (3 * rows) / took, `< ${goals.seconds} s`]],
  )
}

/** One after the other, over one connection: what a device waits. */
const uploads = async (url: string, { seconds, rounds }: Pick<BenchOptions, 'seconds' | 'rounds'>): Promise<void> => {
  const cases = [
    { name: 'plain', compId: 'plain', query: '' },
    { name: 'of a source, derived in the background', compId: 'source', query: '' },
    { name: 'a chain of five at once', compId: 'chain', query: '&derMaxS&derTout' },
  ]
  const times = cases.map((): number[] => [])
  let timeMs = startMs
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const own = cases.map((): number[] => [])
    for (const endAt = performance.now() + 1000 * seconds; performance.now() < endAt;)
      for (const [at, { compId, query: more }] of cases.entries()) {
        timeMs += 1000
        const beganMs = performance.now()
        const path = `/api/feed?api_key=${benchApiKey}&compId=${compId}&a=${timeMs % 1000}&time=${timeMs}${more}`
        const reply = await fetch(`${url}${path}`, { method: 'PUT' })
        await reply.arrayBuffer()
        if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`)
        own[at]!.push(performance.now() - beganMs)
      }
    if (round > 0) for (const [at, each] of own.entries()) times[at]!.push(median(each))
  }
  const medians = times.map(median)
  const ratio = (at: number) => medians[at]! / medians[0]!
  printTable(
    'derive: an upload of one sample',
    ['', 'ms', 'ratio', 'goal'],
    [
      [cases[0]!.name, medians[0]],
      [cases[1]!.name, medians[1], ratio(1).toFixed(2), `about ${goals.marked}`],
      [cases[2]!.name, medians[2], ratio(2).toFixed(2), `<= ${goals.ofPlain}`],
    ],
  )
}

const fleet = { components: 200, chain: 3, uploadsPerSecond: 100 }

/** From the answer to an upload until the last of the chain behind it has its sample, by looking every 50 ms. */
const delays = async (url: string, databaseUrl: string, manage: Manage, seconds: number): Promise<void> => {
  const lastUids: string[] = []
  for (let n = 0; n < fleet.components; n += 1)
    lastUids.push((await manage.component(`fleet${n}`, fleet.chain)).derived.at(-1)!)
  const waiting: { readonly at: number; readonly timeMs: number; readonly answeredMs: number }[] = []
  const tookMs: number[] = []
  const count = seconds * fleet.uploadsPerSecond
  const look = async () => {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    while (tookMs.length < count) {
      const { rows: found } = await client.query<{ at: number; timeMs: number }>({
        name: 'latest',
        text: `
          select n::integer - 1 as at, extract(epoch from time)::double precision * 1000 as "timeMs"
          from unnest($1::text[]) with ordinality as given (uid, n)
          join stream on stream.uid = given.uid
          cross join lateral (
            select time from sample where stream_key = stream.key and time >= $2 order by time desc limit 1) as latest`,
        values: [lastUids, new Date(startMs)],
      })
      const seenMs = performance.now()
      const latest = new Map(found.map(({ at, timeMs }) => [at, timeMs]))
      for (const each of waiting.splice(0))
        if ((latest.get(each.at) ?? Number.NEGATIVE_INFINITY) >= each.timeMs) tookMs.push(seenMs - each.answeredMs)
        else waiting.push(each)
      await sleep(50)
    }
    await client.end()
  }
  const beganMs = performance.now()
  const upload = async (n: number) => {
    await sleep(Math.max(0, (n * 1000) / fleet.uploadsPerSecond - (performance.now() - beganMs)))
    const at = n % fleet.components
    const timeMs = startMs + (1 + Math.floor(n / fleet.components)) * 1000
    const path = `/api/feed?api_key=${benchApiKey}&compId=fleet${at}&a=${n % 100}&time=${timeMs}`
    const reply = await fetch(`${url}${path}`, { method: 'PUT' })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status}`)
    waiting.push({ at, timeMs, answeredMs: performance.now() })
  }
  await Promise.all([look(), ...Array.from({ length: count }, (_, n) => upload(n))])
  const { p50Ms, p99Ms } = summaryOf(tookMs)
  printTable(
    `derive: in the background, ${fleet.uploadsPerSecond} uploads a second to ${fleet.components} components, each with a chain of three`,
    ['', 'samples', 'p50 ms', 'p99 ms', 'longest ms', 'goal'],
    [['from the append on', tookMs.length, p50Ms, p99Ms, Math.max(...tookMs), `< ${goals.delayMs} ms`]],
  )
}

/** A sample every second, by SQL: what is measured is the deriving. */
const fill = async (databaseUrl: string, sourceUid: string): Promise<void> => {
  await query(
    databaseUrl,
    `insert into sample (stream_key, time, num)
     select stream.key, timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second', n
     from stream, generate_series(0, ${rows - 1}) as n
     where uid = '${sourceUid}'`,
  )
  await query(databaseUrl, 'analyze sample')
}

type Manage = Awaited<ReturnType<typeof openManage>>

const openManage = async (url: string) => {
  const call = async (method: string, path: string, input?: object): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { 'Content-Type': 'application/json' }
    const reply = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
    return (await reply.json()) as Readonly<Record<string, unknown>>
  }
  const login = await call('POST', '/api/login', { email: 'owner@localhost', password: 'password of the bench' })
  const withSession = `?session=${login['sessionUid'] as string}`
  return {
    /** A stream a, and so many behind it, each derived from the one before. */
    component: async (id: string, chain: number) => {
      const derived = Array.from({ length: chain }, (_, at) => ({
        id: `d${at + 1}`,
        expression: '(x - 32) * 5 / 9',
        variables: [{ name: 'x', streamId: at === 0 ? 'a' : `d${at}` }],
      }))
      const made = await call('POST', `/api/component${withSession}`, { id, stream: [{ id: 'a' }, ...derived] })
      const { stream } = made['component'] as { readonly stream: readonly { readonly uid: string }[] }
      return { source: stream[0]!.uid, derived: stream.slice(1).map(({ uid }) => uid) }
    },
    derive: async (uid: string): Promise<void> => {
      const path = `/api/stream/${uid}/derive${withSession}`
      await call('POST', `${path}&wait=false`, { from: startMs, to: startMs + rows * 1000 })
      for (;;) {
        const { derive, message } = (await call('GET', path)) as {
          readonly derive: { readonly end: number | null }
          readonly message: string
        }
        if (message !== '') throw new Error(message)
        if (derive.end !== null) return
        await sleep(100)
      }
    },
  }
}
