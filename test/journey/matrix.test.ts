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
import { openMetrics } from '../../src/metrics.ts'
import { openLimiter } from '../../src/base/http/limit.ts'
import type { Method, Role, Scope } from '../../src/core/caller.ts'
import { accessTokenLifeMs, deleteToken } from '../../src/core/oauth-grant.ts'
import { deleteSession } from '../../src/core/session.ts'
import type { User } from '../../src/core/user.ts'
import { clientWith } from '../support/http.ts'
import {
  addApiKey,
  addMember,
  addOrganization,
  addSession,
  addToken as addNewToken,
  addUser,
  testPassword,
  testSecrets,
} from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

/** Credentials that are good for nothing, and what every guarded call answers to them. */
const useless = {
  none: 401,
  'wrong key': 401,
  'wrong session': 401,
  'expired key': 401,
  'expired session': 401,
  'expired token': 401,
  'revoked key': 401,
  'revoked session': 401,
  'revoked token': 401,
  'disabled key': 401,
  "removed user's session": 401,
  "removed user's token": 401,
  'wrong address': 403,
  'another org': 403,
} as const

/**
 * The others, in the order of the rows below: a key that may GET everything; one for component feeds, GET and PUT; one
 * for everything of another component; one for everything, of another organization; then the four roles.
 */
const useful = ['reader', 'feeder', 'neighbour', 'foreign', 'guest', 'member', 'admin', 'owner'] as const

type Useful = (typeof useful)[number]
type Kind = keyof typeof useless | Useful | Token

/** Tokens may do what their users may, except what is about security; one of scope read may only read. */
const tokens = { token: 'member', "owner's token": 'owner', "owner's token to read": 'owner' } as const

type Token = keyof typeof tokens

const sessionsOnly =
  /^\w+ \/api\/(organization|user|api_key|oauth_client|connection|connector\/import_test|audit|server_metrics|grant|login)(\/|$)/

type Row = {
  /** One status for each of the useful, or one for everybody, credential or not. */
  readonly expected: string
  /** The address and the body of a call, on things made for it alone. */
  readonly call: () => Promise<{ readonly path: string; readonly input?: unknown }>
}

const file = '/api/comp/:compId/stream/:streamId/feed/file'

const all: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE']

describe('the authorization matrix', () => {
  let service: TestService
  let neighbour: string
  const credentials = {} as Record<Kind, () => Promise<string>>

  before(async () => {
    service = await openTestService()
    const { sql, organizationUid } = service
    await service.put('/api/feed?compId=Neighbour&s=1')
    const [row] = await sql<{ uid: string }[]>`select uid from component where id = 'Neighbour'`
    neighbour = row!.uid
    const stranger = await addUser(sql, 'stranger@example.org')
    const foreign = await addOrganization(sql, 'Foreign', stranger)
    const people = {} as Record<Role, User>
    for (const role of ['guest', 'member', 'admin', 'owner'] as const) {
      people[role] = await addUser(sql, `${role}@example.org`)
      await addMember(sql, organizationUid, people[role], role)
    }
    const everything = [{ resource: '*', methods: all }]
    const key = async (
      rows: Parameters<typeof addApiKey>[2],
      more: Parameters<typeof addApiKey>[3] = {},
      org = organizationUid,
    ) => {
      const { secret } = await addApiKey(sql, org, rows, more)
      return async () => `api_key=${secret}`
    }
    // One of the rows ends the session that it is called with.
    const session = (user: User) => async () => `session=${await addSession(sql, user)}`
    const token = async (...asked: Parameters<typeof addToken>) => {
      const made = await addToken(...asked)
      return async () => `access_token=${made}`
    }
    const revoked = await key(everything)
    await sql`delete from api_key where secret_hash = ${testSecrets.hash((await revoked()).slice(8))}`
    const removed = await addUser(sql, 'removed@example.org')
    await addMember(sql, organizationUid, removed, 'owner')
    const removedSession = await addSession(sql, removed)
    const removedToken = await addToken(removed)
    await sql`delete from user_account where key = ${removed.key}`
    const revokedSession = await addSession(sql, people.owner)
    await deleteSession(sql, testSecrets.hash(revokedSession))
    const revokedToken = await addToken(people.owner)
    await deleteToken(sql, testSecrets.hash(revokedToken))
    const plain = await key(everything)
    Object.assign(credentials, {
      none: async () => '',
      'wrong key': async () => 'api_key=wrong',
      'wrong session': async () => 'session=wrong',
      'expired key': await key(everything, { expiresMs: Date.now() - 1 }),
      'expired session': async () => `session=${await addSession(sql, people.owner, Date.now() - 31 * 86_400_000)}`,
      'expired token': await token(people.owner, { nowMs: Date.now() - accessTokenLifeMs }),
      'revoked key': revoked,
      'revoked session': async () => `session=${revokedSession}`,
      'revoked token': async () => `access_token=${revokedToken}`,
      'disabled key': await key(everything, { enabled: false }),
      "removed user's session": async () => `session=${removedSession}`,
      "removed user's token": async () => `access_token=${removedToken}`,
      'wrong address': await key(everything, { addresses: ['192.0.2.1'] }),
      'another org': async () => `${await plain()}&org=${foreign.uid}`,
      reader: await key([{ resource: '*', methods: ['GET'] }]),
      feeder: await key([{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]),
      neighbour: await key([{ resource: `component/${neighbour}`, methods: all }]),
      foreign: await key(everything, {}, foreign.uid),
      guest: session(people.guest),
      member: session(people.member),
      admin: session(people.admin),
      owner: session(people.owner),
      token: await token(people.member),
      "owner's token": await token(people.owner),
      "owner's token to read": await token(people.owner, { scope: 'read' }),
    } satisfies Record<Kind, () => Promise<string>>)
  })
  after(() => service.close())

  const addToken = (user: User, more: { readonly scope?: Scope; readonly nowMs?: number } = {}) =>
    addNewToken(service.sql, service.organizationUid, user, more)

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
  const usersOnly = '403 403 403 403 403 200 200 200'

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
    'DELETE /api/login': fixed('403 403 403 403 200 200 200 200', '/api/login'),
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

    'GET /api/live': fixed('404 404 403 404 404 404 404 404', '/api/live?compId=none&seconds=1'),
    'GET /api/export': fixed('404 404 403 404 404 404 404 404', '/api/export?what=samples&compId=none'),
    // A key for another component is let in, and its report refuses every row.
    'POST /api/import': {
      expected: '403 200 200 200 403 200 200 200',
      call: async () => ({ path: `/api/import?compId=${fresh()}&streamId=s`, input: { time: 5, data: 1 } }),
    },
    // Everybody sees imports of their own.
    'GET /api/import': fixed('200 200 200 200 200 200 200 200', '/api/import'),
    'GET /api/import/:id': fixed('404 404 404 404 404 404 404 404', '/api/import/none'),
    'GET /api/removal': fixed('200 403 403 200 200 200 200 200', '/api/removal'),
    'GET /api/removal/:uid': fixed('404 403 403 404 404 404 404 404', '/api/removal/none'),
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
        const { path } = await ofDerived('', 'derive').call()
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
    'POST /api/connection/:uid/test': fixed('403 403 403 404 403 403 404 404', '/api/connection/none/test', {}),
    'POST /api/connection/:uid/preview': fixed('403 403 403 404 403 403 404 404', '/api/connection/none/preview', {
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
    'GET /api/connector/:uid/call': fixed('404 403 403 404 403 404 404 404', '/api/connector/none/call'),
    'POST /api/connector/test': fixed(usersOnly, '/api/connector/test', { sql: 'SELECT 1' }),
    'POST /api/connector/:uid/run': fixed('403 403 403 404 403 403 404 404', '/api/connector/none/run'),
    'GET /api/connector/:uid/run': fixed('404 403 403 404 403 404 404 404', '/api/connector/none/run'),
    'DELETE /api/connector/:uid/run/:run': fixed('403 403 403 404 403 403 404 404', '/api/connector/none/run/none'),
    // A caller who may see the connection finds that there is none.
    'POST /api/connector/import_test': fixed('403 403 403 403 403 403 404 404', '/api/connector/import_test', {
      connectionUid: 'none',
      externalSql: 'select 1',
      ingestSql: 'SELECT 1',
    }),
    'GET /api/gql': fixed('200 403 403 200 403 200 200 200', '/api/gql?s=SELECT%201'),
    'POST /api/gql': fixed(usersOnly, '/api/gql', { s: 'SELECT 1' }),
    // Only API keys open a sink; the one with GET on everything finds that there is none.
    ...Object.fromEntries(
      ['GET', 'PUT', 'POST', 'DELETE'].map((method) => [
        `${method} /api/conn_sink/:org/:endpoint`,
        fixed(
          `${method === 'GET' ? 404 : 403} 403 403 403 401 401 401 401`,
          `/api/conn_sink/${service.organizationUid}/none`,
        ),
      ]),
    ),
    'GET /api/api_key/:uid/secret': {
      expected: '403 403 403 403 403 403 200 200',
      call: async () => ({ path: `/api/api_key/${await make('api_key', { name: fresh() })}/secret` }),
    },
    // By a person who is signed in, not by a key.
    'POST /api/user/:uid/reset_link': {
      expected: '403 403 403 403 403 403 200 200',
      call: async () => ({
        path: `/api/user/${await make('user', { email: `${fresh()}@example.org`, password: testPassword })}/reset_link`,
      }),
    },
    'GET /api/audit': fixed(adminsOnly.list, '/api/audit'),
    'GET /api/grant': fixed('403 403 403 403 200 200 200 200', '/api/grant'),
    'DELETE /api/grant/:uid': fixed('403 403 403 403 404 404 404 404', '/api/grant/none'),

    'GET /api/organization': fixed('200 403 403 200 200 200 200 200', '/api/organization'),
    'GET /api/organization/:uid': fixed(
      '200 403 403 404 200 200 200 200',
      `/api/organization/${service.organizationUid}`,
    ),
    // A user who made one has two from now on, and would have to name one in rows that are inside an organization.
    'POST /api/organization': fixed('403 403 403 403 201 201 201 201', '/api/organization', { name: 'x' }),
    'PUT /api/organization/:uid': fixed(
      '403 403 403 404 403 403 200 200',
      `/api/organization/${service.organizationUid}`,
      { name: 'x' },
    ),
    // The last row, and in it the owner last: nothing is left of the organization then.
    'DELETE /api/organization/:uid': fixed(
      '403 403 403 403 403 403 403 202',
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
    const lists = [
      'component',
      'template',
      'stream',
      'cycle',
      'folder',
      'user',
      'api_key',
      'oauth_client',
      'organization',
    ]
    await make('template', { id: fresh(), stream: [{ id: 's' }] })
    await make('oauth_client', { name: fresh(), redirectUris: ['https://a.example/'] })
    for (const name of lists) {
      const listed = async (kind: Kind) => {
        const { body } = await clientWith(service, await credentials[kind]())('GET', `/api/${name}?limit=1000`)
        return (body as Record<string, readonly { uid: string }[]>)[name]!.map(({ uid }) => uid)
      }
      const own = new Set(await listed('owner'))
      assert.notEqual(own.size, 0, name)
      assert.deepEqual(
        (await listed('foreign')).filter((uid) => own.has(uid)),
        [],
        name,
      )
    }
  })

  it('holds, cell by cell', async function () {
    this.timeout(300_000)
    const wrong: string[] = []
    for (const [route, row] of Object.entries(rows())) {
      const [method] = route.split(' ')
      // The row on which others were refused serves the owner, who comes last: a refusal has changed nothing, and nor has
      // reading.
      const isReading = method === 'GET' && route !== 'GET /api/feed'
      const untouched = await row.call()
      for (const [kind, expected] of Object.entries(expectedOf(route, row.expected))) {
        const isChanged = expected < 400 && kind !== 'owner' && !isReading
        const { path, input } = isChanged ? await row.call() : untouched
        const status = await ask(kind as Kind, method!, path, input)
        if (status !== expected) wrong.push(`${route}, ${kind}: ${status}, not ${expected}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
})

/** A message of an assistant writes by some of its tools alone. */
const isWriting = (route: string) =>
  (!route.startsWith('GET ') || route === 'GET /api/feed') && route !== 'POST /api/mcp'

const fixed = (expected: string, path: string, input?: unknown): Row => ({
  expected,
  call: async () => ({ path, ...(input === undefined ? {} : { input }) }),
})

const expectedOf = (route: string, expected: string): Readonly<Record<Kind, number>> => {
  const statuses = expected.split(' ').map(Number)
  const isOpen = statuses.length === 1
  assert.ok(isOpen || statuses.length === useful.length, expected)
  const known = Object.fromEntries(useful.map((kind, index) => [kind, statuses[isOpen ? 0 : index]!])) as Record<
    Useful,
    number
  >
  const others = Object.entries(useless).map(([kind, status]) => [kind, isOpen ? statuses[0]! : status])
  const ofTokens = Object.entries(tokens).map(([kind, user]) => {
    const isRefused = sessionsOnly.test(route) || (kind.endsWith('read') && isWriting(route))
    return [kind, [200, 201, 202, 404].includes(known[user]) && isRefused && !isOpen ? 403 : known[user]]
  })
  return {
    ...(Object.fromEntries(others) as Record<keyof typeof useless, number>),
    ...(Object.fromEntries(ofTokens) as Record<Token, number>),
    ...known,
  }
}
