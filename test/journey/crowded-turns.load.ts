// Many calls at the same moment are begun in several turns of the event loop (src/base/turns.ts). Server and clients are in
// one process here, so that each turn of one is a turn of the other.
import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { Wire } from '../support/wire.ts'
import { openWire } from '../support/wire.ts'

const clients = 600

describe('calls that come at the same moment', () => {
  let service: TestService
  let wires: readonly Wire[]
  before(async () => {
    service = await openTestService()
    wires = await Promise.all(Array.from({ length: clients }, () => openWire(service.url)))
    // The server takes them one by one: afterwards it has all.
    await mostInOneTurn('PUT /api/feed?compId=A&x=1', 401)
  })
  after(async () => {
    for (const wire of wires) wire.close()
    await service.close()
  })

  /** The most replies of one turn, where all clients send at once. */
  const mostInOneTurn = async (line: string, status: number): Promise<number> => {
    const replies: string[] = []
    const answered = wires.map(async (wire) => {
      const { statusLine } = await wire.reply()
      assert.ok(statusLine.startsWith(`HTTP/1.1 ${status} `), statusLine)
      replies.push(statusLine)
    })
    for (const wire of wires) wire.send(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`)
    let most = 0
    for (let before = 0; replies.length < clients; before = replies.length) {
      await nextTurn()
      most = Math.max(most, replies.length - before)
    }
    await Promise.all(answered)
    return most
  }

  it('are begun in turns where they are short uploads', async () => {
    assert.ok((await mostInOneTurn('PUT /api/feed?compId=A&x=1', 401)) < clients * 0.8)
  })

  it('are begun in turns where they are anything else', async () => {
    assert.ok((await mostInOneTurn('GET /nothing', 404)) < clients * 0.5)
  })

  it('are begun few at a time where their addresses are long, uploads and anything else', async () => {
    const long = 'a&'.repeat(5000)
    assert.ok((await mostInOneTurn(`PUT /api/feed?compId=A&${long}`, 401)) < clients * 0.05)
    assert.ok((await mostInOneTurn(`GET /nothing?${long}`, 404)) < clients * 0.05)
  })

  // The last one: their connections are closed.
  it('are refused in turns where they are no requests', async () => {
    assert.ok((await mostInOneTurn('<>', 400)) < clients * 0.5)
  })
})
