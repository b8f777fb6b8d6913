// Nobody gives more than they have (docs/access.md#api-keys): a caller who makes or changes an API key, a user, a client or
// a connector must have, one by one, the rights that these will have; 403 names the first that is missing.
//
//   demandCapabilities(caller, apiKey)   demandRole(caller, 'admin')   demandRunAs(caller, 'owner')
//
// Rights are compared by asking both sides everything there is to ask: every method of every resource, of each uid that
// one of them names, of any other uid, and of none; and whether streams can be reached through their components. Rows of a thousand components take 15,000 questions.
import { isWithin } from '../base/http/address.ts'
import { addressRange } from '../base/config.ts'
import { forbidden } from '../base/errors.ts'
import type { ApiKey, Capability } from '../core/api-key.ts'
import type { Caller, KeyScope, Method, Permission, Resource, Role } from '../core/caller.ts'
import { anyOther, resources, roleMay, rowOf, sessionsOnly } from '../core/caller.ts'
import { keyRights, methodsOf, namedIn, rulesFrom } from './capability.ts'

export type Rights = { readonly may: Caller['may']; readonly named: KeyScope['named'] }

export const rightsOfKey = (capabilities: readonly Capability[]): Rights => ({
  may: keyRights(rulesFrom(capabilities)),
  named: namedIn(capabilities),
})

const rightsOfRole = (role: Role): Rights => ({ may: (permission) => roleMay(role, permission), named: new Map() })

/** The first right, as a row, that is to be given and that the giver has not. */
export const missingRight = (
  giver: Rights,
  given: Rights,
  about: readonly Resource[] = resources,
): string | undefined => {
  const uidsOf = (resource: Resource): readonly (string | undefined)[] => {
    const entity = entityOf(resource)
    return [undefined, anyOther, ...new Set([...(giver.named.get(entity) ?? []), ...(given.named.get(entity) ?? [])])]
  }
  const streamsOf = answersOf(given, 'stream')
  for (const resource of about) {
    const uids = uidsOf(resource)
    const [gives, gets] = [answersOf(giver, entityOf(resource)), answersOf(given, entityOf(resource))]
    for (const method of methodsOf(resource)) {
      // The row of a component or template counts for its streams where there is a right to streams at all.
      if (resource.endsWith('/stream') && !uidsOf('stream').some((uid) => streamsOf(`${method} stream`, uid))) continue
      const permission: Permission = `${method} ${resource}`
      for (const uid of uids)
        if (gets(permission, uid) && !gives(permission, uid))
          return rowOf(permission, uid === undefined || uid === anyOther ? '*' : uid)
    }
  }
  return about.includes('component')
    ? (missingThroughOwners(giver, given) ?? missingThroughTemplates(giver, given))
    : undefined
}

/**
 * A component or template is shown and changed with its streams, except for those that rows of the key itself forbid
 * (core/caller.ts: demandOfNamed, hiddenFrom). A key without these rows would reach them for a giver who cannot.
 */
const missingThroughOwners = (giver: Rights, given: Rights): string | undefined => {
  const own = new Set(given.named.get('stream'))
  for (const [permission, methods] of throughOwners) {
    const isForbidden = ({ may }: Rights, uid: string) => !may(permission, uid)
    const left = giver.named
      .get('stream')
      ?.find((uid) => isForbidden(giver, uid) && !(own.has(uid) && isForbidden(given, uid)))
    const hasOwners = (entity: 'component' | 'template') =>
      [undefined, anyOther, ...(given.named.get(entity) ?? [])].some((uid) =>
        methods.some((method) => given.may(`${method} ${entity}`, uid)),
      )
    if (left !== undefined && (hasOwners('component') || hasOwners('template'))) return rowOf(permission, left)
  }
  return undefined
}

/** The methods of a component or template that do it to its streams: calls that make or change one show it, too. */
const throughOwners: readonly (readonly [permission: Permission, methods: readonly Method[]])[] = [
  ['GET stream', ['GET', 'PUT', 'POST']],
  ['PUT stream', ['PUT']],
]

/**
 * A change of a template's streams reaches components, except for those that rows of the key itself forbid
 * (catalog/template-reach.ts).
 */
const missingThroughTemplates = (giver: Rights, given: Rights): string | undefined => {
  const mayChange = (entity: 'template' | 'stream') =>
    [undefined, anyOther, ...(given.named.get(entity) ?? [])].some((uid) => given.may(`PUT ${entity}`, uid))
  if (!mayChange('template') && !mayChange('stream')) return undefined
  for (const permission of ['PUT component/stream', 'POST component/stream'] as const) {
    const left = giver.named.get('component')?.find((uid) => !giver.may(permission, uid) && given.may(permission, uid))
    if (left !== undefined) return rowOf(permission, left)
  }
  return undefined
}

const entityOf = (resource: Resource) => resource.split('/')[0]!

/** The answer for one uid that the rows do not name holds for all such uids. */
const answersOf = ({ may, named }: Rights, entity: string) => {
  const names = new Set(named.get(entity))
  const ofOthers = new Map<Permission, boolean>()
  return (permission: Permission, uid: string | undefined): boolean => {
    if (uid === undefined || names.has(uid)) return may(permission, uid)
    const known = ofOthers.get(permission) ?? may(permission, anyOther)
    ofOthers.set(permission, known)
    return known
  }
}

const demandRights = (caller: Caller, given: Rights, about?: readonly Resource[]): void => {
  const missing = missingRight({ may: caller.may, named: caller.key?.named ?? new Map() }, given, about)
  if (missing !== undefined)
    throw forbidden(`${caller.title ?? 'this credential'} may not ${missing}, and so cannot give that right`)
}

/** A key made by a key holds no longer and from nowhere else than the one that made it. */
export const demandCapabilities = (
  caller: Caller,
  { capabilities, expiresMs, addresses }: Pick<ApiKey, 'capabilities' | 'expiresMs' | 'addresses'>,
): void => {
  demandRights(caller, rightsOfKey(capabilities))
  if (caller.key === undefined) return
  const own = caller.key
  if (own.expiresMs !== null && (expiresMs === null || expiresMs > own.expiresMs))
    throw forbidden('a key cannot outlive the key that gives it: expires is missing or too late')
  const ranges = own.addresses.map(addressRange)
  const isInside = (address: string) => ranges.some((range) => isWithin(addressRange(address), range))
  if (ranges.length > 0 && (addresses.length === 0 || !addresses.every(isInside)))
    throw forbidden('a key cannot be used from more addresses than the key that gives it')
}

/** The resources of users: only keys open sinks, and the feed rights already cover scripts. */
const usersResources = resources.filter((resource) => resource !== 'connector/sink' && resource !== 'gql')

/** A caller who gives a role, or sets the password or e-mail of a user who has it, could sign in with it. */
export const demandRole = (caller: Caller, role: Role): void => demandRights(caller, rightsOfRole(role), usersResources)

/** The writer of a connector's script does through it what its run-as user may do with samples. */
export const demandRunAs = (caller: Caller, role: Role): void =>
  demandRights(caller, rightsOfRole(role), ['component/feed'])

/** Users can grant a client all that a token may carry: data and catalogue, never security. */
export const demandClient = (caller: Caller): void => demandRights(caller, rightsOfRole('admin'), grantable)

const grantable = usersResources.filter((resource) => !sessionsOnly.has(resource))

/** A public organization's feeds are read by everybody. */
export const demandPublic = (caller: Caller): void =>
  demandRights(caller, { may: (permission) => permission === 'GET component/feed', named: new Map() })
