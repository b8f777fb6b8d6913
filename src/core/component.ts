// Components, to which streams belong (docs/words.md). Templates are rows of the same table (core/template.ts) and are
// never seen from here.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import { ensureFolder } from './folder.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holdsInNames, isBelow, isEqual, openListing, orderOf } from './listing.ts'

export type Component = {
  readonly key: number
  readonly uid: string
  readonly id: string | null
  readonly name: string
  readonly description: string
  readonly folderPath: string
  readonly timeZone: string
  readonly templateUid: string | null
  readonly version: number
}

export type NewComponent = {
  readonly id: string | null
  readonly name: string
  readonly description?: string
  /** The path as folderPath gives it. */
  readonly folderPath: string
  readonly timeZone: string
  readonly templateKey: number | null
}

const select = (sql: Sql) => sql`
  select component.key, component.uid, component.id, component.name, component.description,
    folder.path as "folderPath", component.time_zone as "timeZone", template.uid as "templateUid", component.version`

/** Every component has a folder; but with a left join, counting components needs none. */
const from = (sql: Sql) => sql`
  from component
  left join folder on folder.key = component.folder_key
  left join component as template on template.key = component.template_key`

export const findComponent = async (sql: Sql, organizationKey: number, id: string): Promise<Component | undefined> => {
  const [component] = await sql<Component[]>`
    ${select(sql)} ${from(sql)}
    where component.organization_key = ${organizationKey} and not component.is_template and component.id = ${id}`
  return component
}

export const findComponentByUid = async (
  sql: Sql,
  organizationKey: number,
  uid: string,
): Promise<Component | undefined> => {
  const [component] = await sql<Component[]>`
    ${select(sql)} ${from(sql)}
    where component.organization_key = ${organizationKey} and not component.is_template and component.uid = ${uid}`
  return component
}

/** Undefined when a component with this ID is there already, or was made by somebody else just now. */
export const insertComponent = async (
  sql: Transaction,
  organizationKey: number,
  { folderPath, ...component }: NewComponent,
): Promise<Component | undefined> => {
  const [made] = await insertComponents(sql, organizationKey, folderPath, [component])
  return made && (await findComponentByKey(sql, made.key))
}

/**
 * Makes components in one folder, and gives those that were not there already. They are made in the order of their
 * IDs, so that calls that make the same ones wait for each other in one order.
 */
export const insertComponents = async (
  sql: Transaction,
  organizationKey: number,
  folderPath: string,
  components: readonly Omit<NewComponent, 'folderPath'>[],
): Promise<readonly Pick<Component, 'key' | 'uid' | 'id'>[]> => {
  const folderKey = await ensureFolder(sql, organizationKey, folderPath)
  const rows = components.map((component) => ({ description: '', ...component }))
  return sql<Pick<Component, 'key' | 'uid' | 'id'>[]>`
    insert into component (organization_key, id, name, description, folder_key, time_zone, template_key)
    select ${organizationKey}, id, name, description, ${folderKey}, "timeZone", "templateKey"
    from jsonb_to_recordset(${sql.json(rows)}) as new (
      id text, name text, description text, "timeZone" text, "templateKey" integer)
    order by id
    on conflict (organization_key, is_template, id) do nothing
    returning key, uid, id`
}

export const findComponentByKey = async (sql: Sql, key: number): Promise<Component | undefined> => {
  const [component] = await sql<Component[]>`${select(sql)} ${from(sql)} where component.key = ${key}`
  return component
}

/**
 * Keeps the component and the order of its streams as they are until the transaction ends: a change that adds,
 * moves or removes streams holds this lock. Gives the component as it is now, or undefined when it is gone.
 */
export const lockComponent = async (sql: Transaction, key: number): Promise<Component | undefined> => {
  const [component] = await sql<Component[]>`
    ${select(sql)} ${from(sql)} where component.key = ${key} for update of component`
  return component
}

/** The same for several at once, in the order of their keys. */
export const lockComponents = async (sql: Transaction, keys: readonly number[]): Promise<void> => {
  await sql`select from component where key = any(${keys}::integer[]) order by key for update`
}

/** Further conditions of a list. */
export type ComponentFilter = {
  readonly uid?: string | undefined
  readonly id?: string | undefined
  /** A folder and all below it. */
  readonly folderPath?: string | undefined
  /** Null: those that were made from no template. */
  readonly templateUid?: string | null | undefined
  readonly timeZone?: string | undefined
}

export const componentSorts = {
  name: 'lower(component.name)',
  id: 'lower(component.id)',
  description: 'lower(component.description)',
  folder: 'folder.path',
  timeZone: 'component.time_zone',
  templateUid: 'template.uid',
  version: 'component.version',
} as const satisfies Sorts

export const listComponents = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { uid, id, folderPath, templateUid, timeZone }: ComponentFilter,
): Promise<Listing<Component>> =>
  openListing<Component>(sql, page, {
    select: select(sql),
    from: sql`
      ${from(sql)}
      where component.organization_key = ${organizationKey} and not component.is_template
        and ${holdsInNames(sql, page.text, 'component')}
        and ${isEqual(sql, 'component.uid', uid)}
        and ${isEqual(sql, 'component.id', id)}
        and ${isBelow(sql, 'folder.path', folderPath)}
        and ${isEqual(sql, 'template.uid', templateUid)}
        and ${isEqual(sql, 'component.time_zone', timeZone)}`,
    order: orderOf(sql, page, componentSorts, 'component.key'),
    rows: { key: 'component.key', from: from(sql) },
  })

export type ComponentChange = Pick<Component, 'id' | 'name' | 'description' | 'folderPath' | 'timeZone'>

/** The caller holds the component's lock. */
export const updateComponent = async (
  sql: Transaction,
  organizationKey: number,
  key: number,
  { id, name, description, folderPath, timeZone }: ComponentChange,
): Promise<void> => {
  const folderKey = await ensureFolder(sql, organizationKey, folderPath)
  await unlessTaken(
    sql`
      update component
      set id = ${id}, name = ${name}, description = ${description}, folder_key = ${folderKey},
        time_zone = ${timeZone}, version = version + 1
      where key = ${key}`,
    `there is a component with the id '${id}'`,
  )
}

/** The streams of a component go with it; their samples are queued by queueRemoval before. */
export const deleteComponent = async (sql: Transaction, key: number): Promise<void> => {
  await sql`delete from component where key = ${key}`
}

/** Keys of the components of these uids, or of all others. */
export const componentKeys = async (
  sql: Sql,
  organizationKey: number,
  which: 'only' | 'except',
  uids: readonly string[],
): Promise<readonly number[]> => {
  const isAmong = sql`uid = any(${uids as string[]}::text[])`
  const rows = await sql<{ key: number }[]>`
    select key
    from component
    where organization_key = ${organizationKey} and not is_template
      and ${which === 'only' ? isAmong : sql`not ${isAmong}`}`
  return rows.map(({ key }) => key)
}
