// Rules of every script (grammar/REFERENCE.md): the right to run it, the data it sees, and that all of it is stored or
// nothing.
import assert from 'node:assert/strict'
import type { Method } from '../../src/core/caller.ts'
import type { Client } from '../support/http.ts'
import { addPerson, clientWith } from '../support/http.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const nowMs = 1_700_000_000_000
const hourMs = 3_600_000
const hourStartMs = 1_699_920_000_000

describe('scripts', () => {
  let service: TestService
  let admin: Client
  let adminUid: string
  before(async () => {
    service = await openTestService({}, openTestClock(nowMs))
    const person = await addPerson(service, 'admin')
    admin = person.call
    adminUid = person.user.uid
    const stream = [{ id: 'd' }, { id: 'p', kind: 'point' }, { id: 'h', kind: 'interval', baseCycleId: 'hour' }]
    assert.equal((await admin('POST', '/api/component', { id: 'u', stream })).status, 201)
  })
  after(() => service.close())

  const run = (s: string) => admin('POST', '/api/gql', { s })
  const insert = 'INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)'
  const feedOf = async (path: string) =>
    ((await service.get(`/api/comp/${path}/feed`)).json as { time: number; data: unknown }[]).map(({ time, data }) => [
      time,
      data,
    ])

  it('are refused to an API key when they write, even to one that may do everything', async () => {
    const capability = { resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }
    const { secret } = await addApiKey(service.sql, service.organizationUid, [capability])
    const withKey = clientWith(service, `api_key=${secret}`)
    for (const [status, method, path, input] of [
      [405, 'GET', `/api/gql?s=${encodeURIComponent(`${insert} VALUES ('u', 'd', 1, 1)`)}`, undefined],
      [403, 'POST', '/api/gql', { s: 'SELECT 1' }],
      [403, 'POST', '/api/connector/test', { sql: 'SELECT 1' }],
    ] as const)
      assert.equal((await withKey(method, path, input)).status, status, path)
    assert.equal((await withKey('GET', '/api/gql?s=SELECT%201')).status, 200)
  })

  it('are refused by POST with reads when they write, and are then for those who may GET', async () => {
    const { secret } = await addApiKey(service.sql, service.organizationUid, [{ resource: 'gql', methods: ['GET'] }])
    const withKey = clientWith(service, `api_key=${secret}`)
    const { call: guest } = await addPerson(service, 'guest')
    const writes = `${insert} VALUES ('u', 'd', 1, 1)`
    for (const [status, call, input] of [
      [200, withKey, { s: 'SELECT 1', reads: true }],
      [200, admin, { s: 'SELECT 1', reads: true }],
      [400, withKey, { s: writes, reads: true }],
      [400, admin, { s: writes, reads: true }],
      [400, admin, { s: 'SELECT 1', reads: 1 }],
      [403, withKey, { s: 'SELECT 1', reads: false }],
      [403, guest, { s: 'SELECT 1', reads: true }],
    ] as const)
      assert.equal((await call('POST', '/api/gql', input)).status, status, JSON.stringify(input))
    const form = await service.request('POST', `/api/gql?api_key=${secret}`, {
      body: new URLSearchParams({ s: 'SELECT 1', reads: 'true' }),
    })
    assert.equal(form.status, 200)
    assert.deepEqual(await feedOf('u/stream/d'), [])
  })

  it('read by an API key show the components that its rows let it read, and no other', async () => {
    const uids = new Map<string, string>()
    for (const id of ['north', 'south', 'west']) {
      const { body } = await admin('POST', '/api/component', { id, stream: [{ id: 'a' }] })
      uids.set(id, (body as { component: { uid: string } }).component.uid)
      assert.equal((await run(`${insert} VALUES ('${id}', 'a', 1, 1)`)).status, 200)
    }
    const script = "SELECT DISTINCT cid FROM Stream WHERE cid IN ('north', 'south', 'west') ORDER BY cid"
    const sees = async (...rows: readonly (readonly [resource: string, ...methods: Method[]])[]) => {
      const capabilities = rows.map(([resource, ...methods]) => ({ resource, methods }))
      const { secret } = await addApiKey(service.sql, service.organizationUid, capabilities)
      const withKey = clientWith(service, `api_key=${secret}`)
      const { status, body } = await withKey('GET', `/api/gql?s=${encodeURIComponent(script)}`)
      return status === 200 ? (body as { rows: string[][] }).rows.flat().join(' ') : status
    }
    const feed = (id: string) => `component/${uids.get(id)}/feed`
    assert.equal(await sees(['gql', 'GET'], ['component/*/feed', 'GET']), 'north south west')
    assert.equal(await sees(['gql', 'GET'], [feed('north'), 'GET'], [feed('west'), 'GET', 'PUT']), 'north west')
    assert.equal(await sees(['gql', 'GET'], ['component/*/feed', 'GET'], [feed('north')]), 'south west')
    assert.equal(await sees(['gql', 'GET'], ['component/*/feed', 'PUT']), '')
    assert.equal(await sees(['gql', 'GET']), '')
    assert.equal(await sees(['component/*/feed', 'GET']), 403)
    assert.equal(await sees(['*', 'GET'], [`component/${uids.get('south')}`]), 'north west')
  })

  it('store nothing when a later statement cannot be written', async () => {
    const { status } = await run(`
      ${insert} VALUES ('new', 'a', 1, 1), ('u', 'd', 1, 1);
      ${insert} WITH (FOLDER = '/Components/x') VALUES ('u', 'd', 2, 'no number');`)
    assert.equal(status, 400)
    assert.equal((await service.get('/api/comp/new/feed')).status, 404)
    assert.deepEqual(await feedOf('u/stream/d'), [])
  })

  it('change by an UPDATE only stored samples, and not the intervals between', async () => {
    const times = [1, 2, 3, 5].map((hours) => hourStartMs + hours * hourMs)
    const rows = times.map((time, nth) => `('u', 'h', ${time}, ${nth})`)
    for (const row of rows) assert.equal((await run(`${insert} VALUES ${row}`)).status, 200)
    const where = `CID = 'u' AND ID = 'h' AND (TIME = ${times[0]} OR TIME = ${times[3]})`
    assert.equal((await run(`UPDATE SAMPLE SET SAMPLE = 9 WHERE ${where}`)).status, 200)
    assert.deepEqual(await feedOf('u/stream/h'), [
      [times[3], 9],
      [times[2], 2],
      [times[1], 1],
      [times[0], 9],
    ])
  })

  it('leave an entry in the audit log for each stream that they delete from', async () => {
    await run(`${insert} VALUES ('log', 'a', 1, 1), ('log', 'a', 2, 2), ('log', 'b', 1, 1), ('u', 'p', NULL, 1)`)
    await run(`
      UPDATE SAMPLE SET SAMPLE = 5 WHERE CID = 'log' AND ID IN ('a', 'b');
      UPDATE SAMPLE SET SAMPLE = 5 WHERE CID = 'u' AND ID = 'p';
      DELETE FROM SAMPLE WHERE CID = 'log' AND ID = 'a' AND TIME = 2;
      DELETE FROM SAMPLE WHERE CID = 'log' AND ID = 'b' AND TIME = 99;`)
    const entries = await service.sql`
      select actor, action, stream.id, detail
      from audit join stream on stream.uid = subject
      where action like 'feed.%' and (stream.id in ('a', 'b', 'p'))
      order by action, id`.values()
    const actor = `user ${adminUid}`
    assert.deepEqual([...entries], [[actor, 'feed.delete', 'a', { deleted: 1 }]])
  })

  it('see no templates', async () => {
    assert.equal((await admin('POST', '/api/template', { id: 'model', stream: [{ id: 'z' }] })).status, 201)
    const { body } = await run("SELECT cid, id FROM Stream WHERE cid = 'model' OR id = 'z'")
    assert.deepEqual((body as { rows: unknown }).rows, [])
  })

  it('see nothing of the credentials in a query, however they are spelled', async () => {
    const capability = { resource: 'connector/*/sink', methods: ['GET'] as const }
    const { secret } = await addApiKey(service.sql, service.organizationUid, [capability])
    const sql = `${insert} SELECT 'Query', 'raw', NULL, @HTTP_QUERY_RAW UNION ALL SELECT 'Query', 'text', NULL, @HTTP_QUERY_STRING`
    const input = { name: 'q', endpoint: 'q', runAsUserUid: adminUid, sql }
    assert.equal((await admin('POST', '/api/connector', input)).status, 201)
    const query = `a=1%202&Session=s&ACCESS%5Ftoken=t&api_key=${secret}&org=${service.organizationUid}&b=+3`
    const { status, text } = await service.request('GET', `/api/conn_sink/${service.organizationUid}/q?${query}`)
    assert.equal(status, 200, text)
    assert.deepEqual((await service.get('/api/comp/Query/feed?retStreamId')).json, [
      { streamId: 'raw', time: nowMs, data: 'a=1%202&b=+3' },
      { streamId: 'text', time: nowMs, data: 'a=1 2&b= 3' },
    ])
  })

  it('read streams only where the plan of the organization includes it', async () => {
    const organization = `/api/organization/${service.organizationUid}`
    assert.equal((await admin('PUT', organization, { plan: { gsql: false } })).status, 200)
    for (const s of ['SELECT cid FROM Stream', "DELETE FROM SAMPLE WHERE CID = 'u' AND ID = 'd'"])
      assert.equal((await run(s)).status, 403, s)
    assert.equal((await run(`${insert} VALUES ('u', 'd', 7, 7)`)).status, 200)
    assert.equal((await admin('PUT', organization, { plan: { gsql: true } })).status, 200)
    assert.equal((await run('SELECT cid FROM Stream')).status, 200)
  })
})
