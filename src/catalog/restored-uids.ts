// The uids of a catalogue's lines, and those of the entities that were made of them (restore.ts): lines that come later name
// units, templates and components by them. They stay in memory as long as the call, which may last for hours, so that they
// are charged to it, and are neither long nor endlessly many.
import { badRequest, tooLarge } from '../base/errors.ts'
import { ownMember } from '../base/own.ts'
import type { CatalogueKind } from '../core/catalogue.ts'

/** Of what a call holds, until it ends; throws where there is no more. */
export type Charge = (bytes: number) => void

export type Uids = {
  /** The uid of a line; null: none. Throws where it is too long, or one more than can be kept. */
  readonly read: (kind: CatalogueKind, given: Readonly<Record<string, unknown>>) => string | null
  readonly keep: (given: string | null, made: string) => void
  /** The uid here, or the same one if no line has had it. */
  readonly translate: (given: string) => string
}

const mostUids = 200_000
export const mostUidLength = 64
/** Beside the characters that are given: 149 bytes were measured for 36 of them, and 237 for 64 of the wide ones. */
const bytesBeside = 100

export const openUids = (charge: Charge): Uids => {
  const kept = new Map<string, string>()
  return {
    read: (kind, given) => {
      const uid = ownMember(given, 'uid')
      if (typeof uid !== 'string' || uid === '') return null
      if (uid.length > mostUidLength) throw badRequest(`uid must have at most ${mostUidLength} characters`)
      // No line names them.
      if (kind === 'cycle' || kind === 'folder') return null
      if (kept.size >= mostUids && !kept.has(uid))
        throw tooLarge(
          `a call takes ${mostUids} units, templates and components with uids at most: send others by another`,
        )
      return uid
    },
    keep: (given, made) => {
      if (given === null) return
      if (!kept.has(given)) charge(bytesBeside + 2 * given.length)
      kept.set(given, made)
    },
    translate: (given) => kept.get(given) ?? given,
  }
}
