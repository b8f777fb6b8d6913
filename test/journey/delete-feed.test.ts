// DELETE of samples (docs/feeds.md#delete): sd and ed both needed, and a right of its own.
import assert from 'node:assert/strict'
import { archiveSome } from '../../src/core/upkeep/retention.ts'
import { assertRefused, linesOf, storesNothing } from '../support/feed.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const t = Date.parse('2026-01-15T12:00:00Z')
const hourMs = 3_600_000

describe('DELETE feed', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService({}, openTestClock(t))
    manage = await openManager(service)
    const stream = [
      { id: 'temp' },
      { id: 'other' },
      { id: 'set', kind: 'point' },
      { id: 'meter', kind: 'interval', baseCycleId: 'hour' },
    ]
    await manage.make('component', { id: 'Boiler', stream })
  })
  beforeEach(async () => {
    await service.sql`truncate sample, point_sample`
    await service.put(`/api/feed?compId=Boiler&temp=1,2,3&other=4,5,6&time=${t},${t + 1},${t + 2}`)
    await service.put('/api/feed?compId=Boiler&set=7')
    await service.put(`/api/feed?compId=Boiler&meter=1,2&time=${t},${t + hourMs}`)
  })
  after(() => service.close())

  const remove = (query: string, stream = 'temp') =>
    manage.ask('DELETE', `/api/comp/Boiler/stream/${stream}/feed?${query}`)
  const deleted = (count: number) => ({ status: 200, body: { success: true, message: '', deleted: count } })
  const lines = () => linesOf(service, 'Boiler', t)

  const refused: readonly [query: string, message: string][] = [
    ['', 'sd and ed are both needed, in epoch milliseconds'],
    [`sd=${t}`, 'sd and ed are both needed, in epoch milliseconds'],
    [`ed=${t}`, 'sd and ed are both needed, in epoch milliseconds'],
    [`sd=${t + 1}&ed=${t}`, 'sd is after ed'],
    ['sd=x&ed=1', "sd must be epoch milliseconds, not 'x'"],
    ['sd=1&ed=253402300800000', 'ed 253402300800000 is outside the years 1 to 9999'],
  ]
  for (const [query, message] of refused)
    it(`refuses '${query}': ${message}`, () =>
      storesNothing(service, async () =>
        assert.deepEqual(await remove(query), { status: 400, body: { success: false, code: 'bad_request', message } }),
      ))

  it('refuses an unknown component or stream: 404', async () => {
    assert.equal((await remove('sd=1&ed=2', 'none')).status, 404)
    assert.equal((await manage.ask('DELETE', '/api/comp/Nobody/stream/temp/feed?sd=1&ed=2')).status, 404)
  })

  it('refuses a key that may only GET and PUT: 403', () =>
    storesNothing(service, async () => {
      const path = `/api/comp/Boiler/stream/temp/feed?sd=0&ed=${t + 9}&api_key=${service.apiKey}`
      assertRefused(
        await service.request('DELETE', path),
        403,
        'forbidden',
        'this credential may not DELETE component/*/feed',
      )
    }))

  it('is not for a whole component: 405', async () => {
    assert.equal((await manage.ask('DELETE', '/api/comp/Boiler/feed?sd=1&ed=2')).status, 405)
  })

  it('deletes from sd, inclusive, to ed, exclusive, of one stream', async () => {
    assert.deepEqual(await remove(`sd=${t + 1}&ed=${t + 2}`), deleted(1))
    assert.deepEqual(await lines(), [
      'temp 2=3',
      'temp 0=1',
      'other 2=6',
      'other 1=5',
      'other 0=4',
      'set 0=7',
      `meter ${hourMs}=2`,
      'meter 0=1',
    ])
    assert.deepEqual(await remove(`sd=${t + 1}&ed=${t + 2}`), deleted(0))
  })

  it('deletes nothing when sd is ed', async () => assert.deepEqual(await remove(`sd=${t}&ed=${t}`), deleted(0)))

  it('deletes intervals by their ends', async () => {
    assert.deepEqual(await remove(`sd=${t + 1}&ed=${t + hourMs + 1}`, 'meter'), deleted(1))
    assert.ok((await lines()).includes('meter 0=1'))
  })

  it('deletes a point whose update lies in the window', async () => {
    assert.deepEqual(await remove(`sd=0&ed=${t}`, 'set'), deleted(0))
    assert.deepEqual(await remove(`sd=${t}&ed=${t + 1}`, 'set'), deleted(1))
  })

  it('deletes over the whole calendar', async () => {
    for (const [stream, count] of [
      ['temp', 3],
      ['set', 1],
      ['meter', 2],
    ] as const)
      assert.deepEqual(await remove('sd=-62135596800000&ed=253402300799999', stream), deleted(count))
  })

  it('leaves the stream ready for deleted samples to come again', async () => {
    await remove(`sd=0&ed=${t + 9}`)
    await service.put(`/api/feed?compId=Boiler&temp=9,8&time=${t + 1},${t}`)
    assert.deepEqual((await lines()).slice(0, 2), ['temp 1=9', 'temp 0=8'])
  })

  it('is in the audit log, with the number deleted', async () => {
    await remove(`sd=${t}&ed=${t + 2}`)
    await remove(`sd=${t}&ed=${t + 2}`)
    const entries = await service.sql<{ entry: string; detail: unknown }[]>`
      select concat_ws(' ', split_part(actor, ' ', 1), action, stream.id) as entry, detail
      from audit join stream on stream.uid = subject
      where action = 'feed.delete' and detail = ${service.sql.json({ from: t, to: t + 2, deleted: 2 })}`
    assert.deepEqual(
      entries.map(({ entry }) => entry),
      ['api_key feed.delete temp'],
    )
  })

  it('says how many archived quarters of an hour went, in the reply and the audit log, and opens none to uploads', async () => {
    const oldMs = Date.parse('2025-06-01T00:00:00Z')
    await service.put(`/api/feed?compId=Boiler&temp=1,2&time=${oldMs},${oldMs + hourMs}`)
    await service.sql`update organization set retention_days = 20`
    while (await archiveSome(service.sql, t));
    const month = '/api/comp/Boiler/stream/temp/cycle/month/stat/sum/feed?limit=1'
    assert.equal(((await service.get(`${month}&ed=${t}`)).json as { data: number }[])[0]!.data, 3)
    assert.deepEqual(await remove(`sd=${oldMs}&ed=${oldMs + 2 * hourMs}`), {
      status: 200,
      body: { success: true, message: '', deleted: 0, archivedQuarters: 2 },
    })
    assert.deepEqual((await service.get(`${month}&ed=${t}`)).json, [])
    const entries = await service.sql<{ detail: unknown }[]>`
      select detail from audit where action = 'feed.delete' and (detail ->> 'from')::bigint = ${oldMs}`
    const detail = { from: oldMs, to: oldMs + 2 * hourMs, deleted: 0, archivedQuarters: 2 }
    assert.deepEqual([...entries], [{ detail }])
    await manage.ask('PUT', `/api/organization/${service.organizationUid}`, { retentionDays: null })
    const again = await service.put(`/api/feed?compId=Boiler&temp=1&time=${oldMs}`)
    assert.equal(again.status, 400)
    assert.match(again.text, /is archived, from \d+ to before \d+, and takes no samples any more/)
  })
})
