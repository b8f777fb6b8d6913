// The token request (5.3), revocation (RFC 7009) and introspection (RFC 7662). Errors are RFC 6749's.
//
//   POST /api/oauth_access_token  grant_type=authorization_code&code=..&client_id=..
//   -> {"access_token":"..","token_type":"bearer","expires_in":86400,"refresh_token":".."}
import OAuth2Server from 'oauth2-server'
import type { Access } from '../access/guard.ts'
import type { Call, Handler } from '../base/call.ts'
import { baseUrlOf } from '../base/address.ts'
import { Fault } from '../base/errors.ts'
import type { Reply } from '../base/reply.ts'
import type { Secrets } from '../base/secret.ts'
import type { Sql } from '../base/sql.ts'
import { transaction } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { accessTokenLifeMs, deleteGrant, deleteToken, findTokenStory } from '../core/oauth-grant.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import type { Input } from './input.ts'
import { readInput } from './input.ts'
import { innermost, modelOf } from './model.ts'

export const tokenHandlers = (world: World, access: Access, secrets: Secrets) => {
  const { clock } = world

  const issue = answering(async (call) => {
    const input = await inputOf(call)
    const { grant_type: type } = input
    if (!type) throw new OAuth2Server.InvalidRequestError('Missing parameter: `grant_type`')
    if (!grantTypes.has(type))
      throw new OAuth2Server.UnsupportedGrantTypeError('Unsupported grant type: `grant_type` is invalid')
    const reply = await transaction(world.sql, async (sql) => {
      const server = new OAuth2Server({ model: modelOf(sql, secrets, clock.now(), input) })
      const response = new OAuth2Server.Response()
      try {
        const token = await server.token(libraryRequest(call, input), response, {
          requireClientAuthentication: { authorization_code: false, refresh_token: false },
        })
        return oauthReply(200, {
          access_token: token.accessToken,
          token_type: 'bearer',
          expires_in: accessTokenLifeMs / 1000,
          refresh_token: token.refreshToken,
        })
      } catch (error) {
        if (!isRefusal(error)) throw innermost(error)
        // Committed all the same: a code that was tried is used, and what was used twice is revoked.
        return refusalReply(error, response)
      }
    })
    if (reply.status !== 200) await access.refresh()
    return reply
  })

  const revoke = answering(async (call) => {
    const input = await inputOf(call)
    const client = await authenticateClient(world.sql, secrets, input)
    const tokenHash = secrets.hash(requiredToken(input))
    const token = await findTokenStory(world.sql, tokenHash)
    if (token !== undefined) {
      if (token.clientId !== client.clientId)
        throw new OAuth2Server.InvalidGrantError('the token was issued to another client', badGrant)
      await (token.kind === 'refresh' ? deleteGrant(world.sql, token.grantKey) : deleteToken(world.sql, tokenHash))
      await access.refresh()
    }
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: '' }
  })

  const introspect = answering(async (call) => {
    const input = await inputOf(call)
    // Who asks is a client with a secret, or anybody who is signed in: a bare client_id proves nothing.
    const client = isBearer(call) ? undefined : await authenticateClient(world.sql, secrets, input)
    if (client === undefined) await access.guardUser(async () => oauthReply(200, {}))(call)
    else if (client.secretHash === null)
      throw new OAuth2Server.InvalidClientError('introspection needs a client with a secret', { code: 401 })
    const token = await findTokenStory(world.sql, secrets.hash(requiredToken(input)))
    const isActive =
      token !== undefined &&
      token.expiresMs > clock.now() &&
      token.usedMs === null &&
      (client === undefined || token.clientId === client.clientId)
    if (!isActive) return oauthReply(200, { active: false })
    return oauthReply(200, {
      active: true,
      client_id: token.clientId,
      username: token.email,
      sub: token.userUid,
      token_type: token.kind === 'access' ? 'bearer' : 'refresh_token',
      exp: Math.floor(token.expiresMs / 1000),
      iss: baseUrlOf(world.config, call.headers),
      ...(token.scope === null ? {} : { scope: token.scope }),
    })
  })

  return { issue, revoke, introspect }
}

/** The library knows more of them, none of which we offer. */
const grantTypes = new Set(['authorization_code', 'refresh_token'])

const badGrant = { code: 400, name: 'invalid_grant' }

/** Makes RFC 6749's errors of whatever is thrown that is the caller's own fault. */
const answering =
  (handle: Handler): Handler =>
  async (call) => {
    try {
      return await handle(call)
    } catch (error) {
      if (isRefusal(error)) return refusalReply(error)
      if (error instanceof Fault && error.status === 400)
        return oauthReply(400, { error: 'invalid_request', error_description: error.message })
      throw error
    }
  }

/** Client credentials may stand in the Basic header, each half form-encoded (RFC 6749, 2.3.1), or in the body. */
export const inputOf = async (call: Call): Promise<Input> => {
  const input = await readInput(call)
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(call.headers.authorization ?? '')?.[1]
  if (basic === undefined) return input
  const [id = '', ...secret] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  const fromHeader = { client_id: formDecoded(id), client_secret: formDecoded(secret.join(':')) }
  return { ...input, ...(fromHeader.client_secret === '' ? { client_id: fromHeader.client_id } : fromHeader) }
}

const formDecoded = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The library reads forms only; a JSON body has become the same by now. Scopes narrow nothing here. */
const libraryRequest = (call: Call, input: Input) => {
  const { scope: _scope, ...body } = input
  const isBasic = /^Basic /i.test(call.headers.authorization ?? '')
  const pair = `${input['client_id'] ?? ''}:${input['client_secret'] ?? ''}`
  return new OAuth2Server.Request({
    method: 'POST',
    query: {},
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '1',
      ...(isBasic ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {}),
    },
  })
}

const isBearer = (call: Call) => /^Bearer /i.test(call.headers.authorization ?? '')

const authenticateClient = async (sql: Sql, secrets: Secrets, input: Input): Promise<OauthClient> => {
  const clientId = input['client_id']
  const found = clientId
    ? await modelOf(sql, secrets, 0, input).getClient(clientId, input['client_secret'] ?? '')
    : undefined
  if (!found) throw new OAuth2Server.InvalidClientError('Invalid client: client is invalid', { code: 401 })
  return found['client'] as OauthClient
}

const requiredToken = (input: Input): string => {
  const { token } = input
  if (!token) throw new OAuth2Server.InvalidRequestError('Missing parameter: `token`')
  return token
}

type Refusal = OAuth2Server.OAuthError

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof OAuth2Server.OAuthError && !(error instanceof OAuth2Server.ServerError)

const refusalReply = (error: Refusal, response?: OAuth2Server.Response): Reply => {
  const { status, headers, body } = oauthReply(error.code, { error: error.name, error_description: error.message })
  const challenge = (response?.get('WWW-Authenticate') as string | undefined) ?? 'Basic realm="Service"'
  return { status, headers: error.code === 401 ? { ...headers, 'WWW-Authenticate': challenge } : headers, body }
}

export const oauthReply = (status: number, value: object): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  body: JSON.stringify(value),
})
