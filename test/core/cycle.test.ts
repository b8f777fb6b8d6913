import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { openCalendar } from '../../src/core/time/calendar.ts'
import { findCycle, findCycleByKey, insertStockCycles, listCycles } from '../../src/core/cycle.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { wholeListing } from '../support/listing.ts'

describe('core/cycle', () => {
  let database: TestDatabase
  let organizationKey: number

  before(async () => {
    database = await openTestDatabase()
    const [row] = await database.sql<[{ key: number }]>`insert into organization (name) values ('o') returning key`
    organizationKey = row.key
    await transaction(database.sql, (sql) => insertStockCycles(sql, organizationKey))
  })
  after(() => database.drop())

  const startOf = async (id: string, ms: number) => {
    const cycle = await findCycle(database.sql, organizationKey, id)
    return new Date(openCalendar(cycle!, 'UTC').startOf(ms)).toISOString()
  }

  it('gives an organization eleven stock cycles, from the shortest', async () => {
    const { rows, totalCount } = await wholeListing(database.sql, (sql) =>
      listCycles(sql, organizationKey, { start: 0, limit: 100, text: '' }),
    )
    assert.equal(totalCount, 11)
    assert.deepEqual(
      rows.map(({ id, size, unit }) => `${id} ${size} ${unit}`),
      [
        'second 1 second',
        'minute 1 minute',
        '5minute 5 minute',
        '15minute 15 minute',
        '30minute 30 minute',
        'hour 1 hour',
        'day 1 day',
        'week 1 week',
        'month 1 month',
        'quarter 3 month',
        'year 1 year',
      ],
    )
    assert.deepEqual(new Set(rows.map((cycle) => cycle.reference)), new Set(['2001-01-01T00:00:00']))
    assert.deepEqual(new Set(rows.map((cycle) => cycle.timeZone)), new Set([null]))
  })

  it('does so once, however often it is asked', async () => {
    await transaction(database.sql, (sql) => insertStockCycles(sql, organizationKey))
    const { totalCount } = await wholeListing(database.sql, (sql) =>
      listCycles(sql, organizationKey, { start: 0, limit: 1, text: '' }),
    )
    assert.equal(totalCount, 11)
  })

  it('counts weeks from Monday and quarters from January', async () => {
    const moment = Date.parse('2026-11-15T12:00:00Z')
    assert.equal(await startOf('week', moment), '2026-11-09T00:00:00.000Z')
    assert.equal(await startOf('quarter', moment), '2026-10-01T00:00:00.000Z')
  })

  it('finds a cycle by ID within the organization only, and by key', async () => {
    const day = await findCycle(database.sql, organizationKey, 'day')
    assert.deepEqual(await findCycleByKey(database.sql, day!.key), day)
    assert.equal(await findCycle(database.sql, organizationKey + 1, 'day'), undefined)
    assert.equal(await findCycle(database.sql, organizationKey, 'Day'), undefined)
  })
})
