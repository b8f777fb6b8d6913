// Something scarce that callers share: memory for bodies, cells of scripts, connections for readings, turns at hashing
// passwords. No caller can take all of it, whatever it sends.
//
//   const holding = shares.open(['organization 3', 'api_key 7 10.0.0.1'])
//   if (!(await holding.wait(1, 10_000))) throw busy('too many readings at once')
//   try { ... } finally { holding.give() }
//
// A holder may have as much as is still free: half of everything alone, and of what greedy callers before it left half
// again, so that a newcomer finds something (the dynamic threshold of Choudhury and Hahne, by which network switches
// share their buffers). A holding counts for all holders that it names, from the widest group to the caller
// itself. A group may have four times as much as is free, so that one caller cannot lock out the rest of its group.
// Callers that wait get their turns one after another, however many of its calls each of them has waiting.

/** From the widest group to the single caller. */
export type Holders = readonly [string, ...string[]]

export type Holding = {
  readonly amount: number
  /** Takes more now, or nothing. */
  readonly take: (amount: number) => boolean
  /** Takes more when its turn has come; false when that was not within the time, or the signal was aborted before. */
  readonly wait: (amount: number, patienceMs: number, signal?: AbortSignal) => Promise<boolean>
  /** Gives that much back; without an amount, everything. */
  readonly give: (amount?: number) => void
}

export type Shares = {
  readonly open: (holders: Holders) => Holding
  /** What is left, for metrics and tests. */
  readonly free: () => number
  /** How many wait, of all or of one caller. */
  readonly waiting: (caller?: string) => number
}

const groupFactor = 4

type Waiting = { readonly holders: Holders; readonly amount: number; readonly enter: () => void }

export const openShares = (total: number): Shares => {
  let free = total
  let waitingCount = 0
  const heldBy = new Map<string, number>()
  /** By caller, in the order of their turns. */
  const queues = new Map<string, Set<Waiting>>()

  const fits = (holders: Holders, amount: number): boolean =>
    amount <= free &&
    holders.every((holder, index) => {
      const factor = index === holders.length - 1 ? 1 : groupFactor
      return (heldBy.get(holder) ?? 0) + amount <= factor * free
    })
  const add = (holders: Holders, amount: number): void => {
    free -= amount
    for (const holder of holders) {
      const held = (heldBy.get(holder) ?? 0) + amount
      if (held === 0) heldBy.delete(holder)
      else heldBy.set(holder, held)
    }
  }

  const leave = (caller: string, waiting: Waiting): void => {
    const queue = queues.get(caller)
    if (!queue?.delete(waiting)) return
    waitingCount -= 1
    if (queue.size === 0) queues.delete(caller)
  }
  /** One of each caller, round after round; whoever does not fit now will not while others enter. */
  const letIn = (): void => {
    for (const [caller, queue] of queues) {
      if (free === 0) return
      const [first] = queue
      if (!fits(first!.holders, first!.amount)) continue
      leave(caller, first!)
      // Its next turn is after all others': a Map's iteration comes to what was added meanwhile.
      if (queues.delete(caller)) queues.set(caller, queue)
      add(first!.holders, first!.amount)
      first!.enter()
    }
  }

  const waitFor = (holders: Holders, amount: number, patienceMs: number, signal?: AbortSignal): Promise<boolean> => {
    const caller = holders.at(-1)!
    return new Promise((resolve) => {
      const settle = (isIn: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        leave(caller, waiting)
        resolve(isIn)
      }
      const giveUp = () => {
        settle(false)
        // It may have stood in front of others that fit.
        letIn()
      }
      const waiting: Waiting = { holders, amount, enter: () => settle(true) }
      const timer = setTimeout(giveUp, patienceMs)
      signal?.addEventListener('abort', giveUp)
      const queue = queues.get(caller) ?? new Set()
      queues.set(caller, queue.add(waiting))
      waitingCount += 1
    })
  }

  /** A class, because one is opened for every body: an object with a getter takes 8 µs to make. */
  class OpenHolding implements Holding {
    readonly #holders: Holders
    #held = 0

    constructor(holders: Holders) {
      this.#holders = holders
    }

    get amount(): number {
      return this.#held
    }

    take(amount: number): boolean {
      if (!fits(this.#holders, amount)) return false
      add(this.#holders, amount)
      this.#held += amount
      return true
    }

    async wait(amount: number, patienceMs: number, signal?: AbortSignal): Promise<boolean> {
      if (signal?.aborted) return false
      // Its own calls before it go first.
      if (!queues.has(this.#holders.at(-1)!) && fits(this.#holders, amount)) add(this.#holders, amount)
      else if (!(await waitFor(this.#holders, amount, patienceMs, signal))) return false
      this.#held += amount
      return true
    }

    give(amount: number = this.#held): void {
      this.#held -= amount
      add(this.#holders, -amount)
      letIn()
    }
  }

  return {
    free: () => free,
    waiting: (caller) => (caller === undefined ? waitingCount : (queues.get(caller)?.size ?? 0)),
    open: (holders) => new OpenHolding(holders),
  }
}
