// The query of an export (docs/transfer.md#export), checked once; and the right to its components, of which those that
// are named must be there.
import { acceptedType } from '../base/http/accepted.ts'
import type { Call } from '../base/http/call.ts'
import { badRequest, notFound, shorten } from '../base/errors.ts'
import { epoch, refuseUnknown } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import type { Sql } from '../base/database/sql.ts'
import type { Caller, Permission } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import type { ComponentScope } from '../core/catalogue.ts'
import { findFolderKey, folderPath } from '../core/folder.ts'
import { findNamed } from '../core/reading/scope-read.ts'
import type { StreamScope } from '../core/reading/scope-read.ts'
import type { Window } from '../core/sample/sample.ts'

export const exported = ['samples', 'statistics', 'catalogue'] as const
export type Exported = (typeof exported)[number]

export const exportFormats = ['csv', 'ndjson', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type ExportQuery = {
  readonly what: Exported
  readonly format: ExportFormat
  readonly folderPath: string | undefined
  readonly componentIds: readonly string[] | undefined
  readonly streamIds: readonly string[] | undefined
  readonly window: Window
  /** Both are given for statistics, and for nothing else. */
  readonly cycleId: string | undefined
  readonly statId: string | undefined
}

export const exportParameters = ['what', 'format', 'folder', 'compId', 'streamId', 'sd', 'ed', 'cycle', 'stat'] as const

/** An address has 32 KB; each name is looked for. */
const mostNames = 1000

export const readExportQuery = ({ query, headers }: Pick<Call, 'query' | 'headers'>): ExportQuery => {
  refuseUnknown(query, exportParameters)
  const what = word(query, 'what', exported, 'samples')
  const folder = query.get('folder')
  const { startMs, endMs } = readWindow(query)
  const cycleId = query.get('cycle')
  const statId = query.get('stat')
  if (what === 'statistics' && (cycleId === undefined || statId === undefined))
    throw badRequest('statistics need cycle, such as day, and stat, such as avg')
  if (what !== 'statistics' && (cycleId !== undefined || statId !== undefined))
    throw badRequest('cycle and stat belong to what=statistics')
  return {
    what,
    format: readFormat(query, headers, what),
    folderPath: folder === undefined ? undefined : folderPath(folder),
    componentIds: names(query, 'compId'),
    streamIds: names(query, 'streamId'),
    window: { startMs, endMs },
    cycleId,
    statId,
  }
}

const readWindow = (query: Query): Window => {
  const [sd, ed] = [query.get('sd'), query.get('ed')]
  const window = {
    startMs: sd === undefined ? undefined : epoch('sd', sd),
    endMs: ed === undefined ? undefined : epoch('ed', ed),
  }
  if (sd !== undefined && ed !== undefined && window.startMs! > window.endMs!) throw badRequest('sd is after ed')
  return window
}

const names = (query: Query, name: string): readonly string[] | undefined => {
  const given = [...new Set(query.all(name.toLowerCase()))]
  if (given.length > mostNames) throw badRequest(`${name} is given more than ${mostNames} times`)
  return given.length === 0 ? undefined : given
}

const word = <Word extends string>(query: Query, name: string, words: readonly Word[], otherwise: Word): Word => {
  const given = query.get(name)
  if (given === undefined) return otherwise
  const known = words.find((one) => one === given.toLowerCase())
  if (known === undefined) throw badRequest(`${name} must be one of ${words.join(', ')}, not '${shorten(given)}'`)
  return known
}

const formatTypes: ReadonlyMap<string, ExportFormat> = new Map([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/vnd.apache.parquet', 'parquet'],
])

/** The parameter decides, else the Accept header; CSV, if neither does. The catalogue has nested parts, so it is NDJSON. */
const readFormat = (query: Query, headers: Call['headers'], what: Exported): ExportFormat => {
  const isCatalogue = what === 'catalogue'
  const byHeader = isCatalogue ? undefined : formatTypes.get(acceptedType(headers, [...formatTypes.keys()]) ?? '')
  const format = word(query, 'format', exportFormats, byHeader ?? (isCatalogue ? 'ndjson' : 'csv'))
  if (isCatalogue && format !== 'ndjson') throw badRequest('the catalogue is exported as ndjson')
  return format
}

/** The streams that are asked for and may be seen; throws 403 and 404 as for a reading of each named one. */
export const findScope = async (sql: Sql, caller: Caller, query: ExportQuery): Promise<StreamScope> => ({
  organizationKey: caller.organizationKey,
  ...(await findComponents(sql, caller, query, 'GET component/feed')),
  streamIds: query.streamIds,
})

/** The same of components, as the management API shows them. */
export const findCatalogueScope = async (sql: Sql, caller: Caller, query: ExportQuery): Promise<ComponentScope> => {
  if (query.streamIds !== undefined)
    throw badRequest('the catalogue has components with all their streams: no streamId')
  if (query.window.startMs !== undefined || query.window.endMs !== undefined)
    throw badRequest('sd and ed belong to samples and statistics')
  return findComponents(sql, caller, query, 'GET component')
}

const findComponents = async (
  sql: Sql,
  caller: Caller,
  { folderPath: path, componentIds, streamIds }: ExportQuery,
  permission: 'GET component/feed' | 'GET component',
): Promise<ComponentScope> => {
  const { organizationKey } = caller
  // From here on by its key, as the components are by their uid: another may have the name by the time that its turn comes.
  const folderKey = path === undefined ? undefined : await findFolderKey(sql, organizationKey, path)
  if (path !== undefined && folderKey === undefined) throw notFound('folder', path)
  if (componentIds === undefined) return { folderKey, componentUids: visibleUids(caller, permission), isNamed: false }
  const found = await findNamed(sql, organizationKey, componentIds, streamIds ?? [])
  for (const id of componentIds) demand(caller, permission, found.get(id)?.uid)
  for (const id of componentIds) if (!found.has(id)) throw notFound('component', id)
  const known = new Set([...found.values()].flatMap((component) => component.streamIds))
  for (const id of streamIds ?? []) if (!known.has(id)) throw notFound('stream', id)
  return { folderKey, componentUids: Array.from(found.values(), ({ uid }) => uid), isNamed: true }
}

/** The single components that the caller may see; undefined: all, but for those that are asked about one by one. */
const visibleUids = (caller: Caller, permission: Permission): readonly string[] | undefined => {
  if (caller.may(permission)) return undefined
  const named = (caller.key?.named.get('component') ?? []).filter((uid) => caller.may(permission, uid))
  if (named.length === 0) demand(caller, permission)
  return named
}
