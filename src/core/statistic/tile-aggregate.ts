// Tiles of the Community edition: continuous aggregates. A refresh fills a span for all streams, and is forced:
// TimescaleDB's own notes about changes then do not matter, only our marks do. Those are mended in the table behind the
// aggregate (tile-mend.ts). Old tiles are compressed (../upkeep/compression.ts).
import type { Pool, Transaction } from '../../base/database/sql.ts'
import type { Span } from '../time/span.ts'
import type { Phase } from './tile.ts'
import { daysOf, hoursOf, leastPieceMs, setReady, timed } from './tile-state.ts'
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
  const hours = phase.hasDaysOnly ? undefined : hoursOf(phase, span, untilMs)
  if (hours) await refresh(phase.hourTable, hours)
  const days = daysOf(phase, span, untilMs)
  if (days) await refresh(phase.dayTable, days)
}

const fillAggregates: TileEdition['fill'] = async (pool, state, pace) => {
  const { phase, readyUntilMs, pieceUntilMs: untilMs } = state
  await timed(
    () => refreshAggregates(pool, phase, [readyUntilMs, untilMs], untilMs),
    (factor) => (pace.spanMs = Math.max(leastPieceMs, pace.spanMs * factor)),
  )
  await setReady(pool, state, untilMs)
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
  // A chunk is compressed when it is over: of hours a month, of days a third of a year.
  chunks: { hour: '28 days', day: '112 days' },
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
}
