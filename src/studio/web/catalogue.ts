// The entities of the catalogue, as the API shows them.
import type { EntityOf } from '../../client/client.ts'

export type Component = EntityOf<'component'>
export type Stream = EntityOf<'stream'>
