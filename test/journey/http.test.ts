// Rules of every reply (docs/replies.md): errors, CORS, methods, addresses; and the rules of connections.
import assert from 'node:assert/strict'
import { assertRefused, linesOf, refusalText } from '../support/feed.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

const t = 1_700_000_000_000

describe('every reply', () => {
  let service: TestService
  before(async () => {
    service = await openTestService({}, openTestClock(t))
    await service.put('/api/feed?compId=C&a=1')
  })
  after(() => service.close())

  const raw = async (text: string) => {
    const wire = await openWire(service.url)
    wire.send(text)
    const reply = await wire.reply()
    wire.close()
    return reply
  }
  const key = () => `api_key=${service.apiKey}`

  describe('is an error in one shape', () => {
    const needsCredential = 'this call needs a credential: api_key, session or a Bearer token'
    const refused: readonly [method: string, path: string, status: number, code: string, message: string][] = [
      ['GET', '/api', 404, 'not_found', 'no such address: /docs lists all calls'],
      ['GET', '/api/nothing', 404, 'not_found', 'no such address: /docs lists all calls'],
      ['GET', '/api/comp/C', 404, 'not_found', 'no such address: /docs lists all calls'],
      ['PUT', '/api/comp//feed', 404, 'not_found', 'no such address: /docs lists all calls'],
      ['PUT', '/api/comp/C/feed', 405, 'method_not_allowed', 'PUT is not for this address, but GET'],
      ['POST', '/api/feed', 405, 'method_not_allowed', 'POST is not for this address, but PUT, GET'],
      ['PATCH', '/api/comp/C/last_value', 405, 'method_not_allowed', 'PATCH is not for this address, but GET'],
      ['POST', '/api/comp/C/stream/a/feed', 405, 'method_not_allowed', 'POST is not for this address, but GET, DELETE'],
      ['GET', '/api/feed', 405, 'method_not_allowed', 'use PUT, or GET with asPut'],
      ['GET', '/api/comp/C/feed', 401, 'unauthorized', needsCredential],
      ['PUT', '/api/feed', 401, 'unauthorized', needsCredential],
    ]
    for (const [method, path, status, code, message] of refused)
      it(`is ${status} for ${method} ${path}`, async () => {
        const reply = await service.request(method, path)
        assertRefused(reply, status, code, message)
        assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
        assert.equal(reply.headers.get('content-length'), String(Buffer.byteLength(reply.text)))
        assert.equal(reply.headers.get('access-control-allow-origin'), '*')
      })

    it('names the methods that are for the address in a 405', async () => {
      const allow = async (method: string, path: string) => (await service.request(method, path)).headers.get('allow')
      assert.equal(await allow('PUT', '/api/comp/C/feed'), 'HEAD, GET')
      assert.equal(await allow('POST', '/api/comp/C/stream/a/feed'), 'HEAD, GET, DELETE')
      assert.equal(await allow('GET', '/api/feed'), 'PUT')
    })

    it('names the scheme in a 401', async () => {
      assert.equal((await service.request('GET', '/api/comp/C/feed')).headers.get('www-authenticate'), 'Bearer')
    })
  })

  it('has no page headers: an empty 200 is under 512 bytes in all', async () => {
    const wire = await openWire(service.url)
    wire.send(`PUT /api/feed?compId=C&a=1&${key()} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    const text = await wire.rest()
    assert.ok(text.length < 512, text)
    assert.match(
      text,
      /^HTTP\/1\.1 200 OK\r\nAccess-Control-Allow-Origin: \*\r\nContent-Length: 0\r\nDate: [^\r]+\r\nConnection: close\r\n\r\n$/,
    )
  })

  describe('is for pages of any origin', () => {
    it('has a preflight that allows the methods and headers of the API, and no credentials', async () => {
      for (const path of ['/api/feed', '/api/comp/C/feed', '/api/component/x']) {
        const reply = await service.request('OPTIONS', path, {
          headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'PUT' },
        })
        assert.equal(reply.status, 204)
        assert.equal(reply.headers.get('access-control-allow-origin'), '*')
        assert.equal(reply.headers.get('access-control-allow-methods'), 'GET, PUT, POST, DELETE, HEAD')
        assert.match(reply.headers.get('access-control-allow-headers')!, /Authorization, Content-Type/)
        assert.equal(reply.headers.get('access-control-allow-credentials'), null)
        assert.equal(reply.headers.get('content-length'), null)
      }
    })

    it('has the same headers on success and on errors', async () => {
      for (const [path, status] of [
        [`/api/comp/C/feed?${key()}`, 200],
        [`/api/comp/Nobody/feed?${key()}`, 404],
        ['/api/comp/C/feed', 401],
        ['/nothing', 404],
      ] as const) {
        const reply = await service.request('GET', path, { headers: { Origin: 'https://example.org' } })
        assert.equal(reply.status, status)
        assert.equal(reply.headers.get('access-control-allow-origin'), '*')
        assert.equal(reply.headers.get('access-control-allow-credentials'), null)
      }
    })
  })

  it('does not wait for the body of a stranger', async () => {
    for (const head of [
      'POST /api/unit',
      'PUT /api/unit/x',
      'POST /api/organization',
      'PUT /api/feed',
      'POST /api/gql',
    ]) {
      const { statusLine } = await raw(
        `${head} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      )
      assert.equal(statusLine, 'HTTP/1.1 401 Unauthorized', head)
    }
  })

  it('is to a HEAD that to a GET without its body', async () => {
    const path = `/api/comp/C/feed?${key()}`
    const [got, head] = [await service.request('GET', path), await service.request('HEAD', path)]
    assert.equal(head.text, '')
    for (const name of ['content-length', 'content-type']) assert.equal(head.headers.get(name), got.headers.get(name))
    assert.equal((await service.request('HEAD', `/api/comp/Nobody/feed?${key()}`)).status, 404)
    assert.equal((await service.request('HEAD', '/api/feed')).status, 405)
  })

  describe('comes to addresses', () => {
    it('comes to an address of 32 KB', async () => {
      const values = Array.from({ length: 4500 }, (_, n) => 10 + (n % 90))
      const path = `/api/feed?compId=Long&freq=1000&a=${values.join()}&delim=,&b=${values.join()}`
      assert.ok(path.length > 27_000)
      assert.equal((await service.put(path.padEnd(32_768, '&'))).status, 200)
    })

    it('comes to an address with doubled slashes', async () => {
      assert.equal((await raw(`GET //api//comp///C//feed?${key()} HTTP/1.1\r\n\r\n`)).body, `[{"time":${t},"data":1}]`)
    })

    it('comes to an address in the absolute form', async () => {
      const { body } = await raw(
        `GET http://example.org/api/comp/C/feed?${key()} HTTP/1.1\r\nHost: example.org\r\n\r\n`,
      )
      assert.equal(body, `[{"time":${t},"data":1}]`)
    })

    it('takes a plus for a plus in the path and for a blank in the query', async () => {
      await service.put('/api/feed?compId=a%2Bb&a=1')
      await service.put('/api/feed?compId=a+b&a=2')
      assert.deepEqual((await service.get('/api/comp/a+b/feed')).json, [{ time: t, data: 1 }])
      assert.deepEqual((await service.get('/api/comp/a%20b/feed')).json, [{ time: t, data: 2 }])
    })
  })

  describe('on one connection', () => {
    it('follows the one before it, many times', async () => {
      const wire = await openWire(service.url)
      for (let n = 0; n < 50; n += 1) {
        wire.send(`PUT /api/feed?compId=K&a=${n}&time=${n}&rsid=a&${key()} HTTP/1.1\r\n\r\n`)
        const body = (await wire.reply()).body
        assert.equal(
          body,
          n === 0 ? '{"a":0,"missing":[{"itemType":"stream","itemId":"a","componentId":"K"}]}' : `{"a":${n}}`,
        )
      }
      wire.close()
    })

    it('comes in the order of requests that were sent in one go, each served after the one before', async () => {
      const wire = await openWire(service.url)
      const requests = Array.from(
        { length: 100 },
        (_, n) => `PUT /api/feed?compId=P&a=${n}&time=5&${key()} HTTP/1.1\r\n\r\n`,
      )
      wire.send(requests.join(''))
      wire.send(`GET /api/comp/P/feed?${key()} HTTP/1.1\r\n\r\n`)
      for (let n = 0; n < 100; n += 1) assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      assert.equal((await wire.reply()).body, '[{"time":5,"data":99}]')
      wire.close()
    })

    it('comes for bodies that were sent in one go', async () => {
      const wire = await openWire(service.url)
      const request = (n: number) => {
        const body = `[{"compId":"Q","streamId":"a","data":${n},"time":${n}},{"compId":"Q","streamId":"a","data":${n},"time":1000}]`
        return `PUT /api/feed?${key()} HTTP/1.1\r\nX-Padding: ${'x'.repeat(200)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      }
      // More than fits into one read of the socket.
      wire.send(Array.from({ length: 250 }, (_, n) => request(n)).join(''))
      for (let n = 0; n < 250; n += 1) assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      assert.equal((await linesOf(service, 'Q'))[0], 'a 1000=249')
      wire.close()
    })

    it('is the last when the client says so, and nothing is done for later bytes', async () => {
      const wire = await openWire(service.url)
      wire.send(
        `GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\nPUT /api/feed?compId=Late&a=1&${key()} HTTP/1.1\r\n\r\n`,
      )
      assert.equal((await wire.rest()).match(/HTTP\/1\.1/g)!.length, 1)
      // By now the upload would be stored: this one came later.
      await service.put('/api/feed?compId=Later&a=1')
      assert.equal((await service.get('/api/comp/Late/feed')).status, 404)
    })

    it('is the last when the client says so', async () => {
      for (const request of [`GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`, `GET /healthz HTTP/1.0\r\n\r\n`]) {
        const wire = await openWire(service.url)
        wire.send(request)
        assert.match(
          await wire.rest(),
          /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n\r\n\{"success":true,"message":""\}$/,
        )
      }
    })
  })

  describe('is the last to a request that others may see end elsewhere, which is refused', () => {
    const hello = '5\r\nhello\r\n0\r\n\r\n'
    const uncertain: readonly [name: string, head: string, body: string][] = [
      ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', hello],
      ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4', hello],
      ['chunks in a folded line, and a length', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 4', hello],
      ['a length with a blank before its colon', 'Content-Length : 5', 'hello'],
      ['chunks with a blank before the colon', 'Transfer-Encoding : chunked', hello],
      ['an encoding that nobody knows', 'Transfer-Encoding: xchunked', hello],
      ['an encoding behind the chunks', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', hello],
      ['two lengths', 'Content-Length: 5\r\nContent-Length: 6', 'hello'],
    ]
    const hidden = () => `PUT /api/feed?compId=Hidden&a=1&${key()} HTTP/1.1\r\n\r\n`
    for (const [name, head, body] of uncertain)
      it(`is 400 for ${name}`, async () => {
        const wire = await openWire(service.url)
        wire.send(`PUT /api/feed?compId=Hidden&b=1&${key()} HTTP/1.1\r\n${head}\r\n\r\n${body}${hidden()}`)
        const reply = await wire.rest()
        assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n[^]*Connection: close\r\n/)
        assert.equal(reply.match(/HTTP\/1\.1/g)!.length, 1, reply)
        // By now the hidden upload would be stored: this one came later.
        await service.put('/api/feed?compId=Later&a=1')
        assert.equal((await service.get('/api/comp/Hidden/feed')).status, 404)
      })

    it('is 400 for chunks by HTTP/1.0', async () => {
      const wire = await openWire(service.url)
      wire.send(`PUT /api/feed?compId=Hidden&b=1&${key()} HTTP/1.0\r\nConnection: keep-alive\r\n`)
      wire.send(`Transfer-Encoding: chunked\r\n\r\n${hello}${hidden()}`)
      assert.match(await wire.rest(), /^HTTP\/1\.1 400 /)
      assert.equal((await service.get('/api/comp/Hidden/feed')).status, 404)
    })
  })

  describe('to bytes that are no request', () => {
    const broken: readonly [name: string, text: string][] = [
      ['no HTTP at all', 'hello\r\n\r\n'],
      ['a blank in the address', 'GET /api/comp/a b/feed HTTP/1.1\r\n\r\n'],
      ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
      ['a length that is none', 'PUT /api/feed HTTP/1.1\r\nContent-Length: many\r\n\r\n'],
      ['raw UTF-8 in the address', Buffer.from('GET /api/comp/Küche/feed HTTP/1.1\r\n\r\n').toString('latin1')],
      ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00'],
    ]
    for (const [name, text] of broken)
      it(`is 400 for ${name}`, async () => {
        const wire = await openWire(service.url)
        wire.send(Buffer.from(text, 'latin1'))
        const reply = await wire.rest()
        assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/)
        assert.ok(reply.endsWith(`\r\n\r\n${refusalText('bad_request', 'this is not an HTTP request')}`), reply)
      })

    it('comes after the reply to the good request before it', async () => {
      const wire = await openWire(service.url)
      wire.send(`PUT /api/feed?compId=G&a=1&${key()} HTTP/1.1\r\n\r\nrubbish\r\n\r\n`)
      assert.match(await wire.rest(), /^HTTP\/1\.1 200 OK\r\n/)
      assert.deepEqual(await linesOf(service, 'G', t), ['a 0=1'])
    })

    for (const [name, request] of [
      ['ends before its Content-Length', 'Content-Length: 100\r\n\r\n[{"compId":"H"'],
      ['ends within a chunk', 'Transfer-Encoding: chunked\r\n\r\n64\r\n[{"compId":"H"'],
      ['ends before its last chunk', 'Transfer-Encoding: chunked\r\n\r\n1\r\n[\r\n'],
    ] as const)
      it(`comes at once when the body ${name}`, async () => {
        const wire = await openWire(service.url)
        wire.send(`PUT /api/feed?${key()} HTTP/1.1\r\n${request}`)
        wire.socket.end()
        const reply = await wire.rest()
        assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/)
        assert.ok(reply.endsWith(refusalText('bad_request', 'the request broke off')), reply)
        assert.equal((await service.get('/api/comp/H/feed')).status, 404)
      })

    it('comes at once when the chunks are none', async () => {
      const wire = await openWire(service.url)
      wire.send(`PUT /api/feed?${key()} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nmany\r\n[`)
      assert.match(await wire.rest(), /^HTTP\/1\.1 400 Bad Request\r\n/)
    })

    it('is 413 for an address or headers of more than 64 KB', async () => {
      const told = refusalText('too_large', 'the address and the headers are larger than 65536 bytes')
      for (const text of [
        `GET /${'x'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
        `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
      ]) {
        const wire = await openWire(service.url)
        wire.send(text)
        const reply = await wire.rest()
        assert.match(reply, /^HTTP\/1\.1 413 /)
        assert.ok(reply.endsWith(told), reply)
      }
    })
  })
})
