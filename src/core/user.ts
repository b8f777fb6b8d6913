// Users: one account per e-mail, and a role in each organization that it belongs to.
import type { Sql } from '../base/sql.ts'
import type { Caller, Role } from './caller.ts'
import { userCaller } from './caller.ts'

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
  readonly organizationName: string
  readonly role: Role
}

const columns = (sql: Sql) => sql`
  user_account.key, user_account.uid, user_account.email, user_account.first_name as "firstName",
  user_account.last_name as "lastName", user_account.time_zone as "timeZone", user_account.version`

export type NewUser = Pick<User, 'email' | 'firstName' | 'lastName' | 'timeZone'> & { readonly passwordHash: string }

export const insertUser = async (sql: Sql, user: NewUser): Promise<User> => {
  const [row] = await sql<[User]>`
    insert into user_account (email, first_name, last_name, time_zone, password_hash)
    values (${user.email}, ${user.firstName}, ${user.lastName}, ${user.timeZone}, ${user.passwordHash})
    returning ${columns(sql)}`
  return row
}

/** E-mails ignore case. */
export const findUserByEmail = async (
  sql: Sql,
  email: string,
): Promise<(User & { readonly passwordHash: string }) | undefined> => {
  const [row] = await sql<(User & { passwordHash: string })[]>`
    select ${columns(sql)}, password_hash as "passwordHash"
    from user_account
    where lower(email) = lower(${email})`
  return row
}

export const findUserByKey = async (sql: Sql, key: number): Promise<User | undefined> => {
  const [row] = await sql<User[]>`select ${columns(sql)} from user_account where key = ${key}`
  return row
}

export const listMemberships = (sql: Sql, userKey: number): Promise<readonly Membership[]> =>
  sql<Membership[]>`
    select member.organization_key as "organizationKey", organization.uid as "organizationUid",
      organization.name as "organizationName", member.role
    from member
    join organization on organization.key = member.organization_key
    where member.user_key = ${userKey}
    order by lower(organization.name), organization.key`

/** The caller that a connector's run-as user is; undefined when the user is no member any more. */
export const callerForUser = async (
  sql: Sql,
  organizationKey: number,
  userKey: number,
): Promise<Caller | undefined> => {
  const [row] = await sql<{ uid: string; role: Role; organizationUid: string }[]>`
    select user_account.uid, member.role, organization.uid as "organizationUid"
    from member
    join user_account on user_account.key = member.user_key
    join organization on organization.key = member.organization_key
    where member.organization_key = ${organizationKey} and member.user_key = ${userKey}`
  return (
    row &&
    userCaller({ key: organizationKey, uid: row.organizationUid }, { key: userKey, uid: row.uid, role: row.role })
  )
}
