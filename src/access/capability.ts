// The rights of an API key (docs/access.md#api-keys). Capabilities are rows of a resource and methods; of the rows that
// match a call the most specific one decides, and a row without methods forbids.
//
//   component/<uid>/feed > component/<uid> > component/*/feed > component/* = component > *
//
// A row that names one component is more specific than one that names a part of all: {component/X, []} beside
// {component/*/feed, [GET]} is meant to shut X off.
import { badRequest, shorten } from '../base/errors.ts'
import type { Reader } from '../base/http/members.ts'
import { further, list, objectOf, oneOf, text } from '../base/http/members.ts'
import type { Capability } from '../core/api-key.ts'
import type { KeyScope, Method, Permission, Resource } from '../core/caller.ts'
import { httpMethods, resources, roleMay } from '../core/caller.ts'

export type Rules = ReadonlyMap<string, ReadonlySet<Method>>

export const rulesFrom = (capabilities: readonly Capability[]): Rules => {
  const rules = new Map<string, Set<Method>>()
  for (const { resource, methods } of capabilities)
    rules.set(plainResource(resource), new Set([...(rules.get(plainResource(resource)) ?? []), ...methods]))
  return rules
}

/** component/* and component mean the same. */
const plainResource = (resource: string) => (resource === '*' ? '*' : resource.replace(/\/\*$/, ''))

export const keyMay = (rules: Rules, permission: Permission, uid: string | undefined): boolean => {
  const mark = permission.indexOf(' ')
  const method = permission.slice(0, mark) as Method
  const resource = permission.slice(mark + 1) as Resource
  return (
    decidingRow(rules, resource, uid)?.has(method) === true &&
    // A script that writes needs the rights of a person (docs/access.md#roles).
    !(resource === 'gql' && method !== 'GET') &&
    !(uid === undefined && method === 'GET' && shuttingRow(rules, resource) !== undefined) &&
    roleMay('admin', permission)
  )
}

/**
 * A list shows all of its kind, so it is not for a key that a row keeps from seeing one of them. Of streams, all
 * components' are shown; the audit log shows all of everything.
 */
const shuttingRow = (rules: Rules, listed: Resource): string | undefined => {
  const sees = (entity: string) => (rules.get(entity) ?? rules.get('*'))?.has('GET') === true
  const [row] =
    [...rules].find(([name, methods]) => {
      const [entity, uid, part] = name.split('/')
      if (uid === undefined || part !== undefined || methods.has('GET')) return false
      const hasStreams = entity === 'component' || entity === 'template'
      if (entity === listed || (hasStreams && listed === 'stream')) return true
      // A row that only adds a right takes nothing away: the others of its kind are not seen either.
      return listed === 'audit' && (sees(entity!) || (hasStreams && sees('stream')))
    }) ?? []
  return row
}

/** The row by which a key may not see all of them, where it could without. */
export const rowThatShuts = (rules: Rules, permission: Permission): string | undefined => {
  const [method, listed] = permission.split(' ') as [Method, Resource]
  const mayElse = method === 'GET' && decidingRow(rules, listed, undefined)?.has(method) === true
  return mayElse ? shuttingRow(rules, listed) : undefined
}

/** keyMay for one key. Rows that name no single component answer the same for all, so each answer is found once. */
export const keyRights = (rules: Rules): ((permission: Permission, uid: string | undefined) => boolean) => {
  const namesOne = [...rules.keys()].some((row) => /^[^/]+\/[^*/]/.test(row))
  if (namesOne) return (permission, uid) => keyMay(rules, permission, uid)
  const answers = new Map<Permission, boolean>()
  return (permission) => {
    const known = answers.get(permission)
    if (known !== undefined) return known
    const may = keyMay(rules, permission, undefined)
    answers.set(permission, may)
    return may
  }
}

const everyMethod: ReadonlySet<Method> = new Set(httpMethods)

const decidingRow = (rules: Rules, resource: Resource, uid: string | undefined): ReadonlySet<Method> | undefined => {
  const slash = resource.indexOf('/')
  if (slash < 0)
    return (uid === undefined ? undefined : rules.get(`${resource}/${uid}`)) ?? rules.get(resource) ?? rules.get('*')
  const entity = resource.slice(0, slash)
  const part = resource.slice(slash + 1)
  // Asked after the row for streams has allowed it.
  if (part === 'stream') return rules.get(`${entity}/${uid}`) ?? everyMethod
  const own =
    (uid === undefined ? undefined : rules.get(`${entity}/${uid}/${part}`)) ?? rules.get(`${entity}/*/${part}`)
  // A key that may read everything must not thereby read the secrets of keys that may write.
  if (resource === 'api_key/secret') return own
  if (uid === undefined) return own ?? rules.get(entity) ?? rules.get('*')
  return (
    rules.get(`${entity}/${uid}/${part}`) ?? rules.get(`${entity}/${uid}`) ?? own ?? rules.get(entity) ?? rules.get('*')
  )
}

/** The uids that rows name, by entity. */
export const namedIn = (capabilities: readonly Capability[]): KeyScope['named'] => {
  const named = new Map<string, string[]>()
  for (const { resource } of capabilities) {
    const { entity, uid } = partsOf(resource)
    if (uid === undefined || uid === '*') continue
    const known = named.get(entity)
    if (known) known.push(uid)
    else named.set(entity, [uid])
  }
  return named
}

type Parts = { readonly entity: string; readonly uid: string | undefined; readonly part: string | undefined }

/** 'component/X/feed' in its parts. An ID that somebody took for the uid may have slashes itself. */
const partsOf = (resource: string): Parts => {
  const mark = resource.indexOf('/')
  if (mark < 0) return { entity: resource, uid: undefined, part: undefined }
  const entity = resource.slice(0, mark)
  const rest = resource.slice(mark + 1)
  const part = partsOfEntity.get(entity)?.find((name) => rest.endsWith(`/${name}`))
  return { entity, uid: part === undefined ? rest : rest.slice(0, -part.length - 1), part }
}

const entities: ReadonlySet<string> = new Set(resources.filter((resource) => !resource.includes('/')))
const partsOfEntity: ReadonlyMap<string, readonly string[]> = new Map([
  ['component', ['feed', 'property']],
  ['connector', ['sink']],
  ['api_key', ['secret']],
])
/** The rows that can be written, with a star where a uid may stand. That of a component or template decides over its streams. */
export const writableResources: readonly string[] = [
  '*',
  ...resources.filter((each) => !each.endsWith('/stream')).map((each) => each.replace('/', '/*/')),
].toSorted()

/** Resources of which there is one, so that a uid means nothing. */
const single: ReadonlySet<string> = new Set(['gql', 'audit', 'metrics'])

/** The methods that have a meaning there. */
export const methodsOf = (resource: Resource): readonly Method[] =>
  fewMethods.get(resource.split('/').at(-1)!) ?? httpMethods

const fewMethods: ReadonlyMap<string, readonly Method[]> = new Map([
  ['feed', ['GET', 'PUT', 'DELETE']],
  ['property', ['GET', 'POST']],
  ['secret', ['GET']],
  ['gql', ['GET']],
  ['audit', ['GET']],
  ['metrics', ['GET']],
])

const resource: Reader<string> = further(text(1, 600), { examples: ['component/*/feed'] }, (name, written) => {
  const { entity, uid } = partsOf(written)
  const isKnown =
    written === '*' ||
    (entities.has(entity) &&
      (uid === undefined ||
        (uid !== '' && !uid.startsWith('*/') && !single.has(entity) && !partsOfEntity.get(entity)?.includes(uid))))
  if (!isKnown)
    throw badRequest(
      `${name} '${shorten(written)}' is not one of ${writableResources.join(', ')}; a uid may stand in place of a star or after a name`,
    )
  return written
})

const capabilityMembers = objectOf({ resource, methods: list(4, oneOf(...httpMethods)) })

const capability: Reader<Capability> = further(capabilityMembers, { required: ['resource'] }, (name, row) => {
  if (row.resource === undefined) throw badRequest(`${name} must name a resource`)
  const { entity, part } = partsOf(row.resource)
  const known = fewMethods.get(part ?? entity)
  const strange = row.methods?.find((method) => known?.includes(method) === false)
  if (strange !== undefined)
    throw badRequest(`${name}: there is no ${strange} of ${shorten(row.resource)}, only ${known!.join(', ')}`)
  return { resource: row.resource, methods: [...new Set(row.methods ?? [])] }
})

/** Reads the capabilities member of an API key. */
export const readCapabilities: Reader<readonly Capability[]> = further(list(1000, capability), {}, (name, rows) => {
  const seen = new Set<string>()
  const twice = rows.map((row) => plainResource(row.resource)).find((plain) => seen.size === seen.add(plain).size)
  if (twice !== undefined) throw badRequest(`${name} has two rows for '${shorten(twice)}'`)
  return rows
})
