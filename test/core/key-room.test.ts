import assert from 'node:assert/strict'
import { greatestKey, keepRoomForKeys, roomyKeys } from '../../src/core/key-room.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'

describe('core/key-room', () => {
  let database: TestDatabase
  let organizationKey: number
  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    await database.sql`truncate organization, folder, unit, cycle, component, stream, removal restart identity cascade`
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
    assert.deepEqual(await keepRoomForKeys(database.sql), [])
    await stand(2 ** 30)
    assert.deepEqual(await keepRoomForKeys(database.sql), [])
    assert.equal(await add(), 2 ** 30 + 1)
  })

  it('goes on at the beginning before the end is reached, where no key is in use', async () => {
    await stand(greatestKey - 10)
    assert.deepEqual(await keepRoomForKeys(database.sql), ['stream'])
    assert.deepEqual(await keepRoomForKeys(database.sql), [])
    assert.equal(await add(), 1)
    assert.deepEqual(await keepRoomForKeys(database.sql), [])
    assert.equal(await add(), 2)
  })

  it('goes on in the widest gap, after the last key before it', async () => {
    await stand(9_999)
    assert.deepEqual([await add(), await add()], [10_000, 10_001])
    await stand(2 ** 30 + 2 ** 20)
    await add()
    await stand(greatestKey - 1)
    assert.equal(await add(), greatestKey)
    assert.deepEqual(await keepRoomForKeys(database.sql), ['stream'])
    assert.equal(await add(), 10_002)
  })

  it('moves on again before it comes to a key that is in use', async () => {
    await stand(2 ** 30)
    await add()
    await stand(2 ** 30 - 2 ** 29 + 1)
    assert.equal(await add(), 2 ** 30 - 2 ** 29 + 2)
    assert.deepEqual(await keepRoomForKeys(database.sql), ['stream'])
    assert.equal(await add(), 2 ** 30 + 2)
  })

  it('takes no key whose samples are still on their way out, or that an import remembers', async () => {
    const [connector] = await database.sql<[{ key: number }]>`
      insert into connector (organization_key, type, name, sql, endpoint)
      values (${organizationKey}, 'http', 'i', '', 'i') returning key`
    await queue(2 ** 30 - 2 ** 20)
    await database.sql`insert into import_last (connector_key, stream_key, num) values (${connector.key}, 500, 1)`
    await stand(greatestKey)
    assert.deepEqual(await keepRoomForKeys(database.sql), ['stream'])
    assert.equal(await add(), 2 ** 30 - 2 ** 20 + 1)
    await database.sql`truncate stream, removal cascade`
    await stand(greatestKey)
    assert.deepEqual(await keepRoomForKeys(database.sql), ['stream'])
    assert.equal(await add(), 501)
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

  it('knows every place that has keys of components or streams without a reference, or such a place forgets them', async () => {
    const found = await database.sql<{ place: string }[]>`
      select attrelid::regclass::text || '.' || attname as place
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and attname ~ '^(folder|unit|base_cycle|template|component|stream)_keys?$'
        and not exists (select from pg_constraint where contype = 'f' and conrelid = attrelid and conkey @> array[attnum])
      order by 1`
    // They are removed before the stream is taken from the table removal (removal.ts).
    const emptied = ['archive', 'blob', 'kept', 'point_sample', 'sample', 'stale_mark']
    // Rows of minutes or hours.
    const passing = [
      'catalog_change.component_key',
      'zone_change.component_key',
      'live_journal.stream_key',
      'stale_group.stream_keys',
    ]
    const known = Object.values(roomyKeys).flatMap((places) => places.map((place) => place.join('.')))
    assert.deepEqual(
      found.map(({ place }) => place),
      [...emptied.map((table) => `${table}.stream_key`), ...passing, ...known].toSorted(),
    )
  })
})
