import assert from 'node:assert/strict'
import { SyntaxKind } from 'typescript/unstable/ast'
import { callerTransaction } from '../../../src/base/database/caller-transaction.ts'
import { openPool, transactionShares } from '../../../src/base/database/pool.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import type { Holders } from '../../../src/base/shares.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { findInSource } from '../../support/source.ts'
import { eventually } from '../../support/within.ts'

describe('base/caller-transaction', () => {
  let database: TestDatabase
  let pool: Pool
  before(async () => {
    database = await openTestDatabase()
    pool = openPool(database.url, { connections: 8, name: 'test' })
  })
  after(async () => {
    await pool.end()
    await database.drop()
  })

  /** Transactions that stay open until they are let go. */
  const openMany = (holders: Holders, count: number) => {
    let letGo = () => {}
    const released = new Promise<void>((resolve) => (letGo = resolve))
    let begun = 0
    let done = 0
    const all = Promise.all(
      Array.from({ length: count }, () =>
        callerTransaction(pool, holders, async (sql) => {
          begun += 1
          await sql`select 1`
          await released
          done += 1
        }),
      ),
    )
    return { all, letGo: () => letGo(), begun: () => begun, done: () => done }
  }
  const askAs = (...holders: Holders) =>
    callerTransaction(pool, holders, async (sql) => (await sql<[{ one: number }]>`select 1 as one`)[0].one)

  it('lets others in while a caller has a hundred slow ones, and makes all of these', async () => {
    const places = transactionShares(pool).free()
    const slow = openMany(['organization a', 'api_key 1'], 100)
    assert.equal(await askAs('organization b', 'api_key 2'), 1)
    assert.equal(await askAs('organization a', 'api_key 3'), 1)
    try {
      assert.ok(slow.begun() < places, `${slow.begun()} of ${places}`)
      await eventually(async () => transactionShares(pool).waiting() === 100 - slow.begun())
      assert.equal(slow.done(), 0)
    } finally {
      slow.letGo()
      await slow.all
    }
    assert.deepEqual([slow.done(), transactionShares(pool).free()], [100, places])
  })

  it('leaves the last place to other organizations, however many callers one has', async () => {
    const slow = Array.from({ length: 100 }, (_, n) => openMany(['organization a', `api_key ${n}`], 1))
    try {
      assert.equal(await askAs('organization b', 'api_key 200'), 1)
    } finally {
      for (const each of slow) each.letGo()
      await Promise.all(slow.map(({ all }) => all))
    }
  })

  it('gives its place back when the work fails', async () => {
    const places = transactionShares(pool).free()
    const failing = callerTransaction(pool, ['organization a'], async (sql) => void (await sql`select 1 / 0`))
    await assert.rejects(failing, { code: '22012' })
    assert.equal(transactionShares(pool).free(), places)
  })

  it('is how every door begins a transaction', () => {
    const begun = findInSource([SyntaxKind.CallExpression], ({ text, place }) =>
      text.startsWith('transaction(') && /^src\/(?:catalog|oauth|feed|connector|access|studio)\//.test(place)
        ? place
        : undefined,
    ).filter((place) => place !== undefined)
    // The log of calls is written by itself, some calls at a time, and nobody waits for it.
    assert.deepEqual(
      begun.filter((place) => !place.startsWith('src/connector/call-log.ts:')),
      [],
    )
    assert.equal(begun.length, 1)
  })
})
