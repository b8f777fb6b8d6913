// The guard in front of every call: makes the Caller from the request, or refuses (docs/access.md#credentials). What
// the caller may then do is asked with demand (core/caller.ts), and nothing may be done without asking.
//
//   const access = openAccess(world, secrets)
//   access.guard(async (caller, call) => { demand(caller, 'GET component/feed', uid); ... })
//
// With the key in memory it takes 2.3 µs, measured by 200,000 calls in a row.
import { addressGroup, inRanges } from '../base/http/address.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import type { AddressRange } from '../base/config.ts'
import { addressRange } from '../base/config.ts'
import { Fault, forbidden, unauthorized } from '../base/errors.ts'
import type { Reply } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import type { World } from '../base/world.ts'
import { readAccessChanges } from '../core/access-change.ts'
import { findApiKeyBySecret } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import { holdersOf, publicCaller, tokenCaller, userCaller } from '../core/caller.ts'
import { findOrganization } from '../core/organization.ts'
import type { TokenHolder } from '../core/session.ts'
import { findTokenHolder, sessionIdleMs, touchSession } from '../core/session.ts'
import type { Membership } from '../core/user.ts'
import { keyRights, namedIn, rulesFrom } from './capability.ts'
import type { Credential } from './credential.ts'
import { findCredential, findOrganizationUid, findSinkCredential } from './credential.ts'
import type { Remembered } from './memory.ts'
import { openMemory } from './memory.ts'

export type Guard = (
  handle: (caller: Caller, call: Call) => Promise<Reply>,
  /** 'anyone' lets a public organization's readers in, who have no credential: for calls that read feeds. */
  audience?: 'known' | 'anyone',
) => Handler

/** A user who signed in, before it is settled for which organization the call is. */
export type SignedIn = {
  readonly userKey: number
  readonly userUid: string
  /** Of an OAuth token: that of its organization alone. */
  readonly memberships: readonly Membership[]
  readonly by: BySession | ByGrant
}
type BySession = { readonly kind: 'session'; readonly hash: Buffer }
/** An OAuth token came of it. */
type ByGrant = { readonly kind: 'grant' } & NonNullable<TokenHolder['grant']>

export type Access = {
  readonly guard: Guard
  /** For the connector sink, which only API keys open (docs/connectors.md#the-sink). */
  readonly guardSink: (handle: (caller: Caller, call: Call) => Promise<Reply>) => Handler
  /** For calls about users themselves, which need no organization: by a session. */
  readonly guardUser: (handle: (user: SignedIn & { readonly by: BySession }, call: Call) => Promise<Reply>) => Handler
  /** The caller of a request, for those who cannot wrap a handler; throws what guard would. */
  readonly identify: (call: Call, audience?: 'known' | 'anyone') => Caller | Promise<Caller>
  /** The user behind a session or an OAuth token; throws 401, or 403 for an API key. */
  readonly identifyUser: (call: Call) => Promise<SignedIn>
  /** To await after a change to credentials, users or organizations is committed: it then holds here at once. */
  readonly refresh: () => Promise<void>
  /** For those who remember other things that are changed with these, such as connectors. */
  readonly alsoRefresh: (refresh: () => Promise<void>) => void
}

type KnownKey = Remembered & {
  readonly kind: 'api_key'
  readonly caller: Caller
  readonly cookieCaller: Caller
  readonly isEnabled: boolean
  readonly expiresMs: number | null
  readonly ranges: readonly AddressRange[]
}
type KnownToken = Remembered & {
  readonly kind: 'token'
  readonly user: SignedIn
  expiresMs: number
  touchedMs: number | null
}
type KnownOrganization = Remembered & { readonly kind: 'organization'; readonly caller: Caller | undefined }
type Known = KnownKey | KnownToken | KnownOrganization

// Often enough for an idle time of 30 days.
const touchAfterMs = 600_000

export const openAccess = (world: World, secrets: Secrets): Access => {
  const { sql, clock, config } = world
  const memory = openMemory<Known>((since) => readAccessChanges(sql, since))
  const others: (() => Promise<void>)[] = []

  const lookUp = async ({ kind, secret }: Pick<Credential, 'kind' | 'secret'>): Promise<Known | undefined> => {
    const hash = secrets.hash(secret)
    if (kind === 'token') return knownToken(hash, await findTokenHolder(sql, hash))
    const apiKey = await findApiKeyBySecret(sql, hash)
    if (apiKey === undefined) return undefined
    const caller: Caller = {
      organizationKey: apiKey.organizationKey,
      organizationUid: apiKey.organizationUid,
      actor: `api_key ${apiKey.uid}`,
      user: undefined,
      byCookie: false,
      may: keyRights(rulesFrom(apiKey.capabilities)),
      key: { named: namedIn(apiKey.capabilities), addresses: apiKey.addresses, expiresMs: apiKey.expiresMs },
    }
    return {
      kind: 'api_key',
      tags: [`api_key ${apiKey.key}`, `organization ${apiKey.organizationKey}`],
      caller,
      cookieCaller: { ...caller, byCookie: true },
      isEnabled: apiKey.enabled,
      expiresMs: apiKey.expiresMs,
      ranges: apiKey.addresses.map(addressRange),
    }
  }

  const lookUpOrganization = async (uid: string): Promise<Known | undefined> => {
    const organization = await findOrganization(sql, uid)
    return (
      organization && {
        kind: 'organization',
        tags: [`organization ${organization.key}`],
        caller: organization.isPublic ? publicCaller(organization.key, uid) : undefined,
      }
    )
  }

  /** Throws 401 unless it is known and of that kind; without waiting where memory serves. */
  const recognize = (credential: Credential): Known | Promise<Known> => {
    const settling = memory.settle()
    const known = settling === undefined ? memory.get(credential.secret) : undefined
    return known === undefined ? recognizeSlowly(credential, settling) : checked(known, credential)
  }
  const recognizeSlowly = async (credential: Credential, settling: Promise<void> | undefined): Promise<Known> => {
    await settling
    const known = memory.get(credential.secret) ?? (await memory.find(credential.secret, () => lookUp(credential)))
    return checked(known, credential)
  }
  const checked = (known: Known | undefined, { kind }: Credential): Known => {
    if (known === undefined || known.kind !== kind) throw unauthorized(`unknown ${credentialWords[kind]}`)
    return known
  }

  const callerFrom = (known: Known, credential: Credential, call: Call): Caller => {
    const { byCookie } = credential
    const nowMs = clock.now()
    const org = findOrganizationUid(call, credential)
    if (byCookie) refuseOtherSites(call, config.baseUrl)
    if (known.kind === 'api_key') {
      call.actor = known.caller.actor
      if (!known.isEnabled) throw unauthorized('this API key is disabled')
      if (known.expiresMs !== null && known.expiresMs <= nowMs) throw unauthorized('this API key has expired')
      if (known.ranges.length > 0 && !inRanges(call.address, known.ranges))
        throw forbidden('this API key may not be used from this address')
      if (org && org !== known.caller.organizationUid) throw forbidden('this API key belongs to another organization')
      return byCookie ? known.cookieCaller : known.caller
    }
    const { userKey, userUid, memberships, by } = signedIn(known, nowMs)
    call.actor = `user ${userUid}`
    const membership = selectMembership(memberships, org, by.kind === 'grant')
    const caller = userCaller(
      { key: membership.organizationKey, uid: membership.organizationUid },
      { key: userKey, uid: userUid, role: membership.role },
      byCookie,
    )
    return by.kind === 'grant' ? tokenCaller(caller, by.clientId, by.scope) : caller
  }

  const signedIn = (known: Known, nowMs: number): SignedIn => {
    if (known.kind !== 'token') throw unauthorized('this is no session')
    if (known.expiresMs <= nowMs) throw unauthorized('this token has expired')
    const { by } = known.user
    if (by.kind === 'session' && known.touchedMs !== null && nowMs - known.touchedMs > touchAfterMs) {
      known.touchedMs = nowMs
      known.expiresMs = nowMs + sessionIdleMs
      // The call need not wait, and need not fail: the next one tries again after a while.
      touchSession(sql, by.hash, nowMs).catch((error: unknown) => world.log.warn({ err: error }, 'session not touched'))
    }
    return known.user
  }

  const publicReader = async (call: Call): Promise<Caller> => {
    const org = findOrganizationUid(call)
    if (org !== undefined) {
      await memory.settle()
      const name = `organization ${org}`
      const known = memory.get(name) ?? (await memory.find(name, () => lookUpOrganization(org)))
      if (known?.kind === 'organization' && known.caller) return known.caller
    }
    throw missing()
  }

  const identifyBy = (call: Call, credential: Credential): Caller | Promise<Caller> => {
    const known = recognize(credential)
    return known instanceof Promise
      ? known.then((found) => callerFrom(found, credential, call))
      : callerFrom(known, credential, call)
  }
  const identify: Access['identify'] = (call, audience = 'known') => {
    const credential = findCredential(call)
    if (credential) return identifyBy(call, credential)
    if (audience === 'anyone') return publicReader(call)
    throw missing()
  }

  const identifyUser: Access['identifyUser'] = async (call) => {
    const credential = findCredential(call)
    if (credential === undefined) throw missing()
    const known = await recognize(credential)
    if (known.kind === 'api_key') {
      callerFrom(known, credential, call)
      throw forbidden('this call needs a signed-in user')
    }
    if (credential.byCookie) refuseOtherSites(call, config.baseUrl)
    const user = signedIn(known, clock.now())
    call.actor = `user ${user.userUid}`
    if (call.fault) throw call.fault
    call.callerHolders = [`user ${user.userUid} ${addressGroup(call.address)}`]
    return user
  }

  const identifySink = async (call: Call): Promise<Caller> => {
    const credential = findSinkCredential(call)
    if (credential === undefined)
      throw unauthorized('a sink is opened by API keys only: api_key in the URL or in a cookie, or the key as Basic')
    // A GET of the sink stores data too, so here no method is harmless.
    if (credential.byCookie) refuseOtherSites({ ...call, method: 'POST' }, config.baseUrl)
    return callerFrom(await recognize(credential), credential, call)
  }

  return {
    identify,
    identifyUser,
    // Not async: on the way of every upload each promise less counts. What it throws, app.ts catches all the same.
    guard: (handle, audience) => {
      const proceed = (caller: Caller, call: Call) => {
        if (call.fault) throw call.fault
        call.callerHolders = holdersOf(caller, call.address)
        return handle(caller, call)
      }
      return (call) => {
        const identified = identify(call, audience)
        return identified instanceof Promise
          ? identified.then((caller) => proceed(caller, call))
          : proceed(identified, call)
      }
    },
    guardSink: (handle) => async (call) => {
      const caller = await identifySink(call).catch((error: unknown) => {
        // The header that the sink takes; who answers challenges would never get in by another.
        throw error instanceof Fault && error.status === 401 ? unauthorized(error.message, basicChallenge) : error
      })
      if (call.fault) throw call.fault
      call.callerHolders = holdersOf(caller, call.address)
      return handle(caller, call)
    },
    guardUser: (handle) => async (call) => {
      const user = await identifyUser(call)
      const { by } = user
      if (by.kind === 'grant') {
        // What is wrong with the form of a call comes first (docs/replies.md#order-of-judgement).
        if (call.method === 'POST' || call.method === 'PUT') await readInput(call)
        throw forbidden('this call needs a session: an OAuth token may not make it')
      }
      return handle({ ...user, by }, call)
    },
    // The change is made in any case; where it cannot be read now, memory is not relied on either.
    refresh: async () => void (await Promise.allSettled([memory.refresh(), ...others.map((refresh) => refresh())])),
    alsoRefresh: (refresh) => void others.push(refresh),
  }
}

const credentialWords = { token: 'session or token', api_key: 'API key' }

const basicChallenge = 'Basic realm="Coppice", charset="UTF-8"'

const missing = () => unauthorized('this call needs a credential')

const knownToken = (hash: Buffer, holder: TokenHolder | undefined): KnownToken | undefined =>
  holder && {
    kind: 'token',
    tags: [
      `user ${holder.userKey}`,
      holder.grant === null ? `session \\x${hash.toString('hex')}` : `grant ${holder.grant.key}`,
    ],
    user: {
      userKey: holder.userKey,
      userUid: holder.userUid,
      memberships: holder.memberships,
      by: holder.grant === null ? { kind: 'session', hash } : { kind: 'grant', ...holder.grant },
    },
    expiresMs: holder.expiresMs,
    touchedMs: holder.usedMs,
  }

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

/**
 * A browser adds cookies to what other sites make it send. SameSite holds back most of it; this also refuses
 * what comes from a sibling domain. Devices say nothing about where they are from, and pass.
 */
const refuseOtherSites = ({ method, headers }: Pick<Call, 'method' | 'headers'>, baseUrl: string | undefined): void => {
  if (method === 'GET' || method === 'HEAD') return
  if (isByOtherSite(headers, baseUrl)) throw forbidden('a cookie is no credential for a call that another site makes')
}

/** Whether a page of another site, or of a sibling domain, made the browser send it. Old browsers tell the origin only. */
export const isByOtherSite = (headers: Call['headers'], baseUrl: string | undefined): boolean => {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined || origin === originOf(baseUrl)) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

const originOf = (baseUrl: string | undefined) => (baseUrl === undefined ? undefined : new URL(baseUrl).origin)
