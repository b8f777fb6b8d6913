import assert from 'node:assert/strict'
import { readAccessChanges } from '../../src/core/access-change.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe('changes of credentials', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  it('are reported once, however many tokens of a grant went together', async () => {
    const { sql } = database
    const { horizon } = await readAccessChanges(sql, undefined)
    await sql`insert into access_change (tag) select 'grant ' || (n % 2) from generate_series(1, 1000) n`
    const { tags } = await readAccessChanges(sql, horizon)
    assert.deepEqual(tags.toSorted(), ['grant 0', 'grant 1'])
  })
})
