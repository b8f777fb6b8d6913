// Time zones and calendar units as arguments of functions. A zone is the name of a place such as Europe/Berlin, or an
// offset: Z, +02, +0200, +02:00, UTC+2. Postgres gets a name that it knows, or an offset like +02:00.
import { shorten } from '../../base/errors.ts'
import { ownText } from '../../base/own-text.ts'
import { nearestOrAll, scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'

const known = new Map<string, string>()
const maxLength = 100

export const zoneName = (text: string, at: Position): string => {
  const name = text.length > maxLength ? undefined : (known.get(text) ?? offsetName(text) ?? placeName(text))
  if (name === undefined) throw scriptFault(at, `unknown time zone '${shorten(text)}'`)
  // Texts come from callers, so the memory of them is bounded.
  if (known.size < 1000 && !known.has(text)) known.set(ownText(text), name)
  return name
}

const offsetName = (text: string): string | undefined => {
  if (/^(z|utc|gmt)$/i.test(text)) return 'UTC'
  const [, sign, hours, minutes] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(text) ?? []
  if (sign === undefined || Number(hours) > 18 || Number(minutes ?? 0) > 59) return undefined
  return `${sign}${hours!.padStart(2, '0')}:${minutes ?? '00'}`
}

const placeName = (text: string): string | undefined => {
  if (!/^[A-Za-z]/.test(text) || text.length > 64) return undefined
  try {
    const options = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    // ICU may answer with an older name for the same place; both are known to Postgres.
    return options.timeZone
  } catch {
    return undefined
  }
}

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

export const unitName = (text: string, at: Position): string => {
  const unit = units.find((one) => one === text.toLowerCase() || `${one}s` === text.toLowerCase())
  if (unit) return unit
  throw scriptFault(at, `unknown unit '${shorten(text)}'${nearestOrAll(text, units)}`)
}
