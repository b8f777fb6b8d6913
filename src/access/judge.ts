// Judges whether a recognized credential is good for the call at hand, and makes the Caller. Pure: it throws 401 where
// the credential holds no longer, 403 where it does not hold for this address or organization.
import { inRanges } from '../base/http/address.ts'
import { Fault, forbidden, unauthorized } from '../base/errors.ts'
import type { Caller } from '../core/caller.ts'
import { tokenCaller, userCaller } from '../core/caller.ts'
import type { Membership } from '../core/user.ts'
import type { KnownKey, KnownToken, SignedIn } from './recognize.ts'

export type Use = {
  readonly address: string
  /** The organization that the call names. */
  readonly organizationUid: string | undefined
  readonly byCookie: boolean
  readonly nowMs: number
}

export const judgeKey = (key: KnownKey, { address, organizationUid, byCookie, nowMs }: Use): Caller => {
  refuseEnded(key, nowMs)
  if (key.ranges.length > 0 && !inRanges(address, key.ranges))
    throw forbidden('this API key may not be used from this address')
  if (organizationUid && organizationUid !== key.caller.organizationUid)
    throw forbidden('this API key belongs to another organization')
  return byCookie ? key.cookieCaller : key.caller
}

const refuseEnded = ({ isEnabled, expiresMs }: KnownKey, nowMs: number): void => {
  if (!isEnabled) throw unauthorized('this API key is disabled')
  if (expiresMs !== null && expiresMs <= nowMs) throw unauthorized('this API key has expired')
}

/** Gives the user, who may belong to several organizations. */
export const judgeToken = ({ user, expiresMs }: KnownToken, nowMs: number): SignedIn => {
  if (expiresMs <= nowMs) throw unauthorized('this token has expired')
  return user
}

export const judgeUser = (user: SignedIn, { organizationUid, byCookie }: Use): Caller => {
  const { memberships, by } = user
  const caller = callerIn(selectMembership(memberships, organizationUid, by.kind === 'grant'), user, byCookie)
  return by.kind === 'grant' ? tokenCaller(caller, by.clientId, by.scope) : caller
}

/**
 * Of a credential as it was when its call was let in, and as it is now: whoever was signed out, removed or given less while
 * the call was under way may not finish it.
 */
export const demandSame = (
  before: KnownKey | KnownToken,
  now: KnownKey | KnownToken,
  nowMs: number,
  /** That of the call, if it is one of a single organization. */
  organizationKey?: number,
): void => {
  if (now.kind === 'api_key') refuseEnded(now, nowMs)
  if (before === now || hasKept(before, now, organizationKey)) return
  throw forbidden('the rights of this credential were changed while the call was under way, make it again')
}

const hasKept = (
  before: KnownKey | KnownToken,
  now: KnownKey | KnownToken,
  organizationKey: number | undefined,
): boolean => {
  // The secret of a key that was removed may be another's by now, of any organization: whoever makes a key may choose it.
  if (before.kind === 'api_key')
    return now.kind === 'api_key' && now.caller.actor === before.caller.actor && now.rights === before.rights
  const { memberships } = before.user
  const needed =
    organizationKey === undefined ? memberships : memberships.filter((each) => each.organizationKey === organizationKey)
  if (organizationKey !== undefined && needed.length === 0) return false
  return now.kind === 'token' && needed.every((membership) => isAmong(now.user.memberships, membership))
}

const isAmong = (memberships: readonly Membership[], { organizationKey, role }: Membership): boolean =>
  memberships.some((membership) => membership.organizationKey === organizationKey && membership.role === role)

/** A user as the caller that they are in one of their organizations. */
export const callerIn = (
  { organizationKey, organizationUid, tenantUid, role }: Membership,
  { userKey, userUid }: SignedIn,
  byCookie: boolean,
): Caller =>
  userCaller({ key: organizationKey, uid: organizationUid, tenantUid }, { key: userKey, uid: userUid, role }, byCookie)

/** The organization that a user's call is for. */
export const selectMembership = (
  memberships: readonly Membership[],
  org: string | undefined,
  isByToken = false,
): Membership => {
  if (org !== undefined) {
    const membership = memberships.find(({ organizationUid }) => organizationUid === org)
    if (membership === undefined)
      throw forbidden(isByToken ? 'this token is of another organization' : 'you do not belong to this organization')
    return membership
  }
  if (memberships.length > 1) throw new Fault('org_required', 'you belong to several organizations: name one as org')
  const [only] = memberships
  if (only === undefined) throw forbidden('you belong to no organization')
  return only
}
