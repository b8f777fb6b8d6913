// Components in the management API (docs/management.md#components-and-streams).
//
//   POST {"id":"Boiler","folder":"/Components/Plant","stream":[{"id":"temp"},{"id":"mode","valueType":"STRING"}]}
import { badRequest, conflict, notFound } from '../base/errors.ts'
import {
  blankable,
  identifier,
  readMembers,
  shownUid,
  text,
  timeZone,
  unlessBlank,
  versionNumber,
} from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { demand, demandOfNamed } from '../core/caller.ts'
import {
  componentSorts,
  deleteComponent,
  findComponentByUid,
  insertComponent,
  listComponents,
  lockComponent,
  updateComponent,
} from '../core/component.ts'
import type { Component, NewComponent } from '../core/component.ts'
import { folderFilter, folderReader, rootFolder } from '../core/folder.ts'
import { derivedByZone, lockDerivations } from '../core/derivation.ts'
import { uidNotFound } from '../core/named.ts'
import { closeGate, noteChange } from '../core/sample/catalog-change.ts'
import { organizationTimeZone } from '../core/organization.ts'
import { haveSamples, queueRemovalOf } from '../core/upkeep/removal.ts'
import { insertRemoval } from '../core/upkeep/removal-progress.ts'
import { countStreams, streamDetailsOf, useOfComponent, useOfComponentId } from '../core/stream.ts'
import type { StreamDetail } from '../core/stream.ts'
import { weighStreamsOf } from '../core/stream-weight.ts'
import { componentFromTemplate, findTemplateByUid, withStreams } from '../core/template.ts'
import type { Template } from '../core/template.ts'
import { saveDerivations } from './derivation.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'
import type { ListedStream } from './stream-definition.ts'
import { listedStreams, newStreams } from './stream-definition.ts'
import {
  arrangeStreams,
  demandListed,
  listConcernsWriters,
  prepareNumbers,
  seenStreams,
  showsStreams,
  withoutStreams,
  withTheirStreams,
} from './listed-streams.ts'
import {
  addStreams,
  demandVariables,
  derivedFrom,
  keysOfDerived,
  refuseUse,
  showStream,
  streamSchema,
} from './stream.ts'

type ComponentRow = Component & { readonly streams: readonly StreamDetail[] }

/** The members that a caller gives to a component, beside its streams. */
export const componentMembers = {
  id: blankable(identifier),
  name: text(1, 512),
  description: text(0, 10_000),
  folder: folderReader,
  timeZone: unlessBlank(timeZone),
  templateUid: blankable(text(1, 64)),
}
const members = { uid: shownUid, ...componentMembers, version: versionNumber }
const newMembers = { ...members, stream: newStreams(false) }
const changeMembers = { ...members, stream: listedStreams(false) }

type Change = Members<typeof changeMembers>
type New = Members<typeof newMembers> & { readonly name: string }

const filters = {
  uid: text(0, 512),
  id: text(0, 512),
  folder: folderFilter,
  templateUid: blankable(text(1, 64)),
  timeZone,
  streams: showsStreams,
}

export const componentEntity: Entity<ComponentRow, New, Change, typeof filters> = {
  name: 'component',
  about: {
    part: 'management',
    one: 'a component',
    many: 'components',
    newMembers,
    changeMembers,
    shown: { stream: { type: 'array', items: streamSchema } },
    manyBy: 'PUT /api/component',
    example: {
      id: 'Boiler',
      folder: '/Components/Plant',
      timeZone: 'Europe/Berlin',
      stream: [{ id: 'temp' }, { id: 'mode', valueType: 'STRING' }],
    },
  },
  readNew: (input) => {
    const given = readMembers('component', input, newMembers)
    const name = given.name ?? given.id
    if (!name) throw badRequest('a component must have a name or an id')
    return { ...given, name }
  },
  readChange: (input) => readMembers('component', input, changeMembers),
  filters,
  sorts: componentSorts,
  list: async (sql, caller, { folder: folderPath, streams: isWhole = true, ...search }) => {
    const listing = await listComponents(sql, caller.organizationKey, search, { ...search, folderPath })
    return isWhole ? withTheirStreams(sql, listing) : withoutStreams(listing)
  },
  find: (sql, caller, uid) => findRow(sql, caller.organizationKey, uid),
  weigh: (sql, caller, uid) => weighStreamsOf(sql, caller.organizationKey, uid),
  modelUid: (given) => given.templateUid,
  create: async (sql, caller, given) => {
    const { organizationKey } = caller
    await demandVariables(sql, caller, given.stream ?? [])
    const template = given.templateUid ? await templateFor(sql, caller, given.templateUid) : undefined
    // Writers remember which streams of other components are sources.
    if (given.stream?.some(({ variables }) => variables?.some((variable) => variable.componentId !== undefined)))
      await closeGate(sql, organizationKey)
    const component = await makeComponent(sql, organizationKey, given, template)
    const { key, id } = component
    const streams = given.stream ?? []
    await addStreams(sql, { key, id, organizationKey, isTemplate: false }, streams)
    const derived = keysOfDerived(await streamDetailsOf(sql, [key]))
    await saveDerivations(sql, { organizationKey, newComponentKeys: new Set([key]) }, derived)
    return (await findRow(sql, organizationKey, component.uid))!
  },
  update: async (sql, caller, seen, given) => {
    const { organizationKey } = caller
    if (given.stream !== undefined) {
      const owner = { key: seen.key, id: seen.id, organizationKey, isTemplate: false }
      await demandListed(sql, caller, owner, seen.streams, given.stream)
    }
    const known = new Map(seen.streams.map((stream) => [stream.uid, stream]))
    const derived = (listed: ListedStream) =>
      listed.kind === 'new' ? listed.stream : derivedFrom(listed.change, known.get(listed.uid))
    await demandVariables(sql, caller, (given.stream ?? []).map(derived))
    await prepareNumbers(sql, seen.streams, given.stream ?? [])
    const isClosed = concernsWriters(seen, given)
    if (isClosed) await closeGate(sql, organizationKey)
    const locked = await lockComponent(sql, seen.key)
    if (locked === undefined) throw notFound('component', seen.uid)
    const component = { ...locked, streams: await streamDetailsOf(sql, [locked.key]) }
    refuseStale('component', given, component)
    if (given.templateUid !== undefined && given.templateUid !== component.templateUid)
      throw badRequest('templateUid is set when a component is made, and stays')
    const isConcerned = isClosed || concernsWriters(component, given)
    // Another change was faster, and now this one concerns writers after all.
    if (isConcerned && !isClosed) await closeGate(sql, organizationKey)
    await changeComponent(sql, caller, component, given)
    if (isConcerned) await noteChange(sql, [component.key])
    return (await findRow(sql, organizationKey, component.uid))!
  },
  remove: async (sql, caller, seen) => {
    const { organizationKey } = caller
    // Before the gate is closed: in a long history of chunks this takes its time.
    const goesOn = await haveSamples(sql, keysOf(seen.streams))
    await closeGate(sql, organizationKey)
    const component = await lockComponent(sql, seen.key)
    if (component === undefined) throw notFound('component', seen.uid)
    const { key, id } = component
    if (id !== null) {
      await lockDerivations(sql, organizationKey)
      refuseUse(`a stream of component '${id}'`, await useOfComponent(sql, key))
    }
    const { uid, name } = component
    const streams = (await countStreams(sql, [key])).get(key) ?? 0
    const progress = goesOn
      ? await insertRemoval(sql, caller, {
          entity: 'component',
          subject: uid,
          name: id ?? name,
          componentUid: uid,
          streams,
        })
      : undefined
    await queueRemovalOf(sql, key, caller, progress)
    await deleteComponent(sql, key)
    await noteChange(sql, [key])
    return progress
  },
  show: (component) => ({
    uid: component.uid,
    id: component.id,
    name: component.name,
    description: component.description,
    folder: component.folderPath,
    timeZone: component.timeZone,
    templateUid: component.templateUid,
    version: component.version,
    stream: component.streams.map(showStream),
  }),
  seenBy: seenStreams,
}

/** The same with the streams as they are listed: one that was made from a template may have lost some, or have others. */
export const restoreComponent = async (sql: Transaction, caller: Caller, given: New): Promise<ComponentRow> => {
  const { organizationKey } = caller
  const { id = null, name, description, folder: path = rootFolder } = given
  await demandVariables(sql, caller, given.stream ?? [])
  if (given.stream?.some(({ expression }) => expression !== null)) await closeGate(sql, organizationKey)
  const template = given.templateUid ? await templateFor(sql, caller, given.templateUid) : undefined
  const component = await insertComponent(sql, organizationKey, {
    id,
    name,
    ...(description === undefined ? {} : { description }),
    folderPath: path,
    timeZone: given.timeZone ?? (await organizationTimeZone(sql, organizationKey)),
    templateKey: template?.key ?? null,
  })
  if (component === undefined) throw conflict(`there is a component with the id '${id}'`)
  const { key, uid } = component
  await addStreams(sql, { key, id, organizationKey, isTemplate: false }, given.stream ?? [])
  const made = (await findRow(sql, organizationKey, uid))!
  await saveDerivations(sql, { organizationKey, newComponentKeys: new Set([key]) }, keysOfDerived(made.streams))
  return made
}

const keysOf = (streams: readonly StreamDetail[]) => streams.map((stream) => stream.key)

const findRow = async (sql: Sql, organizationKey: number, uid: string): Promise<ComponentRow | undefined> => {
  const component = await findComponentByUid(sql, organizationKey, uid)
  return component && { ...component, streams: await streamDetailsOf(sql, [component.key]) }
}

const templateFor = async (sql: Transaction, caller: Caller, uid: string): Promise<Template> => {
  demand(caller, 'GET template', uid)
  const template = await findTemplateByUid(sql, caller.organizationKey, uid)
  if (template === undefined) throw await uidNotFound(sql, caller, 'template', uid)
  const whole = await withStreams(sql, template)
  demandOfNamed(caller, 'GET stream', whole.streams)
  return whole
}

const makeComponent = async (
  sql: Transaction,
  organizationKey: number,
  given: New,
  template: Template | undefined,
): Promise<Component> => {
  const { id = null, name } = given
  const zone = given.timeZone ?? template?.timeZone ?? (await organizationTimeZone(sql, organizationKey))
  const definition: Omit<NewComponent, 'templateKey'> = {
    id,
    name,
    folderPath: given.folder ?? rootFolder,
    timeZone: zone,
    ...(given.description === undefined ? {} : { description: given.description }),
  }
  const component =
    template === undefined
      ? await insertComponent(sql, organizationKey, { ...definition, templateKey: null })
      : (await componentFromTemplate(sql, organizationKey, { ...template, timeZone: zone }, definition))?.component
  if (component === undefined) throw conflict(`there is a component with the id '${id}'`)
  return component
}

const concernsWriters = (component: ComponentRow, given: Change): boolean =>
  (given.id !== undefined && given.id !== component.id) ||
  (given.timeZone !== undefined && given.timeZone !== component.timeZone) ||
  (given.stream !== undefined && listConcernsWriters(component.streams, given.stream))

const changeComponent = async (
  sql: Transaction,
  caller: Caller,
  component: ComponentRow,
  given: Change,
): Promise<void> => {
  const { organizationKey } = caller
  const changed = withGiven(component, { ...given, folderPath: given.folder })
  const { id } = changed
  if (component.id !== null && id !== component.id) {
    await lockDerivations(sql, organizationKey)
    refuseUse(`a stream of component '${component.id}'`, await useOfComponentId(sql, component.key, component.id))
  }
  if (changed.timeZone !== component.timeZone) await refuseZoneChange(sql, component)
  await updateComponent(sql, organizationKey, component.key, changed)
  if (changed.timeZone !== component.timeZone)
    await saveDerivations(sql, { organizationKey }, await derivedByZone(sql, component.key))
  if (given.stream !== undefined)
    await arrangeStreams(
      sql,
      caller,
      { key: component.key, id, organizationKey, isTemplate: false },
      component.streams,
      given.stream,
    )
}

/** Interval samples stand at the ends of intervals in the zone they were written in. */
const refuseZoneChange = async (sql: Transaction, component: ComponentRow): Promise<void> => {
  const intervals = component.streams.filter((stream) => stream.kind === 'interval')
  if (await haveSamples(sql, keysOf(intervals)))
    throw conflict(
      `component '${component.id ?? component.name}' has samples in interval streams: its timeZone must stay`,
    )
}
