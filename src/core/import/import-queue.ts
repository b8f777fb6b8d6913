// Runs of imports that wait for their turn (docs/imports.md#a-run). A run that was asked for, or is due, is a row of
// import_run from then on; until it begins its start is 'infinity'. A connector has one run that has not ended, so of
// several servers that want to begin one only one can, and the first with a place runs it: a run that waits is no
// server's, and outlives all of them.
import { transaction } from '../../base/database/sql.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { tenantUid } from '../organization.ts'
import { holdState, noteFailure, serverIsGone, tryLock } from './import-run.ts'
import type { ImportOrder } from './import-run.ts'

export type QueuedRun = {
  readonly uid: string
  readonly connectorKey: number
  readonly scheduled: boolean
  readonly nowMs: number
}

/** Puts a run at the end of the queue; false when one of the same import waits or goes on, in any server. */
export const queueRun = (pool: Pool, run: QueuedRun): Promise<boolean> => transaction(pool, (sql) => addRun(sql, run))

/** The same for one that is due. One of several servers moves the schedule on, together with that. */
export const queueDue = (
  pool: Pool,
  due: Pick<ImportOrder, 'connectorKey' | 'nextRunMs'>,
  thenMs: number | null,
  run: Pick<QueuedRun, 'uid' | 'nowMs'>,
): Promise<boolean> =>
  transaction(pool, async (sql) => {
    // An edit or the end of a run may be at it: nobody waits for that, for it is due in a second, too.
    const { count } = await sql`
      select
      from connector
      join import_state on connector_key = connector.key
      where connector.key = ${due.connectorKey} and next_run_at = ${due.nextRunMs}
      for key share of connector skip locked
      for update of import_state skip locked`
    if (count === 0) return false
    // An import stays due while its last run goes on, and is made up for when that has ended.
    if (!(await addRun(sql, { ...run, connectorKey: due.connectorKey, scheduled: true }))) return false
    await moveSchedule(sql, due.connectorKey, thenMs)
    return true
  })

const addRun = async (sql: Transaction, run: QueuedRun): Promise<boolean> =>
  (await insertRun(sql, run)) || ((await closeAbandoned(sql, run)) && insertRun(sql, run))

const moveSchedule = async (sql: Transaction, connectorKey: number, thenMs: number | null): Promise<void> => {
  await sql`update import_state set next_run_at = ${thenMs} where connector_key = ${connectorKey}`
}

const insertRun = async (sql: Transaction, { uid, connectorKey, scheduled }: QueuedRun): Promise<boolean> => {
  const { count } = await sql`
    insert into import_run (uid, connector_key, started_at, scheduled)
    select ${uid}, key, 'infinity', ${scheduled} from connector where key = ${connectorKey}
    on conflict (connector_key) where ended_at is null do nothing`
  return count > 0
}

/** For those who wait for a run of another server, which may be gone. */
export const endAbandoned = (pool: Pool, run: Pick<QueuedRun, 'connectorKey' | 'nowMs'>): Promise<boolean> =>
  transaction(pool, (sql) => closeAbandoned(sql, run))

/** A run that has begun, and whose lock is free, has lost its server. */
const closeAbandoned = async (
  sql: Transaction,
  { connectorKey, nowMs }: Pick<QueuedRun, 'connectorKey' | 'nowMs'>,
): Promise<boolean> => {
  if (!(await tryLock(sql, connectorKey, 'transaction'))) return false
  await holdState(sql, connectorKey)
  const { count } = await sql`
    update import_run set ended_at = greatest(started_at, ${nowMs}), error = ${serverIsGone}
    where connector_key = ${connectorKey} and ended_at is null and started_at < 'infinity'`
  if (count === 0) return false
  await noteFailure(sql, connectorKey, serverIsGone)
  return true
}

export type WaitingRun = {
  readonly uid: string
  readonly scheduled: boolean
  /** Whether its connector is still switched on. */
  readonly enabled: boolean
  readonly connectorKey: number
  readonly connectorUid: string
  readonly connectionUid: string
  /** Organizations of one tenant share as one (caller.ts). */
  readonly tenantUid: string
}

/** The most that are read at once. */
export const mostWaiting = 1000

/** The first of each tenant, then the second of each, and so on: no tenant's crowd hides those of another. */
export const waitingRuns = (sql: Sql): Promise<readonly WaitingRun[]> => sql<WaitingRun[]>`
  select uid, scheduled, enabled, "connectorKey", "connectorUid", "connectionUid", "tenantUid"
  from (
    select import_run.key, import_run.uid, import_run.scheduled, connector.enabled, connector.key as "connectorKey",
      connector.uid as "connectorUid", connection.uid as "connectionUid", ${tenantUid(sql)},
      row_number() over (partition by coalesce(organization.tenant_uid, organization.uid) order by import_run.key) as nth
    from import_run
    join connector on connector.key = import_run.connector_key
    join connection on connection.key = connector.connection_key
    join organization on organization.key = connector.organization_key
    where import_run.ended_at is null and import_run.started_at = 'infinity' and not organization.is_removed
  ) as waiting
  order by nth, key
  limit ${mostWaiting}`

export const isSwitchedOff = 'the connector is switched off'

/** Runs whose connector was switched off meanwhile will not begin. That is no failure. */
export const dropSwitchedOff = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`
    update import_run set started_at = ${nowMs}, ended_at = ${nowMs}, error = ${isSwitchedOff}
    from connector
    where connector.key = connector_key and not connector.enabled and ended_at is null and started_at = 'infinity'`
}
