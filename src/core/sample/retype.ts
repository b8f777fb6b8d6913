// A stream of texts that are all numbers becomes one of numbers (docs/management.md#components-and-streams): clients
// that send "21.5" have made many such streams, of which there could be no average.
//
// Numbers are put beside the texts while the stream is still one of texts, where nobody looks at them; so that takes its
// time without keeping anybody waiting. Then, with the gate closed, the few that came meanwhile, and all its aggregates
// are marked, so that statistics are read from samples until they are made anew. The texts stay, where nobody looks any
// more.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode } from '../../base/database/sql.ts'
import { conflict, shorten } from '../../base/errors.ts'
import { afterClosing } from './catalog-change.ts'

/** A number as value.ts reads it, among blanks that Postgres takes for such. */
const isDecimal = (sql: Sql) =>
  sql`length(text) <= ${mostLength} and text ~ '^[ \\t\\n\\r\\f\\v]*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?[ \\t\\n\\r\\f\\v]*$'`

/** No number that a double distinguishes from others is longer. */
const mostLength = 400

/** Puts numbers beside texts; a conflict where a text is none. The gate may be open. */
export const putNumbersBeside = async (sql: Transaction, streamKey: number, name: string): Promise<void> => {
  for (const table of ['sample', 'point_sample']) {
    const [other] = await sql<{ text: string }[]>`
      select text from ${sql(table)} where stream_key = ${streamKey} and text is not null and not (${isDecimal(sql)}) limit 1`
    if (other) throw isNoNumber(name, other.text)
    try {
      await sql`
        update ${sql(table)} set num = text::double precision
        where stream_key = ${streamKey} and text is not null and num is null`
    } catch (error) {
      throw sqlCode(error) === '22003' ? isNoNumber(name, 'one beyond all numbers') : error
    }
  }
}

const isNoNumber = (name: string, text: string) =>
  conflict(`stream '${shorten(name)}' has a value that is no number, '${shorten(text)}': its valueType must stay`)

/** An archive of texts has no numbers, and the texts are gone. */
export const hasArchive = async (sql: Sql, streamKey: number): Promise<boolean> => {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from archive where stream_key = ${streamKey}) as found`
  return row.found
}

/**
 * Marks all aggregates of a stream, to be made anew, and with the change's commit those of what was claimed meanwhile. The gate
 * of its organization is closed.
 */
export const markAllStale = async (sql: Transaction, streamKey: number): Promise<void> => {
  const markedUntil = await markStaleSince(sql, streamKey, '-infinity')
  await afterClosing(sql, async () => void (await markStaleSince(sql, streamKey, markedUntil)))
}

/** Gives the moment up to which aggregates are claimed, as Postgres writes it. */
const markStaleSince = async (sql: Transaction, streamKey: number, since: string): Promise<string> => {
  const [{ claimedUntil }] = await sql<[{ claimedUntil: string }]>`
    select claimed_until::text as "claimedUntil" from rollup_state`
  if (claimedUntil !== since)
    await sql`
      insert into stale_mark (stream_key, first_time, last_time)
      select ${streamKey}, min(time), max(time)
      from sample
      where stream_key = ${streamKey} and time >= ${since}::text::timestamptz and time < ${claimedUntil}::text::timestamptz
      having min(time) is not null`
  return claimedUntil
}
