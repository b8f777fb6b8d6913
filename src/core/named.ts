// Checks which entities named by an API key's rows exist (docs/access.md#api-keys): a row for another is a mistake,
// mostly an ID in place of the uid.
import type { Sql } from '../base/database/sql.ts'

/** The given uids that exist in the organization. */
export const existingUids = async (
  sql: Sql,
  organizationKey: number,
  entity: string,
  uids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ uid: string }[]>`
    select named.uid
    from ${tableOf(sql, entity)} named
    where named.organization_key = ${organizationKey} and named.uid = any(${uids as string[]}::text[])`
  return new Set(rows.map(({ uid }) => uid))
}

const tableOf = (sql: Sql, entity: string) => {
  switch (entity) {
    case 'component':
      return sql`(select uid, organization_key from component where not is_template)`
    case 'template':
      return sql`(select uid, organization_key from component where is_template)`
    case 'stream':
      return sql`(
        select stream.uid, component.organization_key
        from stream
        join component on component.key = stream.component_key)`
    case 'user':
      return sql`(
        select user_account.uid, member.organization_key
        from member
        join user_account on user_account.key = member.user_key)`
    case 'organization':
      return sql`(select uid, key as organization_key from organization)`
    default:
      return sql`${sql(entity)}`
  }
}

/** The uid of the component with this ID, for a message to a user who took the one for the other. */
export const uidOfComponentId = async (sql: Sql, organizationKey: number, id: string): Promise<string | undefined> => {
  const [row] = await sql<{ uid: string }[]>`
    select uid from component where organization_key = ${organizationKey} and id = ${id} and not is_template`
  return row?.uid
}
