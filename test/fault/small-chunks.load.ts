// Strangers whose bytes are mostly framing: chunks of one byte, and requests behind each other without end.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'

describe('strangers who send much framing', function () {
  this.timeout(240_000)
  let directory: string
  let database: TestDatabase
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('small-chunks')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  /** Gives the status of the first reply. */
  const send = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.once('data', (reply: Buffer) => {
        resolve(reply.toString('latin1', 9, 12))
        socket.destroy()
      })
      socket.once('error', reject)
      socket.write(bytes)
    })

  for (const [what, bytes, status] of [
    [
      'chunks of one byte',
      `PUT /api/feed?api_key=wrong HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(10_900)}`,
      '401',
    ],
    ['requests behind each other', 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1900), '404'],
  ] as const)
    it(`take no memory by ${what}, and are answered`, async () => {
      const statuses = await Promise.all(Array.from({ length: 400 }, () => send(bytes)))
      assert.deepEqual(new Set(statuses), new Set([status]))
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
      await server.assertMemory()
    })
})
