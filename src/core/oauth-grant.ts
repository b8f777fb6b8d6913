// What a user granted to an OAuth client, and the codes and tokens that came of it (2.6). One row of oauth_grant
// per consent: codes and tokens hang on it, so that deleting it ends them all. Only hashes are stored.
import type { Sql } from '../base/sql.ts'

export const codeLifeMs = 10 * 60_000
export const accessTokenLifeMs = 86_400_000
export const refreshTokenLifeMs = 90 * 86_400_000

export type NewCode = {
  readonly clientKey: number
  readonly userKey: number
  readonly scope: string | null
  readonly codeHash: Buffer
  readonly redirectUri: string
  readonly challenge: string | null
}

export const insertCode = async (sql: Sql, code: NewCode, nowMs: number): Promise<void> => {
  await sql`
    with made as (
      insert into oauth_grant (client_key, user_key, scope, created_at)
      values (${code.clientKey}, ${code.userKey}, ${code.scope}, ${nowMs})
      returning key)
    insert into oauth_code (code_hash, grant_key, redirect_uri, challenge, expires_at)
    select ${code.codeHash}, made.key, ${code.redirectUri}, ${code.challenge}, ${nowMs + codeLifeMs}::timestamptz
    from made`
}

type Holder = {
  readonly grantKey: number
  readonly clientId: string
  readonly userKey: number
  readonly expiresMs: number
  readonly usedMs: number | null
}

export type Code = Holder & { readonly redirectUri: string; readonly challenge: string | null }

export const findCode = async (sql: Sql, codeHash: Buffer): Promise<Code | undefined> => {
  const [row] = await sql<Code[]>`
    select oauth_code.grant_key as "grantKey", oauth_client.client_id as "clientId",
      oauth_grant.user_key as "userKey", oauth_code.expires_at as "expiresMs", oauth_code.used_at as "usedMs",
      oauth_code.redirect_uri as "redirectUri", oauth_code.challenge
    from oauth_code
    join oauth_grant on oauth_grant.key = oauth_code.grant_key
    join oauth_client on oauth_client.key = oauth_grant.client_key
    where oauth_code.code_hash = ${codeHash}`
  return row
}

/** False when somebody was faster. */
export const useCode = async (sql: Sql, codeHash: Buffer, nowMs: number): Promise<boolean> => {
  const rows = await sql`
    update oauth_code set used_at = ${nowMs} where code_hash = ${codeHash} and used_at is null returning 1`
  return rows.length === 1
}

export type RefreshToken = Holder & { readonly secretHash: Buffer | null }

export const findRefreshToken = async (sql: Sql, tokenHash: Buffer): Promise<RefreshToken | undefined> => {
  const [row] = await sql<RefreshToken[]>`
    select oauth_token.grant_key as "grantKey", oauth_client.client_id as "clientId",
      oauth_grant.user_key as "userKey", oauth_token.expires_at as "expiresMs", oauth_token.used_at as "usedMs",
      oauth_grant.secret_hash as "secretHash"
    from oauth_token
    join oauth_grant on oauth_grant.key = oauth_token.grant_key
    join oauth_client on oauth_client.key = oauth_grant.client_key
    where oauth_token.token_hash = ${tokenHash} and oauth_token.kind = 'refresh'`
  return row
}

/** False when somebody was faster. */
export const useRefreshToken = async (sql: Sql, tokenHash: Buffer, nowMs: number): Promise<boolean> => {
  const rows = await sql`
    update oauth_token set used_at = ${nowMs} where token_hash = ${tokenHash} and used_at is null returning 1`
  return rows.length === 1
}

export const insertTokens = async (
  sql: Sql,
  grantKey: number,
  accessHash: Buffer,
  refreshHash: Buffer,
  nowMs: number,
): Promise<void> => {
  await sql`
    insert into oauth_token (token_hash, grant_key, kind, expires_at)
    values
      (${accessHash}, ${grantKey}, 'access', ${nowMs + accessTokenLifeMs}),
      (${refreshHash}, ${grantKey}, 'refresh', ${nowMs + refreshTokenLifeMs})`
}

/** Of a secret that a client without one passed with its code: from now on it must be repeated (5.3). */
export const setGrantSecret = async (sql: Sql, grantKey: number, secretHash: Buffer): Promise<void> => {
  await sql`update oauth_grant set secret_hash = ${secretHash} where key = ${grantKey}`
}

export const deleteGrant = async (sql: Sql, grantKey: number): Promise<void> => {
  await sql`delete from oauth_grant where key = ${grantKey}`
}

export const deleteToken = async (sql: Sql, tokenHash: Buffer): Promise<void> => {
  await sql`delete from oauth_token where token_hash = ${tokenHash}`
}

export type TokenStory = {
  readonly kind: 'access' | 'refresh'
  readonly grantKey: number
  readonly clientId: string
  readonly userUid: string
  readonly email: string
  readonly scope: string | null
  readonly expiresMs: number
  readonly usedMs: number | null
}

/** For those who may ask about a token: its client (RFC 7009, RFC 7662). */
export const findTokenStory = async (sql: Sql, tokenHash: Buffer): Promise<TokenStory | undefined> => {
  const [row] = await sql<TokenStory[]>`
    select oauth_token.kind, oauth_token.grant_key as "grantKey", oauth_client.client_id as "clientId",
      user_account.uid as "userUid", user_account.email, oauth_grant.scope, oauth_token.expires_at as "expiresMs",
      oauth_token.used_at as "usedMs"
    from oauth_token
    join oauth_grant on oauth_grant.key = oauth_token.grant_key
    join oauth_client on oauth_client.key = oauth_grant.client_key
    join user_account on user_account.key = oauth_grant.user_key
    where oauth_token.token_hash = ${tokenHash}`
  return row
}

/** What has ended goes. Codes stay with their grant, and used refresh tokens their time, to be recognized when used again. */
export const removeEndedGrants = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`delete from oauth_token where expires_at <= ${nowMs}`
  await sql`
    delete from oauth_grant
    where not exists (select from oauth_token where grant_key = oauth_grant.key and expires_at > ${nowMs})
      and not exists (select from oauth_code where grant_key = oauth_grant.key and expires_at > ${nowMs})`
}
