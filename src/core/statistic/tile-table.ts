// Tiles of the Apache edition: tables, which are filled stream by stream.
import type { Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import type { Span } from '../time/span.ts'
import { dayMs, daySelect, hourMs, hourSelect } from './tile.ts'
import type { Phase } from './tile.ts'
import { clearStale, daysOf, hoursOf, readPhases, readStale, setReady, timed, tooLongMs } from './tile-state.ts'
import type { TileEdition } from './tile-state.ts'

const fillTables: TileEdition['fill'] = async (pool, state, pace) => {
  const { phase, readyUntilMs, nextStream, pieceUntilMs: untilMs } = state
  await timed(
    () =>
      transaction(pool, async (sql) => {
        await planForTimes(sql)
        const streams = await sql<{ key: number }[]>`
          select key from stream where key >= ${nextStream} and kind <> 'point' order by key limit ${pace.streams}`
        const keys = streams.map(({ key }) => key)
        await remakeTables(sql, phase, keys, [readyUntilMs, untilMs], untilMs)
        if (keys.length < pace.streams) await setReady(sql, phase, untilMs)
        else
          await sql`
            update rollup_phase
            set piece_until = ${untilMs}, next_stream = ${keys.at(-1)! + 1}
            where minutes = ${phase.minutes}`
      }),
    (factor) => (pace.streams = Math.min(5_000, Math.max(1, Math.floor(pace.streams * factor)))),
  )
}

/** Plans that are made for given times leave out other chunks. */
const planForTimes = (sql: Transaction) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`

/** Makes the hours of a span anew, and the days that end below untilMs. */
const remakeTables = async (
  sql: Transaction,
  phase: Phase,
  streamKeys: readonly number[],
  span: Span,
  untilMs: number,
): Promise<void> => {
  if (streamKeys.length === 0) return
  const remake = async (table: string, select: string, [fromMs, toMs]: Span) => {
    const values = [streamKeys as number[], fromMs, toMs]
    await sql.unsafe(
      `delete from ${table} where stream_key = any($1::integer[]) and bucket >= $2 and bucket < $3`,
      values,
      { prepare: true },
    )
    // One index scan per stream: without it Postgres reads whole chunks for a few hours of them.
    await sql.unsafe(
      `insert into ${table}
       select tile.* from unnest($1::integer[]) as wanted (key) cross join lateral (${select}) as tile`,
      values,
      { prepare: true },
    )
  }
  const hours = hoursOf(phase, span, untilMs)
  if (hours)
    await remake(
      phase.hourTable,
      hourSelect(phase, 'where stream_key = wanted.key and time >= $2 and time < $3'),
      hours,
    )
  const days = daysOf(phase, span, untilMs)
  if (days)
    await remake(
      phase.dayTable,
      daySelect(phase, 'where stream_key = wanted.key and bucket >= $2 and bucket < $3'),
      days,
    )
}

const mendTables: TileEdition['mend'] = async (pool, pace) => {
  const [next] = await pool<{ key: number }[]>`
    select stream_key as key from stale where stream_key >= ${pace.nextStream} order by stream_key limit 1`
  if (next === undefined) {
    const isLeft = pace.nextStream > 0
    pace.nextStream = 0
    return isLeft
  }
  const isDone = await transaction(pool, async (sql) => {
    await planForTimes(sql)
    const { snapshot, spans } = await readStale(sql, next.key, dayMs)
    const states = await readPhases(sql)
    const endAt = performance.now() + tooLongMs
    for (const [fromMs, toMs] of spans)
      for (let atMs = fromMs; atMs < toMs;) {
        const untilMs = Math.min(toMs, atMs + pace.spanMs)
        const span: Span = [atMs, untilMs]
        await timed(
          async () => {
            for (const { phase, readyUntilMs, pieceUntilMs } of states)
              await remakeTables(sql, phase, [next.key], span, pieceUntilMs ?? readyUntilMs)
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

export const tileTables: TileEdition = {
  make: async (sql, name, select, chunk) => {
    await sql.unsafe(`create table ${name} as ${select} with no data`)
    await sql.unsafe(`alter table ${name} add primary key (stream_key, bucket)`)
    await sql.unsafe(
      `select create_hypertable('${name}', by_range('bucket', interval '${chunk}'), create_default_indexes => false)`,
    )
  },
  drop: (sql, name) => sql.unsafe(`drop table ${name}`),
  tableOf: (_, name) => Promise.resolve(name),
  fill: fillTables,
  mend: mendTables,
}
