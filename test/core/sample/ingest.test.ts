// Several steps that are stored as one, and uploads while somebody is in their way. The journeys test single uploads.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { readConfig } from '../../../src/base/config.ts'
import { Ingestion } from '../../../src/core/sample/ingest.ts'
import { closeCommonGate, closeGate, noteChange } from '../../../src/core/sample/catalog-change.ts'
import type { Caller } from '../../../src/core/caller.ts'
import type { SampleBatch } from '../../../src/core/sample/batch.ts'
import { parseQuery } from '../../../src/base/http/query-string.ts'
import type { World } from '../../../src/base/world.ts'
import { batchFromJson } from '../../../src/feed/put-json.ts'
import { batchFromUrl } from '../../../src/feed/put-url.ts'
import { eventually } from '../../support/within.ts'
import { addCaller } from '../../support/caller.ts'
import { isSomebodyWaiting, openTestDatabase, quietLog } from '../../support/database.ts'
import type { TestDatabase } from '../../support/database.ts'

const timeMs = Date.parse('2026-05-01T00:00:00Z')

describe('core/ingest', () => {
  let database: TestDatabase
  let ingestion: Ingestion
  let caller: Caller
  let streamKeys: readonly number[]
  let world: World

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
    world = {
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

  const put = (by: Caller, query: string) =>
    ingestion.ingest(by, batchFromUrl(parseQuery(`time=${timeMs}&${query}`), timeMs))
  const numOf = async (key: number) =>
    (await database.sql<{ num: number }[]>`select num from sample where stream_key = ${key}`).map(({ num }) => num)
  const waiting = async () =>
    (
      await database.sql<{ name: string }[]>`
        select application_name as name from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
    ).map(({ name }) => name)

  it('stores the uploads of others while one waits for samples that a long transaction of its own holds', async () => {
    const other = { ...(await addCaller(database.sql)), actor: 'other' }
    await put(other, 'compId=theirs&a=1')
    let held: Promise<unknown>[] = []
    await transaction(database.sql, async (sql) => {
      await sql`update sample set num = 2 where stream_key = ${streamKeys[0]!}`
      // Two lanes, and a call for each of them.
      held = [put(caller, 'compId=c&s1=3'), put(caller, 'compId=c&s1=3')]
      const theirs = [2, 3, 4].map((value) => put(other, `compId=theirs&a=${value}`))
      await Promise.all(theirs)
      // Its uploads have lost their lane for a while.
      await eventually(async () => (await waiting()).length > 0 && !(await waiting()).includes('coppice writer'))
      held.push(put(caller, 'compId=c&s1=3'))
      await put(other, 'compId=theirs&a=5')
      // Other samples of the same component are stored meanwhile.
      await put(caller, 'compId=c&s2=6')
      assert.ok(!(await waiting()).includes('coppice writer'))
    })
    await Promise.all(held)
    assert.deepEqual(await numOf(streamKeys[0]!), [3])
  })

  it('gives the intervals that a short upload fills a share of the room, and others theirs', async () => {
    const other = { ...(await addCaller(database.sql)), actor: 'other' }
    await put(other, 'compId=beside&a=1')
    await put(caller, 'compId=filled&a=1')
    await database.sql`
      with cycle as (
        insert into cycle (organization_key, id, name, size, unit, reference)
        values (${caller.organizationKey}, 'second', 'second', 1, 'second', '2001-01-01T00:00:00')
        returning key)
      insert into stream (component_key, id, name, kind, value_type, position, base_cycle_key)
      select component.key, 'i' || n, 'i', 'interval', 'DOUBLE', 10 + n, cycle.key
      from cycle, component, generate_series(1, 105) as n
      where component.id = 'filled' and component.organization_key = ${caller.organizationKey}`
    await transaction(database.sql, async (sql) => {
      await closeGate(sql, caller.organizationKey)
      await noteChange(sql, [0])
    })
    // It has heard of the new streams.
    await put(caller, 'compId=filled&a=2')
    const fill = (n: number) =>
      ingestion.ingest(
        caller,
        batchFromUrl(parseQuery(`compId=filled&i${n}=1,2&time=${timeMs},${timeMs + 99_990_000}`), timeMs),
      )
    const fillMany = () => {
      const values = Array.from({ length: 100 }, (_, n) => `i${n + 6}=1,2`).join('&')
      return ingestion.ingest(
        caller,
        batchFromUrl(parseQuery(`compId=filled&${values}&time=${timeMs},${timeMs + 999_000}`), timeMs),
      )
    }
    const filled: Promise<unknown>[] = []
    let theirs: Promise<unknown> = Promise.resolve()
    await transaction(database.sql, async (sql) => {
      await sql`select close_gate()`
      for (const n of [1, 2, 3, 4]) filled.push(fill(n))
      await eventually(async () => ingestion.writer.waitingRows >= 399_964)
      const refusal = { code: 'busy', message: 'too many samples are waiting', headers: { 'Retry-After': '1' } }
      await assert.rejects(fill(5), refusal)
      // Of many streams, a little of each.
      await assert.rejects(fillMany(), refusal)
      theirs = put(other, 'compId=beside&a=2')
      filled.push(put(caller, 'compId=filled&a=3'))
    })
    await Promise.all([...filled, theirs])
    await fill(5)
    const [row] = await database.sql<[{ n: number }]>`
      select count(*)::integer as n from sample join stream on stream.key = stream_key where kind = 'interval'`
    assert.equal(row.n, 5 * 99_991)
  })

  it('leaves connections to others while two tenants wait for samples that are held', async () => {
    const tenants: Caller[] = []
    for (const actor of ['one', 'two', 'three']) tenants.push({ ...(await addCaller(database.sql)), actor })
    for (const tenant of tenants) await put(tenant, 'compId=d&a=1')
    let held: Promise<unknown>[] = []
    await transaction(database.sql, async (sql) => {
      await sql`update sample set num = 2 where time = ${timeMs}`
      held = tenants.slice(0, 2).flatMap((tenant) => [2, 3, 4].map((value) => put(tenant, `compId=d&a=${value}`)))
      await eventually(async () => (await waiting()).filter((name) => name !== 'coppice writer').length >= 2)
      // Each makes something, in a transaction of its own.
      for (let n = 0; n < 5; n += 1) await put(tenants[2]!, `compId=new${n}&a=1`)
    })
    await Promise.all(held)
  })

  it('makes the chunks of an upload over several weeks before it stores, so that it keeps no lock that others need', async () => {
    const weeks = 4
    const startMs = Date.parse('2011-01-06T00:00:00Z')
    const upload = (streamId: string) => {
      const old = Array.from({ length: weeks }, (_, n) => startMs + n * 7 * 86_400_000)
      const samples = [...old, timeMs].map((time, data) => ({ compId: 'weeks', streamId, time, data }))
      return batchFromJson(Buffer.from(JSON.stringify(samples)), parseQuery(''), timeMs) as SampleBatch
    }
    await put(caller, 'compId=weeks&a=1')
    let held: Promise<unknown> = Promise.resolve()
    await transaction(database.sql, async (sql) => {
      await sql`
        update sample set num = 2
        where stream_key in (
          select stream.key from stream join component on component.key = component_key where component.id = 'weeks')`
      held = ingestion.ingest(caller, upload('a'))
      await eventually(async () => (await waiting()).length > 0 && !(await waiting()).includes('coppice writer'))
      const [row] = await database.sql<[{ chunks: number; locks: number }]>`
        select (
            select count(*)::integer from timescaledb_information.chunks
            where hypertable_name = 'sample' and range_start >= ${startMs} and range_end <= ${startMs + weeks * 7 * 86_400_000}
          ) as chunks, (
            select count(*)::integer from pg_locks
            where relation = 'sample'::regclass and mode = 'ShareUpdateExclusiveLock'
          ) as locks`
      assert.deepEqual([row.chunks, row.locks], [weeks, 0])
    })
    await held
  })

  it('lets others change what they have while an import or a deletion of one takes its time', async () => {
    const other = await addCaller(database.sql)
    const change = (of: Caller) => transaction(database.sql, (sql) => closeGate(sql, of.organizationKey))
    let changes = 0
    const store = async () => {
      await change(other)
      await assert.rejects(change(caller), { code: 'busy' })
      changes += 1
      return { components: [], streamKeys: [] }
    }
    await ingestion.ingestFrom(database.sql, caller, () => ({ kind: 'own', store }))
    await ingestion.ingestAll(caller, [{ kind: 'own', store }])
    assert.equal(changes, 2)
  })

  it('does not refuse a key of one component because something else was changed while it was looked up', async () => {
    const other = await addCaller(database.sql)
    await put(other, 'compId=known&a=1')
    const fresh = await Ingestion.open(world, database.url)
    const putThere = (by: Caller, query: string) =>
      fresh.ingest(by, batchFromUrl(parseQuery(`time=${timeMs}&${query}`), timeMs))
    await putThere(other, 'compId=known&a=2')
    const [component] = await database.sql<[{ uid: string }]>`
      select component.uid from component where organization_key = ${caller.organizationKey} and id = 'c'`
    const keyOfOne: Caller = { ...caller, may: (_permission, uid) => uid === component.uid }
    let asked: Promise<unknown> = Promise.resolve()
    await transaction(database.sql, async (sql) => {
      await sql`lock table component in access exclusive mode`
      asked = putThere(keyOfOne, 'compId=c&s2=7')
      await eventually(async () => (await waiting()).length > 0)
      await transaction(database.sql, async (inner) => {
        await closeCommonGate(inner)
        await noteChange(inner, [1_000_000])
      })
      await putThere(other, 'compId=known&a=3')
    })
    await asked
    await fresh.close()
    assert.deepEqual(await numOf(streamKeys[1]!), [7])
  })

  it('does not refuse a key of two components because one was forgotten while the other was looked up', async () => {
    const fresh = await Ingestion.open(world, database.url)
    await put(caller, 'compId=second&a=1')
    const found = await database.sql<{ key: number; uid: string }[]>`
      select key, uid from component
      where organization_key = ${caller.organizationKey} and id in ('c', 'second') order by id`
    const keyOfTwo: Caller = { ...caller, may: (_permission, uid) => found.some((each) => each.uid === uid) }
    const samples = ['c', 'second'].map((compId) => ({ compId, streamId: compId === 'c' ? 's2' : 'a', data: 8 }))
    const both = () => batchFromJson(Buffer.from(JSON.stringify(samples)), parseQuery(''), timeMs)
    await fresh.ingest(keyOfTwo, batchFromUrl(parseQuery(`compId=c&s2=7&time=${timeMs}`), timeMs))
    let asked: Promise<unknown> = Promise.resolve()
    await transaction(database.sql, async (sql) => {
      await sql`lock table component in access exclusive mode`
      asked = fresh.ingest(keyOfTwo, (await both())!)
      await eventually(async () => (await waiting()).length > 0)
      const store = async () => ({ components: [{ key: found[0]!.key }] as never, streamKeys: [] })
      await fresh.ingestAll(caller, [{ kind: 'own', store }])
    })
    await asked
    await fresh.close()
    assert.deepEqual(await numOf(streamKeys[1]!), [8])
  })

  it('tries a write again that was ended because another took the same samples in another order', async function () {
    const address = (id: string) => ({ kind: 'delete', series: [{ cid: 'c', id, timesMs: [timeMs] }] }) as const
    /** Whether it was the script that the database ended: on a slow machine it may be the other. */
    const meet = async (): Promise<boolean> => {
      await database.sql`
        insert into sample (stream_key, time, num) select key, ${timeMs}, 1 from stream on conflict do nothing`
      let script: Promise<void> | undefined
      const other = transaction(database.sql, async (sql) => {
        await sql`update sample set num = num + 1 where stream_key = ${streamKeys[0]!}`
        script = ingestion.ingestAll(caller, [address('s2'), address('s1')])
        await eventually(() => isSomebodyWaiting(database.sql))
        await sql`update sample set num = num + 1 where stream_key = ${streamKeys[1]!}`
      })
      const [ended] = await Promise.allSettled([other])
      await script
      return ended.status === 'fulfilled'
    }
    let isEnded = false
    for (let attempt = 0; attempt < 5 && !isEnded; attempt += 1) isEnded = await meet()
    assert.ok(isEnded)
    const left = await database.sql`select from sample where stream_key = any(${streamKeys}::integer[])`
    assert.equal(left.length, 0)
  })

  it('stores an upload of another before most of those that wait of one caller', async () => {
    const greedy = { ...(await addCaller(database.sql)), actor: 'greedy' }
    const other = { ...(await addCaller(database.sql)), actor: 'other' }
    await put(greedy, 'compId=large&a=1&b=1')
    await put(other, 'compId=small&a=1')
    const putMany = async (nth: number) => {
      const samples = Array.from({ length: 1000 }, (_, n) => ({
        compId: 'large',
        streamId: 'b',
        data: n,
        time: timeMs + 1 + 1000 * nth + n,
      }))
      const batch = await batchFromJson(Buffer.from(JSON.stringify(samples)), parseQuery(''), timeMs)
      return ingestion.ingest(greedy, batch!)
    }
    const order: string[] = []
    const note = (name: string, work: Promise<unknown>) => work.then(() => void order.push(name))
    const noting: Promise<void>[] = []
    await transaction(database.sql, async (sql) => {
      await sql`select close_gate()`
      // Two lanes, and a call for each of them, which waits for the gate.
      for (let n = 0; n < 2; n += 1) {
        noting.push(note('first', put(greedy, 'compId=large&a=3')))
        await eventually(async () => (await waiting()).length > n)
      }
      for (let n = 0; n < 100; n += 1) noting.push(note('many', putMany(n)))
      await eventually(async () => ingestion.writer.waitingRows === 100_002)
      noting.push(note('one', put(other, 'compId=small&a=2')))
      await eventually(async () => ingestion.writer.waitingRows === 100_003)
    })
    await Promise.all(noting)
    // It leaves with the next; what leaves by the other lane may be faster.
    assert.ok(order.indexOf('one') < 60, `${order.indexOf('one')} were before`)
  })
})
