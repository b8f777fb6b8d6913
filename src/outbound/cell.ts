// How values become cells: times are epoch ms, bytes base64, numbers as they are written. What a database says without
// a zone is in the connector's.
import { openZone } from '../core/time/zone.ts'

/** The epoch ms of a clock that reads so in UTC; years are as they are written, 1 and 99 too. */
export const utcMs = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000 + ms

const written =
  /^(\d{1,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?|Z)?)?( BC)?$/

/**
 * '2026-03-29 01:30:00.123456+02', its offset and all but the date optional, as a moment. Without an offset it is read in
 * the zone; parts of a ms are dropped.
 */
export const momentCell = (timeZone: string): ((text: string) => string) => {
  const zone = openZone(timeZone)
  return (text) => {
    const found = written.exec(text)
    if (!found) throw new Error('is no time')
    const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, minutes, seconds, bc] = found
    const ms = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3))
    const years = bc === undefined ? Number(year) : 1 - Number(year)
    const localMs = utcMs(years, Number(month), Number(day), +(hour ?? 0), +(minute ?? 0), +(second ?? 0), ms)
    if (text.endsWith('Z')) return String(localMs)
    if (sign === undefined) return String(zone.momentOf(localMs))
    const offsetMs = (Number(offsetHours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000
    return String(sign === '-' ? localMs + offsetMs : localMs - offsetMs)
  }
}

/** A Date whose UTC members are the clock reading that is meant, in the zone. */
export const localCell = (timeZone: string): ((date: Date) => string) => {
  const zone = openZone(timeZone)
  return (date) => String(zone.momentOf(knownMs(date)))
}

export const dateCell = (date: Date): string => String(knownMs(date))

const knownMs = (date: Date): number => {
  const ms = date.getTime()
  if (Number.isNaN(ms)) throw new Error('is no time')
  return ms
}

export const bytesCell = (bytes: Buffer): string => bytes.toString('base64')

export const textCell = (text: string): string => text

export const booleanCell = (value: boolean): string => (value ? 'true' : 'false')

/** Exact to its last digit as JavaScript has it, and -0 is 0. */
export const numberCell = (value: number | bigint): string => String(value)
