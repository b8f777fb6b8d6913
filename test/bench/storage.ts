// The bytes of a sample on disk: the demo's fleet with a year of history, its derived streams and aggregates, once old chunks are
// compressed where the edition can (BENCH_DATABASE_URL of a Community edition). README.md has the findings.
import { createClient, signIn } from '../../src/client/client.ts'
import { openPool } from '../../src/base/database/pool.ts'
import { openCompression } from '../../src/core/upkeep/compression.ts'
import { fillDemo } from '../../src/demo/fill.ts'
import { countSamples, say } from './feed/data.ts'
import type { BenchDatabase } from './harness/database.ts'
import { openBenchDatabase, query } from './harness/database.ts'
import { startCoppice } from './harness/subjects.ts'
import { printTable } from './harness/table.ts'
import { waitForTiles } from './statistics/data.ts'

export const run = async (): Promise<void> => {
  const database = await openBenchDatabase()
  const { url } = await startCoppice(database.url)
  const owner = { email: 'owner@localhost', password: 'password of the bench' }
  const { sessionUid } = await signIn(owner, { url })
  const nowMs = Date.now()
  const filled = await fillDemo(createClient({ url, session: sessionUid }), { size: 'medium', seed: 1, nowMs })
  say(`${filled.components} components, ${filled.samples} samples were sent`)
  while ((await waitingMarks(url)) > 0) await new Promise((resume) => setTimeout(resume, 500))
  await waitForTiles(url)
  while (!(await hasZones(database))) await new Promise((resume) => setTimeout(resume, 500))
  await printSizes(database, 'storage: the demo after a year')
  const pool = openPool(database.url, { connections: 2, name: 'bench' })
  const compress = openCompression()
  let chunks = 0
  while (await compress(pool, Date.now())) chunks += 1
  await pool.end()
  if (chunks > 0) await printSizes(database, `storage: the same with ${chunks} chunks compressed`)
}

const waitingMarks = async (url: string): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^coppice_derive_waiting_marks (\S+)/m.exec(metrics)?.[1])
}

/** Whether the tiles of other hours, which the fleet's zones need, are made, too. */
const hasZones = async ({ url }: BenchDatabase): Promise<boolean> => {
  const [row] = await query<{ isDone: boolean }>(
    url,
    `select count(*) > 1 and min(ready_until) > now() - interval '2 days' and not exists (select from zone_change) as "isDone"
     from rollup_phase`,
  )
  return row!.isDone
}

/** The tables behind aggregates are not among the hypertables. */
const sizes = `
  select name, hypertable_size(format('%I.%I', schema, relation)::regclass)::float8 as bytes
  from (
    select hypertable_name as name, hypertable_schema as schema, hypertable_name as relation
    from timescaledb_information.hypertables
    union all
    select view_name, materialization_hypertable_schema, materialization_hypertable_name
    from timescaledb_information.continuous_aggregates
  ) as relation
  order by bytes desc, name`

const printSizes = async (database: BenchDatabase, title: string): Promise<void> => {
  const samples = await countSamples(database.url)
  const relations = (await query<{ name: string; bytes: number }>(database.url, sizes)).filter(({ bytes }) => bytes > 0)
  const all = relations.reduce((sum, { bytes }) => sum + bytes, 0)
  printTable(
    `${title}, ${samples.toLocaleString('en')} samples`,
    ['', 'MB', 'bytes a sample', 'goal'],
    [...relations, { name: 'all', bytes: all }].map(({ name, bytes }) => [
      name,
      bytes / 1e6,
      bytes / samples,
      name === 'all' ? '< 6 compressed' : '',
    ]),
  )
}
