// PUT /feed with a JSON body (docs/feeds.md#upload-as-json): the array form, samples of any components and
// streams, and the object form, where each component and stream stands once with lists of times and values.
//
//   [{"compId":"Boiler","streamId":"temp","data":20.1,"time":1700000000000}]
//   {"feed":{"component":[{"componentId":"Boiler","time":[...],"stream":[{"streamId":"temp","data":[...]}]}]}}
import { jsonBytes } from '../base/http/body.ts'
import { badRequest, Fault } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import { readInTurn, readJsonAs } from '../base/json.ts'
import type { JsonReading } from '../base/json.ts'
import { blankable, identifier } from '../base/http/members.ts'
import { epoch, epochNumber } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import { ownMember } from '../base/own.ts'
import { atOnce, inSlices } from '../base/slices.ts'
import type { Sliced } from '../base/slices.ts'
import type { BatchComponent, BatchSamples, SampleBatch } from '../core/sample/batch.ts'
import { emptySamples, pushSample } from '../core/sample/batch.ts'
import { optionalId } from './creation.ts'
import { ByComponentRef } from '../core/sample/ref.ts'
import type { ComponentRef } from '../core/sample/ref.ts'
import type { RawValue } from '../core/sample/value.ts'
import { samplesInSlices, tooManySamples } from './array-bytes.ts'
import { hasSamples, optionsFromQuery } from './put-url.ts'

const mostSamples = 100_000

const arrayForm = '[{"compId":"C","streamId":"s","data":0,"time":0}]'
const objectForm = '{"feed":{"component":[{"componentId":"C","time":[0],"stream":[{"streamId":"s","data":[0]}]}]}}'

/** A caller that sends another form needs to see the one that is wanted. */
const wrongForm = (message: string, form: string) => badRequest(`${message}; a body is ${form}`)

/**
 * Undefined when the samples are in the query: the body is blank, or an empty list beside them, which some hubs send. A
 * promise only for a large body, which is read in slices.
 */
export const batchFromJson = (
  body: Buffer,
  query: Query,
  uploadMs: number,
  reading: Pick<JsonReading, 'holders' | 'drop'> = {},
): SampleBatch | undefined | Promise<SampleBatch | undefined> => {
  const goOn = (usual: Collected | undefined) =>
    usual ? batchOf(usual, query, uploadMs) : unusualBatch(body, query, uploadMs, reading)
  const finding = findUsual(body, query, uploadMs)
  return body.length <= mostAtOnce
    ? goOn(atOnce(finding))
    : readInTurn(body.length, reading.holders, (breathe) => inSlices(finding, breathe)).then(goOn)
}

/** The array form of 7,000 samples, which takes 5 ms. */
const mostAtOnce = 512 * 1024

type Collected = { readonly components: readonly BatchComponent[]; readonly samples: BatchSamples }

const batchOf = (collected: Collected, query: Query, uploadMs: number): SampleBatch | undefined =>
  collected.components.length === 0 && hasSamples(query)
    ? undefined
    : { form: 'json', uploadMs, ...collected, wantedStreamIds: [], ...optionsFromQuery(query) }

/** The samples of the usual body, by a shorter way; undefined for every other. */
const findUsual = function* (body: Buffer, query: Query, uploadMs: number): Sliced<Collected | undefined> {
  const found = yield* samplesInSlices(body, uploadMs, mostSamples)
  if (found === undefined) return undefined
  const { samples, componentIds, streamIds } = found
  const templateId = optionalId(query, 'compTmplId')
  const components: BatchComponent[] = []
  const known = new Set<string>()
  for (const [index, given] of componentIds.entries()) {
    if (index % idsPerSlice === 0) yield
    const ref = given ?? query.get('compid')
    // The query's may stand in the body as well.
    if (!isIdentifier(ref) || known.has(ref)) return undefined
    known.add(ref)
    components.push({ ref, name: undefined, templateId })
  }
  for (const [index, id] of streamIds.entries()) {
    if (index % idsPerSlice === 0) yield
    if (!isIdentifier(id)) return undefined
  }
  return { components, samples }
}

const idsPerSlice = 1000

const unusualBatch = (
  body: Buffer,
  query: Query,
  uploadMs: number,
  reading: Pick<JsonReading, 'holders' | 'drop'>,
): SampleBatch | undefined | Promise<SampleBatch | undefined> => {
  const bytes = jsonBytes(body)
  if (bytes.length === 0) return undefined
  const options = { wanted: `a body is ${arrayForm}`, ...reading }
  const make = (json: Json) => orRefusal(fromJson(json, query, uploadMs))
  const goOn = (found: () => Collected) => batchOf(found(), query, uploadMs)
  const found = orRefuseLarge(() => readJsonAs(bytes, make, options))
  return found instanceof Promise ? found.then(goOn, refuseLarge) : goOn(found)
}

/** A refusal of what the JSON says is no refusal of JSON. */
const orRefusal = function* <T>(work: Sliced<T>): Sliced<() => T> {
  try {
    const found = yield* work
    return () => found
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const orRefuseLarge = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    return refuseLarge(error)
  }
}

/**
 * In slices: 99,000 samples with names in another case, or times that are texts, held everybody for 0.7 to 1.2 s (busy machine). Each element by
 * itself, because it may have thousands of other members to look through: a thousand with 950 of them took 0.28 s of CPU.
 */
const fromJson = (json: Json, query: Query, uploadMs: number): Sliced<Collected> =>
  Array.isArray(json) ? fromArray(json, query, uploadMs) : fromObject(json, query, uploadMs)

/** The limit of values is explained by that of samples. */
const refuseLarge = (error: unknown): never => {
  if (!(error instanceof Fault) || error.code !== 'too_large') throw error
  throw new Fault('too_large', `${error.message}; one call takes up to ${mostSamples} samples`)
}

const fromArray = function* (elements: readonly Json[], query: Query, uploadMs: number): Sliced<Collected> {
  refuseMoreThan(elements.length)
  const components = openComponents(optionalId(query, 'compTmplId'))
  const samples = emptySamples()
  const defaultId = query.get('compid')
  const seenStreamIds = new Set<string>()
  for (const [index, element] of elements.entries()) {
    yield
    const at = `element ${index}`
    if (!isObject(element)) throw wrongForm(`${at} must be an object`, arrayForm)
    const componentId = memberOf(element, 'compId') ?? defaultId
    const streamId = memberOf(element, 'streamId') as string
    const value = memberOf(element, 'data')
    if (componentId === undefined || streamId === undefined || value === undefined)
      throw missingIn(at, { compId: componentId, streamId, data: value })
    if (!seenStreamIds.has(streamId)) seenStreamIds.add(identifierOf(`streamId of ${at}`, streamId))
    pushSample(
      samples,
      components.indexOf(componentId, at),
      streamId,
      scalar(value, at),
      timeOf(memberOf(element, 'time'), uploadMs, at),
    )
  }
  return { components: components.list, samples }
}

const missingIn = (at: string, members: Readonly<Record<string, Json | undefined>>) => {
  const missing = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [name] : []))
  return wrongForm(`${at} has no ${missing.join(', ')}`, arrayForm)
}

const valuesPerSlice = 1000

const fromObject = function* (json: Json, query: Query, uploadMs: number): Sliced<Collected> {
  if (!isObject(json) || memberOf(json, 'feed') === undefined)
    throw badRequest(`the body must be ${arrayForm} or ${objectForm}`)
  const feed = memberOf(json, 'feed')
  const templateId = optionalId(query, 'compTmplId')
  const components = openComponents(templateId)
  const samples = emptySamples()
  for (const [index, component] of arrayOf(member(feed, 'component', 'feed'), 'feed.component').entries()) {
    const at = `component ${index}`
    yield
    if (!isObject(component)) throw wrongForm(`${at} must be an object`, objectForm)
    const reference = referenceOf(component, 'componentId', 'componentUid', at)
    const defaults = memberOf(component, 'defaults')
    const name = isObject(defaults) ? memberOf(defaults, 'name') : undefined
    const componentIndex = components.add(reference, {
      name: blankable(identifier)(`name of ${at}`, name ?? null) ?? undefined,
      templateId: blankable(identifier)(`compTmplId of ${at}`, memberOf(component, 'compTmplId') ?? null) ?? templateId,
    })
    // Once: looked for at each of 19,000 streams, beside 9,000 other names in 0.6 MB, it took 26 s.
    const sharedTimes = memberOf(component, 'time')
    for (const [nth, stream] of arrayOf(member(component, 'stream', at), `stream of ${at}`).entries()) {
      yield
      const where = `stream ${nth} of ${at}`
      if (!isObject(stream)) throw wrongForm(`${where} must be an object`, objectForm)
      const streamRef = referenceOf(stream, 'streamId', 'streamUid', where)
      const values = arrayOf(member(stream, 'data', where), `data of ${where}`)
      const times = memberOf(stream, 'time') ?? sharedTimes
      const timesMs = times === undefined || times === null ? undefined : arrayOf(times, `time of ${where}`)
      refuseMoreThan(samples.values.length + values.length)
      if (timesMs === undefined && values.length > 1)
        throw badRequest(`${where} has ${values.length} values and no time`)
      if (timesMs !== undefined && timesMs.length !== values.length)
        throw badRequest(`${where} has ${values.length} values but ${timesMs.length} times`)
      for (const [position, value] of values.entries()) {
        if (position > 0 && position % valuesPerSlice === 0) yield
        pushSample(
          samples,
          componentIndex,
          streamRef,
          scalar(value, where),
          timeOf(timesMs?.[position], uploadMs, where),
        )
      }
    }
  }
  return { components: components.list, samples }
}

/** The distinct components of a body, in the order of their appearance. */
const openComponents = (templateId: string | undefined) => {
  const list: BatchComponent[] = []
  const indexes = new ByComponentRef<number>()
  const add = (ref: ComponentRef, given: Omit<BatchComponent, 'ref'>) => {
    const known = indexes.get(ref)
    if (known !== undefined) return known
    indexes.set(ref, list.length)
    return list.push({ ref, ...given }) - 1
  }
  return {
    list,
    add,
    indexOf: (id: Json, at: string) =>
      (typeof id === 'string' ? indexes.get(id) : undefined) ??
      add(identifierOf(`compId of ${at}`, id), { name: undefined, templateId }),
  }
}

const isIdentifier = (id: string | undefined): id is string => {
  try {
    identifier('', id)
    return true
  } catch {
    return false
  }
}

const identifierOf = (name: string, value: unknown): string => identifier(name, value)

const referenceOf = (object: JsonObject, idName: MemberName, uidName: MemberName, at: string): ComponentRef => {
  const id = memberOf(object, idName)
  if (id !== undefined) return identifierOf(`${idName} of ${at}`, id)
  const uid = memberOf(object, uidName)
  if (uid === undefined) throw wrongForm(`${at} has neither ${idName} nor ${uidName}`, objectForm)
  return { uid: identifierOf(`${uidName} of ${at}`, uid) }
}

type JsonObject = { readonly [name: string]: Json }

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

type MemberName =
  | 'compId'
  | 'streamId'
  | 'data'
  | 'time'
  | 'feed'
  | 'component'
  | 'componentId'
  | 'componentUid'
  | 'compTmplId'
  | 'defaults'
  | 'name'
  | 'stream'
  | 'streamUid'

/** Names ignore case, as those of parameters do: devices write streamID. */
const memberOf = (object: JsonObject, name: MemberName): Json | undefined => {
  const value = object[name]
  if (value !== undefined) return value
  const wanted = name.toLowerCase()
  const found = Object.keys(object).find((key) => key.length === name.length && key.toLowerCase() === wanted)
  return found === undefined ? undefined : ownMember(object, found)
}

const member = (json: Json | undefined, name: MemberName, at: string): Json => {
  const value = isObject(json) ? memberOf(json, name) : undefined
  if (value === undefined) throw wrongForm(`${at} has no ${name}`, objectForm)
  return value
}

const arrayOf = (json: Json, at: string): readonly Json[] => {
  if (!Array.isArray(json)) throw wrongForm(`${at} must be an array`, objectForm)
  return json
}

const scalar = (value: Json, at: string): RawValue => {
  if (typeof value === 'object' && value !== null) throw badRequest(`the data of ${at} must be a number or a string`)
  return value
}

const timeOf = (time: Json | undefined, uploadMs: number, at: string): number => {
  if (time === undefined || time === null) return uploadMs
  if (typeof time === 'number' || typeof time === 'bigint') return epochNumber(`time of ${at}`, time)
  if (typeof time === 'string') return epoch(`time of ${at}`, time)
  throw badRequest(`time of ${at} must be epoch milliseconds`)
}

const refuseMoreThan = (count: number): void => {
  if (count > mostSamples) throw tooManySamples(mostSamples)
}
