// The authorization page at /alt/ (5.2): a client sends the user here, the user signs in and agrees, and the
// browser goes on to redirect_uri with a code. Every step is a form post to the same address.
//
// Each form carries a seal made of a cookie that only this browser has, so that no other site can fill it in.
// After signing in it also carries a ticket: who signed in, for which request, encrypted. Nothing is kept here.
import { createHash } from 'node:crypto'
import type { Access, SignedIn } from '../access/guard.ts'
import { cookieValue } from '../access/credential.ts'
import { baseUrlOf } from '../base/address.ts'
import type { Call, Handler } from '../base/call.ts'
import { Fault } from '../base/errors.ts'
import type { Reply } from '../base/reply.ts'
import { emptyReply } from '../base/reply.ts'
import type { Secrets } from '../base/secret.ts'
import { equalInConstantTime, randomToken } from '../base/secret.ts'
import { transaction } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { findBrand } from '../core/organization.ts'
import type { User } from '../core/user.ts'
import { findUserByKey } from '../core/user.ts'
import type { AuthorizationRequest } from './authorize.ts'
import { issueCode, readAuthorizationRequest, redirectTarget, requestMembers } from './authorize.ts'
import { cookieOf } from './cookie.ts'
import type { Input } from './input.ts'
import { inputFromForm, readInput } from './input.ts'
import type { SignIn } from './login.ts'
import { consentPage, emptyPage, errorPage, signInPage } from './page/html.ts'
import { script } from './page/script.ts'
import { style } from './page/style.ts'

const ticketLifeMs = 10 * 60_000
const sealCookie = 'alt'

type Visit = {
  readonly call: Call
  readonly request: AuthorizationRequest
  /** What is typed in the form or set by it, beside the request itself. */
  readonly form: Input
  /** The browser's own secret, from its cookie or new. */
  readonly browser: string
  readonly isSealed: boolean
}

export const pageHandler = (world: World, access: Access, secrets: Secrets, signIn: SignIn): Handler => {
  const { sql, clock, config } = world

  const visit: Handler = async (call) => {
    try {
      return await answer(call)
    } catch (error) {
      if (!(error instanceof Fault) || error.status > 499) throw error
      return page(call, error.status, error.headers, (frame) => errorPage(frame, error.message))
    }
  }

  const answer = async (call: Call): Promise<Reply> => {
    const form = call.method === 'POST' ? await readInput(call) : {}
    const input = { ...inputFromForm(call.rawQuery), ...form }
    if (requestMembers.every((name) => name === 'email' || input[name] === undefined))
      return page(call, 200, {}, emptyPage)
    const request = await readAuthorizationRequest(sql, input)
    if (request.refusal)
      return redirect(request, { error: request.refusal.error, error_description: request.refusal.description })
    const known = cookieValue(call.headers.cookie, sealCookie)
    const isSealed = known !== undefined && known !== '' && isSealOf(known, form['seal'])
    const visited = { call, request, form, browser: known || randomToken(), isSealed }
    // A form that does not bear this browser's seal was not filled in here: it counts as a fresh visit.
    switch (isSealed ? (form['step'] ?? '') : '') {
      case 'signin':
        return trySignIn(visited)
      case 'allow':
        return allow(visited)
      case 'deny':
        return redirect(request, { error: 'access_denied', error_description: 'the user did not agree' })
      case 'switch':
        return showSignIn(visited, 200, {}, '')
      default:
        return begin(visited)
    }
  }

  const begin = async (visited: Visit): Promise<Reply> => {
    const user = await userOfSession(visited.call)
    const wasTyped = visited.form['step'] !== undefined
    const problem = wasTyped ? 'Please try again; this page needs cookies.' : undefined
    return user && !wasTyped
      ? showConsent(visited, user)
      : showSignIn(visited, 200, {}, visited.request.input['email'] ?? '', problem)
  }

  const trySignIn = async (visited: Visit): Promise<Reply> => {
    const { call, form } = visited
    try {
      return await showConsent(visited, await signIn(call.address, form))
    } catch (error) {
      if (!(error instanceof Fault) || error.status > 499) throw error
      const { 'Retry-After': wait } = error.headers
      const problem = wait
        ? `Too many attempts. Try again in ${wait} seconds.`
        : error.status === 401
          ? 'Wrong e-mail or password.'
          : 'Enter your e-mail and your password.'
      return showSignIn(visited, error.status, wait ? { 'Retry-After': wait } : {}, form['email'] ?? '', problem)
    }
  }

  const allow = async (visited: Visit): Promise<Reply> => {
    const userKey = userKeyOf(visited)
    const problem = 'That took too long. Please sign in again.'
    if (userKey === undefined) return showSignIn(visited, 400, {}, '', problem)
    const code = await transaction(sql, (tx) => issueCode(tx, secrets, clock.now(), visited.request, userKey))
    return redirect(visited.request, { code })
  }

  const showSignIn = (
    { call, request, browser }: Visit,
    status: number,
    headers: Reply['headers'],
    email: string,
    problem?: string,
  ): Promise<Reply> => {
    const carried = { ...carriedOf(request), seal: sealOf(browser) }
    const view = { clientName: request.client.name, carried, email, problem }
    return page(call, status, { ...headers, ...keepBrowser(browser) }, (frame) => signInPage(frame, view))
  }

  const showConsent = ({ call, request, browser }: Visit, user: User): Promise<Reply> => {
    const carried = { ...carriedOf(request), seal: sealOf(browser), ticket: ticketOf(request, browser, user.key) }
    const view = {
      clientName: request.client.name,
      carried,
      email: user.email,
      fullName: `${user.firstName} ${user.lastName}`.trim(),
      target: URL.canParse(request.redirectUri)
        ? new URL(request.redirectUri).host || new URL(request.redirectUri).protocol
        : request.redirectUri,
    }
    return page(call, 200, keepBrowser(browser), (frame) => consentPage(frame, view))
  }

  const keepBrowser = (browser: string) => cookieOf(config, sealCookie, browser, 3600, { path: '/alt' })

  const sealOf = (browser: string) => secrets.hash(`seal ${browser}`).toString('base64url')
  const isSealOf = (browser: string, seal = '') => equalInConstantTime(Buffer.from(sealOf(browser)), Buffer.from(seal))

  const ticketOf = (request: AuthorizationRequest, browser: string, userKey: number) =>
    secrets
      .encrypt(JSON.stringify([userKey, clock.now() + ticketLifeMs, purposeOf(request, browser)]), 'oauth consent')
      .toString('base64url')

  /** Who signed in for exactly this request in exactly this browser, if that was not too long ago. */
  const userKeyOf = ({ request, browser, form }: Visit): number | undefined => {
    try {
      const text = secrets.decrypt(Buffer.from(form['ticket'] ?? '', 'base64url'), 'oauth consent')
      const [userKey, endsMs, purpose] = JSON.parse(text) as [number, number, string]
      return endsMs > clock.now() && purpose === purposeOf(request, browser) ? userKey : undefined
    } catch {
      return undefined
    }
  }

  /** Who is signed in to the service already need not sign in again, but must agree all the same. */
  const userOfSession = async (call: Call): Promise<User | undefined> => {
    let signedIn: SignedIn | undefined
    try {
      await access.guardUser(async (user) => {
        signedIn = user
        return emptyReply
      })({ ...call, query: noQuery, headers: { cookie: call.headers.cookie ?? '' }, method: 'GET' })
    } catch (error) {
      if (!(error instanceof Fault) || error.status > 499) throw error
    }
    return signedIn && findUserByKey(sql, signedIn.userKey)
  }

  const page = async (
    call: Call,
    status: number,
    headers: Reply['headers'],
    draw: (frame: Parameters<typeof emptyPage>[0]) => string,
  ): Promise<Reply> => {
    // The page of a brand is told by the name that the browser used, which may be anything.
    const address = baseUrlOf({ ...config, baseUrl: undefined }, call.headers)
    const host = URL.canParse(address) ? new URL(address).hostname : config.host
    const brand = await findBrand(sql, host)
    return { status, headers: { ...pageHeaders, ...headers }, body: draw({ brand, host }) }
  }

  return visit
}

const noQuery: Call['query'] = { pairs: [], get: () => undefined, all: () => [], broken: undefined }

const carriedOf = ({ input }: AuthorizationRequest): Input =>
  Object.fromEntries(
    requestMembers.flatMap((name) => (name === 'email' || input[name] === undefined ? [] : [[name, input[name]]])),
  )

const purposeOf = (request: AuthorizationRequest, browser: string) =>
  createHash('sha256')
    .update(JSON.stringify([browser, request.client.key, carriedOf(request)]))
    .digest('base64')

const redirect = (request: AuthorizationRequest, told: Input): Reply => ({
  status: 303,
  headers: { ...pageHeaders, Location: redirectTarget(request, told) },
  body: '',
})

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// There is no form-action: browsers apply it to the redirect that answers the form, which leads to the client.
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}
