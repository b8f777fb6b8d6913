import assert from 'node:assert/strict'
import type { RateLimits } from '../../src/base/config.ts'
import { addressRange } from '../../src/base/config.ts'
import { addClient, addMember, addOrganization, addUser, testPassword } from '../support/people.ts'
import { openSecond } from '../support/second.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const redirectUri = 'https://client.example/callback'
const dayMs = 86_400_000

type Login = {
  readonly success: boolean
  readonly sessionUid: string
  readonly userUid: string
  readonly organization: readonly { readonly uid: string; readonly name: string; readonly type: string }[]
}

describe('signing in', () => {
  const clock = openTestClock(Date.now())
  let service: TestService
  before(async () => {
    service = await openTestService({}, clock)
    const ada = await addUser(service.sql, 'Ada@Example.org')
    await addMember(service.sql, service.organizationUid, ada, 'member')
  })
  after(() => service.close())

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.request('POST', path, { body: JSON.stringify(body), headers })
  const login = (email: string, password = testPassword) => post('/api/login', { email, password })
  const statusWith = async (path: string, headers: Record<string, string> = {}) =>
    (await service.request('GET', path, { headers })).status

  it('is refused alike for an unknown e-mail and a wrong password', async () => {
    const [unknown, wrong] = [await login('nobody@example.org'), await login('ada@example.org', 'wrong password')]
    assert.equal(unknown.status, 401)
    assert.equal(unknown.text, wrong.text)
    assert.deepEqual(unknown.json, { success: false, code: 'unauthorized', message: 'wrong e-mail or password' })
    assert.deepEqual(withoutDate(unknown), withoutDate(wrong))
    assert.equal(unknown.headers.get('set-cookie'), null)
  })

  it('is refused without e-mail or password', async () => {
    for (const body of [{}, { email: 'ada@example.org' }, { password: 'x' }, { email: 1, password: 'x' }, []])
      assert.equal((await post('/api/login', body)).status, 400, JSON.stringify(body))
  })

  it('gives a session, as member and as cookie, whatever the e-mail’s case', async () => {
    const reply = await login('ADA@example.ORG')
    assert.equal(reply.status, 200)
    const { sessionUid, userUid, organization, ...rest } = reply.json as Login
    const names = { userEmail: 'Ada@Example.org', userFirstName: 'Ada', userLastName: 'Oak' }
    assert.deepEqual(rest, { success: true, message: '', ...names })
    assert.equal(userUid.length, 36)
    assert.deepEqual(organization, [
      { uid: service.organizationUid, name: 'My organization', type: 'organization', role: 'member', operator: true },
    ])
    assert.equal(
      reply.headers.get('set-cookie'),
      `session=${sessionUid}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    )
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    for (const [path, headers] of [
      [`/api/comp/x/feed?session=${sessionUid}`, {}],
      ['/api/comp/x/feed', { Cookie: `session=${sessionUid}` }],
      ['/api/comp/x/feed', { Authorization: `Bearer ${sessionUid}` }],
    ] as const)
      assert.equal(await statusWith(path, headers), 404)
  })

  it('gives a cookie that no sibling domain can set, where the service is known by https', async () => {
    const secure = await openTestService({ baseUrl: 'https://data.example' })
    try {
      const request = (method: string, path: string, headers: Record<string, string>, body?: string) =>
        secure.request(method, path, body === undefined ? { headers } : { headers, body })
      const body = JSON.stringify({ email: secure.ownerEmail, password: secure.ownerPassword })
      const reply = await request('POST', '/api/login', {}, body)
      const { sessionUid } = reply.json as Login
      const attributes = 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure'
      assert.equal(reply.headers.get('set-cookie'), `__Host-session=${sessionUid}; ${attributes}`)
      // The one that only we can have set decides; API clients name theirs as they always did.
      for (const [cookie, status] of [
        [`__Host-session=${sessionUid}`, 404],
        [`session=planted; __Host-session=${sessionUid}`, 404],
        [`session=${sessionUid}`, 404],
        [`session=${sessionUid}; __Host-session=wrong`, 401],
      ] as const)
        assert.equal((await request('GET', '/api/comp/x/feed', { Cookie: cookie })).status, status, cookie)
      const { clientId } = await addClient(secure.sql, secure.organizationUid)
      const asked = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri })
      const page = (cookie: string) => request('GET', `/alt/?${asked.toString()}`, { Cookie: cookie })
      assert.match((await page('')).headers.get('set-cookie') ?? '', /^__Host-alt=[^;]+; Path=\/; .*; Secure$/)
      // The page takes what only we can have set: a sibling domain signs nobody in, and knows no browser's secret.
      assert.doesNotMatch((await page('alt=planted')).headers.get('set-cookie') ?? '', /planted/)
      assert.doesNotMatch((await page(`session=${sessionUid}`)).text, new RegExp(secure.ownerEmail))
      assert.match((await page(`__Host-session=${sessionUid}`)).text, new RegExp(secure.ownerEmail))
      const out = await request('DELETE', '/api/login', { Cookie: `__Host-session=${sessionUid}` })
      assert.match(out.headers.get('set-cookie') ?? '', /^__Host-session=; Path=\/; Max-Age=0;.*Secure$/)
    } finally {
      await secure.close()
    }
  })

  it('plants no cookie for a page of another site', async () => {
    const body = { email: 'ada@example.org', password: testPassword }
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]) {
      const reply = await post('/api/login', body, headers)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('set-cookie'), null, JSON.stringify(headers))
    }
    assert.notEqual((await post('/api/login', body, { Origin: service.url })).headers.get('set-cookie'), null)
  })

  it('is shown by GET /api/login, which is no error when nobody is signed in', async () => {
    const { sessionUid, userUid, organization } = (await login('ada@example.org')).json as Login
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await service.request('GET', path, { headers })).json
    const names = { userEmail: 'Ada@Example.org', userFirstName: 'Ada', userLastName: 'Oak' }
    const shown = { success: true, message: '', userUid, ...names, organization, mqttPort: null }
    const noNames = { userEmail: null, userFirstName: null, userLastName: null }
    const nobody = { success: true, message: '', userUid: null, ...noNames, organization: [], mqttPort: null }
    assert.deepEqual(await ask('/api/login', { Cookie: `session=${sessionUid}` }), shown)
    assert.deepEqual(await ask(`/api/login?session=${sessionUid}`), shown)
    for (const path of ['/api/login', '/api/login?session=unknown', '/api/login?api_key=unknown'])
      assert.deepEqual(await ask(path), nobody)
  })

  it('ends with DELETE /api/login, which clears the cookie', async () => {
    const { sessionUid } = (await login('ada@example.org')).json as Login
    const headers = { Cookie: `session=${sessionUid}` }
    const reply = await service.request('DELETE', '/api/login', { headers })
    assert.deepEqual(reply.json, { success: true, message: '' })
    assert.match(reply.headers.get('set-cookie') ?? '', /^session=; Path=\/; Max-Age=0;/)
    assert.equal(await statusWith('/api/comp/x/feed', headers), 401)
    assert.equal((await service.request('DELETE', '/api/login', { headers })).status, 401)
  })

  it('lasts for 30 days after its last use', async () => {
    const startMs = clock.now()
    const { sessionUid } = (await login('ada@example.org')).json as Login
    const path = `/api/comp/x/feed?session=${sessionUid}`
    clock.set(startMs + 29 * dayMs)
    assert.equal(await statusWith(path), 404)
    // The call does not wait until its use is written down.
    for (;;) {
      const [row] = await service.sql<{ usedMs: number }[]>`select max(used_at) as "usedMs" from session`
      if (row!.usedMs === startMs + 29 * dayMs) break
    }
    clock.set(startMs + 58 * dayMs)
    assert.equal(await statusWith(path), 404)
    clock.set(startMs + 88 * dayMs)
    assert.equal(await statusWith(path), 401)
    clock.set(startMs)
  })

  it('needs one organization to be named by a user of several', async () => {
    const bert = await addUser(service.sql, 'bert@example.org')
    await addMember(service.sql, service.organizationUid, bert, 'guest')
    const second = await addOrganization(service.sql, 'Second', bert)
    const { sessionUid, organization } = (await login('bert@example.org')).json as Login
    assert.deepEqual(
      organization.map(({ name }) => name),
      ['My organization', 'Second'],
    )
    const path = `/api/comp/x/feed?session=${sessionUid}`
    const unnamed = await service.request('GET', path)
    assert.equal(unnamed.status, 400)
    assert.equal((unnamed.json as { code: string }).code, 'org_required')
    assert.equal(await statusWith(`${path}&org=${second.uid}`), 404)
    assert.equal(await statusWith(path, { Cookie: `org=${second.uid}` }), 404)
    assert.equal(await statusWith(`${path}&org=unknown`), 403)
    assert.equal(await statusWith(`${path}&org=${second.uid}`, { Cookie: 'org=unknown' }), 404)
  })

  describe('without a browser', () => {
    const request = { email: 'ada@example.org', password: testPassword, scope: '', response_type: 'code', state: 'a b' }

    it('gives a grant code and echoes state and redirect_uri', async () => {
      const { clientId } = await addClient(service.sql, service.organizationUid)
      const body = { ...request, client_id: clientId, redirect_uri: redirectUri }
      const reply = await post('/api/oauth_login', body)
      assert.equal(reply.status, 200, reply.text)
      const { oauthCode, ...rest } = reply.json as { oauthCode: string }
      assert.deepEqual(rest, { success: true, oauthState: 'a b', message: '', oauthRedirectUri: redirectUri })
      assert.equal(oauthCode.length, 43)
    })

    it('is refused for an unknown client or redirect, wrong credentials, and a client that may not', async () => {
      const { clientId } = await addClient(service.sql, service.organizationUid)
      const shut = await addClient(service.sql, service.organizationUid, { passwordLogin: false })
      const browserOnly = await addClient(service.sql, service.organizationUid, {
        passwordLogin: false,
        requirePkce: true,
      })
      const careful = await addClient(service.sql, service.organizationUid, { requirePkce: true })
      const body = { ...request, client_id: clientId, redirect_uri: redirectUri }
      const cases: readonly (readonly [number, object])[] = [
        [400, { ...body, client_id: 'unknown' }],
        [400, { ...body, redirect_uri: `${redirectUri}?x` }],
        [400, { ...body, redirect_uri: '' }],
        [400, { ...body, response_type: 'token' }],
        [400, { ...body, response_type: '' }],
        [400, { ...body, code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
        [400, { ...body, code_challenge: 'x'.repeat(43) }],
        [400, { ...body, code_challenge: 'short', code_challenge_method: 'S256' }],
        [400, { ...body, client_id: careful.clientId }],
        [401, { ...body, password: 'wrong password' }],
        [401, { ...body, email: 'nobody@example.org' }],
        [403, { ...body, client_id: shut.clientId }],
        [403, { ...body, client_id: browserOnly.clientId }],
        [403, { ...body, client_id: shut.clientId, response_type: '' }],
      ]
      for (const [status, sent] of cases) {
        const reply = await post('/api/oauth_login', sent)
        assert.equal(reply.status, status, JSON.stringify(sent))
        assert.equal((reply.json as Login).success, false)
      }
    })
  })
})

describe('the limit of sign-ins', () => {
  const limit = { count: 3, seconds: 60 }
  const rateLimits: RateLimits = { feed: limit, property: limit, file: limit, login: limit }
  let service: TestService
  before(async () => {
    service = await openTestService({ rateLimits })
  })
  after(() => service.close())

  it('is shared by login and oauth_login, and X-Forwarded-For does not split it', async () => {
    const { clientId } = await addClient(service.sql, service.organizationUid)
    const post = (path: string, body: object, serial: number) =>
      service.request('POST', path, { body: JSON.stringify(body), headers: { 'X-Forwarded-For': `serial-${serial}` } })
    const body = { email: 'a@example.org', password: 'wrong password' }
    const oauth = { ...body, client_id: clientId, redirect_uri: redirectUri, response_type: 'code' }
    assert.equal((await post('/api/login', body, 1)).status, 401)
    assert.equal((await post('/api/oauth_login', { ...oauth, email: 'b@example.org' }, 2)).status, 401)
    assert.equal((await post('/api/login', { ...body, email: 'c@example.org' }, 3)).status, 401)
    const refused = await post('/api/oauth_login', { ...oauth, email: 'd@example.org' }, 4)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('ratelimit-policy'), '"login";q=3;w=60')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const right = { email: service.ownerEmail, password: service.ownerPassword }
    assert.equal((await post('/api/login', right, 5)).status, 429)
  })
})

describe('guesses of strangers at an e-mail', () => {
  const limit = { count: 3, seconds: 60 }
  const rateLimits: RateLimits = { feed: limit, property: limit, file: limit, login: limit }
  const clock = openTestClock(Date.now())
  let service: TestService
  before(async () => {
    service = await openTestService({ rateLimits, trustedProxies: [addressRange('127.0.0.1')] }, clock)
  })
  after(() => service.close())

  const login = async (url: string, address: string, password = service.ownerPassword) => {
    const body = JSON.stringify({ email: service.ownerEmail, password })
    return (await fetch(`${url}/api/login`, { method: 'POST', body, headers: { 'X-Forwarded-For': address } })).status
  }
  const guess = (address: string) => login(service.url, address, 'wrong password')

  it('keep its user from signing in nowhere where that was done lately, on all servers', async () => {
    const second = await openSecond(service)
    try {
      assert.equal(await login(service.url, '192.0.2.1'), 200)
      assert.deepEqual([await guess('192.0.2.2'), await guess('192.0.2.3'), await guess('192.0.2.4')], [401, 401, 401])
      assert.deepEqual([await guess('192.0.2.5'), await login(service.url, '192.0.2.6')], [429, 429])
      assert.deepEqual([await login(service.url, '192.0.2.1'), await login(second.url, '192.0.2.1')], [200, 200])
      assert.equal(await login(second.url, '192.0.2.6'), 429)
      clock.set(clock.now() + 61_000)
      assert.equal(await login(second.url, '192.0.2.6'), 200)
    } finally {
      await second.close()
    }
  })

  it('are known to be strangers’ for 30 days from the last sign-in', async () => {
    assert.equal(await login(service.url, '192.0.2.11'), 200)
    clock.set(clock.now() + 20 * dayMs)
    assert.equal(await login(service.url, '192.0.2.11'), 200)
    clock.set(clock.now() + 30 * dayMs - 1)
    assert.deepEqual([await guess('192.0.2.12'), await guess('192.0.2.13'), await guess('192.0.2.14')], [401, 401, 401])
    assert.equal(await login(service.url, '192.0.2.11'), 200)
    clock.set(clock.now() + 30 * dayMs)
    assert.deepEqual([await guess('192.0.2.12'), await guess('192.0.2.13'), await guess('192.0.2.14')], [401, 401, 401])
    assert.equal(await login(service.url, '192.0.2.11'), 429)
  })
})

describe('sign-ins that succeed', () => {
  it('are not counted, and of those that fail all servers on one database know', async () => {
    const limit = { count: 3, seconds: 60 }
    const service = await openTestService({ rateLimits: { feed: limit, property: limit, file: limit, login: limit } })
    const second = await openSecond(service)
    try {
      const body = { email: service.ownerEmail, password: service.ownerPassword }
      const login = async (url: string, password = body.password) =>
        (await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ ...body, password }) })).status
      const right = await Promise.all(Array.from({ length: 8 }, () => login(service.url)))
      assert.deepEqual(new Set(right), new Set([200]))
      assert.equal(await login(service.url, 'wrong password'), 401)
      assert.equal(await login(second.url, 'wrong password'), 401)
      assert.equal(await login(service.url), 200)
      assert.equal(await login(service.url, 'wrong password'), 401)
      assert.deepEqual([await login(service.url), await login(second.url)], [429, 429])
    } finally {
      await second.close()
      await service.close()
    }
  })
})

const withoutDate = ({ headers }: TestReply) => [...headers].filter(([name]) => name !== 'date')
