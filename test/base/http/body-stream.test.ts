import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { bodyChunks } from '../../../src/base/http/body-stream.ts'
import { Fault } from '../../../src/base/errors.ts'
import { dropRefusedBodies } from '../../../src/base/http/refused-body.ts'
import { openWire } from '../../support/wire.ts'

const limits = { leastBytes: 10, windowMs: 200, withinMs: 60_000 }

const all = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of bodyChunks(request, limits)) text += chunk.toString('latin1')
  return text
}

describe('a body that streams', () => {
  let server: Server
  let url: string
  /** The reader of the next request; its outcome is the reply's body. */
  let read: (request: IncomingMessage) => Promise<string>
  let outcome: Promise<string>

  before(async () => {
    const serve = dropRefusedBodies((request, response) => {
      outcome = read(request).catch((error: unknown) => {
        assert.ok(error instanceof Fault, String(error))
        return `${error.status} ${error.message}`
      })
      void outcome.then((text) => response.setHeader('Content-Length', Buffer.byteLength(text)).end(text))
    })
    server = createServer(serve)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const put = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'PUT', body, headers })).text()

  beforeEach(() => {
    read = all
  })

  it('is given as it was sent', async () => assert.equal(await put('abc'.repeat(100_000)), 'abc'.repeat(100_000)))

  it('is inflated', async () =>
    assert.equal(await put(Uint8Array.from(gzipSync('abc')), { 'Content-Encoding': 'gzip' }), 'abc'))

  it('is refused when it is not the gzip that it says', async () =>
    assert.equal(await put('abc', { 'Content-Encoding': 'gzip' }), '400 the body is not valid gzip'))

  it('is refused when its gzip is cut', async () => {
    const half = Uint8Array.from(gzipSync('abc').subarray(0, -4))
    assert.equal(await put(half, { 'Content-Encoding': 'gzip' }), '400 the body is not valid gzip')
  })

  it('is refused in another encoding', async () =>
    assert.match(await put('abc', { 'Content-Encoding': 'br' }), /^415 /))

  for (const encoding of ['identity', 'gzip'])
    it(`ends its reader when it breaks off: ${encoding}`, async () => {
      const wire = await openWire(url)
      const begun = once(server, 'request')
      wire.send(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Encoding: ${encoding}\r\nContent-Length: 100\r\n\r\n`)
      await begun
      wire.send(encoding === 'gzip' ? gzipSync('abc').subarray(0, 12) : 'abc')
      wire.close()
      assert.equal(await outcome, '400 the body broke off')
    })

  it('is refused when it stops coming, and the client gets the reply', async () => {
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc')
    assert.equal((await wire.reply()).body, '400 the body comes too slowly, or stopped coming')
    wire.close()
  })

  it('is refused when it comes too slowly', async () => {
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n')
    const timer = setInterval(() => wire.send('a'), 50)
    assert.equal((await wire.reply()).body, '400 the body comes too slowly, or stopped coming')
    clearInterval(timer)
    wire.close()
  })

  it('is refused when it inflates to much, but comes too slowly', async () => {
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n')
    const packed = gzipSync(Buffer.alloc(10_000_000))
    wire.send(packed.subarray(0, 1000))
    let at = 1000
    const timer = setInterval(() => wire.send(packed.subarray(at, (at += 1))), 50)
    assert.equal((await wire.reply()).body, '400 the body comes too slowly, or stopped coming')
    clearInterval(timer)
    wire.close()
  })

  it('is refused when it takes too long', async () => {
    read = async (request) => {
      for await (const _ of bodyChunks(request, { ...limits, leastBytes: 0, withinMs: 300 }));
      return 'done'
    }
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    const timer = setInterval(() => wire.send('a'.repeat(100)), 20)
    assert.equal((await wire.reply()).body, '400 the body did not arrive in time')
    clearInterval(timer)
    wire.close()
  })

  it('does not stop coming while its reader is busy', async () => {
    read = async (request) => {
      let size = 0
      for await (const chunk of bodyChunks(request, { ...limits, windowMs: 50 })) {
        size += chunk.length
        if (size === chunk.length) await new Promise((resolve) => setTimeout(resolve, 150))
      }
      return String(size)
    }
    assert.equal(await put('x'.repeat(1_000_000)), '1000000')
  })

  it('comes no faster than it is read', async () => {
    const gate = new EventEmitter()
    const held = once(gate, 'open')
    read = async (request) => {
      for await (const _ of bodyChunks(request)) {
        await held
        break
      }
      return 'done'
    }
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n')
    for (let at = 0; at < 50; at += 1) wire.send(Buffer.alloc(1_000_000))
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.ok(wire.socket.writableLength > 10_000_000, `${wire.socket.writableLength} bytes wait on the client's side`)
    gate.emit('open')
    assert.equal((await wire.reply()).body, 'done')
    wire.close()
  })

  it('still gets its reply when its reader leaves early, and the connection lives on', async () => {
    read = async (request) => {
      for await (const chunk of bodyChunks(request)) {
        return `first ${chunk.length > 0}`
      }
      return 'none'
    }
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n')
    wire.send(Buffer.alloc(5_000_000))
    assert.equal((await wire.reply()).body, 'first true')
    read = all
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc')
    assert.equal((await wire.reply()).body, 'abc')
    wire.close()
  })
})
