// Tiles of the Community edition: continuous aggregates. A refresh makes a span anew for all streams, and is forced:
// TimescaleDB's own notes about changes then do not matter, only our marks do.
import type { Pool, Transaction } from '../../base/database/sql.ts'
import type { Span } from '../time/span.ts'
import { dayMs, hourMs } from './tile.ts'
import type { Phase } from './tile.ts'
import { clearStale, daysOf, hoursOf, leastPieceMs, readPhases, readStale, setReady, timed } from './tile-state.ts'
import type { TileEdition } from './tile-state.ts'

const refreshAggregates = async (pool: Pool, phase: Phase, span: Span, untilMs: number): Promise<void> => {
  const [procedure] = await pool<[{ isBatched: boolean }]>`
    select exists (
      select from pg_proc where proname = 'refresh_continuous_aggregate' and 'options' = any(proargnames)
    ) as "isBatched"`
  // Newer versions refresh ten hours at a time, and the years of a wide chunk have very many of these.
  const atOnce = procedure.isBatched ? pool`, options => '{"buckets_per_batch": 0}'` : pool``
  const refresh = (name: string, [fromMs, toMs]: Span) => pool`
    call refresh_continuous_aggregate(
      ${name}::text::regclass, ${fromMs}::timestamptz, ${toMs}::timestamptz, force => true ${atOnce})`
  const hours = hoursOf(phase, span, untilMs)
  if (hours) await refresh(phase.hourTable, hours)
  const days = daysOf(phase, span, untilMs)
  if (days) await refresh(phase.dayTable, days)
}

const fillAggregates: TileEdition['fill'] = async (pool, { phase, readyUntilMs, pieceUntilMs: untilMs }, pace) => {
  await timed(
    () => refreshAggregates(pool, phase, [readyUntilMs, untilMs], untilMs),
    (factor) => (pace.spanMs = Math.max(leastPieceMs, pace.spanMs * factor)),
  )
  await setReady(pool, phase, untilMs)
}

const mendAggregates: TileEdition['mend'] = async (pool, pace) => {
  const { snapshot, spans } = await readStale(pool, undefined, dayMs)
  if (spans.length === 0) return false
  const [fromMs, toMs] = spans[0]!
  const untilMs = Math.min(toMs, fromMs + pace.spanMs)
  await timed(
    async () => {
      for (const { phase, readyUntilMs } of await readPhases(pool))
        await refreshAggregates(pool, phase, [fromMs, untilMs], readyUntilMs)
    },
    (factor) => (pace.spanMs = Math.max(hourMs, pace.spanMs * factor)),
  )
  await clearStale(pool, undefined, snapshot, untilMs)
  return true
}

/** The hypertable behind an aggregate. */
const materialized = async (sql: Transaction, view: string): Promise<string> => {
  const [table] = await sql<[{ name: string }]>`
    select format('%I.%I', materialization_hypertable_schema, materialization_hypertable_name) as name
    from timescaledb_information.continuous_aggregates
    where view_schema = current_schema() and view_name = ${view}`
  return table.name
}

export const tileAggregates: TileEdition = {
  make: async (sql, name, select) => {
    await sql.unsafe(`
      create materialized view ${name}
      with (timescaledb.continuous, timescaledb.materialized_only = true, timescaledb.create_group_indexes = false)
      as ${select} with no data`)
    await sql.unsafe(`create index on ${name} (stream_key, bucket)`)
  },
  drop: (sql, name) => sql.unsafe(`drop materialized view ${name}`),
  tableOf: materialized,
  fill: fillAggregates,
  mend: mendAggregates,
}
