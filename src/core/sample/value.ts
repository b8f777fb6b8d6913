// Values: a caller's value becomes one of a stream's type (docs/feeds.md#values).
//
//   valueFor('DOUBLE', ' 21.5 ')  ->  21.5         valueFor('BOOLEAN', 'False')  ->  false
//   valueFor('LONG', '9007199254740993')  ->  9007199254740993n         valueFor('DOUBLE', true)  throws
import { shorten } from '../../base/errors.ts'
import type { ValueType } from '../stream.ts'

/** A sample's value: a LONG is a bigint only where a number is not exact; null is a gap. */
export type Value = number | bigint | boolean | string | null

/** A value as parsed from a URL (always text) or from JSON (integers beyond 2^53 as bigint). */
export type RawValue = Value

/** No number is longer: the smallest DOUBLE, written out to its last digit, has 1,076 characters. */
export const mostNumberLength = 1100

const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
const isDecimal = (text: string) => text.length <= mostNumberLength && decimal.test(text)

const notFinite = /^\s*[+-]?(nan|inf|infinity)\s*$/i

/**
 * The type of a stream that is made for these values: DOUBLE where each is a number or the text of one, as all are that
 * a URL brings and many that clients send as JSON. Nulls alone make a DOUBLE.
 */
export const typeForUploaded = (values: readonly RawValue[]): ValueType =>
  values.every((value) => isNumber(value) || (typeof value === 'string' && isDecimal(value))) ? 'DOUBLE' : 'STRING'

/** A script has types, which say what is a number. */
export const typeForScripted = (values: readonly RawValue[]): ValueType =>
  values.every(isNumber) ? 'DOUBLE' : 'STRING'

const isNumber = (value: RawValue) => value === null || typeof value === 'number' || typeof value === 'bigint'

/** The first value that spells nan or infinity: no stream is made for such a value. */
export const findNotFinite = (values: readonly RawValue[]): RawValue | undefined =>
  values.find((value) => typeof value === 'string' && value.length <= mostNumberLength && notFinite.test(value))

/** The value as the stream's type has it; undefined when it cannot be converted. */
export const valueFor = (type: ValueType, raw: RawValue): Value | undefined => {
  if (raw === null) return null
  switch (type) {
    case 'DOUBLE':
      return doubleFrom(raw)
    case 'LONG':
      return longFrom(raw)
    case 'BOOLEAN':
      return booleanFrom(raw)
    case 'STRING':
      return textFrom(raw)
    case 'FILE':
      return undefined
  }
}

export const quoteValue = (raw: RawValue): string => `'${shorten(String(raw))}'`

const doubleFrom = (raw: Exclude<RawValue, null>): number | undefined => {
  const number =
    typeof raw === 'number'
      ? raw
      : typeof raw === 'bigint' || (typeof raw === 'string' && isDecimal(raw))
        ? Number(raw)
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

const longLeast = -(2n ** 63n)
const longMost = 2n ** 63n - 1n

const longFrom = (raw: Exclude<RawValue, null>): number | bigint | undefined => {
  if (typeof raw === 'number')
    return Number.isSafeInteger(raw) ? raw : Number.isInteger(raw) ? longFromBig(BigInt(raw)) : undefined
  if (typeof raw === 'bigint') return longFromBig(raw)
  if (typeof raw === 'boolean' || !isDecimal(raw)) return undefined
  const integer = wholeFrom(raw.trim())
  return integer === undefined ? undefined : longFromBig(integer)
}

/** The whole number that decimal text is, digit by digit: '1.50e1' is 15, '9007199254740993.0' ends with a 3. */
const wholeFrom = (text: string): bigint | undefined => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e(.+))?$/i.exec(text)!
  const digits = `${whole}${fraction}`
  let first = 0
  let end = digits.length
  while (digits[first] === '0') first += 1
  // By hand: /0+$/ would begin again at every zero of 10000…01.
  while (end > first && digits[end - 1] === '0') end -= 1
  const significant = digits.slice(first, end)
  const zeros = digits.length - end - fraction.length + Number(exponent)
  if (significant === '') return 0n
  if (zeros < 0 || significant.length + zeros > 19) return undefined
  return BigInt(`${sign === '-' ? '-' : ''}${significant}${'0'.repeat(zeros)}`)
}

const longFromBig = (integer: bigint): number | bigint | undefined => {
  if (integer < longLeast || integer > longMost) return undefined
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

const booleanFrom = (raw: Exclude<RawValue, null>): boolean | undefined => {
  if (typeof raw === 'boolean') return raw
  const word = String(raw).trim().toLowerCase()
  return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined
}

/** A reply of a thousand samples must fit into memory. */
export const mostTextLength = 65_536

const textFrom = (raw: Exclude<RawValue, null>): string | undefined => {
  // A JSON number beyond all doubles, such as 1e999.
  if (typeof raw === 'number' && !Number.isFinite(raw)) return undefined
  const text = String(raw)
  if (text.length > mostTextLength) return undefined
  return text.includes('\0') || !text.isWellFormed() ? undefined : text
}
