// The metrics of /metrics: the lag of aggregates and the spans to be made anew; refused requests, by reason and caller.
import assert from 'node:assert/strict'
import { readConfig } from '../../src/base/config.ts'
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { rollUp } from '../../src/core/statistic/rollup.ts'
import { addPerson } from '../support/http.ts'
import { openManager } from '../support/manage.ts'
import { addApiKey, addOrganization, addSession, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { openWire } from '../support/wire.ts'
import { eventually } from '../support/within.ts'

const nowMs = Date.parse('2026-05-10T12:00:00Z')
const hourMs = 3_600_000

describe('GET /metrics', () => {
  let service: TestService
  const clock = openTestClock(nowMs)
  before(async () => (service = await openTestService({}, clock)))
  after(() => service.close())

  const metric = async (name: string) => {
    const { status, text } = await service.get('/metrics')
    assert.equal(status, 200)
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)
    assert.ok(found, `${name} is not there`)
    return Number(found[1])
  }
  const lagHours = async () => (await metric('coppice_rollup_lag_seconds')) / 3_600
  const stale = () => metric('coppice_rollup_stale_marks')
  const rollAll = async () => {
    while (await rollUp(service.sql, clock.now()));
  }

  it('is not for clients of a proxy on the same host that nobody has entered as trusted', async () => {
    for (const headers of [
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-For': '' },
      { Forwarded: 'for=192.0.2.7' },
    ])
      assert.equal((await service.request('GET', '/metrics', { headers })).status, 403)
    const trusting = await openTestService({
      trustedProxies: readConfig({ TRUSTED_PROXIES: '127.0.0.1' }).trustedProxies,
    })
    try {
      const ask = async (client: string) =>
        (await trusting.request('GET', '/metrics', { headers: { 'X-Forwarded-For': client } })).status
      assert.deepEqual([await ask('127.0.0.2'), await ask('192.0.2.7')], [200, 403])
    } finally {
      await trusting.close()
    }
  })

  it('is not for a page of another site, which a browser at such an address shows', async () => {
    const statuses = async (...some: Readonly<Record<string, string>>[]) =>
      Promise.all(some.map(async (headers) => (await service.request('GET', '/metrics', { headers })).status))
    const others = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
    ]
    assert.deepEqual(await statuses(...others), [403, 403, 403])
    const own = [{}, { 'Sec-Fetch-Site': 'none' }, { 'Sec-Fetch-Site': 'same-origin' }, { Origin: service.url }]
    assert.deepEqual(await statuses(...own), [200, 200, 200, 200])
  })

  it('shows the age of the moment up to which aggregates are ready', async () => {
    assert.ok((await lagHours()) > 24 * 365)
    await rollAll()
    // Quarters of a day are aggregated, three hours late.
    assert.equal(await lagHours(), 6)
    clock.set(nowMs + 20 * hourMs)
    assert.equal(await lagHours(), 26)
    await rollAll()
    assert.equal(await lagHours(), 8)
  })

  it('shows how many spans of time wait to be aggregated anew', async () => {
    assert.equal(await stale(), 0)
    const old = nowMs - 48 * hourMs
    assert.equal((await service.put(`/api/feed?compId=a&one=1&two=2&time=${old}`)).status, 200)
    assert.equal((await service.put(`/api/feed?compId=a&one=1&time=${clock.now()}`)).status, 200)
    assert.equal(await stale(), 2)
    await rollAll()
    assert.equal(await stale(), 0)
  })

  it('counts refusals of every way, with the reason and the credential', async () => {
    const reader = await addApiKey(service.sql, service.organizationUid, [])
    const manage = await openManager(service)
    const wire = async (text: string) => {
      const opened = await openWire(service.url)
      opened.send(text)
      await opened.reply()
      opened.close()
    }
    // The short way, the lean path and Koa; no route at all, another method, and what is no request.
    await wire('PUT /api/feed?compId=a&one=1&api_key=wrong HTTP/1.1\r\nHost: x\r\n\r\n')
    await wire(`PUT /api/feed?compId=a&one=1&api_key=${reader.secret} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await wire(`PUT /api/feed?one=1&api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await service.request('GET', '/api/comp/a/feed')
    await manage.ask('POST', '/api/unit', { colour: 'red' })
    await service.request('GET', '/nowhere')
    await service.request('DELETE', '/api/feed')
    await service.request('POST', '/api/oauth_access_token', { body: 'grant_type=none' })
    // A credential in a form that the sink refuses, at an address that takes it otherwise.
    const headers = { Authorization: `Basic ${btoa('client:secret')}` }
    await service.request('POST', '/api/oauth_introspect', { body: 'token=x', headers })
    await wire('nonsense\r\n\r\n')
    await wire('PUT /api/feed HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc')
    const { text } = await service.get('/metrics')
    const lines = text.split('\n')
    for (const [labels, count] of [
      ['code="unauthorized",method="PUT",route="/api/feed",credential="unrecognized"', 1],
      ['code="forbidden",method="PUT",route="/api/feed",credential="api_key"', 1],
      ['code="bad_request",method="PUT",route="/api/feed",credential="api_key"', 1],
      ['code="unauthorized",method="GET",route="/api/comp/:compId/feed",credential="none"', 1],
      ['code="bad_request",method="POST",route="/api/unit",credential="api_key"', 1],
      ['code="not_found",method="none",route="none",credential="none"', 1],
      ['code="method_not_allowed",method="none",route="none",credential="none"', 1],
      ['code="http_400",method="POST",route="/api/oauth_access_token",credential="none"', 1],
      ['code="http_401",method="POST",route="/api/oauth_introspect",credential="unrecognized"', 1],
      ['code="bad_request",method="none",route="none",credential="none"', 2],
    ] as const)
      assert.ok(lines.includes(`coppice_refused_requests_total{${labels}} ${count}`), `${labels}\n${text}`)
    assert.match(text, /^coppice_refused_callers\{caller="api_key [0-9a-f-]+"\} 1$/m)
    assert.match(text, /^coppice_refused_callers\{caller="address 127\.0\.0\.1"\} \d+$/m)
    assert.doesNotMatch(text, /wrong/)
  })

  it('counts no refusal of a client that has gone away while its body was read', async () => {
    const read = async (start: string) => {
      const { text } = await service.get('/metrics')
      const line = text.split('\n').find((each) => each.startsWith(start))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const answered = () => read('coppice_http_request_seconds_count{route="/api/feed",method="PUT",status="400"}')
    const refused = () => read('coppice_refused_requests_total{code="bad_request",method="PUT",route="/api/feed"')
    const [answeredBefore, refusedBefore] = [await answered(), await refused()]
    const wire = await openWire(service.url)
    wire.send(`PUT /api/feed?api_key=${service.apiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n[{`)
    wire.close()
    await eventually(async () => (await answered()) === answeredBefore + 1)
    assert.equal(await refused(), refusedBefore)
  })

  it('counts refusals before or behind the guard by their credential', async () => {
    const reader = await addApiKey(service.sql, service.organizationUid, [])
    const login = await service.request('POST', '/api/login', {
      body: JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword }),
    })
    const { sessionUid } = login.json as { sessionUid: string }
    const labelled = async (code: string, method: string, route: string) => {
      const { text } = await service.get('/metrics')
      const pattern = `^coppice_refused_requests_total\\{code="${code}",method="${method}",route="${route}",credential="(\\w+)"\\} (\\d+)$`
      return [...text.matchAll(new RegExp(pattern, 'gm'))].map(([, credential, count]) => `${credential} ${count}`)
    }
    for (const credential of [`api_key=${reader.secret}`, `session=${sessionUid}`, 'api_key=wrong', 'x'])
      assert.equal((await service.request('GET', `/api/feed?${credential}`)).status, 405)
    // A credential that is not in memory is looked up first.
    const all = ['api_key 1', 'none 1', 'unrecognized 1', 'user 1']
    await eventually(async () =>
      isDeepStrictEqual((await labelled('method_not_allowed', 'GET', '/api/feed')).toSorted(), all),
    )
    const asPut = await service.request('GET', `/api/feed?asPut&compId=a&one=1&_=5&api_key=${reader.secret}`)
    assert.equal(asPut.status, 403)
    assert.deepEqual(await labelled('forbidden', 'GET', '/api/feed'), ['api_key 1'])
    await service.request('GET', `/nowhere?api_key=${reader.secret}`)
    assert.ok((await labelled('not_found', 'none', 'none')).includes('api_key 1'))
  })

  it('counts samples that are stored, and not those that are refused', async () => {
    const stored = () => metric('coppice_stored_samples_total')
    const before = await stored()
    assert.equal((await service.put('/api/feed?compId=b&one=1,2,3&freq=1000')).status, 200)
    assert.equal((await service.put('/api/feed?compId=b&one=warm')).status, 400)
    assert.equal(await stored(), before + 3)
    const again = JSON.stringify([{ compId: 'b', streamId: 'two', time: 5, data: 1 }])
    for (const _ of [1, 2]) assert.equal((await service.put('/api/feed', again)).status, 200)
    assert.equal(await stored(), before + 5)
    const { call } = await addPerson(service, 'member')
    const s = "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'b', 'three', 1, 1 UNION ALL SELECT 'b', 'three', 2, 2"
    assert.equal((await call('POST', '/api/gql', { s })).status, 200)
    assert.equal(await stored(), before + 7)
  })

  it('shows how large the database is', async () => {
    const [row] = await service.sql<[{ bytes: number }]>`select pg_database_size(current_database())::bigint as bytes`
    const shown = await metric('coppice_database_bytes')
    assert.ok(shown > row.bytes / 2 && shown < row.bytes * 2, `${shown} of ${row.bytes}`)
  })

  it("gives the same to admins of the operator's organization, to keys with the right to it, and to nobody else", async () => {
    const ask = (credential: string) => service.request('GET', `/api/server_metrics?${credential}`)
    const key = (organizationUid: string, resource: string) =>
      addApiKey(service.sql, organizationUid, [{ resource, methods: ['GET'] }])
    const names = (text: string) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!)
    const scraper = await key(service.organizationUid, 'metrics')
    const { status, text } = await ask(`api_key=${scraper.secret}`)
    assert.equal(status, 200)
    assert.deepEqual(names(text), names((await service.get('/metrics')).text))
    const eve = await addUser(service.sql, 'eve@example.org')
    const other = await addOrganization(service.sql, 'Elsewhere', eve)
    for (const credential of [
      `api_key=${(await key(other.uid, '*')).secret}`,
      `session=${await addSession(service.sql, eve)}`,
      `api_key=${(await key(service.organizationUid, 'component')).secret}`,
    ]) {
      const refused = await ask(credential)
      assert.equal(refused.status, 403)
      assert.doesNotMatch(refused.text, /coppice_/)
    }
  })

  it('shows nothing that docs/operations.md does not explain', async () => {
    const { text } = await service.get('/metrics')
    const shown = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!)
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const explained = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
    assert.deepEqual(
      shown.filter((name) => name.startsWith('coppice_') && !explained.includes(name)),
      [],
    )
    // Those of standbys are there where there are standbys (test/fault/failover.load.ts).
    assert.deepEqual(
      explained.filter((name) => !shown.includes(name)),
      ['coppice_standby_lag_bytes', 'coppice_standby_lag_seconds', 'coppice_routed_readings'],
    )
  })
})
