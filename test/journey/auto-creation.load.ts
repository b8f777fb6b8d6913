// Auto-creation under concurrency (docs/feeds.md#creation): a stream that many calls want at once is made
// exactly once, in a stable order.
import assert from 'node:assert/strict'
import type { Service } from '../../src/service.ts'
import { crowd } from '../support/crowd.ts'
import { countRows, linesOf, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

const t = 1_700_000_000_000
const devices = shortOrLong(100, 1000)

describe('auto-creation', () => {
  const clock = openTestClock(t)
  let service: TestService
  /** Another server on the same database, which remembers other things. */
  let second: Service
  before(async () => {
    service = await openTestService({}, clock)
    second = await openSecond(service)
  })
  after(async () => {
    await second.close()
    await service.close()
  })

  const put = async (url: string, query: string, body?: unknown) => {
    const reply = await fetch(`${url}/api/feed?api_key=${service.apiKey}&${query}`, {
      method: 'PUT',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.equal(`${reply.status} ${await reply.text()}`, '200 ')
  }
  const urlOf = (n: number) => (n % 2 === 0 ? service.url : second.url)
  /** Components whose streams are not numbered 1, 2, ... without holes. */
  const disordered = async () => {
    const rows = await service.sql`
      select component.id
      from stream join component on component.key = component_key
      group by component.id
      having min(position) <> 1 or max(position) <> count(*)`
    return rows.map((row) => String(row['id']))
  }

  it(`makes ${devices} devices that appear in the same second, each twice at once, with their streams, exactly once`, async () => {
    const before = await countRows(service.sql)
    const streams = Array.from({ length: 6 }, (_, n) => `s${n}`)
    // Calls 2n and 2n + 1 are about the same device, at the same time, on the two servers.
    await crowd(2 * devices, 100, async (n) => {
      const id = `device-${n >> 1}`
      const time = t + (n % 2)
      if (n % 4 < 2)
        return put(urlOf(n), `compId=${id}&time=${time}&${streams.map((stream) => `${stream}=${n % 2}`).join('&')}`)
      const elements = streams.map((streamId) => ({ compId: id, streamId, data: n % 2, time }))
      return put(urlOf(n), '', elements)
    })
    const after = await countRows(service.sql)
    assert.deepEqual(
      {
        components: after.components - before.components,
        streams: after.streams - before.streams,
        samples: after.samples - before.samples,
      },
      { components: devices, streams: 6 * devices, samples: 12 * devices },
    )
    assert.deepEqual(await disordered(), [])
    const expected = streams.map((id, n) => `${n + 1} ${id} random DOUBLE`)
    for (const id of ['device-0', 'device-1', `device-${devices / 2}`, `device-${devices - 1}`])
      assert.deepEqual(await streamsOf(service.sql, id), expected)
    const orders = await service.sql`
      select distinct string_agg(stream.id, ' ' order by position) as ids
      from stream join component on component.key = component_key
      where component.id like 'device-%'
      group by component.id`
    assert.deepEqual(
      orders.map((row) => String(row['ids'])),
      [streams.join(' ')],
    )
  })

  it('makes the streams of one component that many calls add to at once, without holes', async () => {
    await crowd(60, 60, (n) => put(urlOf(n), `compId=Shared&own${n}=1&both=${n}&pair${n % 7}=2&time=${t + n}`))
    assert.deepEqual(await disordered(), [])
    const streams = await streamsOf(service.sql, 'Shared')
    assert.equal(streams.length, 60 + 1 + 7)
    assert.equal((await linesOf(service, 'Shared')).length, 60 + 60 + 60)
  })

  it('makes arrays of devices that overlap, in any order of their elements', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `overlap-${n}`)
    await crowd(20, 20, (n) => {
      const some = [...ids.slice(n), ...ids.slice(0, n)].slice(0, 12)
      const elements = some.map((compId) => ({ compId, streamId: `s${n % 3}`, data: n, time: t + n }))
      return put(urlOf(n), `folder=/Components/overlap/${n % 2}`, n % 3 === 0 ? elements.toReversed() : elements)
    })
    assert.deepEqual(await disordered(), [])
    const [{ count }] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count from component where id like 'overlap-%'`
    assert.equal(count, 20)
  })

  it("makes a device from a template once, with the template's streams in front", async () => {
    const manage = await openManager(service)
    await manage.make('template', {
      id: 'tpl',
      name: 'Template',
      stream: [{ id: 'x' }, { id: 'y', valueType: 'LONG' }],
    })
    await crowd(40, 40, (n) => put(urlOf(n), `compId=made-${n % 4}&compTmplId=tpl&y=${n}&z=1&time=${t + n}`))
    for (let n = 0; n < 4; n += 1)
      assert.deepEqual(await streamsOf(service.sql, `made-${n}`), [
        '1 x random DOUBLE',
        '2 y random LONG',
        '3 z random DOUBLE',
      ])
  })

  it('gives unnamed data of calls at once one meaning', async () => {
    await crowd(30, 30, (n) => put(urlOf(n), `compId=Unnamed&data=${n}&data=${n}&data=${n}&time=${t + n}`))
    assert.deepEqual(await streamsOf(service.sql, 'Unnamed'), [
      '1 data1 random DOUBLE',
      '2 data2 random DOUBLE',
      '3 data3 random DOUBLE',
    ])
    assert.equal((await linesOf(service, 'Unnamed')).length, 90)
  })

  it('makes nothing of the one bad call among many good ones', async () => {
    const before = await countRows(service.sql)
    const replies = await crowd(30, 30, (n) => {
      const value = n === 7 ? 'nan' : '1'
      return fetch(`${urlOf(n)}/api/feed?api_key=${service.apiKey}&compId=mixed-${n}&a=1&b=${value}`, { method: 'PUT' })
    })
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array.from({ length: 30 }, (_, n) => (n === 7 ? 400 : 200)),
    )
    const after = await countRows(service.sql)
    assert.equal(after.components - before.components, 29)
    assert.equal(after.streams - before.streams, 58)
  })

  it('makes ten thousand devices of one call', async () => {
    const elements = Array.from({ length: 10_000 }, (_, n) => ({ compId: `fleet-${n}`, streamId: 's', data: n }))
    await put(service.url, '', elements)
    const [{ count }] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count
      from component join stream on component_key = component.key join sample on stream_key = stream.key
      where component.id like 'fleet-%' and position = 1`
    assert.equal(count, 10_000)
  })
})
