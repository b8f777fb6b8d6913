// Marks (db/0032_derivation.sql): what writers have touched, and what whoever derives leaves for the next time. A mark
// whose source is the derived stream itself is of times of its own.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { coarsenSpans, joinSpans } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { newTask } from './level.ts'
import type { Task } from './level.ts'

/** Marks that are seen to at once. */
const mostSettled = 20_000
/** In place of an organization's key. */
const nowhere = 0

type Marked = {
  /** Organizations with something to derive. */
  readonly organizationKeys: readonly number[]
  readonly isMore: boolean
}

/**
 * Finds whose marks there are. Looks up the organization of those that came without (db/0045_derive_mark.sql), and removes
 * those that lead nowhere: of streams that are gone, and of organizations that are. Those of streams from which nothing is
 * derived any more are taken with the others.
 */
export const settleMarks = async (sql: Sql): Promise<Marked> => {
  const marked = await readMarked(sql)
  const organizationKeys = marked.flatMap(({ key, isThere }) => (isThere ? key! : []))
  const gone = marked.flatMap(({ key, isThere }) => (isThere || key === null ? [] : key))
  let isMore = false
  if (marked.some(({ key }) => key === null)) {
    await sql`
      update derive_mark
      set organization_key = coalesce((
        select component.organization_key
        from stream
        join component on component.key = stream.component_key
        where stream.key = derive_mark.source_key), ${nowhere})
      where ctid = any(array(
        select ctid from derive_mark where organization_key is null limit ${mostSettled} for update skip locked))`
    isMore = true
  }
  if (gone.length > 0) {
    const removed = await sql`
      delete from derive_mark
      where ctid = any(array(
        select ctid from derive_mark where organization_key = any(${gone}::integer[]) limit ${mostSettled}))`
    isMore ||= removed.count === mostSettled
  }
  return { organizationKeys, isMore }
}

/** From one organization to the next: how many marks each has makes no difference. Null: some are without one. */
const readMarked = (sql: Sql) => sql<{ key: number | null; isThere: boolean }[]>`
  with recursive marked (key) as (
    (select organization_key from derive_mark where organization_key is not null order by organization_key limit 1)
    union all
    select (
      select organization_key
      from derive_mark
      where organization_key > marked.key
      order by organization_key
      limit 1)
    from marked
    where marked.key is not null
  )
  select key, exists (select from organization where organization.key = marked.key and not is_removed) as "isThere"
  from marked
  where key is not null
  union all
  select null, false where exists (select from derive_mark where organization_key is null)`

type Mark = {
  readonly source: number
  readonly derived: number | null
  readonly firstMs: number
  readonly lastMs: number
  readonly atMs: number
}

/** Times of one stream that lie closer together are one span. */
export const joinWithinMs = 60_000

/** Touched times, by the key of their stream. */
export type TouchedSpans = ReadonlyMap<number, readonly Span[]>

export type TakenMarks = {
  readonly touched: TouchedSpans
  readonly tasks: readonly Task[]
  readonly isMore: boolean
  /** When the first of them was left. */
  readonly sinceMs: number
}

/**
 * Takes marks of an organization, at most so many, and with a time only those that were left by then, for the work they ask
 * for; they are gone with this transaction.
 */
export const takeMarks = async (
  sql: Transaction,
  organizationKey: number,
  most: number,
  untilMs?: number,
): Promise<TakenMarks> => {
  const marks = await sql<Mark[]>`
    delete from derive_mark
    where ctid = any(array(
      select ctid
      from derive_mark
      where organization_key = ${organizationKey}
        ${untilMs === undefined ? sql`` : sql`and at <= ${untilMs}`}
      -- In the order of uploads: what is taken later is late.
      order by at
      limit ${most}
      for update skip locked))
    returning source_key as source, derived_key as derived, first_time as "firstMs", last_time as "lastMs",
      at as "atMs"`
  const tasks = new Map<number, Task>()
  const byKeys = gather(marks)
  for (const [derived, bySource] of byKeys) {
    if (derived === null) continue
    const task = newTask(derived)
    tasks.set(derived, task)
    for (const [source, spans] of bySource)
      if (source === derived) task.own = joinSpans(spans, joinWithinMs)
      else task.bySource.set(source, joinSpans(spans, joinWithinMs))
  }
  return {
    touched: new Map(Array.from(byKeys.get(null) ?? [], ([source, spans]) => [source, joinSpans(spans, joinWithinMs)])),
    tasks: [...tasks.values()],
    isMore: marks.length === most,
    sinceMs: marks.reduce((first, { atMs }) => Math.min(first, atMs), Number.POSITIVE_INFINITY),
  }
}

/** Their spans, by the keys of derived streams and of sources. */
const gather = <Key extends number | null>(
  marks: readonly (Pick<Mark, 'source' | 'firstMs' | 'lastMs'> & { readonly derived: Key })[],
): ReadonlyMap<Key, ReadonlyMap<number, readonly Span[]>> => {
  const byKeys = new Map<Key, Map<number, Span[]>>()
  for (const { source, derived, firstMs, lastMs } of marks) {
    const bySource = byKeys.get(derived) ?? new Map<number, Span[]>()
    byKeys.set(derived, bySource)
    const spans = bySource.get(source)
    if (spans) spans.push([firstMs, lastMs + 1])
    else bySource.set(source, [[firstMs, lastMs + 1]])
  }
  return byKeys
}

/** Whether something of these streams is still to be worked off. */
export const hasMarks = async (sql: Sql, keys: readonly number[]): Promise<boolean> =>
  (await sql`select from derive_mark where source_key = any(${[...keys]}::integer[]) limit 1`).length > 0

/** Of one stream; with more of them it is left to the background. */
const mostWaiting = 1000

/** Adds to tasks what else waits for their streams, which stays where it is; those for which too much waits are left out. */
export const addWaiting = async (sql: Sql, tasks: readonly Task[]): Promise<readonly Task[]> => {
  const keys = tasks.map(({ key }) => key)
  const marks = await sql<(Mark & { readonly derived: number })[]>`
    select derived.key as derived, mark.source as source, mark.first_time as "firstMs", mark.last_time as "lastMs"
    from unnest(${keys}::integer[]) as derived (key)
    cross join lateral (
      select derive_mark.source_key as source, first_time, last_time
      from (
        select source_key from derivation_source where derivation_source.derived_key = derived.key
        union all
        select derived.key
      ) as used
      join derive_mark on derive_mark.source_key = used.source_key
      where case
        when derive_mark.derived_key is null then used.source_key <> derived.key
        else derive_mark.derived_key = derived.key
      end
      limit ${mostWaiting}
    ) as mark`
  const counts = new Map<number, number>()
  for (const { derived } of marks) counts.set(derived, (counts.get(derived) ?? 0) + 1)
  const byKey = new Map(tasks.map((task) => [task.key, task]))
  for (const [derived, bySource] of gather(marks)) {
    const task = byKey.get(derived)!
    for (const [source, spans] of bySource)
      if (source === derived) task.own = joinSpans([...task.own, ...spans])
      else task.bySource.set(source, joinSpans([...(task.bySource.get(source) ?? []), ...spans], joinWithinMs))
  }
  return tasks.filter(({ key }) => (counts.get(key) ?? 0) < mostWaiting)
}

/** Marks that are left, or one for each task and source: the spans of a source are those of all that is derived from it. */
const mostLeft = 50_000

/**
 * Leaves tasks to whoever derives next; they wait since then, or since now. Of a source with more streams than that, one
 * mark stays for all that are derived from it: an upload must not write as many.
 */
export const leaveTasks = async (
  sql: Transaction,
  tasks: readonly Task[],
  sinceMs?: number,
  mostOfSource = Number.POSITIVE_INFINITY,
): Promise<void> => {
  const [sources, derived, from, until]: [number[], (number | null)[], number[], number[]] = [[], [], [], []]
  const lists = tasks.reduce((sum, { bySource }) => sum + bySource.size + 1, 0)
  const push = (source: number, key: number | null, spans: readonly Span[]) => {
    for (const [fromMs, untilMs] of coarsenSpans(spans, Math.max(1, Math.floor(mostLeft / lists)))) {
      sources.push(source)
      derived.push(key)
      from.push(fromMs)
      until.push(untilMs - 1)
    }
  }
  const crowded = new Map<number, readonly Span[]>()
  const counts = new Map<number, number>()
  for (const { bySource } of tasks)
    for (const source of bySource.keys()) counts.set(source, (counts.get(source) ?? 0) + 1)
  for (const { key, bySource, own } of tasks) {
    push(key, key, own)
    for (const [source, spans] of bySource)
      if (counts.get(source)! <= mostOfSource) push(source, key, spans)
      else crowded.set(source, joinSpans([...(crowded.get(source) ?? []), ...spans]))
  }
  for (const [source, spans] of crowded) push(source, null, spans)
  if (sources.length === 0) return
  // All of them are of one organization.
  await sql`
    insert into derive_mark (source_key, derived_key, first_time, last_time, at, organization_key)
    select *, coalesce(${sinceMs ?? null}::timestamptz, now()), (
      select organization_key
      from derivation
      where stream_key = any(${tasks.map(({ key }) => key)}::integer[])
      limit 1)
    from unnest(${sources}::integer[], ${derived as number[]}::integer[], ${from}::timestamptz[], ${until}::timestamptz[])`
}

export type DeriveMetrics = {
  /** Samples derived so far, of all streams that are derived now. */
  readonly samples: number
  readonly failing: number
  readonly stale: number
  readonly waiting: number
  /** How long the oldest mark has been waiting. */
  readonly lagMs: number
}

export const deriveMetrics = async (sql: Sql): Promise<DeriveMetrics> => {
  const [row] = await sql<[DeriveMetrics]>`
    select progress.*, mark.*
    from (
      select coalesce(sum(samples), 0)::double precision as samples, count(error_at)::integer as failing,
        count(stale_from)::integer as stale
      from derivation
    ) as progress
    cross join (
      select count(*)::integer as waiting,
        greatest(0, coalesce(extract(epoch from now() - min(at)) * 1000, 0))::double precision as "lagMs"
      from derive_mark
      -- Others lead nowhere.
      join organization on organization.key = organization_key and not is_removed
    ) as mark`
  return row
}
