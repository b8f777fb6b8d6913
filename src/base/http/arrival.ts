// The memory of one body while it arrives. It is charged to its caller as it comes, never by what its head declares.
//
// Bodies must not fill the memory with their halves, so that none of them can be finished. So a body that has grown to
// a certain size waits until all that it needs up to the next one can be promised to it, and is not read meanwhile: its
// client then sends no faster than it is served. Each size has memory of its own (room.ts), so whatever waits for more
// never holds what others before it wait for. A promise lasts while the body comes fast; a slow one gives back what has
// not come when others wait, and from then on asks for each piece. One that does not come at all is refused when other
// bodies of its caller wait.
import { busy } from '../errors.ts'
import type { Room } from './room.ts'
import { middleBytes, smallBytes } from './room.ts'
import type { Holders, Holding } from '../shares.ts'

export type Arrival = {
  /** So much is there now. The caller awaits the result before it reads more; throws or rejects: 503. */
  readonly reach: (size: number) => Promise<void> | undefined
  /** To be called every second while it is read; throws 503. */
  readonly look: () => void
  /** All is there. */
  readonly complete: () => void
  readonly release: () => void
}

/** A body that comes slower than this gives back what was promised to it, when other callers wait. */
const fastBytesPerSecond = 2 * 1024 * 1024
/** The same when only its own caller waits: a server that is busy reads slowly itself. */
const ownBytesPerSecond = 64 * 1024
const mostSlowLooks = 2
const mostStalledLooks = 3

/** What a body has of the bytes between two sizes. */
type Stage = { readonly from: number; readonly until: number; readonly holding: Holding }

export const openArrival = (
  room: Room,
  holders: Holders,
  /** 0: not known. */
  declared: number,
  mostBytes: number,
  patienceMs: number,
): Arrival => {
  const beginning = room.beginnings.open(holders)
  // Most bodies need neither these nor the controller.
  let stages: readonly Stage[] = []
  let waiting: AbortController | undefined
  let size = 0
  let lookedAt = 0
  let slowLooks = 0
  let stalledLooks = 0
  let isSlow = false
  const waitingOf = (caller?: string) => room.middles.waiting(caller) + room.bytes.waiting(caller)
  /** What is missing in the first stage that it has reached and not filled. */
  const missing = () => {
    for (const { from, until, holding } of stages) {
      if (size <= from) return undefined
      const needed = isSlow ? size : declared > 0 ? declared : until
      const more = Math.min(needed, until) - from - holding.amount
      if (more > 0) return { holding, more }
    }
    return undefined
  }
  /** Without waiting, unless others do. */
  const isThere = () => {
    for (let next = missing(); next; next = missing())
      if (waitingOf() > 0 || !next.holding.take(next.more)) return false
    return true
  }
  const wait = async () => {
    waiting = new AbortController()
    for (let next = missing(); next; next = missing())
      if (!(await next.holding.wait(next.more, patienceMs, waiting.signal))) throw tooMany()
    waiting = undefined
  }
  const giveBack = () => {
    for (const { from, holding } of stages) {
      const unused = holding.amount - Math.max(size - from, 0)
      if (unused > 0) holding.give(unused)
    }
  }
  return {
    reach: (reached) => {
      size = reached
      const begun = Math.min(size, smallBytes) - beginning.amount
      if (begun > 0 && !beginning.take(begun)) throw tooMany()
      if (size <= smallBytes) return undefined
      if (stages.length === 0)
        stages = [
          { from: smallBytes, until: middleBytes, holding: room.middles.open(holders) },
          { from: middleBytes, until: mostBytes, holding: room.bytes.open(holders) },
        ]
      return isThere() ? undefined : wait()
    },
    look: () => {
      const bytes = size - lookedAt
      lookedAt = size
      const [all, own] = [waitingOf(), waitingOf(holders.at(-1))]
      const least = all > own ? fastBytesPerSecond : own > 0 ? ownBytesPerSecond : 0
      slowLooks = bytes < least ? slowLooks + 1 : 0
      if (slowLooks < mostSlowLooks) return
      isSlow = true
      giveBack()
      stalledLooks = bytes === 0 && size > smallBytes && own > 0 ? stalledLooks + 1 : 0
      if (stalledLooks === mostStalledLooks) throw tooMany()
    },
    complete: giveBack,
    release: () => {
      waiting?.abort()
      beginning.give()
      for (const { holding } of stages) holding.give()
    },
  }
}

export const tooMany = () => busy('too many uploads at once')
