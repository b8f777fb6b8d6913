// Comparing, choosing and conditions: how values of two types meet.
import type { Comparison, Expression } from '../syntax/ast.ts'
import type { Position } from '../fault.ts'
import type { Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import type { Checking, Place } from './scope.ts'
import { apply, collated, commonType, constant, convert, infix, isNumber, toDouble } from './types.ts'

export const condition = (checking: Checking, expression: Expression, place: Place): Term =>
  convert(checking.sites, checking.expression(expression, place), 'BOOLEAN', expression.at)

export type Compared = { readonly term: Term; readonly at: Position }

/** Text compared with a number or a boolean is converted, or an error; ANY goes by what each row holds. */
export const compare = (checking: Checking, operator: Comparison, left: Compared, right: Compared): Term => {
  if (isLongBesideDouble(left.term.type, right.term.type)) return compareNumbers(operator, left.term, right.term)
  const [a, b] = toOneType(checking, left, right)
  if (a.type === 'ANY') return infix('BOOLEAN', operator, apply('LONG', 'compare', [a, b]), constant(0n))
  // Equality is the same in every collation, and an index only serves its own.
  return infix('BOOLEAN', operator, operator === '=' || operator === '<>' ? a : collated(a), b)
}

export const isLongBesideDouble = (a: Type, b: Type) => isNumber(a) && isNumber(b) && a !== b

/** A LONG becomes a DOUBLE where that cannot matter: one side is below 2^53. Else they are compared exactly. */
const compareNumbers = (operator: Comparison, a: Term, b: Term): Term => {
  const asDoubles = () => infix('BOOLEAN', operator, toDouble(a), toDouble(b))
  if (isSmall(a) || isSmall(b)) return asDoubles()
  const exactly = infix('BOOLEAN', operator, apply('LONG', 'compare', [a, b]), constant(0n))
  // Written twice, so that tables can be joined by it.
  return operator === '=' && a.kind === 'column' && b.kind === 'column'
    ? infix('BOOLEAN', 'and', asDoubles(), exactly)
    : exactly
}

const isSmall = (term: Term): boolean => {
  if (term.kind === 'apply' && term.name === 'negate') return isSmall(term.arguments[0]!)
  return term.kind === 'system' || (term.kind === 'constant' && Math.abs(Number(term.value)) < 2 ** 53)
}

/** Brings two sides to one type in which they can be compared. */
export const toOneType = (checking: Checking, left: Compared, right: Compared): readonly [Term, Term] => {
  const type = comparedAs(left.term.type, right.term.type)
  return [convert(checking.sites, left.term, type, left.at), convert(checking.sites, right.term, type, right.at)]
}

export const comparedAs = (a: Type, b: Type): Type => {
  if (a === b) return a === 'NULL' ? 'STRING' : a
  if (a === 'NULL') return b
  if (b === 'NULL') return a
  if (a === 'ANY' || b === 'ANY') return 'ANY'
  if (isNumber(a) && isNumber(b)) return 'DOUBLE'
  // The remaining pairs: text with a number, text with a boolean, a boolean with a number.
  if (a === 'STRING' || b === 'STRING') return a === 'BOOLEAN' || b === 'BOOLEAN' ? 'BOOLEAN' : 'DOUBLE'
  return a === 'BOOLEAN' ? b : a
}

export const choose = (
  checking: Checking,
  branches: readonly { readonly when: Term; readonly result: Compared }[],
  otherwise: Compared,
): Term => {
  const type = commonType([...branches.map(({ result }) => result.term.type), otherwise.term.type])
  return {
    kind: 'choose',
    type,
    branches: branches.map(({ when, result }) => ({
      when,
      result: convert(checking.sites, result.term, type, result.at),
    })),
    otherwise: convert(checking.sites, otherwise.term, type, otherwise.at),
  }
}
