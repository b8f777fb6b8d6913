// The names of what the audit log knows by uid, for people: of those of the organization that are there still, and of
// removed ones by what was written down of them.
import type { Fragment, Sql } from '../base/database/sql.ts'

/** The e-mail of a user, the name of a key. */
export const actorName = (sql: Sql): Fragment => sql`
  case split_part(actor, ' ', 1)
    when 'user' then ${emailOf(sql, sql`split_part(actor, ' ', 2)`)}
    when 'api_key' then ${nameIn(sql, 'api_key', sql`split_part(actor, ' ', 2)`)}
  end`

export const subjectName = (sql: Sql): Fragment => {
  const subject = sql`audit.subject`
  return sql`
    coalesce(
      case split_part(action, '.', 1)
        when 'user' then ${emailOf(sql, subject)}
        when 'stream' then ${streamOf(sql)}
        when 'feed' then ${streamOf(sql)}
        when 'template' then ${nameIn(sql, 'component', subject)}
        when 'folder' then (
          select path from folder where uid = ${subject} and organization_key = audit.organization_key)
        when 'organization' then (select name from organization where uid = ${subject} and key = audit.organization_key)
        ${named.map((table) => sql`when ${table} then ${nameIn(sql, table, subject)}`).reduce((all, one) => sql`${all} ${one}`)}
      end,
      ${writtenDown(sql, 'before')},
      ${writtenDown(sql, 'after')})`
}

/** Entities with a table of their own, of the same name. */
const named = [
  'component',
  'unit',
  'cycle',
  'connector',
  'connection',
  'query',
  'dashboard',
  'api_key',
  'oauth_client',
] as const

const nameIn = (sql: Sql, table: (typeof named)[number], uid: Fragment): Fragment => sql`(
  select nullif(${sql(`${table}.name`)}, '')
  from ${sql(table)}
  where ${sql(`${table}.uid`)} = ${uid} and ${sql(`${table}.organization_key`)} = audit.organization_key)`

const emailOf = (sql: Sql, uid: Fragment): Fragment => sql`(
  select email
  from user_account
  join member on member.user_key = user_account.key
  where user_account.uid = ${uid} and member.organization_key = audit.organization_key)`

const streamOf = (sql: Sql): Fragment => sql`(
  select coalesce(nullif(component.name, ''), component.id) || ' · ' || coalesce(nullif(stream.name, ''), stream.id)
  from stream
  join component on component.key = stream.component_key
  where stream.uid = audit.subject and component.organization_key = audit.organization_key)`

const writtenDown = (sql: Sql, side: 'before' | 'after'): Fragment => {
  const members = ['name', 'email', 'path', 'id'].map((member) => sql`nullif(detail -> ${side} ->> ${member}, '')`)
  return sql`coalesce(${members.reduce((all, one) => sql`${all}, ${one}`)})`
}
