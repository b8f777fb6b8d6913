// A batch: the samples of one call, as the doors' parsers give them, before anything is known of the components and
// streams that they name. place.ts makes rows of it.
import type { BatchFile } from '../file/blob.ts'
import type { NamedStreams } from './registered.ts'
import { isId, isUid } from './ref.ts'
import type { ComponentRef, PositionRef, StreamRef } from './ref.ts'
import type { RawValue } from './value.ts'

export type SampleBatch = {
  /** The origin of the samples. New streams take their type from their values, those of a script by its types. */
  readonly form: 'url' | 'json' | 'script' | 'file'
  readonly uploadMs: number
  readonly components: readonly BatchComponent[]
  readonly samples: BatchSamples
  /** Streams of the first component that the call wants to exist even if it writes nothing there (rsid). */
  readonly wantedStreamIds: readonly string[]
  readonly creation: Creation
  readonly fillsGaps: boolean
  /** The first samples of the parts whose gaps are filled by themselves; undefined: all are one part. */
  readonly partStarts?: readonly number[]
  readonly derivation: Derivation
  /** The reason why this call does not make a stream of this ID; undefined where it does. */
  readonly refuseNew?: (streamId: string) => string | undefined
  /**
   * Samples that cannot be stored are left out, each with its reason by its index, and the others stored; undefined: one of
   * them refuses all.
   */
  readonly refusals?: Map<number, string>
  /** Samples that this service once gave out: point streams keep their times, and derived streams take theirs. */
  readonly isRestored?: boolean
  /** The file of the one sample of the form 'file'; the sample's value is the file's name. */
  readonly file?: BatchFile
}

export type BatchComponent = {
  readonly ref: ComponentRef
  readonly name: string | undefined
  readonly templateId: string | undefined
}

/** In columns; the component is its index in the batch. */
export type BatchSamples = {
  readonly components: number[]
  readonly streamRefs: StreamRef[]
  readonly values: RawValue[]
  readonly timesMs: number[]
}

/**
 * The way in which missing components and streams are made (compTmplId, folder, dtId and dsId of
 * docs/feeds.md#creation).
 */
export type Creation = {
  readonly folderPath: string
  readonly streamTemplate: { readonly templateId: string; readonly streamId: string } | undefined
}

/** derMaxS and derTout of docs/feeds.md#upload-in-the-url. */
export type Derivation = { readonly mostStreams: number; readonly timeoutMs: number }

export const noDerivation: Derivation = { mostStreams: 0, timeoutMs: 0 }

export const emptySamples = (): BatchSamples => ({ components: [], streamRefs: [], values: [], timesMs: [] })

export const pushSample = (
  samples: BatchSamples,
  component: number,
  streamRef: StreamRef,
  value: RawValue,
  timeMs: number,
) => {
  samples.components.push(component)
  samples.streamRefs.push(streamRef)
  samples.values.push(value)
  samples.timesMs.push(timeMs)
}

/** Never pushed to. */
export const noSamples: BatchSamples = emptySamples()

/** The same, given noSamples as a beginning: a list made of its first value has one place, an empty one gets 17 with it. */
export const withSample = (
  samples: BatchSamples,
  component: number,
  streamRef: StreamRef,
  value: RawValue,
  timeMs: number,
): BatchSamples => {
  if (samples === noSamples)
    return { components: [component], streamRefs: [streamRef], values: [value], timesMs: [timeMs] }
  pushSample(samples, component, streamRef, value, timeMs)
  return samples
}

/** The ID of the stream that unnamed data becomes where there is no such position (docs/feeds.md#creation). */
export const idOfPosition = ({ position }: PositionRef): string => `data${position}`

/** The streams that a batch names, by ID, uid or position. */
export const namedStreams = ({ samples, wantedStreamIds }: SampleBatch): NamedStreams => {
  const ids = new Set(wantedStreamIds)
  const uids = new Set<string>()
  let upTo = 0
  for (const ref of new Set(samples.streamRefs)) {
    if (isId(ref)) ids.add(ref)
    else if (isUid(ref)) uids.add(ref.uid)
    else {
      upTo = Math.max(upTo, ref.position)
      ids.add(idOfPosition(ref))
    }
  }
  return { ids: [...ids], uids: [...uids], upTo }
}
