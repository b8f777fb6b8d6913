// The body of a sign-in or token request: a form or a JSON object, distinguished by how it begins and not by its
// Content-Type, which simple clients leave out. Members are strings, each given once (RFC 6749, 3.2).
import type { Call } from '../base/http/call.ts'
import { readBody, textOf } from '../base/http/body.ts'
import { badRequest, shorten } from '../base/errors.ts'
import { parseQuery } from '../base/http/query-string.ts'

export type Input = Readonly<Record<string, string>>

const mostBytes = 64 * 1024

/** A body can be read once, and its input be asked for again. */
const inputs = new WeakMap<Call, Promise<Input>>()

export const readInput = (call: Call): Promise<Input> => {
  const reading = inputs.get(call) ?? readOnce(call)
  inputs.set(call, reading)
  return reading
}

const readOnce = async (call: Call): Promise<Input> => {
  const { bytes, release } = await readBody(call, mostBytes)
  try {
    const text = textOf(bytes)
    return text.trimStart().startsWith('{') ? inputFromJson(text) : inputFromForm(text)
  } finally {
    release()
  }
}

/** Also for query strings: names are exact here, and one given twice is refused. */
export const inputFromForm = (text: string): Input => {
  const { pairs, broken } = parseQuery(text)
  if (broken !== undefined) throw badRequest('the form has a broken escape')
  return collect(pairs.map(({ name, value }) => [name, value]))
}

const inputFromJson = (text: string): Input => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw badRequest('the body is not valid JSON')
  }
  return collect(Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== null))
}

export const collect = (entries: readonly (readonly [string, unknown])[]): Input => {
  const input = new Map<string, string>()
  for (const [name, value] of entries) {
    if (input.has(name)) throw badRequest(`${shorten(name)} is given twice`)
    if (typeof value !== 'string') throw badRequest(`${shorten(name)} must be a string`)
    // A state is the client's own and only echoed; everything else is looked up or stored.
    if (name !== 'state' && (value.includes('\0') || !value.isWellFormed()))
      throw badRequest(`${shorten(name)} has a character that cannot be used`)
    input.set(name, value)
  }
  return Object.fromEntries(input)
}
