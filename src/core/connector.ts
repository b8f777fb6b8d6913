// Connectors: scripts that take pushed data (docs/connectors.md#the-sink), and the log of their sinks' calls.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import { storableText } from '../base/errors.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'
import { tenantUid } from './organization.ts'

export type Connector = HttpConnector | ImportConnector

type Common = {
  readonly key: number
  readonly uid: string
  readonly organizationUid: string
  readonly name: string
  readonly enabled: boolean
  /** Its run-as or running user; null when that user has left: the connector then refuses to run. */
  readonly runAsUserUid: string | null
  readonly timeZone: string | null
  /** GS SQL: of an import, the Ingest SQL. */
  readonly sql: string
  readonly version: number
}

export type HttpConnector = Common & {
  readonly type: 'http'
  /** The last part of the sink's address. */
  readonly endpoint: string
  /** Whether bodies are kept with the calls. */
  readonly debug: boolean
}

export type ImportConnector = Common & {
  readonly type: 'import'
  readonly connectionUid: string
  readonly externalSql: string
  /** 0: all. */
  readonly maxRows: number
  readonly skipUnchanged: boolean
  /** Cron text (schedule.ts). */
  readonly schedule: string | null
  readonly overlapSeconds: number
  /** The start of the last run that succeeded. */
  readonly lastRunMs: number | null
  readonly nextRunMs: number | null
  readonly lastError: string | null
  /** Failed runs in a row. */
  readonly failures: number
}

/** In a change, null keeps the user. */
type RunAs = { readonly runAsUserKey: number | null }

export type ConnectorDefinition = RunAs &
  Pick<HttpConnector, 'name' | 'enabled' | 'endpoint' | 'timeZone' | 'sql' | 'debug'>

export type ImportDefinition = RunAs &
  Pick<
    ImportConnector,
    | 'name'
    | 'enabled'
    | 'timeZone'
    | 'sql'
    | 'externalSql'
    | 'maxRows'
    | 'skipUnchanged'
    | 'schedule'
    | 'overlapSeconds'
    | 'nextRunMs'
  > & { readonly connectionKey: number }

const select = (sql: Sql) => sql`
  select connector.key, connector.uid, organization.uid as "organizationUid", connector.type, connector.name,
    connector.enabled, connector.endpoint, user_account.uid as "runAsUserUid", connector.time_zone as "timeZone",
    connector.sql, connector.debug, connector.version, connection.uid as "connectionUid",
    connector.external_sql as "externalSql", connector.max_rows as "maxRows",
    connector.skip_unchanged as "skipUnchanged", connector.schedule, connector.overlap_seconds as "overlapSeconds",
    import_state.last_run_at as "lastRunMs", import_state.next_run_at as "nextRunMs",
    import_state.last_error as "lastError", coalesce(import_state.failures, 0) as failures`

const from = (sql: Sql) => sql`
  from connector
  join organization on organization.key = connector.organization_key
  left join member on member.organization_key = connector.organization_key and member.user_key = connector.user_key
  left join user_account on user_account.key = member.user_key
  left join connection on connection.key = connector.connection_key
  left join import_state on import_state.connector_key = connector.key`

export const connectorSorts = {
  name: 'lower(connector.name)',
  type: 'connector.type',
  enabled: 'connector.enabled',
  endpoint: 'lower(connector.endpoint)',
  lastRunDate: 'import_state.last_run_at',
  version: 'connector.version',
} as const satisfies Sorts

export type ConnectorFilter = {
  readonly type?: Connector['type'] | undefined
  readonly enabled?: boolean | undefined
  readonly endpoint?: string | undefined
  readonly connectionUid?: string | undefined
  /** The run-as or running user. */
  readonly userUid?: string | undefined
}

export const listConnectors = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { type, enabled, endpoint, connectionUid, userUid }: ConnectorFilter,
): Promise<Listing<Connector>> =>
  openListing(sql, page, {
    select: select(sql),
    from: sql`
      ${from(sql)}
      where connector.organization_key = ${organizationKey}
        and ${holds(sql, page.text, 'connector.endpoint', 'connector.name')}
        and ${isEqual(sql, 'connector.type', type)}
        and ${isEqual(sql, 'connector.enabled', enabled)}
        and ${isEqual(sql, 'connector.endpoint', endpoint)}
        and ${isEqual(sql, 'connection.uid', connectionUid)}
        and ${isEqual(sql, 'user_account.uid', userUid)}`,
    order: orderOf(sql, page, connectorSorts, 'connector.key'),
    // An External SQL of a million characters.
    rowBytes: 4 * 1024 * 1024,
  })

export const findConnector = async (sql: Sql, organizationKey: number, uid: string): Promise<Connector | undefined> => {
  const [row] = await sql<Connector[]>`
    ${select(sql)} ${from(sql)}
    where connector.organization_key = ${organizationKey} and connector.uid = ${uid}`
  return row
}

/** The facts by which a sink serves a call. */
export type Sink = {
  readonly key: number
  readonly uid: string
  readonly organizationKey: number
  readonly tenantUid: string
  readonly enabled: boolean
  readonly runAsUserKey: number | null
  readonly timeZone: string | null
  readonly sql: string
  readonly debug: boolean
  readonly version: number
}

export const findSink = async (sql: Sql, organizationUid: string, endpoint: string): Promise<Sink | undefined> => {
  const [row] = await sql<Sink[]>`
    select connector.key, connector.uid, connector.organization_key as "organizationKey", connector.enabled,
      connector.user_key as "runAsUserKey", connector.time_zone as "timeZone", connector.sql, connector.debug,
      connector.version, ${tenantUid(sql)}
    from connector
    join organization on organization.key = connector.organization_key
    where organization.uid = ${organizationUid} and connector.endpoint = ${endpoint} and connector.type = 'http'`
  return row
}

export const insertConnector = async (
  sql: Transaction,
  organizationKey: number,
  given: ConnectorDefinition,
): Promise<string> => {
  const [row] = await unlessTaken(
    sql<[{ uid: string }]>`
      insert into connector (organization_key, type, name, enabled, user_key, time_zone, sql, endpoint, debug)
      values (${organizationKey}, 'http', ${given.name}, ${given.enabled}, ${given.runAsUserKey}, ${given.timeZone},
        ${given.sql}, ${given.endpoint}, ${given.debug})
      returning uid`,
    endpointTaken(given.endpoint),
  )
  return row.uid
}

export const updateConnector = async (sql: Transaction, key: number, given: ConnectorDefinition): Promise<void> => {
  await unlessTaken(
    sql`
      update connector
      set name = ${given.name}, enabled = ${given.enabled},
        user_key = coalesce(${given.runAsUserKey}, user_key),
        time_zone = ${given.timeZone}, sql = ${given.sql}, endpoint = ${given.endpoint}, debug = ${given.debug},
        version = version + 1
      where key = ${key}`,
    endpointTaken(given.endpoint),
  )
}

const endpointTaken = (endpoint: string) => `endpoint '${endpoint}' is taken by another connector`

export const insertImport = async (
  sql: Transaction,
  organizationKey: number,
  given: ImportDefinition,
): Promise<string> => {
  const [row] = await sql<[{ key: number; uid: string }]>`
    insert into connector (organization_key, type, name, enabled, user_key, time_zone, sql, connection_key,
      external_sql, max_rows, skip_unchanged, schedule, overlap_seconds)
    values (${organizationKey}, 'import', ${given.name}, ${given.enabled}, ${given.runAsUserKey}, ${given.timeZone},
      ${given.sql}, ${given.connectionKey}, ${given.externalSql}, ${given.maxRows}, ${given.skipUnchanged},
      ${given.schedule}, ${given.overlapSeconds})
    returning key, uid`
  await setNextRun(sql, row.key, given.nextRunMs)
  return row.uid
}

export const updateImport = async (sql: Transaction, key: number, given: ImportDefinition): Promise<void> => {
  await sql`
    update connector
    set name = ${given.name}, enabled = ${given.enabled}, user_key = coalesce(${given.runAsUserKey}, user_key),
      time_zone = ${given.timeZone}, sql = ${given.sql}, connection_key = ${given.connectionKey},
      external_sql = ${given.externalSql}, max_rows = ${given.maxRows}, skip_unchanged = ${given.skipUnchanged},
      schedule = ${given.schedule}, overlap_seconds = ${given.overlapSeconds}, version = version + 1
    where key = ${key}`
  await setNextRun(sql, key, given.nextRunMs)
}

const setNextRun = async (sql: Transaction, key: number, nextRunMs: number | null): Promise<void> => {
  await sql`
    insert into import_state (connector_key, next_run_at) values (${key}, ${nextRunMs})
    on conflict (connector_key) do update set next_run_at = excluded.next_run_at`
}

export const lockConnector = async (
  sql: Transaction,
  key: number,
): Promise<{ readonly version: number } | undefined> => {
  const [row] = await sql<{ version: number }[]>`select version from connector where key = ${key} for update`
  return row
}

/** False when somebody was faster. */
export const deleteConnector = async (sql: Transaction, key: number): Promise<boolean> =>
  (await sql`delete from connector where key = ${key}`).count === 1

export type SinkCall = {
  readonly connectorKey: number
  readonly atMs: number
  readonly method: string
  readonly bytes: number
  readonly rows: number
  readonly ms: number
  readonly error: string | null
  readonly body: string | null
  readonly query: string | null
}

export const callsKept = 100
const bodiesKeptDays = 7

/** Texts as jsonb takes them, and no more bytes than an integer counts: a sender may announce any number. */
const storable = ({ bytes, error, body, query, ...call }: SinkCall, n: number) => ({
  ...call,
  n,
  bytes: Math.min(bytes, 2 ** 31 - 1),
  error: error && storableText(error),
  body: body && storableText(body),
  query: query && storableText(query),
})

/** Adds calls and forgets all but the last hundred of each connector among them. */
export const insertCalls = async (sql: Transaction, calls: readonly SinkCall[]): Promise<void> => {
  await sql`
    insert into connector_call (connector_key, at, method, bytes, rows, ms, error, body, query)
    select connector.key, to_timestamp("atMs" / 1000.0), method, bytes, rows, ms, error, body, query
    from jsonb_to_recordset(${sql.json(calls.map(storable))}) as call (n integer,
      "connectorKey" integer, "atMs" bigint, method text, bytes integer, rows integer, ms integer, error text, body text,
      query text)
    join connector on connector.key = call."connectorKey"
    order by n`
  const keys = [...new Set(calls.map(({ connectorKey }) => connectorKey))]
  await sql`
    delete from connector_call
    using unnest(${keys}::integer[]) as connector (key)
    where connector_key = connector.key
      and connector_call.key <= (
        select kept.key from connector_call kept
        where kept.connector_key = connector.key
        order by kept.key desc offset ${callsKept} limit 1)`
}

export const removeOldBodies = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`
    update connector_call set body = null, query = null
    where (body is not null or query is not null) and at < ${nowMs - bodiesKeptDays * 86_400_000}`
}

export const listCalls = (sql: Transaction, connectorKey: number, page: Page): Promise<Listing<SinkCall>> =>
  openListing(sql, page, {
    select: sql`select connector_key as "connectorKey", at as "atMs", method, bytes, rows, ms, error, body, query`,
    from: sql`from connector_call where connector_key = ${connectorKey} and ${holds(sql, page.text, 'error', 'method')}`,
    order: sql`key desc`,
    // A body and a query.
    rowBytes: 512 * 1024,
  })
