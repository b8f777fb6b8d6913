// Several steps that are stored as one. The journeys test single uploads.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { readConfig } from '../../../src/base/config.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import type { Caller } from '../../../src/core/caller.ts'
import { eventually } from '../../support/within.ts'
import { addCaller } from '../../support/caller.ts'
import { openTestDatabase, quietLog } from '../../support/database.ts'
import type { TestDatabase } from '../../support/database.ts'

const timeMs = Date.parse('2026-05-01T00:00:00Z')

describe('core/ingest', () => {
  let database: TestDatabase
  let ingestion: Ingestion
  let caller: Caller
  let streamKeys: readonly number[]

  before(async () => {
    database = await openTestDatabase()
    caller = await addCaller(database.sql)
    const rows = await database.sql<{ key: number }[]>`
      with folder as (
          insert into folder (organization_key, path) values (${caller.organizationKey}, '/Components') returning key),
        component as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          select ${caller.organizationKey}, 'c', 'c', key, 'UTC' from folder
          returning key)
      insert into stream (component_key, id, name, kind, value_type, position)
      select key, 's' || n, 's', 'random', 'DOUBLE', n from component, generate_series(1, 2) as n
      returning key`
    streamKeys = rows.map(({ key }) => key)
    await database.sql`insert into sample (stream_key, time, num) select key, ${timeMs}, 1 from stream`
    const world = {
      config: readConfig({}),
      sql: database.sql,
      readSql: database.sql,
      clock: { now: () => timeMs },
      log: quietLog,
    }
    ingestion = await Ingestion.open(world, database.url)
  })
  after(async () => {
    await ingestion.close()
    await database.drop()
  })

  it('tries a write again that was ended because another took the same samples in another order', async function () {
    const isWaiting = () =>
      eventually(async () => {
        const waiting = await database.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
    const address = (id: string) => ({ kind: 'delete', series: [{ cid: 'c', id, timesMs: [timeMs] }] }) as const
    /** Whether it was the script that the database ended: on a slow machine it may be the other. */
    const meet = async (): Promise<boolean> => {
      await database.sql`
        insert into sample (stream_key, time, num) select key, ${timeMs}, 1 from stream on conflict do nothing`
      let script: Promise<void> | undefined
      const other = transaction(database.sql, async (sql) => {
        await sql`update sample set num = num + 1 where stream_key = ${streamKeys[0]!}`
        script = ingestion.ingestAll(caller, [address('s2'), address('s1')])
        await isWaiting()
        await sql`update sample set num = num + 1 where stream_key = ${streamKeys[1]!}`
      })
      const [ended] = await Promise.allSettled([other])
      await script
      return ended.status === 'fulfilled'
    }
    let isEnded = false
    for (let attempt = 0; attempt < 5 && !isEnded; attempt += 1) isEnded = await meet()
    assert.ok(isEnded)
    const left = await database.sql`select from sample`
    assert.equal(left.length, 0)
  })
})
