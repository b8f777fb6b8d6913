// Cycle statistics over HTTP (docs/statistics.md#statistics). The oracle tests their values (test/core/statistic).
import assert from 'node:assert/strict'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)

describe('statistics of a component', () => {
  // A Sunday.
  const nowMs = at('2026-03-29T10:30:00Z')
  let service: TestService
  let manage: Manager

  before(async () => {
    service = await openTestService({}, openTestClock(nowMs))
    manage = await openManager(service)
    const unit = await manage.make('unit', { id: 'c', name: 'Celsius', symbol: '°C', numberFormat: '0.0' })
    await manage.make('component', {
      id: 'Boiler',
      name: 'Boiler',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp', name: 'temp', kind: 'random', valueType: 'DOUBLE', unitUid: unit.uid },
        { id: 'on', name: 'on', kind: 'random', valueType: 'BOOLEAN' },
        { id: 'kwh', name: 'kwh', kind: 'interval', valueType: 'LONG', baseCycleId: 'hour' },
        { id: 'state', name: 'state', kind: 'random', valueType: 'STRING' },
        { id: 'mode', name: 'mode', kind: 'point', valueType: 'DOUBLE' },
        { id: 'idle', name: 'idle', kind: 'random', valueType: 'DOUBLE' },
      ],
    })
    const day = at('2026-03-27T23:00:00Z')
    await put('temp', [
      [day + hourMs, 20],
      [day + 2 * hourMs, 21],
      [nowMs - 1, 25],
    ])
    await put('on', [
      [day, true],
      [day + 1, false],
      [day + 2, true],
    ])
    await put('kwh', [
      [day + hourMs, 5],
      [day + 3 * hourMs, '9007199254740993'],
      [day + dayMs, 7],
    ])
    await put('state', [[day + 5, 'warm']])
    await put('mode', [[day, 4]])
  })
  after(() => service.close())

  const put = async (streamId: string, samples: readonly (readonly [number, unknown])[]) => {
    const body = samples.map(([time, data]) => ({ compId: 'Boiler', streamId, time, data }))
    const reply = await service.put('/api/feed', JSON.stringify(body))
    assert.equal(reply.status, 200, reply.text)
  }
  const get = async (path: string) => {
    const reply = await service.get(`/api/comp/${path}`)
    return `${reply.status} ${reply.text}`
  }
  const saturday = at('2026-03-28T23:00:00Z')
  // The clocks are set forward on this day.
  const sunday = at('2026-03-29T22:00:00Z')

  it('are 404 for a cycle or a name that there is not', async () => {
    assert.equal(
      await get('Boiler/cycle/fortnight/stat/avg/feed'),
      `404 {"success":false,"code":"cycle_not_found","message":"cycle 'fortnight' not found, there are second, minute, 5minute, 15minute, 30minute, hour, day, week, month, quarter, year"}`,
    )
    assert.equal(
      await get('Boiler/stream/temp/cycle/day/stat/median/last_value'),
      `404 {"success":false,"code":"statistic_not_found","message":"statistic 'median' not found, there are first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, nongapcount, intvlcount, milliseccount, nongapmilliseccount"}`,
    )
    assert.match(await get('Boiler/stream/nothing/cycle/day/stat/avg/feed'), /^404 .*stream_not_found/)
    assert.match(await get('Kettle/cycle/day/stat/avg/feed'), /^404 .*component_not_found/)
  })

  it('refuse a bad window before anything else', async () => {
    assert.match(await get('Kettle/cycle/x/stat/y/feed?sd=1'), /^400 /)
  })

  it('are timed at the end of their interval, the unfinished one included, from the latest back', async () => {
    assert.equal(
      await get('Boiler/stream/temp/cycle/day/stat/avg/feed'),
      `200 [{"time":${sunday},"data":25},{"time":${saturday},"data":20.5}]`,
    )
  })

  it('show the start of their interval, their IDs, formatted value and unit when asked', async () => {
    assert.equal(
      await get('Boiler/stream/temp/cycle/day/stat/MAX/last_value?retIntvlSd&retCompId&retStreamId&retFData&retUnit'),
      `200 [{"compId":"Boiler","streamId":"temp","sdTime":${saturday},"time":${sunday},"data":25,"fData":"25.0°C","unit":"°C"}]`,
    )
  })

  it('are plain integers without a unit when they are a count or a time', async () => {
    assert.equal(
      await get('Boiler/stream/temp/cycle/day/stat/maxoccurrence/last_value?retFData&retUnit'),
      `200 [{"time":${sunday},"data":${nowMs - 1},"fData":"${nowMs - 1}","unit":""}]`,
    )
    assert.equal(
      await get('Boiler/stream/temp/cycle/month/stat/nongapcount/last_value?retFData&retUnit'),
      `200 [{"time":${at('2026-03-31T22:00:00Z')},"data":3,"fData":"3","unit":""}]`,
    )
  })

  it('apply sd and ed to the end of the interval', async () => {
    const path = 'Boiler/stream/temp/cycle/day/stat/sum/feed'
    assert.equal(await get(`${path}?sd=${saturday}&ed=${sunday}`), `200 [{"time":${saturday},"data":41}]`)
    assert.equal(await get(`${path}?ed=${sunday + 1}&limit=1`), `200 [{"time":${sunday},"data":25}]`)
    assert.equal(await get(`${path}?sd=${saturday + 1}&ed=${sunday}`), '200 []')
  })

  it('come in stream order for all streams, each from its latest back, and share one limit', async () => {
    const path = 'Boiler/cycle/day/stat/first/feed?retStreamId'
    const all = [
      `{"streamId":"temp","time":${sunday},"data":25}`,
      `{"streamId":"temp","time":${saturday},"data":20}`,
      `{"streamId":"on","time":${saturday},"data":true}`,
      `{"streamId":"kwh","time":${saturday},"data":5}`,
      `{"streamId":"state","time":${saturday},"data":"warm"}`,
      `{"streamId":"mode","time":${sunday},"data":4}`,
    ]
    assert.equal(await get(path), `200 [${all.join()}]`)
    assert.equal(await get(`${path}&limit=3`), `200 [${all.slice(0, 3).join()}]`)
    assert.equal(
      await get('Boiler/cycle/day/stat/first/last_value?retStreamId'),
      `200 [${[all[0], ...all.slice(2)].join()}]`,
    )
  })

  it('are exact for longs beyond 2^53, and count gaps', async () => {
    const of = (statistic: string) => get(`Boiler/stream/kwh/cycle/day/stat/${statistic}/feed`)
    assert.equal(await of('sum'), `200 [{"time":${saturday},"data":9007199254741005}]`)
    assert.equal(await of('max'), `200 [{"time":${saturday},"data":9007199254740993}]`)
    assert.equal(await of('gapcount'), `200 [{"time":${saturday},"data":21}]`)
    assert.equal(await of('intvlcount'), `200 [{"time":${saturday},"data":24}]`)
    assert.equal(await of('milliseccount'), `200 [{"time":${saturday},"data":${dayMs}}]`)
    assert.equal(await of('nongapmilliseccount'), `200 [{"time":${saturday},"data":${3 * hourMs}}]`)
  })

  it('are booleans for booleans, but their sum and average are numbers', async () => {
    const of = (statistic: string) => get(`Boiler/stream/on/cycle/day/stat/${statistic}/feed?retFData`)
    assert.equal(await of('min'), `200 [{"time":${saturday},"data":false,"fData":"false"}]`)
    assert.equal(await of('sum'), `200 [{"time":${saturday},"data":2,"fData":"2"}]`)
  })

  it('are null where a text has none', async () => {
    assert.equal(await get('Boiler/stream/state/cycle/day/stat/sum/feed'), `200 [{"time":${saturday},"data":null}]`)
  })

  it('are an empty list for a stream without samples', async () => {
    assert.equal(await get('Boiler/stream/idle/cycle/day/stat/sum/feed'), '200 []')
    assert.equal(await get('Boiler/stream/idle/cycle/day/stat/sum/last_value'), '200 []')
  })

  it('follow the cycle’s own zone where it has one', async () => {
    await manage.make('cycle', {
      id: 'nyday',
      name: 'day in New York',
      size: 1,
      unit: 'day',
      reference: '2001-01-01T00:00:00',
      timeZone: 'America/New_York',
    })
    assert.equal(
      await get('Boiler/stream/state/cycle/nyday/stat/first/feed?retIntvlSd'),
      `200 [{"sdTime":${at('2026-03-27T04:00:00Z')},"time":${at('2026-03-28T04:00:00Z')},"data":"warm"}]`,
    )
  })
})
