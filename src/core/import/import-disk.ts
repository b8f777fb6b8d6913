// The disk of a run of an import in our database while it goes on (docs/imports.md#limits): temporary tables of its own
// connection, whose size another connection can see.
import type { Pool, Sql } from '../../base/database/sql.ts'

/** The schema of the connection's temporary tables, once it has any. */
export const temporarySchema = async (own: Pool): Promise<number> => {
  const [row] = await own<[{ key: number }]>`select pg_my_temp_schema()::bigint as key`
  return row.key
}

/**
 * Bytes of all tables there, with their indexes and long texts; and whether the database takes no changes, for want of room as a
 * rule: temporary tables would still grow, and a run had all that was to stay free of the disk in four seconds.
 */
export const temporaryBytes = async (
  sql: Sql,
  schema: number,
): Promise<{ readonly bytes: number; readonly isFull: boolean }> => {
  const [row] = await sql<[{ bytes: number; isFull: boolean }]>`
    select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes,
      current_setting('transaction_read_only')::boolean as "isFull"
    from pg_class
    where relnamespace = ${schema}::bigint::oid and relkind = 'r'`
  return row
}
