// The server that hostile inputs are sent to, in a process of its own: an owner who has signed in, a component, a file and a
// sink for everything that reads a pushed text.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'

type Body = RequestInit['body']
type Headers = Readonly<Record<string, string>>

export type Target = {
  /** As a parameter of an address. */
  readonly key: string
  readonly session: string
  readonly organization: string
  readonly ask: (method: string, path: string, body?: Body, headers?: Headers) => Promise<Response>
  /** As the owner, with a JSON body. */
  readonly own: (method: string, path: string, body?: unknown) => Promise<Response>
  readonly put: (query: string, body?: Body, headers?: Headers) => Promise<Response>
  readonly get: (path: string, headers?: Headers) => Promise<Response>
  readonly script: (text: string) => Promise<Response>
  readonly sink: (endpoint: string, body: Body, headers?: Headers) => Promise<Response>
  /** Sends bytes to the port of MQTT, so many at a time, and waits for the end. */
  readonly mqtt: (bytes: (key: string) => Buffer, atOnce?: number) => Promise<Response>
  readonly isRunning: () => boolean
  readonly startAgain: () => Promise<void>
  readonly end: () => Promise<void>
}

export type Hostile = {
  readonly title: string
  readonly send: (to: Target) => Promise<Response>
  /** As many times the reading of the largest plain upload. */
  readonly mostPauses?: number
}

/** A server that does not answer by then is taken for frozen. */
const mostWaitMs = 60_000
const ownerPassword = 'password of the owner'
export const jsonType = { 'Content-Type': 'application/json' }

const sinkScripts: Readonly<Record<string, string>> = {
  json: "SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a LONG '$.a', b DOUBLE '$.b', c BOOLEAN '$.c')",
  rows: "SELECT a, b FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$.list[*].a', b LONG '$.list[*].b')",
  worked: "SELECT Max(a + 'b') FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$.list[*].a')",
  below: "SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$..a')",
  csv: 'SELECT a FROM CSV_TABLE(@HTTP_BODY) WITH (1 a LONG, 2 b DOUBLE, 3 c BOOLEAN)',
  lines: "SELECT a FROM CSV_TABLE(@HTTP_BODY, FALSE, '''''''') WITH (1 a STRING)",
  pattern: 'SELECT TOEPOCHMILLIS(@HTTP_BODY, @HTTP_BODY), dtFormatter(0, @HTTP_BODY)',
  path: "SELECT JSON_Value('{}', @HTTP_BODY)",
  replace: "SELECT ReplaceAll('aaa', 'a', @HTTP_BODY)",
  expression: "SELECT ReplaceAll(@HTTP_BODY, '(a+)+b', 'c')",
  zone: 'SELECT Year(0, @HTTP_BODY)',
  search: "SELECT IndexOf(@HTTP_BODY, 'b' + Left(@HTTP_BODY, 100000)), Contains(@HTTP_BODY, @HTTP_QUERY_STRING)",
  fields: 'SELECT parseCsv(@HTTP_BODY, 100000)',
  number: 'SELECT Try_Cast(@HTTP_BODY AS LONG), Try_Cast(@HTTP_BODY AS DOUBLE), Try_Cast(@HTTP_BODY AS BOOLEAN)',
}

export const openTarget = async (): Promise<Target> => {
  const database = await openTestDatabase()
  const directory = await newDirectory('hostile')
  const mqttPort = await freePort()
  const start = () =>
    startServer({
      MQTT_PORT: String(mqttPort),
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_EMAIL: 'owner@example.org',
      OWNER_PASSWORD: ownerPassword,
    })
  let server = await start()
  const ask: Target['ask'] = (method, path, body, headers = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(mostWaitMs),
      ...(body === undefined || body === null ? {} : { body, duplex: 'half' }),
    })
  const key = `api_key=${serverApiKey}`
  const login = await ask(
    'POST',
    '/api/login',
    JSON.stringify({ email: 'owner@example.org', password: ownerPassword }),
    jsonType,
  )
  const signedIn = (await login.json()) as {
    sessionUid: string
    userUid: string
    organization: readonly [{ uid: string }]
  }
  const session = signedIn.sessionUid
  const organization = signedIn.organization[0].uid
  const joined = (path: string, parameter: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}`
  const own: Target['own'] = (method, path, body) =>
    ask(method, joined(path, `session=${session}`), JSON.stringify(body), jsonType)
  const made = await own('POST', '/api/api_key', {
    name: 'sink',
    capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }],
  })
  const sinkKey = ((await made.json()) as { api_key: { secret: string } }).api_key.secret
  let asked = 0
  const target: Target = {
    key,
    session,
    organization,
    ask,
    own,
    put: (query, body, headers) => ask('PUT', `/api/feed?${key}&${query}`, body, headers),
    get: (path, headers) => ask('GET', joined(path, key), undefined, headers),
    // Never the same text: a compiled script is remembered.
    script: (text) => own('POST', '/api/gql', { s: `${text} -- ${++asked}` }),
    sink: (endpoint, body, headers) =>
      ask('POST', `/api/conn_sink/${organization}/${endpoint}?api_key=${sinkKey}`, body, headers),
    mqtt: (bytes, atOnce) => sendTo(mqttPort, bytes(serverApiKey), atOnce),
    isRunning: () => server.isRunning(),
    startAgain: async () => {
      await server.end('SIGKILL')
      server = await start()
      await warmUp(target)
    },
    end: async () => {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true, force: true })
      await database.drop()
    },
  }
  await fill(target, signedIn.userUid)
  await warmUp(target)
  return target
}

const fill = async ({ key, own, ask }: Target, runAsUserUid: string): Promise<void> => {
  for (const [endpoint, sql] of Object.entries(sinkScripts)) {
    const connector = { name: endpoint, endpoint, sql, runAsUserUid, timeZone: 'UTC' }
    const reply = await own('POST', '/api/connector', connector)
    assert.equal(reply.status, 201, await reply.text())
  }
  const stream = [
    { id: 'long', valueType: 'LONG' },
    { id: 'double', valueType: 'DOUBLE' },
    { id: 'boolean', valueType: 'BOOLEAN' },
    { id: 'text', valueType: 'STRING' },
  ]
  assert.equal((await own('POST', '/api/component', { id: 'C', stream })).status, 201)
  assert.equal((await ask('PUT', `/api/comp/C/stream/file/feed/file/a.txt?${key}`, 'contents')).status, 200)
}

/** Code that runs for the first time is compiled: that is no stranger's doing. */
const warmUp = async ({ key, ask, mqtt, sink, script, put, get }: Target): Promise<void> => {
  for (const endpoint of Object.keys(sinkScripts)) await (await sink(endpoint, '{}')).text()
  for (let round = 0; round < 20; round += 1) await (await script(`SELECT ${round} + 1 AS a ORDER BY a`)).text()
  await (await put('compId=C&long=1&time=5')).text()
  for (const path of ['/api/export?streamId=long', '/api/live?compId=C&seconds=0']) await (await get(path)).text()
  for (const body of [
    'compId,streamId,time,data\nC,long,5,1\n',
    '{"compId":"C","streamId":"long","time":5,"data":1}\n',
  ])
    await (await ask('POST', `/api/import?${key}`, body)).text()
  for (const method of ['ping', 'tools/list'])
    await (await ask('POST', `/api/mcp?${key}`, JSON.stringify({ jsonrpc: '2.0', id: 1, method }), jsonType)).text()
  await mqtt(() => Buffer.from([0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 60, 0, 0]))
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const sendTo = async (port: number, bytes: Buffer, atOnce = bytes.length): Promise<Response> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {}).resume()
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve())
    socket.setTimeout(mostWaitMs, () => {
      socket.destroy()
      reject(new Error('the server does not answer'))
    })
  })
  socket.once('end', () => socket.end())
  for (let from = 0; from < bytes.length; from += atOnce) socket.write(bytes.subarray(from, from + atOnce))
  socket.end()
  await closed
  return new Response()
}
