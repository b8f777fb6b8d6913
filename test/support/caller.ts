// A caller that may do everything in its organization, for tests below the doors.
import type { Pool } from '../../src/base/database/sql.ts'
import type { Caller } from '../../src/core/caller.ts'

export const callerOf = ({ key, uid }: { readonly key: number; readonly uid: string }): Caller => ({
  organizationKey: key,
  organizationUid: uid,
  tenantUid: uid,
  actor: 'test',
  user: undefined,
  byCookie: false,
  may: () => true,
})

/** Of a new organization, without anything in it. */
export const addCaller = async (sql: Pool): Promise<Caller> => {
  const [organization] = await sql<[{ key: number; uid: string }]>`
    insert into organization (name) values ('o') returning key, uid`
  return callerOf(organization)
}
