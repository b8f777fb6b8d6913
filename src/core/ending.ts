// Grants, and all else that a client, a user or an organization may have very many of, end in pieces before the thing itself does, each
// in a transaction of its own (docs/oauth.md#ending-it). All at once took 25 s for a client of 300,000 grants, and one of 700,000 could not
// be deleted within the minute that a statement has: its tokens stayed good for ever. A failure between two pieces leaves the thing with
// less, and the same call goes on. A piece that is not the last has an entry of its own in the audit log.
import type { Fragment, Transaction } from '../base/database/sql.ts'
import type { AuditAction } from './audit.ts'
import { writeAudit, writeReset } from './audit.ts'
import type { Caller } from './caller.ts'
import { deleteLostAccounts } from './organization.ts'
import { lockMembers } from './user.ts'

/** In place of a result: a piece has ended and is to be committed, and the same work to be done again. */
export const unfinished = Symbol('unfinished')
export type Unfinished = typeof unfinished

/** Rows that end in one transaction. */
export const mostInPiece = 10_000

/** Of a piece that is not the last, such as { tokens: 10000 }. */
export type Ended = Readonly<Record<string, number>>

/** The tables that it ends rows of, as the audit log has them (docs/management.md#audit-log). */
const words = {
  api_key: 'apiKeys',
  connector: 'connectors',
  connector_call: 'connectorCalls',
  import_run: 'importRuns',
  import_last: 'importValues',
  oauth_client: 'oauthClients',
  oauth_grant: 'grants',
  oauth_code: 'codes',
  oauth_token: 'tokens',
  member: 'members',
  user_account: 'accounts',
  session: 'sessions',
} as const
type Table = keyof typeof words

/** A transaction, and what it has ended so far. */
type Piece = { readonly sql: Transaction; readonly most: number; readonly ended: Record<string, number> }

/** Each has rows of its own. */
const togetherOf = ({ most }: Piece) => Math.ceil(most / 4)

const pieceOf = async (
  sql: Transaction,
  most: number,
  endSome: (piece: Piece) => Promise<boolean>,
): Promise<Ended | undefined> => {
  const piece: Piece = { sql, most, ended: {} }
  return (await endSome(piece)) ? piece.ended : undefined
}

const endRows = async (piece: Piece, table: Table, areMeant: Fragment): Promise<number> => {
  const { sql } = piece
  const { count } = await sql`delete from ${sql(table)} where ${areMeant}`
  note(piece, table, count)
  return count
}

const note = ({ ended }: Piece, table: Table, count: number): void => {
  if (count > 0) ended[words[table]] = (ended[words[table]] ?? 0) + count
}

/** The functions below end a piece, and give what it was while there may be more; those without more are left to who asks. */
export const endSomeOfClient = (sql: Transaction, clientKey: number, most = mostInPiece) =>
  pieceOf(sql, most, (piece) => endSomeGrants(piece, sql`client_key = ${clientKey}`))

/** Sessions are limited to fewer (session.ts), and the caller's may be among them. */
export const endSomeOfUser = (sql: Transaction, userKey: number, most = mostInPiece) =>
  pieceOf(sql, most, (piece) => endSomeGrants(piece, sql`user_key = ${userKey}`))

export const endSomeOfMember = (sql: Transaction, organizationKey: number, userKey: number, most = mostInPiece) =>
  pieceOf(sql, most, (piece) =>
    endSomeGrants(piece, sql`user_key = ${userKey} and organization_key = ${organizationKey}`),
  )

/** Owners stay to the end: nobody else may delete the organization, and they can go on. */
export const endSomeOfOrganization = async (sql: Transaction, organizationKey: number, most = mostInPiece) => {
  // Of two calls one goes first, and nobody is made an owner meanwhile.
  await lockMembers(sql, organizationKey)
  return pieceOf(
    sql,
    most,
    async (piece) =>
      (await endSomeKeys(piece, organizationKey)) ||
      (await endSomeConnectors(piece, organizationKey)) ||
      (await endSomeClients(piece, organizationKey)) ||
      (await endSomeMembers(piece, organizationKey)) ||
      endSomeGrants(
        piece,
        sql`
          organization_key = ${organizationKey}
          and user_key = any(array(select user_key from member where organization_key = ${organizationKey}))`,
      ),
  )
}

type EndingAction = Extract<AuditAction, `${string}.end_some`>

/** The entry of a piece: where the call is broken off there is no other. */
export const unfinishedAfter = async (
  sql: Transaction,
  caller: Caller,
  action: EndingAction,
  subject: string,
  ended: Ended,
): Promise<Unfinished> => {
  await writeAudit(sql, caller, action, subject, ended)
  return unfinished
}

/** Of a user whose password is set without the old one: true when there may be more. */
export const endSomeBeforeReset = async (
  sql: Transaction,
  actor: string,
  userKey: number,
  detail: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const ended = await endSomeOfUser(sql, userKey)
  if (ended !== undefined) await writeReset(sql, actor, userKey, 'user.end_some', { ...detail, ...ended })
  return ended !== undefined
}

const endSomeKeys = async (piece: Piece, organizationKey: number) => {
  const { sql, most } = piece
  const some = sql`key in (select key from api_key where organization_key = ${organizationKey} limit ${most})`
  return (await endRows(piece, 'api_key', some)) === most
}

const belowConnectors = ['connector_call', 'import_run', 'import_last'] as const

const endSomeConnectors = async (piece: Piece, organizationKey: number) => {
  const keys = await someKeys(piece, 'connector', organizationKey)
  for (const table of belowConnectors) if (await endSomeBelow(piece, table, 'connector_key', keys)) return true
  await endRows(piece, 'connector', piece.sql`key = any(${keys}::integer[])`)
  return keys.length === togetherOf(piece)
}

const endSomeClients = async (piece: Piece, organizationKey: number) => {
  const { sql } = piece
  const keys = await someKeys(piece, 'oauth_client', organizationKey)
  if (await endSomeGrants(piece, sql`client_key = any(${keys}::integer[])`)) return true
  await endRows(piece, 'oauth_client', sql`key = any(${keys}::integer[])`)
  return keys.length === togetherOf(piece)
}

/** As deleteOrganization does with the rest. */
const endSomeMembers = async (piece: Piece, organizationKey: number) => {
  const { sql } = piece
  const members = await sql<{ key: number; isElsewhere: boolean }[]>`
    select user_key as key, exists (
      select from member other
      where other.user_key = member.user_key and other.organization_key <> ${organizationKey}) as "isElsewhere"
    from member
    where organization_key = ${organizationKey} and role <> 'owner'
    limit ${togetherOf(piece)}`
  const keys = members.map(({ key }) => key)
  const ended = members.flatMap(({ key, isElsewhere }) => (isElsewhere ? [] : [key]))
  const areMeant = sql`organization_key = ${organizationKey} and user_key = any(${keys}::integer[])`
  if (await endSomeGrants(piece, areMeant)) return true
  if (await endSomeBelow(piece, 'session', 'user_key', ended)) return true
  await endRows(piece, 'member', areMeant)
  note(piece, 'user_account', await deleteLostAccounts(sql, keys))
  return keys.length === togetherOf(piece)
}

const someKeys = async (
  piece: Piece,
  table: 'connector' | 'oauth_client',
  organizationKey: number,
): Promise<readonly number[]> => {
  const { sql } = piece
  // Before what is below: who agrees to a client holds that while it waits for a member.
  const rows = await sql<{ key: number }[]>`
    select key from ${sql(table)} where organization_key = ${organizationKey} limit ${togetherOf(piece)} for update`
  return rows.map(({ key }) => key)
}

const endSomeGrants = async (piece: Piece, areMeant: Fragment): Promise<boolean> => {
  const { sql } = piece
  // One that is in use at this moment is waited for at the end.
  const rows = await sql<{ key: number }[]>`
    select key from oauth_grant where ${areMeant} limit ${togetherOf(piece)} for update skip locked`
  const keys = rows.map(({ key }) => key)
  if (await endSomeBelow(piece, 'oauth_token', 'grant_key', keys)) return true
  await endRows(piece, 'oauth_code', sql`grant_key = any(${keys}::bigint[])`)
  await endRows(piece, 'oauth_grant', sql`key = any(${keys}::bigint[])`)
  return keys.length === togetherOf(piece)
}

const endSomeBelow = async (piece: Piece, table: Table, column: string, keys: readonly number[]): Promise<boolean> => {
  if (keys.length === 0) return false
  const { sql, most } = piece
  const some = sql`
    ctid = any(array(select ctid from ${sql(table)} where ${sql(column)} = any(${keys}::bigint[]) limit ${most}))`
  return (await endRows(piece, table, some)) === most
}
