// Values as cells: times are epoch ms, bytes base64, numbers as they are written. A time without a zone is in the
// connector's.
import { openZone } from '../core/time/zone.ts'

/**
 * The epoch ms at which a day of UTC begins; years are as they are written, 1 and 99 too. MySQL may keep 31 February, which is no
 * other day.
 */
const utcMs = (year: number, month: number, day: number): number => {
  const date = new Date(0)
  const ms = date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day) throw new Error('is no time')
  return ms
}

const written =
  /^(\d{1,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?|Z)?)?( BC)?$/

/**
 * '2026-03-29 01:30:00.123456+02', its offset and all but the date optional, as a moment. Without an offset it is read in
 * the zone; parts of a ms are dropped.
 */
export const momentCell = (timeZone: string): ((text: string) => string) => {
  const momentOf = openMoments(timeZone)
  return (text) => String(momentOf(text))
}

/** The same as a number. */
export const openMoments = (timeZone: string): ((text: string) => number) => {
  const zone = openZone(timeZone)
  const startOfDay = daysRemembered()
  const usual = usualMoments()
  // Rows that follow each other often have one time.
  let lastText: string | undefined
  let lastMs = 0
  return (text) => {
    if (text === lastText) return lastMs
    const usualMs = usual(text)
    lastMs = usualMs === undefined ? momentOf(text) : text.length === plainLength ? zone.momentOf(usualMs) : usualMs
    lastText = text
    return lastMs
  }

  function momentOf(text: string): number {
    const found = written.exec(text)
    if (!found) throw new Error('is no time')
    const [, , , , hour, minute, second, fraction, sign, offsetHours, minutes, seconds] = found
    const ms = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3))
    const timeMs = ((+(hour ?? 0) * 60 + +(minute ?? 0)) * 60 + +(second ?? 0)) * 1000 + ms
    const localMs = startOfDay(found) + timeMs
    if (sign === undefined) return text.endsWith('Z') ? localMs : zone.momentOf(localMs)
    const offsetMs = (Number(offsetHours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? localMs + offsetMs : localMs - offsetMs
  }
}

const plainLength = '2026-03-29 01:30:00'.length

/**
 * Most times are written so, in whole seconds, and with +00 behind where they have a zone. They are
 * read letter by letter. Gives what a clock in UTC would mean; undefined for all others.
 */
const usualMoments = () => {
  let [lastDay, lastMs] = ['', 0]
  return (text: string): number | undefined => {
    if (text.length !== plainLength && !(text.length === plainLength + 3 && text.endsWith('+00'))) return undefined
    const day = text.slice(0, 10)
    const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
    if (hour < 0 || minute < 0 || second < 0 || text[10] !== ' ' || text[13] !== ':' || text[16] !== ':')
      return undefined
    if (day !== lastDay) {
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
      lastMs = utcMs(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8)))
      lastDay = day
    }
    return lastMs + ((hour * 60 + minute) * 60 + second) * 1000
  }
}

/** Negative: they are none. */
const twoDigits = (text: string, at: number): number => {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48]
  return tens >= 0 && tens < 10 && ones >= 0 && ones < 10 ? 10 * tens + ones : -1
}

/** Rows that follow each other are mostly of one day. */
const daysRemembered = () => {
  let [lastYear, lastMonth, lastDay, lastBc, lastMs] = ['', '', '', '', 0]
  return (found: RegExpExecArray): number => {
    const [, year = '', month = '', day = ''] = found
    const bc = found[12] ?? ''
    if (day === lastDay && month === lastMonth && year === lastYear && bc === lastBc) return lastMs
    lastMs = utcMs(bc === '' ? Number(year) : 1 - Number(year), Number(month), Number(day))
    ;[lastYear, lastMonth, lastDay, lastBc] = [year, month, day, bc]
    return lastMs
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

export const plainNumber = (value: number): number => value

/** A number of four bytes, in the fewest digits that mean it: 0.1, not 0.10000000149011612. */
export const singleCell = (value: number): string => {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(value)
}

/** The cell of a text; also of types that hold any value, and of a driver's own objects. */
export const otherCell = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Date) return dateCell(value)
  if (Buffer.isBuffer(value)) return bytesCell(value)
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** About the bytes of a row, by which batches are measured. */
export const bytesOf = (row: readonly unknown[]): number => {
  let bytes = 16
  for (const value of row) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8
  return bytes
}
