// Auto-creation (docs/feeds.md#creation): the components and streams that a batch names and that do not exist
// are made in the batch's own transaction. The write gate is open, so nothing that is there can go away meanwhile.
//
// Many calls may want the same at once. Each goes through the same steps: the folder, then components in the order
// of their IDs, then the locks of all its components in the order of their keys, then streams. So each is made
// once, in one order, and nobody waits in a circle.
import { badRequest, notFound, shorten, tooLarge } from '../../base/errors.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { streamsByComponent, writeAuditOfMade } from './audit-made.ts'
import type { MadeComponent } from './audit-made.ts'
import { idOfPosition, namedStreams } from './batch.ts'
import type { BatchComponent, BatchSamples, SampleBatch } from './batch.ts'
import type { Caller } from '../caller.ts'
import { demand } from '../caller.ts'
import { insertComponents, lockComponents } from '../component.ts'
import { registerDerivations } from '../derive/state.ts'
import { findOrganizationByKey } from '../organization.ts'
import type { RegisteredComponent } from './registered.ts'
import { readComponents, streamByRef } from './registered.ts'
import { isId, isPosition, isUid } from './ref.ts'
import type { StreamRef } from './ref.ts'
import type { NewStream, Stream, StreamDefinition, ValueType } from '../stream.ts'
import { insertStreamsOfMany, randomStream } from '../stream.ts'
import type { Template } from '../template.ts'
import { findTemplate } from '../template.ts'
import type { RawValue } from './value.ts'
import { findNotFinite, quoteValue, typeForScripted, typeForUploaded } from './value.ts'

export type Created = {
  /** The batch with every stream named by an ID or uid. */
  readonly batch: SampleBatch
  readonly components: readonly RegisteredComponent[]
  readonly missingStreamIds: readonly string[]
}

export const createMissing = async (sql: Transaction, caller: Caller, batch: SampleBatch): Promise<Created> => {
  const values = valuesByRef(batch)
  const { components: before, made } = await completeComponents(sql, caller, batch, values)
  const model = await findModel(sql, caller, batch)
  const plans = before.map((component, index) => planStreams(batch, index, component, values[index]!, model))
  const streams = await insertPlanned(sql, plans)
  await writeAuditOfMade(sql, caller, before, made, streams)
  const after = streams.length > 0 ? await readAll(sql, caller, batch) : before
  return {
    batch: { ...batch, samples: renameStreams(batch.samples, plans) },
    components: after,
    missingStreamIds: plans[0]?.missingStreamIds ?? [],
  }
}

type Completed = {
  readonly components: readonly RegisteredComponent[]
  /** The components and streams that were made just now. */
  readonly made: readonly MadeComponent[]
}

/** All components of the batch, as they are before its streams are made, and locked so that nobody else adds any. */
const completeComponents = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
  values: readonly ReadonlyMap<StreamRef, readonly RawValue[]>[],
): Promise<Completed> => {
  const refs = batch.components.map(({ ref }) => ref)
  const known = await readComponents(sql, caller.organizationKey, refs, namedStreams(batch))
  for (const ref of refs) demand(caller, 'PUT component/feed', known.get(ref)?.uid)
  const missing = batch.components
    .map((component, index): Missing => ({ ...component, streamRefs: [...values[index]!.keys()] }))
    .filter(({ ref }) => known.get(ref) === undefined)
  const made = missing.length > 0 ? await createComponents(sql, caller, batch.creation.folderPath, missing) : []
  const components = missing.length > 0 ? await readAll(sql, caller, batch) : refs.map((ref) => known.get(ref)!)
  // Nobody else can see yet what this transaction has made.
  if (made.length === refs.length) return { components, made }
  await lockComponents(
    sql,
    components.map(({ key }) => key),
  )
  return { components: await readAll(sql, caller, batch), made }
}

const readAll = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
): Promise<readonly RegisteredComponent[]> => {
  const refs = batch.components.map(({ ref }) => ref)
  const found = await readComponents(sql, caller.organizationKey, refs, namedStreams(batch))
  return refs.map((ref) => found.get(ref)!)
}

type Missing = BatchComponent & { readonly streamRefs: readonly StreamRef[] }

/** Gives those that it made: others may have been faster. */
const createComponents = async (
  sql: Transaction,
  caller: Caller,
  folderPath: string,
  missing: readonly Missing[],
): Promise<readonly MadeComponent[]> => {
  const byId = new Map<string, BatchComponent>()
  for (const component of missing) {
    if (!isId(component.ref)) throw notFound('component', component.ref.uid)
    byId.set(component.ref, component)
  }
  // The organization may have been deleted since the caller was recognized.
  const organization = await findOrganizationByKey(sql, caller.organizationKey)
  if (organization === undefined) throw notFound('organization', caller.organizationUid)
  const { timeZone } = organization
  const templates = new Map<string, Template>()
  for (const { templateId } of missing)
    if (templateId !== undefined && !templates.has(templateId))
      templates.set(templateId, await templateById(sql, caller, templateId))
  const templateOf = ({ templateId }: BatchComponent) =>
    templateId === undefined ? undefined : templates.get(templateId)
  refuseTooMany(missing.reduce((sum, component) => sum + 1 + (templateOf(component)?.streams.length ?? 0), 0))
  // Before any is made: 24 MB that named 30,000 components and more streams made all of these, in 14 s and more, to be refused then.
  refuseTooMany(missing.reduce((sum, component) => sum + countNew(component, templateOf(component)), 0))
  const made = await insertComponents(
    sql,
    caller.organizationKey,
    folderPath,
    Array.from(byId, ([id, component]) => {
      const template = templateOf(component)
      return {
        id,
        name: component.name ?? id,
        description: template?.description ?? '',
        timeZone: template?.timeZone ?? timeZone,
        templateKey: template?.key ?? null,
      }
    }),
  )
  const streams = await insertStreamsOfMany(
    sql,
    made.flatMap(({ key, id }) =>
      (templateOf(byId.get(id!)!)?.streams ?? []).map((definition) => ({ componentKey: key, definition })),
    ),
  )
  await registerDerivations(
    sql,
    streams.flatMap(({ key, expression }) => (expression === null ? [] : [key])),
  )
  const streamsOf = streamsByComponent(streams)
  return made.map(({ key, uid, id }) => {
    const component = byId.get(id!)!
    const zone = templateOf(component)?.timeZone ?? timeZone
    return {
      key,
      uid,
      shown: { id: id!, name: component.name ?? id!, folder: folderPath, timeZone: zone },
      templateStreams: streamsOf.get(key) ?? [],
    }
  })
}

/** The streams that the template does not make. */
const countNew = ({ streamRefs }: Missing, template: Template | undefined): number => {
  if (template === undefined) return streamRefs.length
  const ids = new Set<StreamRef | null>(template.streams.map(({ id }) => id))
  return streamRefs.filter((ref) => !isPosition(ref) && !ids.has(ref)).length
}

/** Making so many takes some seconds inside the write gate; a template makes many streams of a short call. */
const mostMade = 30_000

const refuseTooMany = (count: number): void => {
  if (count > mostMade) throw tooLarge(`a call may make ${mostMade} components and streams, send fewer at a time`)
}

const templateById = async (sql: Transaction, caller: Caller, id: string): Promise<Template> => {
  const template = await findTemplate(sql, caller.organizationKey, id)
  if (template === undefined) throw notFound('template', id)
  return template
}

/** The template stream that dtId and dsId name. */
const findModel = async (
  sql: Transaction,
  caller: Caller,
  { creation: { streamTemplate } }: SampleBatch,
): Promise<StreamDefinition | undefined> => {
  if (streamTemplate === undefined) return undefined
  const { streams } = await templateById(sql, caller, streamTemplate.templateId)
  const model = streams.find(({ id }) => id === streamTemplate.streamId)
  if (model === undefined) throw notFound('stream', streamTemplate.streamId)
  // Alone it would lack the streams that it is derived from, and it takes no samples.
  if (model.expression !== null)
    throw badRequest(`stream '${shorten(streamTemplate.streamId)}' of the template is derived`)
  return model
}

/** For each component of the batch, the values of each stream. */
const valuesByRef = ({ components, samples }: SampleBatch): readonly Map<StreamRef, RawValue[]>[] => {
  const maps = components.map(() => new Map<StreamRef, RawValue[]>())
  samples.streamRefs.forEach((ref, at) => {
    const map = maps[samples.components[at]!]!
    const values = map.get(ref)
    if (values) values.push(samples.values[at]!)
    else map.set(ref, [samples.values[at]!])
  })
  return maps
}

type Plan = {
  readonly componentKey: number
  readonly definitions: readonly StreamDefinition[]
  /** The IDs that unnamed data get, by their positions. */
  readonly renamed: ReadonlyMap<StreamRef, string>
  readonly missingStreamIds: readonly string[]
}

const typesByForm: Record<SampleBatch['form'], (values: readonly RawValue[]) => ValueType> = {
  url: typeForUploaded,
  json: typeForUploaded,
  script: typeForScripted,
  file: () => 'FILE',
}

/**
 * The streams that one component lacks: named streams first, then those of unnamed data, then those that are only read
 * (rsid).
 */
const planStreams = (
  batch: SampleBatch,
  index: number,
  component: RegisteredComponent,
  values: ReadonlyMap<StreamRef, readonly RawValue[]>,
  model: StreamDefinition | undefined,
): Plan => {
  const isMissing = (ref: StreamRef) => streamByRef(component, ref) === undefined
  const missing = [...values.keys()].filter(isMissing)
  const unknown = missing.find(isUid)
  if (unknown !== undefined) throw notFound('stream', unknown.uid)
  const unnamed = missing.filter(isPosition)
  const named = missing.filter(isId)

  const renamed = new Map<StreamRef, string>(unnamed.map((ref) => [ref, idOfPosition(ref)]))
  for (const id of renamed.values())
    if (values.has(id) || streamByRef(component, id))
      throw badRequest(`stream '${id}' is given by name and by position`)

  const missingStreamIds = index === 0 ? batch.wantedStreamIds.filter(isMissing) : []
  for (const id of [...named, ...missingStreamIds]) {
    const reason = batch.refuseNew?.(id)
    if (reason !== undefined) throw badRequest(reason)
  }
  const typeOf = typesByForm[batch.form]
  const define = (id: string, type: ValueType): StreamDefinition =>
    model ? { ...model, id, name: id } : randomStream(id, type)
  const definitions = [...named, ...unnamed].map((ref) => {
    const id = isId(ref) ? ref : idOfPosition(ref)
    const bad = batch.form === 'file' ? undefined : findNotFinite(values.get(ref)!)
    if (bad !== undefined) {
      const { samples } = batch
      const at = samples.values.findIndex(
        (value, sample) => value === bad && samples.streamRefs[sample] === ref && samples.components[sample] === index,
      )
      throw badRequest(
        `stream '${shorten(id)}' of component '${shorten(component.id ?? component.uid)}' cannot take ${quoteValue(bad)}`,
        { about: { first: at, last: at, member: 'value' } },
      )
    }
    return define(id, typeOf(values.get(ref)!))
  })
  const written = new Set(definitions.map(({ id }) => id))
  for (const id of missingStreamIds) if (!written.has(id)) definitions.push(define(id, 'DOUBLE'))
  return { componentKey: component.key, definitions, renamed, missingStreamIds }
}

/** A component that the batch names by ID and by uid has two plans. */
const insertPlanned = async (sql: Transaction, plans: readonly Plan[]): Promise<readonly Stream[]> => {
  const planned = new Map<string, NewStream>()
  for (const { componentKey, definitions } of plans)
    for (const definition of definitions) {
      const name = `${componentKey} ${definition.id}`
      if (!planned.has(name)) planned.set(name, { componentKey, definition })
    }
  refuseTooMany(planned.size)
  return insertStreamsOfMany(sql, [...planned.values()])
}

const renameStreams = (samples: BatchSamples, plans: readonly Plan[]): BatchSamples =>
  plans.some(({ renamed }) => renamed.size > 0)
    ? {
        ...samples,
        streamRefs: samples.streamRefs.map((ref, at) => plans[samples.components[at]!]!.renamed.get(ref) ?? ref),
      }
    : samples
