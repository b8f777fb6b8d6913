// A server that is killed in the middle of an import, and its memory while it imports much.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmptyDatabase } from '../support/database.ts'
import { addConnection } from '../support/import.ts'
import type { RunAnswer, ShownRun } from '../support/import.ts'
import { startServer } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { testMasterKey } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

const rows = shortOrLong(20_000, 1_000_000)

describe('an import of a server that is killed', function () {
  this.timeout(shortOrLong(300_000, 900_000))
  let directory: string
  let own: Awaited<ReturnType<typeof openEmptyDatabase>>
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let server: ServerProcess
  let session: string

  const start = async () => {
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: own.url,
      MASTER_KEY: testMasterKey,
      OWNER_PASSWORD: 'password of the owner',
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    })
  }
  const ask = async <T>(method: string, path: string, input?: unknown): Promise<T> => {
    const body = input === undefined ? {} : { body: JSON.stringify(input) }
    const reply = await fetch(`${server.url}${path}${session ? `?session=${session}` : ''}`, { method, ...body })
    return (await reply.json()) as T
  }
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'coppice-import-'))
    own = await openEmptyDatabase()
    external = await openEmptyDatabase()
    await external.sql.unsafe(`
      create table reading as
      select 'M' || n % 100 as meter, n::bigint * 1000 as at, n % 7 + 0.5 as v from generate_series(1, ${rows}) n`)
    session = ''
    await start()
    const login = { email: 'owner@localhost', password: 'password of the owner' }
    session = (await ask<{ sessionUid: string }>('POST', '/api/login', login)).sessionUid
  })
  after(async () => {
    await server.end('SIGTERM')
    await own.drop()
    await external.drop()
    await rm(directory, { recursive: true })
  })

  it('stores nothing of that run, and all of it in the next, within its memory', async () => {
    const { user } = await ask<{ user: { uid: string }[] }>('GET', '/api/user')
    const [organization] = await own.sql<{ uid: string }[]>`select uid from organization`
    const connectionUid = await addConnection({ sql: own.sql, organizationUid: organization!.uid }, external.url)
    const { connector } = await ask<{ connector: { uid: string } }>('POST', '/api/connector', {
      type: 'import',
      name: 'meters',
      connectionUid,
      runningUserUid: user[0]!.uid,
      externalSql: 'select meter, at, v from reading',
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
        SELECT m, 'v', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)`,
    })
    const path = `/api/connector/${connector.uid}/run`
    const countOf = async () => (await own.sql<[{ count: number }]>`select count(*) from sample`)[0].count
    /** The newest run is another than that before, and so far. */
    const isAt = async (before: number, isFar: (run: { fetched: number; isOver: boolean }) => boolean) => {
      const [run] = await own.sql<{ key: number; fetched: number; isBegun: boolean; isOver: boolean }[]>`
        select key, fetched, started_at < 'infinity' as "isBegun", ended_at is not null as "isOver"
        from import_run order by key desc limit 1`
      return run !== undefined && run.key > before && run.isBegun && isFar(run)
    }
    /** A run that waited goes on with the next server, and the database may not know yet that a server is gone. */
    const run = async (): Promise<RunAnswer> => {
      for (;;) {
        const answer = await ask<RunAnswer & { code?: string }>('POST', path)
        if (answer.code !== 'conflict') return answer
        await sleep(50)
      }
    }
    const lastKey = async () =>
      (await own.sql<[{ key: number }]>`select coalesce(max(key), 0) as key from import_run`)[0].key
    let killed = 0
    for (const moment of shortOrLong(
      ['begun'] as const,
      ['begun', 'fetching', 'fetching', 'later', 'later'] as const,
    )) {
      const before = await lastKey()
      const running = run().catch(() => undefined)
      await eventually(() => isAt(before, ({ fetched, isOver }) => moment === 'begun' || fetched > 0 || isOver))
      if (moment === 'later') await sleep(1000)
      if ((await countOf()) === 0) killed += 1
      await server.end('SIGKILL')
      await running
      const count = await countOf()
      assert.ok(count === 0 || count === rows, String(count))
      await start()
    }
    assert.ok(killed > 0)
    const { success, message } = await run()
    assert.deepEqual([success, message], [true, ''])
    assert.equal(await countOf(), rows)
    const { run: runs } = await ask<{ run: ShownRun[] }>('GET', path)
    assert.equal(runs.filter(({ error }) => error === 'the server stopped while it ran').length >= 1, true)
    assert.equal(
      runs.every(({ end }) => end !== null),
      true,
    )
    await server.assertMemory()
  })
})
