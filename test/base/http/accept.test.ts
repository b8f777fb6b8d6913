import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createNetServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { listenOften, listenOftenIfPossible } from '../../../src/base/http/accept.ts'
import type { Log } from '../../../src/base/log.ts'

describe('base/http/accept', () => {
  it('takes many new connections in one turn of the loop, and serves all of them', async () => {
    const server = createServer((_, response) => void response.end('served'))
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const further = await listenOften(server, 16, 4096)
    let taken = 0
    server.on('connection', () => (taken += 1))
    // The kernel connects all of them before the loop turns.
    const clients = Array.from({ length: 160 }, () => connect(port, '127.0.0.1'))
    let turns = 0
    for (; taken < clients.length; turns += 1) await turn()
    assert.ok(turns < 80, String(turns))
    const replies = clients.map((client) => {
      client.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      return text(client)
    })
    for (const reply of await Promise.all(replies)) assert.match(reply, /^HTTP\/1.1 200 [\s\S]*served$/)
    for (const one of [...further, server]) await new Promise((resolve) => one.close(resolve))
  })

  it('goes on with one listener, and a warning, where Node does not show the handle of a port', async () => {
    const server = createServer((_, response) => void response.end('served'))
    server.listen({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const hidden = new Proxy(server, {
      get: (target, name) => (name === '_handle' ? undefined : Reflect.get(target, name)),
    })
    const warnings: unknown[] = []
    const log = { warn: (_: unknown, message: string) => warnings.push(message) } as unknown as Log
    assert.deepEqual(await listenOftenIfPossible(hidden, 4096, log), [])
    assert.match(String(warnings), /^one new connection is taken at a time/)
    const client = connect(port, '127.0.0.1')
    client.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    assert.match(await text(client), /served$/)
    await new Promise((resolve) => server.close(resolve))
  })

  it('takes many connections of a port that is not of HTTP, with the options of its sockets', async () => {
    let taken = 0
    const options = { allowHalfOpen: true, highWaterMark: 1234 }
    const server = createNetServer(options, (socket) => {
      taken += 1
      socket.end(String(socket.writableHighWaterMark))
    })
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const further = await listenOften(server, 16, 4096, options)
    const clients = Array.from({ length: 160 }, () => connect(port, '127.0.0.1'))
    let turns = 0
    for (; taken < clients.length; turns += 1) await turn()
    assert.ok(turns < 80, String(turns))
    for (const client of clients) assert.equal(await text(client), '1234')
    for (const one of [...further, server]) await new Promise((resolve) => one.close(resolve))
  })
})
