// Long texts of samples: replies with them are whole, and however many are asked for and not read, a server keeps below
// its memory and goes on answering others.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Call } from '../../src/base/http/call.ts'
import { roomOf } from '../../src/base/http/room.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

type Item = { readonly streamId?: string; readonly time: number; readonly data: unknown; readonly fData?: string }

describe('a reply of long texts', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())
  const put = async (items: readonly object[]) =>
    assert.equal((await service.put('/api/feed', JSON.stringify(items))).status, 200)

  const long = 'ä"\n'.repeat(20_000)
  const begun = '\u00019'
  const nowMs = Date.now()
  before(async () => {
    await put([
      { compId: 'L', streamId: 'a', time: nowMs - 3, data: 'short' },
      { compId: 'L', streamId: 'a', time: nowMs - 2, data: long },
      { compId: 'L', streamId: 'a', time: Date.UTC(2010, 0, 1), data: `${long}old` },
      { compId: 'L', streamId: 'b', time: nowMs - 2, data: begun },
      { compId: 'L', streamId: 'b', time: nowMs - 1, data: `${begun} ${long}` },
      { compId: 'L', streamId: 'c', time: nowMs, data: 7 },
    ])
  })

  it('shows each sample as it was stored, in its order', async () => {
    const { status, json, headers, text } = await service.get('/api/comp/L/feed?retStreamId')
    assert.equal(status, 200)
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)))
    assert.deepEqual(
      (json as readonly Item[]).map(({ streamId, data }) => [streamId, data]),
      [
        ['a', long],
        ['a', 'short'],
        ['a', `${long}old`],
        ['b', `${begun} ${long}`],
        ['b', begun],
        ['c', 7],
      ],
    )
  })

  it('shows the same by stream, as last values, within a window, and with the other members', async () => {
    const data = async (path: string) =>
      ((await service.get(`/api/comp/L/${path}`)).json as readonly Item[]).map((item) => item.data)
    assert.deepEqual(await data('last_value'), [long, `${begun} ${long}`, 7])
    assert.deepEqual(await data('stream/b/feed'), [`${begun} ${long}`, begun])
    assert.deepEqual(await data('stream/b/last_value'), [`${begun} ${long}`])
    assert.deepEqual(await data(`stream/b/feed?sd=${nowMs - 2}&ed=${nowMs - 1}`), [begun])
    assert.deepEqual(await data('stream/a/feed?limit=1&retFData&retUnit&retIntvlSd&retCompId'), [long])
    const { json } = await service.put('/api/feed?compId=L&c=8&rsid=b&rsid=a&rsid=c')
    assert.deepEqual(json, { b: `${begun} ${long}`, a: long, c: 8 })
  })

  it('takes memory of its caller until it is read, as the reply of an upload too', async () => {
    const { replies } = roomOf({ callerHolders: ['organization'] } as unknown as Call)
    const ids = Array.from({ length: 40 }, (_, n) => `t${n}`)
    await put(ids.map((streamId) => ({ compId: 'Texts', streamId, data: '\u0002'.repeat(65_000) })))
    const rsids = ids.map((id) => `rsid=${id}`).join('&')
    const all = replies.free()
    // 15 MB, more than the sockets between take; one request, which so is answered without node:http.
    const wire = await openWire(service.url)
    wire.socket.pause()
    wire.send(`PUT /api/feed?api_key=${service.apiKey}&compId=Texts&n=1&${rsids} HTTP/1.1\r\n\r\n`)
    await eventually(async () => replies.free() < all)
    wire.close()
    await eventually(async () => replies.free() === all)
  })

  it('says where the rest begins, as others do', async () => {
    const items = Array.from({ length: 1001 }, (_, index) => ({
      compId: 'More',
      streamId: 'a',
      time: 1000 + index,
      data: index === 500 ? long : `${index} is no number`,
    }))
    await put(items)
    const { json, headers } = await service.get('/api/comp/More/feed?limit=5000')
    assert.equal((json as readonly Item[]).length, 1000)
    assert.match(headers.get('link') ?? '', /^<\?limit=4000&after=1,1001>; rel="next"$/)
  })

  it('is refused, with the remedy, when it would be larger than any may be', async () => {
    for (let part = 0; part < 2; part += 1)
      await put(
        Array.from({ length: 100 }, (_, index) => ({
          compId: 'Vast',
          streamId: 'a',
          time: part * 100 + index,
          data: '\u0002'.repeat(65_000),
        })),
      )
    const { status, json } = await service.get('/api/comp/Vast/feed')
    assert.deepEqual(
      [status, json],
      [
        413,
        {
          success: false,
          code: 'too_large',
          message: 'the reply would be larger than 71303168 bytes: ask for fewer with limit',
        },
      ],
    )
    assert.equal((await service.get('/api/comp/Vast/feed?limit=3')).status, 200)
  })
})

describe('a server asked for many large replies that nobody reads', () => {
  let server: ServerProcess
  let close: () => Promise<void>
  before(async function () {
    const database = await openTestDatabase()
    const directory = await newDirectory('large-reply')
    close = async () => {
      await database.drop()
      await rm(directory, { recursive: true })
    }
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
  })
  after(async () => {
    await server.end('SIGKILL')
    await close()
  })

  it('keeps below its memory, and answers others meanwhile', async () => {
    const text = 'x'.repeat(60_000)
    for (let part = 0; part < shortOrLong(5, 10); part += 1) {
      const items = Array.from({ length: 100 }, (_, index) => ({
        compId: 'Big',
        streamId: 't',
        time: part * 100 + index + 1,
        data: text,
      }))
      const body = JSON.stringify(items)
      const { status } = await fetch(`${server.url}/api/feed?api_key=${serverApiKey}`, { method: 'PUT', body })
      assert.equal(status, 200)
    }
    const { port } = new URL(server.url)
    const sockets: Socket[] = []
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      socket.pause()
      socket.write(`GET /api/comp/Big/feed?api_key=${serverApiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
      sockets.push(socket)
    }
    for (let call = 0; call < 40; call += 1) {
      const path = call % 2 === 0 ? '/api/feed?compId=Other&a=1' : '/api/comp/Other/last_value?'
      const method = call % 2 === 0 ? 'PUT' : 'GET'
      assert.equal((await fetch(`${server.url}${path}&api_key=${serverApiKey}`, { method })).status, 200)
    }
    const read = await fetch(`${server.url}/api/comp/Big/feed?limit=2&api_key=${serverApiKey}`)
    assert.ok([200, 503].includes(read.status))
    for (const socket of sockets) socket.destroy()
    await server.assertMemory()
  })
})
