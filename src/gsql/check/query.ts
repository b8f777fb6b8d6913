// Queries: common tables, SELECT and VALUES, and the operators that join them.
import type { Expression, Query, ValuesBody, Word } from '../syntax/ast.ts'
import { maxColumns, refuseMore, scriptFault } from '../fault.ts'
import type { CommonPlan, QueryPlan, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { same } from './scope.ts'
import type { Checking, Common, Place, Scope } from './scope.ts'
import { noteQueries } from './from.ts'
import { orderByResult } from './order.ts'
import type { Ordered } from './order.ts'
import { checkSelect, maxKeys } from './select.ts'
import type { Body } from './select.ts'
import { commonType, convert } from './types.ts'

export const maxTerms = 500

// Postgres plans a chain of 100 common tables in 1 to 4 s and one of 600 in up to 120 s, mostly without a look at its
// time limit.
/** The most of a statement, wherever they stand. */
export const maxCommonTables = 50
export const checkQuery = (
  checking: Checking,
  query: Query,
  outer: Scope,
  want: (types: readonly Type[]) => readonly Type[] = (types) => types,
): QueryPlan => {
  if (query.terms.length > maxTerms)
    throw scriptFault(query.terms[maxTerms]!.at, `more than ${maxTerms} queries joined by UNION, EXCEPT or INTERSECT`)
  refuseMore(query.orderBy, maxKeys, 'terms in ORDER BY', ({ value }) => value.at)
  noteQueries(checking, query.terms.length, query.at)
  const { scope, commons } = checkCommons(checking, query, outer)
  const isSingle = query.terms.length === 1
  const bodies = query.terms.map(({ body }) =>
    body.kind === 'select'
      ? checkSelect(checking, body, scope, isSingle ? query.orderBy : [])
      : checkValues(checking, body, scope),
  )
  const first = bodies[0]!.items[0]!
  const { shown } = bodies[0]!
  for (const [index, body] of bodies.entries())
    for (const row of body.items)
      if (row.length !== first.length)
        throw scriptFault(query.terms[index]!.body.at, `${row.length} columns here, but ${first.length} before`)
  const columns = first.slice(0, shown)
  const types = columns.map((_, column) =>
    commonType(bodies.flatMap((body) => body.items.map((row) => row[column]!.term.type))),
  )
  const wanted = want(types)
  const names = columns.map(({ name }) => name)
  return {
    commons,
    terms: bodies.map((body, index) => ({
      operator: query.terms[index]!.operator,
      body: body.plan(
        body.items.map((row) =>
          row.map(({ term, at }, column) =>
            column < shown ? convert(checking.sites, term, wanted[column]!, at) : term,
          ),
        ),
      ),
    })),
    columns: names.map((name, column) => ({ name, type: wanted[column]! })),
    order:
      isSingle && query.terms[0]!.body.kind === 'select'
        ? bodies[0]!.order.map((one) => typed(one, wanted[one.column]))
        : query.orderBy.map((one) => orderByResult(one, names, wanted)),
    limit: query.limit && limitOf(checking, query.limit, scope),
    offset: query.offset && limitOf(checking, query.offset, scope),
  }
}

const typed = (one: Ordered, type: Type | undefined): Ordered => (type === undefined ? one : { ...one, type })

const limitOf = (checking: Checking, expression: Expression, scope: Scope): Term => {
  const place: Place = { scope: { ...scope, relations: [], around: undefined }, aggregates: 'in LIMIT' }
  return convert(checking.sites, checking.expression(expression, place), 'LONG', expression.at)
}

const checkCommons = (checking: Checking, query: Query, outer: Scope) => {
  const visible: Common[] = [...outer.commons]
  const commons: CommonPlan[] = []
  const seen: string[] = []
  for (const { name, columns, query: inner } of query.commonTables) {
    checking.size.commons += 1
    if (checking.size.commons > maxCommonTables)
      throw scriptFault(name.at, `more than ${maxCommonTables} common tables in a statement`)
    if (seen.some((one) => same(one, name.text)))
      throw scriptFault(name.at, `common table '${name.text}' is there twice`)
    seen.push(name.text)
    const checked = checking.query(inner, { ...outer, commons: [...visible] })
    const plan: CommonPlan = { id: checking.nextId(), query: columns ? renamed(checked, name, columns) : checked }
    commons.push(plan)
    visible.push({ name: name.text, plan })
  }
  return { scope: { ...outer, commons: visible }, commons }
}

const renamed = (query: QueryPlan, table: Word, names: readonly Word[]): QueryPlan => {
  if (names.length !== query.columns.length)
    throw scriptFault(table.at, `'${table.text}' names ${names.length} columns, its query has ${query.columns.length}`)
  return { ...query, columns: query.columns.map((column, index) => ({ ...column, name: names[index]!.text })) }
}

const checkValues = (checking: Checking, body: ValuesBody, scope: Scope): Body => ({
  at: body.at,
  // The first row decides: the others must have as many.
  shown: columnCount(body.rows[0]!),
  items: body.rows.map((row) =>
    row.map((value, index) => ({
      name: `column${index + 1}`,
      term: checking.expression(value, { scope, aggregates: 'in VALUES' }),
      at: value.at,
    })),
  ),
  plan: (rows) => ({ kind: 'values', rows }),
  order: [],
})

const columnCount = (row: readonly Expression[]): number => {
  refuseMore(row, maxColumns, 'columns', ({ at }) => at)
  return row.length
}
