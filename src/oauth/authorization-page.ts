// The authorization page at /alt/ (docs/oauth.md#authorization-request): a client sends the user here, the user signs
// in and agrees, and the browser goes on to redirect_uri with a code. Every step is a form post to the same address;
// ticket.ts carries the state from one step to the next.
//
// Nobody is sent on to a client before having signed in, and then only by pressing a button that says so, even where
// the client's request is wrong (RFC 9700, 4.11.2): clients are registered by anybody who has an organization.
import type { Access } from '../access/guard.ts'
import { baseUrlOf } from '../base/http/address.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { badRequest, Fault } from '../base/errors.ts'
import type { Reply } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import { randomToken } from '../base/secret.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { World } from '../base/world.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import type { NamedMembership } from '../core/user.ts'
import { findUserWithPassword, listMemberships } from '../core/user.ts'
import { patientTransaction } from '../core/sample/catalog-change.ts'
import type { AuthorizationRequest } from './authorize.ts'
import { demandSameClient, isAsked, issueCode, readAuthorizationRequest, redirectTarget } from './authorize.ts'
import { cookieOf, ownCookie } from './cookie.ts'
import type { Input } from './input.ts'
import { collect, inputFromForm, readInput } from './input.ts'
import type { SignIn } from './login.ts'
import { consentPage, errorPage, refusalPage, signInPage } from './page/html.ts'
import type { Visitor } from './ticket.ts'
import { holdVisitor, openTickets } from './ticket.ts'
import { headersWith, pageOf } from './frame.ts'

const sealCookie = 'alt'

type Visit = {
  readonly call: Call
  readonly request: AuthorizationRequest
  /** The fields typed in the form or set by it, beside the request itself. */
  readonly form: Input
  /** The e-mail that the client suggests. */
  readonly email: string
  /** The browser's own secret, from its cookie or new. */
  readonly browser: string
}

/** `elsewhere` answers visits that ask for no authorization: the studio has the same address. */
export const pageHandler = (
  world: World,
  access: Access,
  secrets: Secrets,
  signIn: SignIn,
  elsewhere: Handler,
): Handler => {
  const { sql, clock, config } = world
  const page = pageOf(world, pageHeaders)
  const { sealOf, isSealOf, ticketOf, visitorOf } = openTickets(secrets)

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
    const input = { ...inputFromForm(call.rawQuery), ...form, ...unpack(form['carried']) }
    if (!isAsked(input)) return elsewhere(call)
    const request = await readAuthorizationRequest(sql, input, baseUrlOf(config, call.headers))
    const known = ownCookie(config, call.headers.cookie, sealCookie)
    const visited = { call, request, form, email: input['email'] ?? '', browser: known || randomToken() }
    // A form that does not bear this browser's seal was not filled in here: it counts as a fresh visit.
    const isSealed = known !== undefined && known !== '' && isSealOf(known, form['seal'])
    if (!isSealed) return begin(visited, form['step'] !== undefined)
    if (form['step'] === 'signin') return trySignIn(visited)
    if (form['step'] === 'switch') return showSignIn(visited, 200, {}, '')
    const visitor = await visitorOf(sql, request, visited.browser, form['ticket'] ?? '', clock.now())
    if (visitor === undefined) return showSignIn(visited, 400, {}, '', 'That took too long. Please sign in again.')
    return form['step'] === 'allow' && !request.refusal ? allow(visited, visitor) : goBack(visited)
  }

  const begin = async (visited: Visit, wasTyped: boolean): Promise<Reply> => {
    const visitor = wasTyped ? undefined : await visitorBySession(visited.call)
    if (visitor) return showNext(visited, visitor)
    const problem = wasTyped ? 'Please try again; this page needs cookies.' : undefined
    return showSignIn(visited, 200, {}, visited.email, problem)
  }

  const trySignIn = async (visited: Visit): Promise<Reply> => {
    const { call, form } = visited
    try {
      return await showNext(visited, { user: await signIn(call, form), sessionHash: undefined })
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

  const showNext = (visited: Visit, visitor: Visitor): Promise<Reply> =>
    visited.request.refusal ? showRefusal(visited, visitor) : showConsent(visited, visitor)

  /** The organizations of the user that the client may be let into. */
  const choicesOf = async ({ organizationUid }: AuthorizationRequest, { user }: Visitor) =>
    (await listMemberships(sql, user.key)).filter(
      (membership) => organizationUid === undefined || membership.organizationUid === organizationUid,
    )

  const allow = async (visited: Visit, visitor: Visitor): Promise<Reply> => {
    const { request, form, call } = visited
    const choices = await choicesOf(request, visitor)
    const chosen = choices.length === 1 ? choices[0] : choices.find((each) => each.organizationUid === form['chosen'])
    if (chosen === undefined) return showConsent(visited, visitor, 'Choose an organization.')
    const { user } = visitor
    const grantor = { userKey: user.key, userUid: user.uid, organizationKey: chosen.organizationKey }
    const code = await patientTransaction(sql, holdersOfCall(call), async (tx) => {
      await demandSameClient(tx, request)
      return (await holdVisitor(tx, visitor, chosen.organizationKey))
        ? issueCode(tx, secrets, clock.now(), request, grantor)
        : undefined
    })
    return code === undefined
      ? showSignIn(visited, 400, {}, '', 'Your account has changed meanwhile. Please sign in again.')
      : redirect(call, request, { code })
  }

  const goBack = async ({ call, request }: Visit): Promise<Reply> => {
    const { error, description } = request.refusal ?? {
      error: 'access_denied',
      description: 'the user did not agree',
    }
    return redirect(call, request, { error, error_description: description })
  }

  const showSignIn = (
    { call, request, browser }: Visit,
    status: number,
    headers: Reply['headers'],
    email: string,
    problem?: string,
  ): Promise<Reply> => {
    const carried = { carried: pack(request), seal: sealOf(browser) }
    const view = { clientName: request.client.name, carried, email, problem }
    return page(call, status, { ...headers, ...keepBrowser(browser) }, (frame) => signInPage(frame, view))
  }

  const showConsent = async (visited: Visit, visitor: Visitor, problem?: string): Promise<Reply> => {
    const { request } = visited
    const choices = await choicesOf(request, visitor)
    if (choices.length === 0) return showSignIn(visited, 403, {}, '', noChoice(request))
    const organization = await findOrganizationByKey(sql, request.client.organizationKey)
    const view = {
      ...stepOf(visited, visitor),
      clientOrganization: organization?.name ?? '',
      email: visitor.user.email,
      fullName: `${visitor.user.firstName} ${visitor.user.lastName}`.trim(),
      choices: choices.map(choiceOf),
      scope: request.scope,
      problem,
    }
    return page(visited.call, problem ? 400 : 200, keepBrowser(visited.browser), (frame) => consentPage(frame, view))
  }

  const showRefusal = (visited: Visit, visitor: Visitor): Promise<Reply> => {
    const view = { ...stepOf(visited, visitor), problem: visited.request.refusal!.description }
    return page(visited.call, 400, keepBrowser(visited.browser), (frame) => refusalPage(frame, view))
  }

  const stepOf = ({ request, browser }: Visit, visitor: Visitor) => ({
    clientName: request.client.name,
    carried: {
      carried: pack(request),
      seal: sealOf(browser),
      ticket: ticketOf(request, browser, visitor, clock.now()),
    },
    target: URL.canParse(request.redirectUri)
      ? new URL(request.redirectUri).host || new URL(request.redirectUri).protocol
      : request.redirectUri,
  })

  const keepBrowser = (browser: string) => cookieOf(config, sealCookie, browser, 3600)

  /** A user who is signed in to the service already need not sign in again, but must agree all the same. */
  const visitorBySession = async ({ headers, address }: Call): Promise<Visitor | undefined> => {
    const secret = ownCookie(config, headers.cookie, 'session')
    const signedIn = secret ? await access.findSessionUser(secret, address) : undefined
    const user = signedIn && (await findUserWithPassword(sql, signedIn.userKey))
    return user && { user, sessionHash: signedIn.by.hash }
  }

  const redirect = (call: Call, request: AuthorizationRequest, result: Input): Reply => ({
    status: 303,
    headers: { ...pageHeaders, Location: redirectTarget(request, result, baseUrlOf(config, call.headers)) },
    body: '',
  })

  return visit
}

const choiceOf = ({ organizationUid, organizationName }: NamedMembership) => ({
  uid: organizationUid,
  name: organizationName,
})

const noChoice = ({ organizationUid }: AuthorizationRequest) =>
  organizationUid === undefined
    ? 'This account belongs to no organization. Use another one.'
    : 'This account does not belong to the organization that was asked for. Use another one.'

/** In one field and in plain letters: browsers change line ends and other characters of hidden fields. */
const pack = ({ input }: AuthorizationRequest): string => Buffer.from(JSON.stringify(input)).toString('base64url')

const unpack = (carried: string | undefined): Input => {
  if (carried === undefined) return {}
  try {
    return collect(Object.entries(JSON.parse(Buffer.from(carried, 'base64url').toString()) as Record<string, unknown>))
  } catch {
    throw badRequest('the form was changed on its way')
  }
}

const pageHeaders = headersWith()
