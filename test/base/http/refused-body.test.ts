// Refusals that come before the end of the body, over real connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { askForBody, askWhenNeeded, dropRefusedBodies, waitsWithBody } from '../../../src/base/http/refused-body.ts'
import { usedHeap } from '../../support/heap.ts'
import { openWire } from '../../support/wire.ts'
import { eventually } from '../../support/within.ts'

const megabyte = 1024 * 1024

describe('base/refused-body', () => {
  let server: Server
  let url: string
  const requests: WeakRef<object>[] = []
  before(async () => {
    const serve = dropRefusedBodies((request, response) => {
      requests.push(new WeakRef(request))
      if (request.url === '/refuse') return void response.writeHead(413, { 'Content-Length': 2 }).end('no')
      const asked = waitsWithBody(request) ? 'asked' : 'not asked'
      askForBody(request)
      let size = 0
      request.on('data', (chunk: Buffer) => (size += chunk.length))
      request.once('end', () => {
        const text = `${asked} ${size}`
        response.writeHead(200, { 'Content-Length': text.length }).end(text)
      })
    }, 1000)
    server = createServer(serve)
    askWhenNeeded(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const put = (path: string, size: number, more = '') =>
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n${more}\r\n`

  /** Sends all of it before it looks at the reply, as most clients do. */
  const sendAll = async (head: string, size: number) => {
    const wire = await openWire(url)
    wire.socket.pause()
    wire.send(head)
    const block = Buffer.alloc(megabyte)
    for (let sent = 0; sent < size; sent += block.length)
      if (!wire.socket.write(block)) await once(wire.socket, 'drain')
    wire.socket.resume()
    return wire
  }

  for (const more of ['', 'Connection: close\r\n'])
    it(`reaches a client that has sent 100 MB before it looks${more && ', and that wants the connection closed'}`, async () => {
      for (let times = 0; times < 5; times += 1) {
        const wire = await sendAll(put('/refuse', 100 * megabyte, more), 100 * megabyte)
        assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 413 Payload Too Large')
        if (more) assert.equal(await wire.rest(), '')
        wire.close()
      }
    })

  it('leaves the connection to the next request', async () => {
    const wire = await sendAll(put('/refuse', 5 * megabyte), 5 * megabyte)
    assert.equal((await wire.reply()).body, 'no')
    wire.send(`${put('/', 3)}abc`)
    assert.equal((await wire.reply()).body, 'not asked 3')
    wire.close()
  })

  it('closes a connection whose client does not send on, after it had time to read', async () => {
    const wire = await openWire(url)
    wire.send(`${put('/refuse', 100)}a`)
    assert.equal((await wire.reply()).body, 'no')
    assert.equal(await wire.rest(), '')
  })

  const ways: Readonly<Record<string, (socket: Socket) => unknown>> = {
    'has closed its connection': (socket) => socket.destroy(),
    'has reset its connection': (socket) => socket.resetAndDestroy(),
    'does not send on': () => undefined,
  }
  for (const [how, leave] of Object.entries(ways))
    it(`keeps nothing of a client that ${how} before the end of its body`, async () => {
      requests.length = 0
      for (let times = 0; times < 10; times += 1) {
        const wire = await openWire(url)
        wire.send(`${put('/refuse', 100)}a`)
        assert.equal((await wire.reply()).body, 'no')
        leave(wire.socket)
      }
      assert.equal(requests.length, 10)
      await eventually(async () => {
        usedHeap()
        // The engine itself may hold the one that came last.
        return requests.filter((request) => request.deref() !== undefined).length <= 1
      })
    })

  it('does not ask for a body that it refuses, and does for others', async () => {
    const expect = 'Expect: 100-continue\r\n'
    const refused = await openWire(url)
    refused.send(put('/refuse', 5, expect))
    assert.match(await refused.rest(), /^HTTP\/1\.1 413 [^]*Connection: close[^]*no$/)
    const taken = await openWire(url)
    taken.send(put('/', 5, expect))
    await pause(50)
    taken.send('hello')
    assert.equal((await once(taken.socket, 'data'))[0] !== undefined, true)
    taken.socket.end()
    assert.match(await taken.rest(), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*asked 5$/)
  })

  it('serves a request with another expectation like one without', async () => {
    const wire = await openWire(url)
    wire.send(`${put('/', 5, 'Expect: something\r\n')}hello`)
    assert.equal((await wire.reply()).body, 'not asked 5')
    wire.close()
  })
})
