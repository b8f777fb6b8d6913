// FROM: tables and how they are joined.
import type { FromItem } from '../syntax/ast.ts'
import { condition } from './compare.ts'
import { refuseMore, scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { JoinPlan, Relation } from '../plan/plan.ts'
import { openReading, openReadingOfAll } from './open-reading.ts'
import type { Checking, Scope } from './scope.ts'
import { namedTable, samplesTable, tableFunction } from './tables.ts'
import { sizeOfFrom } from '../plan/terms.ts'

/** Terms that FULL JOINs inside each other, each of which writes all before it twice, may come to. */
const maxFullSize = 5000

/** The most of one FROM: planning 24 Streams takes a backend of Postgres 40 MB, 32 take 100, and 50 took 400. */
export const maxTables = 24
/** SELECTs and VALUES of a statement, and tables that are neither. */
export const maxQueries = 1000

export const checkFrom = (checking: Checking, items: readonly FromItem[], outer: Scope): readonly JoinPlan[] => {
  const joins: JoinPlan[] = []
  refuseMore(items, maxTables, 'tables in one FROM', ({ at }) => at)
  for (const item of items) {
    const relation = checkTable(checking, item, outer, joins)
    const relations = [...joins.map((join) => join.relation), relation]
    const scope: Scope = { around: outer, relations, commons: outer.commons, alias: () => undefined }
    const isOuter = item.join !== 'cross' && item.join !== 'inner'
    if (isOuter && !item.on) throw scriptFault(item.at, `${item.join.toUpperCase()} JOIN needs ON`)
    if (item.join === 'right' || item.join === 'full') refuseOfLeft(item, relation)
    const on = item.on && condition(checking, item.on, { scope, aggregates: 'in ON' })
    joins.push({ join: on || item.join !== 'inner' ? item.join : 'cross', relation, on })
    if (item.join === 'full' && sizeOfFrom(joins) > maxFullSize)
      throw scriptFault(item.at, 'FULL JOINs stand too deep inside each other, or after too much')
  }
  return joins
}

/** Rows that come from a row on the left have no place without it. */
const refuseOfLeft = ({ at, join }: FromItem, { name, origin }: Relation) => {
  if (origin.kind === 'source' && origin.source.asked && origin.source.asked.left.length > 0)
    throw scriptFault(at, `${name} of a column on its left cannot be joined by ${join.toUpperCase()} JOIN`)
}

const checkTable = (checking: Checking, item: FromItem, outer: Scope, left: readonly JoinPlan[]): Relation => {
  const { source } = item
  if (source.kind !== 'query') noteQueries(checking, 1, source.at)
  const found =
    source.kind === 'named'
      ? namedTable(source, outer)
      : source.kind === 'function'
        ? tableFunction(checking, source, outer, [...left])
        : source.kind === 'samples'
          ? samplesTable
          : undefined
  if (found) {
    const id = checking.nextId()
    if (found.origin.kind === 'stream')
      checking.readings.set(id, source.kind === 'samples' ? openReadingOfAll() : openReading())
    return {
      id,
      name: item.alias?.text ?? found.name,
      columns: found.columns,
      origin: found.origin,
      isFull: item.join === 'full',
      isNumbered: false,
    }
  }
  const query = checking.query((source as Extract<typeof source, { kind: 'query' }>).query, outer)
  return {
    id: checking.nextId(),
    name: item.alias?.text,
    columns: query.columns.map((column) => ({ ...column, hidden: false })),
    origin: { kind: 'query', query },
    isFull: item.join === 'full',
    isNumbered: false,
  }
}

export const noteQueries = ({ size }: Checking, count: number, at: Position) => {
  size.queries += count
  if (size.queries > maxQueries) throw scriptFault(at, `more than ${maxQueries} queries and tables in a statement`)
}
