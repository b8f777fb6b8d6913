// Leaves room in the pages of a chunk whose samples are overwritten again and again. A new version of a row goes into the
// page of the old one where there is room, and the index keeps its entry; else it goes to a full page elsewhere, with an entry of its own, and so does the next one.
// Half a page of room takes an upsert from 10.7 µs a row to 7.0, and the table no longer grows (test/bench/README.md).
//
// Samples that are added to such pages take twice the place. So it is for chunks of these weeks, in which more samples are moved than
// added, and ends when more are added than overwritten.
import type { Pool } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { comingWeeks, unlessLocked, weekMs } from '../sample/chunk.ts'

/** Since the statistics of the database began. */
type Counts = { readonly added: number; readonly overwritten: number; readonly moved: number }

type Chunk = Counts & { readonly name: string; readonly isNear: boolean; readonly hasRoom: boolean }

/** So many in a look are worth it. */
const leastMoved = 10_000
/** The part of a page that is filled, in percent. */
const filled = 50
/** VACUUM is in the way for longer: the next look comes soon. */
const lockMs = 100
/** Chunks of weeks that have passed are looked at for so long, lest a server that was stopped leaves room there. */
const pastMs = 4 * weekMs

/** Looks at the chunks, and gives how many it has changed, by the writes since its last look. */
export const openPageRoom = (): ((pool: Pool, nowMs: number) => Promise<number>) => {
  let known = new Map<string, Counts>()
  return async (pool, nowMs) => {
    const chunks = await readChunks(pool, nowMs)
    const before = known
    known = new Map(chunks.map((chunk) => [chunk.name, chunk]))
    let changed = 0
    for (const chunk of chunks) {
      const then = before.get(chunk.name)
      const wantsRoom = then && roomWanted(chunk, then)
      if (wantsRoom !== undefined && wantsRoom !== chunk.hasRoom && (await change(pool, chunk.name, wantsRoom)))
        changed += 1
    }
    return changed
  }
}

/** Undefined: as it is. */
const roomWanted = (chunk: Chunk, then: Counts): boolean | undefined => {
  const added = chunk.added - then.added
  const moved = chunk.moved - then.moved
  if (!chunk.isNear || added > chunk.overwritten - then.overwritten) return false
  return moved >= leastMoved && moved > added ? true : undefined
}

const readChunks = (pool: Pool, nowMs: number): Promise<readonly Chunk[]> => {
  const [fromMs, untilMs] = comingWeeks(nowMs)
  return pool<Chunk[]>`
    select chunk::text as name, "isNear", coalesce(${`fillfactor=${filled}`} = any(reloptions), false) as "hasRoom",
      pg_stat_get_tuples_inserted(chunk) as added, pg_stat_get_tuples_updated(chunk) as overwritten,
      pg_stat_get_tuples_updated(chunk) - pg_stat_get_tuples_hot_updated(chunk) as moved
    from (
      select chunk, true as "isNear"
      from show_chunks('sample', newer_than => ${fromMs}::timestamptz, older_than => ${untilMs}::timestamptz) as chunk
      union all
      select chunk, false
      from show_chunks('sample', newer_than => ${fromMs - pastMs}::timestamptz, older_than => ${fromMs}::timestamptz) as chunk
    ) as shown
    join pg_class on pg_class.oid = chunk`
}

/** Readers and writers are not kept waiting. False: somebody else changes the chunk. One that is gone is nobody's loss. */
const change = (pool: Pool, name: string, withRoom: boolean): Promise<boolean> =>
  unlessLocked(
    transaction(pool, async (sql) => {
      await sql`select set_config('lock_timeout', ${`${lockMs}ms`}, true)`
      await sql.unsafe(
        `alter table if exists ${name} ${withRoom ? `set (fillfactor = ${filled})` : 'reset (fillfactor)'}`,
      )
      return true
    }),
  )
