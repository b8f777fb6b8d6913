// GET /api/live (docs/live.md): a listener is found its streams and its rights like any reader, then handed to the hub.
import type { ServerResponse } from 'node:http'
import { busy, notFound } from '../base/errors.ts'
import type { Call, Handler, Route } from '../base/http/call.ts'
import type { Reading } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { openShares } from '../base/shares.ts'
import type { Pool } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { demand, holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import { existingFolders, findPairs } from '../core/live/heard-stream.ts'
import type { Sql } from '../base/database/sql.ts'
import { bringBack, bringUp } from './catch-up.ts'
import type { ChannelFacts } from './channel.ts'
import { liveDescription } from './descriptions.ts'
import { gradually } from './gradually.ts'
import { Hub } from './hub.ts'
import type { HubOptions } from './hub.ts'
import { Listener } from './listener.ts'
import { liveQuery } from './query.ts'
import type { LiveQuery } from './query.ts'
import type { ShowSamples } from './show.ts'

/** One caller may have half of them. */
const mostListeners = 20_000
/** Streams, components and folders that listeners name; the same. */
const mostNames = 200_000

export type Live = {
  readonly routes: readonly Route[]
  /** Listeners at this moment. */
  readonly size: () => number
  readonly stop: () => Promise<void>
}

type Handle = (caller: Caller, call: Call) => Promise<Reply>

export type LiveOptions = {
  readonly world: World
  /** For the short readings that all listeners share. */
  readonly sql: Pool
  readonly reading: Reading
  readonly guardLasting: (handle: Handle) => Handler
  readonly settle: HubOptions['settle']
  readonly showSamples: ShowSamples
}

export const openLive = ({ world, sql, reading, guardLasting, settle, showSamples }: LiveOptions): Live => {
  const places = openShares(mostListeners)
  const names = openShares(mostNames)
  // A page that cannot be read, or was trimmed, leaves all of a crowd behind in one moment.
  const bringBackInTurn = gradually<Listener>((listener) => void bringBack(hub, reading, listener))
  const hub = new Hub({ world, sql, showSamples, settle }, bringBackInTurn)
  const getLive: Handle = async (caller, call) => {
    const query = liveQuery(call)
    const holders = holdersOf(caller, call.address)
    const place = places.open(holders)
    const named = names.open(holders)
    const leave = () => {
      place.give()
      named.give()
    }
    if (!place.take(1)) throw busy('too many listeners')
    if (!named.take(query.pairs.length + query.folders.length)) {
      leave()
      throw busy('too many streams, components and folders are listened to')
    }
    // Not before: what is looked up for those that there is no room for takes as much memory as for the others.
    const facts = await findFacts(world.sql, caller, query).catch((error: unknown) => {
      leave()
      throw error
    })
    const begin = (response: ServerResponse) => {
      const listener = new Listener(facts, query, call, holders, response, () => hub.remove(listener))
      hub.add(listener)
      if (response.destroyed) listener.end({ code: 'gone', message: '' })
      if (listener.isEnded) return
      listener.send('retry: 1000\n\n')
      void bringUp(hub, reading, listener)
    }
    return { status: 200, headers, body: { begin }, onSent: leave }
  }
  return {
    routes: [{ method: 'GET', path: '/api/live', handle: guardLasting(getLive), description: liveDescription }],
    size: () => hub.size,
    stop: () => hub.stop(),
  }
}

/** Proxies must not wait for more, nor keep it. */
const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}

const findFacts = async (sql: Sql, caller: Caller, { pairs, folders, show }: LiveQuery): Promise<ChannelFacts> => {
  const { organizationKey } = caller
  if (folders.length > 0) {
    demand(caller, 'GET component/feed')
    const there = await existingFolders(sql, organizationKey, folders)
    const missing = folders.find((path) => !there.has(path))
    if (missing !== undefined) throw notFound('folder', missing)
  }
  const found = pairs.length === 0 ? [] : await findPairs(sql, organizationKey, pairs)
  for (const { componentUid } of found) demand(caller, 'GET component/feed', componentUid ?? undefined)
  const streamKeys: number[] = []
  const whole: number[] = []
  found.forEach(({ componentKey, streamKey }, at) => {
    const { componentId, streamId } = pairs[at]!
    if (componentKey === null) throw notFound('component', componentId)
    if (streamId === undefined) whole.push(componentKey)
    else if (streamKey === null) throw notFound('stream', streamId)
    else streamKeys.push(streamKey)
  })
  const componentKeys = [...new Set(found.map(({ componentKey }) => componentKey!))]
  return { caller, subscription: { streamKeys, componentKeys: whole, folders }, componentKeys, show }
}
