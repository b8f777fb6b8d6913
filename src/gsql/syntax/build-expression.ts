// Expressions, from parse tree to syntax tree.
import type { ParserRuleContext, TerminalNode } from 'antlr4ng'
import type { Arithmetic, Comparison, Expression, Query } from './ast.ts'
import { integer, decimal, variableName, nameWord, anyNameWord, unquote, at, optional } from './build-word.ts'
import { scriptFault } from '../fault.ts'
import * as tree from './generated/GsSqlParser.ts'

/** Operations one inside the other, as in a + b + c + ...: every walk of the tree recurses that deep. */
const maxDepth = 500

/** The surroundings of an expression: its depth, and the builder of queries inside it. */
type Inside = { readonly depth: number; readonly buildQuery: (context: tree.QueryContext) => Query }

/** Expressions hold queries, and queries expressions: each builder is given the other. */
export const expressionBuilder =
  (buildQuery: Inside['buildQuery']) =>
  (context: tree.ExpressionContext): Expression =>
    expression(context, { depth: 0, buildQuery })

// Operators of one rank lean to the left, so a long chain of them is a deep tree. The left edge is walked down in a
// loop, and the depth of the operands there is counted before anything recurses into them.

const expression = (context: tree.ExpressionContext, inside: Inside): Expression => {
  const [first, tails] = leftEdge(context, (one) =>
    one instanceof tree.PlainContext || one instanceof tree.NotContext ? null : leftOf(one),
  )
  let left =
    first instanceof tree.NotContext
      ? ({
          kind: 'not',
          at: at(first),
          operand: expression(first.expression(), deeper(under(inside, tails.length), first)),
        } as const)
      : value((first as tree.PlainContext).value(), under(inside, tails.length))
  for (const [index, tail] of tails.entries()) left = condition(left, tail, under(inside, tails.length - index))
  return left
}

const leftOf = (context: tree.ExpressionContext) => context.getRuleContext(0, tree.ExpressionContext)

/** The operator that joins the operand on its left, built already, with the one on its right. */
const condition = (operand: Expression, context: tree.ExpressionContext, inside: Inside): Expression => {
  const negated = context.getTokens(tree.GsSqlParser.NOT).length > 0
  const sign = context.children[1] as TerminalNode
  const position = operand.at
  if (context instanceof tree.AndContext || context instanceof tree.OrContext) {
    const operator = context instanceof tree.AndContext ? 'and' : 'or'
    const right = expression(context.expression(1)!, deeper(inside, context))
    // a AND b AND c is one list and not a tree, however long.
    if (operand.kind === 'logic' && operand.operator === operator && !isNested(context.expression(0)!))
      return { ...operand, operands: [...operand.operands, right] }
    return { kind: 'logic', at: position, operator, operands: [operand, right] }
  }
  if (context instanceof tree.CompareContext)
    return {
      kind: 'comparison',
      at: position,
      operator: comparisonOf(sign.getText()),
      left: operand,
      right: value(context.value(), deeper(inside, context)),
    }
  if (context instanceof tree.IsNullContext)
    return { kind: 'is null', at: position, negated: negated || context.NOTNULL() !== null, operand }
  if (context instanceof tree.LikeContext)
    return {
      kind: 'like',
      at: position,
      negated,
      operand,
      pattern: value(context.value(0)!, deeper(inside, context)),
      escape: optional(context.value(1), (one) => value(one, deeper(inside, context))),
    }
  if (context instanceof tree.InQueryContext)
    return { kind: 'in query', at: position, negated, operand, query: inside.buildQuery(context.query()) }
  if (context instanceof tree.InListContext)
    return {
      kind: 'in list',
      at: position,
      negated,
      operand,
      list: context
        .expression()
        .slice(1)
        .map((one) => expression(one, deeper(inside, context))),
    }
  const between = context as tree.BetweenContext
  return {
    kind: 'between',
    at: position,
    negated,
    operand,
    low: value(between.value(0)!, deeper(inside, context)),
    high: value(between.value(1)!, deeper(inside, context)),
  }
}

const isNested = (context: tree.ExpressionContext) =>
  context instanceof tree.PlainContext && context.value() instanceof tree.NestedContext

const comparisonOf = (sign: string): Comparison => (sign === '==' ? '=' : sign === '!=' ? '<>' : (sign as Comparison))

const value = (context: tree.ValueContext, inside: Inside): Expression => {
  const [first, tails] = leftEdge(context, (one) =>
    one instanceof tree.ProductContext || one instanceof tree.SumContext ? one.value(0) : null,
  )
  let left = primary(first, deeper(under(inside, tails.length), first))
  for (const [index, tail] of tails.entries()) {
    const sign = tail.children[1] as TerminalNode
    const right = (tail as tree.ProductContext | tree.SumContext).value(1)!
    left = {
      kind: 'arithmetic',
      at: left.at,
      sign: at(sign),
      operator: sign.getText() as Arithmetic,
      left,
      right: value(right, deeper(under(inside, tails.length - index), right)),
    }
  }
  return left
}

/** The leftmost operand, and the operators above it from the innermost to the outermost. */
const leftEdge = <T extends ParserRuleContext>(context: T, left: (context: T) => T | null): [T, readonly T[]] => {
  const operators: T[] = []
  let first = context
  for (let next = left(first); next; next = left(first)) {
    operators.push(first)
    first = next
  }
  return [first, operators.toReversed()]
}

const primary = (context: tree.ValueContext, inside: Inside): Expression => {
  const position = at(context)
  const below = (inner: tree.ExpressionContext) => expression(inner, deeper(inside, inner))
  if (context instanceof tree.IntegerContext)
    return { kind: 'literal', at: position, value: integer(context.INTEGER(), false) }
  if (context instanceof tree.DecimalContext) return { kind: 'literal', at: position, value: decimal(context) }
  if (context instanceof tree.DurationContext) return { kind: 'duration', at: position, text: context.getText() }
  if (context instanceof tree.TextContext) return { kind: 'literal', at: position, value: unquote(context.getText()) }
  if (context instanceof tree.TrueContext) return { kind: 'literal', at: position, value: true }
  if (context instanceof tree.FalseContext) return { kind: 'literal', at: position, value: false }
  if (context instanceof tree.NullContext) return { kind: 'literal', at: position, value: null }
  if (context instanceof tree.VariableContext)
    return { kind: 'variable', at: position, name: variableName(context.VARIABLE()), text: context.getText() }
  if (context instanceof tree.CastContext)
    return {
      kind: 'cast',
      at: position,
      operand: below(context.expression()),
      type: anyNameWord(context.anyName()),
      lenient: context.TRY_CAST() !== null,
    }
  if (context instanceof tree.CaseContext) return caseOf(context, below)
  if (context instanceof tree.ExistsContext)
    return { kind: 'exists', at: position, query: inside.buildQuery(context.query()) }
  if (context instanceof tree.CallContext)
    return {
      kind: 'call',
      at: position,
      name: context.functionName().getText(),
      distinct: context.DISTINCT() !== null,
      star: context.STAR() !== null,
      arguments: context.expression().map(below),
    }
  if (context instanceof tree.QualifiedColumnContext) {
    const [table, name] = context.anyName().map(anyNameWord).slice(-2)
    return { kind: 'column', at: position, table: table!, name: name!.text }
  }
  if (context instanceof tree.ColumnContext)
    return { kind: 'column', at: position, table: undefined, name: nameWord(context.name()).text }
  if (context instanceof tree.QuotedContext) return { kind: 'quoted', at: position, text: unquote(context.getText()) }
  if (context instanceof tree.ScalarQueryContext)
    return { kind: 'scalar query', at: position, query: inside.buildQuery(context.query()) }
  if (context instanceof tree.NestedContext) return below(context.expression())
  return signed(context as tree.SignContext, inside)
}

const signed = (context: tree.SignContext, inside: Inside): Expression => {
  const negative = context.MINUS() !== null
  const inner = context.value()
  // The least LONG has no positive twin, so a sign before digits is part of the number.
  if (inner instanceof tree.IntegerContext)
    return { kind: 'literal', at: at(context), value: integer(inner.INTEGER(), negative) }
  return { kind: 'sign', at: at(context), negative, operand: value(inner, deeper(inside, context)) }
}

const caseOf = (context: tree.CaseContext, below: (inner: tree.ExpressionContext) => Expression): Expression => {
  // Without the branches, the operand before WHEN and the value after ELSE are left.
  const others = context.expression()
  const operand = context.children[1] instanceof tree.WhenClauseContext ? undefined : others[0]
  const otherwise = context.ELSE() ? others.at(-1) : undefined
  return {
    kind: 'case',
    at: at(context),
    operand: operand && below(operand),
    branches: context
      .whenClause()
      .map((one) => ({ when: below(one.expression(0)!), result: below(one.expression(1)!) })),
    otherwise: otherwise && below(otherwise),
  }
}

const under = (inside: Inside, operations: number): Inside => ({ ...inside, depth: inside.depth + operations })

const deeper = (inside: Inside, context: ParserRuleContext): Inside => {
  if (inside.depth >= maxDepth) throw scriptFault(at(context), `more than ${maxDepth} operations inside each other`)
  return under(inside, 1)
}
