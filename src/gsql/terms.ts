// Looking through terms and queries: what they hold, whether two are the same, and replacing parts of them.
import type { CommonPlan, JoinPlan, QueryPlan, Relation, SelectPlan, Term, ValuesPlan } from './plan.ts'

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

const isTerm = (by: Term | readonly Relation[] | undefined): by is Term => by !== undefined && 'kind' in by

export const queryOf = (term: Term): QueryPlan | undefined =>
  term.kind === 'exists' || term.kind === 'scalar query' || term.kind === 'in query' ? term.query : undefined

export const someTerm = (term: Term, test: (term: Term) => boolean): boolean =>
  test(term) || partsOf(term).some((part) => someTerm(part, test))

const sizes = new WeakMap<Term | QueryPlan, number>()

/**
 * How many terms are written for it. BETWEEN, IN and CASE write an operand once for each comparison, so that a few
 * of them inside each other can stand for millions.
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

/** Whether working it out can end in an error of the script's making. */
export const canFail = (term: Term) =>
  someTerm(term, (one) => (one.kind === 'apply' && one.site !== undefined) || queryOf(one) !== undefined)

/** Equal for terms that always have the same value, wherever they stand in the statement. */
export type TermKey = (term: Term) => number

/** A term is what it is by itself and the numbers of its parts, so that a long chain of them is not written out. */
export const openTermKeys = (): TermKey => {
  const numbers = new WeakMap<Term, number>()
  const known = new Map<string, number>()
  let queries = 0
  const keyOf: TermKey = (term) => {
    const found = numbers.get(term)
    if (found !== undefined) return found
    // No two queries count as the same.
    const own = queryOf(term) ? [term.kind, ++queries] : ownKey(term)
    const key = JSON.stringify([...own, partsOf(term).map(keyOf)])
    const number = known.get(key) ?? known.size
    known.set(key, number)
    numbers.set(term, number)
    return number
  }
  return keyOf
}

const ownKey = (term: Term): readonly unknown[] => {
  switch (term.kind) {
    case 'constant':
      return ['constant', term.type, typeof term.value === 'bigint' ? `${term.value}n` : term.value]
    case 'variable':
    case 'system':
      return [term.kind, term.name]
    case 'column':
      return ['column', term.relation.id, term.column]
    case 'key':
      return ['key', term.group, term.key]
    case 'derived':
      return ['derived', term.sqlType]
    case 'apply':
      return ['apply', term.name, term.type]
    case 'aggregate':
      return ['aggregate', term.name, term.distinct]
    case 'infix':
      return ['infix', term.operator]
    case 'is null':
      return ['is null', term.negated]
    case 'convert':
      return ['convert', term.sqlType]
    case 'not':
    case 'collate':
    case 'in list':
    case 'choose':
    case 'in query':
    case 'exists':
    case 'scalar query':
      return [term.kind]
  }
}

/** Gives what stands instead, or undefined to look further inside. `isInner`: the term is part of a query inside. */
type Replace = (term: Term, isInner: boolean) => Term | undefined

export const mapTerm = (term: Term, replace: Replace, isInner = false): Term => {
  const map = (part: Term) => mapTerm(part, replace, isInner)
  const instead = replace(term, isInner)
  if (instead) return instead
  switch (term.kind) {
    case 'constant':
    case 'variable':
    case 'system':
    case 'column':
    case 'key':
    case 'derived':
      return term
    case 'apply':
      return { ...term, arguments: term.arguments.map(map) }
    case 'aggregate':
      return { ...term, arguments: term.arguments.map(map), by: isTerm(term.by) ? map(term.by) : term.by }
    case 'infix':
      return { ...term, operands: term.operands.map(map) }
    case 'not':
    case 'is null':
    case 'convert':
    case 'collate':
      return { ...term, operand: map(term.operand) }
    case 'in list':
      return { ...term, operand: map(term.operand), list: term.list.map(map) }
    case 'choose':
      return {
        ...term,
        branches: term.branches.map(({ when, result }) => ({ when: map(when), result: map(result) })),
        otherwise: map(term.otherwise),
      }
    case 'in query':
      return { ...term, operand: map(term.operand), query: mapQuery(term.query, replace) }
    case 'exists':
    case 'scalar query':
      return { ...term, query: mapQuery(term.query, replace) }
  }
}

const mapQuery = (query: QueryPlan, replace: Replace): QueryPlan => ({
  ...query,
  commons: query.commons.map((common) => ({ ...common, query: mapQuery(common.query, replace) })),
  terms: query.terms.map(({ operator, body }) => ({ operator, body: mapBody(body, replace) })),
})

const mapBody = (body: SelectPlan | ValuesPlan, replace: Replace): SelectPlan | ValuesPlan => {
  const map = (term: Term) => mapTerm(term, replace, true)
  if (body.kind === 'values') return { ...body, rows: body.rows.map((row) => row.map(map)) }
  return {
    ...body,
    items: body.items.map(map),
    from: body.from.map((join) => ({
      ...join,
      relation: mapRelation(join.relation, replace),
      on: join.on && map(join.on),
    })),
    where: body.where && map(body.where),
    group: body.group && { ...body.group, keys: body.group.keys.map(map) },
    having: body.having && map(body.having),
  }
}

/** Columns name their table by its number, so a table may be replaced by a copy. */
const mapRelation = (relation: Relation, replace: Replace): Relation =>
  relation.origin.kind === 'query'
    ? { ...relation, origin: { kind: 'query', query: mapQuery(relation.origin.query, replace) } }
    : relation

/** The parts of a condition that all must hold. */
export const conjuncts = (condition: Term | undefined): readonly Term[] => {
  if (condition === undefined) return []
  return condition.kind === 'infix' && condition.operator === 'and'
    ? condition.operands.flatMap(conjuncts)
    : [condition]
}

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

/** Tells whether these can be asked on their own, without the query around them, and a term together with them. */
export const closedOver = (parts: readonly (Relation | CommonPlan)[]): ((beside?: Term) => boolean) => {
  const owned = new Set(parts.map(({ id }) => id))
  const isOwned = (ids: ReadonlySet<number>) => [...ids].every((id) => owned.has(id))
  const isClosed = parts.every((part) => isOwned('origin' in part ? freeOfRelation(part) : freeOf(part.query)))
  return (beside) => isClosed && (beside === undefined || isOwned(freeOfTerm(beside)))
}
