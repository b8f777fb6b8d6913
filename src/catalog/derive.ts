// Deriving anew over HTTP (docs/derived.md#derive-on-request): a span of a stream, how far that is, and its end.
//
//   POST /api/stream/{uid}/derive {"from":1767225600000,"to":1767229200000}
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import type { Call, Route } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import { envelopeReply } from '../base/http/description.ts'
import { readInput } from '../base/http/input.ts'
import { nullable, reader, readMembers, schemaOf } from '../base/http/members.ts'
import type { Reader } from '../base/http/members.ts'
import { epochNumber, firstMs, flag, lastMs, refuseUnknown } from '../base/http/params.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema, orNull } from '../base/http/schema.ts'
import type { Sql } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { writeAudit } from '../core/audit.ts'
import { demand } from '../core/caller.ts'
import type { Caller, Method } from '../core/caller.ts'
import { lockComponent } from '../core/component.ts'
import { askToDerive, cancelRequest, findRequest } from '../core/derive/request.ts'
import type { DeriveRequest } from '../core/derive/request.ts'
import { findStream } from '../core/stream.ts'
import type { StreamDetail } from '../core/stream.ts'
import { changeFor } from './change.ts'
import type { Guard } from './entity.ts'

export const moment: Reader<number> = reader({ type: 'integer', description: 'epoch milliseconds' }, (name, value) => {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw badRequest(`${name} must be epoch milliseconds, an integer`)
  return epochNumber(name, value)
})

const spanMembers = { from: nullable(moment), to: nullable(moment) }

export const refuseReversed = (fromMs: number, toMs: number): void => {
  if (fromMs >= toMs) throw badRequest('from must be before to')
}

export const deriveRoutes = (world: World, guard: Guard): readonly Route[] => {
  const { sql: pool, clock } = world

  const ask = async (caller: Caller, call: Call): Promise<Reply> => {
    refuseUnknown(call.query, ['wait'])
    const { from, to } = readMembers('the body', (await readInput(call)) ?? {}, spanMembers)
    const toMs = to ?? lastMs
    if (typeof from === 'number') refuseReversed(from, toMs)
    const [stream, request] = await changeFor(call, pool, async (sql) => {
      const seen = await find(sql, caller, 'PUT', call)
      await lockComponent(sql, seen.componentKey)
      const found = await find(sql, caller, 'PUT', call)
      const fromMs = from ?? found.staleFromMs ?? firstMs
      refuseReversed(fromMs, toMs)
      const asked = await askToDerive(sql, caller, found.key, { fromMs, toMs }, clock.now())
      await writeAudit(sql, caller, 'stream.derive', found.uid, { from: fromMs, to: toMs })
      return [found, asked] as const
    })
    if (!flag(call.query.get('wait') ?? 'true')) return reply(request)
    return untilGone(call, async (signal) => {
      for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
        const now = await findRequest(pool, stream.key)
        // Another one was asked for since, so this one has ended.
        if (now?.uid !== request.uid) return reply({ ...request, endedMs: clock.now() })
        if (now.endedMs !== null) return reply(now)
        await sleep(pauseMs, undefined, { signal })
      }
    })
  }
  const look = async (caller: Caller, call: Call): Promise<Reply> => {
    const stream = await find(pool, caller, 'GET', call)
    return reply(await findRequest(pool, stream.key))
  }
  const cancel = async (caller: Caller, call: Call): Promise<Reply> => {
    const request = await changeFor(call, pool, async (sql) => {
      const stream = await find(sql, caller, 'PUT', call)
      const cancelled = await cancelRequest(sql, stream.key, clock.now())
      if (cancelled === undefined) throw conflict('nothing is being derived anew')
      await writeAudit(sql, caller, 'stream.derive_cancel', stream.uid)
      return cancelled
    })
    return reply(request)
  }

  const path = '/api/stream/:uid/derive'
  return [
    { method: 'POST', path, handle: guard(ask), description: about.ask },
    { method: 'GET', path, handle: guard(look), description: about.look },
    { method: 'DELETE', path, handle: guard(cancel), description: about.cancel },
  ]
}

const shown = envelopeReply(
  'derive',
  orNull(
    objectSchema({
      from: { type: 'integer' },
      to: { type: 'integer' },
      reached: { type: ['integer', 'null'] },
      start: { type: 'integer' },
      end: { type: ['integer', 'null'] },
      cancelled: { type: 'boolean' },
      error: { type: ['string', 'null'] },
    }),
  ),
)
const ofStream = { part: 'derived', path: { uid: { type: 'string' } }, reply: shown } as const
const about: Readonly<Record<'ask' | 'look' | 'cancel', Description>> = {
  ask: {
    ...ofStream,
    summary: 'Derive a stream anew',
    query: { wait: { type: 'boolean', default: true, description: 'answer when it has ended', example: 'false' } },
    body: { schema: schemaOf(spanMembers), example: { from: 1_767_225_600_000, to: 1_767_229_200_000 } },
  },
  look: { ...ofStream, summary: 'Show how far a stream has been derived anew' },
  cancel: { ...ofStream, summary: 'Stop deriving a stream anew' },
}

const shortestPauseMs = 20
const longestPauseMs = 1_000

/** A caller that may write a component's samples may have them derived. */
const find = async (sql: Sql, caller: Caller, method: Method, call: Call): Promise<StreamDetail> => {
  const uid = call.params['uid']!
  const stream = await findStream(sql, caller.organizationKey, uid)
  const isOfComponent = stream !== undefined && !stream.isTemplate
  demand(
    caller,
    method === 'GET' ? 'GET component/feed' : 'PUT component/feed',
    isOfComponent ? stream.ownerUid : undefined,
  )
  if (stream === undefined) throw notFound('stream', uid)
  if (stream.isTemplate || stream.expression === null) throw badRequest('this stream is not derived')
  return stream
}

const reply = (request: DeriveRequest | undefined): Reply =>
  jsonReply({
    success: request?.error === undefined || request.error === null,
    message: request?.error ?? '',
    derive: request === undefined ? null : show(request),
  })

const show = ({ fromMs, toMs, reachedMs, askedMs, endedMs, isCancelled, error }: DeriveRequest) => ({
  from: fromMs,
  to: toMs,
  reached: reachedMs,
  start: askedMs,
  end: endedMs,
  cancelled: isCancelled,
  error,
})
