// API keys (docs/access.md#api-keys): found by the keyed hash of their secret, which is also kept encrypted for View
// Secret Key.
import type { Secrets } from '../base/secret.ts'
import { randomToken } from '../base/secret.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { Method } from './caller.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'
import { tenantUid } from './organization.ts'

export type Capability = { readonly resource: string; readonly methods: readonly Method[] }

export type ApiKey = {
  readonly key: number
  readonly uid: string
  readonly organizationKey: number
  readonly name: string
  readonly capabilities: readonly Capability[]
  /** Addresses and CIDR ranges it may be used from; none: from anywhere. */
  readonly addresses: readonly string[]
  readonly enabled: boolean
  readonly expiresMs: number | null
  readonly version: number
}

const columns = (sql: Sql) => sql`
  api_key.key, api_key.uid, api_key.organization_key as "organizationKey", api_key.name, api_key.capabilities,
  api_key.addresses, api_key.enabled, api_key.expires_at as "expiresMs", api_key.version`

type KnownApiKey = ApiKey & { readonly organizationUid: string; readonly tenantUid: string }

export const findApiKeyBySecret = async (sql: Sql, secretHash: Buffer): Promise<KnownApiKey | undefined> => {
  const [row] = await sql<KnownApiKey[]>`
    select ${columns(sql)}, organization.uid as "organizationUid", ${tenantUid(sql)}
    from api_key
    join organization on organization.key = api_key.organization_key
    where api_key.secret_hash = ${secretHash}`
  return row
}

export type NewApiKey = Pick<ApiKey, 'name' | 'capabilities' | 'addresses' | 'enabled' | 'expiresMs'>

/** Gives the key together with its secret, which is made when none is given. */
export const insertApiKey = async (
  sql: Sql,
  secrets: Secrets,
  organizationKey: number,
  apiKey: NewApiKey,
  secret: string = randomToken(),
): Promise<ApiKey & { readonly secret: string }> => {
  const [row] = await unlessTaken(
    sql<[ApiKey]>`
      insert into api_key
        (organization_key, name, secret_hash, secret_encrypted, capabilities, addresses, enabled, expires_at)
      values (
        ${organizationKey}, ${apiKey.name}, ${secrets.hash(secret)}, ${secrets.encrypt(secret, 'api_key')},
        ${sql.json(apiKey.capabilities)}, ${apiKey.addresses as string[]}::text[], ${apiKey.enabled},
        ${apiKey.expiresMs})
      returning ${columns(sql)}`,
    'this secret is taken',
  )
  return { ...row, secret }
}

export const apiKeySorts = {
  name: 'lower(name)',
  enabled: 'enabled',
  expires: 'expires_at',
  version: 'version',
} as const satisfies Sorts

export const listApiKeys = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { name, enabled }: { readonly name?: string | undefined; readonly enabled?: boolean | undefined },
): Promise<Listing<ApiKey>> =>
  openListing<ApiKey>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from api_key
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'name')}
        and ${isEqual(sql, 'name', name)} and ${isEqual(sql, 'enabled', enabled)}`,
    order: orderOf(sql, page, apiKeySorts, 'key'),
    // A thousand capabilities.
    rowBytes: 256 * 1024,
  })

export const findApiKey = async (sql: Sql, organizationKey: number, uid: string): Promise<ApiKey | undefined> => {
  const [row] = await sql<ApiKey[]>`
    select ${columns(sql)} from api_key where organization_key = ${organizationKey} and uid = ${uid}`
  return row
}

export const lockApiKey = async (sql: Transaction, key: number): Promise<ApiKey | undefined> => {
  const [row] = await sql<ApiKey[]>`select ${columns(sql)} from api_key where key = ${key} for update`
  return row
}

/** The caller holds the key's lock. */
export const updateApiKey = async (sql: Transaction, key: number, apiKey: NewApiKey): Promise<ApiKey> => {
  const [row] = await sql<[ApiKey]>`
    update api_key
    set name = ${apiKey.name}, capabilities = ${sql.json(apiKey.capabilities)},
      addresses = ${apiKey.addresses as string[]}::text[], enabled = ${apiKey.enabled},
      expires_at = ${apiKey.expiresMs}, version = version + 1
    where key = ${key}
    returning ${columns(sql)}`
  return row
}

/** False when somebody was faster. */
export const deleteApiKey = async (sql: Sql, key: number): Promise<boolean> =>
  (await sql`delete from api_key where key = ${key}`).count === 1

/** The secret for View Secret Key; undefined when it was encrypted by another master key. */
export const revealSecret = async (sql: Sql, secrets: Secrets, key: number): Promise<string | undefined> => {
  const [row] = await sql<{ encrypted: Buffer }[]>`select secret_encrypted as encrypted from api_key where key = ${key}`
  try {
    return row && secrets.decrypt(row.encrypted, 'api_key')
  } catch {
    return undefined
  }
}
