// The components that a call gives many of (component-bulk.ts), read in slices: nothing else waits for 16 MiB of JSON.
import { jsonBytes } from '../base/http/body.ts'
import { badRequest, Fault, tooLarge } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import { further, list, objectOf } from '../base/http/members.ts'
import type { Schema } from '../base/http/schema.ts'
import type { Json } from '../base/json.ts'
import { NotJson, readJsonText } from '../base/json-text.ts'
import type { Breathe, Sliced } from '../base/slices.ts'
import { inSlices } from '../base/slices.ts'
import { mostStreams } from '../core/stream.ts'
import { componentMembers } from './component.ts'
import { namedStreamMembers } from './stream-definition.ts'

const mostComponents = 10_000
/** So many take 6 s to make. */
export const mostNamedStreams = 100_000

const members = { ...componentMembers, stream: list(mostStreams, objectOf(namedStreamMembers)) }

/** A component of the call; those that are there keep the members that are not given. */
export type GivenComponent = Members<typeof members> & { readonly id: string }

const oneComponent: Reader<GivenComponent> = further(objectOf(members), { required: ['id'] }, (_name, given) => {
  const { id } = given
  if (!id) throw badRequest('id is missing, by which it is found or made')
  const ids = new Set<string>()
  for (const [index, stream] of (given.stream ?? []).entries()) {
    if (!stream.id) throw badRequest(`stream[${index}] has no id, by which it is found or made`)
    if (ids.has(stream.id)) throw badRequest(`stream '${stream.id}' is given twice`)
    ids.add(stream.id)
  }
  return { ...given, id }
})

export const givenSchema: Schema = { type: 'array', items: oneComponent.schema, maxItems: mostComponents }

const wrongForm = `the body must be an array of components: [{"id":"C","stream":[{"id":"s"}]}]`

export const readComponents = async (bytes: Buffer, breathe: Breathe): Promise<readonly GivenComponent[]> => {
  const elements = await parse(bytes, breathe)
  if (!Array.isArray(elements)) throw badRequest(wrongForm)
  if (elements.length > mostComponents) throw tooLarge(`a call takes up to ${mostComponents} components`)
  const found: GivenComponent[] = []
  const places = new Map<string, number>()
  let streams = 0
  for (const [index, element] of elements.entries()) {
    const given = inPlace(index, () => oneComponent('component', element))
    const twin = places.get(given.id)
    if (twin !== undefined) throw badRequest(`component[${index}] has the id of component[${twin}]`)
    places.set(given.id, index)
    streams += given.stream?.length ?? 0
    if (streams > mostNamedStreams) throw tooLarge(`a call takes up to ${mostNamedStreams} streams`)
    found.push(given)
    await breathe()
  }
  return found
}

const parse = async (bytes: Buffer, breathe: Breathe): Promise<Json> => {
  const written = jsonBytes(bytes)
  if (written.length === 0) throw badRequest(wrongForm)
  await inSlices(refuseManyValues(written), breathe)
  const text = written.toString('utf8')
  try {
    return await inSlices(readJsonText(text, { depth: 16, members: 1000 }), breathe)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw badRequest(`the body is not JSON: ${error.message} at position ${error.position - 1}`)
  }
}

/** Ten for each stream. As empty objects, a body of 16 MiB would have five million, which take 500 MB. */
const mostValues = 10 * mostNamedStreams
const sliceBytes = 64 * 1024

const refuseManyValues = function* (bytes: Buffer): Sliced<void> {
  let values = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % sliceBytes === 0) yield
    const code = bytes[at]
    if (code === quote) isInString = !isInString
    else if (isInString && code === backslash) at += 1
    else if (!isInString && (code === comma || code === openBrace || code === openBracket)) values += 1
    if (values > mostValues) throw tooLarge(`the body has more than ${mostValues} JSON values`)
  }
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const openBrace = 0x7b

const inPlace = <T>(index: number, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw placed(index, error)
  }
}

/** A refusal says which of them it is about. */
export const placed = (index: number, error: unknown): unknown =>
  error instanceof Fault
    ? new Fault(error.code, `component[${index}]: ${error.message}`, { members: error.members, headers: error.headers })
    : error
