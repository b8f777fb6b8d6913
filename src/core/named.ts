// Entities by their uids: which of those named by an API key's rows exist (docs/access.md#api-keys), and which one a user
// meant who gave an ID in place of a uid.
import type { Sql } from '../base/database/sql.ts'
import type { Noun } from '../base/errors.ts'
import { Fault, notFound } from '../base/errors.ts'
import { ownMember } from '../base/own.ts'
import type { Caller, Resource } from './caller.ts'

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

/**
 * The uid of the entity that has this other name: a component's ID, a user's e-mail. A user who took the one for the
 * other is shown it.
 */
export const uidByName = async (
  sql: Sql,
  organizationKey: number,
  entity: string,
  name: string,
): Promise<string | undefined> => {
  const column = ownMember(otherNames, entity)
  if (column === undefined) return undefined
  const [row] = await sql<{ uid: string }[]>`
    select uid
    from ${namedOf(sql, entity)} named
    where organization_key = ${organizationKey} and ${sql(column)} = ${name}
    order by uid
    limit 1`
  return row?.uid
}

/** The Fault for a uid that no entity has, with the one that was probably meant, if the caller may see it. */
export const uidNotFound = async (
  sql: Sql,
  { organizationKey, may }: Pick<Caller, 'organizationKey' | 'may'>,
  noun: Noun & Resource,
  given: string,
): Promise<Fault> => {
  const fault = notFound(noun, given)
  const uid = await uidByName(sql, organizationKey, noun, given)
  if (uid === undefined || !may(`GET ${noun}`, uid)) return fault
  return new Fault(fault.code, `${fault.message}: its uid is wanted here, ${uid}`)
}

/** Names that users give to entities, by which they look for them. */
const otherNames: Readonly<Record<string, string>> = {
  component: 'id',
  template: 'id',
  unit: 'id',
  cycle: 'id',
  folder: 'path',
  connector: 'endpoint',
  connection: 'name',
  oauth_client: 'client_id',
  user: 'email',
}

const namedOf = (sql: Sql, entity: string) => {
  switch (entity) {
    case 'component':
      return sql`(select uid, organization_key, id from component where not is_template)`
    case 'template':
      return sql`(select uid, organization_key, id from component where is_template)`
    case 'user':
      return sql`(
        select user_account.uid, member.organization_key, user_account.email
        from member
        join user_account on user_account.key = member.user_key)`
    default:
      return sql`${sql(entity)}`
  }
}
