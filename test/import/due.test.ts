// The imports that are due, in the order in which servers queue them, and all of them.
import assert from 'node:assert/strict'
import { onOwnConnection, openPool } from '../../src/base/database/pool.ts'
import { queueRun } from '../../src/core/import/import-queue.ts'
import { dueOrders, mostDue } from '../../src/core/import/import-run.ts'
import { openRuns } from '../../src/import/runs.ts'
import type { Workbench } from '../../src/import/workbench.ts'
import { openTestDatabase, quietLog } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { addConnection } from '../support/import.ts'
import { addOrganization, addUser } from '../support/people.ts'
import { eventually } from '../support/within.ts'

const dueMs = Date.UTC(2026, 0, 1)

describe('imports that are due', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.drop())
  afterEach(() => database.sql`delete from connector`)

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

  const dueKeys = async () => (await dueOrders(database.sql, dueMs)).map(({ connectorKey }) => connectorKey)

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
    assert.deepEqual(await dueKeys(), [...few, running])
  })

  it('have their turns by tenants, of which one may have many organizations', async () => {
    const { sql } = database
    const [one] = await addDue('one', 1, dueMs - 3000)
    const [another] = await addDue('another', 1, dueMs - 2000)
    const [other] = await addDue('other', 1, dueMs - 1000)
    await sql`update organization set tenant_uid = 'T' where name in ('one', 'another')`
    assert.deepEqual(await dueKeys(), [one, other, another])
  })

  it('are none that wait already, are switched off, or whose organization is removed', async () => {
    const { sql } = database
    const [waits, isOff, due] = await addDue('kept', 3, dueMs)
    await addDue('removed', 1, dueMs)
    assert.equal(await queueRun(sql, { uid: 'w', connectorKey: waits!, scheduled: false, nowMs: dueMs }), true)
    await sql`update connector set enabled = false where key = ${isOff!}`
    await sql`update organization set is_removed = true where name = 'removed'`
    assert.deepEqual(await dueKeys(), [due])
  })

  it('are looked for again at once where there are more than are read at once', async () => {
    const { sql } = database
    const keys = await addDue('crowd', 2 * mostDue + 2, dueMs)
    const [waiting] = await sql<{ connectionUid: string; tenantUid: string }[]>`
      select connection.uid as "connectionUid", organization.uid as "tenantUid"
      from organization join connection on connection.organization_key = organization.key
      where organization.name = 'crowd'`
    // No run goes on, for none has a connection, and no timer looks: the first look comes with the end of one that is cancelled.
    const pool = openPool(database.url, { connections: 1, name: 'test' })
    let give: () => void = () => {}
    const isHeld = onOwnConnection(pool, undefined, () => new Promise<void>((resolve) => (give = resolve)))
    const world = { sql, clock: { now: () => dueMs }, log: quietLog }
    const runs = openRuns({ world, pool } as unknown as Workbench, 2 ** 31 - 1)
    try {
      await runs.start({ ...waiting!, connectorKey: keys[0]!, connectorUid: 'first' })
      const second = await runs.start({ ...waiting!, connectorKey: keys[1]!, connectorUid: 'second' })
      runs.cancel(second.uid)
      await eventually(async () => (await sql`select from import_run`).length === keys.length)
    } finally {
      // So that none begins.
      await sql`delete from connector`
      const stopped = runs.stop()
      give()
      await Promise.all([stopped, isHeld])
      await pool.end()
    }
  })
})
