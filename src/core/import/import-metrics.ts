// The metrics of imports, for operators (docs/operations.md#monitoring).
import type { Sql } from '../../base/database/sql.ts'

export type ImportMetrics = {
  readonly running: number
  readonly waiting: number
  readonly failing: number
  readonly failures: number
  readonly late: number
}

/**
 * Numbers of imports that are switched on: those that run, that wait for that, that failed last time and that are a
 * minute late, and the most failures in a row.
 */
export const importMetrics = async (sql: Sql, nowMs: number): Promise<ImportMetrics> => {
  const [row] = await sql<[ImportMetrics]>`
    select (select count(*) from import_run where ended_at is null and started_at < 'infinity') as running,
      (select count(*) from import_run where ended_at is null and started_at = 'infinity') as waiting,
      count(*) filter (where failures > 0) as failing, coalesce(max(failures), 0) as failures,
      count(*) filter (where next_run_at < ${nowMs - 60_000}) as late
    from import_state
    join connector on connector.key = connector_key
    where connector.enabled`
  return row
}

export type ConnectorMetrics = {
  readonly uid: string
  readonly failures: number
  readonly lastError: string | null
  readonly lastRunMs: number | null
  readonly nextRunMs: number | null
}

/** So many series of each are shown: those that fail first. */
const mostConnectors = 1000

/** Metrics of each import that is switched on. */
export const connectorMetrics = (sql: Sql): Promise<readonly ConnectorMetrics[]> => sql<ConnectorMetrics[]>`
  select connector.uid, import_state.failures, import_state.last_error as "lastError",
    import_state.last_run_at as "lastRunMs", import_state.next_run_at as "nextRunMs"
  from import_state
  join connector on connector.key = connector_key
  where connector.enabled
  order by import_state.failures desc, import_state.next_run_at, connector.key
  limit ${mostConnectors}`
