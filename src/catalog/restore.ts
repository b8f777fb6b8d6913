// Lines of a catalogue made into entities (docs/transfer.md#catalogue). An entity that is there already, by its ID, stays
// as it is, so that a catalogue can be sent again. Uids are new: lines that name others by uid mean those that stand in
// earlier lines.
import assert from 'node:assert/strict'
import { badRequest, Fault, notFound } from '../base/errors.ts'
import type { Call } from '../base/http/call.ts'
import { identifier, nullable, readMembers, text, wholeNumber } from '../base/http/members.ts'
import { ownMember } from '../base/own.ts'
import type { Pool, Transaction } from '../base/database/sql.ts'
import { auditChange } from '../core/audit-change.ts'
import { writeAudit, writeAuditOfMany } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { anyOther, demand, demandOfNamed, demandOfOwner } from '../core/caller.ts'
import { findSame } from '../core/catalogue.ts'
import type { CatalogueKind } from '../core/catalogue.ts'
import { lockComponent } from '../core/component.ts'
import { unfinished } from '../core/ending.ts'
import { lockTemplate } from '../core/template.ts'
import { changeFor } from './change.ts'
import { componentEntity, restoreComponent } from './component.ts'
import { cycleEntity } from './cycle.ts'
import type { Entity } from './entity.ts'
import { folderEntity } from './folder.ts'
import { mostUidLength, openUids } from './restored-uids.ts'
import type { Charge, Uids } from './restored-uids.ts'
import { addStreams, streamEntity } from './stream.ts'
import { newStreams, variablesReader } from './stream-definition.ts'
import { templateEntity } from './template.ts'
import { unitEntity } from './unit.ts'

type Members = Readonly<Record<string, unknown>>

/** Gives the reason why a line could not be made; undefined: it was made, or is there. */
export type Restore = (lines: readonly Members[]) => Promise<readonly (string | undefined)[]>

export const openRestore = (pool: Pool, caller: Caller, call: Call, charge: Charge): Restore => {
  const restore = openRestoreOne(caller, openUids(charge))
  const together = (lines: readonly Line[]) =>
    refusalOf(
      changeFor(call, pool, async (sql) => {
        for (const line of lines) await restore(sql, line)
      }),
    )
  return async (given) => {
    // A line that is none costs no transaction: a megabyte has 350,000 of them.
    const lines = given.map(lineOf)
    const good = lines.filter((line) => line !== undefined)
    const refusal = good.length === 0 ? undefined : await together(good)
    // One of them refuses all: each by itself.
    const isApart = refusal !== undefined && good.length > 1
    const reasons: (string | undefined)[] = []
    for (const line of lines) reasons.push(line === undefined ? noLine : isApart ? await together([line]) : refusal)
    return reasons
  }
}

const refusalOf = async (change: Promise<void>): Promise<string | undefined> => {
  try {
    await change
    return undefined
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500 || error.status === 401) throw error
    return error.message
  }
}

type Line = { readonly kind: string; readonly members: Members }

const noLine = 'a line has one member, such as "unit", with an object'

const lineOf = (line: Members): Line | undefined => {
  const [[kind, given] = [], ...more] = Object.entries(line)
  if (kind === undefined || more.length > 0 || typeof given !== 'object' || given === null || Array.isArray(given))
    return undefined
  return { kind, members: given as Members }
}

const openRestoreOne = (caller: Caller, uids: Uids) => {
  const made = entityMaker(caller, uids)
  return async (sql: Transaction, { kind, members }: Line): Promise<void> => {
    switch (kind) {
      case 'unit':
        return made(sql, 'unit', unitEntity, members)
      case 'cycle':
        return made(sql, 'cycle', cycleEntity, members)
      case 'folder':
        return made(sql, 'folder', folderEntity, members)
      case 'template':
        return made(sql, 'template', templateEntity, withStreams(members, uids))
      case 'component':
        return made(sql, 'component', { ...componentEntity, create: restoreComponent }, withStreams(members, uids))
      case 'streams':
        return restoreStreams(sql, caller, members, uids)
      case 'derived':
        return restoreDerived(sql, caller, members, uids)
      default:
        throw badRequest('a line is a unit, cycle, folder, template, component, streams or derived')
    }
  }
}

const entityMaker =
  (caller: Caller, uids: Uids) =>
  async <Row extends { readonly uid: string }, New>(
    sql: Transaction,
    kind: CatalogueKind,
    { readNew, create, show }: Pick<Entity<Row, New, never>, 'readNew' | 'create' | 'show'>,
    given: Members,
  ): Promise<void> => {
    const uid = uids.read(kind, given)
    const id = textOf(given, 'id')
    const name = textOf(given, kind === 'folder' ? 'path' : 'name') ?? id
    const read = readNew(given)
    const known = await findSame(sql, caller.organizationKey, kind, { id, name })
    // The same refusal whether it is there or not, so that nobody finds out by it.
    demand(caller, `GET ${kind}`, known ?? anyOther)
    if (known !== undefined) return uids.keep(uid, known)
    demand(caller, `POST ${kind}`)
    const row = await create(sql, caller, read)
    uids.keep(uid, row.uid)
    await writeAudit(sql, caller, `${kind}.create`, row.uid, await auditChange(undefined, show(row)))
  }

const textOf = (given: Members, name: string): string | null => {
  const value = ownMember(given, name)
  return typeof value === 'string' && value !== '' ? value : null
}

/** With the uids of this organization in place of those in the line. */
const withStreams = (given: Members, uids: Uids): Members => {
  const translated = (members: Members, name: string): Members => {
    const uid = textOf(members, name)
    return uid === null ? members : { ...members, [name]: uids.translate(uid) }
  }
  const streams = ownMember(given, 'stream')
  return {
    ...translated(given, 'templateUid'),
    ...(Array.isArray(streams)
      ? {
          stream: streams.map((stream: unknown) =>
            typeof stream === 'object' && stream !== null ? translated(stream as Members, 'unitUid') : stream,
          ),
        }
      : {}),
  }
}

const ownerMembers = { componentUid: text(1, mostUidLength), templateUid: text(1, mostUidLength) }
const derivedMembers = {
  ...ownerMembers,
  streamId: nullable(identifier),
  position: wholeNumber(1, 1_000_000),
  expression: text(1, 10_000),
  variables: variablesReader,
}

/** The component or template that a line names, with its streams. */
const findOwner = async (
  sql: Transaction,
  caller: Caller,
  { componentUid, templateUid }: { readonly componentUid?: string; readonly templateUid?: string },
  uids: Uids,
) => {
  const isTemplate = componentUid === undefined
  const given = componentUid ?? templateUid
  if (given === undefined) throw badRequest('the line needs componentUid or templateUid')
  const uid = uids.translate(given)
  demandOfOwner(caller, 'PUT', { ownerUid: uid, isTemplate })
  const owner = await (isTemplate ? templateEntity : componentEntity).find(sql, caller, uid)
  if (owner === undefined) throw notFound(isTemplate ? 'template' : 'component', given)
  return { key: owner.key, id: owner.id, uid, isTemplate, streams: owner.streams }
}

/** Further streams of the line before; those that are there stay as they are. */
const restoreStreams = async (sql: Transaction, caller: Caller, given: Members, uids: Uids): Promise<void> => {
  const { stream: _, ...members } = given
  const named = readMembers('streams', members, ownerMembers)
  const listed = ownMember(withStreams(given, uids), 'stream')
  demand(caller, 'POST stream')
  const { streams, isTemplate, ...owner } = await findOwner(sql, caller, named, uids)
  const known = new Set(streams.map(({ id }) => id))
  const missing = newStreams(isTemplate)('stream', listed).filter(({ id }) => !known.has(id))
  if (missing.length === 0) return
  if (missing.some(({ expression }) => expression !== null))
    throw badRequest('expressions of further streams stand in lines of their own, as derived')
  const locked = await (isTemplate ? lockTemplate : lockComponent)(sql, owner.key)
  if (locked === undefined) throw notFound(isTemplate ? 'template' : 'component', owner.uid)
  const made = await addStreams(sql, { ...owner, organizationKey: caller.organizationKey, isTemplate }, missing)
  await writeAuditOfMany(
    sql,
    caller,
    'stream.create',
    made.map(({ uid }) => uid),
    made.map(({ id, kind, valueType }) => ({ after: { id, kind, valueType } })),
  )
}

/** A stream that is derived already stays as it is. */
const restoreDerived = async (sql: Transaction, caller: Caller, given: Members, uids: Uids): Promise<void> => {
  const { streamId, position, expression, variables, ...named } = readMembers('derived', given, derivedMembers)
  if (expression === undefined || variables === undefined) throw badRequest('derived needs expression and variables')
  demand(caller, 'PUT stream')
  const { streams } = await findOwner(sql, caller, named, uids)
  const stream = streams.find((each) =>
    typeof streamId === 'string' ? each.id === streamId : each.position === position,
  )
  if (stream === undefined) throw notFound('stream', streamId ?? String(position))
  demandOfNamed(caller, 'PUT stream', [stream])
  if (stream.expression !== null) return
  const before = streamEntity.show(stream)
  const changed = await streamEntity.update(sql, caller, stream, { expression, variables })
  assert(changed !== unfinished)
  await writeAudit(sql, caller, 'stream.update', stream.uid, await auditChange(before, streamEntity.show(changed)))
}
