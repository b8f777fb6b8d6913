// Times as the field of a browser writes them, in the zone of a component: 2026-03-29T02:30:00 in Europe/Berlin.
import { showTime } from './time.ts'

export const localText = (ms: number, zone: string): string => showTime(ms, zone).replace(' ', 'T')

/** A time that happens twice is its first; one that the clocks leave out is as much later. Undefined: it is no time. */
export const timeOfLocal = (text: string, zone: string): number | undefined => {
  const asUtc = Date.parse(`${text}Z`)
  if (!Number.isFinite(asUtc)) return undefined
  const offsetAt = (ms: number) => Date.parse(`${localText(ms, zone)}Z`) - Math.floor(ms / 1000) * 1000
  // Offsets of a day before and a day after stand for both sides of a change.
  const [earlier, later] = [asUtc - offsetAt(asUtc - dayMs), asUtc - offsetAt(asUtc + dayMs)].toSorted((a, b) => a - b)
  const isShown = (ms: number) => ms + offsetAt(ms) === asUtc
  return isShown(earlier!) ? earlier! : later!
}

/** In UTC, for a field without seconds. */
export const minuteText = (ms: number | null | undefined): string =>
  typeof ms === 'number' ? new Date(ms).toISOString().slice(0, 16) : ''

/** The time in such a field, null for none. Undefined where it shows the time from before, which may have had seconds. */
export const changedMinute = (text: string, before: number | null | undefined): number | null | undefined =>
  text === minuteText(before) ? undefined : text === '' ? null : Date.parse(`${text}Z`)

const dayMs = 86_400_000
