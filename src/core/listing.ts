// A page of a list: its start, its length, its order, and the text its rows are searched for (docs/management.md).
import { ownMember } from '../base/own.ts'
import type { Fragment, Sql, Transaction } from '../base/database/sql.ts'

export type Page = {
  readonly start: number
  readonly limit: number
  readonly text: string
  /** In place of the usual order. */
  readonly sort?: readonly { readonly by: string; readonly isDescending: boolean }[]
}

/** The words that a list can be sorted by, which are members of its rows, and the SQL of each. */
export type Sorts = Readonly<Record<string, string>>

/** The rows of a page are read some at a time, because they may be large; base/http/list-reply.ts does. */
export type Listing<Row> = {
  /** The rows of all pages, and of this one. */
  readonly totalCount: number
  readonly pageCount: number
  /** The most rows that are read together. */
  readonly atOnce: number
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
  const matches = columns.map((column) => sql`folded(${sql(column)}) like folded(${pattern})`)
  return sql`(${matches.reduce((all, one) => sql`${all} or ${one}`)})`
}

/**
 * The same for the id, name or description of the rows of a large table: one expression, which is indexed
 * (db/0037_catalog.sql). Of 300,000 streams, a word of four letters is found in 10 ms, one of two, which the index does
 * not help, in 200.
 */
export const holdsInNames = (sql: Sql, text: string, table: 'component' | 'stream'): Fragment => {
  if (text === '') return sql`true`
  const [id, name, description] = [sql(`${table}.id`), sql(`${table}.name`), sql(`${table}.description`)]
  return sql`folded(coalesce(${id}, '') || e'\\n' || ${name} || e'\\n' || ${description}) like folded(${like(text)})`
}

/** A filter: all of them where no value is asked for, those without one for null. */
export const isEqual = (sql: Sql, column: string, value: string | boolean | null | undefined): Fragment => {
  if (value === undefined) return sql`true`
  return value === null ? sql`${sql(column)} is null` : sql`${sql(column)} = ${value}`
}

/** A folder and all below it. */
export const isBelow = (sql: Sql, column: string, path: string | undefined): Fragment =>
  path === undefined ? sql`true` : sql`(${sql(column)} = ${path} or starts_with(${sql(column)}, ${`${path}/`}))`

/**
 * The order that was asked for, or the usual one. Rows that are equal in it stand in the order of their keys, so that
 * every page continues the one before.
 */
export const orderOf = (
  sql: Sql,
  { sort = [] }: Pick<Page, 'sort'>,
  sorts: Sorts,
  key: string,
  usual: Fragment = sql`${sql.unsafe(sorts['name']!)}`,
): Fragment => {
  if (sort.length === 0) return sql`${usual}, ${sql(key)}`
  const direction = (isDescending: boolean) => (isDescending ? sql`desc` : sql`asc`)
  const each = sort.map(({ by, isDescending }) => sql`${sql.unsafe(ownMember(sorts, by)!)} ${direction(isDescending)}`)
  return sql`${each.reduce((all, one) => sql`${all}, ${one}`)}, ${sql(key)} ${direction(sort[0]!.isDescending)}`
}

/** The parts of a query. */
export type ListingParts = {
  readonly select: Fragment
  /** The joins and conditions. */
  readonly from: Fragment
  readonly order: Fragment
  /**
   * Of a large table: the key of a row, and the joins that the columns need. The page is found by the keys alone; a far
   * one of 300,000 streams takes a third of the time.
   */
  readonly rows?: { readonly key: string; readonly from: Fragment }
  /** About the bytes that a row may take. */
  readonly rowBytes?: number
}

/**
 * Rows that are read together take no more, though nobody knows how large the next ones are: behind sixteen small queries, a
 * thousand of a megabyte came at once.
 */
const mostBytesAtOnce = 8 * 1024 * 1024
const usualRowBytes = 64 * 1024

/**
 * One page of the rows that the parts give, and the count of all of them. The rows wait in the database: a transaction
 * has one listing.
 */
export const openListing = async <Row extends object>(
  sql: Transaction,
  { start, limit }: Pick<Page, 'start' | 'limit'>,
  { select, from, order, rows, rowBytes = usualRowBytes }: ListingParts,
): Promise<Listing<Row>> => {
  if (rows === undefined)
    await sql`declare listing cursor for ${select} ${from} order by ${order} offset ${start} limit ${limit}`
  else
    await sql`
      declare listing cursor for
      with page as materialized (
        select ${sql(rows.key)} as key
        ${from}
        order by ${order}
        offset ${start}
        limit ${limit})
      ${select}
      ${rows.from}
      join page on page.key = ${sql(rows.key)}
      order by ${order}`
  const [count] = await sql<[{ n: number }]>`select count(*)::integer as n ${from}`
  const pageCount = Math.max(0, Math.min(limit, count.n - start))
  return {
    totalCount: count.n,
    pageCount,
    atOnce: Math.max(1, Math.floor(mostBytesAtOnce / rowBytes)),
    read: (most) => sql.unsafe<Row[]>(`fetch ${most} from listing`),
  }
}

/** A LIKE pattern that finds the text anywhere, with its own wildcards taken literally. */
export const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
