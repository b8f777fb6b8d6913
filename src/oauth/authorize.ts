// The authorization request of a client (docs/oauth.md#authorization-request), checked, and the code it gets when the
// user agrees.
import OAuth2Server from 'oauth2-server'
import { badRequest } from '../base/errors.ts'
import type { Secrets } from '../base/secret.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { writeAudit } from '../core/audit.ts'
import type { Scope } from '../core/caller.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import { findClientById, holdClient } from '../core/oauth-client.ts'
import { codeLifeMs } from '../core/oauth-grant.ts'
import type { Input } from './input.ts'
import type { Grantor } from './model.ts'
import { innermost, modelOf } from './model.ts'
import { scopeFrom } from './scope.ts'

/** The members of an authorization request, those that a page must carry from step to step. */
const requestMembers = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'org',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

export type AuthorizationRequest = {
  readonly client: OauthClient
  readonly redirectUri: string
  readonly scope: Scope
  /** The uid of the organization that the client asks for; undefined leaves it to the user. */
  readonly organizationUid: string | undefined
  /** The members of the request, and nothing else. */
  readonly input: Input
  /** The error of the request, to be reported to the client; undefined when it can be granted. */
  readonly refusal: Refusal | undefined
}

export type Refusal = { readonly error: string; readonly description: string }

/** A bare org is the API's own parameter, and asks for nothing. */
export const isAsked = (input: Input): boolean =>
  requestMembers.some((name) => name !== 'org' && input[name] !== undefined)

const mostState = 2048

/** Throws when client or redirect_uri are not known to be good: nothing may be sent there then. */
export const readAuthorizationRequest = async (
  sql: Sql,
  input: Input,
  baseUrl: string,
): Promise<AuthorizationRequest> => {
  const { client_id: clientId, redirect_uri: redirectUri, state = '' } = input
  if (!clientId || !redirectUri) {
    const missing = [...(clientId ? [] : ['client_id']), ...(redirectUri ? [] : ['redirect_uri'])]
    throw badRequest(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`)
  }
  const client = await findClientById(sql, clientId)
  if (client === undefined) throw badRequest('this client_id is not registered')
  if (!client.redirectUris.includes(redirectUri)) throw badRequest('this redirect_uri is not registered for the client')
  if (Array.from(state).length > mostState) throw badRequest(`state has more than ${mostState} characters`)
  const given = requestMembers.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]))
  const scope = scopeFrom(input['scope']) ?? 'read write'
  return {
    client,
    redirectUri,
    scope,
    organizationUid: input['org'] || undefined,
    input: { ...Object.fromEntries(given), scope },
    refusal: refusalOf(client, input, baseUrl),
  }
}

/**
 * RFC 8707: the server that the token is for. Our tokens are good here only, so another one's name there means that the
 * client was led here by a server that is to get the token, and would use it.
 */
export const foreignResource = ({ resource }: Input, baseUrl: string): Refusal | undefined => {
  if (!resource || (originOf(resource) !== undefined && originOf(resource) === originOf(baseUrl))) return undefined
  return { error: 'invalid_target', description: `resource is not ${baseUrl}, the only one that tokens are for` }
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

const refusalOf = (client: OauthClient, input: Input, baseUrl: string): Refusal | undefined => {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method } = input
  if (!type) return { error: 'invalid_request', description: 'response_type is missing' }
  if (type !== 'code') return { error: 'unsupported_response_type', description: 'response_type must be code' }
  if (!challenge && client.requirePkce)
    return {
      error: 'invalid_request',
      description: 'code_challenge is missing: a client that knows no PKCE is registered with requirePkce false',
    }
  if (!challenge && method) return { error: 'invalid_request', description: 'code_challenge is missing' }
  // Left out, the method would be plain (RFC 7636, 4.3), which protects nothing.
  if (challenge && method !== 'S256')
    return { error: 'invalid_request', description: 'code_challenge_method must be S256' }
  if (challenge && !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return { error: 'invalid_request', description: 'code_challenge is not a base64url SHA-256' }
  return foreignResource(input, baseUrl)
}

/** The first thing of a transaction that gives a code: signing in, and reading the page, take their time. */
export const demandSameClient = async (sql: Transaction, { client }: AuthorizationRequest): Promise<void> => {
  if (!(await holdClient(sql, client)))
    throw badRequest('this client has changed meanwhile, or is not registered any more')
}

/** Gives the grant code; the request must be one without a refusal, and its client held. */
export const issueCode = async (
  sql: Transaction,
  secrets: Secrets,
  nowMs: number,
  { client, input, scope }: AuthorizationRequest,
  grantor: Grantor,
): Promise<string> => {
  const server = new OAuth2Server({ model: modelOf(sql, secrets, nowMs, input) })
  const body = Object.fromEntries(shownMembers.flatMap((name) => (input[name] ? [[name, input[name]]] : [])))
  const request = new OAuth2Server.Request({ method: 'POST', headers: {}, query: {}, body })
  try {
    const code = await server.authorize(request, new OAuth2Server.Response(), {
      authenticateHandler: { handle: () => grantor },
      allowEmptyState: true,
      authorizationCodeLifetime: codeLifeMs / 1000,
    })
    const { organizationKey, userUid } = grantor
    const detail = { client: client.clientId, scope }
    await writeAudit(sql, { organizationKey, actor: `user ${userUid}` }, 'grant.create', code['grantUid'], detail)
    return code.authorizationCode
  } catch (error) {
    throw innermost(error)
  }
}

/** The library is shown the checked members only: scopes are ours to judge, and a state may be any text. */
const shownMembers = ['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'] as const

/**
 * The address that the browser is sent to: redirect_uri with the result, the client's own state, and our issuer name
 * (RFC 9207).
 */
export const redirectTarget = ({ redirectUri, input }: AuthorizationRequest, result: Input, issuer: string): string => {
  const members = { ...result, ...(input['state'] ? { state: input['state'] } : {}), iss: issuer }
  const query = Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.join('&')}`
}
