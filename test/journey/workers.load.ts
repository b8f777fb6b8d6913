// Several WORKERS: limits are exact over all of them, a revocation holds on all within a second, and each takes new connections as one
// process does.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { spawnServer } from '../support/server-process.ts'
import { openTestDatabase } from '../support/database.ts'
import { shortOrLong } from '../support/soak.ts'

const apiKey = 'key-of-several-workers'

describe('several workers', function () {
  let database: TestDatabase
  let directory: string
  let server: ChildProcess
  let url: string
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('workers')
    server = await spawnServer({
      PORT: '0',
      WORKERS: shortOrLong('2', '3'),
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      FEED_API_KEY: apiKey,
      RATE_LIMITS: 'feed=100/3600',
    })
    for await (const line of createInterface({ input: server.stdout! })) {
      url = /listening on (http:[^"\s]+)/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
    assert.notEqual(url, '', 'the server did not start')
    server.stdout!.resume()
  })
  after(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(directory, { recursive: true })
    await database.drop()
  })

  /** Each call by a connection of its own, which any of the workers accepts. */
  const status = (method: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ keepAlive: false })
      request(`${url}${path}&api_key=${apiKey}`, { method, agent }, (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
        .on('error', reject)
        .end()
    })

  it('let exactly as many calls pass as the limit says', async () => {
    const calls = Array.from({ length: 160 }, () => status('PUT', '/api/feed?compId=Boiler&temp=1'))
    const statuses = await Promise.all(calls)
    assert.equal(statuses.filter((one) => one === 200).length, 100)
    assert.equal(statuses.filter((one) => one === 429).length, 60)
  })

  it('forget a revoked key within a second', async () => {
    const read = () => Promise.all(Array.from({ length: 9 }, () => status('GET', '/api/comp/Boiler/feed?x')))
    assert.deepEqual(new Set(await read()), new Set([200]))
    await database.sql`update api_key set enabled = false`
    const revokedMs = Date.now()
    // Asked all the time, so that every worker has it in memory.
    while (Date.now() - revokedMs < 1000) {
      await read()
      await sleep(20)
    }
    assert.deepEqual(new Set(await read()), new Set([401]))
  })

  /** How often each process of the server listens on its port: it takes so many new connections in one turn of its loop. */
  const listeners = async (): Promise<readonly number[]> => {
    const hexPort = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
    const sockets = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
    const socket = sockets.find(([, local, , state]) => state === '0A' && local!.endsWith(`:${hexPort}`))!
    const children = (await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')).trim().split(' ')
    const counts = children.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`)
      const files = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
      return files.filter((file) => file === `socket:[${socket[9]}]`).length
    })
    return (await Promise.all(counts)).filter((count) => count > 0)
  }

  it('take many new connections in one turn of the loop, each of them', async () => {
    assert.deepEqual(new Set(await listeners()), new Set([64]))
  })
})
