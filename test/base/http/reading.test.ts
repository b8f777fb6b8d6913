// Work that ends with its client, over real connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../../src/base/http/call.ts'
import { answerHalfClosed, oneAfterAnother } from '../../../src/base/http/connection.ts'
import { untilGone } from '../../../src/base/http/reading.ts'
import { openWire } from '../../support/wire.ts'

/** Longer after its request, a client that closes its sending side has left. */
const halfClosedMs = 100

describe('work for a client', () => {
  let server: Server
  let url: string
  beforeEach(async () => {
    server = createServer(oneAfterAnother((request) => server.emit('served', request)))
    answerHalfClosed(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = async () => {
    const wire = await openWire(url)
    const served = once(server, 'served')
    wire.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [request] = (await served) as [IncomingMessage]
    return { wire, request, call: { socket: request.socket } as Call }
  }
  let worked = 0
  const work = () => Promise.resolve((worked += 1))
  const refused = async (call: Call) => {
    const before = worked
    await assert.rejects(untilGone(call, work), /the client has gone away/)
    assert.equal(worked, before)
  }

  it('is not begun when its client has closed the connection before', async () => {
    const { wire, request, call } = await ask()
    const ended = once(request.socket, 'end')
    await sleep(halfClosedMs)
    wire.close()
    await ended
    await refused(call)
  })

  it('is not begun when its client has reset the connection before', async () => {
    const { wire, request, call } = await ask()
    const closed = new Promise((resolve) => request.socket.on('error', () => {}).once('close', resolve))
    wire.socket.resetAndDestroy()
    await closed
    await refused(call)
  })

  it('is done for a client that closed its sending side directly behind its request', async () => {
    const { wire, request, call } = await ask()
    const ended = once(request.socket, 'end')
    wire.socket.end()
    await ended
    await sleep(halfClosedMs)
    assert.equal(await untilGone(call, work), worked)
  })

  it('is done for such a client, also where the process was held up before it could see that', async () => {
    const wire = await openWire(url)
    const ended = new Promise<IncomingMessage>((resolve) => {
      server.once('served', (request: IncomingMessage) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, halfClosedMs)
        request.socket.once('end', () => resolve(request))
      })
    })
    wire.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    wire.socket.end()
    const { socket } = await ended
    assert.equal(await untilGone({ socket } as Call, work), worked)
  })

  it('is aborted when its client leaves meanwhile', async () => {
    const { wire, call } = await ask()
    const waiting = untilGone(call, async (signal) => {
      await sleep(halfClosedMs)
      wire.close()
      await once(signal, 'abort')
      signal.throwIfAborted()
    })
    await assert.rejects(waiting, /the client has gone away/)
  })
})
