// Live feeds (docs/live.md) over HTTP, rule by rule.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '../../src/base/database/sql.ts'
import type { Transaction } from '../../src/base/database/sql.ts'
import type { Service } from '../../src/service.ts'
import { startJobs } from '../../src/jobs.ts'
import type { LiveListener } from '../support/live.ts'
import { listen } from '../support/live.ts'
import { addApiKey, addMember, addSession, addUser } from '../support/people.ts'
import { openSecond } from '../support/second.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

describe('live feeds', function () {
  let service: TestService
  let second: Service
  let session: string
  const listeners: LiveListener[] = []
  before(async () => {
    service = await openTestService()
    second = await openSecond(service)
    const user = await addUser(service.sql, 'admin@example.com')
    await addMember(service.sql, service.organizationUid, user, 'admin')
    session = await addSession(service.sql, user)
  })
  after(async () => {
    await second.close()
    await service.close()
  })
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.leave()
  })
  const live = async (
    query: string,
    { url = service.url, key = `api_key=${service.apiKey}`, id = '' }: { url?: string; key?: string; id?: string } = {},
  ) => {
    const listener = await listen(`${url}/api/live?${query}&${key}`, id === '' ? {} : { 'Last-Event-ID': id })
    listeners.push(listener)
    await listener.named('live')
    return listener
  }
  const put = async (query: string, body?: string) => {
    const reply = await service.put(`/api/feed?${query}`, body)
    assert.equal(reply.status, 200, reply.text)
  }
  const manage = async (method: string, path: string, body?: object) => {
    const reply = await service.request(
      method,
      `${path}${path.includes('?') ? '&' : '?'}session=${session}`,
      body ? { body: JSON.stringify(body) } : {},
    )
    assert.ok(reply.status < 300, `${reply.status} ${reply.text}`)
    return reply.json as Record<string, Record<string, unknown>>
  }
  const uidOf = async (compId: string) => {
    const [row] = await service.sql<[{ uid: string }]>`select uid from component where id = ${compId}`
    return row.uid
  }
  const shown = ({ samples }: LiveListener) =>
    samples.map(({ compId, streamId, time, data }) => `${compId}.${streamId} ${time}=${JSON.stringify(data)}`)
  const shows = async (listener: LiveListener, from: number, expected: readonly string[]) => {
    await listener.until(() => listener.samples.length >= from + expected.length)
    assert.deepEqual(shown(listener).slice(from), expected)
  }

  const listenByBoth = async (compId: string) => {
    await put(`compId=${compId}&x=1&time=1000`)
    const rights = [{ resource: 'component/*/feed', methods: ['GET'] as const }]
    const key = await addApiKey(service.sql, service.organizationUid, rights)
    const byKey = await live(`compId=${compId}`, { key: `api_key=${key.secret}` })
    const bySession = await live(`compId=${compId}`, { key: `session=${session}` })
    return { key, byKey, bySession }
  }
  const isLookedUp = async () => {
    const waiting = await service.sql`select from pg_locks where relation = 'api_key'::regclass and not granted`
    return waiting.length > 0
  }
  /** Works while the server has forgotten the key and cannot find it. */
  const whileUnknown = (uid: string, work: (tx: Transaction) => Promise<void>) =>
    transaction(service.sql, async (tx) => {
      await tx`lock table api_key in access exclusive mode`
      const [{ key }] = await tx<[{ key: number }]>`select key from api_key where uid = ${uid}`
      await service.sql`insert into access_change (tag) values (${`api_key ${key}`})`
      await eventually(isLookedUp)
      await work(tx)
    })
  const putTwo = async (compId: string, { samples, until }: LiveListener) => {
    for (const time of [2000, 3000]) {
      const before = samples.length
      const reply = await service.request('PUT', `/api/feed?compId=${compId}&x=2&time=${time}&session=${session}`)
      assert.equal(reply.status, 200, reply.text)
      await until(() => samples.length > before)
    }
  }

  it('show last values first, then every sample that is stored, overwritten and late ones too', async () => {
    await put('compId=A&x=1,2&y=5,6&time=1000,2000')
    const listener = await live('compId=A')
    assert.deepEqual(shown(listener), ['A.x 2000=2', 'A.y 2000=6'])
    await put('compId=A&x=3&time=3000')
    await put('compId=A&x=4&time=3000')
    await put('compId=A&x=0.5&time=500')
    await put('compId=B&x=9')
    // A stream that is new.
    await put('compId=A&z=7&time=4000')
    await shows(listener, 2, ['A.x 3000=3', 'A.x 3000=4', 'A.x 500=0.5', 'A.z 4000=7'])
  })

  it('show samples of all forms of upload, of scripts, files, points and derived streams, from any server', async () => {
    const jobs = startJobs(service.service.world, service.databaseUrl)
    try {
      await put('compId=F&a=1&time=1000')
      await manage('POST', '/api/stream', {
        componentUid: await uidOf('F'),
        id: 'p',
        name: 'p',
        kind: 'point',
        valueType: 'DOUBLE',
      })
      await manage('POST', '/api/stream', {
        componentUid: await uidOf('F'),
        id: 'd',
        name: 'd',
        kind: 'random',
        valueType: 'DOUBLE',
        expression: 'a * 2',
        variables: [{ name: 'a', streamId: 'a' }],
      })
      const listener = await live('folder=/Components', { url: second.url })
      const before = listener.samples.length
      const next = async (expected: RegExp) => {
        await listener.until(() =>
          shown(listener)
            .slice(before)
            .some((line) => expected.test(line)),
        )
      }
      await put('', JSON.stringify([{ compId: 'F', streamId: 'a', time: 2000, data: 2 }]))
      await next(/^F\.a 2000=2$/)
      await next(/^F\.d 2000=4$/)
      await put('compId=F&derMaxS&derTout&a=3&time=3000')
      await next(/^F\.d 3000=6$/)
      await put('compId=F&p=5')
      await next(/^F\.p \d+=5$/)
      await put(
        '',
        JSON.stringify({
          feed: { component: [{ componentId: 'F', stream: [{ streamId: 't', time: [1], data: ['ä "text"'] }] }] },
        }),
      )
      await next(/^F\.t 1="ä \\"text\\""$/)
      const file = await service.put('/api/comp/F/stream/photo/feed/file/a%20b.txt?time=7', 'content')
      assert.equal(file.status, 200, file.text)
      await next(/^F\.photo 7="\/api\/comp\/F\/stream\/photo\/feed\/file\/7\/a%20b\.txt"$/)
      const s = "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'G', 'new', 5, 1.5 UNION ALL SELECT 'F', 'a', 9000, 9"
      await manage('POST', '/api/gql', { s })
      await next(/^G\.new 5=1\.5$/)
      await next(/^F\.a 9000=9$/)
      await next(/^F\.d 9000=18$/)
    } finally {
      await jobs.stop()
    }
  })

  it('show deletions, by calls and by scripts', async () => {
    await put('compId=D&x=1,2,3&time=1000,2000,3000')
    const listener = await live('compId=D&streamId=x')
    await service.request('DELETE', `/api/comp/D/stream/x/feed?sd=1000&ed=1500&session=${session}`)
    assert.deepEqual(JSON.parse((await listener.named('deleted')).data), {
      compId: 'D',
      streamId: 'x',
      sd: 1000,
      ed: 1500,
    })
    await manage('POST', '/api/gql', { s: "DELETE FROM SAMPLE WHERE CID = 'D' AND ID = 'x' AND TIME = 2000" })
    await listener.until(() => listener.events.filter(({ event }) => event === 'deleted').length === 2)
    assert.match(listener.events.at(-1)!.data, /"sd":2000,"ed":2001/)
  })

  it('show only the streams that were named, and those of a folder with all below it', async () => {
    await put('compId=N1&x=1&y=1&time=1')
    await put('compId=N2&x=1&folder=/Components/North/Hall&time=1')
    await put('compId=N3&x=1&folder=/Components/Northern&time=1')
    const pair = await live('compId=N1&streamId=y')
    const folder = await live('folder=/Components/North')
    assert.deepEqual([shown(pair), shown(folder)], [['N1.y 1=1'], ['N2.x 1=1']])
    await put('compId=N1&x=2&y=2&time=2')
    await put('compId=N3&x=2&time=2')
    await put('compId=N2&x=2&time=2')
    await put('compId=N4&x=2&folder=/Components/North&time=2')
    await shows(pair, 1, ['N1.y 2=2'])
    await shows(folder, 1, ['N2.x 2=2', 'N4.x 2=2'])
  })

  it('add fData, unit and sdTime where they are asked for', async () => {
    const { unit } = await manage('POST', '/api/unit', { id: 'C', name: 'C', symbol: ' °C' })
    await put('compId=U&x=1&time=1')
    const [stream] = await service.sql<[{ uid: string }]>`
      select stream.uid from stream join component on component.key = component_key where component.id = 'U'`
    await manage('PUT', `/api/stream/${stream.uid}`, { unitUid: unit!['uid'] })
    const listener = await live('compId=U&retFData&retUnit&retIntvlSd')
    await put('compId=U&x=2&time=2')
    await listener.until(() => listener.samples.length === 2)
    const all = { compId: 'U', streamId: 'x', sdTime: 2, time: 2, data: 2, fData: '2 °C', unit: ' °C' }
    assert.equal(JSON.stringify(listener.samples[1]), JSON.stringify(all))
  })

  it('go on behind the event that a listener names, at another server too', async () => {
    await put('compId=R&x=1&time=1')
    const first = await live('compId=R')
    await put('compId=R&x=2&time=2')
    await shows(first, 1, ['R.x 2=2'])
    first.leave()
    await put('compId=R&x=3&time=3')
    await put('compId=R&x=4&time=4')
    const again = await live('compId=R', { url: second.url, id: first.lastId() })
    assert.deepEqual(shown(again), ['R.x 3=3', 'R.x 4=4'])
    await put('compId=R&x=5&time=5')
    await shows(again, 2, ['R.x 5=5'])
  })

  it('report a gap and show last values where the events between are not kept, or the id is none or of another history', async () => {
    await put('compId=R2&x=1&time=1')
    const first = await live('compId=R2')
    const [, snapshot, history] = /^(.*):(.*)$/.exec(first.lastId())!
    const named = ['1:1:', '99999999:99999999:', '9:8:'].map((each) => `${each}:${history}`)
    for (const id of [...named, 'nonsense', snapshot!, `${snapshot}:another1`]) {
      const listener = await live('compId=R2', { id })
      assert.deepEqual(
        listener.events.map(({ event }) => event),
        ['gap', 'message', 'live'],
        id,
      )
    }
  })

  it('refuse what does not exist, what the caller may not read, and calls that name nothing', async () => {
    await put('compId=Here&x=1')
    const other = await addApiKey(service.sql, service.organizationUid, [
      { resource: `component/${await uidOf('Here')}/feed`, methods: ['GET'] },
    ])
    const cases = [
      ['', 400, 'bad_request'],
      ['streamId=x&compId=Here', 400, 'bad_request'],
      ['folder=/Elsewhere', 400, 'bad_request'],
      ['compId=Here&seconds=-1', 400, 'bad_request'],
      ['compId=Nowhere', 404, 'component_not_found'],
      ['compId=Here&streamId=nothing', 404, 'stream_not_found'],
      ['folder=/Components/Nowhere', 404, 'folder_not_found'],
      [`compId=A&api_key=${other.secret}`, 403, 'forbidden'],
      [`compId=Nowhere&api_key=${other.secret}`, 403, 'forbidden'],
      [`folder=/Components&api_key=${other.secret}`, 403, 'forbidden'],
      ['compId=Here&api_key=wrong', 401, 'unauthorized'],
    ] as const
    for (const [query, status, code] of cases) {
      const reply = await service.get(`/api/live?${query}`)
      assert.deepEqual([reply.status, (reply.json as { code: string }).code], [status, code], query)
    }
    const listener = await live('compId=Here', { key: `api_key=${other.secret}` })
    assert.equal(listener.samples.length, 1)
  })

  it('end with the reason when the key is revoked, the session ended, the user removed or the component deleted', async () => {
    await put('compId=E&x=1')
    await put('compId=E2&x=1')
    const key = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const users = await Promise.all(['one@example.com', 'two@example.com'].map((email) => addUser(service.sql, email)))
    for (const user of users) await addMember(service.sql, service.organizationUid, user, 'guest')
    const [one, two] = await Promise.all(users.map((user) => addSession(service.sql, user)))
    const byKey = await live('compId=E', { key: `api_key=${key.secret}` })
    const bySession = await live('compId=E', { key: `session=${one}` })
    const byRemoved = await live('compId=E', { key: `session=${two}` })
    const ofGone = await live('compId=E2&compId=E')
    await service.sql`update api_key set enabled = false where uid = ${key.uid}`
    await service.request('DELETE', `/api/login?session=${one}`)
    await manage('DELETE', `/api/user/${users[1]!.uid}`)
    await manage('DELETE', `/api/component/${await uidOf('E2')}`)
    const code = async (listener: LiveListener) => {
      const { data } = await listener.named('end')
      await listener.until(listener.isEnded)
      return (JSON.parse(data) as { code: string }).code
    }
    assert.deepEqual(
      [await code(byKey), await code(bySession), await code(byRemoved), await code(ofGone)],
      ['unauthorized', 'unauthorized', 'unauthorized', 'component_not_found'],
    )
  })

  it('show nothing while the key is looked up, and then everything, and nobody else waits for that', async () => {
    const { key, byKey, bySession } = await listenByBoth('Doubt')
    await whileUnknown(key.uid, async () => {
      await putTwo('Doubt', bySession)
      assert.equal(byKey.samples.length, 1)
    })
    await byKey.until(() => byKey.samples.length === 3)
    assert.deepEqual(shown(byKey), shown(bySession))
  })

  it('show nothing while the key is looked up, and end when it is gone', async () => {
    const { key, byKey, bySession } = await listenByBoth('Doubt2')
    await whileUnknown(key.uid, async (tx) => {
      await tx`delete from api_key where uid = ${key.uid}`
      await putTwo('Doubt2', bySession)
    })
    await byKey.until(byKey.isEnded)
    assert.match(byKey.events.at(-1)!.data, /"code":"unauthorized"/)
    assert.equal(byKey.samples.length, 1)
  })

  it('end with the reason when a folder that is listened to is renamed or deleted', async () => {
    const [renamed, deleted] = await Promise.all(
      ['Renamed', 'Deleted'].map((name) => manage('POST', '/api/folder', { path: `/Components/${name}` })),
    )
    const ofRenamed = await live('folder=/Components/Renamed')
    const ofDeleted = await live('folder=/Components/Deleted')
    await manage('PUT', `/api/folder/${String(renamed!['folder']!['uid'])}`, { path: '/Components/Else' })
    await manage('DELETE', `/api/folder/${String(deleted!['folder']!['uid'])}`)
    for (const listener of [ofRenamed, ofDeleted])
      assert.match((await listener.named('end')).data, /"code":"folder_not_found"/)
  })

  it('end when the client closes its sending side, and not only when something is sent to it', async () => {
    await put('compId=Left&x=1&time=1000')
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    let text = ''
    socket.on('data', (piece: string) => (text += piece))
    const closed = once(socket, 'close')
    socket.write(`GET /api/live?compId=Left&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await eventually(() => Promise.resolve(text.includes('event: live')))
    // Old devices close it directly behind their request, and wait for the reply.
    await sleep(200)
    text = ''
    socket.end()
    await closed
    assert.equal(text, '')
  })

  it('write nothing down for a listener who comes where others listen', async () => {
    await put('compId=Crowd&x=1&time=1000')
    await live('compId=Crowd')
    const interest = () => service.sql`select ctid::text, xmin::text from live_interest`
    const before = await interest()
    await live('compId=Crowd')
    await live('compId=Crowd&streamId=x')
    assert.deepEqual(await interest(), before)
  })

  it('look nothing up for a listener whose caller has no room for the names', async function () {
    this.timeout(60_000)
    const names = Array.from({ length: 1000 }, (_, n) => `s${n}`)
    await put('', JSON.stringify(names.map((streamId) => ({ compId: 'Many', streamId, data: 1 }))))
    const leaving = new AbortController()
    const pathOf = (compId: string) => `/api/live?compId=${compId}&streamId=${names.join('&streamId=')}`
    const ask = () => fetch(`${service.url}${pathOf('Many')}&api_key=${service.apiKey}`, { signal: leaving.signal })
    // Half of the 200,000 names that all listeners have together.
    const first = await Promise.all(Array.from({ length: 100 }, ask))
    assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]))
    assert.equal((await service.get(pathOf('Missing'))).status, 503)
    leaving.abort()
    await eventually(async () => (await service.get(pathOf('Missing'))).status === 404)
  })

  it('end a listener that is still being looked up when the server stops', async () => {
    await put('compId=Late&x=1&time=1000')
    const third = await openSecond(service)
    try {
      const late = await service.sql.begin(async (sql) => {
        await sql`lock table component in access exclusive mode`
        const asked = listen(`${third.url}/api/live?compId=Late&api_key=${service.apiKey}`)
        await eventually(async () => {
          const [row] = await service.sql<[{ waiting: number }]>`
            select count(*)::integer as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%as named (component_id%'`
          return row.waiting > 0
        })
        third.stopListening()
        return { asked }
      })
      const listener = await late.asked
      listeners.push(listener)
      assert.match((await listener.named('end')).data, /"code":"stopping"/)
    } finally {
      await third.close()
    }
  })

  it('tell a listener that comes by a kept connection while the server stops to come back, and do not refuse it', async () => {
    await put('compId=Late&x=1&time=1000')
    const third = await openSecond(service)
    try {
      const wire = await openWire(third.url)
      wire.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await wire.reply()
      third.stopListening()
      wire.send(`GET /api/live?compId=Late&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const text = await wire.rest()
      assert.match(text, /^HTTP\/1.1 200 OK\r\n/)
      assert.match(text, /\r\nConnection: close\r\n/)
      assert.match(text, /event: end\ndata: \{"code":"stopping"/)
    } finally {
      await third.close()
    }
  })

  it('add no statement to uploads while nobody listens, and write no journal of other organizations', async () => {
    await eventually(async () => {
      const [row] = await service.sql<[{ size: number }]>`select count(*)::integer as size from live_interest`
      return row.size === 1
    })
    await service.sql`update live_interest set organization_key = organization_key + 1000000`
    await service.sql`insert into catalog_change (component_key) values (${-(2 ** 31)})`
    await service.sql`delete from live_journal`
    await put('compId=Quiet&x=1')
    await put('compId=Quiet&x=2')
    const [row] = await service.sql<[{ size: number }]>`select count(*)::integer as size from live_journal`
    assert.equal(row.size, 0)
  })
})
