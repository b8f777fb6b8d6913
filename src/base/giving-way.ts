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
  /** The amounts of its holders: looked up by their names, those of six thousand callers took a millisecond for each newcomer. */
  levels: readonly Held[]
  oldest: Yielding | undefined
  youngest: Yielding | undefined
}

/** The amount that a holder has, as long as it has any. */
export type Held = { amount: number }

type HeldBy = { readonly find: (holder: string) => Held | undefined }

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
    if (caller.oldest === undefined) caller.levels = holders.map((holder) => this.#heldBy.find(holder)!)
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

  /**
   * Those that are to end for so much, at least one of them and `most` at the most; undefined where that is not enough: nobody ends
   * in vain.
   */
  plan(asking: Asking, missing: number, most: number): readonly Yielding[] | undefined {
    const planned: Yielding[] = []
    let gained = 0
    do {
      const found = planned.length < most ? this.#find(asking) : undefined
      if (found === undefined) break
      planned.push(found)
      gained += found.holding.amount
      this.#hide(found)
    } while (gained < missing)
    for (const each of planned.toReversed()) this.#show(each)
    return planned.length > 0 && gained >= missing ? planned : undefined
  }

  #find({ holders, has, wanted, callersAreMany }: Asking): Yielding | undefined {
    let group: Held | undefined
    for (const [depth, own] of holders.entries()) {
      const caller = this.#largest(group, depth)
      const other = caller?.levels[depth]
      if (other === undefined) return undefined
      const level = this.#heldBy.find(own)
      if (other !== level && mayTakeFrom(other.amount, level?.amount ?? 0, wanted)) return largestOf(caller!)
      if (level === undefined) return undefined
      group = level
    }
    const caller = callersAreMany ? this.#callers.get(nameOf(holders)) : undefined
    const found = caller && largestOf(caller)
    return found && found.holding.amount >= has + wanted ? found : undefined
  }

  /** As if it had ended. */
  #hide(yielding: Yielding): void {
    this.delete(yielding)
    for (const level of yielding.caller.levels) level.amount -= yielding.holding.amount
  }

  /** Of those that are hidden the last one first: then its neighbours are those it had. */
  #show(yielding: Yielding): void {
    const { caller, before, behind } = yielding
    if (before) before.behind = yielding
    else caller.oldest = yielding
    if (behind) behind.before = yielding
    else caller.youngest = yielding
    for (const level of caller.levels) level.amount += yielding.holding.amount
  }

  #callerOf(holders: readonly string[]): YieldingCaller {
    const name = nameOf(holders)
    const known = this.#callers.get(name)
    if (known) return known
    if (this.#callers.size >= this.#sweepAt) this.#sweep()
    const caller = { holders, levels: [], oldest: undefined, youngest: undefined }
    this.#callers.set(name, caller)
    return caller
  }

  #sweep(): void {
    for (const [name, { oldest }] of this.#callers) if (oldest === undefined) this.#callers.delete(name)
    this.#sweepAt = Math.max(leastSwept, 2 * this.#callers.size)
  }

  /** The caller that gives way, of those that have this holder above the depth. */
  #largest(group: Held | undefined, depth: number): YieldingCaller | undefined {
    let largest: YieldingCaller | undefined
    let most = 0
    for (const caller of this.#callers.values()) {
      if (caller.oldest === undefined || (depth > 0 && caller.levels[depth - 1] !== group)) continue
      const held = heldAt(caller, depth)
      if (held < most || (held === most && !isLarger(caller, largest!, depth + 1))) continue
      largest = caller
      most = held
    }
    return largest
  }
}

const heldAt = ({ levels }: YieldingCaller, level: number): number => levels[Math.min(level, levels.length - 1)]!.amount

/** Of two that hold the same, the one that began first. */
const isLarger = (one: YieldingCaller, other: YieldingCaller, depth: number): boolean => {
  const levels = Math.max(one.levels.length, other.levels.length)
  for (let level = depth; level < levels; level += 1) {
    const more = heldAt(one, level) - heldAt(other, level)
    if (more !== 0) return more > 0
  }
  return one.oldest!.turn < other.oldest!.turn
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
