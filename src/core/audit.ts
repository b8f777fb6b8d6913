// The audit log: one entry per change, written in the change's own transaction (docs/management.md#audit-log), and per
// sign-in. Entries go after 400 days, sign-ins after 30. Their long details have a share of the day for each tenant.
import type { Sql, Transaction } from '../base/database/sql.ts'
import { briefDetail } from './audit-change.ts'
import type { AuditDetail } from './audit-change.ts'
import { actorName, subjectName } from './audit-names.ts'
import type { Caller, Resource } from './caller.ts'
import type { Listing, Page } from './listing.ts'
import { like, openListing } from './listing.ts'

/** Actions beside the changes of entities by the management API. docs/management.md#audit-log names all of them. */
export const furtherActions = [
  'component.save_many',
  'feed.delete',
  'stream.derive',
  'stream.derive_cancel',
  'template.reach',
  'api_key.reveal',
  'user.login',
  'user.login_failed',
  'user.reset_link',
  'user.reset_password',
  'user.end_some',
  'organization.end_some',
  'oauth_client.end_some',
  'grant.create',
  'grant.delete',
  'sql_role.create',
  'sql_role.delete',
] as const

/** The entity and what happened to it. */
export type AuditAction = `${Resource}.${'create' | 'update' | 'delete'}` | (typeof furtherActions)[number]

export type AuditEntry = {
  readonly atMs: number
  readonly actor: string
  readonly actorName: string | null
  readonly action: AuditAction
  readonly subject: string
  readonly subjectName: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

export const writeAudit = (
  sql: Sql,
  caller: Pick<Caller, 'organizationKey' | 'actor'>,
  action: AuditAction,
  subject: string,
  detail: AuditDetail = {},
): Promise<void> => writeAuditOfMany(sql, caller, action, [subject], [detail])

/** A sign-in concerns all organizations of the user; a failed one has no user yet. */
export const writeSignIn = async (
  sql: Sql,
  user: { readonly key: number; readonly uid: string },
  isRight: boolean,
  address: string,
): Promise<void> => {
  const [actor, action] = isRight ? [`user ${user.uid}`, 'user.login'] : ['anyone', failedLogin]
  await sql`
    insert into audit (organization_key, actor, action, subject, detail)
    select organization_key, ${actor}, ${action}, ${user.uid}, ${sql.json({ address })}
    from member
    where user_key = ${user.key}`
}

/** A link for a new password was made, or a password set without the old one, or is being set: of all organizations of the user. */
export const writeReset = async (
  sql: Sql,
  actor: string,
  userKey: number,
  action: 'user.reset_link' | 'user.reset_password' | 'user.end_some',
  detail: Readonly<Record<string, string | number>> = {},
): Promise<void> => {
  await sql`
    insert into audit (organization_key, actor, action, subject, detail)
    select organization_key, ${actor}, ${action}, user_account.uid, ${sql.json(detail)}
    from member
    join user_account on user_account.key = user_key
    where user_key = ${userKey}`
}

const failedLogin: AuditAction = 'user.login_failed'
const saveMany: AuditAction = 'component.save_many'

/** The same for many subjects of one action. */
export const writeAuditOfMany = async (
  sql: Sql,
  caller: Pick<Caller, 'organizationKey' | 'actor'>,
  action: AuditAction,
  subjects: readonly string[],
  details: readonly AuditDetail[],
): Promise<void> => {
  if (subjects.length === 0) return
  const whole = details.map((detail) => JSON.stringify(detail))
  const bytes = whole.map((text) => Buffer.byteLength(text))
  const longBytes = bytes.reduce((sum, more) => (more > plainBytes ? sum + more : sum), 0)
  const isWhole = longBytes === 0 || (await takeOfDay(sql, caller.organizationKey, longBytes))
  const texts = isWhole
    ? whole
    : whole.map((text, at) => (bytes[at]! > plainBytes ? JSON.stringify(briefDetail(details[at]!)) : text))
  await sql`
    insert into audit (organization_key, actor, action, subject, detail)
    select ${caller.organizationKey}, ${caller.actor}, ${action}, subject, detail::jsonb
    from unnest(${[...subjects]}::text[], ${texts}::text[])
      as entry (subject, detail)`
}

/** Entries with no more are always whole, and count nothing. */
const plainBytes = 500
/**
 * Of the longer ones of a tenant in a day (docs/management.md#audit-log), in 400 days 6.7 GB. One session that changed
 * descriptions and scripts wrote 28 GB a day.
 */
export const auditDayBytes = 16 * 1024 * 1024

/**
 * False when the tenant's day has not so much left. It is counted in a row of each connection to the database, which no
 * other one locks; what others write at the same moment is not seen, so that it may be an entry of each too much.
 */
const takeOfDay = async (sql: Sql, organizationKey: number, bytes: number): Promise<boolean> => {
  const taken = await sql`
    insert into audit_day (tenant_uid, day, backend, bytes)
    select tenant.uid, tenant.day, pg_backend_pid(), ${bytes}::bigint
    from (
      select coalesce(tenant_uid, uid) as uid, (now() at time zone 'UTC')::date as day
      from organization
      where key = ${organizationKey}) as tenant
    where ${auditDayBytes}::bigint - ${bytes}::bigint >= coalesce(
      (select sum(bytes) from audit_day where tenant_uid = tenant.uid and audit_day.day = tenant.day), 0)
    on conflict (tenant_uid, day, backend) do update
    set bytes = audit_day.bytes + excluded.bytes
    returning 1`
  return taken.length > 0
}

export type AuditSearch = Page & {
  /** Words of the actor, such as its uid, or 'user' and the uid. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** The part of an action before the dot. */
  readonly entity?: string | undefined
  readonly subject?: string | undefined
  readonly fromMs?: number | undefined
  readonly beforeMs?: number | undefined
}

export const listAudit = (
  sql: Transaction,
  organizationKey: number,
  search: AuditSearch,
): Promise<Listing<AuditEntry>> => {
  const { text, actor, action, entity, subject, fromMs, beforeMs } = search
  return openListing(sql, search, {
    select: sql`
      select at as "atMs", actor, ${actorName(sql)} as "actorName", action, subject, ${subjectName(sql)} as "subjectName",
        detail`,
    from: sql`
      from audit
      where organization_key = ${organizationKey}
        ${text === '' ? sql`` : sql`and (${holdsText(sql, text)})`}
        ${actor === undefined ? sql`` : sql`and ' ' || actor || ' ' like ${like(` ${actor} `)}`}
        ${action === undefined ? sql`` : sql`and action = ${action}`}
        ${entity === undefined ? sql`` : sql`and split_part(action, '.', 1) = ${entity}`}
        ${subject === undefined ? sql`` : sql`and (subject = ${subject} or ${isAmongMany(sql, subject)})`}
        ${fromMs === undefined ? sql`` : sql`and at >= ${fromMs}::timestamptz`}
        ${beforeMs === undefined ? sql`` : sql`and at < ${beforeMs}::timestamptz`}`,
    order: sql`audit.key desc`,
    // Ten thousand components that one call has saved.
    rowBytes: 512 * 1024,
    // Names are looked for of the page alone.
    rows: { key: 'audit.key', from: sql`from audit` },
  })
}

/** Whether an entry about many components names this one. */
const isAmongMany = (sql: Sql, uid: string) => sql`
  (action = ${saveMany} and (detail -> 'created' ? ${uid} or detail -> 'updated' ? ${uid}))`

/**
 * Details are searched too: after a deletion they alone have the id and the name. Only values count, since every detail
 * has the words before and after; but details are taken apart only where their whole text holds the search, which
 * halves the time (100,000 entries: 1.9 s of two queries).
 */
const holdsText = (sql: Sql, text: string) => {
  const pattern = like(text)
  return sql`
    action ilike ${pattern} or actor ilike ${pattern} or subject ilike ${pattern} or (
      detail::text ilike ${like(JSON.stringify(text).slice(1, -1))} and exists (
        select
        from jsonb_path_query(detail, '$.**') as value
        where jsonb_typeof(value) in ('string', 'number') and value #>> '{}' ilike ${pattern}))`
}

export const auditKeptDays = 400
/** A portal may sign in a thousand users a minute. */
export const signInsKeptDays = 30

const mostRemoved = 10_000

/** Gives true when there are more. */
export const removeOldAudit = async (sql: Sql, nowMs: number): Promise<boolean> => {
  const before = (days: number) => nowMs - days * 86_400_000
  const changes = await sql`
    delete from audit
    where key in (
      select key from audit where at < ${before(auditKeptDays)}::timestamptz order by at limit ${mostRemoved})
    returning 1`
  const signIns = await sql`
    delete from audit
    where key in (
      select key
      from audit
      where at < ${before(signInsKeptDays)}::timestamptz and action in ('user.login', ${failedLogin})
      order by at
      limit ${mostRemoved})
    returning 1`
  // Of the days that clocks, and changes that are under way, may still take for today none goes.
  await sql`delete from audit_day where day < (${before(2)}::timestamptz at time zone 'UTC')::date`
  return Math.max(changes.length, signIns.length) === mostRemoved
}
