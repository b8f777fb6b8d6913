// Folders: paths below /Components, in which components are kept (docs/management.md#folders). A folder is created,
// with its parents, by naming it.
import { badRequest, shorten } from '../base/errors.ts'
import type { Reader } from '../base/http/members.ts'
import { further, text } from '../base/http/members.ts'
import type { Fragment, Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isBelow, openListing, orderOf } from './listing.ts'

export type Folder = { readonly key: number; readonly uid: string; readonly path: string }

export const rootFolder = '/Components'

const mostPathLength = 512
/** Each is a folder of its own. */
const mostParts = 50

/** The path as it is kept: '/Components/Plant/' -> '/Components/Plant'. */
export const folderPath = (given: string): string => {
  const path = text(1, mostPathLength)('folder', given).replace(/\/$/, '')
  const [before, root, ...parts] = path.split('/')
  if (before !== '' || `/${root}` !== rootFolder)
    throw badRequest(`folder must be ${rootFolder} or below it, not '${shorten(given)}'`)
  if (parts.length > mostParts) throw badRequest(`folder '${shorten(given)}' is more than ${mostParts} folders deep`)
  if (parts.some((part) => part.trim() === '') || /[\u0000-\u001f\u007f-\u009f]/.test(path))
    throw badRequest(`folder '${shorten(given)}' has an empty part or a control character`)
  return path
}

export const folderReader: Reader<string> = further(text(1, mostPathLength), {}, (_name, given) => folderPath(given))

/** A filter of lists. */
export const folderFilter: Reader<string> = further(
  folderReader,
  { description: 'a folder, and all below it', examples: [rootFolder] },
  (_name, path) => path,
)

/** The key of a folder (its path as folderPath gives it); it and its parents are created when missing. */
export const ensureFolder = async (sql: Sql, organizationKey: number, path: string): Promise<number> => {
  const found = await findFolderKey(sql, organizationKey, path)
  if (found !== undefined) return found
  // Parents first, so that calls that create overlapping paths wait for each other in one order.
  await sql`
    insert into folder (organization_key, path)
    select ${organizationKey}, path
    from unnest(${parentsOf(path)}::text[]) with ordinality as given (path, n)
    order by n
    on conflict do nothing`
  return (await findFolderKey(sql, organizationKey, path))!
}

/** A path and all above it, from the top. */
export const parentsOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
}

export const findFolderKey = async (sql: Sql, organizationKey: number, path: string): Promise<number | undefined> => {
  const [folder] = await sql<{ key: number }[]>`
    select key from folder where organization_key = ${organizationKey} and path = ${path}`
  return folder?.key
}

/**
 * Whether a component is in a folder or below it, whatever path that has by now; undefined: anywhere. By the path, and not joined with the
 * folder's row: the planner then knows how many there are. It took all of 100,000 components for each 20 of them, and 1.2 s in place of 5 ms.
 * A function, because a fragment that is awaited would be asked.
 */
export const belowFolder = async (
  sql: Sql,
  organizationKey: number,
  folderKey: number | undefined,
): Promise<() => Fragment> => {
  if (folderKey === undefined) return () => sql`true`
  const [folder] = await sql<{ path: string }[]>`select path from folder where key = ${folderKey}`
  if (folder === undefined) return () => sql`false`
  return () => sql`
    component.folder_key in (
      select key from folder where organization_key = ${organizationKey} and ${isBelow(sql, 'path', folder.path)})`
}

export const folderSorts = { path: 'path' } as const satisfies Sorts

export type FolderFilter = {
  /** A folder and all below it. */
  readonly path?: string | undefined
  /** A folder, and only those right in it. */
  readonly parent?: string | undefined
}

export const listFolders = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { path, parent }: FolderFilter = {},
): Promise<Listing<Folder>> =>
  openListing<Folder>(sql, page, {
    select: sql`select key, uid, path`,
    from: sql`
      from folder
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'path')}
        and ${isBelow(sql, 'path', path)} and ${isRightIn(sql, parent)}`,
    order: orderOf(sql, page, folderSorts, 'key', sql`path`),
  })

const isRightIn = (sql: Sql, parent: string | undefined) =>
  parent === undefined
    ? sql`true`
    : sql`starts_with(path, ${`${parent}/`}) and strpos(substr(path, length(${`${parent}/`}::text) + 1), '/') = 0`

export const findFolder = async (sql: Sql, organizationKey: number, uid: string): Promise<Folder | undefined> => {
  const [folder] = await sql<Folder[]>`
    select key, uid, path from folder where organization_key = ${organizationKey} and uid = ${uid}`
  return folder
}

/** Undefined when it is there already. */
export const insertFolder = async (
  sql: Transaction,
  organizationKey: number,
  path: string,
): Promise<Folder | undefined> => {
  const parent = path.slice(0, path.lastIndexOf('/'))
  if (parent !== '') await ensureFolder(sql, organizationKey, parent)
  const [folder] = await sql<Folder[]>`
    insert into folder (organization_key, path)
    values (${organizationKey}, ${path})
    on conflict do nothing
    returning key, uid, path`
  return folder
}

/** Gives a folder and all below it another path. */
export const moveFolder = async (
  sql: Transaction,
  organizationKey: number,
  from: string,
  to: string,
): Promise<void> => {
  await ensureFolder(sql, organizationKey, to.slice(0, to.lastIndexOf('/')))
  const [longest] = await sql<[{ length: number }]>`
    select coalesce(max(length(${to}::text) + length(path) - length(${from}::text)), 0) as length
    from folder
    where organization_key = ${organizationKey} and starts_with(path, ${`${from}/`})`
  if (longest.length > mostPathLength)
    throw badRequest(`a path below it would have more than ${mostPathLength} characters`)
  await unlessTaken(
    sql`
      update folder
      set path = ${to}::text || substr(path, length(${from}::text) + 1)
      where organization_key = ${organizationKey} and (path = ${from} or starts_with(path, ${`${from}/`}))`,
    `there is a folder '${to}'`,
  )
}

/** False when somebody was faster. */
export const deleteFolder = async (sql: Transaction, key: number): Promise<boolean> =>
  (await sql`delete from folder where key = ${key}`).count === 1

/** Whether a component is in it, or a folder below it. */
export const isFolderUsed = async (sql: Sql, organizationKey: number, folder: Folder): Promise<boolean> => {
  const [row] = await sql<[{ used: boolean }]>`
    select exists (select from component where folder_key = ${folder.key})
      or exists (
        select from folder
        where organization_key = ${organizationKey} and starts_with(path, ${`${folder.path}/`})) as used`
  return row.used
}
