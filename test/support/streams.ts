// Streams for tests of the core, made directly in the database: those of one component in a new organization.
//
//   const [key] = await addStreams(database.sql, [{}])
import type { Pool } from '../../src/base/database/sql.ts'
import type { StreamKind, ValueType } from '../../src/core/stream.ts'

type NewStream = { readonly kind?: StreamKind; readonly valueType?: ValueType }

type Owner = {
  readonly zone?: string
  /** One of it is an interval of the interval streams. */
  readonly unit?: string
  readonly reference?: string
  readonly retentionDays?: number
}

/** Gives their keys in the same order. */
export const addStreams = async (
  sql: Pool,
  streams: readonly NewStream[],
  { zone = 'UTC', unit = 'hour', reference = '2001-01-01T00:00:00', retentionDays }: Owner = {},
): Promise<readonly number[]> => {
  const rows = await sql<{ key: number }[]>`
    with organization as (
        insert into organization (name, retention_days) values ('o', ${retentionDays ?? null}) returning key),
      folder as (
        insert into folder (organization_key, path) select key, '/Components' from organization returning key),
      cycle as (
        insert into cycle (organization_key, id, name, size, unit, reference)
        select key, 'base', 'base', 1, ${unit}, ${reference} from organization
        returning key),
      component as (
        insert into component (organization_key, id, name, folder_key, time_zone)
        select organization.key, 'c', 'c', folder.key, ${zone} from organization, folder
        returning key),
      made as (
        insert into stream (component_key, id, name, kind, value_type, base_cycle_key, position)
        select component.key, 'made ' || n, 'made', kind, type, case when kind = 'interval' then cycle.key end, n
        from component, cycle, unnest(
          ${streams.map(({ kind = 'random' }) => kind)}::text[],
          ${streams.map(({ valueType = 'DOUBLE' }) => valueType)}::text[]) with ordinality as given (kind, type, n)
        returning key, position)
    select key from made order by position`
  return rows.map(({ key }) => key)
}
