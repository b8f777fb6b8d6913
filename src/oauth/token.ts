// The token request (docs/oauth.md#token-request), revocation (RFC 7009) and introspection (RFC 7662). Errors are RFC
// 6749's.
//
//   POST /api/oauth_access_token  grant_type=authorization_code&code=..&client_id=..
//   -> {"access_token":"..","token_type":"bearer","expires_in":86400,"refresh_token":"..","scope":"read write"}
import OAuth2Server from 'oauth2-server'
import type { Access } from '../access/guard.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { baseUrlOf } from '../base/http/address.ts'
import { Fault } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Reply } from '../base/http/reply.ts'
import { replyFromError } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import type { Sql } from '../base/database/sql.ts'
import { faultFromSql } from '../base/database/sql.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { World } from '../base/world.ts'
import { accessTokenLifeMs, deleteToken, endGrant, findGrantByUid, findTokenDetail } from '../core/oauth-grant.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import { patientTransaction } from '../core/sample/catalog-change.ts'
import { foreignResource } from './authorize.ts'
import type { Input } from './input.ts'
import { readInput } from './input.ts'
import { findKnownClient, innermost, modelOf } from './model.ts'
import { grantUidOf } from './refresh-token.ts'

export const tokenHandlers = (world: World, access: Access, secrets: Secrets) => {
  const { clock } = world
  const answering = answeringWith(world.log)

  const issue = answering(async (call) => {
    const input = await inputOf(call)
    const { grant_type: type } = input
    if (!type) throw new OAuth2Server.InvalidRequestError('Missing parameter: `grant_type`')
    if (!grantTypes.has(type))
      throw new OAuth2Server.UnsupportedGrantTypeError('Unsupported grant type: `grant_type` is invalid')
    const foreign = foreignResource(input, baseUrlOf(world.config, call.headers))
    if (foreign) throw new OAuth2Server.InvalidRequestError(foreign.description, { code: 400, name: foreign.error })
    return redeem(call, input)
  })

  /** Requests that redeem the same code wait for each other, each on a connection: as many as one caller may have. */
  const redeem = async (call: Call, input: Input): Promise<Reply> => {
    const outcome = await patientTransaction(world.sql, holdersOfCall(call), async (sql) => {
      const server = new OAuth2Server({ model: modelOf(sql, secrets, clock.now(), input) })
      try {
        const token = await server.token(libraryRequest(call, input), new OAuth2Server.Response(), {
          requireClientAuthentication: { authorization_code: false, refresh_token: false },
        })
        return oauthReply(200, {
          access_token: token.accessToken,
          token_type: 'bearer',
          expires_in: accessTokenLifeMs / 1000,
          refresh_token: token.refreshToken,
          scope: token.scope!.join(' '),
        })
      } catch (error) {
        if (!isRefusal(error)) throw innermost(error)
        // Committed all the same: a code that was tried is used, and one that was used twice is revoked.
        return error
      }
    })
    if (isRefusal(outcome)) {
      await access.refresh()
      throw outcome
    }
    // A refresh with less scope ends tokens. Its reply has the new ones, and nothing may keep it back: a client that asks
    // again with the token that it has used would lose its grant.
    if (input['grant_type'] === 'refresh_token' && input['scope']) await access.refresh().catch(() => {})
    return outcome
  }

  const revoke = answering(async (call) => {
    const input = await inputOf(call)
    const client = await authenticateClient(world.sql, secrets, input)
    const text = requiredToken(input)
    const tokenHash = secrets.hash(text)
    const grantUid = grantUidOf(secrets, text)
    const ofGrant = grantUid === undefined ? undefined : await findGrantByUid(world.sql, grantUid)
    const token = ofGrant ? { ...ofGrant, kind: 'refresh' } : await findTokenDetail(world.sql, tokenHash)
    if (token !== undefined) {
      if (token.clientId !== client.clientId)
        throw new OAuth2Server.InvalidGrantError('the token was issued to another client', badGrant)
      const { grantKey, clientId } = token
      if (token.kind === 'access') await deleteToken(world.sql, tokenHash)
      else
        await patientTransaction(world.sql, holdersOfCall(call), (sql) =>
          endGrant(sql, grantKey, `oauth_client ${clientId}`, 'the client revoked it'),
        )
      await access.refresh()
    }
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: '' }
  })

  const introspect = answering(async (call) => {
    const input = await inputOf(call)
    // A client with a secret may ask, and anybody who is signed in: a bare client_id proves nothing.
    const client = isBearer(call) ? undefined : await authenticateClient(world.sql, secrets, input)
    if (client === undefined) await access.identifyUser(call)
    else if (client.secretHash === null)
      throw new OAuth2Server.InvalidClientError('introspection needs a client with a secret', { code: 401 })
    const token = await findTokenDetail(world.sql, secrets.hash(requiredToken(input)))
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
      scope: token.scope,
      organization: { uid: token.organizationUid, name: token.organizationName },
    })
  })

  return { issue, revoke, introspect }
}

/** The library knows more of them, none of which we offer. */
const grantTypes = new Set(['authorization_code', 'refresh_token'])

const badGrant = { code: 400, name: 'invalid_grant' }

/** Every thrown error becomes one in RFC 6749's shape. */
const answeringWith =
  (log: Log) =>
  (handle: Handler): Handler =>
  async (call) => {
    try {
      return await handle(call)
    } catch (error) {
      if (isRefusal(error)) return refusalReply(error)
      const { status, headers } = replyFromError(error, log)
      const fault = faultFromSql(error)
      const description = fault instanceof Fault ? fault.message : 'internal error'
      // A conflict: the grant of the code or token went in this very moment.
      const refused = oauthReply(status === 409 ? 400 : status, {
        error: errorWords[status] ?? 'invalid_request',
        error_description: description,
      })
      return { ...refused, headers: { ...headers, ...refused.headers } }
    }
  }

/** The words of RFC 6749 (4.1.2.1, 5.2) and RFC 6750; every other error of a request is invalid_request. */
const errorWords: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  409: 'invalid_grant',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
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

/** The library reads forms only; a JSON body has become the same by now. Scopes are ours to judge (scope.ts). */
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
  const found = clientId ? await findKnownClient(sql, secrets, clientId, input['client_secret'] ?? '') : undefined
  if (!found) throw new OAuth2Server.InvalidClientError('Invalid client: client is invalid', { code: 401 })
  return found
}

const requiredToken = (input: Input): string => {
  const { token } = input
  if (!token) throw new OAuth2Server.InvalidRequestError('Missing parameter: `token`')
  return token
}

type Refusal = OAuth2Server.OAuthError

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof OAuth2Server.OAuthError && !(error instanceof OAuth2Server.ServerError)

const refusalReply = (error: Refusal): Reply => {
  const { status, headers, body } = oauthReply(error.code, { error: error.name, error_description: error.message })
  const challenge = { 'WWW-Authenticate': 'Basic realm="Service"' }
  return { status, headers: status === 401 ? { ...headers, ...challenge } : headers, body }
}

export const oauthReply = (status: number, value: object): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  body: JSON.stringify(value),
})
