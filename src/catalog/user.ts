// Users in the management API (docs/access.md#roles): the members of the caller's organization and their roles. An
// account may belong to several organizations, so the account's own members (e-mail, name, password) are changed by its
// holder, or by an admin of the only organization it belongs to.
import { isDeepStrictEqual } from 'node:util'
import { demandRole } from '../access/cover.ts'
import { badRequest, conflict, forbidden, notFound } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  further,
  oneOf,
  readMembers,
  shownUid,
  text,
  timeZone,
  unlessBlank,
  versionNumber,
} from '../base/http/members.ts'
import { hashPassword } from '../base/secret.ts'
import type { Holders } from '../base/shares.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller, Role } from '../core/caller.ts'
import { roleMay } from '../core/caller.ts'
import { endSomeOfMember, endSomeOfUser, unfinishedAfter } from '../core/ending.ts'
import { organizationTimeZone } from '../core/organization.ts'
import { deleteSessionsOfUser } from '../core/session.ts'
import type { Member, User } from '../core/user.ts'
import {
  countOwners,
  findMember,
  findMemberships,
  findUserByEmail,
  insertMember,
  insertUser,
  listMembers,
  lockMembers,
  lockPassword,
  memberSorts,
  refuseManyMemberships,
  refuseTaken,
  removeMember,
  setRole,
  updateUser,
} from '../core/user.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

const email: Reader<string> = further(text(3, 320), {}, (name, given) => {
  const written = given.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(written)) throw badRequest(`${name} must be an e-mail address`)
  return written
})

const roleWord = oneOf('guest', 'member', 'admin', 'owner')

const members = {
  uid: shownUid,
  email,
  firstName: text(0, 200),
  lastName: text(0, 200),
  role: roleWord,
  timeZone: unlessBlank(timeZone),
  password: text(8, 1000),
  /** Checked by own-password.ts. */
  currentPassword: text(0, 1000),
  version: versionNumber,
}

/** The members of a user, with the hash in place of the password once that is prepared. */
type UserMembers = Members<typeof members> & { readonly passwordHash?: string }
type NewMember = UserMembers & { readonly email: string }

const readUser = (input: unknown): UserMembers => readMembers('user', input, members)

const withHash = async <Given extends UserMembers>(given: Given, holders: Holders): Promise<Given> =>
  given.password === undefined ? given : { ...given, passwordHash: await hashPassword(given.password, holders) }

const filters = { role: roleWord, email: text(0, 320) }

export const userEntity: Entity<Member, NewMember, UserMembers, typeof filters> = {
  name: 'user',
  about: {
    part: 'access',
    one: 'a user',
    many: 'users',
    newMembers: members,
    changeMembers: members,
    needs: ['email'],
    shown: { password: null, currentPassword: null },
    example: { email: 'new@example.org', role: 'member', password: 'correct horse battery' },
  },
  readNew: (input) => {
    const { email: address, ...given } = readUser(input)
    if (address === undefined) throw badRequest('a user needs an email, and one without an account here a password')
    return { ...given, email: address }
  },
  readChange: readUser,
  filters,
  sorts: memberSorts,
  list: (sql, caller, search) => listMembers(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findMember(sql, caller.organizationKey, uid),
  secretsIn: ({ password }) => (password === undefined ? [] : ['password']),
  prepareNew: withHash,
  prepareChange: withHash,
  create: async (sql, caller, given) => {
    const { organizationKey } = caller
    const { role = 'member', passwordHash } = given
    refuseMakingOwner(caller, role)
    demandRole(caller, role)
    const known = await findUserByEmail(sql, given.email)
    if (known) {
      await refuseStrangers(sql, caller, known)
      await refuseManyMemberships(sql, known.key)
    }
    const user = known ?? (await makeAccount(sql, organizationKey, given, passwordHash))
    await insertMember(sql, organizationKey, user.key, role)
    return (await findMember(sql, organizationKey, user.uid))!
  },
  update: async (
    sql,
    caller,
    { uid },
    { version, role, password, passwordHash, currentPassword: _checked, ...given },
  ) => {
    const { organizationKey } = caller
    await lockMembers(sql, organizationKey)
    const user = await findMember(sql, organizationKey, uid)
    if (user === undefined) throw notFound('user', uid)
    refuseStale('user', { version }, user)
    const newRole = role === user.role ? undefined : role
    if (newRole !== undefined) await refuseRole(sql, caller, user, newRole)
    const changed = withGiven(user, given)
    // An unchanged user may be sent back, also by callers who may not change it.
    const isOfAccount = password !== undefined || !isDeepStrictEqual(changed, user)
    if (isOfAccount) {
      await refuseForeignAccount(sql, caller, user)
      // With a password or an e-mail of their own choice, callers can sign in as that user.
      const isForSignIn = password !== undefined || changed.email !== user.email
      if (isForSignIn && caller.user?.key !== user.key) demandRole(caller, user.role)
      if (isForSignIn && caller.user?.key === user.key) await demandShown(sql, caller, user)
      await refuseTaken(sql, user, changed.email)
    }
    // Only now, when nothing is refused any more.
    const ended = password === undefined ? undefined : await endSomeOfUser(sql, user.key)
    if (ended) return unfinishedAfter(sql, caller, 'user.end_some', uid, ended)
    if (newRole !== undefined) await setRole(sql, organizationKey, user.key, newRole)
    if (isOfAccount) await updateUser(sql, user.key, { ...changed, passwordHash })
    // Everybody who knew the old password is signed out, everywhere.
    if (password !== undefined) await deleteSessionsOfUser(sql, user.key)
    return (await findMember(sql, organizationKey, uid))!
  },
  remove: async (sql, caller, { uid }) => {
    const { organizationKey } = caller
    await lockMembers(sql, organizationKey)
    const user = await findMember(sql, organizationKey, uid)
    if (user === undefined) throw notFound('user', uid)
    refuseOwners(caller, user.role)
    await keepAnOwner(sql, organizationKey, user)
    const ended = await endSomeOfMember(sql, organizationKey, user.key)
    if (ended) return unfinishedAfter(sql, caller, 'user.end_some', uid, ended)
    await removeMember(sql, organizationKey, user.key)
    return undefined
  },
  show: (user) => ({
    uid: user.uid,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    timeZone: user.timeZone,
    version: user.version,
  }),
}

const makeAccount = async (
  sql: Transaction,
  organizationKey: number,
  { email: address, firstName = '', lastName = '', timeZone: zone }: NewMember,
  passwordHash: string | undefined,
): Promise<User> => {
  if (passwordHash === undefined) throw badRequest('password is missing: nobody has an account with this e-mail yet')
  const own = zone ?? (await organizationTimeZone(sql, organizationKey))
  return insertUser(sql, { email: address, firstName, lastName, timeZone: own, passwordHash, madeIn: organizationKey })
}

/** Owners are for owners only; an API key is never one. */
const refuseOwners = (caller: Caller, target: Role): void => {
  if (target === 'owner' && caller.user?.role !== 'owner') throw forbidden('only an owner may do this to an owner')
}

const refuseMakingOwner = (caller: Caller, role: Role): void => {
  if (role === 'owner' && caller.user?.role !== 'owner') throw forbidden('only an owner may make somebody an owner')
}

const refuseRole = async (sql: Transaction, caller: Caller, user: Member, role: Role): Promise<void> => {
  // Everybody may PUT their own account, but a role is given by those who may PUT others'.
  if (caller.user && !roleMay(caller.user.role, 'PUT user')) throw forbidden('you may not change your own role')
  refuseOwners(caller, user.role)
  refuseMakingOwner(caller, role)
  demandRole(caller, role)
  await keepAnOwner(sql, caller.organizationKey, user)
}

const keepAnOwner = async (sql: Transaction, organizationKey: number, { role }: Member): Promise<void> => {
  if (role === 'owner' && (await countOwners(sql, organizationKey)) === 1)
    throw conflict('an organization must keep an owner, and this is its last')
}

/**
 * An account that is there already can be added by an admin of an organization that it belongs to. Others could
 * otherwise drag any user into theirs, who would from then on have to name an organization with each call.
 */
const refuseStrangers = async (sql: Transaction, caller: Caller, known: User): Promise<void> => {
  const own = caller.user ? await findMemberships(sql, caller.user.key) : []
  const theirs = await findMemberships(sql, known.key)
  const isKnownToCaller = own.some(
    ({ organizationKey, role }) =>
      roleMay(role, 'POST user') && theirs.some((membership) => membership.organizationKey === organizationKey),
  )
  // An account without an organization, because its last was deleted, is its holder's alone.
  if (!isKnownToCaller) throw conflict('this e-mail has an account already')
}

/** A change that was waiting while another was made has shown a password that is the user's no more. */
const demandShown = async (sql: Transaction, { shownPasswordHash }: Caller, { key }: Member): Promise<void> => {
  if (shownPasswordHash === undefined) throw missingCurrent()
  if (!(await lockPassword(sql, key, shownPasswordHash))) throw wrongCurrent()
}

export const missingCurrent = () =>
  badRequest('a new password or another e-mail of your own needs currentPassword, the one that holds now')

export const wrongCurrent = () => forbidden('currentPassword is wrong')

export const refuseForeignAccount = async (sql: Transaction, caller: Caller, user: Member): Promise<void> => {
  if (caller.user?.key === user.key) return
  refuseOwners(caller, user.role)
  if ((await findMemberships(sql, user.key)).length > 1)
    throw forbidden('this account belongs to other organizations too: only its holder may change it')
}
