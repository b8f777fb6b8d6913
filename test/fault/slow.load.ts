// Clients that send next to nothing, thousands of them, against a server as users run it: everybody else is served
// meanwhile, within the server's memory.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { crowd } from '../support/crowd.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'
import type { Wire, WireOptions } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const owner = { email: 'owner@localhost', password: 'password of the owner' }
const key = `api_key=${serverApiKey}`
const mebibyte = 1024 * 1024
const json = { 'Content-Type': 'application/json' }

describe('slow clients', function () {
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  let session: string
  let wires: Wire[] = []
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('slow')
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
    })
    session = await login()
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })
  afterEach(async () => {
    for (const wire of wires) wire.close()
    wires = []
    await server.assertMemory()
  })

  const ask = async (method: string, path: string, body?: string) => {
    const reply = await fetch(`${server.url}${path}`, { method, headers: json, ...(body ? { body } : {}) })
    const text = await reply.text()
    assert.ok(reply.status < 300, `${method} ${path.split('?')[0]}: ${reply.status} ${text}`)
    return text
  }
  const login = async () =>
    (JSON.parse(await ask('POST', '/api/login', JSON.stringify(owner))) as { sessionUid: string }).sessionUid
  const filePath = (name: string) => `/api/comp/Yard/stream/photo/feed/file/${name}?${key}`

  /** Each begins a request and sends one byte of its body. */
  const begin = async (count: number, head: (n: number) => string, options: WireOptions = {}) => {
    const begun = await crowd(count, 100, async (n) => {
      const wire = await openWire(server.url, options)
      wire.send(`${head(n)} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`)
      wire.send(`Content-Length: ${n % 2 ? 64 : 4}000\r\n\r\n[`)
      return wire
    })
    wires.push(...begun)
  }
  let uploads = 0
  const everybodyIsServed = async (signsIn = false) => {
    for (let times = 0; times < shortOrLong(1, 2); times += 1) {
      uploads += 1
      const sample = { compId: 'Boiler', streamId: 'temp', data: uploads, time: uploads }
      await ask('PUT', `/api/feed?${key}&compId=Boiler&temp=1`)
      await ask('PUT', `/api/feed?${key}`, JSON.stringify([sample]))
      await ask(
        'PUT',
        `/api/feed?${key}`,
        JSON.stringify(Array.from({ length: shortOrLong(4000, 20_000) }, () => sample)),
      )
      if (signsIn || shortOrLong(false, true)) await login()
      await ask('POST', `/api/unit?session=${session}`, JSON.stringify({ id: `unit-${uploads}`, name: 'x' }))
      await ask('PUT', filePath('quick'), 'a file')
      await ask('GET', `/api/comp/Boiler/last_value?${key}`)
    }
  }

  it('keep nobody from being served: connections that send nothing', async () => {
    wires.push(...(await crowd(shortOrLong(300, 5000), 100, () => openWire(server.url))))
    await everybodyIsServed(true)
  })

  it('are closed when a head that trickles in has not ended after a minute or two', async () => {
    const slow = await crowd(20, 20, () => openWire(server.url))
    for (const wire of slow) wire.send(`PUT /api/feed?${key}&compId=Slow&a=1 HTTP/1.1\r\nX-Slow: `)
    const trickle = setInterval(() => {
      for (const wire of slow) wire.send('x')
    }, 1000)
    try {
      await eventually(async () => slow.every(({ socket }) => socket.destroyed))
    } finally {
      clearInterval(trickle)
      wires.push(...slow)
    }
    await everybodyIsServed()
  })

  it('keep nobody from signing in or uploading: strangers', async () => {
    const elsewhere = { localAddress: '127.0.0.2' }
    await begin(1300, () => 'POST /api/login', elsewhere)
    await everybodyIsServed(true)
    // Each address takes half of the places that the ones before have left, until none is.
    for (let [n, count] = [3, 500]; count > 0; n += 1, count = Math.floor(count / 2))
      await begin(count, () => 'POST /api/login', { localAddress: `127.0.0.${n}` })
    for (const localAddress of ['127.0.0.30', '127.0.0.31', '127.0.0.32'])
      await begin(10, () => 'POST /api/login', { localAddress })
    // There are 2,000 places.
    await eventually(async () => wires.filter(({ socket }) => socket.bytesRead > 0).length >= wires.length - 2000)
    await everybodyIsServed(true)
    await begin(300, () => 'POST /api/oauth_access_token', elsewhere)
    await everybodyIsServed()
  })

  it('keep nobody from uploading: bodies that declare 64 MiB', async () => {
    const begun = await crowd(50, 50, async () => {
      const wire = await openWire(server.url)
      wire.send(`PUT /api/feed?${key} HTTP/1.1\r\nContent-Length: ${64 * 1024 * 1024}\r\n\r\n[`)
      return wire
    })
    wires.push(...begun)
    await everybodyIsServed()
    // Some have proven to be large, and then come no further.
    for (const wire of begun.slice(0, 10)) wire.send(Buffer.alloc(200_000, ' '))
    for (const wire of begun.slice(0, 2)) wire.send(Buffer.alloc(2_000_000, ' '))
    await everybodyIsServed()
  })

  it('keep nobody from managing: bodies of changes', async () => {
    await begin(300, () => `POST /api/unit?session=${session}`)
    await everybodyIsServed()
  })

  it('keep nobody from reading: replies and files that are not read', async () => {
    const texts = Array.from({ length: 100 }, (_, n) => ({
      compId: 'Book',
      streamId: 'page',
      data: 'x'.repeat(60_000),
      time: n + 1,
    }))
    await ask('PUT', `/api/feed?${key}`, JSON.stringify(texts))
    await ask('PUT', filePath('large'), 'x'.repeat(20_000_000))
    const begun = await crowd(340, 40, async (n) => {
      const wire = await openWire(server.url)
      wire.socket.pause()
      wire.send(`GET ${n % 8 === 0 ? `/api/comp/Book/feed?${key}` : filePath('large')} HTTP/1.1\r\n\r\n`)
      return wire
    })
    wires.push(...begun)
    await everybodyIsServed()
    await ask('GET', `/api/comp/Boiler/feed?${key}`)
  })

  it('keep nobody from storing files: files', async () => {
    await begin(1500, (n) => `PUT ${filePath(`slow-${n}`)}`)
    await everybodyIsServed()
  })

  it('keep nobody from uploading: a body of 64 MiB that stops at 62', async () => {
    const organization = JSON.parse(
      await ask('POST', `/api/organization?session=${session}`, JSON.stringify({ name: 'Another' })),
    ) as { organization: { uid: string } }
    const capabilities = [{ resource: 'component/*/feed', methods: ['PUT'] }]
    const { uid } = organization.organization
    const made = JSON.parse(
      await ask('POST', `/api/api_key?session=${session}&org=${uid}`, JSON.stringify({ name: 'x', capabilities })),
    ) as { api_key: { secret: string } }
    const stopped = await openWire(server.url)
    wires.push(stopped)
    stopped.send(`PUT /api/feed?${key} HTTP/1.1\r\nContent-Length: ${64 * mebibyte}\r\n\r\n[`)
    for (let sent = 0; sent < 62; sent += 1)
      await new Promise((done) => stopped.socket.write(Buffer.alloc(mebibyte, ' '), done))
    for (const size of [9.6, 11.5, 40])
      await ask('PUT', `/api/feed?api_key=${made.api_key.secret}`, `[${' '.repeat(size * mebibyte)}]`)
    assert.equal((await stopped.reply()).statusLine, 'HTTP/1.1 503 Service Unavailable')
  })
})
