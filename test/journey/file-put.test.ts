// PUT of a file (docs/files.md#upload), rule by rule.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Files } from '../support/file.ts'
import { openFiles } from '../support/file.ts'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const nowMs = 1_700_000_000_000
const mostBytes = 1_000_000

const path = (name: string, stream = 'photo', component = 'Plant') =>
  `/api/comp/${component}/stream/${stream}/feed/file/${name}`

describe('PUT of a file', () => {
  const clock = openTestClock(nowMs)
  let service: TestService
  let files: Files
  let manage: Manager
  before(async () => {
    service = await openTestService({ fileMaxBytes: mostBytes }, clock)
    files = openFiles(service)
    manage = await openManager(service)
    await manage.make('component', {
      id: 'Plant',
      name: 'Plant',
      stream: [
        { id: 'photo', name: 'photo', kind: 'random', valueType: 'FILE' },
        { id: 'shift', name: 'shift', kind: 'interval', valueType: 'FILE', baseCycleId: 'hour' },
        { id: 'point', name: 'point', kind: 'point', valueType: 'DOUBLE' },
        { id: 'temp', name: 'temp', kind: 'random', valueType: 'DOUBLE' },
        { id: 'note', name: 'note', kind: 'random', valueType: 'STRING' },
      ],
    })
  })
  after(() => service.close())
  beforeEach(() => clock.set(nowMs))

  /** All that an upload could leave behind. */
  const traces = async () => {
    const [row] = await service.sql`
      select (select count(*) from component) as components, (select count(*) from stream) as streams,
        (select count(*) from folder) as folders, (select count(*) from sample) as samples,
        (select count(*) from blob) as contents, (select count(*) from blob_piece) as pieces`
    return { ...row }
  }
  const refused = async (upload: () => Promise<{ status: number; json: unknown }>, status: number, message: RegExp) => {
    const before = await traces()
    const reply = await upload()
    assert.match((reply.json as { message: string }).message, message)
    assert.equal(reply.status, status)
    assert.deepEqual(await traces(), before)
  }
  const form = (...parts: readonly (readonly [field: string, content: string, fileName?: string])[]) => {
    const body = new FormData()
    for (const [field, content, fileName] of parts)
      if (fileName === undefined) body.append(field, content)
      else body.append(field, new Blob([content]), fileName)
    return () => service.request('PUT', `${path('a')}?api_key=${service.apiKey}`, { body })
  }

  const typeOf = async (name: string) => (await files.head(path(name))).headers.get('content-type')

  describe('that is refused', () => {
    it('is refused without a credential, whatever else is wrong', () =>
      refused(() => service.request('PUT', path('%zz'), { body: 'x' }), 401, /needs a credential/))

    it('is refused in a form whose field has another name', () =>
      refused(form(['upload', 'x', 'a.txt']), 400, /not in 'upload'/))

    it('is refused in a form with a second file in another field', () =>
      refused(form(['file', 'x', 'a.txt'], ['other', 'y', 'b.txt']), 400, /not in 'other'/))

    it('is refused in a form with two files', () =>
      refused(form(['file', 'x', 'a.txt'], ['file', 'y', 'b.txt']), 400, /more than one file/))

    it('is refused in a form without a file', () => refused(form(['note', 'x']), 400, /has no file in 'file'/))

    it('is refused in the form of a browser in which no file was chosen', () => {
      const body = '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n'
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
      return refused(() => files.put(path('a'), body, headers), 400, /has no file in 'file'/)
    })

    it('is refused in a form that ends before its last boundary', () => {
      const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
      return refused(() => files.put(path('a'), body, headers), 400, /ends before its last boundary/)
    })

    it('is refused in a form without a boundary', () =>
      refused(() => files.put(path('a'), 'x', { 'Content-Type': 'multipart/form-data' }), 400, /names no boundary/))

    it('is refused as an empty body', () => refused(() => files.put(path('a'), ''), 400, /the body is empty/))

    it('is refused as an empty body of unknown length', async () => {
      const wire = await openWire(service.url)
      wire.send(
        `PUT ${path('a')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      )
      assert.match((await wire.reply()).body, /the body is empty/)
      wire.close()
    })

    for (const [stream, words] of [
      ['temp', 'DOUBLE'],
      ['note', 'STRING'],
      ['point', 'a point stream'],
    ] as const)
      it(`is refused by a stream that is ${words}`, () =>
        refused(
          () => files.put(path('a', stream), 'x'),
          400,
          new RegExp(`stream '${stream}' of component 'Plant' is ${words} and takes no files`),
        ))

    for (const [name, message] of [
      ['%2e', /'.' is not a file name/],
      ['..', /'..' is not a file name/],
      ['%00', /control character/],
      ['a%0d%0aSet-Cookie:%20b', /control character/],
      ['%7f', /control character/],
      ['%c2%85', /control character/],
      ['x'.repeat(256), /at most 255 characters/],
      ['%f0%9f%98%80'.repeat(256), /at most 255 characters/],
      ['x'.repeat(4096), /at most 255 characters/],
      ['%ff', /broken escape/],
      ['a%2', /broken escape/],
      ['', /must not be empty/],
    ] as const)
      // A client that knows addresses would not send these as they are.
      it(`is refused under the name ${name.slice(0, 24) || '(empty)'}`, async () => {
        const before = await traces()
        const wire = await openWire(service.url)
        wire.send(`PUT ${path(name)}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx`)
        const reply = await wire.reply()
        wire.close()
        assert.match(reply.body, message)
        assert.equal(reply.statusLine, 'HTTP/1.1 400 Bad Request')
        assert.deepEqual(await traces(), before)
      })

    for (const [query, message] of [
      ['time=now', /time must be epoch milliseconds/],
      ['time=', /time must be epoch milliseconds/],
      ['time=99999999999999999', /time/],
      ['time=1&time=2', /time is given more than once/],
      ['folder=/Elsewhere', /folder must be \/Components/],
      ['dtId=t', /dtId and dsId go together/],
      ['compName=%00', /compName/],
    ] as const)
      it(`is refused with ${query}`, () => refused(() => files.put(`${path('a')}?${query}`, 'x'), 400, message))

    it('is refused over the cap, as a body that says so', () =>
      refused(() => files.put(path('a'), Buffer.alloc(3_000_000)), 413, /larger than 1000000 bytes/))

    it('is refused over the cap by a byte, as a body', () =>
      refused(() => files.put(path('a'), Buffer.alloc(mostBytes + 1)), 413, /larger than 1000000 bytes/))

    it('is refused over the cap by a byte, in a form', () =>
      refused(() => files.putForm(path('a'), Buffer.alloc(mostBytes + 1)), 413, /larger than 1000000 bytes/))

    it('is refused over the cap once inflated', () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000))
      return refused(() => files.put(path('a'), bomb, { 'Content-Encoding': 'gzip' }), 413, /larger than 1000000 bytes/)
    })

    it('is refused in a form whose other fields go over all bounds', () =>
      refused(form(['note', 'x'.repeat(mostBytes + 1_100_000)], ['file', 'x', 'a']), 413, /larger than 1000000 bytes/))

    it('is refused over the cap while its client still sends, which gets the reply nevertheless', async () => {
      const wire = await openWire(service.url)
      wire.send(`PUT ${path('a')}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
      const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000), Buffer.from('\r\n')])
      for (let count = 0; count < 20; count += 1) wire.send(megabyte)
      assert.match((await wire.reply()).statusLine, /413/)
      // A client that reads no reply before it has sent everything comes to that point too.
      await eventually(async () => wire.socket.writableLength === 0)
      wire.close()
    })

    it('is refused for a template that does not exist, with nothing created', () =>
      refused(() => files.put(`${path('a', 's', 'New')}?compTmplId=none`, 'x'), 404, /template 'none' not found/))

    it('is refused for a template stream that does not exist, with nothing created', () =>
      refused(() => files.put(`${path('a', 's', 'New')}?dtId=none&dsId=s`, 'x'), 404, /template 'none' not found/))

    it('is refused for a template whose stream is no FILE, with nothing created', async () => {
      await manage.make('template', {
        id: 'Meter',
        name: 'Meter',
        stream: [{ id: 's', name: 's', kind: 'random', valueType: 'DOUBLE' }],
      })
      await refused(
        () => files.put(`${path('a', 's', 'New')}?compTmplId=Meter`, 'x'),
        400,
        /is DOUBLE and takes no files/,
      )
      await refused(
        () => files.put(`${path('a', 'n', 'New')}?dtId=Meter&dsId=s`, 'x'),
        400,
        /is DOUBLE and takes no files/,
      )
    })

    it('is refused to a key that may only read, whether the component exists or not', async () => {
      const { secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'component/*/feed', methods: ['GET'] },
      ])
      for (const component of ['Plant', 'Nowhere']) {
        const upload = () => service.request('PUT', `${path('a', 's', component)}?api_key=${secret}`, { body: 'x' })
        await refused(upload, 403, /./)
      }
    })

    it('is refused for its form before for its rights', async () => {
      const { secret } = await addApiKey(service.sql, service.organizationUid, [])
      const body = new FormData()
      body.append('wrong', new Blob(['x']), 'a')
      await refused(() => service.request('PUT', `${path('a')}?api_key=${secret}`, { body }), 400, /not in 'wrong'/)
    })

    it('is refused to a key that is limited to another component', async () => {
      const other = await manage.make('component', { id: 'Other', name: 'Other' })
      const { secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: `component/${other.uid}/feed`, methods: ['GET', 'PUT'] },
      ])
      await refused(() => service.request('PUT', `${path('a')}?api_key=${secret}`, { body: 'x' }), 403, /./)
      const created = () => service.request('PUT', `${path('a', 's', 'Third')}?api_key=${secret}`, { body: 'x' })
      await refused(created, 403, /./)
      const allowed = await service.request('PUT', `${path('a', 's', 'Other')}?api_key=${secret}`, { body: 'x' })
      assert.equal(allowed.status, 200)
    })

    it('is refused by POST', async () => {
      const reply = await service.request('POST', `${path('a')}?api_key=${service.apiKey}`, { body: 'x' })
      assert.equal(reply.status, 405)
    })

    it('is refused to a path with a time', async () => {
      const reply = await files.put(path('1700000000000/a'), 'x')
      assert.equal(reply.status, 405)
    })
  })

  describe('that is stored', () => {
    it('is taken from a form, with an empty 200', async () => {
      const reply = await files.putForm(path('form.bin'), 'abc')
      assert.equal(reply.status, 200)
      assert.equal(reply.text, '')
      assert.equal(reply.headers.get('content-length'), '0')
      assert.equal((await files.get(path('form.bin'))).bytes.toString(), 'abc')
    })

    it('is taken from a raw body', async () => {
      assert.equal((await files.put(path('raw.bin'), 'abc')).status, 200)
      assert.equal((await files.get(path('raw.bin'))).bytes.toString(), 'abc')
    })

    it('is taken from a raw body in gzip, inflated', async () => {
      await files.put(path('zip.bin'), gzipSync('abc'), { 'Content-Encoding': 'gzip' })
      assert.equal((await files.get(path('zip.bin'))).bytes.toString(), 'abc')
    })

    it('is taken from a form with fields that nobody asked for', async () => {
      assert.equal((await form(['note', 'hello'], ['file', 'from a form', 'x'], ['more', ''])()).status, 200)
      assert.equal((await files.get(path('a'))).bytes.toString(), 'from a form')
    })

    it('is taken from a form whose field says no file name', async () => {
      assert.equal((await form(['file', 'only text'])()).status, 200)
      assert.equal((await files.get(path('a'))).bytes.toString(), 'only text')
    })

    it('is taken from a form, empty', async () => {
      assert.equal((await files.putForm(path('empty'), '')).status, 200)
      const reply = await files.get(path('empty'))
      assert.equal(reply.status, 200)
      assert.equal(reply.bytes.length, 0)
    })

    it('is taken up to the cap exactly', async () => {
      assert.equal((await files.put(path('cap.bin'), Buffer.alloc(mostBytes, 7))).status, 200)
      assert.ok((await files.get(path('cap.bin'))).bytes.equals(Buffer.alloc(mostBytes, 7)))
      assert.equal((await files.putForm(path('cap.bin'), Buffer.alloc(mostBytes))).status, 200)
    })

    for (const name of [
      '../../etc/passwd',
      '\u202egpj.exe',
      'a"b;c',
      'x'.repeat(255),
      '%41',
      'a+b c',
      '日本.txt',
      '...',
    ])
      it(`is stored under the name ${name.slice(0, 24)}`, async () => {
        const escaped = encodeURIComponent(name)
        assert.equal((await files.put(path(escaped), name)).status, 200)
        assert.equal((await files.get(path(escaped))).bytes.toString(), name)
        const listed = await service.get('/api/comp/Plant/stream/photo/feed?limit=1')
        const [{ data, fileName }] = listed.json as [{ data: string; fileName: string }]
        assert.equal(fileName, name)
        assert.equal((await files.get(data)).bytes.toString(), name)
      })

    it('is stored at the time given, exactly, over the whole calendar', async () => {
      for (const timeMs of [-62_135_596_800_000, -1, 0, 253_402_300_799_999]) {
        assert.equal((await files.put(`${path('t')}?time=${timeMs}`, String(timeMs))).status, 200)
        assert.equal((await files.get(path(`${timeMs}/t`))).bytes.toString(), String(timeMs))
      }
      await service.sql`delete from sample where text = 't'`
    })

    it('is stored at the current time, or where a file is already the next free millisecond', async () => {
      const at = nowMs + 1_000_000
      clock.set(at)
      for (const name of ['one', 'two', 'two']) await files.put(path(name), name)
      const listed = await service.get(`/api/comp/Plant/stream/photo/feed?sd=${at}&ed=${at + 1000}`)
      assert.deepEqual(
        (listed.json as { time: number; fileName: string }[]).map(({ time, fileName }) => [time, fileName]),
        [
          [at + 2, 'two'],
          [at + 1, 'two'],
          [at, 'one'],
        ],
      )
    })

    it('takes the place of the file at that time, whatever its name', async () => {
      await files.put(`${path('first')}?time=5000`, 'first')
      await files.put(`${path('second')}?time=5000`, 'second')
      assert.equal((await files.get(path('5000/first'))).status, 404)
      assert.equal((await files.get(path('first'))).status, 404)
      assert.equal((await files.get(path('5000/second'))).bytes.toString(), 'second')
      await files.put(`${path('second')}?time=5000`, 'third')
      assert.equal((await files.get(path('second'))).bytes.toString(), 'third')
      const listed = await service.get('/api/comp/Plant/stream/photo/feed?sd=5000&ed=5001')
      assert.equal((listed.json as unknown[]).length, 1)
    })

    it('is stored in an interval stream at the end of its interval', async () => {
      const hour = 3_600_000
      assert.equal((await files.put(`${path('log', 'shift')}?time=${5 * hour - 1000}`, 'five')).status, 200)
      assert.equal((await files.get(path(`${5 * hour}/log`, 'shift'))).bytes.toString(), 'five')
      await files.put(`${path('log', 'shift')}?time=${5 * hour}`, 'replaced')
      assert.equal((await files.get(path('log', 'shift'))).bytes.toString(), 'replaced')
      const listed = await service.get('/api/comp/Plant/stream/shift/feed?retIntvlSd')
      assert.deepEqual(listed.json, [
        {
          sdTime: 4 * hour,
          time: 5 * hour,
          data: `/api/comp/Plant/stream/shift/feed/file/${5 * hour}/log`,
          fileName: 'log',
          size: 8,
          contentType: 'text/plain;charset=UTF-8',
        },
      ])
    })

    it('is stored beside a gap of an interval stream, which is none', async () => {
      await service.put(
        '/api/feed',
        JSON.stringify([{ compId: 'Plant', streamId: 'shift', time: 3_600_000, data: null }]),
      )
      const listed = await service.get('/api/comp/Plant/stream/shift/feed?sd=0&ed=3600001')
      assert.equal(listed.text, '[{"time":3600000,"data":null}]')
      assert.equal((await files.get(path('3600000/log', 'shift'))).status, 404)
    })

    it('is the only upload that a FILE stream takes', async () => {
      const reply = await service.put('/api/feed?compId=Plant&photo=5')
      assert.equal(reply.status, 400)
      assert.match(reply.text, /stream 'photo' of component 'Plant' is FILE and cannot take '5'/)
    })
  })

  describe('the content type', () => {
    for (const [name, given, expected] of [
      ['a.png', 'image/x-mine; a="b c"', 'image/x-mine; a="b c"'],
      ['a.png', '', 'image/png'],
      ['a.png', 'nonsense', 'image/png'],
      ['a.png', 'text/plain\u00e9', 'image/png'],
      ['a.png', `text/${'x'.repeat(300)}`, 'image/png'],
      ['a.html', 'application/x-www-form-urlencoded', 'text/html'],
      ['a.unheard-of', '', 'application/octet-stream'],
      ['png', '', 'application/octet-stream'],
    ] as const)
      it(`is ${expected} for a body named ${name} that says ${given.slice(0, 40) || 'nothing'}`, async () => {
        const wire = await openWire(service.url)
        wire.send(`PUT ${path(name)}?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n`)
        wire.send(Buffer.from(`${given === '' ? '' : `Content-Type: ${given}\r\n`}\r\nx`, 'latin1'))
        assert.match((await wire.reply()).statusLine, / 200 /)
        wire.close()
        clock.set(clock.now() + 1)
        assert.equal(await typeOf(name), expected)
      })

    it('comes from the part of a form, not from the form', async () => {
      const body = new FormData()
      body.append('file', new Blob(['x'], { type: 'image/webp' }), 'ignored.gif')
      await service.request('PUT', `${path('a.bin')}?api_key=${service.apiKey}`, { body })
      assert.equal(await typeOf('a.bin'), 'image/webp')
    })
  })

  describe('to a missing component or stream', () => {
    it('makes a component and a random FILE stream, in the folder named', async () => {
      const address = `${path('a', 'cam', 'Gate%201')}?compName=The%20gate&folder=/Components/Yard/`
      assert.equal((await files.put(address, 'x')).status, 200)
      const [component] = await manage.list('component', 'text=Gate%201')
      const shown = (await manage.one('component', component!.uid)) as unknown as Record<string, unknown>
      assert.equal(shown['name'], 'The gate')
      assert.equal(shown['folder'], '/Components/Yard')
      assert.equal(shown['timeZone'], 'UTC')
      const [stream] = shown['stream'] as Record<string, unknown>[]
      assert.deepEqual([stream!['id'], stream!['kind'], stream!['valueType']], ['cam', 'random', 'FILE'])
    })

    it('makes a stream of an existing component', async () => {
      assert.equal((await files.put(path('a', 'new stream'), 'x')).status, 200)
      assert.equal((await files.get(path('a', 'new%20stream'))).bytes.toString(), 'x')
    })

    it('makes a component from a template with its FILE stream', async () => {
      await manage.make('template', {
        id: 'Camera',
        name: 'Camera',
        stream: [
          { id: 'battery', name: 'battery', kind: 'random', valueType: 'DOUBLE' },
          { id: 'shot', name: 'Shot', kind: 'interval', valueType: 'FILE', baseCycleId: 'day' },
        ],
      })
      assert.equal((await files.put(`${path('a', 'shot', 'Cam1')}?compTmplId=Camera`, 'x')).status, 200)
      const [component] = await manage.list('component', 'text=Cam1')
      const { stream } = await manage.one('component', component!.uid)
      assert.deepEqual(
        stream.map(({ id, kind, valueType }) => [id, kind, valueType]),
        [
          ['battery', 'random', 'DOUBLE'],
          ['shot', 'interval', 'FILE'],
        ],
      )
    })

    it('makes a stream by the definition of a template stream', async () => {
      assert.equal((await files.put(`${path('a', 'daily', 'Cam2')}?dtId=Camera&dsId=shot`, 'x')).status, 200)
      const [component] = await manage.list('component', 'text=Cam2')
      const { stream } = await manage.one('component', component!.uid)
      assert.deepEqual(
        stream.map(({ id, kind, valueType }) => [id, kind, valueType]),
        [['daily', 'interval', 'FILE']],
      )
    })

    it('is made once when many upload into it at the same time', async () => {
      clock.set(nowMs + 9_000_000)
      const names = Array.from({ length: 20 }, (_, index) => `file ${index}`)
      const replies = await Promise.all(
        names.map((name) => files.put(path(encodeURIComponent(name), 's', 'Crowd'), name)),
      )
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      const listed = await service.get('/api/comp/Crowd/feed')
      const found = (listed.json as { fileName: string }[]).map(({ fileName }) => fileName)
      assert.deepEqual(found.toSorted(), names.toSorted())
    })
  })

  describe('keeps the limits', () => {
    it('is refused when older than the organization keeps samples', async () => {
      const [organization] = await service.sql<[{ uid: string }]>`select uid from organization`
      const changed = await manage.ask('PUT', `/api/organization/${organization.uid}`, { retentionDays: 10 })
      assert.equal(changed.status, 200)
      await refused(
        () => files.put(`${path('a')}?time=${nowMs - 11 * 86_400_000}`, 'x'),
        400,
        /older than the organization/,
      )
      assert.equal((await files.put(`${path('a')}?time=${nowMs - 9 * 86_400_000}`, 'x')).status, 200)
    })

    it('is counted by the limit of files', async () => {
      const limited = await openTestService({
        rateLimits: {
          feed: { count: 1, seconds: 60 },
          property: { count: 1, seconds: 60 },
          file: { count: 2, seconds: 60 },
          login: { count: 1, seconds: 60 },
        },
      })
      try {
        const upload = () => openFiles(limited).put(path('a'), 'x')
        assert.deepEqual([(await upload()).status, (await upload()).status], [200, 200])
        const third = await upload()
        assert.equal(third.status, 429)
        assert.match(third.headers.get('ratelimit-policy')!, /"file";q=2;w=60/)
        for (let count = 0; count < 5; count += 1) assert.equal((await openFiles(limited).get(path('a'))).status, 200)
      } finally {
        await limited.close()
      }
    })
  })
})
