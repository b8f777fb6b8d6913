// Queries: SELECT lists, VALUES, grouping, set operators and common tables.
import type { Expression, OrderTerm, Query, SelectBody, ValuesBody, Word } from '../syntax/ast.ts'
import { condition } from './compare.ts'
import { maxColumns, refuseMore, scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { CommonPlan, JoinPlan, QueryPlan, Relation, SelectPlan, Term, ValuesPlan } from '../plan.ts'
import type { Type } from '../value.ts'
import { columnOf, same } from './scope.ts'
import type { Checking, Common, Place, Scope } from './scope.ts'
import { hasAggregate, mapTerm, someTerm } from '../terms.ts'
import { noteFilters, noteStream } from './asked-before.ts'
import { checkFrom, noteQueries } from './from.ts'
import { orderByResult, orderOf, positionOf } from './order.ts'
import type { Item, Ordered } from './order.ts'
import { commonType, convert } from './types.ts'

/** Rows of items: one of a SELECT, any number of VALUES. */
type Body = {
  readonly at: Position
  readonly items: readonly (readonly Item[])[]
  /** How many of the items are the result; those behind are there for ORDER BY. */
  readonly shown: number
  readonly plan: (rows: readonly (readonly Term[])[]) => SelectPlan | ValuesPlan
  readonly order: readonly Ordered[]
}

export const maxTerms = 500

// What Postgres plans: a chain of 100 common tables took it 1 to 4 s, one of 600 up to 120 s, and most of that without
// a look at the clock.
/** Of a statement, wherever they stand. */
export const maxCommonTables = 50
/** Of one GROUP BY or ORDER BY. */
export const maxKeys = 100

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

// ---- VALUES ----

const checkValues = (checking: Checking, body: ValuesBody, scope: Scope): Body => ({
  at: body.at,
  // Of the first row: the others must have as many.
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

// ---- SELECT ----

const checkSelect = (checking: Checking, body: SelectBody, outer: Scope, orderBy: readonly OrderTerm[]): Body => {
  const from = checkFrom(checking, body.from, outer)
  const tables: Scope = {
    around: outer,
    relations: from.map(({ relation }) => relation),
    commons: outer.commons,
    alias: () => undefined,
  }
  const raw: Place = { scope: tables, aggregates: true }
  const checkedItems = new Map<Expression, Term>()
  const checkItem = (value: Expression): Term => {
    const known = checkedItems.get(value)
    if (known) return known
    const term = checking.expression(value, raw)
    checkedItems.set(value, term)
    return term
  }
  const aliases = new Map<string, Expression>()
  for (const item of body.items) {
    const name = item.kind === 'one' ? item.alias?.text.toLowerCase() : undefined
    if (item.kind === 'one' && name !== undefined && !aliases.has(name)) aliases.set(name, item.value)
  }
  const aliased = (name: string) => aliases.get(name.toLowerCase())
  const scope: Scope = {
    ...tables,
    alias: (name) => {
      const value = aliased(name)
      return value && checkItem(value)
    },
  }
  const plain = (value: Expression, where: string, check = checking.expression) => {
    const term = check(value, { scope, aggregates: where })
    if (hasAggregate(term)) throw scriptFault(value.at, `an aggregate cannot stand ${where}`)
    return term
  }

  const where = body.where && plain(body.where, 'in WHERE', (value, place) => condition(checking, value, place))
  refuseMore(body.items, maxColumns, 'columns', ({ at }) => at)
  refuseMore(body.groupBy, maxKeys, 'terms in GROUP BY', ({ at }) => at)
  const items: Item[] = []
  for (const item of body.items) {
    if (item.kind === 'one')
      items.push({ name: item.alias?.text ?? item.text, term: checkItem(item.value), at: item.value.at })
    else items.push(...starItems(checking, from, item.table, item.at))
    // Each * may double what the next one stands for.
    if (items.length > maxColumns) throw scriptFault(item.at, `more than ${maxColumns} columns`)
  }
  const keys = body.groupBy.map((value) => {
    const position = positionOf(value, items.length, 'GROUP BY')
    const term = position === undefined ? plain(value, 'in GROUP BY') : items[position]!.term
    if (hasAggregate(term)) throw scriptFault(value.at, 'an aggregate cannot stand in GROUP BY')
    return term
  })
  const having = body.having && condition(checking, body.having, { scope, aggregates: true })
  const ordered = orderBy.map((one) => ({ one, found: orderOf(checking, one, items, scope, aliased) }))

  const terms = [
    ...items.map(({ term }) => term),
    ...(having ? [having] : []),
    ...ordered.flatMap(({ found }) => found.term ?? []),
  ]
  const isGrouped = keys.length > 0 || terms.some(hasAggregate)
  if (having && !isGrouped) throw scriptFault(body.having.at, 'HAVING needs GROUP BY or an aggregate')
  const group = isGrouped ? { id: checking.nextId(), keys } : undefined
  const regroup = group ? regrouping(checking, group, from) : (term: Term) => term

  const all: Item[] = items.map(({ name, term, at }) => ({ name, term: regroup(term), at }))
  const shown = all.length
  const columnOfTerm = new Map<number, number>()
  for (const [index, { term }] of all.entries()) {
    const key = checking.keyOf(term)
    if (!columnOfTerm.has(key)) columnOfTerm.set(key, index)
  }
  const order = ordered.map(({ one, found }): Ordered => {
    const term = found.term && regroup(found.term)
    let column = found.column
    if (term) {
      const key = checking.keyOf(term)
      column = columnOfTerm.get(key)
      if (column === undefined) {
        if (body.distinct) throw scriptFault(one.value.at, 'ORDER BY beside DISTINCT must name a column of the SELECT')
        column = all.push({ name: '', term, at: one.value.at }) - 1
        columnOfTerm.set(key, column)
      }
    }
    return { column: column!, type: all[column!]!.term.type, descending: one.descending, nulls: one.nulls }
  })
  for (const index of from.keys()) noteStream(checking, from, index, where, body.at)
  noteFilters(checking, from, where)
  return {
    at: body.at,
    items: [all],
    shown,
    plan: ([row]) => ({
      kind: 'select',
      distinct: body.distinct,
      items: row!,
      from: numberedFrom(from, terms),
      where,
      group,
      having: having && regroup(having),
    }),
    order,
  }
}

/** Tables whose rows an aggregate takes in their order have them counted. */
const numberedFrom = (from: readonly JoinPlan[], terms: readonly Term[]): readonly JoinPlan[] => {
  const counted = new Set<number>()
  for (const term of terms)
    someTerm(term, (part) => {
      if (part.kind === 'aggregate' && Array.isArray(part.by))
        for (const { id } of part.by as readonly Relation[]) counted.add(id)
      return false
    })
  if (counted.size === 0) return from
  return from.map((join) =>
    counted.has(join.relation.id) ? { ...join, relation: { ...join.relation, isNumbered: true } } : join,
  )
}

const starItems = (
  checking: Checking,
  from: readonly JoinPlan[],
  table: Word | undefined,
  at: Position,
): readonly Item[] => {
  if (from.length === 0) throw scriptFault(at, '* needs FROM')
  const relations = from.map(({ relation }) => relation)
  const chosen = table ? relations.filter((one) => one.name && same(one.name, table.text)) : relations
  if (chosen.length === 0) {
    const names = relations.flatMap((one) => one.name ?? [])
    throw scriptFault(table!.at, `unknown table '${table!.text}'${suggestion(table!.text, names)}`)
  }
  return chosen.flatMap((relation) =>
    relation.columns.flatMap((column, index) =>
      column.hidden ? [] : [{ name: column.name, term: columnOf(checking, relation, index, at), at }],
    ),
  )
}

/** In a grouped SELECT, what equals a group's key is the key; columns outside an aggregate are an error. */
const regrouping = (
  { keyOf }: Checking,
  group: NonNullable<SelectPlan['group']>,
  from: readonly JoinPlan[],
): ((term: Term) => Term) => {
  const own = new Set(from.map(({ relation }) => relation.id))
  const keys = new Map(group.keys.map((key, index) => [keyOf(key), index]))
  const replace = (part: Term, isInner: boolean): Term | undefined => {
    // The aggregates of a query inside are its own; the columns that it takes from here are not.
    if (part.kind === 'aggregate' && !isInner) return part
    const key = keys.get(keyOf(part))
    if (key !== undefined) return { kind: 'key', type: part.type, group: group.id, key }
    if (part.kind === 'column' && own.has(part.relation.id)) {
      const name = part.relation.columns[part.column]?.name ?? 'sample'
      throw scriptFault(part.at, `column '${name}' must stand in GROUP BY or in an aggregate`)
    }
    return undefined
  }
  return (term) => mapTerm(term, replace)
}
