// The calls that leave together (sample/writer.ts): all that wait, as far as they fit into one commit. Where they do not, tenants have one after
// another, and in each its callers: with one queue for all, 32 connections of a key that overwrote 5,000 samples each kept everybody's
// uploads waiting for 1.5 to 1.8 s, and now for 0.18, while that key stores as much as before.
import type { Holders } from '../base/shares.ts'

export type Leaving = { readonly organizationKey: number; readonly rows: number; readonly holders: Holders }

const mostRows = 20_000
/** Beyond the first call of each, where several callers wait, so that the next group comes soon: with 20,000 they waited 0.4 to 0.6 s. */
const mostFurtherRows = 5000
/** Each has a place in the database's table of locks. */
const mostOrganizations = 500

/** At least the first, however large it is, and the first of each caller before its second; `rest` is in the order of the queue. */
export const takeGroup = <T>(
  queue: readonly T[],
  look: (call: T) => Leaving,
): { readonly group: readonly T[]; readonly rest: T[] } => {
  const organizations = new Set<number>()
  let rows = 0
  const enter = ({ organizationKey, rows: own }: Leaving, most = mostRows): boolean => {
    const isFirst = organizations.size === 0
    if (!isFirst && rows + own > most) return false
    if (organizations.size === mostOrganizations && !organizations.has(organizationKey)) return false
    organizations.add(organizationKey)
    rows += own
    return true
  }
  if (queue.every((call) => enter(look(call)))) return { group: queue, rest: [] }
  organizations.clear()
  rows = 0
  const taken = new Set<T>()
  visitInTurns(queue, look, (call, isFurther) => {
    const isIn = enter(look(call), isFurther ? mostFurtherRows : mostRows)
    if (isIn) taken.add(call)
    return isIn
  })
  return { group: [...taken], rest: queue.filter((call) => !taken.has(call)) }
}

type Turns<T> = { readonly calls: T[]; next: number }

/** One call of each tenant, and then the next of each; in a tenant one of each caller. `enter` gives whether the caller has further turns. */
const visitInTurns = <T>(
  queue: readonly T[],
  look: (call: T) => Leaving,
  enter: (call: T, isFurther: boolean) => boolean,
): void => {
  const tenants = new Map<string, Map<string, Turns<T>>>()
  for (const call of queue) {
    const { holders } = look(call)
    const [tenant, caller] = [holders[0], holders.at(-1)!]
    const callers = tenants.get(tenant) ?? new Map<string, Turns<T>>()
    const turns = callers.get(caller)
    if (turns) turns.calls.push(call)
    else tenants.set(tenant, callers.set(caller, { calls: [call], next: 0 }))
  }
  const areSeveral = tenants.size > 1 || [...tenants.values()].some((callers) => callers.size > 1)
  // A Map's iteration comes to entries that are added meanwhile: those who have had a turn stand behind all others.
  for (const [tenant, callers] of tenants) {
    const [first] = callers
    const [caller, turns] = first!
    callers.delete(caller)
    const goesOn = enter(turns.calls[turns.next]!, areSeveral && turns.next > 0)
    turns.next += 1
    if (goesOn && turns.next < turns.calls.length) callers.set(caller, turns)
    tenants.delete(tenant)
    if (callers.size > 0) tenants.set(tenant, callers)
  }
}
