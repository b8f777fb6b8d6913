// Streams in the management API (docs/management.md#components-and-streams), each by itself. As the list of a component
// or template they are in listed-streams.ts.
//
// A change of something that writers remember closes the write gate (core/sample/catalog-change.ts) before it takes the lock on the
// component's row: writers take the two in the same order.
import { isDeepStrictEqual } from 'node:util'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { blankable, oneOf, text, trueOrFalse } from '../base/http/members.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { demand, demandOfOwner } from '../core/caller.ts'
import { findComponent, findComponentByUid, lockComponent } from '../core/component.ts'
import { lockDerivations, usersOf } from '../core/derivation.ts'
import { folderFilter } from '../core/folder.ts'
import { uidNotFound } from '../core/named.ts'
import { closeGate, noteChange } from '../core/sample/catalog-change.ts'
import { haveSamples, queueRemoval } from '../core/upkeep/removal.ts'
import { insertRemoval } from '../core/upkeep/removal-progress.ts'
import { hasArchive, markAllStale, putNumbersBeside } from '../core/sample/retype.ts'
import {
  deleteStream,
  findStream,
  insertStreams,
  listStreams,
  orderStreams,
  streamDetailsOf,
  streamKinds,
  streamSorts,
  takenStreamIds,
  updateStream,
  useOfStream,
  valueTypes,
} from '../core/stream.ts'
import type { Stream, StreamDefinition, StreamDetail, VariableUse } from '../core/stream.ts'
import { heavyCharacters, refuseHeavy } from '../core/stream-weight.ts'
import { findTemplateByUid, lockTemplate } from '../core/template.ts'
import { saveDerivations } from './derivation.ts'
import type { Entity } from './entity.ts'
import { refuseStale } from './entity.ts'
import { shownSchema } from './entity-description.ts'
import { describeStream, openNames, streamAbout, streamDefinition, streamMembers } from './stream-definition.ts'
import type { DescribedStream, StreamMembers } from './stream-definition.ts'
import { openReach, openRemovalReach } from './template-reach.ts'

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
  ...(stream.isTemplate || stream.expression === null ? {} : howFar(stream)),
  version: stream.version,
})

const howFar = ({ staleFromMs: staleFrom, deriveError: error }: StreamDetail) => ({
  staleFrom,
  deriveError: error && { at: error.atMs, time: error.timeMs, message: error.message },
})

/** As replies show it. */
export const streamSchema = shownSchema(streamAbout)

const filters = {
  componentUid: text(0, 512),
  templateUid: text(0, 512),
  componentId: text(0, 512),
  folder: folderFilter,
  id: text(0, 512),
  kind: oneOf(...streamKinds),
  valueType: oneOf(...valueTypes),
  baseCycleId: blankable(text(1, 512)),
  unitUid: blankable(text(1, 64)),
  derived: trueOrFalse,
}

type NewStream = {
  readonly ownerUid: string
  readonly isTemplate: boolean
  readonly position: number | undefined
  readonly stream: DescribedStream
}

export const streamEntity: Entity<StreamDetail, NewStream, StreamMembers, typeof filters> = {
  name: 'stream',
  about: streamAbout,
  readNew: (input) => {
    const { componentUid, templateUid, position, ...given } = streamMembers('stream', input)
    if (componentUid && templateUid) throw badRequest('a stream has a componentUid or a templateUid, not both')
    const ownerUid = componentUid || templateUid
    if (!ownerUid) throw badRequest('a stream must have a componentUid or a templateUid')
    const isTemplate = !componentUid
    return { ownerUid, isTemplate, position, stream: describeStream(given, isTemplate) }
  },
  readChange: (input) => streamMembers('stream', input),
  filters,
  sorts: streamSorts,
  list: (sql, caller, { componentUid, templateUid, folder: folderPath, derived: isDerived, ...search }) =>
    listStreams(sql, caller.organizationKey, search, {
      ...search,
      ownerUid: componentUid ?? templateUid,
      folderPath,
      isDerived,
    }),
  find: (sql, caller, uid) => findStream(sql, caller.organizationKey, uid),
  owner: (stream) => stream,
  create: async (sql, caller, { position, stream, ...given }) => {
    const { organizationKey } = caller
    demandOfOwner(caller, 'POST', given)
    await demandVariables(sql, caller, [stream])
    // It moves others, whose order writers remember, or has sources; writers remember no templates.
    const isConcerned = !given.isTemplate && (position !== undefined || stream.expression !== null)
    if (isConcerned) await closeGate(sql, organizationKey)
    const template = given.isTemplate ? await findTemplateByUid(sql, organizationKey, given.ownerUid) : undefined
    const reaching = template && (await openReach(sql, caller, template, stream.expression !== null))
    const owner = await ownerOf(sql, caller, given)
    const former = reaching && (await streamDetailsOf(sql, [owner.key]))
    const [made] = await addStreams(sql, owner, [stream])
    await saveDerivations(sql, owner, keysOfDerived([made!]))
    if (former) await reaching.reach(former)
    if (position !== undefined) await moveStream(sql, owner, made!.key, position)
    if (isConcerned) await noteChange(sql, [owner.key])
    return (await findStream(sql, organizationKey, made!.uid))!
  },
  update: async (sql, caller, seen, given) => {
    const { organizationKey } = caller
    await demandVariables(sql, caller, [derivedFrom(given, seen)])
    if (becomesNumbers(seen, given)) await putNumbersBeside(sql, seen.key, seen.id ?? seen.name)
    const isClosed = concernsWriters(seen, given)
    if (isClosed) await closeGate(sql, organizationKey)
    const reaching = seen.isTemplate
      ? await openReach(sql, caller, { key: seen.componentKey, uid: seen.ownerUid }, derivesOther(seen, given))
      : undefined
    const owner = await lockOwner(sql, organizationKey, seen)
    const stream = await findStream(sql, organizationKey, seen.uid)
    if (stream === undefined) throw notFound('stream', seen.uid)
    const former = reaching && (await streamDetailsOf(sql, [owner.key]))
    // Somebody was faster, and now it concerns writers after all.
    if (!isClosed && concernsWriters(stream, given)) await closeGate(sql, organizationKey)
    const { derived, isHeavier } = await changeStream(sql, owner, stream, given)
    if (isHeavier) await refuseHeavy(sql, [owner.key])
    await saveDerivations(sql, owner, derived)
    if (former) await reaching.reach(former)
    if (given.position !== undefined) await moveStream(sql, owner, stream.key, given.position)
    if (isClosed || concernsWriters(stream, given)) await noteChange(sql, [owner.key])
    return (await findStream(sql, organizationKey, stream.uid))!
  },
  remove: async (sql, caller, seen) => {
    const { organizationKey } = caller
    const goesOn = !seen.isTemplate && (await haveSamples(sql, [seen.key]))
    const template = seen.isTemplate ? { key: seen.componentKey, uid: seen.ownerUid } : undefined
    const reaching = template && (await openRemovalReach(sql, caller, template, seen))
    if (!seen.isTemplate) await closeGate(sql, organizationKey)
    const owner = await lockOwner(sql, organizationKey, seen)
    const stream = await findStream(sql, organizationKey, seen.uid)
    if (stream === undefined) throw notFound('stream', seen.uid)
    if (stream.id !== null) {
      await lockDerivations(sql, organizationKey)
      refuseUse(`stream '${stream.id}'`, await useOfStream(sql, owner, stream))
    }
    await deleteStream(sql, stream)
    await reaching?.reach()
    if (seen.isTemplate) return undefined
    const { uid, id, name, ownerUid } = stream
    const progress = goesOn
      ? await insertRemoval(sql, caller, {
          entity: 'stream',
          subject: uid,
          name: id ?? name,
          componentUid: ownerUid,
          streams: 1,
        })
      : undefined
    await queueRemoval(sql, stream.key, caller, progress)
    await noteChange(sql, [owner.key])
    return progress
  },
  show: showStream,
}

const ownerOf = async (
  sql: Transaction,
  caller: Caller,
  { ownerUid, isTemplate }: Pick<NewStream, 'ownerUid' | 'isTemplate'>,
): Promise<Owner> => {
  const { organizationKey } = caller
  const found = await (isTemplate ? findTemplateByUid : findComponentByUid)(sql, organizationKey, ownerUid)
  const locked = found && (await (isTemplate ? lockTemplate : lockComponent)(sql, found.key))
  if (locked === undefined) throw await uidNotFound(sql, caller, isTemplate ? 'template' : 'component', ownerUid)
  return { key: locked.key, id: locked.id, organizationKey, isTemplate }
}

const lockOwner = async (sql: Transaction, organizationKey: number, stream: StreamDetail): Promise<Owner> => {
  const { componentKey, isTemplate } = stream
  const owner = await (isTemplate ? lockTemplate(sql, componentKey) : lockComponent(sql, componentKey))
  if (owner === undefined) throw notFound('stream', stream.uid)
  return { key: owner.key, id: owner.id, organizationKey, isTemplate }
}

/**
 * The sources of a derived stream can be read off it, so the caller who makes it must be allowed to read them: a key
 * for one component could otherwise have the values of all others.
 */
export const demandVariables = async (
  sql: Transaction,
  caller: Caller,
  streams: readonly Pick<StreamMembers, 'variables'>[],
): Promise<void> => {
  const ids = streams.flatMap(({ variables }) => variables ?? []).flatMap(({ componentId }) => componentId ?? [])
  for (const id of new Set(ids))
    demand(caller, 'GET component/feed', (await findComponent(sql, caller.organizationKey, id))?.uid)
}

/** Another expression shows the variables that are there in another way: then they count as given. */
export const derivedFrom = (given: StreamMembers, known: StreamDetail | undefined): Pick<StreamMembers, 'variables'> =>
  given.expression && given.expression !== known?.expression
    ? { variables: given.variables ?? known?.variables ?? null }
    : given

/**
 * Whether a change touches the members that writers remember of a stream (core/sample/registry.ts); they remember no
 * templates.
 */
export const concernsWriters = (stream: StreamDetail, given: StreamMembers): boolean =>
  !stream.isTemplate &&
  (differs(given.id, stream.id) ||
    differs(given.kind, stream.kind) ||
    differs(given.valueType, stream.valueType) ||
    differs(given.baseCycleId, stream.baseCycleId) ||
    differs(given.position, stream.position) ||
    derivesOther(stream, given))

/** Whether a change touches what a stream is derived by. */
export const derivesOther = (stream: StreamDetail, given: StreamMembers): boolean =>
  differs(given.expression, stream.expression) ||
  (given.variables !== undefined && !isDeepStrictEqual(given.variables ?? [], stream.variables ?? []))

const differs = <T>(given: T | undefined, known: T) => given !== undefined && given !== known

export const keysOfDerived = (streams: readonly Pick<Stream, 'key' | 'expression'>[]): readonly number[] =>
  streams.flatMap(({ key, expression }) => (expression === null ? [] : [key]))

/** Appends new streams. Their derivations are to be saved when all are there (saveDerivations). */
export const addStreams = async (sql: Transaction, owner: Owner, streams: readonly DescribedStream[]) => {
  const names = openNames(sql, owner.organizationKey)
  const definitions: StreamDefinition[] = []
  for (const stream of streams) definitions.push(await streamDefinition(names, stream))
  const wanted = definitions.flatMap(({ id }) => id ?? [])
  const ids = new Set(await takenStreamIds(sql, owner.key, wanted))
  for (const id of wanted) {
    if (ids.has(id)) throw conflict(`there is a stream with the id '${id}'`)
    ids.add(id)
  }
  return insertStreams(sql, owner.key, definitions)
}

/** Changes the members given, but not the position; gives the streams whose derivation is to be saved anew. */
export const changeStream = async (
  sql: Transaction,
  owner: Owner,
  stream: StreamDetail,
  given: StreamMembers,
): Promise<{ readonly isChanged: boolean; readonly derived: readonly number[]; readonly isHeavier: boolean }> => {
  refuseStale('stream', given, stream)
  if (differs(given.componentUid ?? given.templateUid ?? undefined, stream.ownerUid))
    throw badRequest('a stream cannot be moved to another component')
  const definition = await definitionWith(sql, owner, stream, given)
  const { id, kind, valueType, baseCycleKey } = definition
  if (stream.id !== null && id !== stream.id) {
    await lockDerivations(sql, owner.organizationKey)
    refuseUse(`stream '${stream.id}'`, await useOfStream(sql, owner, stream))
  }
  const isOther = kind !== stream.kind || valueType !== stream.valueType || baseCycleKey !== stream.baseCycleKey
  const isSame = kind === stream.kind && baseCycleKey === stream.baseCycleKey
  if (isSame && becomesNumbers(stream, { valueType })) await makeNumbers(sql, stream)
  else if (isOther && !owner.isTemplate && (await haveSamples(sql, [stream.key])))
    throw conflict(`stream '${stream.id ?? stream.name}' has samples: its kind, valueType and baseCycleId must stay`)
  const isChanged = isOtherThan(stream, definition)
  if (isChanged) await updateStream(sql, stream.key, definition)
  const { expression, variables } = definition
  const derivesAnew =
    expression !== stream.expression ||
    !isDeepStrictEqual(variables, stream.variables) ||
    (isOther && expression !== null)
  const users = isOther ? await usersOf(sql, owner, stream) : []
  const isHeavier = heavyCharacters(definition) > heavyCharacters(stream)
  return { isChanged, derived: [...(derivesAnew ? [stream.key] : []), ...users], isHeavier }
}

const definitionWith = (
  sql: Transaction,
  owner: Owner,
  stream: StreamDetail,
  given: StreamMembers,
): Promise<StreamDefinition> =>
  streamDefinition(openNames(sql, owner.organizationKey), describeStream(given, owner.isTemplate, stream), stream)

const isOtherThan = (stream: StreamDetail, definition: StreamDefinition): boolean =>
  !isDeepStrictEqual({ ...stream, ...definition }, stream)

/** Whether it would be another by the members given, or is sent back as it was read. */
export const wouldChange = async (
  sql: Transaction,
  owner: Owner,
  stream: StreamDetail,
  given: StreamMembers,
): Promise<boolean> => isOtherThan(stream, await definitionWith(sql, owner, stream, given))

/** Whether a change makes a DOUBLE of a STRING, which it may also be that has samples. */
export const becomesNumbers = (stream: StreamDetail, given: Pick<StreamMembers, 'valueType'>): boolean =>
  !stream.isTemplate && stream.valueType === 'STRING' && given.valueType === 'DOUBLE'

/** The gate is closed: nobody writes a text any more. */
const makeNumbers = async (sql: Transaction, stream: StreamDetail): Promise<void> => {
  const name = stream.id ?? stream.name
  if (await hasArchive(sql, stream.key))
    throw conflict(`stream '${name}' has archived samples: its kind, valueType and baseCycleId must stay`)
  await putNumbersBeside(sql, stream.key, name)
  await markAllStale(sql, stream.key)
}

const moveStream = async (sql: Transaction, owner: Owner, key: number, position: number): Promise<void> => {
  const keys = (await streamDetailsOf(sql, [owner.key])).map((stream) => stream.key).filter((each) => each !== key)
  await orderStreams(sql, keys.toSpliced(position - 1, 0, key))
}

export const refuseUse = (what: string, use: VariableUse | undefined): void => {
  if (use) throw conflict(`${what} is a variable of stream '${use.streamName}' of '${use.componentName}'`)
}
