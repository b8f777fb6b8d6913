// A page of a list: where it starts, how long it is, and the text its rows are searched for (docs/management.md).
import type { Fragment, Sql } from '../base/database/sql.ts'
import { like } from './audit.ts'

export type Page = { readonly start: number; readonly limit: number; readonly text: string }
export type Listing<Row> = { readonly rows: readonly Row[]; readonly totalCount: number }

/** The condition that one of the columns holds the text, whatever its case. */
export const holds = (sql: Sql, text: string, ...columns: readonly string[]): Fragment => {
  if (text === '') return sql`true`
  const pattern = like(text)
  const matches = columns.map((column) => sql`${sql(column)} ilike ${pattern}`)
  return sql`(${matches.reduce((all, one) => sql`${all} or ${one}`)})`
}

/** One page of the rows that `select` and `from` (the joins and conditions) give, and the count of all of them. */
export const readListing = async <Row extends object>(
  sql: Sql,
  { start, limit }: Page,
  { select, from, order }: { readonly select: Fragment; readonly from: Fragment; readonly order: Fragment },
): Promise<Listing<Row>> => {
  const rows = await sql<Row[]>`${select} ${from} order by ${order} offset ${start} limit ${limit}`
  const [count] = await sql<[{ n: number }]>`select count(*)::integer as n ${from}`
  return { rows, totalCount: count.n }
}
