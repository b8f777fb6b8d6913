// The connectors' routes (docs/connectors.md): the sink, trial runs and the log of calls, and GS SQL itself.
import type { Access } from '../access/guard.ts'
import type { Call, Route } from '../base/http/call.ts'
import { badRequest, forbidden, notFound, shorten } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import { listReply } from '../base/http/list-reply.ts'
import type { Reader } from '../base/http/members.ts'
import { blankable, readMembers, reader, text, timeZone } from '../base/http/members.ts'
import { integerFrom, refuseUnknown } from '../base/http/params.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findConnector, listCalls } from '../core/connector.ts'
import type { SinkCall } from '../core/connector.ts'
import type { Page } from '../core/listing.ts'
import type { Value } from '../gsql/value.ts'
import { openCallLog } from './call-log.ts'
import { runGql } from './gql.ts'
import { resultReply, shownPreview } from './result-reply.ts'
import type { Scripts } from './run-script.ts'
import { openSink } from './sink.ts'

export const connectorRoutes = (world: World, scripts: Scripts, access: Access): readonly Route[] => {
  const calls = openCallLog(world)
  const { serve, refresh } = openSink(world, scripts, calls)
  access.alsoRefresh(refresh)
  const sink = access.guardSink(serve)
  const gql = access.guard(runGql(scripts))
  const list = async (caller: Caller, call: Call): Promise<Reply> => {
    const uid = call.params['uid']!
    const page = readPage(call)
    demand(caller, 'GET connector', uid)
    const connector = await findConnector(world.sql, caller.organizationKey, uid)
    if (connector === undefined) throw notFound('connector', uid)
    await calls.flush()
    return listReply(call, world.sql, 'call', (sql) => listCalls(sql, connector.key, page), showCall)
  }
  return [
    ...(['PUT', 'POST', 'GET', 'DELETE'] as const).map((method): Route => ({
      method,
      path: '/api/conn_sink/:org/:endpoint',
      handle: sink,
    })),
    { method: 'GET', path: '/api/gql', handle: gql },
    { method: 'POST', path: '/api/gql', handle: gql },
    { method: 'POST', path: '/api/connector/test', handle: access.guard(tryScript(scripts)) },
    { method: 'GET', path: '/api/connector/:uid/call', handle: access.guard(list) },
  ]
}

const readPage = ({ query }: Call): Page => {
  refuseUnknown(query, ['start', 'limit', 'text'])
  return {
    start: integerFrom('start', query.get('start') ?? '0', 0),
    limit: Math.min(1000, integerFrom('limit', query.get('limit') ?? '100', 1)),
    text: text(0, 512)('text', query.get('text') ?? ''),
  }
}

const showCall = ({ atMs, method, bytes, rows, ms, error, body, query }: SinkCall) => ({
  time: atMs,
  method,
  bytes,
  rows,
  ms,
  error,
  body,
  query,
})

/** POST /api/connector/test: the rows that a script would insert, run as the caller, storing nothing. */
const tryScript =
  (scripts: Scripts) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const given = readMembers('the body', await readInput(call), {
      sql: text(0, 10_000_000),
      timeZone: blankable(timeZone),
      variables: readVariables,
    })
    if (given.sql === undefined) throw badRequest('sql is missing')
    const holders = holdersOf(caller, call.address)
    const { sql, variables = {}, timeZone: zone } = given
    return untilGone(call, async (signal) => {
      const script = await scripts.compile(sql, holders, signal)
      if (caller.user === undefined) throw forbidden('GS SQL needs a session or an OAuth token')
      demand(caller, 'POST gql')
      const memory = scripts.openMemory(holders)
      try {
        const input = { script, holders, memory, timeZone: zone ?? undefined, variables, signal }
        return await resultReply(call, holders, shownPreview(await scripts.preview(caller, input)))
      } finally {
        memory.close()
      }
    })
  }

/** As much as a sink takes. */
const mostVariable = 16 * 1024 * 1024

const readVariables: Reader<Readonly<Record<string, Value>>> = reader({ type: 'object' }, (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest(`${name} must be an object`)
  for (const [variable, content] of Object.entries(value)) {
    const full = `${name}.${shorten(variable, 40)}`
    if (typeof content === 'object' && content !== null) throw badRequest(`${full} must be a plain value`)
    if (typeof content === 'string') text(0, mostVariable)(full, content)
  }
  return value as Readonly<Record<string, Value>>
})
