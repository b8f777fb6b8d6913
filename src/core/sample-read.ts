// Reading samples back: the latest of each stream within a window.
//
// Every chunk that may hold a sample costs planning and a lock: five years of them 70 ms. So the last weeks are asked for
// first, then the last year, and where streams still lack samples, what is older in those chunks only in which tiles say
// that there are any (extent.ts): with 2,000 weeks stored, a call takes 11 ms in place of 50 to 390.
import { firstMs } from '../base/params.ts'
import { snapshot, timestamptzFromMs } from '../base/sql.ts'
import type { Pool, Sql } from '../base/sql.ts'
import { weekMs } from './chunk.ts'
import { findChunks, openReader } from './extent.ts'
import { shownMs, storedMs } from './sample.ts'
import type { ReadableStream, Sample, Window } from './sample.ts'
import type { Span } from './span.ts'

/**
 * The latest samples within the window, at most `limit` in all: streams in the order given, each from its
 * latest sample back; the first takes what it needs and leaves the rest to the next (4.3).
 */
export const readSamples = async (
  pool: Pool,
  streams: readonly ReadableStream[],
  window: Window,
  limit: number,
  mostPerStream = limit,
): Promise<readonly Sample[]> => {
  const samples: Sample[] = []
  // The first stream often fills the limit: ask for one, then for four times as many at a time.
  for (
    let from = 0, count = mostPerStream === limit ? 1 : streams.length;
    from < streams.length;
    from += count, count *= 4
  ) {
    const left = limit - samples.length
    if (left <= 0) break
    const some = streams.slice(from, from + count)
    const found = await readLatest(pool, some, window, Math.min(left, mostPerStream))
    for (const sample of found.slice(0, left)) samples.push(sample)
  }
  return samples
}

/** Of each stream the latest, in the streams' order. */
const readLatest = async (
  pool: Pool,
  streams: readonly ReadableStream[],
  window: Window,
  mostPerStream: number,
): Promise<readonly Sample[]> => {
  const byStream = new Map(streams.map(({ key }): [number, Sample[]] => [key, []]))
  const isWanting = ({ key }: ReadableStream) => byStream.get(key)!.length < mostPerStream
  const take = (samples: readonly Sample[]) => {
    for (const sample of samples) {
      const known = byStream.get(sample.streamKey)!
      if (known.length < mostPerStream) known.push(sample)
    }
  }
  const points = streams.filter(({ kind }) => kind === 'point')
  if (points.length > 0) take(await readPoints(pool, points, window))
  let wanting = streams.filter(({ kind }) => kind !== 'point')
  const { near, far } = windowsOf(window)
  for (const part of near) {
    if (wanting.length === 0) break
    take(await readPart(pool, wanting, part, mostPerStream))
    wanting = wanting.filter(isWanting)
  }
  if (far && wanting.length > 0) await readFar(pool, wanting, far, mostPerStream, isWanting, take)
  return streams.flatMap(({ key }) => byStream.get(key)!)
}

/** A window, of which some edges stand in the text of the query. */
type Part = Window & { readonly edges: readonly number[] }

type Far = { readonly startMs: number | undefined; readonly endMs: number }

const nearMs = 4 * weekMs
const yearMs = 53 * weekMs

/**
 * Windows that make up the given one, the latest first; far is what is too long to be asked for without knowing where to
 * look. Edges before now move once a week and stand in the text of the query, so that Postgres keeps a plan with few
 * chunks in it.
 */
const windowsOf = ({ startMs, endMs }: Window): { readonly near: readonly Part[]; readonly far: Far | undefined } => {
  const fromMs = startMs ?? Number.NEGATIVE_INFINITY
  const thisWeekMs = Math.floor(Date.now() / weekMs) * weekMs
  const isOpen = endMs === undefined
  const wanted = isOpen ? [thisWeekMs - nearMs, thisWeekMs - yearMs] : endMs - fromMs > yearMs ? [endMs - nearMs] : []
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

/** Of the spans that a stream's samples may lie in, how many are asked at a time; the last are asked as one. */
const farSteps = [1, 16, Infinity]

const readFar = (
  pool: Pool,
  streams: readonly ReadableStream[],
  { startMs = firstMs, endMs }: Far,
  most: number,
  isWanting: (stream: ReadableStream) => boolean,
  take: (samples: readonly Sample[]) => void,
): Promise<void> =>
  snapshot(pool, async (sql) => {
    const keys = streams.map(({ key }) => key)
    const chunks = await findChunks(await openReader(sql, keys), keys, [startMs - mostShiftMs, endMs], most)
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
        [...parts.values()].map(({ part, streams: some }) => readPart(sql, some, part, most)),
      )
      take(found.flat().toSorted((a, b) => b.timeMs - a.timeMs))
    }
  })

/** From the first of them to the last; the latest is the first in the list. */
const wholeOf = (spans: readonly Span[]): readonly Span[] =>
  spans.length === 0 ? [] : [[spans.at(-1)![0], spans[0]![1]]]

const readPoints = (sql: Sql, points: readonly ReadableStream[], { startMs, endMs }: Window) => sql<Sample[]>`
  select stream_key as "streamKey", time as "timeMs", null::integer as span, num, long, text
  from point_sample
  where stream_key = any(${points.map(({ key }) => key)}::integer[])
    ${startMs === undefined ? sql`` : sql`and time >= ${startMs}`}
    ${endMs === undefined ? sql`` : sql`and time < ${endMs}`}`

const readPart = (sql: Sql, streams: readonly ReadableStream[], part: Part, most: number) =>
  streams.length === 1 ? readOne(sql, streams[0]!, part, most) : readSome(sql, streams, part, most)

// By how much a stored time is before the shown one at most. The bounds that it allows say the same for all streams,
// so that chunks outside are left out at once: 0.66 ms instead of 1.35 for two weeks out of a year.
const mostShiftMs = 1

const boundOf = (sql: Sql, ms: number, isEdge: boolean) =>
  isEdge ? sql.unsafe(`'${timestamptzFromMs(ms)}'::timestamptz`) : sql`${ms}`

/** Most calls are for one stream; a query without a join is planned in a third of the time. */
const readOne = (sql: Sql, { key, kind }: ReadableStream, { startMs, endMs, edges }: Part, most: number) => {
  const bound = (ms: number) => boundOf(sql, storedMs(kind, ms), edges.includes(ms))
  return sql<Sample[]>`
    select stream_key as "streamKey", time + ${shownMs(kind, 0)} * interval '1 millisecond' as "timeMs",
           span, num, long, text
    from sample
    where stream_key = ${key}
      ${startMs === undefined ? sql`` : sql`and time >= ${bound(startMs)}`}
      ${endMs === undefined ? sql`` : sql`and time < ${bound(endMs)}`}
    order by time desc
    limit ${most}`
}

const readSome = (sql: Sql, streams: readonly ReadableStream[], { startMs, endMs, edges }: Part, most: number) => {
  const shifts = streams.map(({ kind }) => shownMs(kind, 0))
  return sql<Sample[]>`
    select stream_key as "streamKey", time + shift as "timeMs", span, num, long, text
    from (
      select key, nth, shift_ms * interval '1 millisecond' as shift
      from unnest(${streams.map(({ key }) => key)}::integer[], ${shifts}::integer[])
        with ordinality as given (key, shift_ms, nth)
    ) as wanted
    cross join lateral (
      select stream_key, time, span, num, long, text
      from sample
      where stream_key = wanted.key
        ${startMs === undefined ? sql`` : sql`and time >= ${startMs}::timestamptz - wanted.shift`}
        ${startMs === undefined ? sql`` : sql`and time >= ${boundOf(sql, startMs - mostShiftMs, edges.includes(startMs))}`}
        ${endMs === undefined ? sql`` : sql`and time < ${endMs}::timestamptz - wanted.shift`}
        ${endMs === undefined ? sql`` : sql`and time < ${boundOf(sql, endMs, edges.includes(endMs))}`}
      order by time desc
      limit ${most}
    ) as latest
    order by nth, time desc`
}
