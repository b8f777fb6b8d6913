// Scripts that hold as much as they may, of several organizations at once: a server keeps below its memory.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'

const owner = { email: 'owner@example.org', password: 'the password of the owner' }
const organizations = 5
const insert = 'INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)'
const scripts = {
  rows: `${insert} SELECT 'c', 'rows', 1, Len(Max(a) + Max(b)) FROM CSV_TABLE(@HTTP_BODY) WITH (1 a STRING, 2 b STRING)`,
  texts: `${insert} SELECT 'c', 'texts', 1, Max(Len(a + b)) FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$[*].a', b STRING '$[*].b')`,
}
type Endpoint = keyof typeof scripts
type Sink = (endpoint: Endpoint, body: string) => Promise<number>

describe('large scripts of several organizations', function () {
  this.timeout(300_000)
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  let sinks: readonly Sink[]
  before(async () => {
    database = await openTestDatabase()
    directory = await mkdtemp(join(tmpdir(), 'coppice-scripts-'))
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
    })
    sinks = await openSinks()
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(response.ok, await response.clone().text())
    return (await response.json()) as T
  }
  const openSinks = async (): Promise<readonly Sink[]> => {
    type Signed = { sessionUid: string; userUid: string; organization: readonly { uid: string }[] }
    const { sessionUid, userUid, organization } = await post<Signed>('/api/login', owner)
    const first = organization[0]!.uid
    const uids = [first]
    for (let number = 1; number < organizations; number += 1) {
      const path = `/api/organization?session=${sessionUid}&org=${first}`
      const made = await post<{ organization: { uid: string } }>(path, { name: `Organization ${number}` })
      uids.push(made.organization.uid)
    }
    return Promise.all(uids.map((uid) => openSinkOf(uid, `session=${sessionUid}&org=${uid}`, userUid)))
  }
  const openSinkOf = async (uid: string, query: string, runAsUserUid: string): Promise<Sink> => {
    const capabilities = [{ resource: 'connector/*/sink', methods: ['POST'] }]
    const made = await post<{ api_key: { secret: string } }>(`/api/api_key?${query}`, { name: 'k', capabilities })
    for (const [endpoint, sql] of Object.entries(scripts))
      await post(`/api/connector?${query}`, { name: endpoint, endpoint, sql, runAsUserUid, timeZone: 'UTC' })
    return async (endpoint, body) => {
      const url = `${server.url}/api/conn_sink/${uid}/${endpoint}?api_key=${made.api_key.secret}`
      return (await fetch(url, { method: 'POST', body })).status
    }
  }
  const pushAtOnce = async (endpoint: Endpoint, body: string): Promise<void> => {
    for (const status of await Promise.all(sinks.map((sink) => sink(endpoint, body))))
      assert.ok([200, 400, 503].includes(status), String(status))
    await server.assertMemory()
  }

  it('stay within the memory with very many short texts', () =>
    pushAtOnce('rows', Array.from({ length: 400_000 }, (_, row) => `${row}xxxxxxxxx,${row}yyyyyyyyyyyy`).join('\n')))

  it('stay within the memory with long texts of wide characters', () => {
    const item = `{"a":"${'ä'.repeat(1200)}","b":"${'€'.repeat(1200)}"}`
    return pushAtOnce('texts', `[${Array.from({ length: 2500 }, () => item).join()}]`)
  })

  it('leave room for a script that another runs meanwhile', async () => {
    const row = `${'x'.repeat(40)},${'y'.repeat(40)}\n`
    const large = sinks[0]!('rows', row.repeat(100_000))
    const small = await Promise.all(Array.from({ length: 20 }, () => sinks[1]!('rows', row.repeat(10))))
    assert.deepEqual(new Set(small), new Set([200]))
    assert.ok([200, 400].includes(await large))
  })
})
