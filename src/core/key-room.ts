// Keys are integers: eight bytes instead of four would cost every sample its place beside span (db/0011_sample.sql). A
// transaction that is undone uses its keys up, and so does a thing that is made and deleted: one caller can use up some
// thousands a second, and 2^31 within days. So a sequence goes on in the widest gap between the keys in use, long
// before it comes to one of them. A key is in use for as long as anything is left that was stored under it.
import type { Sql } from '../base/database/sql.ts'

type Place = readonly [table: string, column: string]

/** Tables of which one call makes rows by the thousand, with the places that know their keys without a reference. */
export const roomyKeys: Readonly<Record<string, readonly Place[]>> = {
  folder: [],
  unit: [],
  cycle: [],
  component: [['tile_member', 'component_key']],
  stream: [
    ['removal', 'stream_key'],
    ['import_last', 'stream_key'],
  ],
}

export const greatestKey = 2 ** 31 - 1

/** At 100,000 a second, what remains lasts for an hour and a half. */
const leastRoom = 2 ** 29

/** Gives the tables whose keys go on elsewhere. */
export const keepRoomForKeys = async (sql: Sql): Promise<readonly string[]> => {
  const moved: string[] = []
  for (const [table, known] of Object.entries(roomyKeys)) {
    const places: readonly Place[] = [[table, 'key'], ...known]
    const { name, last } = await sequenceOf(sql, table)
    if ((await nextUsed(sql, places, last)) - last >= leastRoom) continue
    const { after } = await widestGap(sql, places, last)
    if (after === last) continue
    // A sequence cannot stand at 0.
    await sql`select setval(${name}::regclass, ${Math.max(1, after)}, ${after > 0})`
    moved.push(table)
  }
  return moved
}

const sequenceOf = async (sql: Sql, table: string): Promise<{ readonly name: string; readonly last: number }> => {
  const [row] = await sql<[{ name: string; last: number }]>`
    select name, coalesce(pg_sequence_last_value(name::regclass), 0) as last
    from pg_get_serial_sequence(${table}, 'key') as name`
  return row
}

/** Each place by itself: where one has no index, the others are not read as a whole, too. */
const nextUsed = async (sql: Sql, places: readonly Place[], last: number): Promise<number> => {
  let next = greatestKey
  for (const [table, column] of places) {
    const [row] = await sql<[{ key: number | null }]>`
      select min(${sql(column)}) as key from ${sql(table)} where ${sql(column)} > ${last}`
    next = Math.min(next, row.key ?? greatestKey)
  }
  return next
}

/** The last key counts as used: those just below it may be of transactions that have not ended. */
const widestGap = async (sql: Sql, places: readonly Place[], last: number): Promise<{ readonly after: number }> => {
  let used = sql`select 0 as key union all select ${last}::integer`
  for (const [table, column] of places) used = sql`${used} union all select ${sql(column)} from ${sql(table)}`
  const [gap] = await sql<[{ after: number }]>`
    select key as after
    from (select key, lead(key, 1, ${greatestKey}::integer) over (order by key) - key as room from (${used}) as used)
      as gap
    order by room desc, key
    limit 1`
  return gap
}
