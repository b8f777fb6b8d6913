import assert from 'node:assert/strict'
import { sqlCode, transaction } from '../../src/base/database/sql.ts'
import { limited, openDeadline, OutOfTime } from '../../src/gsql/run/deadline.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe("a script's time", () => {
  let database: TestDatabase
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())

  it('ends a query that takes longer than is left after others', async () => {
    const asked = transaction(database.sql, async (whole) => {
      const sql = limited(whole, openDeadline(3000, undefined))
      await sql`select pg_sleep(0.5)`
      const [{ left }] = await sql<[{ left: string }]>`select current_setting('statement_timeout') as left`
      assert.match(left, /^\d+ms$/)
      assert.ok(Number.parseInt(left, 10) <= 2500, left)
      await sql`select pg_sleep(30)`
    })
    await assert.rejects(asked, (error) => sqlCode(error) === '57014')
  })

  it('lets nothing be asked when none is left', async () => {
    const asked = transaction(database.sql, async (whole) => {
      const sql = limited(whole, openDeadline(50, undefined))
      await whole`select pg_sleep(0.1)`
      await sql`select 1`
    })
    await assert.rejects(asked, OutOfTime)
  })

  it('lets nothing be asked when the caller is gone', async () => {
    const asked = transaction(database.sql, (whole) => {
      const sql = limited(whole, openDeadline(10_000, AbortSignal.abort()))
      return sql`select 1`.execute()
    })
    await assert.rejects(asked, { name: 'AbortError' })
  })
})
