// The memory of one body while it arrives. It is charged to its caller as it comes, never by what its head declares.
//
// Bodies must not fill the memory with their halves, so that none of them can be finished. So a body that has grown to
// a certain size waits until all that it needs up to the next one can be promised to it, and is not read meanwhile: its
// client then sends no faster than it is served. Each size has memory of its own (room.ts), so a body that waits for
// more never holds the memory that others before it wait for, and a body of 10 MiB does not wait for one of 60.
//
// A promise lasts while nobody else waits for it, or while the body will be there before those who wait lose their
// patience. One that comes slower gives back the unused part, and from then on asks for each piece; when that does not
// help, bodies of the group that holds most are refused. One that does not come at all is refused when other bodies of
// its own group wait.
//
// Small bodies take next to nothing, and so may be slow; but thousands of them take all places. When no place is left, or
// no memory for beginnings, a small body of the group that holds most gives way to a newcomer (giving-way.ts), the oldest
// first. A sign-in, which comes in one piece, is served whatever trickles in.
import { busy, Fault } from '../errors.ts'
import type { Room } from './room.ts'
import { largeBytes, middleBytes, smallBytes } from './room.ts'
import type { Holders, Holding } from '../shares.ts'

export type Arrival = {
  /** Reports the size that is there now. The caller awaits the result before it reads more; throws or rejects: 503. */
  readonly reach: (size: number) => Promise<void> | undefined
  /** To be called every second until it is there, also while it waits; throws 503. */
  readonly look: () => void
  /** While it is small it may have to give way from now on: `refuse` then ends its reading, at once. */
  readonly begin: (refuse: (fault: Fault) => void) => void
  /** Reports that nothing more is read of it: it gives way no longer. */
  readonly end: () => void
  /** Reports that all of it is there. */
  readonly complete: () => void
  readonly release: () => void
}

/** When only its own group waits, a slower body gives back the memory promised to it. */
const ownBytesPerSecond = 64 * 1024
const mostSlowLooks = 2
const mostStalledLooks = 3
/** A body must be there within this part of the patience of those who wait. */
const partOfPatience = 0.8
/** One of the largest takes half a minute at 2 MiB a second; so long the next one can wait. */
const largestPatience = 4

/** A body's holding of the bytes between two sizes. */
type Stage = {
  readonly from: number
  readonly until: number
  readonly holding: Holding
  readonly patienceMs: number
  hindrance?: Hindrance | undefined
}

/** The progress of a body since others have waited for its memory. */
type Hindrance = { readonly from: number; readonly left: number; looks: number; lateLooks: number }

/** Throws 503 where its caller has as many under way as its share is, and nobody gives way to it. */
export const openArrival = (
  room: Room,
  holders: Holders,
  /** 0: not known. */
  declared: number,
  mostBytes: number,
  patienceMs: number,
): Arrival => {
  const place = room.arrivals.open(holders)
  if (!place.takeOver(1)) throw tooMany()
  const beginning = room.beginnings.open(holders)
  // Most bodies need neither these nor the controller.
  let stages: readonly Stage[] = []
  let waiting: AbortController | undefined
  let size = 0
  let lookedAt = 0
  let slowLooks = 0
  let stalledLooks = 0
  let isSlow = false
  let giveWay: (() => void) | undefined
  const openStages = (): readonly Stage[] => [
    { from: smallBytes, until: middleBytes, holding: room.middles.open(holders), patienceMs },
    { from: middleBytes, until: Math.min(largeBytes, mostBytes), holding: room.larges.open(holders), patienceMs },
    {
      from: largeBytes,
      until: mostBytes,
      holding: room.largest.open(holders),
      patienceMs: largestPatience * patienceMs,
    },
  ]
  const waitingOf = (holder: string) =>
    room.middles.waiting(holder) + room.larges.waiting(holder) + room.largest.waiting(holder)
  /** The bytes missing in the first stage that it has reached and not filled. */
  const missing = () => {
    for (const stage of stages) {
      if (size <= stage.from) return undefined
      const needed = isSlow ? size : declared > 0 ? declared : stage.until
      const more = Math.min(needed, stage.until) - stage.from - stage.holding.amount
      if (more > 0) return { stage, more }
    }
    return undefined
  }
  /** Whether all memory could be taken without waiting: not where bodies of the same caller wait. */
  const isThere = () => {
    for (let next = missing(); next; next = missing())
      if (waitingOf(holders.at(-1)!) > 0 || !next.stage.holding.take(next.more)) return false
    return true
  }
  const wait = async () => {
    waiting = new AbortController()
    for (let next = missing(); next; next = missing())
      if (!(await next.stage.holding.wait(next.more, next.stage.patienceMs, waiting.signal))) throw tooMany()
    waiting = undefined
  }
  const giveBack = () => {
    for (const { from, holding } of stages) {
      const unused = holding.amount - Math.max(size - from, 0)
      if (unused > 0) holding.give(unused)
    }
  }
  const slowDown = () => {
    isSlow = true
    giveBack()
  }
  const stay = () => {
    place.stay()
    beginning.stay()
  }
  const release = () => {
    waiting?.abort()
    place.give()
    beginning.give()
    for (const { holding } of stages) holding.give()
  }
  const expected = () => (declared > 0 ? declared : (stages.find(({ until }) => size <= until)?.until ?? mostBytes))
  /** Slows the body down where it comes too slowly for those who wait for its memory. */
  const lookAtOthers = (stage: Stage) => {
    if (!stage.holding.isInTheWay()) {
      stage.hindrance = undefined
      return
    }
    const hindrance = (stage.hindrance ??= { from: lookedAt, left: expected() - lookedAt, looks: 0, lateLooks: 0 })
    hindrance.looks += 1
    const withinLooks = (partOfPatience * stage.patienceMs) / 1000
    const isLate = (size - hindrance.from) * withinLooks < hindrance.left * hindrance.looks
    if (!isLate || hindrance.looks < mostSlowLooks) return
    slowDown()
    hindrance.lateLooks += 1
    if (hindrance.lateLooks > mostStalledLooks && stage.holding.isOfLargest()) throw tooMany()
  }
  const lookAtOwn = () => {
    const own = waitingOf(holders[0])
    slowLooks = own > 0 && size - lookedAt < ownBytesPerSecond ? slowLooks + 1 : 0
    if (slowLooks < mostSlowLooks) return
    slowDown()
    stalledLooks = size === lookedAt ? stalledLooks + 1 : 0
    if (stalledLooks === mostStalledLooks) throw tooMany()
  }
  return {
    reach: (reached) => {
      size = reached
      const begun = Math.min(size, smallBytes) - beginning.amount
      if (begun > 0) {
        if (!beginning.takeOver(begun)) throw tooMany()
        if (giveWay && beginning.amount === begun) beginning.mayGiveWay(giveWay)
      }
      if (size <= smallBytes) return undefined
      if (stages.length === 0) {
        stages = openStages()
        stay()
      }
      return isThere() ? undefined : wait()
    },
    look: () => {
      if (size > smallBytes) {
        for (const stage of stages) lookAtOthers(stage)
        if (waiting === undefined) lookAtOwn()
      }
      lookedAt = size
    },
    begin: (refuse) => {
      giveWay = () => {
        release()
        refuse(hadToGiveWay())
      }
      place.mayGiveWay(giveWay)
    },
    end: stay,
    complete: giveBack,
    release,
  }
}

export const tooMany = () => busy('too many uploads at once')

/** Its client is slow: the rest of the body would keep the connection for long. */
const hadToGiveWay = (): Fault => {
  const { code, message, headers } = tooMany()
  return new Fault(code, message, { headers: { ...headers, Connection: 'close' } })
}
