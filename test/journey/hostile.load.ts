// Hostile input of great size and in crowds (hostile.test.ts has the rest): each gets its answer, stores nothing, and leaves
// the server serving others, within its memory.
import assert from 'node:assert/strict'
import { createGzip } from 'node:zlib'
import { bad, key, openJudge, refusal } from '../hostile/judge.ts'
import { crowd } from '../support/crowd.ts'
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
  const { url, answerOf, harmless } = openJudge()

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
      assert.match(await answerOf('PUT', '', `[{${members}}]`), /^413 .*more than 10000 different names of members/)
      const few = Array.from({ length: 200_000 }, (_, n) => `"m${n % 1000}":1`).join()
      assert.match(
        await answerOf('PUT', '', `[{${few}}]`),
        /^400 .*element 0 has no compId, streamId, data; a body is /,
      )
      assert.match(await answerOf('PUT', '', `[{"${'x'.repeat(10 * megabyte)}":1}]`), /^413 .*more than 524288 bytes/)
      const name = 'x'.repeat(10_000)
      assert.match(await answerOf('PUT', '', `[{"${name}":1},"${name}"]`), /^413 .*a member with more than 8192 bytes/)
      await harmless()
    })

    it('is refused as a text of more than 65,536 characters, and not as one of as many', async () => {
      const body = (length: number) =>
        JSON.stringify([{ compId: 'Boiler', streamId: 'note', data: 'x'.repeat(length), time: 5 }])
      const refused = bad("stream 'note' of component 'Boiler' cannot take a text of more than 65536 characters")
      assert.equal(await answerOf('PUT', '', body(65_537)), refused)
      assert.equal(await answerOf('PUT', '', body(3 * megabyte)), refused)
      assert.match(await answerOf('PUT', '', body(20 * megabyte)), /^413 .*a text of more than 524288 bytes/)
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
        assert.match(await answerOf('PUT', '', body), /^4(00|13) /)
      await harmless()
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
        const wire = await openWire(url())
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
        const wire = await openWire(url())
        wire.send(whole.slice(0, 1 + (n % (whole.length - 1))))
        wire.close()
      })
      await harmless()
    })

    it('does no harm by thousands of requests in one go, and rubbish between them', async () => {
      const wire = await openWire(url())
      const one = 'GET /healthz HTTP/1.1\r\n\r\n'
      wire.send(one.repeat(3000))
      for (let n = 0; n < 3000; n += 1) assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
      wire.send(`${one.repeat(50)}rubbish\r\n\r\n${one.repeat(50)}`)
      assert.match(await wire.rest(), /HTTP\/1\.1 200 OK/)
      await harmless()
    })

    it('does no harm by replies that nobody reads', async () => {
      const wires = await crowd(20, 20, async () => {
        const wire = await openWire(url())
        wire.socket.pause()
        wire.send(`GET /api/comp/Boiler/feed?${key} HTTP/1.1\r\n\r\n`.repeat(shortOrLong(1000, 5000)))
        return wire
      })
      await harmless()
      for (const wire of wires) wire.close()
      for (let n = 0; n < 5; n += 1) await harmless()
    })
  })
})
