// The guard in front of every call: it finds the credential (credential.ts), recognizes it (recognize.ts), judges
// whether it is good for this call (judge.ts) and admits the Caller to the door, or refuses
// (docs/access.md#credentials). Each right of the caller is then asked for with demand (core/caller.ts), and nothing
// may be done without asking.
//
//   const access = openAccess(world, secrets)
//   access.guard(async (caller, call) => { demand(caller, 'GET component/feed', uid); ... })
//
// With the key in memory it takes 2.3 µs, measured by 200,000 calls in a row.
import { addressGroup } from '../base/http/address.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import { busy, Fault, forbidden, unauthorized } from '../base/errors.ts'
import type { Reply } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import type { Holders } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { holdersOf, strangerHolders, tokenCaller } from '../core/caller.ts'
import { sessionIdleMs, touchSession } from '../core/session.ts'
import type { Credential } from './credential.ts'
import { findCredential, findOrganizationUid, findSinkCredential } from './credential.ts'
import { someBytes } from './holds.ts'
import { callerIn, demandSame, judgeKey, judgeToken, judgeUser } from './judge.ts'
import { refuseOtherSites } from './other-site.ts'
import type { BySession, KnownKey, KnownToken, Recognition, SignedIn } from './recognize.ts'
import { findPublicCaller, openRecognition, recognize } from './recognize.ts'

/** 'anyone' lets a public organization's readers in, who have no credential: for calls that read feeds. */
export type Audience = 'known' | 'anyone'

export type Guard = (handle: (caller: Caller, call: Call) => Promise<Reply>, audience?: Audience) => Handler

export type SessionUser = SignedIn & { readonly by: BySession }

/**
 * A credential, with the caller that it is in each organization that it is good for; those of an OAuth token have its
 * scope.
 */
export type Account = {
  readonly callers: readonly Caller[]
  /** Undefined for an API key, and for an OAuth token: it holds in one organization, and its user may belong to others. */
  readonly user: SessionUser | undefined
}

/** The same, with the user of a token too. */
type Identity = { readonly callers: readonly Caller[]; readonly user: SignedIn | undefined }

export type Access = {
  readonly guard: Guard
  /** For calls that go on as long as their caller may make them: judgeAgain is set, whatever the call. Anyone may read a public organization. */
  readonly guardLasting: (handle: (caller: Caller, call: Call) => Promise<Reply>) => Handler
  /** For the connector sink, which only API keys open (docs/connectors.md#the-sink). */
  readonly guardSink: (handle: (caller: Caller, call: Call) => Promise<Reply>) => Handler
  /** For calls about organizations, which name none: by a session or an API key. */
  readonly guardAccount: (handle: (account: Account, call: Call) => Promise<Reply>) => Handler
  /** For calls about something of any of the caller's organizations, or of one that is gone: by any credential. */
  readonly guardAnywhere: (handle: (account: Account, call: Call) => Promise<Reply>) => Handler
  /** For calls about users themselves, which need no organization: by a session. */
  readonly guardUser: (handle: (user: SessionUser, call: Call) => Promise<Reply>) => Handler
  /** The caller of a request; throws as guard would. */
  readonly identify: (call: Call, audience?: Audience) => Caller | Promise<Caller>
  /** The user behind a session or an OAuth token; throws 401, or 403 for an API key. */
  readonly identifyUser: (call: Call) => Promise<SignedIn>
  /** The user of a session that goes on, by its secret, for a client at this address. */
  readonly findSessionUser: (secret: string, address: string) => Promise<SessionUser | undefined>
  /** The holders of a call as far as that is known before it is judged, for its turn: without waiting, and for nothing else. */
  readonly holdersNow: (call: Call) => Holders
  /** Sets the actor of a call that was refused before its guard was asked, if its credential is known. Never fails. */
  readonly nameCaller: (call: Call) => Promise<void> | undefined
  /** Undefined: what is remembered of credentials is right. Else a promise to await first. */
  readonly settle: () => Promise<void> | undefined
  /** To await after a change to credentials, users or organizations is committed: it then holds here at once. */
  readonly refresh: () => Promise<void>
  /** Registers a memory of other things that change with these, such as connectors. */
  readonly alsoRefresh: (refresh: () => Promise<void>) => void
}

/** The parts that all functions here need. */
type Desk = { readonly world: World; readonly recognition: Recognition }

export const openAccess = (world: World, secrets: Secrets): Access => {
  const recognition = openRecognition(world.sql, secrets)
  const desk: Desk = { world, recognition }
  const refreshes = [recognition.memory.refresh]
  return {
    // Not async: on the way of every upload each promise less counts. app.ts catches its errors all the same.
    guard: (handle, audience) => (call) => {
      const identified = identify(desk, call, audience)
      return identified instanceof Promise
        ? identified.then((caller) => admit(caller, call, handle))
        : admit(identified, call, handle)
    },
    guardLasting: (handle) => async (call) => {
      const { caller, letGo } = await identifyLasting(desk, call)
      return whileHeld(letGo, () => admit(caller, call, handle))
    },
    guardSink: (handle) => async (call) => admit(await identifyForSink(desk, call), call, handle),
    guardAccount: (handle) => async (call) => admitAccount(await identifyAccount(desk, call), call, handle),
    guardAnywhere: (handle) => async (call) => handle(accountOf(await identifyAccount(desk, call)), call),
    guardUser: (handle) => async (call) =>
      admitAccount(await identifyAccount(desk, call), call, ({ user }, judged) => handle(demandPerson(user), judged)),
    identify: (call, audience) => identify(desk, call, audience),
    identifyUser: async (call) => demandPerson((await identifyAccount(desk, call)).user),
    findSessionUser: (secret, address) => findSessionUser(desk, secret, address),
    holdersNow: (call) => holdersNow(desk, call),
    nameCaller: (call) => nameCaller(desk, call),
    settle: recognition.memory.settle,
    // The change is made in any case; where it cannot be read now, memory is not relied on either.
    refresh: async () => void (await Promise.allSettled(refreshes.map((refresh) => refresh()))),
    alsoRefresh: (refresh) => void refreshes.push(refresh),
  }
}

/** The caller of a call; without waiting where memory serves. */
const identify = (desk: Desk, call: Call, audience: Audience = 'known'): Caller | Promise<Caller> => {
  const credential = findCredential(call)
  if (credential !== undefined) return identifyBy(desk, call, credential)
  if (audience === 'anyone') return identifyReader(desk, call)
  throw missingCredential()
}

const identifyBy = (desk: Desk, call: Call, credential: Credential): Caller | Promise<Caller> => {
  const known = recognize(desk.recognition, credential, call.address)
  if (known instanceof Promise) return known.then((found) => judge(desk, call, credential, found))
  try {
    return judge(desk, call, credential, known)
  } catch (refusal) {
    if (!(refusal instanceof Fault) || refusal.status > 499) throw refusal
    return lookAnew(desk, call, credential, known, refusal).then((now) => judge(desk, call, credential, now))
  }
}

/**
 * One that was refused, as it is now: memory may lack for a moment the rights that another process has just given, and told its client of.
 * A user who had made an organization was refused there by the next of several WORKERS. Any number of refusals wait for one reading.
 */
const lookAnew = async (
  { recognition }: Desk,
  { address }: Call,
  credential: Credential,
  before: KnownKey | KnownToken,
  refusal: unknown,
): Promise<KnownKey | KnownToken> => {
  await recognition.memory.refresh().catch(() => {})
  const now = await recognize(recognition, credential, address)
  if (now === before) throw refusal
  return now
}

const judge = (desk: Desk, call: Call, credential: Credential, known: KnownKey | KnownToken): Caller => {
  call.actor = actorOf(known)
  refuseForeignUse(desk, call, credential)
  keepInMind(desk, call, credential, known)
  const use = useOf(desk, call, credential)
  const caller = known.kind === 'api_key' ? judgeKey(known, use) : judgeUser(signedIn(desk, known), use)
  holdUntilOver(desk, call, credential, known)
  return caller
}

/** One without a body, or whose body came along with its head, changes nothing once it has waited for long; a removal may. */
const keepInMind = (desk: Desk, call: Call, credential: Credential, known: KnownKey | KnownToken): void => {
  const { body, method } = call
  if ((body === undefined || Buffer.isBuffer(body)) && method !== 'DELETE') return
  call.judgeAgain = () => judgeAgain(desk, call, credential, known)
}

/**
 * 4,000 calls that wait, or whose bodies hardly come, each by a key of 1,000 rows, would take more than a gigabyte. Those of some rows
 * take little where nothing more is to come: thousands of a fleet's uploads may wait at once, and none is refused for its key.
 */
const holdUntilOver = (desk: Desk, call: Call, credential: Credential, known: KnownKey | KnownToken): void => {
  if (call.judgeAgain === undefined && (known.bytes ?? 0) <= someBytes) return
  call.letGo ??= hold(desk, credential, known, false)
}

const hold = (
  { recognition }: Desk,
  { secret }: Credential,
  known: KnownKey | KnownToken,
  isLasting: boolean,
): (() => void) => {
  const letGo = recognition.memory.hold(secret, known, isLasting)
  if (letGo === undefined) throw busy('too many keys with many rows are in use at once')
  return letGo
}

const judgeAgain = (
  { world, recognition }: Desk,
  { address }: Call,
  credential: Credential,
  before: KnownKey | KnownToken,
  organizationKey?: number,
): Promise<void> | undefined => {
  const now = recognize(recognition, credential, address)
  if (now instanceof Promise) return now.then((found) => demandSame(before, found, world.clock.now(), organizationKey))
  demandSame(before, now, world.clock.now(), organizationKey)
  return undefined
}

/** A caller whose credential is held until the call is over. */
type Lasting = { readonly caller: Caller; readonly letGo: () => void }

const identifyLasting = async (desk: Desk, call: Call): Promise<Lasting> => {
  const credential = findCredential(call)
  if (credential === undefined) {
    const caller = await identifyReader(desk, call)
    call.judgeAgain = async () => void (await identifyReader(desk, call))
    return { caller, letGo: () => {} }
  }
  const known = await recognize(desk.recognition, credential, call.address)
  const caller = judge(desk, call, credential, known)
  call.judgeAgain = () => {
    if (known.kind === 'token') judgeToken(known, desk.world.clock.now())
    return judgeAgain(desk, call, credential, known, caller.organizationKey)
  }
  return { caller, letGo: hold(desk, credential, known, true) }
}

const whileHeld = async (letGo: () => void, handle: () => Promise<Reply>): Promise<Reply> => {
  try {
    const reply = await handle()
    const onSent = () => {
      letGo()
      reply.onSent?.()
    }
    return { ...reply, onSent }
  } catch (error) {
    letGo()
    throw error
  }
}

const useOf = ({ world }: Desk, call: Call, credential: Credential) => ({
  address: call.address,
  organizationUid: findOrganizationUid(call, credential),
  byCookie: credential.byCookie,
  nowMs: world.clock.now(),
})

const refuseForeignUse = ({ world }: Desk, { method, headers }: Call, { byCookie }: Credential): void => {
  if (byCookie && method !== 'GET' && method !== 'HEAD') refuseOtherSites(headers, world.config.baseUrl)
}

/** The reader of a public organization. */
const identifyReader = async (desk: Desk, call: Call): Promise<Caller> => {
  const org = findOrganizationUid(call)
  const caller = org === undefined ? undefined : await findPublicCaller(desk.recognition, org, call.address)
  if (caller === undefined) throw missingCredential()
  return caller
}

const identifyForSink = async (desk: Desk, call: Call): Promise<Caller> => {
  try {
    const credential = findSinkCredential(call)
    if (credential === undefined)
      throw unauthorized('a sink is opened by API keys only: api_key in the URL or in a cookie, or the key as Basic')
    // A GET of the sink stores data too, so here no method is harmless.
    if (credential.byCookie) refuseOtherSites(call.headers, desk.world.config.baseUrl)
    return await identifyBy(desk, call, credential)
  } catch (error) {
    // The challenge names the header that the sink takes: a client that answers challenges gets in by no other.
    throw error instanceof Fault && error.status === 401 ? unauthorized(error.message, basicChallenge) : error
  }
}

const basicChallenge = 'Basic realm="Coppice", charset="UTF-8"'

const identifyAccount = async (desk: Desk, call: Call): Promise<Identity> => {
  const credential = findCredential(call)
  if (credential === undefined) throw missingCredential()
  const known = await recognize(desk.recognition, credential, call.address)
  call.actor = actorOf(known)
  refuseForeignUse(desk, call, credential)
  keepInMind(desk, call, credential, known)
  const identity = identityOf(desk, call, credential, known)
  const [caller] = identity.callers
  holdUntilOver(desk, call, credential, known)
  if (call.fault) throw call.fault
  call.callerHolders =
    identity.user === undefined && caller !== undefined
      ? holdersOf(caller, call.address)
      : [`${call.actor} ${addressGroup(call.address)}`]
  return identity
}

const identityOf = (desk: Desk, call: Call, credential: Credential, known: KnownKey | KnownToken): Identity => {
  if (known.kind === 'api_key') return { callers: [judgeKey(known, useOf(desk, call, credential))], user: undefined }
  const user = signedIn(desk, known)
  const { by, memberships } = user
  const inEach = memberships.map((each) => callerIn(each, user, credential.byCookie))
  return {
    callers: by.kind === 'grant' ? inEach.map((each) => tokenCaller(each, by.clientId, by.scope)) : inEach,
    user,
  }
}

const demandPerson = <User>(user: User | undefined): User => {
  if (user === undefined) throw forbidden('this call needs a signed-in user')
  return user
}

const findSessionUser = async (desk: Desk, secret: string, address: string): Promise<SessionUser | undefined> => {
  try {
    const known = await recognize(desk.recognition, { kind: 'token', secret, byCookie: true }, address)
    return known.kind === 'token' ? bySession(signedIn(desk, known)) : undefined
  } catch (error) {
    if (!(error instanceof Fault) || error.status > 499) throw error
    return undefined
  }
}

const bySession = ({ by, ...user }: SignedIn): SessionUser | undefined =>
  by.kind === 'session' ? { ...user, by } : undefined

// Often enough for an idle time of 30 days.
const touchAfterMs = 600_000

/** The user of a token that holds; a session's time begins anew. */
const signedIn = ({ world }: Desk, known: KnownToken): SignedIn => {
  const nowMs = world.clock.now()
  const user = judgeToken(known, nowMs)
  const { by } = user
  if (by.kind === 'session' && known.touchedMs !== null && nowMs - known.touchedMs > touchAfterMs) {
    known.touchedMs = nowMs
    known.expiresMs = nowMs + sessionIdleMs
    // The call need not wait, and need not fail: the next one tries again after a while.
    touchSession(world.sql, by.hash, nowMs).catch((error: unknown) =>
      world.log.warn({ err: error }, 'session not touched'),
    )
  }
  return user
}

const actorOf = (known: KnownKey | KnownToken): string =>
  known.kind === 'api_key' ? known.caller.actor : `user ${known.user.userUid}`

/** All strangers are one group, so that any number of addresses leaves a part to callers who are known. */
const holdersNow = ({ recognition }: Desk, call: Call): Holders => {
  const known = rememberedOf(recognition, call)
  if (known === undefined) return strangerHolders(call.address)
  return known.kind === 'api_key' ? holdersOf(known.caller, call.address) : [actorOf(known)]
}

const rememberedOf = ({ memory }: Recognition, call: Call): KnownKey | KnownToken | undefined => {
  try {
    const credential = findCredential(call) ?? findSinkCredential(call)
    const known = credential && memory.get(credential.secret)
    return known?.kind === 'organization' ? undefined : known
  } catch {
    return undefined
  }
}

const nameCaller = (desk: Desk, call: Call): Promise<void> | undefined => {
  const name = (known: KnownKey | KnownToken) => void (call.actor = actorOf(known))
  try {
    const credential = findCredential(call)
    const known = credential && recognize(desk.recognition, credential, call.address)
    if (known instanceof Promise) return known.then(name, () => {})
    if (known !== undefined) name(known)
  } catch {}
  return undefined
}

type Handle<Whose> = (whose: Whose, call: Call) => Promise<Reply>

const admit = (caller: Caller, call: Call, handle: Handle<Caller>): Promise<Reply> => {
  if (call.fault) throw call.fault
  call.callerHolders = holdersOf(caller, call.address)
  return handle(caller, call)
}

const accountOf = ({ callers, user }: Identity): Account => ({ callers, user: user && bySession(user) })

const admitAccount = async (identity: Identity, call: Call, handle: Handle<Account>): Promise<Reply> => {
  const account = accountOf(identity)
  if (identity.user !== undefined && account.user === undefined) {
    // An error in the form of a call comes first (docs/replies.md#order-of-judgement).
    if (call.method === 'POST' || call.method === 'PUT') await readInput(call)
    throw forbidden('this call needs a session: an OAuth token may not make it')
  }
  return handle(account, call)
}

const missingCredential = () => unauthorized('this call needs a credential: api_key, session or a Bearer token')
