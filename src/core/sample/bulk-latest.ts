// Storing the samples of an import once they are placed (bulk.ts): of each stream and time the one that was given last,
// unless it is there already. All of it in SQL, a million samples at a time.
import { badRequest } from '../../base/errors.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { weekMs } from './chunk.ts'
import type { Gate } from './gate.ts'
import { journalLatest } from './journal.ts'
import { makeChunks } from './new-chunks.ts'
import type { Apart } from './new-chunks.ts'
import type { RegisteredStream } from './registered.ts'
import { shownMs, storedMs } from './rows.ts'
import { Overtaken } from './seen.ts'
import { markStaleIn, timeOf } from './stale.ts'
import { markSourcesIn } from './touched.ts'

/** Samples as rows of a query: stream_key, component_key, span, ms, num, long, text, is_by_run, is_point. */
export type Given = {
  readonly text: string
  readonly values: readonly (string | boolean | null)[]
  /** Columns by which of several for one stream and time the last is known. */
  readonly order: readonly string[]
  /** None of them is outside; ms as it is stored. */
  readonly range: {
    readonly firstMs: number
    readonly lastMs: number
    readonly firstKey: number
    readonly lastKey: number
  }
}

/** Samples. */
export type BulkCounts = { readonly inserted: number; readonly skipped: number }

/**
 * Another writer has stored a sample since nothing was found at its time. The whole transaction has to begin anew, and to expect
 * that: behind a savepoint, rows would have a number by which nobody can say who has seen them (is_seen).
 */
export class MetOthers extends Error {}

export const unlessMet = (storing: Promise<unknown>, snapshot: string | undefined): Promise<unknown> =>
  storing.catch((error: unknown) => {
    if (sqlCode(error) !== '23505') throw error
    // A script that has read samples has not seen that one.
    throw snapshot === undefined ? new MetOthers() : new Overtaken()
  })

type Options = {
  readonly connectorKey: number
  readonly organizationKey: number
  readonly skipsUnchanged: boolean
  /** Other writers are expected: no MetOthers is thrown. */
  readonly expectsOthers: boolean
  /** By which the samples are digested, if that is asked for. */
  readonly seed?: string | undefined
  readonly apart: Apart
}

/** All samples of an import, by a hash that does not depend on their order. */
export type BulkDigest = { readonly seed: string; readonly digest: string; readonly samples: number }

/** The digest of the rows of a table, as a column. Each hash is the next one's seed: that of a whole row took half as long again. */
export const digestOf = (row: string, seed: string): string => {
  const place = `hashfloat8extended(date_part('epoch', ${row}.time), hashint4extended(${row}.stream_key, ${BigInt(seed)}))`
  return `coalesce(sum(
    case
      when ${row}.num is not null then hashfloat8extended(${row}.num, ${place})
      when ${row}.long is not null then hashint8extended(${row}.long, ${place} # 1)
      when ${row}.text is not null then hashtextextended(${row}.text, ${place} # 2)
      else ${place} # 3
    end), 0)::text as digest`
}

export const storeLatest = async (
  sql: Transaction,
  options: Options,
  given: Given,
  gate: Gate,
  streams: ReadonlyMap<number, RegisteredStream>,
  snapshot: string | undefined,
): Promise<BulkCounts & { readonly streamKeys: readonly number[]; readonly digest: BulkDigest | undefined }> => {
  await makeLatest(sql, options, given)
  const { seed } = options
  const [count] = await sql.unsafe<[Counted]>(`
    select count(*) filter (where is_same) as same, count(*) filter (where not is_same) as other,
      count(span) as intervals, count(*) filter (where is_point) as points, count(*) filter (where is_by_run) as "byRun",
      count(*) filter (where not is_new and not is_point) as standing,
      ${seed === undefined ? 'null as digest' : digestOf('latest', seed)}
    from latest`)
  // Samples of one component and time belong together: all of them are stored, or none. By an equality on both sides, or
  // each of those that are the same is compared with each that is not: 95 s instead of 0.1 s for 20,000 of either.
  const together =
    count.same > 0 && count.other > 0
      ? await sql`
          update latest set is_same = false
          from (
            select distinct component_key, is_by_run, case when is_by_run then 0 else ms end as ms
            from latest where not is_same) as other
          where is_same and latest.component_key = other.component_key and latest.is_by_run = other.is_by_run
            and case when latest.is_by_run then 0 else latest.ms end = other.ms`
      : { count: 0 }
  const skipped = count.same - together.count
  const inserted = count.other + together.count
  let streamKeys: readonly number[] = []
  if (inserted > 0) {
    if (count.intervals > 0) await fillGaps(sql, streams)
    await makeLatestChunks(sql, given, options.apart)
    await markStaleIn(sql, 'select stream_key, ms from latest where not is_same and not is_point', gate.claimedUntilMs)
    await markSourcesIn(sql, 'select stream_key, ms from latest where not is_same')
    const { expectsOthers } = options
    if (!expectsOthers) await insertNew(sql, snapshot)
    if (expectsOthers || count.standing > 0 || count.intervals > 0)
      await upsert(sql, 'sample', expectsOthers ? 'not is_point' : 'not is_new and not is_point', snapshot)
    if (count.points > 0) await upsert(sql, 'point_sample', 'is_point', snapshot)
    if (gate.heard.has(options.organizationKey)) await journalLatest(sql, options.organizationKey)
    if (count.byRun > 0) await rememberLast(sql, options.connectorKey)
    const keys = await sql<{ key: number }[]>`select distinct stream_key as key from latest where not is_same`
    streamKeys = keys.map(({ key }) => key)
  }
  await sql`drop table latest`
  // Others are not what is stored at their times, but what this import or this stream has stored last.
  const isDigested = seed !== undefined && count.intervals === 0 && count.points === 0 && count.byRun === 0
  const digest = isDigested ? { seed, digest: count.digest!, samples: inserted + skipped } : undefined
  return { inserted, skipped, streamKeys, digest }
}

type Counted = {
  readonly same: number
  readonly other: number
  readonly intervals: number
  readonly points: number
  readonly byRun: number
  readonly standing: number
  readonly digest: string | null
}

/** Of each stream and time what was given last, whether it is what is there already, and whether nothing is there. */
const makeLatest = async (
  sql: Transaction,
  { connectorKey, skipsUnchanged }: Options,
  { text, values, order, range }: Given,
): Promise<void> => {
  // Memory to sort a million samples; and plans as for other changes, where this is the connection of a run.
  await sql`select set_config('work_mem', '96MB', true), set_config('plan_cache_mode', 'auto', true)`
  const last = `
    select distinct on (stream_key, time) stream_key, component_key, span, ms, time, num, long, text, is_by_run, is_point
    from (select *, ${timeOf('ms')} as time from (${text}) as given) as timed
    order by stream_key, time, ${order.map((column) => `${column} desc`).join(', ')}`
  const isIn = (table: string) =>
    `${table}.stream_key >= ${range.firstKey} and ${table}.stream_key <= ${range.lastKey}
     and ${table}.time >= ${timeOf(`${BigInt(range.firstMs)}::bigint`)} and ${table}.time <= ${timeOf(`${BigInt(range.lastMs)}::bigint`)}`
  const isSame = (other: string) =>
    `${other}.stream_key is not null and row(${other}.num, ${other}.long, ${other}.text) is not distinct from row(l.num, l.long, l.text)`
  const compared = `
    select l.*, stored.stream_key is null and not l.is_by_run and not l.is_point as is_new,
      case when l.is_by_run then ${isSame('imported')} when l.is_point then ${isSame('point')} else ${isSame('stored')} end as is_same
    from (${last}) l
    left join import_last imported
      on l.is_by_run and imported.connector_key = ${connectorKey} and imported.stream_key = l.stream_key
    left join point_sample point on l.is_point and not l.is_by_run and point.stream_key = l.stream_key
    left join sample stored
      on not l.is_by_run and not l.is_point and stored.stream_key = l.stream_key and stored.time = l.time and ${isIn('stored')}`
  await sql.unsafe(
    `create temp table latest on commit drop as
     ${skipsUnchanged ? compared : `select *, false as is_new, false as is_same from (${last}) l`}`,
    [...values],
  )
}

const mostFills = 100_000

/** Nulls into every interval between the first and the last that is stored, and that nobody gave (docs/feeds.md#interval-streams). */
const fillGaps = async (sql: Transaction, streams: ReadonlyMap<number, RegisteredStream>): Promise<void> => {
  const gaps = await sql<{ key: number; afterMs: number; beforeMs: number }[]>`
    select stream_key as key, ms as "afterMs", next as "beforeMs"
    from (
      select stream_key, ms, lead(ms) over given as next, lead(span) over given as span,
        min(ms) filter (where not is_same) over (partition by stream_key) as first,
        max(ms) filter (where not is_same) over (partition by stream_key) as last
      from latest
      where span is not null
      window given as (partition by stream_key order by ms)
    ) as pair
    where next - span * 1000::bigint > ms and ms >= first and next <= last
    limit ${mostFills + 1}`
  const [keys, spans, times]: [number[], number[], number[]] = [[], [], []]
  for (const { key, afterMs, beforeMs } of gaps) {
    const { calendar, archived } = streams.get(key)!
    const [from, until] = [shownMs('interval', afterMs), shownMs('interval', beforeMs)]
    if (times.length + calendar!.countEdges(from, until) > mostFills + 2)
      throw badRequest('the imported times leave more than 100,000 intervals to fill with nulls')
    for (const endMs of calendar!.edgesBetween(from, until, Number.POSITIVE_INFINITY).slice(1, -1)) {
      const ms = storedMs('interval', endMs)
      if (archived.some(([since, to]) => ms >= since && ms < to)) continue
      keys.push(key)
      spans.push((endMs - calendar!.startOf(endMs - 1)) / 1000)
      times.push(ms)
    }
  }
  if (keys.length > 0)
    await sql.unsafe(
      `insert into latest (stream_key, span, ms, time, is_by_run, is_point, is_new, is_same)
       select key, span, ms, ${timeOf('ms')}, false, false, false, false
       from unnest($1::integer[], $2::integer[], $3::bigint[]) as fill (key, span, ms)`,
      [keys, spans, times],
    )
}

const makeLatestChunks = (sql: Transaction, { range }: Given, apart: Apart): Promise<unknown> =>
  makeChunks(sql, [range.firstMs, range.lastMs + 1], apart, async (note, [fromMs, untilMs]) => {
    const weeks = await sql<{ ms: number }[]>`
      select min(ms) as ms
      from latest
      where not is_same and not is_point and ms >= ${fromMs} and ms < ${untilMs}
      group by ms / ${weekMs}`
    for (const { ms } of weeks) note(ms, ms)
  })

/** Where nothing was when it was looked for, an INSERT costs half of what an upsert does. */
const insertNew = (sql: Transaction, snapshot: string | undefined): Promise<unknown> =>
  unlessMet(
    sql`
      insert into sample (stream_key, span, time, num, long, text)
      select stream_key, span, time, num, long, text
      from latest
      where is_new and not is_same
      order by stream_key, time`,
    snapshot,
  )

const upsert = async (
  sql: Transaction,
  table: 'sample' | 'point_sample',
  which: string,
  snapshot: string | undefined,
): Promise<void> => {
  const [columns, key] =
    table === 'point_sample'
      ? ['time, num, long, text', 'stream_key']
      : ['span, time, num, long, text', 'stream_key, time']
  const set = columns.replaceAll(/\w+/g, '$& = excluded.$&')
  const ifSeen = snapshot === undefined ? '' : ` where is_seen(${table}.xmin, $1::pg_snapshot)`
  const these = `from latest where not is_same and ${which}`
  const { count } = await sql.unsafe(
    `insert into ${table} (stream_key, ${columns}) select stream_key, ${columns} ${these} order by stream_key, time
     on conflict (${key}) do update set ${set}${ifSeen}`,
    snapshot === undefined ? [] : [snapshot],
  )
  if (snapshot === undefined) return
  const [wanted] = await sql.unsafe<[{ count: number }]>(`select count(*)::integer as count ${these}`)
  if (count < wanted.count) throw new Overtaken()
}

/** Keeps each stream's last sample that this import has stored with the time of a run. */
const rememberLast = async (sql: Transaction, connectorKey: number): Promise<void> => {
  await sql`
    insert into import_last (connector_key, stream_key, num, long, text)
    select distinct on (stream_key) ${connectorKey}::integer, stream_key, num, long, text
    from latest
    where is_by_run and not is_same
    order by stream_key, ms desc
    on conflict (connector_key, stream_key)
    do update set num = excluded.num, long = excluded.long, text = excluded.text`
}
