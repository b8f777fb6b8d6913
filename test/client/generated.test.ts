// A client of nothing but the generated types and fetch, without ours: whoever generates one from /api/openapi.json can
// administer an organization with it, as test/journey/command-line.test.ts does with the command line.
import assert from 'node:assert/strict'
import type { paths } from '../../src/client/generated/api.ts'
import { startJobs } from '../../src/jobs.ts'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'

type Method = 'get' | 'put' | 'post' | 'delete'
type Described<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>
type Parameters<P extends keyof paths, M extends Method> =
  Described<P, M> extends { parameters: infer Given } ? Given : never
type PathOf<T> = T extends { path: infer Given } ? { path: Given } : unknown
type QueryOf<T> = T extends { query?: infer Given } ? { query?: Given } : unknown
type BodyOf<T> = T extends { requestBody?: { content: { 'application/json': infer Body } } } ? { body?: Body } : unknown
type ReplyOf<T> = T extends { responses: infer Replies }
  ? {
      [S in keyof Replies & (200 | 201)]: Replies[S] extends { content: { 'application/json': infer Body } }
        ? Body
        : undefined
    }[keyof Replies & (200 | 201)]
  : never

const openPlainClient =
  (url: string, credential: () => Readonly<Record<string, string>>) =>
  async <P extends keyof paths, M extends Method>(
    method: M,
    path: P,
    given: PathOf<Parameters<P, M>> & QueryOf<Parameters<P, M>> & BodyOf<Described<P, M>>,
  ): Promise<ReplyOf<Described<P, M>>> => {
    const { path: inPath = {}, query = {}, body } = given as Readonly<Record<string, Record<string, string>>>
    const named = new Map(Object.entries(inPath))
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named.get(name)!))
    const search = new URLSearchParams({ ...query, ...credential() })
    const reply = await fetch(`${url}${address}?${search.toString()}`, {
      method: method.toUpperCase(),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<Described<P, M>>
  }

describe('a client of the generated types and fetch', () => {
  let importing: Importing
  let jobs: ReturnType<typeof startJobs>
  before(async () => {
    importing = await openImporting()
    jobs = startJobs(importing.service.service.world, importing.service.databaseUrl)
  })
  after(async () => {
    await jobs.stop()
    await importing.close()
  })

  it('administers an organization: people, keys, catalogue, data, connectors, imports', async () => {
    const { service, target, external } = importing
    await external`create table reading as select 'Meter' as meter, timestamptz '2026-01-01T00:00:00Z' as at, 12.5 as kwh`
    let session = ''
    const call = openPlainClient(service.url, () => (session === '' ? {} : { session }))
    const credentials = { email: service.ownerEmail, password: service.ownerPassword }
    session = (await call('post', '/api/login', { body: credentials })).sessionUid

    const { organization } = await call('get', '/api/organization', {})
    const [{ uid: org } = { uid: '' }] = organization
    await call('put', '/api/organization/{uid}', { path: { uid: org }, body: { timeZone: 'Europe/Berlin' } })
    const ann = { email: 'ann@example.org', role: 'admin', password: 'correct horse battery' } as const
    const { user } = await call('post', '/api/user', { body: ann })

    const { unit } = await call('post', '/api/unit', { body: { id: 'celsius', symbol: ' °C', numberFormat: '0.0' } })
    const { template } = await call('post', '/api/template', {
      body: { id: 'heating', stream: [{ id: 'temp', unitUid: unit.uid }] },
    })
    const { component } = await call('post', '/api/component', { body: { id: 'Boiler', templateUid: template.uid } })
    const variables = [{ name: 't', streamId: 'temp' }]
    const { stream } = await call('post', '/api/stream', {
      body: { componentUid: component.uid, id: 'f', expression: 't * 9 / 5 + 32', variables },
    })

    const { api_key: key } = await call('post', '/api/api_key', {
      body: { name: 'gateway', capabilities: [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }] },
    })
    const device = openPlainClient(service.url, () => ({ api_key: key.secret! }))
    const time = 1_767_225_600_000
    await device('put', '/api/feed', { body: [{ compId: 'Boiler', streamId: 'temp', time, data: 100 }] })
    const reading = { path: { compId: 'Boiler', streamId: 'temp' }, query: { retFData: true } }
    const [sample] = await device('get', '/api/comp/{compId}/stream/{streamId}/last_value', reading)
    assert.deepEqual(sample, { time, data: 100, fData: '100.0 °C' })
    const statistic = { compId: 'Boiler', streamId: 'temp', cycleId: 'day', statId: 'max' } as const
    const ofDays = '/api/comp/{compId}/stream/{streamId}/cycle/{cycleId}/stat/{statId}/feed'
    assert.equal((await device('get', ofDays, { path: statistic }))[0]!.data, 100)

    const { derive } = await call('post', '/api/stream/{uid}/derive', {
      path: { uid: stream.uid! },
      body: { from: time },
    })
    assert.equal(derive?.error, null)
    const script = { s: "SELECT lastValue FROM Stream WHERE cid = 'Boiler' AND id = 'f'" }
    assert.deepEqual((await call('get', '/api/gql', { query: script })).rows, [[212]])

    const { connection } = await call('post', '/api/connection', {
      body: { name: 'Plant', kind: 'postgresql', ...(target as { host: string; database: string; user: string }) },
    })
    const ingestSql =
      "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT m, 'kwh', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)"
    const { connector } = await call('post', '/api/connector', {
      body: {
        type: 'import',
        name: 'Meters',
        connectionUid: connection.uid,
        runningUserUid: user.uid,
        externalSql: 'SELECT meter, at, kwh FROM reading',
        ingestSql,
      },
    })
    const { run } = await call('post', '/api/connector/{uid}/run', { path: { uid: connector.uid } })
    assert.deepEqual([run.state, run.inserted, run.error], ['succeeded', 1, null])

    const { audit } = await call('get', '/api/audit', { query: { entity: 'connector' } })
    assert.equal(audit[0]!.subject, connector.uid)
    await call('delete', '/api/component/{uid}', { path: { uid: component.uid } })
    await call('delete', '/api/connector/{uid}', { path: { uid: connector.uid } })
    await call('delete', '/api/user/{uid}', { path: { uid: user.uid } })
    assert.equal((await call('get', '/api/component', { query: { id: 'Boiler' } })).totalCount, 0)
    await call('delete', '/api/login', {})
  })
})
