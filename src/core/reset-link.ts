// Links by which a user sets a new password without the old one (docs/access.md#forgotten-passwords): valid for a day, for
// one use, and only while their maker might still set that password. Only a hash of the token is stored.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { deleteSessionsOfUser } from './session.ts'

export const resetLinkMs = 24 * 3_600_000

/** Behind the #, which no browser sends: the token stands in no log of a server or proxy, and in no Referer. */
export const resetAddress = (baseUrl: string, token: string): string => `${baseUrl}/alt/reset#${token}`

export type ResetLinkMaker = { readonly userKey: number; readonly organizationKey: number }

/** A new link takes the place of the one that the user had; without a maker it is the host's. */
export const insertResetLink = async (
  sql: Sql,
  tokenHash: Buffer,
  userKey: number,
  maker: ResetLinkMaker | undefined,
  nowMs: number,
): Promise<void> => {
  await sql`
    insert into reset_link (token_hash, user_key, maker_key, organization_key, expires_at)
    values (${tokenHash}, ${userKey}, ${maker?.userKey ?? null}, ${maker?.organizationKey ?? null}, ${nowMs + resetLinkMs})
    on conflict (user_key) do update
    set token_hash = excluded.token_hash, maker_key = excluded.maker_key, organization_key = excluded.organization_key,
      expires_at = excluded.expires_at`
}

/**
 * The user of a link that still holds: its maker is an admin yet, an owner where the user has become one, and the account
 * belongs to that organization alone.
 */
const holding = (sql: Sql, tokenHash: Buffer, nowMs: number) => sql`
  token_hash = ${tokenHash} and expires_at > ${nowMs} and (
    maker_key is null
    or exists (
      select
      from member maker
      join member target on target.organization_key = maker.organization_key and target.user_key = reset_link.user_key
      where maker.organization_key = reset_link.organization_key and maker.user_key = maker_key
        and (maker.role = 'owner' or (maker.role = 'admin' and target.role <> 'owner'))
        and not exists (
          select from member other
          where other.user_key = reset_link.user_key and other.organization_key <> reset_link.organization_key)))`

/** Gives the user's key while the link holds. */
export const findResetLink = async (sql: Sql, tokenHash: Buffer, nowMs: number): Promise<number | undefined> => {
  const [row] = await sql<{ userKey: number }[]>`
    select user_key as "userKey" from reset_link where ${holding(sql, tokenHash, nowMs)}`
  return row?.userKey
}

/**
 * Uses a link up; gives the user's key, or undefined where it does not hold (any more). The account is locked first, as by everybody else who
 * sets its password and then ends its link.
 */
export const takeResetLink = async (
  sql: Transaction,
  tokenHash: Buffer,
  nowMs: number,
): Promise<number | undefined> => {
  await sql`
    select from user_account
    where key = (select user_key from reset_link where token_hash = ${tokenHash})
    for no key update`
  const [row] = await sql<{ userKey: number }[]>`
    delete from reset_link where ${holding(sql, tokenHash, nowMs)} returning user_key as "userKey"`
  return row?.userKey
}

/** Sets a password without the old one. Everybody who knew that is signed out, everywhere. */
export const resetPassword = async (sql: Transaction, userKey: number, passwordHash: string): Promise<void> => {
  await sql`
    update user_account set password_hash = ${passwordHash}, version = version + 1 where key = ${userKey}`
  await deleteSessionsOfUser(sql, userKey)
}

export const removeEndedResetLinks = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`delete from reset_link where expires_at <= ${nowMs}`
}
