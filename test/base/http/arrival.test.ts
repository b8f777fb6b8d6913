// The memory of bodies while they arrive, in a room for 48 beginnings, 24 middles and 72 MiB more.
import assert from 'node:assert/strict'
import type { Arrival } from '../../../src/base/http/arrival.ts'
import { openArrival } from '../../../src/base/http/arrival.ts'
import type { Room } from '../../../src/base/http/room.ts'
import { middleBytes as mebibyte, openRoom, smallBytes } from '../../../src/base/http/room.ts'

const mostBytes = 64 * mebibyte
const sizes = {
  beginnings: 96 * smallBytes,
  middles: 24 * mebibyte,
  bytes: 72 * mebibyte,
  replies: mebibyte,
  waitingReplies: mebibyte,
  work: mebibyte,
  smallWork: mebibyte,
}
const total = sizes.beginnings + sizes.middles + sizes.bytes

describe('base/arrival', () => {
  let room: Room
  beforeEach(() => {
    room = openRoom(sizes)
  })
  const open = (caller: string, declared = 0, patienceMs = 5000) =>
    openArrival(room, [caller], declared, mostBytes, patienceMs)
  const used = () => total - room.beginnings.free() - room.middles.free() - room.bytes.free()
  /** Comes to its end, as fast as it is let. */
  const send = async (arrival: Arrival, size: number) => {
    for (let reached = smallBytes; reached <= size; reached += smallBytes) {
      await arrival.reach(reached)
      await new Promise((done) => setImmediate(done))
    }
    arrival.complete()
  }

  it('charges what is there, not what was declared', () => {
    for (let n = 0; n < 1000; n += 1) void open('a', mostBytes).reach(1)
    assert.equal(used(), 1000)
  })

  it('promises a body all that it needs when it has proven to be large', async () => {
    const arrival = open('a', mostBytes)
    await arrival.reach(smallBytes + 1)
    assert.equal(used(), mebibyte)
    await arrival.reach(mebibyte + 1)
    assert.equal(used(), mostBytes)
    arrival.release()
    assert.equal(used(), 0)
  })

  for (const [name, declared] of [
    ['', 20 * mebibyte],
    [', also when they do not say their size', 0],
  ] as const)
    it(`finishes all bodies of a caller that are more than there is room for${name}`, async () => {
      let done = 0
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          const arrival = open('a', declared)
          await send(arrival, 20 * mebibyte)
          assert.ok(used() >= 20 * mebibyte)
          done += 1
          arrival.release()
        }),
      )
      assert.equal(done, 16)
      assert.equal(used(), 0)
    })

  it('holds only what is there when the body is complete', async () => {
    const arrival = open('a')
    await send(arrival, 3 * mebibyte)
    assert.equal(used(), 3 * mebibyte)
  })

  it('takes a promise back from a body that comes slowly, when others wait', async () => {
    const slow = open('a', mostBytes)
    await slow.reach(mebibyte + 1)
    slow.look()
    assert.equal(used(), mostBytes)
    const other = open('b', 20 * mebibyte)
    await other.reach(smallBytes + 1)
    const promised = other.reach(mebibyte + 1)
    assert.equal(used(), mostBytes + mebibyte)
    for (let looks = 0; looks < 2; looks += 1) slow.look()
    await promised
    assert.equal(used(), mebibyte + 1 + 20 * mebibyte)
    // It goes on, piece by piece.
    await slow.reach(mebibyte + 1000)
    assert.equal(used(), mebibyte + 1000 + 20 * mebibyte)
  })

  it('leaves a promise to a body that comes steadily while only its own caller waits', async () => {
    const first = open('a', mostBytes)
    await first.reach(mebibyte + 1)
    const second = open('a', mostBytes)
    await second.reach(smallBytes + 1)
    const promised = second.reach(mebibyte + 1)
    for (let looks = 1; looks < 10; looks += 1) {
      await first.reach(mebibyte + looks * 100_000)
      first.look()
    }
    assert.equal(used(), mostBytes + mebibyte)
    first.release()
    await promised
  })

  it('refuses a body that does not come on while others of its caller wait, and no other', async () => {
    const stalled = Array.from({ length: 13 }, () => open('a', mostBytes))
    for (const each of stalled) await each.reach(mebibyte)
    const stranger = open('b', mostBytes)
    await stranger.reach(mebibyte)
    const waiting = open('a', mebibyte)
    const promised = Promise.resolve(waiting.reach(smallBytes + 1))
    for (let looks = 0; looks < 4; looks += 1) for (const each of [...stalled, stranger]) each.look()
    stranger.look()
    for (const each of stalled.slice(0, 2)) {
      assert.throws(() => each.look(), { status: 503, code: 'busy' })
      each.release()
    }
    await promised
  })

  it('refuses a body that cannot grow within its patience', async () => {
    await open('a', mostBytes).reach(mebibyte + 1)
    const second = open('b', mostBytes, 20)
    await assert.rejects(Promise.resolve(second.reach(mebibyte + 1)), { status: 503, code: 'busy' })
    second.release()
    assert.equal(used(), mostBytes)
  })

  it('takes nothing for a body that has left while it waited', async () => {
    const first = open('a', mostBytes)
    await first.reach(mebibyte + 1)
    const second = open('b', mostBytes)
    const waiting = assert.rejects(Promise.resolve(second.reach(mebibyte + 1)))
    second.release()
    await waiting
    first.release()
    assert.equal(used(), 0)
  })

  it('leaves others room to begin, however much one caller sends', () => {
    assert.throws(
      () => {
        for (;;) void open('a', smallBytes).reach(smallBytes)
      },
      { status: 503 },
    )
    assert.ok(used() <= sizes.beginnings / 2 + smallBytes)
    void open('b', smallBytes).reach(smallBytes)
  })
})
