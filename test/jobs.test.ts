import assert from 'node:assert/strict'
import { leastConnections } from '../src/base/database/connections.ts'
import { transaction } from '../src/base/database/sql.ts'
import type { Pool } from '../src/base/database/sql.ts'
import { openJobPool } from '../src/jobs.ts'
import { openTestDatabase } from './support/database.ts'
import type { TestDatabase } from './support/database.ts'

describe('the connections of jobs', function () {
  this.timeout(60_000)
  let database: TestDatabase
  let pool: Pool
  before(async () => {
    database = await openTestDatabase()
    pool = openJobPool(database.url, leastConnections)
  })
  after(async () => {
    await pool.end()
    await database.drop()
  })

  it('let two jobs work while two others are at a long step, all four under their locks', async () => {
    let finish = () => {}
    const isOver = new Promise<void>((resolve) => (finish = resolve))
    const begun: string[] = []
    /** A transaction within another: a job's lock, and its work. */
    const work = (name: string, until?: Promise<void>) =>
      transaction(pool, async () => {
        begun.push(name)
        await transaction(pool, async (sql) => {
          await sql`select`
          await until
        })
      })
    const long = ['rollup', 'compression'].map((name) => work(name, isOver))
    for (let step = 0; step < 3; step += 1) await Promise.all(['derive', 'derive requests'].map((name) => work(name)))
    const [row] = await pool<[{ one: number }]>`select 1 as one`
    assert.equal(row.one, 1)
    finish()
    await Promise.all(long)
    assert.equal(begun.length, 8)
  })
})
