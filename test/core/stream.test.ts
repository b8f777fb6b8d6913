// Streams as they are made, many at a time.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import type { Transaction } from '../../src/base/database/sql.ts'
import { insertStreams, mostStreams, randomStream } from '../../src/core/stream.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe('core/stream', () => {
  let database: TestDatabase
  let componentKey: number
  before(async () => {
    database = await openTestDatabase()
    const [component] = await database.sql<[{ key: number }]>`
      with organization as (insert into organization (name) values ('o') returning key),
        folder as (
          insert into folder (organization_key, path) select key, '/Components' from organization returning key)
      insert into component (organization_key, id, name, folder_key, time_zone)
      select organization.key, 'c', 'c', folder.key, 'UTC' from organization, folder
      returning key`
    componentKey = component.key
  })
  after(() => database.drop())

  const add = (sql: Transaction, prefix: string, count: number) =>
    insertStreams(
      sql,
      componentKey,
      Array.from({ length: count }, (_, n) => randomStream(`${prefix}${n}`, 'DOUBLE')),
    )

  it('are put behind those that are there, whose last is looked for once and not for each', async () => {
    await transaction(database.sql, async (sql) => {
      await add(sql, 'a', 3)
      const made = await add(sql, 'b', 6000)
      assert.deepEqual(
        [made[0], made.at(-1)].map((stream) => [stream?.id, stream?.position]),
        [
          ['b0', 4],
          ['b5999', 6003],
        ],
      )
      const [scans] = await sql<[{ count: number }]>`
        select (seq_scan + idx_scan)::integer as count from pg_stat_xact_user_tables where relname = 'stream'`
      assert.ok(scans.count < 10, `${scans.count} scans`)
    })
  })

  it(`are no more than ${mostStreams} of a component`, async () => {
    await transaction(database.sql, async (sql) => {
      const left = mostStreams - 6003
      await assert.rejects(add(sql, 'c', left + 1), { code: 'too_large' })
      assert.equal((await add(sql, 'c', left)).at(-1)!.position, mostStreams)
    })
  })
})
