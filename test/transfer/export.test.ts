// GET /api/export (docs/transfer.md#export), over HTTP: samples and statistics of any span, the rights to them, and its
// behaviour when a client reads slowly or leaves.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { insertApiKey } from '../../src/core/api-key.ts'
import { exportBytes, exportMemory } from '../../src/transfer/export-places.ts'
import { refusal, openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { addApiKey, addMember, addOrganization, addSession, addUser, testSecrets } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const t0 = Date.parse('2026-03-29T00:30:00Z')
const hour = 3_600_000

describe('GET /api/export', function () {
  this.timeout(60_000)
  let service: TestService
  let manage: Manager
  let plantUid: string

  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const plant = await manage.make('component', {
      id: 'Plant',
      folder: '/Components/North/Hall',
      timeZone: 'Europe/Berlin',
      stream: [
        { id: 'temp' },
        { id: 'note', valueType: 'STRING' },
        { id: 'count', valueType: 'LONG' },
        { id: 'on', valueType: 'BOOLEAN' },
        { id: 'kwh', kind: 'interval', baseCycleId: 'hour' },
        { id: 'mode', kind: 'point', valueType: 'STRING' },
        { id: 'photo', valueType: 'FILE' },
      ],
    })
    plantUid = plant.uid
    const samples = [
      ['temp', t0 + hour, -4.5],
      ['temp', t0, 20.1],
      ['note', t0, '=1+1'],
      ['note', t0 + 1, 'a "b",\r\nc 🌲'],
      ['note', t0 + 2, ''],
      ['count', t0, '9007199254740993'],
      ['on', t0, true],
      ['kwh', t0, 1.5],
      ['kwh', t0 + 3 * hour, 2.5],
      ['mode', t0, 'heating'],
    ].map(([streamId, time, data]) => ({ compId: 'Plant', streamId, time, data }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).text, '')
    assert.equal((await service.put(`/api/feed?compId=Yard&wind=3&time=${t0}`)).text, '')
  })
  after(() => service.close())

  const exported = async (query: string, init?: RequestInit) => {
    const reply = await service.get(`/api/export?${query}`, init)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const linesOf = (text: string) => text.split('\r\n')

  it('gives the samples of an organization as CSV, stream by stream, from the earliest on', async () => {
    const reply = await exported('')
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="samples.csv"')
    const [header, ...lines] = linesOf(reply.text.replace(/mode,\d+,[^,]+,/, 'mode,NOW,NOW,'))
    assert.equal(header, 'compId,streamId,time,isoTime,data')
    assert.deepEqual(lines, [
      `Plant,temp,${t0},2026-03-29T01:30:00.000+01:00,20.1`,
      `Plant,temp,${t0 + hour},2026-03-29T03:30:00.000+02:00,-4.5`,
      `Plant,note,${t0},2026-03-29T01:30:00.000+01:00,'=1+1`,
      `Plant,note,${t0 + 1},2026-03-29T01:30:00.001+01:00,"a ""b"",`,
      `c 🌲"`,
      `Plant,note,${t0 + 2},2026-03-29T01:30:00.002+01:00,""`,
      `Plant,count,${t0},2026-03-29T01:30:00.000+01:00,9007199254740993`,
      `Plant,on,${t0},2026-03-29T01:30:00.000+01:00,true`,
      `Plant,kwh,${t0 + hour / 2},2026-03-29T03:00:00.000+02:00,1.5`,
      `Plant,kwh,${t0 + 1.5 * hour},2026-03-29T04:00:00.000+02:00,`,
      `Plant,kwh,${t0 + 2.5 * hour},2026-03-29T05:00:00.000+02:00,`,
      `Plant,kwh,${t0 + 3.5 * hour},2026-03-29T06:00:00.000+02:00,2.5`,
      'Plant,mode,NOW,NOW,heating',
      `Yard,wind,${t0},2026-03-29T00:30:00.000+00:00,3`,
      '',
    ])
  })

  it('gives NDJSON by parameter and by Accept, with long integers exact and gaps as null', async () => {
    const byParameter = await exported('format=ndjson&compId=Plant&streamId=count&streamId=kwh')
    assert.deepEqual(byParameter.text.trimEnd().split('\n'), [
      `{"compId":"Plant","streamId":"count","time":${t0},"data":9007199254740993}`,
      `{"compId":"Plant","streamId":"kwh","time":${t0 + hour / 2},"data":1.5}`,
      `{"compId":"Plant","streamId":"kwh","time":${t0 + 1.5 * hour},"data":null}`,
      `{"compId":"Plant","streamId":"kwh","time":${t0 + 2.5 * hour},"data":null}`,
      `{"compId":"Plant","streamId":"kwh","time":${t0 + 3.5 * hour},"data":2.5}`,
    ])
    const query = `compId=Plant&streamId=count&streamId=kwh&api_key=${service.apiKey}`
    const byHeader = await exported(query, { headers: { Accept: 'application/x-ndjson' } })
    assert.equal(byHeader.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
    assert.equal(byHeader.text, byParameter.text)
  })

  it('takes a folder with all below it, and a window of shown times', async () => {
    const window = `sd=${t0 + hour / 2}&ed=${t0 + 1.5 * hour}`
    const { text } = await exported(`folder=/Components/North&${window}`)
    assert.deepEqual(linesOf(text).slice(1, -1), [
      `Plant,temp,${t0 + hour},2026-03-29T03:30:00.000+02:00,-4.5`,
      `Plant,kwh,${t0 + hour / 2},2026-03-29T03:00:00.000+02:00,1.5`,
    ])
    assert.deepEqual(
      await manage.ask('GET', '/api/export?folder=/Components/South'),
      refusal(404, 'folder_not_found', "folder '/Components/South' not found"),
    )
  })

  it('gives statistics as GET shows them, for many components at once', async () => {
    const { text } = await exported('what=statistics&cycle=day&stat=sum&streamId=kwh&streamId=wind')
    const day = Date.parse('2026-03-28T23:00:00Z')
    assert.deepEqual(linesOf(text), [
      'compId,streamId,sdTime,time,isoTime,data',
      `Plant,kwh,${day},${day + 23 * hour},2026-03-30T00:00:00.000+02:00,4`,
      `Yard,wind,${day + hour},${day + 25 * hour},2026-03-30T00:00:00.000+00:00,3`,
      '',
    ])
  })

  it('gives Parquet, with a column for each type of values', async () => {
    const query = `format=parquet&compId=Plant&api_key=${service.apiKey}`
    const reply = await fetch(`${service.url}/api/export?${query}`)
    assert.equal(reply.headers.get('content-type'), 'application/vnd.apache.parquet')
    const rows = await parquetReadObjects({ file: await reply.arrayBuffer() })
    const shown = rows.map(({ streamId, time, number, integer, boolean, text }) =>
      [streamId, (time as Date).getTime() - t0, number, integer, boolean, text].map((value) => value ?? '-').join(' '),
    )
    assert.deepEqual(shown.slice(0, -1), [
      'temp 0 20.1 - - -',
      `temp ${hour} -4.5 - - -`,
      'note 0 - - - =1+1',
      'note 1 - - - a "b",\r\nc 🌲',
      'note 2 - - - ',
      'count 0 - 9007199254740993 - -',
      'on 0 - - true -',
      `kwh ${hour / 2} 1.5 - - -`,
      `kwh ${1.5 * hour} - - - -`,
      `kwh ${2.5 * hour} - - - -`,
      `kwh ${3.5 * hour} 2.5 - - -`,
    ])
    assert.ok(shown.at(-1)!.startsWith('mode ') && shown.at(-1)!.endsWith(' heating'))
  })

  it('refuses what it does not know, before the first byte', async () => {
    const refused = async (query: string) => {
      const { status, json } = await service.get(`/api/export?${query}`)
      return [status, (json as { message: string }).message]
    }
    assert.deepEqual(await refused('what=everything'), [
      400,
      "what must be one of samples, statistics, catalogue, not 'everything'",
    ])
    assert.deepEqual(await refused('limit=5'), [
      400,
      "there is no parameter 'limit' here, but what, format, folder, compId, streamId, sd, ed, cycle, stat",
    ])
    assert.deepEqual(await refused('what=statistics'), [
      400,
      'statistics need cycle, such as day, and stat, such as avg',
    ])
    assert.deepEqual(await refused('what=statistics&cycle=day&stat=median'), [
      404,
      "statistic 'median' not found, there are first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, nongapcount, intvlcount, milliseccount, nongapmilliseccount",
    ])
    assert.deepEqual(await refused('compId=Nobody'), [404, "component 'Nobody' not found"])
    assert.deepEqual(await refused('compId=Plant&streamId=nothing'), [404, "stream 'nothing' not found"])
    assert.deepEqual(await refused('sd=2&ed=1'), [400, 'sd is after ed'])
  })

  it('shows a key the components that it may read, and no others', async () => {
    const only = await addApiKey(service.sql, service.organizationUid, [
      { resource: `component/${plantUid}/feed`, methods: ['GET'] },
    ])
    const allBut = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
      { resource: `component/${plantUid}`, methods: [] },
    ])
    const none = await addApiKey(service.sql, service.organizationUid, [{ resource: 'unit', methods: ['GET'] }])
    const componentsFor = async (secret: string) => {
      const { text } = await exported(`api_key=${secret}`)
      return [...new Set(text.match(/^(Plant|Yard)(?=,)/gm))]
    }
    assert.deepEqual(await componentsFor(only.secret), ['Plant'])
    assert.deepEqual(await componentsFor(allBut.secret), ['Yard'])
    const statusOf = async (query: string) => (await service.get(`/api/export?${query}`)).status
    assert.equal(await statusOf(`api_key=${none.secret}`), 403)
    assert.equal(await statusOf(`api_key=${only.secret}&compId=Yard`), 403)
    assert.equal(await statusOf(`api_key=${only.secret}&compId=Nobody`), 403)
    assert.equal(await statusOf('api_key=wrong'), 401)
  })

  it('shows nothing of another organization', async () => {
    const other = await addOrganization(service.sql, 'Other', await addUser(service.sql, 'other@example.com'))
    const { secret } = await addApiKey(service.sql, other.uid, [{ resource: '*', methods: ['GET'] }])
    assert.equal((await exported(`api_key=${secret}`)).text, 'compId,streamId,time,isoTime,data\r\n')
    assert.equal((await service.get(`/api/export?api_key=${secret}&compId=Plant`)).status, 404)
  })

  describe('of many samples', () => {
    const count = 30_000
    before(async () => {
      // Streams of one sample between long ones, and texts that fill a portion by themselves.
      const keys = await manage.make('component', {
        id: 'Many',
        stream: [
          { id: 'a' },
          { id: 'empty' },
          ...Array.from({ length: 250 }, (_, n) => ({ id: `one${n}` })),
          { id: 'b', kind: 'interval', baseCycleId: 'second' },
          { id: 'text', valueType: 'STRING' },
        ],
      })
      const keyOf = async (id: string) => {
        const uid = keys.stream.find((stream) => stream.id === id)!.uid
        const [row] = await service.sql<[{ key: number }]>`select key from stream where uid = ${uid}`
        return row.key
      }
      const [a, first, b, text] = await Promise.all(['a', 'one0', 'b', 'text'].map(keyOf))
      await service.sql`
        insert into sample (stream_key, time, num)
        select ${a!}, to_timestamp(1700000000 + n * 10), n from generate_series(1, ${count}) n`
      await service.sql`
        insert into sample (stream_key, time, num)
        select ${first!} + n, to_timestamp(1700000000 + n), n from generate_series(0, 249) n`
      await service.sql`
        insert into sample (stream_key, span, time, num)
        select ${b!}, 1, to_timestamp(1700000000 + n) - interval '1 millisecond', n from generate_series(1, ${count}) n`
      await service.sql`
        insert into sample (stream_key, time, text)
        select ${text!}, to_timestamp(1700000000 + n), repeat(chr(63 + n), 60000) from generate_series(1, 40) n`
      // More than the buffers of a connection take.
      const long = await manage.make('component', { id: 'Long', stream: [{ id: 'text', valueType: 'STRING' }] })
      await service.sql`
        insert into sample (stream_key, time, text)
        select key, to_timestamp(1700000000 + n), repeat('x', 60000)
        from stream, generate_series(1, 300) n where uid = ${long.stream[0]!.uid}`
    })

    it('has each of them once, in order, over all portions', async () => {
      const { text } = await exported('compId=Many&format=csv')
      const lines = text.split('\r\n').slice(1, -1)
      const of = (id: string) => lines.filter((line) => line.startsWith(`Many,${id},`)).map((line) => line.split(','))
      assert.equal(lines.length, 2 * count + 250 + 40)
      assert.deepEqual(
        of('a').map(([, , time, , data]) => `${time} ${data}`),
        Array.from({ length: count }, (_, n) => `${1_700_000_000_000 + (n + 1) * 10_000} ${n + 1}`),
      )
      assert.deepEqual(
        of('b').map(([, , time, , data]) => `${time} ${data}`),
        Array.from({ length: count }, (_, n) => `${1_700_000_000_000 + (n + 1) * 1000} ${n + 1}`),
      )
      assert.deepEqual(
        of('text').map(([, , , , data]) => data!.length),
        Array.from({ length: 40 }, (_, n) => (n === 0 ? 60_001 : 60_000)),
      )
      assert.ok(lines[0]!.startsWith('Many,a,') && lines.at(-1)!.startsWith('Many,text,'))
    })

    it('has each of them once as Parquet, in groups of rows', async () => {
      const reply = await fetch(
        `${service.url}/api/export?compId=Many&streamId=b&streamId=text&format=parquet&api_key=${service.apiKey}`,
      )
      const file = await reply.arrayBuffer()
      const metadata = await parquetMetadataAsync(file)
      assert.ok(metadata.row_groups.length > 3 && metadata.row_groups.every(({ num_rows: n }) => n <= 10_000n))
      const rows = await parquetReadObjects({ file })
      assert.equal(rows.length, count + 40)
      assert.equal(
        rows.reduce((sum, { streamId, number }) => sum + (streamId === 'b' ? (number as number) : 0), 0),
        (count * (count + 1)) / 2,
      )
    })

    it('comes to its end as Parquet though rows that wait for their group fill a portion', async () => {
      const { stream } = await manage.make('component', { id: 'Texts', stream: [{ id: 'text', valueType: 'STRING' }] })
      // Not a megabyte of texts yet, but with their times.
      await service.sql`
        insert into sample (stream_key, time, text)
        select key, to_timestamp(1700000000 + n), repeat('x', 203)
        from stream, generate_series(1, 1700) n where uid = ${stream[0]!.uid}`
      const reply = await fetch(`${service.url}/api/export?compId=Texts&format=parquet&api_key=${service.apiKey}`)
      const rows = await parquetReadObjects({ file: await reply.arrayBuffer() })
      assert.equal(rows.length, 1700)
    })

    it('has each interval of a statistic once, over all portions', async () => {
      const { text } = await exported('what=statistics&cycle=minute&stat=nongapcount&compId=Many&format=ndjson')
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { streamId: string; time: number; data: number })
      const of = (id: string) => rows.filter(({ streamId }) => streamId === id)
      assert.equal(new Set(rows.map(({ streamId, time }) => `${streamId} ${time}`)).size, rows.length)
      assert.equal(
        of('a').reduce((sum, { data }) => sum + data, 0),
        count,
      )
      assert.equal(
        of('b').reduce((sum, { data }) => sum + data, 0),
        count,
      )
      assert.equal(of('one7').length, 1)
    })

    it('holds neither a transaction nor a place while its client does not read, and gives its memory back', async () => {
      const { port } = new URL(service.url)
      const before = exportMemory.free()
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`GET /api/export?compId=Long&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      assert.ok(exportMemory.free() < before)
      await eventually(async () => {
        const [row] = await service.sql<[{ n: number }]>`
          select count(*)::integer as n from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`
        return row.n === 0
      })
      socket.destroy()
      await eventually(async () => exportMemory.free() === before)
    })

    it('is cut off while its client does not read and others have no place, and its client sees that it is not whole', async () => {
      const other = await addOrganization(service.sql, 'Newcomer', await addUser(service.sql, 'newcomer@example.org'))
      const { secret } = await addApiKey(service.sql, other.uid, [{ resource: 'component/*/feed', methods: ['GET'] }])
      const unread = await fetch(`${service.url}/api/export?compId=Long&api_key=${service.apiKey}`)
      assert.equal(unread.status, 200)
      const others = Array.from({ length: 15 }, (_, n) => exportMemory.open([`organization of ${n}`]))
      try {
        for (const holding of others) assert.equal(holding.take(exportBytes), true)
        assert.equal((await service.get(`/api/export?api_key=${secret}`)).status, 200)
        await assert.rejects(unread.text())
      } finally {
        for (const holding of others) holding.give()
      }
    })

    it('ends when its key is revoked meanwhile, and its client sees that it is not whole', async () => {
      const { uid, secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'component/*/feed', methods: ['GET'] },
      ])
      const reply = await fetch(`${service.url}/api/export?compId=Long&api_key=${secret}`)
      assert.equal(reply.status, 200)
      assert.equal((await manage.ask('DELETE', `/api/api_key/${uid}`)).status, 200)
      await assert.rejects(reply.text())
    })

    /** Begun, and not read any further than the buffers of a connection take. */
    const begin = async (query: string) => {
      const reply = await fetch(`${service.url}/api/export?${query}`)
      assert.equal(reply.status, 200)
      return reply
    }

    it("ends when its key is removed, though another organization's has the same secret and the same rights by then", async () => {
      const rights = [{ resource: 'component/*/feed', methods: ['GET' as const] }]
      const { uid, secret } = await addApiKey(service.sql, service.organizationUid, rights)
      const other = await addOrganization(service.sql, 'Secretive', await addUser(service.sql, 'secretive@example.org'))
      const reply = await begin(`compId=Long&api_key=${secret}`)
      assert.equal((await manage.ask('DELETE', `/api/api_key/${uid}`)).status, 200)
      const apiKey = { name: 'a key', capabilities: rights, addresses: [], enabled: true, expiresMs: null }
      await insertApiKey(service.sql, testSecrets, other.key, apiKey, secret)
      assert.equal((await service.get(`/api/export?compId=Long&api_key=${secret}`)).status, 404)
      await assert.rejects(reply.text())
    })

    it('ends when its user leaves the organization, though the same session is good for another one by then', async () => {
      const user = await addUser(service.sql, 'leaving@example.org')
      await addMember(service.sql, service.organizationUid, user, 'guest')
      const session = await addSession(service.sql, user)
      const reply = await begin(`compId=Long&session=${session}`)
      await addOrganization(service.sql, 'Own', user)
      assert.equal((await manage.ask('DELETE', `/api/user/${user.uid}`)).status, 200)
      assert.equal((await service.get(`/api/component?session=${session}`)).status, 200)
      await assert.rejects(reply.text())
    })

    it('goes on when its user leaves another organization', async () => {
      const user = await addUser(service.sql, 'two@example.org')
      await addMember(service.sql, service.organizationUid, user, 'guest')
      const other = await addOrganization(service.sql, 'Two', user)
      const reply = await begin(
        `compId=Long&org=${service.organizationUid}&session=${await addSession(service.sql, user)}`,
      )
      await service.sql`delete from organization where key = ${other.key}`
      assert.equal((await reply.text()).split('\r\n').length, 302)
    })

    it('goes on when a component is given another ID, and is cut off when another has the ID of one that is removed', async () => {
      const text = [{ id: 'text', valueType: 'STRING' }]
      const [long] = await service.sql<[{ uid: string }]>`select uid from component where id = 'Long'`
      const later = await manage.make('component', { id: 'Later', stream: text })
      const renamed = await begin(`compId=Long&api_key=${service.apiKey}`)
      assert.equal((await manage.ask('PUT', `/api/component/${long.uid}`, { id: 'Longer' })).status, 200)
      assert.equal((await renamed.text()).split('\r\n').length, 302)
      assert.equal((await manage.ask('PUT', `/api/component/${long.uid}`, { id: 'Long' })).status, 200)
      const replaced = await begin(`compId=Long&compId=Later&api_key=${service.apiKey}`)
      assert.equal((await manage.ask('DELETE', `/api/component/${later.uid}`)).status, 200)
      await manage.make('component', { id: 'Later', stream: text })
      await assert.rejects(replaced.text())
    })

    it('has each point once, though their texts fill several portions', async () => {
      const stream = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, kind: 'point', valueType: 'STRING' }))
      const { uid } = await manage.make('component', { id: 'Points', stream })
      await service.sql`
        insert into point_sample (stream_key, time, text)
        select stream.key, to_timestamp(1700000000), repeat('x', 60000)
        from stream join component on component.key = component_key where component.uid = ${uid}`
      const reply = await begin(`compId=Points&api_key=${service.apiKey}`)
      const ids = (await reply.text())
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1])
      assert.deepEqual(
        ids,
        stream.map(({ id }) => id),
      )
    })

    it('ends when its key is given less, and goes on when its user is given more', async () => {
      const { uid, secret } = await addApiKey(service.sql, service.organizationUid, [
        { resource: 'component/*/feed', methods: ['GET'] },
      ])
      const user = await addUser(service.sql, 'joining@example.org')
      await addMember(service.sql, service.organizationUid, user, 'guest')
      const ofUser = await begin(`compId=Long&session=${await addSession(service.sql, user)}`)
      const ofKey = await begin(`compId=Long&api_key=${secret}`)
      await addOrganization(service.sql, 'Another', user)
      const capabilities = [{ resource: `component/${plantUid}/feed`, methods: ['GET'] }]
      assert.equal((await manage.ask('PUT', `/api/api_key/${uid}`, { capabilities })).status, 200)
      await assert.rejects(ofKey.text())
      assert.equal((await ofUser.text()).split('\r\n').length, 302)
    })

    it('is cut off when a stream is removed that it has begun, or a component that it was asked for', async () => {
      const make = async (id: string, texts: number) => {
        const made = await manage.make('component', { id, stream: [{ id: 'text', valueType: 'STRING' }] })
        await service.sql`
          insert into sample (stream_key, time, text)
          select key, to_timestamp(1700000000 + n), repeat('x', 60000)
          from stream, generate_series(1, ${texts}) n where uid = ${made.stream[0]!.uid}`
        return made
      }
      const first = await make('First', 300)
      const second = await make('Second', 1)
      const removeOne = async ({ uid }: { readonly uid: string }) =>
        assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 202)
      const named = await begin(`compId=First&compId=Second&api_key=${service.apiKey}`)
      const all = await begin(`folder=/Components&streamId=text&sd=1700000000000&api_key=${service.apiKey}`)
      await removeOne(second)
      await assert.rejects(named.text())
      // Of all, one that has not been begun is left out, as it is of an export that begins now.
      assert.doesNotMatch(await all.text(), /Second/)
      const half = await begin(`compId=First&api_key=${service.apiKey}`)
      await removeOne(first)
      await assert.rejects(half.text())
    })
  })
})
