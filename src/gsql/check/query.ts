// Queries: tables, SELECT lists, grouping, set operators and order.
import type { Expression, FromItem, OrderTerm, Query, SelectBody, ValuesBody, Word } from '../syntax/ast.ts'
import { condition } from './compare.ts'
import { maxColumns, refuseMore, scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { CommonPlan, JoinPlan, QueryPlan, Relation, SelectPlan, Term, ValuesPlan } from '../plan.ts'
import type { Type } from '../value.ts'
import { columnOf, same } from './scope.ts'
import type { Checking, Common, Place, Scope } from './scope.ts'
import { namedTable, samplesTable, tableFunction } from './tables.ts'
import { isOfStream } from './stream-table.ts'
import { canFail, closedOver, conjuncts, hasAggregate, mapTerm, sizeOfFrom, someTerm } from '../terms.ts'
import { commonType, convert, infix } from './types.ts'

type Item = { readonly name: string; readonly term: Term; readonly at: Position }

/** Rows of items: one of a SELECT, any number of VALUES. */
type Body = {
  readonly at: Position
  readonly items: readonly (readonly Item[])[]
  /** How many of the items are the result; those behind are there for ORDER BY. */
  readonly shown: number
  readonly plan: (rows: readonly (readonly Term[])[]) => SelectPlan | ValuesPlan
  readonly order: readonly Ordered[]
}

type Ordered = QueryPlan['order'][number]

export const maxTerms = 500

/** Terms that FULL JOINs inside each other, each of which writes all before it twice, may come to. */
const maxFullSize = 5000

// What Postgres plans: a chain of 100 common tables took it 1 to 4 s, one of 600 up to 120 s, and most of that without
// a look at the clock.
/** Of a statement, wherever they stand. */
export const maxCommonTables = 50
/** Of one FROM: to plan 24 Streams takes a backend of Postgres 40 MB, 32 take 100, and 50 took 400. */
export const maxTables = 24
/** SELECTs and VALUES of a statement, and tables that are neither. */
export const maxQueries = 1000
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

const noteQueries = ({ size }: Checking, count: number, at: Position) => {
  size.queries += count
  if (size.queries > maxQueries) throw scriptFault(at, `more than ${maxQueries} queries and tables in a statement`)
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
    else items.push(...starItems(from, item.table, item.at))
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

const starItems = (from: readonly JoinPlan[], table: Word | undefined, at: Position): readonly Item[] => {
  if (from.length === 0) throw scriptFault(at, '* needs FROM')
  const relations = from.map(({ relation }) => relation)
  const chosen = table ? relations.filter((one) => one.name && same(one.name, table.text)) : relations
  if (chosen.length === 0) {
    const names = relations.flatMap((one) => one.name ?? [])
    throw scriptFault(table!.at, `unknown table '${table!.text}'${suggestion(table!.text, names)}`)
  }
  return chosen.flatMap((relation) =>
    relation.columns.flatMap((column, index) =>
      column.hidden ? [] : [{ name: column.name, term: columnOf(relation, index, at), at }],
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

/**
 * A table made from texts of the tables before it is made of the rows only that ON and WHERE leave of those. What could
 * fail counts as long as all before it does: it may be there to be tested first. A row that ON refuses has no part in
 * the table even where LEFT JOIN keeps it.
 */
const noteFilters = ({ sources }: Checking, from: readonly JoinPlan[], where: Term | undefined) => {
  for (const [index, { relation, on }] of from.entries()) {
    const source = relation.origin.kind === 'source' ? relation.origin.source : undefined
    const asked = source?.asked
    if (!asked || asked.left.length === 0) continue
    const isClosed = closedOver([...asked.left.map((join) => join.relation), ...asked.commons])
    const concerning = (test: Term | undefined): readonly Term[] => {
      let isWhole = true
      return conjuncts(test).filter((one) => {
        const counts = (isWhole || !canFail(one)) && isClosed(one)
        isWhole &&= counts
        return counts
      })
    }
    const filters = [...concerning(on)]
    if (!hasRowsWithout(from, index)) {
      const later = from.slice(index + 1).filter(({ join }) => join !== 'left')
      filters.push(...later.flatMap((join) => concerning(join.on).filter((one) => !canFail(one))), ...concerning(where))
    }
    sources[source.index] = { ...source, asked: { ...asked, where: filters } }
  }
}

/** Streams are asked for their statistics before the query runs, so it must be known which of them it is about. */
const noteStream = (
  checking: Checking,
  from: readonly JoinPlan[],
  index: number,
  where: Term | undefined,
  at: Position,
) => {
  const { relation, join, on } = from[index]!
  if (relation.origin.kind !== 'stream') return
  const { statistics, sampleAt } = relation.origin.reading
  if (statistics.length > 0 && sampleAt)
    throw scriptFault(sampleAt, 'sample cannot stand beside sample(..., cycleId, stat) in one SELECT')
  const parts = [
    ...(join === 'right' || join === 'full' ? [] : conjuncts(on)),
    ...(join === 'left' || join === 'full' || hasRowsWithout(from, index) ? [] : conjuncts(where)),
  ]
  const own = parts.filter((part) => !someTerm(part, (term) => !isKnownOf(term, relation)) && !canFail(part))
  checking.streams.push({ relation, at, where: own.length > 0 ? infix('BOOLEAN', 'and', ...own) : undefined })
}

/** Whether a later join may make rows in which this table's columns are NULL: WHERE may be after just those. */
const hasRowsWithout = (from: readonly JoinPlan[], index: number) =>
  from.slice(index + 1).some(({ join }) => join === 'right' || join === 'full')

const isKnownOf = (term: Term, relation: Relation) =>
  term.kind !== 'column' || (term.relation.id === relation.id && isOfStream(term.column))

// ---- ORDER BY ----

const positionOf = (value: Expression, most: number, where: string): number | undefined => {
  if (value.kind !== 'literal' || typeof value.value !== 'bigint') return undefined
  const position = Number(value.value)
  if (position >= 1 && position <= most) return position - 1
  throw scriptFault(value.at, `${where} ${position} names no column, there are ${most}`)
}

const nameIn = (value: Expression): string | undefined => {
  if (value.kind === 'column' && !value.table) return value.name
  return value.kind === 'quoted' ? value.text : undefined
}

const orderOf = (
  checking: Checking,
  { value }: OrderTerm,
  items: readonly Item[],
  scope: Scope,
  aliased: (name: string) => Expression | undefined,
): { readonly column?: number; readonly term?: Term } => {
  const position = positionOf(value, items.length, 'ORDER BY')
  if (position !== undefined) return { column: position }
  const name = nameIn(value)
  const alias = name === undefined ? undefined : aliased(name)
  return { term: alias ? scope.alias(name!)! : checking.expression(value, { scope, aggregates: true }) }
}

/** Beside UNION, EXCEPT and INTERSECT the order goes by columns of the result. */
const orderByResult = (
  { value, descending, nulls }: OrderTerm,
  names: readonly string[],
  types: readonly Type[],
): Ordered => {
  const name = nameIn(value)
  const column =
    positionOf(value, names.length, 'ORDER BY') ?? names.findIndex((one) => name !== undefined && same(one, name))
  if (column < 0)
    throw scriptFault(value.at, 'ORDER BY of joined queries must name a column of the first, or its position')
  return { column, type: types[column]!, descending, nulls }
}

// ---- FROM ----

const checkFrom = (checking: Checking, items: readonly FromItem[], outer: Scope): readonly JoinPlan[] => {
  const joins: JoinPlan[] = []
  refuseMore(items, maxTables, 'tables in one FROM', ({ at }) => at)
  for (const item of items) {
    const relation = checkTable(checking, item, outer, joins)
    const relations = [...joins.map((join) => join.relation), relation]
    const scope: Scope = { around: outer, relations, commons: outer.commons, alias: () => undefined }
    const isOuter = item.join !== 'cross' && item.join !== 'inner'
    if (isOuter && !item.on) throw scriptFault(item.at, `${item.join.toUpperCase()} JOIN needs ON`)
    if (item.join === 'right' || item.join === 'full') refuseOfLeft(item, relation)
    const on = item.on && condition(checking, item.on, { scope, aggregates: 'in ON' })
    joins.push({ join: on || item.join !== 'inner' ? item.join : 'cross', relation, on })
    if (item.join === 'full' && sizeOfFrom(joins) > maxFullSize)
      throw scriptFault(item.at, 'FULL JOINs stand too deep inside each other, or after too much')
  }
  return joins
}

/** Rows that come from a row on the left have no place without it. */
const refuseOfLeft = ({ at, join }: FromItem, { name, origin }: Relation) => {
  if (origin.kind === 'source' && origin.source.asked && origin.source.asked.left.length > 0)
    throw scriptFault(at, `${name} of a column on its left cannot be joined by ${join.toUpperCase()} JOIN`)
}

const checkTable = (checking: Checking, item: FromItem, outer: Scope, left: readonly JoinPlan[]): Relation => {
  const { source } = item
  if (source.kind !== 'query') noteQueries(checking, 1, source.at)
  const found =
    source.kind === 'named'
      ? namedTable(source, outer)
      : source.kind === 'function'
        ? tableFunction(checking, source, outer, [...left])
        : source.kind === 'samples'
          ? samplesTable()
          : undefined
  if (found)
    return {
      id: checking.nextId(),
      name: item.alias?.text ?? found.name,
      columns: found.columns,
      origin: found.origin,
      isFull: item.join === 'full',
      isNumbered: false,
    }
  const query = checking.query((source as Extract<typeof source, { kind: 'query' }>).query, outer)
  return {
    id: checking.nextId(),
    name: item.alias?.text,
    columns: query.columns.map((column) => ({ ...column, hidden: false })),
    origin: { kind: 'query', query },
    isFull: item.join === 'full',
    isNumbered: false,
  }
}
