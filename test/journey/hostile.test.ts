// Hostile input against a server as users run it: each gets its answer, stores nothing, and leaves the server serving
// others, within its memory. Inputs of great size and crowds are in hostile.load.ts.
import assert from 'node:assert/strict'
import { bad, key, openJudge } from '../hostile/judge.ts'
import { refusalText } from '../support/feed.ts'
import { openWire } from '../support/wire.ts'

describe('hostile input', function () {
  const { url, answerOf, harmless } = openJudge()

  describe('of many parameters', () => {
    it('is refused as a million parameters', async () => {
      const wire = await openWire(url())
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
        const wire = await openWire(url())
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
      const reply = await fetch(`${url()}/api/comp/Big/feed?${key}`)
      assert.equal(await reply.text(), '[{"time":5,"data":9007199254740992}]')
    })

    it('may use __proto__ and its like as IDs of components, streams and rsid', async () => {
      for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'missing']) {
        assert.equal(await answerOf('PUT', `compId=${id}&${id}=1&time=5`), '200 ')
        const body = JSON.stringify([{ compId: id, streamId: id, data: 2, time: 6 }]).replaceAll('"__proto__":', '"x":')
        assert.equal(await answerOf('PUT', '', body), '200 ')
        assert.equal(await answerOf('PUT', `compId=${id}&${id}=3&time=7&rsid=${id}`), `200 {"${id}":3}`)
        const reply = await fetch(`${url()}/api/comp/${id}/stream/${id}/feed?${key}`)
        assert.equal(await reply.text(), '[{"time":7,"data":3},{"time":6,"data":2},{"time":5,"data":1}]')
      }
    })

    it('counts by the last of members that a body has twice', async () => {
      const body =
        '[{"compId":"Dup","compId":"Twice","streamId":"a","streamId":"b","data":1,"data":2,"time":1,"time":5}]'
      assert.equal(await answerOf('PUT', '', body), '200 ')
      const reply = await fetch(`${url()}/api/comp/Twice/feed?retStreamId&${key}`)
      assert.equal(await reply.text(), '[{"streamId":"b","time":5,"data":2}]')
      assert.equal((await fetch(`${url()}/api/comp/Dup/feed?${key}`)).status, 404)
    })
  })

  describe('of bad manners', () => {
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
        const wire = await openWire(url())
        wire.send(`PUT /api/feed?${key}&compId=X HTTP/1.1\r\nConnection: close\r\n${head}`)
        wire.socket.end()
        assert.match(await wire.rest(), /^HTTP\/1\.1 4\d\d /)
        await harmless()
      })
  })
})
