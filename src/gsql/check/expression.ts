// Expressions: names become columns and variables, operators become typed terms (grammar/REFERENCE.md#values).
import { shorten } from '../../base/errors.ts'
import type { Expression } from '../syntax/ast.ts'
import { checkCall } from './call.ts'
import { choose, compare, comparedAs, condition, isLongBesideDouble } from './compare.ts'
import { scriptFault, suggestion } from '../fault.ts'
import type { Term } from '../plan/plan.ts'
import { columnNamed, unknownColumn } from './scope.ts'
import type { Checking, Place } from './scope.ts'
import { sizeOf } from '../plan/terms.ts'
import { apply, constant, convert, infix, numberType, site, toAny, toNumber, toText, typeOf } from './types.ts'

/** The most terms of all expressions in a statement that write an operand more than once. */
const maxSize = 70_000

export const checkExpression = (checking: Checking, expression: Expression, place: Place): Term => {
  const term = termOf(checking, expression, place)
  const isAlias = isName(expression) && term.kind !== 'column' && term.kind !== 'constant'
  if (!isAlias && !repeats(expression)) return term
  checking.size.repeated += sizeOf(term)
  if (checking.size.repeated > maxSize)
    throw scriptFault(
      expression.at,
      isAlias
        ? 'names given with AS stand for too much'
        : 'BETWEEN, IN, CASE or NullIf stand too deep inside each other',
    )
  return term
}

const isName = ({ kind }: Expression) => kind === 'column' || kind === 'quoted'

const repeats = (expression: Expression): boolean =>
  expression.kind === 'between' ||
  expression.kind === 'in list' ||
  expression.kind === 'case' ||
  (expression.kind === 'call' && expression.name.toLowerCase() === 'nullif')

const termOf = (checking: Checking, expression: Expression, place: Place): Term => {
  const check = (inner: Expression) => checkExpression(checking, inner, place)
  const { at } = expression
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value)
    case 'duration':
      throw scriptFault(at, `'${expression.text}' can only stand in Range(...)`)
    case 'variable':
      return variable(checking, expression)
    case 'column':
      return (
        columnNamed(checking, place.scope, expression.table, expression.name, at) ??
        fail(unknownColumn(place.scope, expression.table, expression.name, at))
      )
    case 'quoted':
      return columnNamed(checking, place.scope, undefined, expression.text, at) ?? constant(expression.text)
    case 'sign': {
      const given = check(expression.operand)
      const operand = toNumber(checking.sites, given, numberType([given.type]), expression.operand.at)
      if (!expression.negative) return operand
      return apply(operand.type, 'negate', [operand], site(checking.sites, at))
    }
    case 'not':
      return { kind: 'not', type: 'BOOLEAN', operand: condition(checking, expression.operand, place) }
    case 'logic':
      if (expression.operator === 'or') expression.operands.forEach(refuseJoining)
      return infix('BOOLEAN', expression.operator, ...expression.operands.map((one) => condition(checking, one, place)))
    case 'arithmetic':
      return arithmetic(checking, expression, check(expression.left), check(expression.right))
    case 'comparison':
      return compare(
        checking,
        expression.operator,
        { term: check(expression.left), at: expression.left.at },
        { term: check(expression.right), at: expression.right.at },
      )
    case 'is null':
      return { kind: 'is null', type: 'BOOLEAN', negated: expression.negated, operand: check(expression.operand) }
    case 'like': {
      const texts = [expression.operand, expression.pattern].map((one) => toText(check(one)))
      const { escape } = expression
      const like = escape
        ? apply('BOOLEAN', 'like_text', [...texts, toText(check(escape))], site(checking.sites, escape.at))
        : apply('BOOLEAN', 'like_text', texts)
      return negated(expression.negated, like)
    }
    case 'between': {
      const operand = { term: check(expression.operand), at: expression.operand.at }
      const low = compare(checking, '>=', operand, { term: check(expression.low), at: expression.low.at })
      const high = compare(checking, '<=', operand, { term: check(expression.high), at: expression.high.at })
      return negated(expression.negated, infix('BOOLEAN', 'and', low, high))
    }
    case 'in list':
      return negated(expression.negated, inList(checking, expression, place))
    case 'in query':
      return negated(expression.negated, inQuery(checking, expression, place))
    case 'exists':
      return { kind: 'exists', type: 'BOOLEAN', query: checking.query(expression.query, place.scope) }
    case 'scalar query': {
      const query = checking.query(expression.query, place.scope)
      if (query.columns.length !== 1)
        throw scriptFault(at, `a query used as a value needs one column, this one has ${query.columns.length}`)
      // As in SQLite, the first row is the value.
      return { kind: 'scalar query', type: query.columns[0]!.type, query }
    }
    case 'case':
      return caseOf(checking, expression, place)
    case 'cast':
      return convert(
        checking.sites,
        check(expression.operand),
        typeOf(expression.type),
        expression.operand.at,
        expression.lenient,
      )
    case 'call':
      return checkCall(checking, expression, place)
  }
}

const fail = (error: Error): never => {
  throw error
}

const variable = (checking: Checking, { name, text, at }: Extract<Expression, { kind: 'variable' }>): Term => {
  const type = checking.variables.get(name)
  if (type) return { kind: 'variable', type, name }
  const known = [...checking.variables.keys()].map((one) => `@${one.toUpperCase()}`)
  throw scriptFault(at, `unknown variable '${text}'${suggestion(text, known)}`)
}

/** In other languages || joins texts. */
const refuseJoining = (operand: Expression) => {
  if (
    operand.kind === 'literal' &&
    typeof operand.value === 'string' &&
    !/^(true|false|1|0)$/i.test(operand.value.trim())
  )
    throw scriptFault(
      operand.at,
      `'${shorten(operand.value)}' is not a BOOLEAN: || is OR, texts are joined by + or Concat`,
    )
}

const negated = (isNegated: boolean, operand: Term): Term =>
  isNegated ? { kind: 'not', type: 'BOOLEAN', operand } : operand

// ---- arithmetic ----

const names = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', '%': 'remainder' } as const

const arithmetic = (
  checking: Checking,
  expression: Extract<Expression, { kind: 'arithmetic' }>,
  left: Term,
  right: Term,
): Term => {
  const { operator, sign } = expression
  const types = [left.type, right.type]
  if (operator === '+') {
    // A text on either side makes + join; where a side's type is known by the row only, the row decides.
    if (types.includes('STRING'))
      return apply('STRING', 'join_text', [toText(left), toText(right)], site(checking.sites, sign))
    if (types.includes('ANY')) return apply('ANY', 'add', [toAny(left), toAny(right)], site(checking.sites, sign))
  }
  const type = numberType(types)
  if (type === 'ANY') {
    const sites = [expression.left, expression.right].map(({ at }) => constant(BigInt(site(checking.sites, at))))
    return apply('ANY', names[operator], [toAny(left), toAny(right), ...sites], site(checking.sites, sign))
  }
  const a = toNumber(checking.sites, left, type, expression.left.at)
  const b = toNumber(checking.sites, right, type, expression.right.at)
  return apply(type, names[operator], [a, b], site(checking.sites, sign))
}

const inList = (checking: Checking, expression: Extract<Expression, { kind: 'in list' }>, place: Place): Term => {
  const operand = { term: checkExpression(checking, expression.operand, place), at: expression.operand.at }
  const list = expression.list.map((one) => ({ term: checkExpression(checking, one, place), at: one.at }))
  if (list.length === 0) return constant(false)
  const type = operand.term.type
  if (type !== 'ANY' && type !== 'NULL' && list.every(({ term }) => term.type === type || term.type === 'NULL'))
    return {
      kind: 'in list',
      type: 'BOOLEAN',
      operand: operand.term,
      list: list.map(({ term, at }) => convert(checking.sites, term, type, at)),
    }
  return infix('BOOLEAN', 'or', ...list.map((one) => compare(checking, '=', operand, one)))
}

const inQuery = (checking: Checking, expression: Extract<Expression, { kind: 'in query' }>, place: Place): Term => {
  const operand = checkExpression(checking, expression.operand, place)
  const query = checking.query(expression.query, place.scope, (types) => {
    if (types.length === 1)
      return [isLongBesideDouble(operand.type, types[0]!) ? 'ANY' : comparedAs(operand.type, types[0]!)]
    throw scriptFault(expression.query.at, `IN needs a query with one column, this one has ${types.length}`)
  })
  return {
    kind: 'in query',
    type: 'BOOLEAN',
    operand: convert(checking.sites, operand, query.columns[0]!.type, expression.operand.at),
    query,
    site: site(checking.sites, expression.query.at),
  }
}

// ---- CASE ----

const caseOf = (checking: Checking, expression: Extract<Expression, { kind: 'case' }>, place: Place): Term => {
  const operand = expression.operand && {
    term: checkExpression(checking, expression.operand, place),
    at: expression.operand.at,
  }
  const branches = expression.branches.map(({ when, result }) => ({
    when: operand
      ? compare(checking, '=', operand, { term: checkExpression(checking, when, place), at: when.at })
      : condition(checking, when, place),
    result: { term: checkExpression(checking, result, place), at: result.at },
  }))
  const { otherwise } = expression
  const last = otherwise
    ? { term: checkExpression(checking, otherwise, place), at: otherwise.at }
    : { term: constant(null), at: expression.at }
  return choose(checking, branches, last)
}
