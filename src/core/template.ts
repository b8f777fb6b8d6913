// Templates: components without samples, from which components are made, and whose streams serve as
// definitions of single streams (compTmplId, dtId and dsId of service.md 4.1).
import type { Sql, Transaction } from '../base/sql.ts'
import type { Component, NewComponent } from './component.ts'
import { insertComponent } from './component.ts'
import type { Stream } from './stream.ts'
import { insertStreams, streamsOf } from './stream.ts'

export type Template = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly name: string
  readonly description: string
  /** Null: components made from it take the organization's. */
  readonly timeZone: string | null
  readonly version: number
  readonly streams: readonly Stream[]
}

const rows = (sql: Sql) => sql`
  select key, uid, id, name, description, time_zone as "timeZone", version from component`

export const findTemplate = async (sql: Sql, organizationKey: number, id: string): Promise<Template | undefined> => {
  const [template] = await sql<Omit<Template, 'streams'>[]>`
    ${rows(sql)} where organization_key = ${organizationKey} and is_template and id = ${id}`
  return template && withStreams(sql, template)
}

export const findTemplateByUid = async (
  sql: Sql,
  organizationKey: number,
  uid: string,
): Promise<Template | undefined> => {
  const [template] = await sql<Omit<Template, 'streams'>[]>`
    ${rows(sql)} where organization_key = ${organizationKey} and is_template and uid = ${uid}`
  return template && withStreams(sql, template)
}

const withStreams = async (sql: Sql, template: Omit<Template, 'streams'>): Promise<Template> => ({
  ...template,
  streams: await streamsOf(sql, template.key),
})

/**
 * Makes a component from a template, streams in the template's order. The template's zone wins over the one
 * given, which is the organization's. Undefined when the component's ID is taken.
 */
export const componentFromTemplate = async (
  sql: Transaction,
  organizationKey: number,
  template: Template,
  given: Omit<NewComponent, 'templateKey'>,
): Promise<{ readonly component: Component; readonly streams: readonly Stream[] } | undefined> => {
  const component = await insertComponent(sql, organizationKey, {
    ...given,
    description: given.description ?? template.description,
    timeZone: template.timeZone ?? given.timeZone,
    templateKey: template.key,
  })
  return component && { component, streams: await insertStreams(sql, component.key, template.streams) }
}
