// OAuth clients: the external services that may ask users for access (docs/oauth.md#clients), registered by an
// organization.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'

export type OauthClient = {
  readonly key: number
  readonly uid: string
  readonly organizationKey: number
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Null: registered without a secret. */
  readonly secretHash: Buffer | null
  /** May use oauth_login, where the user's password goes through the client (docs/oauth.md#without-a-browser). */
  readonly passwordLogin: boolean
  readonly requirePkce: boolean
  readonly version: number
}

const columns = (sql: Sql) => sql`
  oauth_client.key, oauth_client.uid, oauth_client.organization_key as "organizationKey",
  oauth_client.client_id as "clientId", oauth_client.name, oauth_client.redirect_uris as "redirectUris",
  oauth_client.secret_hash as "secretHash", oauth_client.password_login as "passwordLogin",
  oauth_client.require_pkce as "requirePkce", oauth_client.version`

export const findClientById = async (sql: Sql, clientId: string): Promise<OauthClient | undefined> => {
  const [row] = await sql<OauthClient[]>`select ${columns(sql)} from oauth_client where client_id = ${clientId}`
  return row
}

export type NewOauthClient = Pick<
  OauthClient,
  'clientId' | 'name' | 'redirectUris' | 'secretHash' | 'passwordLogin' | 'requirePkce'
>

export const insertClient = async (sql: Sql, organizationKey: number, client: NewOauthClient): Promise<OauthClient> => {
  const [row] = await unlessTaken(
    sql<[OauthClient]>`
      insert into oauth_client
        (organization_key, client_id, name, redirect_uris, secret_hash, password_login, require_pkce)
      values (
        ${organizationKey}, ${client.clientId}, ${client.name}, ${client.redirectUris as string[]}::text[],
        ${client.secretHash}, ${client.passwordLogin}, ${client.requirePkce})
      returning ${columns(sql)}`,
    `the clientId '${client.clientId}' is taken`,
  )
  return row
}

export const clientSorts = {
  name: 'lower(name)',
  clientId: 'lower(client_id)',
  version: 'version',
} as const satisfies Sorts

export type ClientFilter = {
  readonly clientId?: string | undefined
  readonly passwordLogin?: boolean | undefined
  readonly requirePkce?: boolean | undefined
}

export const listClients = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { clientId, passwordLogin, requirePkce }: ClientFilter,
): Promise<Listing<OauthClient>> =>
  openListing<OauthClient>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from oauth_client
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'client_id', 'name')}
        and ${isEqual(sql, 'client_id', clientId)}
        and ${isEqual(sql, 'password_login', passwordLogin)}
        and ${isEqual(sql, 'require_pkce', requirePkce)}`,
    order: orderOf(sql, page, clientSorts, 'key'),
    // Fifty addresses.
    rowBytes: 128 * 1024,
  })

export const findClient = async (sql: Sql, organizationKey: number, uid: string): Promise<OauthClient | undefined> => {
  const [row] = await sql<OauthClient[]>`
    select ${columns(sql)} from oauth_client where organization_key = ${organizationKey} and uid = ${uid}`
  return row
}

export const lockClient = async (sql: Transaction, key: number): Promise<OauthClient | undefined> => {
  const [row] = await sql<OauthClient[]>`select ${columns(sql)} from oauth_client where key = ${key} for update`
  return row
}

/**
 * Whether the client is as it was found, which it then is until the transaction ends. It is locked before members and accounts, by whatever ends
 * them as well: a user who agreed while the client's organization was deleted was in a deadlock with that (503).
 */
export const holdClient = async (sql: Transaction, { key, version }: OauthClient): Promise<boolean> => {
  const rows = await sql`select from oauth_client where key = ${key} and version = ${version} for share`
  return rows.length === 1
}

/** The caller holds the client's lock. */
export const updateClient = async (
  sql: Transaction,
  key: number,
  client: Omit<NewOauthClient, 'clientId'>,
): Promise<OauthClient> => {
  const [row] = await sql<[OauthClient]>`
    update oauth_client
    set name = ${client.name}, redirect_uris = ${client.redirectUris as string[]}::text[],
      secret_hash = ${client.secretHash}, password_login = ${client.passwordLogin},
      require_pkce = ${client.requirePkce}, version = version + 1
    where key = ${key}
    returning ${columns(sql)}`
  return row
}

/** The grants and tokens of a client end with it. */
export const deleteClient = async (sql: Sql, key: number): Promise<void> => {
  await sql`delete from oauth_client where key = ${key}`
}
