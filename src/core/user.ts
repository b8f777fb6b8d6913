// Users: one account per e-mail, and a role in each organization that it belongs to.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import { conflict } from '../base/errors.ts'
import type { Caller, Role } from './caller.ts'
import { userCaller } from './caller.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'
import { deleteLostAccounts, isOfOperator, tenantUid } from './organization.ts'

export type User = {
  readonly key: number
  readonly uid: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly timeZone: string
  readonly version: number
}

export type Membership = {
  readonly organizationKey: number
  readonly organizationUid: string
  readonly tenantUid: string
  readonly role: Role
}

/** For people to read. */
export type NamedMembership = Membership & { readonly organizationName: string }

const columns = (sql: Sql) => sql`
  user_account.key, user_account.uid, user_account.email, user_account.first_name as "firstName",
  user_account.last_name as "lastName", user_account.time_zone as "timeZone", user_account.version`

export type NewUser = Pick<User, 'email' | 'firstName' | 'lastName' | 'timeZone'> & {
  readonly passwordHash: string
  /** The organization that makes them; null: the operator, at the first start. */
  readonly madeIn: number | null
}

export const insertUser = async (sql: Sql, user: NewUser): Promise<User> => {
  const [row] = await unlessTaken(
    sql<[User]>`
      insert into user_account (email, first_name, last_name, time_zone, password_hash, tenant_uid)
      values (
        ${user.email}, ${user.firstName}, ${user.lastName}, ${user.timeZone}, ${user.passwordHash},
        ${tenantOf(sql, user.madeIn)})
      returning ${columns(sql)}`,
    emailTaken,
  )
  return row
}

/** People of the operator make organizations for others, which are tenants of their own. */
const tenantOf = (sql: Sql, madeIn: number | null) =>
  madeIn === null || isOfOperator({ key: madeIn })
    ? sql`null`
    : sql`(select coalesce(tenant_uid, uid) from organization where key = ${madeIn})`

const emailTaken = 'this e-mail has an account already'

export type UserWithPassword = User & { readonly passwordHash: string }

/** E-mails ignore case. */
export const findUserByEmail = async (sql: Sql, email: string): Promise<UserWithPassword | undefined> => {
  const [row] = await sql<UserWithPassword[]>`
    select ${columns(sql)}, password_hash as "passwordHash"
    from user_account
    where lower(email) = lower(${email})`
  return row
}

/** The owners of organizations, some of them: for somebody on the host who looks for an account. */
export const ownerEmails = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ email: string }[]>`
    select distinct email
    from user_account
    join member on user_key = user_account.key
    where role = 'owner'
    order by email
    limit 20`
  return rows.map(({ email }) => email)
}

export const findUserWithPassword = async (sql: Sql, key: number): Promise<UserWithPassword | undefined> => {
  const [row] = await sql<UserWithPassword[]>`
    select ${columns(sql)}, password_hash as "passwordHash" from user_account where key = ${key}`
  return row
}

/**
 * Whether the password that was checked is still the user's. A new password then waits until the transaction ends, and
 * finds the session it made: a sign-in under way cannot outlive its password.
 */
export const holdPassword = async (sql: Transaction, { key, passwordHash }: UserWithPassword): Promise<boolean> => {
  const rows = await sql`
    select from user_account where key = ${key} and password_hash = ${passwordHash} for share`
  return rows.length === 1
}

/** Whether the user belongs to the organization, which stays so until the transaction ends. */
export const holdMember = async (sql: Transaction, organizationKey: number, userKey: number): Promise<boolean> => {
  const rows = await sql`
    select from member where organization_key = ${organizationKey} and user_key = ${userKey} for key share`
  return rows.length === 1
}

export const listMemberships = (sql: Sql, userKey: number): Promise<readonly NamedMembership[]> =>
  sql<NamedMembership[]>`
    select ${membership(sql)}, organization.name as "organizationName"
    from member
    join organization on organization.key = member.organization_key
    where member.user_key = ${userKey}
    order by lower(organization.name), organization.key`

/**
 * The same without names, of all organizations or of this one: these stay in memory with each of a user's sessions and tokens, and a
 * name may have 2 KB.
 */
export const findMemberships = (
  sql: Sql,
  userKey: number,
  organizationKey: number | null = null,
): Promise<readonly Membership[]> =>
  sql<Membership[]>`
    select ${membership(sql)}
    from member
    join organization on organization.key = member.organization_key
    where member.user_key = ${userKey}
      and ${organizationKey === null ? sql`true` : sql`member.organization_key = ${organizationKey}`}
    order by organization.key`

const membership = (sql: Sql) => sql`
  member.organization_key as "organizationKey", organization.uid as "organizationUid", ${tenantUid(sql)}, member.role`

/** Each is read when a session of the user is looked up, listed by every sign-in, and told of it by the audit log. */
const mostMemberships = 1000

/** Asked before a membership is made: of two at once, one goes first. */
export const refuseManyMemberships = async (sql: Transaction, userKey: number): Promise<void> => {
  await sql`select from user_account where key = ${userKey} for no key update`
  const [row] = await sql<[{ n: number }]>`select count(*)::integer as n from member where user_key = ${userKey}`
  if (row.n >= mostMemberships) throw conflict(`a user belongs to ${mostMemberships} organizations at most`)
}

/** Like holdPassword, for a transaction that goes on to change it: of two that have shown the same one, one goes first. */
export const lockPassword = async (sql: Transaction, key: number, passwordHash: string): Promise<boolean> => {
  const rows = await sql`
    select from user_account where key = ${key} and password_hash = ${passwordHash} for no key update`
  return rows.length === 1
}

/** The caller for a connector's run-as user; undefined when the user is no member any more. */
export const callerForUser = async (
  sql: Sql,
  organizationKey: number,
  userKey: number,
): Promise<Caller | undefined> => {
  const [row] = await sql<{ uid: string; role: Role; organizationUid: string; tenantUid: string }[]>`
    select user_account.uid, member.role, organization.uid as "organizationUid", ${tenantUid(sql)}
    from member
    join user_account on user_account.key = member.user_key
    join organization on organization.key = member.organization_key
    where member.organization_key = ${organizationKey} and member.user_key = ${userKey}`
  if (row === undefined) return undefined
  const { uid, role, organizationUid, tenantUid: ofTenant } = row
  return userCaller({ key: organizationKey, uid: organizationUid, tenantUid: ofTenant }, { key: userKey, uid, role })
}

/** A user as an organization sees them. */
export type Member = User & { readonly role: Role }

export const memberSorts = {
  email: 'lower(user_account.email)',
  firstName: 'lower(user_account.first_name)',
  lastName: 'lower(user_account.last_name)',
  // From the one with the most rights.
  role: "array_position(array['owner', 'admin', 'member', 'guest'], member.role)",
  timeZone: 'user_account.time_zone',
  version: 'user_account.version',
} as const satisfies Sorts

export const listMembers = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { role, email }: { readonly role?: Role | undefined; readonly email?: string | undefined },
): Promise<Listing<Member>> =>
  openListing<Member>(sql, page, {
    select: sql`select ${columns(sql)}, member.role`,
    from: sql`
      from member
      join user_account on user_account.key = member.user_key
      where member.organization_key = ${organizationKey}
        and ${holds(sql, page.text, 'email', 'first_name', 'last_name')}
        and ${isEqual(sql, 'member.role', role)}
        and ${email === undefined ? sql`true` : sql`lower(user_account.email) = lower(${email})`}`,
    order: orderOf(sql, page, memberSorts, 'user_account.key', sql`${sql.unsafe(memberSorts.email)}`),
  })

export const findMember = async (sql: Sql, organizationKey: number, uid: string): Promise<Member | undefined> => {
  const [row] = await sql<Member[]>`
    select ${columns(sql)}, member.role
    from member
    join user_account on user_account.key = member.user_key
    where member.organization_key = ${organizationKey} and user_account.uid = ${uid}`
  return row
}

/** Holds the organization's members still, so that two owners cannot remove each other at the same time. */
export const lockMembers = async (sql: Transaction, organizationKey: number): Promise<void> => {
  await sql`select from organization where key = ${organizationKey} for no key update`
}

export const countOwners = async (sql: Sql, organizationKey: number): Promise<number> => {
  const [row] = await sql<[{ n: number }]>`
    select count(*)::integer as n from member where organization_key = ${organizationKey} and role = 'owner'`
  return row.n
}

export const insertMember = async (sql: Sql, organizationKey: number, userKey: number, role: Role): Promise<void> => {
  await unlessTaken(
    sql`insert into member (organization_key, user_key, role) values (${organizationKey}, ${userKey}, ${role})`,
    'this user is a member already',
  )
}

/** The role is shown beside the account, so the account's version counts its changes too. */
export const setRole = async (
  sql: Transaction,
  organizationKey: number,
  userKey: number,
  role: Role,
): Promise<void> => {
  await sql`
    update member set role = ${role} where organization_key = ${organizationKey} and user_key = ${userKey}`
  await sql`update user_account set version = version + 1 where key = ${userKey}`
}

export type UserChange = Pick<User, 'email' | 'firstName' | 'lastName' | 'timeZone'> & {
  /** Undefined: the password stays. */
  readonly passwordHash: string | undefined
}

/** Told before anything ends; of two that take the same e-mail at once one is told by updateUser. */
export const refuseTaken = async (sql: Sql, { key }: Pick<User, 'key'>, email: string): Promise<void> => {
  const holder = await findUserByEmail(sql, email)
  if (holder !== undefined && holder.key !== key) throw conflict(emailTaken)
}

export const updateUser = async (sql: Sql, key: number, change: UserChange): Promise<void> => {
  await unlessTaken(
    sql`
      update user_account
      set email = ${change.email}, first_name = ${change.firstName}, last_name = ${change.lastName},
        time_zone = ${change.timeZone}, password_hash = coalesce(${change.passwordHash ?? null}, password_hash),
        version = version + 1
      where key = ${key}`,
    emailTaken,
  )
}

/** Takes the user out of the organization. A user removed from the last organization is deleted. */
export const removeMember = async (sql: Transaction, organizationKey: number, userKey: number): Promise<void> => {
  await sql`delete from member where organization_key = ${organizationKey} and user_key = ${userKey}`
  await deleteLostAccounts(sql, [userKey])
}
