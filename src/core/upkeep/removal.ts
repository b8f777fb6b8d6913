// Samples and files that outlive their stream: a removed stream's row goes at once, so that its ID is free again, and
// they go afterwards, a bounded batch at a time (jobs.ts), so that uploads never wait. No key is given again before
// they are gone (key-room.ts), so samples on the way out are nobody's. The components of a deleted organization go in
// the same way: it is marked at once (../organization.ts), and from then on nobody finds it or them. Tenants take turns at
// all of it (removal-turn.ts). How far it is: removal-progress.ts.
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { untieStreams } from '../file/blob.ts'
import type { Organization } from '../organization.ts'
import type { CountedAtOnce, Counting, RemovalProgress } from './removal-progress.ts'
import {
  countRemoved,
  hasUncounted,
  isUncounted,
  noteOrganizationRemoved,
  noteSamplesRemoved,
  noteStreamsRemoved,
} from './removal-progress.ts'
import { newTurn, nextTenant } from './removal-turn.ts'
import { forgetTiles } from '../statistic/tile-edition.ts'

/** Whether any of the streams holds a sample, or an archived one. */
export const haveSamples = async (sql: Sql, streamKeys: readonly number[]): Promise<boolean> => {
  const [row] = await sql<[{ any: boolean }]>`
    select exists (select from point_sample where stream_key = any(${streamKeys}::integer[]))
      or exists (select from sample where stream_key = any(${streamKeys}::integer[]))
      or exists (select from archive where stream_key = any(${streamKeys}::integer[])) as any`
  return row.any
}

/** A removal whose progress is shown, where it has samples. */
type Progress = Pick<RemovalProgress, 'key'> | undefined

/** Hands the samples of a stream to the remover; in the transaction that removes the stream. */
export const queueRemoval = async (
  sql: Transaction,
  streamKey: number,
  { tenantUid }: Pick<Organization, 'tenantUid'>,
  progress?: Progress,
): Promise<void> => {
  await sql`
    insert into removal (stream_key, tenant_uid, progress_key)
    values (${streamKey}, ${tenantUid}, ${progress?.key ?? null})
    on conflict do nothing`
}

/** The same for all streams of a component. */
export const queueRemovalOf = async (
  sql: Transaction,
  componentKey: number,
  { tenantUid }: Pick<Organization, 'tenantUid'>,
  progress?: Progress,
): Promise<void> => {
  await sql`
    insert into removal (stream_key, tenant_uid, progress_key)
    select key, ${tenantUid}, ${progress?.key ?? null}::bigint from stream where component_key = ${componentKey}
    on conflict do nothing`
}

export type Removed = {
  /** Streams of which nothing is left. */
  readonly streams: number
  readonly samples: number
}

const streamsAtOnce = 100
const usualSamples = 10_000

/**
 * Removes up to mostSamples samples of the streams of a tenant that wait longest, and takes the streams that are then empty
 * off the queue. Nothing removed means that nothing is left, that its streams are to be counted first, or that other
 * processes are at it.
 */
export const removeSome = (pool: Pool, mostSamples = usualSamples, turn = newTurn()): Promise<Removed> =>
  transaction(pool, async (sql) => {
    const tenant = await nextTenant(sql, sql`select tenant_uid as tenant from removal`, turn)
    if (tenant === undefined || (await hasUncounted(sql, tenant))) return { streams: 0, samples: 0 }
    // Only a plan that is made for the times at hand leaves out the other chunks.
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    const queued = await sql<{ key: number }[]>`
      select stream_key as key
      from removal
      where tenant_uid = ${tenant} and not (${isUncounted(sql)})
      order by since, stream_key
      limit ${streamsAtOnce}
      for update skip locked`
    const keys = queued.map(({ key }) => key)
    const batch = keys.length === 0 ? undefined : await oldestOf(sql, keys, mostSamples)
    if (batch) await noteSamplesRemoved(sql, await deleteBatch(sql, batch))
    // Rows come in the order of the key, so the streams before the last one are complete.
    const isRest = batch === undefined || batch.samples < mostSamples
    const empty = isRest ? keys : keys.filter((key) => key < batch.lastKey)
    await sql`delete from point_sample where stream_key = any(${empty}::integer[])`
    await untieStreams(sql, empty)
    await forgetTiles(sql, empty)
    const gone = await sql<{ progressKey: number | null }[]>`
      delete from removal where stream_key = any(${empty}::integer[]) returning progress_key as "progressKey"`
    const counts = new Map<number, number>()
    for (const { progressKey } of gone)
      if (progressKey !== null) counts.set(progressKey, (counts.get(progressKey) ?? 0) + 1)
    await noteStreamsRemoved(sql, counts)
    return { streams: empty.length, samples: batch?.samples ?? 0 }
  })

const countedAtOnce: CountedAtOnce = { streams: streamsAtOnce, samples: 1_000_000 }

/** Counts the samples of some streams of a tenant before any of its are removed, so that it can be said how far it is. */
export const countSome = (
  pool: Pool,
  turn = newTurn(),
  counting: Counting = new Map(),
  most = countedAtOnce,
): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const uncounted = sql`select tenant_uid as tenant from removal where ${isUncounted(sql)}`
    const tenant = await nextTenant(sql, uncounted, turn)
    if (tenant === undefined) {
      counting.clear()
      return false
    }
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`
    return countRemoved(sql, tenant, counting, most)
  })

const componentsAtOnce = 100

/**
 * All else of an organization that may be many, in an order in which nothing is needed any more: 100,000 folders and units took 9 s at once.
 * Grants went with its members when it was marked; to look for them reads those of all organizations.
 */
const furtherParts = [
  'dashboard',
  'query',
  'connector',
  'connection',
  'oauth_client',
  'api_key',
  'cycle',
  'unit',
  'folder',
]
const partsAtOnce = 1000

/** False: nothing of it is left. */
const removeSomeParts = async (sql: Transaction, organizationKey: number): Promise<boolean> => {
  let left = partsAtOnce
  for (const part of furtherParts) {
    const removed = await sql`
      delete from ${sql(part)}
      where key in (select key from ${sql(part)} where organization_key = ${organizationKey} limit ${left})`
    left -= removed.count
    if (left === 0) return true
  }
  return false
}

/**
 * Removes some components of a tenant's organization that was deleted, or some of all else, or itself when nothing is left; false
 * when there is no such organization. The gate can stay open: since it was marked, no writer can learn of its components.
 */
export const removeSomeOfOrganization = (pool: Pool, turn = newTurn()): Promise<boolean> =>
  transaction(pool, async (sql) => {
    const removed = sql`select coalesce(tenant_uid, uid) as tenant from organization where is_removed`
    const tenant = await nextTenant(sql, removed, turn)
    if (tenant === undefined) return false
    const [organization] = await sql<{ key: number }[]>`
      select key
      from organization
      where is_removed and coalesce(tenant_uid, uid) = ${tenant}
      order by key
      limit 1
      for no key update skip locked`
    if (organization === undefined) return false
    const components = await sql<{ key: number }[]>`
      select key
      from component
      where organization_key = ${organization.key}
      order by is_template, key
      limit ${componentsAtOnce}`
    const keys = components.map(({ key }) => key)
    if (keys.length === 0) {
      if (await removeSomeParts(sql, organization.key)) return true
      await sql`delete from organization where key = ${organization.key}`
      await noteOrganizationRemoved(sql, organization.key)
      return true
    }
    await sql`
      insert into removal (stream_key, tenant_uid, progress_key)
      select stream.key, ${tenant}, (
        select max(key) from removal_progress where organization_key = ${organization.key} and entity = 'organization')
      from stream
      join component on component.key = stream.component_key
      where component.key = any(${keys}::integer[]) and not component.is_template
      on conflict do nothing`
    await sql`delete from component where key = any(${keys}::integer[])`
    return true
  })

/**
 * All of it, in steps of a piece of each kind, so that none waits for the end of another, nor for one that fails or that somebody
 * else is at. A step gives whether there may be more. One that goes on failing is reported once, and again when the others are done.
 */
export const openRemover = (): ((pool: Pool) => Promise<boolean>) => {
  const [ofOrganizations, counting, removing] = [newTurn(), newTurn(), newTurn()]
  const counts: Counting = new Map()
  let isReported = false
  return async (pool) => {
    const kinds = [
      { turn: ofOrganizations, removePiece: () => removeSomeOfOrganization(pool, ofOrganizations) },
      { turn: counting, removePiece: () => countSome(pool, counting, counts) },
      { turn: removing, removePiece: async () => hasDone(await removeSome(pool, usualSamples, removing)) },
    ]
    const errors: unknown[] = []
    let isMore = false
    for (const { turn, removePiece } of kinds) {
      // Of a piece that cannot even be begun, because the database takes no more connections, it is not known.
      turn.isSomebodys = false
      if (await removePiece().catch((error: unknown) => void errors.push(error))) turn.hasGotOn = true
      // Then there may be more, of others where not of that one.
      isMore ||= turn.isSomebodys
    }
    const isNew = errors.length > 0 && !isReported
    isReported = isMore && (isNew || isReported)
    if (isNew) throw errors[0]
    return isMore
  }
}

const hasDone = ({ streams, samples }: Removed) => streams + samples > 0

type Batch = {
  readonly keys: readonly number[]
  readonly samples: number
  readonly fromMs: number
  readonly untilMs: number
  readonly lastKey: number
  readonly lastMs: number
}

/** The first rows of these streams in the order of the primary key. */
const oldestOf = async (sql: Transaction, keys: readonly number[], most: number): Promise<Batch | undefined> => {
  const [row] = await sql<(Omit<Batch, 'keys'> | { readonly samples: 0 })[]>`
    with batch as (
      select stream_key, time
      from sample
      where stream_key = any(${keys}::integer[])
      order by stream_key, time
      limit ${most})
    select count(*)::integer as samples, min(time) as "fromMs", max(time) as "untilMs", max(stream_key) as "lastKey",
      (select time from batch order by stream_key desc, time desc limit 1) as "lastMs"
    from batch`
  return row === undefined || row.samples === 0 ? undefined : { ...(row as Omit<Batch, 'keys'>), keys }
}

/** Gives the number of samples of each stream. */
const deleteBatch = (
  sql: Transaction,
  { keys, fromMs, untilMs, lastKey, lastMs }: Batch,
): Promise<readonly { readonly streamKey: number; readonly n: number }[]> =>
  sql<{ streamKey: number; n: number }[]>`
    with gone as (
      delete from sample
      where stream_key = any(${keys.filter((key) => key <= lastKey)}::integer[])
        and time >= ${fromMs} and time <= ${untilMs}
        and (stream_key < ${lastKey} or time <= ${lastMs})
      returning stream_key
    )
    select stream_key as "streamKey", count(*)::integer as n from gone group by stream_key`
