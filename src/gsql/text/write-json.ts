// Writes JSON: its numbers as they were read, exact beyond 2^53. base/json-text.ts reads it.
import type { Json } from '../value.ts'

/** JSON.stringify, for values that may hold bigints. */
export const jsonText = (value: Json): string => (isPlain(value) ? JSON.stringify(value) : textOf(value))

/** Whether JSON.stringify writes it as it was: it refuses bigints, and makes null of numbers beyond all doubles. */
const isPlain = (value: Json): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value !== 'object') return typeof value !== 'bigint'
  return (Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)).every(isPlain)
}

const textOf = (value: Json): string => {
  if (typeof value === 'bigint') return String(value)
  // Number beyond all doubles: what was written is not known any more, but it was a number and no null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(textOf).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .join(',')}}`
}
