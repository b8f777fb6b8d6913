// Keys are integers: eight bytes instead of four would cost every sample its place beside span (db/0011_sample.sql). A
// transaction that is undone uses its keys up, and so does a thing that is made and deleted: one caller can use up some
// thousands a second, and 2^31 within days. So a sequence goes on in the widest gap between the keys in use, long
// before it comes to one of them.
//
// Nothing may be left that was stored under a key when it is given again: it would be of somebody else. So a gap is looked at
// twice, an hour apart. Within that hour every statement that has read a deleted thing has ended (jobs.ts), rows of the live
// journal are gone (../live/trim.ts), and servers have heard that it is deleted.
import type { Sql } from '../../base/database/sql.ts'

type Place = readonly [table: string, column: string]

/** Tables of which one call makes rows by the thousand, with the places that know many of their keys without a reference. */
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

/** As long as a step of a job may take. */
export const restMs = 3_600_000

/** The keys behind one in use, as many as are free. */
type Gap = { readonly after: number; readonly end: number }

/** Gives the tables whose keys go on elsewhere. To be called again and again: it remembers the gaps that it has seen. */
export type KeepRoom = (sql: Sql, nowMs: number) => Promise<readonly string[]>

export const openKeyRoom = (): KeepRoom => {
  const seen = new Map<string, Gap & { readonly atMs: number }>()
  return async (sql, nowMs) => {
    const moved: string[] = []
    for (const [table, known] of Object.entries(roomyKeys)) {
      const used: readonly Place[] = [[table, 'key'], ...known]
      const { name, last } = await sequenceOf(sql, table)
      if ((await nextUsed(sql, used, last)) - last >= leastRoom) {
        seen.delete(table)
        continue
      }
      const places = [...used, ...(await placesOf(sql, table))]
      const gap = seen.get(table)
      if (gap === undefined || (await nextUsed(sql, places, gap.after)) < gap.end) {
        const { after, end } = await widestGap(sql, used, places, last)
        if (after !== last) seen.set(table, { after, end, atMs: nowMs })
      } else if (nowMs - gap.atMs >= restMs) {
        // A sequence cannot stand at 0.
        await sql`select setval(${name}::regclass, ${Math.max(1, gap.after)}, ${gap.after > 0})`
        seen.delete(table)
        moved.push(table)
      }
    }
    return moved
  }
}

const sequenceOf = async (sql: Sql, table: string): Promise<{ readonly name: string; readonly last: number }> => {
  const [row] = await sql<[{ name: string; last: number }]>`
    select name, coalesce(pg_sequence_last_value(name::regclass), 0) as last
    from pg_get_serial_sequence(${table}, 'key') as name`
  return row
}

/** All tables that have such keys, those of samples and tiles among them; a hypertable stands for its chunks. */
const placesOf = async (sql: Sql, table: string): Promise<readonly Place[]> => {
  const found = await sql<{ name: string }[]>`
    select attrelid::regclass::text as name
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where attname = ${`${table}_key`} and relkind = 'r' and not attisdropped
      and relname !~ '^(_hyper_|compress_hyper_|_compressed_hypertable_)'
      and not exists (select from pg_inherits where inhrelid = attrelid)
    order by 1`
  return found.map(({ name }) => [name, `${table}_key`])
}

/** Each place by itself: where one has no index, the others are not read as a whole, too. */
const nextUsed = async (sql: Sql, places: readonly Place[], last: number): Promise<number> => {
  let next = greatestKey
  for (const [table, column] of places) {
    const [row] = await sql<[{ key: number | null }]>`
      select min(${sql(column)}) as key from ${sql.unsafe(table)} where ${sql(column)} > ${last}`
    next = Math.min(next, row.key ?? greatestKey)
  }
  return next
}

/** Rows of keys that nothing else knows are few, if there are any. */
const mostFences = 100

/** The last key counts as used: those just below it may be of transactions that have not ended. */
const widestGap = async (sql: Sql, used: readonly Place[], places: readonly Place[], last: number): Promise<Gap> => {
  const fences = [0, last]
  for (;;) {
    let keys = sql`select unnest(${fences}::integer[]) as key`
    for (const [table, column] of used) keys = sql`${keys} union all select ${sql(column)} from ${sql(table)}`
    const [gap] = await sql<[Gap]>`
      select key as after, "end"
      from (select key, lead(key, 1, ${greatestKey}::integer) over (order by key) as "end" from (${keys}) as used) as gap
      order by "end" - key desc, key
      limit 1`
    const fence = await nextUsed(sql, places, gap.after)
    if (fence >= gap.end || fences.length > mostFences) return { after: gap.after, end: Math.min(fence, gap.end) }
    fences.push(fence)
  }
}
