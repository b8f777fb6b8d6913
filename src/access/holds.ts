// Large keys and sessions that calls have: each is charged once, to the tenant that it is of, for as long as a call has it.
import { openShares } from '../base/shares.ts'
import type { Holding } from '../base/shares.ts'

/** An entry of memory, which can be held. */
type Held = { readonly bytes?: number; readonly group?: string; readonly person?: string }

export type Holds<T extends Held> = {
  readonly has: (content: T) => boolean
  /** Gives how to let it go, once; undefined: there is no room. */
  readonly hold: (name: string, content: T) => (() => void) | undefined
}

/**
 * Keys of some rows have room of their own: seventy calls, each by a key of 1,000 rows, would else keep out all other keys of their
 * organization that have five. So have people, who end such keys.
 */
const mostBytes = { many: 20 * 1024 * 1024, some: 4 * 1024 * 1024, people: 20 * 1024 * 1024 }
export const someBytes = 8 * 1024

export const openHolds = <T extends Held>(): Holds<T> => {
  const held = new Map<T, { readonly holding: Holding; calls: number }>()
  const shares = {
    many: openShares(mostBytes.many),
    some: openShares(mostBytes.some),
    people: openShares(mostBytes.people),
  }
  const holdingOf = (name: string, { bytes = 0, group = '', person }: T): Holding => {
    if (person !== undefined) return shares.people.open([group, person, name])
    return (bytes > someBytes ? shares.many : shares.some).open([group, name])
  }
  const open = (name: string, content: T) => {
    const holding = holdingOf(name, content)
    if (!holding.take(content.bytes ?? 0)) return undefined
    const opened = { holding, calls: 0 }
    held.set(content, opened)
    return opened
  }
  return {
    has: (content) => held.has(content),
    hold: (name, content) => {
      const found = held.get(content) ?? open(name, content)
      if (found === undefined) return undefined
      found.calls += 1
      return () => {
        found.calls -= 1
        if (found.calls > 0) return
        held.delete(content)
        found.holding.give()
      }
    },
  }
}
