// Grants of users to OAuth clients, and the codes and tokens that came of them (docs/oauth.md#rights-of-a-token). One
// row of oauth_grant per consent, for one organization: codes and tokens belong to it, so that deleting it ends them
// all, and it goes with the user's membership. Only hashes are stored.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { writeAudit } from './audit.ts'
import type { Scope } from './caller.ts'
import type { Listing, Page } from './listing.ts'
import { holds, openListing } from './listing.ts'
import { mostEnded } from './session.ts'

export const codeLifeMs = 10 * 60_000
export const accessTokenLifeMs = 86_400_000
export const refreshTokenLifeMs = 90 * 86_400_000
/** Of a user to one client, and access tokens of a grant: neither asking for a code nor refreshing is limited. */
export const mostGrants = 10_000

export type NewCode = {
  readonly clientKey: number
  readonly userKey: number
  readonly organizationKey: number
  readonly scope: Scope
  readonly codeHash: Buffer
  readonly redirectUri: string
  readonly challenge: string | null
}

/** Gives the uid of the grant that it makes. */
export const insertCode = async (sql: Sql, code: NewCode, nowMs: number): Promise<string> => {
  const [row] = await sql<[{ uid: string }]>`
    with made as (
      insert into oauth_grant (client_key, user_key, organization_key, scope, created_at)
      values (${code.clientKey}, ${code.userKey}, ${code.organizationKey}, ${code.scope}, ${nowMs})
      returning key, uid),
    code as (
      insert into oauth_code (code_hash, grant_key, redirect_uri, challenge, expires_at)
      select ${code.codeHash}, made.key, ${code.redirectUri}, ${code.challenge}, ${nowMs + codeLifeMs}::timestamptz
      from made)
    select uid from made`
  return row.uid
}

type Holder = {
  readonly grantKey: number
  readonly grantUid: string
  readonly clientId: string
  readonly userKey: number
  readonly scope: Scope
  readonly expiresMs: number
  readonly usedMs: number | null
}

export type Code = Holder & { readonly redirectUri: string; readonly challenge: string | null }

/** Requests with the same code go one after another: each sees the effect of the one before. */
export const lockCode = async (sql: Transaction, codeHash: Buffer): Promise<Code | undefined> => {
  await sql`
    select from oauth_grant
    where key = (select grant_key from oauth_code where code_hash = ${codeHash})
    for update`
  const [row] = await sql<Code[]>`
    select oauth_code.grant_key as "grantKey", oauth_grant.uid as "grantUid", oauth_client.client_id as "clientId",
      oauth_grant.user_key as "userKey", oauth_grant.scope, oauth_code.expires_at as "expiresMs", oauth_code.used_at as "usedMs",
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

export type RefreshToken = Omit<Holder, 'expiresMs' | 'usedMs'> & {
  /** Null where nothing is known of it but its grant. */
  readonly expiresMs: number | null
  readonly isUsed: boolean
  readonly secretHash: Buffer | null
}

/**
 * Locks a refresh token as lockCode does a code. One that has its grant's uid in itself is used if it is not stored: a grant ends
 * with the last one that is.
 */
export const lockRefreshToken = async (
  sql: Transaction,
  tokenHash: Buffer,
  grantUid: string | undefined,
): Promise<RefreshToken | undefined> => {
  const isOf = sql`
    oauth_grant.key = coalesce(
      (select grant_key from oauth_token where token_hash = ${tokenHash} and kind = 'refresh'),
      (select key from oauth_grant where uid = ${grantUid ?? null}))`
  await sql`select from oauth_grant where ${isOf} for update`
  const [row] = await sql<RefreshToken[]>`
    select oauth_grant.key as "grantKey", oauth_grant.uid as "grantUid", oauth_client.client_id as "clientId",
      oauth_grant.user_key as "userKey", oauth_grant.scope, oauth_token.expires_at as "expiresMs",
      oauth_token.token_hash is null or oauth_token.used_at is not null as "isUsed",
      oauth_grant.secret_hash as "secretHash"
    from oauth_grant
    join oauth_client on oauth_client.key = oauth_grant.client_key
    left join oauth_token on oauth_token.token_hash = ${tokenHash} and oauth_token.kind = 'refresh'
    where ${isOf}`
  return row
}

/** False when somebody was faster. Nothing is kept of one that has its grant's uid in itself. */
export const useRefreshToken = async (
  sql: Sql,
  tokenHash: Buffer,
  grantUid: string | undefined,
  nowMs: number,
): Promise<boolean> => {
  const rows =
    grantUid === undefined
      ? await sql`
          update oauth_token set used_at = ${nowMs} where token_hash = ${tokenHash} and used_at is null returning 1`
      : await sql`delete from oauth_token where token_hash = ${tokenHash} and used_at is null returning 1`
  return rows.length === 1
}

/** The grant is narrowed to the scope of its newest tokens: a client does not get back a scope that it gave up. */
export const insertTokens = async (
  sql: Sql,
  grantKey: number,
  scope: Scope,
  accessHash: Buffer,
  refreshHash: Buffer,
  nowMs: number,
): Promise<void> => {
  const narrowed = await sql`update oauth_grant set scope = ${scope} where key = ${grantKey} and scope <> ${scope}`
  // A client that has asked for less has no more: tokens from before would have it for a day.
  if (narrowed.count > 0)
    await sql`delete from oauth_token where grant_key = ${grantKey} and kind = 'access' and scope <> ${scope}`
  await sql`
    insert into oauth_token (token_hash, grant_key, kind, scope, expires_at)
    values
      (${accessHash}, ${grantKey}, 'access', ${scope}, ${nowMs + accessTokenLifeMs}),
      (${refreshHash}, ${grantKey}, 'refresh', ${scope}, ${nowMs + refreshTokenLifeMs})`
}

/**
 * Keeps the hash of a secret that a client without one passed with its code: from now on it must be repeated
 * (docs/oauth.md#token-request).
 */
export const setGrantSecret = async (sql: Sql, grantKey: number, secretHash: Buffer): Promise<void> => {
  await sql`update oauth_grant set secret_hash = ${secretHash} where key = ${grantKey}`
}

/** Ends it with all its codes and tokens; `actor` and `reason` are for the audit log. False when somebody was faster. */
export const endGrant = async (sql: Transaction, grantKey: number, actor: string, reason: string): Promise<boolean> => {
  const [ended] = await sql<{ uid: string; organizationKey: number }[]>`
    delete from oauth_grant where key = ${grantKey} returning uid, organization_key as "organizationKey"`
  if (ended)
    await writeAudit(sql, { organizationKey: ended.organizationKey, actor }, 'grant.delete', ended.uid, { reason })
  return ended !== undefined
}

export const deleteToken = async (sql: Sql, tokenHash: Buffer): Promise<void> => {
  await sql`delete from oauth_token where token_hash = ${tokenHash}`
}

export type TokenDetail = {
  readonly kind: 'access' | 'refresh'
  readonly grantKey: number
  readonly clientId: string
  readonly userUid: string
  readonly email: string
  readonly organizationUid: string
  readonly organizationName: string
  readonly scope: Scope
  readonly expiresMs: number
  readonly usedMs: number | null
}

/** The facts of a token for its client, which may ask about it (RFC 7009, RFC 7662). */
export const findTokenDetail = async (sql: Sql, tokenHash: Buffer): Promise<TokenDetail | undefined> => {
  const [row] = await sql<TokenDetail[]>`
    select oauth_token.kind, oauth_token.grant_key as "grantKey", oauth_client.client_id as "clientId",
      user_account.uid as "userUid", user_account.email, organization.uid as "organizationUid",
      organization.name as "organizationName", oauth_token.scope, oauth_token.expires_at as "expiresMs",
      oauth_token.used_at as "usedMs"
    from oauth_token
    join oauth_grant on oauth_grant.key = oauth_token.grant_key
    join oauth_client on oauth_client.key = oauth_grant.client_key
    join user_account on user_account.key = oauth_grant.user_key
    join organization on organization.key = oauth_grant.organization_key
    where oauth_token.token_hash = ${tokenHash}`
  return row
}

/** The grant of a refresh token that was used, and its client. */
export const findGrantByUid = async (
  sql: Sql,
  uid: string,
): Promise<Pick<TokenDetail, 'grantKey' | 'clientId'> | undefined> => {
  const [row] = await sql<Pick<TokenDetail, 'grantKey' | 'clientId'>[]>`
    select oauth_grant.key as "grantKey", oauth_client.client_id as "clientId"
    from oauth_grant
    join oauth_client on oauth_client.key = oauth_grant.client_key
    where oauth_grant.uid = ${uid}`
  return row
}

/**
 * Removes ended grants and tokens, and those beyond the most, the longest unused ones first; true when there may be more. Codes
 * stay with their grant, and used refresh tokens of earlier versions their time, to be recognized when used again.
 *
 * It waits for nobody's row: whoever ends a client or user, or narrows a grant, deletes the same tokens in another order, and each such call
 * beside it was in a deadlock (503 for a refresh). Those in use are left for the next time.
 */
export const removeEndedGrants = async (
  sql: Sql,
  nowMs: number,
  most = mostGrants,
  atOnce = mostEnded,
): Promise<boolean> => {
  const tokens = await sql`
    with ended as materialized (
      select token_hash from oauth_token where expires_at <= ${nowMs} limit ${atOnce} for update skip locked)
    delete from oauth_token where token_hash in (select token_hash from ended)`
  // One that has ended tokens still goes after them.
  const ended = await sql`
    with ended as materialized (
      select key
      from oauth_grant
      where not exists (select from oauth_token where grant_key = oauth_grant.key)
        and not exists (select from oauth_code where grant_key = oauth_grant.key and expires_at > ${nowMs})
      limit ${atOnce}
      for update skip locked)
    delete from oauth_grant where key in (select key from ended)`
  const surplus = await sql`
    with beyond as materialized (
      select surplus.token_hash
      from (
        select grant_key from oauth_token where kind = 'access' group by grant_key having count(*) > ${most}) crowd,
        lateral (
          select token_hash
          from oauth_token
          where grant_key = crowd.grant_key and kind = 'access'
          order by expires_at desc
          offset ${most}) surplus
      limit ${atOnce}),
    surplus as materialized (
      select token_hash
      from oauth_token
      where token_hash in (select token_hash from beyond)
      for update skip locked)
    delete from oauth_token where token_hash in (select token_hash from surplus)`
  // So many tokens, since 39 grants of 10,000 each took 30 s at once. A grant goes with the last of its own: without any it counts as new.
  const [grants] = await sql<[{ tokens: number; grants: number }]>`
    with beyond as materialized (
      select surplus.key
      from (select user_key, client_key from oauth_grant group by user_key, client_key having count(*) > ${most}) crowd,
        lateral (
          select key
          from oauth_grant
          where user_key = crowd.user_key and client_key = crowd.client_key
          -- A new one, whose code is on its way, has no token yet.
          order by (select max(expires_at) from oauth_token where grant_key = oauth_grant.key) desc nulls first
          offset ${most}) surplus
      limit ${atOnce}),
    -- Before their tokens, as whoever uses or ends one locks them; one in use is left for the next time.
    surplus as materialized (
      select key from oauth_grant where key in (select key from beyond) for update skip locked),
    token as (
      delete from oauth_token
      where token_hash in (
        select below.token_hash
        from surplus,
          lateral (select token_hash from oauth_token where grant_key = surplus.key limit ${atOnce}) below
        limit ${atOnce})
      returning token_hash),
    ended as (
      delete from oauth_grant
      where key in (select key from surplus) and not exists (
        select from oauth_token
        where grant_key = oauth_grant.key and token_hash not in (select token_hash from token))
      returning key)
    select (select count(*) from token)::integer as tokens, (select count(*) from ended)::integer as grants`
  return (
    [tokens, ended, surplus].some(({ count }) => count === atOnce) || Math.max(grants.tokens, grants.grants) === atOnce
  )
}

export type Grant = {
  readonly key: number
  readonly uid: string
  readonly clientId: string
  readonly clientName: string
  readonly clientOrganizationName: string
  readonly organizationUid: string
  readonly organizationName: string
  readonly scope: Scope
  readonly createdMs: number
  /** The time of its newest token; null until its code is redeemed. */
  readonly refreshedMs: number | null
}

/** The grants of a user in all organizations that still give access to anything. */
export const listGrants = (sql: Transaction, userKey: number, page: Page, nowMs: number): Promise<Listing<Grant>> =>
  openListing<Grant>(sql, page, {
    select: sql`
      select oauth_grant.key, oauth_grant.uid, oauth_client.client_id as "clientId", oauth_client.name as "clientName",
        maker.name as "clientOrganizationName", organization.uid as "organizationUid",
        organization.name as "organizationName", oauth_grant.scope, oauth_grant.created_at as "createdMs",
        (select max(expires_at) - ${refreshTokenLifeMs} * interval '1 ms'
          from oauth_token where grant_key = oauth_grant.key and kind = 'refresh') as "refreshedMs"`,
    from: sql`
      from oauth_grant
      join oauth_client on oauth_client.key = oauth_grant.client_key
      join organization on organization.key = oauth_grant.organization_key
      join organization maker on maker.key = oauth_client.organization_key
      where oauth_grant.user_key = ${userKey} and ${isAlive(sql, nowMs)}
        and ${holds(sql, page.text, 'oauth_client.client_id', 'oauth_client.name', 'organization.name')}`,
    order: sql`oauth_grant.created_at desc, oauth_grant.key desc`,
  })

const isAlive = (sql: Sql, nowMs: number) => sql`
  (exists (select from oauth_token where grant_key = oauth_grant.key and expires_at > ${nowMs} and used_at is null)
    or exists (select from oauth_code where grant_key = oauth_grant.key and expires_at > ${nowMs} and used_at is null))`

export const findGrantKey = async (sql: Sql, userKey: number, uid: string): Promise<number | undefined> => {
  const [row] = await sql<{ key: number }[]>`select key from oauth_grant where user_key = ${userKey} and uid = ${uid}`
  return row?.key
}
