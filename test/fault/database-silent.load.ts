// The database falls silent under a running server, and closes nothing: it is frozen, or the network is cut. Every call
// is answered all the same, none with a success that is not known, and there is service again when it speaks again.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newDirectory } from '../support/directory.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import type { Relay } from '../support/relay.ts'
import { openRelay } from '../support/relay.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { openMinutes, shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

const away = '{"success":false,"code":"database_away","message":"the database is away"}'

describe('a database that falls silent', function () {
  let directory: string
  let database: OwnDatabase
  let relay: Relay
  let server: ServerProcess
  before(async () => {
    directory = await newDirectory('silent')
    database = await openOwnDatabase(join(directory, 'postgres'))
    await database.start()
    relay = await openRelay(database.url)
    server = await startServer({ DATA_DIR: join(directory, 'server'), DATABASE_URL: relay.url, LOG_LEVEL: 'info' })
  })
  after(async () => {
    await server?.end('SIGTERM')
    await relay?.close()
    await database?.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  const call = async (method: string, path: string, waitMs: number, body?: string | FormData) => {
    const reply = await fetch(`${server.url}${path}${path.includes('?') ? '&' : '?'}api_key=${serverApiKey}`, {
      method,
      signal: AbortSignal.timeout(waitMs),
      ...(body === undefined ? {} : { body }),
    })
    return { status: reply.status, text: await reply.text(), retryAfter: reply.headers.get('retry-after') }
  }
  const filePath = '/api/comp/Files/stream/f/feed/file/a.txt'
  const fileForm = () => {
    const form = new FormData()
    form.append('file', new Blob(['content']), 'a.txt')
    return form
  }
  /** More at once than there are connections of any kind. */
  const callAll = (n: number, waitMs: number) =>
    Promise.all([
      ...Array.from({ length: 20 }, (_, i) => call('PUT', `/api/feed?compId=Known&a=${i}&time=${n + i}`, waitMs)),
      ...Array.from({ length: 20 }, (_, i) => call('PUT', `/api/feed?compId=New-${n}-${i}&a=1`, waitMs)),
      ...Array.from({ length: 20 }, () => call('GET', '/api/comp/Known/feed', waitMs)),
      call('PUT', '/api/feed', waitMs, `[{"compId":"Known","streamId":"a","data":1,"time":${n}}]`),
      call('GET', '/api/comp/Known/last_value?retFData', waitMs),
      call('GET', '/api/comp/Known/stream/a/cycle/day/stat/avg/feed', waitMs),
      call('GET', filePath, waitMs),
      call('PUT', filePath, waitMs, fileForm()),
    ])
  const isServing = async () => {
    const answers = [
      await call('PUT', '/api/feed?compId=Known&a=1&time=1', 30_000),
      await call('PUT', `/api/feed?compId=Again-${Date.now()}&a=1`, 30_000),
      await call('GET', '/api/comp/Known/feed?limit=1', 30_000),
      await call('GET', '/readyz', 30_000),
      await call('GET', filePath, 30_000),
    ]
    return answers.every(({ status }) => status === 200)
  }

  const ways = {
    'is frozen': { end: () => database.freeze(), begin: () => database.thaw() },
    'is cut off': { end: async () => relay.cut(), begin: async () => relay.mend() },
  }
  // Frozen, it still takes what is sent; cut off, nothing. Half a minute each, which is mostly waiting.
  const tried = Object.entries(ways).slice(0, shortOrLong(1, 2))
  for (const [index, [way, { end, begin }]] of tried.entries())
    it(`leaves no call unanswered when it ${way}, and is used again when it is back`, async () => {
      const n = (index + 1) * 1_000_000
      assert.equal((await call('PUT', '/api/feed?compId=Known&a=7&time=7', 30_000)).status, 200)
      assert.equal((await call('PUT', filePath, 30_000, fileForm())).status, 200)
      await callAll(n, 30_000)
      try {
        await end()
        const first = callAll(n + 1000, 60_000)
        assert.equal((await call('GET', '/readyz', 10_000)).status, 503)
        for (const { status, text, retryAfter } of await first) {
          assert.equal(text, away)
          assert.equal(status, 503)
          assert.match(retryAfter ?? '', /^\d+$/)
        }
        // In npm run soak for a minute, with calls all the time.
        const isTime = openMinutes(shortOrLong(0, 1))
        do for (const { text } of await callAll(n + 2000, 60_000)) assert.equal(text, away)
        while (isTime())
        assert.equal((await call('GET', '/readyz', 10_000)).status, 503)
        assert.equal((await call('GET', '/healthz', 10_000)).status, 200)
      } finally {
        await begin()
      }
      await eventually(isServing)
      // Soon all connections work, also those that were being opened when it came back.
      await eventually(async () => (await callAll(n + 3000, 30_000)).every(({ status }) => status === 200))
      const reply = await call('GET', '/api/comp/Known/feed?sd=7&ed=8', 30_000)
      assert.equal(reply.text, '[{"time":7,"data":7}]')
      assert.ok(server.isRunning())
      await server.assertMemory()
    })
})
