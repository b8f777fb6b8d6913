import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { oneAfterAnother } from '../../../src/base/http/connection.ts'
import { takeShortRequests } from '../../../src/base/http/short.ts'
import { withSeed } from '../../support/random.ts'

/** Serves all requests by node:http, as lenient as app.ts has it, and tells how often it went on in a later turn. */
const open = async (
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  later: (goOn: () => void) => void = setImmediate,
) => {
  const server = createServer({ insecureHTTPParser: true, requireHostHeader: false }, oneAfterAnother(serve))
  let turns = 0
  takeShortRequests(server, [], {
    idleMs: 60_000,
    later: (_address, goOn) => {
      turns += 1
      later(goOn)
    },
  })
  let [waiting, mostWaiting] = [0, 0]
  server.prependListener('request', (_request, response) => {
    waiting += 1
    mostWaiting = Math.max(mostWaiting, waiting)
    response.once('close', () => (waiting -= 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  /** Gives all that comes back until the server closes the connection, or so many replies. */
  const send = async (bytes: string | readonly string[], replies = 1): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const done = new Promise<void>((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (text.split('HTTP/1.1 ').length > replies && text.endsWith('end')) resolve()
      })
      socket.on('close', () => resolve()).on('error', reject)
    })
    for (const part of [bytes].flat()) {
      socket.write(part)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await done
    socket.destroy()
    return text
  }
  return {
    send,
    turns: () => turns,
    /** The most requests that node:http had made at a time and that had no reply. */
    mostWaiting: () => mostWaiting,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const head = 'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n'

const chunked = (body: string, sizeOf: () => number): string => {
  const chunks: string[] = []
  for (let at = 0; at < body.length;) {
    const size = Math.min(sizeOf(), body.length - at)
    chunks.push(`${size.toString(16)}\r\n${body.slice(at, at + size)}\r\n`)
    at += size
  }
  return `${head}\r\n${chunks.join('')}0\r\n\r\n`
}

/** Replies with the body, and tells how many pieces it came in. */
const echo = () => {
  const pieces: number[] = []
  return {
    pieces,
    serve: (request: IncomingMessage, response: ServerResponse) => {
      const body: Buffer[] = []
      request.on('data', (piece: Buffer) => void body.push(piece))
      request.on('end', () => {
        pieces.push(body.length)
        response.end(`${Buffer.concat(body).toString('latin1')} end`)
      })
    },
  }
}

describe('framing', () => {
  it('is taken in turns where each chunk has one byte, and the body comes in few pieces', async () => {
    const { pieces, serve } = echo()
    const { send, turns, close } = await open(serve)
    const body = 'abcdefghij'.repeat(1000)
    assert.ok((await send(chunked(body, () => 1))).endsWith(`${body} end`))
    // Of 20,000 lines, 48 at a time.
    assert.ok(turns() > 300, `${turns()} turns`)
    assert.ok(pieces[0]! < 600, `${pieces[0]} pieces`)
    await close()
  })

  for (const [how, bytes] of [
    ['end by a carriage return alone', `${head}\r\n${'1\ra'.repeat(10_000)}\r\n0\r\n\r\n`],
    ['have no end', `${head}\r\n${'1\r\na'.repeat(10_000)}\r\n0\r\n\r\n`],
    ['come beside a length', `${head}Content-Length: 99999\r\n\r\n${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`],
  ] as const)
    it(`is taken in turns where chunks ${how}, as the lenient parser takes them`, async () => {
      const { serve } = echo()
      const { send, turns, close } = await open(serve)
      assert.ok((await send(bytes)).endsWith(`${'a'.repeat(10_000)} end`))
      assert.ok(turns() > 200, `${turns()} turns`)
      await close()
    })

  it('is followed over chunks of all sizes, wherever the bytes are cut', () =>
    withSeed(async (random) => {
      const { serve } = echo()
      const { send, close } = await open(serve)
      for (let round = 0; round < 20; round += 1) {
        const body = Array.from({ length: 3000 }, () => random.pick(['a', '0', '\r', '\n', ';'])).join('')
        const bytes = chunked(body, () => random.pick([1, 2, 10, 1024, 1025, 2000]))
        const cuts = Array.from({ length: 5 }, () => random.integer(bytes.length)).toSorted((a, b) => a - b)
        const parts = [0, ...cuts].map((from, index) => bytes.slice(from, cuts[index] ?? bytes.length))
        const reply = await send(parts)
        assert.ok(reply.endsWith(`\r\n\r\n${body} end`), `round ${round}`)
      }
      await close()
    }))

  for (const [how, lines] of [
    ['', '\r\nHost: a\r\n\r\n'],
    [' with carriage returns alone', '\r\r'],
  ] as const)
    it(`is taken in turns where requests come behind each other${how}, and each has its reply in order`, async () => {
      let most = 0
      let waiting = 0
      const { send, mostWaiting, close } = await open((request, response) => {
        waiting += 1
        most = Math.max(most, waiting)
        setImmediate(() => {
          waiting -= 1
          response.end(`${request.url} end`)
        })
      })
      const requests = Array.from({ length: 500 }, (_, n) => `GET /${n} HTTP/1.1${lines}`)
      // The parser waits for the byte behind a carriage return.
      const reply = await send(`${requests.join('')}\n`, 500)
      assert.deepEqual(
        [...reply.matchAll(/\/(\d+) end/g)].map(([, n]) => Number(n)),
        requests.map((_, n) => n),
      )
      assert.equal(most, 1)
      // 48 lines are 24 requests of two lines, behind one that is being served.
      assert.ok(mostWaiting() < 28, `${mostWaiting()} requests`)
      await close()
    })

  it('goes on once, also where node:http went on before because its client has read', async () => {
    const held: (() => void)[] = []
    const urls: string[] = []
    const { send, close } = await open(
      (request, response) => {
        urls.push(request.url!)
        if (request.url !== '/first') return response.end(`${request.url} end`)
        // All of it is out when the rest of the second head was given, and the third waits.
        response.write('x'.repeat(4_000_000))
        response.once('drain', () =>
          setImmediate(() => {
            for (const goOn of held) goOn()
            setImmediate(() => response.end('first end'))
          }),
        )
      },
      (goOn) => (held.length === 0 ? held.push(goOn) : setImmediate(goOn)),
    )
    const requestOf = (path: string, lines = '') => `GET /${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`
    const others = Array.from({ length: 60 }, (_, n) => String(n))
    const begin = requestOf('first') + requestOf('second', 'N: 1\r\n'.repeat(60))
    await send(begin + others.map((n) => requestOf(n)).join(''), 62)
    assert.deepEqual(urls, ['/first', '/second', ...others.map((n) => `/${n}`)])
    await close()
  })

  it('goes on behind a request that asks for another protocol, wherever the bytes are cut', async () => {
    const { send, close } = await open(({ url }, response) => response.end(`${url} end`))
    try {
      const asking = 'GET /0 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
      const [next, last] = ['GET /1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /2 HTTP/1.1\r\nHost: a\r\n\r\n']
      for (const parts of [
        [asking + next + last],
        [asking + next.slice(0, 9), next.slice(9) + last],
        [next + asking + asking + last],
      ]) {
        const bodies = (await send(parts, parts.join('').split('GET').length - 1)).match(/\/\d(?= end)/g)
        assert.deepEqual(bodies, parts.join('').match(/\/\d(?= HTTP)/g))
      }
    } finally {
      await close()
    }
  })

  it('is not looked for in a body of known length, however many lines that has', async () => {
    const { pieces, serve } = echo()
    const { send, turns, close } = await open(serve)
    const body = '1\r\na\r\n'.repeat(5000)
    const put = `PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const reply = await send(`${put}${put}`, 2)
    assert.ok(reply.endsWith(`${body} end`))
    assert.equal(reply.split(body).length, 3)
    assert.ok(turns() <= 4, `${turns()} turns`)
    assert.equal(pieces.length, 2)
    await close()
  })

  it('keeps no memory of what was read of a body of known length, of which the parser makes a copy', async () => {
    const { serve } = echo()
    const reads: { readonly bytes: Buffer; readonly length: number }[] = []
    const { send, close } = await open((request, response) => {
      // Before the listener that frees them.
      request.socket.prependListener('data', (bytes: Buffer) => void reads.push({ bytes, length: bytes.length }))
      serve(request, response)
    })
    const body = '0123456789'.repeat(50_000)
    const reply = await send([`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`, body])
    assert.ok(reply.endsWith(`\r\n\r\n${body} end`))
    const large = reads.filter(({ length }) => length >= 16 * 1024)
    assert.notEqual(large.length, 0)
    for (const { bytes } of large) assert.equal(bytes.length, 0)
    await close()
  })

  it('leaves nothing to a parser that is used again elsewhere: a body comes there as before', async () => {
    const { serve } = echo()
    const { send, close } = await open(serve)
    await send(chunked('abc', () => 1))
    await close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const plain = createServer((request, response) => {
      request.once('data', (piece: Buffer) => response.end(`${piece.toString()} end`))
    })
    plain.listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const socket = connect((plain.address() as AddressInfo).port, '127.0.0.1')
    socket.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
    const [reply] = (await once(socket, 'data')) as [Buffer]
    assert.ok(reply.toString().endsWith('abc end'))
    socket.destroy()
    await new Promise((resolve) => plain.close(resolve))
  })
})
