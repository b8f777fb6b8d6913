// Holdings of something scarce (shares.ts) that give way to newcomers. It is the group that holds most which gives way,
// in it the caller that holds most, and of that one its largest holding, or the oldest of several. So a place goes only to
// those who hold less, and those who have just begun have time.

export type Yielding = {
  readonly holding: { readonly amount: number }
  readonly caller: YieldingCaller
  /** Gives all of the holding back, at once. */
  readonly end: () => void
  /** The place in the order in which all of them began. */
  readonly turn: number
  before: Yielding | undefined
  behind: Yielding | undefined
}

/** A caller's, in the order in which they began: a list costs less than a Set whose entries come and go with every call. */
type YieldingCaller = {
  readonly holders: readonly string[]
  oldest: Yielding | undefined
  youngest: Yielding | undefined
}

type HeldBy = { readonly get: (holder: string) => number }

type Asking = {
  readonly holders: readonly string[]
  /** The amount of the holding that wants more. */
  readonly has: number
  readonly wanted: number
  /** Whether those of the same caller give way to each other, too. */
  readonly callersAreMany: boolean
}

const leastSwept = 1000

export class GivingWay {
  readonly #heldBy: HeldBy
  /** Those that have none are forgotten when there are many, as in Counts of shares.ts. */
  readonly #callers = new Map<string, YieldingCaller>()
  #sweepAt = leastSwept
  #turns = 0

  constructor(heldBy: HeldBy) {
    this.#heldBy = heldBy
  }

  /** The holding must hold something. */
  add(holding: Yielding['holding'], holders: readonly string[], end: () => void): Yielding {
    const caller = this.#callerOf(holders)
    const added: Yielding = { holding, caller, end, turn: this.#turns++, before: caller.youngest, behind: undefined }
    if (caller.youngest) caller.youngest.behind = added
    else caller.oldest = added
    caller.youngest = added
    return added
  }

  /** To be called once for each. */
  delete({ caller, before, behind }: Yielding): void {
    if (before) before.behind = behind
    else caller.oldest = behind
    if (behind) behind.before = before
    else caller.youngest = before
  }

  find({ holders, has, wanted, callersAreMany }: Asking): Yielding | undefined {
    for (const [depth, own] of holders.entries()) {
      const caller = this.#largest(holders, depth)
      const other = caller?.holders[depth]
      if (other === undefined) return undefined
      if (other !== own && mayTakeFrom(this.#heldBy.get(other), this.#heldBy.get(own), wanted))
        return largestOf(caller!)
    }
    const caller = callersAreMany ? this.#callers.get(nameOf(holders)) : undefined
    const found = caller && largestOf(caller)
    return found && found.holding.amount >= has + wanted ? found : undefined
  }

  #callerOf(holders: readonly string[]): YieldingCaller {
    const name = nameOf(holders)
    const known = this.#callers.get(name)
    if (known) return known
    if (this.#callers.size >= this.#sweepAt) this.#sweep()
    const caller = { holders, oldest: undefined, youngest: undefined }
    this.#callers.set(name, caller)
    return caller
  }

  #sweep(): void {
    for (const [name, { oldest }] of this.#callers) if (oldest === undefined) this.#callers.delete(name)
    this.#sweepAt = Math.max(leastSwept, 2 * this.#callers.size)
  }

  /** The caller that gives way of those that have the first `depth` of the holders. */
  #largest(holders: readonly string[], depth: number): YieldingCaller | undefined {
    let largest: YieldingCaller | undefined
    let most = 0
    for (const caller of this.#callers.values()) {
      if (caller.oldest === undefined || (depth > 0 && caller.holders[depth - 1] !== holders[depth - 1])) continue
      const held = this.#heldAt(caller, depth)
      if (held < most || (held === most && !this.#isLarger(caller, largest!, depth + 1))) continue
      largest = caller
      most = held
    }
    return largest
  }

  /** Of two that hold the same, the one that began first. */
  #isLarger(one: YieldingCaller, other: YieldingCaller, depth: number): boolean {
    const levels = Math.max(one.holders.length, other.holders.length)
    for (let level = depth; level < levels; level += 1) {
      const more = this.#heldAt(one, level) - this.#heldAt(other, level)
      if (more !== 0) return more > 0
    }
    return one.oldest!.turn < other.oldest!.turn
  }

  #heldAt({ holders }: YieldingCaller, level: number): number {
    return this.#heldBy.get(holders[Math.min(level, holders.length - 1)]!)
  }
}

/** A user is a caller in several organizations. */
const nameOf = (holders: readonly string[]): string => holders.join('\n')

/** Only those who hold nothing yet may have as much as the other then: two groups would take from each other for ever. */
const mayTakeFrom = (others: number, own: number, wanted: number): boolean =>
  own === 0 ? wanted <= others : own + wanted < others

const largestOf = ({ oldest }: YieldingCaller): Yielding | undefined => {
  let largest = oldest
  for (let each = oldest; each !== undefined; each = each.behind)
    if (each.holding.amount > largest!.holding.amount) largest = each
  return largest
}
