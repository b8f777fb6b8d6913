// The memory of bodies while they arrive, in a room for 96 beginnings, 25 middles, four large ones and one of the largest.
import assert from 'node:assert/strict'
import type { Arrival } from '../../../src/base/http/arrival.ts'
import { openArrival } from '../../../src/base/http/arrival.ts'
import type { Room } from '../../../src/base/http/room.ts'
import { largeBytes, middleBytes as mebibyte, openRoom, smallBytes } from '../../../src/base/http/room.ts'

const mostBytes = 64 * mebibyte
const sizes = {
  arrivals: 2000,
  beginnings: 96 * smallBytes,
  middles: 24 * mebibyte,
  larges: 44 * mebibyte,
  largest: 56 * mebibyte,
  pieces: mebibyte,
  replies: mebibyte,
  waitingReplies: mebibyte,
  work: mebibyte,
  smallWork: mebibyte,
}
const total = sizes.beginnings + sizes.middles + sizes.larges + sizes.largest

describe('base/arrival', () => {
  let room: Room
  beforeEach(() => {
    room = openRoom(sizes)
  })
  const open = (caller: string, declared = 0, patienceMs = 5000) =>
    openArrival(room, [caller], declared, mostBytes, patienceMs)
  const used = () => total - room.beginnings.free() - room.middles.free() - room.larges.free() - room.largest.free()
  /** Comes to its end, as fast as it is let. */
  const send = async (arrival: Arrival, size: number) => {
    for (let reached = smallBytes; reached <= size; reached += smallBytes) {
      await arrival.reach(reached)
      await new Promise((done) => setImmediate(done))
    }
    arrival.complete()
  }

  it('charges the bytes that are there, not the declared ones', () => {
    for (let n = 0; n < 1000; n += 1) void open('a', mostBytes).reach(1)
    assert.equal(used(), 1000)
  })

  it('lets a caller have half of all that are under way, however small they are, and the next one some of the rest', () => {
    const opened = Array.from({ length: 1000 }, () => open('a', mostBytes))
    const tooMany = { code: 'busy', message: 'too many uploads at once' }
    assert.throws(() => open('a', mostBytes), tooMany)
    for (let n = 0; n < 500; n += 1) void open('b').reach(1)
    assert.throws(() => open('b'), tooMany)
    for (const arrival of opened) arrival.release()
    void open('a').reach(1)
  })

  it('promises a body all that it needs when it has proven to be large', async () => {
    const arrival = open('a', mostBytes)
    await arrival.reach(smallBytes + 1)
    assert.equal(used(), mebibyte)
    await arrival.reach(mebibyte + 1)
    assert.equal(used(), largeBytes)
    await arrival.reach(largeBytes + 1)
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

  it('holds only the bytes that are there when the body is complete', async () => {
    const arrival = open('a')
    await send(arrival, 3 * mebibyte)
    assert.equal(used(), 3 * mebibyte)
  })

  /** One of the largest, which has got its promise. */
  const openLargest = async (caller: string, patienceMs = 10_000) => {
    const arrival = open(caller, mostBytes, patienceMs)
    await arrival.reach(smallBytes + 1)
    await arrival.reach(largeBytes)
    await arrival.reach(largeBytes + 1)
    return arrival
  }
  /** One that waits for the memory of the largest. */
  const waitForLargest = async (caller: string, declared = mostBytes, patienceMs = 10_000) => {
    const arrival = open(caller, declared, patienceMs)
    await arrival.reach(largeBytes)
    const promise = arrival.reach(largeBytes + 1)
    assert.ok(promise, 'it has to wait')
    // A test that waits for nothing else need not notice the refusal.
    promise.catch(() => {})
    return { arrival, promise }
  }

  it('lets large bodies of others come beside one of the largest, however slowly that comes', async () => {
    const first = await openLargest('a')
    for (const caller of ['b', 'c', 'd']) {
      const other = open(caller, largeBytes)
      assert.equal(other.reach(largeBytes), undefined)
    }
    for (let looks = 0; looks < 20; looks += 1) first.look()
    assert.equal(used(), mostBytes + 3 * largeBytes)
  })

  it('leaves room for a large body of another organization, however many callers one has', async () => {
    for (let n = 0; n < 20; n += 1) {
      const one = openArrival(room, ['organization 1', `a${n}`], largeBytes, mostBytes, 10_000)
      await one.reach(mebibyte)
      void Promise.resolve(one.reach(mebibyte + 1)).catch(() => {})
    }
    const other = openArrival(room, ['organization 2', 'b'], largeBytes, mostBytes, 10_000)
    assert.equal(other.reach(largeBytes), undefined)
    assert.ok(room.larges.waiting() > 0)
  })

  it('takes a promise back from a body that comes slowly, when others wait', async () => {
    const slow = await openLargest('a')
    slow.look()
    assert.equal(used(), mostBytes)
    const other = await waitForLargest('b', 20 * mebibyte)
    assert.equal(used(), mostBytes + largeBytes)
    for (let looks = 0; looks < 2; looks += 1) slow.look()
    await other.promise
    assert.equal(used(), largeBytes + 1 + 20 * mebibyte)
    // It goes on, piece by piece.
    await slow.reach(largeBytes + 1000)
    assert.equal(used(), largeBytes + 1000 + 20 * mebibyte)
  })

  it('leaves a promise to a body that will be there before others lose their patience', async () => {
    const first = await openLargest('a')
    const second = await waitForLargest('b')
    for (let size = largeBytes; size < mostBytes; size += 2 * mebibyte) {
      assert.equal(first.reach(size + 1), undefined)
      first.look()
      assert.equal(used(), mostBytes + largeBytes)
    }
    first.release()
    await second.promise
  })

  for (const [name, pieceBytes] of [
    ['stops', 0],
    ['trickles', 10_000],
  ] as const)
    it(`refuses one of the largest that ${name} when another waits for its memory, and no smaller one`, async () => {
      const first = await openLargest('a')
      assert.equal(first.reach(62 * mebibyte), undefined)
      first.look()
      const smaller = open('c', 14 * mebibyte)
      assert.equal(smaller.reach(13 * mebibyte), undefined)
      const second = await waitForLargest('b')
      assert.throws(
        () => {
          for (let looks = 1; looks < 8; looks += 1) {
            smaller.look()
            void first.reach(62 * mebibyte + looks * pieceBytes)
            first.look()
          }
        },
        { status: 503, code: 'busy' },
      )
      first.release()
      smaller.release()
      await second.promise
    })

  it('refuses one that is late and waits itself for the next piece, behind the others', async () => {
    const first = await openLargest('a')
    assert.equal(first.reach(40 * mebibyte), undefined)
    first.look()
    const second = await waitForLargest('b')
    for (let looks = 0; looks < 2; looks += 1) first.look()
    const piece = first.reach(41 * mebibyte)
    assert.ok(piece)
    assert.throws(
      () => {
        for (let looks = 0; looks < 10; looks += 1) first.look()
      },
      { status: 503, code: 'busy' },
    )
    first.release()
    await assert.rejects(piece)
    await second.promise
  })

  it('leaves a promise to a body that comes steadily while only its own caller waits', async () => {
    const first = await openLargest('a')
    const second = await waitForLargest('a')
    for (let looks = 1; looks < 10; looks += 1) {
      await first.reach(largeBytes + looks * 100_000)
      first.look()
    }
    assert.equal(used(), mostBytes + largeBytes)
    first.release()
    await second.promise
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
    await openLargest('a')
    const { arrival, promise } = await waitForLargest('b', mostBytes, 5)
    await assert.rejects(promise, { status: 503, code: 'busy' })
    arrival.release()
    assert.equal(used(), mostBytes)
  })

  it('takes nothing for a body that has left while it waited', async () => {
    const first = await openLargest('a')
    const second = await waitForLargest('b')
    second.arrival.release()
    assert.equal(room.largest.waiting(), 0)
    await assert.rejects(second.promise)
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
