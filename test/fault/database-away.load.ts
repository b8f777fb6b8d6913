// The database stops and starts again under a running server: calls get 503 with Retry-After instead of waiting, the
// server neither ends nor grows, and serves again soon after the database is back.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newDirectory } from '../support/directory.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { eventually, within } from '../support/within.ts'

describe('a database that goes away', function () {
  let directory: string
  let database: OwnDatabase
  let server: ServerProcess
  before(async () => {
    directory = await newDirectory('away')
    database = await openOwnDatabase(join(directory, 'postgres'))
    await database.start()
    server = await startServer({ DATA_DIR: join(directory, 'server'), DATABASE_URL: database.url, LOG_LEVEL: 'info' })
  })
  after(async () => {
    await server?.end('SIGTERM')
    await database?.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  const call = (method: string, path: string, body?: string) =>
    fetch(`${server.url}${path}${path.includes('?') ? '&' : '?'}api_key=${serverApiKey}`, {
      method,
      // A call that waits for longer than this is not answered, on a machine of any speed.
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body }),
    })
  const calls = (n: number): readonly (readonly [method: string, path: string, body?: string])[] => [
    ['PUT', `/api/feed?compId=Known&a=${n}`],
    ['PUT', `/api/feed?compId=New-${n}&a=1`],
    ['PUT', `/api/feed?compId=Known&a=1&rsid=a`],
    ['PUT', '/api/feed', `[{"compId":"Known","streamId":"a","data":${n}}]`],
    ['GET', '/api/comp/Known/feed'],
    ['GET', '/api/comp/Known/last_value?retFData'],
    ['GET', '/readyz'],
  ]
  const away = '{"success":false,"code":"database_away","message":"the database is away"}'
  const oauthAway = { error: 'temporarily_unavailable', error_description: 'the database is away' }
  const assertAway = async (reply: Response) => {
    assert.equal(await reply.text(), away)
    assert.equal(reply.status, 503)
    assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
  }
  /** Whether all kinds of calls are served: they do not share their connections. */
  const isServing = async () => {
    const statuses: number[] = []
    for (const [method, path] of [
      ['PUT', '/api/feed?compId=Known&a=1&time=1'],
      ['GET', '/api/comp/Known/feed?limit=1'],
      ['GET', '/readyz'],
    ] as const) {
      const reply = await call(method, path)
      await reply.text()
      statuses.push(reply.status)
    }
    return statuses.every((status) => status === 200)
  }

  const servesAfter = async (begin: () => Promise<void>) => {
    await begin()
    await within(30_000, isServing)
  }

  const ways = {
    'is stopped': { end: () => database.stop(), begin: () => database.start() },
    'is killed': { end: () => database.kill(), begin: () => database.start() },
  }
  for (const [way, { end, begin }] of Object.entries(ways))
    it(`answers 503 with Retry-After when it ${way}, and is used again soon after its return`, async () => {
      assert.equal((await call('PUT', '/api/feed?compId=Known&a=7&time=7')).status, 200)
      await end()
      for (let n = 0; n < 3; n += 1)
        for (const [method, path, body] of calls(n)) await assertAway(await call(method, path, body))
      // OAuth has a shape of its own for errors.
      for (const path of ['oauth_access_token', 'oauth_revoke', 'oauth_introspect']) {
        const form = 'grant_type=refresh_token&refresh_token=x&client_id=x&token=x'
        const reply = await call('POST', `/api/${path}`, form)
        assert.deepEqual([reply.status, await reply.json()], [503, oauthAway], path)
        assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
        assert.equal(reply.headers.get('cache-control'), 'no-store')
      }
      assert.equal((await call('GET', '/healthz')).status, 200)
      await servesAfter(begin)
      const reply = await call('GET', '/api/comp/Known/feed?sd=7&ed=8')
      assert.equal(await reply.text(), '[{"time":7,"data":7}]')
      assert.equal((await call('GET', '/readyz')).status, 200)
    })

  it('leaves no call unanswered under load, answers none with 500, and keeps memory bounded', async () => {
    const statuses = new Map<number, number>()
    const state = { isOver: false, next: 0 }
    const load = async () => {
      while (!state.isOver) {
        state.next += 1
        const kinds = calls(state.next % 500)
        const [method, path, body] = kinds[state.next % kinds.length]!
        const reply = await call(method, path, body)
        await reply.text()
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        // As a device does, it tries again in a moment; without that, refusals take both cores from what they wait for.
        if (reply.status === 503) await pause(100)
      }
    }
    const running = Promise.all(Array.from({ length: 64 }, load))
    const answered = (status: number, more: number) => {
      const wanted = (statuses.get(status) ?? 0) + more
      return eventually(async () => (statuses.get(status) ?? 0) >= wanted)
    }
    for (const { end, begin } of Object.values(ways)) {
      await answered(200, 100)
      await end()
      await answered(503, 500)
      await servesAfter(begin)
    }
    state.isOver = true
    await running
    assert.deepEqual(
      [...statuses.keys()].toSorted((a, b) => a - b),
      [200, 503],
      JSON.stringify([...statuses]),
    )
    assert.ok(server.isRunning())
    await server.assertMemory()
    // All of it works again, not just what was tried first.
    for (let n = 0; n < 40; n += 1) assert.equal((await call('GET', '/api/comp/Known/feed?limit=1')).status, 200)
  })
})
