// First and last values that are long texts: a thousand may have 200 MB. Like those of samples (../reading/long-text.ts)
// they are not read along with the others, and are read in pieces once there is memory for them.
import assert from 'node:assert/strict'
import type { Transaction } from '../../base/database/sql.ts'
import { pieceBytes } from '../reading/long-text.ts'
import type { Calendar } from '../time/calendar.ts'
import type { Statistic, StatisticSample, StatisticStream } from './statistic.ts'
import { readStatisticIn } from './statistic-read.ts'

/** The bytes of all values that were not read along. */
export const longStatisticBytes = (samples: readonly StatisticSample[]): number =>
  samples.reduce((sum, sample) => sum + (sample.textBytes ?? 0), 0)

/** The same statistics with their texts, in pieces of about a megabyte, in the snapshot in which they were read. */
export async function* withLongStatistics(
  sql: Transaction,
  samples: readonly StatisticSample[],
  streams: ReadonlyMap<number, StatisticStream>,
  calendar: Calendar,
  statistic: Statistic,
): AsyncGenerator<readonly StatisticSample[]> {
  const read: Read = (some, startMs, endMs, most) =>
    readStatisticIn(
      sql,
      some.map((key) => streams.get(key)!),
      calendar,
      statistic,
      { startMs, endMs },
      some.length * most,
      most,
    )
  for (let from = 0; from < samples.length;) {
    let until = from
    for (let bytes = 0; until < samples.length && bytes < pieceBytes; until += 1)
      bytes += samples[until]!.textBytes ?? 0
    yield await withTexts(read, samples.slice(from, until))
    from = until
  }
}

/** Whole statistics of streams whose intervals end in [startMs, endMs), the latest of each. */
type Read = (
  streamKeys: readonly number[],
  startMs: number,
  endMs: number,
  mostPerStream: number,
) => Promise<readonly StatisticSample[]>

/** Samples of a stream follow each other, so that those of a piece are all that it has between their times. */
const withTexts = async (read: Read, piece: readonly StatisticSample[]): Promise<readonly StatisticSample[]> => {
  const byStream = new Map<number, StatisticSample[]>()
  for (const sample of piece) {
    const own = byStream.get(sample.streamKey)
    if (own) own.push(sample)
    else byStream.set(sample.streamKey, [sample])
  }
  const whole = new Map<string, StatisticSample>()
  const take = async (keys: readonly number[], some: readonly StatisticSample[], mostPerStream: number) => {
    const times = some.map(({ timeMs }) => timeMs)
    const found = await read(keys, Math.min(...times), Math.max(...times) + 1, mostPerStream)
    for (const sample of found) whole.set(nameOf(sample), sample)
  }
  const long = [...byStream.values()].filter((own) => longStatisticBytes(own) > 0)
  const single = long.flatMap((own) => (own.length === 1 ? own : []))
  // Last values of many streams: the latest of each, all at once.
  if (single.length > 1)
    await take(
      single.map(({ streamKey }) => streamKey),
      single,
      1,
    )
  for (const own of long)
    if (!own.every((sample) => whole.has(nameOf(sample)))) await take([own[0]!.streamKey], own, own.length)
  return piece.map((sample) => {
    if (sample.textBytes === null) return sample
    const found = whole.get(nameOf(sample))
    assert(found)
    return found
  })
}

const nameOf = ({ streamKey, timeMs }: StatisticSample) => `${streamKey} ${timeMs}`
