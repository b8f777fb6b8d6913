// The catalogue as a whole (docs/transfer.md#catalogue): its entities in the order in which they were made, some at a
// time, and the one that is the same as another organization's.
import type { Fragment, Sql } from '../base/database/sql.ts'
import { belowFolder } from './folder.ts'

export type CatalogueKind = 'unit' | 'cycle' | 'folder' | 'template' | 'component'

/** Undefined: no limit of that kind. */
export type ComponentScope = {
  readonly folderKey: number | undefined
  readonly componentUids: readonly string[] | undefined
  /** Whether these were asked for by name. */
  readonly isNamed: boolean
}

/** The next ones after a key; those that every organization has are left out. */
export const entitiesAfter = async (
  sql: Sql,
  organizationKey: number,
  kind: CatalogueKind,
  afterKey: number,
  most: number,
  scope: ComponentScope,
): Promise<readonly { readonly key: number; readonly uid: string }[]> => {
  const isInFolder = await belowFolder(sql, organizationKey, kind === 'component' ? scope.folderKey : undefined)
  return sql`
    select key, uid
    from ${sql(tableOf(kind))}
    where organization_key = ${organizationKey} and key > ${afterKey} and ${conditionOf(sql, kind, scope, isInFolder)}
    order by key
    limit ${most}`
}

const tableOf = (kind: CatalogueKind): string => (kind === 'template' ? 'component' : kind)

const conditionOf = (
  sql: Sql,
  kind: CatalogueKind,
  { componentUids }: ComponentScope,
  isInFolder: () => Fragment,
): Fragment => {
  switch (kind) {
    case 'unit':
    case 'folder':
      return sql`true`
    case 'cycle':
      return sql`not is_stock`
    case 'template':
      return sql`is_template`
    case 'component':
      return sql`not is_template
        and ${componentUids === undefined ? sql`true` : sql`uid = any(${componentUids as string[]}::text[])`}
        and ${isInFolder()}`
  }
}

/** The one with the same ID; without an ID, the one without an ID that has the same name. A folder has a path. */
export const findSame = async (
  sql: Sql,
  organizationKey: number,
  kind: CatalogueKind,
  { id, name }: { readonly id: string | null; readonly name: string | null },
): Promise<string | undefined> => {
  const isSame =
    kind === 'folder' ? sql`path = ${name}` : id === null ? sql`id is null and name = ${name}` : sql`id = ${id}`
  const isOfKind = kind === 'component' ? sql`not is_template` : kind === 'template' ? sql`is_template` : sql`true`
  const [row] = await sql<{ uid: string }[]>`
    select uid from ${sql(tableOf(kind))}
    where organization_key = ${organizationKey} and ${isSame} and ${isOfKind}
    order by key
    limit 1`
  return row?.uid
}
