// Templates in the management API (docs/management.md#entities), from scratch or from a component that serves as the
// model.
//
//   POST {"id":"boiler","fromComponentUid":"..."}
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { blankable, identifier, readMembers, shownUid, text, timeZone, versionNumber } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { demand, demandOfNamed } from '../core/caller.ts'
import { findComponentByUid } from '../core/component.ts'
import type { Component } from '../core/component.ts'
import { uidNotFound } from '../core/named.ts'
import { insertStreams, streamDetailsOf } from '../core/stream.ts'
import type { StreamDefinition, StreamDetail, Variable } from '../core/stream.ts'
import { weighStreamsOf } from '../core/stream-weight.ts'
import {
  deleteTemplate,
  findTemplateByUid,
  insertTemplate,
  listTemplates,
  lockTemplate,
  templateSorts,
  updateTemplate,
} from '../core/template.ts'
import type { TemplateRow } from '../core/template.ts'
import { saveDerivations } from './derivation.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'
import { listedStreams, newStreams } from './stream-definition.ts'
import {
  arrangeStreams,
  demandListed,
  listDerives,
  seenStreams,
  showsStreams,
  withoutStreams,
  withTheirStreams,
} from './listed-streams.ts'
import { addStreams, keysOfDerived, showStream, streamSchema } from './stream.ts'
import { openReach } from './template-reach.ts'

type Row = TemplateRow & { readonly streams: readonly StreamDetail[] }

const members = {
  uid: shownUid,
  id: blankable(identifier),
  name: text(1, 512),
  description: text(0, 10_000),
  timeZone: blankable(timeZone),
  version: versionNumber,
}
const newMembers = { ...members, fromComponentUid: blankable(text(1, 64)), stream: newStreams(true) }
const changeMembers = { ...members, stream: listedStreams(true) }

type New = Members<typeof newMembers>
type Change = Members<typeof changeMembers>

const filters = { id: text(0, 512), streams: showsStreams }

export const templateEntity: Entity<Row, New, Change, typeof filters> = {
  name: 'template',
  about: {
    part: 'management',
    one: 'a template',
    many: 'templates',
    newMembers,
    changeMembers,
    shown: { stream: { type: 'array', items: streamSchema } },
    example: { id: 'boiler', stream: [{ id: 'temp' }] },
  },
  readNew: (input) => {
    const given = readMembers('template', input, newMembers)
    if (!given.name && !given.id && !given.fromComponentUid) throw badRequest('a template must have a name or an id')
    return given
  },
  readChange: (input) => readMembers('template', input, changeMembers),
  filters,
  sorts: templateSorts,
  list: async (sql, caller, { streams: isWhole = true, ...search }) => {
    const listing = await listTemplates(sql, caller.organizationKey, search, search)
    return isWhole ? withTheirStreams(sql, listing) : withoutStreams(listing)
  },
  find: (sql, caller, uid) => findRow(sql, caller.organizationKey, uid),
  weigh: (sql, caller, uid) => weighStreamsOf(sql, caller.organizationKey, uid),
  modelUid: (given) => given.fromComponentUid,
  create: async (sql, caller, { fromComponentUid, ...given }) => {
    const { organizationKey } = caller
    const model = fromComponentUid ? await modelFor(sql, caller, fromComponentUid) : undefined
    const template = await makeTemplate(sql, organizationKey, given, model?.component)
    if (model) await insertStreams(sql, template.key, model.streams)
    const { key, id } = template
    await addStreams(sql, { key, id, organizationKey, isTemplate: true }, given.stream ?? [])
    const made = (await findRow(sql, organizationKey, template.uid))!
    await saveDerivations(sql, { organizationKey }, keysOfDerived(made.streams))
    return made
  },
  update: async (sql, caller, seen, given) => {
    const { organizationKey } = caller
    if (given.stream !== undefined) {
      const owner = { key: seen.key, id: seen.id, organizationKey, isTemplate: true }
      await demandListed(sql, caller, owner, seen.streams, given.stream)
    }
    const mayReach = given.stream !== undefined && listDerives(seen.streams, given.stream)
    const reaching = await openReach(sql, caller, seen, mayReach)
    const template = await lockTemplate(sql, seen.key)
    if (template === undefined) throw notFound('template', seen.uid)
    refuseStale('template', given, template)
    const { key } = template
    const changed = withGiven(template, given)
    await updateTemplate(sql, key, changed)
    if (given.stream !== undefined) {
      const owner = { key, id: changed.id, organizationKey, isTemplate: true }
      const former = await streamDetailsOf(sql, [key])
      await arrangeStreams(sql, caller, owner, former, given.stream)
      await reaching.reach(former)
    }
    return (await findRow(sql, organizationKey, template.uid))!
  },
  remove: async (sql, _caller, { key, uid }) => {
    if (!(await deleteTemplate(sql, key))) throw notFound('template', uid)
    return undefined
  },
  show: (template) => ({
    uid: template.uid,
    id: template.id,
    name: template.name,
    description: template.description,
    timeZone: template.timeZone,
    version: template.version,
    stream: template.streams.map(showStream),
  }),
  seenBy: seenStreams,
}

const findRow = async (sql: Sql, organizationKey: number, uid: string): Promise<Row | undefined> => {
  const template = await findTemplateByUid(sql, organizationKey, uid)
  return template && { ...template, streams: await streamDetailsOf(sql, [template.key]) }
}

const makeTemplate = async (
  sql: Transaction,
  organizationKey: number,
  given: New,
  model: Component | undefined,
): Promise<TemplateRow> => {
  const id = given.id === undefined ? (model?.id ?? null) : given.id
  const template = await insertTemplate(sql, organizationKey, {
    id,
    // One of them is there: readNew has checked it.
    name: (given.name ?? model?.name ?? id)!,
    description: given.description ?? model?.description ?? '',
    timeZone: given.timeZone ?? null,
  })
  if (template === undefined) throw conflict(`there is a template with the id '${id}'`)
  return template
}

type Model = { readonly component: Component; readonly streams: readonly StreamDefinition[] }

const modelFor = async (sql: Transaction, caller: Caller, uid: string): Promise<Model> => {
  demand(caller, 'GET component', uid)
  const component = await findComponentByUid(sql, caller.organizationKey, uid)
  if (component === undefined) throw await uidNotFound(sql, caller, 'component', uid)
  const streams = await streamDetailsOf(sql, [component.key])
  demandOfNamed(caller, 'GET stream', streams)
  return { component, streams: streams.map((stream) => definitionFrom(stream, component)) }
}

/** The stream as its template's: variables name streams of the same component only. */
const definitionFrom = (stream: StreamDetail, component: Component): StreamDefinition => ({
  ...stream,
  variables:
    stream.variables?.map(({ componentId, ...variable }): Variable => {
      if (componentId !== undefined && componentId !== component.id)
        throw badRequest(
          `stream '${stream.id ?? stream.name}' has a variable of component '${componentId}', a template cannot`,
        )
      return variable
    }) ?? null,
})
