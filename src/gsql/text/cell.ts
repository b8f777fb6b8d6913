// Values of JSON_TABLE and CSV_TABLE columns: a text or a JSON value becomes the declared type, or does not convert.
// The rules are those of Cast, which Postgres follows in gs.long, gs.double and gs.boolean; a test holds them together.
import { wordTable } from '../../base/own.ts'
import { mostNumberLength } from '../../core/sample/value.ts'
import type { Json, Type, Value } from '../value.ts'
import { jsonText } from './write-json.ts'

const numberShape = /^[ \t\r\n]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\r\n]*$/
const isNumber = (text: string) => text.length <= mostNumberLength && numberShape.test(text)
const wholeShape = /^[ \t\r\n]*[+-]?\d{1,15}[ \t\r\n]*$/

/** undefined: it does not convert. A blank text is no number: as a TIME, a NULL would be the server's clock. */
export const cellFromText = (text: string, type: Type): Value | undefined => {
  switch (type) {
    case 'LONG': {
      const short = shortWhole(text)
      if (short !== undefined) return short
      if (text.length <= mostNumberLength && wholeShape.test(text)) return Number(text)
      return isNumber(text) ? longFromDecimal(text.trim()) : undefined
    }
    case 'DOUBLE': {
      const value = shortDecimal(text) ?? (isNumber(text) ? Number(text) : Number.NaN)
      return Number.isFinite(value) ? value : undefined
    }
    case 'BOOLEAN':
      return booleans.get(text.trim().toLowerCase())
    case 'STRING':
    case 'ANY':
    case 'NULL':
      // Postgres has no text with a NUL in it, nor with half of a surrogate pair.
      return text.includes('\u0000') || !text.isWellFormed() ? undefined : text
  }
}

/** The same of a number that stands for its text. */
export const cellFromNumber = (number: number, type: Type): Value | undefined => {
  if (type === 'DOUBLE') return Number.isFinite(number) ? number : undefined
  return type === 'LONG' && Number.isSafeInteger(number)
    ? number === 0
      ? 0
      : number
    : cellFromText(String(number), type)
}

/** Digits alone, which most are: in half of the time. */
const shortWhole = (text: string): number | undefined => {
  if (text.length === 0 || text.length > 15) return undefined
  let value = 0
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    value = 10 * value + digit
  }
  return value
}

const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/**
 * A sign, digits and a point alone, which most are: in a third of the time. Fifteen digits and a power of ten are doubles as they
 * are, so that one division rounds as Number() does.
 */
const shortDecimal = (text: string): number | undefined => {
  if (text.length > 17) return undefined
  const isNegative = text.charCodeAt(0) === minus
  let [value, digits, decimals, hasPoint] = [0, 0, 0, false]
  for (let at = isNegative ? 1 : 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const digit = code - 48
    if (digit >= 0 && digit <= 9) {
      value = 10 * value + digit
      digits += 1
      if (hasPoint) decimals += 1
    } else if (code === point && !hasPoint) hasPoint = true
    else return undefined
  }
  if (digits === 0 || digits > 15) return undefined
  const found = decimals === 0 ? value : value / powersOfTen[decimals]!
  return isNegative ? -found : found
}

const minus = 45
const point = 46

const booleans = wordTable({ true: true, false: false, '1': true, '0': false })

/** Whole numbers exactly, others cut towards zero. */
const longFromDecimal = (text: string): Value | undefined => {
  const whole = /^([+-]?\d+)(?:\.\d*)?$/.exec(text)?.[1]
  if (whole !== undefined) return longFromBigint(BigInt(whole.replace(/^\+/, '')))
  return longFromNumber(Number(text))
}

const longFromNumber = (value: number): Value | undefined => {
  const whole = Math.trunc(value)
  if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole
  return Number.isFinite(whole) ? longFromBigint(BigInt(whole)) : undefined
}

const longFromBigint = (value: bigint): Value | undefined => {
  if (BigInt.asIntN(64, value) !== value) return undefined
  const short = Number(value)
  return Number.isSafeInteger(short) ? short : value
}

/** JSON null and a missing value are NULL. */
export const cellFromJson = (json: Json | undefined, type: Type): Value | undefined => {
  if (json === undefined || json === null) return null
  if (typeof json === 'string') return cellFromText(json, type)
  switch (type) {
    case 'STRING':
    case 'ANY':
    case 'NULL':
      if (typeof json === 'object') return cellFromText(jsonText(json), type)
      return typeof json === 'number' && !Number.isFinite(json) ? undefined : String(json)
    case 'LONG':
      if (typeof json === 'boolean') return json ? 1 : 0
      if (typeof json === 'bigint') return longFromBigint(json)
      return typeof json === 'number' ? longFromNumber(json) : undefined
    case 'DOUBLE': {
      const value = typeof json === 'object' ? Number.NaN : Number(json)
      return Number.isFinite(value) ? value : undefined
    }
    case 'BOOLEAN':
      if (typeof json === 'boolean') return json
      return typeof json === 'object' ? undefined : Number(json) !== 0
  }
}
