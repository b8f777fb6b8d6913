// How far the removal of a stream, a component or an organization is (docs/management.md#removals): it goes on in the
// background (removal.ts), and the one who asked for it may want to know when the samples are gone.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import type { Caller } from '../caller.ts'
import type { Listing, Page, Sorts } from '../listing.ts'
import { holds, isEqual, openListing, orderOf } from '../listing.ts'

export const removedEntities = ['organization', 'component', 'stream'] as const

export type RemovedEntity = (typeof removedEntities)[number]

export type RemovalProgress = {
  readonly key: number
  readonly uid: string
  readonly organizationKey: number
  readonly entity: RemovedEntity
  /** The uid of the removed entity, and its id or name. */
  readonly subject: string
  readonly name: string
  /** The component that the rights of a key are asked for. */
  readonly componentUid: string | null
  readonly startMs: number
  readonly endMs: number | null
  readonly streams: number
  readonly streamsRemoved: number
  /** Null while they are counted. */
  readonly samples: number | null
  readonly samplesRemoved: number
}

const columns = (sql: Sql) => sql`
  progress.key, progress.uid, progress.organization_key as "organizationKey", progress.entity, progress.subject,
  progress.name, progress.component_uid as "componentUid", progress.started_at as "startMs",
  progress.ended_at as "endMs", progress.streams, progress.streams_removed as "streamsRemoved",
  case when ${isCounted(sql)} then progress.samples end as samples, progress.samples_removed as "samplesRemoved"`

const isCounted = (sql: Sql) => sql`
  not exists (select from removal where progress_key = progress.key and samples is null) and not ${hasComponents(sql)}`

/** Whether the organization's components are not all handed to the remover yet. */
const hasComponents = (sql: Sql) => sql`
  (progress.entity = 'organization'
    and exists (select from organization where organization.key = progress.organization_key))`

export type NewRemoval = Pick<RemovalProgress, 'entity' | 'subject' | 'name' | 'componentUid' | 'streams'>

/** In the transaction that removes the entity. */
export const insertRemoval = async (
  sql: Transaction,
  { organizationKey, user }: Pick<Caller, 'organizationKey' | 'user'>,
  { entity, subject, name, componentUid, streams }: NewRemoval,
): Promise<RemovalProgress> => {
  const [made] = await sql<[{ key: number }]>`
    insert into removal_progress (organization_key, user_key, entity, subject, component_uid, name, streams)
    values (${organizationKey}, ${user?.key ?? null}, ${entity}, ${subject}, ${componentUid}, ${name}, ${streams})
    returning key`
  const [row] = await sql<[RemovalProgress]>`
    select ${columns(sql)} from removal_progress progress where key = ${made.key}`
  // Its streams are handed to the remover only now.
  return { ...row, samples: null }
}

/**
 * The removals that somebody may see: those in organizations, and those of organizations that a user has deleted, because one
 * that is gone has no members. Of what else a user has deleted, those who have left see no more than others.
 */
export type RemovalsOf = { readonly organizationKeys: readonly number[]; readonly userKey: number | undefined }

const isOf = (sql: Sql, { organizationKeys, userKey }: RemovalsOf) => sql`
  (progress.organization_key = any(${organizationKeys}::integer[])
    or (progress.user_key = ${userKey ?? null} and progress.entity = 'organization'))`

export const removalSorts = {
  start: 'progress.started_at',
  end: 'progress.ended_at',
  name: 'lower(progress.name)',
  entity: 'progress.entity',
} as const satisfies Sorts

export const listRemovals = (
  sql: Transaction,
  whose: RemovalsOf,
  page: Page,
  { entity, isDone }: { readonly entity?: RemovedEntity | undefined; readonly isDone?: boolean | undefined },
): Promise<Listing<RemovalProgress>> =>
  openListing<RemovalProgress>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`
      from removal_progress progress
      where ${isOf(sql, whose)} and ${holds(sql, page.text, 'progress.name')}
        and ${isEqual(sql, 'progress.entity', entity)}
        and ${isDone === undefined ? sql`true` : sql`(progress.ended_at is not null) = ${isDone}`}`,
    order: orderOf(sql, page, removalSorts, 'progress.key', sql`progress.started_at desc`),
  })

export const findRemoval = async (sql: Sql, whose: RemovalsOf, uid: string): Promise<RemovalProgress | undefined> => {
  const [row] = await sql<RemovalProgress[]>`
    select ${columns(sql)} from removal_progress progress where progress.uid = ${uid} and ${isOf(sql, whose)}`
  return row
}

/** Of streams that wait to be removed: whether their samples are to be counted before. */
export const isUncounted = (sql: Sql) => sql`samples is null and progress_key is not null`

/** Whether any stream of the tenant is to be counted. In no order, the whole queue is read where Postgres expects to find one soon. */
export const hasUncounted = async (sql: Sql, tenantUid: string): Promise<boolean> => {
  const found = await sql`
    select from removal where tenant_uid = ${tenantUid} and ${isUncounted(sql)} order by since limit 1`
  return found.length > 0
}

/** By tenant, the stream of which a piece of counting has counted only the first samples. A process that begins anew counts it anew. */
export type Counting = Map<string, { readonly key: number; readonly samples: number; readonly untilMs: number }>

export type CountedAtOnce = { readonly streams: number; readonly samples: number }

/**
 * Counts the samples of some streams of the tenant that wait to be removed, and no more of them at once; false when all are counted,
 * or somebody else is at it.
 */
export const countRemoved = async (
  sql: Transaction,
  tenantUid: string,
  counting: Counting,
  most: CountedAtOnce,
): Promise<boolean> => {
  const begun = counting.get(tenantUid)
  const rows = await sql<{ key: number }[]>`
    select stream_key as key
    from removal
    where tenant_uid = ${tenantUid} and ${isUncounted(sql)} and ${begun ? sql`stream_key = ${begun.key}` : sql`true`}
    order by since, stream_key
    limit ${most.streams}
    for update skip locked`
  // Where another process has counted it, the others are left.
  counting.delete(tenantUid)
  if (rows.length === 0) return begun !== undefined && countRemoved(sql, tenantUid, counting, most)
  const keys = rows.map(({ key }) => key)
  const found = await sql<{ key: number; n: number; untilMs: number }[]>`
    with batch as (
      select stream_key, time
      from sample
      where stream_key = any(${keys}::integer[]) and ${begun ? sql`time > ${begun.untilMs}` : sql`true`}
      order by stream_key, time
      limit ${most.samples})
    select stream_key as key, count(*)::integer as n, max(time) as "untilMs" from batch group by stream_key order by stream_key`
  const counts = new Map(found.map(({ key, n }) => [key, n + (begun?.samples ?? 0)]))
  // Rows come in the order of the key, so the streams before the last one are complete.
  const isRest = found.reduce((sum, { n }) => sum + n, 0) < most.samples
  const last = isRest ? undefined : found.at(-1)
  if (last) counting.set(tenantUid, { key: last.key, samples: counts.get(last.key)!, untilMs: last.untilMs })
  const complete = last ? keys.filter((key) => key < last.key) : keys
  await sql`
    with counted as (
      update removal
      set samples = given.n
      from unnest(
        ${complete}::integer[], ${complete.map((key) => counts.get(key) ?? begun?.samples ?? 0)}::bigint[]) as given (key, n)
      where stream_key = given.key
      returning progress_key, samples
    ), added as (
      select progress_key, sum(samples) as n from counted group by progress_key
    )
    update removal_progress
    set samples = samples + added.n
    from added
    where key = added.progress_key`
  return true
}

/** So many samples of each stream are gone. */
export const noteSamplesRemoved = async (
  sql: Transaction,
  counts: readonly { readonly streamKey: number; readonly n: number }[],
): Promise<void> => {
  await sql`
    with added as (
      select removal.progress_key, sum(gone.n) as n
      from unnest(${counts.map(({ streamKey }) => streamKey)}::integer[], ${counts.map(({ n }) => n)}::integer[])
        as gone (stream_key, n)
      join removal using (stream_key)
      group by removal.progress_key
    )
    update removal_progress
    set samples_removed = samples_removed + added.n
    from added
    where key = added.progress_key`
}

/** So many streams are gone, by the removals that they were part of. */
export const noteStreamsRemoved = async (sql: Transaction, counts: ReadonlyMap<number, number>): Promise<void> => {
  if (counts.size === 0) return
  await sql`
    update removal_progress
    set streams_removed = streams_removed + gone.n
    from unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::integer[]) as gone (key, n)
    where removal_progress.key = gone.key`
  await endRemovals(sql, sql`progress.key = any(${[...counts.keys()]}::bigint[])`)
}

export const noteOrganizationRemoved = (sql: Transaction, organizationKey: number): Promise<void> =>
  endRemovals(sql, sql`progress.organization_key = ${organizationKey}`)

const endRemovals = async (sql: Transaction, which: ReturnType<typeof hasComponents>): Promise<void> => {
  await sql`
    update removal_progress as progress
    set ended_at = now()
    where ended_at is null and ${which}
      and not exists (select from removal where progress_key = progress.key) and not ${hasComponents(sql)}`
}

const keptMs = 30 * 86_400_000

export const removeOldRemovals = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`delete from removal_progress where ended_at < ${nowMs - keptMs}::timestamptz`
}
