// How large a query becomes when Postgres writes out the columns of its inner queries wherever they are used:
//
//   SELECT x+x x FROM (SELECT x+x x FROM (SELECT a+a x FROM ...))     a is there eight times
//
// Thirty of these inside each other, or thirty common tables, took all memory of the database server. A query that
// would become too large keeps its heavy inner queries apart: Postgres then works out their columns once.
import type { QueryPlan, Term } from '../plan/plan.ts'
import { partsOf, queryOf } from '../plan/terms.ts'

/** The most terms of a statement; the largest scripts that do not repeat themselves have some 20,000. */
const maxWeight = 200_000
/** The limit of a column of a query that is not kept apart, once a statement has become too large. */
const maxColumnWeight = 16

/** The queries of a statement, in FROM and WITH, that are to be kept apart. */
export const heavyQueries = (query: QueryPlan): ReadonlySet<QueryPlan> => {
  const nothing = new Set<QueryPlan>()
  if (weigh(query, Number.POSITIVE_INFINITY, nothing) <= maxWeight) return nothing
  const heavy = new Set<QueryPlan>()
  weigh(query, maxColumnWeight, heavy)
  return heavy
}

type Weighed = { readonly total: number; readonly columns: readonly number[] }

const weigh = (whole: QueryPlan, most: number, heavy: Set<QueryPlan>): number => {
  const queries = new Map<QueryPlan, Weighed>()
  const terms = new Map<Term, number>()
  /** Columns of tables and common tables, by id. */
  const tables = new Map<number, readonly number[]>()

  const weightOf = (term: Term): number => {
    const known = terms.get(term)
    if (known !== undefined) return known
    const inner = queryOf(term)
    const own = term.kind === 'column' ? (tables.get(term.relation.id)?.[term.column] ?? 1) : 1
    const weight = sum(partsOf(term).map(weightOf)) + own + (inner ? weighed(inner).total : 0)
    terms.set(term, weight)
    return weight
  }

  const weighed = (query: QueryPlan): Weighed => {
    const known = queries.get(query)
    if (known) return known
    let total = 0
    for (const { id, query: inner } of query.commons) {
      const common = weighed(inner)
      tables.set(id, common.columns)
      total += common.total
    }
    const columns: number[] = query.columns.map(() => 1)
    for (const { body } of query.terms) {
      if (body.kind === 'values') {
        total += sum(body.rows.flat().map(weightOf))
        continue
      }
      for (const { relation, on } of body.from) {
        const { origin } = relation
        if (origin.kind === 'common') tables.set(relation.id, tables.get(origin.common) ?? [])
        if (origin.kind === 'query') {
          const inner = weighed(origin.query)
          tables.set(relation.id, inner.columns)
          total += inner.total
        }
        if (on) total += weightOf(on)
      }
      const others = [body.where, ...(body.group?.keys ?? []), body.having]
      total += sum([...body.items, ...others].map((term) => (term ? weightOf(term) : 0)))
      for (const index of columns.keys()) columns[index] = Math.max(columns[index]!, weightOf(body.items[index]!))
    }
    const isHeavy = isFlat(query) && columns.some((weight) => weight > most)
    if (isHeavy) heavy.add(query)
    const found = { total, columns: isHeavy || !isFlat(query) ? columns.map(() => 1) : columns }
    queries.set(query, found)
    return found
  }
  return weighed(whole).total
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Whether Postgres puts the query's columns in their places in the query around it. */
const isFlat = ({ terms, order, limit, offset }: QueryPlan): boolean =>
  order.length === 0 &&
  !limit &&
  !offset &&
  terms.every(
    ({ operator, body }) =>
      (operator === undefined || operator === 'union all') &&
      body.kind === 'select' &&
      !body.distinct &&
      body.group === undefined,
  )
