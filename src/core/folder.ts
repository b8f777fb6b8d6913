// Folders: paths below /Components, in which components are kept (service.md 2.1). A folder is created,
// with its parents, by naming it.
import { badRequest, shorten } from '../base/errors.ts'
import { text } from '../base/members.ts'
import type { Sql } from '../base/sql.ts'

export type Folder = { readonly key: number; readonly uid: string; readonly path: string }

export const rootFolder = '/Components'

/** The path as it is kept: '/Components/Plant/' -> '/Components/Plant'. */
export const folderPath = (given: string): string => {
  const path = text(1, 512)('folder', given).replace(/\/$/, '')
  const [before, root, ...parts] = path.split('/')
  if (before !== '' || `/${root}` !== rootFolder)
    throw badRequest(`folder must be ${rootFolder} or below it, not '${shorten(given)}'`)
  if (parts.some((part) => part.trim() === '') || /[\u0000-\u001f\u007f-\u009f]/.test(path))
    throw badRequest(`folder '${shorten(given)}' has an empty part or a control character`)
  return path
}

/** The key of a folder (its path as folderPath gives it); it and its parents are created when missing. */
export const ensureFolder = async (sql: Sql, organizationKey: number, path: string): Promise<number> => {
  const found = await findFolderKey(sql, organizationKey, path)
  if (found !== undefined) return found
  // Parents first, so that calls that create overlapping paths wait for each other in one order.
  const parts = path.split('/')
  const paths = parts.slice(2).map((_, index) => parts.slice(0, index + 3).join('/'))
  await sql`
    insert into folder (organization_key, path)
    select ${organizationKey}, path
    from unnest(${[rootFolder, ...paths]}::text[]) with ordinality as given (path, n)
    order by n
    on conflict do nothing`
  return (await findFolderKey(sql, organizationKey, path))!
}

const findFolderKey = async (sql: Sql, organizationKey: number, path: string): Promise<number | undefined> => {
  const [folder] = await sql<{ key: number }[]>`
    select key from folder where organization_key = ${organizationKey} and path = ${path}`
  return folder?.key
}
