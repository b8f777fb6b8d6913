// Makes stale tiles anew (rollup.ts), stream by stream, so that one late stream costs nobody else's tiles, and of those
// that are compressed only a batch or two is taken out. Both editions: the rows of a continuous aggregate are those of a
// table, too. TimescaleDB's own refresh would make a day of all streams anew for one sample.
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import type { Span } from '../time/span.ts'
import { dayMs, daySelect, hourMs, hourSelect, tileColumnNames } from './tile.ts'
import type { Phase, TileKind } from './tile.ts'
import { clearStale, daysOf, hoursOf, mendDaysToo, readPhases, readStale, timed, tooLongMs } from './tile-state.ts'
import type { Pace, TileEdition } from './tile-state.ts'

/** The table that holds the rows of a relation of tiles. */
export type TableOf = TileEdition['tableOf']

/** Plans that are made for given times leave out other chunks. */
export const planForTimes = (sql: Transaction) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Makes the hours of a span anew, and the days that end below untilMs. */
export const remake = async (
  sql: Transaction,
  tableOf: TableOf,
  phase: Phase,
  streamKeys: readonly number[],
  span: Span,
  untilMs: number,
): Promise<void> => {
  if (streamKeys.length === 0) return
  const columns = ['stream_key', 'bucket', ...tileColumnNames].join(', ')
  const remakeRows = async (name: string, select: string, [fromMs, toMs]: Span) => {
    const table = await tableOf(sql, name)
    const values = [streamKeys as number[], fromMs, toMs]
    await sql.unsafe(
      `delete from ${table} where stream_key = any($1::integer[]) and bucket >= $2 and bucket < $3`,
      values,
      { prepare: true },
    )
    // One index scan per stream: without it Postgres reads whole chunks for a few hours of them.
    await sql.unsafe(
      `insert into ${table} (${columns})
       select tile.* from unnest($1::integer[]) as wanted (key) cross join lateral (${select}) as tile`,
      values,
      { prepare: true },
    )
  }
  const hours = phase.hasDaysOnly ? undefined : hoursOf(phase, span, untilMs)
  if (hours)
    await remakeRows(
      phase.hourTable,
      hourSelect(phase, 'where stream_key = wanted.key and time >= $2 and time < $3'),
      hours,
    )
  const days = daysOf(phase, span, untilMs)
  if (days)
    await remakeRows(
      phase.dayTable,
      daySelect(phase, 'where stream_key = wanted.key and bucket >= $2 and bucket < $3'),
      days,
    )
}

/** Makes a bounded part of the stale tiles anew; false when none was stale. */
export const mendSome = async (pool: Pool, pace: Pace, tableOf: (kind: TileKind) => TableOf): Promise<boolean> => {
  const [next] = await pool<{ key: number }[]>`
      select stream_key as key from stale where stream_key >= ${pace.nextStream} order by stream_key limit 1`
  if (next === undefined) {
    const isLeft = pace.nextStream > 0
    pace.nextStream = 0
    return isLeft
  }
  const isDone = await transaction(pool, async (sql) => {
    await planForTimes(sql)
    await mendDaysToo(sql)
    const { snapshot, spans } = await readStale(sql, next.key, dayMs)
    const states = await readPhases(sql)
    const known = { aggregate: remembering(tableOf('aggregate')), table: remembering(tableOf('table')) }
    const endAt = performance.now() + tooLongMs
    for (const [fromMs, toMs] of spans)
      for (let atMs = fromMs; atMs < toMs;) {
        const untilMs = Math.min(toMs, atMs + pace.spanMs)
        const span: Span = [atMs, untilMs]
        await timed(
          async () => {
            for (const { phase, kind, readyUntilMs, pieceUntilMs } of states)
              await remake(sql, known[kind], phase, [next.key], span, pieceUntilMs ?? readyUntilMs)
          },
          (factor) => (pace.spanMs = Math.max(hourMs, pace.spanMs * factor)),
        )
        atMs = untilMs
        if (performance.now() > endAt) {
          await clearStale(sql, next.key, snapshot, untilMs)
          return false
        }
      }
    await clearStale(sql, next.key, snapshot, spans.at(-1)![1])
    return true
  })
  if (isDone) pace.nextStream = next.key + 1
  return true
}

/** Of one transaction: it is asked for at every step. */
const remembering = (tableOf: TableOf): TableOf => {
  const tables = new Map<string, Promise<string>>()
  return (sql, name) => {
    const table = tables.get(name) ?? tableOf(sql, name)
    tables.set(name, table)
    return table
  }
}
