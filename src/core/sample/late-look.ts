// Looks what is stored around late samples (late-times.ts), beside uploads, none of which waits for it: of many streams by
// one statement, one at a time, and for a part of the time only.
import type { Pool, Sql } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { weekMs } from './chunk.ts'
import type { LateSpan, LateTimes, Surroundings } from './late-times.ts'

/** No further than so, lest it look into every chunk. */
const reachMs = 4 * weekMs
const mostAtOnce = 2000
const patienceMs = 1000
/** It waits so many times as long as it took. */
const restTimes = 4

export type LateLook = {
  /** Called after each write; looks if something is wanted and nobody does yet. */
  readonly soon: () => void
  readonly close: () => Promise<void>
}

export const openLateLook = (pool: Pool, late: LateTimes): LateLook => {
  let looking: Promise<void> | undefined
  let isClosed = false
  const look = async (): Promise<void> => {
    const startedAt = performance.now()
    const spans = late.takeWanted(mostAtOnce, reachMs)
    try {
      for (const each of await readSurroundings(pool, spans)) late.answer(each)
    } catch {
      // It is only looked to be faster.
      late.forget(spans.map(({ streamKey }) => streamKey))
    }
    const restMs = restTimes * (performance.now() - startedAt)
    setTimeout(() => {
      looking = undefined
      soon()
    }, restMs).unref()
  }
  const soon = (): void => {
    if (late.isWanted && looking === undefined && !isClosed) looking = look()
  }
  return {
    soon,
    close: async () => {
      isClosed = true
      await looking
    },
  }
}

type Row = { readonly nth: number; readonly beforeMs: number | null; readonly afterMs: number | null }

/** Spans must lie near each other: the chunks around all of them are looked at. */
export const readSurroundings = (pool: Pool, spans: readonly LateSpan[]): Promise<readonly Surroundings[]> =>
  transaction(pool, async (sql) => {
    const [, rows] = await Promise.all([
      sql`
        select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
          set_config('statement_timeout', ${String(patienceMs)}, true)`,
      askSurroundings(sql, spans),
    ])
    return rows.map(({ nth, beforeMs, afterMs }): Surroundings => {
      const { streamKey, firstMs, lastMs } = spans[nth - 1]!
      return { streamKey, fromMs: beforeMs ?? firstMs - reachMs, untilMs: afterMs ?? lastMs + reachMs }
    })
  })

const askSurroundings = (sql: Sql, spans: readonly LateSpan[]) => {
  const firsts = spans.map(({ firstMs }) => firstMs)
  const lasts = spans.map(({ lastMs }) => lastMs)
  // The bounds that say the same for all leave out chunks while it is planned.
  return sql<Row[]>`
    select nth::integer,
      (
        select time
        from sample
        where stream_key = key and time < first and time >= low and time < ${Math.max(...firsts)}
          and time >= ${Math.min(...firsts) - reachMs}
        order by time desc
        limit 1
      ) as "beforeMs", (
        select time
        from sample
        where stream_key = key and time > last and time <= high and time > ${Math.min(...lasts)}
          and time <= ${Math.max(...lasts) + reachMs}
        order by time
        limit 1
      ) as "afterMs"
    from unnest(${spans.map(({ streamKey }) => streamKey)}::integer[], ${firsts}::timestamptz[], ${lasts}::timestamptz[],
      ${firsts.map((ms) => ms - reachMs)}::timestamptz[], ${lasts.map((ms) => ms + reachMs)}::timestamptz[])
      with ordinality as given (key, first, last, low, high, nth)`
}
