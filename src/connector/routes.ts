// The connectors' routes (docs/connectors.md): the sink, trial runs and the log of calls, and GS SQL itself.
import type { Access } from '../access/guard.ts'
import type { Call, Route } from '../base/http/call.ts'
import { badRequest, forbidden, notFound } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import { listReply } from '../base/http/list-reply.ts'
import { readMembers } from '../base/http/members.ts'
import { readPage } from '../base/http/page.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findConnector, listCalls } from '../core/connector.ts'
import type { SinkCall } from '../core/connector.ts'
import type { CallLog } from './call-log.ts'
import { connectorDescriptions as about, triedMembers } from './descriptions.ts'
import { runGql } from './gql.ts'
import { resultReply, shownPreview } from './result-reply.ts'
import type { Scripts } from './run-script.ts'
import { openSink } from './sink.ts'

export const connectorRoutes = (world: World, scripts: Scripts, access: Access, calls: CallLog): readonly Route[] => {
  const { serve, refresh } = openSink(world, scripts, calls)
  access.alsoRefresh(refresh)
  const sink = access.guardSink(serve)
  const gql = access.guard(runGql(scripts))
  const list = async (caller: Caller, call: Call): Promise<Reply> => {
    const uid = call.params['uid']!
    const page = readPage(call.query, {})
    demand(caller, 'GET connector', uid)
    const connector = await findConnector(world.sql, caller.organizationKey, uid)
    if (connector === undefined) throw notFound('connector', uid)
    await calls.flush()
    return listReply(call, world.sql, about.calls.rows, (sql) => listCalls(sql, connector.key, page), showCall)
  }
  return [
    ...(['PUT', 'POST', 'GET', 'DELETE'] as const).map((method): Route => ({
      method,
      path: '/api/conn_sink/:org/:endpoint',
      handle: sink,
      description: method === 'GET' || method === 'DELETE' ? about.pushQuery : about.push,
    })),
    { method: 'GET', path: '/api/gql', handle: gql, description: about.read },
    { method: 'POST', path: '/api/gql', handle: gql, description: about.run },
    {
      method: 'POST',
      path: '/api/connector/test',
      handle: access.guard(tryScript(scripts)),
      description: about.test,
    },
    { method: 'GET', path: '/api/connector/:uid/call', handle: access.guard(list), description: about.calls },
  ]
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
    const given = readMembers('the body', await readInput(call), triedMembers)
    if (given.sql === undefined)
      throw badRequest('sql, the script, is missing: {"sql":"SELECT 1","variables":{"HTTP_BODY":"..."}}')
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
