// GET and HEAD of a file (docs/files.md#download) and files in feeds (docs/feeds.md#read), rule by rule.
import assert from 'node:assert/strict'
import { pieceBytes } from '../../src/core/file/blob-store.ts'
import type { Files } from '../support/file.ts'
import { openFiles } from '../support/file.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

const storedMs = Date.parse('2026-01-02T03:04:05.678Z')
const ofConnection = new Set(['date', 'connection', 'keep-alive'])
const bytes = openRandom(47).bytes(3 * pieceBytes + 1000)

const path = (name: string, stream = 'photo', component = 'Gate') =>
  `/api/comp/${component}/stream/${stream}/feed/file/${name}`

const headersOf = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => !ofConnection.has(name))

describe('GET of a file', () => {
  const clock = openTestClock(storedMs)
  let service: TestService
  let files: Files
  let manage: Manager
  before(async () => {
    service = await openTestService({}, clock)
    files = openFiles(service)
    manage = await openManager(service)
    await manage.make('component', {
      id: 'Gate',
      name: 'Gate',
      stream: [
        { id: 'temp', name: 'temp', kind: 'random', valueType: 'DOUBLE' },
        { id: 'photo', name: 'photo', kind: 'random', valueType: 'FILE' },
        { id: 'point', name: 'point', kind: 'point', valueType: 'DOUBLE' },
      ],
    })
    await files.put(`${path('big.bin')}?time=2000`, bytes, { 'Content-Type': 'image/x-test' })
    await files.put(`${path('big.bin')}?time=1000`, 'older')
    await files.put(`${path('text.txt')}?time=3000`, 'hello')
    await files.put(`${path('page.html')}?time=4000`, '<script>alert(document.cookie)</script>')
    await files.put(`${path('drawing.svg')}?time=5000`, '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    await files.putForm(`${path('empty')}?time=6000`, '')
  })
  after(() => service.close())

  const base64Of = async (query: string) => {
    const reply = await files.get(`${path('big.bin')}?${query}`)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-type'), 'text/plain')
    assert.equal(reply.headers.get('content-length'), String(reply.bytes.length))
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    return reply.bytes.toString('latin1')
  }

  const listed = async (address: string) => (await service.get(address)).json

  describe('that cannot be answered', () => {
    for (const [what, address, status, code] of [
      ['of a component that does not exist', path('a', 'photo', 'Nowhere'), 404, 'component_not_found'],
      ['of a stream that does not exist', path('a', 'none'), 404, 'stream_not_found'],
      ['of a name that does not exist', path('none'), 404, 'file_not_found'],
      ['of a time that has no file', path('2001/big.bin'), 404, 'file_not_found'],
      ['of a time that has a file of another name', path('3000/big.bin'), 404, 'file_not_found'],
      ['of a name in other letters', path('TEXT.TXT'), 404, 'file_not_found'],
      ['of a stream that is not FILE', path('a', 'temp'), 400, 'bad_request'],
      ['of a point stream', path('a', 'point'), 400, 'bad_request'],
      ['of a point stream with a time', path('1000/a', 'point'), 400, 'bad_request'],
      ['of a time that is none', path('now/big.bin'), 400, 'bad_request'],
      ['of a time beyond the calendar', path('999999999999999/big.bin'), 400, 'bad_request'],
      ['without a name', path(''), 400, 'bad_request'],
      ['of a name with a control character', path('a%00'), 400, 'bad_request'],
      ['of a name that is too long', path('x'.repeat(256)), 400, 'bad_request'],
      ['with another disposition', `${path('text.txt')}?disposition=download`, 400, 'bad_request'],
      ['with an empty disposition', `${path('text.txt')}?disposition`, 400, 'bad_request'],
      ['with limit but without start', `${path('text.txt')}?limit=1`, 400, 'bad_request'],
      ['with a negative start', `${path('text.txt')}?start=-1`, 400, 'bad_request'],
      ['with a start that is no integer', `${path('text.txt')}?start=1.5`, 400, 'bad_request'],
      ['with an empty start', `${path('text.txt')}?start`, 400, 'bad_request'],
      ['with a negative limit', `${path('text.txt')}?start=0&limit=-1`, 400, 'bad_request'],
      ['for its form before for what is missing', `${path('a', 'none', 'Nowhere')}?start=x`, 400, 'bad_request'],
    ] as const)
      it(`is refused ${what}`, async () => {
        const reply = await service.get(address)
        assert.equal((reply.json as { code: string }).code, code)
        assert.equal(reply.status, status)
      })

    it('is refused without a credential', async () => {
      assert.equal((await service.request('GET', path('text.txt'))).status, 401)
      assert.equal((await service.request('GET', `${path('text.txt')}?start=x`)).status, 401)
    })

    it('is refused to a key that may not read it, whether it exists or not', async () => {
      const { secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'component/*/feed', methods: ['PUT'] },
      ])
      for (const address of [path('text.txt'), path('none'), path('a', 'b', 'Nowhere')])
        assert.equal((await service.request('GET', `${address}?api_key=${secret}`)).status, 403, address)
    })

    it('is refused with the Content-Disposition of another kind', async () => {
      const reply = await files.get(path('text.txt'), { 'Content-Disposition': 'form-data' })
      assert.equal(reply.status, 400)
    })
  })

  describe('that is answered', () => {
    it('gives the newest file of that name', async () => {
      const reply = await files.get(path('big.bin'))
      assert.equal(reply.status, 200)
      assert.ok(reply.bytes.equals(bytes))
      assert.equal(reply.headers.get('content-length'), String(bytes.length))
      assert.equal(reply.headers.get('content-type'), 'image/x-test')
      assert.equal(reply.headers.get('accept-ranges'), 'bytes')
      assert.equal(reply.headers.get('last-modified'), 'Fri, 02 Jan 2026 03:04:05 GMT')
      assert.match(reply.headers.get('etag')!, /^"[\w-]{43}"$/)
    })

    it('gives the file at a time', async () => {
      assert.equal((await files.get(path('1000/big.bin'))).bytes.toString(), 'older')
      assert.ok((await files.get(path('2000/big.bin'))).bytes.equals(bytes))
    })

    it('gives an empty file', async () => {
      const reply = await files.get(path('empty'))
      assert.deepEqual([reply.status, reply.bytes.length, reply.headers.get('content-length')], [200, 0, '0'])
    })

    it('gives the next newest once the newest is deleted', async () => {
      for (const [timeMs, text] of [
        [10_000, 'one'],
        [11_000, 'two'],
      ] as const)
        await files.put(`${path('deleted')}?time=${timeMs}`, text)
      const deleted = await manage.ask('DELETE', '/api/comp/Gate/stream/photo/feed?sd=11000&ed=11001')
      assert.deepEqual(deleted.body, { success: true, message: '', deleted: 1 })
      assert.equal((await files.get(path('11000/deleted'))).status, 404)
      assert.equal((await files.get(path('deleted'))).bytes.toString(), 'one')
      const [row] = await service.sql<[{ untied: number }]>`
        select count(*)::integer as untied from blob where stream_key is null`
      assert.equal(row.untied, 1)
    })

    it('gives nothing that another organization stored', async () => {
      const owner = await addUser(service.sql, 'other@example.org')
      const other = await addOrganization(service.sql, 'Other', owner)
      const { secret } = await addApiKey(service.sql, other.uid, [
        { resource: 'component/*/feed', methods: ['GET', 'PUT'] },
      ])
      const get = () => service.request('GET', `${path('text.txt')}?api_key=${secret}`)
      assert.equal((await get()).status, 404)
      await service.request('PUT', `${path('text.txt')}?api_key=${secret}`, { body: 'theirs' })
      assert.equal((await get()).text, 'theirs')
      assert.equal((await files.get(path('text.txt'))).bytes.toString(), 'hello')
    })

    it('gives a public organization’s files to anyone', async () => {
      const address = `${path('text.txt')}?org=${service.organizationUid}`
      assert.equal((await service.request('GET', address)).status, 401)
      const { status } = await manage.ask('PUT', `/api/organization/${service.organizationUid}`, { public: true })
      assert.equal(status, 200)
      assert.equal((await service.request('GET', address)).text, 'hello')
      assert.equal((await service.request('PUT', address, { body: 'x' })).status, 401)
      await manage.ask('PUT', `/api/organization/${service.organizationUid}`, { public: false })
    })
  })

  describe('by HEAD', () => {
    for (const query of ['', '?disposition=attachment', '?start=0', '?start=5&limit=100'])
      it(`has the same headers and no body ${query ? `with ${query}` : 'without parameters'}`, async () => {
        const get = await files.get(`${path('big.bin')}${query}`)
        const head = await files.head(`${path('big.bin')}${query}`)
        assert.equal(head.bytes.length, 0)
        assert.deepEqual(headersOf(head), headersOf(get))
      })

    it('gives the size of the whole, whatever range is asked for', async () => {
      const head = await files.head(path('big.bin'), { Range: 'bytes=0-0' })
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)])
    })

    it('is 404 without a body when there is no such file', async () => {
      const head = await files.head(path('none'))
      assert.deepEqual([head.status, head.bytes.length], [404, 0])
    })
  })

  describe('says how to show it', () => {
    for (const [parameter, header, expected] of [
      [undefined, undefined, 'inline'],
      ['inline', undefined, 'inline'],
      ['attachment', undefined, 'attachment'],
      ['ATTACHMENT', undefined, 'attachment'],
      [undefined, 'attachment', 'attachment'],
      [undefined, 'Attachment; filename="evil.exe"', 'attachment'],
      ['inline', 'attachment', 'inline'],
      ['attachment', 'nonsense', 'attachment'],
    ] as const)
      it(`is ${expected} for parameter ${parameter ?? 'none'} and header ${header ?? 'none'}`, async () => {
        const address = `${path('text.txt')}${parameter === undefined ? '' : `?disposition=${parameter}`}`
        const reply = await files.get(address, header === undefined ? {} : { 'Content-Disposition': header })
        assert.equal(reply.headers.get('content-disposition'), `${expected}; filename="text.txt"`)
      })

    it('lets no hostile name break out of its header', async () => {
      const name = 'a"; filename*=UTF-8\'\'evil.exe; x="\u202e\\/é'
      await files.put(`${path(encodeURIComponent(name))}?time=20000`, 'x')
      const reply = await files.get(path(`20000/${encodeURIComponent(name)}`))
      const offered = encodeURIComponent(name.replaceAll(/[\u202e\\/]/g, '_'))
        .replaceAll("'", '%27')
        .replaceAll('*', '%2A')
      assert.equal(
        reply.headers.get('content-disposition'),
        `inline; filename="a_; filename*=UTF-8''evil.exe; x=_____"; filename*=UTF-8''${offered}`,
      )
    })

    for (const name of ['page.html', 'drawing.svg'])
      it(`lets ${name} do nothing in our name`, async () => {
        const { headers } = await files.get(path(name))
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.match(headers.get('content-security-policy')!, /(^|; )sandbox(;|$)/)
        assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
        assert.equal(headers.get('cache-control'), 'private, no-cache')
        assert.equal(headers.get('referrer-policy'), 'no-referrer')
      })
  })

  describe('as base64', () => {
    for (const [query, from, until] of [
      ['start=0', 0, bytes.length],
      ['start=1', 1, bytes.length],
      [`start=${bytes.length - 1}`, bytes.length - 1, bytes.length],
      ['start=0&limit=1', 0, 1],
      ['start=0&limit=2', 0, 2],
      ['start=0&limit=3', 0, 3],
      [`start=${pieceBytes - 1}&limit=2`, pieceBytes - 1, pieceBytes + 1],
      [`start=10&limit=${2 * pieceBytes}`, 10, 10 + 2 * pieceBytes],
      [`start=5&limit=999999999999`, 5, bytes.length],
    ] as const)
      it(`gives the bytes of ${query}`, async () =>
        assert.equal(await base64Of(query), bytes.subarray(from, until).toString('base64')))

    for (const query of [
      `start=${bytes.length}`,
      'start=999999999999',
      'start=0&limit=0',
      `start=${bytes.length}&limit=5`,
    ])
      it(`is empty for ${query}`, async () => assert.equal(await base64Of(query), ''))

    it('comes chunk by chunk, each decoded on its own', async () => {
      const chunks: Buffer[] = []
      for (let start = 0; ; start += 100_001) {
        const chunk = await base64Of(`start=${start}&limit=100001`)
        if (chunk === '') break
        chunks.push(Buffer.from(chunk, 'base64'))
      }
      assert.ok(Buffer.concat(chunks).equals(bytes))
    })

    it('gives a file at a time', async () => {
      const reply = await files.get(`${path('1000/big.bin')}?start=1&limit=3`)
      assert.equal(Buffer.from(reply.bytes.toString(), 'base64').toString(), 'lde')
    })

    it('pays no attention to Range', async () => {
      const reply = await files.get(`${path('text.txt')}?start=0`, { Range: 'bytes=0-0' })
      assert.deepEqual([reply.status, reply.bytes.toString()], [200, 'aGVsbG8='])
    })
  })

  describe('by range', () => {
    for (const [range, from, until] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-', 100, bytes.length],
      ['bytes=-10', bytes.length - 10, bytes.length],
      [`bytes=${pieceBytes - 1}-${pieceBytes}`, pieceBytes - 1, pieceBytes + 1],
      [`bytes=${pieceBytes}-${3 * pieceBytes - 1}`, pieceBytes, 3 * pieceBytes],
      ['bytes=0-999999999999', 0, bytes.length],
    ] as const)
      it(`gives the part for ${range}`, async () => {
        const reply = await files.get(path('big.bin'), { Range: range })
        assert.equal(reply.status, 206)
        assert.equal(reply.headers.get('content-range'), `bytes ${from}-${until - 1}/${bytes.length}`)
        assert.equal(reply.headers.get('content-length'), String(until - from))
        assert.ok(reply.bytes.equals(bytes.subarray(from, until)))
      })

    for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'items=0-1', 'bytes=x'])
      it(`gives the whole file for ${range}`, async () => {
        const reply = await files.get(path('text.txt'), { Range: range })
        assert.deepEqual([reply.status, reply.bytes.toString()], [200, 'hello'])
      })

    it('is refused with the size beyond the end', async () => {
      const reply = await files.get(path('text.txt'), { Range: 'bytes=5-' })
      assert.equal(reply.status, 416)
      assert.equal(reply.headers.get('content-range'), 'bytes */5')
      assert.equal(
        reply.bytes.toString(),
        '{"success":false,"code":"range_not_satisfiable","message":"the file has 5 bytes"}',
      )
    })

    it('is given only while the file is still the same (If-Range)', async () => {
      const { headers } = await files.head(path('text.txt'))
      const get = (validator: string) => files.get(path('text.txt'), { Range: 'bytes=1-2', 'If-Range': validator })
      assert.equal((await get(headers.get('etag')!)).status, 206)
      assert.equal((await get(headers.get('last-modified')!)).status, 206)
      assert.equal((await get('"another"')).status, 200)
      assert.equal((await get('Thu, 01 Jan 2026 00:00:00 GMT')).status, 200)
    })
  })

  describe('by condition', () => {
    it('answers 304 with the headers of the file and nothing else', async () => {
      const { headers } = await files.head(path('text.txt'))
      const etag = headers.get('etag')!
      const reply = await files.get(path('text.txt'), { 'If-None-Match': etag })
      assert.deepEqual([reply.status, reply.bytes.length], [304, 0])
      assert.equal(reply.headers.get('etag'), etag)
      assert.equal(reply.headers.get('content-length'), null)
      assert.equal((await files.head(path('text.txt'), { 'If-None-Match': etag })).status, 304)
      const since = { 'If-Modified-Since': headers.get('last-modified')! }
      assert.equal((await files.get(path('text.txt'), since)).status, 304)
    })

    it('leaves the connection in order after a 304', async () => {
      const wire = await openWire(service.url)
      const request = (condition: string) =>
        `GET ${path('text.txt')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n${condition}\r\n`
      wire.send(`${request('If-None-Match: *\r\n')}${request('Connection: close\r\n')}`)
      const [first, second] = (await wire.rest()).split(/(?=HTTP\/1\.1)/)
      assert.match(first!, /^HTTP\/1.1 304 /)
      assert.match(second!, /^HTTP\/1.1 200 [^]*\r\n\r\nhello$/)
    })

    it('gives the file once it has been replaced', async () => {
      await files.put(`${path('changing')}?time=30000`, 'one')
      const { headers } = await files.head(path('changing'))
      const condition = { 'If-None-Match': headers.get('etag')! }
      assert.equal((await files.get(path('changing'), condition)).status, 304)
      await files.put(`${path('changing')}?time=30000`, 'two')
      assert.equal((await files.get(path('changing'), condition)).bytes.toString(), 'two')
    })
  })

  describe('in lists', () => {
    it('is shown by feeds with its path, name, size and type', async () => {
      assert.deepEqual(await listed('/api/comp/Gate/stream/photo/feed?sd=1000&ed=3001&retStreamId&retCompId'), [
        {
          compId: 'Gate',
          streamId: 'photo',
          time: 3000,
          data: '/api/comp/Gate/stream/photo/feed/file/3000/text.txt',
          fileName: 'text.txt',
          size: 5,
          contentType: 'text/plain;charset=UTF-8',
        },
        {
          compId: 'Gate',
          streamId: 'photo',
          time: 2000,
          data: '/api/comp/Gate/stream/photo/feed/file/2000/big.bin',
          fileName: 'big.bin',
          size: bytes.length,
          contentType: 'image/x-test',
        },
        {
          compId: 'Gate',
          streamId: 'photo',
          time: 1000,
          data: '/api/comp/Gate/stream/photo/feed/file/1000/big.bin',
          fileName: 'big.bin',
          size: 5,
          contentType: 'text/plain;charset=UTF-8',
        },
      ])
    })

    it('stands among the samples of other streams, by last_value too', async () => {
      await service.put('/api/feed?compId=Gate&temp=5&time=1000')
      const all = (await listed('/api/comp/Gate/last_value?ed=3001')) as { data: unknown; fileName?: string }[]
      assert.deepEqual(
        all.map(({ data, fileName }) => [data, fileName]),
        [
          [5, undefined],
          ['/api/comp/Gate/stream/photo/feed/file/3000/text.txt', 'text.txt'],
        ],
      )
    })

    it('has a path that leads to it, whatever the names', async () => {
      const [component, stream, name] = ['Gate/1 ?#%', 'ph&o=t+o', 'a/b?c#d%20 +.txt']
      const escaped = [component, stream, name].map(encodeURIComponent) as [string, string, string]
      assert.equal((await files.put(path(escaped[2], escaped[1], escaped[0]), 'found')).status, 200)
      const [{ data }] = (await listed(`/api/comp/${escaped[0]}/feed`)) as [{ data: string }]
      assert.equal((await files.get(data)).bytes.toString(), 'found')
    })

    it('is its path by rsid', async () => {
      const reply = await service.put('/api/feed?compId=Gate&temp=6&time=1000&rsid=photo')
      const { photo } = reply.json as { photo: string }
      assert.match(photo, /^\/api\/comp\/Gate\/stream\/photo\/feed\/file\/\d+\/.+/)
      assert.equal((await files.get(photo)).status, 200)
    })

    it('is counted by statistics', async () => {
      for (const hour of [1, 2]) await files.put(`${path('a', 'counted')}?time=${hour * 3_600_000}`, 'x')
      const statistic = (id: string) => listed(`/api/comp/Gate/stream/counted/cycle/day/stat/${id}/feed`)
      const day = 86_400_000
      assert.deepEqual(await statistic('nongapcount'), [{ time: day, data: 2 }])
      assert.deepEqual(await statistic('intvlcount'), [{ time: day, data: 2 }])
      for (const id of ['last', 'first', 'min', 'sum'])
        assert.deepEqual(await statistic(id), [{ time: day, data: null }])
      await files.put(`${path('b', 'counted')}?time=${3 * 3_600_000}`, 'x')
      assert.deepEqual(await statistic('nongapcount'), [{ time: day, data: 3 }])
    })

    it('has its formatted value and unit where they are asked for', async () => {
      const [shown] = (await listed('/api/comp/Gate/stream/photo/feed?sd=3000&ed=3001&retFData&retUnit')) as [object]
      assert.deepEqual(Object.entries(shown).slice(0, 4), [
        ['time', 3000],
        ['data', '/api/comp/Gate/stream/photo/feed/file/3000/text.txt'],
        ['fData', '/api/comp/Gate/stream/photo/feed/file/3000/text.txt'],
        ['unit', ''],
      ])
    })
  })
})
