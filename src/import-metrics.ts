// The metrics of imports (docs/operations.md#monitoring): numbers of all of them, and for each connector its last and
// next run, its failures in a row and the kind of its last error.
import { sharedNow } from './base/clock.ts'
import { shorten } from './base/errors.ts'
import type { World } from './base/world.ts'
import { connectorMetrics, importMetrics } from './core/import/import-metrics.ts'
import type { ConnectorMetrics, ImportMetrics } from './core/import/import-metrics.ts'
import type { Metrics } from './metrics.ts'
import { readOnce } from './metrics.ts'

export const showImports = (metrics: Metrics, { sql, clock }: World): void => {
  const all = readOnce(async () => importMetrics(sql, await sharedNow(clock, sql)))
  const gauge = (name: string, help: string, read: (imports: ImportMetrics) => number) =>
    metrics.gauge(name, help, () => all().then(read, () => Number.NaN), 'max')
  gauge('coppice_imports_running', 'Runs of imports that are under way, in all servers', ({ running }) => running)
  gauge(
    'coppice_imports_waiting',
    'Runs of imports that wait for a place, or for another on the same connection, in all servers',
    ({ waiting }) => waiting,
  )
  gauge('coppice_imports_failing', 'Imports whose last run has failed', ({ failing }) => failing)
  gauge('coppice_import_failures', 'Failures in a row of the import that has most', ({ failures }) => failures)
  gauge(
    'coppice_imports_late',
    'Imports that were due a minute ago, and that no server has put in the queue',
    ({ late }) => late,
  )

  const each = readOnce(() => connectorMetrics(sql))
  const series = (name: string, help: string, read: (connector: ConnectorMetrics) => number | null) =>
    metrics.series(name, help, ['connector'], async () => {
      const connectors = await each().catch(() => [])
      return connectors.flatMap((connector) => {
        const value = read(connector)
        return value === null ? [] : [[[connector.uid], value] as const]
      })
    })
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
  series('coppice_import_connector_failures', 'Failures in a row', ({ failures }) => failures)
  series(
    'coppice_import_connector_last_run_seconds',
    'When the last run that succeeded began, in seconds since 1970',
    ({ lastRunMs }) => seconds(lastRunMs),
  )
  series(
    'coppice_import_connector_next_run_seconds',
    'When the next run is due, in seconds since 1970',
    ({ nextRunMs }) => seconds(nextRunMs),
  )
  metrics.series(
    'coppice_import_connector_last_error',
    'The kind of error by which the last run failed; the connector has its words',
    ['connector', 'error'],
    async () => {
      const connectors = await each().catch(() => [])
      return connectors.flatMap(({ uid, lastError }) =>
        lastError === null ? [] : [[[uid, kindOfError(lastError)], 1] as const],
      )
    },
  )
}

/**
 * The kind is without quoted parts, which somebody wrote, and without numbers: the same error again is the same series.
 */
export const kindOfError = (text: string): string =>
  shorten(text.replaceAll(/'[^']*'|"[^"]*"/g, "'…'").replaceAll(/\d+/g, '#'), 100)
