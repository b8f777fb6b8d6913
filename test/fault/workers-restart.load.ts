// WORKERS that are ended one by one, as an operator does who wants to be rid of what they hold: others take the calls.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

describe('workers that are restarted one by one', function () {
  this.timeout(shortOrLong(240_000, 1_200_000))
  let directory: string
  let database: TestDatabase
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('workers-restart')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url, WORKERS: '2', LOG_LEVEL: 'info' })
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  const replaced = () => server.lines.filter((line) => line.includes('a worker serves in place')).length

  const ask = (agent: Agent, method: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(`${server.url}${path}&api_key=${serverApiKey}`, { method, agent }, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode!))
      })
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // An idle connection may be closed by either side at any time: a client asks again by another one.
        if (asked.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(ask(agent, method, path))
        else reject(error)
      })
      asked.end()
    })

  it('fail no call, of clients that keep their connections or open new ones', async () => {
    const game = { isOver: false }
    const acknowledged = new Set<number>()
    let next = 0
    const play = async (keepAlive: boolean) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      while (!game.isOver) {
        const time = (next += 1)
        assert.equal(await ask(agent, 'PUT', `/api/feed?compId=Known&a=${time}&time=${time}`), 200)
        acknowledged.add(time)
        assert.equal(await ask(agent, 'GET', '/api/comp/Known/last_value?x'), 200)
      }
      agent.destroy()
    }
    const clients = [true, true, true, false, false].map(play)
    const failed = Promise.all(clients)
    const orFailed = (work: Promise<void>) => Promise.race([failed.then(() => {}), work])
    try {
      for (let round = 0; round < shortOrLong(1, 20); round += 1)
        for (const pid of await server.workers()) {
          const before = { replaced: replaced(), acknowledged: acknowledged.size }
          // Twice, as by a supervisor that signals all processes and a primary that hands it on.
          process.kill(pid, 'SIGTERM')
          process.kill(pid, 'SIGTERM')
          await orFailed(eventually(async () => replaced() > before.replaced))
          await orFailed(eventually(async () => acknowledged.size > before.acknowledged + 20))
        }
    } finally {
      game.isOver = true
    }
    await failed
    const ends = server.lines
      .filter((line) => line.includes('a worker ended'))
      .map((line) => JSON.parse(line) as object)
    assert.deepEqual(
      ends.map((end) => (end as { exitCode: number }).exitCode),
      ends.map(() => 0),
    )
    const [row] = await database.sql<[{ count: number }]>`select count(*)::integer as count from sample`
    assert.equal(row.count, acknowledged.size)
  })
})
