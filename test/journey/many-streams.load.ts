// A component with many streams: up to a limit, and read no further than is shown. test/core/stream.test.ts tests that
// the time to make them grows as they do.
import assert from 'node:assert/strict'
import { assertRefused, storesNothing, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('a component with many streams', function () {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const upload = async (compId: string, count: number, prefix = 's') => {
    const samples = Array.from({ length: count }, (_, n) => ({ compId, streamId: `${prefix}${n}`, data: n }))
    return service.put('/api/feed', JSON.stringify(samples))
  }
  /** How many rows of streams another server reads for these calls, as PostgreSQL counts them. */
  const streamsRead = async (calls: readonly (readonly [method: string, path: string])[]) => {
    const count = async () => {
      const [read] = await service.sql<[{ rows: number }]>`
        select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_user_tables where relname = 'stream'`
      return read.rows
    }
    const isAlone = async () => {
      const others = await service.sql`
        select from pg_stat_activity where datname = current_database() and backend_start > ${sinceDate} limit 1`
      return others.length === 0
    }
    const [{ sinceDate }] = await service.sql<[{ sinceDate: Date }]>`select now() as "sinceDate"`
    const before = await count()
    const second = await openSecond(service)
    for (const [method, path] of calls) {
      const sign = path.includes('?') ? '&' : '?'
      const reply = await fetch(`${second.url}${path}${sign}api_key=${service.apiKey}`, { method })
      assert.equal(reply.status, 200, await reply.text())
    }
    await second.close()
    // A connection reports what it read when it ends.
    await eventually(isAlone)
    return (await count()) - before
  }
  const threeTimes = async (ask: () => Promise<number>) => [await ask(), await ask(), await ask()]
  /** Streams without the rest of an upload. */
  const addStreams = (compId: string, count: number) => service.sql`
    with owner as materialized (
      select component.key, (select coalesce(max(position), 0) from stream where component_key = component.key) as last
      from component
      where component.id = ${compId} and not component.is_template)
    insert into stream (component_key, id, name, kind, value_type, position)
    select owner.key, 'more' || n, 'more', 'random', 'DOUBLE', owner.last + n
    from owner, generate_series(1, ${count}::integer) as n`

  it('may have 10,000 of them, by all ways of making them, and a call that would make more stores nothing', async () => {
    const { uid } = await manage.make('component', { id: 'Full', stream: [{ id: 'first' }] })
    await addStreams('Full', 9_998)
    const message = 'a component may have 10000 streams'
    await storesNothing(service, async () => {
      assertRefused(await upload('Full', 2, 'new'), 413, 'too_large', message)
      assertRefused(await service.put('/api/feed?compId=Full&data=1&x=1&y=1'), 413, 'too_large', message)
      assertRefused(await upload('Over', 10_001), 413, 'too_large', message)
    })
    assert.equal((await upload('Full', 1, 'new')).status, 200)
    assert.deepEqual((await manage.ask('POST', '/api/stream', { componentUid: uid, id: 'one more' })).status, 413)
    assert.equal((await upload('Full', 1, 'new')).status, 200)
  })

  it('makes 30,000 components and streams in one call and no more, those of templates included', async () => {
    await manage.make('template', { id: 'wide', stream: Array.from({ length: 1000 }, (_, n) => ({ id: `s${n}` })) })
    const samples = Array.from({ length: 31 }, (_, n) => ({ compId: `Wide ${n}`, streamId: 's0', data: 1 }))
    await storesNothing(service, async () => {
      const reply = await service.put('/api/feed?compTmplId=wide', JSON.stringify(samples))
      const message = 'a call may make 30000 components and streams, send fewer at a time'
      assertRefused(reply, 413, 'too_large', message)
    })
    assert.equal((await service.put('/api/feed?compTmplId=wide', JSON.stringify(samples.slice(0, 5)))).status, 200)
  })

  it('begins to make none of the components of a call that names more new streams', async () => {
    const keys = async () => {
      const [row] = await service.sql`select last_value::integer as key from component_key_seq`
      return row!['key'] as number
    }
    const component = Array.from({ length: 31 }, (_, c) => ({
      componentId: `Many ${c}`,
      stream: Array.from({ length: 1000 }, (__, n) => ({ streamId: `s${n}`, data: [1] })),
    }))
    const before = await keys()
    const reply = await service.put('/api/feed', JSON.stringify({ feed: { component } }))
    assertRefused(reply, 413, 'too_large', 'a call may make 30000 components and streams, send fewer at a time')
    assert.equal(await keys(), before)
  })

  it('is read no further than a component with few when one of them is asked for', async () => {
    await upload('Ten', 10)
    await upload('Thousands', 100)
    await addStreams('Thousands', 9_900)
    await service.sql`analyze`
    for (const path of ['stream/s5/last_value', 'stream/s5/feed?limit=1', 'feed?limit=5', 'last_value?limit=5']) {
      const few = await streamsRead([['GET', `/api/comp/Ten/${path}`]])
      // Passes of the servers, which look at other streams, may come in between.
      const many = Math.min(...(await threeTimes(() => streamsRead([['GET', `/api/comp/Thousands/${path}`]]))))
      assert.ok(many < few + 100, `${path}: ${many} streams, of few ${few}`)
    }
  })

  it('is not read whole by an upload that makes one more, nor by the one after it', async () => {
    await upload('Growing', 1)
    await addStreams('Growing', 9_000)
    const first = await streamsRead([['PUT', '/api/feed?compId=Growing&s0=1']])
    const others = Array.from({ length: 10 }, (_, n): (readonly [string, string])[] => [
      ['PUT', `/api/feed?compId=Growing&new${n}=1`],
      ['PUT', `/api/feed?compId=Growing&new${n}=2`],
    ])
    const all = await streamsRead([['PUT', '/api/feed?compId=Growing&s0=1'], ...others.flat()])
    assert.ok(all < first + 100, `${all} streams, and ${first} by the first upload`)
    assert.deepEqual((await streamsOf(service.sql, 'Growing')).slice(-1), ['9011 new9 random DOUBLE'])
  })

  it('is found by position behind streams that another server made', async () => {
    await upload('Shared', 2)
    assert.equal((await service.put('/api/feed?compId=Shared&s0=1')).status, 200)
    // As another server would, without a note to this one.
    await addStreams('Shared', 1)
    assert.equal((await service.put('/api/feed?compId=Shared&mine=1')).status, 200)
    assert.equal((await service.put('/api/feed?compId=Shared&data=11&data=12&data=13&data=14')).status, 200)
    const reply = await service.get('/api/comp/Shared/last_value?retStreamId')
    assert.deepEqual(
      (reply.json as { streamId: string; data: number }[]).map(({ streamId, data }) => `${streamId} ${data}`),
      ['s0 11', 's1 12', 'more1 13', 'mine 14'],
    )
  })

  it('is listed with others as far as their streams fit, and the refusal says how many to ask for, and without their streams in any number', async () => {
    for (const id of ['List a', 'List b', 'List c']) {
      await manage.make('component', { id, folder: '/Components/List' })
      await addStreams(id, 7_000)
    }
    const ask = (query: string) => manage.ask('GET', `/api/component?folder=/Components/List${query}`)
    const { status, body } = await ask('')
    assert.equal(status, 413)
    assert.equal((body as { message: string }).message, 'these have more than 20000 streams, ask for fewer: limit=2')
    const two = await ask('&limit=2')
    assert.deepEqual(
      (two.body as { component: { stream: unknown[] }[] }).component.map(({ stream }) => stream.length),
      [7_000, 7_000],
    )
    const bare = await ask('&streams=false')
    assert.equal((bare.body as { component: unknown[] }).component.length, 3)
  })
})
