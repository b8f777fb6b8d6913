// Templates: components without samples, from which components are made, and whose streams serve as
// definitions of single streams (compTmplId, dtId and dsId of docs/feeds.md#creation).
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { Component, NewComponent } from './component.ts'
import { insertComponent } from './component.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holdsInNames, isEqual, openListing, orderOf } from './listing.ts'
import type { Stream } from './stream.ts'
import { insertStreams, streamsOf } from './stream.ts'

export type TemplateDefinition = {
  readonly id: string | null
  readonly name: string
  readonly description: string
  /** Null: components made from it take the organization's zone. */
  readonly timeZone: string | null
}

export type TemplateRow = TemplateDefinition & { readonly key: number; readonly uid: string; readonly version: number }

export type Template = TemplateRow & { readonly streams: readonly Stream[] }

const select = (sql: Sql) => sql`
  select key, uid, id, name, description, time_zone as "timeZone", version`

export const findTemplate = async (sql: Sql, organizationKey: number, id: string): Promise<Template | undefined> => {
  const [template] = await sql<TemplateRow[]>`
    ${select(sql)} from component where organization_key = ${organizationKey} and is_template and id = ${id}`
  return template && withStreams(sql, template)
}

export const findTemplateByUid = async (
  sql: Sql,
  organizationKey: number,
  uid: string,
): Promise<TemplateRow | undefined> => {
  const [template] = await sql<TemplateRow[]>`
    ${select(sql)} from component where organization_key = ${organizationKey} and is_template and uid = ${uid}`
  return template
}

export const withStreams = async (sql: Sql, template: TemplateRow): Promise<Template> => ({
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

export const templateSorts = {
  name: 'lower(name)',
  id: 'lower(id)',
  description: 'lower(description)',
  timeZone: 'time_zone',
  version: 'version',
} as const satisfies Sorts

export const listTemplates = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { id }: { readonly id?: string | undefined },
): Promise<Listing<TemplateRow>> =>
  openListing<TemplateRow>(sql, page, {
    select: select(sql),
    from: sql`
      from component
      where organization_key = ${organizationKey} and is_template
        and ${holdsInNames(sql, page.text, 'component')} and ${isEqual(sql, 'id', id)}`,
    order: orderOf(sql, page, templateSorts, 'key'),
  })

/** A change that adds, moves or removes streams of a template holds this lock, as with components. */
export const lockTemplate = async (sql: Transaction, key: number): Promise<TemplateRow | undefined> => {
  const [template] = await sql<TemplateRow[]>`
    ${select(sql)} from component where key = ${key} and is_template for update`
  return template
}

/** Undefined when there is one with this ID. */
export const insertTemplate = async (
  sql: Transaction,
  organizationKey: number,
  { id, name, description, timeZone }: TemplateDefinition,
): Promise<TemplateRow | undefined> => {
  const [template] = await sql<TemplateRow[]>`
    insert into component (organization_key, is_template, id, name, description, time_zone)
    values (${organizationKey}, true, ${id}, ${name}, ${description}, ${timeZone})
    on conflict (organization_key, is_template, id) do nothing
    returning key, uid, id, name, description, time_zone as "timeZone", version`
  return template
}

/** The caller holds the template's lock. */
export const updateTemplate = async (
  sql: Transaction,
  key: number,
  { id, name, description, timeZone }: TemplateDefinition,
): Promise<void> => {
  await unlessTaken(
    sql`
      update component
      set id = ${id}, name = ${name}, description = ${description}, time_zone = ${timeZone}, version = version + 1
      where key = ${key}`,
    `there is a template with the id '${id}'`,
  )
}

/** Components made from it have all that they need: they stay, and no longer name it, which changes them. False when somebody was faster. */
export const deleteTemplate = async (sql: Transaction, key: number): Promise<boolean> => {
  await sql`update component set template_key = null, version = version + 1 where template_key = ${key}`
  return (await sql`delete from component where key = ${key}`).count === 1
}
