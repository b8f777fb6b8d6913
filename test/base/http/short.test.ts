// The short way beside node:http, over real sockets: the requests it takes, those it leaves alone, and the end of
// connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestHead } from '../../../src/base/http/call.ts'
import { answerHalfClosed } from '../../../src/base/http/connection.ts'
import { jsonReply } from '../../../src/base/http/reply.ts'
import type { Reply } from '../../../src/base/http/reply.ts'
import { takeShortRequests } from '../../../src/base/http/short.ts'
import type { Wire } from '../../support/wire.ts'
import { openWire } from '../../support/wire.ts'

const idleMs = 100
const options = { insecureHTTPParser: true, requireHostHeader: false, maxHeaderSize: 65_536 }

describe('base/short', () => {
  let server: Server
  let url: string
  /** Those that came by node:http: their method, address and body. */
  let long: string[]
  let short: (RequestHead & { readonly body: Buffer | undefined })[]
  let held: ((reply: Reply) => void)[]
  let wire: Wire

  const bodyOf = async (request: IncomingMessage) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    return text
  }
  beforeEach(async () => {
    long = []
    short = []
    held = []
    server = createServer(options, async (request, response) => {
      const at = long.push(`${request.method} ${request.url}`) - 1
      long[at] += await bodyOf(request)
      response.writeHead(200, ['Content-Length', '4']).end('long')
    })
    const answer = (head: RequestHead, body: Buffer | undefined, reply: (reply: Reply) => void) => {
      short.push({ ...head, body })
      if (head.target.endsWith('hold')) held.push(reply)
      else reply(jsonReply({ ö: short.length }))
    }
    const kinds = [{ begin: /^(?:PUT|POST) \/short\?/, answer }]
    answerHalfClosed(server)
    takeShortRequests(server, kinds, { idleMs, patienceMs: 300 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    wire = await openWire(url)
  })
  afterEach(async () => {
    wire.close()
    server.closeAllConnections()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await pause(1)
  }

  it('answers a request that leaves no question, and the next on the same connection', async () => {
    for (const n of [1, 2]) {
      wire.send('PUT /short?a=1 HTTP/1.1\r\nHost:x\r\nX-Forwarded-For:  a b \r\nContent-Length: 0\r\n\r\n')
      assert.deepEqual(await wire.reply(), {
        statusLine: 'HTTP/1.1 200 OK',
        headers: [
          'Access-Control-Allow-Origin: *',
          'Content-Type: application/json; charset=utf-8',
          'Content-Length: 8',
          'Connection: keep-alive',
        ],
        body: `{"ö":${n}}`,
      })
    }
    const headers = { host: 'x', 'x-forwarded-for': 'a b', 'content-length': '0' }
    const { socket, ...head } = short[0]!
    assert.deepEqual(head, { method: 'PUT', target: '/short?a=1', headers, peer: '127.0.0.1', body: undefined })
    assert.equal(socket.remoteAddress, '127.0.0.1')
    assert.deepEqual(long, [])
  })

  it('answers a request with its whole body', async () => {
    for (const body of ['ä', '\r\n\r\nPUT /short?a=1 HTTP/1.1\r\n\r\n', 'x'.repeat(30_000)]) {
      wire.send(`POST /short?a=1 HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      assert.equal((await wire.reply()).body, `{"ö":${short.length}}`)
      assert.equal(short.at(-1)!.body!.toString(), body)
    }
    assert.equal(short.length, 3)
    assert.deepEqual(long, [])
  })

  it('leaves a body that is not all there yet, and the connection with it', async () => {
    wire.send('POST /short?a=1 HTTP/1.1\r\nContent-Length: 4\r\n\r\nab')
    await pause(20)
    wire.send('cd')
    assert.equal((await wire.reply()).body, 'long')
    assert.deepEqual(long, ['POST /short?a=1abcd'])
    assert.deepEqual(short, [])
  })

  it('lets a client wait with a body that nobody takes yet', async () => {
    let taken!: IncomingMessage
    server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/next') return response.end('next')
      taken = request
    })
    const bytes = 32 * 1024 * 1024
    wire.send(`PUT /large HTTP/1.1\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`)
    await until(() => taken !== undefined)
    // Time enough for all of it.
    for (let times = 0; times < 300; times += 1) await (await fetch(`${url}/next`)).text()
    assert.ok(taken.readableLength < 1024 * 1024, `${taken.readableLength}`)
    assert.equal((await bodyOf(taken)).length, bytes)
  })

  const left: readonly [name: string, request: string, asSeen: string][] = [
    ['another address', 'PUT /shorter?a=1 HTTP/1.1\r\n\r\n', 'PUT /shorter?a=1'],
    ['another method', 'GET /short?a=1 HTTP/1.1\r\n\r\n', 'GET /short?a=1'],
    ['a body in chunks', 'PUT /short?a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'PUT /short?a'],
    [
      'a packed body',
      'POST /short?a=1 HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\na',
      'POST /short?a=1a',
    ],
    ['a length with a blank', 'PUT /short?a=1 HTTP/1.1\r\nContent-Length : 0\r\n\r\n', 'PUT /short?a=1'],
    ['a header twice', 'PUT /short?a=1 HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 'PUT /short?a=1'],
    ['a header over two lines', 'PUT /short?a=1 HTTP/1.1\r\nX: a\r\n b\r\n\r\n', 'PUT /short?a=1'],
    ['bytes beyond ASCII', 'PUT /short?a=1 HTTP/1.1\r\nX: \xe4\r\n\r\n', 'PUT /short?a=1'],
    ['HTTP/1.0', 'PUT /short?a=1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 'PUT /short?a=1'],
    ['bare line feeds', 'PUT /short?a=1 HTTP/1.1\nHost: x\n\n', 'PUT /short?a=1'],
    ['a bare line feed at the end', 'PUT /short?a=1 HTTP/1.1\r\nX: y\n\r\n', 'PUT /short?a=1'],
    ['a long address', `PUT /short?${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, `PUT /short?${'a'.repeat(20_000)}`],
  ]
  for (const [name, request, asSeen] of left)
    it(`leaves to node:http: ${name}`, async () => {
      wire.send(Buffer.from(request, 'latin1'))
      assert.equal((await wire.reply()).body, 'long')
      assert.deepEqual(long, [asSeen])
      assert.deepEqual(short, [])
    })

  for (const length of ['+1', '01', '1, 1', '1\r\nContent-Length: 1', '1\r\nTransfer-Encoding: chunked'])
    it(`does not judge what the length ${JSON.stringify(length)} means`, async () => {
      wire.send(`POST /short?a=1 HTTP/1.1\r\nContent-Length: ${length}\r\n\r\na`)
      wire.socket.end()
      await wire.rest()
      assert.deepEqual(short, [])
    })

  it('does not judge an address with a tab, which node:http refuses', async () => {
    wire.send('PUT /short?a\t=1 HTTP/1.1\r\n\r\n')
    wire.socket.end()
    await wire.rest()
    assert.deepEqual([short, long], [[], []])
  })

  describe('a body without a length', () => {
    const head = 'PUT /short?a=1 HTTP/1.0\r\n\r\n'

    it('is answered here when its client has closed its sending side', async () => {
      wire.send(`${head}[1,`)
      await pause(20)
      assert.equal(short.length, 0)
      wire.send('2]')
      wire.socket.end()
      assert.match(await wire.rest(), /\r\nConnection: close\r\n[^]*\{"ö":1\}$/)
      assert.equal(short.at(-1)!.body!.toString(), '[1,2]')
      assert.deepEqual(long, [])
    })

    it('is refused when that does not come, or too much comes', async () => {
      wire.send(`${head}[1`)
      assert.match(await wire.rest(), /^HTTP\/1\.1 400 [^]*Content-Length is missing/)
      const other = await openWire(url)
      other.send(`${head}[${'1'.repeat(70_000)}`)
      assert.match(await other.rest(), /^HTTP\/1\.1 413 [^]*Content-Length is missing[^]*65536 bytes/)
      assert.deepEqual([short, long], [[], []])
    })

    it('is none where it could be a request, or a length of none is given', async () => {
      for (const [request, seen] of [
        ['PUT /short?a=1 HTTP/1.0\r\n\r\nGET /b HTTP/1.0\r\n\r\n', 'PUT /short?a=1'],
        ['PUT /short?a=1 HTTP/1.1\r\nContent-Length: 0\r\n\r\n[1]', 'PUT /short?a=1'],
        ['PUT /short?a=1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n[1]', 'PUT /short?a=1'],
        ['PUT /other?a=1 HTTP/1.0\r\n\r\n[1]', 'PUT /other?a=1'],
      ] as const) {
        const client = await openWire(url)
        client.send(request)
        client.socket.end()
        await client.rest()
        assert.equal(long.at(-1) === seen || long.at(-2) === seen, true, request)
      }
      assert.deepEqual(short, [])
    })

    it('costs nothing more when its client has left', async () => {
      wire.send(`${head}[1`)
      await pause(20)
      wire.socket.resetAndDestroy()
      await pause(400)
      assert.deepEqual([short, long], [[], []])
    })
  })

  it('says when a reply has been sent, or will not be', async () => {
    let sent = 0
    const onSent = () => (sent += 1)
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    await until(() => held.length > 0)
    held.shift()!({ ...jsonReply('x'), onSent })
    await wire.reply()
    await until(() => sent === 1)
    // More than the sockets between take, and nobody reads it.
    wire.socket.pause()
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    await until(() => held.length > 0)
    held.shift()!({ ...jsonReply('x'.repeat(30_000_000)), onSent })
    await pause(50)
    assert.equal(sent, 1)
    wire.close()
    await until(() => sent === 2)
  })

  it('closes where the client asks for it', async () => {
    wire.send('PUT /short?a=1 HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.match(await wire.rest(), /\r\nConnection: close\r\n[^]*long$/)
  })

  it('leaves a request that comes in pieces, and the connection with it', async () => {
    wire.send('PUT /short?a=1 HTT')
    await pause(20)
    wire.send('P/1.1\r\n\r\n')
    assert.equal((await wire.reply()).body, 'long')
    wire.send('PUT /short?a=2 HTTP/1.1\r\n\r\n')
    assert.equal((await wire.reply()).body, 'long')
    assert.deepEqual(long, ['PUT /short?a=1', 'PUT /short?a=2'])
  })

  it('answers requests that are sent ahead in their order', async () => {
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    await until(() => held.length === 1)
    wire.send('PUT /short?a=2 HTTP/1.1\r\n\r\nPUT /short?a=3 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc')
    await pause(20)
    wire.send('PUT /short?a=4 HTTP/1.1\r\n\r\n')
    await pause(20)
    assert.deepEqual(long, [])
    held[0]!(jsonReply('held'))
    assert.equal((await wire.reply()).body, '"held"')
    for (let n = 0; n < 3; n += 1) assert.equal((await wire.reply()).body, 'long')
    assert.deepEqual(long, ['PUT /short?a=2', 'PUT /short?a=3abc', 'PUT /short?a=4'])
  })

  it('answers a client that has ended its side, and ends the connection', async () => {
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    wire.socket.end()
    await until(() => held.length === 1)
    await pause(20)
    held[0]!(jsonReply('held'))
    assert.match(await wire.rest(), /\r\nConnection: close\r\n[^]*"held"$/)
  })

  it('answers a request sent ahead of the end of its client', async () => {
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    await until(() => held.length === 1)
    wire.send('PUT /short?a=2 HTTP/1.1\r\n\r\n')
    wire.socket.end()
    await pause(20)
    held[0]!(jsonReply('held'))
    assert.match(await wire.rest(), /"held"HTTP\/1\.1 200 OK[^]*long$/)
  })

  it('survives clients that go away before or after the reply', async () => {
    wire.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    await until(() => held.length === 1)
    wire.socket.resetAndDestroy()
    await pause(20)
    held[0]!(jsonReply('held'))
    const next = await openWire(url)
    next.send('PUT /short?a=1 HTTP/1.1\r\n\r\n')
    await next.reply()
    next.close()
  })

  it('closes connections that are not used, and keeps those that are', async () => {
    const silent = await openWire(url)
    const busy = await openWire(url)
    busy.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    for (let n = 0; n < 12; n += 1) {
      wire.send('PUT /short?a=1 HTTP/1.1\r\n\r\n')
      await wire.reply()
      await pause(idleMs / 4)
    }
    assert.equal(await silent.rest(), '')
    held[0]!(jsonReply('held'))
    assert.equal((await busy.reply()).body, '"held"')
    assert.equal(await busy.rest(), '')
  })

  it('closes idle connections with the server, and busy ones after their reply', async () => {
    const busy = await openWire(url)
    busy.send('PUT /short?hold HTTP/1.1\r\n\r\n')
    wire.send('PUT /short?a=1 HTTP/1.1\r\n\r\n')
    await wire.reply()
    await until(() => held.length === 1)
    const closed = once(server, 'close')
    server.close()
    assert.equal(await wire.rest(), '')
    held[0]!(jsonReply('held'))
    assert.match(await busy.rest(), /\r\nConnection: close\r\n[^]*"held"$/)
    await closed
  })
})
