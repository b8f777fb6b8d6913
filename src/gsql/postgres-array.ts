// Arrays on their way to Postgres, in its text form: {"a","b",NULL}. A hundred thousand values at a time come
// through here, so it does no more than it must.
import { withBackslashes } from '../base/quote.ts'
import type { Value } from './plan.ts'

export const arrayText = (values: readonly Value[]): string => {
  let text = '{'
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (index > 0) text += ','
    if (value === null) text += 'NULL'
    else if (typeof value === 'string') text += quoted(value)
    else text += String(value)
  }
  return `${text}}`
}

const special = /["\\]/

const quoted = (value: string) => `"${special.test(value) ? withBackslashes(value) : value}"`
