// The expressions of derived streams (docs/management.md#derived-streams): GS SQL's scalar expressions over named
// variables. Here they are read and checked when they are saved; every number in them is a DOUBLE, so that 5 / 9 is not
// 0.
//
//   (temp - 32) * 5 / 9        if(kw > 10, 1, 0)
import type { Expression } from './syntax/ast.ts'
import { buildExpression } from './syntax/build-query.ts'
import { shorten } from '../base/errors.ts'
import { scriptFault, suggestion } from './fault.ts'
import type { Position } from './fault.ts'
import { parseDerivation } from './syntax/parse.ts'
import type { Relation, Term } from './plan.ts'
import type { Type } from './value.ts'
import { someTerm } from './terms.ts'
import { cellFromText } from './text/cell.ts'
import { openChecking } from './check/checking.ts'
import { emptyScope, same } from './check/scope.ts'

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
export const typeOfDerivation = ({ expression }: Derivation, variables: ReadonlyMap<string, Type>): Type => {
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
  return term.type
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
