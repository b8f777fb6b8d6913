// The management API's mechanism (docs/management.md): an entity says how it is listed, found, made, changed and
// removed, and entityRoutes gives it the five calls with paging, search, versions, rights, audit and envelope.
import { isDeepStrictEqual } from 'node:util'
import type { Call, Route } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import type { Input } from '../base/http/input.ts'
import type { FaultCode, Noun } from '../base/errors.ts'
import { badRequest, Fault, shorten } from '../base/errors.ts'
import { onceItFits, plainBytes, whenItFits } from '../base/http/large-reply.ts'
import type { ReplyPieces } from '../base/http/large-reply.ts'
import { addShown, jsonOfOne, listReply, oneReply, textsOfOne } from '../base/http/list-reply.ts'
import type { Members, Shape } from '../base/http/members.ts'
import { readPage } from '../base/http/page.ts'
import { callerSnapshot } from '../base/http/reading.ts'
import { ownMember } from '../base/own.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Holders } from '../base/shares.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { auditChange } from '../core/audit-change.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Method, Resource, StreamOwner } from '../core/caller.ts'
import { demand, demandOfOwner, holdersOf } from '../core/caller.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { Unfinished } from '../core/ending.ts'
import { unfinished } from '../core/ending.ts'
import type { Listing, Page, Sorts } from '../core/listing.ts'
import { uidNotFound } from '../core/named.ts'
import type { RemovalProgress } from '../core/upkeep/removal-progress.ts'
import { changeFor } from './change.ts'
import type { EntityAbout } from './entity-description.ts'
import { describeEntity } from './entity-description.ts'
import { removedReply } from './removal.ts'

/** Each call is read whole before anything is asked of the database: its form is judged before the right to it. */
export type Entity<Row extends { readonly uid: string }, New, Change, Filters extends Shape = {}> = {
  readonly name: Resource & Noun
  readonly about: EntityAbout
  readonly readNew: (input: unknown) => New
  readonly readChange: (input: unknown) => Change
  /** Judges the rest of the form, where that takes a while. */
  readonly judge?: (given: New | Change, holders: Holders) => Promise<void>
  /** Parameters that narrow the list, such as to the streams of one component. */
  readonly filters?: Filters
  /** Members that the list can be sorted by. */
  readonly sorts: Sorts
  readonly list: (sql: Transaction, caller: Caller, search: Page & Members<Filters>) => Promise<Listing<Row>>
  readonly find: (sql: Sql, caller: Caller, uid: string) => Promise<Row | undefined>
  /** The bytes of the parts shown with it, where these may be many; 0 when it is not there. */
  readonly weigh?: (sql: Sql, caller: Caller, uid: string) => Promise<number>
  /** The uid of the model of a new one, which has its weight. */
  readonly modelUid?: (given: New) => string | null | undefined
  /** The component or template that a stream belongs to: a key's rights to the one hold for the other. */
  readonly owner?: (row: Row) => StreamOwner
  /** Slow work, such as hashing a password, is done before the transaction begins, in the caller's share. */
  readonly prepareNew?: (given: New, holders: Holders) => Promise<New>
  readonly prepareChange?: (given: Change, holders: Holders) => Promise<Change>
  readonly create: (sql: Transaction, caller: Caller, given: New) => Promise<Row>
  /** Changes the members given; throws through `refuseStale` when they name an old version. */
  readonly update: (sql: Transaction, caller: Caller, row: Row, given: Change) => Promise<Row | Unfinished>
  /** Gives how far it is when its samples are still being removed in the background. */
  readonly remove: (sql: Transaction, caller: Caller, row: Row) => Promise<RemovalProgress | undefined | Unfinished>
  readonly show: (row: Row) => Readonly<Record<string, unknown>>
  /** Leaves out what is shown with it and this caller may not see; for replies, not for the audit log. */
  readonly seenBy?: (caller: Caller) => (row: Row) => Row
  /** Members that replies show and nobody sets: they may be sent back as they were read, and not otherwise. */
  readonly fixed?: readonly string[]
  /** The members given that no reply shows, for the audit log to name. */
  readonly secretsIn?: (given: New | Change) => readonly string[]
}

type Shown = Readonly<Record<string, unknown>>

/** The guard of access/guard.ts: it makes a handler that knows its caller into one that finds it in the call. */
export type Guard = (handle: (caller: Caller, call: Call) => Promise<Reply>) => Route['handle']

export const entityRoutes = <Row extends { readonly uid: string }, New, Change, Filters extends Shape>(
  world: World,
  guard: Guard,
  entity: Entity<Row, New, Change, Filters>,
): readonly Route[] => {
  const { name } = entity
  const sorts = Object.keys(entity.sorts)
  const about = describeEntity(name, entity.about, entity.filters, sorts)
  const { rows } = about.list
  const may = (caller: Caller, method: Method, uid?: string) => demand(caller, `${method} ${name}`, uid)

  const form = `the body must be a JSON object such as ${shorten(JSON.stringify(entity.about.example), 160)}`
  /** A body of another form is answered with the one that is wanted. */
  const objectOf = (input: Input): Input => {
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
    const { manyBy } = entity.about
    throw badRequest(Array.isArray(input) && manyBy !== undefined ? `${form}; ${manyBy} takes an array` : form)
  }

  const find = async (sql: Sql, caller: Caller, method: Method, uid: string) => {
    const row = await entity.find(sql, caller, uid)
    if (row === undefined) throw await uidNotFound(sql, caller, name, uid)
    const owner = entity.owner?.(row)
    if (owner !== undefined) demandOfOwner(caller, method, owner)
    return row
  }

  const showTo = (caller: Caller): ((row: Row) => Shown) => {
    const seen = entity.seenBy?.(caller)
    return seen === undefined ? entity.show : (row) => entity.show(seen(row))
  }
  const list = async (caller: Caller, call: Call) => {
    const search = readPage(call.query, entity.filters ?? ({} as Filters), sorts)
    may(caller, 'GET')
    return listReply(call, world.listSql ?? world.sql, rows, (sql) => entity.list(sql, caller, search), showTo(caller))
  }
  const one = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    may(caller, 'GET', uid)
    const show = showTo(caller)
    if (entity.weigh === undefined) return oneReply(call, rows, show(await find(world.sql, caller, 'GET', uid)))
    const texts = textsOfOne(call, rows)
    return whenItFits(call, holdersOfCall(call), (pieces) =>
      callerSnapshot(
        call,
        world.listSql ?? world.sql,
        async (sql) => {
          const bytes = await entity.weigh!(sql, caller, uid)
          if (pieces === undefined && bytes > plainBytes) return bytes
          const shown = show(await find(sql, caller, 'GET', uid))
          if (pieces === undefined) return oneReply(call, rows, shown)
          await addShown(texts, shown, pieces.add)
          return pieces.reply(texts.headers)
        },
        pieces !== undefined,
      ),
    )
  }
  const replyOf = async (shown: Shown, pieces: ReplyPieces | undefined, status?: number): Promise<Reply | number> => {
    if (pieces === undefined) return jsonReply(envelope(name, shown), status)
    await addShown(jsonOfOne(rows), shown, pieces.add)
    return pieces.reply({}, status)
  }
  /** Makes, changes or removes one of these, with memory for it where it is large. */
  const withRoom = async (
    caller: Caller,
    call: Call,
    uid: string | null | undefined,
    work: (pieces: ReplyPieces | undefined) => Promise<Reply | number>,
  ) => {
    const bytes = uid ? await entity.weigh?.(world.sql, caller, uid) : undefined
    return onceItFits(call, holdersOfCall(call), bytes ?? 0, work)
  }
  const create = async (caller: Caller, call: Call) => {
    const input = objectOf(await readInput(call, 'no form', form))
    const read = entity.readNew(input)
    refuseFixed(entity, {}, input)
    await entity.judge?.(read, holdersOf(caller, call.address))
    may(caller, 'POST')
    const given = (await entity.prepareNew?.(read, holdersOf(caller, call.address))) ?? read
    return withRoom(caller, call, entity.modelUid?.(given), async (pieces) => {
      const row = await changeFor(call, world.sql, async (sql) => {
        const made = await entity.create(sql, caller, given)
        const change = await auditChange(undefined, entity.show(made), entity.secretsIn?.(given))
        await writeAudit(sql, caller, `${name}.create`, made.uid, change)
        return made
      })
      return replyOf(showTo(caller)(row), pieces, 201)
    })
  }
  const update = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    const input = objectOf(await readInput(call, 'no form', form))
    const read = entity.readChange(input)
    await entity.judge?.(read, holdersOf(caller, call.address))
    may(caller, 'PUT', uid)
    const given = (await entity.prepareChange?.(read, holdersOf(caller, call.address))) ?? read
    return withRoom(caller, call, uid, async (pieces) => {
      const row = await changeFor(call, world.sql, async (sql) => {
        const found = await find(sql, caller, 'PUT', uid)
        // The row before the change: some entities change the row that was found.
        const before = entity.show(found)
        refuseFixed({ name, fixed: ['uid', ...(entity.fixed ?? [])] }, before, input)
        const changed = await entity.update(sql, caller, found, given)
        if (changed === unfinished) return unfinished
        const change = await auditChange(before, entity.show(changed), entity.secretsIn?.(given))
        await writeAudit(sql, caller, `${name}.update`, uid, change)
        return changed
      })
      return replyOf(showTo(caller)(row), pieces)
    })
  }
  const remove = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    may(caller, 'DELETE', uid)
    return withRoom(caller, call, uid, async () => {
      const removal = await changeFor(call, world.sql, async (sql) => {
        const found = await find(sql, caller, 'DELETE', uid)
        const change = await auditChange(entity.show(found), undefined)
        const progress = await entity.remove(sql, caller, found)
        if (progress === unfinished) return unfinished
        await writeAudit(sql, caller, `${name}.delete`, uid, change)
        return progress
      })
      return removedReply(removal)
    })
  }

  const path = `/api/${name}`
  return [
    { method: 'GET', path, handle: guard(list), description: about.list },
    { method: 'GET', path: `${path}/:uid`, handle: guard(one), description: about.one },
    { method: 'POST', path, handle: guard(create), description: about.create },
    { method: 'PUT', path: `${path}/:uid`, handle: guard(update), description: about.update },
    { method: 'DELETE', path: `${path}/:uid`, handle: guard(remove), description: about.remove },
  ]
}

const refuseFixed = (
  { name, fixed = [] }: { readonly name: Resource; readonly fixed?: readonly string[] },
  shown: Readonly<Record<string, unknown>>,
  input: unknown,
): void => {
  // It was read by an allow list, so it is an object.
  const given = input as Readonly<Record<string, unknown>>
  const other = fixed.find(
    (member) => Object.hasOwn(given, member) && !isDeepStrictEqual(ownMember(given, member), ownMember(shown, member)),
  )
  if (other !== undefined) throw badRequest(`${other} of ${name} is not set by callers: leave it out`)
}

/** The reply's envelope under the entity's own name: {"success":true,"message":"","unit":{...}}. */
export const envelope = (name: string, content: unknown) => ({ success: true, message: '', [name]: content })

/** A change that names a version is meant for that one only. */
export const refuseStale = (
  name: Resource,
  given: { readonly version?: number | undefined },
  row: { readonly version: number },
): void => {
  if (given.version === undefined || given.version === row.version) return
  throw new Fault(
    'stale_version' satisfies FaultCode,
    `this ${name.replace('_', ' ')} was changed by somebody else since you read it`,
  )
}

/** The row with those of its members that are given; null is given, undefined is not. */
export const withGiven = <Row extends object>(
  row: Row,
  given: { readonly [Member in keyof Row]?: Row[Member] | undefined },
): Row => {
  const changed = Object.entries(given).filter(([name, value]) => value !== undefined && Object.hasOwn(row, name))
  return { ...row, ...Object.fromEntries(changed) }
}
