// How fast rows of another database become samples: imports of a million rows beside JSON arrays in the same rounds, so
// that what else the machine does falls on both; and the same import again, with nothing changed. README.md has the findings.
//
//   BENCH_ROWS   rows of an import, 1,000,000 by default
import { readFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { countSamples, createFleet, say } from './feed/data.ts'
import type { Fleet } from './feed/loads.ts'
import { batchLoads, startMs } from './feed/loads.ts'
import { openBenchDatabase } from './harness/database.ts'
import { drive } from './harness/load.ts'
import { startCoppice } from './harness/subjects.ts'
import type { Subject } from './harness/subjects.ts'
import { median, printTable } from './harness/table.ts'
import { openMariadbPlant, openPostgresql } from './import/external.ts'
import type { External } from './import/external.ts'
import type { BenchOptions } from './main.ts'

const plant: Fleet = { name: 'plant', components: 10, streams: 100 }
const arrays = batchLoads(plant, 1000, 5, { fromMs: startMs, stepMs: 200 }).Coppice
const samplesOfArray = 5000

const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const goals = { ofArrays: 0.4, again: 5, megabytes: 300 }

export const run = async ({ words, seconds, rounds }: BenchOptions): Promise<void> => {
  const database = await openBenchDatabase()
  const coppice = await startCoppice(database.url, { env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
  await createFleet(coppice.url, plant)
  const processor = cpus()
  say(
    `${processor.length} cores ${processor[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}`,
  )
  say(`${database.description}; ${rounds} rounds, medians`)
  const isWanted = (name: string) => words.every((word) => name.toLowerCase().includes(word.toLowerCase()))
  const externals = [
    isWanted('PostgreSQL') ? await openPostgresql(database.url, rows) : undefined,
    isWanted('MariaDB') ? await openMariadbPlant(rows) : undefined,
  ]
  const imports = await openImports(coppice.url)
  let from = 0
  for (const external of externals) {
    if (external === undefined) continue
    const connectionUid = await imports.connect(external)
    const rates: number[] = []
    const [first, again]: [Ran[], Ran[]] = [[], []]
    // The first round only warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const driven = await drive(coppice.url, arrays, { connections: 4, seconds, from })
      from = driven.next
      rates.push(((driven.requests - driven.failures) * samplesOfArray) / driven.seconds)
      const before = await countSamples(database.url)
      const uid = await imports.make(connectionUid, external.select(`${external.kind}-${round}-`))
      first.push(await watchRun(coppice, () => imports.run(uid)))
      const stored = (await countSamples(database.url)) - before
      if (stored < rows) throw new Error(`${rows} samples were imported, but ${stored} are stored`)
      again.push(await watchRun(coppice, () => imports.run(uid)))
    }
    print(external, rates.slice(1), first.slice(1), again.slice(1))
  }
}

const print = ({ name }: External, rates: readonly number[], first: readonly Ran[], again: readonly Ran[]): void => {
  const [rate, firstSeconds, againSeconds] = [median(rates), median(first.map(secondsOf)), median(again.map(secondsOf))]
  const line = (title: string, ran: readonly Ran[], ratio: string, goal: string) => [
    title,
    median(ran.map(secondsOf)),
    rows / median(ran.map(secondsOf)),
    median(ran.map(({ cpuSeconds }) => cpuSeconds)),
    String(Math.max(...ran.map(({ megabytes }) => megabytes))),
    ratio,
    goal,
  ]
  printTable(
    `import: ${rows.toLocaleString('en')} rows of 1,000 streams from ${name}`,
    ['', 'seconds', 'rows per second', "server's CPU s", 'peak MB', 'ratio', 'goal'],
    [
      ['JSON array PUT', undefined, rate],
      line(
        'first run',
        first,
        `${(rows / firstSeconds / rate).toFixed(2)} of the arrays`,
        `>= ${goals.ofArrays}, < ${goals.megabytes} MB`,
      ),
      line(
        'again, unchanged',
        again,
        `${(firstSeconds / againSeconds).toFixed(1)} times the first`,
        `>= ${goals.again}`,
      ),
    ],
  )
}

type Ran = { readonly seconds: number; readonly cpuSeconds: number; readonly megabytes: number }

const secondsOf = ({ seconds }: Ran) => seconds

const watchRun = async ({ program }: Subject, work: () => Promise<void>): Promise<Ran> => {
  await program.forgetPeak()
  const cpuBefore = await cpuSeconds(program.pid)
  const sinceMs = performance.now()
  await work()
  return {
    seconds: (performance.now() - sinceMs) / 1000,
    cpuSeconds: (await cpuSeconds(program.pid)) - cpuBefore,
    megabytes: (await program.peakMegabytes()) ?? Number.NaN,
  }
}

/** Of all threads, in the kernel too; a hundred ticks are a second. */
const cpuSeconds = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(user) + Number(system)) / 100
}

const ingestSql = `
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT meter, 'kwh', at, kwh FROM CSV_TABLE(@JDBC_RESULT) WITH (1 meter STRING, 2 at LONG, 3 kwh DOUBLE)`

/** Connections and imports, made and run as their owner would. */
const openImports = async (url: string) => {
  const post = async (path: string, input: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
    return reply.json()
  }
  const login = (await post('/api/login', { email: 'owner@localhost', password: 'password of the bench' })) as {
    readonly sessionUid: string
    readonly userUid: string
  }
  const withSession = `?session=${login.sessionUid}`
  return {
    connect: async (external: External): Promise<string> => {
      const { hostname, port, pathname, username, password } = new URL(external.url)
      const made = (await post(`/api/connection${withSession}`, {
        name: external.name,
        kind: external.kind,
        host: hostname,
        port: Number(port),
        database: pathname.slice(1),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password) || 'none',
        tls: false,
      })) as { readonly connection: { readonly uid: string } }
      return made.connection.uid
    },
    make: async (connectionUid: string, externalSql: string): Promise<string> => {
      const made = (await post(`/api/connector${withSession}`, {
        type: 'import',
        name: externalSql,
        connectionUid,
        runningUserUid: login.userUid,
        timeZone: 'UTC',
        externalSql,
        ingestSql,
      })) as { readonly connector: { readonly uid: string } }
      return made.connector.uid
    },
    run: async (uid: string): Promise<void> => {
      const { success, message } = (await post(`/api/connector/${uid}/run${withSession}`, {})) as {
        readonly success: boolean
        readonly message: string
      }
      if (!success) throw new Error(message)
    },
  }
}
