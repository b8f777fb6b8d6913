// Bodies over real connections: a refusal must reach its client as a reply that it can read.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import type { BodyOptions } from '../../../src/base/http/body.ts'
import { readBody, textOf } from '../../../src/base/http/body.ts'
import type { Call } from '../../../src/base/http/call.ts'
import { callFromRequest } from '../../../src/base/http/call.ts'
import { openLog } from '../../../src/base/log.ts'
import { dropRefusedBodies } from '../../../src/base/http/refused-body.ts'
import { jsonReply, replyFromError, writeReply } from '../../../src/base/http/reply.ts'
import { heldPaces } from '../../../src/base/http/pace.ts'
import { openRoom, roomOf } from '../../../src/base/http/room.ts'
import { openWire } from '../../support/wire.ts'
import { eventually } from '../../support/within.ts'

const mostBytes = 1_000_000
const sizes = {
  arrivals: 1000,
  beginnings: 2_000_000,
  middles: 2_000_000,
  larges: 2_000_000,
  largest: 2_000_000,
  pieces: 1,
  replies: 1,
  waitingReplies: 1,
  work: 4_000_000,
  smallWork: 1_000_000,
}
const log = openLog('silent')

const refusal = (status: number, code: string, message: string) =>
  `${status} {"success":false,"code":"${code}","message":"${message}"}`

/** A body of many chunks, sent as fast as it is taken and without a declared length. */
const chunks = (count: number, chunk: Uint8Array) => {
  let sent = 0
  return new ReadableStream({
    pull: (controller) => {
      if (sent++ < count) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

const size = (reply: string) => (JSON.parse(reply.slice(4)) as { size: number }).size

describe('base/body', () => {
  let server: Server
  let url: string
  let options: BodyOptions = {}
  /** The sender of the next request; undefined: a stranger. */
  let caller: string | undefined
  let held: (() => void)[] = []
  /** The outcomes of readings, for clients that do not wait for a reply. */
  let outcomes: string[] = []
  before(async () => {
    const serve = dropRefusedBodies((request, response) => {
      const call = callFromRequest(request, [])
      const holder = caller
      if (holder !== undefined) call.callerHolders = [holder]
      const answer = async () => {
        const { bytes, release } = await readBody(call, mostBytes, options)
        const reply = jsonReply({ size: bytes.length, text: bytes.toString('utf8', 0, 20) })
        if (request.url === '/hold') held.push(release)
        else release()
        outcomes.push('read')
        return reply
      }
      answer()
        .catch((error: Error) => {
          outcomes.push(error.message)
          return replyFromError(error, log)
        })
        .then((reply) => writeReply(response, reply))
        .catch(() => response.destroy())
    })
    server = createServer(serve)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    options = {}
    caller = 'someone'
    held = []
    outcomes = []
  })

  const put = async (body: Uint8Array<ArrayBuffer> | string | ReadableStream, headers: Record<string, string> = {}) => {
    const reply = await fetch(url, { method: 'PUT', body, headers, duplex: 'half' })
    return `${reply.status} ${await reply.text()}`
  }
  const tooLarge = refusal(413, 'too_large', 'the body is larger than 1000000 bytes')
  const gzip = { 'Content-Encoding': 'gzip' }
  const hold = () => fetch(`${url}hold`, { method: 'PUT', body: 'x'.repeat(900_000) })
  const settled = async (count: number) => {
    while (outcomes.length < count) await new Promise((done) => setTimeout(done, 5))
    return outcomes
  }

  it('refuses a body that says it is too large', async () => {
    assert.equal(await put('x'.repeat(mostBytes + 1)), tooLarge)
  })

  it('refuses a body of 20 MB that is still being sent, in a reply that arrives', async () => {
    assert.equal(await put(chunks(200, new Uint8Array(100_000))), tooLarge)
  })

  it('refuses a gzip bomb by what comes out of it', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    assert.ok(bomb.length < mostBytes)
    assert.equal(await put(bomb as Uint8Array<ArrayBuffer>, gzip), tooLarge)
  })

  it('refuses gzip that is none, or breaks off', async () => {
    const bad = refusal(400, 'bad_request', 'the body is not valid gzip')
    assert.equal(await put('[{"compId":"x"}]', gzip), bad)
    assert.equal(await put(gzipSync('[1,2,3]').subarray(0, -6) as Uint8Array<ArrayBuffer>, gzip), bad)
  })

  it('refuses other encodings by name', async () => {
    assert.equal(
      await put(deflateSync('[]') as Uint8Array<ArrayBuffer>, { 'Content-Encoding': 'deflate' }),
      refusal(415, 'unsupported_media_type', "the encoding 'deflate' is not supported, gzip is"),
    )
  })

  it('answers a body that stops coming, and closes the connection', async () => {
    options = { paces: { ...heldPaces, known: { leastBytes: 10, windowMs: 60, withinMs: 60_000 } } }
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n[1,')
    const text = await wire.rest()
    assert.match(text, /^HTTP\/1.1 400 Bad Request\r\n/)
    assert.match(text, /"message":"the body comes too slowly, or stopped coming"/)
  })

  it('gives a stranger less time than a caller who has shown a credential', async () => {
    assert.ok(heldPaces.strangers.withinMs < heldPaces.known.withinMs)
    options = { paces: { ...heldPaces, strangers: { leastBytes: 1, windowMs: 60, withinMs: 60 } } }
    const begin = async () => {
      const wire = await openWire(url)
      wire.send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n[')
      return wire
    }
    caller = 'someone'
    const [known] = await Promise.all([begin(), once(server, 'request')])
    caller = undefined
    const stranger = await begin()
    assert.match((await stranger.reply()).body, /"message":"the body did not arrive in time"/)
    // That was long enough for a stranger.
    known.send(']')
    assert.match((await known.reply()).body, /"size":2/)
    for (const wire of [known, stranger]) wire.close()
  })

  it('takes the memory of a stranger from what strangers have, and from nobody else', async () => {
    const [strangers, known] = [undefined, ['someone'] as const].map(
      (callerHolders) => roomOf({ callerHolders } as Call).beginnings,
    )
    // Replies to the bodies before may be out a moment before these are let go.
    await eventually(async () => strangers!.free() === 8 * 1024 * 1024)
    const before = [strangers!.free(), known!.free()]
    caller = undefined
    const wire = await openWire(url)
    wire.send(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n${' '.repeat(1000)}`)
    await eventually(async () => strangers!.free() === before[0]! - 1000)
    assert.equal(known!.free(), before[1])
    wire.close()
    await settled(1)
    assert.deepEqual([strangers!.free(), known!.free()], before)
  })

  it('lets go of a body whose client goes away, plain or gzip', async () => {
    for (const encoding of ['', 'Content-Encoding: gzip\r\n']) {
      const wire = await openWire(`${url}hold`)
      wire.send(`PUT / HTTP/1.1\r\nHost: x\r\n${encoding}Content-Length: 1000\r\n\r\n`)
      wire.send(gzipSync('x'.repeat(1000)).subarray(0, 12))
      await new Promise((done) => setTimeout(done, 20))
      wire.close()
    }
    assert.deepEqual(await settled(2), ['the body broke off', 'the body broke off'])
  })

  it('answers 503 with Retry-After when bodies together are more than the budget for too long', async () => {
    options = { room: openRoom({ ...sizes, middles: 1_800_000 }), patienceMs: 50 }
    assert.equal((await hold()).status, 200)
    const refused = await hold()
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(await refused.text(), '{"success":false,"code":"busy","message":"too many uploads at once"}')
    for (const release of held) release()
    assert.equal((await hold()).status, 200)
    for (const release of held) release()
  })

  it('gives back its place and its memory, however it ends', async () => {
    const room = openRoom(sizes)
    const free = () =>
      Object.values(room).map((each) =>
        typeof each === 'number' ? each : 'free' in each ? each.free() : each.waiting(),
      )
    const all = free()
    options = { room, paces: { ...heldPaces, known: { leastBytes: 10, windowMs: 60, withinMs: 60_000 } } }
    const head = 'PUT / HTTP/1.1\r\nHost: x\r\n'
    const chunked = `${head}Transfer-Encoding: chunked\r\n`
    const ended: (readonly [outcome: string, bytes: string, then: 'end' | 'reset' | 'stay'])[] = [
      ['read', `${head}Content-Length: 2\r\n\r\n[]`, 'stay'],
      ['read', `${chunked}\r\n2\r\n[]\r\n0\r\n\r\n`, 'end'],
      ['the body broke off', `${head}Content-Length: 9\r\n\r\n[]`, 'end'],
      ['the body broke off', `${head}Content-Length: 90000\r\n\r\n${' '.repeat(80_000)}`, 'reset'],
      ['the body broke off', `${chunked}\r\n2\r\n[]\r\nno length\r\n`, 'stay'],
      ['the body is not valid gzip', `${chunked}Content-Encoding: gzip\r\n\r\n2\r\n[]\r\n0\r\n\r\n`, 'stay'],
      ['the body comes too slowly, or stopped coming', `${head}Content-Length: 9\r\n\r\n[]`, 'stay'],
      ['the body is larger than 1000000 bytes', `${chunked}\r\nfffff\r\n${' '.repeat(0xfffff)}\r\n`, 'stay'],
    ]
    for (const [outcome, bytes, then] of ended) {
      outcomes = []
      const wire = await openWire(url)
      const asked = once(server, 'request')
      wire.send(bytes)
      await asked
      if (then === 'end') wire.socket.end()
      if (then === 'reset') wire.socket.resetAndDestroy()
      assert.deepEqual(await settled(1), [outcome], bytes.slice(0, 200))
      assert.deepEqual(free(), all, outcome)
      wire.close()
    }
  })

  it('reads a body when there is room for it, and not before', async () => {
    options = { room: openRoom({ ...sizes, middles: 1_800_000 }) }
    await hold()
    const second = hold()
    await new Promise((done) => setTimeout(done, 50))
    assert.equal(held.length, 1)
    held[0]!()
    assert.equal((await second).status, 200)
    held[1]!()
  })

  it('works on large bodies that have come at once in turns of the event loop, and others are served in between', async () => {
    const room = openRoom({ ...sizes, middles: 20_000_000, work: 40_000_000 })
    const read: number[] = []
    let turn = 0
    const readings = Array.from({ length: 8 }, async () => {
      const headers = { 'content-length': '600000' }
      const body = Object.assign(Readable.from([Buffer.alloc(600_000)]), { headers })
      const call = { body, callerHolders: ['a', 'b'] }
      const { release } = await readBody(call as unknown as Call, mostBytes, { room })
      read.push(turn)
      release()
    })
    while (read.length < 8) {
      await nextTurn()
      turn += 1
    }
    for (const each of read) assert.ok(read.filter((other) => other === each).length <= 3, read.join(' '))
    await Promise.all(readings)
  })

  it('does not let small bodies wait for large ones', async () => {
    options = { room: openRoom({ ...sizes, work: 1_000_000 }) }
    await hold()
    assert.equal(await put('[]'), '200 {"size":2,"text":"[]"}')
    held[0]!()
  })

  it('counts a released body once, however often it is released', async () => {
    options = { room: openRoom({ ...sizes, middles: 1_800_000 }), patienceMs: 50 }
    await hold()
    for (let times = 0; times < 3; times += 1) held[0]!()
    await hold()
    assert.equal((await hold()).status, 503)
    held[1]!()
  })

  it('reads a body whole, however it is cut', async () => {
    assert.equal(await put('[]'), '200 {"size":2,"text":"[]"}')
    assert.equal(await put(gzipSync('[1,2]') as Uint8Array<ArrayBuffer>, gzip), '200 {"size":5,"text":"[1,2]"}')
    assert.equal(size(await put('x'.repeat(mostBytes))), mostBytes)
    assert.equal(size(await put(chunks(300, new Uint8Array(333)))), 99_900)
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (const byte of 'one by one') wire.send(`1\r\n${byte}\r\n`)
    wire.send('0\r\n\r\n')
    assert.equal((await wire.reply()).body, '{"size":10,"text":"one by one"}')
    wire.close()
  })

  it('takes a request without a length for one without a body', async () => {
    const wire = await openWire(url)
    wire.send('PUT / HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.equal((await wire.reply()).body, '{"size":0,"text":""}')
    wire.close()
  })

  const texts: readonly [rule: string, bytes: Buffer, text: string][] = [
    ['skips a BOM', Buffer.from('\uFEFF[1]'), '[1]'],
    ['skips CR, NUL, CR behind the end', Buffer.from('[1]\r\0\r'), '[1]'],
    ['skips blanks behind the end', Buffer.from('[1] \t\r\n '), '[1]'],
    ['finds nothing in blanks alone', Buffer.from(' \r\n\0'), ''],
    ['finds nothing in a BOM alone', Buffer.from('\uFEFF'), ''],
    ['keeps characters of every plane', Buffer.from('["ä€😀"]'), '["ä€😀"]'],
  ]
  for (const [rule, bytes, text] of texts) it(rule, () => assert.equal(textOf(bytes), text))

  it('refuses text that is not UTF-8', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [0xe2, 0x82],
    ])
      assert.throws(() => textOf(Buffer.from(bytes)), { status: 400, message: 'the body is not UTF-8' })
  })

  it('leaves blanks behind the end to the reader where they are more than 64 KiB', () => {
    assert.equal(textOf(Buffer.from(`[1]${' '.repeat(65_536)}`)), '[1]')
    assert.equal(textOf(Buffer.from(`[1]${' '.repeat(65_546)}`)), `[1]${' '.repeat(10)}`)
  })

  it('needs no longer for millions of blanks in front of something', () => {
    const bytes = Buffer.alloc(8_000_000, ' ')
    bytes[bytes.length - 1] = 0x5d
    assert.equal(textOf(bytes).length, bytes.length)
  })
})
