// The imports that are due, in the order in which servers queue them.
import assert from 'node:assert/strict'
import { dueOrders, mostDue } from '../../src/core/import/import-run.ts'
import { openTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { addConnection } from '../support/import.ts'
import { addOrganization, addUser } from '../support/people.ts'

const dueMs = Date.UTC(2026, 0, 1)

describe('imports that are due', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())

  const addDue = async (name: string, count: number, sinceMs: number): Promise<readonly number[]> => {
    const { sql } = database
    const { uid: organizationUid } = await addOrganization(sql, name, await addUser(sql, `${name}@example.org`))
    const connectionUid = await addConnection({ sql, organizationUid }, database.url)
    const made = await sql<{ key: number }[]>`
      insert into connector (organization_key, type, name, enabled, time_zone, sql, connection_key, external_sql, max_rows,
        skip_unchanged, schedule, overlap_seconds)
      select organization_key, 'import', 'x', true, 'UTC', repeat('y', 1000000), key, repeat('x', 1000000), 0, true,
        '0 * * * *', 0
      from connection, generate_series(1, ${count})
      where uid = ${connectionUid}
      returning key`
    const keys = made.map(({ key }) => key)
    await sql`
      insert into import_state (connector_key, next_run_at)
      select key, ${sinceMs} from unnest(${keys}::integer[]) as key`
    return keys
  }

  it('are the first of each tenant, then the second of each, and last those that run, without their scripts', async () => {
    const { sql } = database
    const many = await addDue('many', mostDue + 10, dueMs - 2000)
    const few = await addDue('few', 2, dueMs - 1000)
    const running = many[0]!
    await sql`insert into import_run (uid, connector_key, started_at, scheduled) values ('r', ${running}, ${dueMs}, true)`
    const due = await dueOrders(sql, dueMs)
    assert.equal(due.length, mostDue)
    const others = many.slice(1)
    const expected = [others[0], few[0], others[1], few[1], ...others.slice(2)].slice(0, mostDue)
    assert.deepEqual(
      due.map(({ connectorKey }) => connectorKey),
      expected,
    )
    assert.deepEqual(due[1], { connectorKey: few[0], timeZone: 'UTC', schedule: '0 * * * *', nextRunMs: dueMs - 1000 })
    await sql`delete from connector where key = any(${others}::integer[])`
    assert.deepEqual(
      (await dueOrders(sql, dueMs)).map(({ connectorKey }) => connectorKey),
      [...few, running],
    )
  })
})
