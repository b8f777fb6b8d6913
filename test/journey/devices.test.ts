// Requests of devices in the field, byte by byte over raw sockets, and the bytes they must get back. Their firmware
// cannot be changed; each request here was seen in public device code.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { componentOf, linesOf, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const t = 1_700_000_000_000

describe('devices in the field', () => {
  let service: TestService
  let key: string
  before(async () => {
    service = await openTestService({}, openTestClock(t))
    key = service.apiKey
    const manage = await openManager(service)
    await manage.make('template', { id: 'temp', name: 'Temperatures', stream: [{ id: 's1' }, { id: 's2' }] })
    await manage.make('component', { id: 'Lamp', stream: [{ id: 'led', valueType: 'BOOLEAN' }, { id: 'freq' }] })
  })
  after(() => service.close())

  /** All that comes back until the server closes; without the Date line. */
  const send = async (parts: readonly (string | Uint8Array)[], mayEnd: boolean) => {
    const wire = await openWire(service.url)
    for (const part of parts) wire.send(part)
    if (mayEnd) wire.socket.end()
    const text = await wire.rest()
    return text.replaceAll(/Date: [^\r]+ GMT\r\n/g, '')
  }
  const bytesOf = (parts: readonly (string | Uint8Array)[]) =>
    Array.from(Buffer.concat(parts.map((part) => Buffer.from(part as string))), (byte) => Uint8Array.of(byte))
  /** The same comes back, whether the device then waits or closes its sending side, and in however many pieces it sends. */
  const exchange = async (...parts: readonly (string | Uint8Array)[]) => {
    const text = await send(parts, false)
    assert.equal(await send(parts, true), text)
    assert.equal(await send(bytesOf(parts), true), text)
    return text
  }
  const emptyOk = 'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  const jsonOk = (body: string) =>
    'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: application/json; charset=utf-8\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  const keepAlive = ['Access-Control-Allow-Origin: *', 'Content-Length: 0', 'Connection: keep-alive']
  const lines = (compId: string) => linesOf(service, compId, t)

  it('may send a leading &, no Content-Length, an IP address for Host, X-Forwarded-For with the serial', async () => {
    const request = [
      `PUT /api/feed?&api_key=${key}&compId=C1&a=1&b=2 HTTP/1.1`,
      'Host: 127.0.0.1',
      'X-Forwarded-For: C1',
      'Connection: close',
      '',
      '',
    ].join('\r\n')
    assert.equal(await exchange(request), emptyOk)
    assert.deepEqual(await lines('C1'), ['a 0=1', 'b 0=2'])
  })

  it('may send lines that end with a bare LF', async () => {
    const request = `PUT /api/feed?&api_key=${key}&compId=C2&a=1 HTTP/1.1\nHost: 127.0.0.1\nX-Forwarded-For: C2\nConnection: close\n\n`
    assert.equal(await exchange(request), emptyOk)
    assert.deepEqual(await lines('C2'), ['a 0=1'])
  })

  it('may send lines that end with a bare LF, and a body behind them', async () => {
    const body = '[{"compId":"C2b","streamId":"a","data":1}]'
    const request = `PUT /api/feed?api_key=${key} HTTP/1.1\nConnection: close\nContent-Length: ${body.length}\n\n${body}`
    assert.equal(await exchange(request), emptyOk)
    assert.deepEqual(await lines('C2b'), ['a 0=1'])
  })

  it('may send raw colons in the ID, an empty Host, a template and a name', async () => {
    const target = `/api/feed?compTmplId=temp&compId=00:1A:22:33:44:55&compName=N&api_key=${key}&s1=20.1`
    assert.equal(await exchange(`PUT ${target} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`), emptyOk)
    assert.equal(await exchange(`PUT ${target} HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`), emptyOk)
    const id = '00:1A:22:33:44:55'
    assert.deepEqual(await streamsOf(service.sql, id), ['1 s1 random DOUBLE', '2 s2 random DOUBLE'])
    assert.equal((await componentOf(service.sql, id))!['name'], 'N')
    assert.deepEqual(await lines(id), ['s1 0=20.1'])
  })

  it('may send compID and compid', async () => {
    for (const name of ['compID', 'compid']) {
      const target = `/api/feed?&api_key=${key}&${name}=C-${name}&temp=21.50`
      assert.equal(await exchange(`PUT ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), emptyOk)
      assert.deepEqual(await lines(`C-${name}`), ['temp 0=21.5'])
    }
  })

  it('may send + for a blank, and a doubled slash', async () => {
    const target = `//api/feed?compId=mum+office&api_key=${key}&t=1`
    assert.equal(await exchange(`PUT ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), emptyOk)
    assert.deepEqual(await lines('mum office'), ['t 0=1'])
  })

  it('may send HTTP/1.0 without Host, and CR, NUL, CR behind the JSON inside its length', async () => {
    const body = '[{"compId":"C5","streamId":"a","data":1},{"compId":"C5","streamId":"b","data":"x"}]\r\0\r'
    assert.equal(
      await exchange(`PUT /api/feed?api_key=${key} HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      emptyOk,
    )
    assert.deepEqual(await lines('C5'), ['a 0=1', 'b 0="x"'])
  })

  it('may send the key in a cookie only, no blank behind header colons, Content-Type twice, keep-alive', async () => {
    const wire = await openWire(service.url)
    for (const value of ['True', 'False']) {
      wire.send(
        `PUT /api/feed?compId=Lamp&led=${value} HTTP/1.1\r\nHost:x\r\nCookie:api_key=${key}\r\nContent-Type:text/plain\r\n` +
          'Content-Type:application/json\r\nConnection:keep-alive\r\n\r\n',
      )
      const reply = await wire.reply()
      assert.deepEqual(reply, { statusLine: 'HTTP/1.1 200 OK', headers: keepAlive, body: '' })
    }
    wire.close()
    assert.deepEqual(await lines('Lamp'), ['led 0=false'])
  })

  it('may send a cookie with the organization, no blank behind ;', async () => {
    for (const cookie of [
      `api_key=${key};org=${service.organizationUid}`,
      `org=${service.organizationUid};api_key=${key}`,
    ]) {
      const request = `PUT /api/feed?compId=C7&a=1 HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`
      assert.equal(await exchange(request), emptyOk)
    }
    assert.deepEqual(await lines('C7'), ['a 0=1'])
  })

  it('may read last_value at a fixed offset', async () => {
    await service.put('/api/feed?compId=C8&led=1')
    const request = `GET /api/comp/C8/last_value?retStreamId&api_key=${key} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    assert.equal(await exchange(request), jsonOk('[{"streamId":"led","time":1700000000000,"data":1}]'))
  })

  it('may ask for last_value with Content-Length: 0 and search for "data":true', async () => {
    await service.put('/api/feed?compId=Lamp&led=TRUE')
    const request = `GET /api/comp/Lamp/stream/led/last_value?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
    assert.equal(await exchange(request), jsonOk('[{"time":1700000000000,"data":true}]'))
  })

  it("get a reply that fits 50 bytes to rsid with a form's Content-Type and an empty body", async () => {
    await service.put('/api/feed?compId=Lamp&led=0')
    await service.put('/api/feed', JSON.stringify([{ compId: 'Lamp', streamId: 'freq', data: 50 }]))
    for (const length of ['', 'Content-Length: 0\r\n']) {
      const request =
        `PUT /api/feed?api_key=${key}&compId=Lamp&led=1&rsid=freq&rsid=led HTTP/1.1\r\nHost: x\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\n${length}Connection: close\r\n\r\n`
      const body = '{"freq":50,"led":true}'
      assert.ok(body.length <= 50)
      assert.equal(await exchange(request), jsonOk(body))
    }
  })

  it('may send the object form, gzipped, with the organization', async () => {
    const body = gzipSync(
      JSON.stringify({
        feed: { component: [{ componentId: 'C11', time: [t - 1, t], stream: [{ streamId: 'a', data: [1, 2] }] }] },
      }),
    )
    const head =
      `PUT /api/feed?org=${service.organizationUid}&api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    assert.equal(await exchange(head, body), emptyOk)
    assert.deepEqual(await lines('C11'), ['a 0=2', 'a -1=1'])
  })

  it('may send a JSON array without any Content-Type, numbers as strings', async () => {
    const put = (data: string) => {
      const body = `[{"compId":"C12","streamId":"a","data":${data}}]`
      return exchange(
        `PUT /api/feed?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
    }
    assert.equal(await put('20'), emptyOk)
    assert.equal(await put('"21.5"'), emptyOk)
    assert.deepEqual(await lines('C12'), ['a 0=21.5'])
  })

  it('may send a body in single bytes, and a head in pieces', async () => {
    const body = '[{"compId":"C13","streamId":"a","data":1}]'
    const request = `PUT /api/feed?api_key=${key} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
    assert.equal(await exchange(...request.split('')), emptyOk)
    assert.deepEqual(await lines('C13'), ['a 0=1'])
  })

  it('may hang up as soon as they have sent, by either way, without reading', async () => {
    for (const [id, hangUp] of [
      ['C-end', (socket: Socket) => socket.end()],
      ['C-gone', (socket: Socket) => socket.destroySoon()],
    ] as const) {
      const wire = await openWire(service.url)
      wire.send(`PUT /api/feed?compId=${id}&a=1&api_key=${key}& HTTP/1.1\r\nHost: \r\n\r\n`)
      hangUp(wire.socket)
      await eventually(async () => {
        const [found] = await service.sql<[{ count: number }]>`
          select count(*)::integer from sample join stream on stream.key = sample.stream_key
          join component on component.key = stream.component_key where component.id = ${id}`
        return found.count === 1
      })
      assert.deepEqual(await lines(id), ['a 0=1'])
    }
  })

  describe('that closes its sending side directly behind', () => {
    const put = (id: string, line = 'HTTP/1.1') => `PUT /api/feed?compId=${id}&a=1&api_key=${key} ${line}\r\n`
    const array = (id: string) => `[{"compId":"${id}","streamId":"a","data":1}]`
    const putArray = (id: string, line: string) =>
      `PUT /api/feed?api_key=${key} ${line}\r\nContent-Length: ${array(id).length}\r\n\r\n${array(id)}`
    const get = (line: string) => `GET /api/comp/C8/last_value?api_key=${key} ${line}\r\n\r\n`
    const requests: readonly [name: string, request: (id: string) => string, count: number][] = [
      ['an upload', (id) => `${put(id)}\r\n`, 1],
      ['an upload that other headers keep from the short way', (id) => `${put(id)}X: \xe4\r\n\r\n`, 1],
      ['an upload by HTTP/1.0', (id) => `${put(id, 'HTTP/1.0')}\r\n`, 1],
      ['an upload by HTTP/1.0 that would go on', (id) => `${put(id, 'HTTP/1.0')}Connection: keep-alive\r\n\r\n`, 1],
      ['an upload with a length of none by HTTP/1.0', (id) => `${put(id, 'HTTP/1.0')}Content-Length: 0\r\n\r\n`, 1],
      ['an array', (id) => putArray(id, 'HTTP/1.1'), 1],
      ['an array by HTTP/1.0', (id) => putArray(id, 'HTTP/1.0'), 1],
      ['several uploads in one go', (id) => `${put(id)}\r\n${put(`${id}-2`)}\r\n${put(`${id}-3`)}\r\n`, 3],
      ['arrays and uploads in one go', (id) => `${putArray(id, 'HTTP/1.1')}${put(`${id}-2`)}\r\n${get('HTTP/1.1')}`, 3],
    ]
    for (const [n, [name, request, count]] of requests.entries())
      it(`gets its reply: ${name}`, async () => {
        await service.put('/api/feed?compId=C8&led=1')
        const [whole, byBytes] = [`H${n}`, `B${n}`]
        const parts = (id: string) => [Buffer.from(request(id), 'latin1')]
        for (const text of [await send(parts(whole), true), await send(bytesOf(parts(byBytes)), true)])
          assert.equal(text.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, count, text)
        for (const id of [whole, byBytes]) assert.deepEqual(await lines(id), ['a 0=1'])
        if (count > 1) assert.deepEqual(await lines(`${whole}-2`), ['a 0=1'])
      })

    it('gets its replies when the second request comes while the first is being answered', async () => {
      for (let n = 0; n < 20; n += 1) {
        const wire = await openWire(service.url)
        wire.send(`${put(`W${n}`)}\r\n`)
        await new Promise((resolve) => setImmediate(resolve))
        wire.send(`${put(`X${n}`)}\r\n`)
        wire.socket.end()
        assert.equal((await wire.rest()).match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 2)
        assert.deepEqual(await lines(`X${n}`), ['a 0=1'])
      }
    })

    it('gets the reply to a reading', async () => {
      await service.put('/api/feed?compId=C8&led=1')
      for (const line of ['HTTP/1.0', 'HTTP/1.1']) assert.match(await send([get(line)], true), /"data":1\}\]$/)
    })
  })

  describe('with any line ends', () => {
    const ends = ['\r\n', '\n'] as const
    const combined = (count: number): readonly (readonly string[])[] =>
      count === 0 ? [[]] : combined(count - 1).flatMap((rest) => ends.map((end) => rest.concat(end)))
    const array = (id: string) => `[{"compId":"${id}","streamId":"a","data":1}]`
    const inUrl = (id: string) => `/api/feed?compId=${id}&a=1&api_key=${key}`
    const heads: readonly [name: string, lines: (id: string) => readonly string[], body: (id: string) => string][] = [
      ['no header', (id) => [`PUT ${inUrl(id)} HTTP/1.0`, ''], () => ''],
      ['one header', (id) => [`PUT ${inUrl(id)} HTTP/1.0`, 'Host: x', ''], () => ''],
      ['two headers', (id) => [`PUT ${inUrl(id)} HTTP/1.1`, 'Host:', 'Connection: close', ''], () => ''],
      ['a length', (id) => [`PUT /api/feed?api_key=${key} HTTP/1.0`, `Content-Length: ${array(id).length}`, ''], array],
      ['a body without a length', () => [`PUT /api/feed?api_key=${key} HTTP/1.0`, ''], array],
    ]
    const requestsOf = (id: string, [, head, body]: (typeof heads)[number]) =>
      combined(head(id).length).map(
        (chosen) =>
          head(id)
            .map((line, n) => `${line}${chosen[n]}`)
            .join('') + body(id),
      )

    for (const [at, head] of heads.slice(0, 4).entries())
      it(`serves ${head[0]}, in one piece and in single bytes, closed or left open`, async () => {
        for (const [n, request] of requestsOf(`L${at}`, head).entries()) {
          assert.equal(await exchange(request), emptyOk, JSON.stringify(request))
          assert.deepEqual(await lines(`L${at}`), ['a 0=1'], String(n))
        }
      })

    it('serves a body without a length once its sending side is closed', async () => {
      for (const [n, version] of ['1.0', '1.1', '1.0', '1.1'].entries())
        for (const request of requestsOf(`U-${n}`, heads[4]!)) {
          const more = n < 2 ? '' : 'Connection: close\r\n'
          const bytes = request.replace(/HTTP\/1\.0(\r?\n)/, `HTTP/${version}$1${more}`)
          const text = await send([bytes.slice(0, -20), bytes.slice(-20)], true)
          assert.equal(text, emptyOk, JSON.stringify(bytes))
        }
      for (const n of [0, 1, 2, 3]) assert.deepEqual(await lines(`U-${n}`), ['a 0=1'])
    })

    it('serves several uploads without headers on one connection, sent ahead or one after another', async () => {
      for (const [n, [first, second]] of combined(2)
        .map((one) => one.join(''))
        .flatMap((one, _, all) => all.map((two) => [one, two]))
        .entries()) {
        const put = (id: string, end: string) => `PUT ${inUrl(id)} HTTP/1.1${end}`
        const both = [put(`P${n}-1`, first!), put(`P${n}-2`, second!)]
        const texts = [await send([both.join('')], true), await send(bytesOf(both), true)]
        for (const text of texts) assert.equal(text.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 2, JSON.stringify(both))
        const wire = await openWire(service.url)
        for (const request of [both[1]!, both[1]!, both[1]!]) {
          wire.send(request)
          assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK', JSON.stringify(request))
        }
        wire.close()
        for (const id of [1, 2]) assert.deepEqual(await lines(`P${n}-${id}`), ['a 0=1'])
      }
    })
  })

  describe('that leaves the length of its body out', () => {
    const array = '[{"compId":"N","streamId":"a","data":1}]'
    const replies = (text: string) => text.match(/HTTP\/1\.1 \d+ /g)

    it('gets one reply, which names Content-Length, where the body is late, elsewhere or large', async () => {
      const head = (path: string, more = '') => `PUT ${path}?api_key=${key} HTTP/1.1\r\n${more}\r\n`
      const large = `[${' '.repeat(100_000)}]`
      for (const parts of [
        [`${head('//api/feed')}${array}`],
        [`${head('/api/feed', 'X: \r\nX: \r\n')}${array}`],
        [`${head('/api/feed')}${large}`],
      ])
        for (const more of [[], ['\r\n']]) {
          const text = await send([...parts, ...more], true)
          assert.equal(replies(text)?.length, 1, text)
          assert.match(text, /^HTTP\/1\.1 4(?:00|13) [^]*Content-Length/)
        }
      const wire = await openWire(service.url)
      wire.send(head('/api/feed'))
      assert.match((await wire.reply()).body, /Content-Length/)
      wire.send(array)
      assert.equal(await wire.rest(), '')
    })

    it('gets no second reply to bytes behind the first', async () => {
      for (const line of ['HTTP/1.0', 'HTTP/1.1']) {
        const wire = await openWire(service.url)
        wire.send(`PUT /api/feed?compId=N2&a=1&api_key=${key} ${line}\r\n\r\n`)
        assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
        wire.send('[1]')
        assert.equal(await wire.rest(), '')
      }
    })
  })

  it('may use an HTTP library that makes [] of no body', async () => {
    const request = `PUT /api/feed?api_key=${key}&compId=Living+Room&temperature=72.5 HTTP/1.1\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[]`
    assert.equal(await exchange(request), emptyOk)
    assert.deepEqual(await lines('Living Room'), ['temperature 0=72.5'])
  })

  it('may send Expect: 100-continue', async () => {
    const body = '[{"compId":"C14","streamId":"a","data":1}]'
    const wire = await openWire(service.url)
    wire.send(
      `PUT /api/feed?api_key=${key} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    )
    wire.send(body)
    assert.match(await wire.rest(), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  it('may be a page of another origin that GETs, with a cache-buster', async () => {
    const request = `GET /api/comp/C8/feed?api_key=${key}&_=1700000000001 HTTP/1.1\r\nHost: x\r\nOrigin: http://page\r\nConnection: close\r\n\r\n`
    assert.equal(await exchange(request), jsonOk('[{"time":1700000000000,"data":1}]'))
  })

  it('get a refusal that is as small and has its length too', async () => {
    const body = '{"success":false,"code":"bad_request","message":"compId is missing"}'
    assert.equal(
      await exchange(`PUT /api/feed?api_key=${key}&a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      jsonOk(body).replace('200 OK', '400 Bad Request'),
    )
  })
})
