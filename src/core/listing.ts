// A page of a list: its start, its length, and the text its rows are searched for (docs/management.md).
import type { Fragment, Sql, Transaction } from '../base/database/sql.ts'

export type Page = { readonly start: number; readonly limit: number; readonly text: string }

/** The rows of a page are read some at a time, because they may be large; base/http/list-reply.ts does. */
export type Listing<Row> = {
  /** The rows of all pages, and of this one. */
  readonly totalCount: number
  readonly pageCount: number
  /**
   * The next rows, no more than `most` of them, and none once all were read. Where their parts take more than
   * `roomBytes`, it gives those bytes instead.
   */
  readonly read: (most: number, roomBytes: number) => Promise<readonly Row[] | number>
}

/** The condition that one of the columns holds the text, whatever its case. */
export const holds = (sql: Sql, text: string, ...columns: readonly string[]): Fragment => {
  if (text === '') return sql`true`
  const pattern = like(text)
  const matches = columns.map((column) => sql`${sql(column)} ilike ${pattern}`)
  return sql`(${matches.reduce((all, one) => sql`${all} or ${one}`)})`
}

/**
 * One page of the rows that `select` and `from` (the joins and conditions) give, and the count of all of them. The rows
 * wait in the database: a transaction has one listing.
 */
export const openListing = async <Row extends object>(
  sql: Transaction,
  { start, limit }: Pick<Page, 'start' | 'limit'>,
  { select, from, order }: { readonly select: Fragment; readonly from: Fragment; readonly order: Fragment },
): Promise<Listing<Row>> => {
  await sql`declare listing cursor for ${select} ${from} order by ${order} offset ${start} limit ${limit}`
  const [count] = await sql<[{ n: number }]>`select count(*)::integer as n ${from}`
  const pageCount = Math.max(0, Math.min(limit, count.n - start))
  return { totalCount: count.n, pageCount, read: (most) => sql.unsafe<Row[]>(`fetch ${most} from listing`) }
}

/** A LIKE pattern that finds the text anywhere, with its own wildcards taken literally. */
export const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
