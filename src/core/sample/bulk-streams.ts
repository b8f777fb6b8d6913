// The streams that an import writes to (bulk.ts), by one sample of each: found, or made where they are missing.
import type { Sql, Transaction } from '../../base/database/sql.ts'
import { namedStreams } from './batch.ts'
import type { BulkQuery, Places } from './bulk-place.ts'
import type { Caller } from '../caller.ts'
import { demand } from '../caller.ts'
import { createMissing } from './create.ts'
import { ByComponentRef } from './ref.ts'
import type { RegisteredComponent, RegisteredStream } from './registered.ts'
import { readComponents, streamByRef } from './registered.ts'
import { explained } from './store.ts'
import type { WriteStep } from './store.ts'

export type BatchStep = Extract<WriteStep, { kind: 'batch' }>

export type BulkStreams = {
  /** One sample of each stream that is written, by which what is missing is made. */
  readonly step: BatchStep
  /** The first and the last time of each. */
  readonly spans: readonly { readonly firstMs: number; readonly lastMs: number }[]
  /** Of their samples; undefined: they have several. */
  readonly type: BulkQuery['type'] | undefined
}

export type Components = ByComponentRef<RegisteredComponent>

/** All that the samples name; what is missing is made. */
export const findComponents = async (
  sql: Transaction,
  caller: Caller,
  streams: () => AsyncIterable<BulkStreams>,
  places: Places,
): Promise<Components> => {
  const found = new ByComponentRef<RegisteredComponent>()
  for await (const given of streams()) {
    const { step } = given
    const { components } = await explained(step, createMissing(sql, caller, step.batch))
    addPlaces(places, given, components)
    step.batch.components.forEach(({ ref }, index) => {
      const known = found.get(ref)
      found.set(ref, known ? joined(known, components[index]!) : components[index]!)
    })
  }
  return found
}

/** The keys of all components that the samples name; undefined, and nothing is made, where one or a stream is missing. */
export const findPlaces = async (
  sql: Sql,
  caller: Caller,
  streams: () => AsyncIterable<BulkStreams>,
  places: Places,
): Promise<readonly number[] | undefined> => {
  const keys = new Set<number>()
  for await (const given of streams()) {
    const { batch } = given.step
    const refs = batch.components.map(({ ref }) => ref)
    const read = await readComponents(sql, caller.organizationKey, refs, namedStreams(batch))
    const components = refs.flatMap((ref) => read.get(ref) ?? [])
    for (const { key, uid } of components) {
      demand(caller, 'PUT component/feed', uid)
      keys.add(key)
    }
    if (components.length < refs.length || !addPlaces(places, given, components)) return undefined
  }
  return [...keys]
}

/** False where a stream is missing. */
const addPlaces = (
  places: Places,
  { step: { batch }, spans, type }: BulkStreams,
  components: readonly RegisteredComponent[],
): boolean => {
  const { samples } = batch
  return spans.every((span, at) => {
    const index = samples.components[at]!
    const ref = samples.streamRefs[at]!
    const stream = streamByRef(components[index]!, ref)
    if (stream) places.add(batch.components[index]!.ref, ref, components[index]!, stream, span, type)
    return stream !== undefined
  })
}

/** Each step brings the streams that it names of a component with many. */
const joined = (one: RegisteredComponent, other: RegisteredComponent): RegisteredComponent => {
  const streamsById = new Map<string, RegisteredStream>()
  for (const stream of [...one.streams, ...other.streams]) if (stream.id !== null) streamsById.set(stream.id, stream)
  return { ...other, streams: [...streamsById.values()], streamsById }
}
