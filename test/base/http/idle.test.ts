// Kept connections over real sockets, with a server that closes them soon.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { closeIdle } from '../../../src/base/http/idle.ts'

const idleMs = 100

describe('base/idle', () => {
  let server: Server
  let held: ServerResponse | undefined
  let sockets: Socket[]
  beforeEach(async () => {
    held = undefined
    sockets = []
    server = createServer((request, response) => {
      if (request.url === '/hold') held = response
      else response.end('done')
    })
    closeIdle(server, idleMs)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })

  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket, path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    return chunk.toString()
  }

  it('closes a connection that is not used any more', async () => {
    const socket = await open()
    assert.match(await ask(socket, '/'), /Connection: keep-alive/)
    await once(socket, 'close')
  })

  it('keeps a connection that is used again and again', async () => {
    const socket = await open()
    for (let n = 0; n < 12; n += 1) {
      assert.match(await ask(socket, '/'), /done$/)
      await pause(idleMs / 4)
    }
  })

  it('keeps a connection while its reply is being made', async () => {
    const socket = await open()
    const reply = ask(socket, '/hold')
    await pause(4 * idleMs)
    held!.end('late')
    assert.match(await reply, /late$/)
  })
})
