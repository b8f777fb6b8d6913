// The two ways of saying which times were touched: of rows in memory, and of rows that are in the database.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import type { Transaction } from '../../../src/base/database/sql.ts'
import { markStale, markStaleIn } from '../../../src/core/sample/stale.ts'
import { openTestDatabase } from '../../support/database.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openRandom } from '../../support/random.ts'

const hourMs = 3_600_000

describe('core/sample/stale', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  const marked = async (mark: (sql: Transaction) => Promise<void>) => {
    await database.sql`truncate stale`
    await transaction(database.sql, mark)
    return [
      ...(await database.sql`select stream_key, first_time, last_time from stale order by stream_key, first_time`),
    ]
  }

  it('marks the same spans for samples in the database as for rows in memory', async () => {
    const random = openRandom(7)
    for (const [middleMs, stepMs] of [
      [0, hourMs],
      [Date.UTC(2026, 0, 1), hourMs / 2],
      [Date.parse('0001-01-02T00:00:00Z'), 1000],
      [Date.parse('9999-12-01T00:00:00Z'), hourMs],
    ] as const) {
      const rows = { streamKeys: [] as number[], storedMs: [] as number[] }
      for (let row = 0; row < 60; row += 1) {
        rows.streamKeys.push(1 + random.integer(3))
        rows.storedMs.push(middleMs + stepMs * (random.integer(200) - (middleMs < 0 ? 0 : 100)) + random.integer(2))
      }
      const claimedUntilMs = middleMs + stepMs * 40
      const inMemory = await marked((sql) => markStale(sql, rows, claimedUntilMs))
      const inDatabase = await marked(async (sql) => {
        await sql`
          create temp table touched on commit drop as
          select * from unnest(${rows.streamKeys}::integer[], ${rows.storedMs}::bigint[]) as touched (stream_key, ms)`
        await markStaleIn(sql, 'select stream_key, ms from touched', claimedUntilMs)
      })
      assert.notEqual(inMemory.length, 0)
      assert.deepEqual(inDatabase, inMemory)
    }
  })
})
