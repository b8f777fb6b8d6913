// The whole flow with openid-client, a public library, unmodified: it knows nothing but the metadata.
import assert from 'node:assert/strict'
import * as openid from 'openid-client'
import type { User } from '../../src/core/user.ts'
import { agree } from '../support/oauth-page.ts'
import { addClient, addMember, addUser, testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const redirectUri = 'https://client.example/callback'

describe('openid-client', () => {
  let service: TestService
  let user: User
  before(async () => {
    service = await openTestService()
    user = await addUser(service.sql, 'ada@example.org')
    await addMember(service.sql, service.organizationUid, user, 'member')
  })
  after(() => service.close())

  const discover = (clientId: string, authentication: openid.ClientAuth) =>
    openid.discovery(new URL(service.url), clientId, undefined, authentication, {
      algorithm: 'oauth2',
      // The test's server speaks plain HTTP.
      execute: [openid.allowInsecureRequests],
    })

  /** From the authorization request to tokens. */
  const signIn = async (config: openid.Configuration) => {
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'anything',
      state,
    })
    const back = new URL(await agree(service, address, user.email, testPassword))
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    return { back, checks, tokens: await openid.authorizationCodeGrant(config, back, checks) }
  }
  const status = async (config: openid.Configuration, token: string) => {
    const path = new URL(`${service.url}/api/comp/nothing/feed`)
    return (await openid.fetchProtectedResource(config, token, path, 'GET')).status
  }

  it('signs in, calls, refreshes and signs out for a client without a secret', async () => {
    const { clientId } = await addClient(service.sql, service.organizationUid, { requirePkce: true })
    const config = await discover(clientId, openid.None())
    const { back, checks, tokens } = await signIn(config)
    assert.equal(tokens.token_type, 'bearer')
    assert.equal(tokens.expires_in, 86_400)
    assert.equal(await status(config, tokens.access_token), 404)
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    assert.equal(await status(config, next.access_token), 404)
    await openid.tokenRevocation(config, next.refresh_token!)
    await assert.rejects(status(config, next.access_token), openid.WWWAuthenticateChallengeError)
    await assert.rejects(openid.refreshTokenGrant(config, next.refresh_token!), { error: 'invalid_grant' })
    await assert.rejects(openid.authorizationCodeGrant(config, back, checks), { error: 'invalid_grant' })
  })

  for (const [how, authentication, code] of [
    ['in the header', openid.ClientSecretBasic, 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'],
    ['in the body', openid.ClientSecretPost, 'OAUTH_RESPONSE_BODY_ERROR'],
  ] as const)
    it(`sends the secret of a client ${how}, and may ask about its tokens`, async () => {
      const secret = 'a secret: with/odd+signs'
      const { clientId } = await addClient(service.sql, service.organizationUid, { secret })
      const config = await discover(clientId, authentication(secret))
      const { tokens } = await signIn(config)
      const told = await openid.tokenIntrospection(config, tokens.access_token)
      assert.deepEqual([told.active, told.sub, told.client_id], [true, user.uid, clientId])
      const wrong = await discover(clientId, authentication('another'))
      await assert.rejects(openid.refreshTokenGrant(wrong, tokens.refresh_token!), {
        status: code.includes('BODY') ? 400 : 401,
        code,
      })
      await openid.refreshTokenGrant(config, tokens.refresh_token!)
    })
})
