// ORDER BY, and the terms that GROUP BY names in the same way: by position, by alias, or by a term of its own.
import type { Expression, OrderTerm } from '../syntax/ast.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { QueryPlan, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { same } from './scope.ts'
import type { Checking, Scope } from './scope.ts'

/** One element of a SELECT's list. */
export type Item = { readonly name: string; readonly term: Term; readonly at: Position }

export type Ordered = QueryPlan['order'][number]

export const positionOf = (value: Expression, most: number, where: string): number | undefined => {
  if (value.kind !== 'literal' || typeof value.value !== 'bigint') return undefined
  const position = Number(value.value)
  if (position >= 1 && position <= most) return position - 1
  throw scriptFault(value.at, `${where} ${position} names no column, there are ${most}`)
}

const nameIn = (value: Expression): string | undefined => {
  if (value.kind === 'column' && !value.table) return value.name
  return value.kind === 'quoted' ? value.text : undefined
}

export const orderOf = (
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
export const orderByResult = (
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
