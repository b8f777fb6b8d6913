// Saved queries: GS SQL scripts under a name (docs/management.md#entities).
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'

export type SavedQuery = {
  readonly key: number
  readonly uid: string
  readonly name: string
  readonly sql: string
  readonly timeZone: string | null
  readonly version: number
}

export type QueryDefinition = Pick<SavedQuery, 'name' | 'sql' | 'timeZone'>

const select = (sql: Sql) => sql`select key, uid, name, sql, time_zone as "timeZone", version`

export const querySorts = { name: 'lower(name)', timeZone: 'time_zone', version: 'version' } as const satisfies Sorts

export const listQueries = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { name }: { readonly name?: string | undefined },
): Promise<Listing<SavedQuery>> =>
  openListing(sql, page, {
    select: select(sql),
    from: sql`
      from query
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'name', 'sql')}
        and ${isEqual(sql, 'name', name)}`,
    order: orderOf(sql, page, querySorts, 'key'),
    // A script of a million characters.
    rowBytes: 4 * 1024 * 1024,
  })

export const findQuery = async (sql: Sql, organizationKey: number, uid: string): Promise<SavedQuery | undefined> => {
  const [row] = await sql<SavedQuery[]>`
    ${select(sql)} from query where organization_key = ${organizationKey} and uid = ${uid}`
  return row
}

export const lockQuery = async (sql: Transaction, key: number): Promise<SavedQuery | undefined> => {
  const [row] = await sql<SavedQuery[]>`${select(sql)} from query where key = ${key} for update`
  return row
}

export const insertQuery = async (
  sql: Transaction,
  organizationKey: number,
  { name, sql: script, timeZone }: QueryDefinition,
): Promise<SavedQuery> => {
  const [row] = await sql<[SavedQuery]>`
    insert into query (organization_key, name, sql, time_zone)
    values (${organizationKey}, ${name}, ${script}, ${timeZone})
    returning key, uid, name, sql, time_zone as "timeZone", version`
  return row
}

export const updateQuery = async (
  sql: Transaction,
  key: number,
  { name, sql: script, timeZone }: QueryDefinition,
): Promise<SavedQuery> => {
  const [row] = await sql<[SavedQuery]>`
    update query set name = ${name}, sql = ${script}, time_zone = ${timeZone}, version = version + 1
    where key = ${key}
    returning key, uid, name, sql, time_zone as "timeZone", version`
  return row
}

/** False when somebody was faster. */
export const deleteQuery = async (sql: Transaction, key: number): Promise<boolean> =>
  (await sql`delete from query where key = ${key}`).count === 1
