// Arrays on their way to Postgres, in its text form: {"a","b",NULL}. A hundred thousand values at a time come
// through here, so it does no more than it must.
import { withBackslashes } from '../../base/database/quote.ts'
import type { Value } from '../value.ts'

export const arrayText = (values: readonly Value[]): string => {
  if (values.length <= atOnce) return `{${itemsText(values)}}`
  const parts: string[] = []
  for (let from = 0; from < values.length; from += atOnce) parts.push(itemsText(values.slice(from, from + atOnce)))
  return `{${parts.join(',')}}`
}

/** A text that grows by a million pieces takes four times the memory of their sum, until it is read. */
const atOnce = 1000

const itemsText = (values: readonly Value[]): string => values.map(itemText).join(',')

const itemText = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'string' ? quoted(value) : String(value)

const special = /["\\]/

const quoted = (value: string) => `"${special.test(value) ? withBackslashes(value) : value}"`
