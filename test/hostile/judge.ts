// The server that hostile input is judged at, as users run it: each input gets its answer, stores nothing, and leaves the
// server serving others, within its memory. The small ones are in journey/hostile.test.ts, crowds in journey/hostile.load.ts.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { Counts } from '../support/feed.ts'
import { countRows, refusalText } from '../support/feed.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'

type Body = RequestInit['body']

type Judge = {
  readonly url: () => string
  /** Status and text of the reply. */
  readonly answerOf: (method: string, query: string, body?: Body, headers?: Record<string, string>) => Promise<string>
  /** Sees that nothing was stored since the test began, and that everybody else is served as before. */
  readonly harmless: () => Promise<void>
}

/** As a parameter of an address. */
export const key = `api_key=${serverApiKey}`

export const refusal = (status: number, code: string, message: string) => `${status} ${refusalText(code, message)}`
export const bad = (message: string) => refusal(400, 'bad_request', message)

/** For the group of tests in which it is called. */
export const openJudge = (): Judge => {
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('hostile')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'info' })
    await answerOf('PUT', 'compId=Boiler&temp=20.1&note=x&time=5')
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  const put = (query: string, body?: Body, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/feed?${key}&${query}`, {
      method: 'PUT',
      headers,
      duplex: 'half',
      ...(body ? { body } : {}),
    })
  const answerOf: Judge['answerOf'] = async (method, query, body, headers = {}) => {
    const reply = method === 'PUT' ? await put(query, body, headers) : await fetch(`${server.url}${query}`, { method })
    return `${reply.status} ${await reply.text()}`
  }

  let counts: Counts
  beforeEach(async () => {
    counts = await countRows(database.sql)
  })
  const harmless = async () => {
    assert.deepEqual(await countRows(database.sql), counts)
    assert.equal(await answerOf('PUT', 'compId=Boiler&temp=20.1&time=5'), '200 ')
    const reply = await fetch(`${server.url}/api/comp/Boiler/stream/temp/feed?${key}`)
    assert.equal(await reply.text(), '[{"time":5,"data":20.1}]')
    assert.ok(server.isRunning())
  }
  afterEach(() => server.assertMemory())

  return { url: () => server.url, answerOf, harmless }
}
