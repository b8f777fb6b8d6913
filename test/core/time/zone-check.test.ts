import assert from 'node:assert/strict'
import { differingZones } from '../../../src/core/time/zone-check.ts'
import { openZone } from '../../../src/core/time/zone.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

describe('core/zone-check', () => {
  const nowMs = Date.UTC(2026, 2, 1)
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
    await database.sql.unsafe(`
      insert into organization (name) values ('o');
      insert into folder (organization_key, path) values (1, '/Components');
      insert into component (organization_key, id, name, folder_key, time_zone) values
        (1, 'a', 'a', 1, 'Europe/Berlin'), (1, 'b', 'b', 1, 'America/New_York'), (1, 'c', 'c', 1, 'Asia/Kolkata')`)
  })
  after(() => database.drop())

  it('names a zone that the database does not know', async () => {
    await database.sql`update component set time_zone = 'Moon/Base' where id = 'c'`
    assert.deepEqual(await differingZones(database.sql, nowMs), ['Moon/Base'])
    await database.sql`update component set time_zone = 'Asia/Kolkata' where id = 'c'`
  })

  it('names a zone that has put its clocks differently since, on one side', async () => {
    const withoutSummer = (zone: string, ms: number) =>
      zone === 'Europe/Berlin' && ms > Date.UTC(2027, 0, 1) ? 3_600_000 : openZone(zone).offsetMs(ms)
    assert.deepEqual(await differingZones(database.sql, nowMs, withoutSummer), ['Europe/Berlin'])
  })

  it('finds nothing where both have the same rules', async () => {
    assert.deepEqual(await differingZones(database.sql, nowMs), [])
  })
})
