// Derived streams in great numbers: what a pass reads, and in how many statements. npm run soak -- derive-sizes has
// 100,000 of them, fleets of 1,000 and 10,000 components, chains of 1,000 and crowds of 10,000.
import assert from 'node:assert/strict'
import { openPool } from '../../../src/base/database/pool.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import { registerDerivations } from '../../../src/core/derive/state.ts'
import { markSources } from '../../../src/core/sample/touched.ts'
import { shortOrLong } from '../../support/soak.ts'
import { eventually } from '../../support/within.ts'
import { hours, openDerivations, passCounting, plain, random, startMs } from './derive-support.ts'
import type { Derivations } from './derive-support.ts'

const hourMs = 3_600_000

describe('the pass over great numbers of derived streams', () => {
  let all: Derivations
  let { component, upload, pass, stored } = {} as Derivations

  before(async () => {
    all = await openDerivations()
    ;({ component, upload, pass, stored } = all)
  })
  after(() => all.close())

  const putAll = async (samples: readonly object[]) => {
    for (let from = 0; from < samples.length; from += 10_000) {
      const reply = await all.service.put('/api/feed', JSON.stringify(samples.slice(from, from + 10_000)))
      assert.equal(reply.status, 200, reply.text)
    }
  }

  it('reads those with news only', async () => {
    const { sql, databaseUrl } = all.service
    // As on the disks of today: where a page by an index costs four times as much as one in a row, PostgreSQL reads all of a
    // table as small as that of the short run.
    await sql.unsafe(`alter database ${new URL(databaseUrl).pathname.slice(1)} set random_page_cost = 1.1`)
    const isGone = async () => {
      const rows = await sql`select from pg_stat_activity where application_name = 'counted' limit 1`
      return rows.length === 0
    }
    // Connections report what they have read when they end, at the latest.
    const alone = async <T>(work: (own: Pool) => Promise<T>): Promise<T> => {
      const own = openPool(databaseUrl, { connections: 3, name: 'counted' })
      const done = await work(own)
      await own.end()
      await eventually(isGone)
      return done
    }
    const count = shortOrLong(2_000, 100_000)
    const perComponent = 500
    // With its folder.
    await component('first', [])
    await alone(async (own) => {
      const keys = await own<{ key: number }[]>`
      with folder as (select key, organization_key from folder limit 1),
        made as (
          insert into component (organization_key, id, name, folder_key, time_zone)
          select organization_key, 'idle' || n, 'idle', key, 'UTC' from folder, generate_series(1, ${count / perComponent}) as n
          returning key),
        source as (
          insert into stream (component_key, id, name, kind, value_type, position)
          select key, 'a' || n, 'a', 'random', 'DOUBLE', n from made, generate_series(1, ${perComponent}) as n)
      insert into stream (component_key, id, name, kind, value_type, position, expression, variables)
      select key, 'b' || n, 'b', 'random', 'DOUBLE', ${perComponent} + n, 'a + 1',
        jsonb_build_array(jsonb_build_object('name', 'a', 'streamId', 'a' || n))
      from made, generate_series(1, ${perComponent}) as n
      returning key`
      await transaction(own, (inside) =>
        registerDerivations(
          inside,
          keys.map(({ key }) => key),
        ),
      )
      await own`analyze stream, derivation, derivation_source, component`
    })
    await alone(async (own) => {
      const rows = await own<{ key: number }[]>`
        insert into sample (stream_key, time, num)
        select stream.key, ${startMs}, stream.position
        from stream
        join component on component.key = component_key
        where component.id = 'idle1' and position <= 10
        returning stream_key as key`
      await transaction(own, (inside) => markSources(inside, new Map(rows.map(({ key }) => [key, [startMs]]))))
    })
    const rowsRead = async () => {
      const [row] = await sql<[{ rows: number }]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
        from pg_stat_user_tables
        where relname in ('stream', 'component', 'derivation', 'derivation_source', 'derive_mark')`
      return row.rows
    }
    const passCounted = async (): Promise<number> => {
      const before = await rowsRead()
      await alone(async (own) => void (await passCounting(own)))
      return (await rowsRead()) - before
    }
    const read = await passCounted()
    assert.deepEqual(await stored('idle1', 'b10'), { 0: 11 })
    assert.ok(read > 0 && read < 600, `${read} rows for ten streams with news of ${count}`)
    assert.ok((await passCounted()) < 20)
  })

  const fleetStreams = [
    { id: 'a' },
    { id: 'i', kind: 'interval', baseCycleId: 'hour', expression: 'a', variables: [plain('a')] },
    random('e', 'd', [{ name: 'd', streamId: 'a', cycleId: 'day', statistic: 'sum' }]),
    random('m', 'a + h', [plain('a'), { name: 'h', streamId: 'a', cycleId: 'day' }]),
    random('p', 'a - p', [plain('a'), { name: 'p', streamId: 'a', offset: -1 }]),
    { id: 't', kind: 'interval', baseCycleId: 'day', expression: 'i * 2', variables: [plain('i')] },
  ]

  it('derives a fleet together, with cycles, offsets and base intervals', async () => {
    const { uid } = await all.manage.make('template', { id: 'fleet', stream: fleetStreams })
    const counts: number[] = []
    for (const size of [3, shortOrLong(40, 1000)]) {
      const ids = Array.from({ length: size }, (_, n) => `fleet${size} ${n}`)
      for (const id of ids) await all.manage.make('component', { id, templateUid: uid })
      const at = (hour: number) =>
        ids.map((compId, n) => ({ compId, streamId: 'a', data: n, time: startMs + hour * hourMs }))
      await putAll([...at(0), ...at(25), ...at(49)])
      counts.push(await passCounting(all.service.sql))
      const last = ids.at(-1)!
      const value = size - 1
      assert.deepEqual(await stored(last, 'e'), hours({ 24: value, 48: value }))
      assert.deepEqual(await stored(last, 'm'), hours({ 25: value * 2, 49: value * 2 }))
      assert.deepEqual(await stored(last, 'p'), hours({ 25: 0, 49: 0 }))
      assert.deepEqual(await stored(last, 't'), hours({ 24: value * 2, 48: value * 2 }))
    }
    // It takes turns of five hundred streams, and of five thousand samples, which are 49 of each stream by the hour.
    const turns = shortOrLong(1, 6)
    assert.ok(counts[1]! <= turns * (counts[0]! + 20), `${counts.join(' and ')} statements`)
  })

  it('takes a handful of statements for five hundred streams of one source', async () => {
    const size = shortOrLong(300, 9_999)
    const crowd = Array.from({ length: size }, (_, n) => random(`b${n}`, 'a + 1', [plain('a')]))
    await component('crowd', [random('a'), ...crowd])
    await upload('crowd', 'a', { 1: 1 })
    const count = await passCounting(all.service.sql)
    assert.deepEqual(await stored('crowd', `b${size - 1}`), { 1: 2 })
    assert.ok(count <= 30 * Math.ceil(size / 500), `${count} statements`)
  })

  it('follows a chain to its end, and derives it anew', async () => {
    const depth = shortOrLong(150, 1000)
    const next = Array.from({ length: depth }, (_, n) => random(`d${n + 1}`, 'x + 1', [plain('x', `d${n}`)]))
    const { stream } = await component('deep', [random('d0'), ...next])
    await upload('deep', 'd0', { 1: 0 })
    await pass()
    assert.deepEqual(await stored('deep', `d${depth}`), { 1: depth })
    await upload('deep', 'd0', { 1: 1 })
    await pass()
    const [{ key }] = await all.service.sql<[{ key: number }]>`select key from stream where uid = ${stream[1]!.uid}`
    await all.deriver.deriveSpan(all.service.sql, { streamKey: key, fromMs: startMs, toMs: startMs + hourMs }, () => {})
    assert.deepEqual(await stored('deep', `d${depth}`), { 1: depth + 1 })
    // It left marks wherever a transaction of it ended.
    await pass()
    assert.deepEqual(await stored('deep', `d${depth}`), { 1: depth + 1 })
  })

  it('derives in all components that a change of their template has reached', async () => {
    const { sql } = all.service
    const size = shortOrLong(100, 10_000)
    const { uid } = await all.manage.make('template', { id: 'wide', stream: [{ id: 'a' }] })
    await sql`
      with template as (select key, organization_key, folder_key from component where uid = ${uid}),
        made as (
          insert into component (organization_key, id, name, folder_key, time_zone, template_key)
          select organization_key, 'wide ' || n, 'wide', (select key from folder limit 1), 'UTC', key
          from template, generate_series(1, ${size}) as n
          returning key)
      insert into stream (component_key, id, name, kind, value_type, position)
      select key, 'a', 'a', 'random', 'DOUBLE', 1 from made`
    await all.manage.make('stream', { templateUid: uid, ...random('b', 'a * 2', [plain('a')]) })
    await putAll(
      Array.from({ length: size }, (_, n) => ({ compId: `wide ${n + 1}`, streamId: 'a', data: n, time: startMs })),
    )
    const count = await passCounting(all.service.sql)
    const [row] = await sql<[{ count: number }]>`
      select count(*)::integer as count
      from sample
      where stream_key in (
        select stream.key
        from stream
        join component on component.key = component_key
        where component.id like 'wide %' and stream.id = 'b')`
    assert.equal(row.count, size)
    assert.ok(count <= 30 * Math.ceil(size / 500), `${count} statements`)
  })
})
