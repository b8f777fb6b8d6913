// Bodies that are small on the way and large when they are undone, many at once: a server keeps below its memory.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'

const mebibyte = 1024 * 1024

describe('compressed bodies', function () {
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('gzip')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })
  const putAtOnce = async (count: number, body: Uint8Array<ArrayBuffer>) => {
    const url = `${server.url}/api/feed?api_key=${serverApiKey}`
    const init = { method: 'PUT', body, headers: { 'Content-Encoding': 'gzip' } }
    return Promise.all(Array.from({ length: count }, async () => (await fetch(url, init)).status))
  }

  it('are refused when they are bombs, within the memory', async () => {
    const statuses = await putAtOnce(10, new Uint8Array(gzipSync(Buffer.alloc(shortOrLong(70, 200) * mebibyte, '['))))
    assert.ok(statuses.includes(413))
    for (const status of statuses) assert.ok([413, 503].includes(status), String(status))
    await server.assertMemory()
  })

  it('are stored or refused with 60 MB of texts, within the memory', async () => {
    const item = `{"compId":"G","streamId":"s","time":1,"data":"${'x'.repeat(600)}"}`
    const body = new Uint8Array(gzipSync(`[${Array.from({ length: 90_000 }, () => item).join()}]`))
    const statuses = await putAtOnce(shortOrLong(4, 8), body)
    assert.ok(statuses.includes(200))
    for (const status of statuses) assert.ok([200, 503].includes(status), String(status))
    await server.assertMemory()
  })
})
