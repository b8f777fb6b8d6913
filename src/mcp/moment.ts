// Times as assistants write and read them: ISO 8601 with a zone, epoch milliseconds, or an offset from now.
import { badRequest, shorten } from '../base/errors.ts'
import { epochNumber } from '../base/http/params.ts'
import type { Reader } from '../base/http/members.ts'
import { reader } from '../base/http/members.ts'
import { isDay } from '../core/time/iso.ts'

const form = 'a time such as 2026-03-01T06:00:00Z or 2026-03-01 (UTC), epoch milliseconds, now, or -24h (s, m, h, d, w)'

/** Gives epoch milliseconds. */
export const momentReader = (nowMs: () => number, description: string): Reader<number> =>
  reader({ type: ['string', 'integer'], description: `${description}: ${form}` }, (name, value) => {
    const ms = typeof value === 'number' ? value : typeof value === 'string' ? msFrom(value.trim(), nowMs()) : undefined
    if (ms === undefined) throw badRequest(`${name} must be ${form}, not '${shorten(String(value))}'`)
    return epochNumber(name, ms)
  })

const unitMs = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

const msFrom = (text: string, nowMs: number): number | undefined => {
  if (text === 'now') return nowMs
  const [, amount, unit] = /^-(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (amount !== undefined) return nowMs - Number(amount) * unitMs.get(unit!)!
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  // A local time would be this machine's.
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) || !isDay(text))
    return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

export const shownTime = (ms: unknown): unknown => (typeof ms === 'number' ? new Date(ms).toISOString() : ms)
