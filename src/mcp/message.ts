// A message of a stranger, before the SDK sees it. The SDK judges by copying every object several times, in one go: 300,000
// members held the event loop for 1.6 s. So a tool's arguments go past it, to the tool's own readers, and what is left must
// be small.
import { badRequest, tooLarge } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { ownMember } from '../base/own.ts'

export type Message = {
  /** All but the arguments, for the SDK. */
  readonly frame: Json
  /** The arguments of a tool, where one is called. */
  readonly given: Json | undefined
}

type JsonObject = { readonly [name: string]: Json }

/** The values of a message beside the arguments. Clients send about twenty. */
const mostValues = 1000

export const readMessage = (json: Json | undefined): Message => {
  if (json === undefined) throw badRequest('the body must be a JSON-RPC message')
  if (Array.isArray(json)) throw badRequest('one message at a time: JSON-RPC batches are not taken')
  const params = isObject(json) ? ownMember(json, 'params') : undefined
  const given = isObject(params) ? ownMember(params, 'arguments') : undefined
  if (countValues(json, given) > mostValues)
    throw tooLarge(`a message has at most ${mostValues} values beside the arguments of a tool`)
  if (given === undefined) return { frame: json, given }
  return { frame: { ...(json as JsonObject), params: { ...(params as JsonObject), arguments: {} } }, given }
}

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** No more than one above the most that there may be. */
const countValues = (json: Json, except: Json | undefined): number => {
  const waiting: Json[] = [json]
  let count = 0
  for (let next = waiting.pop(); next !== undefined && count <= mostValues; next = waiting.pop()) {
    count += 1
    if (next === except || next === null || typeof next !== 'object') continue
    const inner: readonly Json[] = Object.values(next)
    if (inner.length > mostValues) return mostValues + 1
    waiting.push(...inner)
  }
  return count
}
