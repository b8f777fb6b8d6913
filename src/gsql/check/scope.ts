// The meaning of names at a place in the script: the tables of the SELECT around it, those of the SELECTs around that,
// and the common tables. Names ignore case.
import type { Expression, Query, Word } from '../syntax/ast.ts'
import { scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { CommonPlan, QueryPlan, Relation, SourcePlan, StreamPlan, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { isSampleColumn, sampleColumn, streamColumn, streamColumnNames } from './stream-table.ts'
import type { OpenReading } from './open-reading.ts'
import type { TermKey } from '../plan/term-key.ts'
import type { Sites } from './types.ts'

/** The findings of one statement while it is checked. */
export type Checking = {
  readonly sites: Sites
  readonly sources: SourcePlan[]
  readonly streams: StreamPlan[]
  /** The readings of Streams whose SELECT is not checked to its end yet, by their relations. */
  readonly readings: Map<number, OpenReading>
  /** The aggregates that Postgres works out by itself. */
  readonly overflows: Position[]
  /** Terms in expressions that write an operand more than once, SELECTs and VALUES, and common tables. */
  readonly size: { repeated: number; queries: number; commons: number }
  /** Sources whose text is known, by their text and columns. */
  readonly knownSources: Map<string, SourcePlan>
  readonly keyOf: TermKey
  readonly variables: ReadonlyMap<string, Type>
  readonly nextId: () => number
  /** Expressions hold queries, and queries expressions: each checker is given the other. */
  readonly expression: (expression: Expression, place: Place) => Term
  /** `want` may change the types of the result, given those that the query would have. */
  readonly query: (query: Query, outer: Scope, want?: (types: readonly Type[]) => readonly Type[]) => QueryPlan
}

export type Common = { readonly name: string; readonly plan: CommonPlan }

export type Scope = {
  readonly around: Scope | undefined
  readonly relations: readonly Relation[]
  /** Innermost last. */
  readonly commons: readonly Common[]
  /** Names given with AS in the same SELECT, found after the columns of its tables. */
  readonly alias: (name: string) => Term | undefined
}

/** Where an aggregate may not stand, `aggregates` says why. */
export type Place = { readonly scope: Scope; readonly aggregates: true | string }

export const emptyScope: Scope = { around: undefined, relations: [], commons: [], alias: () => undefined }

export const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

export const columnNamed = (
  checking: Checking,
  scope: Scope,
  table: Word | undefined,
  name: string,
  at: Position,
): Term | undefined => {
  for (let here: Scope | undefined = scope; here; here = here.around) {
    const relations = table ? here.relations.filter((one) => one.name && same(one.name, table.text)) : here.relations
    const found = relations.flatMap((relation) => {
      const column = indexOf(relation, name)
      return column === undefined ? [] : [{ relation, column }]
    })
    if (found.length > 1) {
      const names = found.map(({ relation }) => `${relation.name ?? '?'}.${name}`).join(' or ')
      throw scriptFault(at, `column '${name}' is ambiguous: ${names}`)
    }
    if (found[0]) return columnOf(checking, found[0].relation, found[0].column, at)
    const alias = table ? undefined : here.alias(name)
    if (alias) return alias
  }
  return undefined
}

const indexOf = (relation: Relation, name: string): number | undefined =>
  relation.origin.kind === 'stream' ? streamColumn(name) : columnIndexes(relation).get(name.toLowerCase())

const indexes = new WeakMap<Relation['columns'], ReadonlyMap<string, number>>()

/** The index of each name; the first of equal ones. */
const columnIndexes = ({ columns }: Relation): ReadonlyMap<string, number> => {
  const known = indexes.get(columns)
  if (known) return known
  const made = new Map<string, number>()
  for (const [index, { name }] of columns.entries()) {
    const key = name.toLowerCase()
    if (!made.has(key)) made.set(key, index)
  }
  indexes.set(columns, made)
  return made
}

export const columnOf = ({ readings }: Checking, relation: Relation, column: number, at: Position): Term => {
  if (relation.origin.kind === 'stream') {
    const reading = readings.get(relation.id)!
    reading.used.add(column)
    if (isSampleColumn(column)) reading.samples = true
    if (column === sampleColumn) reading.sampleAt ??= at
  }
  return { kind: 'column', type: relation.columns[column]!.type, relation, column, at }
}

export const unknownColumn = (scope: Scope, table: Word | undefined, name: string, at: Position) => {
  const relations: Relation[] = []
  for (let here: Scope | undefined = scope; here; here = here.around) relations.push(...here.relations)
  if (table) {
    const owner = relations.find((one) => one.name && same(one.name, table.text))
    if (!owner) {
      const names = relations.flatMap((one) => one.name ?? [])
      return scriptFault(table.at, `unknown table '${table.text}'${suggestion(table.text, names)}`)
    }
    return scriptFault(at, `unknown column '${table.text}.${name}'${suggestion(name, namesOf(owner))}`)
  }
  return scriptFault(at, `unknown column '${name}'${suggestion(name, relations.flatMap(namesOf))}`)
}

const namesOf = (relation: Relation): readonly string[] =>
  relation.origin.kind === 'stream' ? streamColumnNames : relation.columns.map(({ name }) => name)
