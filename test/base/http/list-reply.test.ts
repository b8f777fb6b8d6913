import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { SyntaxKind } from 'typescript/unstable/ast'
import { callerTransaction } from '../../../src/base/database/caller-transaction.ts'
import { openPool, openRoutedPool, transactionShares } from '../../../src/base/database/pool.ts'
import type { Call } from '../../../src/base/http/call.ts'
import { largeReplies } from '../../../src/base/http/large-reply.ts'
import { listReply } from '../../../src/base/http/list-reply.ts'
import type { Reply } from '../../../src/base/http/reply.ts'
import { isPieces } from '../../../src/base/http/reply.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { findInSource } from '../../support/source.ts'
import { eventually } from '../../support/within.ts'

const mebibyte = 1024 * 1024
const call = { headers: {}, socket: new EventEmitter(), callerHolders: ['organization o', 'user u'] } as unknown as Call

type Row = { readonly text: string; readonly list?: readonly unknown[] }

describe('the reply of a list', () => {
  let database: TestDatabase
  let [reads, widest] = [0, 0]
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(() => ([reads, widest] = [0, 0]))

  const replyOf = (rows: readonly Row[], atOnce = 1000): Promise<Reply> =>
    listReply(
      call,
      database.sql,
      { name: 'row', columns: ['text'] },
      async () => {
        const left = [...rows]
        const read = async (most: number) => {
          const batch = left.splice(0, most)
          reads += 1
          widest = Math.max(widest, batch.map(({ text }) => text).join('').length)
          return batch
        }
        return { totalCount: rows.length + 7, pageCount: rows.length, atOnce, read }
      },
      (row) => row,
    )
  const textOf = ({ body }: Reply): string =>
    isPieces(body) ? Buffer.concat(body.buffers).toString() : (body as string)
  const bodyOf = (rows: readonly Row[]) => ({ success: true, message: '', row: rows, totalCount: rows.length + 7 })
  const long = (count: number, length: number): readonly Row[] =>
    Array.from({ length: count }, (_, index) => ({ text: `${index} ${'ä"'.repeat(length / 2)}` }))

  it('is one text while it is small', async () => {
    for (const count of [0, 1, 16, 17, 1000]) {
      const rows = long(count, 10)
      const reply = await replyOf(rows)
      assert.equal(typeof reply.body, 'string')
      assert.deepEqual(JSON.parse(textOf(reply)), bodyOf(rows))
    }
  })

  it('reads and writes large rows some at a time, in memory that its caller has taken', async () => {
    const free = largeReplies.free()
    const rows = long(500, 30_000)
    const reply = await replyOf(rows)
    assert.ok(isPieces(reply.body))
    assert.ok(reply.body.buffers.length > 10, `${reply.body.buffers.length} pieces`)
    assert.ok(free - largeReplies.free() >= reply.body.bytes)
    assert.ok(widest < mebibyte, `${widest} characters at once`)
    assert.deepEqual(JSON.parse(textOf(reply)), bodyOf(rows))
    reply.onSent?.()
    assert.equal(largeReplies.free(), free)
  })

  it('reads no more rows together than it may, however small those before were', async () => {
    const rows = [...long(100, 4), ...long(100, 100_000)]
    const reply = await replyOf(rows, 8)
    assert.ok(widest < 2 * mebibyte, `${widest} characters at once`)
    assert.deepEqual(JSON.parse(textOf(reply)), bodyOf(rows))
    reply.onSent?.()
  })

  it('lets others have their turn after each part of it', async () => {
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    turn()
    const list = Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(1000) }))
    const reply = await replyOf([{ text: '', list }])
    isDone = true
    reply.onSent?.()
    // Of ten megabytes in one row.
    assert.ok(turns > 30, `${turns} turns`)
  })

  it('is whole though its first rows are small and the last are large', async () => {
    const rows = [...long(900, 1000), ...long(100, 60_000)]
    const reply = await replyOf(rows)
    assert.deepEqual(JSON.parse(textOf(reply)), bodyOf(rows))
    reply.onSent?.()
  })

  it('is refused when it would be larger than any may be', async () => {
    const free = largeReplies.free()
    await assert.rejects(replyOf(long(1000, 60_000)), { status: 413 })
    assert.equal(largeReplies.free(), free)
  })

  it('leaves out undefined members, and shows long lists as they are', async () => {
    const list = Array.from({ length: 200 }, (_, index) => (index % 2 ? null : BigInt(index)))
    const text = textOf(
      await replyOf([
        { text: 'a', list },
        { text: 'b', list: undefined as never },
      ]),
    )
    const shown = `[${list.map(String).join(',')}]`
    assert.equal(text, `{"success":true,"message":"","row":[{"text":"a","list":${shown}},{"text":"b"}],"totalCount":9}`)
  })

  it('takes the place of the standby that it is read from, and none of changes', async () => {
    const { sql: primary } = database
    const standby = openPool(database.url, { connections: 3, queries: 1, name: 'lists of a test' })
    const routed = openRoutedPool(
      primary,
      async () => ({ pool: standby, shows: async () => true }),
      () => {},
    )
    const [ofPrimary, ofStandby] = [transactionShares(primary), transactionShares(standby)]
    const before = [ofPrimary.free(), ofStandby.free()]
    let during: readonly number[] = []
    await listReply(
      call,
      routed,
      { name: 'row', columns: ['text'] },
      async () => {
        during = [ofPrimary.free(), ofStandby.free()]
        return { totalCount: 0, pageCount: 0, atOnce: 1, read: async () => [] }
      },
      (row: Row) => row,
    )
    await standby.end()
    assert.deepEqual(during, [before[0], before[1]! - 1])
    assert.deepEqual([ofPrimary.free(), ofStandby.free()], before)
  })

  it('has no more than a share of the connections of changes, and leaves with its client', async () => {
    const { sql } = database
    const shares = transactionShares(sql)
    const places = shares.free()
    let letGo = () => {}
    const released = new Promise<void>((resolve) => (letGo = resolve))
    let begun = 0
    const listFor = (socket: EventEmitter) =>
      listReply(
        { ...call, socket: socket as never },
        sql,
        { name: 'row', columns: ['text'] },
        async () => {
          begun += 1
          await released
          return { totalCount: 0, pageCount: 0, atOnce: 1, read: async () => [] }
        },
        (row: Row) => row,
      )
    const leaving = new EventEmitter().setMaxListeners(100)
    const slow = Array.from({ length: 50 }, () => listFor(new EventEmitter()))
    const left = Array.from({ length: 50 }, () => listFor(leaving))
    const refused = Promise.allSettled(left)
    try {
      const change = await callerTransaction(sql, ['organization p', 'user v'], (own) => own`select 1 as one`)
      assert.deepEqual([...change], [{ one: 1 }])
      assert.ok(begun > 0 && begun < places, `${begun} of ${places} places`)
      leaving.emit('close')
      await eventually(async () => shares.waiting() === 50 - begun)
      assert.ok((await refused).every(({ status }) => status === 'rejected'))
    } finally {
      letGo()
      await Promise.all(slow)
    }
    assert.deepEqual([begun, shares.free()], [50, places])
  })

  it('is how every door reads several things of one moment, or by a place of readings', () => {
    const places = findInSource([SyntaxKind.CallExpression], ({ text, place }) =>
      /^snapshot\((?!pool\b|sql\b)/.test(text) &&
      /^src\/(?:catalog|oauth|feed|connector|access|studio|transfer)\//.test(place)
        ? place
        : undefined,
    ).filter((place) => place !== undefined)
    assert.deepEqual(places, [])
  })
})
