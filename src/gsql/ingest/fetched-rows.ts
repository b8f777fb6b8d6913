// Rows that a script has written into tables of its connection, fetched batch by batch: 20,000 of them, or fewer whose texts
// are long, so that no batch takes more memory than a single row of it makes it.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { Type } from '../value.ts'

export type Bound = string | boolean | null

/** A table of which c1, c2 ... are the columns of a statement, and n their order. */
export type Rows = {
  readonly table: string
  readonly from: (firstParameter: number) => string
  readonly values: readonly Bound[]
}

export const plainName = (table: string): string => table.replace('pg_temp.', '')

/**
 * Makes a table ready to be read in its order. An index takes no longer than to sort the rows once (0.4 s of CPU for a million),
 * and unlike that no disk for their texts. Without an analysis Postgres would sort all the same.
 */
export const indexOrder = async (sql: Sql, table: string): Promise<void> => {
  await sql.unsafe(`create unique index if not exists ${plainName(table)}_n on ${table} (n); analyze ${table}`)
}

const batchRows = 20_000
/** Of the texts in a batch, beside those of its first row. */
const batchBytes = 4 * 1024 * 1024
/** Longer than any text: some of them are an integer, which Postgres adds up much faster than anything larger. */
const mostCounted = 100_000_000

/**
 * By a cursor of SQL: the same transaction stores what is found meanwhile, and the driver's own would keep its connection.
 * They are not nested. `counts` are the rows of each batch.
 */
export const fetched = async function* (
  sql: Transaction,
  text: string,
  values: readonly Bound[],
  counts: Iterable<number>,
) {
  await sql.unsafe(`declare effect_rows no scroll cursor for ${text}`, [...values])
  try {
    for (const count of counts) {
      const rows = await sql.unsafe(`fetch ${count} from effect_rows`).values()
      if (rows.length > 0) yield rows as readonly (readonly unknown[])[]
      if (rows.length < count) break
    }
  } finally {
    // Where the transaction has failed it is gone.
    await sql`close effect_rows`.catch(() => {})
  }
}

export const always = function* (count: number): Generator<number> {
  for (;;) yield count
}

export const isOfTexts = (type: Type): boolean => type === 'STRING' || type === 'ANY'

/**
 * The rows of each batch. They are told by the lengths of all texts, which cost a scan: lengths of the rows before say nothing
 * of the next one.
 */
export const batchCounts = async (
  sql: Transaction,
  types: readonly Type[],
  { from, values }: Rows,
  orderText: string,
): Promise<Iterable<number>> => {
  const lengths = types.flatMap((type, column) =>
    isOfTexts(type) ? [`least(coalesce(octet_length(c${column + 1}::text), 0), ${mostCounted})`] : [],
  )
  if (lengths.length === 0) return always(batchRows)
  const counts = await sql.unsafe<{ count: number }[]>(
    `select count(*)::integer as count
    from (
      select sum(${lengths.join(' + ')}) over (${orderText} rows unbounded preceding) / ${batchBytes} as batch
      from ${from(1)}) numbered
    group by batch
    order by batch`,
    [...values],
  )
  return inParts(counts.map(({ count }) => count))
}

const inParts = function* (counts: readonly number[]): Generator<number> {
  for (const count of counts) for (let left = count; left > 0; left -= batchRows) yield Math.min(left, batchRows)
}
