// Requests to derive a span of a stream anew (docs/derived.md#derive-on-request): a row of derive_request each, worked
// off in pieces by the background, so that a server that is killed loses a piece of it at most.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { faultFromSql } from '../../base/database/sql.ts'
import { conflict, Fault } from '../../base/errors.ts'
import type { Caller } from '../caller.ts'
import type { BegunPiece } from './anew.ts'
import type { Deriver } from './deriver.ts'

export type DeriveRequest = {
  readonly uid: string
  readonly fromMs: number
  readonly toMs: number
  /** Before it everything is derived; null: it waits for its turn. */
  readonly reachedMs: number | null
  readonly askedMs: number
  readonly endedMs: number | null
  readonly isCancelled: boolean
  readonly error: string | null
}

const columns = (sql: Sql) => sql`
  derive_request.uid, from_time as "fromMs", to_time as "toMs", reached_time as "reachedMs", asked_at as "askedMs",
  ended_at as "endedMs", is_cancelled as "isCancelled", error`

/** Of an organization: each is worked on for a while in turn, and whoever waits asks how far it is. */
export const mostOpen = 100

/** The stream's row is locked, so that two that ask at once see each other. */
export const askToDerive = async (
  sql: Transaction,
  caller: Caller,
  streamKey: number,
  span: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): Promise<DeriveRequest> => {
  const [row] = await sql<[{ open: number; isUnderWay: boolean | null }]>`
    select count(*)::integer as open, bool_or(derive_request.stream_key = ${streamKey}) as "isUnderWay"
    from derive_request
    join derivation on derivation.stream_key = derive_request.stream_key
    where ended_at is null and derivation.organization_key = ${caller.organizationKey}`
  if (row.isUnderWay) throw conflict('this stream is being derived anew')
  if (row.open >= mostOpen)
    throw new Fault('too_many_requests', `${mostOpen} streams of the organization wait to be derived anew`, {
      headers: { 'Retry-After': '10' },
    })
  // The ones before are of no use any more: the last one says how far it is.
  await sql`delete from derive_request where stream_key = ${streamKey}`
  const [request] = await sql<[DeriveRequest]>`
    insert into derive_request (stream_key, from_time, to_time, asked_by, asked_at)
    values (${streamKey}, ${span.fromMs}, ${span.toMs}, ${caller.actor}, ${nowMs})
    returning ${columns(sql)}`
  return request
}

/** The last one of a stream. */
export const findRequest = async (sql: Sql, streamKey: number): Promise<DeriveRequest | undefined> => {
  const [request] = await sql<DeriveRequest[]>`
    select ${columns(sql)} from derive_request where stream_key = ${streamKey} order by key desc limit 1`
  return request
}

/** Undefined: nothing was under way. The server that works on it notices before the next piece. */
export const cancelRequest = async (
  sql: Transaction,
  streamKey: number,
  nowMs: number,
): Promise<DeriveRequest | undefined> => {
  const [request] = await sql<DeriveRequest[]>`
    update derive_request
    set is_cancelled = true, ended_at = ${nowMs}
    where stream_key = ${streamKey} and ended_at is null
    returning ${columns(sql)}`
  return request
}

type OpenRequest = { readonly key: number; readonly streamKey: number } & Pick<
  DeriveRequest,
  'fromMs' | 'toMs' | 'reachedMs'
>

/** The request that had its tenant's last turn, and the piece that it left. */
type Turn = { readonly key: number; readonly begun: BegunPiece | undefined }

const tenantText = (sql: Sql) => sql`coalesce(organization.tenant_uid, organization.uid)`

const openRequests = (sql: Sql) => sql`
  from derive_request
  join derivation on derivation.stream_key = derive_request.stream_key
  join organization on organization.key = organization_key
  where ended_at is null`

/** The tenant behind the last one that has requests (db/0040_tenant.sql): one that has many organizations waits for itself. */
const nextTenant = async (sql: Sql, last: string): Promise<string | undefined> => {
  const [row] = await sql<{ tenant: string }[]>`
    select ${tenantText(sql)} as tenant
    ${openRequests(sql)}
    order by ${tenantText(sql)} <= ${last}, tenant
    limit 1`
  return row?.tenant
}

/**
 * Requests of a tenant take turns. One that has begun a piece goes on with it: so a tenant has a piece at a time, which is
 * never begun anew for all the others that wait.
 */
const nextRequest = async (sql: Sql, tenant: string, last: Turn): Promise<OpenRequest | undefined> => {
  const goesOn = last.begun !== undefined
  const [request] = await sql<OpenRequest[]>`
    select derive_request.key, derive_request.stream_key as "streamKey", from_time as "fromMs", to_time as "toMs",
      reached_time as "reachedMs"
    ${openRequests(sql)} and ${tenantText(sql)} = ${tenant}
    order by ${goesOn} and derive_request.key = ${last.key} desc, derive_request.key <= ${last.key}, derive_request.key
    limit 1`
  return request
}

/** Others have their turn after so long. */
const usualTurnMs = 2_000

/** One round of the background's work on requests; true when there is more. */
export type RequestWork = (pool: Pool, now: () => number) => Promise<boolean>

export const openRequestWork = (deriver: Deriver, turnMs = usualTurnMs): RequestWork => {
  let lastTenant = ''
  const turns = new Map<string, Turn>()
  return async (pool, now) => {
    const tenant = await nextTenant(pool, lastTenant)
    if (tenant === undefined) {
      turns.clear()
      return false
    }
    lastTenant = tenant
    const last = turns.get(tenant) ?? { key: 0, begun: undefined }
    const request = await nextRequest(pool, tenant, last)
    // It was cancelled just now.
    if (request === undefined) return true
    const { key, streamKey, toMs } = request
    const turn = new AbortController()
    const timer = setTimeout(() => turn.abort(), turnMs)
    const report = async (reachedMs: number): Promise<void> => {
      const [row] = await pool`
        update derive_request set reached_time = ${reachedMs} where key = ${key} and ended_at is null returning key`
      if (row === undefined) turn.abort()
    }
    const span = {
      streamKey,
      fromMs: request.reachedMs ?? request.fromMs,
      toMs,
      begun: key === last.key ? last.begun : undefined,
    }
    turns.set(tenant, { key, begun: undefined })
    try {
      turns.set(tenant, { key, begun: await deriver.deriveSpan(pool, span, report, turn.signal) })
      if (!turn.signal.aborted) await endRequest(pool, key, null, now())
    } catch (error) {
      const fault = faultFromSql(error)
      // A database that is away comes back.
      if (fault instanceof Fault && fault.status >= 500) throw fault
      await endRequest(pool, key, fault instanceof Fault ? fault.message : 'it failed, the log says why', now())
      if (!(fault instanceof Fault)) throw fault
    } finally {
      clearTimeout(timer)
    }
    return true
  }
}

const endRequest = async (sql: Sql, key: number, error: string | null, nowMs: number): Promise<void> => {
  await sql`
    update derive_request
    set ended_at = ${nowMs}, error = ${error}, reached_time = case when ${error}::text is null then to_time else reached_time end
    where key = ${key} and ended_at is null`
}
