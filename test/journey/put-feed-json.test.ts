// PUT /feed with a JSON array (docs/feeds.md#upload-as-json), rule by rule.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { assertEmpty, assertRefused, componentOf, linesOf, storesNothing, streamsOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

/** The hint of every refusal of a wrong form. */
const arrayForm = '[{"compId":"C","streamId":"s","data":0,"time":0}]'
const objectForm = '{"feed":{"component":[{"componentId":"C","time":[0],"stream":[{"streamId":"s","data":[0]}]}]}}'
const inArrayForm = `; a body is ${arrayForm}`
const eitherForm = `the body must be ${arrayForm} or ${objectForm}`

const t = Date.parse('2026-01-15T12:34:56.789Z')
const s = (more = {}) => ({ compId: 'X', streamId: 's', data: 1, ...more })

describe('PUT /feed with a JSON array', () => {
  const clock = openTestClock(t)
  let service: TestService
  before(async () => {
    service = await openTestService({ organizationTimeZone: 'Europe/Berlin' }, clock)
    const manage = await openManager(service)
    const stream = [
      { id: 'num' },
      { id: 'long', valueType: 'LONG' },
      { id: 'flag', valueType: 'BOOLEAN' },
      { id: 'text', valueType: 'STRING' },
      { id: 'point', kind: 'point' },
      { id: 'hour', kind: 'interval', baseCycleId: 'hour' },
      // Can be written by this form only: as a parameter its name is reserved.
      { id: 'time' },
    ]
    await manage.make('component', { id: 'Every', stream })
    await manage.make('template', {
      id: 'plain',
      name: 'Plain',
      stream: [{ id: 'a' }, { id: 'meter', kind: 'interval', baseCycleId: 'hour' }],
    })
  })
  after(() => service.close())

  const put = (body: unknown, query = '', headers?: Record<string, string>) =>
    service.put(
      `/api/feed?api_key=${service.apiKey}&${query}`,
      typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      headers && { headers },
    )
  const stored = async (body: unknown, query = '') => assertEmpty(await put(body, query))
  const lines = (compId: string) => linesOf(service, compId, t)
  const streams = (compId: string) => streamsOf(service.sql, compId)
  let last = 0
  const newId = () => `new-${(last += 1)}`

  describe('that is refused, and stores nothing at all', () => {
    const refused: readonly [body: unknown, query: string, message: string | RegExp][] = [
      ['[', '', /^the body is not JSON: /],
      ['[{]', '', /^the body is not JSON: /],
      ['hello', '', /^the body is not JSON: .*; a body is \[{"compId":"C","streamId":"s","data":0,"time":0}\]$/],
      ['5', '', eitherForm],
      [[5], '', `element 0 must be an object${inArrayForm}`],
      [[s(), { streamId: 's', data: 1 }], '', `element 1 has no compId${inArrayForm}`],
      [[s(), s({ compId: 7 })], '', 'compId of element 1 must be a string'],
      [[s(), s({ streamId: undefined })], '', `element 1 has no streamId${inArrayForm}`],
      [[s(), s({ data: undefined })], '', `element 1 has no data${inArrayForm}`],
      [[s(), s({ data: {} })], '', 'the data of element 1 must be a number or a string'],
      [[s(), s({ time: 'soon' })], '', "time of element 1 must be epoch milliseconds, not 'soon'"],
      [[s(), s({ time: 1.5 })], '', 'time of element 1 must be epoch milliseconds, an integer'],
      [[s(), s({ time: -62135596800001 })], '', 'time of element 1 -62135596800001 is outside the years 1 to 9999'],
      [[s(), s({ compId: 'a\0' })], '', 'compId of element 1 has a character that cannot be stored'],
      [[s(), s({ streamId: 'a\n' })], '', 'streamId of element 1 has a control character'],
      [[s(), s({ streamId: 'x'.repeat(513) })], '', 'streamId of element 1 must have at most 512 characters'],
      [
        '[{"compId":"X","streamId":"\\ud800","data":1}]',
        '',
        'streamId of element 0 has a character that cannot be stored',
      ],
      [
        '[{"compId":"X","streamId":"s","data":"\\udfff"}]',
        '',
        /^stream 's' of component 'X' is STRING and cannot take/,
      ],
      [
        '[{"compId":"X","streamId":"s","data":1e999}]',
        '',
        "stream 's' of component 'X' is DOUBLE and cannot take 'Infinity'",
      ],
      [[s({ data: 'nan' })], '', "stream 's' of component 'X' cannot take 'nan'"],
      [[s(), s({ streamId: 'u', data: ' Infinity ' })], '', "stream 'u' of component 'X' cannot take ' Infinity '"],
      [
        [s(), s({ compId: 'Every', streamId: 'num', data: true })],
        '',
        "stream 'num' of component 'Every' is DOUBLE and cannot take 'true'",
      ],
      [
        [s(), s({ compId: 'Every', streamId: 'num', data: 'warm' })],
        '',
        "stream 'num' of component 'Every' is DOUBLE and cannot take 'warm'",
      ],
      [
        [s(), s({ compId: 'Every', streamId: 'long', data: 1.5 })],
        '',
        "stream 'long' of component 'Every' is LONG and cannot take '1.5'",
      ],
      [
        [s(), s({ compId: 'Every', streamId: 'long', data: false })],
        '',
        "stream 'long' of component 'Every' is LONG and cannot take 'false'",
      ],
      [
        '[{"compId":"Every","streamId":"long","data":9223372036854775808}]',
        '',
        "stream 'long' of component 'Every' is LONG and cannot take '9223372036854775808'",
      ],
      [
        '[{"compId":"Every","streamId":"text","data":1e999}]',
        '',
        "stream 'text' of component 'Every' is STRING and cannot take 'Infinity'",
      ],
      [
        [s(), s({ compId: 'Every', streamId: 'flag', data: 2 })],
        '',
        "stream 'flag' of component 'Every' is BOOLEAN and cannot take '2'",
      ],
      [[s()], 'rsid=s', 'rsid needs the URL form, without a body'],
      [[s()], 'folder=/x', "folder must be /Components or below it, not '/x'"],
      [[s()], 'dsId=meter', 'dtId and dsId go together'],
      [[s()], 'derMaxS=x', "derMaxS must be an integer, not 'x'"],
    ]
    for (const [body, query, message] of refused)
      it(`refuses ${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 60)}: ${String(message)}`, () =>
        storesNothing(service, async () => {
          const reply = await put(body, query)
          assert.equal(reply.status, 400, reply.text)
          const { code, message: told } = reply.json as { code: string; message: string }
          assert.equal(code, 'bad_request')
          if (typeof message === 'string') assert.equal(told, message)
          else assert.match(told, message)
        }))

    it('answers 404 to a template that is none', () =>
      storesNothing(service, async () => {
        assertRefused(await put([s()], 'compTmplId=none'), 404, 'template_not_found', "template 'none' not found")
        assertRefused(await put([s()], 'dtId=plain&dsId=none'), 404, 'stream_not_found', "stream 'none' not found")
      }))

    it('answers 413 to more than 100,000 samples', () =>
      storesNothing(service, async () => {
        const body = `[${Array.from({ length: 100_001 }, () => '{"compId":"X","streamId":"s","data":1}').join()}]`
        assertRefused(await put(body), 413, 'too_large', 'more than 100000 samples in one call')
        // Six streams for a year, every quarter of an hour: more JSON values than there may be, but that is not the point.
        const year = Array.from({ length: 210_240 }, (_, n) => `{"compId":"X","streamId":"s","data":1,"time":${n}}`)
        assertRefused(await put(`[${year.join()}]`), 413, 'too_large', 'more than 100000 samples in one call')
        // Not read sample by sample, because of what is nested.
        const nested = Array.from({ length: 210_240 }, (_, n) => `{"streamId":"s","data":1,"time":${n},"more":[]}`)
        assertRefused(
          await put(`[${nested.join()}]`),
          413,
          'too_large',
          'the body has more than 1000000 JSON values; one call takes up to 100000 samples',
        )
      }))

    it('answers 413 to more than 64 MiB, inflated', () =>
      storesNothing(service, async () => {
        const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '))
        const reply = await put(bomb, '', { 'Content-Encoding': 'gzip' })
        assertRefused(reply, 413, 'too_large', 'the body is larger than 67108864 bytes')
      }))

    it('answers 415 to an encoding other than gzip', () =>
      storesNothing(service, async () => {
        const reply = await put(brotliCompressSync('[]'), '', { 'Content-Encoding': 'br' })
        assertRefused(reply, 415, 'unsupported_media_type', "the encoding 'br' is not supported, gzip is")
      }))

    it('answers 400 to a body that is not UTF-8', () =>
      storesNothing(service, async () => {
        const body = Buffer.from('[{"compId":"X","streamId":"s","data":"\xff"}]', 'latin1')
        assertRefused(await put(body), 400, 'bad_request', 'the body is not UTF-8')
      }))

    it('answers 403 to one component of many that the key is not for', async () => {
      const [{ uid }] = await service.sql<[{ uid: string }]>`select uid from component where id = 'Every'`
      const one = await openManager(service, [{ resource: `component/${uid}/feed`, methods: ['PUT'] }])
      const every = s({ compId: 'Every', streamId: 'fresh' })
      await storesNothing(service, async () => {
        const answer = await one.ask('PUT', '/api/feed', [every, s()])
        assert.deepEqual(answer, {
          status: 403,
          body: { success: false, code: 'forbidden', message: 'this credential may not PUT component/*/feed' },
        })
      })
      assert.equal((await one.ask('PUT', '/api/feed', [s({ compId: 'Every', streamId: 'num' })])).status, 200)
    })
  })

  it('answers an empty 200', () => stored([s({ compId: newId() })]))

  it('takes the form from the body, whatever its Content-Type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const id = newId()
      assertEmpty(await put([s({ compId: id })], '', { 'Content-Type': type }))
      assert.deepEqual(await lines(id), ['s 0=1'])
    }
  })

  it('takes a body of blanks for none, and the URL form holds', async () => {
    const id = newId()
    await stored(' \r\n', `compId=${id}&a=1`)
    assert.deepEqual(await lines(id), ['a 0=1'])
  })

  it('undoes gzip', async () => {
    const id = newId()
    assertEmpty(await put(gzipSync(JSON.stringify([s({ compId: id })])), '', { 'Content-Encoding': 'GZIP' }))
    assert.deepEqual(await lines(id), ['s 0=1'])
  })

  it('skips a BOM, and blanks around the array', async () => {
    const id = newId()
    await stored(`\uFEFF \n${JSON.stringify([s({ compId: id })])}\r\n`)
    assert.deepEqual(await lines(id), ['s 0=1'])
  })

  it('does nothing for []', () => storesNothing(service, () => stored([])))

  it('takes [] beside samples in the query for the URL form, which some hubs send so', async () => {
    const id = newId()
    await stored([], `compId=${id}&temp=20.1`)
    await stored(' [ ]\r\n', `compId=${id}&data=5&time=${t + 3}`)
    assert.deepEqual(await lines(id), ['temp 3=5', 'temp 0=20.1'])
    await storesNothing(service, () => stored([], `compId=${id}`))
    await storesNothing(service, () => stored([], 'temp=20.1'))
  })

  it("names of members ignore case, as parameters' do", async () => {
    const id = newId()
    await stored([{ compID: id, streamID: 'a', Data: 1, TIME: t + 1 }, s({ compId: id })])
    assert.deepEqual(await lines(id), ['a 1=1', 's 0=1'])
  })

  it("gives an element without compId the query's", async () => {
    const [id, other] = [newId(), newId()]
    await stored(
      [{ streamId: 'a', data: 1 }, s({ compId: other }), { compId: null, streamId: 'b', data: 2 }],
      `compId=${id}`,
    )
    assert.deepEqual(await lines(id), ['a 0=1', 'b 0=2'])
    assert.deepEqual(await lines(other), ['s 0=1'])
  })

  it("takes the server's time where one is null or missing, and one in quotes for a time", async () => {
    const id = newId()
    const of = (streamId: string, time?: unknown) => s({ compId: id, streamId, time })
    await stored([of('a'), of('b', null), of('c', t + 1), of('d', String(t + 2))])
    assert.deepEqual(await lines(id), ['a 0=1', 'b 0=1', 'c 1=1', 'd 2=1'])
  })

  it('ignores unknown members', async () => {
    const id = newId()
    await stored([s({ compId: id, unit: 'K', nested: { deep: [1, 2] } })])
    assert.deepEqual(await lines(id), ['s 0=1'])
  })

  it('makes a DOUBLE without samples of null for a new stream', async () => {
    const id = newId()
    await stored([s({ compId: id, data: null })])
    assert.deepEqual(await streams(id), ['1 s random DOUBLE'])
    assert.deepEqual(await lines(id), [])
  })

  it('makes a DOUBLE of numbers and texts of numbers, a STRING of other texts and booleans', async () => {
    const id = newId()
    const of = (streamId: string, data: unknown, time = t) => s({ compId: id, streamId, data, time })
    await stored([
      of('a', 1),
      of('b', '21.5'),
      of('c', true),
      of('d', 1),
      of('d', 'x', t + 1),
      of('e', null),
      of('e', 2, t + 1),
      of('f', '7'),
      of('f', 'on', t + 1),
    ])
    assert.deepEqual(await streams(id), [
      '1 a random DOUBLE',
      '2 b random DOUBLE',
      '3 c random STRING',
      '4 d random STRING',
      '5 e random DOUBLE',
      '6 f random STRING',
    ])
    assert.deepEqual(await lines(id), [
      'a 0=1',
      'b 0=21.5',
      'c 0="true"',
      'd 1="x"',
      'd 0="1"',
      'e 1=2',
      'f 1="on"',
      'f 0="7"',
    ])
  })

  it('converts later values to the type of the stream', async () => {
    const of = (streamId: string, data: unknown) => s({ compId: 'Every', streamId, data })
    await stored([
      of('num', ' 21.50 '),
      of('long', '9007199254740993'),
      of('flag', 1),
      of('text', 5),
      of('point', '6'),
      of('time', 7),
    ])
    const reply = await service.get('/api/comp/Every/last_value?retStreamId')
    assert.deepEqual(
      (reply.json as { streamId: string; data: unknown }[]).map(
        ({ streamId, data }) => `${streamId}=${JSON.stringify(data)}`,
      ),
      ['num=21.5', 'long=9007199254740992', 'flag=true', 'text="5"', 'point=6', 'time=7'],
    )
    assert.ok(reply.text.includes('"data":9007199254740993}'))
  })

  it('keeps integers beyond 2^53 exact in a LONG, and digits of a fraction as they are', async () => {
    await stored(
      '[{"compId":"Every","streamId":"long","data":9223372036854775807},{"compId":"Every","streamId":"num","data":0.30000000000000004}]',
    )
    assert.equal(
      (await service.get('/api/comp/Every/stream/long/last_value')).text,
      `[{"time":${t},"data":9223372036854775807}]`,
    )
    assert.equal(
      (await service.get('/api/comp/Every/stream/num/last_value')).text,
      `[{"time":${t},"data":0.30000000000000004}]`,
    )
  })

  it('takes null for a gap in an interval stream and for nothing in a random or point stream', async () => {
    const of = (streamId: string, data: unknown, time = t) => s({ compId: 'Every', streamId, data, time })
    await stored([of('num', 3), of('point', 4), of('hour', 5)])
    await stored([of('num', null), of('point', null), of('hour', null)])
    const values = (await service.get('/api/comp/Every/last_value?retStreamId')).json as {
      streamId: string
      data: unknown
    }[]
    assert.deepEqual(
      values.filter(({ streamId }) => ['num', 'point', 'hour'].includes(streamId)).map(({ data }) => data),
      [3, 4, null],
    )
  })

  it('keeps the last of the same stream and time, and overwrites a stored time', async () => {
    const id = newId()
    const of = (data: number, time: number) => s({ compId: id, data, time })
    await stored([of(1, 5), of(2, 6), of(3, 5), of(4, 4), of(5, 5)])
    assert.deepEqual(await linesOf(service, id), ['s 6=2', 's 5=5', 's 4=4'])
    await stored([of(6, 7), of(7, 5), of(8, 7)])
    assert.deepEqual(await linesOf(service, id), ['s 7=8', 's 6=2', 's 5=7', 's 4=4'])
  })

  it('fills gaps between the first and the last interval of the call', async () => {
    const base = Date.parse('2026-02-01T00:00:00Z')
    const of = (data: number, hour: number) =>
      s({ compId: 'Every', streamId: 'hour', data, time: base + hour * 3_600_000 })
    const read = async () =>
      (
        (await service.get(`/api/comp/Every/stream/hour/feed?sd=${base}&ed=${base + 86_400_000}`)).json as {
          data: unknown
        }[]
      )
        .map(({ data }) => data)
        .toReversed()
    await stored([of(1, 1), of(3, 3)])
    assert.deepEqual(await read(), [1, null, 3])
    await stored([of(5, 1), of(7, 4)], 'autofillGapsWithNulls=false')
    assert.deepEqual(await read(), [5, null, 3, 7])
  })

  describe('new components', () => {
    it('may be many in one call, each with its streams in the order of appearance', async () => {
      const ids = Array.from({ length: 30 }, newId)
      await stored(ids.flatMap((compId) => ['z', 'a', 'm'].map((streamId) => s({ compId, streamId }))))
      for (const id of ids) {
        assert.deepEqual(await streams(id), ['1 z random DOUBLE', '2 a random DOUBLE', '3 m random DOUBLE'])
        assert.deepEqual(await componentOf(service.sql, id), {
          name: id,
          folder: '/Components',
          zone: 'Europe/Berlin',
          template: null,
        })
      }
    })

    it('take compTmplId and folder; new streams take dtId and dsId', async () => {
      const id = newId()
      await stored(
        [s({ compId: id, streamId: 'a' }), s({ compId: id, streamId: 'x' })],
        'compTmplId=plain&folder=/Components/J/&dtId=plain&dsId=meter',
      )
      assert.deepEqual(await componentOf(service.sql, id), {
        name: id,
        folder: '/Components/J',
        zone: 'Europe/Berlin',
        template: 'plain',
      })
      assert.deepEqual(await streams(id), ['1 a random DOUBLE', '2 meter interval DOUBLE', '3 x interval DOUBLE'])
    })

    it('are made once by a call that names one twice, old and new together', async () => {
      const id = newId()
      await stored([
        s({ compId: 'Every', streamId: 'num' }),
        s({ compId: id }),
        s({ compId: 'Every', streamId: `${id}-x` }),
        s({ compId: id, streamId: 'u' }),
      ])
      assert.deepEqual(await streams(id), ['1 s random DOUBLE', '2 u random DOUBLE'])
    })
  })

  it('is answered without node:http when it comes in one piece, and by it when it does not', async () => {
    const id = newId()
    const body = JSON.stringify([s({ compId: id })])
    const head = `PUT /api/feed?api_key=${service.apiKey} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n`
    let requests = 0
    const count = () => (requests += 1)
    subscribe('http.server.request.start', count)
    try {
      for (const [pieces, byHttp] of [
        [[head + body], 0],
        [[head, body], 1],
      ] as const) {
        const wire = await openWire(service.url)
        for (const piece of pieces) {
          wire.send(piece)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        assert.equal((await wire.reply()).statusLine, 'HTTP/1.1 200 OK')
        wire.close()
        assert.equal(requests, byHttp)
      }
    } finally {
      unsubscribe('http.server.request.start', count)
    }
    assert.deepEqual(await lines(id), ['s 0=1'])
  })

  it('takes 100,000 samples in one call', async () => {
    const id = newId()
    const body = `[${Array.from({ length: 100_000 }, (_, n) => `{"compId":"${id}","streamId":"s${n % 100}","data":${n},"time":${t + n}}`).join()}]`
    await stored(body)
    const [{ count }] = await service.sql<[{ count: number }]>`
      select count(*)::integer as count
      from sample
      join stream on stream.key = sample.stream_key
      join component on component.key = stream.component_key
      where component.id = ${id}`
    assert.equal(count, 100_000)
  })
})
