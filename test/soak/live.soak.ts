// Many listeners at one server, and listeners that do not read (docs/live.md#the-end).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { testMasterKey } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const count = Number(process.env['LISTENERS'] ?? 10_000)
/** Of the server without listeners, and of each; measured: 167 MB and 20 KB. */
const mostBytes = (listeners: number) => 250e6 + listeners * 40e3

type Ear = { readonly socket: Socket; text: string }

describe('many listeners', function () {
  this.timeout(1_800_000)
  let database: TestDatabase
  let server: ServerProcess
  const ears: Ear[] = []
  before(async () => {
    database = await openTestDatabase()
    const directory = await newDirectory('crowd')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url, MASTER_KEY: testMasterKey })
  })
  after(async () => {
    for (const { socket } of ears) socket.destroy()
    await server.end('SIGTERM')
    await database.drop()
  })

  /** From some addresses, because one has half of all connections; only the end of what comes is kept. */
  const listen = (n: number, query: string, reads = true): Ear => {
    const { hostname, port } = new URL(server.url)
    const socket = connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${2 + (n % 8)}` })
    const ear: Ear = { socket, text: '' }
    socket.on('error', () => {})
    if (reads) socket.setEncoding('utf8').on('data', (text: string) => (ear.text = (ear.text + text).slice(-2000)))
    socket.write(`GET /api/live?${query}&api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
    ears.push(ear)
    return ear
  }
  const put = async (path: string, body?: string) => {
    const reply = await fetch(`${server.url}/api/feed?${path}&api_key=${serverApiKey}`, {
      method: 'PUT',
      ...(body === undefined ? {} : { body }),
    })
    assert.equal(reply.status, 200, await reply.text())
  }
  const residentBytes = async () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))![1]) * 1024

  it('hear every sample at one server, in bounded memory', async () => {
    for (let n = 0; n < 10; n += 1) await put(`compId=C${n}&x=0&time=1`)
    const before = await residentBytes()
    for (let from = 0; from < count; from += 500) {
      const some = Array.from({ length: Math.min(500, count - from) }, (_, n) => listen(n, `compId=C${n % 10}`))
      await eventually(() => Promise.resolve(some.every(({ text }) => text.includes('event: live'))))
    }
    for (let time = 2; time <= 6; time += 1) {
      for (let n = 0; n < 10; n += 1) await put(`compId=C${n}&x=${time}&time=${time}`)
      await eventually(() => Promise.resolve(ears.every(({ text }) => text.includes(`"time":${time},`))))
    }
    const bytes = await residentBytes()
    const shown = `${Math.round(before / 1e6)} MB before, ${Math.round(bytes / 1e6)} MB with ${count} listeners`
    process.stdout.write(`${shown}\n`)
    assert.ok(bytes < mostBytes(count), shown)
    for (const { socket } of ears.splice(0)) socket.destroy()
  })

  it('slow uploads down by little, and those of nobody by nothing', async () => {
    const rates: number[] = []
    const crowds = [0, 100, 1000, 0]
    for (const size of crowds) {
      for (const { socket } of ears.splice(0)) socket.destroy()
      // Interests outlast their listeners by minutes; here nobody comes back.
      if (size === 0) await database.sql`delete from live_interest`
      await eventually(async () => {
        const metrics = await (await fetch(`${server.url}/metrics`)).text()
        return /^coppice_live_listeners 0$/m.test(metrics)
      })
      const some = Array.from({ length: size }, (_, n) => listen(n, `compId=U${n % 8}`))
      if (size > 0) for (let n = 0; n < 8; n += 1) await put(`compId=U${n}&x=0&time=1`)
      await eventually(() => Promise.resolve(some.every(({ text }) => text.includes('event: live'))))
      rates.push(await uploadRate())
    }
    const shown = crowds.map((size, n) => `${size} listeners: ${Math.round(rates[n]!)} uploads/s`).join(', ')
    process.stdout.write(`${shown}\n`)
    assert.ok(rates[2]! > rates[3]! / 4, shown)
  })
  const uploadRate = async (): Promise<number> => {
    let uploads = 0
    const endMs = performance.now() + 8000
    const walk = async (n: number) => {
      for (let time = 2; performance.now() < endMs; time += 1, uploads += 1)
        await put(`compId=U${n}&x=${time}&time=${time}`)
    }
    await Promise.all(Array.from({ length: 8 }, (_, n) => walk(n)))
    return uploads / 8
  }

  it('are dropped where they do not read, and cost the others nothing', async () => {
    await put('compId=Slow&x=a&time=1')
    const reading = listen(0, 'compId=Slow')
    for (let n = 0; n < 10; n += 1) listen(n, 'compId=Slow', false)
    await eventually(() => Promise.resolve(reading.text.includes('event: live')))
    // More than the kernel keeps for a connection that nobody reads.
    const text = 'x'.repeat(50_000)
    for (let time = 2; time <= 800; time += 20) {
      const times = Array.from({ length: 20 }, (_, n) => time + n)
      await put('', JSON.stringify(times.map((at) => ({ compId: 'Slow', streamId: 'x', time: at, data: text }))))
    }
    await put('compId=Slow&x=last&time=1000')
    await eventually(() => Promise.resolve(reading.text.includes('"last"')))
    const bytes = await residentBytes()
    assert.ok(bytes < mostBytes(count), `${Math.round(bytes / 1e6)} MB`)
    await eventually(async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      return /^coppice_live_listeners 1$/m.test(metrics)
    })
  })
})
