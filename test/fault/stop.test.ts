// A server that is asked to stop: everybody who waits for a reply gets it, and is told to leave with it.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { openWire } from '../support/wire.ts'

describe('a server that is asked to stop', function () {
  this.timeout(60_000)
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
    /** Asks again and again; gives the statuses until it is told to leave. */
    const ask = async (request: string): Promise<readonly string[]> => {
      const wire = await openWire(server.url)
      const seen: string[] = []
      for (;;) {
        wire.send(request)
        const { statusLine, headers } = await wire.reply()
        seen.push(statusLine)
        if (headers.includes('Connection: close')) {
          await wire.rest()
          return seen
        }
      }
    }
    // The component is there before it is read.
    const first = await openWire(server.url)
    first.send(requests[0]!)
    await first.reply()
    first.close()
    const asking = Array.from({ length: 16 }, (_, n) => ask(requests[n % 2]!))
    await pause(300)
    await server.end('SIGTERM')
    for (const seen of await Promise.all(asking)) assert.deepEqual([...new Set(seen)], ['HTTP/1.1 200 OK'])
    assert.equal(await stuck.rest(), '')
  })
})
