import assert from 'node:assert/strict'
import { openLog } from '../../../src/base/log.ts'
import { differingZones, warnOfZones } from '../../../src/core/time/zone-check.ts'
import { openZone } from '../../../src/core/time/zone.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { openTestClock } from '../../support/service.ts'

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

  it('looks at every column of the database that holds the name of a zone', async () => {
    const columns = await database.sql<{ table: string }[]>`
      select cls.relname as table
      from pg_attribute att join pg_class cls on cls.oid = att.attrelid
      where att.attname = 'time_zone' and cls.relkind = 'r' and cls.relnamespace = 'public'::regnamespace
      order by 1`
    const tables = columns.map(({ table }) => table)
    assert.deepEqual(tables, ['component', 'connector', 'cycle', 'organization', 'query', 'user_account'])
    await database.sql.unsafe(`
      insert into user_account (email, password_hash, time_zone) values ('e', 'h', 'Moon/User_account');
      insert into query (organization_key, name, sql, time_zone) values (1, 'q', 's', 'Moon/Query');
      insert into connector (organization_key, type, name, sql, endpoint, time_zone)
      values (1, 'http', 'c', 's', 'e', 'Moon/Connector');
      update organization set time_zone = 'Moon/Organization';
      update component set time_zone = 'Moon/Component' where id = 'c';
      insert into cycle (organization_key, id, name, size, unit, reference, time_zone)
      values (1, 'own', 'own', 1, 'day', '2026-01-01', 'Moon/Cycle')`)
    const lines: string[] = []
    const log = openLog('warn', { write: (line) => void lines.push(line) })
    await warnOfZones({ sql: database.sql, clock: openTestClock(nowMs), log })
    const expected = tables.map((table) => `Moon/${table[0]!.toUpperCase()}${table.slice(1)}`)
    assert.deepEqual((JSON.parse(lines.join('')) as { zones: unknown }).zones, expected)
    assert.match(lines[0]!, /update tzdata on its host/)
    await database.sql.unsafe(`
      delete from user_account;
      delete from query;
      delete from connector;
      delete from cycle where id = 'own';
      update organization set time_zone = 'UTC';
      update component set time_zone = 'Asia/Kolkata' where id = 'c'`)
  })

  it('finds nothing where both have the same rules', async () => {
    assert.deepEqual(await differingZones(database.sql, nowMs), [])
  })
})
