// Grants, and all else that a client, a user or an organization may have very many of, end in pieces before the thing itself does, each
// in a transaction of its own (docs/oauth.md#ending-it). All at once took 25 s for a client of 300,000 grants, and one of 700,000 could not
// be deleted within the minute that a statement has: its tokens stayed good for ever. A failure between two pieces leaves the thing with
// less, and the same call goes on.
import type { Fragment, Transaction } from '../base/database/sql.ts'
import { lockMembers } from './user.ts'

/** In place of a result: a piece has ended and is to be committed, and the same work to be done again. */
export const unfinished = Symbol('unfinished')
export type Unfinished = typeof unfinished

/** Rows that end in one transaction. */
export const mostInPiece = 10_000

/** Each has rows of its own. */
const togetherOf = (most: number) => Math.ceil(most / 4)

/** The functions below end a piece, and give whether there may be more; those without more are left to who asks. */
export const endSomeOfClient = (sql: Transaction, clientKey: number, most = mostInPiece): Promise<boolean> =>
  endSomeGrants(sql, sql`client_key = ${clientKey}`, most)

/** Sessions are limited to fewer (session.ts), and the caller's may be among them. */
export const endSomeOfUser = (sql: Transaction, userKey: number, most = mostInPiece): Promise<boolean> =>
  endSomeGrants(sql, sql`user_key = ${userKey}`, most)

export const endSomeOfMember = (
  sql: Transaction,
  organizationKey: number,
  userKey: number,
  most = mostInPiece,
): Promise<boolean> => endSomeGrants(sql, sql`user_key = ${userKey} and organization_key = ${organizationKey}`, most)

/** Owners stay to the end: nobody else may delete the organization, and they can go on. */
export const endSomeOfOrganization = async (
  sql: Transaction,
  organizationKey: number,
  most = mostInPiece,
): Promise<boolean> => {
  // Of two calls one goes first, and nobody is made an owner meanwhile.
  await lockMembers(sql, organizationKey)
  return (
    (await endSomeKeys(sql, organizationKey, most)) ||
    (await endSomeConnectors(sql, organizationKey, most)) ||
    (await endSomeClients(sql, organizationKey, most)) ||
    (await endSomeMembers(sql, organizationKey, most)) ||
    endSomeGrants(
      sql,
      sql`
        organization_key = ${organizationKey}
        and user_key = any(array(select user_key from member where organization_key = ${organizationKey}))`,
      most,
    )
  )
}

const endSomeKeys = async (sql: Transaction, organizationKey: number, most: number) => {
  const { count } = await sql`
    delete from api_key
    where key in (select key from api_key where organization_key = ${organizationKey} limit ${most})`
  return count === most
}

const belowConnectors = ['connector_call', 'import_run', 'import_last']

const endSomeConnectors = async (sql: Transaction, organizationKey: number, most: number) => {
  const keys = await someKeys(sql, 'connector', organizationKey, most)
  for (const table of belowConnectors) if (await endSomeBelow(sql, table, 'connector_key', keys, most)) return true
  await sql`delete from connector where key = any(${keys}::integer[])`
  return keys.length === togetherOf(most)
}

const endSomeClients = async (sql: Transaction, organizationKey: number, most: number) => {
  const keys = await someKeys(sql, 'oauth_client', organizationKey, most)
  if (await endSomeGrants(sql, sql`client_key = any(${keys}::integer[])`, most)) return true
  await sql`delete from oauth_client where key = any(${keys}::integer[])`
  return keys.length === togetherOf(most)
}

/** As deleteOrganization does with the rest. */
const endSomeMembers = async (sql: Transaction, organizationKey: number, most: number) => {
  const members = await sql<{ key: number; isElsewhere: boolean }[]>`
    select user_key as key, exists (
      select from member other
      where other.user_key = member.user_key and other.organization_key <> ${organizationKey}) as "isElsewhere"
    from member
    where organization_key = ${organizationKey} and role <> 'owner'
    limit ${togetherOf(most)}`
  const keys = members.map(({ key }) => key)
  const ended = members.flatMap(({ key, isElsewhere }) => (isElsewhere ? [] : [key]))
  const areMeant = sql`organization_key = ${organizationKey} and user_key = any(${keys}::integer[])`
  if (await endSomeGrants(sql, areMeant, most)) return true
  if (await endSomeBelow(sql, 'session', 'user_key', ended, most)) return true
  await sql`delete from member where ${areMeant}`
  await sql`
    delete from user_account
    where key = any(${ended}::integer[]) and not exists (select from member where user_key = user_account.key)`
  return keys.length === togetherOf(most)
}

const someKeys = async (
  sql: Transaction,
  table: 'connector' | 'oauth_client',
  organizationKey: number,
  most: number,
): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    select key from ${sql(table)} where organization_key = ${organizationKey} limit ${togetherOf(most)}`
  return rows.map(({ key }) => key)
}

const endSomeGrants = async (sql: Transaction, areMeant: Fragment, most: number): Promise<boolean> => {
  // One that is in use at this moment is waited for at the end.
  const rows = await sql<{ key: number }[]>`
    select key from oauth_grant where ${areMeant} limit ${togetherOf(most)} for update skip locked`
  const keys = rows.map(({ key }) => key)
  if (await endSomeBelow(sql, 'oauth_token', 'grant_key', keys, most)) return true
  await sql`delete from oauth_code where grant_key = any(${keys}::bigint[])`
  await sql`delete from oauth_grant where key = any(${keys}::bigint[])`
  return keys.length === togetherOf(most)
}

const endSomeBelow = async (
  sql: Transaction,
  table: string,
  column: string,
  keys: readonly number[],
  most: number,
): Promise<boolean> => {
  if (keys.length === 0) return false
  const { count } = await sql`
    delete from ${sql(table)}
    where ctid = any(array(select ctid from ${sql(table)} where ${sql(column)} = any(${keys}::bigint[]) limit ${most}))`
  return count === most
}
