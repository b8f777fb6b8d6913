// A page of a list: where it starts, how long it is, and the text its rows are searched for (decisions 11).
import type { Sql } from '../base/sql.ts'
import { like } from './audit.ts'

export type Page = { readonly start: number; readonly limit: number; readonly text: string }
export type Listing<Row> = { readonly rows: readonly Row[]; readonly totalCount: number }

/** The condition that one of the columns (of a table or alias) holds the text, whatever its case. */
export const holds = (sql: Sql, text: string, ...columns: readonly string[]) => {
  const pattern = like(text)
  return text === ''
    ? sql`true`
    : columns
        .map((column) => sql`${sql(column)} ilike ${pattern}`)
        .reduce((all, one) => sql`${all} or ${one}`, sql`false`)
}
