// OAuth clients in the management API (docs/oauth.md#clients), rule by rule.
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'
import { addPerson, messageIn } from '../support/http.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Shown = {
  readonly uid: string
  readonly clientId: string
  readonly secret?: string
  readonly hasSecret: boolean
  readonly passwordLogin: boolean
  readonly requirePkce: boolean
}
const shownIn = (body: unknown) => (body as { oauth_client: Shown }).oauth_client

const redirectUris = ['https://client.example/back']

describe('managing OAuth clients', () => {
  let service: TestService
  let call: Client
  before(async () => {
    service = await openTestService()
    call = (await addPerson(service, 'admin')).call
  })
  after(() => service.close())

  it('makes one without a secret, which gets no passwords and needs PKCE, or with one that is shown once', async () => {
    const plain = await call('POST', '/api/oauth_client', { name: 'Watch', redirectUris })
    assert.equal(plain.status, 201)
    const { uid, clientId, ...rest } = shownIn(plain.body)
    assert.match(clientId, /^[A-Za-z0-9_-]{24}$/)
    assert.deepEqual(rest, {
      name: 'Watch',
      redirectUris,
      hasSecret: false,
      passwordLogin: false,
      requirePkce: true,
      version: 1,
    })
    const secured = await call('POST', '/api/oauth_client', { name: 'Secured', redirectUris, secret: true })
    const { passwordLogin, requirePkce } = shownIn(secured.body)
    assert.deepEqual([passwordLogin, requirePkce], [true, false])
    const own = {
      name: 'Own',
      redirectUris,
      clientId: 'my.client',
      secret: true,
      passwordLogin: false,
      requirePkce: true,
    }
    const made = shownIn((await call('POST', '/api/oauth_client', own)).body)
    assert.deepEqual([made.clientId, made.hasSecret, made.secret?.length], ['my.client', true, 43])
    assert.equal(shownIn((await call('GET', `/api/oauth_client/${made.uid}`)).body).secret, undefined)
    assert.equal((await call('POST', '/api/oauth_client', own)).status, 409)
    const renewed = shownIn((await call('PUT', `/api/oauth_client/${made.uid}`, { secret: true })).body)
    assert.notEqual(renewed.secret, made.secret)
    const kept = shownIn((await call('PUT', `/api/oauth_client/${made.uid}`, { name: 'Renamed' })).body)
    assert.deepEqual([kept.hasSecret, kept.secret], [true, undefined])
    assert.equal((await call('PUT', `/api/oauth_client/${made.uid}`, { clientId: 'other' })).status, 400)
    assert.equal((await call('DELETE', `/api/oauth_client/${uid}`)).status, 200)
    assert.equal((await call('GET', `/api/oauth_client/${uid}`)).status, 404)
  })

  it('takes https, own schemes and http to this machine as redirect, and nothing else', async () => {
    for (const uri of [
      'https://a.example/b?c=d',
      'http://127.0.0.1:8000/b',
      'http://[::1]/b',
      'http://localhost/b',
      'com.example.app:/b',
    ]) {
      const { status } = await call('POST', '/api/oauth_client', { name: 'x', redirectUris: [uri] })
      assert.equal(status, 201, uri)
    }
    for (const [uri, message] of [
      ['http://client.example/b', 'redirectUris[0] must be https, except on this machine itself'],
      ['http://127.0.0.1.evil.example/b', 'redirectUris[0] must be https, except on this machine itself'],
      ['javascript:alert(1)', 'redirectUris[0] must not have the scheme javascript:'],
      ['data:text/html,x', 'redirectUris[0] must not have the scheme data:'],
      ['ftp://client.example/b', 'redirectUris[0] must not have the scheme ftp:'],
      ['ws://client.example/b', 'redirectUris[0] must not have the scheme ws:'],
      ['mailto:a@client.example', 'redirectUris[0] must not have the scheme mailto:'],
      ['https:b.example/c', "redirectUris[0] must have // behind https:, not 'https:b.example/c'"],
      ['c:/b', "redirectUris[0] must be an absolute address without a fragment, not 'c:/b'"],
      ['/back', "redirectUris[0] must be an absolute address without a fragment, not '/back'"],
      [
        'https://a.example/#b',
        "redirectUris[0] must be an absolute address without a fragment, not 'https://a.example/#b'",
      ],
      [
        'https://a.example/ b',
        "redirectUris[0] must be an absolute address without a fragment, not 'https://a.example/ b'",
      ],
    ] as const) {
      const { status, body } = await call('POST', '/api/oauth_client', { name: 'x', redirectUris: [uri] })
      assert.deepEqual([status, messageIn(body)], [400, message])
    }
    assert.equal((await call('POST', '/api/oauth_client', { name: 'x', redirectUris: [] })).status, 400)
    assert.equal((await call('POST', '/api/oauth_client', { name: 'x' })).status, 400)
  })
})
