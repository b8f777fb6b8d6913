// The input of a call, made of a body that was read: JSON whatever its Content-Type says, because curl and simple
// clients say of everything that it is a form (docs/management.md). A form is one only where a door takes forms.
import { badRequest, shorten } from '../errors.ts'
import type { Json } from '../json.ts'
import { parseJson } from '../json.ts'
import { parseQuery } from './query-string.ts'

/** Undefined without a body. Of bytes that are UTF-8 (jsonBytes of body.ts). */
export const jsonInput = (bytes: Buffer): Json | undefined => (bytes.length === 0 ? undefined : parseJson(bytes))

/** Whether it says that it is a form, and does not begin as JSON. */
export const isForm = (contentType: string, bytes: Buffer): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(contentType) && !/^\s*[[{]/.test(bytes.toString('latin1', 0, 64))

/** Names are exact here, and what is given twice is refused. */
export const formInput = (bytes: Buffer): Readonly<Record<string, string>> => {
  const { pairs, broken } = parseQuery(bytes.toString('utf8'))
  if (broken !== undefined) throw badRequest('the form has a broken escape')
  const input = new Map<string, string>()
  for (const { name, value } of pairs) {
    if (input.has(name)) throw badRequest(`${shorten(name)} is given twice`)
    input.set(name, value)
  }
  return Object.fromEntries(input)
}
