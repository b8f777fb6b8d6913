// Times as people type them: epoch milliseconds, a date or a local time of this machine, or how long ago (15m, 2h, 7d).
import { UsageError } from './given.ts'

const unitMs = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
])

export const timeAbout =
  'epoch milliseconds, 2026-01-31, 2026-01-31T08:00 (local; or with Z, +01:00), now, or 2h ago as 2h'

export const readTime = (text: string, nowMs: number): number => {
  if (text === 'now') return nowMs
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return nowMs - Number(count) * unitMs.get(unit!)!
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  // A date alone would be read as one of UTC, a time without a zone as a local one.
  const parsed = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text)
  // Date takes February 30 for March 2.
  const isDay = !/^\d{4}-\d\d-\d\d/.test(text) || new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10))
  if (!/^\d{4}-\d\d/.test(text) || Number.isNaN(parsed) || !isDay)
    throw new UsageError(`'${text}' is no time: ${timeAbout}`)
  return parsed
}

/** 2026-01-31T08:00:00Z, with milliseconds where there are some. */
export const showTime = (timeMs: number): string => {
  const date = new Date(timeMs)
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString().replace('.000Z', 'Z')
}
