// Rows as CSV and NDJSON (docs/replies.md#formats), over HTTP: cells, columns and headers of the calls that read rows.
// test/openapi/document.test.ts asks every such call.
import assert from 'node:assert/strict'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const t0 = Date.parse('2026-07-01T12:00:00Z')

describe('rows as CSV and NDJSON', function () {
  this.timeout(60_000)
  let service: TestService
  let manage: Manager

  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const unit = await manage.make('unit', { id: 'c', symbol: ' °C', numberFormat: '0.0' })
    await manage.make('component', {
      id: 'Plant',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp', unitUid: unit.uid },
        { id: 'note', valueType: 'STRING' },
        { id: 'count', valueType: 'LONG' },
        { id: 'photo', valueType: 'FILE' },
      ],
    })
    await manage.make('component', {
      id: 'Wide',
      stream: Array.from({ length: 150 }, (_, n) => ({ id: `"s${n}` })),
    })
    const samples = [
      ['temp', t0, 20.16],
      ['note', t0, '@cmd|"x"'],
      ['count', t0, '9007199254740993'],
    ].map(([streamId, time, data]) => ({ compId: 'Plant', streamId, time, data }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).text, '')
  })
  after(() => service.close())

  const get = (path: string, accept: string | undefined) =>
    service.get(`${path}${path.includes('?') ? '&' : '?'}api_key=${service.apiKey}`, {
      headers: accept === undefined ? {} : { Accept: accept },
    })

  it('shows a feed with the columns that were asked for, and the time for people', async () => {
    const { text } = await get('/api/comp/Plant/stream/temp/feed?retIntvlSd&retFData&retUnit&retCompId', 'text/csv')
    assert.equal(
      text,
      `compId,sdTime,time,isoTime,data,fData,unit\r\nPlant,${t0},${t0},2026-07-01T14:00:00.000+02:00,20.16,20.2 °C, °C\r\n`,
    )
  })

  it('protects spreadsheets from texts that look like formulas', async () => {
    const { text } = await get('/api/comp/Plant/stream/note/last_value', 'text/csv')
    assert.equal(text, `time,isoTime,data\r\n${t0},2026-07-01T14:00:00.000+02:00,"'@cmd|""x"""\r\n`)
  })

  it('keeps integers beyond 2^53, and adds the columns of files where there are such streams', async () => {
    const csv = await get('/api/comp/Plant/last_value?retStreamId', 'text/csv')
    assert.match(csv.text, /^streamId,time,isoTime,data\r\n[^]*\r\ncount,\d+,[^,]+,9007199254740993\r\n$/)
    const put = await service.request(
      'PUT',
      `/api/comp/Plant/stream/photo/feed/file/a.txt?time=${t0}&api_key=${service.apiKey}`,
      {
        body: 'hello',
      },
    )
    assert.equal(put.status, 200, put.text)
    const files = await get('/api/comp/Plant/stream/photo/feed', 'text/csv')
    const path = `/api/comp/Plant/stream/photo/feed/file/${t0}/a.txt`
    assert.equal(
      files.text,
      `time,isoTime,data,fileName,size,contentType\r\n${t0},2026-07-01T14:00:00.000+02:00,${path},a.txt,5,text/plain;charset=UTF-8\r\n`,
    )
  })

  it('gives the same rows as JSON, with the same link to the rest', async () => {
    const times = Array.from({ length: 1200 }, (_, n) => t0 + n)
    assert.equal(
      (await service.put(`/api/feed?compId=Clock&tick=${times.map((_, n) => n).join()}&time=${times.join()}`)).status,
      200,
    )
    const json = await get('/api/comp/Clock/feed?limit=1100', undefined)
    const lines = await get('/api/comp/Clock/feed?limit=1100', 'application/x-ndjson')
    assert.ok(json.headers.get('link') !== null)
    assert.equal(lines.headers.get('link'), json.headers.get('link'))
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      json.json,
    )
  })

  it('shows statistics in the zone of the component', async () => {
    const { text } = await get('/api/comp/Plant/stream/temp/cycle/day/stat/avg/feed', 'text/csv')
    assert.equal(text, `time,isoTime,data\r\n${t0 + 10 * 3_600_000},2026-07-02T00:00:00.000+02:00,20.16\r\n`)
  })

  it('shows an empty window as a header alone, or as nothing', async () => {
    const query = '/api/comp/Plant/stream/temp/feed?sd=1&ed=2'
    assert.equal((await get(query, 'text/csv')).text, 'time,isoTime,data\r\n')
    assert.equal((await get(query, 'application/x-ndjson')).text, '')
  })

  it('shows a list of the management API by its members, long lists in them as JSON', async () => {
    const { secret } = await (async () => {
      const made = await manage.ask('POST', '/api/api_key', {
        name: 'reader',
        capabilities: [{ resource: 'component', methods: ['GET'] }],
      })
      return (made.body as { api_key: { secret: string } }).api_key
    })()
    const ask = (path: string, accept: string) =>
      service.request('GET', `${path}${path.includes('?') ? '&' : '?'}api_key=${secret}`, {
        headers: { Accept: accept },
      })
    const json = await ask('/api/component?id=Wide', 'application/json')
    const [wide] = (
      json.json as { component: readonly { readonly uid: string; readonly stream: readonly unknown[] }[] }
    ).component
    const csv = await ask('/api/component?id=Wide', 'text/csv')
    const [header, line] = csv.text.split('\r\n')
    assert.equal(header, 'uid,id,name,description,folder,timeZone,templateUid,version,stream')
    const cell = line!.slice(line!.indexOf('"[') + 1, -1).replaceAll('""', '"')
    assert.deepEqual(JSON.parse(cell), wide!.stream)
    assert.equal((await ask(`/api/component/${wide!.uid}`, 'text/csv')).text, csv.text)
    const ndjson = await ask(`/api/component/${wide!.uid}`, 'application/x-ndjson')
    assert.deepEqual(JSON.parse(ndjson.text), wide)
  })

  it('answers JSON to a client that takes any type, or prefers it, and its errors are JSON', async () => {
    const typeFor = async (accept: string | undefined, path = '/api/comp/Plant/last_value') =>
      (await get(path, accept)).headers.get('content-type')
    for (const accept of [undefined, '*/*', 'text/html, */*;q=0.1', 'text/csv;q=0.5, application/json', 'image/png'])
      assert.equal(await typeFor(accept), 'application/json; charset=utf-8', accept)
    assert.equal(await typeFor('text/csv;q=0.9, application/json;q=0.8'), 'text/csv; charset=utf-8')
    assert.equal(await typeFor('text/csv', '/api/comp/Nobody/last_value'), 'application/json; charset=utf-8')
  })
})
