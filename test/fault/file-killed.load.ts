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
const otherAddress = address.replace('a.bin?time=1000', 'b.bin?time=2000')

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

  it('leaves no new file in the middle of an upload, the old one whole, pieces that are swept, and all that it acknowledged', async () => {
    await start()
    const put = (place: string, bytes: Buffer) =>
      fetch(`${url}${place}`, { method: 'PUT', body: Uint8Array.from(bytes) })
    const old = openRandom(60).bytes(2 * pieceBytes)
    assert.equal((await put(address, old)).status, 200)
    const wire = await openWire(url)
    wire.send(`PUT ${address} HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n`)
    wire.send(Buffer.alloc(5 * pieceBytes + 1))
    await eventually(async () => (await pieces()) === 7)
    // Right before its end.
    const other = openRandom(61).bytes(9 * pieceBytes + 3)
    assert.equal((await put(otherAddress, other)).status, 200)
    await stop('SIGKILL')
    wire.close()

    assert.equal(await pieces(), 17)
    // As if the grace period were over when the next server starts.
    await database.sql`update blob set check_at = now()`
    await start()
    await eventually(async () => (await pieces()) === 12)
    for (const [place, bytes] of [
      [address, old],
      [otherAddress, other],
    ] as const)
      assert.ok(Buffer.from(await (await fetch(`${url}${place}`)).arrayBuffer()).equals(bytes), place)
    const listed = await fetch(`${url}/api/comp/Gate/feed?api_key=${apiKey}`)
    assert.equal(((await listed.json()) as unknown[]).length, 2)
  })
})
