// What oauth2-server asks of its keeper: clients, codes and tokens. A model serves one request inside one
// transaction, because what it answers depends on the request (a redirect_uri that was not repeated is not
// compared, 5.3), and time is the world's clock, so the library is only shown ends that lie ahead.
import OAuth2Server from 'oauth2-server'
import type { Secrets } from '../base/secret.ts'
import { equalInConstantTime, randomToken } from '../base/secret.ts'
import type { Sql } from '../base/sql.ts'
import { faultFromSql } from '../base/sql.ts'
import type { OauthClient } from '../core/oauth-client.ts'
import { findClientById } from '../core/oauth-client.ts'
import {
  deleteGrant,
  findCode,
  findRefreshToken,
  insertCode,
  insertTokens,
  setGrantSecret,
  useCode,
  useRefreshToken,
} from '../core/oauth-grant.ts'
import type { Input } from './input.ts'

export type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel

/** The library hands the user through from what was redeemed to what is issued, so it carries the grant. */
type Holder = { readonly userKey: number; readonly grantKey: number; readonly isByCode: boolean }
type CodeHolder = Holder & { readonly redirectUri: string }

/** The library wraps what it does not know, such as a database that is away, into an error of its own. */
export const innermost = (error: unknown): unknown => {
  const inner = error instanceof OAuth2Server.ServerError ? (error as { inner?: unknown }).inner : undefined
  return faultFromSql(inner ?? error)
}

export const modelOf = (sql: Sql, secrets: Secrets, nowMs: number, input: Input): Model => {
  const find = async (clientId: string, secret: string | null): Promise<LibraryClient | undefined> => {
    const client = await findClientById(sql, clientId)
    if (client === undefined) return undefined
    // The authorization step asks without a secret, and says so by null.
    const isKnown = secret === null || client.secretHash === null || isSecret(client.secretHash, secret)
    return isKnown ? { id: client.clientId, grants, redirectUris: [...client.redirectUris], client } : undefined
  }
  const isSecret = (hash: Buffer, secret: string | undefined) =>
    secret !== undefined && equalInConstantTime(hash, secrets.hash(secret))

  return {
    getClient: (clientId, secret: string | null) => find(clientId, secret),
    generateAuthorizationCode: async () => randomToken(),
    generateAccessToken: async () => randomToken(),
    generateRefreshToken: async () => randomToken(),

    saveAuthorizationCode: async (code, client, user) => {
      await insertCode(
        sql,
        {
          clientKey: (client as LibraryClient).client.key,
          userKey: (user as { userKey: number }).userKey,
          scope: input['scope'] ?? null,
          codeHash: secrets.hash(code.authorizationCode),
          redirectUri: code.redirectUri,
          challenge: code.codeChallenge ?? null,
        },
        nowMs,
      )
      return { ...code, client, user }
    },

    getAuthorizationCode: async (authorizationCode) => {
      const code = await findCode(sql, secrets.hash(authorizationCode))
      if (code === undefined) return undefined
      if (code.usedMs !== null) {
        // Used twice: one of the two who have it should not, so what it gave is taken back (RFC 6749, 4.1.2).
        await deleteGrant(sql, code.grantKey)
        return undefined
      }
      if (code.expiresMs <= nowMs) return undefined
      const { userKey, grantKey, redirectUri } = code
      const user: CodeHolder = { userKey, grantKey, isByCode: true, redirectUri }
      return {
        authorizationCode,
        expiresAt: later(),
        // Not the library's to compare: its word for another one is not RFC 6749's.
        redirectUri: '',
        client: { id: code.clientId, grants },
        user,
        ...(code.challenge === null ? {} : { codeChallenge: code.challenge, codeChallengeMethod: 'S256' }),
      }
    },
    revokeAuthorizationCode: async (code) => {
      const { grantKey, redirectUri } = code.user as CodeHolder
      if (!(await useCode(sql, secrets.hash(code.authorizationCode), nowMs))) {
        await deleteGrant(sql, grantKey)
        return false
      }
      const { redirect_uri: repeated } = input
      if (repeated !== undefined && repeated !== redirectUri)
        throw new OAuth2Server.InvalidGrantError('Invalid grant: `redirect_uri` is not that of the code')
      return true
    },

    getRefreshToken: async (refreshToken) => {
      const token = await findRefreshToken(sql, secrets.hash(refreshToken))
      if (token === undefined) return undefined
      if (token.usedMs !== null) {
        await deleteGrant(sql, token.grantKey)
        return undefined
      }
      if (token.expiresMs <= nowMs) return undefined
      if (token.secretHash !== null && !isSecret(token.secretHash, input['client_secret']))
        throw new OAuth2Server.InvalidClientError('Invalid client: the client_secret sent with the code is needed')
      const user: Holder = { userKey: token.userKey, grantKey: token.grantKey, isByCode: false }
      return { refreshToken, client: { id: token.clientId, grants }, user }
    },
    revokeToken: async (token) => {
      if (await useRefreshToken(sql, secrets.hash(token.refreshToken), nowMs)) return true
      await deleteGrant(sql, (token.user as Holder).grantKey)
      return false
    },

    saveToken: async (token, client, user) => {
      const { grantKey, isByCode } = user as Holder
      const secret = input['client_secret']
      if (isByCode && secret && (client as LibraryClient).client.secretHash === null)
        await setGrantSecret(sql, grantKey, secrets.hash(secret))
      await insertTokens(sql, grantKey, secrets.hash(token.accessToken), secrets.hash(token.refreshToken!), nowMs)
      return { ...token, client, user }
    },

    // Requests are recognized by access/, from memory.
    getAccessToken: async () => undefined,
  }
}

type LibraryClient = OAuth2Server.Client & { readonly client: OauthClient }

const grants = ['authorization_code', 'refresh_token']

/** The library compares with its own clock; we have compared with ours. */
const later = () => new Date(Date.now() + 3_600_000)
