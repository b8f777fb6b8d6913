// A game of uploads, listeners and servers that are killed: listeners come back, at any server, with the last id that they
// have, and each has seen every sample that was acknowledged since it first listened.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { LiveListener } from '../support/live.ts'
import { listen } from '../support/live.ts'
import { withSeed } from '../support/random.ts'
import type { Random } from '../support/random.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { testMasterKey } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually, within } from '../support/within.ts'

const rounds = shortOrLong(2, 100)
const components = ['A', 'B', 'C']
const streams = ['x', 'y']

describe('listeners of servers that are killed', function () {
  this.timeout(shortOrLong(300_000, 3_600_000))
  let database: TestDatabase
  const servers: ServerProcess[] = []
  before(async () => {
    database = await openTestDatabase()
    servers.push(await start(), await start())
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    await database.drop()
  })
  const start = async () =>
    startServer({ DATA_DIR: await newDirectory('live'), DATABASE_URL: database.url, MASTER_KEY: testMasterKey })

  /** Follows a query, from one server to the next. */
  const follow = (random: Random, query: string) => {
    const seen = new Set<string>()
    const gaps: string[] = []
    const leaving = new AbortController()
    let isLive = false
    let current: LiveListener | undefined
    const run = async (): Promise<void> => {
      let id = ''
      while (!leaving.signal.aborted) {
        const { url } = random.pick(servers)
        const address = `${url}/api/live?${query}&api_key=${serverApiKey}`
        current = await listen(address, id === '' ? {} : { 'Last-Event-ID': id }).catch(() => undefined)
        if (current === undefined) {
          await sleep(50)
          continue
        }
        const taken = { events: 0 }
        const take = () => {
          for (const { event, data } of current!.events.slice(taken.events)) {
            taken.events += 1
            if (event === 'gap') gaps.push(data)
            if (event === 'live') isLive = true
            if (event !== 'message') continue
            const sample = JSON.parse(data) as { compId: string; streamId: string; time: number }
            seen.add(`${sample.compId}.${sample.streamId} ${sample.time}`)
          }
        }
        while (!current.isEnded() && !leaving.signal.aborted) {
          take()
          await sleep(20)
          // Some leave by themselves.
          if (random.integer(200) === 0) current.leave()
        }
        take()
        current.leave()
        id = current.lastId() || id
      }
    }
    const running = run()
    return {
      query,
      seen,
      gaps,
      isLive: () => isLive,
      stop: async () => {
        leaving.abort()
        await running
      },
    }
  }

  const followers: ReturnType<typeof follow>[] = []

  it('have seen every acknowledged sample, and were never told of a gap', () =>
    withSeed(async (random) => {
      const acknowledged: string[] = []
      let time = 1_700_000_000_000
      const put = async (): Promise<void> => {
        const compId = random.pick(components)
        const names = random.integer(3) === 0 ? streams : [random.pick(streams)]
        const times = Array.from({ length: random.integer(4) === 0 ? 20 : 1 }, () => (time += 1000))
        const body = names.flatMap((streamId) => times.map((at) => ({ compId, streamId, time: at, data: at % 97 })))
        const isUrl = times.length === 1 && names.length === 1
        const address = isUrl ? `compId=${compId}&${names[0]}=1&time=${times[0]}` : ''
        const { url } = random.pick(servers)
        const reply = await fetch(`${url}/api/feed?${address}&api_key=${serverApiKey}`, {
          method: 'PUT',
          ...(isUrl ? {} : { body: JSON.stringify(body) }),
        }).catch(() => undefined)
        if (reply?.status !== 200) await sleep(20)
        else for (const { streamId, time: at } of body) acknowledged.push(`${compId}.${streamId} ${at}`)
      }
      for (const compId of components)
        await fetch(`${servers[0]!.url}/api/feed?compId=${compId}&x=1&y=1&time=1&api_key=${serverApiKey}`, {
          method: 'PUT',
        })
      for (const query of ['compId=A', 'compId=B&streamId=x', 'folder=/Components', 'compId=A&streamId=y&compId=C'])
        followers.push(follow(random, query))
      await eventually(() => Promise.resolve(followers.every(({ isLive }) => isLive())))
      const stopping = new AbortController()
      const uploading = Array.from({ length: 4 }, async () => {
        while (!stopping.signal.aborted) await put()
      })
      for (let round = 0; round < rounds; round += 1) {
        const enough = acknowledged.length + shortOrLong(60, 300) + random.integer(100)
        await eventually(() => Promise.resolve(acknowledged.length >= enough))
        const at = random.integer(servers.length)
        await servers[at]!.end('SIGKILL')
        servers[at] = await start()
      }
      stopping.abort()
      await Promise.all(uploading)
      for (const { query, seen, gaps } of followers) {
        const parameters = new URLSearchParams(query)
        const hears = (name: string) =>
          parameters.has('folder') ||
          (query === 'compId=A' && name.startsWith('A.')) ||
          (query === 'compId=B&streamId=x' && name.startsWith('B.x ')) ||
          (query.endsWith('compId=C') && (name.startsWith('C.') || name.startsWith('A.y ')))
        const expected = acknowledged.filter(hears)
        assert.ok(expected.length > 0)
        await within(shortOrLong(20_000, 60_000), () =>
          Promise.resolve(expected.every((name) => seen.has(name))),
        ).catch(() =>
          assert.deepEqual(
            expected.filter((name) => !seen.has(name)),
            [],
            query,
          ),
        )
        assert.deepEqual(gaps, [], query)
      }
    }).finally(() => Promise.all(followers.splice(0).map(({ stop }) => stop()))))
})
