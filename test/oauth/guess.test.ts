// Guesses at the token endpoints are limited per address and client; a failed request of a known client is none.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { callFromHead } from '../../src/base/http/call.ts'
import { openLimiter } from '../../src/base/http/limit.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import { limitGuesses } from '../../src/oauth/guess.ts'
import { addClient } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('guesses at the token endpoints', () => {
  const limit = { count: 3, seconds: 3600 }
  const secret = 'a secret of the client'
  let service: TestService
  let known: OauthClient
  let open: OauthClient
  beforeEach(async () => {
    service = await openTestService({ rateLimits: { feed: limit, property: limit, file: limit, login: limit } })
    known = await addClient(service.sql, service.organizationUid, { secret })
    open = await addClient(service.sql, service.organizationUid)
  })
  afterEach(() => service.close())

  const post = (path: string, members: Readonly<Record<string, string>>, headers = {}) =>
    service.request('POST', `/api/${path}`, { body: new URLSearchParams(members), headers })
  const refresh = ({ clientId }: OauthClient, more: Readonly<Record<string, string>> = {}) =>
    post('oauth_access_token', { grant_type: 'refresh_token', refresh_token: 'guess', client_id: clientId, ...more })

  it('are refused after the last failure at a secret, in the shape of OAuth, by whatever endpoint', async () => {
    const wrong = { client_secret: 'wrong' }
    assert.notEqual((await refresh(known, wrong)).status, 200)
    const basic = `Basic ${Buffer.from(`${known.clientId}:wrong`).toString('base64')}`
    assert.equal((await post('oauth_introspect', { token: 't' }, { Authorization: basic })).status, 401)
    assert.equal((await post('oauth_revoke', { token: 't', client_id: known.clientId, ...wrong })).status, 401)
    const refused = await refresh(known, { client_secret: secret })
    assert.equal(refused.status, 429)
    assert.equal((refused.json as { error: string }).error, 'temporarily_unavailable')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(refused.headers.get('ratelimit-policy'), '"login";q=3;w=3600')
    // Another client at the same address is not concerned, nor is signing in.
    assert.equal((await refresh(open)).status, 400)
    const body = JSON.stringify({ email: service.ownerEmail, password: service.ownerPassword })
    assert.equal((await service.request('POST', '/api/login', { body })).status, 200)
  })

  it('are refused to a client without a secret for codes and tokens, in any number at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(open)))
    assert.equal(replies.filter(({ status }) => status === 400).length, 3)
    assert.equal(replies.filter(({ status }) => status === 429).length, 17)
  })

  it('are not the failed requests of a client that has shown its secret', async () => {
    for (let index = 0; index < 8; index += 1)
      assert.equal((await refresh(known, { client_secret: secret })).status, 400)
  })
})

describe('requests at the token endpoints', () => {
  it('are begun address by address, some of each at once, however many clients they make up', async () => {
    const limit = { count: 3, seconds: 3600 }
    const limiter = openLimiter({ feed: limit, property: limit, file: limit, login: limit }, { now: () => 0 })
    const begun: string[] = []
    let endAll = () => {}
    const end = new Promise<void>((resolve) => {
      endAll = resolve
    })
    // None of these guesses is at a code, so that no client is looked up.
    const handle = limitGuesses(
      { sql: undefined as never },
      limiter,
    )(async ({ address }) => {
      begun.push(address)
      await end
      return { status: 401, headers: {}, body: '{}' }
    })
    const ask = (peer: string, clientId: string) => {
      const head = { method: 'POST', target: '/api/oauth_introspect', headers: {}, socket: new Socket(), peer }
      return handle(callFromHead(head, Buffer.from(`token=t&client_id=${clientId}`), []))
    }
    const asked = Array.from({ length: 5008 }, (_, n) => ask('192.0.2.1', `made up ${n}`))
    asked.push(ask('192.0.2.2', 'another'))
    await eventually(async () => begun.at(-1) === '192.0.2.2')
    assert.equal(begun.length, 9)
    const refused = await ask('192.0.2.1', 'one more')
    assert.deepEqual(
      [refused.status, refused.body],
      [503, '{"error":"temporarily_unavailable","error_description":"too many requests for tokens at once"}'],
    )
    endAll()
    assert.ok((await Promise.all(asked)).every(({ status }) => status === 401))
  })
})
