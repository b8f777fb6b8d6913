// The window of a chart as a person types it: 2026-03-29 14:00:00, by the clocks of its zone.
import type { Window } from './window.ts'
import { isoOf, momentOf } from './zone.ts'

export const typedPattern = '\\s*\\d{4}-\\d\\d-\\d\\d([ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?)?\\s*'

export const typedText = (ms: number, zone: string): string => isoOf(ms, zone).replace('T', ' ').slice(0, 19)

/** Undefined: there is no such time. */
const typedTime = (text: string, zone: string): number | undefined => {
  const iso = text.trim().replace(' ', 'T')
  const local = Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : `${iso}Z`)
  // 31 February is the third of March to browsers.
  const isReal = !Number.isNaN(local) && new Date(local).toISOString().startsWith(iso.slice(0, 10))
  return isReal ? momentOf(local, zone) : undefined
}

/** The window, or the field that it fails by. */
export const typedWindow = (
  from: string,
  to: string,
  zone: string,
): Window | { readonly wrong: 'from' | 'to' | 'order' } => {
  const [first, last] = [typedTime(from, zone), typedTime(to, zone)]
  if (first === undefined) return { wrong: 'from' }
  if (last === undefined) return { wrong: 'to' }
  return last > first ? { from: first, to: last } : { wrong: 'order' }
}
