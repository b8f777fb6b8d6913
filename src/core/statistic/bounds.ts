// The first and the last sample of a stream, of all that it ever had: base intervals are counted between them.
import { firstMs, lastMs } from '../../base/http/params.ts'
import { cutSpans, floorTo } from '../time/span.ts'
import type { Span } from '../time/span.ts'
import { findExtents } from './extent.ts'
import { archivedUntil, run, tiledUntil, time } from './reader.ts'
import type { Reader } from './reader.ts'
import { dayMs, hourMs, mainPhase } from './tile.ts'

const always: Span = [firstMs - dayMs, lastMs + 366 * dayMs]

/** The stored times of a stream's first and last sample; undefined when it has none. */
export const findBounds = async (reader: Reader, streamKey: number): Promise<Span | undefined> => {
  const extent = (await findExtents(reader, [streamKey], always, 'both')).get(streamKey)
  if (extent === undefined) return undefined
  const first = await findEnd(reader, streamKey, extent, 'first')
  return first === undefined ? undefined : [first, (await findEnd(reader, streamKey, extent, 'last'))!]
}

const findEnd = async (
  { sql, coverage }: Reader,
  streamKey: number,
  extent: Span,
  side: 'first' | 'last',
): Promise<number | undefined> => {
  const own = coverage.get(streamKey)!
  const tiledMs = tiledUntil(own)
  const order = side === 'first' ? 'asc' : 'desc'
  const one = async (
    table: string,
    column: string,
    fromMs: number,
    untilMs: number,
    shown = column,
  ): Promise<number | undefined> => {
    if (fromMs >= untilMs) return undefined
    const [row] = await run<{ atMs: number }>(
      sql,
      `select ${shown} as "atMs" from ${table}
       where stream_key = $1::integer
         and ${column} >= $2::timestamptz and ${column} < $3::timestamptz
       order by ${column} ${order} limit 1`,
      [streamKey, time(fromMs), time(untilMs)],
    )
    return row?.atMs
  }
  const archived = () => one('archive', 'bucket', always[0], archivedUntil(own), `${side}_time`)
  /** Looks at tiles where nothing is archived. Tiles of archived times are still there, and do not count. */
  const below = async ([fromMs, untilMs]: Span): Promise<number | undefined> => {
    const endMs = Math.min(untilMs, tiledMs)
    // A stale tile does not count; then all chunks are read in which there may be samples.
    if (own.stale.length > 0) return one('sample', 'time', Math.max(fromMs, extent[0]), Math.min(endMs, extent[1]))
    const found = await one(mainPhase.hourTable, 'bucket', floorTo(fromMs, 0, hourMs), endMs, `${side}_time`)
    if (found === undefined || (found >= fromMs && found < endMs)) return found
    // An hour that the archive cuts may have no other samples.
    return one('sample', 'time', Math.max(fromMs, extent[0]), Math.min(endMs, extent[1]))
  }
  const live = async (): Promise<number | undefined> => {
    const spans = cutSpans([always], own.archived)
    for (const span of side === 'first' ? spans : spans.toReversed()) {
      const above = () => one('sample', 'time', Math.max(span[0], tiledMs), span[1])
      const found =
        side === 'first' ? ((await below(span)) ?? (await above())) : ((await above()) ?? (await below(span)))
      if (found !== undefined) return found
    }
    return undefined
  }
  const found = [await archived(), await live()].filter((ms) => ms !== undefined)
  if (found.length === 0) return undefined
  return side === 'first' ? Math.min(...found) : Math.max(...found)
}
