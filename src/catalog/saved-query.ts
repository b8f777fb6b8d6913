// Saved queries in the management API (docs/management.md#entities).
//
//   POST {"name":"Yesterday","sql":"SELECT ...","timeZone":"Europe/Berlin"}
import { notFound } from '../base/errors.ts'
import { blankable, needed, readMembers, shownUid, text, timeZone, versionNumber } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import {
  deleteQuery,
  findQuery,
  insertQuery,
  listQueries,
  lockQuery,
  querySorts,
  updateQuery,
} from '../core/saved-query.ts'
import type { QueryDefinition, SavedQuery } from '../core/saved-query.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

const members = {
  uid: shownUid,
  name: text(1, 512),
  sql: text(1, 1_000_000),
  timeZone: blankable(timeZone),
  version: versionNumber,
}

const filters = { name: text(0, 512) }

const readQuery = (input: unknown) => readMembers('query', input, members)

/** A query is saved as it is, even one that does not run yet: it is somebody's work in progress. */
export const queryEntity: Entity<SavedQuery, QueryDefinition, Members<typeof members>, typeof filters> = {
  name: 'query',
  about: {
    part: 'management',
    one: 'a saved query',
    many: 'saved queries',
    newMembers: members,
    changeMembers: members,
    needs: ['name', 'sql'],
    example: { name: 'Yesterday', sql: 'SELECT 1', timeZone: 'Europe/Berlin' },
  },
  readNew: (input) => {
    const { name, sql, timeZone: zone = null } = needed('a query', readQuery(input), 'name', 'sql')
    return { name, sql, timeZone: zone }
  },
  readChange: readQuery,
  filters,
  sorts: querySorts,
  list: (sql, caller, search) => listQueries(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findQuery(sql, caller.organizationKey, uid),
  create: (sql, caller, given) => insertQuery(sql, caller.organizationKey, given),
  update: async (sql, _caller, seen, given) => {
    const query = await lockQuery(sql, seen.key)
    if (query === undefined) throw notFound('query', seen.uid)
    refuseStale('query', given, query)
    return updateQuery(sql, query.key, withGiven(query, given))
  },
  remove: async (sql, _caller, { key, uid }) => {
    if (!(await deleteQuery(sql, key))) throw notFound('query', uid)
    return undefined
  },
  show: ({ uid, name, sql, timeZone: zone, version }) => ({ uid, name, sql, timeZone: zone, version }),
}
