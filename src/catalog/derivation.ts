// Expressions of derived streams (docs/derived.md), as they are saved with a component, template or stream: once all
// streams that are made or changed are there, it is checked that they can be worked out, and they are taken note of.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { badRequest, Fault, shorten } from '../base/errors.ts'
import type { Transaction } from '../base/database/sql.ts'
import { lockDerivations, readDerivations } from '../core/derivation.ts'
import type { DerivedStream, NamedVariable } from '../core/derivation.ts'
import { registerDerivations } from '../core/derive/state.ts'
import { noteChange } from '../core/sample/catalog-change.ts'
import type { ValueType } from '../core/stream.ts'
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

/**
 * Samples are counted back one by one, for every stream and upload. With 100,000 of them a hundred streams took a minute,
 * for which the others of their organization waited. Intervals are not counted.
 */
const mostSamplesBack = 10_000

/**
 * For streams whose expression is new, other or no longer there, and for those that are derived from what has another kind
 * or type now. The owner's row is locked. Writers remember what is a source, so the gate is closed, unless all of it is
 * in a new component.
 */
export const saveDerivations = async (
  sql: Transaction,
  {
    organizationKey,
    newComponentKeys,
  }: { readonly organizationKey: number; readonly newComponentKeys?: ReadonlySet<number> },
  streamKeys: readonly number[],
): Promise<void> => {
  if (streamKeys.length === 0) return
  await lockDerivations(sql, organizationKey)
  await checkDerivations(sql, organizationKey, streamKeys)
  for (const keys of portionsOf(streamKeys)) {
    const sources = await registerDerivations(sql, keys)
    await noteChange(
      sql,
      sources.filter((key) => !newComponentKeys?.has(key)),
    )
  }
}

/** A template may have any number of components: all 50,000 streams of one at once held up everybody for a second, and took 100 MB. */
const mostAtOnce = 1000

const portionsOf = function* (keys: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < keys.length; at += mostAtOnce) yield keys.slice(at, at + mostAtOnce)
}

const checkDerivations = async (
  sql: Transaction,
  organizationKey: number,
  streamKeys: readonly number[],
): Promise<void> => {
  const seen = new Set<string>()
  let characters = 0
  for (const keys of portionsOf(streamKeys)) {
    const all = new Map((await readDerivations(sql, organizationKey, keys)).map((stream) => [stream.key, stream]))
    const circle = findCircle(all, streamKeys)
    const different = differentOnes(
      keys.flatMap((key) => all.get(key) ?? []),
      seen,
    )
    characters += different.reduce((sum, { expression }) => sum + expression.length, 0)
    if (characters > mostCharacters)
      throw badRequest(`the expressions of one call have more than ${mostCharacters} characters together`)
    for (const stream of different) {
      await nextTurn()
      explained(stream, () => checkOne(stream, circle?.[0] === stream ? circle : undefined))
    }
    if (circle) explained(circle[0]!, () => checkOne(circle[0]!, circle))
  }
}

/** Of those to which the same can be said, such as streams of components made from one template, one. */
const differentOnes = (streams: readonly DerivedStream[], seen: Set<string>): readonly DerivedStream[] =>
  streams.filter((stream) => {
    const { expression, kind, valueType, variables } = stream
    const facts = variables.map(({ name, source, hasCycle, cycleId, statistic, offset }) => [
      name,
      offset,
      source?.kind,
      source?.valueType,
      hasCycle,
      cycleId === undefined,
      statistic,
    ])
    const signature = JSON.stringify([expression, kind, valueType, facts])
    const isNew = !seen.has(signature)
    seen.add(signature)
    return isNew
  })

const explained = (stream: DerivedStream, check: () => unknown): void => {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const message = `the expression of stream '${shorten(stream.name)}', ${error.message}`
    throw new Fault(error.code, message, { members: error.members })
  }
}

/** Throws unless it can be worked out; gives the value type that a stream of it has, which is checked if it is known. */
export const typeOfExpression = (stream: Untyped): ValueType => {
  const type = checkOne(stream)
  return type === 'STRING' || type === 'BOOLEAN' ? type : 'DOUBLE'
}

type Untyped = Pick<DerivedStream, 'kind' | 'expression' | 'variables'> & { readonly valueType: ValueType | undefined }

const checkOne = (stream: Untyped, circle?: readonly DerivedStream[]): Type => {
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
    if (stream.kind !== 'interval' && cycleId === undefined && (variable.offset ?? 0) < -mostSamplesBack)
      throw scriptFault(at, `variable '${name}' looks back at more than ${mostSamplesBack} samples`)
  }
  if (circle) {
    const { name } = stream.variables.find(({ source }) => source!.key === circle[1]!.key)!
    throw scriptFault(
      derivation.placeOf(name),
      `by variable '${name}' the stream is derived from itself: ${pathText(circle)}`,
    )
  }
  const types = new Map(stream.variables.map((variable) => [variable.name, typeOf(stream, variable)]))
  const type = typeOfDerivation(derivation, types)
  if (stream.valueType === undefined) return type
  if (type === 'STRING' && stream.valueType !== 'STRING')
    throw scriptFault(derivation.expression.at, `it gives a text, and the stream is ${stream.valueType}`)
  if (type === 'BOOLEAN' && (stream.valueType === 'DOUBLE' || stream.valueType === 'LONG'))
    throw scriptFault(
      derivation.expression.at,
      `it gives TRUE or FALSE, and the stream is ${stream.valueType}: If(..., 1, 0) gives a number`,
    )
  return type
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

/**
 * A circle, if there is one: each stream in it is derived from the next, and the last is the first, one of those that are
 * changed. There was none before, so every circle has such a stream.
 */
const findCircle = (
  all: ReadonlyMap<number, DerivedStream>,
  changedKeys: readonly number[],
): readonly DerivedStream[] | undefined => {
  const done = settled(all)
  if (done.size === all.size) return undefined
  // A stream that is not settled is derived from another that is not, so the way leads into a circle.
  const next = ({ variables }: DerivedStream) =>
    all.get(variables.find(({ source }) => isIn(source?.key))!.source!.key)!
  const isIn = (key: number | undefined) => key !== undefined && all.has(key) && !done.has(key)
  const seen = new Set<DerivedStream>()
  let at = [...all.values()].find(({ key }) => isIn(key))!
  for (; !seen.has(at); at = next(at)) seen.add(at)
  const circle = [at]
  for (let one = next(at); one !== at; one = next(one)) circle.push(one)
  const changed = new Set(changedKeys)
  const first = circle.findIndex(({ key }) => changed.has(key))
  return [...circle.slice(first), ...circle.slice(0, first), circle[first]!]
}

const shownOfPath = 5

/** Such as a → b → a; streams of other components with theirs. */
const pathText = (path: readonly DerivedStream[]): string => {
  const names = path.map(({ name, componentKey, componentName }) =>
    componentKey === path[0]!.componentKey ? shorten(name) : `${shorten(componentName)}/${shorten(name)}`,
  )
  const hidden = names.length - 2 * shownOfPath
  const shown =
    hidden > 1 ? [...names.slice(0, shownOfPath), `… (${hidden} more)`, ...names.slice(-shownOfPath)] : names
  return shown.join(' → ')
}

/** Numbers are DOUBLE. A variable that is rolled up without saying how is an average, or the last text. */
const typeOf = ({ kind }: Pick<DerivedStream, 'kind'>, { source, cycleId, statistic }: NamedVariable): Type => {
  const { valueType } = source!
  if (valueType === 'DOUBLE' || valueType === 'LONG') return 'DOUBLE'
  const isRolledUp = cycleId !== undefined || kind === 'interval'
  const isText = valueType === 'STRING' || valueType === 'FILE'
  const by = (statistic as Statistic | undefined) ?? (isRolledUp ? (isText ? 'last' : 'avg') : 'last')
  const type = typeOfStatistic(by, valueType)
  if (type === 'BOOLEAN') return 'BOOLEAN'
  return type === 'STRING' || type === 'FILE' ? 'STRING' : 'DOUBLE'
}
