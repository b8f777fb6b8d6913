// Folders in the management API (docs/management.md#folders). A component's folder is also made by naming it there;
// a folder with something in it is moved, not deleted.
//
//   POST {"path":"/Components/Plant/North"}
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { further, readMembers, shownUid } from '../base/http/members.ts'
import {
  deleteFolder,
  findFolder,
  folderFilter,
  folderReader,
  folderSorts,
  insertFolder,
  isFolderUsed,
  listFolders,
  moveFolder,
  rootFolder,
} from '../core/folder.ts'
import type { Folder } from '../core/folder.ts'
import type { Entity } from './entity.ts'

const members = { uid: shownUid, path: folderReader }

const filters = {
  path: folderFilter,
  parent: further(folderReader, { description: 'a folder, and only those right in it' }, (_name, path: string) => path),
}

const readFolder = (input: unknown) => readMembers('folder', input, members)

export const folderEntity: Entity<Folder, string, { path?: string }, typeof filters> = {
  name: 'folder',
  about: {
    part: 'management',
    one: 'a folder',
    many: 'folders',
    newMembers: members,
    changeMembers: members,
    needs: ['path'],
    example: { path: '/Components/Plant/North' },
  },
  readNew: (input) => {
    const given = readFolder(input)
    if (given.path === undefined) throw badRequest('a folder must have a path')
    return given.path
  },
  readChange: readFolder,
  filters,
  sorts: folderSorts,
  list: (sql, caller, { path, parent, ...page }) => listFolders(sql, caller.organizationKey, page, { path, parent }),
  find: (sql, caller, uid) => findFolder(sql, caller.organizationKey, uid),
  create: async (sql, caller, given) => {
    const folder = await insertFolder(sql, caller.organizationKey, given)
    if (folder === undefined) throw conflict(`there is a folder '${given}'`)
    return folder
  },
  update: async (sql, caller, folder, { path: to = folder.path }) => {
    if (to === folder.path) return folder
    if (folder.path === rootFolder) throw conflict(`${rootFolder} stays where it is`)
    if (to.startsWith(`${folder.path}/`)) throw badRequest('a folder cannot be moved into itself')
    await moveFolder(sql, caller.organizationKey, folder.path, to)
    const moved = await findFolder(sql, caller.organizationKey, folder.uid)
    // Somebody has deleted it meanwhile.
    if (moved === undefined) throw notFound('folder', folder.uid)
    return moved
  },
  remove: async (sql, caller, folder) => {
    if (folder.path === rootFolder) throw conflict(`${rootFolder} cannot be deleted`)
    if (await isFolderUsed(sql, caller.organizationKey, folder))
      throw conflict(`folder '${folder.path}' has components or folders in it`)
    if (!(await deleteFolder(sql, folder.key))) throw notFound('folder', folder.uid)
    return undefined
  },
  show: (folder) => ({ uid: folder.uid, path: folder.path }),
}
