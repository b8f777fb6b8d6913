// Caller: the value that travels with a call. It has the actor, the organization and the rights. Made by access/ from a
// request, or for a connector's run-as user; asked by core and the doors.
//
//   demand(caller, 'PUT component/feed', component?.uid)
//
// No uid means "one that does not exist, or all of them": a credential that is limited to single components may not do
// that, so it cannot find out which others exist (docs/replies.md#order-of-judgement).
import { addressGroup, addressSite } from '../base/http/address.ts'
import { forbidden, unauthorized } from '../base/errors.ts'
import type { Holders } from '../base/shares.ts'

export type Role = 'guest' | 'member' | 'admin' | 'owner'

export const httpMethods = ['GET', 'PUT', 'POST', 'DELETE'] as const

export type Method = (typeof httpMethods)[number]

export const resources = [
  'component/feed',
  'component/property',
  'component/stream',
  'template/stream',
  'connector/sink',
  'organization',
  'user',
  'component',
  'template',
  'stream',
  'cycle',
  'unit',
  'folder',
  'api_key',
  'api_key/secret',
  'oauth_client',
  'connector',
  'connection',
  'query',
  'dashboard',
  'gql',
  'audit',
  'metrics',
] as const

export type Resource = (typeof resources)[number]

export type Permission = `${Method} ${Resource}`

export type Caller = {
  readonly organizationKey: number
  readonly organizationUid: string
  /** The group in which it shares with others: its organization, or the one from which that came (db/0040_tenant.sql). */
  readonly tenantUid: string
  /**
   * The actor, for the audit log and the limits: 'user <uid>', 'user <uid> via oauth_client <clientId>', 'api_key
   * <uid>', 'anyone' (a public organization's reader).
   */
  readonly actor: string
  /** The user behind a session, a token or a connector; API keys and the public have none. */
  readonly user: { readonly key: number; readonly uid: string; readonly role: Role } | undefined
  /**
   * Whether the credential came in a cookie, which a browser adds to requests that other sites make: asPut refuses it.
   */
  readonly byCookie: boolean
  readonly may: (permission: Permission, uid?: string) => boolean
  /** Set for an API key. */
  readonly key?: KeyScope
  /** The hash of the password that the call has shown to be its user's, where it had to. */
  readonly shownPasswordHash?: string | undefined
  /** The name of the caller in a refusal, where "this credential" would not be understood. */
  readonly title?: string
}

/** The scope of an API key: the uids that its rows name, by entity, the addresses it may be used from, and its end. */
export type KeyScope = {
  readonly named: ReadonlyMap<string, readonly string[]>
  readonly addresses: readonly string[]
  readonly expiresMs: number | null
  /** The row of one entity by which the key may not see all of them, for a refusal to name. */
  readonly rowThatShuts?: (permission: Permission) => string | undefined
}

/** Stands for all uids that no row names: no uid has a blank. */
export const anyOther = 'any other'

export const demand = (caller: Caller, permission: Permission, uid?: string): void => {
  if (caller.may(permission, uid)) return
  if (caller.actor === anyone) throw unauthorized('this call needs a credential: api_key, session or a Bearer token')
  const row = uid === undefined ? caller.key?.rowThatShuts?.(permission) : undefined
  const reason = row === undefined ? '' : `, which shows all: a row keeps it from ${row}`
  throw forbidden(`${caller.title ?? 'this credential'} may not ${rowOf(permission)}${reason}`)
}

/** The component or template of a stream. */
export type StreamOwner = { readonly ownerUid: string; readonly isTemplate: boolean }

/** Whether the row of its component or template, if the key has one, lets it do that to a stream. */
export const demandOfOwner = (caller: Caller, method: Method, { ownerUid, isTemplate }: StreamOwner): void =>
  demand(caller, `${method} ${isTemplate ? 'template' : 'component'}/stream`, ownerUid)

/**
 * Demands it of those that rows of the key name: a call that shows or changes many with another, such as the streams of a
 * component, needs no right to each of them, but none may be forbidden.
 */
export const demandOfNamed = (
  caller: Caller,
  permission: Permission,
  ones: readonly { readonly uid: string }[],
): void => {
  const named = new Set(caller.key?.named.get(entityOf(permission)))
  if (named.size > 0) for (const { uid } of ones) if (named.has(uid)) demand(caller, permission, uid)
}

/** Those that rows of the key keep it from seeing: they are left out where another entity is shown with them. */
export const hiddenFrom = ({ key, may }: Caller, entity: 'stream'): ReadonlySet<string> =>
  new Set(key?.named.get(entity)?.filter((uid) => !may(`GET ${entity}`, uid)))

/** The streams and components that rows of the key name. */
export const namedBy = ({ key }: Caller): readonly string[] => [
  ...(key?.named.get('stream') ?? []),
  ...(key?.named.get('component') ?? []),
]

const entityOf = (permission: Permission) => permission.split(/[ /]/)[1]!

/** The row of a key that would allow it. The row of a component or template covers its streams. */
export const rowOf = (permission: Permission, uid = '*'): string => {
  const written = permission.replace(/\/stream$/, '')
  return written.includes('/') ? written.replace('/', `/${uid}/`) : `${written}${uid === '*' ? '' : `/${uid}`}`
}

export const anyone = 'anyone'

/**
 * The holders of a call's shares (base/shares.ts): its tenant, and its credential, from however many addresses it is
 * used. Readers of public organizations, who have none, are a group beside all tenants, and each address is a caller: the
 * organization's own people do not wait for them.
 */
export const holdersOf = ({ tenantUid, actor }: Caller, address: string): Holders =>
  actor === anyone
    ? [anyone, `${anyone} of tenant ${tenantUid}`, `${anyone} ${addressGroup(address)}`]
    : [`tenant ${tenantUid}`, actor]

/** The holders of a call, or a connection, whose credential is not known yet. A site has 65,536 networks, and one turn. */
export const strangerHolders = (address: string): Holders => ['strangers', `stranger ${addressSite(address)}`]

/** An organization, as a caller knows it. */
type OfTenant = { readonly key: number; readonly uid: string; readonly tenantUid: string }

/** The reader of a public organization, without a credential (docs/access.md#roles). */
export const publicCaller = (organization: OfTenant): Caller => ({
  organizationKey: organization.key,
  organizationUid: organization.uid,
  tenantUid: organization.tenantUid,
  actor: anyone,
  user: undefined,
  byCookie: false,
  may: (permission) => permission === 'GET component/feed',
})

export const userCaller = (
  organization: OfTenant,
  user: { readonly key: number; readonly uid: string; readonly role: Role },
  byCookie = false,
): Caller => ({
  organizationKey: organization.key,
  organizationUid: organization.uid,
  tenantUid: organization.tenantUid,
  actor: `user ${user.uid}`,
  user,
  byCookie,
  may: (permission, uid) =>
    roleMay(user.role, permission) ||
    // Everybody may see and change their own account; catalog/user.ts keeps the role out of it.
    (uid === user.uid && (permission === 'GET user' || permission === 'PUT user')),
})

/** The extent of a user's consent to an OAuth client: read is GET only (docs/oauth.md#rights-of-a-token). */
export type Scope = 'read' | 'read write'

/** The caller of an OAuth token: it has its user's rights to data and catalogue, never to other people's access. */
export const tokenCaller = (caller: Caller, clientId: string, scope: Scope): Caller => ({
  ...caller,
  actor: `${caller.actor} via oauth_client ${clientId}`,
  title: scope === 'read' ? 'an OAuth token of scope read' : 'an OAuth token',
  may: (permission, uid) => tokenMay(scope, permission) && caller.may(permission, uid),
})

const tokenMay = (scope: Scope, permission: Permission): boolean => {
  const [method, resource] = permission.split(' ') as [Method, Resource]
  return !sessionsOnly.has(resource) && (scope === 'read write' || method === 'GET')
}

/** Resources of security, which a token never touches. */
export const sessionsOnly: ReadonlySet<Resource> = new Set([
  'organization',
  'user',
  'api_key',
  'api_key/secret',
  'oauth_client',
  'connection',
  'audit',
  'metrics',
])

/** The rights of a signed-in user by the role alone (docs/access.md#roles); uids do not matter to roles. */
export const roleMay = (role: Role, permission: Permission): boolean => {
  const [method, resource] = permission.split(' ') as [Method, Resource]
  switch (role) {
    case 'owner':
      return true
    case 'admin':
      return permission !== 'DELETE organization'
    case 'member':
      return memberWrites.has(resource) || (method === 'GET' && memberReads.has(resource))
    case 'guest':
      return method === 'GET' && guestReads.has(resource)
  }
}

const guestReads: ReadonlySet<Resource> = new Set([
  'component/feed',
  'component/property',
  'component/stream',
  'template/stream',
  'organization',
  'component',
  'template',
  'stream',
  'cycle',
  'unit',
  'folder',
  'dashboard',
])
const memberReads: ReadonlySet<Resource> = new Set([...guestReads, 'connector', 'query'])
const memberWrites: ReadonlySet<Resource> = new Set(['component/feed', 'component/property', 'gql'])
