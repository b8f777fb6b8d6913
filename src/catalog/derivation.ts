// Checks whether the expressions of derived streams can be worked out (docs/management.md#derived-streams): asked when
// a component, template or stream is saved, of the streams that it makes or changes, once all of them are there.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { badRequest, Fault, shorten } from '../base/errors.ts'
import type { Transaction } from '../base/database/sql.ts'
import { lockDerivations, readDerivations } from '../core/derivation.ts'
import type { DerivedStream, NamedVariable } from '../core/derivation.ts'
import { typeOfStatistic } from '../core/statistic/statistic.ts'
import type { Statistic } from '../core/statistic/statistic.ts'
import { readDerivation, typeOfDerivation } from '../gsql/derivation.ts'
import { scriptFault } from '../gsql/fault.ts'
import type { Type } from '../gsql/value.ts'

/**
 * The most characters of all expressions of one call: they are read on the thread that answers everybody, one after the
 * other.
 */
const mostCharacters = 100_000

/** The owner's row is locked. */
export const checkDerivations = async (
  sql: Transaction,
  organizationKey: number,
  streamKeys: readonly number[],
): Promise<void> => {
  if (streamKeys.length === 0) return
  await lockDerivations(sql, organizationKey)
  const all = new Map((await readDerivations(sql, organizationKey, streamKeys)).map((stream) => [stream.key, stream]))
  const changed = streamKeys.flatMap((key) => all.get(key) ?? [])
  const characters = changed.reduce((sum, { expression }) => sum + expression.length, 0)
  if (characters > mostCharacters)
    throw badRequest(`the expressions of one call have more than ${mostCharacters} characters together`)
  const done = settled(all)
  for (const stream of changed) {
    await nextTurn()
    explained(stream, () => checkOne(stream, all, done.has(stream.key)))
  }
}

const explained = (stream: DerivedStream, check: () => void): void => {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const message = `the expression of stream '${shorten(stream.name)}', ${error.message}`
    throw new Fault(error.code, message, { members: error.members })
  }
}

const checkOne = (stream: DerivedStream, all: ReadonlyMap<number, DerivedStream>, isSettled: boolean): void => {
  const derivation = readDerivation(
    stream.expression,
    stream.variables.map(({ name }) => name),
  )
  for (const variable of stream.variables) {
    const { name, source, componentId, streamId, cycleId } = variable
    const at = derivation.placeOf(name)
    if (source === null) {
      const where = componentId === undefined ? '' : ` in component '${shorten(componentId)}'`
      throw scriptFault(at, `variable '${name}' names no stream: there is no '${shorten(streamId)}'${where}`)
    }
    if (!variable.hasCycle)
      throw scriptFault(at, `variable '${name}' names no cycle: there is no '${shorten(cycleId!)}'`)
  }
  if (!isSettled)
    for (const { name, source } of stream.variables)
      if (leadsTo(source!.key, stream.key, all))
        throw scriptFault(derivation.placeOf(name), `by variable '${name}' the stream is derived from itself`)
  const types = new Map(stream.variables.map((variable) => [variable.name, typeOf(stream, variable)]))
  const type = typeOfDerivation(derivation, types)
  if (type === 'STRING' && stream.valueType !== 'STRING')
    throw scriptFault(derivation.expression.at, `it gives a text, and the stream is ${stream.valueType}`)
  if (type === 'BOOLEAN' && (stream.valueType === 'DOUBLE' || stream.valueType === 'LONG'))
    throw scriptFault(
      derivation.expression.at,
      `it gives TRUE or FALSE, and the stream is ${stream.valueType}: If(..., 1, 0) gives a number`,
    )
}

/** The streams that are derived, in the end, from streams that are not. */
const settled = (all: ReadonlyMap<number, DerivedStream>): ReadonlySet<number> => {
  const usersOf = new Map<number, number[]>()
  const waitsFor = new Map<number, number>()
  const ready: number[] = []
  for (const { key, variables } of all.values()) {
    const sources = new Set(variables.flatMap(({ source }) => (source && all.has(source.key) ? source.key : [])))
    waitsFor.set(key, sources.size)
    if (sources.size === 0) ready.push(key)
    for (const source of sources) {
      const users = usersOf.get(source)
      if (users) users.push(key)
      else usersOf.set(source, [key])
    }
  }
  const done = new Set<number>()
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    done.add(key)
    for (const user of usersOf.get(key) ?? []) {
      const left = waitsFor.get(user)! - 1
      waitsFor.set(user, left)
      if (left === 0) ready.push(user)
    }
  }
  return done
}

const leadsTo = (start: number, end: number, all: ReadonlyMap<number, DerivedStream>): boolean => {
  const seen = new Set<number>()
  const left = [start]
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    if (key === end) return true
    if (seen.has(key)) continue
    seen.add(key)
    for (const { source } of all.get(key)?.variables ?? []) if (source) left.push(source.key)
  }
  return false
}

/** Numbers are DOUBLE. An interval stream that names no statistic rolls up an average, or the last text. */
const typeOf = ({ kind }: DerivedStream, { source, cycleId, statistic }: NamedVariable): Type => {
  const { valueType } = source!
  if (valueType === 'DOUBLE' || valueType === 'LONG') return 'DOUBLE'
  const isRolledUp = cycleId !== undefined || kind === 'interval'
  const isText = valueType === 'STRING' || valueType === 'FILE'
  const by = (statistic as Statistic | undefined) ?? (isRolledUp ? (isText ? 'last' : 'avg') : 'last')
  const type = typeOfStatistic(by, valueType)
  if (type === 'BOOLEAN') return 'BOOLEAN'
  return type === 'STRING' || type === 'FILE' ? 'STRING' : 'DOUBLE'
}
