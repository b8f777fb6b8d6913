// A crash of the database that forgets transactions which had ended, because their COMMIT waits for no disk: their numbers are
// given again to others (src/base/database/lasting.ts). Whoever remembers a moment of before misses none of these.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Lasting } from '../../src/base/database/lasting.ts'
import { lastingColumns, untilLasting } from '../../src/base/database/lasting.ts'
import { openPool } from '../../src/base/database/pool.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { snapshot, transaction } from '../../src/base/database/sql.ts'
import { readConfig } from '../../src/base/config.ts'
import { openSecrets } from '../../src/base/secret.ts'
import { readAccessChanges } from '../../src/core/access-change.ts'
import { bootstrap } from '../../src/core/bootstrap.ts'
import type { Seen, Sight } from '../../src/core/sample/seen.ts'
import { isChanged, seenOf, sightColumns } from '../../src/core/sample/seen.ts'
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { listen } from '../support/live.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import { addApiKey } from '../support/people.ts'
import { hashCheaply, sharedWith, testMasterKey } from '../support/service.ts'
import { eventually, within } from '../support/within.ts'

const apiKey = 'key-of-the-unflushed'

// Nothing but a COMMIT that waits for it takes the log to the disk.
const settings = { wal_writer_delay: '10s', wal_writer_flush_after: '100MB', autovacuum: 'off' }

describe('a database that crashes before its log is on the disk', function () {
  this.timeout(120_000)
  let database: OwnDatabase
  let service: Service
  let organizationUid: string
  before(async () => {
    database = await openOwnDatabase(join(await newDirectory('unflushed'), 'postgres'), settings)
    await database.start()
    const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', ORG_TIME_ZONE: 'UTC', FEED_API_KEY: apiKey })
    const common = { masterKey: testMasterKey, clock: { now: () => Date.now() }, log: quietLog, ...sharedWith(config) }
    service = await openService({ config, databaseUrl: database.url, ...common })
    organizationUid = (await bootstrap(service.world, openSecrets(testMasterKey), hashCheaply))!.organizationUid
  })
  after(async () => {
    await service?.close()
    await database?.stop()
  })

  const put = (time: number) =>
    fetch(`${service.url}/api/feed?compId=A&x=${time}&time=${time}&api_key=${apiKey}`, { method: 'PUT' })
  /** By a connection of its own. */
  const ask = async (text: string, times = 1) => {
    const client = new Client(database.url)
    await client.connect()
    for (let n = 0; n < times; n += 1) await client.query(text)
    await client.end()
  }
  /** Transactions whose COMMIT waits for no disk. */
  const spend = () => ask('select pg_current_xact_id()', 1000)
  const crash = async () => {
    await database.kill()
    await database.start()
  }

  it('shows listeners all samples that are stored then, those that stay and those that come back', async () => {
    await put(1)
    const address = `${service.url}/api/live?compId=A&api_key=${apiKey}`
    const staying = await listen(address)
    await staying.named('live')
    await spend()
    // It has an id of this moment.
    const leaving = await listen(address)
    await leaving.named('live')
    leaving.leave()
    await sleep(1000)
    await crash()
    for (const time of [2, 3]) await eventually(async () => (await put(time)).status === 200)
    const back = await listen(address, { 'Last-Event-ID': leaving.lastId() })
    for (const listener of [staying, back])
      await listener.until(() => [2, 3].every((time) => listener.samples.some((sample) => sample.time === time)))
    staying.leave()
    back.leave()
  })

  it('does not have all changes of credentials read again and again until then', async () => {
    const { sql } = service.world
    const change = (tag: string, commits: 'on' | 'off') =>
      ask(`set synchronous_commit to ${commits}; insert into access_change (tag) values ('${tag}')`)
    let { horizon } = await readAccessChanges(sql, undefined)
    const read = async () => {
      const changes = await readAccessChanges(sql, horizon)
      horizon = changes.horizon
      return changes.tags.filter((tag) => tag.startsWith('user 99')).toSorted()
    }
    await change('user 991', 'off')
    assert.deepEqual(await read(), ['user 991'])
    // The log is on the disk up to where it was at the last reading, and never up to where it is.
    await change('user 992', 'on')
    await change('user 993', 'off')
    assert.deepEqual(await read(), ['user 991', 'user 992', 'user 993'])
    await change('user 994', 'off')
    assert.deepEqual(await read(), ['user 992', 'user 993', 'user 994'])
  })

  it('knows that a key is revoked then', async () => {
    const { world } = service
    await put(1)
    const capabilities = [{ resource: 'component/*/feed', methods: ['GET'] }] as const
    const { secret } = await addApiKey(world.sql, organizationUid, capabilities)
    const status = async () => (await fetch(`${service.url}/api/comp/A/feed?api_key=${secret}`)).status
    const use = async () => {
      for (let n = 0; n < 5; n += 1) {
        assert.equal(await status(), 200)
        await sleep(300)
      }
    }
    await use()
    await spend()
    await use()
    await crash()
    await ask(`delete from api_key where name = 'a key'`)
    await within(20_000, async () => (await status()) === 401)
  })
})

describe('a crash behind which more is stored than it took away', function () {
  this.timeout(120_000)
  let database: OwnDatabase
  let pool: Pool
  before(async () => {
    database = await openOwnDatabase(join(await newDirectory('unflushed-little'), 'postgres'), settings)
    await database.start()
    pool = openPool(database.url, { name: 'test', connections: 2 })
  })
  after(async () => {
    await pool?.end()
    await database?.stop()
  })

  /** Transactions whose COMMIT waits for no disk. */
  const spend = async (count: number) => {
    for (let n = 0; n < count; n += 1) await database.ask('select pg_current_xact_id()')
  }
  /** The log is longer then than it was before, with the number of one transaction. */
  const crash = async () => {
    await database.kill()
    await database.start()
    await database.ask(`select pg_logical_emit_message(true, 'a long one', repeat('x', 100000))`)
    await eventually(() =>
      pool`select`.then(
        () => true,
        () => false,
      ),
    )
  }

  it('leaves no snapshot that may be taken for one that lasts', async () => {
    const look = async (): Promise<Lasting> => {
      await spend(20)
      const [row] = await pool<[Lasting]>`select pg_current_snapshot(), ${lastingColumns(pool)}`
      assert.ok(!row.isLasting)
      return row
    }
    assert.ok(await untilLasting(pool, await look()))
    const before = await look()
    await crash()
    assert.ok(!(await untilLasting(pool, before)))
  })

  it('has each change of credentials told that gets a number of one that was forgotten', async () => {
    let horizon: string | undefined
    const read = async () => {
      const changes = await readAccessChanges(pool, horizon)
      horizon = changes.horizon
      return changes
    }
    await read()
    await spend(20)
    await read()
    await crash()
    await spend(1)
    await read()
    await pool`insert into access_change (tag) values ('api_key 1')`
    assert.deepEqual((await read()).tags, ['api_key 1'])
  })

  it('lets nobody rely on the first reading of a process', async () => {
    await spend(20)
    const { horizon } = await readAccessChanges(pool, undefined)
    await crash()
    await pool`insert into access_change (tag) values ('api_key 1')`
    const second = await readAccessChanges(pool, horizon)
    assert.ok(!second.areAll)
    // By now there is one that lasts.
    assert.ok((await readAccessChanges(pool, second.horizon)).areAll)
  })

  it('has a script run again that saw what was forgotten', async () => {
    const sights: Seen[] = []
    for (const isRead of [false, true]) {
      await spend(20)
      const seen = await snapshot(pool, async (sql) => {
        const [sight] = await sql<[Sight]>`select ${sightColumns(sql)}`
        // Beside its transaction something is stored that waits for the disk.
        if (isRead) await database.ask(`select pg_logical_emit_message(true, 'a short one', '')`)
        return seenOf(sql, sight, 'all')
      })
      sights.push(seen)
    }
    const [little, read] = sights as [Seen, Seen]
    const changed = (seen: Seen) => transaction(pool, (sql) => isChanged(sql, 1, seen))
    assert.deepEqual([await changed(little), await changed(read)], [false, false])
    await crash()
    assert.deepEqual([await changed(little), await changed(read)], [true, false])
  })
})
