// Organizations, to which everything else belongs. An organization's time zone is its own; it begins with that of the user who makes it
// (docs/management.md#organizations).
import { notFound } from '../base/errors.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import { insertStockCycles } from './cycle.ts'
import { closeGate, noteChange } from './sample/catalog-change.ts'
import { allOfOrganization } from './sample/gate.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'

export type Brand = { readonly domain?: string; readonly name?: string; readonly logo?: string }

export type Organization = {
  readonly key: number
  readonly uid: string
  /** Organizations of one tenant share as one (caller.ts). */
  readonly tenantUid: string
  readonly name: string
  readonly isPublic: boolean
  readonly plan: { readonly gsql: boolean }
  readonly retentionDays: number | null
  readonly brand: Brand
  readonly timeZone: string
  readonly version: number
}

export const tenantUid = (sql: Sql) => sql`coalesce(organization.tenant_uid, organization.uid) as "tenantUid"`

const columns = (sql: Sql) => sql`
  organization.key, organization.uid, ${tenantUid(sql)}, organization.name, organization.is_public as "isPublic", organization.plan,
  organization.retention_days as "retentionDays", organization.brand, organization.version,
  organization.time_zone as "timeZone"`

/** Makes an organization with its owner, whose time zone and tenant it takes, and its stock cycles. */
export const createOrganization = async (sql: Transaction, name: string, ownerKey: number): Promise<Organization> => {
  const [made] = await sql<[{ key: number }]>`
    insert into organization (name, time_zone, tenant_uid)
    select ${name}, time_zone, tenant_uid from user_account where key = ${ownerKey}
    returning key`
  await sql`insert into member (organization_key, user_key, role) values (${made.key}, ${ownerKey}, 'owner')`
  await insertStockCycles(sql, made.key)
  return (await findOrganizationByKey(sql, made.key))!
}

export const findOrganizationByKey = async (sql: Sql, key: number): Promise<Organization | undefined> => {
  const [row] = await sql<Organization[]>`
    select ${columns(sql)} from organization where key = ${key} and not is_removed`
  return row
}

export const findOrganization = async (sql: Sql, uid: string): Promise<Organization | undefined> => {
  const [row] = await sql<Organization[]>`
    select ${columns(sql)} from organization where uid = ${uid} and not is_removed`
  return row
}

/** For commands on the host, which belong to none; the first ones only. */
export const organizationNames = async (
  sql: Sql,
): Promise<readonly { readonly uid: string; readonly name: string }[]> => sql<{ uid: string; name: string }[]>`
  select uid, name from organization order by key limit 20`

export const organizationTimeZone = async (sql: Sql, key: number): Promise<string> => {
  const [row] = await sql<{ timeZone: string }[]>`
    select time_zone as "timeZone" from organization where key = ${key}`
  return row?.timeZone ?? 'UTC'
}

/**
 * Whether it is the operator's own, which was made at the first start. Where that took a second try, no organization
 * counts as the operator's.
 */
export const isOfOperator = ({ key }: Pick<Organization, 'key'>): boolean => key === 1

/** The brand that the authorization page shows when it is served on this domain. */
export const findBrand = async (
  sql: Sql,
  domain: string,
): Promise<{ readonly key: number; readonly brand: Brand } | undefined> => {
  const [row] = await sql<{ key: number; brand: Brand }[]>`
    select key, brand from organization where lower(brand ->> 'domain') = ${domain.toLowerCase()}`
  return row
}

export const organizationSorts = {
  name: 'lower(name)',
  timeZone: 'time_zone',
  version: 'version',
} as const satisfies Sorts

export const listOrganizations = (
  sql: Transaction,
  keys: readonly number[],
  page: Page,
  { name, isPublic }: { readonly name?: string | undefined; readonly isPublic?: boolean | undefined },
): Promise<Listing<Organization>> =>
  openListing<Organization>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from organization
      where key = any(${keys}::integer[]) and ${holds(sql, page.text, 'name')}
        and ${isEqual(sql, 'name', name)} and ${isEqual(sql, 'is_public', isPublic)}`,
    order: orderOf(sql, page, organizationSorts, 'key'),
    // With a logo.
    rowBytes: 1024 * 1024,
  })

export const lockOrganization = async (sql: Transaction, key: number): Promise<Organization | undefined> => {
  const [row] = await sql<Organization[]>`
    select ${columns(sql)} from organization where key = ${key} and not is_removed for update`
  return row
}

/** An organization that keeps samples for longer than before, or for ever, starts archiving anew (upkeep/retention.ts). */
const keptUntil = (sql: Sql, days: number | null) => sql`
  case when ${days}::integer <= retention_days then kept_until end`

export type OrganizationChange = Pick<
  Organization,
  'name' | 'isPublic' | 'plan' | 'retentionDays' | 'brand' | 'timeZone'
>

/** The caller holds the organization's lock. */
export const updateOrganization = async (
  sql: Transaction,
  organization: Organization,
  change: OrganizationChange,
): Promise<Organization> => {
  const { key } = organization
  // Writers remember how old a sample may be.
  if (change.retentionDays !== organization.retentionDays) {
    await closeGate(sql, key)
    await noteChange(sql, [allOfOrganization(key)])
  }
  await unlessTaken(
    sql`
      update organization
      set name = ${change.name}, is_public = ${change.isPublic}, plan = ${sql.json(change.plan)},
        retention_days = ${change.retentionDays}, kept_until = ${keptUntil(sql, change.retentionDays)},
        brand = ${sql.json(change.brand)}, time_zone = ${change.timeZone},
        version = version + 1
      where key = ${key}`,
    `the domain '${change.brand.domain}' is taken`,
  )
  return (await findOrganizationByKey(sql, key))!
}

/**
 * From here on nobody finds it, its members and the holders of its keys and tokens are strangers, and its brand is
 * free. Its components and samples go afterwards (upkeep/removal.ts), with everything else below it.
 */
export const deleteOrganization = async (
  sql: Transaction,
  { key, uid }: Pick<Organization, 'key' | 'uid'>,
): Promise<void> => {
  // Another transaction that holds these rows is waited for outside the gate.
  if ((await lockOrganization(sql, key)) === undefined) throw notFound('organization', uid)
  // Clients before members, as by holdClient.
  await sql`delete from oauth_client where organization_key = ${key}`
  const left = await sql<{ userKey: number; role: string }[]>`
    delete from member where organization_key = ${key} returning user_key as "userKey", role`
  // Owners keep their account, and may make another organization.
  const others = left.filter(({ role }) => role !== 'owner').map(({ userKey }) => userKey)
  await deleteLostAccounts(sql, others)
  await sql`delete from api_key where organization_key = ${key}`
  await sql`delete from connector where organization_key = ${key}`
  // Only now: of these there may be many, and behind a closed gate uploads wait.
  await closeGate(sql, key)
  await sql`update organization set is_removed = true, is_public = false, brand = '{}' where key = ${key}`
  await noteChange(sql, [allOfOrganization(key)])
}

/**
 * Of these users those who belong to no organization any more; gives how many. They are locked first, and counted in a statement of its
 * own: two organizations that let somebody go at once each saw the other's membership, and the account stayed with none; and one that
 * another organization added at once was deleted with that membership. Memberships are locked before, as by holdVisitor (oauth/ticket.ts).
 */
export const deleteLostAccounts = async (sql: Transaction, userKeys: readonly number[]): Promise<number> => {
  await sql`select from user_account where key = any(${userKeys}::integer[]) order by key for no key update`
  const { count } = await sql`
    delete from user_account
    where key = any(${userKeys}::integer[]) and not exists (select from member where user_key = user_account.key)`
  return count
}
