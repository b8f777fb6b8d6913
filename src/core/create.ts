// Auto-creation (4.1 rule 3): the components and streams that a batch names and that do not exist are made
// in the batch's own transaction. Calls that want the same component wait for each other on its row, always
// in the order of the IDs, so that each is made once, in one order, and nobody waits in a circle.
import { badRequest, notFound } from '../base/errors.ts'
import type { Transaction } from '../base/sql.ts'
import type { BatchComponent, SampleBatch } from './batch.ts'
import type { Caller } from './caller.ts'
import { demand } from './caller.ts'
import { insertComponent, lockComponent } from './component.ts'
import { ensureFolder } from './folder.ts'
import { organizationTimeZone } from './organization.ts'
import type { RegisteredComponent } from './registry.ts'
import { readComponents, streamByRef } from './registry.ts'
import type { StreamDefinition, ValueType } from './stream.ts'
import { insertStreams, randomStream } from './stream.ts'
import { componentFromTemplate, findTemplate } from './template.ts'
import { typeForJsonValues, typeForUrlValues } from './value.ts'
import type { RawValue } from './value.ts'

export type Created = {
  /** The batch with every stream named by an ID or uid. */
  readonly batch: SampleBatch
  readonly components: readonly RegisteredComponent[]
  readonly missingStreamIds: readonly string[]
}

export const createMissing = async (sql: Transaction, caller: Caller, batch: SampleBatch): Promise<Created> => {
  const inOrder = [...batch.components.keys()].toSorted((a, b) =>
    batch.components[a]!.ref < batch.components[b]!.ref ? -1 : 1,
  )
  const refs = batch.components.map(({ ref }) => ref)
  const found = await readComponents(sql, caller.organizationKey, refs)
  // The folder is shared by components of any ID: who waited for it while holding one of them could wait in a circle.
  if (refs.some((ref) => !found.has(ref))) await ensureFolder(sql, caller.organizationKey, batch.creation.folderPath)
  const made: { [index: number]: Awaited<ReturnType<typeof completeComponent>> } = {}
  for (const index of inOrder) made[index] = await completeComponent(sql, caller, batch, index)
  const parts = batch.components.map((_, index) => made[index]!)
  return {
    batch: {
      ...batch,
      samples: {
        ...batch.samples,
        streamRefs: batch.samples.streamRefs.map(
          (ref, at) => parts[batch.samples.components[at]!]!.renamed.get(ref) ?? ref,
        ),
      },
    },
    components: parts.map((part) => part.component),
    missingStreamIds: parts[0]?.missingStreamIds ?? [],
  }
}

/** Makes what is missing of one component and of its streams. */
const completeComponent = async (sql: Transaction, caller: Caller, batch: SampleBatch, index: number) => {
  const wanted = batch.components[index]!
  const before = await findOrCreate(sql, caller, batch, wanted)
  const valuesByRef = new Map<string, RawValue[]>()
  batch.samples.streamRefs.forEach((ref, at) => {
    if (batch.samples.components[at] !== index) return
    const values = valuesByRef.get(ref)
    if (values) values.push(batch.samples.values[at]!)
    else valuesByRef.set(ref, [batch.samples.values[at]!])
  })
  const missingStreamIds = index === 0 ? batch.wantedStreamIds.filter((id) => !streamByRef(before, id)) : []
  const missing = [...valuesByRef.keys()].filter((ref) => !streamByRef(before, ref))
  const named = missing.filter((ref) => ref.codePointAt(0)! > 1)
  const unnamed = missing.filter((ref) => ref[0] === '\u0001')
  const unknownUid = missing.find((ref) => ref[0] === '\u0000')
  if (unknownUid !== undefined) throw notFound('stream', unknownUid.slice(1))

  // Unnamed data of a missing position becomes the stream data<position>, after the named new ones (decisions 2.12).
  const renamed = new Map(unnamed.map((ref) => [ref, `data${ref.slice(1)}`]))
  for (const id of renamed.values())
    if (valuesByRef.has(id) || before.streamsById.has(id))
      throw badRequest(`stream '${id}' is given by name and by position`)

  const typeOf = batch.form === 'url' ? typeForUrlValues : typeForJsonValues
  const idsOfNew = [...named, ...renamed.values()]
  const typesOfNew = [...named, ...unnamed].map((ref) => typeOf(valuesByRef.get(ref)!))
  for (const id of missingStreamIds)
    if (!idsOfNew.includes(id)) {
      idsOfNew.push(id)
      typesOfNew.push('DOUBLE')
    }
  if (idsOfNew.length === 0) return { component: before, renamed, missingStreamIds }
  await insertStreams(sql, before.key, await defineStreams(sql, caller, batch, idsOfNew, typesOfNew))
  return { component: (await read(sql, caller, wanted.ref))!, renamed, missingStreamIds }
}

/** The component as it is before the call's streams are made, locked so that their order is ours alone to extend. */
const findOrCreate = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
  wanted: BatchComponent,
): Promise<RegisteredComponent> => {
  for (;;) {
    const found = await read(sql, caller, wanted.ref)
    if (found) {
      demand(caller, 'PUT component/feed', found.uid)
      if (await lockComponent(sql, found.key)) return (await read(sql, caller, wanted.ref)) ?? found
    } else await createComponent(sql, caller, batch, wanted)
  }
}

const createComponent = async (sql: Transaction, caller: Caller, batch: SampleBatch, wanted: BatchComponent) => {
  demand(caller, 'PUT component/feed')
  if (wanted.ref[0] === '\u0000') throw notFound('component', wanted.ref.slice(1))
  const given = {
    id: wanted.ref,
    name: wanted.name ?? wanted.ref,
    folderPath: batch.creation.folderPath,
    timeZone: await organizationTimeZone(sql, caller.organizationKey),
  }
  if (wanted.templateId === undefined)
    await insertComponent(sql, caller.organizationKey, { ...given, templateKey: null })
  else {
    const template = await findTemplate(sql, caller.organizationKey, wanted.templateId)
    if (template === undefined) throw notFound('template', wanted.templateId)
    await componentFromTemplate(sql, caller.organizationKey, template, given)
  }
}

const read = async (sql: Transaction, caller: Caller, ref: string) =>
  (await readComponents(sql, caller.organizationKey, [ref])).get(ref)

const defineStreams = async (
  sql: Transaction,
  caller: Caller,
  batch: SampleBatch,
  ids: readonly string[],
  types: readonly ValueType[],
): Promise<readonly StreamDefinition[]> => {
  const { streamTemplate } = batch.creation
  if (streamTemplate === undefined) return ids.map((id, index) => randomStream(id, types[index]!))
  const template = await findTemplate(sql, caller.organizationKey, streamTemplate.templateId)
  if (template === undefined) throw notFound('template', streamTemplate.templateId)
  const model = template.streams.find((stream) => stream.id === streamTemplate.streamId)
  if (model === undefined) throw notFound('stream', streamTemplate.streamId)
  return ids.map((id) => ({ ...model, id, name: id }))
}
