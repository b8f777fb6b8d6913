// Grants of users (docs/oauth.md#rights-of-a-token): to a client, in one organization, with a scope; seen and ended
// by the user; and the limits of their tokens.
import assert from 'node:assert/strict'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import type { Organization } from '../../src/core/organization.ts'
import type { User } from '../../src/core/user.ts'
import { clientWith } from '../support/http.ts'
import type { Client } from '../support/http.ts'
import { cookieOf, fieldsOf } from '../support/oauth-page.ts'
import {
  addApiKey,
  addClient,
  addMember,
  addOrganization,
  addSession,
  addToken,
  addUser,
  testPassword,
} from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const redirectUri = 'https://client.example/callback'

type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly scope: string }
type Shown = {
  readonly uid: string
  readonly client: { readonly clientId: string; readonly name: string; readonly organizationName: string }
  readonly organization: { readonly uid: string; readonly name: string }
  readonly scope: string
}

describe('a grant of a user', () => {
  let service: TestService
  let owner: User
  let client: OauthClient
  before(async () => {
    service = await openTestService()
    owner = await addUser(service.sql, 'owner@example.org')
    await addMember(service.sql, service.organizationUid, owner, 'owner')
    client = await addClient(service.sql, service.organizationUid, { secret: 'client-secret' })
  })
  after(() => service.close())

  const asked = (more: Readonly<Record<string, string>> = {}) => ({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...more,
  })
  const post = (path: string, members: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
    service.request('POST', path, { body: new URLSearchParams(members), headers })
  const login = (user: User, more: Readonly<Record<string, string>> = {}) =>
    post('/api/oauth_login', asked({ email: user.email, password: testPassword, ...more }))
  const redeem = (code: string) => tokenRequest({ grant_type: 'authorization_code', code })
  const refresh = (token: string, more: Readonly<Record<string, string>> = {}) =>
    tokenRequest({ grant_type: 'refresh_token', refresh_token: token, ...more })
  const tokenRequest = async (members: Readonly<Record<string, string>>): Promise<Tokens> => {
    const secret = { client_id: client.clientId, client_secret: 'client-secret' }
    const reply = await post('/api/oauth_access_token', { ...secret, ...members })
    assert.equal(reply.status, 200, reply.text)
    return reply.json as Tokens
  }
  const tokensFor = async (user: User, more: Readonly<Record<string, string>> = {}) => {
    const reply = await login(user, more)
    assert.equal(reply.status, 200, reply.text)
    return redeem((reply.json as { oauthCode: string }).oauthCode)
  }
  const introspect = async (token: string) => {
    const reply = await post('/api/oauth_introspect', {
      token,
      client_id: client.clientId,
      client_secret: 'client-secret',
    })
    return reply.json as Readonly<Record<string, unknown>>
  }
  const by = (token: string): Client => clientWith(service, `access_token=${token}`)
  const consentOf = async (user: User, query: Readonly<Record<string, string>>) => {
    const page = await service.request('GET', `/alt/?${new URLSearchParams(query).toString()}`)
    const headers = { Cookie: cookieOf(page) }
    const consent = await post(
      '/alt/',
      { ...fieldsOf(page), email: user.email, password: testPassword, step: 'signin' },
      headers,
    )
    return { consent, send: (form: Readonly<Record<string, string>>) => post('/alt/', form, headers) }
  }

  describe('to a token', () => {
    it('never includes security, whatever the user may: that needs a session', async () => {
      const { uid: keyUid } = await addApiKey(service.sql, service.organizationUid, [])
      const call = by(await addToken(service.sql, service.organizationUid, owner))
      const email = 'intruder@example.org'
      const everything = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] }]
      for (const [method, path, input] of [
        ['PUT', `/api/user/${owner.uid}`, { password: 'password of a thief' }],
        ['PUT', `/api/user/${owner.uid}`, { email }],
        ['GET', `/api/user/${owner.uid}`, undefined],
        ['GET', '/api/user', undefined],
        ['POST', '/api/user', { email, password: testPassword, role: 'owner' }],
        ['DELETE', `/api/user/${owner.uid}`, undefined],
        ['GET', '/api/api_key', undefined],
        ['GET', `/api/api_key/${keyUid}/secret`, undefined],
        ['POST', '/api/api_key', { name: 'x', capabilities: everything }],
        ['PUT', `/api/api_key/${keyUid}`, { capabilities: everything }],
        ['GET', '/api/oauth_client', undefined],
        ['POST', '/api/oauth_client', { name: 'x', redirectUris: [redirectUri] }],
        ['PUT', `/api/oauth_client/${client.uid}`, { redirectUris: ['https://evil.example/'] }],
        ['GET', '/api/organization', undefined],
        ['GET', `/api/organization/${service.organizationUid}`, undefined],
        ['POST', '/api/organization', { name: 'x' }],
        ['PUT', `/api/organization/${service.organizationUid}`, { public: true }],
        ['DELETE', `/api/organization/${service.organizationUid}`, undefined],
        ['GET', '/api/audit', undefined],
        ['GET', '/api/grant', undefined],
        ['DELETE', '/api/grant/any', undefined],
        ['DELETE', '/api/login', undefined],
      ] as const) {
        const { status, body } = await call(method, path, input)
        assert.equal(status, 403, `${method} ${path}: ${JSON.stringify(body)}`)
      }
    })

    it('is judged after the form of the body', async () => {
      const headers = { Authorization: `Bearer ${await addToken(service.sql, service.organizationUid, owner)}` }
      for (const body of ['{', 'name=x']) {
        const made = await fetch(`${service.url}/api/organization`, { method: 'POST', headers, body })
        assert.equal(made.status, 400, body)
      }
    })

    it('includes data and catalogue, and with scope read only to GET', async () => {
      const all = by(await addToken(service.sql, service.organizationUid, owner))
      const read = by(await addToken(service.sql, service.organizationUid, owner, { scope: 'read' }))
      assert.equal((await all('PUT', '/api/feed?compId=Boiler&temp=20')).status, 200)
      assert.equal((await all('POST', '/api/component', { id: 'Made' })).status, 201)
      assert.equal((await all('POST', '/api/gql', { s: 'SELECT 1' })).status, 200)
      for (const path of ['/api/comp/Boiler/feed', '/api/component', '/api/gql?s=SELECT%201', '/api/connector'])
        assert.equal((await read('GET', path)).status, 200, path)
      for (const [method, path, input] of [
        ['PUT', '/api/feed?compId=Boiler&temp=21', undefined],
        ['GET', '/api/feed?asPut&compId=Boiler&temp=21', undefined],
        ['POST', '/api/component', { id: 'More' }],
        ['POST', '/api/comp/Boiler/property', [{ component: { name: 'X' } }]],
        ['PUT', '/api/comp/Boiler/stream/f/feed/file/a', 'x'],
        ['DELETE', '/api/comp/Boiler/stream/temp/feed?sd=0&ed=1', undefined],
        ['POST', '/api/gql', { s: 'SELECT 1' }],
      ] as const)
        assert.equal((await read(method, path, input)).status, 403, `${method} ${path}`)
    })

    it('names the client in the audit log', async () => {
      const { access_token: token } = await tokensFor(owner)
      assert.equal((await by(token)('POST', '/api/unit', { id: 'audited' })).status, 201)
      const asOwner = clientWith(service, `session=${await addSession(service.sql, owner)}`)
      const { body } = await asOwner('GET', '/api/audit?text=unit.create')
      const [entry] = (body as { audit: readonly { actor: string }[] }).audit
      assert.equal(entry!.actor, `user ${owner.uid} via oauth_client ${client.clientId}`)
      const consents = (await asOwner('GET', '/api/audit?text=grant.create')).body as { audit: readonly object[] }
      assert.notEqual(consents.audit.length, 0)
    })

    it('does not sign its holder in to the page', async () => {
      const token = await addToken(service.sql, service.organizationUid, owner, { scope: 'read' })
      const path = `/alt/?${new URLSearchParams(asked()).toString()}`
      const page = await service.request('GET', path, { headers: { Cookie: `session=${token}` } })
      assert.match(page.text, /type="password"/)
    })
  })

  describe('its scope', () => {
    it('is read, or read write by default, whatever other words are there; replies name it', async () => {
      for (const [scope, given] of [
        [undefined, 'read write'],
        ['', 'read write'],
        ['openid offline', 'read write'],
        ['read', 'read'],
        ['profile read', 'read'],
        ['write', 'read write'],
        ['write read', 'read write'],
        ['READ', 'read write'],
      ] as const) {
        const tokens = await tokensFor(owner, scope === undefined ? {} : { scope })
        assert.equal(tokens.scope, given, scope)
        assert.equal((await introspect(tokens.access_token))['scope'], given)
        const { status } = await by(tokens.access_token)('PUT', '/api/feed?compId=Scope&s=1')
        assert.equal(status, given === 'read' ? 403 : 200)
      }
    })

    it('may be narrowed by a refresh, which ends access tokens of more, and is never widened', async () => {
      const first = await tokensFor(owner)
      const second = await refresh(first.refresh_token, { scope: 'read' })
      assert.equal(second.scope, 'read')
      assert.equal((await by(second.access_token)('PUT', '/api/feed?compId=Scope&s=1')).status, 403)
      assert.equal((await by(first.access_token)('PUT', '/api/feed?compId=Scope&s=1')).status, 401)
      const third = await refresh(second.refresh_token, { scope: 'read write' })
      const fourth = await refresh(third.refresh_token)
      assert.deepEqual([third.scope, fourth.scope], ['read', 'read'])
      for (const { access_token: access } of [second, third])
        assert.equal((await by(access)('GET', '/api/cycle')).status, 200)
      const reading = await tokensFor(owner, { scope: 'read' })
      assert.equal((await refresh(reading.refresh_token, { scope: 'read write' })).scope, 'read')
    })

    it('cannot be changed by the code request', async () => {
      const { oauthCode } = (await login(owner, { scope: 'read' })).json as { oauthCode: string }
      const body = { grant_type: 'authorization_code', code: oauthCode, scope: 'read write' }
      assert.equal((await tokenRequest(body)).scope, 'read')
    })

    it('is shown by the page', async () => {
      const reading = await consentOf(owner, asked({ scope: 'read' }))
      assert.match(reading.consent.text, /It can read the data/)
      assert.match(reading.consent.text, /It cannot change anything/)
      const writing = await consentOf(owner, asked())
      assert.match(writing.consent.text, /It can read and change the data/)
    })
  })

  describe('its organization', () => {
    let ada: User
    let second: Organization
    before(async () => {
      ada = await addUser(service.sql, 'ada@example.org')
      await addMember(service.sql, service.organizationUid, ada, 'member')
      second = await addOrganization(service.sql, 'Second & Sons', ada)
    })
    const codeIn = (reply: TestReply) => {
      assert.equal(reply.status, 303, reply.text)
      return new URL(reply.headers.get('location')!).searchParams.get('code')!
    }
    const organizationOf = async (token: string) => (await introspect(token))['organization']

    it('is chosen on the page by a user of several, which names the client and its organization', async () => {
      const maker = await addUser(service.sql, 'maker@example.org')
      const { uid } = await addOrganization(service.sql, 'Makers <of> Apps', maker)
      const foreign = await addClient(service.sql, uid, { name: 'Watcher' })
      const { consent, send } = await consentOf(ada, asked({ client_id: foreign.clientId }))
      assert.match(consent.text, /Allow <bdi>Watcher<\/bdi> to use your account/)
      assert.match(consent.text, /registered by <strong><bdi>Makers &lt;of&gt; Apps<\/bdi><\/strong>/)
      assert.match(consent.text, /<option value="[^"]+" dir="auto">Second &amp; Sons<\/option>/)
      const fields = fieldsOf(consent)
      for (const chosen of [{}, { chosen: '' }, { chosen: uid }]) {
        const reply = await send({ ...fields, ...chosen, step: 'allow' })
        assert.deepEqual([reply.status, reply.headers.get('location')], [400, null])
        assert.match(reply.text, /Choose an organization/)
      }
      const code = codeIn(await send({ ...fields, chosen: second.uid, step: 'allow' }))
      const body = { grant_type: 'authorization_code', code, client_id: foreign.clientId }
      const reply = await post('/api/oauth_access_token', body)
      const call = by((reply.json as Tokens).access_token)
      assert.equal((await call('PUT', '/api/feed?compId=OnlyInSecond&s=1')).status, 200)
      assert.equal((await call('GET', `/api/comp/OnlyInSecond/feed?org=${second.uid}`)).status, 200)
      assert.equal((await call('GET', `/api/comp/OnlyInSecond/feed?org=${service.organizationUid}`)).status, 403)
    })

    it('can be chosen by the request beforehand', async () => {
      const { consent, send } = await consentOf(ada, asked({ org: second.uid }))
      assert.doesNotMatch(consent.text, /<select/)
      assert.match(consent.text, /Second &amp; Sons/)
      const other = { ...fieldsOf(consent), chosen: service.organizationUid, step: 'allow' }
      const { access_token: token } = await redeem(codeIn(await send(other)))
      assert.deepEqual(await organizationOf(token), { uid: second.uid, name: 'Second & Sons' })
      const strange = await consentOf(owner, asked({ org: second.uid }))
      assert.equal(strange.consent.status, 403)
      assert.match(strange.consent.text, /does not belong to the organization that was asked for/)
    })

    it('is given to oauth_login as org by users of several', async () => {
      const unnamed = await login(ada)
      assert.equal(unnamed.status, 400)
      assert.equal((unnamed.json as { code: string }).code, 'org_required')
      assert.equal((await login(owner, { org: second.uid })).status, 403)
      const tokens = await tokensFor(ada, { org: second.uid })
      assert.deepEqual(await organizationOf(tokens.access_token), { uid: second.uid, name: 'Second & Sons' })
      const next = await refresh(tokens.refresh_token)
      assert.deepEqual(await organizationOf(next.access_token), { uid: second.uid, name: 'Second & Sons' })
    })

    it('ends with the membership', async () => {
      const bert = await addUser(service.sql, 'bert@example.org')
      await addMember(service.sql, service.organizationUid, bert, 'member')
      await addOrganization(service.sql, 'Berts', bert)
      const { access_token: token } = await tokensFor(bert, { org: service.organizationUid })
      assert.equal((await by(token)('GET', '/api/component')).status, 200)
      const asOwner = clientWith(service, `session=${await addSession(service.sql, owner)}`)
      assert.equal((await asOwner('DELETE', `/api/user/${bert.uid}`)).status, 200)
      assert.equal((await by(token)('GET', '/api/component')).status, 401)
    })

    it('is nothing to a user of none', async () => {
      const lone = await addUser(service.sql, 'lone@example.org')
      assert.equal((await login(lone)).status, 403)
      const { consent } = await consentOf(lone, asked())
      assert.equal(consent.status, 403)
      assert.match(consent.text, /belongs to no organization/)
    })
  })

  describe('in the hands of the user', () => {
    let carl: User
    let call: Client
    before(async () => {
      carl = await addUser(service.sql, 'carl@example.org')
      await addMember(service.sql, service.organizationUid, carl, 'member')
      await addOrganization(service.sql, 'Carls', carl)
      call = clientWith(service, `session=${await addSession(service.sql, carl)}`)
    })
    const list = async (query = '') => {
      const { status, body } = await call('GET', `/api/grant${query}`)
      assert.equal(status, 200)
      return body as { readonly grant: readonly Shown[]; readonly totalCount: number }
    }

    it('is listed in all organizations, with client, organization and scope', async () => {
      assert.deepEqual(await list(), { success: true, message: '', grant: [], totalCount: 0 })
      await tokensFor(carl, { org: service.organizationUid, scope: 'read' })
      const { grant, totalCount } = await list()
      assert.equal(totalCount, 1)
      const { uid, created, refreshed, ...rest } = grant[0] as Shown & { created: number; refreshed: number }
      assert.equal(typeof uid, 'string')
      assert.ok(Math.abs(created - Date.now()) < 60_000 && Math.abs(refreshed - created) < 60_000)
      assert.deepEqual(rest, {
        client: { clientId: client.clientId, name: 'Greenhouse Watch', organizationName: 'My organization' },
        organization: { uid: service.organizationUid, name: 'My organization' },
        scope: 'read',
      })
      assert.equal((await list('?text=greenHOUSE')).totalCount, 1)
      assert.equal((await list('?text=nothing')).totalCount, 0)
      assert.equal((await list('?start=1')).grant.length, 0)
    })

    it('ends with all tokens that came of it, and of nobody else', async () => {
      const tokens = await tokensFor(carl, { org: service.organizationUid })
      const other = await tokensFor(carl, { org: service.organizationUid })
      const [newest, ended] = (await list()).grant
      const stranger = clientWith(service, `session=${await addSession(service.sql, owner)}`)
      const refused = await stranger('DELETE', `/api/grant/${ended!.uid}`)
      assert.deepEqual([refused.status, (refused.body as { code: string }).code], [404, 'grant_not_found'])
      assert.equal((await call('DELETE', `/api/grant/${ended!.uid}`)).status, 200)
      assert.equal((await by(tokens.access_token)('GET', '/api/component')).status, 401)
      assert.equal((await by(other.access_token)('GET', '/api/component')).status, 200)
      const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client.clientId }
      const reply = await post('/api/oauth_access_token', { ...again, client_secret: 'client-secret' })
      assert.equal((reply.json as { error: string }).error, 'invalid_grant')
      assert.equal((await call('DELETE', `/api/grant/${ended!.uid}`)).status, 404)
      assert.equal((await list()).grant[0]!.uid, newest!.uid)
    })
  })
})
