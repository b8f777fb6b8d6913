// Long rows of an external database, in as many sessions as a server has: its memory.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import type { TestDatabase } from '../support/database.ts'
import { openEmptyDatabase, openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { targetFrom } from '../support/outbound.ts'
import type { ServerOwner } from '../support/server-owner.ts'
import { ownerPassword, signInOwner } from '../support/server-owner.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'

/** The longest that is taken, but for its head. */
const rowLength = 4 * 1024 * 1024 - 1000
const rows = 40
const externalSql = `select n, repeat('x', ${rowLength}) from generate_series(1, ${rows}) n`

describe('the longest rows of an external database', () => {
  let database: TestDatabase
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let directory: string
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    external = await openEmptyDatabase()
    directory = await newDirectory('long-rows')
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_PASSWORD: ownerPassword,
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    })
  })
  after(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await external.drop()
    await database.drop()
  })

  /** Gives the paths of a run and of a preview. */
  const prepare = async (owner: ServerOwner) => {
    const { host, port, database: name, user, password } = targetFrom('postgresql', external.url)
    const target = { kind: 'postgresql', name: 'c', host, port, database: name, user, password, tls: false }
    const { connection } = (await owner.ask('POST', '/api/connection', target)) as { connection: { uid: string } }
    const { connector } = (await owner.ask('POST', '/api/connector', {
      type: 'import',
      name: 'i',
      connectionUid: connection.uid,
      runningUserUid: owner.uid,
      externalSql,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT 'Long', 'row', t, Len(v) FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v STRING)`,
    })) as { connector: { uid: string } }
    return { run: `/api/connector/${connector.uid}/run`, preview: `/api/connection/${connection.uid}/preview` }
  }

  it('stay within the memory of a server, in runs and previews of four organizations at once', async () => {
    const first = await signInOwner(server.url)
    const owners = [first]
    for (const name of ['B', 'C', 'D']) owners.push(await first.elsewhere(name))
    const runs: Promise<unknown>[] = []
    const previews: Promise<number>[] = []
    for (const owner of owners) {
      const paths = await prepare(owner)
      runs.push(owner.ask('POST', paths.run))
      for (let n = 0; n < 2; n += 1)
        previews.push(
          fetch(`${server.url}${paths.preview}?${owner.credential}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ sql: externalSql }),
          }).then(async (reply) => {
            await reply.arrayBuffer()
            return reply.status
          }),
        )
    }
    for (const ended of await Promise.all(runs)) {
      const { run } = ended as { run: { state: string; fetched: number; inserted: number } }
      assert.deepEqual([run.state, run.fetched, run.inserted], ['succeeded', rows, rows])
    }
    // Some of them find no place.
    assert.deepEqual(new Set(await Promise.all(previews)), new Set([200, 503]))
    await server.assertMemory()
  })
})
