// What an API key may do (2.5, decisions 7). Capabilities are rows of a resource and methods; of the rows that
// match a call the most specific one decides, and a row without methods forbids.
//
//   component/<uid>/feed > component/<uid> > component/*/feed > component/* = component > *
//
// A row that names one component is more specific than one that names a part of all: who writes
// {component/X, []} beside {component/*/feed, [GET]} means to shut X off.
import { badRequest, shorten } from '../base/errors.ts'
import type { Reader } from '../base/members.ts'
import { list, oneOf, readMembers, text } from '../base/members.ts'
import { wordTable } from '../base/own.ts'
import type { Capability } from '../core/api-key.ts'
import type { Method, Permission, Resource } from '../core/caller.ts'
import { roleMay } from '../core/caller.ts'

export type Rules = ReadonlyMap<string, ReadonlySet<Method>>

export const rulesFrom = (capabilities: readonly Capability[]): Rules => {
  const rules = new Map<string, Set<Method>>()
  for (const { resource, methods } of capabilities)
    rules.set(plainResource(resource), new Set([...(rules.get(plainResource(resource)) ?? []), ...methods]))
  return rules
}

/** component/* and component say the same. */
const plainResource = (resource: string) => (resource === '*' ? '*' : resource.replace(/\/\*$/, ''))

export const keyMay = (rules: Rules, permission: Permission, uid: string | undefined): boolean => {
  const mark = permission.indexOf(' ')
  const method = permission.slice(0, mark) as Method
  const resource = permission.slice(mark + 1) as Resource
  return (
    decidingRow(rules, resource, uid)?.has(method) === true &&
    !usersOnly.has(resource) &&
    !(uid === undefined && listsComponents.has(permission) && isShutOff(rules)) &&
    roleMay('admin', permission)
  )
}

/** Lists show all components, so they are not for a key that may not see one of them. */
const listsComponents: ReadonlySet<Permission> = new Set(['GET component', 'GET stream'])

const isShutOff = (rules: Rules) =>
  [...rules].some(([resource, methods]) => /^component\/[^/]+$/.test(resource) && !methods.has('GET'))

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

/** GS SQL runs for a session or an OAuth token only (decisions 11). */
const usersOnly: ReadonlySet<Resource> = new Set(['gql'])

const everyMethod: ReadonlySet<Method> = new Set(['GET', 'PUT', 'POST', 'DELETE'])

const decidingRow = (rules: Rules, resource: Resource, uid: string | undefined): ReadonlySet<Method> | undefined => {
  const slash = resource.indexOf('/')
  if (slash < 0)
    return (uid === undefined ? undefined : rules.get(`${resource}/${uid}`)) ?? rules.get(resource) ?? rules.get('*')
  // Asked after the row for streams has allowed it.
  if (resource === 'component/stream') return rules.get(`component/${uid}`) ?? everyMethod
  const entity = resource.slice(0, slash)
  const part = resource.slice(slash + 1)
  const own =
    (uid === undefined ? undefined : rules.get(`${entity}/${uid}/${part}`)) ?? rules.get(`${entity}/*/${part}`)
  // A key that may read everything must not thereby read the secrets of keys that may write.
  if (resource === 'api_key/secret') return own
  if (uid === undefined) return own ?? rules.get(entity) ?? rules.get('*')
  return (
    rules.get(`${entity}/${uid}/${part}`) ?? rules.get(`${entity}/${uid}`) ?? own ?? rules.get(entity) ?? rules.get('*')
  )
}

const entities: ReadonlySet<string> = new Set([
  'organization',
  'user',
  'component',
  'template',
  'stream',
  'cycle',
  'unit',
  'folder',
  'api_key',
  'oauth_client',
  'connector',
  'connection',
  'query',
  'audit',
])
const parts = wordTable({
  component: ['feed', 'property'],
  connector: ['sink'],
  api_key: ['secret'],
})

const resource: Reader<string> = (name, value) => {
  const written = text(1, 200)(name, value)
  const [entity, uid, part, ...rest] = written.split('/')
  const isKnown =
    written === '*' ||
    (entities.has(entity!) &&
      (uid === undefined || (/^(\*|[A-Za-z0-9-]+)$/.test(uid) && parts.get(entity!)?.includes(uid) !== true)) &&
      (part === undefined || parts.get(entity!)?.includes(part) === true) &&
      rest.length === 0)
  if (!isKnown) throw badRequest(`${name} '${shorten(written)}' is not a resource such as component/*/feed`)
  return written
}

const capability: Reader<Capability> = (name, value) => {
  const row = readMembers(name, value, { resource, methods: list(4, oneOf('GET', 'PUT', 'POST', 'DELETE')) })
  if (row.resource === undefined) throw badRequest(`${name} must name a resource`)
  return { resource: row.resource, methods: [...new Set(row.methods ?? [])] }
}

/** Reads the capabilities member of an API key. */
export const readCapabilities: Reader<readonly Capability[]> = (name, value) => {
  const rows = list(1000, capability)(name, value)
  const resources = rows.map((row) => plainResource(row.resource))
  const twice = resources.find((written, index) => resources.indexOf(written) !== index)
  if (twice !== undefined) throw badRequest(`${name} has two rows for '${shorten(twice)}'`)
  return rows
}
