import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { answerBrokenRequests } from '../../../src/base/http/connection.ts'
import { eventually } from '../../support/within.ts'

describe('base/connection', () => {
  let server: Server
  let broken = 0
  let refused = 0
  let works: (() => void)[] = []
  before(async () => {
    server = createServer()
    answerBrokenRequests(
      server,
      16_384,
      () => (refused += 1),
      (_address, work) => works.push(work),
    )
    server.on('clientError', () => (broken += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => server.close())

  it('answers a connection once, however many broken chunks come before its turn, and closes it gently', async () => {
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
    let reply = ''
    client.on('data', (chunk: Buffer) => (reply += chunk.toString()))
    for (let chunks = 1; chunks <= 3; chunks += 1) {
      client.write('no request\r\n')
      await eventually(async () => broken === chunks)
    }
    assert.equal(works.length, 1)
    for (const work of works) work()
    works = []
    await once(client, 'end')
    assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n.*this is not an HTTP request/s)
    assert.equal(refused, 1)
    // Closed at once, it would be reset by what its client still sends.
    assert.equal(await promisify(server.getConnections.bind(server))(), 1)
    client.end('no request either\r\n')
    assert.deepEqual(await once(client, 'close'), [false])
  })
})
