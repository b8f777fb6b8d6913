// The entities of the catalogue, as the API shows them.
import type { EntityOf } from '../../client/client.ts'

export type Component = EntityOf<'component'>
export type Stream = EntityOf<'stream'>

export const streamsOf = ({ stream }: Component): readonly Stream[] => stream ?? []

/** A stream as addresses name it: an ID may hold a slash, so both are escaped. */
export const nameOf = (compId: string, streamId: string): string =>
  `${encodeURIComponent(compId)}/${encodeURIComponent(streamId)}`
