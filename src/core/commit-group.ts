// The calls that leave together (sample/writer.ts): all that wait, as far as they fit into one commit. Where they do not, tenants have one after
// another, and in each its callers: with one queue for all, 32 connections of a key that overwrote 5,000 samples each kept everybody's
// uploads waiting for 1.5 to 1.8 s, and now for 0.18, while that key stores as much as before. With turns of callers and not of tenants, and
// no room left for small calls beside large ones, eight keys of one tenant kept them for 4 s; with large ones in all lanes, eight connections
// with 10,000 samples each for 0.5 s, and now for 0.02.
import type { Holders } from '../base/shares.ts'

export type Leaving = { readonly organizationKey: number; readonly rows: number; readonly holders: Holders }

const mostRows = 20_000
/**
 * Of all that have had a call in the group, and of each of them with that, where several wait, so that the next group comes soon: with 20,000
 * they waited 0.4 to 0.6 s. They are counted by themselves: beside 15,000 rows of one, ten calls a second of another waited for 8 s.
 */
const mostFurtherRows = 5000
/** Each has a place in the database's table of locks. */
const mostOrganizations = 500

/** A call that leaves by itself; where others are there, so that they need not wait for it. */
export const isLarge = (rows: number, isAlone: boolean): boolean => rows > (isAlone ? mostRows : mostFurtherRows)

/**
 * The first of all, if it is not large or `mayBeLarge`, and of each tenant its first call before its second; where one tenant waits
 * alone, of each caller. In `rest` those who have had a turn stand behind the others. `isAlone`: nobody else has come for a while.
 */
export const takeGroup = <T>(
  queue: readonly T[],
  look: (call: T) => Leaving,
  { isAlone = false, mayBeLarge = true }: { readonly isAlone?: boolean; readonly mayBeLarge?: boolean } = {},
): { readonly group: readonly T[]; readonly rest: T[] } => {
  const organizations = new Set<number>()
  let rows = 0
  const enter = ({ organizationKey, rows: own }: Leaving): boolean => {
    const isBig = isLarge(own, isAlone)
    if (organizations.size === 0 ? isBig && !mayBeLarge : isBig || rows + own > mostRows) return false
    if (organizations.size === mostOrganizations && !organizations.has(organizationKey)) return false
    organizations.add(organizationKey)
    rows += isBig ? mostRows : own
    return true
  }
  if (queue.every((call) => enter(look(call)))) return { group: queue, rest: [] }
  organizations.clear()
  rows = 0
  let furtherRows = 0
  const enterAgain = (leaving: Leaving, before: number): boolean => {
    const { organizationKey, rows: own } = leaving
    if (Math.max(furtherRows, before) + own > mostFurtherRows || !organizations.has(organizationKey)) return false
    furtherRows += own
    return true
  }
  const waiting = queue.map((call) => waitingOf(call, look(call)))
  const tenants = linesOf(waiting, ({ tenant }) => tenant).map((calls) => linesOf(calls, ({ caller }) => caller))
  const holderOf = ({ tenant, caller }: Waiting<T>) =>
    tenants.length > 1 ? tenant : tenants[0]!.length > 1 ? caller : undefined
  const served = new Map<string, number>()
  const refused = new Set<string>()
  const group = new Set<Waiting<T>>()
  for (const each of inTurns(tenants.map(inTurns))) {
    const { tenant, caller } = each
    // Nothing passes an earlier call of its own caller.
    if (refused.has(caller)) continue
    const before = served.get(holderOf(each) ?? '')
    if (before === undefined ? enter(each) : enterAgain(each, before)) {
      group.add(each)
      for (const holder of [tenant, caller]) served.set(holder, (served.get(holder) ?? 0) + each.rows)
    } else refused.add(caller)
  }
  const turnsOf = ({ tenant, caller }: Waiting<T>) => (served.has(caller) ? 2 : served.has(tenant) ? 1 : 0)
  const left = waiting.filter((each) => !group.has(each))
  const rest = [0, 1, 2].flatMap((turns) => left.filter((each) => turnsOf(each) === turns))
  return { group: Array.from(group, callOf), rest: rest.map(callOf) }
}

type Waiting<T> = Leaving & { readonly call: T; readonly tenant: string; readonly caller: string }

const waitingOf = <T>(call: T, leaving: Leaving): Waiting<T> => {
  const { holders } = leaving
  return { ...leaving, call, tenant: holders[0], caller: `${holders[0]} ${holders.at(-1)!}` }
}

const callOf = <T>({ call }: Waiting<T>): T => call

const linesOf = <T>(calls: readonly T[], nameOf: (call: T) => string): readonly (readonly T[])[] => {
  const lines = new Map<string, T[]>()
  for (const call of calls) {
    const name = nameOf(call)
    const line = lines.get(name)
    if (line) line.push(call)
    else lines.set(name, [call])
  }
  return [...lines.values()]
}

/** One call of each line, and then the next of each. Small ones are before large ones, but the first line is the first, so that each comes to be it. */
const inTurns = <T extends Pick<Leaving, 'rows'>>(lines: readonly (readonly T[])[]): readonly T[] => {
  const [first = [], ...others] = lines
  others.sort(([one], [other]) => one!.rows - other!.rows)
  const turns: T[] = []
  let left = [first, ...others]
  for (let nth = 0; left.length > 0; nth += 1) {
    left = left.filter(({ length }) => length > nth)
    for (const line of left) turns.push(line[nth]!)
  }
  return turns
}
