// Organizations: whose everything is. An organization's time zone is that of its owner, the first if there are
// several (2.1, decisions 12).
import { notFound } from '../base/errors.ts'
import type { Sql, Transaction } from '../base/sql.ts'
import { insertStockCycles } from './cycle.ts'
import { closeGate, everything, noteChange } from './gate.ts'
import type { Listing, Page } from './page.ts'
import { holds, readListing } from './page.ts'

export type Brand = { readonly domain?: string; readonly name?: string; readonly logo?: string }

export type Organization = {
  readonly key: number
  readonly uid: string
  readonly name: string
  readonly isPublic: boolean
  readonly plan: { readonly gsql: boolean }
  readonly retentionDays: number | null
  readonly brand: Brand
  readonly timeZone: string
  readonly version: number
}

const ownersTimeZone = (sql: Sql) => sql`
  coalesce((
    select user_account.time_zone
    from member
    join user_account on user_account.key = member.user_key
    where member.organization_key = organization.key and member.role = 'owner'
    order by member.since, member.user_key
    limit 1), 'UTC')`

const columns = (sql: Sql) => sql`
  organization.key, organization.uid, organization.name, organization.is_public as "isPublic", organization.plan,
  organization.retention_days as "retentionDays", organization.brand, organization.version,
  ${ownersTimeZone(sql)} as "timeZone"`

/** Makes an organization with its owner and its stock cycles. */
export const createOrganization = async (sql: Transaction, name: string, ownerKey: number): Promise<Organization> => {
  const [made] = await sql<[{ key: number }]>`insert into organization (name) values (${name}) returning key`
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

export const organizationTimeZone = async (sql: Sql, key: number): Promise<string> => {
  const [row] = await sql<{ timeZone: string }[]>`
    select ${ownersTimeZone(sql)} as "timeZone" from organization where key = ${key}`
  return row?.timeZone ?? 'UTC'
}

/** The brand that the authorization page shows when it is served on this domain. */
export const findBrand = async (sql: Sql, domain: string): Promise<Brand | undefined> => {
  const [row] = await sql<{ brand: Brand }[]>`
    select brand from organization where lower(brand ->> 'domain') = ${domain.toLowerCase()} order by key limit 1`
  return row?.brand
}

export const isBrandDomainTaken = async (sql: Sql, domain: string, exceptKey: number): Promise<boolean> => {
  const rows = await sql`
    select from organization where lower(brand ->> 'domain') = ${domain.toLowerCase()} and key <> ${exceptKey}`
  return rows.length > 0
}

export const listOrganizations = (sql: Sql, keys: readonly number[], page: Page): Promise<Listing<Organization>> =>
  readListing<Organization>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`from organization where key = any(${keys}::integer[]) and ${holds(sql, page.text, 'name')}`,
    order: sql`lower(name), key`,
  })

export const lockOrganization = async (sql: Transaction, key: number): Promise<Organization | undefined> => {
  const [row] = await sql<Organization[]>`
    select ${columns(sql)} from organization where key = ${key} and not is_removed for update`
  return row
}

/** Who keeps samples for longer than before, or for ever, starts anew with what is to be archived (retention.ts). */
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
    await closeGate(sql)
    await noteChange(sql, [everything])
  }
  await sql`
    update organization
    set name = ${change.name}, is_public = ${change.isPublic}, plan = ${sql.json(change.plan)},
      retention_days = ${change.retentionDays}, kept_until = ${keptUntil(sql, change.retentionDays)}, brand = ${sql.json(change.brand)}, version = version + 1
    where key = ${key}`
  if (change.timeZone !== organization.timeZone)
    await sql`
      update user_account
      set time_zone = ${change.timeZone}, version = version + 1
      where key = (
        select user_key
        from member
        where organization_key = ${key} and role = 'owner'
        order by since, user_key
        limit 1)`
  return (await findOrganizationByKey(sql, key))!
}

/**
 * From here on nobody finds it, who belonged to it or had a key or token of it is a stranger, and its brand is free. Its
 * components and samples go afterwards (removal.ts), with what else is below it.
 */
export const deleteOrganization = async (
  sql: Transaction,
  { key, uid }: Pick<Organization, 'key' | 'uid'>,
): Promise<void> => {
  // Whoever else has its row is waited for outside the gate.
  if ((await lockOrganization(sql, key)) === undefined) throw notFound('organization', uid)
  await closeGate(sql)
  await sql`update organization set is_removed = true, is_public = false, brand = '{}' where key = ${key}`
  await sql`delete from member where organization_key = ${key}`
  await sql`delete from api_key where organization_key = ${key}`
  await sql`delete from oauth_client where organization_key = ${key}`
  await sql`delete from connector where organization_key = ${key}`
  await noteChange(sql, [everything])
}
