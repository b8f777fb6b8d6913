// POST /api/import (docs/transfer.md#import), over HTTP: rows into streams, refusals, going on where a call broke off, and
// bodies that mean harm.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { importMemory } from '../../src/transfer/import.ts'
import { linesOf } from '../support/feed.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { addApiKey } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const t0 = 1_767_225_600_000

type Shown = {
  readonly id: string
  readonly done: boolean
  readonly bytes: number
  readonly lines: number
  readonly stored: number
  readonly refused: number
  readonly refusals: readonly { readonly line: number; readonly reason: string }[]
}

describe('POST /api/import', function () {
  this.timeout(60_000)
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const send = async (query: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const key = query.includes('api_key=') ? '' : `&api_key=${service.apiKey}`
    return service.request('POST', `/api/import?${query}${key}`, { body, headers })
  }
  const sent = async (query: string, body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) => {
    const reply = await send(query, body, headers)
    assert.equal(reply.status, 200, reply.text)
    return (reply.json as { import: Shown }).import
  }
  const refused = async (query: string, body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) => {
    const { status, json } = await send(query, body, headers)
    const { code, message, import: shown } = json as { code: string; message: string; import?: Shown }
    return { status, code, message, shown }
  }
  const csv = (...lines: readonly string[]) => [...lines, ''].join('\r\n')

  it('takes every name of letters, digits, dots, dashes and underscores', async () => {
    for (const id of ['__proto__', '-', '.a', '_', 'a'.repeat(64)])
      assert.equal((await sent(`importId=${id}`, csv('compId,streamId,time,data'))).id, id)
  })

  it('forgets the oldest imports of a credential, and none of others for them', async () => {
    const key = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['PUT'] },
    ])
    await sent('importId=of-another', csv('compId,streamId,time,data'))
    await service.sql`update history_import set touched_at = now() - interval '1 day' where id = 'of-another'`
    const mine = `importId=mine&api_key=${key.secret}`
    await sent(mine, csv('compId,streamId,time,data'))
    await service.sql`
      insert into history_import (organization_key, actor, id, started_at, touched_at, holder)
      select organization_key, actor, 'more' || n, now(), now() - n * interval '1 second', ''
      from history_import, generate_series(1, 1200) as n
      where actor = ${`api_key ${key.uid}`}`
    await sent(`importId=new&api_key=${key.secret}`, csv('compId,streamId,time,data'))
    const [left] = await service.sql<[{ own: number; others: number }]>`
      select count(*) filter (where actor = ${`api_key ${key.uid}`})::integer as own,
        count(*) filter (where id = 'of-another')::integer as others
      from history_import`
    assert.deepEqual(left, { own: 200, others: 1 })
    await service.sql`delete from history_import where actor = ${`api_key ${key.uid}`}`
  })

  it('stores CSV of a whole organization, and makes what is missing', async () => {
    const shown = await sent(
      'importId=first',
      csv('compId,streamId,time,data', `Pump,rpm,${t0},1450`, `Pump,mode,${t0},"on, ""fast"""`, `Fan,on,${t0 + 1},`),
    )
    assert.deepEqual(
      { ...shown, start: 0, end: 0 },
      { id: 'first', done: true, bytes: 119, lines: 4, stored: 3, refused: 0, refusals: [], start: 0, end: 0 },
    )
    assert.deepEqual(await linesOf(service, 'Pump', t0), ['rpm 0=1450', 'mode 0="on, \\"fast\\""'])
    assert.deepEqual(await linesOf(service, 'Fan', t0), [])
  })

  it('stores NDJSON into one stream, with long integers exact, whatever Content-Type says', async () => {
    await manage.make('component', { id: 'Meter', stream: [{ id: 'total', valueType: 'LONG' }] })
    const body = `{"time":${t0},"data":9007199254740993}\n\n{"TIME":"${t0 + 1}","data":"9007199254740995"}`
    const shown = await sent('compId=Meter&streamId=total', body)
    assert.deepEqual([shown.stored, shown.lines], [2, 3])
    const { text } = await service.get('/api/comp/Meter/feed')
    assert.equal(text, `[{"time":${t0 + 1},"data":9007199254740995},{"time":${t0},"data":9007199254740993}]`)
  })

  it('takes columns in any order and case, ISO times, gzip and a BOM', async () => {
    const body = csv(
      '\ufeffData,unknown,ISOTIME',
      '1,x,2026-01-01T01:00:00.000+01:00',
      '2,"y\r\nz",2026-01-01 00:00:01Z',
      '3,,1850-01-01T00:18:00+00:18:00',
    )
    const shown = await sent('compId=Zone&streamId=s', gzipSync(body), { 'Content-Encoding': 'gzip' })
    assert.deepEqual([shown.stored, shown.bytes], [3, Buffer.byteLength(body)])
    assert.deepEqual(await linesOf(service, 'Zone', t0), [
      's 1000=2',
      's 0=1',
      `s ${Date.parse('1850-01-01T00:00:00Z') - t0}=3`,
    ])
  })

  it('refuses rows that cannot be stored, each with its line and reason, and stores the others', async () => {
    await manage.make('component', {
      id: 'Strict',
      stream: [{ id: 'n' }, { id: 'b', valueType: 'BOOLEAN' }, { id: 'f', valueType: 'FILE' }],
    })
    const shown = await sent(
      '',
      Buffer.concat([
        Buffer.from(
          csv(
            'compId,streamId,time,data',
            `Strict,n,${t0},1`,
            `Strict,n,${t0 + 1},one`,
            `Strict,n,soon,1`,
            `Strict,n,2026-02-30T00:00:00Z,1`,
            `Strict,n,${t0 + 2}`,
            `Strict,b,${t0},"two\r\nlines"`,
            `Strict,"n"x,${t0},1`,
            `,n,${t0},1`,
            `Strict,f,${t0},a.txt`,
            `Strict,n,${t0 * 1000},1`,
            `Strict,new,${t0},nan`,
            `Strict,n,${t0 + 3},3`,
          ),
        ),
        Buffer.from([0xff, 0x2c, 0x0a]),
      ]),
    )
    assert.deepEqual([shown.stored, shown.refused], [2, 11])
    assert.deepEqual(
      shown.refusals.map(({ line, reason }) => `${line} ${reason}`),
      [
        "3 stream 'n' of component 'Strict' is DOUBLE and cannot take 'one'",
        "4 time must be epoch milliseconds, or an ISO time with an offset, not 'soon'",
        "5 time must be epoch milliseconds, or an ISO time with an offset, not '2026-02-30T00:00:00Z'",
        '6 the row has 3 of 4 cells',
        "7 stream 'b' of component 'Strict' is BOOLEAN and cannot take 'two\r\nlines'",
        `9 a closing quote must stand before a comma: '"n"x,${t0},1'`,
        '10 compId must not be empty',
        "11 stream 'f' of component 'Strict' is FILE and cannot take 'a.txt'",
        `12 time ${t0 * 1000} is outside the years 1 to 9999`,
        "13 stream 'new' of component 'Strict' cannot take 'nan'",
        '15 the line is not UTF-8',
      ],
    )
    assert.deepEqual(await linesOf(service, 'Strict', t0), ['n 3=3', 'n 0=1'])
  })

  it('goes on behind rows and names of columns with NULs, and shows why the rows are refused', async () => {
    const body = csv('compId,streamId,time,data,no\0te', `Nul,s,${t0},1`, 'Nul,s,so\0on,1', `Nul,s,${t0 + 1},a\0b`)
    const shown = await sent('importId=nul', body)
    assert.deepEqual([shown.done, shown.stored, shown.refused], [true, 1, 2])
    assert.deepEqual(
      shown.refusals.map(({ line, reason }) => `${line} ${reason}`),
      [
        "3 time must be epoch milliseconds, or an ISO time with an offset, not 'so\ufffdon'",
        "4 stream 's' of component 'Nul' is STRING and cannot take 'a\ufffdb': it holds a character that cannot be stored",
      ],
    )
    const grown = await sent('importId=nul', `${body}Nul,s,${t0 + 2},3\r\n`)
    assert.deepEqual([grown.bytes, grown.stored, grown.refused], [shown.bytes + `Nul,s,${t0 + 2},3\r\n`.length, 2, 2])
  })

  it('counts all refused rows and shows the first hundred', async () => {
    const bad = Array.from({ length: 25_000 }, (_, n) => `Strict,n,${t0 + n},x`)
    const shown = await sent('', csv('compId,streamId,time,data', ...bad))
    assert.deepEqual([shown.stored, shown.refused, shown.refusals.length], [0, 25_000, 100])
    assert.deepEqual([shown.refusals[0]!.line, shown.refusals[99]!.line], [2, 101])
  })

  it('lets the later of two rows for one time win, and overwrites what is stored', async () => {
    await sent('', csv('compId,streamId,time,data', `Twice,a,${t0},1`, `Twice,a,${t0},2`))
    assert.deepEqual(await linesOf(service, 'Twice', t0), ['a 0=2'])
    await sent('', csv('compId,streamId,time,data', `Twice,a,${t0},3`))
    assert.deepEqual(await linesOf(service, 'Twice', t0), ['a 0=3'])
  })

  it('keeps gaps as they are given, and the time of a point', async () => {
    await manage.make('component', {
      id: 'Kinds',
      stream: [
        { id: 'kwh', kind: 'interval', baseCycleId: 'hour' },
        { id: 'mode', kind: 'point', valueType: 'STRING' },
      ],
    })
    const hour = 3_600_000
    const body = csv(
      'compId,streamId,time,data',
      `Kinds,kwh,${t0},1`,
      `Kinds,kwh,${t0 + hour},`,
      `Kinds,kwh,${t0 + 5 * hour},2`,
      `Kinds,mode,${t0},idle`,
    )
    await sent('', body)
    assert.deepEqual(await linesOf(service, 'Kinds', t0), [
      `kwh ${5 * hour}=2`,
      `kwh ${hour}=null`,
      'kwh 0=1',
      'mode 0="idle"',
    ])
  })

  it('refuses rows of components that the key may not write, and a key that may write none', async () => {
    const mine = await manage.make('component', { id: 'Mine' })
    const only = await addApiKey(service.sql, service.organizationUid, [
      { resource: `component/${mine.uid}/feed`, methods: ['PUT'] },
    ])
    const shown = await sent(
      `api_key=${only.secret}`,
      csv('compId,streamId,time,data', `Mine,a,${t0},1`, `Pump,rpm,${t0},7`, `None,a,${t0},1`, `Mine,a,${t0 + 1},2`),
    )
    assert.deepEqual([shown.stored, shown.refused], [2, 2])
    assert.deepEqual(
      shown.refusals.map(({ line }) => line),
      [3, 4],
    )
    const reader = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    assert.equal((await refused(`api_key=${reader.secret}`, 'compId,streamId,time,data\n')).status, 403)
    assert.equal((await refused('api_key=wrong', '')).status, 401)
  })

  it('refuses a body without the columns that it needs, and parameters that it does not know', async () => {
    assert.deepEqual(
      (await refused('', 'time,temp\n1,2\n')).message.split(':')[0],
      'the header lacks compId and streamId and data',
    )
    assert.match((await refused('', 'compId;streamId;time;data\nC;s;1;2\n')).message, /by commas; .*CSV_TABLE/)
    assert.equal((await refused('limit=1', '')).status, 400)
    assert.equal((await refused('streamId=a', '')).message, 'streamId needs compId')
    for (const id of ['a%20b', '.', '..', 'a'.repeat(65)])
      assert.equal((await refused(`importId=${id}`, '')).status, 400)
    assert.equal((await refused('format=xml', '')).message, "format must be one of csv, ndjson, not 'xml'")
    const gone = await refused('', '{"a":1}', { 'Content-Encoding': 'br' })
    assert.deepEqual([gone.status, gone.code], [415, 'unsupported_media_type'])
  })

  describe('that broke off', () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => `Long,s,${t0 + n * 1000},${n}`)
    const body = csv('compId,streamId,time,data', ...rows)
    const progress = async (id: string) => {
      const reply = await service.get(`/api/import/${id}`)
      return reply.status === 200 ? (reply.json as { import: Shown }).import : undefined
    }
    /** Sends the first bytes of a body that claims to be whole, and hangs up when some of it is stored. */
    const breakOff = async (id: string, part: string) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      socket.write(
        `POST /api/import?importId=${id}&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${part}`,
      )
      await eventually(async () => (await countOf('Long')) > 0)
      socket.destroy()
      await eventually(async () => ((await progress(id))?.bytes ?? 0) > 0)
    }
    const countOf = async (compId: string) => {
      const [row] = await service.sql<[{ n: number }]>`
        select count(*)::integer as n from sample
        where stream_key in (select stream.key from stream join component on component.key = component_key where component.id = ${compId})`
      return row.n
    }

    it('says how far it is stored, and goes on there with the whole body or with the rest of it', async () => {
      await breakOff('broken', body.slice(0, 900_000))
      const before = (await progress('broken'))!
      assert.equal(before.done, false)
      assert.ok(before.bytes > 0 && before.bytes <= 900_000, String(before.bytes))
      assert.equal(body[before.bytes - 1], '\n')
      const ahead = await refused(`importId=broken&offset=${before.bytes + 1}`, 'x')
      assert.deepEqual([ahead.status, ahead.shown?.bytes], [409, before.bytes])
      const rest = await sent(`importId=broken&offset=${before.bytes}`, body.slice(before.bytes))
      assert.deepEqual([rest.done, rest.stored, rest.refused, rest.bytes], [true, rows.length, 0, body.length])
      assert.equal(await countOf('Long'), rows.length)
      const again = await sent('importId=broken', body)
      assert.deepEqual([again.done, again.stored, again.bytes], [true, rows.length, body.length])
    })

    it('refuses another body under the id of one that is stored, and stores nothing of it', async () => {
      const first = csv('compId,streamId,time,data', `Night,s,${t0},1`)
      const next = csv('compId,streamId,time,data', `Other,s,${t0},1`, `Other,s,${t0 + 1},2`)
      const said = {
        status: 409,
        message: `the import 'nightly' has stored ${first.length} bytes of another body: choose another importId`,
      }
      await sent('importId=nightly', first)
      for (const other of [next, next.slice(0, first.length), next.slice(0, 20), first.slice(0, -1), '']) {
        const { status, message, shown } = await refused('importId=nightly', other)
        assert.deepEqual({ status, message }, said, JSON.stringify(other))
        assert.deepEqual([shown?.bytes, shown?.stored, shown?.done], [first.length, 1, true])
      }
      assert.equal((await refused('importId=nightly&offset=0', next)).message, said.message)
      assert.equal(await countOf('Other'), 0)
      const grown = await sent('importId=nightly', `${first}Night,s,${t0 + 1},2`)
      assert.deepEqual([grown.done, grown.stored], [true, 2])
      const again = await sent('importId=nightly', `${first}Night,s,${t0 + 1},2\n\n\nNight,s,${t0 + 2},3\n`)
      assert.deepEqual([again.done, again.stored, await countOf('Night')], [true, 3, 3])
    })

    it('knows the same body by its bytes however they come, and after a server of the version before', async () => {
      const lines = csv('compId,streamId,time,data', `Bytes,s,${t0},1`, `Bytes,s,${t0 + 1},"a\n${'b'.repeat(3000)}"`)
      const [head, rest] = [lines.slice(0, 40), lines.slice(40)]
      await sent('importId=bytes', head.slice(0, head.lastIndexOf('\n') + 1))
      await sent(`importId=bytes&offset=${head.lastIndexOf('\n') + 1}`, head.slice(head.lastIndexOf('\n') + 1) + rest)
      assert.equal((await sent('importId=bytes', lines)).bytes, lines.length)
      assert.equal((await refused('importId=bytes', lines.replace('bbb', 'bcb'))).status, 409)
      await service.sql`update history_import set bytes = bytes - 1 where id = 'bytes'`
      assert.equal((await sent('importId=bytes', lines.replace('bbb', 'bcb'))).bytes, lines.length - 1)
    })

    /** A batch that is refused as a whole, again and again: a stream that is to be made cannot take every other of its rows. */
    const halved = (compId: string) =>
      csv(
        'compId,streamId,time,data',
        ...Array.from({ length: 4000 }, (_, n) =>
          n % 2 === 0 ? `${compId}${n},new,${t0},nan` : `${compId},s,${t0 + n},1`,
        ),
      )

    it('stores nothing more of a batch once its key is revoked', async () => {
      const key = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'component/*/feed', methods: ['PUT'] },
      ])
      const refusing = refused(`api_key=${key.secret}`, halved('Revoked'))
      await eventually(async () => (await countOf('Revoked')) > 0)
      await manage.ask('DELETE', `/api/api_key/${key.uid}`)
      const { status, message } = await refusing
      assert.deepEqual([status, message], [401, 'unknown API key'])
      assert.ok((await countOf('Revoked')) < 1000)
    })

    it('stores nothing more of a batch once another call goes on with it', async () => {
      const refusing = refused('importId=overtaken', halved('Overtaken'))
      await eventually(async () => (await countOf('Overtaken')) > 0)
      const last = csv('compId,streamId,time,data', `Overtaken,s,${t0 + 3999},2`)
      assert.equal((await sent('importId=overtaken', last)).stored, 1)
      const { status, message } = await refusing
      assert.deepEqual([status, message], [409, 'another call goes on with this import'])
      const { text } = await service.get('/api/comp/Overtaken/stream/s/last_value')
      assert.equal(text, `[{"time":${t0 + 3999},"data":2}]`)
    })

    it('is listed for its key, and for no other', async () => {
      const mine = (await service.get('/api/import?text=brok')).json as { import: readonly Shown[]; totalCount: number }
      assert.deepEqual([mine.import.map(({ id }) => id), mine.totalCount], [['broken'], 1])
      assert.equal((await manage.ask('GET', '/api/import/broken')).status, 404)
      assert.deepEqual((await manage.ask('GET', '/api/import')).body, {
        success: true,
        message: '',
        import: [],
        totalCount: 0,
      })
    })

    it('gives its memory back', () => eventually(async () => importMemory.free() === 8 * 12 * 1024 * 1024))
  })

  describe('of a body that means harm', () => {
    const header = 'compId,streamId,time,data\n'
    const row = `Harm,s,${t0},1\n`

    it('refuses a line of more than a megabyte, in quotes too, and keeps the rows before it', async () => {
      for (const line of ['x'.repeat(1_100_000), `Harm,s,${t0},"${'\n'.repeat(1_100_000)}`]) {
        const { status, message, shown } = await refused('', header + row + line)
        assert.deepEqual([status, message], [413, 'line 3 is longer than 1048576 bytes'])
        assert.equal(shown!.done, false)
      }
    })

    it('looks no further than the columns that it needs', async () => {
      const { message } = await refused('', `${'a,'.repeat(500_000)}\n`)
      assert.equal(message, 'the header has more than 1000 columns')
      const shown = await sent('', `${header}Harm,s,${t0},1${',x'.repeat(500_000)}\n`)
      assert.deepEqual([shown.stored, shown.refused], [1, 0])
    })

    it('refuses a body that inflates a thousandfold, without holding it', async () => {
      const bomb = gzipSync(Buffer.concat([Buffer.from(header), Buffer.alloc(64 * 1024 * 1024, '\n')]))
      const { status, message } = await refused('', bomb, { 'Content-Encoding': 'gzip' })
      assert.deepEqual([status, message], [413, 'the body inflates to more than 200 times its size'])
    })

    it('refuses gzip that is broken, and keeps what came before', async () => {
      const whole = gzipSync(header + row)
      const { status, message } = await refused('', whole.subarray(0, -4), { 'Content-Encoding': 'gzip' })
      assert.deepEqual([status, message], [400, 'the body is not valid gzip'])
    })

    it('takes a body byte by byte', async () => {
      const text = `${header}${row}Harm,s,${t0 + 1},"2"\n`
      const reply = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay(true)
        let got = ''
        socket.on('data', (bytes) => (got += bytes)).once('close', () => resolve(got))
        socket.write(
          `POST /api/import?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
        )
        for (const letter of text) socket.write(`1\r\n${letter}\r\n`)
        socket.write('0\r\n\r\n')
      })
      assert.match(reply, /"stored":2,"refused":0/)
    })
  })
})
