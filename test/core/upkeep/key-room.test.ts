import assert from 'node:assert/strict'
import { greatestKey, openKeyRoom, restMs, roomyKeys } from '../../../src/core/upkeep/key-room.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'

describe('core/upkeep/key-room', () => {
  let database: TestDatabase
  let organizationKey: number
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    await database.sql`truncate organization, folder, unit, cycle, component, stream, removal, sample restart identity cascade`
    const [row] = await database.sql<[{ key: number }]>`
      insert into organization (name, time_zone) values ('Ours', 'UTC') returning key`
    organizationKey = row.key
    const [component] = await database.sql<[{ key: number }]>`
      with folder as (
        insert into folder (organization_key, path) values (${organizationKey}, '/Components') returning key)
      insert into component (organization_key, id, name, folder_key, time_zone)
      select ${organizationKey}, 'c', 'c', key, 'UTC' from folder
      returning key`
    assert.equal(component.key, 1)
  })

  /** An hour apart. */
  const lookTwice = async (): Promise<readonly string[]> => {
    const keepRoom = openKeyRoom()
    assert.deepEqual(await keepRoom(database.sql, 0), [])
    return keepRoom(database.sql, restMs)
  }
  const stand = (at: number) => database.sql`select setval(pg_get_serial_sequence('stream', 'key'), ${at})`
  let position = 0
  const add = async (): Promise<number> => {
    position += 1
    const [row] = await database.sql<[{ key: number }]>`
      insert into stream (component_key, id, name, kind, value_type, position)
      values (1, ${`s${position}`}, 's', 'random', 'DOUBLE', ${position})
      returning key`
    return row.key
  }
  const queue = (key: number) => database.sql`insert into removal (stream_key) values (${key})`

  it('leaves keys alone that have not been used, and those far from their end', async () => {
    assert.deepEqual(await lookTwice(), [])
    await stand(2 ** 30)
    assert.deepEqual(await lookTwice(), [])
    assert.equal(await add(), 2 ** 30 + 1)
  })

  it('goes on at the beginning before the end is reached, where no key is in use', async () => {
    await stand(greatestKey - 10)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.deepEqual(await lookTwice(), [])
    assert.equal(await add(), 1)
    assert.deepEqual(await lookTwice(), [])
    assert.equal(await add(), 2)
  })

  it('goes on in the widest gap, after the last key before it', async () => {
    await stand(9_999)
    assert.deepEqual([await add(), await add()], [10_000, 10_001])
    await stand(2 ** 30 + 2 ** 20)
    await add()
    await stand(greatestKey - 1)
    assert.equal(await add(), greatestKey)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 10_002)
  })

  it('moves on again before it comes to a key that is in use', async () => {
    await stand(2 ** 30)
    await add()
    await stand(2 ** 30 - 2 ** 29 + 1)
    assert.equal(await add(), 2 ** 30 - 2 ** 29 + 2)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 2 ** 30 + 2)
  })

  it('takes no key whose samples are still on their way out, or that an import remembers', async () => {
    const [connector] = await database.sql<[{ key: number }]>`
      insert into connector (organization_key, type, name, sql, endpoint)
      values (${organizationKey}, 'http', 'i', '', 'i') returning key`
    await queue(2 ** 30 - 2 ** 20)
    await database.sql`insert into import_last (connector_key, stream_key, num) values (${connector.key}, 500, 1)`
    await stand(greatestKey)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 2 ** 30 - 2 ** 20 + 1)
    await database.sql`truncate stream, removal cascade`
    await stand(greatestKey)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 501)
  })

  it('waits until a gap has been free for an hour, and looks again whether it is', async () => {
    const keepRoom = openKeyRoom()
    await stand(greatestKey - 10)
    assert.deepEqual(await keepRoom(database.sql, 0), [])
    assert.deepEqual(await keepRoom(database.sql, restMs - 1), [])
    // A reading that was long under way leaves something behind.
    await database.sql`insert into sample (stream_key, time, num) values (1000, now(), 1)`
    assert.deepEqual(await keepRoom(database.sql, restMs), [])
    assert.deepEqual(await keepRoom(database.sql, 2 * restMs - 1), [])
    assert.deepEqual(await keepRoom(database.sql, 2 * restMs), ['stream'])
    assert.equal(await add(), 1001)
  })

  it('takes no key under which a sample or a tile is left that nobody owns', async () => {
    await database.sql`insert into sample (stream_key, time, num) values (${2 ** 30 - 2 ** 20}, now(), 1), (700, now(), 1)`
    await stand(greatestKey)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 2 ** 30 - 2 ** 20 + 1)
    await database.sql`delete from sample where stream_key > 700`
    await database.sql`truncate stream cascade`
    // Tables of tiles are made as they are needed.
    await database.sql`create table made_later (stream_key integer primary key)`
    await database.sql`insert into made_later (stream_key) values (800)`
    await stand(greatestKey)
    assert.deepEqual(await lookTwice(), ['stream'])
    assert.equal(await add(), 801)
    await database.sql`drop table made_later`
  })

  it('holds for every table whose keys are integers, but for those of which a call makes one row', async () => {
    const found = await database.sql<{ name: string }[]>`
      select attrelid::regclass::text as name
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relkind = 'r' and attidentity <> '' and atttypid = 'integer'::regtype
      order by 1`
    const oneByOne = [
      'api_key',
      'bi.calendar',
      'connection',
      'connector',
      'dashboard',
      'oauth_client',
      'organization',
      'query',
      'user_account',
    ]
    assert.deepEqual(found.map(({ name }) => name).toSorted(), [...Object.keys(roomyKeys), ...oneByOne].toSorted())
  })
})
