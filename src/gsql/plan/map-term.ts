// Replacing parts of terms and of the queries inside them.
import type { QueryPlan, Relation, SelectPlan, Term, ValuesPlan } from './plan.ts'
import { isTerm } from './terms.ts'

/** Gives the replacement, or undefined to look further inside. `isInner`: the term is part of a query inside. */
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
