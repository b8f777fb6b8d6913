// Writes JSON: its numbers as they were read, exact beyond 2^53. base/json-text.ts reads it.
import type { Json } from '../value.ts'

/** JSON.stringify, for values that may hold bigints. */
export const jsonText = (value: Json): string => (isPlain(value) ? JSON.stringify(value) : textOf(value))

/** Whether JSON.stringify writes it as it was: bigints it refuses, and numbers beyond all doubles become null. */
const isPlain = (value: Json): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value !== 'object') return typeof value !== 'bigint'
  return (Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)).every(isPlain)
}

const textOf = (value: Json): string => {
  if (typeof value === 'bigint') return String(value)
  // The digits of a number beyond all doubles are not known any more, but it was a number and no null.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(textOf).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .join(',')}}`
}
