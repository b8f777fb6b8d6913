// The authorization matrix: every route of app.ts × every kind of credential, with the status that is expected. A route
// without a row here fails, and so does a row without a route: a new call needs a row for its credentials.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { openAccess } from '../../src/access/guard.ts'
import type { Parts } from '../../src/app.ts'
import { routesOf } from '../../src/app.ts'
import type { LiveOptions } from '../../src/live/routes.ts'
import { openLive } from '../../src/live/routes.ts'
import { addressRange } from '../../src/base/config.ts'
import { openMetrics } from '../../src/metrics.ts'
import { openLimiter } from '../../src/base/http/limit.ts'
import type { User } from '../../src/core/user.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { clientWith } from '../support/http.ts'
import { addConnection } from '../support/import.ts'
import { loopback } from '../support/outbound.ts'
import { addMember, addToken, addUser, testPassword, testSecrets } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { Credentials, Kind, PersonKind, Row } from './matrix-credentials.ts'
import { expectedOf, isPerson, openCredentials } from './matrix-credentials.ts'

const file = '/api/comp/:compId/stream/:streamId/feed/file'

describe('the authorization matrix', () => {
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let credentials: Credentials
  let users: Readonly<Record<PersonKind, User>>
  let renewSessions: () => void

  before(async () => {
    external = await openEmptyDatabase()
    service = await openTestService({ outboundAllow: loopback.map(addressRange) })
    await service.put('/api/feed?compId=Neighbour&s=1')
    const [row] = await service.sql<{ uid: string }[]>`select uid from component where id = 'Neighbour'`
    ;({ credentials, users, renewSessions } = await openCredentials(service, row!.uid))
  })
  after(async () => {
    await service?.close()
    await external?.drop()
  })

  /** By node:http, on connections that stay: there are thousands of cells. */
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())
  const ask = async (kind: Kind, method: string, path: string, input: unknown): Promise<number> => {
    const url = `${service.url}${path}${path.includes('?') ? '&' : '?'}${await credentials[kind]()}`
    const body = input === undefined ? undefined : JSON.stringify(input)
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const asked = request(url, { agent, method, headers })
    asked.end(body)
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    reply.resume()
    await once(reply, 'end')
    return reply.statusCode!
  }

  let made = 0
  const fresh = () => {
    made += 1
    return `thing${made}`
  }
  /** Makes one as owner, through the API. */
  const make = async (entity: string, input: object): Promise<string> => {
    // Through the API it would cost the hashing of a password each time.
    if (entity === 'user') {
      const user = await addUser(service.sql, `${fresh()}@example.org`)
      await addMember(service.sql, service.organizationUid, user, 'guest')
      return user.uid
    }
    const call = clientWith(service, await credentials.owner())
    const { status, body } = await call('POST', `/api/${entity}`, input)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as Record<string, { uid: string }>)[entity]!.uid
  }
  const component = async () => {
    const id = fresh()
    assert.equal((await service.put(`/api/feed?compId=${id}&s=1`)).status, 200)
    return id
  }

  const ofComponent = (expected: string, rest: string, input?: unknown): Row => ({
    expected,
    call: async () => ({ path: `/api/comp/${await component()}/${rest}`, input }),
  })

  const derived = (componentId: string) => ({
    expression: 'v',
    variables: [{ name: 'v', componentId, streamId: 's' }],
  })
  const ofDerived = (expected: string, rest: string, input?: unknown): Row => ({
    expected,
    call: async () => {
      const componentUid = await make('component', { id: fresh() })
      const uid = await make('stream', { componentUid, id: 'd', ...derived(await component()) })
      return { path: `/api/stream/${uid}/${rest}`, input }
    },
  })

  const ofFile = (expected: string, time: string): Row => ({
    expected,
    call: async () => {
      const path = `/api/comp/${fresh()}/stream/f/feed/file`
      assert.equal((await service.put(`${path}/a?time=5`, 'x')).status, 200)
      return { path: `${path}/${time}a` }
    },
  })

  const ofConnection = (expected: string, rest: string, input: object): Row => ({
    expected,
    call: async () => ({ path: `/api/connection/${await addConnection(service, external.url)}/${rest}`, input }),
  })
  /** The uid of the removal of a component. */
  const removal = async () => {
    const id = await component()
    const call = clientWith(service, await credentials.owner())
    const { body: listed } = await call('GET', `/api/component?id=${id}`)
    const [{ uid }] = (listed as { readonly component: [{ readonly uid: string }] }).component
    const { status, body } = await call('DELETE', `/api/component/${uid}`)
    assert.equal(status, 202, JSON.stringify(body))
    return (body as { readonly removal: { readonly uid: string } }).removal.uid
  }
  const sink = async () => {
    const endpoint = fresh()
    const runAsUserUid = users.admin.uid
    const sql = "INSERT INTO SAMPLE(CID, ID, SAMPLE) VALUES ('Sunk', 's', 1)"
    return { endpoint, uid: await make('connector', { name: 'x', endpoint, runAsUserUid, sql }) }
  }
  let imported: Promise<{ readonly uid: string; readonly run: string }> | undefined
  const makeImport = async () => {
    const uid = await make('connector', {
      type: 'import',
      name: 'x',
      connectionUid: await addConnection(service, external.url),
      runningUserUid: users.admin.uid,
      externalSql: 'select 1 as v',
      ingestSql:
        "INSERT INTO SAMPLE(CID, ID, SAMPLE) SELECT 'Imported', 's', v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 v DOUBLE)",
    })
    const call = clientWith(service, await credentials.owner())
    const { status, body } = await call('POST', `/api/connector/${uid}/run`)
    const { success, run } = body as { readonly success: boolean; readonly run: { readonly uid: string } }
    assert.ok(status === 200 && success, JSON.stringify(body))
    return { uid, run: run.uid }
  }
  /** Of one import that has run once: each run of its own would cost a thread. */
  const ofRun = (expected: string, rest: (run: string) => string): Row => ({
    expected,
    call: async () => {
      imported ??= makeImport()
      const { uid, run } = await imported
      return { path: `/api/connector/${uid}/${rest(run)}` }
    },
  })

  /** The five calls of an entity that guests may read and admins may change. */
  const entity = (
    name: string,
    input: () => object | Promise<object>,
    change: object,
    more: Partial<Record<string, string>> = {},
  ) => ({
    [`GET /api/${name}`]: fixed(more['list'] ?? '200 403 403 200 200 200 200 200', `/api/${name}`),
    [`GET /api/${name}/:uid`]: {
      expected: more['one'] ?? '200 403 403 404 200 200 200 200',
      call: async () => ({ path: `/api/${name}/${await make(name, await input())}` }),
    },
    [`POST /api/${name}`]: {
      expected: more['create'] ?? '403 403 403 201 403 403 201 201',
      call: async () => ({ path: `/api/${name}`, input: await input() }),
    },
    [`PUT /api/${name}/:uid`]: {
      expected: '403 403 403 404 403 403 200 200',
      call: async () => ({ path: `/api/${name}/${await make(name, await input())}`, input: change }),
    },
    [`DELETE /api/${name}/:uid`]: {
      expected: '403 403 403 404 403 403 200 200',
      call: async () => ({ path: `/api/${name}/${await make(name, await input())}` }),
    },
  })
  /** Entities that only admins see. */
  const adminsOnly = { list: '200 403 403 200 403 403 200 200', one: '200 403 403 404 403 403 200 200' }

  const membersOnly = { list: '200 403 403 200 403 200 200 200', one: '200 403 403 404 403 200 200 200' }
  const usersOnly = '403 403 403 403 403 200 200 200 200'

  const reads = '200 200 403 404 200 200 200 200'
  const rows = (): Readonly<Record<string, Row>> => ({
    'GET /healthz': fixed('200', '/healthz'),
    'GET /readyz': fixed('200', '/readyz'),
    'GET /metrics': fixed('200', '/metrics'),
    'GET /api/server_metrics': fixed('200 403 403 403 403 403 200 200', '/api/server_metrics'),
    'GET /': fixed('302', '/'),
    'GET /alt/assets/:name': fixed('404', '/alt/assets/none'),
    'POST /api/login': fixed('400', '/api/login', {}),
    'GET /api/login': fixed('200', '/api/login'),
    'DELETE /api/login': fixed('403 403 403 403 200 200 200 200 200', '/api/login'),
    'POST /api/oauth_login': fixed('400', '/api/oauth_login', {}),
    'POST /api/oauth_access_token': fixed('400', '/api/oauth_access_token', {}),
    'POST /api/oauth_revoke': fixed('401', '/api/oauth_revoke', { token: 'x' }),
    'POST /api/oauth_introspect': fixed('401', '/api/oauth_introspect', { token: 'x' }),
    'GET /.well-known/oauth-authorization-server': fixed('200', '/.well-known/oauth-authorization-server'),
    'GET /alt/': fixed('200', '/alt/'),
    'POST /alt/': fixed('200', '/alt/', {}),
    'GET /alt/reset': fixed('200', '/alt/reset'),
    'POST /alt/reset': fixed('404', '/alt/reset', {}),
    'GET /alt': fixed('308', '/alt'),
    'POST /alt': fixed('308', '/alt', {}),
    'GET /docs': fixed('200', '/docs'),
    'GET /api/openapi.json': fixed('200', '/api/openapi.json'),
    'GET /favicon.ico': fixed('200', '/favicon.ico'),
    'GET /favicon.svg': fixed('200', '/favicon.svg'),

    'PUT /api/feed': {
      expected: '403 200 403 200 403 200 200 200',
      call: async () => ({ path: `/api/feed?compId=${fresh()}&s=1` }),
    },
    'GET /api/feed': {
      expected: '403 200 403 200 403 200 200 200',
      call: async () => ({ path: `/api/feed?asPut&compId=${fresh()}&s=1` }),
    },
    'GET /api/comp/:compId/feed': ofComponent(reads, 'feed'),
    'GET /api/comp/:compId/stream/:streamId/feed': ofComponent(reads, 'stream/s/feed'),
    'GET /api/comp/:compId/stream/:streamId/chart': ofComponent(reads, 'stream/s/chart'),
    'GET /api/comp/:compId/last_value': ofComponent(reads, 'last_value'),
    'GET /api/comp/:compId/stream/:streamId/last_value': ofComponent(reads, 'stream/s/last_value'),
    'GET /api/comp/:compId/cycle/:cycleId/stat/:statId/feed': ofComponent(reads, 'cycle/day/stat/avg/feed'),
    'GET /api/comp/:compId/cycle/:cycleId/stat/:statId/last_value': ofComponent(reads, 'cycle/day/stat/avg/last_value'),
    'GET /api/comp/:compId/stream/:streamId/cycle/:cycleId/stat/:statId/feed': ofComponent(
      reads,
      'stream/s/cycle/day/stat/avg/feed',
    ),
    'GET /api/comp/:compId/stream/:streamId/cycle/:cycleId/stat/:statId/last_value': ofComponent(
      reads,
      'stream/s/cycle/day/stat/avg/last_value',
    ),
    'DELETE /api/comp/:compId/stream/:streamId/feed': ofComponent(
      '403 403 403 404 403 200 200 200',
      'stream/s/feed?sd=0&ed=1',
    ),
    [`PUT ${file}/:fileName`]: ofComponent('403 200 403 200 403 200 200 200', 'stream/f/feed/file/a', 'x'),
    [`GET ${file}/:fileName`]: ofFile(reads, ''),
    [`GET ${file}/:time/:fileName`]: ofFile(reads, '5/'),
    // An address without a name is refused for its form.
    [`PUT ${file}`]: ofComponent('400 400 400 400 400 400 400 400', 'stream/f/feed/file', 'x'),
    [`GET ${file}`]: ofComponent('400 400 400 400 400 400 400 400', 'stream/f/feed/file'),
    'GET /api/comp/:compId/property': ofComponent('200 403 403 404 200 200 200 200', 'property?name'),
    'POST /api/comp/:compId/property': ofComponent('403 403 403 404 403 200 200 200', 'property', [
      { component: { description: 'x' } },
    ]),

    'GET /api/live': {
      expected: reads,
      call: async () => ({ path: `/api/live?compId=${await component()}&seconds=0` }),
    },
    'GET /api/export': {
      expected: reads,
      call: async () => ({ path: `/api/export?what=samples&compId=${await component()}` }),
    },
    // A key for another component is let in, and its report refuses every row.
    'POST /api/import': {
      expected: '403 200 200 200 403 200 200 200',
      call: async () => ({ path: `/api/import?compId=${fresh()}&streamId=s`, input: { time: 5, data: 1 } }),
    },
    // Everybody sees imports of their own.
    'GET /api/import': fixed('200 200 200 200 200 200 200 200', '/api/import'),
    // Those who can begin one ask for theirs, and the others for the owner's. To a token another one of its user is another.
    'GET /api/import/:id': {
      expected: '404 200 200 200 404 200 200 200 404',
      but: Object.fromEntries(
        (['guest', 'member', 'admin', 'owner'] as const).map((user) => [`${user}'s token to read`, 404]),
      ),
      isOwn: true,
      call: async (kind) => {
        const id = fresh()
        const path = `/api/import?importId=${id}&compId=${fresh()}&streamId=s`
        const begin = async (by: Kind) => ask(by, 'POST', path, { time: 5, data: 1 })
        const isForeign = kind.startsWith('stranger')
        if (isForeign || (await begin(kind)) !== 200) assert.equal(await begin('owner'), 200)
        return { path: `/api/import/${id}` }
      },
    },
    'GET /api/removal': fixed('200 403 403 200 200 200 200 200', '/api/removal'),
    'GET /api/removal/:uid': {
      expected: '200 403 403 404 200 200 200 200',
      call: async () => ({ path: `/api/removal/${await removal()}` }),
    },
    'PUT /api/component': {
      expected: '403 403 403 200 403 403 200 200',
      call: async () => ({ path: '/api/component', input: [{ id: fresh() }] }),
    },
    'POST /api/mcp': fixed('200 200 200 200 200 200 200 200', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }),
    'GET /.well-known/oauth-protected-resource': fixed('200', '/.well-known/oauth-protected-resource'),
    'GET /.well-known/oauth-protected-resource/api/mcp': fixed('200', '/.well-known/oauth-protected-resource/api/mcp'),

    ...entity('component', () => ({ id: fresh() }), { description: 'x' }),
    ...entity('template', () => ({ id: fresh() }), { description: 'x' }),
    ...entity(
      'stream',
      async () => ({ componentUid: await make('component', { id: fresh() }), id: 's' }),
      { description: 'x' },
      // To a stranger the component that it is to be made in does not exist.
      { create: '403 403 403 404 403 403 201 201' },
    ),
    'POST /api/stream/derive_test': {
      // To a stranger the component that it names does not exist.
      expected: '403 403 403 400 403 200 200 200',
      but: { "stranger's token to read": 403 },
      call: async () => ({ path: '/api/stream/derive_test', input: { ...derived(await component()), from: 0, to: 1 } }),
    },
    'POST /api/stream/:uid/derive': ofDerived('403 200 403 404 403 200 200 200', 'derive?wait=false', {
      from: 0,
      to: 1,
    }),
    'GET /api/stream/:uid/derive': ofDerived('200 200 403 404 200 200 200 200', 'derive'),
    'DELETE /api/stream/:uid/derive': {
      expected: '403 200 403 404 403 200 200 200',
      call: async () => {
        const { path } = await ofDerived('', 'derive').call('owner')
        const call = clientWith(service, await credentials.owner())
        assert.equal((await call('POST', `${path}?wait=false`, {})).status, 200)
        return { path }
      },
    },
    ...entity('cycle', () => ({ id: fresh(), size: 1, unit: 'day', reference: '2026-01-01T00:00:00' }), { name: 'x' }),
    ...entity('unit', () => ({ id: fresh() }), { name: 'x' }),
    ...entity('folder', () => ({ path: `/Components/${fresh()}` }), {}),
    ...entity(
      'user',
      () => ({ email: `${fresh()}@example.org`, password: testPassword }),
      { firstName: 'x' },
      adminsOnly,
    ),
    ...entity('api_key', () => ({ name: fresh() }), { name: 'x' }, adminsOnly),
    ...entity(
      'oauth_client',
      () => ({ name: fresh(), redirectUris: ['https://a.example/'] }),
      { name: 'x' },
      adminsOnly,
    ),
    ...entity(
      'connection',
      () => ({ name: fresh(), kind: 'mysql', host: 'db.example', database: 'x', user: 'x' }),
      { name: 'x' },
      adminsOnly,
    ),
    'POST /api/connection/:uid/test': ofConnection('403 403 403 404 403 403 200 200', 'test', {}),
    'POST /api/connection/:uid/preview': ofConnection('403 403 403 404 403 403 200 200', 'preview', {
      sql: 'select 1',
    }),
    ...entity('dashboard', () => ({ name: fresh(), tile: [{ kind: 'text', text: 'x' }] }), { name: 'x' }),
    ...entity('query', () => ({ name: fresh(), sql: 'SELECT 1' }), { name: 'x' }, membersOnly),
    ...entity(
      'connector',
      async () => ({
        name: 'x',
        endpoint: fresh(),
        runAsUserUid: await make('user', { email: `${fresh()}@example.org`, password: testPassword }),
        sql: 'SELECT 1',
      }),
      { name: 'x' },
      // To a stranger the user that it is to run as does not exist.
      { ...membersOnly, create: '403 403 403 404 403 403 201 201' },
    ),
    'GET /api/connector/:uid/call': {
      expected: membersOnly.one,
      call: async () => ({ path: `/api/connector/${(await sink()).uid}/call` }),
    },
    'POST /api/connector/test': fixed(usersOnly, '/api/connector/test', { sql: 'SELECT 1' }),
    'POST /api/connector/:uid/run': ofRun('403 403 403 404 403 403 200 200', () => 'run'),
    'GET /api/connector/:uid/run': ofRun(membersOnly.one, () => 'run'),
    'DELETE /api/connector/:uid/run/:run': ofRun('403 403 403 404 403 403 200 200', (run) => `run/${run}`),
    'POST /api/connector/import_test': {
      expected: '403 403 403 403 403 403 200 200 404',
      call: async () => ({
        path: '/api/connector/import_test',
        input: {
          connectionUid: await addConnection(service, external.url),
          externalSql: 'select 1',
          ingestSql: 'SELECT 1',
        },
      }),
    },
    'GET /api/gql': fixed('200 403 403 200 403 200 200 200', '/api/gql?s=SELECT%201'),
    'POST /api/gql': fixed(usersOnly, '/api/gql', { s: 'SELECT 1' }),
    // Only API keys open a sink.
    ...Object.fromEntries(
      ['GET', 'PUT', 'POST', 'DELETE'].map((method): [string, Row] => [
        `${method} /api/conn_sink/:org/:endpoint`,
        {
          expected: `${method === 'GET' ? 200 : 403} 403 403 403 401 401 401 401 401`,
          but: { everything: 200 },
          call: async () => ({ path: `/api/conn_sink/${service.organizationUid}/${(await sink()).endpoint}` }),
        },
      ]),
    ),
    'GET /api/api_key/:uid/secret': {
      expected: '403 403 403 403 403 403 200 200 404',
      call: async () => ({ path: `/api/api_key/${await make('api_key', { name: fresh() })}/secret` }),
    },
    // By a person who is signed in, not by a key.
    'POST /api/user/:uid/reset_link': {
      expected: '403 403 403 403 403 403 200 200 404',
      call: async () => ({
        path: `/api/user/${await make('user', { email: `${fresh()}@example.org`, password: testPassword })}/reset_link`,
      }),
    },
    'GET /api/audit': fixed(adminsOnly.list, '/api/audit'),
    'GET /api/grant': fixed('403 403 403 403 200 200 200 200 200', '/api/grant'),
    // People end their own, and find no other's.
    'DELETE /api/grant/:uid': {
      expected: '403 403 403 403 200 200 200 200 404',
      isOwn: true,
      call: async (kind) => {
        const user = users[isPerson(kind) && kind !== 'stranger' ? kind : 'owner']
        await addToken(service.sql, service.organizationUid, user)
        const [grant] = await service.sql<[{ uid: string }]>`
          select uid from oauth_grant where user_key = ${user.key} order by key desc limit 1`
        return { path: `/api/grant/${grant.uid}` }
      },
    },

    'GET /api/organization': fixed('200 403 403 200 200 200 200 200', '/api/organization'),
    'GET /api/organization/:uid': fixed(
      '200 403 403 404 200 200 200 200',
      `/api/organization/${service.organizationUid}`,
    ),
    // A user who made one has two from now on, and would have to name one in rows that are inside an organization.
    'POST /api/organization': fixed('403 403 403 403 201 201 201 201 201', '/api/organization', { name: 'x' }),
    'PUT /api/organization/:uid': fixed(
      '403 403 403 404 403 403 200 200',
      `/api/organization/${service.organizationUid}`,
      { name: 'x' },
    ),
    // The last row, and in it the owner last: nothing is left of the organization then.
    'DELETE /api/organization/:uid': fixed(
      '403 403 403 403 403 403 403 202 404',
      `/api/organization/${service.organizationUid}`,
    ),
  })

  it('has a row for every route, and no other', () => {
    const { world } = service.service
    const access = openAccess(world, testSecrets)
    const limiter = openLimiter('off', world.clock)
    // Routes are only listed here; their handlers are never called.
    const parts = {
      world,
      access,
      secrets: testSecrets,
      limiter,
      compiler: {},
      imports: { bench: { world }, runs: {} },
      live: openLive({ world, guardLasting: access.guardLasting } as LiveOptions),
      metrics: openMetrics(),
    } as Parts
    const routes = routesOf(parts).map(({ method, path }) => `${method} ${path}`)
    const known = Object.keys(rows())
    assert.deepEqual(
      { without: routes.filter((route) => !known.includes(route)), gone: known.filter((row) => !routes.includes(row)) },
      { without: [], gone: [] },
    )
  })

  it('judges the credential before the form of the body', async () => {
    const init = { body: '{"id":', headers: { 'Content-Type': 'application/json' } }
    const post = async (credential: string) => (await service.request('POST', `/api/unit?${credential}`, init)).status
    assert.equal(await post(''), 401)
    assert.equal(await post('api_key=wrong'), 401)
    assert.equal(await post(await credentials.owner()), 400)
  })

  it('shows nothing of one organization in the lists of another', async () => {
    // Each has rows: those of the credentials, and these.
    await make('template', { id: fresh(), stream: [{ id: 's' }] })
    await make('oauth_client', { name: fresh(), redirectUris: ['https://a.example/'] })
    await make('connection', { name: fresh(), kind: 'mysql', host: 'db.example', database: 'x', user: 'x' })
    await make('query', { name: fresh(), sql: 'SELECT 1' })
    await make('dashboard', { name: fresh(), tile: [{ kind: 'text', text: 'x' }] })
    await make('unit', { id: fresh() })
    await sink()
    await removal()
    const lists =
      'component template stream cycle unit folder user api_key oauth_client connection connector query dashboard ' +
      'removal grant organization'
    for (const name of lists.split(' ')) {
      const listed = async (kind: Kind) => {
        const { body } = await clientWith(service, await credentials[kind]())('GET', `/api/${name}?limit=1000`)
        return ((body as Record<string, readonly { uid: string }[]>)[name] ?? []).map(({ uid }) => uid)
      }
      const own = new Set(await listed('owner'))
      assert.notEqual(own.size, 0, name)
      for (const kind of ['foreign', 'stranger', "stranger's token"] as const)
        assert.deepEqual(
          (await listed(kind)).filter((uid) => own.has(uid)),
          [],
          `${name}, ${kind}`,
        )
    }
  })

  it('holds, cell by cell', async function () {
    this.timeout(600_000)
    const wrong: string[] = []
    for (const [route, row] of Object.entries(rows())) {
      const [method] = route.split(' ')
      // The row on which others were refused serves the owner, who comes last: a refusal has changed nothing, and nor has
      // reading.
      const isReading = method === 'GET' && route !== 'GET /api/feed'
      const untouched = await row.call('owner')
      for (const [name, expected] of Object.entries(expectedOf(route, row))) {
        const kind = name as Kind
        const isChanged = expected < 400 && kind !== 'owner' && !isReading
        const { path, input } = isChanged || row.isOwn ? await row.call(kind) : untouched
        const status = await ask(kind, method!, path, input)
        if (route === 'DELETE /api/login') renewSessions()
        if (status !== expected) wrong.push(`${route}, ${kind}: ${status}, not ${expected}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
})

const fixed = (expected: string, path: string, input?: unknown): Row => ({
  expected,
  call: async () => ({ path, ...(input === undefined ? {} : { input }) }),
})
