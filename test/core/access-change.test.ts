import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
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

  it('are reported by their kind alone where they are very many of it', async () => {
    const { sql } = database
    const { horizon } = await readAccessChanges(sql, undefined)
    await sql`insert into access_change (tag) select 'grant ' || n from generate_series(1, 4) n`
    await sql`insert into access_change (tag) select 'session ' || n from generate_series(1, 3) n`
    const { tags } = await readAccessChanges(sql, horizon, 3)
    assert.deepEqual(tags.toSorted(), ['grant *', 'session 1', 'session 2', 'session 3'])
  })

  it('are of all others of their kind only where different ones are very many, not the tokens of one', async () => {
    const { sql } = database
    const { horizon } = await readAccessChanges(sql, undefined)
    await sql`insert into access_change (tag) select 'grant ' || (n % 2) from generate_series(1, 1000) n`
    const { tags } = await readAccessChanges(sql, horizon, 3)
    assert.deepEqual(tags.toSorted(), ['grant 0', 'grant 1'])
  })

  it('are reported by one reading, though a transaction that began before them goes on; its own when it has ended', async () => {
    const { sql } = database
    let { horizon } = await readAccessChanges(sql, undefined)
    const read = async () => {
      const changes = await readAccessChanges(sql, horizon)
      horizon = changes.horizon
      return changes.tags
    }
    await transaction(sql, async (tx) => {
      await tx`insert into access_change (tag) values ('user 1')`
      await sql`insert into access_change (tag) values ('user 2')`
      assert.deepEqual(await read(), ['user 2'])
      assert.deepEqual(await read(), [])
      await sql`insert into access_change (tag) values ('user 3')`
      assert.deepEqual(await read(), ['user 3'])
    })
    assert.deepEqual(await read(), ['user 1'])
    assert.deepEqual(await read(), [])
  })
})
