// The transaction behind component-bulk.ts: what is there is locked and compared, and the rest is made, by statements
// for all of it.
import { isDeepStrictEqual } from 'node:util'
import { badRequest, conflict, tooLarge } from '../base/errors.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Breathe } from '../base/slices.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import {
  ensureFolders,
  findNamedStreams,
  insertMany,
  lockComponentsById,
  updateMany,
  updateNamedStreams,
} from '../core/component-bulk.ts'
import type { KnownComponent, KnownStream } from '../core/component-bulk.ts'
import { rootFolder } from '../core/folder.ts'
import { uidNotFound } from '../core/named.ts'
import { organizationTimeZone } from '../core/organization.ts'
import { insertStreamsOfMany } from '../core/stream.ts'
import type { NewStream } from '../core/stream.ts'
import { refuseHeavyOnes } from '../core/stream-weight.ts'
import { findTemplateByUid, withStreams } from '../core/template.ts'
import type { Template } from '../core/template.ts'
import { saveDerivations } from './derivation.ts'
import { withGiven } from './entity.ts'
import type { GivenComponent } from './given-components.ts'
import { mostNamedStreams, placed } from './given-components.ts'
import { describeStream, openNames, streamDefinition } from './stream-definition.ts'
import type { DescribedStream, Names, StreamMembers } from './stream-definition.ts'

export type SavedMany = {
  readonly id: string
  readonly uid: string
  readonly state: 'created' | 'updated' | 'unchanged'
}

const atOnce = 2_000

export const saveMany = async (
  sql: Transaction,
  caller: Caller,
  given: readonly GivenComponent[],
  breathe: Breathe,
): Promise<readonly SavedMany[]> => {
  const { organizationKey } = caller
  const known = new Map<string, KnownComponent>()
  for (const component of await lockComponentsById(
    sql,
    organizationKey,
    given.map(({ id }) => id),
  ))
    known.set(component.id, component)
  for (const { uid } of known.values()) demand(caller, 'PUT component', uid)
  if (known.size < given.length) demand(caller, 'POST component')
  const folders = await ensureFolders(sql, organizationKey, [
    rootFolder,
    ...given.flatMap(({ folder }) => folder ?? []),
  ])
  const folderKeyOf = (path: string) => folders.get(path)!
  const made = await makeMissing(
    sql,
    caller,
    given.filter(({ id }) => !known.has(id)),
    folderKeyOf,
  )
  const updated = await changeKnown(sql, given, known, folderKeyOf)
  const streams = openStreams(sql, organizationKey)
  const touched = await streams.add(given, known, made, breathe)
  return given.map(({ id }) => {
    const { uid, key } = known.get(id) ?? made.get(id)!
    if (!known.has(id)) return { id, uid, state: 'created' }
    return { id, uid, state: updated.has(key) || touched.has(key) ? 'updated' : 'unchanged' }
  })
}

type Made = { readonly key: number; readonly uid: string; readonly template: Template | undefined }

const makeMissing = async (
  sql: Transaction,
  caller: Caller,
  missing: readonly GivenComponent[],
  folderKeyOf: (path: string) => number,
): Promise<ReadonlyMap<string, Made>> => {
  const { organizationKey } = caller
  const templates = await templatesOf(sql, caller, missing)
  const templateOf = ({ templateUid }: GivenComponent) => (templateUid ? templates.get(templateUid) : undefined)
  const made = new Map<string, Made>()
  if (missing.length === 0) return made
  const copies = missing.reduce((sum, one) => sum + (templateOf(one)?.streams.length ?? 0), 0)
  if (copies > mostNamedStreams) throw tooLarge(`a call makes up to ${mostNamedStreams} streams, these templates more`)
  const zone = await organizationTimeZone(sql, organizationKey)
  const byId = new Map(missing.map((one) => [one.id, one]))
  // Those who make the same ones wait for each other in one order.
  const ids = [...byId.keys()].toSorted()
  for (let from = 0; from < ids.length; from += atOnce) {
    const rows = ids.slice(from, from + atOnce).map((id) => {
      const one = byId.get(id)!
      const template = templateOf(one)
      return {
        id,
        name: one.name ?? id,
        description: one.description ?? template?.description ?? '',
        folderKey: folderKeyOf(one.folder ?? rootFolder),
        timeZone: one.timeZone ?? template?.timeZone ?? zone,
        templateKey: template?.key ?? null,
      }
    })
    for (const { key, uid, id } of await insertMany(sql, organizationKey, rows))
      made.set(id, { key, uid, template: templateOf(byId.get(id)!) })
  }
  const late = ids.find((id) => !made.has(id))
  if (late !== undefined) throw conflict(`component '${late}' was made by another call just now: make this call again`)
  return made
}

const templatesOf = async (
  sql: Transaction,
  caller: Caller,
  missing: readonly GivenComponent[],
): Promise<ReadonlyMap<string, Template>> => {
  const templates = new Map<string, Template>()
  for (const { templateUid } of missing) {
    if (!templateUid || templates.has(templateUid)) continue
    demand(caller, 'GET template', templateUid)
    const template = await findTemplateByUid(sql, caller.organizationKey, templateUid)
    if (template === undefined) throw await uidNotFound(sql, caller, 'template', templateUid)
    templates.set(templateUid, await withStreams(sql, template))
  }
  return templates
}

/** Gives the keys of those that differ from what is given. */
const changeKnown = async (
  sql: Transaction,
  given: readonly GivenComponent[],
  known: ReadonlyMap<string, KnownComponent>,
  folderKeyOf: (path: string) => number,
): Promise<ReadonlySet<number>> => {
  const changes = given.flatMap(({ id, name, description, folder, timeZone, templateUid }, index) => {
    const component = known.get(id)
    if (component === undefined) return []
    const other =
      timeZone !== undefined && timeZone !== component.timeZone
        ? 'timeZone'
        : templateUid !== undefined && templateUid !== component.templateUid
          ? 'templateUid'
          : undefined
    if (other !== undefined)
      throw placed(index, conflict(`'${id}' is there with another ${other}, which this call does not change`))
    const changed = withGiven(component, {
      name,
      description,
      folderKey: folder === undefined ? undefined : folderKeyOf(folder),
    })
    return isDeepStrictEqual(changed, component) ? [] : changed
  })
  for (let from = 0; from < changes.length; from += atOnce) await updateMany(sql, changes.slice(from, from + atOnce))
  return new Set(changes.map(({ key }) => key))
}

/** A stream that is given for a component, at its place in the call. */
type Wanted = { readonly index: number; readonly componentKey: number; readonly members: StreamMembers }

const openStreams = (sql: Transaction, organizationKey: number) => {
  const names = openNames(sql, organizationKey)
  return {
    /** Makes and changes streams; gives the keys of the components that had others before. */
    add: async (
      given: readonly GivenComponent[],
      known: ReadonlyMap<string, KnownComponent>,
      made: ReadonlyMap<string, Made>,
      breathe: Breathe,
    ): Promise<ReadonlySet<number>> => {
      const newKeys = new Set(Array.from(made.values(), ({ key }) => key))
      const copies = Array.from(made.values()).flatMap(({ key, template }) =>
        (template?.streams ?? []).map((definition): NewStream => ({ componentKey: key, definition })),
      )
      const derived = await insertSome(sql, copies)
      const wanted = given.flatMap(({ id, stream = [] }, index): Wanted[] => {
        const componentKey = (known.get(id) ?? made.get(id)!).key
        return stream.map((members) => ({ index, componentKey, members }))
      })
      const touched = new Set<number>()
      for (let from = 0; from < wanted.length; from += streamsAtOnce) {
        const some = wanted.slice(from, from + streamsAtOnce)
        const { fresh, changes } = await sortOut(sql, names, some, newKeys, breathe)
        if (changes.length > 0) await updateNamedStreams(sql, changes)
        for (const key of await insertSome(sql, fresh)) derived.push(key)
        for (const { componentKey } of [...fresh, ...changes]) touched.add(componentKey)
        if (changes.some(({ description }) => description.length > 0))
          await refuseHeavyOnes(
            sql,
            changes.map(({ componentKey }) => componentKey),
          )
      }
      await saveDerivations(sql, { organizationKey, newComponentKeys: newKeys }, derived)
      return touched
    },
  }
}

const streamsAtOnce = 5_000

/** Gives the keys of those that are derived. */
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
