// Reading samples back: the latest of each stream within a window, all as they are at one moment: by one statement where
// that does, else in one snapshot. feed-read.ts has the same for streams that are still to be found.
//
// Every chunk that may hold a sample costs planning and a lock: five years of them 70 ms. So the last weeks are asked
// for first, then the last year, and where streams still lack samples, older ones only in those chunks in which tiles
// show any (extent.ts): with 2,000 weeks stored, a call takes 11 ms in place of 50 to 390.
import { firstMs } from '../../base/http/params.ts'
import { snapshot, timestamptzFromMs } from '../../base/database/sql.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { holdChunks, weekMs } from '../sample/chunk.ts'
import { textColumns } from './long-text.ts'
import { findChunks } from '../statistic/extent.ts'
import { openReader } from '../statistic/reader.ts'
import type { Reader } from '../statistic/reader.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import type { ReadableStream, Sample, Window } from '../sample/sample.ts'
import type { Span } from '../time/span.ts'

/**
 * The latest samples within the window, at most `limit` in all: streams in the order given, each from its latest sample
 * back; the first takes as many as it needs and leaves the rest to the next (docs/feeds.md#read).
 */
export const readSamples = async (
  pool: Pool,
  streams: readonly ReadableStream[],
  window: Window,
  limit: number,
  mostPerStream = limit,
): Promise<readonly Sample[]> => {
  // One statement shows one moment anyway, as long as nothing else has to be asked for.
  const isSimple = streams.every(({ kind }) => kind !== 'point') && (streams.length === 1 || mostPerStream < limit)
  if (streams.length > 0 && isSimple) {
    const { part, isWhole } = firstPart(window)
    // Streams that fill the limit if each of them has enough in this part: one that has not comes before those behind it.
    const some = isWhole ? streams : streams.slice(0, Math.ceil(limit / mostPerStream))
    const found = await readPart(pool, some, part, mostPerStream)
    if (isWhole || found.length === some.length * mostPerStream) return found.slice(0, limit)
  }
  return snapshot(pool, async (sql) => {
    await holdChunks(sql)
    return readSamplesIn(sql, streams, window, limit, mostPerStream)
  })
}

/**
 * The latest sample of each stream with its text, however long, by one statement; undefined where the texts have more
 * bytes together. All chunks are looked at: for few callers only.
 */
export const readLatestWhole = async (
  sql: Sql,
  streams: readonly ReadableStream[],
  mostTextBytes: number,
): Promise<readonly Sample[] | undefined> => {
  const rows = await sql<(Sample & { readonly allBytes: number | null })[]>`
    select stream_key as "streamKey", time + shift as "timeMs", span, num, long,
      case when all_bytes <= ${mostTextBytes} then text end as text, null as "textBytes", all_bytes as "allBytes"
    from (
      select nth, shift, latest.*, sum(octet_length(text)) over () as all_bytes
      from (
        select key, nth, shift_ms * interval '1 millisecond' as shift
        from unnest(${streams.map(keyOf)}::integer[], ${streams.map(({ kind }) => shownMs(kind, 0))}::integer[])
          with ordinality as given (key, shift_ms, nth)
      ) as wanted
      cross join lateral (
        (select stream_key, time, span, num, long, text from sample where stream_key = key order by time desc limit 1)
        union all
        select stream_key, time, null, num, long, text from point_sample where stream_key = key
      ) as latest
    ) as counted
    order by nth`
  return (rows[0]?.allBytes ?? 0) > mostTextBytes ? undefined : rows
}

/** The latest samples of streams, from the latest back. */
type Known = ReadonlyMap<number, readonly Sample[]>

/** The same in a transaction that has one snapshot and holds the chunks; known are those of firstPart(window). */
export const readSamplesIn = async (
  sql: Transaction,
  streams: readonly ReadableStream[],
  window: Window,
  limit: number,
  mostPerStream = limit,
  known?: Known,
): Promise<readonly Sample[]> => {
  const samples: Sample[] = []
  // The first streams often fill the limit: ask for one, then for four times as many at a time.
  for (
    let from = 0, count = mostPerStream === limit ? 1 : mostAtOnce;
    from < streams.length;
    from += count, count = Math.min(4 * count, mostAtOnce)
  ) {
    const left = limit - samples.length
    if (left <= 0) break
    const some = streams.slice(from, from + count)
    const found = await readLatest(sql, some, window, Math.min(left, mostPerStream), known)
    for (const sample of found.slice(0, left)) samples.push(sample)
  }
  return samples
}

const mostAtOnce = 1000

const keyOf = ({ key }: ReadableStream) => key

/** The latest samples of each stream, in the streams' order. */
const readLatest = async (
  sql: Transaction,
  streams: readonly ReadableStream[],
  window: Window,
  mostPerStream: number,
  known: Known | undefined,
): Promise<readonly Sample[]> => {
  const byStream = new Map(
    streams.map(({ key }): [number, Sample[]] => [key, known?.get(key)!.slice(0, mostPerStream) ?? []]),
  )
  const isWanting = ({ key }: ReadableStream) => byStream.get(key)!.length < mostPerStream
  const take = (samples: readonly Sample[]) => {
    for (const sample of samples) {
      const own = byStream.get(sample.streamKey)!
      if (own.length < mostPerStream) own.push(sample)
    }
  }
  const points = streams.filter(({ kind }) => kind === 'point')
  if (points.length > 0 && !known) take(await readPoints(sql, points, window))
  let wanting = streams.filter((stream) => stream.kind !== 'point' && isWanting(stream))
  const { near: all, far } = windowsOf(window, known ? 1 : mostPerStream)
  const near = known ? all.slice(1) : all
  for (const [nth, part] of near.entries()) {
    if (wanting.length === 0) break
    const isLast = nth === near.length - 1
    const [found, reader] = await Promise.all([
      readPart(sql, wanting, part, mostPerStream),
      // The reader that will be needed is opened at the same time.
      far && isLast ? openReader(sql, wanting.map(keyOf)) : undefined,
    ])
    take(found)
    wanting = wanting.filter(isWanting)
    if (far && reader && wanting.length > 0) await readFar(reader, wanting, far, mostPerStream, isWanting, take)
  }
  if (far && near.length === 0 && wanting.length > 0)
    await readFar(await openReader(sql, wanting.map(keyOf)), wanting, far, mostPerStream, isWanting, take)
  return streams.flatMap(({ key }) => byStream.get(key)!)
}

/** A window, of which some edges stand in the text of the query. */
export type Part = Window & { readonly edges: readonly number[] }

type Far = { readonly startMs: number | undefined; readonly endMs: number }

const nearMs = 4 * weekMs
const yearMs = 53 * weekMs

/** More of a stream than this is rarely found in the last weeks. */
export const mostOfNear = 100

/** The part of a window that is read first, and is often enough; isWhole: there is no other. */
export const firstPart = (window: Window): { readonly part: Part; readonly isWhole: boolean } => {
  const { near, far } = windowsOf(window, 1)
  return { part: near[0]!, isWhole: near.length === 1 && far === undefined }
}

/**
 * Windows that make up the given one, the latest first; far is the part that is too long to be read without knowing
 * where to look. Edges before now move once a week and stand in the text of the query, so that Postgres keeps a plan
 * with few chunks in it.
 */
const windowsOf = (
  { startMs, endMs }: Window,
  mostPerStream: number,
): { readonly near: readonly Part[]; readonly far: Far | undefined } => {
  const fromMs = startMs ?? Number.NEGATIVE_INFINITY
  const thisWeekMs = Math.floor(Date.now() / weekMs) * weekMs
  const isOpen = endMs === undefined
  const lengths = mostPerStream > mostOfNear ? [yearMs] : [nearMs, yearMs]
  const wanted = isOpen ? lengths.map((ms) => thisWeekMs - ms) : endMs - fromMs > yearMs ? [endMs - nearMs] : []
  const edges = wanted.filter((ms) => ms > fromMs)
  const near = edges.map((ms, nth): Part => ({
    startMs: ms,
    endMs: edges[nth - 1] ?? endMs,
    edges: isOpen ? edges : [],
  }))
  const lastMs = edges.at(-1) ?? endMs
  if (lastMs !== undefined && lastMs - fromMs > yearMs) return { near, far: { startMs, endMs: lastMs } }
  return { near: [...near, { startMs, endMs: lastMs, edges: isOpen ? edges : [] }], far: undefined }
}

/**
 * The number of spans, of those in which a stream's samples may lie, that are read at a time; the last are read as one.
 */
const farSteps = [1, 16, Infinity]

const readFar = async (
  reader: Reader,
  streams: readonly ReadableStream[],
  { startMs = firstMs, endMs }: Far,
  most: number,
  isWanting: (stream: ReadableStream) => boolean,
  take: (samples: readonly Sample[]) => void,
): Promise<void> => {
  const chunks = await findChunks(reader, streams.map(keyOf), [startMs - mostShiftMs, endMs], most)
  let next = 0
  for (const count of farSteps) {
    const parts = new Map<string, { part: Part; streams: ReadableStream[] }>()
    for (const stream of streams.filter(isWanting)) {
      const spans = chunks.get(stream.key)!.slice(next, next + count)
      for (const [fromMs, untilMs] of count === Infinity ? wholeOf(spans) : spans) {
        const part: Part = {
          startMs: Math.max(startMs, shownMs(stream.kind, fromMs)),
          endMs: Math.min(endMs, shownMs(stream.kind, untilMs)),
          edges: [],
        }
        const name = `${part.startMs} ${part.endMs}`
        const same = parts.get(name)
        if (same) same.streams.push(stream)
        else parts.set(name, { part, streams: [stream] })
      }
    }
    next += count
    const found = await Promise.all(
      [...parts.values()].map(({ part, streams: some }) => readPart(reader.sql, some, part, most)),
    )
    take(found.flat().toSorted((a, b) => b.timeMs - a.timeMs))
  }
}

/** From the first of them to the last; the latest is the first in the list. */
const wholeOf = (spans: readonly Span[]): readonly Span[] =>
  spans.length === 0 ? [] : [[spans.at(-1)![0], spans[0]![1]]]

const readPoints = (sql: Sql, points: readonly ReadableStream[], { startMs, endMs }: Window) => sql<Sample[]>`
  select stream_key as "streamKey", time as "timeMs", null::integer as span, num, long, ${sql.unsafe(textColumns('text'))}
  from point_sample
  where stream_key = any(${points.map(({ key }) => key)}::integer[])
    ${startMs === undefined ? sql`` : sql`and time >= ${startMs}`}
    ${endMs === undefined ? sql`` : sql`and time < ${endMs}`}`

const readPart = (sql: Sql, streams: readonly ReadableStream[], part: Part, most: number) =>
  streams.length === 1 ? readOne(sql, streams[0]!, part, most) : readSome(sql, streams, part, most)

// The most by which a stored time is before the shown one. The bounds that it allows say the same for all streams, so
// that chunks outside are left out at once: 0.66 ms instead of 1.35 for two weeks out of a year.
const mostShiftMs = 1

/**
 * The condition that a stored time lies in the part, where `shift` is its distance before the shown one; `value` gives
 * a value's place among the parameters. An edge that stands in the text is no caller's: a part that is open to its end
 * may have a millisecond more.
 */
export const withinText = (
  { startMs, endMs, edges }: Part,
  value: (ms: number) => string,
  shift: string | undefined,
): string => {
  const bound = (ms: number, isEdge: boolean) =>
    isEdge ? `'${timestamptzFromMs(ms)}'::timestamptz` : `${value(ms)}::timestamptz`
  const conditions: string[] = []
  const isExact = shift !== undefined && !(endMs === undefined && startMs !== undefined && edges.includes(startMs))
  if (startMs !== undefined) {
    conditions.push(`and time >= ${bound(shift ? startMs - mostShiftMs : startMs, edges.includes(startMs))}`)
    if (isExact) conditions.push(`and time >= ${value(startMs)}::timestamptz - ${shift}`)
  }
  if (endMs !== undefined) {
    conditions.push(`and time < ${bound(endMs, edges.includes(endMs))}`)
    if (isExact) conditions.push(`and time < ${value(endMs)}::timestamptz - ${shift}`)
  }
  return conditions.join(' ')
}

/** Most calls are for one stream; a query without a join is planned in a third of the time. */
const readOne = (
  sql: Sql,
  { key, kind }: ReadableStream,
  { startMs, endMs, edges }: Part,
  most: number,
): Promise<readonly Sample[]> => {
  const values = [shownMs(kind, 0), key, most]
  const bound = (ms: number) =>
    edges.includes(ms)
      ? `'${timestamptzFromMs(storedMs(kind, ms))}'::timestamptz`
      : `$${values.push(storedMs(kind, ms))}::timestamptz`
  const text = `
    select stream_key as "streamKey", time + $1::integer * interval '1 millisecond' as "timeMs", span, num, long, ${textColumns('text')}
    from sample
    where stream_key = $2
      ${startMs === undefined ? '' : `and time >= ${bound(startMs)}`}
      ${endMs === undefined ? '' : `and time < ${bound(endMs)}`}
    order by time desc
    limit $3`
  return sql.unsafe<Sample[]>(text, values, { prepare: true })
}

const readSome = (
  sql: Sql,
  streams: readonly ReadableStream[],
  part: Part,
  most: number,
): Promise<readonly Sample[]> => {
  const values: (number | readonly number[])[] = []
  const value = (given: number | readonly number[]) => `$${values.push(given)}`
  const [keys, shifts] = [streams.map(({ key }) => key), streams.map(({ kind }) => shownMs(kind, 0))]
  const text = `
    select stream_key as "streamKey", time + shift as "timeMs", span, num, long, ${textColumns('text')}
    from (
      select key, nth, shift_ms * interval '1 millisecond' as shift
      from unnest(${value(keys)}::integer[], ${value(shifts)}::integer[]) with ordinality as given (key, shift_ms, nth)
    ) as wanted
    cross join lateral (
      select stream_key, time, span, num, long, text
      from sample
      where stream_key = wanted.key ${withinText(part, value, 'wanted.shift')}
      order by time desc
      limit ${value(most)}
    ) as latest
    order by nth, time desc`
  return sql.unsafe<Sample[]>(text, values as number[], { prepare: true })
}
