// How many connections to the database a server takes, whatever its callers do, and what is said when there are none left.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { crowd } from '../support/crowd.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'

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
      OWNER_PASSWORD: 'password of the owner',
      ...environment,
    }))
  const limit = (most: number) =>
    database.sql.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} connection limit ${most}`).execute()
  /** Those of the server, at this moment. */
  const count = async () => {
    const [row] = await database.sql<[{ count: number }]>`
      select count(*)::integer as count
      from pg_stat_activity
      where datname = current_database() and application_name like 'coppice%'`
    return row.count
  }
  const session = async (url: string) => {
    const reply = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'owner@localhost', password: 'password of the owner' }),
    })
    return ((await reply.json()) as { sessionUid: string }).sessionUid
  }
  /** Calls of all kinds, so that every pool of the server has more to do than it has connections. */
  const kinds = (url: string, sessionUid: string): readonly ((n: number) => Promise<Response>)[] => {
    const put = (path: string, body?: string) =>
      fetch(`${url}${path}&api_key=${serverApiKey}`, { method: 'PUT', ...(body === undefined ? {} : { body }) })
    const get = (path: string) => fetch(`${url}${path}api_key=${serverApiKey}`)
    const s = encodeURIComponent("SELECT cid, id, sample FROM Stream WHERE cid = 'Known'")
    return [
      (n) => put(`/api/feed?compId=Known&a=${n}`),
      (n) => put(`/api/feed?compId=New-${n}&a=1`),
      (n) => put(`/api/comp/Files/stream/f/feed/file/x?time=${n + 1}`, 'content'),
      () => get('/api/comp/Known/feed?'),
      () => get('/api/comp/Known/last_value?'),
      () => get('/api/comp/Known/cycle/day/stat/avg/feed?'),
      () => fetch(`${url}/api/gql?s=${s}&session=${sessionUid}`),
      (n) =>
        fetch(`${url}/api/unit?session=${sessionUid}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id: `u${n}`, name: 'u', symbol: 'u' }),
        }),
      (n) => get(`/api/comp/Known/feed?org=${n}&`),
    ]
  }

  it('takes as many as DATABASE_CONNECTIONS says at most, and serves everybody with them', async () => {
    const most = 27

    const { url } = await start({ DATABASE_CONNECTIONS: String(most) })
    const calls = kinds(url, await session(url))
    assert.equal((await calls[0]!(0)).status, 200)
    let highest = 0
    const over = new AbortController()
    const looking = (async () => {
      for (; !over.signal.aborted; await pause(20)) highest = Math.max(highest, await count())
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

  it('says at the start when the database has fewer than this server may open', async () => {
    await limit(43)
    const { lines } = await start({})
    const warnings = lines.filter((line) => line.includes('"level":"warn"') || line.includes('"level":40'))
    assert.equal(warnings.length, 1, lines.join('\n'))
    assert.match(
      warnings[0]!,
      /this server opens up to 44 connections, and the database has 43 for it: raise its max_connections, or lower DATABASE_CONNECTIONS or WORKERS/,
    )
  })

  it('answers 503 database_busy while the database takes no more, says why in the log, and goes on later', async () => {
    const { url, lines } = await start({})
    const calls = kinds(url, await session(url)).slice(0, -1)
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
