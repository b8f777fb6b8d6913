// PUT /feed without a body (docs/feeds.md#upload-in-the-url), rule by rule.
import assert from 'node:assert/strict'
import { assertEmpty, assertRefused, componentOf, linesOf, storesNothing, streamsOf } from '../support/feed.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const t = Date.parse('2026-01-15T12:34:56.789Z')
const hourMs = 3_600_000
const bad = [400, 'bad_request'] as const

describe('PUT /feed without a body', () => {
  const clock = openTestClock(t)
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService({ organizationTimeZone: 'Europe/Berlin' }, clock)
    manage = await openManager(service)
    const stream = [
      { id: 'num' },
      { id: 'long', valueType: 'LONG' },
      { id: 'flag', valueType: 'BOOLEAN' },
      { id: 'text', valueType: 'STRING' },
      { id: 'file', valueType: 'FILE' },
      { id: 'point', kind: 'point' },
      { id: 'hour', kind: 'interval', baseCycleId: 'hour' },
      { id: 'day', kind: 'interval', baseCycleId: 'day' },
    ]
    await manage.make('component', { id: 'Every', stream })
    await manage.make('template', {
      id: 'zoned',
      name: 'Zoned',
      timeZone: 'Asia/Kolkata',
      stream: [
        { id: 'a', valueType: 'LONG' },
        { id: 'b', valueType: 'STRING' },
      ],
    })
    await manage.make('template', {
      id: 'plain',
      name: 'Plain',
      stream: [{ id: 'a' }, { id: 'meter', kind: 'interval', baseCycleId: 'hour' }],
    })
  })
  beforeEach(() => clock.set(t))
  after(() => service.close())

  const put = (query: string) => service.put(`/api/feed?${query}`)
  const stored = async (query: string) => assertEmpty(await put(query))
  const lines = (compId: string) => linesOf(service, compId, t)
  const streams = (compId: string) => streamsOf(service.sql, compId)
  let last = 0
  /** An ID that no component has yet. */
  const newId = () => `new-${(last += 1)}`

  it('writes a stream whose ID is a word of this API when it is there', async () => {
    const body = JSON.stringify([{ compId: 'Words', streamId: 'limit', data: 1, time: t }])
    assertEmpty(await service.put('/api/feed', body))
    await stored(`compId=Words&limit=2&time=${t}`)
    assert.deepEqual(await lines('Words'), ['limit 0=2'])
  })

  describe('that is refused, and stores nothing at all', () => {
    const refused: readonly [query: string, message: string][] = [
      ['a=1', 'compId is missing'],
      [
        'time=5',
        'compId is missing; no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length',
      ],
      [
        'compId=X&streamId=temp&data=1',
        "'streamId' is a word of this API and not made a stream: use the ID itself as the name, as in temp=20.1",
      ],
      ['compId=X&COMPONENTID=Y&a=1', "'COMPONENTID' is a word of this API and not made a stream: use compId"],
      ['compId=X&a=1&templateId=T', "'templateId' is a word of this API and not made a stream: use compTmplId"],
      ['compId=X&a=1&sd=5&ed=6', "'sd' is a word of this API and not made a stream: use time"],
      ['compId=X&a=1&apiKey=k', "'apiKey' is a word of this API and not made a stream: use api_key"],
      ['compId=X&a=1&limit=5', "'limit' is a word of this API and not made a stream: this call has no such parameter"],
      ['compId=X&a=1&rsid=Stat', "'Stat' is a word of this API and not made a stream: this call has no such parameter"],
      ['compId=&a=1', 'compId must not be empty'],
      ['compId=X', 'no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length'],
      [
        'compId=X&rsid=a',
        'no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length',
      ],
      ['compId=X&compId=Y&a=1', 'compId is given more than once'],
      ['compId=X&a=1&a=2', "stream 'a' is given twice"],
      ['compId=X&a=1&time=5&freq=5', 'time and freq exclude each other'],
      ['compId=X&a=1&time=5&timeEl=5', 'time and timeEl exclude each other'],
      ['compId=X&a=1,2', "2 values for 'a' need time, timeEl or freq"],
      ['compId=X&a=1,2&time=5', "2 values for 'a' but 1 in time"],
      ['compId=X&a=1,2&b=1&freq=5&time=1', 'time and freq exclude each other'],
      ['compId=X&a=1,2&b=3&timeEl=5,0', "1 values for 'b' but 2 in timeEl"],
      ['compId=X&a=1&time=now', "time must be epoch milliseconds, not 'now'"],
      ['compId=X&a=1&time=253402300800000', 'time 253402300800000 is outside the years 1 to 9999'],
      ['compId=X&a=1&timeEl=-1', 'timeEl must be at least 0, not -1'],
      ['compId=X&a=1&freq=0', 'freq must be at least 1, not 0'],
      ['compId=X&a=1&delim=', 'delim must have 1 to 8 characters'],
      ['compId=X&a=1&folder=/Elsewhere', "folder must be /Components or below it, not '/Elsewhere'"],
      ['compId=X&a=1&dtId=plain', 'dtId and dsId go together'],
      ['compId=X&a=1&derMaxS=x', "derMaxS must be an integer, not 'x'"],
      ['compId=X&a=1&derTout=-1', 'derTout must be at least 0, not -1'],
      ['compId=X&a=%', "broken escape in '%'"],
      ['compId=%ff&a=1', "broken escape in '%ff'"],
      ['compId=%ED%A0%80&a=1', "broken escape in '%ED%A0%80'"],
      ['compId=X%00&a=1', 'compId has a character that cannot be stored'],
      ['compId=X%0D&a=1', 'compId has a control character'],
      [`compId=${'x'.repeat(513)}&a=1`, 'compId must have at most 512 characters'],
      ['compId=X&%00=1', 'stream ID has a character that cannot be stored'],
      ['compId=X&a=nan', "stream 'a' of component 'X' cannot take 'nan'"],
      ['compId=X&a=1&b=-Infinity', "stream 'b' of component 'X' cannot take '-Infinity'"],
      [
        'compId=X&a=x%00',
        "stream 'a' of component 'X' is STRING and cannot take 'x\ufffd': it holds a character that cannot be stored",
      ],
      ['compId=X&a=1e999', "stream 'a' of component 'X' is DOUBLE and cannot take '1e999'"],
      ['compId=X&data=1&data1=2', "stream 'data1' is given by name and by position"],
      ['compId=Every&data=1&num=2', "stream 'num' is given by name and by position"],
      ['compId=Every&num=warm', "stream 'num' of component 'Every' is DOUBLE and cannot take 'warm'"],
      ['compId=Every&num=0x10', "stream 'num' of component 'Every' is DOUBLE and cannot take '0x10'"],
      ['compId=Every&num=inf', "stream 'num' of component 'Every' is DOUBLE and cannot take 'inf'"],
      ['compId=Every&long=1.5', "stream 'long' of component 'Every' is LONG and cannot take '1.5'"],
      [
        'compId=Every&long=9223372036854775808',
        "stream 'long' of component 'Every' is LONG and cannot take '9223372036854775808'",
      ],
      ['compId=Every&flag=on', "stream 'flag' of component 'Every' is BOOLEAN and cannot take 'on'"],
      ['compId=Every&file=x', "stream 'file' of component 'Every' is FILE and cannot take 'x'"],
      ['compId=Every&num=1&fresh=2&long=x', "stream 'long' of component 'Every' is LONG and cannot take 'x'"],
      [
        'compId=Every&hour=1&time=253402300799999',
        'the end of an interval at 253402300800000 is outside the years 1 to 9999',
      ],
      [
        'compId=Every&hour=1,2&time=0,360007200001',
        'the uploaded times leave more than 100,000 intervals to fill with nulls',
      ],
    ]
    for (const [query, message] of refused)
      it(`refuses ${query.slice(0, 60)}: ${message}`, () =>
        storesNothing(service, async () => assertRefused(await put(query), ...bad, message)))

    const unknown: readonly [query: string, code: string, message: string][] = [
      ['compId=X&a=1&compTmplId=none', 'template_not_found', "template 'none' not found"],
      ['compId=X&a=1&dtId=none&dsId=s', 'template_not_found', "template 'none' not found"],
      ['compId=X&a=1&dtId=plain&dsId=none', 'stream_not_found', "stream 'none' not found"],
      ['compId=Every&fresh=1&dtId=none&dsId=s', 'template_not_found', "template 'none' not found"],
    ]
    for (const [query, code, message] of unknown)
      it(`answers 404 to ${query}: ${message}`, () =>
        storesNothing(service, async () => assertRefused(await put(query), 404, code, message)))

    it('calls the credential bad before it looks at the form', () =>
      storesNothing(service, async () => {
        for (const query of ['a=%', 'compId=X&a=nan', ''])
          assertRefused(await service.put(`/api/feed?${query}&api_key=wrong`), 401, 'unauthorized', 'unknown API key')
        const reply = await service.request('PUT', '/api/feed?a=%')
        assertRefused(reply, 401, 'unauthorized', 'this call needs a credential: api_key, session or a Bearer token')
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
      }))

    it('calls the form wrong before it says 403, and says 403 before 404', async () => {
      const reader = await openManager(service, [{ resource: 'component/*/feed', methods: ['GET'] }])
      await storesNothing(service, async () => {
        for (const [query, status] of [
          ['a=1', 400],
          ['compId=X&a=1', 403],
          ['compId=Every&num=1', 403],
          ['compId=X&a=1&compTmplId=none', 403],
        ] as const)
          assert.equal((await reader.ask('PUT', `/api/feed?${query}`)).status, status, query)
      })
    })
  })

  it('answers an empty 200', () => stored('compId=One&a=1'))

  it('matches parameter names in any case, stream IDs exactly', async () => {
    const id = newId()
    await stored(`COMPid=${id}&Temp=1&temp=2&TIMEEL=5`)
    assert.deepEqual(await lines(id), ['Temp -5=1', 'temp -5=2'])
  })

  it('ignores empty pairs and takes + for a blank', async () => {
    await stored('&&compId=mum+office&&room+1=a+b&')
    assert.deepEqual(await lines('mum office'), ['room 1 0="a b"'])
  })

  it('takes no reserved name for a stream', async () => {
    const id = newId()
    await stored(`compId=${id}&a=1&org=${service.organizationUid}&delim=,&folder=/Components&derMaxS&derTout`)
    assert.deepEqual(await streams(id), ['1 a random DOUBLE'])
  })

  describe('times', () => {
    it("are the server's when none are given", async () => {
      const id = newId()
      await stored(`compId=${id}&a=1&b=2`)
      assert.deepEqual(await lines(id), ['a 0=1', 'b 0=2'])
    })

    it('may be given one by one, in any order', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1,2,3&time=${t - 5},${t + 5},${t}`)
      assert.deepEqual(await lines(id), ['a 5=2', 'a 0=3', 'a -5=1'])
    })

    it('reach from the year 1 to 9999', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1,2&time=-62135596800000,253402300799999`)
      assert.deepEqual(await linesOf(service, id), ['a 253402300799999=2', 'a -62135596800000=1'])
    })

    it("are the upload's less timeEl", async () => {
      const id = newId()
      await stored(`compId=${id}&a=1,2,3&timeEl=2000,1000,0`)
      assert.deepEqual(await lines(id), ['a 0=3', 'a -1000=2', 'a -2000=1'])
    })

    it('end at the upload and lie freq apart', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1,2,3&b=4,5&freq=60000`)
      assert.deepEqual(await lines(id), ['a 0=3', 'a -60000=2', 'a -120000=1', 'b 0=5', 'b -60000=4'])
    })

    it('may split at another delimiter of up to 8 characters, after the escapes are undone', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1%2C5--2%2C5&delim=--&time=${t}--${t + 1}`)
      assert.deepEqual(await lines(id), ['a 1="2,5"', 'a 0="1,5"'])
      await stored(`compId=${id}&b=1%20..%20..%202&delim=%20..%20..%20&freq=1`)
      assert.deepEqual((await lines(id)).slice(2), ['b 0=2', 'b -1=1'])
    })

    it('take an empty value between them for null', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1,,3&freq=10`)
      assert.deepEqual(await lines(id), ['a 0=3', 'a -20=1'])
    })
  })

  describe('values', () => {
    it('make a DOUBLE stream when all are decimal numbers, else a STRING', async () => {
      const id = newId()
      await stored(`compId=${id}&a=%20-1.5e3%20,.5&b=1,x&c=0x10,1&d=,1&e=True,1&freq=1`)
      assert.deepEqual(await streams(id), [
        '1 a random DOUBLE',
        '2 b random STRING',
        '3 c random STRING',
        '4 d random DOUBLE',
        '5 e random STRING',
      ])
      assert.deepEqual(await lines(id), [
        'a 0=0.5',
        'a -1=-1500',
        'b 0="x"',
        'b -1="1"',
        'c 0="1"',
        'c -1="0x10"',
        'd 0=1',
        'e 0="1"',
        'e -1="True"',
      ])
    })

    it('are converted to the type of the stream', async () => {
      await stored('compId=Every&num=21.50&long=9007199254740993&flag=TRUE&text=nan')
      assert.deepEqual(
        (await service.get('/api/comp/Every/feed?retStreamId&limit=4')).text,
        `[{"streamId":"num","time":${t},"data":21.5},{"streamId":"long","time":${t},"data":9007199254740993},` +
          `{"streamId":"flag","time":${t},"data":true},{"streamId":"text","time":${t},"data":"nan"}]`,
      )
      await stored('compId=Every&flag=0&long=-5.0')
      assert.deepEqual((await lines('Every')).slice(1, 3), ['long 0=-5', 'flag 0=false'])
    })

    it('keep every character of a STRING', async () => {
      const id = newId()
      const text = '\u0001\t\n"\\\'{}äöü€😀 '
      await stored(`compId=${id}&a=${encodeURIComponent(text)}`)
      const [sample] = (await service.get(`/api/comp/${id}/feed`)).json as { data: string }[]
      assert.equal(sample!.data, text)
    })
  })

  it('ignore null in a random or point stream, and keep the stored value', async () => {
    await stored('compId=Every&num=5&point=6')
    clock.set(t + 1)
    await stored(`compId=Every&num=,&point=,&time=${t},${t + 1}`)
    const reply = await service.get('/api/comp/Every/stream/point/feed')
    assert.equal(reply.text, `[{"time":${t},"data":6}]`)
    assert.ok((await lines('Every')).includes('num 0=5'))
    assert.ok(!(await lines('Every')).includes('num 1=null'))
  })

  it('make a new DOUBLE stream without samples of null alone', async () => {
    const id = newId()
    await stored(`compId=${id}&a=&b`)
    assert.deepEqual(await streams(id), ['1 a random DOUBLE', '2 b random DOUBLE'])
    assert.deepEqual(await lines(id), [])
  })

  it('keep the last of one time given twice, and overwrite a stored time', async () => {
    const id = newId()
    await stored(`compId=${id}&a=1,2,3&time=5,5,5`)
    assert.deepEqual(await linesOf(service, id), ['a 5=3'])
    await stored(`compId=${id}&a=4,5&time=5,5`)
    assert.deepEqual(await linesOf(service, id), ['a 5=5'])
    await stored(`compId=${id}&a=7,6,8&time=6,5,4`)
    assert.deepEqual(await linesOf(service, id), ['a 6=7', 'a 5=6', 'a 4=8'])
  })

  describe('interval streams', () => {
    const base = Date.parse('2026-01-15T00:00:00Z')
    const end = (hour: number) => base + hour * hourMs
    const readHours = async (from: number, until: number) => {
      const reply = await service.get(
        `/api/comp/Every/stream/hour/feed?sd=${end(from)}&ed=${end(until + 1)}&retIntvlSd`,
      )
      return (reply.json as { sdTime: number; time: number; data: unknown }[])
        .toReversed()
        .map(({ sdTime, time, data }) => [(sdTime - base) / hourMs, (time - base) / hourMs, data])
    }
    beforeEach(() => service.sql`delete from sample`)

    it('take a time for the end of its interval, or move it up to the next end', async () => {
      await stored(`compId=Every&hour=1,2,3&time=${end(1)},${end(1) + 1},${end(3) - 1}`)
      assert.deepEqual(await readHours(0, 9), [
        [0, 1, 1],
        [1, 2, 2],
        [2, 3, 3],
      ])
    })

    it('can be written back as they are read', async () => {
      await stored(`compId=Every&hour=1,2&time=${end(1)},${end(2)}`)
      const before = await readHours(0, 9)
      for (const [, time, data] of before) await stored(`compId=Every&hour=${String(data)}&time=${end(time as number)}`)
      assert.deepEqual(await readHours(0, 9), before)
    })

    it('keep of several values in one interval the latest, null included', async () => {
      await stored(`compId=Every&hour=9,1,&time=${end(1) - 5},${end(1) - 10},${end(1)}&autofillGapsWithNulls=false`)
      assert.deepEqual(await readHours(0, 9), [[0, 1, null]])
      await stored(`compId=Every&hour=9,1&time=${end(1) - 5},${end(1) - 10}`)
      assert.deepEqual(await readHours(0, 9), [[0, 1, 9]])
    })

    it('are filled with nulls between the first and the last end, over stored values', async () => {
      await stored(`compId=Every&hour=1,2,3&time=${end(1)},${end(2)},${end(6)}`)
      assert.deepEqual(await readHours(0, 9), [
        [0, 1, 1],
        [1, 2, 2],
        [2, 3, null],
        [3, 4, null],
        [4, 5, null],
        [5, 6, 3],
      ])
      await stored(`compId=Every&hour=7,8&time=${end(1)},${end(3)}`)
      assert.deepEqual(await readHours(0, 3), [
        [0, 1, 7],
        [1, 2, null],
        [2, 3, 8],
      ])
    })

    it('keep stored values with autofillGapsWithNulls=false', async () => {
      await stored(`compId=Every&hour=1,2,3&time=${end(1)},${end(2)},${end(3)}`)
      await stored(`compId=Every&hour=7,8&time=${end(1)},${end(3)}&autofillGapsWithNulls=false`)
      assert.deepEqual(await readHours(0, 9), [
        [0, 1, 7],
        [1, 2, 2],
        [2, 3, 8],
      ])
    })

    it('keep a null that is uploaded', async () => {
      await stored(`compId=Every&hour=1,,3&time=${end(1)},${end(2)},${end(3)}&autofillGapsWithNulls=false`)
      assert.deepEqual(await readHours(0, 9), [
        [0, 1, 1],
        [1, 2, null],
        [2, 3, 3],
      ])
    })

    it("follow the component's time zone", async () => {
      await stored(`compId=Every&day=1&time=${Date.parse('2026-03-29T12:00:00Z')}`)
      const reply = await service.get('/api/comp/Every/stream/day/feed?retIntvlSd')
      assert.equal(
        reply.text,
        `[{"sdTime":${Date.parse('2026-03-28T23:00:00Z')},"time":${Date.parse('2026-03-29T22:00:00Z')},"data":1}]`,
      )
    })
  })

  it('keeps in a point stream the last given, timed by the clock of the server', async () => {
    await stored(`compId=Every&point=1,2,3&time=${t + 99},5,${t - 99}`)
    assert.equal((await service.get('/api/comp/Every/stream/point/feed')).text, `[{"time":${t},"data":3}]`)
    clock.set(t - 1000)
    await stored('compId=Every&point=4')
    assert.equal((await service.get('/api/comp/Every/stream/point/feed')).text, `[{"time":${t - 1000},"data":4}]`)
  })

  describe('unnamed data', () => {
    it('fill the streams that there are, in their order', async () => {
      const id = newId()
      await stored(`compId=${id}&b=1&a=x`)
      await stored(`compId=${id}&data=2&data=y&time=${t + 1}`)
      assert.deepEqual(await lines(id), ['b 1=2', 'b 0=1', 'a 1="y"', 'a 0="x"'])
    })

    it('make data1, data2, ... where there are none, after the named new ones', async () => {
      const id = newId()
      await stored(`compId=${id}&data=1&data=x&temp=5`)
      assert.deepEqual(await streams(id), ['1 temp random DOUBLE', '2 data1 random DOUBLE', '3 data2 random STRING'])
    })

    it('count positions from the streams before the call', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1`)
      await stored(`compId=${id}&data=2&data=3&data=4&z=5&time=${t + 1}`)
      assert.deepEqual(await streams(id), [
        '1 a random DOUBLE',
        '2 z random DOUBLE',
        '3 data2 random DOUBLE',
        '4 data3 random DOUBLE',
      ])
      assert.deepEqual(await lines(id), ['a 1=2', 'a 0=1', 'z 1=5', 'data2 1=3', 'data3 1=4'])
    })

    it('are refused where data<position> is taken by another stream', async () => {
      const id = newId()
      await stored(`compId=${id}&data2=1`)
      await storesNothing(service, async () =>
        assertRefused(
          await put(`compId=${id}&data=1&data=2`),
          ...bad,
          "stream 'data2' is given by name and by position",
        ),
      )
    })
  })

  describe('new components', () => {
    it("have the ID for a name, the root folder and the organization's time zone", async () => {
      const id = newId()
      await stored(`compId=${id}&a=1`)
      assert.deepEqual(await componentOf(service.sql, id), {
        name: id,
        folder: '/Components',
        zone: 'Europe/Berlin',
        template: null,
      })
    })

    it('take compName, with a template or without, and only when they are made', async () => {
      const id = newId()
      await stored(`compId=${id}&compName=First+name&a=1`)
      await stored(`compId=${id}&compName=Second&a=1`)
      assert.equal((await componentOf(service.sql, id))!['name'], 'First name')
    })

    it('go into the folder, which is made with all above it; a slash at its end is dropped', async () => {
      const id = newId()
      await stored(`compId=${id}&folder=/Components/Plant%20${id}/Hall/&a=1`)
      assert.equal((await componentOf(service.sql, id))!['folder'], `/Components/Plant ${id}/Hall`)
      await stored(`compId=${id}&folder=/Components/Other&a=1`)
      assert.equal((await componentOf(service.sql, id))!['folder'], `/Components/Plant ${id}/Hall`)
    })

    it('are made from compTmplId, with its streams and its zone', async () => {
      const id = newId()
      await stored(`compId=${id}&compTmplId=zoned&compName=N&b=5&c=6`)
      assert.deepEqual(await componentOf(service.sql, id), {
        name: 'N',
        folder: '/Components',
        zone: 'Asia/Kolkata',
        template: 'zoned',
      })
      assert.deepEqual(await streams(id), ['1 a random LONG', '2 b random STRING', '3 c random DOUBLE'])
      assert.deepEqual(await lines(id), ['b 0="5"', 'c 0=6'])
    })

    it("take the organization's zone where the template has none, and unnamed data in the template's order", async () => {
      const id = newId()
      await stored(`compId=${id}&compTmplId=plain&data=1&data=2`)
      assert.equal((await componentOf(service.sql, id))!['zone'], 'Europe/Berlin')
      assert.deepEqual(await streams(id), ['1 a random DOUBLE', '2 meter interval DOUBLE'])
    })

    it('ignore compTmplId once they exist, even if it names nothing', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1`)
      await stored(`compId=${id}&compTmplId=none&a=2`)
      await stored(`compId=${id}&compTmplId=zoned&c=2`)
      assert.deepEqual(await streams(id), ['1 a random DOUBLE', '2 c random DOUBLE'])
    })

    it("get a new stream like the template stream dtId and dsId, but not a template's own stream", async () => {
      const id = newId()
      await stored(`compId=${id}&compTmplId=zoned&dtId=plain&dsId=meter&a=5&extra=7`)
      assert.deepEqual(await streams(id), ['1 a random LONG', '2 b random STRING', '3 extra interval DOUBLE'])
    })

    it("are not made when dtId's stream cannot hold the value", () =>
      storesNothing(service, async () =>
        assertRefused(
          await put('compId=X&dtId=zoned&dsId=a&x=1.5'),
          ...bad,
          "stream 'x' of component 'X' is LONG and cannot take '1.5'",
        ),
      ))
  })

  it('takes IDs of 1 to 512 code points of any kind, and does not trim them', async () => {
    for (const id of [
      '😀'.repeat(512),
      ' blank ',
      '__proto__',
      'constructor',
      'a/b?c#d&e=f%',
      '\u202eabc',
      "'; drop table sample; --",
      '.',
      '..',
    ]) {
      const name = encodeURIComponent(id)
      await stored(`compId=${name}&${name}=1&rsi=2`)
      assert.ok((await streams(id)).includes(`1 ${id} random DOUBLE`))
    }
  })

  describe('rsid', () => {
    it('refuses the call when the texts are more than 4 MiB together, and stores nothing', async () => {
      const id = newId()
      const ids = Array.from({ length: 22 }, (_, n) => `s${n}`)
      const samples = ids.map((streamId) => ({ compId: id, streamId, data: '€'.repeat(65_536) }))
      assertEmpty(await service.put('/api/feed', JSON.stringify(samples)))
      const rsids = (of: readonly string[]) => of.map((each) => `rsid=${each}`).join('&')
      const refused = await put(`compId=${id}&made=1&${rsids(ids)}`)
      assertRefused(refused, 413, 'too_large', 'the values of rsid are larger than 4194304 bytes, ask for fewer')
      assert.equal((await streams(id)).length, 22)
      // As many as are never too large, and more that are not.
      const { json } = await put(`compId=${id}&made=1&${rsids(ids.slice(0, 21))}`)
      assert.equal(Object.values(json as Record<string, string>).join('').length, 21 * 65_536)
      const short = `s0=x&time=${Date.now() + 1000}`
      const all = (await put(`compId=${id}&${short}&${rsids(ids)}&rsid=made`)).json as Record<string, string>
      assert.deepEqual([Object.keys(all).length, all['s0'], all['s21']!.length, all['made']], [23, 'x', 65_536, 1])
    })

    it('gives the last value of each stream after the upload, null where there is none', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1&b=x&c=`)
      const reply = await put(`compId=${id}&a=2&rsid=a&rsid=b&rsid=c&rsid=a`)
      assert.equal(reply.text, '{"a":2,"b":"x","c":null}')
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
    })

    it('gives the value with the latest time, not the one uploaded last', async () => {
      const id = newId()
      await stored(`compId=${id}&a=1`)
      assert.equal((await put(`compId=${id}&a=2&time=${t - 5}&rsid=a`)).text, '{"a":1}')
    })

    it('gives booleans, long integers and points as they are', async () => {
      await stored('compId=Every&flag=1&long=9007199254740993&point=7&hour=8')
      const reply = await put('compId=Every&num=1&rsid=flag&rsid=long&rsid=point&rsid=hour')
      assert.equal(reply.text, '{"flag":true,"long":9007199254740993,"point":7,"hour":8}')
    })

    it('lists streams that were missing before the call, and makes DOUBLEs of those that the call does not write', async () => {
      const id = newId()
      const missing = (itemId: string) => ({ itemType: 'stream', itemId, componentId: id })
      assert.deepEqual((await put(`compId=${id}&a=x&rsid=a&rsid=b`)).json, {
        a: 'x',
        b: null,
        missing: [missing('a'), missing('b')],
      })
      assert.deepEqual(await streams(id), ['1 a random STRING', '2 b random DOUBLE'])
      assert.deepEqual((await put(`compId=${id}&a=y&rsid=a&rsid=b`)).json, { a: 'y', b: null })
    })

    it('matches stream IDs exactly, __proto__ too', async () => {
      const id = newId()
      await stored(`compId=${id}&__proto__=5&A=1`)
      assert.equal((await put(`compId=${id}&A=2&rsid=__proto__&rsid=A`)).text, '{"__proto__":5,"A":2}')
    })

    it('needs the right to GET besides the one to PUT', async () => {
      const writer = await openManager(service, [{ resource: 'component/*/feed', methods: ['PUT'] }])
      await storesNothing(service, async () =>
        assert.deepEqual(await writer.ask('PUT', '/api/feed?compId=Every&fresh=1&rsid=num'), {
          status: 403,
          body: { success: false, code: 'forbidden', message: 'this credential may not GET component/*/feed' },
        }),
      )
      assert.equal((await writer.ask('PUT', '/api/feed?compId=Every&num=1')).status, 200)
    })
  })

  describe('asPut', () => {
    it('makes a GET the PUT', async () => {
      const id = newId()
      assertEmpty(await service.get(`/api/feed?asPut&compId=${id}&a=1`))
      assert.deepEqual(await lines(id), ['a 0=1'])
      assert.equal((await service.get(`/api/feed?asput=true&compId=${id}&a=2&rsid=a`)).text, '{"a":2}')
    })

    it('ignores the cache-buster _ that pages add to a GET', async () => {
      const id = newId()
      assertEmpty(await service.get(`/api/feed?asPut&compId=${id}&a=1&_=1700000000000`))
      assert.deepEqual(await streams(id), ['1 a random DOUBLE'])
    })

    it('needs the right to PUT', async () => {
      const reader = await openManager(service, [{ resource: 'component/*/feed', methods: ['GET'] }])
      await storesNothing(service, async () =>
        assert.equal((await reader.ask('GET', '/api/feed?asPut&compId=X&a=1')).status, 403),
      )
    })

    it('needs more than a cookie', () =>
      storesNothing(service, async () => {
        const headers = { Cookie: `api_key=${service.apiKey}` }
        assert.equal((await service.get('/api/feed?asPut&compId=X&a=1', { headers })).status, 403)
      }))

    it('is what a GET or HEAD of /feed must not be without: 405', () =>
      storesNothing(service, async () => {
        assertRefused(
          await service.get('/api/feed?compId=X&a=1'),
          405,
          'method_not_allowed',
          'use PUT, or GET with asPut',
        )
        const head = await service.request('HEAD', `/api/feed?asPut&compId=X&a=1&api_key=${service.apiKey}`)
        assert.equal(head.status, 405)
        assert.equal(head.headers.get('allow'), 'PUT')
      }))
  })

  it('cuts derMaxS and derTout beyond their maximum to it', () =>
    stored(`compId=${newId()}&a=1&derMaxS=1000000&derTout=9007199254740991`))
})
