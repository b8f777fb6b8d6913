// The user that a connector works as (docs/access.md#api-keys): nobody lets a script do more than they may do
// themselves.
import { demandRunAs } from '../access/cover.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { uidNotFound } from '../core/named.ts'
import { findMember } from '../core/user.ts'

/** The key of the user whom the caller may let a script run as. */
export const runAs = async (sql: Transaction, caller: Caller, uid: string): Promise<number> => {
  const member = await findMember(sql, caller.organizationKey, uid)
  // A caller that may give no role at all does not learn which users exist.
  demandRunAs(caller, member?.role ?? 'guest')
  if (member === undefined) throw await uidNotFound(sql, caller, 'user', uid)
  return member.key
}

/** The same for a connector that is to do something else; null is a user who has left. */
export const runAsAgain = async (sql: Transaction, caller: Caller, uid: string | null): Promise<number | null> => {
  if (uid !== null) return runAs(sql, caller, uid)
  // One who has left may come back in any role.
  demandRunAs(caller, 'owner')
  return null
}
