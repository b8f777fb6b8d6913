// Signing in: the one check of e-mail and password, sessions (docs/access.md#sessions), and the grant code without a
// browser (docs/oauth.md#without-a-browser). Failures are limited per address and per e-mail, and all look alike.
import { cookieOf, clearedCookie } from './cookie.ts'
import { findCredential } from '../access/credential.ts'
import type { Access } from '../access/guard.ts'
import { selectMembership } from '../access/judge.ts'
import { isByOtherSite } from '../access/other-site.ts'
import { addressSite, baseUrlOf } from '../base/http/address.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { badRequest, forbidden, unauthorized } from '../base/errors.ts'
import type { Limiter } from '../base/http/limit.ts'
import { mostWaitingSignIns } from '../base/http/limit.ts'
import { untilGone } from '../base/http/reading.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import { randomToken, verifyPassword } from '../base/secret.ts'
import type { Holders } from '../base/shares.ts'
import type { Sql } from '../base/database/sql.ts'
import { callerTransaction } from '../base/database/caller-transaction.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { World } from '../base/world.ts'
import { writeSignIn } from '../core/audit.ts'
import { patientTransaction } from '../core/sample/catalog-change.ts'
import { deleteSession, insertSession, sessionIdleMs } from '../core/session.ts'
import { isOfOperator } from '../core/organization.ts'
import type { NamedMembership, UserWithPassword } from '../core/user.ts'
import { findMemberships, findUserByEmail, findUserWithPassword, holdPassword, listMemberships } from '../core/user.ts'
import { demandSameClient, issueCode, readAuthorizationRequest } from './authorize.ts'
import type { Input } from './input.ts'
import { readInput } from './input.ts'
import { holdVisitor } from './ticket.ts'

/** Gives the user, or throws 400, 429, 401, or 503 where too many of its address wait. */
export type SignIn = (call: Call, input: Input) => Promise<UserWithPassword>

export const signInWith =
  (world: World, limiter: Limiter): SignIn =>
  async (call, { email, password }) => {
    const { address } = call
    if (!email || email.length > 320 || !password || password.length > 1000)
      throw badRequest('email and password are needed: {"email":"you@example.org","password":"..."}')
    const check = async (signal: AbortSignal, isFamiliar: boolean) => {
      const user = await findUserByEmail(world.sql, email.trim())
      const holders = isFamiliar && user ? await holdersOfUser(world.sql, user) : strangersAtHashing(address)
      // Without a user the password is checked all the same, so that both failures take as long.
      const turn = { signal, mostWaiting: mostWaitingSignIns }
      const isRight = await verifyPassword(password, user?.passwordHash, holders, turn)
      const written = user && writeSignIn(world.sql, user, isRight, address)
      if (user && isRight) {
        await written
        return user
      }
      // The reply does not wait for the audit log: the time would show which e-mails have an account.
      written?.catch((error: unknown) => world.log.warn({ err: error }, 'a failed sign-in is not in the audit log'))
      throw wrongPassword()
    }
    return untilGone(call, (signal) =>
      limiter.signIn(address, email, (isFamiliar) => check(signal, isFamiliar), { signal }),
    )
  }

/** Strangers with very many addresses fill their own queue, and not that of people who sign in where they have done so before. */
export const holdersOfUser = async (sql: Sql, { key, uid }: UserWithPassword): Promise<Holders> => {
  const [first] = await findMemberships(sql, key)
  return [`tenant ${first?.tenantUid ?? uid}`, `user ${uid}`]
}

/** All of a site take turns as one. */
export const strangersAtHashing = (address: string): Holders => ['strangers', `stranger ${addressSite(address)}`]

const wrongPassword = () => unauthorized('wrong e-mail or password')

export const loginHandlers = (world: World, access: Access, secrets: Secrets, signIn: SignIn) => {
  const { sql, clock, config } = world

  const login: Handler = async (call) => {
    const user = await signIn(call, await readInput(call))
    const token = randomToken()
    await callerTransaction(sql, holdersOfCall(call), async (tx) => {
      if (!(await holdPassword(tx, user))) throw wrongPassword()
      await insertSession(tx, secrets.hash(token), user.key, clock.now())
    })
    const memberships = await listMemberships(sql, user.key)
    const reply = jsonReply({
      success: true,
      message: '',
      sessionUid: token,
      userUid: user.uid,
      userEmail: user.email,
      userFirstName: user.firstName,
      userLastName: user.lastName,
      organization: memberships.map(showMembership),
    })
    // A page of another site may sign in and use the session it gets, but not plant it into the browser.
    const cookie = isByOtherSite(call.headers, config.baseUrl)
      ? {}
      : cookieOf(config, 'session', token, sessionIdleMs / 1000)
    return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store', ...cookie } }
  }

  /** The call succeeds when nobody is signed in, too: the page gets an answer, and its browser logs no error. */
  const showSession: Handler = async (call) => {
    if (call.fault) throw call.fault
    const credential = findCredential(call)
    const user =
      credential !== undefined && credential.kind !== 'api_key'
        ? await access.findSessionUser(credential.secret, call.address)
        : undefined
    const person = user && (await findUserWithPassword(sql, user.userKey))
    const memberships = user ? await listMemberships(sql, user.userKey) : []
    const reply = jsonReply({
      success: true,
      message: '',
      userUid: user?.userUid ?? null,
      userEmail: person?.email ?? null,
      userFirstName: person?.firstName ?? null,
      userLastName: person?.lastName ?? null,
      organization: memberships.map(showMembership),
      // For lines to paste. Strangers need not know.
      mqttPort: (user && config.mqttPort) ?? null,
    })
    return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
  }

  // Ends sessions only: a token is ended by its client at the revocation endpoint, a grant by its user.
  const logout = access.guardUser(async ({ by }) => {
    await deleteSession(sql, by.hash)
    await access.refresh()
    const reply = jsonReply({ success: true, message: '' })
    return { ...reply, headers: { ...reply.headers, ...clearedCookie(config, 'session') } }
  })

  const oauthLogin: Handler = async (call) => {
    const input = await readInput(call)
    const request = await readAuthorizationRequest(sql, input, baseUrlOf(config, call.headers))
    // Checked first: reports of missing members would mislead where the client is refused anyhow.
    if (!request.client.passwordLogin)
      throw forbidden('this client may not use oauth_login: it is registered with passwordLogin false')
    if (request.refusal) throw badRequest(request.refusal.description)
    const user = await signIn(call, input)
    const memberships = await findMemberships(sql, user.key)
    const { organizationKey } = selectMembership(memberships, request.organizationUid)
    const grantor = { userKey: user.key, userUid: user.uid, organizationKey }
    const code = await patientTransaction(sql, holdersOfCall(call), async (tx) => {
      await demandSameClient(tx, request)
      if (!(await holdVisitor(tx, { user, sessionHash: undefined }, organizationKey))) throw wrongPassword()
      return issueCode(tx, secrets, clock.now(), request, grantor)
    })
    const reply = jsonReply({
      success: true,
      oauthCode: code,
      oauthState: input['state'] ?? '',
      message: '',
      oauthRedirectUri: request.redirectUri,
    })
    return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
  }

  return { login, showSession, logout, oauthLogin }
}

const showMembership = ({ organizationKey, organizationUid, organizationName, role }: NamedMembership) => ({
  uid: organizationUid,
  name: organizationName,
  type: 'organization',
  role,
  operator: isOfOperator({ key: organizationKey }),
})
