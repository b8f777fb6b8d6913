// OAuth clients: the external services that may ask users for access (5.2), registered by an organization.
import type { Sql } from '../base/sql.ts'

export type OauthClient = {
  readonly key: number
  readonly uid: string
  readonly organizationKey: number
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Null: registered without a secret. */
  readonly secretHash: Buffer | null
  /** May use oauth_login, where the user's password goes through the client (5.4). */
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
  const [row] = await sql<[OauthClient]>`
    insert into oauth_client
      (organization_key, client_id, name, redirect_uris, secret_hash, password_login, require_pkce)
    values (
      ${organizationKey}, ${client.clientId}, ${client.name}, ${client.redirectUris as string[]}::text[],
      ${client.secretHash}, ${client.passwordLogin}, ${client.requirePkce})
    returning ${columns(sql)}`
  return row
}
