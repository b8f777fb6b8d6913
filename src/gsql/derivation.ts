// The expressions of derived streams (docs/management.md#derived-streams): GS SQL's scalar expressions over named
// variables. Here they are read and checked when they are saved, and made SQL for what derives; every number in them is
// a DOUBLE, so that 5 / 9 is not 0.
//
//   (temp - 32) * 5 / 9        if(kw > 10, 1, 0)
import { sqlCode } from '../base/database/sql.ts'
import { Fault, shorten } from '../base/errors.ts'
import { tookTooLong } from '../core/derive/expression.ts'
import type { CompileExpression } from '../core/derive/expression.ts'
import { mostTextLength } from '../core/sample/value.ts'
import type { ValueType } from '../core/stream.ts'
import { bind } from './run/bind.ts'
import { emitDerived } from './emit/emit.ts'
import type { Expression } from './syntax/ast.ts'
import { buildExpression } from './syntax/build-query.ts'
import { scriptFault, suggestion } from './fault.ts'
import type { Position } from './fault.ts'
import { parseDerivation } from './syntax/parse.ts'
import type { Relation, Term } from './plan/plan.ts'
import type { Type } from './value.ts'
import { someTerm } from './plan/terms.ts'
import { cellFromText } from './text/cell.ts'
import { openChecking } from './check/checking.ts'
import { emptyScope, same } from './check/scope.ts'
import type { Checking } from './check/scope.ts'
import { convert, toText } from './check/types.ts'
import { faultOf } from './run/run-fault.ts'
import { emptyFacts } from './run/stream-facts.ts'

export type Derivation = {
  readonly expression: Expression
  /** Where a variable is first used. */
  readonly placeOf: (variable: string) => Position
}

const maxBytes = 40_000

/** Throws the errors that hold for all types of its variables. */
export const readDerivation = (text: string, variables: readonly string[]): Derivation => {
  const expression = withDoubles(buildExpression(parseDerivation(text, maxBytes)))
  const places = new Map<string, Position>()
  for (const node of nodesOf(expression)) {
    if (node.kind === 'exists' || node.kind === 'scalar query' || node.kind === 'in query')
      throw scriptFault(node.at, "a query cannot stand in a stream's expression")
    if (node.kind !== 'column' && node.kind !== 'quoted') continue
    const name = node.kind === 'column' ? node.name : node.text
    const variable = variables.find((one) => same(one, name))
    if (node.kind === 'column' && (variable === undefined || node.table))
      throw scriptFault(node.at, `unknown variable '${name}'${suggestion(name, variables)}`)
    if (variable !== undefined && !places.has(variable)) places.set(variable, node.at)
  }
  return { expression, placeOf: (variable) => places.get(variable) ?? expression.at }
}

/** The type of its value, given those of its variables; throws where they do not go together. */
export const typeOfDerivation = (derivation: Derivation, variables: ReadonlyMap<string, Type>): Type =>
  checkedTerm(derivation, variables).term.type

const checkedTerm = (
  { expression }: Derivation,
  variables: ReadonlyMap<string, Type>,
): { readonly term: Term; readonly checking: Checking } => {
  const relation: Relation = {
    id: 1,
    name: undefined,
    columns: Array.from(variables, ([name, type]) => ({ name, type, hidden: false })),
    origin: { kind: 'common', common: 0 },
    isFull: false,
    isNumbered: false,
  }
  const checking = openChecking(new Map())
  const place = { scope: { ...emptyScope, relations: [relation] }, aggregates: "in a stream's expression" }
  const term = checking.expression(expression, place)
  refuseImpossible(term, checking.sites.positions)
  return { term, checking }
}

/** As what derives takes it (core/derive/expression.ts). */
export const compileDerivation: CompileExpression = (text, variables, valueType) => {
  const derivation = readDerivation(
    text,
    variables.map(({ name }) => name),
  )
  const { term, checking } = checkedTerm(derivation, new Map(variables.map(({ name, type }) => [name, type])))
  const { at } = derivation.expression
  const { text: value, parameters } = emitDerived(fittedTerm(checking, term, valueType, at))
  const { sites, overflows } = checking
  return {
    text: fittedText(value, term, valueType),
    constants: (nowMs, zone) => {
      const values = bind(
        parameters.map(({ parameter }) => parameter),
        { ...nothingElse, nowMs, zone },
      )
      return parameters.map(({ sqlType }, index) => ({ sqlType, value: values[index]! }))
    },
    explain: (error, timeoutMs) => {
      const code = sqlCode(error) ?? ''
      if (!/^(GS001|22|53200|54|57014)/.test(code)) return undefined
      if (code === '57014') return tookTooLong(timeoutMs)
      const fault = faultOf(error, { at, sites: sites.positions, overflows })
      return fault instanceof Fault ? fault.message : undefined
    },
  }
}

/** An expression has neither variables of scripts nor tables. */
const nothingElse = { variables: new Map(), sources: [], mostRows: 0, mostBytes: 0, facts: emptyFacts() }

const fittedTerm = (checking: Checking, term: Term, valueType: ValueType, at: Position): Term => {
  if (valueType === 'STRING' || valueType === 'FILE') return toText(term)
  if (valueType === 'LONG' && term.type === 'LONG') return term
  return convert(checking.sites, term, 'DOUBLE', at)
}

/** The value as the stream's column takes it, or the error that it does not (db/0032_derivation.sql). */
const fittedText = (value: string, { type }: Term, valueType: ValueType): string => {
  switch (valueType) {
    case 'DOUBLE':
      return `gs.derived_number(${value})`
    case 'LONG':
      return type === 'LONG' ? value : `gs.derived_long(${value})`
    case 'BOOLEAN':
      return `gs.derived_boolean(${value})`
    case 'STRING':
    case 'FILE':
      return `gs.derived_text(${value}, ${mostTextLength})`
  }
}

const conversions: ReadonlySet<string> = new Set(['long', 'double', 'boolean'])

/** A constant that becomes no number: a script says so when it comes to it, and here it would every time. */
const refuseImpossible = (term: Term, sites: readonly Position[]): void => {
  someTerm(term, (part) => {
    if (part.kind !== 'apply' || !conversions.has(part.name)) return false
    const [operand] = part.arguments
    if (operand?.kind === 'constant' && cellFromText(String(operand.value), part.type) === undefined)
      throw scriptFault(sites[part.site!]!, `'${shorten(String(operand.value))}' is not a ${part.type}`)
    return false
  })
}

const withDoubles = (expression: Expression): Expression =>
  mapNodes(expression, (node) =>
    node.kind === 'literal' && typeof node.value === 'bigint' ? { ...node, value: Number(node.value) } : node,
  ) as Expression

const isNode = (value: object): value is Expression => 'kind' in value && 'at' in value

const mapNodes = (value: unknown, map: (node: Expression) => Expression): unknown => {
  if (Array.isArray(value)) return value.map((one) => mapNodes(one, map))
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapNodes(one, map)]))
  return isNode(inside) ? map(inside) : inside
}

const nodesOf = (value: unknown): readonly Expression[] => {
  const found: Expression[] = []
  mapNodes(value, (node) => {
    found.push(node)
    return node
  })
  return found
}
