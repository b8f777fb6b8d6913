// How many connections to the database a server takes, whatever its callers do, and what is said when there are none left.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import {
  connectionsInAll,
  defaultConnections,
  divideConnections,
  leastConnections,
  writerLanes,
} from '../../src/base/database/connections.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { crowd } from '../support/crowd.ts'
import type { TestDatabase } from '../support/database.ts'
import { openEmptyDatabase, openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { targetFrom } from '../support/outbound.ts'
import type { ServerOwner } from '../support/server-owner.ts'
import { makeKey, makeSink, ownerPassword, signInOwner } from '../support/server-owner.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { eventually } from '../support/within.ts'

describe('connections to the database', function () {
  let database: TestDatabase
  let directory: string
  let server: ServerProcess | undefined
  beforeEach(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('connections')
  })
  afterEach(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database.drop()
  })
  const start = async (environment: Readonly<Record<string, string>>) =>
    (server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_PASSWORD: ownerPassword,
      ...environment,
    }))
  const limit = (most: number) =>
    database.sql.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} connection limit ${most}`).execute()
  /** Those of the server, at this moment. */
  const countOpen = async () => {
    const [row] = await database.sql<[{ count: number }]>`
      select count(*)::integer as count
      from pg_stat_activity
      where datname = current_database() and application_name <> 'test' and backend_type = 'client backend'`
    return row.count
  }
  /** Calls of all kinds, so that every pool of the server has more to do than it has connections. */
  const kinds = (
    url: string,
    credential: string,
    key = serverApiKey,
  ): readonly ((n: number) => Promise<Response>)[] => {
    const put = (path: string, body?: string) =>
      fetch(`${url}${path}&api_key=${key}`, { method: 'PUT', ...(body === undefined ? {} : { body }) })
    const get = (path: string) => fetch(`${url}${path}api_key=${key}`)
    const s = encodeURIComponent("SELECT cid, id, sample FROM Stream WHERE cid = 'Known'")
    return [
      (n) => put(`/api/feed?compId=Known&a=${n}`),
      (n) => put(`/api/feed?compId=New-${n}&a=1`),
      (n) => put(`/api/comp/Files/stream/f/feed/file/x?time=${n + 1}`, 'content'),
      () => get('/api/comp/Known/feed?'),
      () => get('/api/comp/Known/last_value?'),
      () => get('/api/comp/Known/cycle/day/stat/avg/feed?'),
      () => fetch(`${url}/api/gql?s=${s}&${credential}`),
      (n) =>
        fetch(`${url}/api/unit?${credential}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id: `u${n}`, name: 'u', symbol: 'u' }),
        }),
      (n) => get(`/api/comp/Known/feed?org=${n}&`),
    ]
  }

  it('takes as many as DATABASE_CONNECTIONS says at most, and serves everybody with them', async () => {
    const most = leastConnections

    const { url } = await start({ DATABASE_CONNECTIONS: String(most) })
    const calls = kinds(url, (await signInOwner(url)).credential)
    assert.equal((await calls[0]!(0)).status, 200)
    let highest = 0
    const over = new AbortController()
    const looking = (async () => {
      for (; !over.signal.aborted; await pause(20)) highest = Math.max(highest, await countOpen())
    })()
    const statuses = await crowd(270, 90, async (n) => {
      const reply = await calls[n % calls.length]!(n)
      await reply.arrayBuffer()
      return reply.status
    })
    over.abort()
    await looking
    // The last kind names another organization than the key's.
    assert.deepEqual(new Set(statuses), new Set([200, 201, 403]))
    assert.ok(highest <= most, `${highest} connections`)
  })

  /** Imports, exports, sinks, live feeds and derivations beside. */
  const furtherKinds = async (url: string, owner: ServerOwner, externalUrl: string) => {
    const { host, port, database: name, user, password } = targetFrom('postgresql', externalUrl)
    const target = { kind: 'postgresql', host, port, database: name, user, password, tls: false }
    const runs: string[] = []
    // An organization has two runs at once in a process, and a connection one.
    for (const id of ['one', 'two', 'three', 'four']) {
      const { connection } = (await owner.ask('POST', '/api/connection', { ...target, name: id })) as {
        connection: { uid: string }
      }
      const { connector } = (await owner.ask('POST', '/api/connector', {
        type: 'import',
        name: id,
        connectionUid: connection.uid,
        runningUserUid: owner.uid,
        externalSql: 'select n, n from generate_series(1, 1000) n',
        ingestSql: `
          INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
          SELECT 'Import', '${id}', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v LONG)`,
      })) as { connector: { uid: string } }
      runs.push(`/api/connector/${connector.uid}/run?${owner.credential}`)
    }
    const stream = [{ id: 'a' }, { id: 'twice', expression: 'v * 2', variables: [{ name: 'v', streamId: 'a' }] }]
    await owner.ask('POST', '/api/component', { id: 'Derived', stream })
    const script = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT 'Sink', 'a', n, n FROM JSON_TABLE(@HTTP_BODY) WITH (n Long '$.n')`
    const sink = await makeSink(owner, 'sink', script)
    const key = `api_key=${serverApiKey}`
    return [
      (n: number) => fetch(`${url}${runs[n % runs.length]}`, { method: 'POST' }),
      () => fetch(`${url}/api/export?compId=Known&${key}`),
      (n: number) => fetch(`${url}${sink}`, { method: 'POST', body: JSON.stringify({ n: n + 1 }) }),
      () => fetch(`${url}/api/live?compId=Known&seconds=1&${key}`),
      (n: number) =>
        fetch(`${url}/api/feed?compId=Derived&a=1&time=${n + 1}&derMaxS=1&derTout=1000&${key}`, { method: 'PUT' }),
    ]
  }

  it('takes as many as docs/operations.md states at most with two workers and the defaults, while all wait for all', async () => {
    const external = await openEmptyDatabase()
    try {
      const { url, assertMemory } = await start({ WORKERS: '2', OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' })
      const owner = await signInOwner(url)
      const other = await owner.elsewhere('Another')
      const otherKey = await makeKey(other, 'component/*/feed', ['GET', 'PUT'])
      // The last of the first kinds is refused. An organization has half of most things: two of them fill all.
      const calls = [
        ...kinds(url, owner.credential).slice(0, -1),
        ...kinds(url, other.credential, otherKey).slice(0, -1),
        ...(await furtherKinds(url, owner, external.url)),
      ]
      const ask = async (n: number) => {
        const reply = await calls[n % calls.length]!(n)
        await reply.arrayBuffer()
        return reply.status
      }
      // Components are made, and writers open their connections.
      await crowd(calls.length * 2, 1, ask)
      const { calls: forCalls, ...shared } = divideConnections(defaultConnections)
      const ofWorkers = { ...shared, coppice: forCalls, reader: shared.readings, writer: writerLanes }
      const limits = new Map(Object.entries(ofWorkers).map(([name, most]) => [name, 2 * most]))
      // The jobs are the first process's. Each process has a pulse, and so has this one.
      limits.set('jobs', shared.jobs).set('pulse', 3 + 1)
      const highest = new Map<string, number>()
      const look = async () => {
        const found = await database.sql<{ name: string; count: number }[]>`
          select regexp_replace(application_name, '^coppice ', '') as name, count(*)::integer as count
          from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and application_name <> 'test'
          group by 1`
        for (const { name, count: now } of found) highest.set(name, Math.max(highest.get(name) ?? 0, now))
        return found.reduce((sum, { count: now }) => sum + now, 0)
      }
      let statuses: Promise<readonly number[]> | undefined
      let most = 0
      await transaction(database.sql, async (sql) => {
        // Whoever has a connection keeps it, so that pools are filled.
        await sql`lock table sample in access exclusive mode`
        statuses = crowd(calls.length * 20, calls.length * 20, ask)
        await eventually(async () => (most = Math.max(most, await look())) >= 50)
      })
      // Some waited for too long.
      assert.equal((await statuses!).includes(500), false)
      await eventually(async () => (await ask(0)) === 200)
      await look()
      // One that is only being opened has no name yet: it is counted among all.
      highest.delete('')
      for (const [name, taken] of highest)
        assert.ok(taken <= (limits.get(name) ?? 0), `${name}: ${taken} connections of ${limits.get(name) ?? 0}`)
      assert.ok(most <= connectionsInAll(defaultConnections, 2) + 1, `${most} connections`)
      await assertMemory()
    } finally {
      await server?.end('SIGTERM')
      await external.drop()
    }
  })

  it('says at the start when the database has fewer than this server may open', async () => {
    await limit(43)
    const { lines } = await start({})
    const isWarning = (line: string) => line.includes('"level":"warn"') || line.includes('"level":40')
    // A machine whose processes may open few files is another matter.
    const warnings = lines.filter((line) => isWarning(line) && !line.includes('ulimit -n'))
    assert.equal(warnings.length, 1, lines.join('\n'))
    assert.match(
      warnings[0]!,
      /this server opens up to 48 connections, and the database has 43 for it: raise its max_connections, or lower DATABASE_CONNECTIONS or WORKERS/,
    )
  })

  it('answers 503 database_busy while the database takes no more, says why in the log, and goes on later', async () => {
    const { url, lines } = await start({})
    const calls = kinds(url, (await signInOwner(url)).credential).slice(0, -1)
    assert.equal((await calls[0]!(0)).status, 200)
    await limit(0)
    const replies = await crowd(calls.length * 4, 16, async (n) => {
      const reply = await calls[n % calls.length]!(n)
      return { status: reply.status, text: await reply.text() }
    })
    await limit(-1)
    const refused = replies.filter(({ status }) => status !== 200 && status !== 201)
    assert.deepEqual(
      [...new Set(refused.map(({ text }) => text))],
      ['{"success":false,"code":"database_busy","message":"the database takes no more connections"}'],
    )
    assert.ok(lines.some((line) => line.includes('max_connections is reached')))
    // A finding is believed for a tenth of a second.
    await pause(500)
    for (const [index, call] of calls.entries()) assert.ok((await call(1000 + index)).status < 300, String(index))
  })
})
