// Function calls: looked up in the catalogue, counted, converted. Texts that TypeScript must prepare (patterns, zones,
// regular expressions, paths) stand in the script as literals or variables.
import type { Call, Expression } from '../syntax/ast.ts'
import { checkAggregate } from './aggregate.ts'
import { choose, compare, condition, toOneType } from './compare.ts'
import type { Compared } from './compare.ts'
import { checkSampleCall } from './sample.ts'
import { derive } from '../text/derive.ts'
import type { Derived } from '../text/derive.ts'
import { scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import { aggregates, choices, foreignNames, functionNames, functions, refuseCount } from './functions.ts'
import type { FunctionEntry, Taken } from './functions.ts'
import type { Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import type { Checking, Place } from './scope.ts'
import { tableFunctionNames } from './tables.ts'
import { apply, commonType, constant, convert, numberType, site, toNumber, toText } from './types.ts'

export const checkCall = (checking: Checking, call: Call, place: Place): Term => {
  const name = call.name.toLowerCase()
  const aggregate = aggregates.get(name)
  if (aggregate) return checkAggregate(checking, aggregate, call, place)
  if (name === 'sample' || name === '_sample') return checkSampleCall(checking, call, place)
  if (name === 'range') throw scriptFault(call.at, 'Range(...) can only stand in sample(...)')
  if (call.star) throw scriptFault(call.at, `${call.name}(*) is not known, only Count(*)`)
  if (call.distinct) throw scriptFault(call.at, `DISTINCT can only stand in aggregates, ${call.name} is not one`)
  const choice = choices.get(name)
  if (choice) {
    refuseCount(call, choice.name, choice.least, choice.most)
    return checkChoice(checking, choice.name, call, place)
  }
  const entry = functions.get(name)
  if (entry) return applyEntry(checking, entry, call, place)
  const table = tableFunctionNames.find((one) => one.toLowerCase() === name)
  if (table) throw scriptFault(call.at, `${table} is a table and stands after FROM`)
  const meant = foreignNames.get(name)
  const hint = meant === undefined ? suggestion(call.name, functionNames) : `, did you mean ${meant}?`
  throw scriptFault(call.at, `unknown function '${call.name}'${hint}`)
}

const applyEntry = (checking: Checking, entry: FunctionEntry, call: Call, place: Place): Term => {
  refuseCount(call, entry.name, entry.takes.length - entry.optional, entry.takes.length)
  if (entry.name === 'Now') return { kind: 'system', type: 'LONG', name: 'now' }
  const given = call.arguments.map((one): Compared => ({ term: checking.expression(one, place), at: one.at }))
  const numbers = numberType(given.flatMap(({ term }, index) => (entry.takes[index] === 'NUMBER' ? term.type : [])))
  const terms = entry.takes.flatMap((taken, index): readonly Term[] => {
    const one = given[index]
    if (!one) return taken === 'ZONE' ? [{ kind: 'system', type: 'STRING', name: 'zone' }] : []
    return argument(checking, entry, taken, one, given, numbers)
  })
  const type = entry.gives === 'NUMBER' ? numbers : entry.gives
  const failsAt = typeof entry.fails === 'number' ? given[entry.fails]!.at : call.at
  return apply(type, entry.sql, terms, entry.fails === false ? undefined : site(checking.sites, failsAt))
}

const argument = (
  checking: Checking,
  entry: FunctionEntry,
  taken: Taken,
  { term, at }: Compared,
  given: readonly Compared[],
  numbers: Type,
): readonly Term[] => {
  const prepared = (what: string, sqlType: string, kind: Extract<Derived, { at: Position }>['kind']) =>
    derivedFrom([fixed({ term, at }, entry.name, what)], sqlType, { kind, at } as Derived)
  switch (taken) {
    case 'NUMBER':
      return [toNumber(checking.sites, term, numbers, at)]
    case 'ZONE':
      if (!isFixed(term)) return [apply('STRING', 'zone', [toText(term)], site(checking.sites, at))]
      return [prepared('zone', 'text', 'zone')]
    case 'UNIT':
      return [prepared('unit', 'text', 'unit')]
    case 'READ PATTERN':
      return [
        prepared('pattern', 'text', 'read expression'),
        prepared('pattern', 'text', 'read fields'),
        prepared('pattern', 'int4[]', 'read starts'),
      ]
    case 'WRITE PATTERN':
      return [prepared('pattern', 'text[]', 'write pattern')]
    case 'PATH':
      return [prepared('path', 'text[]', 'path keys'), prepared('path', 'jsonb', 'path steps')]
    case 'EXPRESSION':
    case 'REPLACEMENT': {
      const texts = given.slice(1).map((one) => fixed(one, entry.name, 'regular expression and its replacement'))
      const kind = taken === 'EXPRESSION' ? 'expression' : 'replacement'
      return [derivedFrom(texts, 'text', { kind, at: given[1]!.at, replacementAt: given[2]!.at })]
    }
    case 'STRING':
    case 'LONG':
    case 'DOUBLE':
    case 'BOOLEAN':
    case 'ANY':
      return [convert(checking.sites, term, taken, at)]
  }
}

const isFixed = (term: Term) => term.kind === 'constant' || term.kind === 'variable'

const fixed = ({ term, at }: Compared, name: string, what: string): Term => {
  if (isFixed(term)) return term
  throw scriptFault(at, `the ${what} of ${name} must be a text in quotes or a @variable`)
}

/** Worked out at once when it depends on literals alone, so that a mistake shows when the script is saved. */
const derivedFrom = (of: readonly Term[], sqlType: string, derived: Derived): Term => {
  const values = of.flatMap((one) => (one.kind === 'constant' ? [one.value] : []))
  if (values.length < of.length) return { kind: 'derived', type: 'STRING', sqlType, of, derived }
  return { kind: 'derived', type: 'STRING', sqlType, of, derived: { kind: 'known', value: derive(derived, values) } }
}

// ---- functions whose arguments decide ----

const checkChoice = (checking: Checking, name: string, call: Call, place: Place): Term => {
  const check = (expression: Expression): Compared => ({
    term: checking.expression(expression, place),
    at: expression.at,
  })
  switch (name) {
    case 'If':
    case 'Iif': {
      const [when, result, otherwise] = call.arguments
      return choose(
        checking,
        [{ when: condition(checking, when!, place), result: check(result!) }],
        otherwise ? check(otherwise) : { term: constant(null), at: call.at },
      )
    }
    case 'Concat':
      return call.arguments
        .map((one) => toText(check(one).term))
        .reduce(
          (left, right) => apply('STRING', 'concat_text', [left, right], site(checking.sites, call.at)),
          constant(''),
        )
    case 'NullIf': {
      const [left, right] = call.arguments.map(check)
      const equal = compare(checking, '=', left!, right!)
      return choose(checking, [{ when: equal, result: { term: constant(null), at: call.at } }], left!)
    }
    case 'Greatest':
    case 'Least':
      return call.arguments.map(check).reduce((left, right) => extreme(checking, name, left, right, call.at)).term
    default:
      return coalesce(checking, call.arguments.map(check))
  }
}

/** NULL when one of them is, as in SQLite's max(a, b). */
const extreme = (checking: Checking, name: string, left: Compared, right: Compared, at: Position): Compared => {
  const [a, b] = toOneType(checking, left, right)
  const sql = name === 'Greatest' ? 'greater' : 'lesser'
  return { term: apply(a.type, sql, [a, b]), at }
}

const coalesce = (checking: Checking, list: readonly Compared[]): Term => {
  const type = commonType(list.map(({ term }) => term.type))
  return apply(
    type === 'NULL' ? 'STRING' : type,
    'coalesce',
    list.map(({ term, at }) => convert(checking.sites, term, type, at)),
  )
}
