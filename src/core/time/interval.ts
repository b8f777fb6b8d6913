// Interval streams: an uploaded time moves to the end of its interval, and intervals that are missing
// between the first and the last uploaded end are filled with nulls (docs/feeds.md#interval-streams).
import { badRequest } from '../../base/errors.ts'
import { epochNumber } from '../../base/http/params.ts'
import type { Calendar } from './calendar.ts'
import type { Value } from '../sample/value.ts'

export type IntervalSample = {
  readonly endMs: number
  /** The interval's length in seconds. */
  readonly span: number
  readonly value: Value
}

export const fillIntervals = (
  calendar: Calendar,
  timesMs: readonly number[],
  values: readonly Value[],
  fillsGaps: boolean,
  mostFills: number,
  /** Called before they are made. */
  takeRoom?: (fills: number) => void,
): { readonly intervals: readonly IntervalSample[]; readonly fills: number } => {
  // Several values in one interval: the latest time wins; of equal times the one given last.
  const latest = new Map<number, { timeMs: number; value: Value }>()
  timesMs.forEach((timeMs, index) => {
    const endMs = epochNumber('the end of an interval at', calendar.endAtOrAfter(timeMs))
    const known = latest.get(endMs)
    if (known === undefined || timeMs >= known.timeMs) latest.set(endMs, { timeMs, value: values[index]! })
  })
  const given = [...latest.keys()].toSorted((a, b) => a - b)
  const ends = fillsGaps ? withGaps(calendar, given, mostFills, takeRoom) : given
  const intervals = ends.map((endMs) => ({
    endMs,
    span: (endMs - calendar.startOf(endMs - 1)) / 1000,
    value: latest.get(endMs)?.value ?? null,
  }))
  return { intervals, fills: ends.length - given.length }
}

const withGaps = (
  calendar: Calendar,
  given: readonly number[],
  mostFills: number,
  takeRoom: ((fills: number) => void) | undefined,
): readonly number[] => {
  const first = given[0]!
  const last = given.at(-1)!
  const fills = calendar.countEdges(first, last) + 1 - given.length
  if (fills > mostFills) throw badRequest('the uploaded times leave more than 100,000 intervals to fill with nulls')
  takeRoom?.(fills)
  return calendar.edgesBetween(first, last, Number.POSITIVE_INFINITY)
}
