// Retention (docs/statistics.md#retention): samples older than their organization keeps them are removed, and tiles of a
// quarter of an hour stay in their place (the table archive, ../statistic/tile.ts). Quarters, because every zone of today
// has its days, and every stock cycle from a quarter of an hour on its intervals, on quarters of UTC. Shorter cycles have
// no statistics from the archive, except where all samples of a quarter lie in one interval.
//
// First an organization's moment moves, below which its samples are archived: its days to keep before today, and a day.
// The gate is closed for that, once a day, so that every writer knows the moment and refuses older samples before any
// are archived: nothing is written to an archived time any more. Then all streams are gone through, some at a time, and those with such samples
// are queued. Tenants take turns at the queue (removal-turn.ts).
//
// The table kept has the archived spans of each stream. An organization that comes to keep its samples for longer, or for
// ever, can upload older ones again, outside of these spans; the gate is closed for that change, too, and writers then
// know the spans.
import { Fault } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { faultFromSql, sqlCode, transaction } from '../../base/database/sql.ts'
import { untieStreams } from '../file/blob.ts'
import { newTurn, nextTenant } from './removal-turn.ts'
import type { Turn } from './removal-turn.ts'
import { closeCommonGate, closeOwnGates, noteChange } from '../sample/catalog-change.ts'
import { allOfOrganization } from '../sample/gate.ts'
import { floorTo } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { archiveSelect, archiveStepMs, dayMs, tileColumnNames } from '../statistic/tile.ts'

/** Called with a stream that cannot be archived. The others go on; this one is tried again on the next day. */
export type OnFailure = (streamKey: number, error: unknown) => void

const rethrow: OnFailure = (_, error) => {
  throw error
}

const streamsAtOnce = 500

export type RetentionPace = {
  readonly turn: Turn
  /** Until then, by performance.now(), nothing is queued: somebody was in the way. */
  heldUntilMs: number
  /** Samples of a piece, unless a quarter of an hour has more. */
  readonly mostSamples: number
}

/**
 * 2,000,000 took 8 s, in which all others waited for the job. Of a stream of ten a second, four weeks have 24,000,000: more than fit into
 * the temporary files of a small disk, so that none of it was ever archived.
 */
const usualSamples = 1_000_000

export const newRetentionPace = (mostSamples = usualSamples): RetentionPace => ({
  turn: newTurn(),
  heldUntilMs: 0,
  mostSamples,
})

/**
 * Archives a bounded part of the samples that are too old; false when none is left. The caller holds the job's lock.
 */
export const archiveSome = async (
  pool: Pool,
  nowMs: number,
  onFailure = rethrow,
  budgetMs = 500,
  pace = newRetentionPace(),
): Promise<boolean> => {
  let held: unknown
  const areMore = await queueUnlessHeld(pool, nowMs, pace, (error) => (held = error))
  const wasQueued = await archiveQueued(pool, pace, performance.now() + budgetMs, onFailure)
  if (held !== undefined && !wasQueued) throw held
  return wasQueued || areMore
}

const heldMs = 60_000

/**
 * A long upload, which keeps a pass from its beginning, keeps nothing that is queued from being archived. Others wait behind each try,
 * so there is a while until the next.
 */
const queueUnlessHeld = async (
  pool: Pool,
  nowMs: number,
  pace: RetentionPace,
  onHeld: (error: unknown) => void,
): Promise<boolean> => {
  if (performance.now() < pace.heldUntilMs) return false
  try {
    return await queueSome(pool, nowMs)
  } catch (error) {
    const fault = faultFromSql(error)
    if (!(fault instanceof Fault) || fault.code !== 'busy') throw error
    pace.heldUntilMs = performance.now() + heldMs
    onHeld(error)
    return false
  }
}

/** Goes on through all streams, and queues those that have samples to be archived; false at the end. */
const queueSome = async (pool: Pool, nowMs: number): Promise<boolean> => {
  const nextStream = (await nextOfPass(pool)) || (await beginPass(pool, nowMs))
  if (nextStream === null) return false
  const lastKey = await queueFrom(pool, nextStream)
  await setNextStream(pool, lastKey === null ? null : lastKey + 1)
  return lastKey !== null
}

const queuedAtOnce = 100

/** Archives what tenants have queued, for some time, in which many small ones have a turn each; false where nobody has anything. */
const archiveQueued = async (
  pool: Pool,
  { turn, mostSamples }: RetentionPace,
  endAt: number,
  onFailure: OnFailure,
): Promise<boolean> => {
  let isAny = false
  do {
    const tenant = await nextTenant(pool, pool`select tenant_uid as tenant from retention_queue`, turn)
    if (tenant === undefined) return isAny
    isAny = turn.hasGotOn = true
    await archiveOfTenant(pool, tenant, mostSamples, endAt, onFailure)
  } while (performance.now() < endAt)
  return true
}

/** Streams that it does not come to the end of have another turn. */
const archiveOfTenant = async (
  pool: Pool,
  tenant: string,
  mostSamples: number,
  endAt: number,
  onFailure: OnFailure,
): Promise<void> => {
  for (const { key, firstMs } of await readQueued(pool, tenant)) {
    const isDone = firstMs === null || (await archiveStream(pool, key, firstMs, mostSamples, endAt, onFailure))
    if (isDone) await pool`delete from retention_queue where stream_key = ${key}`
    else await pool`update retention_queue set since = clock_timestamp() where stream_key = ${key}`
    if (performance.now() >= endAt) return
  }
}

/** Null: none is to be done; 0: it has not gone anywhere yet. */
const nextOfPass = async (sql: Sql): Promise<number | null> => {
  const [state] = await sql<[{ nextStream: number | null }]>`select next_stream as "nextStream" from retention_state`
  return state.nextStream
}

/**
 * Begins to go through all streams where the moment of an organization has moved. Never while that is under way: an organization
 * whose days to keep are changed time and again would have everybody's streams gone through from the beginning, and never to the end.
 */
const beginPass = async (pool: Pool, nowMs: number): Promise<number | null> => {
  while (await moveKeptUntil(pool, nowMs));
  return nextOfPass(pool)
}

/** The earlier of the two clocks counts: a wrong clock must not make samples old. */
const keptUntil = (sql: Sql, nowMs: number) => sql`
  time_bucket('1 day', least(${nowMs}::timestamptz, now())) - (retention_days + 1) * interval '1 day'`

/** The database's clock has to agree that the samples need not be kept. */
const isInForce = (sql: Sql) => sql`
  (organization.kept_until <= now() - organization.retention_days * interval '1 day')`

/** At once: each has a place in the table of locks. */
const mostMoved = 500

/** Moves some organizations; true when there are more. */
const moveKeptUntil = (pool: Pool, nowMs: number): Promise<boolean> =>
  transaction(pool, async (sql) => {
    // A change of the days to keep takes the same lock, before the gate, too.
    const due = await sql<{ key: number }[]>`
      select key
      from organization
      where retention_days is not null
        and (kept_until is null or kept_until < ${keptUntil(sql, nowMs)})
      order by key
      for no key update`
    // A long upload keeps its own organization for the next time, and no other.
    const keys = await closeOwnGates(
      sql,
      due.slice(0, mostMoved).map(({ key }) => key),
    )
    if (keys.length === 0) return false
    await closeCommonGate(sql)
    await noteChange(sql, keys.map(allOfOrganization))
    await sql`
      update organization
      set kept_until = ${keptUntil(sql, nowMs)}
      where key = any(${keys}::integer[])`
    await setNextStream(sql, 0)
    return due.length > mostMoved
  })

const setNextStream = async (sql: Sql, key: number | null): Promise<void> => {
  await sql`update retention_state set next_stream = ${key}`
}

/** The first sample of a stream that is older than its organization keeps them. One statement for all streams, because to plan it for all chunks takes the longest. */
const firstOld = (sql: Sql) => sql`
  (select time from sample where stream_key = stream.key and time < organization.kept_until order by time limit 1)`

/** Gives the last key that was looked at; null: there is none behind these. */
const queueFrom = async (sql: Sql, fromKey: number): Promise<number | null> => {
  const [row] = await sql<[{ lastKey: number | null }]>`
    with looked as (
      select * from stream where key >= ${fromKey} order by key limit ${streamsAtOnce}
    ), queued as (
      insert into retention_queue (stream_key, tenant_uid)
      select stream.key, coalesce(organization.tenant_uid, organization.uid)
      from looked as stream
      join component on component.key = stream.component_key
      join organization on organization.key = component.organization_key
      where ${isInForce(sql)} and stream.kind <> 'point' and ${firstOld(sql)} is not null
      order by stream.key
      on conflict do nothing
    )
    select case when count(*) = ${streamsAtOnce} then max(key) end as "lastKey" from looked`
  return row.lastKey
}

type Queued = {
  readonly key: number
  /** Null where nothing is to be archived any more: the organization keeps its samples for ever, or for longer by now. */
  readonly firstMs: number | null
}

/** Those of a tenant that have waited longest. */
const readQueued = (sql: Sql, tenant: string): Promise<readonly Queued[]> => sql<Queued[]>`
  select queued.stream_key as key, ${firstOld(sql)} as "firstMs"
  from (
    select * from retention_queue where tenant_uid = ${tenant} order by since, stream_key limit ${queuedAtOnce}
  ) as queued
  left join stream on stream.key = queued.stream_key
  left join component on component.key = stream.component_key
  left join organization on organization.key = component.organization_key and ${isInForce(sql)}
  order by queued.since, queued.stream_key`

/** False when time was up before all was archived. */
const archiveStream = async (
  pool: Pool,
  key: number,
  firstMs: number,
  mostSamples: number,
  endAt: number,
  onFailure: OnFailure,
): Promise<boolean> => {
  try {
    for (let nextMs: number | undefined = firstMs; nextMs !== undefined;) {
      const fromMs: number = nextMs
      nextMs = await transaction(pool, (sql) => archivePiece(sql, key, fromMs, mostSamples))
      if (nextMs !== undefined && performance.now() > endAt) return false
    }
  } catch (error) {
    // A database that is away is not the stream's fault. A statement that takes too long, or too much room, is.
    if (faultFromSql(error) instanceof Fault && !['53200', '53400', '57014'].includes(sqlCode(error) ?? '')) throw error
    onFailure(key, error)
  }
  return true
}

const mostDays = 28

/**
 * The end of the piece: whole days, so many samples at most; of a day that has more, whole quarters of an hour, as the archive has
 * them, and one of them at least.
 */
const endOfPiece = async (
  sql: Transaction,
  key: number,
  firstMs: number,
  untilMs: number,
  mostSamples: number,
): Promise<number> => {
  const toMs = Math.min(untilMs, floorTo(firstMs, 0, dayMs) + mostDays * dayMs)
  const [beyond] = await sql<{ timeMs: number }[]>`
    select time as "timeMs"
    from sample
    where stream_key = ${key} and time >= ${firstMs} and time < ${toMs}
    order by time
    offset ${mostSamples}
    limit 1`
  if (beyond === undefined) return toMs
  const ends = [dayMs, archiveStepMs].map((stepMs) => floorTo(beyond.timeMs, 0, stepMs))
  return ends.find((endMs) => endMs > firstMs) ?? floorTo(firstMs, 0, archiveStepMs) + archiveStepMs
}

/** Archives the first weeks of a stream's samples, the first of which is given; gives the time of the next. */
const archivePiece = async (
  sql: Transaction,
  key: number,
  firstMs: number,
  mostSamples: number,
): Promise<number | undefined> => {
  // The row is held: a change to keep samples for longer waits for this piece, and finds its span.
  const [organization] = await sql<{ untilMs: number }[]>`
    select organization.kept_until as "untilMs"
    from stream
    join component on component.key = stream.component_key
    join organization on organization.key = component.organization_key
    where stream.key = ${key} and ${isInForce(sql)}
    for share of organization`
  // The stream was removed meanwhile, or its samples are kept for longer.
  if (organization === undefined || firstMs >= organization.untilMs) return undefined
  const { untilMs } = organization
  // Only a plan that is made for the times at hand leaves out the other chunks.
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`
  const toMs = await endOfPiece(sql, key, firstMs, untilMs, mostSamples)
  await sql.unsafe(archiveText, [key, firstMs, toMs])
  await untieStreams(sql, [key], toMs)
  const [next] = await sql<{ timeMs: number }[]>`
    select time as "timeMs"
    from sample
    where stream_key = ${key} and time >= ${toMs} and time < ${untilMs}
    order by time
    limit 1`
  await noteSpan(sql, key, [firstMs, next?.timeMs ?? untilMs])
  return next?.timeMs
}

/** Joins the span to those that it touches, and to the one before: no sample is left between them. */
const noteSpan = async (sql: Transaction, key: number, [fromMs, untilMs]: Span): Promise<void> => {
  await sql`
    with joined as (
      delete from kept
      where stream_key = ${key} and since <= ${untilMs}
        and (until >= ${fromMs} or until = (select max(until) from kept where stream_key = ${key} and until < ${fromMs}))
      returning since, until)
    insert into kept (stream_key, since, until)
    select ${key}, least(min(since), ${fromMs}), greatest(max(until), ${untilMs}) from joined`
}

// Samples of a quarter that was archived before, which should not exist, join its row.
const join = (columns: string, choose: (before: string, now: string) => string) =>
  columns.split(' ').map((column) => `${column} = ${choose(`archive.${column}`, `excluded.${column}`)}`)
const joinExtreme = (side: string, wins: string, loses: string) => `
  ${side}_time = case
    when archive.${side}_num ${wins} excluded.${side}_num or archive.${side}_long ${wins} excluded.${side}_long
      then archive.${side}_time
    when archive.${side}_num ${loses} excluded.${side}_num or archive.${side}_long ${loses} excluded.${side}_long
      then excluded.${side}_time
    else least(archive.${side}_time, excluded.${side}_time) end`
const joined = [
  join('samples filled', (before, now) => `${before} + ${now}`),
  join(
    'covered sum_num weighted_num huge_num huge_weighted_num sum_long weighted_long',
    (before, now) => `coalesce(${before} + ${now}, ${before}, ${now})`,
  ),
  join('first_time min_num min_long', (before, now) => `least(${before}, ${now})`),
  join('last_time max_num max_long', (before, now) => `greatest(${before}, ${now})`),
  join(
    'first_num first_long first_text',
    (...both) =>
      `case when archive.first_time < excluded.first_time
         then coalesce(${both.join()}) else coalesce(${both.toReversed().join()}) end`,
  ),
  join(
    'last_num last_long last_text',
    (...both) =>
      `case when archive.last_time > excluded.last_time
         then coalesce(${both.join()}) else coalesce(${both.toReversed().join()}) end`,
  ),
  joinExtreme('min', '<', '>'),
  joinExtreme('max', '>', '<'),
].flat()

// The deleted rows are the ones that are aggregated, even where another transaction deletes at the same time.
const archiveText = `
  with gone as (
    delete from sample where stream_key = $1::integer and time >= $2::timestamptz and time < $3::timestamptz returning *
  )
  insert into archive (stream_key, bucket, ${tileColumnNames.join(', ')})
  ${archiveSelect('gone')}
  on conflict (stream_key, bucket) do update set ${joined.join(', ')}`
