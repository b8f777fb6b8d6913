// Shares of connections over real sockets: 8 in all, of which one address may have 4.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import type { ServerSocket } from '../../../src/base/http/connection.ts'
import { shareConnections } from '../../../src/base/http/client-connections.ts'
import { crowd } from '../../support/crowd.ts'
import { eventually } from '../../support/within.ts'

const lookEveryMs = 250
const large = 30_000_000

describe('base/connections', () => {
  let server: Server
  let most: number
  const trustedProxies = [ipaddr.parseCIDR('127.0.1.0/24')]
  let held: ServerResponse[]
  let sockets: Socket[]
  const start = async () => {
    server = createServer({ maxHeaderSize: 70_000 }, (request, response) => {
      if (request.url === '/hold') held.push(response)
      else if (request.url === '/large') response.end(Buffer.alloc(large))
      else response.end('done')
    })
    const isBusy = (socket: ServerSocket) => !!socket['_httpMessage']
    shareConnections(server, { most, trustedProxies, mostOfProxies: 6, isBusy, lookEveryMs })
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
  }
  beforeEach(async () => {
    most = 8
    held = []
    sockets = []
    await start()
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  /** From another address of the same machine, if one is named. */
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  const say = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const ask = async (socket: Socket, path = '/') => {
    say(socket, path)
    return String(((await once(socket, 'data')) as [Buffer])[0])
  }
  const count = () => new Promise<number>((done) => server.getConnections((_, found) => done(found)))

  it('gives an address a new connection in place of its oldest idle one that was never answered', async () => {
    const served = await open()
    await ask(served)
    const [first, second, third] = [await open(), await open(), await open()]
    const closed = once(first, 'close')
    assert.match(await ask(await open()), /200 OK/)
    await closed
    assert.match(await ask(second), /200 OK/)
    assert.match(await ask(third), /200 OK/)
    assert.match(await ask(served), /200 OK/)
  })

  it('takes one that was answered when there is no other, and never one that is being answered', async () => {
    const [busy, idle] = [await open(), await open()]
    say(busy, '/hold')
    await ask(idle)
    for (let n = 0; n < 2; n += 1) say(await open(), '/hold')
    await eventually(async () => held.length === 3)
    const closed = once(idle, 'close')
    say(await open(), '/hold')
    await closed
    await eventually(async () => held.length === 4)
    const refused = await open()
    assert.match(String(((await once(refused, 'data')) as [Buffer])[0]), /^HTTP\/1\.1 503 [^]*too many connections/)
    assert.equal(await count(), 4)
    held[0]!.end('late')
    assert.match(String(((await once(busy, 'data')) as [Buffer])[0]), /late$/)
  })

  it('leaves room for other addresses, however many one address opens', async () => {
    for (let n = 0; n < 20; n += 1) say(await open(), '/hold')
    await eventually(async () => (await count()) === 4)
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4'])
      assert.match(await ask(await open(address)), /200 OK/)
  })

  it('gives a new address one in place of an idle one when nothing is left', async () => {
    for (let n = 1; n <= 8; n += 1) await ask(await open(`127.0.0.${n}`))
    assert.match(await ask(await open('127.0.0.9')), /200 OK/)
    await eventually(async () => (await count()) === 8)
  })

  it('gives a proxy all that there are for proxies, and no more: they cost files, too', async () => {
    for (let n = 0; n < 5; n += 1) say(await open('127.0.1.1'), '/hold')
    const idle = await open('127.0.1.1')
    await eventually(async () => held.length === 5)
    const closed = once(idle, 'close')
    say(await open('127.0.1.1'), '/hold')
    await closed
    await eventually(async () => held.length === 6)
    for (const address of ['127.0.1.1', '127.0.1.2']) {
      const refused = await open(address)
      assert.match(String(((await once(refused, 'data')) as [Buffer])[0]), /^HTTP\/1\.1 503 [^]*too many connections/)
    }
    // Clients have theirs, and those of proxies stay.
    for (let n = 0; n < 20; n += 1) assert.match(await ask(await open(`127.0.0.${1 + (n % 9)}`)), /200 OK/)
    assert.deepEqual(
      held.filter(({ socket }) => socket === null || socket.destroyed),
      [],
    )
  })

  it('closes connections whose clients do not read, and keeps those that read slowly', async () => {
    const [stalled, slow] = [await open(), await open()]
    stalled.pause()
    say(stalled, '/large')
    let received = 0
    slow.on('data', (chunk: Buffer) => {
      received += chunk.length
      slow.pause()
      setTimeout(() => slow.resume(), 2)
    })
    say(slow, '/large')
    await eventually(async () => (await count()) < 2)
    await eventually(async () => received > large)
  })

  it('closes the longest of heads that never end, when all of them are more than there is room for', async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    most = 4000
    await start()
    const short = await open()
    short.write('GET / HTTP/1.1\r\nHost: x\r\n')
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(60_000)}\r\n`
    await crowd(900, 50, async () => (await open()).write(head))
    await eventually(async () => (await count()) < 600)
    await pause(2 * lookEveryMs)
    assert.ok((await count()) > 100)
    short.write('\r\n')
    assert.match(String(((await once(short, 'data')) as [Buffer])[0]), /200 OK/)
  })
})
