// deploy/cluster/haproxy.cfg under a HAProxy of Debian's, in front of a service whose reply is cut off behind its commit, as when a
// server is killed there.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { newDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { proxyPrograms, startProxy } from '../support/proxies.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'
import { readFiles } from './files.ts'

/** In front of the service, twice, as two servers. */
type Relay = { readonly server: Server; checks: number }

describe('HAProxy in front of servers', () => {
  let service: TestService
  let url = ''
  let stop: (() => Promise<void>) | undefined
  const relays: Relay[] = []
  /** The calls that have come to servers, and whether the reply to the next is cut off. */
  const calls = { count: 0, isCut: false }

  const openRelay = async (): Promise<Relay> => {
    const server = createServer({ maxHeaderSize: 65_536 }, (asked, reply) => {
      const { method, headers } = asked
      const isCheck = asked.url === '/readyz'
      if (!isCheck) calls.count += 1
      const passed = request(`${service.url}${asked.url}`, { method, headers }, (given) => {
        if (isCheck) relay.checks += 1
        else if (calls.isCut) {
          calls.isCut = false
          given.resume().once('end', () => asked.socket.destroy())
          return
        }
        reply.writeHead(given.statusCode!, given.headers)
        given.pipe(reply)
      })
      asked.pipe(passed)
    })
    const relay: Relay = { server, checks: 0 }
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return relay
  }
  /** A server that lost a connection has no calls until HAProxy has looked at it. */
  const allKnown = async () => {
    const before = relays.map(({ checks }) => checks)
    await eventually(async () => relays.every(({ checks }, n) => checks >= before[n]! + 2))
  }

  before(async function () {
    const root = (await proxyPrograms()) ?? skipWithout(this, 'HAProxy')
    service = await openTestService()
    relays.push(await openRelay(), await openRelay())
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const servers = relays.map(
      ({ server }, n) => `    server server${n} 127.0.0.1:${(server.address() as AddressInfo).port}`,
    )
    const path = join(await newDirectory('haproxy'), 'haproxy.cfg')
    // Heads of requests are waited for briefly, so that the test is short.
    const text = readFiles()['deploy/cluster/haproxy.cfg'].replace('http-request 10s', 'http-request 1s')
    await writeFile(path, text.replace('@PORT@', String(port)).replace('@SERVERS@', servers.join('\n')))
    stop = await startProxy(root, 'haproxy', ['-db', '-f', path], `${url}/readyz`)
  })
  after(async () => {
    await stop?.()
    for (const { server } of relays) {
      server.close()
      server.closeAllConnections()
    }
    await service?.close()
  })

  const key = 'api_key=first-api-key-of-the-tests'
  const callCut = async (method: string, path: string, body?: string) => {
    await allKnown()
    Object.assign(calls, { count: 0, isCut: true })
    // To a client that has had a reply on its connection HAProxy says nothing: it closes, as the server did.
    const reply = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}${key}`, {
      method,
      ...(body === undefined ? {} : { body }),
    }).catch(() => undefined)
    return { isAnswered: reply?.ok === true, calls: calls.count }
  }

  it('passes on a URL of 32 KB', async () => {
    await allKnown()
    const { status } = await fetch(`${url}/api/feed?compId=Long&text=${'x'.repeat(32_000)}&${key}`, { method: 'PUT' })
    assert.equal(status, 200)
  })

  /** A connection of a client with an address of its own, on which that was sent. */
  const open = async (localAddress: string, text = ''): Promise<Socket> => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
    // One that is refused may be reset before it is known to be there.
    await once(socket, 'connect').catch(() => {})
    socket.on('error', () => {}).write(text)
    return socket
  }
  const replyOn = async (socket: Socket): Promise<string> => {
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    // Not by once(), which a reset makes fail: HAProxy resets a connection that it refuses.
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    return text
  }

  it('gives one address 1,000 connections, and serves others meanwhile', async () => {
    const most = 1000
    const sockets = await Promise.all(Array.from({ length: most }, () => open('127.0.0.2')))
    for (let n = 0; n < 50; n += 1) assert.equal(await replyOn(await open('127.0.0.2')), '')
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => {
      const again = await open('127.0.0.2', 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      return (await replyOn(again)).startsWith('HTTP/1.1 200')
    })
  })

  it('does not wait long for the head of a request, and as long as it takes for its body', async () => {
    await allKnown()
    const body = '[{"compId":"Slow","streamId":"rpm","data":1}]'
    const head = `PUT /api/feed?${key} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    const slow = await open('127.0.0.1', `${head}[`)
    const reply = replyOn(slow)
    // When this one has been waited for in vain, so the other would have been.
    const halted = await open('127.0.0.1', 'PUT /api/feed HTTP/1.1\r\nHost: ')
    assert.match(await replyOn(halted), /^HTTP\/1.1 408 /)
    slow.write(body.slice(1))
    assert.match(await reply, /^HTTP\/1.1 200 /)
  })

  it('sends a reading and an upload with its time again where the reply did not come, and nothing else', async () => {
    const again = { isAnswered: true, calls: 2 }
    const lost = { isAnswered: false, calls: 1 }
    const samples = '[{"compId":"Pump","streamId":"rpm","data":1}]'
    for (const [method, path, expected, body] of [
      ['PUT', '/api/feed?compId=Pump&rpm=1&Time=1767225600000', again],
      ['GET', '/api/feed?asPut&compId=Pump&rpm=1&time=1767225600000', again],
      ['GET', '/api/comp/Pump/last_value', again],
      ['GET', '/api/comp/Pump/feed', again],
      ['PUT', '/api/feed?compId=Pump&rpm=1', lost],
      ['GET', '/api/feed?asPut&compId=Pump&rpm=1', lost],
      ['GET', '//api//feed?asPut&compId=Pump&rpm=1', lost],
      ['GET', '/API/FEED?asPut&compId=Pump&rpm=1', lost],
      ['GET', '/api/%66eed?asPut&compId=Pump&rpm=1', lost],
      ['PUT', '/api/feed?compId=Pump&rpm=1&timeEl=1', lost],
      ['PUT', '/api/feed?compId=Pump&rpm=1&note=time=1', lost],
      ['PUT', '/api/feed', lost, samples],
      ['PUT', '/api/feed?time=1', lost, samples],
      ['PUT', '/api/conn_sink/org/hook?time=1', lost, '{}'],
      ['GET', '/api/conn_sink/org/hook?time=1', lost],
      ['POST', '/api/gql', lost, '{"s":"SELECT 1"}'],
      ['DELETE', '/api/comp/Pump/feed?sd=1&ed=2', lost],
    ] as const)
      assert.deepEqual(await callCut(method, path, body), expected, `${method} ${path}`)
  })
})
