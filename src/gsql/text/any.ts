// Values whose type is known by their row only, on their way to Postgres and back. There they are JSON
// (db/0020_gsql_type.sql): a LONG has no decimals, a DOUBLE at least one. Here a LONG is a bigint and a DOUBLE a number,
// until it is shown.
//
//   7n  <->  7         7  <->  7.0         'x'  <->  "x"
import { integerFromText } from '../../base/database/sql.ts'
import type { Type, Value } from '../value.ts'

export const anyText = (value: Exclude<Value, null>): string => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number' || !Number.isInteger(value)) return JSON.stringify(value)
  // As gs.any_of writes them: exactly below 2^63, beyond that the shortest digits and zeros.
  if (Math.abs(value) < 2 ** 63) return `${BigInt(value)}.0`
  const [digits, exponent] = value.toExponential().split('e+')
  const [whole, rest = ''] = digits!.split('.')
  return `${whole}${rest.padEnd(Number(exponent), '0')}.0`
}

export const anyFromText = (text: string): Exclude<Value, null> => {
  const type = anyType(text)
  if (type === 'LONG') return BigInt(text)
  return type === 'DOUBLE' ? Number(text) : (JSON.parse(text) as string | boolean)
}

export const anyType = (text: string): Exclude<Type, 'ANY' | 'NULL'> => {
  if (text.startsWith('"')) return 'STRING'
  if (text === 'true' || text === 'false') return 'BOOLEAN'
  return /[.e]/.test(text) ? 'DOUBLE' : 'LONG'
}

/** As everywhere else: a LONG is a number wherever that is exact. */
export const shownValue = (value: Value): Value => (typeof value === 'bigint' ? integerFromText(String(value)) : value)
