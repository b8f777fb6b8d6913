// Places of connections (docs/mqtt.md#limits). One that has shown a good key has a place in the share of its tenant and key,
// from however many addresses: behind a proxy all clients have one. Before that it is a stranger, who can be anybody, and
// strangers keep nobody out: where they are too many, the oldest of the address that has most of them gives way.
import { addressSite, holdersOfAddress, inRanges } from '../base/http/address.ts'
import type { AddressRange } from '../base/config.ts'
import { openShares } from '../base/shares.ts'
import type { Holders, Holding } from '../base/shares.ts'
import { ByWeight } from './by-weight.ts'

export type PlaceLimits = { readonly mostConnections: number; readonly mostStrangers: number }

/** A connection, as far as others need its place or its memory. */
export type Occupant = {
  /** Ends at once, and gives back the memory that it has as a stranger. */
  readonly giveWay: () => void
  readonly strangerBytes: () => number
}

export type Place = {
  /** CONNECT has come: it does not give way while its key is looked up. False: its address has too many of these. */
  readonly ask: () => boolean
  /** The key is looked up. */
  readonly rest: () => void
  /** A place of the caller from here on: that of the client's older connection, or another; false: there is none. */
  readonly settle: (holders: Holders, older: Place | undefined) => boolean
  /** Gives the caller's place to a newer connection of the same client, and has that one's among strangers until it is closed. */
  readonly handOver: () => Holding | undefined
  /** The memory that it has as a stranger is another. */
  readonly weigh: () => void
  /** Ends a stranger who holds about the most memory, if that is more than so much; false: none is found. */
  readonly makeRoom: (bytes: number) => boolean
  readonly give: () => void
}

export type Places = {
  /** Undefined: there are too many strangers, whose keys are all being looked up. */
  readonly enter: (address: string, occupant: Occupant) => Place | undefined
}

export const openPlaces = (
  { mostConnections, mostStrangers }: PlaceLimits,
  trustedProxies: readonly AddressRange[],
): Places => {
  const callers = openShares(mostConnections)
  const asking = openShares(mostStrangers)
  const strangers = openStrangers(mostStrangers)
  const enter = (address: string, occupant: Occupant): Place | undefined => {
    const group = addressSite(address)
    const stranger: Stranger = { group, occupant }
    if (!strangers.enter(stranger)) return undefined
    // A proxy stands for many clients.
    const question = inRanges(address, trustedProxies) ? undefined : asking.open(holdersOfAddress(address))
    let settled: Holding | undefined
    return {
      ask: () => {
        if (question && !question.take(1)) return false
        strangers.keep(stranger)
        return true
      },
      rest: () => {
        question?.give()
        strangers.release(stranger)
      },
      settle: (holders, older) => {
        // First, and for the older one: where strangers are too many, that one would have the place of another, or of this.
        strangers.leave(stranger)
        // The same holding: the share may be smaller by now, and a place that was given back not be had again.
        const holding = older?.handOver() ?? callers.open(holders)
        const isSettled = holding.amount > 0 || holding.take(1)
        if (isSettled) settled = holding
        else strangers.enter(stranger)
        return isSettled
      },
      handOver: () => {
        const holding = settled
        settled = undefined
        if (holding) strangers.enter(stranger)
        return holding
      },
      weigh: () => strangers.weigh(stranger),
      makeRoom: (bytes) => strangers.makeRoom(stranger, bytes),
      give: () => {
        question?.give()
        settled?.give()
        settled = undefined
        strangers.leave(stranger)
      },
    }
  }
  return { enter }
}

type Stranger = { readonly group: string; readonly occupant: Occupant }

const bytesOf = ({ occupant }: Stranger): number => occupant.strangerBytes()

const openStrangers = (most: number) => {
  const all = new Set<Stranger>()
  /** Those that can give way, by address, all of a /48 of IPv6 as one, the oldest first. */
  const idle = new Map<string, { readonly oldest: Set<Stranger>; readonly heaviest: ByWeight<Stranger> }>()
  const heaviest = new ByWeight(bytesOf)
  const keep = (stranger: Stranger): void => {
    const ofAddress = idle.get(stranger.group)
    if (!ofAddress?.oldest.delete(stranger)) return
    heaviest.delete(stranger)
    ofAddress.heaviest.delete(stranger)
    if (ofAddress.oldest.size === 0) idle.delete(stranger.group)
  }
  const rest = (stranger: Stranger, bytes: number): void => {
    const ofAddress = idle.get(stranger.group) ?? { oldest: new Set(), heaviest: new ByWeight(bytesOf) }
    idle.set(stranger.group, ofAddress)
    ofAddress.oldest.add(stranger)
    for (const each of [heaviest, ofAddress.heaviest]) each.put(stranger, bytes)
  }
  const release = (stranger: Stranger): void => {
    if (all.has(stranger)) rest(stranger, bytesOf(stranger))
  }
  const weigh = (stranger: Stranger): void => {
    if (idle.get(stranger.group)?.oldest.has(stranger)) rest(stranger, bytesOf(stranger))
  }
  const leave = (stranger: Stranger): void => {
    all.delete(stranger)
    keep(stranger)
  }
  const end = (stranger: Stranger | undefined): boolean => {
    if (stranger === undefined) return false
    leave(stranger)
    stranger.occupant.giveWay()
    return true
  }
  const oldestOfMost = (): Stranger | undefined => {
    let largest: ReadonlySet<Stranger> = new Set()
    for (const { oldest } of idle.values()) if (oldest.size > largest.size) largest = oldest
    const [first] = largest
    return first
  }
  const enter = (stranger: Stranger): boolean => {
    if (all.size >= most && !end(oldestOfMost())) return false
    all.add(stranger)
    rest(stranger, 0)
    return true
  }
  /** Of its own site first, which has a share of its own. */
  const makeRoom = ({ group }: Stranger, bytes: number): boolean =>
    end(idle.get(group)?.heaviest.heavierThan(bytes) ?? heaviest.heavierThan(bytes))
  return { enter, keep, release, leave, weigh, makeRoom }
}
