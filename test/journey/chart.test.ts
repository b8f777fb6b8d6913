// A stream as a chart needs it, over HTTP (docs/statistics.md#charts). The values of its intervals are compared with those
// of statistics, which the oracle tests (test/core/statistic).
import assert from 'node:assert/strict'
import { rollUp } from '../../src/core/statistic/rollup.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = Date.parse('2026-03-01T00:00:00Z')

type Chart = {
  readonly sd: number | null
  readonly ed: number | null
  readonly timeZone: string
  readonly step: { readonly size: number; readonly unit: string } | null
  readonly items: readonly (readonly (number | null)[])[]
}

describe('a chart of a stream', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    await manage.make('component', {
      id: 'Boiler',
      name: 'Boiler',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp', name: 'temp', kind: 'random', valueType: 'DOUBLE' },
        { id: 'kwh', name: 'kwh', kind: 'interval', valueType: 'LONG', baseCycleId: '30minute' },
        { id: 'on', name: 'on', kind: 'random', valueType: 'BOOLEAN' },
        { id: 'state', name: 'state', kind: 'random', valueType: 'STRING' },
        { id: 'mode', name: 'mode', kind: 'point', valueType: 'DOUBLE' },
        { id: 'idle', name: 'idle', kind: 'random', valueType: 'DOUBLE' },
      ],
    })
    // Over the change to summer time, with a day without samples.
    const times = Array.from({ length: 40 * 48 }, (_, n) => startMs + n * 30 * minuteMs)
    const own = times.filter((time) => Math.floor((time - startMs) / dayMs) !== 7)
    const samples = own.flatMap((time, n) => [
      { compId: 'Boiler', streamId: 'temp', time: time + (n % 7) * 1000, data: 20 + 5 * Math.sin(n / 9) },
      { compId: 'Boiler', streamId: 'kwh', time, data: n % 13 },
    ])
    const reply = await service.put('/api/feed?autofillGapsWithNulls=false', JSON.stringify(samples))
    assert.equal(reply.status, 200, reply.text)
    await service.put(`/api/feed?compId=Boiler&on=true,false&state=a,b&time=${startMs},${startMs + 1}`)
    await service.put(`/api/feed?compId=Boiler&mode=4&time=${startMs}`)
  })
  after(() => service.close())

  const chart = async (streamId: string, query = ''): Promise<Chart> => {
    const reply = await service.get(`/api/comp/Boiler/stream/${streamId}/chart?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.json as Chart
  }
  const statistic = async (streamId: string, cycle: string, statId: string) => {
    const path = `/api/comp/Boiler/stream/${streamId}/cycle/${cycle}/stat/${statId}/feed?retIntvlSd`
    const reply = await service.get(path)
    return (reply.json as readonly { sdTime: number; time: number; data: number }[]).toReversed()
  }

  it('shows samples where they are no more than its points, the earliest first, and intervals with their start', async () => {
    const { step, items } = await chart('temp', `sd=${startMs}&ed=${startMs + hourMs}&points=2`)
    assert.equal(step, null)
    assert.deepEqual(
      items.map(([sdTime, time]) => [sdTime, time]),
      [
        [startMs, startMs],
        [startMs + 30 * minuteMs + 1000, startMs + 30 * minuteMs + 1000],
      ],
    )
    const { items: intervals } = await chart('kwh', `sd=${startMs}&ed=${startMs + hourMs}`)
    assert.deepEqual(intervals, [
      [startMs - 30 * minuteMs, startMs, 0],
      [startMs, startMs + 30 * minuteMs, 1],
    ])
  })

  for (const [when, prepare] of [
    ['from samples', async () => {}],
    ['from tiles', () => rollUp(service.sql, Date.now()).then(() => undefined)],
  ] as const)
    it(`shows mean, least and most of intervals where there are more, as statistics do: ${when}`, async () => {
      await prepare()
      for (const streamId of ['temp', 'kwh'])
        for (const [points, cycle, step] of [
          [1200, 'hour', { size: 1, unit: 'hour' }],
          [50, 'day', { size: 1, unit: 'day' }],
          [8, 'week', { size: 1, unit: 'week' }],
        ] as const) {
          const shown = await chart(streamId, `points=${points}`)
          assert.deepEqual(shown.step, step)
          const [avg, min, max] = await Promise.all(
            ['avg', 'min', 'max'].map((statId) => statistic(streamId, cycle, statId)),
          )
          const expected = avg!.map(({ sdTime, time, data }, n) => [sdTime, time, data, min![n]!.data, max![n]!.data])
          assert.equal(shown.items.length, Math.min(1000, expected.length))
          for (const [n, item] of shown.items.entries()) {
            const [sdTime, time, mean, ...band] = expected[n]!
            assert.deepEqual([item[0], item[1], ...item.slice(3)], [sdTime, time, ...band])
            assert.ok(Math.abs(item[2]! - mean!) < 1e-9, `${item[2]} is not ${mean}`)
          }
        }
    })

  it('has steps that fit any window, down to milliseconds', async () => {
    const times = Array.from({ length: 3000 }, (_, n) => startMs + n)
    await service.put(`/api/feed?compId=Fast&v=${times.map((_, n) => n % 10).join()}&time=${times.join()}`)
    const fast = async (query: string) => (await service.get(`/api/comp/Fast/stream/v/chart?${query}`)).json as Chart
    const near = await fast(`sd=${startMs}&ed=${startMs + 3000}&points=400`)
    assert.deepEqual(near.step, { size: 10, unit: 'millisecond' })
    assert.equal(near.items.length, 300)
    assert.deepEqual(near.items[0], [startMs, startMs + 10, 4.5, 0, 9])
    const far = await fast(`sd=${-(10 ** 13)}&ed=${10 ** 13}&points=100`)
    assert.equal(far.step!.unit, 'year')
    assert.equal(far.items.length, 1)
  })

  it('has all there is without a window, and only its bounds with no points', async () => {
    const whole = await chart('on')
    assert.deepEqual(whole, {
      sd: startMs,
      ed: startMs + 2,
      timeZone: 'Europe/Berlin',
      step: null,
      items: [
        [startMs, startMs, 1],
        [startMs + 1, startMs + 1, 0],
      ],
    })
    assert.deepEqual(await chart('on', 'points=0'), { ...whole, items: [] })
    assert.deepEqual(
      (await chart('mode')).items.map(([, , value]) => value),
      [4],
    )
    assert.deepEqual(await chart('idle'), { ...whole, sd: null, ed: null, items: [] })
  })

  it('has no numbers for texts, but the samples or intervals that there are', async () => {
    assert.deepEqual((await chart('state')).items, [
      [startMs, startMs, null],
      [startMs + 1, startMs + 1, null],
    ])
    const { step, items } = await chart('state', 'points=1')
    assert.notEqual(step, null)
    assert.deepEqual(
      items.map(([from, to, value]) => [from! <= startMs && to! > startMs + 1, value]),
      [[true, null]],
    )
  })

  it('refuses more points than there are pixels, half a window, and streams that there are not', async () => {
    const status = async (path: string) => (await service.get(`/api/comp/${path}`)).status
    assert.equal(await status('Boiler/stream/temp/chart?points=4001'), 400)
    assert.equal(await status('Boiler/stream/temp/chart?points=-1'), 400)
    assert.equal(await status('Boiler/stream/temp/chart?ed=1'), 400)
    assert.equal(await status('Boiler/stream/temp/chart?sd=2&ed=1'), 400)
    assert.equal(await status('Boiler/stream/nothing/chart'), 404)
    assert.equal(await status('Nothing/stream/temp/chart'), 404)
  })
})
