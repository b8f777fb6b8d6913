// Reading parameters and JSON members: each function takes a raw value and its name, and gives a plain
// value or throws a Fault that names it.
import { badRequest, listed, shorten } from '../errors.ts'
import type { Query } from './query-string.ts'

/** The calendar's limits, docs/words.md: years 1 to 9999, UTC. */
export const firstMs = Date.parse('0001-01-01T00:00:00Z')
export const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** A whole number in plain decimal digits. */
export const integer = (name: string, text: string): number => {
  const number = /^[+-]?\d{1,17}$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw badRequest(`${name} must be an integer, not '${shorten(text)}'`)
  return number
}

export const integerFrom = (name: string, text: string, least: number): number => {
  const number = integer(name, text)
  if (number < least) throw badRequest(`${name} must be at least ${least}, not ${number}`)
  return number
}

/** Epoch milliseconds within the calendar. */
export const epoch = (name: string, text: string): number => {
  const digits = text.trim()
  if (!/^[+-]?\d+$/.test(digits)) throw badRequest(`${name} must be epoch milliseconds, not '${shorten(text)}'`)
  const ms = Number(digits)
  // Too many digits to be exact: a time all the same, though a far one.
  if (!Number.isSafeInteger(ms)) throw outside(name, shorten(digits, 40))
  return epochNumber(name, ms)
}

export const epochNumber = (name: string, ms: number | bigint): number => {
  if (typeof ms === 'bigint') return epoch(name, String(ms))
  if (!Number.isInteger(ms)) throw badRequest(`${name} must be epoch milliseconds, an integer`)
  if (ms < firstMs || ms > lastMs) throw outside(name, String(ms))
  return ms
}

const outside = (name: string, ms: string) => badRequest(`${name} ${ms} is outside the years 1 to 9999`)

/** A flag is on when it is there: `?retUnit`, `?retUnit=` and `?retUnit=true`; `?retUnit=false` is off. */
export const flag = (value: string | undefined): boolean => value !== undefined && value.toLowerCase() !== 'false'

/** Parameters that may hold a credential, on every call. */
export const credentials = ['api_key', 'org', 'session', 'access_token']

/** For lists: a filter that is misspelled would show all there is. */
export const refuseUnknown = ({ pairs }: Query, known: readonly string[]): void => {
  const keys = new Set([...known, ...credentials].map((name) => name.toLowerCase()))
  const unknown = pairs.find(({ key }) => !keys.has(key))
  if (unknown) throw badRequest(`there is no parameter '${shorten(unknown.name)}' here, but ${listed(known)}`)
}
