// The types of GS SQL and how a value of one becomes a value of another. A conversion that can fail carries the
// place in the script that asked for it.
import { wordTable } from '../../base/own.ts'
import type { Word } from '../syntax/ast.ts'
import { scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { Term } from '../plan/plan.ts'
import type { Type, Value } from '../value.ts'

/** The places where a statement can fail while it runs; Postgres is given the index into this list. */
export type Sites = { readonly positions: Position[]; readonly indexes: Map<string, number> }

export const site = (sites: Sites, at: Position): number => {
  const name = `${at.line} ${at.column}`
  const index = sites.indexes.get(name) ?? sites.positions.push(at) - 1
  sites.indexes.set(name, index)
  return index
}

const typeNames = wordTable<Type>({
  STRING: 'STRING',
  LONG: 'LONG',
  INTEGER: 'LONG',
  SHORT: 'LONG',
  DOUBLE: 'DOUBLE',
  FLOAT: 'DOUBLE',
  BOOLEAN: 'BOOLEAN',
})

export const typeOf = (word: Word, more: readonly string[] = []): Type => {
  const type = typeNames.get(word.text.toUpperCase())
  if (type) return type
  const near = suggestion(word.text, [...typeNames.keys(), ...more])
  throw scriptFault(word.at, `unknown type '${word.text}'${near || ', use STRING, LONG, DOUBLE or BOOLEAN'}`)
}

export const isNumber = (type: Type) => type === 'LONG' || type === 'DOUBLE'

/** The type that holds all of them: LONG and DOUBLE meet in DOUBLE, all other mixtures in ANY. */
export const commonType = (types: readonly Type[]): Type =>
  types.reduce((a, b) => {
    if (a === b || b === 'NULL') return a
    if (a === 'NULL') return b
    return isNumber(a) && isNumber(b) ? 'DOUBLE' : 'ANY'
  }, 'NULL')

export const constant = (value: Value, type: Type = typeOfValue(value)): Term => ({ kind: 'constant', type, value })

export const typeOfValue = (value: Value): Type => {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return 'STRING'
  if (typeof value === 'bigint') return 'LONG'
  return typeof value === 'number' ? 'DOUBLE' : 'BOOLEAN'
}

export const apply = (type: Type, name: string, terms: readonly Term[], failsAt?: number): Term => ({
  kind: 'apply',
  type,
  name,
  arguments: terms,
  site: failsAt,
})

export const infix = (type: Type, operator: string, ...operands: readonly Term[]): Term => ({
  kind: 'infix',
  type,
  operator,
  operands,
})

const cast = (type: Type, sqlType: string, operand: Term): Term => ({ kind: 'convert', type, sqlType, operand })

/** `lenient`: NULL instead of an error. */
export const convert = (sites: Sites, term: Term, type: Type, at: Position, lenient = false): Term => {
  if (term.type === type) return term
  if (term.type === 'NULL') return nullOf(term, type)
  const prefix = lenient ? 'try_' : ''
  const failsAt = lenient ? undefined : site(sites, at)
  switch (type) {
    case 'STRING':
      return toText(term)
    case 'ANY':
      return toAny(term)
    case 'LONG':
      if (term.type === 'BOOLEAN') return cast('LONG', 'int8', cast('LONG', 'int4', term))
      return apply('LONG', `${prefix}long`, [term], failsAt)
    case 'DOUBLE':
      if (isNumber(term.type)) return toDouble(term)
      if (term.type === 'BOOLEAN') return cast('DOUBLE', 'float8', cast('LONG', 'int4', term))
      return apply('DOUBLE', `${prefix}double`, [term], failsAt)
    case 'BOOLEAN':
      if (isNumber(term.type)) return infix('BOOLEAN', '<>', term, constant(term.type === 'LONG' ? 0n : 0))
      return apply('BOOLEAN', `${prefix}boolean`, [term], failsAt)
    case 'NULL':
      return term
  }
}

export const toDouble = (number: Term): Term => (number.type === 'LONG' ? cast('DOUBLE', 'float8', number) : number)

/** NULL, given the type that its place asks for, so that Postgres need not guess. */
const nullOf = (term: Term, type: Type): Term =>
  term.kind === 'constant' ? constant(null, type) : cast(type, sqlTypes[type], term)

/** Numbers as their shortest text, booleans as true and false. */
export const toText = (term: Term): Term => {
  switch (term.type) {
    case 'STRING':
      return term
    case 'LONG':
    case 'BOOLEAN':
      return cast('STRING', 'text', term)
    case 'DOUBLE':
    case 'ANY':
      return apply('STRING', 'text_of', [term])
    case 'NULL':
      return nullOf(term, 'STRING')
  }
}

export const toAny = (term: Term): Term => {
  if (term.type === 'ANY') return term
  if (term.kind === 'constant' && term.value !== null) return constant(term.value, 'ANY')
  return term.type === 'NULL' ? nullOf(term, 'ANY') : apply('ANY', 'any_of', [term])
}

/**
 * The type in which operands are reckoned: BOOLEAN counts as a LONG, text as a DOUBLE; beside a DOUBLE all are DOUBLEs.
 * ANY: by the row.
 */
export const numberType = (types: readonly Type[]): Type => {
  if (types.some((type) => type === 'DOUBLE' || type === 'STRING')) return 'DOUBLE'
  return types.includes('ANY') ? 'ANY' : 'LONG'
}

/** Converts to a number of the type that numberType gave. */
export const toNumber = (sites: Sites, term: Term, type: Type, at: Position): Term => {
  if (type !== 'ANY') return convert(sites, term, type, at)
  if (term.type !== 'ANY') return toAny(convert(sites, term, 'LONG', at))
  return term.kind === 'apply' && reckoned.has(term.name) ? term : apply('ANY', 'number', [term], site(sites, at))
}

/** Functions that give a number in every row; `add` may join texts. */
const reckoned: ReadonlySet<string> = new Set(
  'number subtract multiply divide remainder negate abs_of round_of floor_of ceil_of trunc_of mod_of sum_of'.split(' '),
)

/** Orders and compares as SQLite's binary collation does, whatever the database's own is. */
export const collated = (term: Term): Term =>
  term.type === 'STRING' ? { kind: 'collate', type: 'STRING', operand: term } : term

export const sqlTypes: Readonly<Record<Type, string>> = {
  STRING: 'text',
  LONG: 'int8',
  DOUBLE: 'float8',
  BOOLEAN: 'bool',
  ANY: 'jsonb',
  NULL: 'text',
}
