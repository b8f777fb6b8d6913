// sample(Range(sd=-1d, ed=now), cycleId='day', stat='max'): the samples and statistics that a SELECT reads of Stream.
// The arguments look like comparisons and come in any order; there is one range and one cycle per SELECT.
import { shorten } from '../../base/errors.ts'
import { findStatistic, statistics } from '../../core/statistic/statistic.ts'
import type { Statistic } from '../../core/statistic/statistic.ts'
import type { Call, Expression } from '../syntax/ast.ts'
import { nearestOrAll, scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { momentOf } from '../text/moment.ts'
import type { Edge, OffsetUnit, Range, Relation, Term } from '../plan/plan.ts'
import type { OpenReading } from './open-reading.ts'
import { columnOf } from './scope.ts'
import type { Checking, Place } from './scope.ts'
import { streamColumn, streamColumns } from './stream-table.ts'
import { constant, convert, site } from './types.ts'

type Named = { readonly name: string; readonly at: Position; readonly value: Expression }

export const checkSampleCall = (checking: Checking, call: Call, place: Place): Term => {
  const relation = streamOf(place, call.at)
  const reading = checking.readings.get(relation.id)!
  let statistic: Statistic | undefined
  for (const argument of call.arguments) {
    if (argument.kind === 'call' && argument.name.toLowerCase() === 'range') {
      setOnce(reading, 'range', rangeOf(checking, argument, place), argument.at)
      continue
    }
    const { name, at, value } = named(argument, 'sample')
    if (name === 'cycleid') {
      setOnce(reading, 'cycleId', textOf(value, 'cycleId'), at)
      reading.cycleAt = value.at
    } else if (name === 'stat') statistic = statisticOf(value)
    else throw scriptFault(at, `unknown argument '${name}'${nearestOrAll(name, ['Range', 'cycleId', 'stat'])}`)
  }
  const hasCycle = call.arguments.some((one) => one.kind === 'comparison' && isNamed(one, 'cycleid'))
  if (hasCycle !== (statistic !== undefined)) throw scriptFault(call.at, 'cycleId and stat belong together')
  if (statistic === undefined) return columnOf(checking, relation, streamColumn('sample')!, call.at)
  const known = reading.statistics.indexOf(statistic)
  const index = streamColumns.length + (known >= 0 ? known : reading.statistics.push(statistic) - 1)
  reading.samples = true
  reading.used.add(index)
  return { kind: 'column', type: 'ANY', relation, column: index, at: call.at }
}

const streamOf = (place: Place, at: Position): Relation => {
  const streams = place.scope.relations.filter(({ origin }) => origin.kind === 'stream')
  if (streams.length === 1) return streams[0]!
  throw scriptFault(
    at,
    streams.length === 0 ? 'sample(...) needs FROM Stream' : 'sample(...) is ambiguous beside two Streams',
  )
}

const setOnce = <K extends 'range' | 'cycleId'>(reading: OpenReading, key: K, value: OpenReading[K], at: Position) => {
  const before = reading[key]
  if (before !== undefined && keyOf(before) !== keyOf(value))
    throw scriptFault(at, `a SELECT has one ${key === 'range' ? 'Range' : 'cycleId'}, this is another`)
  reading[key] = value
}

/** Equal for equal values, wherever they stand. */
const keyOf = (value: unknown) =>
  JSON.stringify(value, (name, one: unknown) =>
    name === 'at' || name === 'site' ? undefined : typeof one === 'bigint' ? String(one) : one,
  )

const isNamed = (expression: Extract<Expression, { kind: 'comparison' }>, name: string) =>
  expression.left.kind === 'column' && expression.left.name.toLowerCase() === name

const named = (expression: Expression, of: string): Named => {
  if (expression.kind === 'comparison' && expression.operator === '=' && expression.left.kind === 'column')
    return { name: expression.left.name.toLowerCase(), at: expression.left.at, value: expression.right }
  const example = of === 'Range' ? 'sd=-1d' : "cycleId='day'"
  throw scriptFault(expression.at, `an argument of ${of} looks like ${example}`)
}

const textOf = (value: Expression, name: string): string => {
  if (value.kind === 'literal' && typeof value.value === 'string') return value.value
  if (value.kind === 'quoted') return value.text
  throw scriptFault(value.at, `${name} must be a text in quotes`)
}

const statisticOf = (value: Expression): Statistic => {
  const text = textOf(value, 'stat')
  const known = findStatistic(text)
  if (known) return known
  throw scriptFault(value.at, `unknown statistic '${shorten(text)}'${nearestOrAll(text, statistics)}`)
}

const rangeOf = (checking: Checking, call: Call, place: Place): Range => {
  const edges: { sd?: Edge; ed?: Edge } = {}
  let whole: Range | undefined
  for (const argument of call.arguments) {
    const { name, at, value } = named(argument, 'Range')
    if (name === 'sd' || name === 'ed') edges[name] = edgeOf(checking, value, place)
    else if (name === 'last') whole = { kind: 'last', count: countOf(value) }
    else if (name === 'currentcycle') whole = { kind: 'cycle', cycleId: textOf(value, 'currentCycle'), at: value.at }
    else throw scriptFault(at, `unknown argument '${name}'${nearestOrAll(name, ['sd', 'ed', 'last', 'currentCycle'])}`)
  }
  if (call.arguments.length === 0) throw scriptFault(call.at, 'Range needs sd, ed, both of them, last, or currentCycle')
  if (!whole) return { kind: 'between', from: edges.sd, to: edges.ed }
  if (call.arguments.length > 1) throw scriptFault(call.at, 'Range takes last or currentCycle alone, or sd, ed or both')
  return whole
}

const countOf = (value: Expression): number => {
  const count = value.kind === 'literal' && typeof value.value === 'bigint' ? Number(value.value) : 0
  if (count >= 1 && count <= 1_000_000) return count
  throw scriptFault(value.at, 'last must be a whole number from 1 to 1000000')
}

const edgeOf = (checking: Checking, value: Expression, place: Place): Edge => {
  const [negative, bare] = value.kind === 'sign' ? [value.negative, value.operand] : [false, value]
  if (bare.kind === 'duration') {
    const count = Number(bare.text.slice(0, -1))
    if (count > 1_000_000) throw scriptFault(bare.at, 'an offset goes up to 1000000')
    const unit = unitOf(bare.text.at(-1)!, bare.at)
    return { kind: 'offset', count: negative ? -count : count, unit, site: site(checking.sites, value.at) }
  }
  const name = value.kind === 'column' && !value.table ? value.name.toLowerCase() : undefined
  if (name === 'now') return { kind: 'now' }
  if (name === 'streamed') return { kind: 'streamEd' }
  if (value.kind === 'literal' && typeof value.value === 'bigint') return { kind: 'time', time: constant(value.value) }
  const text = value.kind === 'quoted' ? value.text : value.kind === 'literal' ? value.value : undefined
  if (typeof text === 'string') {
    // A text that is no moment in one zone is none in all.
    momentOf(text, 'UTC', value.at)
    return { kind: 'time', time: momentTerm(constant(text), value.at) }
  }
  if (value.kind === 'variable') {
    const variable = checking.expression(value, place)
    const isText = variable.type === 'STRING' || variable.type === 'ANY'
    const time = isText ? momentTerm(variable, value.at) : convert(checking.sites, variable, 'LONG', value.at)
    if (variable.type !== 'BOOLEAN') return { kind: 'time', time }
  }
  // An expression is no moment: 2026-11-01 would be the number 2014.
  const what = name === undefined ? 'this' : `'${name}'`
  throw scriptFault(
    value.at,
    `${what} is neither now, streamEd, an offset such as -1d, epoch milliseconds, a date in quotes such as '2026-11-01', nor a @variable`,
  )
}

/** Worked out before the statement runs, in the script's zone. */
const momentTerm = (text: Term, at: Position): Term => ({
  kind: 'derived',
  type: 'LONG',
  sqlType: 'int8',
  of: [text, { kind: 'system', type: 'STRING', name: 'zone' }],
  derived: { kind: 'moment', at },
})

const unitOf = (letter: string, at: Position): OffsetUnit => {
  const unit = (['s', 'm', 'h', 'd', 'w', 'M', 'y'] as const).find((one) => one === letter)
  if (unit) return unit
  throw scriptFault(at, `'${letter}' is not an offset, write ${letter.toLowerCase()}`)
}
