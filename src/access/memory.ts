// A server's memory of credentials, so that a call costs no query, and how it stays right: before it is used, the
// changes since the last reading are read and the entries they touch are forgotten. A reading is half a second old at
// most before the next starts, and never relied on when older than 0.9 s, so a revocation holds on all servers within a
// second. There is no timer and no connection to lose: an idle server asks nothing, and one that cannot ask does not
// answer from memory.
import { ownText } from '../base/own-text.ts'
import type { AccessChanges } from '../core/access-change.ts'
import { accessChangesKeptMs } from '../core/access-change.ts'
import { openHolds } from './holds.ts'

export type Remembered = {
  readonly tags: readonly string[]
  /** About the bytes that it takes, where these may be many. */
  readonly bytes?: number
  /** The tenant, or its people, that it is of: where there are too many large ones, those of the group that has most give way. */
  readonly group?: string
  /** One of these people. */
  readonly person?: string
  /** Where given: two of one name that have the same are the same. */
  readonly rights?: string
}

export type Memory<T extends Remembered> = {
  /** Undefined: the memory is right. Else a promise to await first. */
  readonly settle: () => Promise<void> | undefined
  readonly get: (name: string) => T | undefined
  /**
   * Looks it up and remembers it; calls that ask for the same at the same time share one look-up. Look-ups of one name
   * in several places name the place: that it is not in one says nothing about the others.
   */
  readonly find: (name: string, look: () => Promise<T | undefined>, place?: string) => Promise<T | undefined>
  /**
   * For as long as a call has what was found: where that is large it is charged to its group, once for all calls that have it, and gives way
   * to nobody. Gives how to let it go; undefined: there is no room.
   */
  readonly hold: (name: string, content: T, isLasting: boolean) => (() => void) | undefined
  /** Resolves when every change that is committed now is known here. */
  readonly refresh: () => Promise<void>
}

const askAgainAfterMs = 400
const trustedForMs = 900
const mostEntries = 50_000
/**
 * A key may have a thousand rows, which take 0.4 MB. So large ones have memory of their own, and only they give way to each
 * other.
 */
const largeBytes = 1024
const mostLargeBytes = 32 * 1024 * 1024
// Changed entries go by their tags; that entries also age is for changes that nobody thought of.
const entryLifeMs = 600_000

const holdsNothing = () => {}

export const openMemory = <T extends Remembered>(
  readChanges: (since: string | undefined) => Promise<AccessChanges>,
): Memory<T> => {
  const entries = new Map<string, { readonly content: T; readonly sinceMs: number }>()
  const large = openLarge()
  /**
   * Large ones that calls may still have, though these have given way. One that is looked up again is
   * the same: 480 listeners by 120 keys, which gave way to each other all the time, had a copy each and took 230 MB.
   */
  const inUse = new Map<string, WeakRef<T>>()
  const unused = new FinalizationRegistry<string>((name) => {
    if (inUse.get(name)?.deref() === undefined) inUse.delete(name)
  })
  /** Large ones that calls have do not give way: they take memory anyway. Listeners keep no calls out that are soon over. */
  const holds = { lasting: openHolds<T>(), brief: openHolds<T>() }
  const isHeld = (content: T): boolean => holds.lasting.has(content) || holds.brief.has(content)
  const lookUps = new Map<string, Promise<T | undefined>>()
  let rightAtMs = Number.NEGATIVE_INFINITY
  let horizon: string | undefined
  let history: string | undefined
  let reading: Promise<void> | undefined
  let readings = 0

  const read = async (): Promise<void> => {
    const askedAtMs = performance.now()
    const changes = await readChanges(horizon)
    readings += 1
    if (!changes.areAll || changes.history !== history || askedAtMs - rightAtMs > accessChangesKeptMs / 2)
      for (const name of entries.keys()) drop(name)
    else if (changes.tags.length > 0) forget(new Set(changes.tags))
    horizon = changes.horizon
    history = changes.history
    rightAtMs = askedAtMs
  }
  const forget = (tags: ReadonlySet<string>) => {
    const kinds = Array.from(tags).flatMap((tag) => (tag.endsWith(' *') ? [tag.slice(0, -1)] : []))
    const isChanged = (tag: string) => tags.has(tag) || kinds.some((kind) => tag.startsWith(kind))
    for (const [name, { content }] of entries) if (content.tags.some(isChanged)) drop(name)
  }
  const drop = (name: string): void => {
    entries.delete(name)
    large.delete(name)
  }
  const giveWay = (name: string, { bytes = 0, group = '' }: T): void => {
    large.add(name, bytes, group)
    while (large.bytes() > mostLargeBytes) drop(large.first())
  }
  const keep = (name: string, content: T): void => {
    drop(name)
    if (entries.size >= mostEntries) drop(entries.keys().next().value!)
    const { bytes = 0 } = content
    const own = ownText(name)
    entries.set(own, { content, sinceMs: performance.now() })
    if (bytes > largeBytes && !isHeld(content)) giveWay(own, content)
  }
  const sameAsBefore = (name: string, found: T): T => {
    if ((found.bytes ?? 0) <= largeBytes) return found
    const before = inUse.get(name)?.deref()
    if (before !== undefined && isSame(before, found)) return before
    const own = ownText(name)
    inUse.set(own, new WeakRef(found))
    unused.register(found, own)
    return found
  }
  const isEntry = (name: string, content: T): boolean => entries.get(name)?.content === content
  const startReading = (): Promise<void> => {
    reading = read().finally(() => {
      reading = undefined
    })
    // Callers that wait for it see it fail; if nobody waits, the next call will try again.
    reading.catch(() => {})
    return reading
  }

  return {
    settle: () => {
      const ageMs = performance.now() - rightAtMs
      if (ageMs < askAgainAfterMs) return undefined
      const started = reading ?? startReading()
      return ageMs < trustedForMs ? undefined : started
    },
    get: (name) => {
      const entry = entries.get(name)
      return entry !== undefined && performance.now() - entry.sinceMs < entryLifeMs ? entry.content : undefined
    },
    find: (name, look, place = '') => {
      const shared = `${place} ${name}`
      const known = lookUps.get(shared)
      if (known) return known
      const readingsBefore = readings
      const lookUp = look()
        .then((found) => {
          const content = found && sameAsBefore(name, found)
          // A change that was read meanwhile may be newer than the entry found: then that is not kept.
          if (content !== undefined && readings === readingsBefore) keep(name, content)
          return content
        })
        .finally(() => lookUps.delete(shared))
      lookUps.set(shared, lookUp)
      return lookUp
    },
    hold: (name, content, isLasting) => {
      if ((content.bytes ?? 0) <= largeBytes) return holdsNothing
      const own = ownText(name)
      const letGo = (isLasting ? holds.lasting : holds.brief).hold(own, content)
      if (letGo === undefined) return undefined
      if (isEntry(own, content)) large.delete(own)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        letGo()
        if (!isHeld(content) && isEntry(own, content)) giveWay(own, content)
      }
    },
    refresh: async () => {
      // The one under way may have begun before the change was committed.
      if (reading) await reading.catch(() => {})
      await (reading ?? startReading())
    },
  }
}

/** The secret of a key that was removed may be another's by now. */
const isSame = (one: Remembered, other: Remembered): boolean =>
  one.rights !== undefined &&
  one.rights === other.rights &&
  one.group === other.group &&
  one.tags.join('\n') === other.tags.join('\n')

type Group = { bytes: number; readonly names: Map<string, number> }

/**
 * The names of large ones. Of the group that has most the oldest gives way first: a hundred keys of one organization, used in turn, would
 * else have everybody's looked up again and again.
 */
const openLarge = () => {
  const groupOf = new Map<string, string>()
  const groups = new Map<string, Group>()
  let sum = 0
  return {
    bytes: () => sum,
    add: (name: string, bytes: number, group: string): void => {
      const known = groups.get(group) ?? { bytes: 0, names: new Map() }
      groups.set(group, known)
      known.names.set(name, bytes)
      known.bytes += bytes
      groupOf.set(name, group)
      sum += bytes
    },
    delete: (name: string): void => {
      const group = groupOf.get(name)
      if (group === undefined) return
      const known = groups.get(group)!
      const bytes = known.names.get(name)!
      known.names.delete(name)
      known.bytes -= bytes
      sum -= bytes
      groupOf.delete(name)
      if (known.names.size === 0) groups.delete(group)
    },
    /** The next to give way. Without a list of the groups: of 30,000 that took 1.9 ms of everybody's time at each look-up, and this takes 0.5. */
    first: (): string => {
      let largest: Group | undefined
      for (const each of groups.values()) if (largest === undefined || each.bytes > largest.bytes) largest = each
      return largest!.names.keys().next().value!
    },
  }
}
