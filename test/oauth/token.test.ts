import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { randomToken } from '../../src/base/secret.ts'
import { transaction } from '../../src/base/database/sql.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import type { User } from '../../src/core/user.ts'
import { issueCode, readAuthorizationRequest } from '../../src/oauth/authorize.ts'
import { clientWith } from '../support/http.ts'
import { addClient, addMember, addSession, addUser, testSecrets } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'
import { eventually, within } from '../support/within.ts'

const redirectUri = 'https://client.example/callback'

type Tokens = {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
}

describe('tokens', () => {
  const clock = openTestClock(Date.now())
  let service: TestService
  let user: User
  let client: OauthClient

  before(async () => {
    service = await openTestService({}, clock)
    user = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, user, 'member')
    client = await addClient(service.sql, service.organizationUid)
  })
  after(() => service.close())

  const post = (path: string, members: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
    service.request('POST', path, { body: new URLSearchParams(members), headers })
  const postJson = (path: string, members: unknown) =>
    service.request('POST', path, { body: JSON.stringify(members), headers: { 'Content-Type': 'application/json' } })

  const codeFor = async ({ clientId }: OauthClient, more: Readonly<Record<string, string>> = {}) => {
    const input = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, ...more }
    const request = await readAuthorizationRequest(service.sql, input, service.url)
    assert.equal(request.refusal, undefined)
    const grantor = { userKey: user.key, userUid: user.uid, organizationKey: client.organizationKey }
    return transaction(service.sql, (sql) => issueCode(sql, testSecrets, clock.now(), request, grantor))
  }
  const redeem = (code: string, more: Readonly<Record<string, string>> = {}) =>
    post('/api/oauth_access_token', { grant_type: 'authorization_code', code, client_id: client.clientId, ...more })
  const refresh = (token: string, more: Readonly<Record<string, string>> = {}) =>
    post('/api/oauth_access_token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: client.clientId,
      ...more,
    })
  const works = async (token: string) => {
    const { status } = await service.get('/api/comp/nothing/feed', { headers: { Authorization: `Bearer ${token}` } })
    assert.ok(status === 404 || status === 401, `status ${status}`)
    return status === 404
  }
  it('are given for a code with exactly the headers and members of docs/oauth.md', async () => {
    const reply = await redeem(await codeFor(client))
    const tokens = tokensOf(reply)
    assert.equal(reply.headers.get('content-type'), 'application/json')
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.equal(reply.headers.get('pragma'), 'no-cache')
    assert.deepEqual(Object.keys(tokens), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
    assert.equal(tokens.token_type, 'bearer')
    assert.equal(tokens.expires_in, 86_400)
    assert.equal(await works(tokens.access_token), true)
    assert.equal(await works(tokens.refresh_token), false)
  })

  it('are given to a JSON body too, with or without its Content-Type', async () => {
    const body = {
      grant_type: 'authorization_code',
      code: await codeFor(client),
      client_id: client.clientId,
      state: 'x',
    }
    tokensOf(await postJson('/api/oauth_access_token', body))
    const plain = { ...body, code: await codeFor(client) }
    tokensOf(await service.request('POST', '/api/oauth_access_token', { body: JSON.stringify(plain) }))
  })

  it('are refused in the words of RFC 6749', async () => {
    assertRefused(await redeem('unknown'), 'invalid_grant')
    assertRefused(await redeem(await codeFor(client), { client_id: 'unknown' }), 'invalid_client')
    assertRefused(await redeem(await codeFor(client), { grant_type: 'password' }), 'unsupported_grant_type')
    assertRefused(await redeem(await codeFor(client), { grant_type: 'nonsense' }), 'unsupported_grant_type')
    assertRefused(await redeem('', {}), 'invalid_request')
    assertRefused(await post('/api/oauth_access_token', { client_id: client.clientId }), 'invalid_request')
    assertRefused(await refresh('unknown'), 'invalid_grant')
    assertRefused(await postJson('/api/oauth_access_token', { grant_type: 1 }), 'invalid_request')
    const twice = `grant_type=refresh_token&client_id=a&client_id=b`
    assertRefused(await service.request('POST', '/api/oauth_access_token', { body: twice }), 'invalid_request')
    assertRefused(
      await service.request('POST', '/api/oauth_access_token', { body: '{"grant_type":' }),
      'invalid_request',
    )
  })

  it('are refused for a code that is ten minutes old', async () => {
    const [old, young] = [await codeFor(client), await codeFor(client)]
    const nowMs = clock.now()
    clock.set(nowMs + 599_999)
    tokensOf(await redeem(young))
    clock.set(nowMs + 600_000)
    assertRefused(await redeem(old), 'invalid_grant')
    clock.set(nowMs)
  })

  it('are taken back when their code is used again', async () => {
    const code = await codeFor(client)
    const tokens = tokensOf(await redeem(code))
    assert.equal(await works(tokens.access_token), true)
    assertRefused(await redeem(code), 'invalid_grant')
    assert.equal(await works(tokens.access_token), false)
    assertRefused(await refresh(tokens.refresh_token), 'invalid_grant')
  })

  it('are given once when a code is used by many at once, and taken back', async () => {
    for (let time = 0; time < 8; time += 1) {
      const code = await codeFor(client)
      const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
      const [given, ...more] = replies.filter(({ status }) => status === 200)
      assert.deepEqual(more, [])
      for (const reply of replies) if (reply !== given) assertRefused(reply, 'invalid_grant')
      assert.equal(await works(tokensOf(given!).access_token), false)
    }
    const tokens = tokensOf(await redeem(await codeFor(client)))
    const refreshed = await Promise.all(Array.from({ length: 20 }, () => refresh(tokens.refresh_token)))
    const [next, ...others] = refreshed.filter(({ status }) => status === 200)
    assert.deepEqual(others, [])
    for (const reply of refreshed) if (reply !== next) assertRefused(reply, 'invalid_grant')
    assert.equal(await works(tokensOf(next!).access_token), false)
  })

  it('leave connections to others while many wait for the same code', async () => {
    const admin = await addUser(service.sql, 'admin@example.org')
    await addMember(service.sql, service.organizationUid, admin, 'admin')
    const change = clientWith(service, `session=${await addSession(service.sql, admin)}`)
    const code = await codeFor(client)
    let redeemed: Promise<TestReply[]> | undefined
    await transaction(service.sql, async (sql) => {
      await sql`select from oauth_grant for update`
      redeemed = Promise.all(Array.from({ length: 20 }, () => redeem(code)))
      await eventually(async () => {
        // Not in the transaction, where it would be shown as it was at the first look.
        const waiting = await service.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        // Half of the four connections that a service has for changes: the share of one caller.
        return waiting.length >= 2
      })
      // It would come after all twenty, and these only after this transaction.
      const changed = await Promise.race([change('POST', '/api/unit', { id: 'u', name: 'u' }), redeemed])
      assert.equal((changed as { status?: number }).status, 201)
    })
    assert.equal((await redeemed!).filter(({ status }) => status === 200).length, 1)
  })

  it('compare redirect_uri only if it is repeated', async () => {
    tokensOf(await redeem(await codeFor(client), { redirect_uri: redirectUri }))
    tokensOf(await redeem(await codeFor(client)))
    assertRefused(await redeem(await codeFor(client), { redirect_uri: `${redirectUri}/` }), 'invalid_grant')
    assertRefused(await redeem(await codeFor(client), { redirect_uri: '' }), 'invalid_grant')
  })

  it('are not given to another client than the one that asked', async () => {
    const other = await addClient(service.sql, service.organizationUid)
    const code = await codeFor(client)
    assertRefused(await redeem(code, { client_id: other.clientId }), 'invalid_grant')
    const tokens = tokensOf(await redeem(code))
    assertRefused(await refresh(tokens.refresh_token, { client_id: other.clientId }), 'invalid_grant')
    tokensOf(await refresh(tokens.refresh_token))
  })

  describe('of a client with a secret', () => {
    const secret = 'a/secret+with odd:signs%'
    let confidential: OauthClient
    before(async () => {
      confidential = await addClient(service.sql, service.organizationUid, { secret })
    })

    it('need it at every request, in the body or the header', async () => {
      const code = await codeFor(confidential)
      const base = { client_id: confidential.clientId }
      assertRefused(await redeem(code, base), 'invalid_client')
      assertRefused(await redeem(code, { ...base, client_secret: 'wrong' }), 'invalid_client')
      const tokens = tokensOf(await redeem(code, { ...base, client_secret: secret }))
      assertRefused(await refresh(tokens.refresh_token, base), 'invalid_client')
      const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      const wrong = await post('/api/oauth_access_token', body, basic(`${confidential.clientId}:wrong`))
      assertRefused(wrong, 'invalid_client', 401)
      assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic/)
      const right = basic(`${encode(confidential.clientId)}:${encode(secret)}`)
      tokensOf(await post('/api/oauth_access_token', body, right))
    })
  })

  it('need the secret again that came with the code, from a client registered without one', async () => {
    const tokens = tokensOf(await redeem(await codeFor(client), { client_secret: 'its own secret' }))
    assertRefused(await refresh(tokens.refresh_token), 'invalid_client')
    assertRefused(await refresh(tokens.refresh_token, { client_secret: 'another' }), 'invalid_client')
    const next = tokensOf(await refresh(tokens.refresh_token, { client_secret: 'its own secret' }))
    assertRefused(await refresh(next.refresh_token), 'invalid_client')
    tokensOf(await refresh(next.refresh_token, { client_secret: 'its own secret' }))
  })

  it('end after 86,400 seconds, and can be refreshed for 90 days', async () => {
    const tokens = tokensOf(await redeem(await codeFor(client)))
    const nowMs = clock.now()
    clock.set(nowMs + 86_399_999)
    assert.equal(await works(tokens.access_token), true)
    clock.set(nowMs + 86_400_000)
    assert.equal(await works(tokens.access_token), false)
    clock.set(nowMs + 90 * 86_400_000)
    assertRefused(await refresh(tokens.refresh_token), 'invalid_grant')
    clock.set(nowMs + 90 * 86_400_000 - 1)
    assert.equal(await works(tokensOf(await refresh(tokens.refresh_token)).access_token), true)
    clock.set(nowMs)
  })

  it('are all taken back when an old refresh token is used again', async () => {
    const first = tokensOf(await redeem(await codeFor(client)))
    const second = tokensOf(await refresh(first.refresh_token))
    const third = tokensOf(await refresh(second.refresh_token))
    assert.equal(await works(third.access_token), true)
    assertRefused(await refresh(first.refresh_token), 'invalid_grant')
    assert.equal(await works(third.access_token), false)
    assertRefused(await refresh(third.refresh_token), 'invalid_grant')
  })

  it('leave nothing behind however often they are refreshed, and are taken back by the oldest all the same', async () => {
    const first = tokensOf(await redeem(await codeFor(client)))
    let last = first
    for (let time = 0; time < 20; time += 1) last = tokensOf(await refresh(last.refresh_token))
    const kept = await service.sql`
      select from oauth_token
      where kind = 'refresh' and grant_key = (
        select grant_key from oauth_token where token_hash = ${testSecrets.hash(last.refresh_token)})`
    assert.equal(kept.length, 1)
    // Another writing of the same token, and one of another making, were never given to anybody.
    for (const wrong of [`${last.refresh_token}=`, `${last.refresh_token.slice(0, -4)}AAAA`, `${last.refresh_token} `])
      assertRefused(await refresh(wrong), 'invalid_grant')
    assert.equal(await works(last.access_token), true)
    assertRefused(await refresh(first.refresh_token), 'invalid_grant')
    assert.equal(await works(last.access_token), false)
    assertRefused(await refresh(last.refresh_token), 'invalid_grant')
  })

  it('are refreshed once where they are of a version before, and end all of them when they are used again', async () => {
    const before = tokensOf(await redeem(await codeFor(client)))
    const old = randomToken()
    await service.sql`
      update oauth_token set token_hash = ${testSecrets.hash(old)}
      where token_hash = ${testSecrets.hash(before.refresh_token)}`
    const next = tokensOf(await refresh(old))
    const last = tokensOf(await refresh(next.refresh_token))
    assertRefused(await refresh(old), 'invalid_grant')
    assert.equal(await works(last.access_token), false)
    assertRefused(await refresh(last.refresh_token), 'invalid_grant')
  })

  describe('with PKCE', () => {
    const verifier = randomToken()
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }

    it('need the verifier of the challenge, and a wrong one uses the code up', async () => {
      assertRefused(await redeem(await codeFor(client, asked)), 'invalid_grant')
      const code = await codeFor(client, asked)
      assertRefused(await redeem(code, { code_verifier: randomToken() }), 'invalid_grant')
      assertRefused(await redeem(code, { code_verifier: verifier }), 'invalid_grant')
      tokensOf(await redeem(await codeFor(client, asked), { code_verifier: verifier }))
    })

    it('refuse a verifier for a code that was asked for without a challenge', async () => {
      assertRefused(await redeem(await codeFor(client), { code_verifier: verifier }), 'invalid_grant')
    })
  })

  describe('revoked (RFC 7009)', () => {
    it('end alone as access tokens, and with all that came of their grant as refresh tokens', async () => {
      const tokens = tokensOf(await redeem(await codeFor(client)))
      const access = { token: tokens.access_token, client_id: client.clientId }
      const revoked = await post('/api/oauth_revoke', access)
      assert.deepEqual([revoked.status, revoked.text], [200, ''])
      assert.equal(await works(tokens.access_token), false)
      const next = tokensOf(await refresh(tokens.refresh_token))
      await post('/api/oauth_revoke', { token: next.refresh_token, client_id: client.clientId })
      assert.equal(await works(next.access_token), false)
      assertRefused(await refresh(next.refresh_token), 'invalid_grant')
    })

    it('end with their grant by a refresh token that was used, too', async () => {
      const tokens = tokensOf(await redeem(await codeFor(client)))
      const next = tokensOf(await refresh(tokens.refresh_token))
      await post('/api/oauth_revoke', { token: tokens.refresh_token, client_id: client.clientId })
      assert.equal(await works(next.access_token), false)
    })

    it('answer 200 for a token that nobody knows, and refuse another client', async () => {
      const unknown = { token: 'unknown', client_id: client.clientId }
      assert.equal((await post('/api/oauth_revoke', unknown)).status, 200)
      const other = await addClient(service.sql, service.organizationUid)
      const tokens = tokensOf(await redeem(await codeFor(client)))
      const foreign = { token: tokens.access_token, client_id: other.clientId }
      assertRefused(await post('/api/oauth_revoke', foreign), 'invalid_grant')
      assertRefused(await post('/api/oauth_revoke', { token: 'x', client_id: 'unknown' }), 'invalid_client', 401)
      assertRefused(await post('/api/oauth_revoke', { client_id: client.clientId }), 'invalid_request')
      assert.equal(await works(tokens.access_token), true)
    })
  })

  describe('introspected (RFC 7662)', () => {
    it('are shown to a client with a secret, its own only, and to somebody signed in', async () => {
      const confidential = await addClient(service.sql, service.organizationUid, { secret: 'client-secret' })
      const tokens = tokensOf(await redeem(await codeFor(client)))
      const ask = { token: tokens.access_token }
      assertRefused(await post('/api/oauth_introspect', ask), 'invalid_client', 401)
      assertRefused(await post('/api/oauth_introspect', { ...ask, client_id: client.clientId }), 'invalid_client', 401)
      const foreign = { ...ask, client_id: confidential.clientId, client_secret: 'client-secret' }
      assert.deepEqual((await post('/api/oauth_introspect', foreign)).json, { active: false })
      const bearer = { Authorization: `Bearer ${tokens.access_token}` }
      const told = await post('/api/oauth_introspect', ask, bearer)
      assert.deepEqual(told.json, {
        active: true,
        client_id: client.clientId,
        username: 'ada@example.org',
        sub: user.uid,
        token_type: 'bearer',
        exp: Math.floor((clock.now() + 86_400_000) / 1000),
        iss: service.url,
        scope: 'read write',
        organization: { uid: service.organizationUid, name: 'My organization' },
      })
      assert.equal((await post('/api/oauth_introspect', ask, { Authorization: 'Bearer wrong' })).status, 401)
      assert.deepEqual((await post('/api/oauth_introspect', { token: 'x' }, bearer)).json, { active: false })
    })
  })

  it('end with their client', async () => {
    const leaving = await addClient(service.sql, service.organizationUid)
    const tokens = tokensOf(await redeem(await codeFor(leaving), { client_id: leaving.clientId }))
    assert.equal(await works(tokens.access_token), true)
    await service.sql`delete from oauth_client where key = ${leaving.key}`
    await within(1000, async () => !(await works(tokens.access_token)))
  })

  it('are stored as hashes only', async () => {
    const code = await codeFor(client)
    const tokens = tokensOf(await redeem(code))
    const rows = await service.sql`
      select (select json_agg(oauth_token)::text from oauth_token) || (select json_agg(oauth_code)::text from oauth_code) as text`
    const stored = (rows[0] as { text: string }).text
    for (const secret of [code, tokens.access_token, tokens.refresh_token])
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret, 'base64url').toString('hex'),
      ])
        assert.equal(stored.includes(form), false)
  })
})

const tokensOf = (reply: TestReply) => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Tokens
}

const assertRefused = (reply: TestReply, error: string, status = 400) => {
  assert.equal(reply.status, status, reply.text)
  assert.equal((reply.json as { error: string }).error, error)
  assert.deepEqual(Object.keys(reply.json as object), ['error', 'error_description'])
  assert.equal(reply.headers.get('cache-control'), 'no-store')
}

const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
