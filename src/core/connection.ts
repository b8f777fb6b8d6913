// Connections to external databases, which imports read (docs/imports.md#connections). Password and keys are kept
// encrypted and read for a session only: no reply shows them.
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Secrets } from '../base/secret.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'

export const connectionKinds = ['postgresql', 'mysql', 'sqlserver', 'oracle'] as const

export type ConnectionKind = (typeof connectionKinds)[number]

/** Settings that some users need and that are not secret; null and missing are the same. Certificates are PEM. */
export type ConnectionSettings = {
  /** Authorities by which the server's certificate is verified, in place of the well-known ones. */
  readonly ca?: string | null | undefined
  readonly certificate?: string | null | undefined
  readonly connectTimeoutMs?: number | null | undefined
  /** PostgreSQL. */
  readonly searchPath?: string | null | undefined
  /** MySQL: the time_zone of its sessions. */
  readonly sessionTimeZone?: string | null | undefined
  /** SQL Server: its named instance. */
  readonly instance?: string | null | undefined
  /** Oracle: the database is a SID, not a service name. */
  readonly sid?: boolean | null | undefined
}

export type ConnectionSecrets = {
  readonly password: string
  /** The private key of the client's certificate. */
  readonly key?: string | null | undefined
  /** Oracle: the text of ewallet.pem, and its password. */
  readonly wallet?: string | null | undefined
  readonly walletPassword?: string | null | undefined
}

export type Connection = {
  readonly key: number
  readonly uid: string
  readonly name: string
  readonly kind: ConnectionKind
  readonly host: string
  /** Null: the default of its kind. */
  readonly port: number | null
  readonly database: string
  readonly user: string
  readonly tls: 'true' | 'false' | 'no-verify'
  readonly settings: ConnectionSettings
  readonly passwordEncrypted: Buffer | null
  readonly secretsEncrypted: Buffer | null
  readonly version: number
}

export type ConnectionDefinition = Omit<
  Connection,
  'key' | 'uid' | 'version' | 'passwordEncrypted' | 'secretsEncrypted'
>

const columns = (sql: Sql) => sql`
  connection.key, connection.uid, connection.name, connection.kind, connection.host, connection.port,
  connection.database, connection.user_name as "user", connection.tls, connection.settings,
  connection.password_encrypted as "passwordEncrypted", connection.secrets_encrypted as "secretsEncrypted",
  connection.version`

export const connectionSorts = {
  name: 'lower(name)',
  kind: 'kind',
  host: 'lower(host)',
  version: 'version',
} as const satisfies Sorts

export const listConnections = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { kind, host }: { readonly kind?: ConnectionKind | undefined; readonly host?: string | undefined },
): Promise<Listing<Connection>> =>
  openListing(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from connection
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'name', 'host', 'database')}
        and ${isEqual(sql, 'kind', kind)} and ${isEqual(sql, 'host', host)}`,
    order: orderOf(sql, page, connectionSorts, 'key'),
    // With two certificates, and secrets that take 300 KB.
    rowBytes: 1024 * 1024,
  })

export const findConnection = async (
  sql: Sql,
  organizationKey: number,
  uid: string,
): Promise<Connection | undefined> => {
  const [row] = await sql<Connection[]>`
    select ${columns(sql)} from connection where organization_key = ${organizationKey} and uid = ${uid}`
  return row
}

export const lockConnection = async (sql: Transaction, key: number): Promise<Connection | undefined> => {
  const [row] = await sql<Connection[]>`select ${columns(sql)} from connection where key = ${key} for update`
  return row
}

export const insertConnection = async (
  sql: Transaction,
  organizationKey: number,
  given: ConnectionDefinition,
  secret: EncryptedSecrets,
): Promise<Connection> => {
  const [row] = await sql<[Connection]>`
    insert into connection (organization_key, name, kind, host, port, database, user_name, tls, settings,
      password_encrypted, secrets_encrypted)
    values (${organizationKey}, ${given.name}, ${given.kind}, ${given.host}, ${given.port}, ${given.database},
      ${given.user}, ${given.tls}, ${sql.json(given.settings)}, ${secret.passwordEncrypted}, ${secret.secretsEncrypted})
    returning ${columns(sql)}`
  return row
}

export const updateConnection = async (
  sql: Transaction,
  key: number,
  given: ConnectionDefinition,
  secret: EncryptedSecrets,
): Promise<Connection> => {
  const [row] = await sql<[Connection]>`
    update connection
    set name = ${given.name}, kind = ${given.kind}, host = ${given.host}, port = ${given.port},
      database = ${given.database}, user_name = ${given.user}, tls = ${given.tls},
      settings = ${sql.json(given.settings)}, password_encrypted = ${secret.passwordEncrypted},
      secrets_encrypted = ${secret.secretsEncrypted}, version = version + 1
    where key = ${key}
    returning ${columns(sql)}`
  return row
}

export const deleteConnection = async (sql: Transaction, key: number): Promise<void> => {
  await sql`delete from connection where key = ${key}`
}

/** Names of some connectors that import through it. */
export const connectorsOfConnection = async (sql: Sql, key: number): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select name from connector where connection_key = ${key} order by name limit 20`
  return rows.map(({ name }) => name)
}

export type EncryptedSecrets = Pick<Connection, 'passwordEncrypted' | 'secretsEncrypted'>

const [passwordPurpose, secretsPurpose] = ['connection', 'connection secrets']

export const encryptSecrets = (secrets: Secrets, { password, ...more }: ConnectionSecrets): EncryptedSecrets => {
  const set = Object.entries(more).filter(([, value]) => typeof value === 'string')
  return {
    passwordEncrypted: secrets.encrypt(password, passwordPurpose),
    secretsEncrypted:
      set.length === 0 ? null : secrets.encrypt(JSON.stringify(Object.fromEntries(set)), secretsPurpose),
  }
}

export const decryptSecrets = (secrets: Secrets, connection: EncryptedSecrets): ConnectionSecrets => {
  const { passwordEncrypted, secretsEncrypted } = connection
  const more = secretsEncrypted === null ? {} : JSON.parse(secrets.decrypt(secretsEncrypted, secretsPurpose))
  return {
    ...(more as Omit<ConnectionSecrets, 'password'>),
    password: passwordEncrypted === null ? '' : secrets.decrypt(passwordEncrypted, passwordPurpose),
  }
}
