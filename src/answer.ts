// The way of every call, by Koa or not: its handler is called, the reply written, and both are counted.
import type { ServerResponse } from 'node:http'
import { findCredential, findSinkCredential } from './access/credential.ts'
import type { Access } from './access/guard.ts'
import type { Call, Route } from './base/http/call.ts'
import { Fault } from './base/errors.ts'
import { cleanUrl } from './base/log.ts'
import type { Reply } from './base/http/reply.ts'
import { replyFromError, writeReply } from './base/http/reply.ts'
import { smallBytes } from './base/http/room.ts'
import { bytesAtOnce, whenThereIsRoom, whenThereIsRoomUntilSent } from './base/http/unread-reply.ts'
import { faultFromSql } from './base/database/sql.ts'
import type { World } from './base/world.ts'
import type { Metrics } from './metrics.ts'
import type { Refusal, Refusals } from './refusals.ts'

export type Answer = (route: Route, call: Call, write: (reply: Reply) => void) => void

/** Calls the route's handler, and `write` with its reply or error. Nothing that it does can end the process. */
export const answerOf = (world: World, metrics: Metrics, refusals: Refusals): Answer => {
  let requests = 0
  // Not async: on the way of every upload each promise less counts.
  return (route, call, write) => {
    requests += 1
    const id = requests
    const startedMs = performance.now()
    const settle = (reply: Reply, fault?: Refusal) => {
      call.letGo?.()
      if (world.log.isLevelEnabled('debug')) {
        const { method, path, rawQuery } = call
        world.log.debug({ request: id, method, url: cleanUrl(`${path}?${rawQuery}`), status: reply.status }, 'answered')
      }
      metrics.observe(route, reply.status, (performance.now() - startedMs) / 1000)
      try {
        write(reply)
        if (reply.status > 399)
          refusals.count({ status: reply.status, fault, route, call, hasCredential: hasCredential(call) })
      } catch (error) {
        world.log.error({ request: id, err: error }, 'not answered')
      }
    }
    const fail = (error: unknown) => {
      const known = faultFromSql(error)
      settle(replyFromError(known, world.log.child({ request: id })), known instanceof Fault ? known : internal)
    }
    try {
      // Not settle itself: it has a second parameter.
      route.handle(call).then((reply) => settle(reply), fail)
    } catch (error) {
      fail(error)
    }
  }
}

export const internal = { code: 'internal', message: 'internal error' } as const

/**
 * A request that is refused before its guard was asked, such as one of another method, is counted by its credential
 * too. The guard itself reports a request refused for its credential.
 */
export const namingCallers = ({ count }: Refusals, { nameCaller }: Access): Refusals => ({
  count: (refused) => {
    const { status, call, hasCredential: mayBeKnown } = refused
    const isNameable = call !== undefined && 'query' in call && call.actor === undefined && status !== 401 && mayBeKnown
    const naming = isNameable ? nameCaller(call as Call) : undefined
    if (naming === undefined) count(refused)
    else void naming.then(() => count(refused))
  },
})

/** A credential in a wrong form, at which the search throws, counts too. */
export const hasCredential = (call: Call): boolean => {
  try {
    return (findCredential(call) ?? findSinkCredential(call)) !== undefined
  } catch {
    return true
  }
}

export type Writer = (response: ServerResponse, call: Call) => (reply: Reply) => void

export const writerOf =
  (world: World, isStopping: () => boolean): Writer =>
  (response, call) =>
  (reply) => {
    // A server that stops asks its clients to leave.
    if (isStopping()) response.shouldKeepAlive = false
    const isBodiless = response.req.method === 'HEAD'
    const bytes = isBodiless ? 0 : bytesAtOnce(reply)
    const written =
      bytes <= smallBytes
        ? writeReply(response, reply, isBodiless)
        : whenThereIsRoom(call, response, reply, bytes).then((given) => writeReply(response, given))
    written.catch((error: unknown) => {
      world.log.debug({ err: error }, 'the client went away')
      response.destroy()
    })
  }

/** Large replies have their caller's share of memory on the short way, too: those of rsid and of sinks. */
export const shortWriter =
  (call: Call, write: (reply: Reply) => void) =>
  (reply: Reply): void => {
    const bytes = bytesAtOnce(reply)
    if (bytes <= smallBytes) write(reply)
    else void whenThereIsRoomUntilSent(call, reply, bytes).then(write)
  }
