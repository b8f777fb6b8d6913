// Large replies take memory until their clients have read them: that is charged to their callers (room.ts).
// client-connections.ts decides how long a client may take to read.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Call } from './call.ts'
import { busy } from '../errors.ts'
import type { Reply } from './reply.ts'
import { faultReply, isLasting, isPieces } from './reply.ts'
import { holdersOfCall, mostReplyBytes, roomOf } from './room.ts'
import type { Holding } from '../shares.ts'

/** A file that is sent piece by piece: one that waits for the client, one that is read meanwhile. */
const streamBytes = 256 * 1024
const patienceMs = 10_000

/** Pieces are charged already. A body that is kept is not: some addresses that read nothing kept everybody from the studio's files. */
export const bytesAtOnce = ({ body, isKept = false }: Reply): number =>
  isKept
    ? 0
    : typeof body === 'string' || Buffer.isBuffer(body)
      ? body.length
      : isPieces(body) || isLasting(body)
        ? 0
        : streamBytes

/** The reply itself, when its caller's share allows it; else a refusal. */
export const whenThereIsRoom = async (
  call: Call,
  response: ServerResponse,
  reply: Reply,
  bytes: number,
): Promise<Reply> => {
  // Nobody will read it.
  if (response.destroyed) return reply
  const holding = roomOf(call).replies.open(holdersOfCall(call))
  const leaving = new AbortController()
  response.once('close', () => {
    leaving.abort()
    holding.give()
  })
  return orRefusal(reply, await hasRoom(call, holding, bytes, leaving.signal))
}

/** The same where it is written without node:http (short.ts), which says when it has been sent. */
export const whenThereIsRoomUntilSent = async (call: Call, reply: Reply, bytes: number): Promise<Reply> => {
  const holding = roomOf(call).replies.open(holdersOfCall(call))
  const onSent = () => {
    holding.give()
    reply.onSent?.()
  }
  return orRefusal({ ...reply, onSent }, await hasRoom(call, holding, bytes))
}

const hasRoom = async (call: Call, holding: Holding, bytes: number, signal?: AbortSignal): Promise<boolean> => {
  const counted = Math.min(bytes, mostReplyBytes)
  if (holding.take(counted)) return true
  // The reply is made already, so it takes memory while it waits, too.
  const waiting = roomOf(call).waitingReplies.open(holdersOfCall(call))
  try {
    return waiting.take(counted) && (await holding.wait(counted, patienceMs, signal))
  } finally {
    waiting.give()
  }
}

const orRefusal = (reply: Reply, isHeld: boolean): Reply => {
  if (isHeld) return reply
  if (reply.body instanceof Readable) reply.body.destroy()
  // It is over for whoever made it, too, and holds something for it.
  reply.onSent?.()
  return faultReply(busy('too many replies at once are not read'))
}
