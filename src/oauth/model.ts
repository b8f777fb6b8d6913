// The model of oauth2-server: clients, codes and tokens. A model serves one request inside one transaction, because its
// answers depend on the request (a redirect_uri that was not repeated is not compared, docs/oauth.md#token-request),
// and time is the world's clock, so the library is only shown ends that lie ahead.
import OAuth2Server from 'oauth2-server'
import type { Secrets } from '../base/secret.ts'
import { equalInConstantTime, randomToken } from '../base/secret.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Scope } from '../core/caller.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import { findClientById } from '../core/oauth-client.ts'
import {
  endGrant,
  insertCode,
  insertTokens,
  lockCode,
  lockRefreshToken,
  setGrantSecret,
  useCode,
  useRefreshToken,
} from '../core/oauth-grant.ts'
import type { Input } from './input.ts'
import { grantUidOf, refreshTokenOf } from './refresh-token.ts'
import { narrowed, scopeFrom } from './scope.ts'

/** The user who agrees, and the organization. */
export type Grantor = { readonly userKey: number; readonly userUid: string; readonly organizationKey: number }

export type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel

/** The library hands the user on from the redeemed code or token to the new tokens, so it carries the grant. */
type Holder = {
  readonly userKey: number
  readonly grantKey: number
  readonly grantUid: string
  readonly scope: Scope
  readonly isByCode: boolean
}
type CodeHolder = Holder & { readonly redirectUri: string }

/** The library wraps unknown errors, such as that of an absent database, into one of its own. */
export const innermost = (error: unknown): unknown => {
  const inner = error instanceof OAuth2Server.ServerError ? (error as { inner?: unknown }).inner : undefined
  return inner ?? error
}

/** The client, if the secret is its own or it has none. The authorization step asks without one, and says so by null. */
export const findKnownClient = async (
  sql: Sql,
  secrets: Secrets,
  clientId: string,
  secret: string | null,
): Promise<OauthClient | undefined> => {
  const client = await findClientById(sql, clientId)
  if (client === undefined || secret === null || client.secretHash === null) return client
  return isSecret(secrets, client.secretHash, secret) ? client : undefined
}

const isSecret = (secrets: Secrets, hash: Buffer, secret: string | undefined) =>
  secret !== undefined && equalInConstantTime(hash, secrets.hash(secret))

export const modelOf = (sql: Transaction, secrets: Secrets, nowMs: number, input: Input): Model => {
  const find = async (clientId: string, secret: string | null): Promise<LibraryClient | undefined> => {
    const client = await findKnownClient(sql, secrets, clientId, secret)
    return client && { id: client.clientId, grants, redirectUris: [...client.redirectUris], client }
  }
  /** A code or token used twice has leaked, so all access it gave is taken back (RFC 6749, 4.1.2). */
  const endReused = (grantKey: number, clientId: string, what: string) =>
    endGrant(sql, grantKey, `oauth_client ${clientId}`, `a ${what} was used twice`)

  return {
    getClient: (clientId, secret: string | null) => find(clientId, secret),
    generateAuthorizationCode: async () => randomToken(),
    generateAccessToken: async () => randomToken(),
    generateRefreshToken: async (_client, user) => refreshTokenOf(secrets, (user as Holder).grantUid),

    saveAuthorizationCode: async (code, client, user) => {
      const { userKey, organizationKey } = user as Grantor
      const grantUid = await insertCode(
        sql,
        {
          clientKey: (client as LibraryClient).client.key,
          userKey,
          organizationKey,
          scope: scopeFrom(input['scope'])!,
          codeHash: secrets.hash(code.authorizationCode),
          redirectUri: code.redirectUri,
          challenge: code.codeChallenge ?? null,
        },
        nowMs,
      )
      return { ...code, client, user, grantUid }
    },

    getAuthorizationCode: async (authorizationCode) => {
      const code = await lockCode(sql, secrets.hash(authorizationCode))
      if (code === undefined) return undefined
      if (code.usedMs !== null) {
        await endReused(code.grantKey, code.clientId, 'code')
        return undefined
      }
      if (code.expiresMs <= nowMs) return undefined
      const { userKey, grantKey, grantUid, scope, redirectUri } = code
      const user: CodeHolder = { userKey, grantKey, grantUid, scope, isByCode: true, redirectUri }
      return {
        authorizationCode,
        expiresAt: later(),
        // The library must not compare it: its error for a wrong one is not RFC 6749's.
        redirectUri: '',
        client: { id: code.clientId, grants },
        user,
        ...(code.challenge === null ? {} : { codeChallenge: code.challenge, codeChallengeMethod: 'S256' }),
      }
    },
    revokeAuthorizationCode: async (code) => {
      const { redirectUri } = code.user as CodeHolder
      if (!(await useCode(sql, secrets.hash(code.authorizationCode), nowMs))) return false
      const { redirect_uri: repeated } = input
      if (repeated !== undefined && repeated !== redirectUri)
        throw new OAuth2Server.InvalidGrantError('Invalid grant: `redirect_uri` is not that of the code')
      return true
    },

    getRefreshToken: async (refreshToken) => {
      const token = await lockRefreshToken(sql, secrets.hash(refreshToken), grantUidOf(secrets, refreshToken))
      if (token === undefined) return undefined
      if (token.isUsed) {
        await endReused(token.grantKey, token.clientId, 'refresh token')
        return undefined
      }
      if (token.expiresMs! <= nowMs) return undefined
      if (token.secretHash !== null && !isSecret(secrets, token.secretHash, input['client_secret']))
        throw new OAuth2Server.InvalidClientError('Invalid client: the client_secret sent with the code is needed')
      const { userKey, grantKey, grantUid, scope } = token
      const user: Holder = { userKey, grantKey, grantUid, scope, isByCode: false }
      return { refreshToken, client: { id: token.clientId, grants }, user }
    },
    revokeToken: ({ refreshToken }) =>
      useRefreshToken(sql, secrets.hash(refreshToken), grantUidOf(secrets, refreshToken), nowMs),

    saveToken: async (token, client, user) => {
      const { grantKey, isByCode, scope: granted } = user as Holder
      const secret = input['client_secret']
      if (isByCode && secret && (client as LibraryClient).client.secretHash === null)
        await setGrantSecret(sql, grantKey, secrets.hash(secret))
      // A code's scope was settled with the user.
      const scope = isByCode ? granted : narrowed(granted, input['scope'])
      const [accessHash, refreshHash] = [secrets.hash(token.accessToken), secrets.hash(token.refreshToken!)]
      await insertTokens(sql, grantKey, scope, accessHash, refreshHash, nowMs)
      return { ...token, client, user, scope: scope.split(' ') }
    },

    // Requests are recognized by access/, from memory.
    getAccessToken: async () => undefined,
  }
}

type LibraryClient = OAuth2Server.Client & { readonly client: OauthClient }

const grants = ['authorization_code', 'refresh_token']

/** The library compares with its own clock; we have compared with ours. */
const later = () => new Date(Date.now() + 3_600_000)
