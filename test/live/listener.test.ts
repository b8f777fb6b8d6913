// Listeners by themselves, without connections.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { notFound, unauthorized } from '../../src/base/errors.ts'
import type { Listener, Sent } from '../../src/live/listener.ts'
import { openLook } from '../../src/live/look.ts'
import { callerOf } from '../support/caller.ts'
import { openUnreadListener } from '../support/unread-listener.ts'
import type { UnreadListener } from '../support/unread-listener.ts'

const caller = callerOf({ key: 1, uid: 'o' })
const count = 1000

/** All are ended in the end, and others had their turns in between. */
const assertInTurns = async (all: readonly UnreadListener[]) => {
  const ended = () => all.filter(({ listener }) => listener.isEnded).length
  let turns = 0
  for (let before = 0; ended() < all.length; turns += 1) {
    assert.ok(ended() - before <= 50, `${ended() - before} at once`)
    assert.ok(turns < 10 * count, `${ended()} are ended`)
    before = ended()
    await setImmediate()
  }
  assert.ok(turns >= all.length / 50 - 1, `${turns} turns`)
}

describe('live/listener', () => {
  it('ends in turns with others, gets nothing meanwhile, and has the first reason', async () => {
    const all = Array.from({ length: count }, () => openUnreadListener({ caller }))
    for (const { listener } of all) listener.endInTurn(notFound('stream', 'x'))
    const { listener, reply } = all.at(-1)!
    listener.endInTurn({ code: 'stopping', message: '' })
    // It may listen, for all that a look knows.
    listener.endDoubt()
    assert.deepEqual([listener.isEnded, listener.doubt === undefined], [false, false])
    await assertInTurns(all)
    assert.equal(listener.doubt, undefined)
    assert.match(reply.text, /^event: end\ndata: \{"code":"stream_not_found"[^\n]*\n\n$/)
  })

  for (const [title, judgeAgain] of [
    ['is known', () => assert.fail(unauthorized('gone'))],
    ['has to be looked up', () => Promise.reject(unauthorized('gone'))],
  ] as const)
    it(`ends in turns where it may listen no longer, and that ${title}`, async () => {
      const all = Array.from({ length: count }, () => openUnreadListener({ caller, judgeAgain }))
      const listeners: ReadonlySet<Listener> = new Set(all.map(({ listener }) => listener))
      const looking = openLook(
        listeners,
        () => undefined,
        () => undefined,
      ).once()
      await assertInTurns(all)
      await looking
      for (const { reply } of all) assert.match(reply.text, /"code":"unauthorized"/)
    })

  it('is asked for nothing while its client has no room for it', async () => {
    const { listener, reply } = openUnreadListener({ caller })
    const attempts: Sent[] = []
    const results: Sent[] = ['some', 'nothing', 'done']
    reply.writableLength = 100_000
    const sending = listener.patiently(() => {
      const sent = results.shift()!
      attempts.push(sent)
      if (sent !== 'done') reply.writableLength = 100_000
      return sent
    })
    for (const soFar of [[], ['some'], ['some', 'nothing'], ['some', 'nothing', 'done']]) {
      for (let turns = 0; turns < 3; turns += 1) await setImmediate()
      assert.deepEqual(attempts, soFar)
      reply.drain()
    }
    assert.equal(await sending, true)
  })
})
