// GET last_value (docs/feeds.md#read): the last sample of each stream.
import assert from 'node:assert/strict'
import { assertRefused } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const t = Date.parse('2026-01-15T12:00:00Z')
const hourMs = 3_600_000

describe('GET last_value', () => {
  let service: TestService
  before(async () => {
    service = await openTestService({}, openTestClock(t))
    const manage = await openManager(service)
    const stream = [
      { id: 'temp' },
      { id: 'empty' },
      { id: 'led', valueType: 'BOOLEAN' },
      { id: 'set', kind: 'point' },
      { id: 'meter', kind: 'interval', baseCycleId: 'hour' },
    ]
    await manage.make('component', { id: 'Boiler', stream })
    await manage.make('component', { id: 'Bare' })
    const values = [
      ['temp', 3, t],
      ['temp', 1, t - 2000],
      ['temp', 2, t - 1000],
      ['led', true, t - 5],
      ['set', 7, t],
      ['meter', 5, t],
      ['meter', null, t + hourMs],
    ].map(([streamId, data, time]) => ({ compId: 'Boiler', streamId, data, time }))
    assert.equal((await service.put('/api/feed', JSON.stringify(values))).status, 200)
  })
  after(() => service.close())

  const text = async (path: string) => (await service.get(`/api/comp/${path}`)).text

  const refused: readonly [path: string, status: number, code: string, message: string][] = [
    ['Nobody/last_value', 404, 'component_not_found', "component 'Nobody' not found"],
    ['Boiler/stream/none/last_value', 404, 'stream_not_found', "stream 'none' not found"],
    ['Boiler/last_value?sd=1', 400, 'bad_request', 'sd needs ed'],
    ['Boiler/last_value?sd=2&ed=1', 400, 'bad_request', 'sd is after ed'],
    ['Boiler/last_value?limit=0', 400, 'bad_request', 'limit must be at least 1, not 0'],
  ]
  for (const [path, status, code, message] of refused)
    it(`refuses ${path}`, async () => assertRefused(await service.get(`/api/comp/${path}`), status, code, message))

  it('gives the last sample of each stream, in their order, without those that have none', async () => {
    assert.equal(
      await text('Boiler/last_value?retStreamId'),
      `[{"streamId":"temp","time":${t},"data":3},{"streamId":"led","time":${t - 5},"data":true},` +
        `{"streamId":"set","time":${t},"data":7},{"streamId":"meter","time":${t + hourMs},"data":null}]`,
    )
  })

  it('begins with the bytes that a device reads at a fixed offset', async () => {
    assert.ok(
      (await text('Boiler/last_value?retStreamId')).startsWith('[{"streamId":"temp","time":1768478400000,"data":3}'),
    )
  })

  it("gives one stream's last sample", async () => {
    assert.equal(await text('Boiler/stream/led/last_value'), `[{"time":${t - 5},"data":true}]`)
    assert.equal(await text('Boiler/stream/empty/last_value'), '[]')
  })

  it('gives the last before ed, or inside the window', async () => {
    assert.equal(await text(`Boiler/stream/temp/last_value?ed=${t}`), `[{"time":${t - 1000},"data":2}]`)
    assert.equal(
      await text(`Boiler/last_value?sd=${t - 2000}&ed=${t - 4}&retStreamId`),
      `[{"streamId":"temp","time":${t - 1000},"data":2},{"streamId":"led","time":${t - 5},"data":true}]`,
    )
    assert.equal(await text('Boiler/last_value?sd=0&ed=1'), '[]')
    assert.equal(await text(`Boiler/stream/meter/last_value?ed=${t + 1}`), `[{"time":${t},"data":5}]`)
  })

  it('gives no more items than the limit', async () => {
    assert.equal(
      await text('Boiler/last_value?limit=2&retStreamId'),
      `[{"streamId":"temp","time":${t},"data":3},{"streamId":"led","time":${t - 5},"data":true}]`,
    )
    assert.equal(await text('Boiler/last_value?limit=1'), `[{"time":${t},"data":3}]`)
  })

  it('gives [] for a component without streams', async () => assert.equal(await text('Bare/last_value'), '[]'))

  it('shows the members that are asked for', async () => {
    assert.equal(
      await text('Boiler/stream/meter/last_value?retCompId&retStreamId&retIntvlSd&retFData&retUnit'),
      `[{"compId":"Boiler","streamId":"meter","sdTime":${t},"time":${t + hourMs},"data":null,"fData":"","unit":""}]`,
    )
  })

  it('gives the stream with the latest time of many that came in any order', async () => {
    const times = Array.from({ length: 200 }, (_, n) => t + ((n * 37) % 200))
    await service.put(`/api/feed?compId=Shuffled&a=${times.map((time) => time - t).join()}&time=${times.join()}`)
    assert.equal(await text('Shuffled/last_value'), `[{"time":${t + 199},"data":199}]`)
  })

  it('has a thousand streams at most, the first ones', async () => {
    const values = Array.from({ length: 1100 }, (_, n) => ({ compId: 'Wide', streamId: `s${n}`, data: n }))
    assert.equal((await service.put('/api/feed', JSON.stringify(values))).status, 200)
    const samples = JSON.parse(await text('Wide/last_value')) as { data: number }[]
    assert.deepEqual(
      samples.map(({ data }) => data),
      Array.from({ length: 1000 }, (_, n) => n),
    )
  })
})
