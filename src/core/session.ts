// Sessions, and the holders of tokens. A session ends 30 days after it was last used (docs/access.md#sessions).
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Scope } from './caller.ts'
import type { Membership } from './user.ts'
import { findMemberships } from './user.ts'

export const sessionIdleMs = 30 * 24 * 3_600_000
/** More than anybody needs who signs in for each call, every five minutes: signing in is not limited, and each leaves one. */
export const mostSessions = 10_000

export const insertSession = async (sql: Sql, tokenHash: Buffer, userKey: number, nowMs: number): Promise<void> => {
  await sql`
    insert into session (token_hash, user_key, created_at, used_at)
    values (${tokenHash}, ${userKey}, ${nowMs}, ${nowMs})`
}

export const touchSession = async (sql: Sql, tokenHash: Buffer, nowMs: number): Promise<void> => {
  await sql`update session set used_at = ${nowMs} where token_hash = ${tokenHash} and used_at < ${nowMs}`
}

/** Whether the session goes on, which it does until the transaction ends. */
export const holdSession = async (sql: Transaction, tokenHash: Buffer): Promise<boolean> => {
  const rows = await sql`select from session where token_hash = ${tokenHash} for key share`
  return rows.length === 1
}

export const deleteSession = async (sql: Sql, tokenHash: Buffer): Promise<void> => {
  await sql`delete from session where token_hash = ${tokenHash}`
}

/** Signs a user out everywhere: on a new password, sessions and tokens made with the old one end, and links for another. */
export const deleteSessionsOfUser = async (sql: Sql, userKey: number): Promise<void> => {
  await sql`delete from session where user_key = ${userKey}`
  await sql`delete from oauth_grant where user_key = ${userKey}`
  await sql`delete from reset_link where user_key = ${userKey}`
}

export type TokenHolder = {
  readonly userKey: number
  readonly userUid: string
  /** Null: one of the operator's people. */
  readonly tenantUid: string | null
  readonly expiresMs: number
  /** Set for a session, whose use is noted; an OAuth access token has a grant instead. */
  readonly usedMs: number | null
  readonly grant: { readonly key: number; readonly clientId: string; readonly scope: Scope } | null
  /** An OAuth token has that of its organization alone. */
  readonly memberships: readonly Membership[]
}

type TokenRow = Omit<TokenHolder, 'memberships' | 'grant'> & {
  readonly grantKey: number | null
  readonly organizationKey: number | null
  readonly clientId: string
  readonly scope: Scope
}

/** The holder of this session or OAuth access token; undefined when it is unknown. Its expiry is the caller's to judge. */
export const findTokenHolder = async (sql: Sql, tokenHash: Buffer): Promise<TokenHolder | undefined> => {
  const [row] = await sql<TokenRow[]>`
    select user_account.key as "userKey", user_account.uid as "userUid", user_account.tenant_uid as "tenantUid",
      token.expires_at as "expiresMs", token.used_at as "usedMs", token.grant_key as "grantKey",
      token.organization_key as "organizationKey", token.client_id as "clientId", token.scope
    from (
      select user_key, used_at + ${sessionIdleMs} * interval '1 ms' as expires_at, used_at, null::bigint as grant_key,
        null::integer as organization_key, null as client_id, null as scope
      from session
      where token_hash = ${tokenHash}
      union all
      select oauth_grant.user_key, oauth_token.expires_at, null, oauth_grant.key, oauth_grant.organization_key,
        oauth_client.client_id, oauth_token.scope
      from oauth_token
      join oauth_grant on oauth_grant.key = oauth_token.grant_key
      join oauth_client on oauth_client.key = oauth_grant.client_key
      where oauth_token.token_hash = ${tokenHash} and oauth_token.kind = 'access') token
    join user_account on user_account.key = token.user_key`
  if (row === undefined) return undefined
  const { grantKey, organizationKey, clientId, scope, ...holder } = row
  const memberships = await findMemberships(sql, row.userKey, organizationKey)
  return { ...holder, grant: grantKey === null ? null : { key: grantKey, clientId, scope }, memberships }
}

/** Removed in one step: each leaves a note, and all servers read these together (access-change.ts). */
export const mostEnded = 20_000

/** Also those of a user beyond the most, the longest unused ones first; true when there may be more. It waits for nobody, as with grants. */
export const removeEndedSessions = async (
  sql: Sql,
  nowMs: number,
  most = mostSessions,
  atOnce = mostEnded,
): Promise<boolean> => {
  const idleMs = nowMs - sessionIdleMs
  // Twice: one that is used at this moment stays.
  const idle = await sql`
    with idle as materialized (
      select token_hash from session where used_at < ${idleMs} limit ${atOnce} for update skip locked)
    delete from session where used_at < ${idleMs} and token_hash in (select token_hash from idle)`
  const surplus = await sql`
    with beyond as materialized (
      select surplus.token_hash
      from (select user_key from session group by user_key having count(*) > ${most}) crowd,
        lateral (
          select token_hash from session where user_key = crowd.user_key order by used_at desc offset ${most}) surplus
      limit ${atOnce}),
    surplus as materialized (
      select token_hash from session where token_hash in (select token_hash from beyond) for update skip locked)
    delete from session where token_hash in (select token_hash from surplus)`
  return idle.count === atOnce || surplus.count === atOnce
}
