// A server that is asked to stop: every client that waits for a reply gets it, with the request to leave.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

describe('a server that is asked to stop', function () {
  let database: TestDatabase
  let directory: string
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('stop')
  })
  after(async () => {
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  it('ends every busy connection with a reply that says so, and is not held up by those that are stuck', async () => {
    const server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
    const requests = [
      `PUT /api/feed?compId=A&a=1&api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /api/comp/A/feed?limit=1&api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
    const stuck = await openWire(server.url)
    stuck.send(`PUT /api/feed?api_key=${serverApiKey} HTTP/1.1\r\nContent-Length: 100\r\n\r\n[`)
    // The component is there before it is read.
    const first = await openWire(server.url)
    first.send(requests[0]!)
    await first.reply()
    first.close()
    const asking = await Promise.all(Array.from({ length: 16 }, () => openWire(server.url)))
    let stopping: Promise<void> | undefined
    await transaction(database.sql, async (sql) => {
      // All of them wait for this when the server is asked to stop.
      await sql`lock table sample in access exclusive mode`
      for (const [n, wire] of asking.entries()) wire.send(requests[n % 2]!)
      await eventually(async () => {
        const kinds = await database.sql`
          select distinct mode from pg_locks where not granted and locktype = 'relation' and mode ~ 'Access|RowExcl'`
        return kinds.length > 1
      })
      // Bytes sent before this call have been read when it is answered.
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
      stopping = server.end('SIGTERM')
      await eventually(() =>
        fetch(`${server.url}/healthz`).then(
          ({ status }) => status !== 200,
          () => true,
        ),
      )
    })
    for (const wire of asking) {
      const { statusLine, headers } = await wire.reply()
      assert.equal(statusLine, 'HTTP/1.1 200 OK')
      assert.ok(headers.includes('Connection: close'), headers.join())
      assert.equal(await wire.rest(), '')
    }
    await stopping
    assert.equal(await stuck.rest(), '')
  })

  for (const workers of [1, 2])
    it(`serves a proxy until that can know by /readyz that it leaves, with WORKERS=${workers}`, async () => {
      const server = await startServer({
        DATA_DIR: directory,
        DATABASE_URL: database.url,
        TRUSTED_PROXIES: '127.0.0.1',
        WORKERS: String(workers),
      })
      const body = '[{"compId":"A","streamId":"a","data":1}]'
      const request = `PUT /api/feed?api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const used = await openWire(server.url)
      used.send(request)
      assert.equal((await used.reply()).statusLine, 'HTTP/1.1 200 OK')
      const stopping = server.end('SIGTERM')
      await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 503)
      for (const wire of [used, await openWire(server.url)]) {
        wire.send(request)
        const { statusLine, headers } = await wire.reply()
        assert.equal(statusLine, 'HTTP/1.1 200 OK')
        assert.ok(headers.includes('Connection: close'), headers.join())
      }
      await stopping
    })

  it('answers a call that takes six seconds more', async () => {
    const server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
    await fetch(`${server.url}/api/feed?compId=A&a=1&api_key=${serverApiKey}`, { method: 'PUT' })
    const wire = await openWire(server.url)
    let stopping: Promise<void> | undefined
    await transaction(database.sql, async (sql) => {
      await sql`lock table sample in access exclusive mode`
      wire.send(`GET /api/comp/A/feed?limit=1&api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await eventually(async () => {
        const waiting = await database.sql`
          select from pg_locks where not granted and locktype = 'relation' and mode ~ 'AccessShare'`
        return waiting.length > 0
      })
      stopping = server.end('SIGTERM')
      await sleep(6000)
    })
    assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
    await stopping
  })
})
