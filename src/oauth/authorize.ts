// The authorization request (5.2, 5.4): what a client asks for, checked, and the code it gets when the user agrees.
import OAuth2Server from 'oauth2-server'
import { badRequest } from '../base/errors.ts'
import type { Secrets } from '../base/secret.ts'
import type { Sql } from '../base/sql.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import { findClientById } from '../core/oauth-client.ts'
import { codeLifeMs } from '../core/oauth-grant.ts'
import type { Input } from './input.ts'
import { innermost, modelOf } from './model.ts'

/** The members of an authorization request, those that a page must carry from step to step. */
export const requestMembers = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'email',
] as const

export type AuthorizationRequest = {
  readonly client: OauthClient
  readonly redirectUri: string
  readonly input: Input
  /** What is wrong with it, to be told to the client; undefined when it can be granted. */
  readonly refusal: { readonly error: string; readonly description: string } | undefined
}

/** Throws when client or redirect_uri are not known to be good: nothing may be sent there then. */
export const readAuthorizationRequest = async (sql: Sql, input: Input): Promise<AuthorizationRequest> => {
  const { client_id: clientId, redirect_uri: redirectUri } = input
  if (!clientId) throw badRequest('client_id is missing')
  if (!redirectUri) throw badRequest('redirect_uri is missing')
  const client = await findClientById(sql, clientId)
  if (client === undefined) throw badRequest('this client_id is not registered')
  if (!client.redirectUris.includes(redirectUri)) throw badRequest('this redirect_uri is not registered for the client')
  return { client, redirectUri, input, refusal: refusalOf(client, input) }
}

const refusalOf = (client: OauthClient, input: Input): AuthorizationRequest['refusal'] => {
  const { response_type: type, state, code_challenge: challenge, code_challenge_method: method } = input
  if (!type) return { error: 'invalid_request', description: 'response_type is missing' }
  if (type !== 'code') return { error: 'unsupported_response_type', description: 'response_type must be code' }
  // What the library lets through as a state, and RFC 6749 allows.
  if (state && !/^[\x20-\x7e]+$/.test(state))
    return { error: 'invalid_request', description: 'state has a character that is not printable ASCII' }
  if (!challenge && (client.requirePkce || method))
    return { error: 'invalid_request', description: 'code_challenge is missing' }
  // Left out, the method would be plain (RFC 7636, 4.3), which protects nothing.
  if (challenge && method !== 'S256')
    return { error: 'invalid_request', description: 'code_challenge_method must be S256' }
  if (challenge && !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return { error: 'invalid_request', description: 'code_challenge is not a base64url SHA-256' }
  return undefined
}

/** Gives the grant code; the request must be one without a refusal. */
export const issueCode = async (
  sql: Sql,
  secrets: Secrets,
  nowMs: number,
  { input }: AuthorizationRequest,
  userKey: number,
): Promise<string> => {
  const server = new OAuth2Server({ model: modelOf(sql, secrets, nowMs, input) })
  // It is shown what was checked above, and not the scope, of which it has an opinion: scopes narrow nothing here.
  const body = Object.fromEntries(shownMembers.flatMap((name) => (input[name] ? [[name, input[name]]] : [])))
  const request = new OAuth2Server.Request({ method: 'POST', headers: {}, query: {}, body })
  try {
    const code = await server.authorize(request, new OAuth2Server.Response(), {
      authenticateHandler: { handle: () => ({ userKey }) },
      allowEmptyState: true,
      authorizationCodeLifetime: codeLifeMs / 1000,
    })
    return code.authorizationCode
  } catch (error) {
    throw innermost(error)
  }
}

const shownMembers = requestMembers.filter((name) => name !== 'scope' && name !== 'email')

/** The address that the browser is sent to: redirect_uri with what is to be told, and the client's own state. */
export const redirectTarget = ({ redirectUri, input }: AuthorizationRequest, told: Input): string => {
  const members = input['state'] ? { ...told, state: input['state'] } : told
  const query = Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.join('&')}`
}
