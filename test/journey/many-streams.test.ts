// A component with many streams: up to a limit, and read no further than is shown. That they are made in time that grows
// as they do is told by test/core/stream.test.ts.
import assert from 'node:assert/strict'
import { assertRefused, storesNothing, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

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
  const tookMs = async (work: () => Promise<{ readonly status: number; readonly text: string }>) => {
    const startedMs = performance.now()
    const reply = await work()
    assert.equal(reply.status, 200, reply.text)
    return performance.now() - startedMs
  }
  /** Streams without the rest of an upload. */
  const addStreams = (compId: string, count: number) => service.sql`
    with owner as materialized (
      select component.key, (select coalesce(max(position), 0) from stream where component_key = component.key) as last
      from component
      where component.id = ${compId} and not component.is_template)
    insert into stream (component_key, id, name, kind, value_type, position)
    select owner.key, 'more' || n, 'more', 'random', 'DOUBLE', owner.last + n
    from owner, generate_series(1, ${count}::integer) as n`

  it('may have 10,000 of them, whoever makes them, and a call that would make more stores nothing', async () => {
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

  it('takes as long to read one of them as in a component with few', async () => {
    await upload('Ten', 10)
    await upload('Thousands', 100)
    await addStreams('Thousands', 9_900)
    await service.sql`analyze`
    for (const path of ['stream/s5/last_value', 'stream/s5/feed?limit=1', 'feed?limit=5', 'last_value?limit=5']) {
      // The fastest of each, in turns: a busy machine makes some slow, but not all.
      let [few, many] = [Infinity, Infinity]
      for (let round = 0; round < 8 || (round < 100 && many >= 6 * few); round += 1) {
        few = Math.min(few, await tookMs(() => service.get(`/api/comp/Ten/${path}`)))
        many = Math.min(many, await tookMs(() => service.get(`/api/comp/Thousands/${path}`)))
      }
      // It took thirty times as long when all were loaded.
      assert.ok(many < 6 * few, `${path}: ${many} ms, of few ${few}`)
    }
  })

  it('is not read whole by an upload that makes one more, nor by the one after it', async () => {
    await upload('Growing', 1)
    await addStreams('Growing', 9_000)
    const put = (query: string) => tookMs(() => service.put(`/api/feed?${query}`))
    const first = await put('compId=Growing&s0=1')
    const others: number[] = []
    for (let n = 0; n < 10; n += 1)
      others.push(await put(`compId=Growing&new${n}=1`), await put(`compId=Growing&new${n}=2`))
    const middle = others.toSorted((a, b) => a - b)[others.length / 2]!
    assert.ok(middle < first, `${middle} ms, and ${first} when all are read`)
    assert.deepEqual((await streamsOf(service.sql, 'Growing')).slice(-1), ['9011 new9 random DOUBLE'])
  })

  it('is found by position behind streams that another server made', async () => {
    await upload('Shared', 2)
    assert.equal((await service.put('/api/feed?compId=Shared&s0=1')).status, 200)
    // As another server does: nobody is told.
    await addStreams('Shared', 1)
    assert.equal((await service.put('/api/feed?compId=Shared&mine=1')).status, 200)
    assert.equal((await service.put('/api/feed?compId=Shared&data=11&data=12&data=13&data=14')).status, 200)
    const reply = await service.get('/api/comp/Shared/last_value?retStreamId')
    assert.deepEqual(
      (reply.json as { streamId: string; data: number }[]).map(({ streamId, data }) => `${streamId} ${data}`),
      ['s0 11', 's1 12', 'more1 13', 'mine 14'],
    )
  })

  it('is listed with others as far as their streams fit, and the refusal says how many to ask for', async () => {
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
  })
})
