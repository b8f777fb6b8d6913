// Streams in the management API (decisions 11 and 12), and what components and templates do with theirs.
//
// Who changes something that writers remember closes the write gate (core/gate.ts) before taking the lock on the
// component's row: writers take the two in the same order.
import { isDeepStrictEqual } from 'node:util'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import type { Sql, Transaction } from '../base/sql.ts'
import { findComponentByUid, lockComponent } from '../core/component.ts'
import { closeGate, noteChange } from '../core/gate.ts'
import { haveSamples, queueRemoval } from '../core/removal.ts'
import {
  deleteStream,
  findStream,
  insertStreams,
  listStreams,
  orderStreams,
  streamDetailsOf,
  updateStream,
  useOfStream,
} from '../core/stream.ts'
import type { StreamDefinition, StreamDetail, VariableUse } from '../core/stream.ts'
import { findTemplateByUid, lockTemplate } from '../core/template.ts'
import type { Entity } from './entity.ts'
import { stale } from './entity.ts'
import { openNames, streamDefinition, streamMembers } from './stream-definition.ts'
import type { StreamMembers } from './stream-definition.ts'

/** The component or template whose streams are worked on; its row is locked. */
export type Owner = {
  readonly key: number
  readonly id: string | null
  readonly organizationKey: number
  readonly isTemplate: boolean
}

export const showStream = (stream: StreamDetail) => ({
  uid: stream.uid,
  ...(stream.isTemplate ? { templateUid: stream.ownerUid } : { componentUid: stream.ownerUid }),
  id: stream.id,
  name: stream.name,
  description: stream.description,
  kind: stream.kind,
  valueType: stream.valueType,
  baseCycleId: stream.baseCycleId,
  unitUid: stream.unitUid,
  position: stream.position,
  expression: stream.expression,
  variables: stream.variables ?? [],
  version: stream.version,
})

export const streamEntity: Entity<StreamDetail> = {
  name: 'stream',
  list: (sql, caller, page, query) =>
    listStreams(sql, caller.organizationKey, page, query.get('componentuid') ?? query.get('templateuid')),
  find: (sql, caller, uid) => findStream(sql, caller.organizationKey, uid),
  create: async (sql, { organizationKey }, input) => {
    const { position, ...given } = streamMembers('stream', input)
    if (position !== undefined) await closeGate(sql)
    const owner = await ownerOf(sql, organizationKey, given)
    const [made] = await addStreams(sql, owner, [given])
    if (position !== undefined) {
      await moveStream(sql, owner, made!.key, position)
      await noteChange(sql, [owner.key])
    }
    return (await findStream(sql, organizationKey, made!.uid))!
  },
  update: async (sql, { organizationKey }, seen, input) => {
    const given = streamMembers('stream', input)
    const isClosed = concernsWriters(seen, given)
    if (isClosed) await closeGate(sql)
    const owner = await lockOwner(sql, organizationKey, seen)
    const stream = await findStream(sql, organizationKey, seen.uid)
    if (stream === undefined) throw notFound('stream', seen.uid)
    // Somebody was faster, and now it concerns writers after all.
    if (!isClosed && concernsWriters(stream, given)) await closeGate(sql)
    await changeStream(sql, owner, stream, given)
    if (given.position !== undefined) await moveStream(sql, owner, stream.key, given.position)
    if (isClosed || concernsWriters(stream, given)) await noteChange(sql, [owner.key])
    return (await findStream(sql, organizationKey, stream.uid))!
  },
  remove: async (sql, { organizationKey }, seen) => {
    const goesOn = !seen.isTemplate && (await haveSamples(sql, [seen.key]))
    if (!seen.isTemplate) await closeGate(sql)
    const owner = await lockOwner(sql, organizationKey, seen)
    const stream = await findStream(sql, organizationKey, seen.uid)
    if (stream === undefined) throw notFound('stream', seen.uid)
    if (stream.id !== null) refuseUse(`stream '${stream.id}'`, await useOfStream(sql, owner, stream.id, stream.key))
    await deleteStream(sql, stream)
    if (!seen.isTemplate) {
      await queueRemoval(sql, stream.key)
      await noteChange(sql, [owner.key])
    }
    return goesOn
  },
  show: showStream,
}

const ownerOf = async (sql: Transaction, organizationKey: number, given: StreamMembers): Promise<Owner> => {
  const { componentUid, templateUid } = given
  if (componentUid && templateUid) throw badRequest('a stream has a componentUid or a templateUid, not both')
  if (componentUid) {
    const component = await findComponentByUid(sql, organizationKey, componentUid)
    const locked = component && (await lockComponent(sql, component.key))
    if (locked === undefined) throw notFound('component', componentUid)
    return { key: locked.key, id: locked.id, organizationKey, isTemplate: false }
  }
  if (!templateUid) throw badRequest('a stream must have a componentUid or a templateUid')
  const template = await findTemplateByUid(sql, organizationKey, templateUid)
  const locked = template && (await lockTemplate(sql, template.key))
  if (locked === undefined) throw notFound('template', templateUid)
  return { key: locked.key, id: locked.id, organizationKey, isTemplate: true }
}

const lockOwner = async (sql: Transaction, organizationKey: number, stream: StreamDetail): Promise<Owner> => {
  const { componentKey, isTemplate } = stream
  const owner = await (isTemplate ? lockTemplate(sql, componentKey) : lockComponent(sql, componentKey))
  if (owner === undefined) throw notFound('stream', stream.uid)
  return { key: owner.key, id: owner.id, organizationKey, isTemplate }
}

/** Components or templates, each with its streams. */
export const withTheirStreams = async <Row extends { readonly key: number }>(
  sql: Sql,
  owners: readonly Row[],
): Promise<readonly (Row & { readonly streams: readonly StreamDetail[] })[]> => {
  const byOwner = new Map(owners.map((owner): [number, StreamDetail[]] => [owner.key, []]))
  for (const stream of await streamDetailsOf(sql, [...byOwner.keys()])) byOwner.get(stream.componentKey)!.push(stream)
  return owners.map((owner) => Object.assign(owner, { streams: byOwner.get(owner.key)! }))
}

/** Whether a change touches what writers remember of a stream (core/registry.ts); they remember no templates. */
export const concernsWriters = (stream: StreamDetail, given: StreamMembers): boolean =>
  !stream.isTemplate &&
  (differs(given.id, stream.id) ||
    differs(given.kind, stream.kind) ||
    differs(given.valueType, stream.valueType) ||
    differs(given.baseCycleId, stream.baseCycleId) ||
    differs(given.position, stream.position) ||
    differs(given.expression, stream.expression))

const differs = <T>(given: T | undefined, known: T) => given !== undefined && given !== known

/** Appends new streams. */
export const addStreams = async (sql: Transaction, owner: Owner, given: readonly StreamMembers[]) => {
  const names = openNames(sql, owner.organizationKey)
  const definitions: StreamDefinition[] = []
  for (const members of given) definitions.push(await streamDefinition(names, owner.isTemplate, members, undefined))
  const ids = new Set((await streamDetailsOf(sql, [owner.key])).map((stream) => stream.id))
  for (const { id } of definitions) {
    if (id !== null && ids.has(id)) throw conflict(`there is a stream with the id '${id}'`)
    ids.add(id)
  }
  return insertStreams(sql, owner.key, definitions)
}

/** Changes the members given, but not the position. */
export const changeStream = async (
  sql: Transaction,
  owner: Owner,
  stream: StreamDetail,
  given: StreamMembers,
): Promise<void> => {
  if (differs(given.version, stream.version)) throw stale('stream')
  if (differs(given.componentUid ?? given.templateUid ?? undefined, stream.ownerUid))
    throw badRequest('a stream cannot be moved to another component')
  const names = openNames(sql, owner.organizationKey)
  const definition = await streamDefinition(names, owner.isTemplate, given, stream)
  const { id, kind, valueType, baseCycleKey } = definition
  if (stream.id !== null && id !== stream.id)
    refuseUse(`stream '${stream.id}'`, await useOfStream(sql, owner, stream.id, 0))
  const isOther = kind !== stream.kind || valueType !== stream.valueType || baseCycleKey !== stream.baseCycleKey
  if (isOther && !owner.isTemplate && (await haveSamples(sql, [stream.key])))
    throw conflict(`stream '${stream.id ?? stream.name}' has samples: its kind, valueType and baseCycleId must stay`)
  if (!isDeepStrictEqual({ ...stream, ...definition }, stream)) await updateStream(sql, stream.key, definition)
}

const moveStream = async (sql: Transaction, owner: Owner, key: number, position: number): Promise<void> => {
  const keys = (await streamDetailsOf(sql, [owner.key])).map((stream) => stream.key).filter((each) => each !== key)
  await orderStreams(sql, keys.toSpliced(position - 1, 0, key))
}

/**
 * What a PUT of a component or template does with the streams it lists: those with a uid are changed, those
 * without are new, and the list's order becomes theirs. All that exist must be listed, so that nobody deletes
 * a stream by forgetting it.
 */
export const arrangeStreams = async (
  sql: Transaction,
  owner: Owner,
  streams: readonly StreamDetail[],
  given: readonly StreamMembers[],
): Promise<void> => {
  const left = new Map(streams.map((stream) => [stream.uid, stream]))
  const keys: (number | undefined)[] = []
  for (const { uid, position: _, ...members } of given) {
    const stream = uid ? left.get(uid) : undefined
    if (uid && stream === undefined) throw notFound('stream', uid)
    if (uid) left.delete(uid)
    if (stream) await changeStream(sql, owner, stream, members)
    keys.push(stream?.key)
  }
  const [missing] = left.values()
  if (missing) throw badRequest(`stream must list all streams; '${missing.id ?? missing.name}' is missing`)
  const added = await addStreams(
    sql,
    owner,
    given.filter((members) => !members.uid),
  )
  const fresh = added.map((stream) => stream.key).values()
  await orderStreams(
    sql,
    keys.map((key) => key ?? fresh.next().value!),
  )
}

/** Whether the list that a PUT gives changes what writers remember. */
export const listConcernsWriters = (streams: readonly StreamDetail[], given: readonly StreamMembers[]): boolean =>
  streams.some((stream, index) => {
    const { position: _, ...members } = given[index] ?? {}
    return members.uid !== stream.uid || concernsWriters(stream, members)
  })

export const refuseUse = (what: string, use: VariableUse | undefined): void => {
  if (use) throw conflict(`${what} is a variable of stream '${use.streamName}' of '${use.componentName}'`)
}
