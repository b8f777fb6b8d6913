// Files of one organization do not keep those of others waiting (docs/access.md#shares). While the test holds the table of
// pieces, calls wait for it in the database, and all that have no connection for their turn.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { Wire } from '../support/wire.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const many = 60
/** Those that are under way when the table is free again, and one more of each, are 5; on a busy machine some more were seen before. Without turns it is all. */
const few = 20
/** Longer after its request, a client that closes its sending side has left. */
const halfClosedMs = 100

const path = (name: string) => `/api/comp/Yard/stream/photo/feed/file/${name}`

describe('files of many clients', () => {
  let service: TestService
  let otherKey: string
  let wires: Wire[]
  before(async () => {
    service = await openTestService()
    const other = await addOrganization(service.sql, 'Other', await addUser(service.sql, 'other@example.com'))
    otherKey = (await addApiKey(service.sql, other.uid, [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]))
      .secret
    for (const key of [service.apiKey, otherKey]) {
      const wire = await openWire(service.url)
      wire.send(request('PUT', 'a', key))
      assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      wire.close()
    }
  })
  after(() => service.close())
  beforeEach(async () => {
    wires = await Promise.all(Array.from({ length: many }, () => openWire(service.url)))
  })
  afterEach(() => {
    for (const wire of wires) wire.close()
  })

  const request = (method: string, name: string, key: string) => {
    const head = `${method} ${path(name)}?time=1000&api_key=${key} HTTP/1.1\r\nHost: x\r\n`
    return method === 'PUT' ? `${head}Content-Length: 5\r\n\r\nhello` : `${head}Range: bytes=0-2\r\n\r\n`
  }
  const whilePiecesAreHeld = (work: () => Promise<void>) =>
    transaction(service.sql, async (sql) => {
      await sql`lock table blob_piece in access exclusive mode`
      await work()
    })
  const inDatabase = async () => {
    const [row] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = 'coppice files' and wait_event_type = 'Lock'`
    return row.count
  }
  /** Sends it by all of them, and waits until the server has it. */
  const sendAll = async (text: string) => {
    let come = 0
    const count = () => void (come += 1)
    service.service.server.on('request', count)
    for (const wire of wires) wire.send(text)
    await eventually(() => Promise.resolve(come === many))
    service.service.server.off('request', count)
  }
  const counted = async (method: string, status: number) => {
    const { text } = await service.request('GET', '/metrics')
    const line = new RegExp(`_count\\{route="[^"]*/file/:fileName",method="${method}",status="${status}"\\} (\\d+)`)
    return Number(line.exec(text)?.[1] ?? 0)
  }

  for (const [method, status] of [
    ['GET', 206],
    ['PUT', 200],
  ] as const) {
    it(`take turns with others at ${method}: another organization's comes after a few`, async () => {
      const order: string[] = []
      const answered = async (wire: Wire, name: string) => {
        assert.ok((await wire.reply()).statusLine.startsWith(`HTTP/1.1 ${status} `))
        order.push(name)
      }
      const waiting: Promise<void>[] = []
      await whilePiecesAreHeld(async () => {
        for (const wire of wires) waiting.push(answered(wire, 'many'))
        await sendAll(request(method, 'a', service.apiKey))
        await eventually(async () => (await inDatabase()) === 2)
        // By then all others most likely wait for their turn at pieces.
        await pause(200)
        assert.equal(await inDatabase(), 2)
        const wire = await openWire(service.url)
        wires.push(wire)
        wire.send(request(method, 'a', otherKey))
        waiting.push(answered(wire, 'other'))
        await eventually(async () => (await inDatabase()) === 3)
      })
      await Promise.all(waiting)
      assert.ok(order.indexOf('other') < few, String(order.indexOf('other')))
    })

    it(`wait no longer at ${method} when they have gone away`, async () => {
      const before = await counted(method, 400)
      await whilePiecesAreHeld(async () => {
        await sendAll(request(method, 'a', service.apiKey))
        await eventually(async () => (await inDatabase()) === 2)
        await pause(halfClosedMs)
        for (const wire of wires)
          if (method === 'GET') wire.close()
          else wire.socket.resetAndDestroy()
        // Those that the database works for end with that.
        await eventually(async () => (await counted(method, 400)) >= before + many - 2)
      })
      const wire = await openWire(service.url)
      wire.send(request(method, 'a', service.apiKey))
      assert.ok((await wire.reply()).statusLine.startsWith(`HTTP/1.1 ${status} `))
      wire.close()
    })
  }

  it('are sent whole to one that closes its sending side while it reads', async () => {
    // More than the buffers of a connection take.
    const bytes = 12 * 1024 * 1024
    assert.equal((await service.put(`${path('long')}?time=1000`, new Uint8Array(bytes))).status, 200)
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.write(`GET ${path('long')}?time=1000&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'readable')
    await pause(halfClosedMs)
    socket.end()
    await pause(halfClosedMs)
    let read = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > bytes) break
    }
    assert.ok(read > bytes, `${read} bytes`)
  })

  it('are stored for those that close their sending side behind a file, and wait', async () => {
    await whilePiecesAreHeld(async () => {
      await sendAll(request('PUT', 'a', service.apiKey))
      await eventually(async () => (await inDatabase()) === 2)
      await pause(halfClosedMs)
      for (const wire of wires) wire.socket.end()
      await pause(halfClosedMs)
    })
    for (const wire of wires) assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
  })
})
