// GET feed (docs/feeds.md#read), rule by rule.
import assert from 'node:assert/strict'
import { assertRefused, storesNothing } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const t = Date.parse('2026-01-15T12:00:00Z')
const hourMs = 3_600_000

describe('GET feed', () => {
  const clock = openTestClock(t)
  let service: TestService
  before(async () => {
    service = await openTestService({}, clock)
    const manage = await openManager(service)
    const celsius = await manage.make('unit', { id: 'c', name: 'Celsius', symbol: ' °C', numberFormat: '0,000.00' })
    const dollar = await manage.make('unit', { id: 'd', name: 'Dollar', symbol: '$', symbolLocation: 'before' })
    const onOff = await manage.make('unit', { id: 'o', name: 'Switch', booleanStyle: 'ON_OFF' })
    // A component whose definition order is not that of IDs, names or creation of samples.
    const stream = [
      { id: 'temp', unitUid: celsius.uid },
      { id: 'cost', valueType: 'LONG', unitUid: dollar.uid },
      { id: 'empty' },
      { id: 'led', valueType: 'BOOLEAN', unitUid: onOff.uid },
      { id: 'note', valueType: 'STRING', unitUid: celsius.uid },
      { id: 'set', kind: 'point' },
      { id: 'meter', kind: 'interval', baseCycleId: 'hour', unitUid: celsius.uid },
      { name: 'No ID' },
    ]
    const { stream: made } = await manage.make('component', { id: 'Boiler', stream })
    await manage.make('component', { id: 'Bare' })
    const values = [
      ['temp', 12345.678, t - 2000],
      ['temp', 20, t - 1000],
      ['temp', -0.001, t],
      ['cost', '9007199254740993', t - 1000],
      ['cost', 5, t],
      ['led', true, t - 1000],
      ['led', false, t],
      ['note', 'a"b', t],
      ['set', 7, 0],
      ['meter', 1, t],
      ['meter', 3, t + 2 * hourMs],
    ].map(([streamId, data, time]) => ({ compId: 'Boiler', streamId, data, time }))
    await service.put('/api/feed', JSON.stringify(values))
    const byUid = { streamUid: made.at(-1)!.uid, data: [8] }
    const reply = await service.put(
      '/api/feed',
      JSON.stringify({ feed: { component: [{ componentId: 'Boiler', stream: [byUid] }] } }),
    )
    assert.equal(reply.status, 200, reply.text)
    // Twelve hundred samples, in calls of their own so that they lie in several writes.
    for (const part of [0, 1, 2]) {
      const times = Array.from({ length: 400 }, (_, n) => t + part * 400 + n)
      await service.put(
        `/api/feed?compId=Many&a=${times.map((time) => time - t).join()}&b=${times.map(() => 1).join()}&time=${times.join()}`,
      )
    }
  })
  after(() => service.close())

  const get = (path: string) => service.get(`/api/comp/${path}`)
  const text = async (path: string) => (await get(path)).text
  const lines = async (path: string) =>
    (
      (await get(`${path}${path.includes('?') ? '&' : '?'}retStreamId`)).json as {
        streamId: string
        time: number
        data: unknown
      }[]
    ).map(({ streamId, time, data }) => `${streamId} ${time - t}=${JSON.stringify(data)}`)

  describe('that is refused', () => {
    const refused: readonly [path: string, status: number, code: string, message: string][] = [
      ['Boiler/feed?sd=1', 400, 'bad_request', 'sd needs ed'],
      ['Boiler/feed?sd=2&ed=1', 400, 'bad_request', 'sd is after ed'],
      ['Boiler/feed?ed=x', 400, 'bad_request', "ed must be epoch milliseconds, not 'x'"],
      ['Boiler/feed?limit=0', 400, 'bad_request', 'limit must be at least 1, not 0'],
      ['Boiler/feed?limit=', 400, 'bad_request', "limit must be an integer, not ''"],
      ['Nobody/feed?limit=x', 400, 'bad_request', "limit must be an integer, not 'x'"],
      ['Nobody/feed', 404, 'component_not_found', "component 'Nobody' not found"],
      ['boiler/feed', 404, 'component_not_found', "component 'boiler' not found"],
      ['Boiler%20/feed', 404, 'component_not_found', "component 'Boiler ' not found"],
      ['Nobody/stream/temp/feed', 404, 'component_not_found', "component 'Nobody' not found"],
      ['Boiler/stream/none/feed', 404, 'stream_not_found', "stream 'none' not found"],
      ['Boiler/stream/__proto__/feed', 404, 'stream_not_found', "stream '__proto__' not found"],
      ['%00/feed', 400, 'bad_request', 'the address has a control character'],
      ['Boiler/stream/a%0Ab/feed', 400, 'bad_request', 'the address has a control character'],
      ['%/feed', 400, 'bad_request', "broken escape in '/api/comp/%/feed'"],
      ['%ff/feed', 400, 'bad_request', "broken escape in '/api/comp/%ff/feed'"],
      ['Boiler/feed?x=%', 400, 'bad_request', "broken escape in '%'"],
    ]
    for (const [path, status, code, message] of refused)
      it(`answers ${status} to ${path}: ${message}`, async () => assertRefused(await get(path), status, code, message))

    it('refuses a component or stream that is not there, and makes neither', () =>
      storesNothing(service, async () => {
        for (const path of ['Nobody/feed', 'Boiler/stream/none/feed', 'Nobody/last_value'])
          assert.equal((await get(path)).status, 404)
      }))

    it('refuses a key that is limited to other components, whether the component exists or not', async () => {
      const [{ uid }] = await service.sql<[{ uid: string }]>`select uid from component where id = 'Bare'`
      const one = await openManager(service, [{ resource: `component/${uid}/feed`, methods: ['GET'] }])
      assert.equal((await one.ask('GET', '/api/comp/Bare/feed')).status, 200)
      const answers = await Promise.all(['Boiler', 'Nobody'].map((id) => one.ask('GET', `/api/comp/${id}/feed`)))
      assert.deepEqual(answers[0], answers[1])
      assert.equal(answers[0]!.status, 403)
    })
  })

  it('orders by stream, then from the latest back', async () => {
    assert.deepEqual(await lines('Boiler/feed'), [
      'temp 0=-0.001',
      'temp -1000=20',
      'temp -2000=12345.678',
      'cost 0=5',
      'cost -1000=9007199254740992',
      'led 0=false',
      'led -1000=true',
      'note 0="a\\"b"',
      'set 0=7',
      `meter ${2 * hourMs}=3`,
      `meter ${hourMs}=null`,
      'meter 0=1',
      ' 0=8',
    ])
  })

  it('answers compact JSON with its length', async () => {
    const reply = await get('Boiler/stream/cost/feed')
    assert.equal(reply.text, `[{"time":${t},"data":5},{"time":${t - 1000},"data":9007199254740993}]`)
    assert.equal(reply.headers.get('content-length'), String(Buffer.byteLength(reply.text)))
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('shows the members that are asked for, in one order', async () => {
    assert.equal(
      await text('Boiler/stream/meter/feed?limit=1&retUnit&retFData&retIntvlSd&retStreamId&retCompId'),
      `[{"compId":"Boiler","streamId":"meter","sdTime":${t + hourMs},"time":${t + 2 * hourMs},"data":3,"fData":"3.00 °C","unit":" °C"}]`,
    )
    assert.equal(
      await text('Boiler/stream/temp/feed?limit=1&RETSTREAMID=&retUnit=false&retFData=False'),
      `[{"streamId":"temp","time":${t},"data":-0.001}]`,
    )
  })

  it('ignores parameters it does not know, a cache-buster too', async () => {
    assert.equal(await text('Boiler/stream/note/feed?_=123&callback=x'), `[{"time":${t},"data":"a\\"b"}]`)
  })

  describe('limit', () => {
    it('is 1000 when not given, and cut to 1000', async () => {
      for (const query of ['', '?limit=1000', '?limit=1001', '?limit=9007199254740991']) {
        const samples = (await get(`Many/stream/a/feed${query}`)).json as { data: number }[]
        assert.equal(samples.length, 1000)
        assert.equal(samples[0]!.data, 1199)
        assert.equal(samples.at(-1)!.data, 200)
      }
    })

    it('counts over all streams: the first takes what it needs', async () => {
      const of = async (query: string) => {
        const samples = (await get(`Many/feed?retStreamId&${query}`)).json as { streamId: string }[]
        return ['a', 'b'].map((id) => samples.filter(({ streamId }) => streamId === id).length)
      }
      assert.deepEqual(await of('limit=1000'), [1000, 0])
      assert.deepEqual(await of(`limit=300&ed=${t + 200}`), [200, 100])
      assert.deepEqual(await of(`limit=300&sd=${t}&ed=${t + 299}`), [299, 1])
    })

    it('leaves the rest to the next streams, past those that have none', async () => {
      assert.deepEqual(await lines('Boiler/feed?limit=6'), [
        'temp 0=-0.001',
        'temp -1000=20',
        'temp -2000=12345.678',
        'cost 0=5',
        'cost -1000=9007199254740992',
        'led 0=false',
      ])
    })
  })

  describe('window', () => {
    it('begins with sd and ends before ed', async () => {
      assert.deepEqual(await lines(`Boiler/stream/temp/feed?sd=${t - 2000}&ed=${t}`), [
        'temp -1000=20',
        'temp -2000=12345.678',
      ])
      assert.deepEqual(await lines(`Boiler/stream/temp/feed?sd=${t - 1999}&ed=${t + 1}`), [
        'temp 0=-0.001',
        'temp -1000=20',
      ])
      assert.deepEqual(await lines(`Boiler/stream/temp/feed?sd=${t}&ed=${t}`), [])
    })

    it('holds the latest before ed when that is given alone', async () => {
      assert.deepEqual(await lines(`Boiler/stream/temp/feed?ed=${t}&limit=1`), ['temp -1000=20'])
    })

    it('is about the time that is shown, of intervals too', async () => {
      const ends = (sd: number, ed: number) => lines(`Boiler/stream/meter/feed?sd=${sd}&ed=${ed}`)
      assert.deepEqual(await ends(t, t + 1), ['meter 0=1'])
      assert.deepEqual(await ends(t - hourMs, t), [])
      assert.deepEqual(await ends(t + hourMs, t + 2 * hourMs), [`meter ${hourMs}=null`])
      assert.deepEqual(await ends(t + 1, t + 2 * hourMs + 1), [`meter ${2 * hourMs}=3`, `meter ${hourMs}=null`])
    })

    it('holds a point when its update lies in it', async () => {
      assert.deepEqual(await lines(`Boiler/stream/set/feed?sd=${t}&ed=${t + 1}`), ['set 0=7'])
      assert.deepEqual(await lines(`Boiler/stream/set/feed?sd=${t + 1}&ed=${t + 2}`), [])
    })

    it('may be the whole calendar', async () => {
      assert.equal((await lines('Boiler/feed?sd=-62135596800000&ed=253402300799999')).length, 13)
    })
  })

  it('gives [] for a component without streams and for an empty window', async () => {
    assert.equal(await text('Bare/feed'), '[]')
    assert.equal(await text('Boiler/stream/empty/feed'), '[]')
    assert.equal(await text('Boiler/feed?sd=0&ed=1'), '[]')
  })

  it('formats numbers by the unit, booleans by its words, null as nothing, and text as it is', async () => {
    const of = async (stream: string) =>
      ((await get(`Boiler/stream/${stream}/feed?retFData&retUnit`)).json as { fData: string; unit: string }[]).map(
        ({ fData, unit }) => `${fData}|${unit}`,
      )
    assert.deepEqual(await of('temp'), ['0.00 °C| °C', '20.00 °C| °C', '12,345.68 °C| °C'])
    assert.deepEqual(await of('cost'), ['$5|$', '$9007199254740993|$'])
    assert.deepEqual(await of('led'), ['Off|', 'On|'])
    assert.deepEqual(await of('note'), ['a"b| °C'])
    assert.deepEqual(await of('set'), ['7|'])
    assert.deepEqual(await of('meter'), ['3.00 °C| °C', '| °C', '1.00 °C| °C'])
  })

  it('gives as sdTime the start of an interval, and in other streams the time itself', async () => {
    assert.equal(await text('Boiler/stream/set/feed?retIntvlSd'), `[{"sdTime":${t},"time":${t},"data":7}]`)
    assert.equal(await text('Boiler/stream/note/feed?retIntvlSd'), `[{"sdTime":${t},"time":${t},"data":"a\\"b"}]`)
    assert.equal(
      await text('Boiler/stream/meter/feed?retIntvlSd&limit=1'),
      `[{"sdTime":${t + hourMs},"time":${t + 2 * hourMs},"data":3}]`,
    )
  })

  it('gives samples that were just acknowledged: an append, an overwrite, a late sample', async () => {
    for (const [value, time] of [
      [1, 100],
      [2, 100],
      [3, 50],
    ] as const) {
      await service.put(`/api/feed?compId=Fresh&a=${value}&time=${time}`)
      assert.ok((await text('Fresh/feed?limit=5')).includes(`{"time":${time},"data":${value}}`))
    }
  })

  it('reads IDs of any characters from the path, where + is a plus', async () => {
    for (const id of ['a+b', 'a b', 'a/b', 'ä€😀', '%41', '?#&=', '.hidden', '__proto__']) {
      const name = encodeURIComponent(id)
      await service.put(`/api/feed?compId=${name}&${name}=1`)
      const path = `${name.replace('%2B', '+')}/stream/${name.replace('%2B', '+')}/feed?retCompId&retStreamId`
      assert.deepEqual((await get(path)).json, [{ compId: id, streamId: id, time: t, data: 1 }])
    }
  })
})
