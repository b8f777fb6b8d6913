// A query that only copies columns and constants has nothing for Postgres to work out: its rows are the source's own.
// Connectors are full of them, and each saves a round trip that would carry every value there and back.
//
//   SELECT dev, 'temp', t, temp FROM JSON_TABLE(@HTTP_BODY) WITH (...) UNION ALL SELECT dev, 'hum', t, hum FROM ...
import { shownValue } from './text/any.ts'
import type { QueryPlan, SelectPlan, Term, ValuesPlan } from './plan/plan.ts'
import type { Type, Value } from './value.ts'
import type { Rows } from './text/rows.ts'
import { typeOfValue } from './check/types.ts'

export type Cell =
  | { readonly kind: 'column'; readonly column: number; readonly type: Type }
  | { readonly kind: 'fixed'; readonly term: Term }

/** `source`: its number in the statement. */
export type Copy = readonly { readonly source: number | undefined; readonly cells: readonly Cell[] }[]

/** undefined: the query does more than that. */
export const copyOf = (query: QueryPlan): Copy | undefined => {
  if (query.commons.length > 0 || query.order.length > 0 || query.limit || query.offset) return undefined
  const parts = query.terms.flatMap(({ operator, body }) =>
    operator === undefined || operator === 'union all' ? copyOfBody(body) : [undefined],
  )
  return parts.includes(undefined) ? undefined : (parts as Copy)
}

const copyOfBody = (body: SelectPlan | ValuesPlan): readonly (Copy[number] | undefined)[] => {
  if (body.kind === 'values') return body.rows.map((row) => copyOfItems(row, undefined))
  if (body.distinct || body.where || body.group || body.having || body.from.length > 1) return [undefined]
  const origin = body.from[0]?.relation.origin
  if (!origin) return [copyOfItems(body.items, undefined)]
  if (origin.kind !== 'source' || origin.source.asked) return [undefined]
  return [copyOfItems(body.items, origin.source.index)]
}

const copyOfItems = (items: readonly Term[], source: number | undefined): Copy[number] | undefined => {
  const cells = items.map(cellOf)
  return cells.includes(undefined) ? undefined : { source, cells: cells as Cell[] }
}

const cellOf = (term: Term): Cell | undefined => {
  if (term.kind === 'constant' || term.kind === 'variable' || term.kind === 'system') return { kind: 'fixed', term }
  if (term.kind === 'column')
    return term.relation.origin.kind === 'source' ? { kind: 'column', column: term.column, type: term.type } : undefined
  // A value converted to any type keeps its own.
  return term.kind === 'apply' && term.name === 'any_of' ? cellOf(term.arguments[0]!) : undefined
}

/** `valueOf` gives the value of a term; `types` collects the types seen in a column of any type. */
export const copiedRows = function* (
  copy: Copy,
  sources: readonly Rows[],
  valueOf: (term: Term) => Value,
  types: readonly (Set<Type> | undefined)[],
): Generator<Value[]> {
  for (const { source, cells } of copy) {
    const rows = source === undefined ? undefined : sources[source]!
    const count = rows ? rows.count : 1
    const columns = cells.map((cell, index) => {
      if (cell.kind === 'fixed') {
        const value = valueOf(cell.term)
        if (count > 0) types[index]?.add(cell.term.type === 'ANY' ? typeOfValue(value) : cell.term.type)
        return shownValue(value)
      }
      const column = rows!.columns[cell.column]!
      if (types[index] && column.some((value) => value !== null)) types[index].add(cell.type)
      return column
    })
    for (let row = 0; row < count; row++)
      yield columns.map((column) => (Array.isArray(column) ? (column as readonly Value[])[row]! : (column as Value)))
  }
}
