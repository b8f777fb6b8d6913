// Looking through terms and queries: what they hold, whether two are the same, and replacing parts of them.
import type { CommonPlan, JoinPlan, QueryPlan, Relation, SelectPlan, Term, ValuesPlan } from './plan.ts'

/** The terms right inside a term, without those of its queries. */
const partsOf = (term: Term): readonly Term[] => {
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

const keys = new WeakMap<Term, string>()

/** Equal for terms that always have the same value, wherever they stand in the script. */
export const termKey = (term: Term): string => {
  const known = keys.get(term)
  if (known !== undefined) return known
  const key =
    JSON.stringify(ownKey(term)) +
    partsOf(term)
      .map((part) => `(${termKey(part)})`)
      .join('')
  keys.set(term, key)
  return key
}

let queries = 0

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
      return [term.kind]
    case 'in query':
    case 'exists':
    case 'scalar query':
      // No two queries count as the same.
      return [term.kind, ++queries]
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

/** Whether these can be asked on their own, without the query that stands around them; `beside`: together with it. */
export const isClosed = (parts: readonly (Relation | CommonPlan)[], beside?: Term): boolean => {
  const owned = new Set<number>()
  const asked = new Set<number>()
  const note = (term: Term): undefined => {
    if (term.kind === 'column') asked.add(term.relation.id)
    if (term.kind === 'key') asked.add(term.group)
    const query = queryOf(term)
    if (query) own(query)
    return undefined
  }
  const own = (query: QueryPlan): void => {
    for (const common of query.commons) own(common.query)
    for (const { body } of query.terms) {
      if (body.kind === 'values') continue
      if (body.group) owned.add(body.group.id)
      for (const { relation } of body.from) ownRelation(relation)
    }
    mapQuery(query, note)
  }
  const ownRelation = (relation: Relation) => {
    owned.add(relation.id)
    if (relation.origin.kind === 'query') own(relation.origin.query)
  }
  for (const part of parts) {
    if ('origin' in part) ownRelation(part)
    else own(part.query)
  }
  if (beside) mapTerm(beside, note)
  return [...asked].every((id) => owned.has(id))
}
