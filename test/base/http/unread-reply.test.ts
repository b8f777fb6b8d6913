import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { openBuiltFiles } from '../../../src/studio/built.ts'
import { mostReplyBytes, roomOf } from '../../../src/base/http/room.ts'
import { bytesAtOnce, whenThereIsRoom, whenThereIsRoomUntilSent } from '../../../src/base/http/unread-reply.ts'

describe('a reply for which there is no room', () => {
  const holders = ['tenant of unread replies', 'api_key of unread replies'] as const
  const call = { address: '10.0.0.1', callerHolders: holders } as never

  /** The caller reads nothing of what it has. */
  const withoutRoom = async (work: () => Promise<void>) => {
    const { replies, waitingReplies } = roomOf(call)
    const held = [replies.open(holders), waitingReplies.open(holders)]
    for (const holding of held) while (holding.take(mostReplyBytes / 64));
    await work().finally(() => {
      for (const holding of held) holding.give()
    })
  }
  const replyWith = (onSent: () => void) => ({ status: 200, headers: {}, body: 'x'.repeat(1000), onSent })

  for (const [way, ask] of [
    ['node:http', whenThereIsRoom.bind(undefined, call, new EventEmitter() as never)],
    ['the short way', whenThereIsRoomUntilSent.bind(undefined, call)],
  ] as const)
    it(`is refused on ${way}, and gives back all that was held for it`, () =>
      withoutRoom(async () => {
        let sent = 0
        const reply = await ask(
          replyWith(() => (sent += 1)),
          mostReplyBytes,
        )
        assert.deepEqual([reply.status, sent], [503, 1])
      }))

  it('takes nothing where its body is kept for all, as the files of the studio are', async () => {
    const page = await openBuiltFiles().page({ headers: {} } as never)
    assert.deepEqual([page.isKept, bytesAtOnce(page)], [true, 0])
    assert.equal(bytesAtOnce({ status: 200, headers: {}, body: Buffer.alloc(100_000) }), 100_000)
  })

  it('is there on the short way until it is sent, and then nothing of it is', async () => {
    const before = roomOf(call).replies.free()
    let sent = 0
    const reply = await whenThereIsRoomUntilSent(
      call,
      replyWith(() => (sent += 1)),
      1000,
    )
    assert.deepEqual([reply.status, sent, roomOf(call).replies.free()], [200, 0, before - 1000])
    reply.onSent!()
    assert.deepEqual([sent, roomOf(call).replies.free()], [1, before])
  })
})
