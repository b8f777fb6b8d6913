// The last value of each stream that a page listens to, made of the events of one connection. A value that was deleted is
// asked for again, because no event says which sample is the last one now.
import type { LiveEvent, Sample } from '../../client/client.ts'
import { nameOf } from './catalogue.ts'

export type LiveSample = Sample & { readonly fData?: string; readonly unit?: string }
export type Named = { readonly compId: string; readonly streamId: string }
type Deleted = Omit<Extract<LiveEvent<never>, { readonly kind: 'deleted' }>, 'id' | 'kind'>

export type LastValues = ReturnType<typeof openLastValues>

/** Those of before are shown until the connection has brought its own. Of each component so many streams are kept. */
export const openLastValues = (before: ReadonlyMap<string, LiveSample> = new Map(), mostOfEach = Infinity) => {
  let older = new Map(before)
  /** Undefined: it was deleted. */
  const known = new Map<string, LiveSample | undefined>()
  const lost = new Map<string, Named>()
  const counts = new Map<string, number>()
  const cut = new Set<string>()
  const hasRoom = ({ compId }: Named): boolean => {
    const count = (counts.get(compId) ?? 0) + 1
    if (count > mostOfEach) cut.add(compId)
    else counts.set(compId, count)
    return count <= mostOfEach
  }
  const take = (sample: LiveSample & Named): void => {
    const name = nameOf(sample.compId, sample.streamId)
    if (!known.has(name) && !hasRoom(sample)) return
    const last = known.get(name)
    // A late sample is no last value.
    if (last === undefined || last.time <= sample.time) known.set(name, sample)
  }
  return {
    take,
    forget: ({ compId, streamId, sd, ed }: Deleted): void => {
      const name = nameOf(compId, streamId)
      const isGone = (last: LiveSample | undefined) => last !== undefined && sd <= last.time && last.time < ed
      if (isGone(older.get(name))) older.delete(name)
      // An answer that is under way may be of before this deletion, too.
      if (known.has(name) && known.get(name) === undefined) lost.set(name, { compId, streamId })
      if (!isGone(known.get(name))) return
      known.set(name, undefined)
      lost.set(name, { compId, streamId })
    },
    /** A stream whose last value is to be asked for; it is named once. */
    nextLost: (): Named | undefined => {
      const [first] = lost
      if (first === undefined) return undefined
      lost.delete(first[0])
      return first[1]
    },
    answer: ({ compId, streamId }: Named, last: LiveSample | undefined): void => {
      if (last !== undefined && !lost.has(nameOf(compId, streamId))) take({ ...last, compId, streamId })
    },
    /** The answer could not be had. */
    askAgain: (one: Named): void => void lost.set(nameOf(one.compId, one.streamId), one),
    /** Last values follow, and nothing is known of the time before. */
    begin: (): void => {
      older = shown()
      for (const one of [known, lost, counts, cut]) one.clear()
    },
    /** The last values have come: others do not exist any more. */
    complete: (): void => older.clear(),
    /** The components of which some streams are not kept. */
    cut: (): ReadonlySet<string> => new Set(cut),
    shown: (): ReadonlyMap<string, LiveSample> => shown(),
  }
  function shown(): Map<string, LiveSample> {
    const all = new Map(older)
    for (const [name, last] of known)
      if (last === undefined) all.delete(name)
      else all.set(name, last)
    return all
  }
}
