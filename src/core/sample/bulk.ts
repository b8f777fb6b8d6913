// The samples of an import (docs/imports.md#stored-samples): more than can be in memory at once, and still all of them
// or nothing. Its samples are converted batch by batch, as those of any upload, into a temporary table of the
// transaction; from there SQL compares them with stored samples, and stores them, all at once. The gate is open.
import { badRequest } from '../../base/errors.ts'
import type { Fragment, Transaction } from '../../base/database/sql.ts'
import type { Caller } from '../caller.ts'
import { createMissing } from './create.ts'
import type { Gate } from './gate.ts'
import { placeBatch } from './place.ts'
import { ByComponentRef } from './ref.ts'
import type { RegisteredComponent, RegisteredStream } from './registry.ts'
import { shownMs, storedMs } from './rows.ts'
import type { SampleRows } from './rows.ts'
import { upsertParameters } from './sample.ts'
import { Overtaken } from './seen.ts'
import { auditDeleted, deleteThese, explained } from './store.ts'
import type { Stored, Tally, WriteStep } from './store.ts'

type BatchStep = Extract<WriteStep, { kind: 'batch' }>

export type BulkPart =
  /** `isByRun`: the samples have no times of their own, but that of the run. */
  { readonly step: BatchStep; readonly isByRun: boolean } | { readonly step: Extract<WriteStep, { kind: 'delete' }> }

/** Both may be asked for several times, if the transaction has to begin anew. */
export type Bulk = {
  readonly connectorKey: number
  readonly skipsUnchanged: boolean
  /** The time of each statement. */
  readonly timeoutMs: number
  /** One sample of each stream that is written, by which missing streams are made. */
  readonly streams: () => AsyncIterable<BatchStep>
  /** Parts of samples in the order that they were given, or in that of their times. */
  readonly parts: (order: 'given' | 'time') => AsyncIterable<BulkPart>
}

/** Samples. */
export type BulkCounts = { readonly inserted: number; readonly skipped: number }

export const storeBulk = async (
  sql: Transaction,
  caller: Caller,
  bulk: Bulk,
  gate: Gate,
  snapshot?: string,
): Promise<Pick<Stored, 'components' | 'streamKeys'> & { readonly counts: BulkCounts }> => {
  const components = await findComponents(sql, caller, bulk)
  const streams = new Map<number, RegisteredStream>()
  for (const component of components.values()) for (const stream of component.streams) streams.set(stream.key, stream)
  const touched = { components: [...components.values()], streamKeys: new Set<number>() }
  const counts = { inserted: 0, skipped: 0 }
  const deleted: Tally = new Map()
  await makeTable(sql, bulk)
  let isEmpty = true
  const flush = async (): Promise<void> => {
    if (isEmpty) return
    isEmpty = true
    const stored = await storePlaced(sql, bulk, gate, streams, snapshot)
    counts.inserted += stored.inserted
    counts.skipped += stored.skipped
    for (const key of stored.streamKeys) touched.streamKeys.add(key)
  }
  // The latest of several values in one interval wins; of several at one time of a random stream, the last that is
  // given.
  const order = [...streams.values()].some(({ kind }) => kind === 'interval') ? 'time' : 'given'
  for await (const part of bulk.parts(order)) {
    if (part.step.kind === 'delete') {
      await flush()
      const gone = await deleteThese(sql, caller, part.step.series, gate, deleted, snapshot)
      touched.components.push(...gone.components)
      for (const key of gone.streamKeys) touched.streamKeys.add(key)
      continue
    }
    const { step } = part
    const { batch } = step
    isEmpty = false
    await explained(step, place(sql, batch, components, 'isByRun' in part && part.isByRun))
  }
  await flush()
  await auditDeleted(sql, caller, deleted)
  return { ...touched, counts }
}

type Components = ByComponentRef<RegisteredComponent>

/** All components and streams that the samples name; missing ones are made. */
const findComponents = async (sql: Transaction, caller: Caller, { streams }: Bulk): Promise<Components> => {
  const found = new ByComponentRef<RegisteredComponent>()
  for await (const step of streams()) {
    const { components } = await explained(step, createMissing(sql, caller, step.batch))
    step.batch.components.forEach(({ ref }, index) => {
      const known = found.get(ref)
      found.set(ref, known ? joined(known, components[index]!) : components[index]!)
    })
  }
  return found
}

/** Each step brings the streams that it names of a component with many. */
const joined = (one: RegisteredComponent, other: RegisteredComponent): RegisteredComponent => {
  const streamsById = new Map([...one.streamsById, ...other.streamsById])
  return { ...other, streams: [...streamsById.values()], streamsById }
}

const place = async (
  sql: Transaction,
  batch: BatchStep['batch'],
  components: Components,
  isByRun: boolean,
): Promise<void> => {
  const named = batch.components.map(({ ref }) => components.get(ref)!)
  // Gaps are filled once all is there.
  const placed = placeBatch({ ...batch, fillsGaps: false }, named)!
  await insertPlaced(sql, placed.rows, isByRun, false)
  await insertPlaced(sql, placed.points, isByRun, true)
}

const makeTable = async (sql: Transaction, { timeoutMs }: Bulk): Promise<void> => {
  await sql`select set_config('work_mem', '64MB', true), set_config('statement_timeout', ${String(timeoutMs)}, true)`
  await sql`
    create temp table placed (
      n bigint generated always as identity, stream_key integer, span integer, ms bigint, num double precision,
      long bigint, text text, is_by_run boolean, is_point boolean
    ) on commit drop`
}

const insertPlaced = async (sql: Transaction, rows: SampleRows, isByRun: boolean, isPoint: boolean): Promise<void> => {
  if (rows.streamKeys.length === 0) return
  await sql.unsafe(
    `insert into placed (stream_key, span, ms, num, long, text, is_by_run, is_point)
     select stream_key, span, ms, num, long, text, ${isByRun}, ${isPoint}
     from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
                 $5::text::bigint[], $6::text::text[]) as row (stream_key, span, ms, num, long, text)`,
    upsertParameters(rows).map((text, column) => (hasValues(rows, column) ? text : null)),
  )
}

/** Most columns have no values at all: unnest fills them up with nulls, which nobody has to write and read. */
const hasValues = ({ spans, nums, longs, texts }: SampleRows, column: number): boolean =>
  [undefined, spans, undefined, nums, longs, texts][column]?.some((value) => value !== null) ?? true

const timeOf = (ms: string) => `to_timestamp(${ms} / 1000) + (${ms} % 1000) * interval '1 millisecond'`

const storePlaced = async (
  sql: Transaction,
  bulk: Bulk,
  gate: Gate,
  streams: ReadonlyMap<number, RegisteredStream>,
  snapshot: string | undefined,
): Promise<BulkCounts & { readonly streamKeys: readonly number[] }> => {
  await makeLatest(sql, bulk)
  await sql`truncate placed`
  const [count] = await sql<[{ same: number; other: number; intervals: number }]>`
    select count(*) filter (where is_same) as same, count(*) filter (where not is_same) as other,
      count(span) as intervals
    from latest`
  // Samples of one component and time belong together: all of them are stored, or none.
  const together =
    count.same > 0 && count.other > 0
      ? await sql`
          update latest set is_same = false
          from (
            select distinct component_key, is_by_run, case when is_by_run then 0 else ms end as ms
            from latest where not is_same) as other
          where is_same and latest.component_key = other.component_key and latest.is_by_run = other.is_by_run
            and (latest.is_by_run or latest.ms = other.ms)`
      : { count: 0 }
  const skipped = count.same - together.count
  const inserted = count.other + together.count
  let streamKeys: readonly number[] = []
  if (inserted > 0) {
    if (count.intervals > 0) await fillGaps(sql, streams)
    await markLatestStale(sql, gate.claimedUntilMs)
    await upsertLatest(sql, bulk.connectorKey, snapshot)
    await markLatestSources(sql)
    const keys = await sql<{ key: number }[]>`select distinct stream_key as key from latest where not is_same`
    streamKeys = keys.map(({ key }) => key)
  }
  await sql`drop table latest`
  return { inserted, skipped, streamKeys }
}

/** The last given sample of each stream and time, and whether it is stored already. */
const makeLatest = async (sql: Transaction, { connectorKey, skipsUnchanged }: Bulk): Promise<void> => {
  const last = `
    select distinct on (stream_key, ms) stream_key, span, ms, ${timeOf('ms')} as time, num, long, text, is_by_run, is_point
    from placed
    order by stream_key, ms, n desc`
  if (!skipsUnchanged) {
    await sql.unsafe(
      `create temp table latest on commit drop as select *, 0 as component_key, false as is_same from (${last}) l`,
    )
    return
  }
  await sql`analyze placed`
  const [span] = await sql<[{ first: number; last: number }]>`select min(ms) as first, max(ms) as last from placed`
  const isSame = (other: string) =>
    `${other}.stream_key is not null and row(${other}.num, ${other}.long, ${other}.text) is not distinct from row(l.num, l.long, l.text)`
  await sql.unsafe(
    `create temp table latest on commit drop as
     select l.*, stream.component_key,
       case when l.is_by_run then ${isSame('imported')} when l.is_point then ${isSame('point')} else ${isSame('stored')} end as is_same
     from (${last}) l
     join stream on stream.key = l.stream_key
     left join import_last imported
       on l.is_by_run and imported.connector_key = ${connectorKey} and imported.stream_key = l.stream_key
     left join point_sample point on l.is_point and not l.is_by_run and point.stream_key = l.stream_key
     left join sample stored
       on not l.is_by_run and not l.is_point and stored.stream_key = l.stream_key and stored.time = l.time
         and stored.time >= ${timeOf(`${BigInt(span.first)}::bigint`)} and stored.time <= ${timeOf(`${BigInt(span.last)}::bigint`)}`,
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
      `insert into latest (stream_key, span, ms, time, is_by_run, is_point, is_same)
       select key, span, ms, ${timeOf('ms')}, false, false, false
       from unnest($1::integer[], $2::integer[], $3::bigint[]) as fill (key, span, ms)`,
      [keys, spans, times],
    )
}

/** As markStale does. */
const markLatestStale = async (sql: Transaction, claimedUntilMs: number): Promise<void> => {
  await sql`
    insert into stale (stream_key, first_time, last_time)
    ${touchedSpans(sql, sql`not is_point and ms < ${Math.ceil(Math.max(claimedUntilMs, -(2 ** 53)))}`)}`
}

/** As markSources does. */
const markLatestSources = async (sql: Transaction): Promise<void> => {
  await sql`
    insert into derive_mark (source_key, first_time, last_time)
    ${touchedSpans(sql, sql`exists (select from derivation_source where source_key = stream_key)`)}`
}

/** Of those that are stored, by the stream; times that lie close together are one span. */
const touchedSpans = (sql: Transaction, condition: Fragment) => sql`
  select stream_key, min(time), max(time)
  from (
    select stream_key, time, count(*) filter (where is_apart) over (partition by stream_key order by ms) as island
    from (
      select stream_key, ms, time,
        ms - lag(ms) over (partition by stream_key order by ms) > 6 * 3600000 as is_apart
      from latest
      where not is_same and ${condition}
    ) as step
  ) as touched
  group by stream_key, island`

const upsertLatest = async (sql: Transaction, connectorKey: number, snapshot: string | undefined): Promise<void> => {
  const upsert = async (table: 'sample' | 'point_sample'): Promise<void> => {
    const isPoint = table === 'point_sample'
    const [columns, key] = isPoint
      ? ['time, num, long, text', 'stream_key']
      : ['span, time, num, long, text', 'stream_key, time']
    const set = columns.replaceAll(/\w+/g, '$& = excluded.$&')
    const ifSeen = snapshot === undefined ? '' : ` where is_seen(${table}.xmin, $1::pg_snapshot)`
    const these = `from latest where not is_same and is_point = ${isPoint}`
    const { count } = await sql.unsafe(
      `insert into ${table} (stream_key, ${columns}) select stream_key, ${columns} ${these} order by stream_key, time
       on conflict (${key}) do update set ${set}${ifSeen}`,
      snapshot === undefined ? [] : [snapshot],
    )
    if (snapshot === undefined) return
    const [wanted] = await sql.unsafe<[{ count: number }]>(`select count(*)::integer as count ${these}`)
    if (count < wanted.count) throw new Overtaken()
  }
  await upsert('sample')
  await upsert('point_sample')
  await sql`
    insert into import_last (connector_key, stream_key, num, long, text)
    select distinct on (stream_key) ${connectorKey}::integer, stream_key, num, long, text
    from latest
    where is_by_run and not is_same
    order by stream_key, ms desc
    on conflict (connector_key, stream_key)
    do update set num = excluded.num, long = excluded.long, text = excluded.text`
}
