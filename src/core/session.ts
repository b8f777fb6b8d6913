// Sessions and whose token is whose. A session ends 30 days after it was last used (decisions 7).
import type { Sql } from '../base/sql.ts'
import type { Membership } from './user.ts'
import { listMemberships } from './user.ts'

export const sessionIdleMs = 30 * 24 * 3_600_000

export const insertSession = async (sql: Sql, tokenHash: Buffer, userKey: number, nowMs: number): Promise<void> => {
  await sql`
    insert into session (token_hash, user_key, created_at, used_at)
    values (${tokenHash}, ${userKey}, ${nowMs}, ${nowMs})`
}

export const touchSession = async (sql: Sql, tokenHash: Buffer, nowMs: number): Promise<void> => {
  await sql`update session set used_at = ${nowMs} where token_hash = ${tokenHash} and used_at < ${nowMs}`
}

export const deleteSession = async (sql: Sql, tokenHash: Buffer): Promise<void> => {
  await sql`delete from session where token_hash = ${tokenHash}`
}

/** Signs a user out everywhere: on a new password, sessions and tokens made with the old one end. */
export const deleteSessionsOfUser = async (sql: Sql, userKey: number, exceptHash?: Buffer): Promise<void> => {
  await sql`
    delete from session
    where user_key = ${userKey} ${exceptHash === undefined ? sql`` : sql`and token_hash <> ${exceptHash}`}`
  await sql`delete from oauth_grant where user_key = ${userKey}`
}

export type TokenHolder = {
  readonly userKey: number
  readonly userUid: string
  readonly expiresMs: number
  /** Set for a session, which is to be touched; an OAuth access token has a grant instead. */
  readonly usedMs: number | null
  readonly grantKey: number | null
  readonly memberships: readonly Membership[]
}

/** Who holds this session or OAuth access token; undefined when it is unknown. Its expiry is the caller's to judge. */
export const findTokenHolder = async (sql: Sql, tokenHash: Buffer): Promise<TokenHolder | undefined> => {
  const [row] = await sql<Omit<TokenHolder, 'memberships'>[]>`
    select user_account.key as "userKey", user_account.uid as "userUid", token.expires_at as "expiresMs",
      token.used_at as "usedMs", token.grant_key as "grantKey"
    from (
      select user_key, used_at + ${sessionIdleMs} * interval '1 ms' as expires_at, used_at, null::bigint as grant_key
      from session
      where token_hash = ${tokenHash}
      union all
      select oauth_grant.user_key, oauth_token.expires_at, null, oauth_grant.key
      from oauth_token
      join oauth_grant on oauth_grant.key = oauth_token.grant_key
      where oauth_token.token_hash = ${tokenHash} and oauth_token.kind = 'access') token
    join user_account on user_account.key = token.user_key`
  return row && { ...row, memberships: await listMemberships(sql, row.userKey) }
}

export const removeEndedSessions = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`delete from session where used_at < ${nowMs - sessionIdleMs}`
}
