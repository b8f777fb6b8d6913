// The steps of a chart: lengths of intervals that people know, so that a picture of any window has about as many
// intervals as it has room for. From days on they follow the calendar of the component's zone. Pure.
import type { Calendar, CycleUnit } from '../time/calendar.ts'
import { openCalendar } from '../time/calendar.ts'
import type { Span } from '../time/span.ts'

export type ChartStep = { readonly size: number; readonly unit: CycleUnit | 'millisecond' }

/** With about their length, months and years as long as they are at most. */
const lengths = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 28 * 86_400_000,
  year: 365 * 86_400_000,
} as const satisfies Readonly<Record<ChartStep['unit'], number>>

const steps: readonly ChartStep[] = (
  [
    ['millisecond', [2, 5, 10, 20, 50, 100, 200, 500]],
    ['second', [1, 2, 5, 10, 15, 30]],
    ['minute', [1, 2, 5, 10, 15, 30]],
    ['hour', [1, 2, 3, 6, 12]],
    ['day', [1, 2]],
    ['week', [1, 2]],
    ['month', [1, 3, 6]],
    ['year', [1, 2, 5, 10, 20, 50, 100, 1000]],
  ] as const
).flatMap(([unit, sizes]) => sizes.map((size) => ({ size, unit })))

const lengthOf = ({ size, unit }: ChartStep) => size * lengths[unit]

/** The shortest step of which there are no more than `points` in the window, and which is not shorter than a length. */
export const stepFor = ([fromMs, untilMs]: Span, points: number, atLeastMs: number): ChartStep =>
  steps.find((step) => lengthOf(step) >= atLeastMs && Math.ceil((untilMs - fromMs) / lengthOf(step)) < points) ??
  steps.at(-1)!

/** Weeks begin with Mondays. */
const reference = '2001-01-01T00:00:00'

export const calendarOfStep = ({ size, unit }: ChartStep, timeZone: string): Calendar =>
  unit === 'millisecond'
    ? openCalendar({ size: size / 1000, unit: 'second', reference }, timeZone)
    : openCalendar({ size, unit, reference }, timeZone)
