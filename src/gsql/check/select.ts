// One SELECT: its list, its grouping, and the order of its rows.
import type { Expression, OrderTerm, SelectBody, Word } from '../syntax/ast.ts'
import { condition } from './compare.ts'
import { maxColumns, refuseMore, scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import { mapTerm } from '../plan/map-term.ts'
import type { JoinPlan, Relation, SelectPlan, Term, ValuesPlan } from '../plan/plan.ts'
import { columnOf, same } from './scope.ts'
import type { Checking, Place, Scope } from './scope.ts'
import { hasAggregate, someTerm } from '../plan/terms.ts'
import { noteFilters, noteStream } from './asked-before.ts'
import { checkFrom } from './from.ts'
import { orderOf, positionOf } from './order.ts'
import type { Item, Ordered } from './order.ts'

/** Rows of items: one of a SELECT, any number of VALUES. */
export type Body = {
  readonly at: Position
  readonly items: readonly (readonly Item[])[]
  /** The number of items that are the result; those behind are there for ORDER BY. */
  readonly shown: number
  readonly plan: (rows: readonly (readonly Term[])[]) => SelectPlan | ValuesPlan
  readonly order: readonly Ordered[]
}

/** The most of one GROUP BY or ORDER BY. */
export const maxKeys = 100

export const checkSelect = (
  checking: Checking,
  body: SelectBody,
  outer: Scope,
  orderBy: readonly OrderTerm[],
): Body => {
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
    // Each * may double the columns of the next.
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

/**
 * In a grouped SELECT, a term that equals a key of the group becomes the key; columns outside an aggregate are an
 * error.
 */
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
