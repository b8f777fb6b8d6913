// Samples of many streams from the earliest on, some at a time, for those who read all of them (docs/transfer.md#export).
// Streams are gone through in the order given, each from its first sample to its last; a reading goes on where the last
// one ended, in another transaction if need be, so that nobody keeps one open for as long as the whole takes.
import assert from 'node:assert/strict'
import { firstMs, lastMs } from '../../base/http/params.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { textColumns } from './long-text.ts'
import { shownMs, storedMs } from '../sample/rows.ts'
import type { ReadableStream, Sample, Window } from '../sample/sample.ts'

export type Forward = {
  readonly samples: readonly Sample[]
  /** The first so many streams have no more samples. */
  readonly done: number
}

/**
 * The next samples, of the first streams: only of point streams, or only of others. Texts of more than 128 bytes have to
 * be read separately (long-text.ts). `afterMs` is the shown time of the last sample that was read of the first stream.
 */
export const readForward = async (
  sql: Transaction,
  streams: readonly ReadableStream[],
  window: Window,
  afterMs: number | undefined,
  most: number,
): Promise<Forward> => {
  const isPoint = streams[0]?.kind === 'point'
  const other = streams.findIndex(({ kind }) => (kind === 'point') !== isPoint)
  const some = other < 0 ? streams : streams.slice(0, other)
  if (isPoint) {
    // A point has one sample: behind it there is nothing more.
    const rest = afterMs === undefined ? some : some.slice(1)
    return { samples: await readPoints(sql, rest, window), done: some.length }
  }
  const samples = await readStored(sql, some, window, afterMs, most)
  const last = samples.at(-1)
  if (last === undefined || samples.length < most) return { samples, done: some.length }
  return { samples, done: some.findIndex(({ key }) => key === last.streamKey) }
}

type Row = readonly [
  nth: number,
  storedMs: number,
  span: number | null,
  num: number | null,
  long: number | bigint | null,
  text: string | null,
  textBytes: number | null,
]

/**
 * A loop over the streams, which Postgres ends as soon as there are enough samples: with an order by, it would read and
 * sort the samples of all of them first. A join to a lateral subquery with a limit is done in no other way than in the
 * order of the streams, which is looked at here all the same.
 */
const readStored = async (
  sql: Transaction,
  streams: readonly ReadableStream[],
  { startMs = firstMs, endMs = lastMs + 1 }: Window,
  afterMs: number | undefined,
  most: number,
): Promise<readonly Sample[]> => {
  const keys = streams.map(({ key }) => key)
  const starts = streams.map(({ kind }, index) =>
    storedMs(kind, index === 0 && afterMs !== undefined ? afterMs + 1 : startMs),
  )
  const ends = streams.map(({ kind }) => storedMs(kind, endMs))
  const text = `
    select nth::integer, found.*
    from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as wanted (key, start_time, end_time, nth)
    cross join lateral (
      select time, span, num, long, ${textColumns('text', 'text', 'brief')}
      from sample
      where stream_key = wanted.key and time >= wanted.start_time and time < wanted.end_time
        and time >= $4::timestamptz and time < $5::timestamptz
      order by time
      limit $6
    ) as found
    limit $6`
  const values = [keys, starts, ends, Math.min(...starts), Math.max(...ends), most]
  const rows = (await sql.unsafe(text, values as number[], { prepare: true }).values()) as unknown as readonly Row[]
  let before = 0
  return rows.map(([nth, storedAtMs, span, num, long, short, textBytes]) => {
    assert(nth >= before, 'streams come in their order')
    before = nth
    const { key, kind } = streams[nth - 1]!
    return { streamKey: key, timeMs: shownMs(kind, storedAtMs), span, num, long, text: short, textBytes }
  })
}

const readPoints = async (
  sql: Transaction,
  points: readonly ReadableStream[],
  { startMs = firstMs, endMs = lastMs + 1 }: Window,
): Promise<readonly Sample[]> => {
  const found = await sql.unsafe<Sample[]>(
    `select stream_key as "streamKey", time as "timeMs", null::integer as span, num, long,
       ${textColumns('text', 'text', 'brief')}
     from unnest($1::integer[]) with ordinality as wanted (key, nth)
     join point_sample on stream_key = key
     where time >= $2::timestamptz and time < $3::timestamptz
     order by nth`,
    [points.map(({ key }) => key), startMs, endMs],
  )
  return found
}
