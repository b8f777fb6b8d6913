// The walk of an export through streams, on a database whose readings fail in the middle, as those of a standby may.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { openRoutedPool } from '../../src/base/database/pool.ts'
import type { Call } from '../../src/base/http/call.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { openReading } from '../../src/base/http/reading.ts'
import type { ReadingWorld } from '../../src/base/http/reading.ts'
import { openCatalogueLines } from '../../src/catalog/catalogue.ts'
import { snapshot } from '../../src/base/database/sql.ts'
import type { Transaction } from '../../src/base/database/sql.ts'
import { entitiesAfter } from '../../src/core/catalogue.ts'
import type { Caller } from '../../src/core/caller.ts'
import { readScope, scopeStart } from '../../src/core/reading/scope-read.ts'
import { openCsv, openTexts } from '../../src/transfer/encode.ts'
import type { Encoder } from '../../src/transfer/encode.ts'
import { findScope, readExportQuery } from '../../src/transfer/export-query.ts'
import { openStreamWalk, readPortions, untilWhole } from '../../src/transfer/portions.ts'
import type { Walk } from '../../src/transfer/portions.ts'
import { sampleSource } from '../../src/transfer/source.ts'
import type { Source } from '../../src/transfer/source.ts'
import type { Sample } from '../../src/core/sample/sample.ts'
import { callerOf } from '../support/caller.ts'
import { openTestDatabase } from '../support/database.ts'
import { openManager } from '../support/manage.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('the walk of an export', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
    const samples = ['a', 'b', 'c'].flatMap((streamId) =>
      Array.from({ length: 100 }, (_, time) => ({ compId: 'Plant', streamId, data: time, time })),
    )
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
  })
  after(() => service.close())

  it('goes on behind its last row when a reading fails, and gives every row once', async () => {
    const [organization] = await service.sql<[{ key: number }]>`select key from organization`
    const { integer } = openRandom(3)
    const source: Source<Sample> = {
      ...sampleSource({ startMs: undefined, endMs: undefined }),
      most: 64,
      withTexts: async function* (_sql, items) {
        for (const item of items) {
          if (integer(20) === 0) throw new Error('lost')
          yield [item]
        }
        if (integer(5) === 0) throw new Error('lost')
      },
    }
    const rows: string[] = []
    const encoder = {
      contentType: '',
      ending: '',
      add: ({ id }: { readonly id: string | null }, { timeMs }: { readonly timeMs: number }) =>
        void rows.push(`${id} ${timeMs}`),
      size: () => 0,
      take: () => Buffer.alloc(0),
      end: () => Buffer.alloc(0),
    }
    const scope = {
      organizationKey: organization.key,
      folderKey: undefined,
      isNamed: false,
      componentUids: undefined,
      streamIds: undefined,
    }
    const caller = { may: () => true } as unknown as Caller
    const walk = openStreamWalk(caller, scope, source, encoder)
    let losses = 0
    for (let isOver = false; !isOver;)
      isOver = await snapshot(service.sql, walk).catch((error: Error) => {
        assert.equal(error.message, 'lost')
        losses += 1
        return false
      })
    assert.ok(losses > 5)
    assert.deepEqual(
      rows,
      ['a', 'b', 'c'].flatMap((id) => Array.from({ length: 100 }, (_, time) => `${id} ${time}`)),
    )
  })

  it('keeps nothing of a standby that turns out to be behind', async () => {
    const [organization] = await service.sql<[{ key: number; uid: string }]>`select key, uid from organization`
    const caller = callerOf(organization)
    const behind = await openTestDatabase()
    let routes = 0
    /** Each other reading comes to one that has nothing yet. */
    const readSql = openRoutedPool(
      service.sql,
      async () => ((routes += 1) % 2 === 1 ? { pool: behind.sql, shows: async () => false } : undefined),
      () => {},
    )
    const world = { readSql, reading: openReading(10_000, 4) } as unknown as ReadingWorld
    const call = { address: '192.0.2.1', socket: new EventEmitter() } as unknown as Call
    const scope = { folderKey: undefined, componentUids: undefined, isNamed: false }
    /** A portion is over after each step. */
    const endEach = <T extends { readonly size: () => number }>(encoder: T): T => ({ ...encoder, size: () => 2 ** 21 })
    const read = async (walk: Walk, encoder: Pick<Encoder, 'size' | 'take' | 'end'>) => {
      let text = ''
      for await (const bytes of readPortions(world, caller, call, walk, encoder)) text += bytes.toString()
      return text
    }
    try {
      const csv = endEach(openCsv(false))
      const source = sampleSource({ startMs: undefined, endMs: undefined })
      const streams = { ...scope, organizationKey: organization.key, streamIds: undefined }
      const rows = await read(openStreamWalk(caller, streams, source, csv), csv)
      assert.equal(rows.split('\r\n').length, 302)
      const texts = openTexts()
      const lines = await read(openCatalogueLines(caller, scope, texts.add), texts)
      assert.match(lines, /"component":\{.*"id":"Plant"/)
      assert.ok(routes > 6)
    } finally {
      await behind.drop()
    }
  })

  it('is over still, of a catalogue, when it is asked again', async () => {
    const [organization] = await service.sql<[{ key: number; uid: string }]>`select key, uid from organization`
    const scope = { folderKey: undefined, componentUids: undefined, isNamed: false }
    const walk = openCatalogueLines(callerOf(organization), scope, () => {})
    await snapshot(service.sql, async (sql) => {
      while (!(await walk(sql)));
      assert.equal(await walk(sql), true)
    })
  })

  it('has no more of a catalogue at once than a line or two, however long its texts are, and each stream once', async () => {
    const [organization] = await service.sql<[{ key: number; uid: string }]>`select key, uid from organization`
    const { key } = organization
    await service.sql`
      with made as (
        insert into component (organization_key, id, name, folder_key, time_zone)
        select ${key}, 'long' || n, 'long', (select min(key) from folder where organization_key = ${key}), 'UTC'
        from generate_series(1, 3) n
        returning key, id)
      insert into stream (component_key, id, name, description, kind, value_type, position, expression, variables)
      select made.key, made.id || ' ' || n, 's', repeat('"', 9000), 'random', 'DOUBLE', n,
        case when n % 100 = 0 then 'v' end, case when n % 100 = 0 then '[{"name":"v","streamId":"x"}]'::jsonb end
      from made, generate_series(1, 400) n`
    // Each of these is a line by itself.
    await service.sql`
      with made as (
        insert into component (organization_key, id, name, folder_key, time_zone)
        select ${key}, 'short' || n, 'short', (select min(key) from folder where organization_key = ${key}), 'UTC'
        from generate_series(1, 20) n
        returning key)
      insert into stream (component_key, id, name, description, kind, value_type, position)
      select made.key, n::text, 's', repeat('"', 9000), 'random', 'DOUBLE', n
      from made, generate_series(1, 40) n`
    const scope = { folderKey: undefined, componentUids: undefined, isNamed: false }
    const lines: string[] = []
    const walk = openCatalogueLines(callerOf(organization), scope, (line) => void lines.push(line))
    let most = 0
    for (let isOver = false, before = 0; !isOver; before = lines.length) {
      isOver = await snapshot(service.sql, walk)
      most = Math.max(most, lines.slice(before).join('').length)
      await service.sql`delete from stream where id = 'long2 400'`
    }
    assert.ok(most < 4 * 1024 * 1024, `${most} characters at once`)
    assert.ok(lines.every(({ length }) => length < 1.2 * 1024 * 1024))
    type Line = Readonly<
      Record<string, { readonly stream?: readonly { readonly id: string }[]; readonly streamId: string }>
    >
    const all = lines.map((line) => JSON.parse(line) as Line)
    const ids = all.flatMap(({ component, streams }) => (component ?? streams)?.stream?.map(({ id }) => id) ?? [])
    const isLong = (id: string) => id.startsWith('long')
    const wanted = [1, 2, 3].flatMap((n) => Array.from({ length: 400 }, (_, at) => `long${n} ${at + 1}`))
    assert.deepEqual(
      ids.filter(isLong),
      wanted.filter((id) => id !== 'long2 400'),
    )
    const derived = all.flatMap((line) => (line['derived'] ? [line['derived'].streamId] : [])).filter(isLong)
    assert.deepEqual(
      derived,
      wanted.filter((id) => id.endsWith('00') && id !== 'long2 400'),
    )
  })

  it('has each stream once, though one before the next is removed or put elsewhere meanwhile', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `s${n}`)
    const samples = ids.map((streamId) => ({ compId: 'Wide', streamId, data: 1, time: 1 }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
    const [wide] = await service.sql<[{ uid: string; organizationKey: number }]>`
      select uid, organization_key as "organizationKey" from component where id = 'Wide'`
    const scope = { ...wide, folderKey: undefined, componentUids: [wide.uid], isNamed: false, streamIds: undefined }
    const found: string[] = []
    const encoder = { ...openCsv(false), add: ({ id }: { readonly id: string | null }) => void found.push(id!) }
    const source = sampleSource({ startMs: undefined, endMs: undefined })
    const walk = openStreamWalk({ may: () => true } as unknown as Caller, scope, source, encoder)
    const uidOf = async (id: string) => {
      const [{ uid }] = await service.sql<[{ uid: string }]>`select uid from stream where id = ${id}`
      return uid
    }
    while (found.length === 0) await snapshot(service.sql, walk)
    const manage = await openManager(service)
    assert.ok((await manage.ask('DELETE', `/api/stream/${await uidOf('s0')}`)).status < 300)
    assert.equal((await manage.ask('PUT', `/api/stream/${await uidOf('s249')}`, { position: 1 })).status, 200)
    assert.equal((await manage.ask('PUT', `/api/stream/${await uidOf('s1')}`, { position: 249 })).status, 200)
    while (!(await snapshot(service.sql, walk)));
    assert.equal(found.length, ids.length)
    assert.deepEqual(new Set(found), new Set(ids))
  })

  it('goes on in its folder, whatever that is called by then, and is not whole where there is none', async () => {
    const [organization] = await service.sql<[{ key: number; uid: string }]>`select key, uid from organization`
    const ids = Array.from({ length: 250 }, (_, n) => ({ id: `h${n}`, valueType: 'LONG' }))
    const manage = await openManager(service)
    const folder = '/Components/Hall'
    const made = await manage.make('component', { id: 'Hall', folder, stream: ids })
    await service.sql`
      insert into sample (stream_key, time, long) select key, to_timestamp(1), 1 from stream where id like 'h%'`
    const query = readExportQuery({ query: parseQuery(`folder=${folder}`), headers: {} })
    const caller = callerOf(organization)
    const scope = await findScope(service.sql, caller, query)
    const found: string[] = []
    const encoder = { ...openCsv(false), add: ({ id }: { readonly id: string | null }) => void found.push(id!) }
    const walk = untilWhole(openStreamWalk(caller, scope, sampleSource(query.window), encoder), scope)
    while (found.length === 0) await snapshot(service.sql, walk)
    const [{ uid }] = await service.sql<[{ uid: string }]>`select uid from folder where path = ${folder}`
    const path = '/Components/Elsewhere'
    assert.equal((await manage.ask('PUT', `/api/folder/${uid}`, { path })).status, 200)
    while (!(await snapshot(service.sql, walk)));
    assert.deepEqual(
      found,
      ids.map(({ id }) => id),
    )
    const lines: string[] = []
    const catalogue = untilWhole(
      openCatalogueLines(caller, scope, (line) => void lines.push(line)),
      scope,
    )
    while (!(await snapshot(service.sql, catalogue)));
    assert.match(lines.join(''), /"component":\{[^}]*"id":"Hall"/)
    assert.equal((await manage.ask('PUT', `/api/component/${made.uid}`, { folder: '/Components' })).status, 200)
    assert.equal((await manage.ask('DELETE', `/api/folder/${uid}`)).status, 200)
    await assert.rejects(snapshot(service.sql, walk), /removed meanwhile/)
  })

  it('does not look at all components of a folder for each portion', async () => {
    const [{ key }] = await service.sql<[{ key: number }]>`select key from organization`
    const [folder] = await service.sql<[{ key: number }]>`
      insert into folder (organization_key, path) values (${key}, '/Components/Works') returning key`
    await service.sql`
      insert into folder (organization_key, path)
      select ${key}, '/Components/Works/' || n from generate_series(1, 300) n`
    await service.sql`
      with made as (
        insert into component (organization_key, id, name, folder_key, time_zone)
        select ${key}, 'w' || n, 'w', ${folder.key} + 1 + n % 300, 'UTC' from generate_series(1, 30000) n
        returning key)
      insert into stream (component_key, id, name, kind, value_type, position)
      select key, 'w', 'w', 'random', 'DOUBLE', 1 from made`
    await service.sql`analyze folder, component, stream`
    const scope = { organizationKey: key, folderKey: folder.key, componentUids: undefined, isNamed: false }
    const lookedAt = (read: (sql: Transaction) => Promise<readonly unknown[]>) =>
      snapshot(service.sql, async (sql) => {
        const { length } = await read(sql)
        const [{ count }] = await sql<[{ count: number }]>`
          select (seq_tup_read + idx_tup_fetch)::integer as count
          from pg_stat_xact_user_tables where relname = 'component'`
        return [length, count] as const
      })
    const [entities, ofEntities] = await lookedAt((sql) => entitiesAfter(sql, key, 'component', 0, 20, scope))
    const [streams, ofStreams] = await lookedAt((sql) =>
      readScope(sql, { ...scope, streamIds: undefined }, scopeStart, 200),
    )
    assert.deepEqual([entities, streams], [20, 200])
    assert.ok(ofEntities < 1000 && ofStreams < 2000, `${ofEntities} and ${ofStreams} of 30,000`)
  })
})
