// The streams of many components that one call saves (save-many.ts), some thousand at a time: those that a template
// gives, those that are new, and those that differ.
import { isDeepStrictEqual } from 'node:util'
import { badRequest, conflict } from '../base/errors.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Breathe } from '../base/slices.ts'
import type { Caller } from '../core/caller.ts'
import { demandOfNamed } from '../core/caller.ts'
import { findNamedStreams, updateNamedStreams } from '../core/component-bulk.ts'
import type { KnownComponent, KnownStream } from '../core/component-bulk.ts'
import { insertStreamsOfMany } from '../core/stream.ts'
import type { NewStream } from '../core/stream.ts'
import { heavyCharacters, refuseHeavy } from '../core/stream-weight.ts'
import type { Template } from '../core/template.ts'
import { saveDerivations } from './derivation.ts'
import { withGiven } from './entity.ts'
import type { GivenComponent } from './given-components.ts'
import { placed } from './given-components.ts'
import { describeStream, openNames, streamDefinition } from './stream-definition.ts'
import type { DescribedStream, Names, StreamMembers } from './stream-definition.ts'

/** A component that was made just now. */
export type Made = { readonly key: number; readonly uid: string; readonly template: Template | undefined }

/** A stream that is given for a component, at its place in the call. */
type Wanted = { readonly index: number; readonly componentKey: number; readonly members: StreamMembers }

/** Makes and changes the streams of components; gives the keys of the components that had others before. */
export const saveStreams = async (
  sql: Transaction,
  caller: Caller,
  given: readonly GivenComponent[],
  known: ReadonlyMap<string, KnownComponent>,
  made: ReadonlyMap<string, Made>,
  breathe: Breathe,
): Promise<ReadonlySet<number>> => {
  const { organizationKey } = caller
  const names = openNames(sql, organizationKey)
  const newKeys = new Set(Array.from(made.values(), ({ key }) => key))
  const derived = await copyStreams(sql, made)
  const wanted = given.flatMap(({ id, stream = [] }, index): Wanted[] => {
    const componentKey = (known.get(id) ?? made.get(id)!).key
    return stream.map((members) => ({ index, componentKey, members }))
  })
  const touched = new Set<number>()
  for (let from = 0; from < wanted.length; from += streamsAtOnce) {
    const some = wanted.slice(from, from + streamsAtOnce)
    const { fresh, changes } = await sortOut(sql, names, some, newKeys, breathe)
    demandOfNamed(caller, 'PUT stream', changes)
    if (changes.length > 0) await updateNamedStreams(sql, changes)
    for (const key of await insertSome(sql, fresh)) derived.push(key)
    for (const { componentKey } of [...fresh, ...changes]) touched.add(componentKey)
    if (changes.some((stream) => heavyCharacters(stream) > 0))
      await refuseHeavy(
        sql,
        changes.map(({ componentKey }) => componentKey),
      )
  }
  await saveDerivations(sql, { organizationKey, newComponentKeys: newKeys }, derived)
  return touched
}

const streamsAtOnce = 1_000

/** Gives the keys of those that are derived; so does the next. */
const copyStreams = async (sql: Transaction, made: ReadonlyMap<string, Made>): Promise<number[]> => {
  const derived: number[] = []
  let some: NewStream[] = []
  const flush = async () => {
    derived.push(...(await insertSome(sql, some)))
    some = []
  }
  for (const { key, template } of made.values()) {
    for (const definition of template?.streams ?? []) some.push({ componentKey: key, definition })
    if (some.length >= streamsAtOnce) await flush()
  }
  await flush()
  return derived
}

const insertSome = async (sql: Transaction, streams: readonly NewStream[]): Promise<number[]> => {
  const derived: number[] = []
  for (let from = 0; from < streams.length; from += streamsAtOnce)
    for (const { key, expression } of await insertStreamsOfMany(sql, streams.slice(from, from + streamsAtOnce)))
      if (expression !== null) derived.push(key)
  return derived
}

/** Those that are new, and those that differ from what is given. */
const sortOut = async (
  sql: Transaction,
  names: Names,
  wanted: readonly Wanted[],
  newKeys: ReadonlySet<number>,
  breathe: Breathe,
): Promise<{ readonly fresh: readonly NewStream[]; readonly changes: readonly KnownStream[] }> => {
  const found = await findNamedStreams(
    sql,
    wanted.map(({ componentKey }) => componentKey),
    wanted.map(({ members }) => members.id!),
  )
  const known = new Map(found.map((stream) => [`${stream.componentKey} ${stream.id}`, stream]))
  const fresh: NewStream[] = []
  const changes: KnownStream[] = []
  for (const { index, componentKey, members } of wanted) {
    try {
      const stream = known.get(`${componentKey} ${members.id}`)
      if (stream === undefined) {
        const described = describeStream(members, false)
        if (!newKeys.has(componentKey)) refuseDerived(described)
        else refuseOthers(described)
        fresh.push({ componentKey, definition: await streamDefinition(names, described) })
      } else {
        const changed = await changedStream(names, stream, members)
        if (changed !== undefined) changes.push(changed)
      }
    } catch (error) {
      throw placed(index, error)
    }
    await breathe()
  }
  return { fresh, changes }
}

/** Writers remember the sources of derived streams: these are changed one by one, inside the write gate. */
const refuseDerived = ({ id, expression }: DescribedStream): void => {
  if (expression !== null)
    throw badRequest(`derived stream '${id}' of a component that is there: add it by POST /api/stream`)
}

const refuseOthers = ({ id, variables }: DescribedStream): void => {
  if (variables?.some(({ componentId }) => componentId !== undefined))
    throw badRequest(`stream '${id}' has a variable of another component: add it by POST /api/stream`)
}

/** Undefined when it is as it shall be. */
const changedStream = async (
  names: Names,
  stream: KnownStream,
  { name, description, unitUid, baseCycleId, ...members }: StreamMembers,
): Promise<KnownStream | undefined> => {
  const unitKey = unitUid === undefined ? undefined : unitUid === null ? null : await names.unitKey(unitUid)
  const changed = withGiven(stream, { name, description, unitKey })
  const baseCycleKey =
    baseCycleId === undefined ? undefined : baseCycleId === null ? null : await names.cycleKey(baseCycleId)
  const { kind, valueType, expression } = members
  const variables = members.variables?.length === 0 ? null : members.variables
  const same = withGiven(stream, { kind, valueType, expression, variables, baseCycleKey })
  const other = (['kind', 'valueType', 'baseCycleKey', 'expression', 'variables'] as const).find(
    (member) => !isDeepStrictEqual(same[member], stream[member]),
  )
  if (other !== undefined)
    throw conflict(
      `stream '${stream.id}' is there with another ${other.replace('Key', 'Id')}: change it by PUT /api/stream/{uid}`,
    )
  return isDeepStrictEqual(changed, stream) ? undefined : changed
}
