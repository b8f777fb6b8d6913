// Aggregates: NULLs are left out, except by Count(*).
import type { Call } from '../syntax/ast.ts'
import { scriptFault } from '../fault.ts'
import { refuseCount } from './functions.ts'
import type { AggregateEntry } from './functions.ts'
import type { Relation, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { columnOf } from './scope.ts'
import type { Checking, Place } from './scope.ts'
import { isSample, streamColumn } from './stream-table.ts'
import { mapTerm } from '../plan/map-term.ts'
import { apply, collated, constant, convert, numberType, site, toNumber, toText } from './types.ts'

type Aggregate = Extract<Term, { kind: 'aggregate' }>

export const checkAggregate = (checking: Checking, entry: AggregateEntry, call: Call, place: Place): Term => {
  if (place.aggregates !== true) throw scriptFault(call.at, `${entry.name} cannot stand ${place.aggregates}`)
  const aggregate = (type: Type, name: string, terms: readonly Term[], by?: Term | readonly Relation[]): Aggregate => ({
    kind: 'aggregate',
    type,
    name,
    distinct: call.distinct,
    arguments: terms,
    by,
    at: call.at,
  })
  if (call.star) {
    if (entry.kind !== 'count' || call.distinct)
      throw scriptFault(call.at, `${entry.name}(*) is not known, only Count(*)`)
    return aggregate('LONG', 'count', [])
  }
  refuseCount(call, entry.name, entry.least, entry.most)
  const inside: Place = { ...place, aggregates: `inside ${entry.name}` }
  const [first, second] = call.arguments.map((one) => ({ term: checking.expression(one, inside), at: one.at }))
  const { term, at } = first!
  refuseForeign(second ? [term, second.term] : [term], entry.name, call, place)
  const where = site(checking.sites, call.at)
  const mayOverflow = () => checking.overflows.push(call.at)
  switch (entry.kind) {
    case 'count':
      return aggregate('LONG', 'count', [term])
    case 'sum': {
      const type = numberType([term.type])
      // Postgres adds LONGs as numeric, so that only the result has to fit.
      if (isSample(term)) {
        const texts = convert(checking.sites, apply('STRING', 'text_in', [term]), 'DOUBLE', at)
        const doubles = apply('DOUBLE', 'coalesce', [apply('DOUBLE', 'double_in', [term]), texts])
        const longs = aggregate('LONG', 'sum', [apply('LONG', 'long_in', [term])])
        mayOverflow()
        return apply('ANY', 'sum_of', [longs, aggregate('DOUBLE', 'sum', [doubles])], where)
      }
      const number = toNumber(checking.sites, term, type, at)
      if (type === 'ANY')
        return apply('ANY', 'sum_of', [aggregate('ANY', 'gs.sum_any', [number, constant(BigInt(where))])], where)
      if (type === 'LONG') return apply('LONG', 'long', [aggregate('LONG', 'sum', [number])], where)
      mayOverflow()
      return aggregate('DOUBLE', 'sum', [number])
    }
    case 'average':
      mayOverflow()
      return aggregate('DOUBLE', 'avg', [convert(checking.sites, term, 'DOUBLE', at)])
    case 'spread':
      mayOverflow()
      return aggregate('DOUBLE', entry.name === 'StdDev' ? 'stddev_samp' : 'var_samp', [
        convert(checking.sites, term, 'DOUBLE', at),
      ])
    case 'extreme': {
      const name = entry.name.toLowerCase()
      if (term.type !== 'ANY' && term.type !== 'BOOLEAN') return aggregate(term.type, name, [collated(term)])
      if (term.type === 'BOOLEAN') return aggregate('BOOLEAN', name === 'min' ? 'bool_and' : 'bool_or', [term])
      // Rows of different types: numbers come before texts, as in SQLite.
      if (!isSample(term)) return aggregate('ANY', `gs.${name}_any`, [term])
      return apply('ANY', `${name}_of`, [
        aggregate('LONG', name, [apply('LONG', 'long_in', [term])]),
        aggregate('DOUBLE', name, [apply('DOUBLE', 'double_in', [term])]),
        aggregate('BOOLEAN', name === 'min' ? 'bool_and' : 'bool_or', [apply('BOOLEAN', 'boolean_in', [term])]),
        aggregate('STRING', name, [collated(apply('STRING', 'text_in', [term]))]),
      ])
    }
    case 'edge': {
      const by = second ? collated(second.term) : rowOrder(checking, place, call)
      // The first of the distinct ones is the first.
      return { ...aggregate(term.type, `gs.${entry.name.toLowerCase()}`, [term], by), distinct: false }
    }
    case 'list': {
      const parts = [toText(term), second ? toText(second.term) : constant(',')]
      // The guard adds up the lengths and stops before the list outgrows its limit.
      const size = apply('LONG', 'size_of', parts)
      const guard = aggregate('LONG', 'gs.size_guard', [size, constant(BigInt(where))])
      const order = call.distinct ? undefined : rowOrder(checking, place, call)
      return apply('STRING', 'guarded', [guard, aggregate('STRING', 'string_agg', parts, order)])
    }
  }
}

/** Standard SQL would hand such an aggregate to the query around, which no author means. */
const refuseForeign = (terms: readonly Term[], name: string, call: Call, place: Place) => {
  const own = new Set(place.scope.relations.map(({ id }) => id))
  const ids: number[] = []
  for (const term of terms)
    mapTerm(term, (part) => {
      if (part.kind === 'column') ids.push(part.relation.id)
      return undefined
    })
  if (ids.length > 0 && !ids.some((id) => own.has(id)))
    throw scriptFault(call.at, `${name} has no column of its own query to go over`)
}

/** Unless ORDER BY says otherwise, samples go by their time, and other rows as they come from the tables. */
const rowOrder = (checking: Checking, place: Place, call: Call): Term | readonly Relation[] | undefined => {
  const { relations } = place.scope
  const [first] = relations
  if (first && relations.length === 1 && checking.readings.get(first.id)?.samples)
    return columnOf(checking, first, streamColumn('time')!, call.at)
  return relations.length > 0 ? relations : undefined
}
