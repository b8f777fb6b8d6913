// Looks through terms and queries: their parts and their size.
import type { JoinPlan, QueryPlan, Relation, Term } from './plan.ts'

/** The terms right inside a term, without those of its queries. */
export const partsOf = (term: Term): readonly Term[] => {
  switch (term.kind) {
    case 'constant':
    case 'variable':
    case 'system':
    case 'column':
    case 'key':
    case 'exists':
    case 'scalar query':
      return []
    case 'derived':
      return term.of
    case 'apply':
      return term.arguments
    case 'aggregate':
      return isTerm(term.by) ? [...term.arguments, term.by] : term.arguments
    case 'infix':
      return term.operands
    case 'not':
    case 'is null':
    case 'convert':
    case 'collate':
    case 'in query':
      return [term.operand]
    case 'in list':
      return [term.operand, ...term.list]
    case 'choose':
      return [...term.branches.flatMap(({ when, result }) => [when, result]), term.otherwise]
  }
}

export const isTerm = (by: Term | readonly Relation[] | undefined): by is Term => by !== undefined && 'kind' in by

export const queryOf = (term: Term): QueryPlan | undefined =>
  term.kind === 'exists' || term.kind === 'scalar query' || term.kind === 'in query' ? term.query : undefined

export const someTerm = (term: Term, test: (term: Term) => boolean): boolean =>
  test(term) || partsOf(term).some((part) => someTerm(part, test))

const sizes = new WeakMap<Term | QueryPlan, number>()

/**
 * The number of terms that are written for it. BETWEEN, IN and CASE write an operand once for each comparison, so that
 * a few of them inside each other can stand for millions.
 */
export const sizeOf = (term: Term): number => {
  const known = sizes.get(term)
  if (known !== undefined) return known
  const query = queryOf(term)
  const size = partsOf(term).reduce((sum, part) => sum + sizeOf(part), query ? 1 + sizeOfQuery(query) : 1)
  sizes.set(term, size)
  return size
}

const sizeOfQuery = (query: QueryPlan): number => {
  const known = sizes.get(query)
  if (known !== undefined) return known
  const commons = query.commons.map((common) => sizeOfQuery(common.query))
  const bodies = query.terms.map(({ body }) => {
    if (body.kind === 'values') return sum(body.rows.flat().map(sizeOf))
    const terms = [...body.items, body.where, ...(body.group?.keys ?? []), body.having]
    return sum(terms.map((term) => (term ? sizeOf(term) : 0))) + sizeOfFrom(body.from)
  })
  const size = 1 + sum(commons) + sum(bodies)
  sizes.set(query, size)
  return size
}

/** A FULL JOIN writes all that it joins twice. */
export const sizeOfFrom = (from: readonly JoinPlan[]): number =>
  from.reduce((before, { join, relation, on }) => {
    const own = (relation.origin.kind === 'query' ? sizeOfQuery(relation.origin.query) : 1) + (on ? sizeOf(on) : 0)
    return (before + own) * (join === 'full' ? 2 : 1)
  }, 0)

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

export const hasAggregate = (term: Term) => someTerm(term, ({ kind }) => kind === 'aggregate')

/** Whether working it out can end in an error of the script. */
export const canFail = (term: Term) =>
  someTerm(term, (one) => (one.kind === 'apply' && one.site !== undefined) || queryOf(one) !== undefined)

/** The parts of a condition that must all hold. */
export const conjuncts = (condition: Term | undefined): readonly Term[] => {
  if (condition === undefined) return []
  return condition.kind === 'infix' && condition.operator === 'and'
    ? condition.operands.flatMap(conjuncts)
    : [condition]
}
