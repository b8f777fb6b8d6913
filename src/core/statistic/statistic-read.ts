// Cycle statistics (docs/statistics.md#statistics): thirteen numbers per interval of a cycle, exact at every moment.
//
// The latest intervals that have samples are found from the newest back: first the interval of the latest sample
// and as many before it as are wanted; where some of these are empty, further back by the hours that have samples,
// so that neither a second's cycle over years nor a day's over a sparse stream counts through empty intervals.
// Each window of intervals is read by a plan (plan.ts) from tiles, the archive and samples.
import { firstMs, lastMs } from '../../base/http/params.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'
import { snapshot } from '../../base/database/sql.ts'
import type { Calendar } from '../time/calendar.ts'
import { findBounds } from './bounds.ts'
import { findCells, findExtents } from './extent.ts'
import { dayMs } from './tile.ts'
import type { Cells } from './extent.ts'
import { openReader } from './reader.ts'
import type { Reader } from './reader.ts'
import { holdChunks } from '../sample/chunk.ts'
import { shownMs } from '../sample/rows.ts'
import type { Window } from '../sample/sample.ts'
import type { Span } from '../time/span.ts'
import type { Part, Texts } from './measure.ts'
import { planWindow } from './plan.ts'
import { readStatisticOfPoints } from './point.ts'
import { needsBounds, statisticValue } from './statistic.ts'
import type { Statistic, StatisticSample, StatisticStream } from './statistic.ts'
import { edgesBefore, isCountedByLength, readFirstWindows, readWindow } from './window-read.ts'
import type { Edges, FirstWindow, StatisticQuestion } from './window-read.ts'

/**
 * The latest intervals within the window (of shown times, that is: of their ends), at most `limit` in all: streams in
 * the order given, each from its latest interval back; the first takes as many as it needs
 * (docs/statistics.md#statistics).
 */
export const readStatistic = (pool: Pool, ...question: Question): Promise<readonly StatisticSample[]> =>
  snapshot(pool, async (sql) => {
    await holdChunks(sql)
    return readStatisticIn(sql, ...question)
  })

type Question = [
  streams: readonly StatisticStream[],
  calendar: Calendar,
  statistic: Statistic,
  window: Window,
  limit: number,
  mostPerStream?: number | undefined,
  texts?: Texts,
]

/** The same in a transaction that has one snapshot and holds the chunks. */
export const readStatisticIn = async (
  sql: Transaction,
  ...[streams, calendar, statistic, window, limit, mostPerStream = limit, texts = 'whole']: Question
): Promise<readonly StatisticSample[]> => {
  const span = storedSpan(calendar, window)
  if (span === undefined || streams.length === 0) return []
  const reader = await openReader(
    sql,
    streams.map(({ key }) => key),
  )
  const samples: StatisticSample[] = []
  // A stream with one sample may seem to have an hour full of seconds: where some had fewer intervals than expected,
  // twice as many are looked at together. One by one, a thousand took 10 s.
  let least = 1
  for (let next = 0; next < streams.length && samples.length < limit;) {
    const left = limit - samples.length
    const some = streams.slice(next)
    const search = await openSearch(reader, some, { calendar, statistic, texts }, span, left, mostPerStream, least)
    for (const stream of search.streams) {
      const most = Math.min(mostPerStream, limit - samples.length)
      if (most > 0) for (const sample of await search.read(stream, most)) samples.push(sample)
    }
    next += search.streams.length
    least = 2 * search.streams.length
  }
  return samples
}

/** The stored times of the intervals whose end is shown within the window: whole intervals; undefined: none. */
const storedSpan = (calendar: Calendar, { startMs, endMs }: Window): Span | undefined => {
  const fromMs = calendar.startOf(startMs === undefined ? firstMs - 1 : calendar.endAtOrAfter(startMs) - 1)
  const untilMs = endMs === undefined ? calendar.endOf(lastMs) : calendar.startOf(endMs - 1)
  return fromMs < untilMs ? [fromMs, untilMs] : undefined
}

type Search = {
  /** The streams that this search is about. */
  readonly streams: readonly StatisticStream[]
  readonly read: (stream: StatisticStream, most: number) => Promise<readonly StatisticSample[]>
}

/**
 * Takes as many of the streams as are needed for sure, and reads their latest intervals together: most streams of a
 * component have the same.
 */
const openSearch = async (
  reader: Reader,
  streams: readonly StatisticStream[],
  asked: StatisticQuestion,
  span: Span,
  limit: number,
  mostPerStream: number,
  least: number,
): Promise<Search> => {
  const { calendar } = asked
  const most = Math.min(limit, mostPerStream)
  const some = streams.slice(0, Math.min(mostAtOnce, Math.ceil(limit / most) * atOncePerLimit))
  const keys = some.filter(({ kind }) => kind !== 'point').map(({ key }) => key)
  const windowOf = ([startMs, endMs]: Span): Edges =>
    edgesBefore(calendar, calendar.endOf(endMs - 1), calendar.startOf(startMs), most)
  const { extents, areWhole } = await findReach(reader, keys, span, windowOf)
  const windows = new Map<number, Edges>()
  const taken: StatisticStream[] = []
  let expected = 0
  for (const stream of some) {
    if (taken.length >= least && expected >= limit) break
    taken.push(stream)
    const extent = extents.get(stream.key)
    if (extent === undefined) continue
    const window = windowOf(extent)
    windows.set(stream.key, window)
    expected += calendar.countEdges(window[0]!, window.at(-1)!)
  }
  const known = await readFirstWindows(reader, taken, asked, windows, extents)
  const firsts = areWhole ? known : await withBeginnings(reader, known, span, most)
  return {
    streams: taken,
    read: async (stream, wanted) => {
      if (stream.kind === 'point')
        return (await readStatisticOfPoints(reader.sql, stream, asked, span)).slice(0, wanted)
      const first = firsts.get(stream.key)
      return first ? readBack(reader, stream, asked, first, wanted) : []
    },
  }
}

const longMs = 4 * 365 * dayMs

/**
 * Where the streams have samples. Where they begin is asked for only if their windows are long: it takes a look at all chunks,
 * and there may be many, by the samples of others. With 1,560 of them, 60 days took 280 ms, of which that was most.
 */
const findReach = async (
  reader: Reader,
  keys: readonly number[],
  span: Span,
  windowOf: (extent: Span) => Edges,
): Promise<{ readonly extents: ReadonlyMap<number, Span>; readonly areWhole: boolean }> => {
  if (keys.length === 0) return { extents: new Map(), areWhole: true }
  const ends = await findExtents(reader, keys, span, 'end')
  const areWhole = Array.from(ends.values()).some((extent) => extent[1] - windowOf(extent)[0]! > longMs)
  return { extents: areWhole ? await findExtents(reader, keys, span, 'both') : ends, areWhole }
}

/** Of streams whose first windows have too few intervals, where they begin: nobody looks for more before that. */
const withBeginnings = async (
  reader: Reader,
  firsts: ReadonlyMap<number, FirstWindow>,
  [spanMs]: Span,
  most: number,
): Promise<ReadonlyMap<number, FirstWindow>> => {
  const short = [...firsts].filter(([, { parts }]) => parts.length < most)
  if (short.length === 0) return firsts
  const keys = short.map(([key]) => key)
  const untilMs = Math.max(...short.map(([, { fromMs }]) => fromMs))
  const before = spanMs < untilMs ? await findExtents(reader, keys, [spanMs, untilMs], 'both') : new Map<number, Span>()
  const settled = new Map(firsts)
  for (const [key, first] of short)
    settled.set(key, { ...first, extent: [before.get(key)?.[0] ?? first.fromMs, first.extent[1]] })
  return settled
}

/** With a limit per stream each stream is sure to be needed; else the first ones may fill the limit. */
const mostAtOnce = 500
const atOncePerLimit = 50

const cellsAtOnce = 2_000
const mostEdgesAtOnce = 20_000

/** Goes on from the first window until there are enough intervals or no more samples. */
const readBack = async (
  reader: Reader,
  stream: StatisticStream,
  asked: StatisticQuestion,
  { extent, fromMs, parts: firstParts }: FirstWindow,
  wanted: number,
): Promise<readonly StatisticSample[]> => {
  const { calendar } = asked
  const parts = [...firstParts]
  const downToMs = calendar.startOf(extent[0])
  let atMs = fromMs
  let length = wanted
  let cells: Cells = { spans: [], reachedMs: atMs }
  while (parts.length < wanted && atMs > downToMs) {
    const cell = cells.spans.findLast(([startMs]) => startMs < atMs)
    if (cell === undefined) {
      if (cells.reachedMs <= downToMs) break
      cells = await findCells(reader, stream.key, [downToMs, Math.min(atMs, cells.reachedMs)], cellsAtOnce)
      continue
    }
    const endMs = calendar.endOf(Math.min(cell[1], atMs) - 1)
    const edges = edgesBefore(calendar, endMs, downToMs, length)
    // Without this, a cycle whose edges are beyond exact numbers would keep us here for ever.
    if (edges[0]! >= atMs) throw new Error(`the intervals before ${atMs} do not go back`)
    const plan = planWindow(calendar, edges, reader.coverage.get(stream.key)!)
    for (const part of await readWindow(reader, [stream], asked, edges, plan)) parts.push(part)
    atMs = edges[0]!
    length = Math.min(length * 2, isCountedByLength(calendar) ? 1_000_000 : mostEdgesAtOnce)
  }
  return finish(reader, stream, asked, parts.slice(0, wanted))
}

const finish = async (
  reader: Reader,
  stream: StatisticStream,
  { calendar, statistic }: StatisticQuestion,
  parts: readonly Part[],
): Promise<readonly StatisticSample[]> => {
  if (parts.length === 0) return []
  const { key: streamKey, kind } = stream
  const stored = needsBounds(statistic, stream) ? await findBounds(reader, streamKey) : undefined
  const bounds: Span | undefined = stored && [shownMs(kind, stored[0]), shownMs(kind, stored[1])]
  return parts.map((part) => {
    const startMs = part.interval
    const timeMs = calendar.endOf(startMs)
    const timed = typeof part.atMs === 'number' ? { ...part, atMs: shownMs(kind, part.atMs) } : part
    const value = statisticValue(statistic, { stream, part: timed, interval: [startMs, timeMs], bounds })
    return { streamKey, startMs, timeMs, value, textBytes: part.textBytes ?? null }
  })
}
