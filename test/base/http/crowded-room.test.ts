// Bodies that trickle in over real connections from several addresses, until no place is left: strangers have eight, of
// which the first address takes four, the next two, and two more one each.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '../../../src/base/http/body.ts'
import { callFromRequest } from '../../../src/base/http/call.ts'
import { dropRefusedBodies } from '../../../src/base/http/refused-body.ts'
import { jsonReply, replyFromError, writeReply } from '../../../src/base/http/reply.ts'
import type { Room, RoomSizes } from '../../../src/base/http/room.ts'
import { openRoom } from '../../../src/base/http/room.ts'
import { openLog } from '../../../src/base/log.ts'
import type { Wire } from '../../support/wire.ts'
import { openWire } from '../../support/wire.ts'
import { eventually } from '../../support/within.ts'

const mebibyte = 1024 * 1024
const sizes: RoomSizes = {
  arrivals: 8,
  beginnings: mebibyte,
  middles: mebibyte,
  larges: mebibyte,
  largest: mebibyte,
  pieces: 1,
  replies: 1,
  waitingReplies: 1,
  work: mebibyte,
  smallWork: mebibyte,
}
const log = openLog('silent')
const declared = 4000
const given = 'x'.repeat(100)
const refused = /^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"message":"too many uploads at once"/

describe('base/room, when it is full', () => {
  let server: Server
  let url: string
  let strangers: Room
  let known: Room
  let wires: Wire[]
  beforeEach(async () => {
    strangers = openRoom(sizes, { isOfStrangers: true })
    known = openRoom(sizes)
    wires = []
    const serve = dropRefusedBodies((request, response) => {
      const call = callFromRequest(request, [])
      const key = request.headers['x-api-key']
      if (key !== undefined) call.callerHolders = [`organization of ${String(key)}`, String(key)]
      const answer = async () => {
        const { bytes, release } = await readBody(call, 65_536, { room: call.callerHolders ? known : strangers })
        release()
        return jsonReply({ size: bytes.length })
      }
      answer()
        .catch((error: Error) => replyFromError(error, log))
        .then((reply) => writeReply(response, reply))
        .catch(() => response.destroy())
    })
    server = createServer(serve)
    server.listen(0, '0.0.0.0')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterEach(async () => {
    for (const wire of wires) wire.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const headOf = (size: number, key?: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\n${key === undefined ? '' : `X-Api-Key: ${key}\r\n`}Content-Length: ${size}\r\n\r\n`
  const openAt = async (localAddress: string) => {
    const wire = await openWire(url, { localAddress })
    wires.push(wire)
    return wire
  }
  /** Begins a body, and returns when its beginning has been read. */
  const begin = async (localAddress: string, { key, bytes = 1 }: { key?: string; bytes?: number } = {}) => {
    const { beginnings } = key === undefined ? strangers : known
    const free = beginnings.free()
    const wire = await openAt(localAddress)
    wire.send(headOf(declared, key) + 'x'.repeat(bytes))
    await eventually(async () => beginnings.free() !== free)
    return wire
  }
  const beginSome = async (count: number, localAddress: string, key?: string) => {
    const begun: Wire[] = []
    for (let n = 0; n < count; n += 1) begun.push(await begin(localAddress, key === undefined ? {} : { key }))
    return begun
  }
  /** Holds every place: four of the first address, two of the second, one each of two more. */
  const fill = async () => {
    const first = await beginSome(4, '127.0.0.2')
    const second = await beginSome(2, '127.0.0.3')
    const others = [await begin('127.0.0.4'), await begin('127.0.0.5')]
    assert.equal(strangers.arrivals.free(), 0)
    return { first, second, others }
  }
  const finish = async (wire: Wire) => {
    wire.send('x'.repeat(declared - 1))
    return (await wire.reply()).body
  }
  const signIn = async (localAddress: string, key?: string) => {
    const wire = await openAt(localAddress)
    wire.send(headOf(given.length, key) + given)
    return (await wire.reply()).body
  }
  const served = `{"size":${given.length}}`
  const finished = `{"size":${declared}}`

  it('serves a sign-in from another address while bodies that trickle hold every place', async () => {
    await fill()
    assert.equal(await signIn('127.0.0.9'), served)
  })

  it('lets the oldest body of the address that holds most give way, and all others finish', async () => {
    const { first, second, others } = await fill()
    const newcomer = await openAt('127.0.0.9')
    newcomer.send(`${headOf(declared)}x`)
    const [oldest, ...rest] = first
    assert.match(await oldest!.rest(), refused)
    for (const wire of [newcomer, ...rest, ...second, ...others]) assert.equal(await finish(wire), finished)
    assert.equal(strangers.arrivals.free(), sizes.arrivals)
    assert.equal(strangers.beginnings.free(), sizes.beginnings)
  })

  it('serves sign-ins from the address that holds most, too, in place of its own oldest body', async () => {
    const { first, second, others } = await fill()
    assert.equal(await signIn('127.0.0.2'), served)
    const [oldest, ...rest] = first
    assert.match(await oldest!.rest(), refused)
    for (const wire of [...rest, ...second, ...others]) assert.equal(await finish(wire), finished)
  })

  it('serves a sign-in from another address where each body has an address of its own', async () => {
    const begun: Wire[] = []
    for (let n = 0; n < sizes.arrivals; n += 1) begun.push(await begin(`127.0.0.${n + 20}`))
    assert.equal(await signIn('127.0.0.9'), served)
    const [oldest, ...rest] = begun
    assert.match(await oldest!.rest(), refused)
    for (const wire of rest) assert.equal(await finish(wire), finished)
  })

  it('serves a sign-in while bodies that trickle hold all memory for beginnings', async () => {
    strangers = openRoom({ ...sizes, arrivals: 1000, beginnings: 8000 }, { isOfStrangers: true })
    const [small, large] = [await begin('127.0.0.2', { bytes: 500 }), await begin('127.0.0.2', { bytes: 3500 })]
    const others: Wire[] = []
    for (const [n, bytes] of [2000, 1000, 500, 250, 125, 62].entries())
      others.push(await begin(`127.0.0.${n + 3}`, { bytes }))
    assert.ok(strangers.beginnings.free() < given.length)
    assert.equal(await signIn('127.0.0.9'), served)
    // It is the largest that gives way, so that no more than one has to.
    assert.match(await large.rest(), refused)
    assert.ok([small, ...others].every(({ socket }) => !socket.destroyed))
    assert.equal(strangers.arrivals.free(), 1000 - 7)
  })

  it('leaves callers with a credential alone, whatever strangers send', async () => {
    const slow = await begin('127.0.0.2', { key: 'a' })
    await fill()
    assert.equal(await signIn('127.0.0.9'), served)
    assert.equal(await signIn('127.0.0.2', 'a'), served)
    assert.equal(await finish(slow), finished)
  })

  it('takes a caller with a credential in place of the oldest body of the organization that holds most', async () => {
    const [oldest, ...rest] = await beginSome(4, '127.0.0.2', 'a')
    for (const [count, key] of [
      [2, 'b'],
      [1, 'c'],
      [1, 'd'],
    ] as const)
      rest.push(...(await beginSome(count, '127.0.0.2', key)))
    assert.equal(known.arrivals.free(), 0)
    assert.equal(await signIn('127.0.0.2', 'e'), served)
    assert.match(await oldest!.rest(), refused)
    for (const wire of rest) assert.equal(await finish(wire), finished)
  })

  it('refuses the next body of a caller that has its share, and none that it has begun', async () => {
    const begun = await beginSome(4, '127.0.0.2', 'a')
    assert.match(await signIn('127.0.0.2', 'a'), /too many uploads at once/)
    for (const wire of begun) assert.equal(await finish(wire), finished)
  })
})
