// Runs of imports (docs/imports.md#a-run): the claim of a server to run one, its progress, its outcome, and the time of
// the next. A server that runs an import holds a lock for it on the run's own connection, which the database gives back
// when the server is gone; the row of the run says the rest.
import { Fault, notFound } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import type { Listing, Page } from '../listing.ts'
import { holds, openListing } from '../listing.ts'

export type ImportRun = {
  readonly uid: string
  /** Null while it waits for its turn. */
  readonly startMs: number | null
  /** Null while it waits or goes on. */
  readonly endMs: number | null
  /** While it waits: how many of its organization wait no longer than this one, itself included. */
  readonly place: number | null
  readonly scheduled: boolean
  /** External rows. */
  readonly fetched: number
  /** Samples. */
  readonly inserted: number
  readonly skipped: number
  readonly truncated: boolean
  readonly error: string | null
}

/** The connector of a run, with its user and connection, as they were when it began. */
export type ImportOrder = {
  readonly connectorKey: number
  readonly connectorUid: string
  readonly organizationKey: number
  readonly version: number
  readonly enabled: boolean
  readonly userKey: number | null
  readonly connectionUid: string
  readonly timeZone: string
  readonly externalSql: string
  readonly ingestSql: string
  readonly maxRows: number
  readonly skipUnchanged: boolean
  readonly overlapSeconds: number
  readonly lastRunMs: number | null
  readonly schedule: string | null
  readonly nextRunMs: number | null
}

const orderOf = (sql: Sql) => sql`
  select connector.key as "connectorKey", connector.uid as "connectorUid",
    connector.organization_key as "organizationKey", connector.version, connector.enabled,
    connector.user_key as "userKey", connection.uid as "connectionUid",
    coalesce(connector.time_zone, organization.time_zone) as "timeZone", connector.external_sql as "externalSql",
    connector.sql as "ingestSql", connector.max_rows as "maxRows", connector.skip_unchanged as "skipUnchanged",
    connector.overlap_seconds as "overlapSeconds", connector.schedule, import_state.last_run_at as "lastRunMs",
    import_state.next_run_at as "nextRunMs"
  from connector
  join organization on organization.key = connector.organization_key
  join connection on connection.key = connector.connection_key
  left join import_state on import_state.connector_key = connector.key
  where connector.type = 'import' and not organization.is_removed`

export const findOrder = async (sql: Sql, connectorKey: number): Promise<ImportOrder | undefined> => {
  const [row] = await sql<ImportOrder[]>`${orderOf(sql)} and connector.key = ${connectorKey}`
  return row
}

export type Due = Pick<ImportOrder, 'connectorKey' | 'timeZone' | 'schedule' | 'nextRunMs'>

/** The most that are read at once: runs begin after each of these steps. */
export const mostDue = 50

/**
 * The first of each tenant, then the second of each, and so on; those whose last run goes on only after all others. Without their
 * scripts: 600 of 1 MB each, due at one second, took 600 MB, and the run of another tenant began 29 s later.
 */
export const dueOrders = (sql: Sql, nowMs: number): Promise<readonly Due[]> => sql<Due[]>`
  select "connectorKey", "timeZone", schedule, "nextRunMs"
  from (
    select connector.key as "connectorKey", coalesce(connector.time_zone, organization.time_zone) as "timeZone",
      connector.schedule, next_run_at as "nextRunMs", import_run.key is not null as is_under_way,
      row_number() over (
        partition by coalesce(organization.tenant_uid, organization.uid), import_run.key is null
        order by next_run_at, connector.key) as nth
    from import_state
    join connector on connector.key = import_state.connector_key
    join organization on organization.key = connector.organization_key
    left join import_run on import_run.connector_key = connector.key and ended_at is null
    where next_run_at <= ${nowMs} and connector.enabled and not organization.is_removed
      and coalesce(started_at, '-infinity') < 'infinity'
  ) as due
  order by is_under_way, nth, "nextRunMs"
  limit ${mostDue}`

/**
 * The start of the last run that succeeded. A clock that was ahead may have kept one that is still to come: rows between
 * would then be left out for ever, so that one before it counts.
 */
export const lastRunBefore = async (
  sql: Sql,
  { connectorKey, lastRunMs }: Pick<ImportOrder, 'connectorKey' | 'lastRunMs'>,
  startMs: number,
): Promise<number | null> => {
  if (lastRunMs === null || lastRunMs <= startMs) return lastRunMs
  const [row] = await sql<[{ ms: number | null }]>`
    select max(started_at) as ms
    from import_run
    where connector_key = ${connectorKey} and started_at <= ${startMs} and ended_at is not null and error is null
      and not truncated`
  return row.ms
}

export type Scheduled = Pick<ImportOrder, 'connectorKey' | 'timeZone'> & {
  readonly schedule: string
  readonly nextRunMs: number
}

/** Imports that wait for their time, so many by their keys. */
export const scheduledAfter = (
  sql: Sql,
  { afterKey, nowMs, most }: { readonly afterKey: number; readonly nowMs: number; readonly most: number },
): Promise<readonly Scheduled[]> => sql<Scheduled[]>`
  select connector.key as "connectorKey", coalesce(connector.time_zone, organization.time_zone) as "timeZone",
    connector.schedule, import_state.next_run_at as "nextRunMs"
  from connector
  join organization on organization.key = connector.organization_key
  join import_state on import_state.connector_key = connector.key
  where connector.enabled and connector.schedule is not null and import_state.next_run_at > ${nowMs}
    and connector.key > ${afterKey} and not organization.is_removed
  order by connector.key
  limit ${most}`

/** Unless somebody has moved it meanwhile. */
export const moveNextRun = async (sql: Sql, { connectorKey, nextRunMs }: Scheduled, toMs: number): Promise<void> => {
  await sql`
    update import_state set next_run_at = ${toMs} where connector_key = ${connectorKey} and next_run_at = ${nextRunMs}`
}

const lockName = 'coppice import'
export const serverIsGone = 'the server stopped while it ran'

/** The lock of an import that runs, until the transaction ends, or for the session. */
export const tryLock = async (sql: Sql, connectorKey: number, until: 'transaction' | 'session'): Promise<boolean> => {
  const [lock] = await (until === 'session'
    ? sql<[{ taken: boolean }]>`select pg_try_advisory_lock(hashtext(${lockName}), ${connectorKey}) as taken`
    : sql<[{ taken: boolean }]>`select pg_try_advisory_xact_lock(hashtext(${lockName}), ${connectorKey}) as taken`)
  return lock.taken
}

/**
 * Begins a run that waits (import-queue.ts); false when another server has done so, or it waits no more. The lock is the
 * connection's: `giveUpClaim` gives it back.
 */
export const claimRun = async (
  own: Pool,
  { uid, connectorKey, startMs }: { readonly uid: string; readonly connectorKey: number; readonly startMs: number },
): Promise<boolean> => {
  // One that waits no more is left alone: whoever finds its lock taken would believe that it runs.
  const waiting = await own`
    select from import_run where uid = ${uid} and ended_at is null and started_at = 'infinity'`
  if (waiting.length === 0 || !(await tryLock(own, connectorKey, 'session'))) return false
  const { count } = await own`
    update import_run set started_at = ${startMs} where uid = ${uid} and ended_at is null and started_at = 'infinity'`
  if (count > 0) return true
  await giveUpClaim(own)
  return false
}

export const giveUpClaim = async (own: Pool): Promise<void> => {
  await own`select pg_advisory_unlock_all()`
}

/**
 * Before a change of the state of an import and of a run of it: all take the connector first, as an edit does, then the state, then the
 * run. Edits of imports that were due every second, and deletions of them, met 11 deadlocks in 40 s, of a second each.
 */
export const holdState = async (sql: Transaction, connectorKey: number): Promise<void> => {
  await sql`select from connector where key = ${connectorKey} for key share`
  await sql`select from import_state where connector_key = ${connectorKey} for update`
}

export const noteFailure = async (sql: Transaction, connectorKey: number, error: string): Promise<void> => {
  await sql`
    insert into import_state (connector_key, failures, last_error) values (${connectorKey}, 1, ${error})
    on conflict (connector_key)
    do update set failures = import_state.failures + 1, last_error = excluded.last_error`
}

export type Progress = Pick<ImportRun, 'fetched' | 'inserted'>

/** Stores the progress, and gives the reason to end: it was cancelled, or its connector was changed. */
export const noteProgress = async (
  sql: Sql,
  uid: string,
  version: number,
  { fetched, inserted }: Progress,
): Promise<string | undefined> => {
  const [row] = await sql<{ cancelled: boolean; isOther: boolean }[]>`
    update import_run set fetched = ${fetched}, inserted = ${inserted}
    from connector
    where import_run.uid = ${uid} and connector.key = connector_key and ended_at is null
    returning cancelled, connector.version <> ${version} as "isOther"`
  return whyEnd(row)
}

const whyEnd = (row: { readonly cancelled: boolean; readonly isOther: boolean } | undefined): string | undefined => {
  if (row === undefined) return 'the connector is gone, or another server has taken the import over'
  if (row.cancelled) return wasCancelled
  return row.isOther ? 'the connector was changed while it ran' : undefined
}

export const wasCancelled = 'it was cancelled'

/** In the transaction that stores: if the run is not to go on, nothing of it is stored. */
export const finishRun = async (
  sql: Transaction,
  order: Pick<ImportOrder, 'connectorKey' | 'version'>,
  run: ImportRun,
): Promise<void> => {
  // A change of the connector waits from here on, and an earlier one is seen.
  await sql`select from connector where key = ${order.connectorKey} for share`
  await holdState(sql, order.connectorKey)
  const [row] = await sql<{ cancelled: boolean; isOther: boolean }[]>`
    update import_run
    set ended_at = ${run.endMs}, fetched = ${run.fetched}, inserted = ${run.inserted}, skipped = ${run.skipped},
      truncated = ${run.truncated}
    from connector
    where import_run.uid = ${run.uid} and connector.key = connector_key and ended_at is null
    returning cancelled, connector.version <> ${order.version} as "isOther"`
  const why = whyEnd(row)
  if (why !== undefined) throw new Fault('conflict', why)
  await sql`
    insert into import_state (connector_key, last_run_at) values (${order.connectorKey}, ${run.truncated ? null : run.startMs})
    on conflict (connector_key)
    do update set last_run_at = coalesce(excluded.last_run_at, import_state.last_run_at), failures = 0, last_error = null`
}

/**
 * Ends a failed run, and gives its outcome: its commit may have succeeded while the answer was lost. A run that somebody has
 * ended, by cancelling it or by changing its connector, is no failure.
 */
export const failRun = (
  pool: Pool,
  { connectorKey, version }: Pick<ImportOrder, 'connectorKey'> & { readonly version: number | undefined },
  failed: ImportRun & { readonly error: string },
): Promise<ImportRun> =>
  transaction(pool, async (sql) => {
    const { uid, endMs, fetched, error } = failed
    await holdState(sql, connectorKey)
    const [row] = await sql<{ cancelled: boolean; version: number }[]>`
      update import_run set ended_at = ${endMs}, fetched = ${fetched}, inserted = 0, error = ${error}
      from connector
      where import_run.uid = ${uid} and connector.key = connector_key and ended_at is null
      returning cancelled, connector.version`
    if (row === undefined) return (await findRun(sql, connectorKey, uid)) ?? failed
    if (!row.cancelled && row.version === (version ?? row.version)) await noteFailure(sql, connectorKey, error)
    return failed
  })

const columns = (sql: Sql) => sql`
  import_run.uid, case when started_at < 'infinity' then started_at end as "startMs", ended_at as "endMs",
  case when ended_at is null and started_at = 'infinity' then (
    select count(*)
    from import_run other
    join connector on connector.key = other.connector_key
    where other.ended_at is null and other.started_at = 'infinity' and other.key <= import_run.key
      and connector.organization_key = (select organization_key from connector where key = import_run.connector_key)
  ) end as place,
  scheduled, fetched, inserted, skipped, truncated, error`

export const listRuns = (sql: Transaction, connectorKey: number, page: Page): Promise<Listing<ImportRun>> =>
  openListing(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from import_run
      where connector_key = ${connectorKey} and ${holds(sql, page.text, 'error', 'uid')}`,
    order: sql`key desc`,
  })

export const findRun = async (sql: Sql, connectorKey: number, uid: string): Promise<ImportRun | undefined> => {
  const [row] = await sql<ImportRun[]>`
    select ${columns(sql)} from import_run where connector_key = ${connectorKey} and uid = ${uid}`
  return row
}

/**
 * A run that waits has ended by that. The server that runs one ends it within a second. A run that has ended stays as
 * it is.
 */
export const cancelRun = async (sql: Sql, connectorKey: number, uid: string, nowMs: number): Promise<void> => {
  const { count } = await sql`
    update import_run
    set cancelled = cancelled or ended_at is null,
      error = case when started_at = 'infinity' then ${wasCancelled} else error end,
      ended_at = case when started_at = 'infinity' then ${nowMs} else ended_at end,
      started_at = case when started_at = 'infinity' then ${nowMs} else started_at end
    where connector_key = ${connectorKey} and uid = ${uid}`
  if (count === 0) throw notFound('run', uid)
}

const keptDays = 90
const keptRuns = 1000
const removedAtOnce = 10_000

/** Gives true when there may be more. */
export const removeOldRuns = async (sql: Sql, nowMs: number, atOnce = removedAtOnce): Promise<boolean> => {
  const old = await sql`
    delete from import_run
    where key in (
      select key from import_run where ended_at < ${nowMs - keptDays * 86_400_000} limit ${atOnce})`
  const surplus = await sql`
    delete from import_run
    where key in (
      select surplus.key
      from connector,
        -- In the index alone: numbered from the table, 1,000 runs of each of 1,000 connectors took 2.0 s in place of 0.4.
        lateral (
          select key
          from import_run
          where connector_key = connector.key
          order by key desc
          offset ${keptRuns - 1}
          limit 1) last_kept,
        lateral (
          select key
          from import_run
          where connector_key = connector.key and key < last_kept.key and ended_at is not null
          order by key desc) surplus
      limit ${atOnce})`
  return old.count === atOnce || surplus.count === atOnce
}
