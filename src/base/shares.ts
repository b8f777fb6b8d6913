// Something scarce that callers share (docs/access.md#shares): memory for bodies, cells of scripts, connections for readings,
// turns at hashing passwords. No caller can take all of it, whatever it sends.
//
//   const holding = shares.open(['organization 3', 'api_key 7'])
//   if (!(await holding.wait(1, 10_000))) throw busy('too many readings at once')
//   try { ... } finally { holding.give() }
//
// A caller may have as much as is still free: half of everything alone, and half of the rest that greedy callers before
// it left, so that a newcomer finds something (the dynamic threshold of Choudhury and Hahne, by which network switches
// share their buffers). A holding counts for all holders that it names, from the widest group to the caller itself. A
// group leaves a fifth of all to others, and the last place: one caller cannot lock out the rest of its group, nor a
// group with a thousand callers everybody else.
//
// Turns go round the groups, and within a group round its callers, however many of its calls each of them has waiting.
//
// Where nobody can wait, a holding may be one that gives way: a newcomer then has the place of one of the group that
// holds most (giving-way.ts). A thousand greedy callers leave each other nothing, and so keep nobody else out.
import { GivingWay } from './giving-way.ts'
import type { Held, Yielding } from './giving-way.ts'

/** From the widest group to the single caller. */
export type Holders = readonly [string, ...string[]]

export type Holding = {
  readonly amount: number
  /** Takes more now, or nothing. */
  readonly take: (amount: number) => boolean
  /** Takes more now, if need be in place of others that give way, and hold more. */
  readonly takeOver: (amount: number) => boolean
  /** It holds something, and gives way to others from now on, until all of it is given back: `end` must do so at once. */
  readonly mayGiveWay: (end: () => void) => void
  /** From now on it gives way to nobody. */
  readonly stay: () => void
  /** Takes more now if it is its turn: none of the caller's own calls waits before it. */
  readonly enter: (amount: number) => boolean
  /** Takes more when its turn has come; false when that was not within the time, or the signal was aborted before. */
  readonly wait: (amount: number, patienceMs: number, signal?: AbortSignal) => Promise<boolean>
  /** Takes more when its turn has come, and calls `enter` then: where all holders give back soon. */
  readonly whenItsTurn: (amount: number, enter: () => void) => void
  /** Gives that much back; without an amount, everything. */
  readonly give: (amount?: number) => void
  /** Whether another caller would have its turn but for this holding and others. Only where turns are in order. */
  readonly isInTheWay: () => boolean
  /** Whether no other group holds more. */
  readonly isOfLargest: () => boolean
}

export type Shares = {
  readonly open: (holders: Holders) => Holding
  /** The free amount, for metrics and tests. */
  readonly free: () => number
  /** The number of waiting calls, of all or of one holder. */
  readonly waiting: (holder?: string) => number
}

export type SharesOptions = {
  /**
   * A caller that waits for much, and has not had its share, is not passed by callers that want little. Only where all holdings
   * soon come to an end: if one can last, it would stop everybody together with the one that waits for it.
   */
  readonly inOrder?: boolean
  /** A caller is many people, such as an address: one of its own holdings gives way to its next one, too. */
  readonly callersAreMany?: boolean
}

const groupFactor = 4
/** The most holdings that give way to one newcomer. */
const mostGivingWay = 64

type Waiting = { readonly holders: Holders; readonly amount: number; readonly enter: () => void }

export const openShares = (total: number, { inOrder = false, callersAreMany = false }: SharesOptions = {}): Shares => {
  let free = total
  let waitingCount = 0
  const heldBy = new Counts()
  const waitingBy = new Counts()
  const givingWay = new GivingWay(heldBy)
  /** Waiting calls by group and caller, both in the order of their turns. */
  const groups = new Map<string, Map<string, Set<Waiting>>>()
  /** The one whose turn is before any other's, as soon as enough is given back. */
  let next: Waiting | undefined

  /** The first holding of a group may be as large as what is free: some things cannot be divided. */
  const groupFits = (held: number, amount: number, left: number): boolean =>
    held === 0 || held + amount <= groupFactor * (left - amount)
  const groupsFit = (holders: Holders, amount: number): boolean => {
    for (let index = holders.length - 2; index >= 0; index -= 1)
      if (!groupFits(heldBy.get(holders[index]!), amount, free)) return false
    return true
  }
  const fits = (holders: Holders, amount: number): boolean =>
    amount <= free && heldBy.get(holders.at(-1)!) + amount <= free && groupsFit(holders, amount)
  /** Whether too little is free for it, and it would fit if others held nothing. */
  const isEntitled = ({ holders, amount }: Waiting): boolean =>
    amount > free &&
    holders.every((holder, index) => {
      const held = heldBy.get(holder)
      return index === holders.length - 1 ? held + amount <= total - held : groupFits(held, amount, total - held)
    })
  const add = (holders: Holders, amount: number): void => {
    free -= amount
    heldBy.add(holders, amount)
  }

  const leave = (waiting: Waiting): void => {
    const [group, caller] = [waiting.holders[0], waiting.holders.at(-1)!]
    const callers = groups.get(group)
    const queue = callers?.get(caller)
    if (!queue?.delete(waiting)) return
    waitingCount -= 1
    waitingBy.add(waiting.holders, -1)
    if (queue.size === 0) callers!.delete(caller)
    if (callers!.size === 0) groups.delete(group)
  }
  const enter = (waiting: Waiting): void => {
    const [group, caller] = [waiting.holders[0], waiting.holders.at(-1)!]
    const callers = groups.get(group)!
    const queue = callers.get(caller)!
    leave(waiting)
    // The caller's next turn is after all others': a Map's iteration comes to entries added meanwhile.
    if (callers.size > 1 && callers.delete(caller)) callers.set(caller, queue)
    if (groups.size > 1 && groups.delete(group)) groups.set(group, callers)
    waiting.enter()
  }
  /** One of each group, round after round; one that does not fit now will not fit while others enter. */
  const letIn = (): void => {
    next = undefined
    for (const callers of groups.values()) {
      if (free === 0 && !inOrder) return
      for (const queue of callers.values()) {
        const [first] = queue
        if (fits(first!.holders, first!.amount)) {
          enter(first!)
          break
        }
        if (inOrder && isEntitled(first!)) {
          next = first
          return
        }
        if (!groupsFit(first!.holders, first!.amount)) break
      }
    }
  }

  const queueUp = (waiting: Waiting): void => {
    const { holders } = waiting
    const [group, caller] = [holders[0], holders.at(-1)!]
    const callers = groups.get(group) ?? new Map<string, Set<Waiting>>()
    const queue = callers.get(caller) ?? new Set()
    if (queue.size === 0) groups.set(group, callers.set(caller, queue))
    queue.add(waiting)
    waitingCount += 1
    waitingBy.add(holders, 1)
    if (inOrder && next === undefined && isEntitled(waiting)) next = waiting
  }

  const waitFor = (
    holders: Holders,
    amount: number,
    patienceMs: number,
    signal: AbortSignal | undefined,
    onEnter: () => void,
  ): Promise<boolean> => {
    return new Promise((resolve) => {
      const settle = (isIn: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        resolve(isIn)
      }
      const giveUp = () => {
        leave(waiting)
        settle(false)
        // The call that left may have stood in front of others that fit.
        letIn()
      }
      const enterNow = () => {
        onEnter()
        settle(true)
      }
      const waiting: Waiting = { holders, amount, enter: enterNow }
      const timer = setTimeout(giveUp, patienceMs)
      signal?.addEventListener('abort', giveUp)
      queueUp(waiting)
    })
  }

  const inside: Inside = {
    tryTake: (holders, amount) => {
      if (next !== undefined || !fits(holders, amount)) return false
      add(holders, amount)
      return true
    },
    takeOver: (holders, has, amount) => {
      if (next !== undefined) return false
      const ending = givingWay.plan({ holders, has, wanted: amount, callersAreMany }, amount - free, mostGivingWay)
      if (ending === undefined) return false
      for (const { end } of ending) end()
      if (amount > free) return false
      // The places change hands: nothing less is free for others.
      add(holders, amount)
      return true
    },
    givingWay,
    // A caller's earlier calls go first.
    mayTryNow: (caller) => waitingCount === 0 || waitingBy.get(caller) === 0,
    waitFor,
    queueUp,
    give: (holders, amount) => {
      add(holders, -amount)
      if (waitingCount > 0) letIn()
    },
    add,
    isOthersTurn: (caller) => next !== undefined && next.holders.at(-1) !== caller,
    isLargest: (group) => heldBy.get(group) === heldBy.largest(),
  }

  return {
    free: () => free,
    waiting: (holder) => (holder === undefined ? waitingCount : waitingBy.get(holder)),
    open: (holders) => new OpenHolding(inside, holders),
  }
}

/** Shares, as their holdings see them. */
type Inside = {
  readonly tryTake: (holders: Holders, amount: number) => boolean
  readonly takeOver: (holders: Holders, has: number, amount: number) => boolean
  readonly givingWay: GivingWay
  readonly mayTryNow: (caller: string) => boolean
  readonly waitFor: (
    holders: Holders,
    amount: number,
    patienceMs: number,
    signal: AbortSignal | undefined,
    onEnter: () => void,
  ) => Promise<boolean>
  readonly queueUp: (waiting: Waiting) => void
  readonly add: (holders: Holders, amount: number) => void
  readonly give: (holders: Holders, amount: number) => void
  readonly isOthersTurn: (caller: string) => boolean
  readonly isLargest: (group: string) => boolean
}

/** One class for all shares: a body opens several, and an object with a getter takes 8 µs to make. */
class OpenHolding implements Holding {
  readonly #shares: Inside
  readonly #holders: Holders
  #held = 0
  #yielding: Yielding | undefined

  constructor(shares: Inside, holders: Holders) {
    this.#shares = shares
    this.#holders = holders
  }

  get amount(): number {
    return this.#held
  }

  take(amount: number): boolean {
    if (!this.#shares.tryTake(this.#holders, amount)) return false
    this.#held += amount
    return true
  }

  takeOver(amount: number): boolean {
    if (this.take(amount)) return true
    if (!this.#shares.takeOver(this.#holders, this.#held, amount)) return false
    this.#held += amount
    return true
  }

  mayGiveWay(end: () => void): void {
    this.stay()
    this.#yielding = this.#shares.givingWay.add(this, this.#holders, end)
  }

  stay(): void {
    if (this.#yielding === undefined) return
    this.#shares.givingWay.delete(this.#yielding)
    this.#yielding = undefined
  }

  enter(amount: number): boolean {
    return this.#shares.mayTryNow(this.#holders.at(-1)!) && this.take(amount)
  }

  async wait(amount: number, patienceMs: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false
    if (this.enter(amount)) return true
    return this.#shares.waitFor(this.#holders, amount, patienceMs, signal, () => {
      this.#held += amount
      this.#shares.add(this.#holders, amount)
    })
  }

  whenItsTurn(amount: number, enter: () => void): void {
    this.#shares.queueUp({
      holders: this.#holders,
      amount,
      enter: () => {
        this.#held += amount
        this.#shares.add(this.#holders, amount)
        enter()
      },
    })
  }

  give(amount: number = this.#held): void {
    this.#held -= amount
    if (this.#held === 0) this.stay()
    this.#shares.give(this.#holders, amount)
  }

  isInTheWay(): boolean {
    return this.#held > 0 && this.#shares.isOthersTurn(this.#holders.at(-1)!)
  }

  isOfLargest(): boolean {
    return this.#shares.isLargest(this.#holders[0])
  }
}

const leastSwept = 1000

/**
 * Numbers by holder, 0 at first. Those that are 0 again are forgotten when there are many: a Map whose entries come and
 * go with every call rebuilds itself all the time, and its dead tables keep each other from the collector, which took a
 * fifth of the time of a JSON PUT.
 */
class Counts {
  readonly #counts = new Map<string, Held>()
  #sweepAt = leastSwept

  get(holder: string): number {
    return this.#counts.get(holder)?.amount ?? 0
  }

  /** The same one until it is 0. */
  find(holder: string): Held | undefined {
    return this.#counts.get(holder)
  }

  add(holders: Holders, amount: number): void {
    for (const holder of holders) {
      const count = this.#counts.get(holder)
      if (count) count.amount += amount
      else this.#counts.set(holder, { amount })
    }
    if (this.#counts.size < this.#sweepAt) return
    for (const [holder, { amount: count }] of this.#counts) if (count === 0) this.#counts.delete(holder)
    this.#sweepAt = Math.max(leastSwept, 2 * this.#counts.size)
  }

  largest(): number {
    let largest = 0
    for (const { amount } of this.#counts.values()) if (amount > largest) largest = amount
    return largest
  }
}
