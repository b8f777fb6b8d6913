// Hostile input against a server as users run it: each gets its answer, stores nothing, and leaves the server serving
// others, within its memory.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { createGzip } from 'node:zlib'
import { crowd } from '../support/crowd.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { Counts } from '../support/feed.ts'
import { countRows, refusalText } from '../support/feed.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'
import { openWire } from '../support/wire.ts'

const megabyte = 1024 * 1024

/** A body of so many bytes, made as it is taken, without a declared length. */
const endless = (bytes: number, part: Uint8Array) => {
  let left = bytes
  return new ReadableStream({
    pull: (controller) => {
      if (left <= 0) return controller.close()
      controller.enqueue(left >= part.length ? part : part.subarray(0, left))
      left -= part.length
    },
  })
}

/** Gzip of so many bytes of one kind, without having them in memory. */
const bombOf = async (bytes: number, fill: string): Promise<Uint8Array<ArrayBuffer>> => {
  const gzip = createGzip({ level: 9 })
  const block = Buffer.alloc(megabyte, fill)
  void (async () => {
    for (let sent = 0; sent < bytes; sent += block.length)
      if (!gzip.write(block)) await new Promise((resolve) => gzip.once('drain', resolve))
    gzip.end()
  })()
  return Buffer.concat((await gzip.toArray()) as Buffer[])
}

describe('hostile input', function () {
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('hostile')
    server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url, LOG_LEVEL: 'info' })
    await answerOf('PUT', 'compId=Boiler&temp=20.1&note=x&time=5')
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  const key = `api_key=${serverApiKey}`
  const put = (query: string, body?: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/feed?${key}&${query}`, {
      method: 'PUT',
      headers,
      duplex: 'half',
      ...(body ? { body } : {}),
    })
  const answerOf = async (
    method: string,
    query: string,
    body?: RequestInit['body'],
    headers: Record<string, string> = {},
  ) => {
    const reply = method === 'PUT' ? await put(query, body, headers) : await fetch(`${server.url}${query}`, { method })
    return `${reply.status} ${await reply.text()}`
  }
  const refusal = (status: number, code: string, message: string) => `${status} ${refusalText(code, message)}`
  const bad = (message: string) => refusal(400, 'bad_request', message)

  let counts: Counts
  beforeEach(async () => {
    counts = await countRows(database.sql)
  })
  /** Stores nothing, and everybody else is served as before. */
  const harmless = async () => {
    assert.deepEqual(await countRows(database.sql), counts)
    assert.equal(await answerOf('PUT', 'compId=Boiler&temp=20.1&time=5'), '200 ')
    const reply = await fetch(`${server.url}/api/comp/Boiler/stream/temp/feed?${key}`)
    assert.equal(await reply.text(), '[{"time":5,"data":20.1}]')
    assert.ok(server.isRunning())
  }
  afterEach(() => server.assertMemory())

  describe('of great size', () => {
    const tooLarge = refusal(413, 'too_large', 'the body is larger than 67108864 bytes')

    it('is refused as 100 MB of [, declared or not', async () => {
      const part = Buffer.alloc(megabyte, '[')
      assert.equal(await answerOf('PUT', '', Buffer.alloc(100 * megabyte, '[')), tooLarge)
      assert.equal(await answerOf('PUT', '', endless(100 * megabyte, part)), tooLarge)
      await harmless()
    })

    it('is refused as 60 MB of [, which is not too large', async () => {
      assert.equal(
        await answerOf('PUT', '', Buffer.alloc(60 * megabyte, '[')),
        bad('the body is nested more than 64 deep'),
      )
      await harmless()
    })

    it('is refused as a gzip bomb of 100 MB', async () => {
      const bomb = await bombOf(100 * megabyte, '[')
      assert.ok(bomb.length < megabyte)
      assert.equal(await answerOf('PUT', '', bomb, { 'Content-Encoding': 'gzip' }), tooLarge)
      await harmless()
    })

    it('does no harm by six gzip bombs at once, each just within the limit', async () => {
      const bomb = await bombOf(63 * megabyte, '[')
      const answers = await crowd(6, 6, () => answerOf('PUT', '', bomb, { 'Content-Encoding': 'gzip' }))
      for (const answer of answers) assert.match(answer, /^(400|503) /)
      await harmless()
    })

    it('is refused as millions of values in a body', async () => {
      for (const part of ['{},', '1,', '"",']) {
        const answer = await answerOf('PUT', '', `[${part.repeat(Math.floor((20 * megabyte) / part.length))}1]`)
        assert.match(answer, /^4(00|13) \{"success":false,/, part)
      }
      await harmless()
    })

    it('is refused as one object with 200,000 members, and as one name of millions of characters', async () => {
      const members = Array.from({ length: 200_000 }, (_, n) => `"m${n}":1`).join()
      assert.match(
        await answerOf('PUT', '', `[{${members}}]`),
        /^400 .*element 0 has no compId, streamId, data; a body is /,
      )
      assert.match(await answerOf('PUT', '', `[{"${'x'.repeat(10 * megabyte)}":1}]`), /^400 /)
      await harmless()
    })

    it('is refused as a text of more than 65,536 characters, and not as one of as many', async () => {
      const body = (length: number) =>
        JSON.stringify([{ compId: 'Boiler', streamId: 'note', data: 'x'.repeat(length), time: 5 }])
      const refused = bad("stream 'note' of component 'Boiler' cannot take a text of more than 65536 characters")
      assert.equal(await answerOf('PUT', '', body(65_537)), refused)
      assert.equal(await answerOf('PUT', '', body(20 * megabyte)), refused)
      await harmless()
      assert.equal(await answerOf('PUT', '', body(65_536)), '200 ')
    })

    it('does no harm by blanks and escapes that a careless pattern would go through again and again', async () => {
      for (const body of [
        `${' '.repeat(5 * megabyte)}x`,
        `[${' '.repeat(5 * megabyte)}x`,
        `["${'\\\\'.repeat(2 * megabyte)}`,
        `["${'\\"'.repeat(2 * megabyte)}",9007199254740993]`,
        `[${'9'.repeat(5 * megabyte)}]`,
        `[-${'0'.repeat(5 * megabyte)}]`,
      ])
        assert.match(await answerOf('PUT', '', body), /^400 /)
      await harmless()
    })

    it('is refused as a million parameters', async () => {
      const wire = await openWire(server.url)
      wire.send(`PUT /api/feed?${key}&compId=X&`)
      for (let part = 0; part < 100; part += 1) wire.send('a=1&'.repeat(10_000))
      const reply = await wire.rest()
      assert.match(reply, /^HTTP\/1\.1 413 /)
      assert.ok(reply.endsWith(refusalText('too_large', 'the address and the headers are larger than 65536 bytes')))
      await harmless()
    })

    it('does no harm with as many parameters as an address may have', async () => {
      assert.equal(await answerOf('PUT', `compId=X${'&a'.repeat(30_000)}`), bad("stream 'a' is given twice"))
      assert.equal(
        await answerOf('PUT', `compId=X&a=${','.repeat(60_000)}`),
        bad("60001 values for 'a' need time, timeEl or freq"),
      )
      assert.equal(await answerOf('PUT', `compId=X&a=1${'&rsid='.repeat(10_000)}`), bad('rsid must not be empty'))
      await harmless()
    })
  })

  describe('of strange characters', () => {
    const requests: readonly [name: string, target: string, answer: RegExp][] = [
      ['a raw control character in the address', '/api/feed?compId=\x01&a=1&KEY', /^HTTP\/1\.1 400 /],
      ['a raw NUL in the address', '/api/feed?compId=\0&a=1&KEY', /^HTTP\/1\.1 400 /],
      ['invalid UTF-8, escaped', '/api/feed?compId=%c3%28&a=1&KEY', /^HTTP\/1\.1 400 [^]*broken escape in '%c3%28'/],
      ['an overlong NUL, escaped', '/api/feed?compId=%c0%80&a=1&KEY', /^HTTP\/1\.1 400 [^]*broken escape/],
      ['a lone surrogate, escaped', '/api/feed?compId=%ed%a0%80&a=1&KEY', /^HTTP\/1\.1 400 [^]*broken escape/],
      [
        'a NUL as component',
        '/api/feed?compId=%00&a=1&KEY',
        /^HTTP\/1\.1 400 [^]*compId has a character that cannot be stored/,
      ],
      [
        'a NUL as stream',
        '/api/feed?compId=X&%00=1&KEY',
        /^HTTP\/1\.1 400 [^]*stream ID has a character that cannot be stored/,
      ],
      ['a NUL as value', '/api/feed?compId=X&a=%00&KEY', /^HTTP\/1\.1 400 [^]*cannot take/],
      ['a NUL as rsid', '/api/feed?compId=X&a=1&rsid=%00&KEY', /^HTTP\/1\.1 400 [^]*rsid has a character/],
      [
        'a NUL as template',
        '/api/feed?compId=X&a=1&compTmplId=%00&KEY',
        /^HTTP\/1\.1 400 [^]*compTmplId has a character/,
      ],
      [
        'a NUL as folder',
        '/api/feed?compId=X&a=1&folder=/Components/%00&KEY',
        /^HTTP\/1\.1 400 [^]*folder has a character/,
      ],
      [
        'a line break in a name',
        '/api/feed?compId=X&a=1&compName=a%0D%0Ab&KEY',
        /^HTTP\/1\.1 400 [^]*compName has a control character/,
      ],
    ]
    for (const [name, target, answer] of requests)
      it(`is refused: ${name}`, async () => {
        const wire = await openWire(server.url)
        wire.send(Buffer.from(`PUT ${target.replace('KEY', key)} HTTP/1.1\r\nConnection: close\r\n\r\n`, 'latin1'))
        assert.match(await wire.rest(), answer)
        await harmless()
      })

    const bodies: readonly [name: string, body: string | Uint8Array<ArrayBuffer>, message: string][] = [
      [
        'a lone surrogate as component',
        '[{"compId":"\\ud800","streamId":"s","data":1}]',
        'compId of element 0 has a character that cannot be stored',
      ],
      [
        'a lone surrogate as stream',
        '[{"compId":"X","streamId":"a\\udfff","data":1}]',
        'streamId of element 0 has a character that cannot be stored',
      ],
      [
        'a NUL as component',
        '[{"compId":"\\u0000","streamId":"s","data":1}]',
        'compId of element 0 has a character that cannot be stored',
      ],
      [
        'a NUL in front of a uid',
        '[{"compId":"\\u0000uid","streamId":"s","data":1}]',
        'compId of element 0 has a character that cannot be stored',
      ],
      [
        'an escape character as stream',
        '[{"compId":"X","streamId":"\\u001b[2J","data":1}]',
        'streamId of element 0 has a control character',
      ],
      ['invalid UTF-8', new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'the body is not UTF-8'],
      ['UTF-16', new Uint8Array([0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00]), 'the body is not UTF-8'],
    ]
    for (const [name, body, message] of bodies)
      it(`is refused in JSON: ${name}`, async () => {
        assert.equal(await answerOf('PUT', '', body), bad(message))
        await harmless()
      })
  })

  describe('of strange numbers and names', () => {
    const refused: readonly [body: string, message: RegExp][] = [
      ['[{"compId":"X","streamId":"s","data":1e999}]', /cannot take 'Infinity'/],
      ['[{"compId":"X","streamId":"s","data":-1e999}]', /cannot take '-Infinity'/],
      ['[{"compId":"X","streamId":"s","data":NaN}]', /the body is not JSON/],
      ['[{"compId":"X","streamId":"s","data":0x10}]', /the body is not JSON/],
      ['[{"compId":"X","streamId":"s","data":1,"time":253402300800000}]', /is outside the years 1 to 9999/],
      ['[{"compId":"X","streamId":"s","data":1,"time":-9007199254740993}]', /is outside the years 1 to 9999/],
      ['[{"compId":"X","streamId":"s","data":1,"time":1e400}]', /must be epoch milliseconds/],
      ['[{"compId":"X","streamId":"s","data":1,"time":99999999999999999999}]', /is outside the years 1 to 9999/],
    ]
    for (const [body, message] of refused)
      it(`is refused: ${body}`, async () => {
        const answer = await answerOf('PUT', '', body)
        assert.match(answer, /^400 /)
        assert.match(answer, message)
        await harmless()
      })

    it('becomes the nearest number of a DOUBLE stream when it is an integer beyond 2^53', async () => {
      assert.equal(
        await answerOf('PUT', '', '[{"compId":"Big","streamId":"s","data":9007199254740993,"time":5}]'),
        '200 ',
      )
      const reply = await fetch(`${server.url}/api/comp/Big/feed?${key}`)
      assert.equal(await reply.text(), '[{"time":5,"data":9007199254740992}]')
    })

    it('may use __proto__ and its like as IDs of components, streams and rsid', async () => {
      for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'missing']) {
        assert.equal(await answerOf('PUT', `compId=${id}&${id}=1&time=5`), '200 ')
        const body = JSON.stringify([{ compId: id, streamId: id, data: 2, time: 6 }]).replaceAll('"__proto__":', '"x":')
        assert.equal(await answerOf('PUT', '', body), '200 ')
        assert.equal(await answerOf('PUT', `compId=${id}&${id}=3&time=7&rsid=${id}`), `200 {"${id}":3}`)
        const reply = await fetch(`${server.url}/api/comp/${id}/stream/${id}/feed?${key}`)
        assert.equal(await reply.text(), '[{"time":7,"data":3},{"time":6,"data":2},{"time":5,"data":1}]')
      }
    })

    it('counts by the last of members that a body has twice', async () => {
      const body =
        '[{"compId":"Dup","compId":"Twice","streamId":"a","streamId":"b","data":1,"data":2,"time":1,"time":5}]'
      assert.equal(await answerOf('PUT', '', body), '200 ')
      const reply = await fetch(`${server.url}/api/comp/Twice/feed?retStreamId&${key}`)
      assert.equal(await reply.text(), '[{"streamId":"b","time":5,"data":2}]')
      assert.equal((await fetch(`${server.url}/api/comp/Dup/feed?${key}`)).status, 404)
    })
  })

  describe('of bad manners', () => {
    it('does no harm by bodies that never end and heads that never come, on 300 connections', async () => {
      const heads = [
        `PUT /api/feed?${key} HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n[{"compId":`,
        `PUT /api/feed?${key} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[{"co`,
        `PUT /api/feed?${key} HTTP/1.1\r\nX-Hal`,
        'PUT /api/f',
        '',
        `PUT /api/feed?${key} HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n\x1f`,
      ]
      const wires = await crowd(300, 50, async (n) => {
        const wire = await openWire(server.url)
        wire.send(Buffer.from(heads[n % heads.length]!, 'latin1'))
        return wire
      })
      await harmless()
      for (const wire of wires) wire.close()
      await harmless()
    })

    it('does no harm by requests that break off in the middle, hundreds of times', async () => {
      const body = '[{"compId":"Broken","streamId":"s","data":1}]'
      const whole = `PUT /api/feed?${key} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      await crowd(400, 50, async (n) => {
        const wire = await openWire(server.url)
        wire.send(whole.slice(0, 1 + (n % (whole.length - 1))))
        wire.close()
      })
      await harmless()
    })

    it('does no harm by thousands of requests in one go, and rubbish between them', async () => {
      const wire = await openWire(server.url)
      const one = 'GET /healthz HTTP/1.1\r\n\r\n'
      wire.send(one.repeat(3000))
      for (let n = 0; n < 3000; n += 1) assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      wire.send(`${one.repeat(50)}rubbish\r\n\r\n${one.repeat(50)}`)
      assert.match(await wire.rest(), /HTTP\/1\.1 200 OK/)
      await harmless()
    })

    it('does no harm by replies that nobody reads', async () => {
      const wires = await crowd(20, 20, async () => {
        const wire = await openWire(server.url)
        wire.socket.pause()
        wire.send(`GET /api/comp/Boiler/feed?${key} HTTP/1.1\r\n\r\n`.repeat(shortOrLong(1000, 5000)))
        return wire
      })
      await harmless()
      for (const wire of wires) wire.close()
      for (let n = 0; n < 5; n += 1) await harmless()
    })

    const heads: readonly [name: string, head: string][] = [
      ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\n[]'],
      ['a negative length', 'Content-Length: -1\r\n\r\n[]'],
      ['a length beyond all', 'Content-Length: 99999999999999999999\r\n\r\n[]'],
      ['a chunk of strange length', 'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n[]'],
      ['an unknown transfer encoding', 'Transfer-Encoding: gzip\r\n\r\n[]'],
      ['an expectation nobody has', 'Expect: a-miracle\r\n\r\n'],
    ]
    for (const [name, head] of heads)
      it(`gets no 200 and stores nothing with ${name}`, async () => {
        const wire = await openWire(server.url)
        wire.send(`PUT /api/feed?${key}&compId=X HTTP/1.1\r\nConnection: close\r\n${head}`)
        wire.socket.end()
        assert.match(await wire.rest(), /^HTTP\/1\.1 4\d\d /)
        await harmless()
      })
  })
})
