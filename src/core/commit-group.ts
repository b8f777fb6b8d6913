// The calls that leave together (sample/writer.ts): all that wait, where they fit into one commit. Where they do not, it is put together so
// that nobody waits long behind somebody else's crowd:
//
//   tenants have turns, one call after another, and within a tenant its callers
//   a large call leaves by itself, and never by all lanes at once; the more company, the smaller is large
//   small further calls of those who have had their turn leave with it, up to a bound of their own
//
// Each rule has a measured reason, waiting times of others beside one key, or tenant, that overwrote 5,000 or 10,000 samples a call:
// with one queue for all 1.5 to 1.8 s, now 0.18, while that key stores as much; with turns of callers alone, beside eight keys of one tenant, 4 s;
// with large ones in all lanes 0.5 s, now 0.02; with 5,000 samples of each tenant in a group 0.6 to 0.8 s. Large ones in all lanes but
// one cost the greedy a quarter: 95,000 samples a second in place of 124,000 (appended: 227,000 in place of 310,000), for 4 ms in place of
// 122 for a third tenant (9 in place of 53).
import type { Holders } from '../base/shares.ts'

/** `weight`: of rows, of their texts, and of their weeks (weightOf). */
export type Leaving = { readonly organizationKey: number; readonly weight: number; readonly holders: Holders }

const mostWeight = 20_000
/**
 * Of one caller, where several are there; and of all further calls of those who have had one in the group, so that the next group comes soon:
 * with 20,000 they waited 0.4 to 0.6 s. These are counted by themselves: beside 15,000 rows of one, ten calls a second of another waited for 8 s.
 */
const mostFurtherWeight = 5000
/** Of each tenant, where they are several. */
const mostOfTenant = 1000
/** Each has a place in the database's table of locks. */
const mostOrganizations = 500

/** The characters of texts that take as long as a row with a number. */
const charactersOfRow = 200

/**
 * The rows that take as long as a further week, whose chunk has to be opened: 1,000 rows overwritten in 1,000 weeks took 0.15 to 0.5 s where those of
 * one took 0.02 to 0.06. As calls of 1,000, in all lanes, they kept a third tenant's uploads waiting for 0.76 s at the median (busy machine).
 */
const rowsOfWeek = 10

export const weightOf = (rows: number, characters: number, weeks = 1): number =>
  rows + Math.floor(characters / charactersOfRow) + rowsOfWeek * Math.max(0, weeks - 1)

export type Company = {
  /** No other caller has come for a while. */
  readonly isAlone?: boolean
  /** Another tenant has. */
  readonly isShared?: boolean
}

const mostOfOne = ({ isAlone = false, isShared = false }: Company): number => {
  if (isShared) return mostOfTenant
  return isAlone ? mostWeight : mostFurtherWeight
}

/** A call that leaves by itself; where others are there, so that they need not wait for it. */
export const isLarge = (weight: number, company: Company): boolean => weight > mostOfOne(company)

/**
 * The first of all, if it is not large or `mayBeLarge`, and of each tenant its first call before its second; where one tenant waits
 * alone, of each caller. In `rest` those who have had a turn stand behind the others.
 */
export const takeGroup = <T>(
  queue: readonly T[],
  look: (call: T) => Leaving,
  { mayBeLarge = true, ...company }: Company & { readonly mayBeLarge?: boolean } = {},
): { readonly group: readonly T[]; readonly rest: T[] } => {
  const most = mostOfOne(company)
  const organizations = new Set<number>()
  let weight = 0
  const enter = ({ organizationKey, weight: own }: Leaving): boolean => {
    const isBig = own > most
    if (organizations.size === 0 ? isBig && !mayBeLarge : isBig || weight + own > mostWeight) return false
    if (organizations.size === mostOrganizations && !organizations.has(organizationKey)) return false
    organizations.add(organizationKey)
    weight += isBig ? mostWeight : own
    return true
  }
  const mostTogether = company.isShared ? mostOfTenant : mostWeight
  if (queue.every((call) => enter(look(call)) && weight <= mostTogether)) return { group: queue, rest: [] }
  organizations.clear()
  weight = 0
  let furtherWeight = 0
  const enterAgain = ({ organizationKey, weight: own }: Leaving, before: number): boolean => {
    if (furtherWeight + own > mostFurtherWeight || before + own > most) return false
    if (!organizations.has(organizationKey)) return false
    furtherWeight += own
    return true
  }
  const { waiting, tenants } = linesOf(queue, look)
  const isOfTenants = company.isShared || tenants.length > 1
  const servedBefore = ({ tenant, served }: Line<T>) => {
    if (isOfTenants) return tenant.served
    return tenant.callers.size > 1 ? served : undefined
  }
  const group: T[] = []
  for (const each of inTurns(tenants.map(turnsWithin))) {
    const { line, leaving } = each
    const { tenant } = line
    // Nothing passes an earlier call of its own caller.
    if (line.standing !== undefined) continue
    const before = servedBefore(line)
    if (before === undefined ? enter(leaving) : enterAgain(leaving, before)) {
      group.push(each.call)
      each.isTaken = true
      tenant.served = (tenant.served ?? 0) + leaving.weight
      line.served = (line.served ?? 0) + leaving.weight
      // One that was refused when it was its tenant's turn keeps its place, though others of the tenant go in its stead: behind those of
      // all other tenants, which keep coming, its turn would never come.
    } else line.standing = tenant.served === undefined ? 0 : 1
  }
  const rest: [T[], T[], T[]] = [[], [], []]
  for (const { call, line, isTaken } of waiting)
    if (!isTaken) rest[line.served === undefined ? line.standing! : 2].push(call)
  return { group, rest: rest.flat() }
}

/** Looked up once for each call: 3,000 that waited held everybody for 20 ms at each commit. */
type Tenant<T> = { readonly callers: Map<string, Line<T>>; served?: number }
type Line<T> = { readonly tenant: Tenant<T>; readonly calls: Waiting<T>[]; served?: number; standing?: 0 | 1 }
type Waiting<T> = { readonly call: T; readonly leaving: Leaving; readonly line: Line<T>; isTaken: boolean }

const linesOf = <T>(queue: readonly T[], look: (call: T) => Leaving) => {
  const tenants = new Map<string, Tenant<T>>()
  const waiting: Waiting<T>[] = []
  for (const call of queue) {
    const leaving = look(call)
    const [ofTenant] = leaving.holders
    let tenant = tenants.get(ofTenant)
    if (!tenant) tenants.set(ofTenant, (tenant = { callers: new Map() }))
    const ofCaller = leaving.holders.at(-1)!
    let line = tenant.callers.get(ofCaller)
    if (!line) tenant.callers.set(ofCaller, (line = { tenant, calls: [] }))
    const each = { call, leaving, line, isTaken: false }
    line.calls.push(each)
    waiting.push(each)
  }
  return { waiting, tenants: [...tenants.values()] }
}

const turnsWithin = <T>({ callers }: Tenant<T>): readonly Waiting<T>[] =>
  inTurns(Array.from(callers.values(), ({ calls }) => calls))

/** One call of each line, and then the next of each. Small ones are before large ones, but the first line is the first, so that each comes to be it. */
const inTurns = <T>(lines: readonly (readonly Waiting<T>[])[]): readonly Waiting<T>[] => {
  const [first = [], ...others] = lines
  others.sort(([one], [other]) => one!.leaving.weight - other!.leaving.weight)
  const turns: Waiting<T>[] = []
  let left = [first, ...others]
  for (let nth = 0; left.length > 0; nth += 1) {
    left = left.filter(({ length }) => length > nth)
    for (const line of left) turns.push(line[nth]!)
  }
  return turns
}
