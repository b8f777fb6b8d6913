// Whether a query can be asked on its own: it can where it takes values from no table around it.
import type { CommonPlan, QueryPlan, Relation, Term } from './plan.ts'
import { queryOf, someTerm } from './terms.ts'

const free = new WeakMap<QueryPlan, ReadonlySet<number>>()

/** The tables and groups around a query that it takes values from. */
const freeOf = (query: QueryPlan): ReadonlySet<number> => {
  const known = free.get(query)
  if (known) return known
  const own = new Set<number>()
  const asked = new Set<number>()
  for (const common of query.commons) addAll(asked, freeOf(common.query))
  for (const { body } of query.terms) {
    if (body.kind === 'values') continue
    if (body.group) own.add(body.group.id)
    for (const { relation } of body.from) {
      own.add(relation.id)
      addAll(asked, freeOfRelation(relation))
    }
  }
  for (const term of termsOf(query)) addAll(asked, freeOfTerm(term))
  const found = new Set([...asked].filter((id) => !own.has(id)))
  free.set(query, found)
  return found
}

const nothing: ReadonlySet<number> = new Set()

const freeOfRelation = ({ origin }: Relation) => (origin.kind === 'query' ? freeOf(origin.query) : nothing)

const freeIn = new WeakMap<Term, ReadonlySet<number>>()

const freeOfTerm = (term: Term): ReadonlySet<number> => {
  const known = freeIn.get(term)
  if (known) return known
  const asked = new Set<number>()
  const note = (one: Term) => {
    if (one.kind === 'column') asked.add(one.relation.id)
    if (one.kind === 'key') asked.add(one.group)
    const query = queryOf(one)
    if (query) addAll(asked, freeOf(query))
    return false
  }
  someTerm(term, note)
  freeIn.set(term, asked)
  return asked
}

const addAll = (set: Set<number>, more: Iterable<number>) => {
  for (const one of more) set.add(one)
}

const termsOf = ({ terms, limit, offset }: QueryPlan): readonly Term[] => {
  const inBodies = terms.flatMap(({ body }) =>
    body.kind === 'values'
      ? body.rows.flat()
      : [...body.items, ...body.from.map(({ on }) => on), body.where, ...(body.group?.keys ?? []), body.having],
  )
  return [...inBodies, limit, offset].filter((term) => term !== undefined)
}

/** Makes a test of terms: whether these parts and the term can be asked without the query around them. */
export const closedOver = (parts: readonly (Relation | CommonPlan)[]): ((beside?: Term) => boolean) => {
  const owned = new Set(parts.map(({ id }) => id))
  const isOwned = (ids: ReadonlySet<number>) => [...ids].every((id) => owned.has(id))
  const isClosed = parts.every((part) => isOwned('origin' in part ? freeOfRelation(part) : freeOf(part.query)))
  return (beside) => isClosed && (beside === undefined || isOwned(freeOfTerm(beside)))
}
