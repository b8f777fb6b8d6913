// HTTP connectors and GS SQL over HTTP (docs/connectors.md): rule by rule.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { largeReplies } from '../../src/base/http/large-reply.ts'
import type { Client } from '../support/http.ts'
import { addPerson, messageIn } from '../support/http.ts'
import { addApiKey, addSession } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const nowMs = 1_700_000_000_000

describe('HTTP connectors', () => {
  let service: TestService
  let admin: Client
  let member: Awaited<ReturnType<typeof addPerson>>
  let guest: Awaited<ReturnType<typeof addPerson>>
  let sinkKey: string
  let made = 0
  before(async () => {
    service = await openTestService({}, openTestClock(nowMs))
    admin = (await addPerson(service, 'admin')).call
    member = await addPerson(service, 'member')
    guest = await addPerson(service, 'guest')
    const capability = { resource: 'connector/*/sink', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }
    sinkKey = (await addApiKey(service.sql, service.organizationUid, [capability])).secret
  })
  after(() => service.close())

  const create = async (sql: string, more: object = {}) => {
    made += 1
    const input = {
      name: `c${made}`,
      endpoint: `e${made}`,
      runAsUserUid: member.user.uid,
      timeZone: 'UTC',
      sql,
      ...more,
    }
    const { status, body } = await admin('POST', '/api/connector', input)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { connector: { uid: string; endpoint: string; sinkUrl: string } }).connector
  }
  const push = (method: string, endpoint: string, query: string, init: RequestInit = {}) =>
    service.request(method, `/api/conn_sink/${service.organizationUid}/${endpoint}${query}`, init)
  const feedOf = async (component: string) => (await service.get(`/api/comp/${component}/feed?retStreamId`)).json
  const withKey = () => `?api_key=${sinkKey}`
  const bodyScript = (component: string) => `
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
    SELECT '${component}', 'temp', t, v FROM JSON_TABLE(@HTTP_BODY) WITH(t Long '$.t', v Double '$.v');`

  it('refuses to save a script that is wrong, telling line and column', async () => {
    const input = { name: 'x', endpoint: 'wrong', runAsUserUid: member.user.uid, sql: 'SELECT\n  Lefft(1, 2)' }
    const { status, body } = await admin('POST', '/api/connector', input)
    assert.equal(status, 400)
    const { code, line, column } = body as { code: string; line: number; column: number }
    assert.deepEqual({ code, line, column }, { code: 'script_error', line: 2, column: 3 })
  })

  it('refuses an endpoint that another connector has', async () => {
    const { endpoint } = await create('SELECT 1')
    const input = { name: 'x', endpoint, runAsUserUid: member.user.uid, sql: 'SELECT 1' }
    assert.equal((await admin('POST', '/api/connector', input)).status, 409)
  })

  it('takes any endpoint that can stand in an address, and serves it by every way', async () => {
    const odd = ['a b', 'ä/ö?ü#', '100%', '%41', 'a+b', "it's;v=1,(2)", '日本', 'a&b=c', '...', 'e'.repeat(512), '😀']
    for (const given of odd) {
      const { endpoint, sinkUrl } = await create(bodyScript('Odd'), { endpoint: given })
      assert.equal(endpoint, given)
      assert.equal(sinkUrl, `${service.url}/api/conn_sink/${service.organizationUid}/${encodeURIComponent(given)}`)
      const { pathname } = new URL(sinkUrl)
      // Small bodies in one piece, large ones, and none; by fetch, and as a device writes it.
      for (const init of [{ body: '{"t":5,"v":1}' }, { body: `{"t":5,"v":1}${' '.repeat(200_000)}` }, {}])
        assert.equal((await fetch(`${sinkUrl}${withKey()}`, { method: 'POST', ...init })).status, 200, given)
      const wire = await openWire(service.url)
      wire.send(`POST ${pathname}${withKey()} HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{"t":5,"v":1}`)
      assert.match((await wire.reply()).statusLine, /200/, given)
      wire.close()
    }
    assert.equal((await push('POST', 'A%20B', withKey())).status, 404)
  })

  it('refuses an endpoint that cannot stand there', async () => {
    const refused: readonly [endpoint: unknown, message: string][] = [
      ['', 'endpoint must not be empty'],
      ['.', 'endpoint must not be . or .., which lead elsewhere in an address'],
      ['..', 'endpoint must not be . or .., which lead elsewhere in an address'],
      ['a\nb', 'endpoint has a control character'],
      ['\ud800', 'endpoint has a character that cannot be stored'],
      ['x'.repeat(513), 'endpoint must have at most 512 characters'],
      [5, 'endpoint must be a string'],
    ]
    for (const [endpoint, message] of refused) {
      const input = { name: 'x', endpoint, runAsUserUid: member.user.uid, sql: 'SELECT 1' }
      const { status, body } = await admin('POST', '/api/connector', input)
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
  })

  it('has no zone of its own when it is blank', async () => {
    const { uid } = await create('SELECT 1', { timeZone: '' })
    const zoneOf = (body: unknown) => (body as { connector: { timeZone: string | null } }).connector.timeZone
    assert.equal(zoneOf((await admin('GET', `/api/connector/${uid}`)).body), null)
    assert.equal(zoneOf((await admin('PUT', `/api/connector/${uid}`, { timeZone: 'UTC' })).body), 'UTC')
    assert.equal(zoneOf((await admin('PUT', `/api/connector/${uid}`, { timeZone: '' })).body), null)
    const trial = await member.call('POST', '/api/connector/test', { sql: 'SELECT 1', timeZone: '' })
    assert.equal(trial.status, 200)
    assert.equal((await member.call('GET', '/api/gql?tz=&s=SELECT%201')).status, 200)
    const saved = await admin('POST', '/api/query', { name: 'q', sql: 'SELECT 1', timeZone: '' })
    assert.equal((saved.body as { query: { timeZone: string | null } }).query.timeZone, null)
  })

  it('shows where to push to', async () => {
    const { endpoint, sinkUrl } = await create('SELECT 1')
    assert.equal(sinkUrl, `${service.url}/api/conn_sink/${service.organizationUid}/${endpoint}`)
    assert.equal((await fetch(`${sinkUrl}${withKey()}`, { method: 'POST' })).status, 200)
  })

  it('refuses a caller without a key with a challenge that the sink takes', async () => {
    const { endpoint } = await create('SELECT 1')
    for (const query of ['', '?api_key=wrong']) {
      const reply = await push('POST', endpoint, query)
      assert.equal(reply.status, 401)
      assert.match(reply.headers.get('www-authenticate') ?? '', /^Basic realm=/)
    }
  })

  it('stores nothing when the script fails, and says why', async () => {
    const { endpoint } = await create(
      `${bodyScript('Fails')} INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES (NULL, 'x', 1, 1);`,
    )
    const reply = await push('POST', endpoint, withKey(), { body: '{"t":5,"v":1}' })
    assert.equal(reply.status, 400)
    assert.equal((reply.json as { code: string }).code, 'script_error')
    assert.equal((await service.get('/api/comp/Fails/feed')).status, 404)
  })

  it('refuses a body that is not JSON where the script wants JSON', async () => {
    const { endpoint } = await create(bodyScript('NotJson'))
    assert.equal((await push('POST', endpoint, withKey(), { body: '{"t":' })).status, 400)
    assert.equal((await service.get('/api/comp/NotJson/feed')).status, 404)
  })

  it('refuses a key without the capability', async () => {
    const { endpoint } = await create('SELECT 1')
    assert.equal((await push('POST', endpoint, `?api_key=${service.apiKey}`)).status, 403)
  })

  it('refuses sessions and tokens, naming the credentials it takes', async () => {
    const { endpoint } = await create('SELECT 1')
    const session = await addSession(service.sql, member.user)
    for (const [query, headers] of [
      ['', {}],
      [`?session=${session}`, {}],
      [`?access_token=${session}`, {}],
      ['', { Authorization: `Bearer ${session}` }],
      ['', { Cookie: `session=${session}` }],
    ] as const) {
      const { status, json } = await push('POST', endpoint, query, { headers })
      assert.equal(status, 401)
      assert.match(messageIn(json), /^a sink is opened by API keys only: /)
    }
  })

  it('refuses writes that its run-as user may not make', async () => {
    const { endpoint } = await create(bodyScript('Guest'), { runAsUserUid: guest.user.uid })
    const { status, json } = await push('POST', endpoint, withKey(), { body: '{"t":5,"v":1}' })
    assert.equal(status, 403)
    assert.deepEqual(json, {
      success: false,
      code: 'forbidden',
      message: "this connector's run-as user may not PUT component/*/feed",
    })
    assert.equal((await service.get('/api/comp/Guest/feed')).status, 404)
  })

  it('does not exist while it is disabled', async () => {
    const { endpoint } = await create('SELECT 1', { enabled: false })
    assert.equal((await push('POST', endpoint, withKey())).status, 404)
    assert.equal((await push('POST', 'none', withKey())).status, 404)
  })

  it('refuses an unknown charset, and a NUL', async () => {
    const { endpoint } = await create('SELECT 1')
    const unknown = { body: 'x', headers: { 'Content-Type': 'text/plain; charset=klingon' } }
    assert.equal((await push('POST', endpoint, withKey(), unknown)).status, 415)
    assert.equal((await push('POST', endpoint, withKey(), { body: 'a\0b' })).status, 400)
  })

  it('stores the samples that its script makes of the body', async () => {
    const { endpoint } = await create(bodyScript('Body'))
    const reply = await push('POST', endpoint, withKey(), { body: '{"t":1600000000000,"v":21.5}' })
    assert.equal(reply.text, '{"success":true,"message":"","inserted":1}')
    assert.deepEqual(await feedOf('Body'), [{ streamId: 'temp', time: 1_600_000_000_000, data: 21.5 }])
  })

  it('stores the ten thousand rows of one CSV body', async () => {
    const { endpoint } = await create(`
      INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT c, i, t, v FROM CSV_TABLE(@HTTP_BODY) WITH (1 c STRING, 2 i STRING, 3 t LONG, 4 v DOUBLE)`)
    const body = Array.from({ length: 10_000 }, (_, row) => `csv-device,stream-${row % 5},${nowMs - row},${row}`).join(
      '\n',
    )
    const { status, json } = await push('POST', endpoint, withKey(), { body })
    assert.equal(status, 200)
    assert.deepEqual(json, { success: true, message: '', inserted: 10_000 })
  })

  it('takes PUT, POST, GET and DELETE, and gives the script the method', async () => {
    const { endpoint } = await create(
      "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Methods', @HTTP_METHOD, NULL, Coalesce(@HTTP_BODY, 'none');",
    )
    for (const method of ['PUT', 'POST', 'GET', 'DELETE'])
      assert.equal((await push(method, endpoint, withKey())).status, 200, method)
    const streams = ((await feedOf('Methods')) as { streamId: string; data: string }[]).map(({ streamId, data }) => [
      streamId,
      data,
    ])
    assert.deepEqual(Object.fromEntries(streams), { PUT: 'none', POST: 'none', GET: 'none', DELETE: 'none' })
  })

  it('hands the query to the script, decoded, without credentials', async () => {
    const { endpoint } = await create(
      "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Query', 'q', NULL, @HTTP_QUERY_STRING;",
    )
    await push('GET', endpoint, `?a=1%2C2&API_KEY=${sinkKey}&org=${service.organizationUid}&b=x+y`)
    assert.deepEqual(await feedOf('Query'), [{ streamId: 'q', time: nowMs, data: 'a=1,2&b=x y' }])
  })

  it("refuses an org that is not the key's own, in the query or a cookie, as feeds do", async () => {
    const { endpoint } = await create('SELECT 1')
    const cookie = (org: string) => ({ headers: { Cookie: `api_key=${sinkKey}; org=${org}` } })
    const own = service.organizationUid
    assert.equal((await push('GET', endpoint, `${withKey()}&org=Hall3`)).status, 403)
    assert.equal((await push('GET', endpoint, '', cookie('Hall3'))).status, 403)
    assert.equal((await push('GET', endpoint, `${withKey()}&org=${own}`)).status, 200)
    assert.equal((await push('GET', endpoint, '', cookie(own))).status, 200)
    assert.equal((await service.get(`/api/comp/x/feed?org=Hall3`)).status, 403)
  })

  it('counts the samples that are stored, not the rows', async () => {
    const { endpoint } = await create(`
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT 'Counted', s, t, v FROM JSON_TABLE(@HTTP_BODY) WITH(s String '$[*].s', t Long '$[*].t', v Double '$[*].v')`)
    const rows = [
      { s: 'a', t: 1, v: 1 },
      { s: 'a', t: 1, v: 2 },
      { s: 'b', t: 1, v: 3 },
      { s: 'a', t: 2, v: null },
    ]
    const { json } = await push('POST', endpoint, withKey(), { body: JSON.stringify(rows) })
    assert.equal((json as { inserted: number }).inserted, 2)
    assert.equal(((await feedOf('Counted')) as unknown[]).length, 2)
  })

  it('takes the key from the query, a cookie, or Basic as user or password', async () => {
    const { endpoint } = await create('SELECT 1')
    const basic = (text: string) => ({ headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` } })
    assert.equal((await push('GET', endpoint, '', { headers: { Cookie: `api_key=${sinkKey}` } })).status, 200)
    for (const text of [`${sinkKey}:`, `:${sinkKey}`, sinkKey])
      assert.equal((await push('GET', endpoint, '', basic(text))).status, 200, text.replace(sinkKey, 'KEY'))
    assert.equal((await push('GET', endpoint, '', basic(`${sinkKey}:${sinkKey}`))).status, 401)
    assert.equal((await push('GET', endpoint, '?api_key=wrong', basic(sinkKey))).status, 401)
    assert.equal((await push('GET', endpoint, withKey(), basic('wrong'))).status, 200)
  })

  it('reads times without a zone in its own', async () => {
    const { endpoint } = await create(
      "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Zone', 's', TOEPOCHMILLIS(@HTTP_BODY, 'yyyy-MM-dd HH:mm'), 1;",
      { timeZone: 'Europe/Berlin' },
    )
    await push('POST', endpoint, withKey(), { body: '2026-07-01 12:00' })
    assert.deepEqual(await feedOf('Zone'), [{ streamId: 's', time: Date.UTC(2026, 6, 1, 10), data: 1 }])
  })

  it('keeps a log of its calls, bodies only while debug is on', async () => {
    const { uid, endpoint } = await create(bodyScript('Logged'))
    await push('POST', endpoint, withKey(), { body: '{"t":1,"v":2}' })
    await push('POST', endpoint, withKey(), { body: 'no' })
    await push('POST', endpoint, withKey(), { body: 'a\0b' })
    await admin('PUT', `/api/connector/${uid}`, { debug: true })
    await push('POST', endpoint, `${withKey()}&x=%20y`, { body: '{"t":2,"v":2}' })
    type Logged = { bytes: number; rows: number; error: string | null; body: string | null; query: string | null }
    const logged = async (query: string) =>
      ((await admin('GET', `/api/connector/${uid}/call${query}`)).body as { call: Logged[] }).call
    const calls = await logged('')
    assert.deepEqual(
      calls.map(({ rows, bytes, body, query }) => ({ rows, bytes, body, query })),
      [
        { rows: 1, bytes: 13, body: '{"t":2,"v":2}', query: 'x=%20y' },
        { rows: 0, bytes: 3, body: null, query: null },
        { rows: 0, bytes: 2, body: null, query: null },
        { rows: 1, bytes: 13, body: null, query: null },
      ],
    )
    assert.equal(calls[1]!.error, 'the body has a NUL character')
    assert.match(calls[2]!.error!, /^line 3, column \d+: /)
    assert.deepEqual(await logged('?start=1&limit=1'), [calls[1]])
    assert.equal((await admin('GET', `/api/connector/${uid}/call?limit=x`)).status, 400)
  })

  it('keeps the calls of others whatever text one sends, and never half a pair of it', async () => {
    const mine = await create(bodyScript('Others'))
    const { uid, endpoint } = await create(bodyScript('Halves'))
    const good = { body: '{"t":1,"v":2}' }
    assert.equal((await push('POST', mine.endpoint, withKey(), good)).status, 200)
    for (const body of [String.raw`{"t":1,"v":"x\ud83cy"}`, `{"t":1,"v":"${'🌳'.repeat(80)}"}`]) {
      const { status, text } = await push('POST', endpoint, withKey(), { body })
      assert.equal(status, 400)
      assert.doesNotMatch(text, /\\ud[89a-f]/i)
    }
    assert.equal((await push('POST', mine.endpoint, withKey(), good)).status, 200)
    type Calls = { call: { error: string }[]; totalCount: number }
    const logged = async (of: string) => (await admin('GET', `/api/connector/${of}/call`)).body as Calls
    assert.equal((await logged(mine.uid)).totalCount, 2)
    const { call } = await logged(uid)
    assert.deepEqual(
      call.map(({ error }) => error.replace(/^.*column v: /, '')),
      [`'${'🌳'.repeat(39)}…' is not a DOUBLE`, "'x\ufffdy' is not a DOUBLE"],
    )
  })

  it('refuses a trial run with half a pair in a variable', async () => {
    const { status, body } = await member.call('POST', '/api/connector/test', {
      sql: 'SELECT @HTTP_BODY',
      variables: { HTTP_BODY: 'x\ud83cy' },
    })
    assert.equal(status, 400)
    assert.equal((body as { message: string }).message, 'variables.HTTP_BODY has a character that cannot be stored')
  })

  it('shows by a trial run what a script would insert, and stores nothing', async () => {
    const input = { sql: bodyScript('Trial'), timeZone: 'UTC', variables: { HTTP_BODY: '{"t":7,"v":8}' } }
    const { status, body } = await member.call('POST', '/api/connector/test', input)
    assert.equal(status, 200)
    assert.deepEqual((body as { rows: unknown }).rows, [{ cid: 'Trial', id: 'temp', time: 7, sample: 8 }])
    assert.equal((await service.get('/api/comp/Trial/feed')).status, 404)
  })

  it('is right as soon as a change is answered', async () => {
    const { uid, endpoint } = await create(bodyScript('Changed'))
    assert.equal((await push('POST', endpoint, withKey(), { body: '{"t":1,"v":1}' })).status, 200)
    await admin('PUT', `/api/connector/${uid}`, { sql: 'SELECT 1' })
    const { json } = await push('POST', endpoint, withKey(), { body: '{"t":1,"v":1}' })
    assert.equal((json as { inserted: number }).inserted, 0)
    await admin('DELETE', `/api/connector/${uid}`)
    assert.equal((await push('POST', endpoint, withKey(), { body: '{"t":1,"v":1}' })).status, 404)
  })

  it('has room for the next push when one is done or refused', async () => {
    const { endpoint } = await create("SET @a = Cast(@HTTP_QUERY_STRING + '1' AS LONG)")
    // Each holds 28 MiB of the 256 that a caller may hold, so that the tenth finds none if they were kept.
    const body = 'x'.repeat(14 * 1024 * 1024)
    for (let times = 0; times < 12; times += 1) {
      const isWrong = times % 2 === 1
      const { status, text } = await push('PUT', endpoint, `${withKey()}${isWrong ? '&x' : ''}`, { body })
      assert.equal(status, isWrong ? 400 : 200, text)
    }
  })
})

describe('GS SQL over HTTP', () => {
  let service: TestService
  let member: Client
  before(async () => {
    service = await openTestService({}, openTestClock(nowMs))
    member = (await addPerson(service, 'member')).call
    await service.put('/api/feed?compId=A&x=1.5&y=hello')
  })
  after(() => service.close())

  const script = encodeURIComponent("SELECT id, lastValue FROM Stream WHERE cid = 'A' ORDER BY id")

  it('refuses an API key without the capability', async () => {
    assert.equal((await service.get(`/api/gql?s=${script}`)).status, 403)
  })

  it('refuses a GET that writes', async () => {
    const insert = encodeURIComponent("INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('A', 'x', 1, 1)")
    assert.equal((await member('GET', `/api/gql?s=${insert}`)).status, 405)
  })

  it('refuses an empty script', async () => {
    assert.equal((await member('POST', '/api/gql', { s: ' ' })).status, 400)
  })

  it('gives columns and rows of the last SELECT', async () => {
    const { body } = await member('GET', `/api/gql?s=${script}`)
    const { rows, inserted } = body as { rows: unknown; inserted: number }
    assert.deepEqual(
      { rows, inserted },
      {
        rows: [
          ['x', 1.5],
          ['y', 'hello'],
        ],
        inserted: 0,
      },
    )
  })

  it('stores inserts, updates and deletes of one script together, in order', async () => {
    const s = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('W', 'a', 10, 1), ('W', 'a', 20, 2), ('W', 'b', 10, 'x');
      SELECT Count(*) AS n FROM Stream WHERE cid = 'W';`
    const { body } = await member('POST', '/api/gql', { s })
    assert.equal((body as { inserted: number }).inserted, 3)
    // Every statement reads the state before the script.
    assert.deepEqual((body as { rows: unknown }).rows, [[0]])
    await member('POST', '/api/gql', {
      s: "UPDATE SAMPLE SET SAMPLE = 5 WHERE CID = 'W' AND ID = 'a' AND TIME = 10; DELETE FROM SAMPLE WHERE CID = 'W' AND ID = 'a' AND TIME = 20;",
    })
    const { json } = await service.get('/api/comp/W/feed?retStreamId')
    assert.deepEqual(json, [
      { streamId: 'a', time: 10, data: 5 },
      { streamId: 'b', time: 10, data: 'x' },
    ])
  })

  for (const path of ['/api/gql', '/api/connector/test'])
    it(`ends the query of a script at ${path} whose client has gone away`, async () => {
      const rows = JSON.stringify(Array.from({ length: 300 }, () => 1))
      const table = (name: string) => `JSON_TABLE('${rows}') WITH (a LONG '$[*]') ${name}`
      const s = `SELECT Sum(x.a * y.a * z.a) FROM ${table('x')}, ${table('y')}, ${table('z')}`
      const running = async () => {
        const [row] = await service.sql<{ busy: number }[]>`
        select count(*)::integer as busy from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%unnest%' and pid <> pg_backend_pid()`
        return row!.busy > 0
      }
      const leaving = new AbortController()
      const headers = { 'Content-Type': 'application/json' }
      const { user } = await addPerson(service, 'member')
      const asked = service.request('POST', `${path}?session=${await addSession(service.sql, user)}`, {
        headers,
        body: JSON.stringify(path === '/api/gql' ? { s } : { sql: s }),
        signal: leaving.signal,
      })
      const left = assert.rejects(asked, { name: 'AbortError' })
      await eventually(running)
      // A client that closes directly behind its request still wants the reply (base/http/connection.ts).
      await sleep(200)
      leaving.abort()
      await left
      // Left alone, it would run until GSQL_TIMEOUT_MS, ten seconds.
      await eventually(async () => !(await running()))
      const counted = async () =>
        (await service.request('GET', '/metrics')).text
          .split('\n')
          .filter((line) => line.includes(`_count{route="${path}",method="POST"`))
      await eventually(async () => (await counted()).some((line) => line.includes('status="400"')))
      assert.ok(!(await counted()).some((line) => line.includes('status="500"')))
    })

  it('never gives anybody the rows of a client that has gone away', async () => {
    const { user } = await addPerson(service, 'member')
    const address = `/api/gql?session=${await addSession(service.sql, user)}`
    const ones = (count: number) => `JSON_TABLE('${JSON.stringify(Array<number>(count).fill(1))}') WITH (a LONG '$[*]')`
    const ask = (name: string, count: number, signal?: AbortSignal) => {
      const s = `SELECT '${name}' AS name, Sum(x.a * y.a) AS a FROM ${ones(count)} x, ${ones(count)} y`
      return service.request('GET', `${address}&s=${encodeURIComponent(s)}`, signal ? { signal } : {})
    }
    for (const leaveAfterMs of [10, 40]) {
      const long = Array.from({ length: 20 }, (_, nth) => ask(`long ${nth}`, 250))
      const leaving = new AbortController()
      const gone = Array.from({ length: 60 }, (_, nth) => ask(`gone ${nth}`, 2, leaving.signal).catch(() => {}))
      const here = Array.from({ length: 20 }, (_, nth) => ask(`here ${nth}`, 3))
      await new Promise((resume) => setTimeout(resume, leaveAfterMs))
      leaving.abort()
      const rows = (await Promise.all([...long, ...here])).map(({ json }) => (json as { rows: unknown }).rows ?? json)
      assert.deepEqual(rows, [
        ...long.map((_, nth) => [[`long ${nth}`, 62_500]]),
        ...here.map((_, nth) => [[`here ${nth}`, 9]]),
      ])
      await Promise.all(gone)
    }
  })

  it('gives a large result whole, as JSON and as CSV, and its memory back', async () => {
    const { user } = await addPerson(service, 'member')
    const session = await addSession(service.sql, user)
    const body = JSON.stringify(Array.from({ length: 1000 }, (_, index) => `${index}"ä`))
    const s = `SELECT Replace('${'x'.repeat(30)}', 'x', a) AS a FROM JSON_TABLE('${body}') WITH (a STRING '$[*]')`
    const ask = (Accept: string) =>
      service.request('POST', `/api/gql?session=${session}`, {
        headers: { Accept, 'Content-Type': 'application/json' },
        body: JSON.stringify({ s }),
      })
    const before = largeReplies.free()
    const json = await ask('application/json')
    assert.equal(json.status, 200, json.text.slice(0, 300))
    assert.equal(json.headers.get('content-length'), String(Buffer.byteLength(json.text)))
    const texts = (JSON.parse(body) as readonly string[]).map((text) => text.repeat(30))
    assert.deepEqual(
      (json.json as { rows: unknown }).rows,
      texts.map((text) => [text]),
    )
    const csv = await ask('text/csv')
    assert.equal(csv.text, `a\r\n${texts.map((text) => `"${text.replaceAll('"', '""')}"\r\n`).join('')}`)
    await eventually(async () => largeReplies.free() === before)
  })

  it('gives CSV to a client that accepts it', async () => {
    const { user } = await addPerson(service, 'member')
    const session = await addSession(service.sql, user)
    const csv = encodeURIComponent("SELECT 1 AS a, 'x,y' AS b, NULL AS c, '' AS d")
    const reply = await service.request('GET', `/api/gql?s=${csv}&session=${session}`, {
      headers: { Accept: 'text/csv' },
    })
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(reply.text, 'a,b,c,d\r\n1,"x,y",,""\r\n')
  })

  it('gives CSV to a client that prefers it', async () => {
    const { user } = await addPerson(service, 'member')
    const address = `/api/gql?session=${await addSession(service.sql, user)}&s=${encodeURIComponent('SELECT 1 AS a')}`
    const preferences = {
      'text/csv;q=0.1, application/json': 'application/json',
      'application/json;q=0.1, text/csv': 'text/csv',
      'application/json, text/csv;q=0': 'application/json',
      'text/csv;q=0': 'application/json',
      'text/*': 'text/csv',
      '*/*': 'application/json',
      'image/png': 'application/json',
    }
    for (const [accept, expected] of Object.entries(preferences)) {
      const { headers } = await service.request('GET', address, { headers: { Accept: accept } })
      assert.equal(headers.get('content-type'), `${expected}; charset=utf-8`, accept)
    }
  })

  it('counts what a script without SELECT wrote, whatever is accepted', async () => {
    const { user } = await addPerson(service, 'member')
    const reply = await service.request('POST', `/api/gql?session=${await addSession(service.sql, user)}`, {
      headers: { Accept: 'text/csv', 'Content-Type': 'application/json' },
      body: JSON.stringify({ s: "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Csv', 'a', 1, 1)" }),
    })
    assert.equal((reply.json as { inserted: number }).inserted, 1)
  })
})

describe('GS SQL that has little time', () => {
  let service: TestService
  let member: Client
  before(async () => {
    service = await openTestService({ gsqlTimeoutMs: 200 }, openTestClock(nowMs))
    member = (await addPerson(service, 'member')).call
    const sample = (_: unknown, nth: number) => ({
      compId: 'A',
      streamId: `s${nth % 10}`,
      time: nowMs - nth * 1000,
      data: nth,
    })
    await service.put('/api/feed', JSON.stringify(Array.from({ length: 20_000 }, sample)))
  })
  after(() => service.close())

  it('says so when its statistics take longer', async () => {
    const statistics = ['first', 'last', 'min', 'max', 'avg', 'sum', 'minoccurrence', 'maxoccurrence', 'gapcount']
    const columns = statistics.map((statistic) => `sample(Range(last=2000), cycleId='second', stat='${statistic}')`)
    const s = `SELECT Count(*) FROM (SELECT ${columns.join(', ')} FROM Stream)`
    const { status, body } = await member('POST', '/api/gql', { s })
    assert.deepEqual([status, (body as { code: string }).code], [400, 'script_error'])
    assert.match((body as { message: string }).message, /: the script took longer than 200 ms$/)
  })
})
