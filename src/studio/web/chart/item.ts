// The item of a series at a moment, and how a value is written.
import { shortened } from '../shortened.ts'
import type { Series, Window } from './window.ts'

/** The number of times before the moment. */
export const countBefore = (times: readonly number[], ms: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < ms) low = middle + 1
    else high = middle
  }
  return low
}

export const startOf = ({ starts, times }: Series, index: number): number =>
  starts?.[index] ?? times[index - 1] ?? times[index]!

/** The first and the last item that may be seen in a window, with one on either side, to which lines lead. */
export const seenIn = ({ times }: Series, { from, to }: Window): readonly [number, number] => [
  Math.max(0, countBefore(times, from) - 1),
  Math.min(times.length - 1, countBefore(times, to) + 1),
]

/** The interval that holds the moment, or the nearest sample that is not further than `reach`; undefined: there is none. */
export const itemAt = (series: Series, ms: number, reach: number): number | undefined => {
  const { times, values, isInterval, texts } = series
  if (texts) return textAt(series, ms)
  const next = countBefore(times, ms)
  if (isInterval) return next < times.length && startOf(series, next) <= ms && values[next] !== null ? next : undefined
  const near = [next - 1, next].filter((index) => {
    const value = values[index]
    return value !== null && value !== undefined && Math.abs(times[index]! - ms) <= reach
  })
  return near.toSorted((a, b) => Math.abs(times[a]! - ms) - Math.abs(times[b]! - ms))[0]
}

/** The text that holds at the moment. */
const textAt = ({ times }: Series, ms: number): number | undefined => {
  const index = countBefore(times, ms + 1) - 1
  return index < 0 ? undefined : index
}

/** Whether the window holds a sample, a part of an interval, or a text that goes on in it: what is loaded may reach further. */
export const isSeenIn = (series: Series, { from, to }: Window): boolean => {
  const { times, isInterval, texts } = series
  if (texts) return textAt(series, to) !== undefined
  const next = countBefore(times, from)
  return next < times.length && (isInterval ? startOf(series, next) : times[next]!) <= to
}

/** The states of a series of texts, in the order of their colours. */
export const statesOf = ({ texts = [] }: Series): readonly string[] => [...new Set(texts)].toSorted()

/** The least and the most that is seen, the band included. */
export const extremesIn = (series: Series, window: Window): readonly [number, number] | undefined => {
  let [low, high] = [Infinity, -Infinity]
  const [first, last] = seenIn(series, window)
  for (let index = first; index <= last; index += 1) {
    // A line leads on to its neighbour outside, of which only the near end is seen.
    const isOutside = series.times[index]! < window.from || startOrTime(series, index) > window.to
    if (isOutside && last > first + 2) continue
    for (const value of [series.values[index], series.least?.[index], series.most?.[index]])
      if (typeof value === 'number') {
        low = Math.min(low, value)
        high = Math.max(high, value)
      }
  }
  return low <= high ? [low, high] : undefined
}

const startOrTime = (series: Series, index: number) =>
  series.isInterval ? startOf(series, index) : series.times[index]!

/** Beyond these a number is read by its exponent: all of its zeros would be a line of them, or none of its digits. */
const [leastPlain, mostPlain] = [1e-6, 1e15]

/** Seven digits, in groups of three. */
export const shownNumber = (value: number, digits = 7): string => {
  const rounded = Number(value.toPrecision(digits))
  const size = Math.abs(rounded)
  return size >= mostPlain || (size < leastPlain && size > 0)
    ? String(rounded)
    : rounded.toLocaleString('en', { maximumFractionDigits: 20 })
}

/** No digit before the dot is rounded, as one reads a meter. */
export const shownWhole = (value: number): string =>
  shownNumber(value, Math.min(21, Math.max(7, Math.trunc(Math.abs(value)).toFixed(0).length)))

/** The table of a chart has the whole of it. */
const longestText = 80

/** Nobody reads more digits of a mean. */
const digitsOfMean = 5

export const shownValue = ({ values, least, most, cycle, texts }: Series, index: number, unit: string): string => {
  if (texts) return shortened(texts[index] ?? '', longestText)
  const value = values[index]
  if (value === null || value === undefined) return '–'
  const [low, high] = [least?.[index], most?.[index]]
  const band = typeof low === 'number' && typeof high === 'number'
  return `${shownNumber(value, cycle === undefined ? 7 : digitsOfMean)}${unit}${band ? ` (${shownNumber(low)} … ${shownNumber(high)})` : ''}`
}
