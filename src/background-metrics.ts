// The metrics of the background's work on samples (docs/operations.md#monitoring): aggregates, and derived streams. Each is read once for all
// gauges of a look.
import type { World } from './base/world.ts'
import { deriveMetrics } from './core/derive/mark.ts'
import type { DeriveMetrics } from './core/derive/mark.ts'
import { rollupMetrics } from './core/statistic/rollup.ts'
import type { RollupMetrics } from './core/statistic/rollup.ts'
import type { Metrics } from './metrics.ts'
import { readOnce } from './metrics.ts'

export const showAggregates = (metrics: Metrics, { sql, clock }: World): void => {
  const all = readOnce(() => rollupMetrics(sql, clock.now()), 0)
  const gauge = (name: string, help: string, read: (rollup: RollupMetrics) => number) =>
    metrics.gauge(name, help, () => all().then(read, () => Number.NaN), 'max')
  gauge(
    'coppice_rollup_lag_seconds',
    'How long ago the moment was up to which aggregates are ready',
    ({ lagMs }) => lagMs / 1000,
  )
  gauge('coppice_rollup_stale_marks', 'Spans of time in streams that wait to be aggregated anew', ({ stale }) => stale)
}

export const showDerived = (metrics: Metrics, { sql }: World): void => {
  const all = readOnce(() => deriveMetrics(sql), 0)
  const gauge = (name: string, help: string, read: (derived: DeriveMetrics) => number) =>
    metrics.gauge(name, help, () => all().then(read, () => Number.NaN), 'max')
  gauge(
    'coppice_derived_samples',
    'Samples that were derived, of the streams that are derived now',
    ({ samples }) => samples,
  )
  gauge('coppice_derive_failing_streams', 'Derived streams whose expression fails', ({ failing }) => failing)
  gauge(
    'coppice_derive_stale_streams',
    'Derived streams that may be behind their sources until somebody has them derived anew',
    ({ stale }) => stale,
  )
  gauge(
    'coppice_derive_waiting_marks',
    'Spans of time in streams that others are still to be derived from',
    ({ waiting }) => waiting,
  )
  gauge('coppice_derive_lag_seconds', 'How long the oldest of them has been waiting', ({ lagMs }) => lagMs / 1000)
}
