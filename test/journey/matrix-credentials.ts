// The columns of the authorization matrix (matrix.test.ts): all kinds of credentials, and the status that a row expects of
// each.
import assert from 'node:assert/strict'
import type { Method, Role, Scope } from '../../src/core/caller.ts'
import { accessTokenLifeMs, deleteToken } from '../../src/core/oauth-grant.ts'
import { deleteSession } from '../../src/core/session.ts'
import type { User } from '../../src/core/user.ts'
import { addApiKey, addMember, addOrganization, addSession, addToken, addUser, testSecrets } from '../support/people.ts'
import type { TestService } from '../support/service.ts'

/** Credentials that are good for nothing, and what every guarded call answers to them. */
const useless = {
  none: 401,
  'wrong key': 401,
  'wrong session': 401,
  'expired key': 401,
  'expired session': 401,
  'expired token': 401,
  'revoked key': 401,
  'revoked session': 401,
  'revoked token': 401,
  'disabled key': 401,
  "removed user's session": 401,
  "removed user's token": 401,
  'wrong address': 403,
  'another org': 403,
} as const

/**
 * The others, in the order of the rows: a key that may GET everything; one for component feeds, GET and PUT; one for
 * everything of another component; one for everything, of another organization; then the four roles.
 */
const useful = ['reader', 'feeder', 'neighbour', 'foreign', 'guest', 'member', 'admin', 'owner'] as const

const roles = ['guest', 'member', 'admin', 'owner'] as const

/** Those who sign in: the four roles, and the owner of another organization. */
const people = [...roles, 'stranger'] as const

export type PersonKind = (typeof people)[number]
type Token = `${PersonKind}'s token` | `${PersonKind}'s token to read`
type Useful = (typeof useful)[number] | 'everything' | 'stranger' | Token

export type Kind = keyof typeof useless | Useful

export const isPerson = (kind: Kind): kind is PersonKind => (people as readonly string[]).includes(kind)

export type Row = {
  /**
   * One status for each of the useful, or one for everybody, credential or not. A ninth is the stranger's, where it is not
   * that of the foreign key.
   */
  readonly expected: string
  /** Kinds that no rule foretells. */
  readonly but?: Readonly<Partial<Record<Kind, number>>>
  /** The address and the body of a call, on things made for it alone. */
  readonly call: (kind: Kind) => Promise<{ readonly path: string; readonly input?: unknown }>
  /** Whether each kind calls something of its own. */
  readonly isOwn?: boolean
}

const sessionsOnly =
  /^\w+ \/api\/(organization|user|api_key|oauth_client|connection|connector\/import_test|audit|server_metrics|grant|login)(\/|$)/

/** A message of an assistant writes by some of its tools alone. */
const isWriting = (route: string) =>
  (!route.startsWith('GET ') || route === 'GET /api/feed') && route !== 'POST /api/mcp'

export const expectedOf = (route: string, { expected, but = {} }: Row): Readonly<Record<Kind, number>> => {
  const statuses = expected.split(' ').map(Number)
  const isOpen = statuses.length === 1
  assert.ok(isOpen || statuses.length === useful.length || statuses.length === useful.length + 1, expected)
  const known = Object.fromEntries(useful.map((kind, index) => [kind, statuses[isOpen ? 0 : index]!])) as Readonly<
    Record<(typeof useful)[number], number>
  >
  const stranger = statuses[useful.length] ?? known.foreign
  const others = Object.entries(useless).map(([kind, status]) => [kind, isOpen ? statuses[0]! : status])
  // Tokens may do what their users may, except what is about security; one of scope read may only read.
  const ofTokens = people.flatMap((user): [Token, number][] => {
    const own = { ...known, stranger }[user]
    const isDone = [200, 201, 202, 404].includes(own) && !isOpen
    const isOfSecurity = sessionsOnly.test(route)
    return [
      [`${user}'s token`, isDone && isOfSecurity ? 403 : own],
      [`${user}'s token to read`, isDone && (isOfSecurity || isWriting(route)) ? 403 : own],
    ]
  })
  return {
    ...(Object.fromEntries(others) as Record<keyof typeof useless, number>),
    ...(Object.fromEntries(ofTokens) as Record<Token, number>),
    stranger,
    // It does as the foreign key does, and finds what that does not.
    everything: known.reader < 300 ? known.reader : [400, 404].includes(known.foreign) ? known.owner : known.foreign,
    ...known,
    ...but,
  }
}

const all: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE']
const everything = [{ resource: '*', methods: all }]

export type Credentials = Readonly<Record<Kind, () => Promise<string>>>

/** Each as it stands in a query. */
export const openCredentials = async ({ sql, organizationUid }: TestService, neighbour: string) => {
  const stranger = await addUser(sql, 'stranger@example.org')
  const foreign = await addOrganization(sql, 'Foreign', stranger)
  const users = { stranger } as Record<PersonKind, User>
  for (const role of roles satisfies readonly Role[]) {
    users[role] = await addUser(sql, `${role}@example.org`)
    await addMember(sql, organizationUid, users[role], role)
  }
  const key = async (
    rows: Parameters<typeof addApiKey>[2],
    more: Parameters<typeof addApiKey>[3] = {},
    org = organizationUid,
  ) => {
    const { secret } = await addApiKey(sql, org, rows, more)
    return async () => `api_key=${secret}`
  }
  const sessions = new Map<User, string>()
  const session = (user: User) => async () => {
    const kept = sessions.get(user) ?? (await addSession(sql, user))
    sessions.set(user, kept)
    return `session=${kept}`
  }
  const token = async (user: User, more: { readonly scope?: Scope; readonly nowMs?: number } = {}) => {
    const made = await addToken(sql, user === stranger ? foreign.uid : organizationUid, user, more)
    return async () => `access_token=${made}`
  }
  const tokens: [Token, () => Promise<string>][] = []
  for (const person of people) {
    tokens.push([`${person}'s token`, await token(users[person])])
    tokens.push([`${person}'s token to read`, await token(users[person], { scope: 'read' })])
  }
  const revoked = await key(everything)
  await sql`delete from api_key where secret_hash = ${testSecrets.hash((await revoked()).slice(8))}`
  const removed = await addUser(sql, 'removed@example.org')
  await addMember(sql, organizationUid, removed, 'owner')
  const removedSession = await addSession(sql, removed)
  const removedToken = await token(removed)
  await sql`delete from user_account where key = ${removed.key}`
  const revokedSession = await addSession(sql, users.owner)
  await deleteSession(sql, testSecrets.hash(revokedSession))
  const revokedToken = await token(users.owner)
  await deleteToken(sql, testSecrets.hash((await revokedToken()).slice(13)))
  const plain = await key(everything)
  const credentials: Credentials = {
    none: async () => '',
    'wrong key': async () => 'api_key=wrong',
    'wrong session': async () => 'session=wrong',
    'expired key': await key(everything, { expiresMs: Date.now() - 1 }),
    'expired session': async () => `session=${await addSession(sql, users.owner, Date.now() - 31 * 86_400_000)}`,
    'expired token': await token(users.owner, { nowMs: Date.now() - accessTokenLifeMs }),
    'revoked key': revoked,
    'revoked session': async () => `session=${revokedSession}`,
    'revoked token': revokedToken,
    'disabled key': await key(everything, { enabled: false }),
    "removed user's session": async () => `session=${removedSession}`,
    "removed user's token": removedToken,
    'wrong address': await key(everything, { addresses: ['192.0.2.1'] }),
    'another org': async () => `${await plain()}&org=${foreign.uid}`,
    reader: await key([{ resource: '*', methods: ['GET'] }]),
    feeder: await key([{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]),
    neighbour: await key([{ resource: `component/${neighbour}`, methods: all }]),
    foreign: await key(everything, {}, foreign.uid),
    everything: plain,
    guest: session(users.guest),
    member: session(users.member),
    admin: session(users.admin),
    owner: session(users.owner),
    stranger: session(stranger),
    ...(Object.fromEntries(tokens) as Record<Token, () => Promise<string>>),
  }
  /** For a row that ends the session that it is called with. */
  const renewSessions = () => sessions.clear()
  return { credentials, users, renewSessions }
}
