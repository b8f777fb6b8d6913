// The management API's mechanism (decisions 11): an entity says how it is listed, found, made, changed and
// removed, and entityRoutes gives it the five calls with paging, search, versions, rights, audit and envelope.
import type { Call, Route } from '../base/call.ts'
import type { FaultCode, Noun } from '../base/errors.ts'
import { Fault, notFound } from '../base/errors.ts'
import { text } from '../base/members.ts'
import { integerFrom } from '../base/params.ts'
import type { Query } from '../base/query.ts'
import type { Reply } from '../base/reply.ts'
import { jsonReply } from '../base/reply.ts'
import type { Holders } from '../base/shares.ts'
import type { Sql, Transaction } from '../base/sql.ts'
import { transaction } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Method, Resource } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import type { Listing, Page } from '../core/page.ts'

/** Each call is read whole before anything is asked of the database: its form is judged before the right to it. */
export type Entity<Row extends { readonly uid: string }, New, Change, Search extends Page = Page> = {
  readonly name: Resource & Noun
  readonly readNew: (input: unknown) => New
  readonly readChange: (input: unknown) => Change
  /** What is left to be judged of the form, where that takes a while. */
  readonly judge?: (given: New | Change, holders: Holders) => Promise<void>
  /** Mostly readPage; the query may narrow the list further, such as to the streams of one component. */
  readonly readSearch: (query: Query) => Search
  readonly list: (sql: Sql, caller: Caller, search: Search) => Promise<Listing<Row>>
  readonly find: (sql: Sql, caller: Caller, uid: string) => Promise<Row | undefined>
  /** The component that a stream belongs to: what a key may do to the one, it may do to the other. */
  readonly componentUid?: (row: Row) => string | undefined
  readonly create: (sql: Transaction, caller: Caller, given: New) => Promise<Row>
  /** Changes the members given; throws through `stale` when they name an old version. */
  readonly update: (sql: Transaction, caller: Caller, row: Row, given: Change) => Promise<Row>
  /** Gives true when what belongs to it goes on being removed in the background. */
  readonly remove: (sql: Transaction, caller: Caller, row: Row) => Promise<boolean>
  readonly show: (row: Row) => Readonly<Record<string, unknown>>
}

/** What access/guard.ts gives: a handler that knows its caller, made into one that finds it in the call. */
export type Guard = (handle: (caller: Caller, call: Call) => Promise<Reply>) => Route['handle']

export const entityRoutes = <Row extends { readonly uid: string }, New, Change, Search extends Page>(
  world: World,
  guard: Guard,
  entity: Entity<Row, New, Change, Search>,
): readonly Route[] => {
  const { name } = entity
  const may = (caller: Caller, method: Method, uid?: string) => demand(caller, `${method} ${name}`, uid)

  const find = async (sql: Sql, caller: Caller, method: Method, uid: string) => {
    const row = await entity.find(sql, caller, uid)
    if (row === undefined) throw notFound(name, uid)
    const componentUid = entity.componentUid?.(row)
    if (componentUid !== undefined) demand(caller, `${method} component/stream`, componentUid)
    return row
  }

  const list = async (caller: Caller, call: Call) => {
    const search = entity.readSearch(call.query)
    may(caller, 'GET')
    const { rows, totalCount } = await entity.list(world.sql, caller, search)
    return jsonReply({ ...envelope(name, rows.map(entity.show)), totalCount })
  }
  const one = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    may(caller, 'GET', uid)
    return jsonReply(envelope(name, entity.show(await find(world.sql, caller, 'GET', uid))))
  }
  const create = async (caller: Caller, call: Call) => {
    const given = entity.readNew(call.input)
    await entity.judge?.(given, holdersOf(caller, call.address))
    may(caller, 'POST')
    const row = await transaction(world.sql, async (sql) => {
      const made = await entity.create(sql, caller, given)
      await writeAudit(sql, caller, `${name}.create`, made.uid)
      return made
    })
    return jsonReply(envelope(name, entity.show(row)), 201)
  }
  const update = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    const given = entity.readChange(call.input)
    await entity.judge?.(given, holdersOf(caller, call.address))
    may(caller, 'PUT', uid)
    const row = await transaction(world.sql, async (sql) => {
      const changed = await entity.update(sql, caller, await find(sql, caller, 'PUT', uid), given)
      await writeAudit(sql, caller, `${name}.update`, uid)
      return changed
    })
    return jsonReply(envelope(name, entity.show(row)))
  }
  const remove = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    may(caller, 'DELETE', uid)
    const goesOn = await transaction(world.sql, async (sql) => {
      const inBackground = await entity.remove(sql, caller, await find(sql, caller, 'DELETE', uid))
      await writeAudit(sql, caller, `${name}.delete`, uid)
      return inBackground
    })
    return jsonReply({ success: true, message: '' }, goesOn ? 202 : 200)
  }

  const path = `/api/${name}`
  return [
    { method: 'GET', path, body: 'raw', handle: guard(list) },
    { method: 'GET', path: `${path}/:uid`, body: 'raw', handle: guard(one) },
    { method: 'POST', path, body: 'parsed', handle: guard(create) },
    { method: 'PUT', path: `${path}/:uid`, body: 'parsed', handle: guard(update) },
    { method: 'DELETE', path: `${path}/:uid`, body: 'raw', handle: guard(remove) },
  ]
}

/** The reply's envelope under the entity's own name: {"success":true,"message":"","unit":{...}}. */
export const envelope = (name: string, content: unknown) => ({ success: true, message: '', [name]: content })

export const readPage = (query: Query): Page => ({
  start: integerFrom('start', query.get('start') ?? '0', 0),
  limit: Math.min(1000, integerFrom('limit', query.get('limit') ?? '100', 1)),
  text: readFilter(query, 'text') ?? '',
})

/** A text that a list is narrowed by, if it is given. */
export const readFilter = (query: Query, name: string): string | undefined => {
  const value = query.get(name.toLowerCase())
  return value === undefined ? undefined : text(0, 512)(name, value)
}

export const stale = (name: Resource): Fault =>
  new Fault(
    'stale_version' satisfies FaultCode,
    `this ${name.replace('_', ' ')} was changed by somebody else since you read it`,
  )
