// A server that is killed in the middle of an upload: nothing of the file is ever seen, and the next server sweeps up.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pieceBytes } from '../../src/core/file/blob-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { spawnServer } from '../support/server-process.ts'
import { openTestDatabase } from '../support/database.ts'
import { openRandom } from '../support/random.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const apiKey = 'key-of-a-killed-server'
const address = `/api/comp/Gate/stream/photo/feed/file/a.bin?time=1000&api_key=${apiKey}`

describe('a server that is killed', function () {
  let database: TestDatabase
  let directory: string
  let server: ChildProcess | undefined
  let url: string
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('killed')
  })
  after(async () => {
    await stop('SIGKILL')
    await rm(directory, { recursive: true })
    await database.drop()
  })

  const start = async () => {
    server = await spawnServer({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      FEED_API_KEY: apiKey,
    })
    url = ''
    for await (const line of createInterface({ input: server.stdout! })) {
      url = /listening on (http:[^"\s]+)/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
    assert.notEqual(url, '', 'the server did not start')
    server.stdout!.resume()
  }
  const stop = async (signal: NodeJS.Signals) => {
    if (server?.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const pieces = async () => {
    const [row] = await database.sql<[{ count: number }]>`select count(*)::integer as count from blob_piece`
    return row.count
  }

  it('leaves no new file in the middle of an upload, the old one whole, and pieces that are swept', async () => {
    await start()
    const old = openRandom(60).bytes(2 * pieceBytes)
    assert.equal((await fetch(`${url}${address}`, { method: 'PUT', body: Uint8Array.from(old) })).status, 200)
    const wire = await openWire(url)
    wire.send(`PUT ${address} HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n`)
    wire.send(Buffer.alloc(5 * pieceBytes + 1))
    await eventually(async () => (await pieces()) === 7)
    await stop('SIGKILL')
    wire.close()

    assert.equal(await pieces(), 7)
    // As if the grace period were over when the next server starts.
    await database.sql`update blob set check_at = now()`
    await start()
    await eventually(async () => (await pieces()) === 2)
    const reply = await fetch(`${url}${address}`)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(old))
    const listed = await fetch(`${url}/api/comp/Gate/feed?api_key=${apiKey}`)
    assert.equal(((await listed.json()) as unknown[]).length, 1)
  })

  it('has lost nothing of an upload that it acknowledged right before', async () => {
    const bytes = openRandom(61).bytes(9 * pieceBytes + 3)
    assert.equal((await fetch(`${url}${address}`, { method: 'PUT', body: Uint8Array.from(bytes) })).status, 200)
    await stop('SIGKILL')
    await start()
    const reply = await fetch(`${url}${address}`)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(bytes))
  })
})
