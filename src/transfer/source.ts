// The two kinds of rows that an export reads of streams: samples, from the earliest on, and statistics of a cycle, from
// the latest interval back, as GET shows them. Both go on where they ended.
import type { Transaction } from '../base/database/sql.ts'
import type { CycleDefinition } from '../core/cycle.ts'
import { readForward } from '../core/reading/forward-read.ts'
import { withLongTexts } from '../core/reading/long-text.ts'
import { sampleValue } from '../core/sample/sample.ts'
import type { Sample, Window } from '../core/sample/sample.ts'
import type { ScopedStream } from '../core/reading/scope-read.ts'
import { readStatisticIn } from '../core/statistic/statistic-read.ts'
import { withLongStatistics } from '../core/statistic/statistic-text.ts'
import type { Statistic, StatisticSample } from '../core/statistic/statistic.ts'
import { openCalendar } from '../core/time/calendar.ts'
import type { Row } from './encode.ts'

/** An item and its stream; texts that are long come later (`withTexts`). */
export type Item = { readonly streamKey: number; readonly timeMs: number; readonly textBytes: number | null }

export type Source<Read extends Item> = {
  readonly hasStarts: boolean
  /** The most items that are asked for at once. */
  readonly most: number
  /** Whether it has rows of such a stream. */
  readonly takes: (stream: ScopedStream) => boolean
  /** The next items of the first streams; of the first one, those beyond the time with which the last reading ended. */
  readonly read: (
    sql: Transaction,
    streams: readonly ScopedStream[],
    resumeMs: number | undefined,
    most: number,
  ) => Promise<{ readonly items: readonly Read[]; readonly done: number }>
  readonly withTexts: (
    sql: Transaction,
    items: readonly Read[],
    streams: ReadonlyMap<number, ScopedStream>,
  ) => AsyncIterable<readonly Read[]>
  readonly rowOf: (item: Read, stream: ScopedStream) => Row
}

export const sampleSource = (window: Window): Source<Sample> => ({
  hasStarts: false,
  most: 20_000,
  // The content of a file is no cell (docs/transfer.md#export).
  takes: ({ valueType }) => valueType !== 'FILE',
  read: async (sql, streams, resumeMs, most) => {
    const { samples, done } = await readForward(sql, streams, window, resumeMs, most)
    return { items: samples, done }
  },
  withTexts: withLongTexts,
  rowOf: (sample, { valueType }) => ({
    startMs: undefined,
    timeMs: sample.timeMs,
    value: sampleValue(valueType, sample),
  }),
})

export const statisticSource = (
  window: Window,
  cycle: CycleDefinition,
  statistic: Statistic,
): Source<StatisticSample> => {
  const calendarOf = ({ component }: ScopedStream) => openCalendar(cycle, cycle.timeZone ?? component.timeZone)
  return {
    hasStarts: true,
    most: 1000,
    takes: () => true,
    read: async (sql, streams, resumeMs, most) => {
      const { timeZone } = streams[0]!.component
      const other = streams.findIndex(({ component }) => component.timeZone !== timeZone)
      // A stream that goes on has a window of its own.
      const some = streams.slice(0, resumeMs !== undefined ? 1 : other < 0 ? streams.length : other)
      const within = resumeMs === undefined ? window : { ...window, endMs: resumeMs }
      const calendar = calendarOf(streams[0]!)
      const items = await readStatisticIn(sql, some, calendar, statistic, within, most, undefined, 'short')
      const last = items.at(-1)
      const isCut = last !== undefined && items.length >= most
      return { items, done: isCut ? some.findIndex(({ key }) => key === last.streamKey) : some.length }
    },
    withTexts: async function* (sql, items, streams) {
      const first = items[0]
      if (first === undefined) return
      if (items.every(({ textBytes }) => textBytes === null)) yield items
      else yield* withLongStatistics(sql, items, streams, calendarOf(streams.get(first.streamKey)!), statistic)
    },
    rowOf: ({ startMs, timeMs, value }) => ({ startMs, timeMs, value }),
  }
}
