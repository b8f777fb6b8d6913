// The time axis: marks at full hours, days or months of the component's own clock, from milliseconds to centuries,
// written as ISO writes them. Where clocks are set, marks stay at full hours of the clock.
import type { Window } from './window.ts'
import { isoOf, localOf, momentOf, offsetOf, offsetSpans, offsetText } from './zone.ts'

type Unit = 'millisecond' | 'second' | 'minute' | 'day' | 'month' | 'year'
type Increment = { readonly unit: Unit; readonly size: number; readonly length: number }

const dayMs = 86_400_000

const ladder: readonly Increment[] = (
  [
    ['millisecond', 1, [1, 2, 5, 10, 20, 50, 100, 200, 500]],
    ['second', 1000, [1, 2, 5, 10, 15, 30]],
    ['minute', 60_000, [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720]],
    ['day', dayMs, [1, 2, 3, 7, 14]],
    ['month', 30.4 * dayMs, [1, 2, 3, 6]],
    ['year', 365.25 * dayMs, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]],
  ] as const
).flatMap(([unit, length, sizes]) => sizes.map((size) => ({ unit, size, length: size * length })))

export const incrementFor = ({ from, to }: Window, most: number): Increment =>
  ladder.find(({ length }) => (to - from) / length <= most) ?? ladder.at(-1)!

export type Ticks = { readonly times: readonly number[]; readonly labels: readonly string[] }

/** At most about `most` marks. */
export const ticksOf = (window: Window, zone: string, most: number): Ticks => {
  const increment = incrementFor(window, Math.max(2, most))
  const times = timesOf(window, zone, increment)
  return { times, labels: times.map((time, index) => labelOf(time, times[index - 1], zone, increment.unit)) }
}

const timesOf = (window: Window, zone: string, { unit, size, length }: Increment): readonly number[] => {
  if (unit === 'millisecond' || unit === 'second' || unit === 'minute') return fixedTimes(window, zone, length)
  const [first, last] = [window.from, window.to].map((ms) => localOf(ms, zone)) as [number, number]
  const times: number[] = []
  for (let local = floorOf(first, unit, size); local <= last; local = floorOf(local, unit, size, 1)) {
    const time = momentOf(local, zone)
    if (time >= window.from && time <= window.to) times.push(time)
  }
  return times
}

/** Multiples of what the clock shows, between two settings of the clock. */
const fixedTimes = ({ from, to }: Window, zone: string, length: number): readonly number[] =>
  offsetSpans(from, to, zone).flatMap((span, index, spans) => {
    const times: number[] = []
    const isLast = index === spans.length - 1
    const first = Math.ceil((span.from + span.offset) / length) * length - span.offset
    for (let time = first; isLast ? time <= span.to : time < span.to; time += length) times.push(time)
    return times
  })

/** The beginning of the days, months or years that hold a local time, or of those `ahead` of them. */
const floorOf = (local: number, unit: Unit, size: number, ahead = 0): number => {
  if (unit === 'day') {
    const length = size * dayMs
    // Weeks begin with Mondays; the first of January 1970 was a Thursday.
    const shift = size % 7 === 0 ? 4 * dayMs : 0
    return (Math.floor((local - shift) / length) + ahead) * length + shift
  }
  const date = new Date(local)
  const months = unit === 'year' ? size * 12 : size
  const month = (Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months) + ahead) * months
  // Years below 100 are meant as they are.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - Math.floor(month / 12) * 12, 1)
}

const parts = {
  millisecond: [11, 23],
  second: [11, 19],
  minute: [11, 16],
  day: [0, 10],
  month: [0, 7],
  year: [0, 4],
} as const satisfies Readonly<Record<Unit, readonly [number, number]>>

/** The date stands below the first mark of each day, the offset below the first after clocks were set. */
const labelOf = (time: number, before: number | undefined, zone: string, unit: Unit): string => {
  const iso = isoOf(time, zone)
  const text = iso.slice(...parts[unit])
  if (parts[unit][0] === 0) return text
  const isNewDay = before === undefined || isoOf(before, zone).slice(0, 10) !== iso.slice(0, 10)
  const isSet = before !== undefined && offsetOf(before, zone) !== offsetOf(time, zone)
  if (isSet) return `${text}\n${offsetText(time, zone)}`
  return isNewDay ? `${text}\n${iso.slice(0, 10)}` : text
}
