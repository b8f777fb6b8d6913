import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ServerSocket } from '../../../src/base/http/connection.ts'
import { closeGradually } from '../../../src/base/http/leave.ts'

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

describe('base/http/leave', () => {
  let server: Server
  let port: number
  let onCall: (response: ServerResponse) => void
  const sockets = new Set<ServerSocket>()
  beforeEach(async () => {
    onCall = (response) => response.end('served')
    // As the service does: a server that ends asks its clients to leave.
    server = createServer((_, response) =>
      onCall(server.listening ? response : response.setHeader('Connection', 'close')),
    )
    server.on('connection', (socket: ServerSocket) => sockets.add(socket).size)
    server.listen({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })

  const isBusy = (socket: ServerSocket) => !!socket['_httpMessage']
  const isAnswering = (socket: ServerSocket) => socket['_httpMessage']?.req.complete === true
  const close = () => closeGradually([server], { sockets: () => sockets, isBusy, isAnswering })
  const open = async (): Promise<Socket> => {
    const client = connect(port, '127.0.0.1').setEncoding('utf8')
    await Promise.all([once(client, 'connect'), once(server, 'connection')])
    return client
  }
  const openAnswered = async (): Promise<Socket> => {
    const client = await open()
    client.write(request)
    await once(client, 'data')
    return client
  }

  it('answers a request that came while the machine stood still, by a connection that was idle before', async () => {
    const client = await openAnswered()
    const closed = close()
    client.write(request)
    const reply = text(client)
    // The process does nothing for longer than idle connections are left open: its timers come first, then the request.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    assert.match(await reply, /^HTTP\/1.1 200 [\s\S]*served$/)
    await closed
  })

  it('leaves a connection that is new open for longer than one that is idle', async () => {
    const [idle, fresh] = [await openAnswered(), await open()]
    const closed = close()
    await once(idle.resume(), 'close')
    fresh.write(request)
    assert.match(await text(fresh), /^HTTP\/1.1 200 [\s\S]*served$/)
    await closed
  })

  it('lets a call be answered for longer than its body may be on the way', async () => {
    const responses: ServerResponse[] = []
    onCall = (response) => void responses.push(response)
    const [slow, asking] = [await open(), await open()]
    slow.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfive!')
    asking.write(request)
    const reply = text(asking)
    while (responses.length < 2) await once(server, 'request')
    const closed = close()
    await once(slow.resume(), 'close')
    for (const response of responses) response.setHeader('Connection', 'close').end('served')
    assert.match(await reply, /^HTTP\/1.1 200 [\s\S]*served$/)
    await closed
  })
})
