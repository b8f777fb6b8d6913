// Large replies take memory until their clients have read them: that is charged to their callers (room.ts). How long a
// client may take to read is decided in client-connections.ts.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Call } from './call.ts'
import { busy } from '../errors.ts'
import type { Reply } from './reply.ts'
import { faultReply, isPieces } from './reply.ts'
import { holdersOfCall, mostReplyBytes, roomOf } from './room.ts'

/** A file that is sent piece by piece: one that waits for the client, one that is read meanwhile. */
const streamBytes = 256 * 1024
const patienceMs = 10_000

/** Pieces are charged already. */
export const bytesAtOnce = ({ body }: Reply): number =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body.length : isPieces(body) ? 0 : streamBytes

/** The reply itself, when its caller's share allows it; else a refusal. */
export const whenThereIsRoom = async (
  call: Call,
  response: ServerResponse,
  reply: Reply,
  bytes: number,
): Promise<Reply> => {
  // Nobody will read it.
  if (response.destroyed) return reply
  const room = roomOf(call)
  const holders = holdersOfCall(call)
  const holding = room.replies.open(holders)
  const leaving = new AbortController()
  response.once('close', () => {
    leaving.abort()
    holding.give()
  })
  const counted = Math.min(bytes, mostReplyBytes)
  if (holding.take(counted)) return reply
  // It is there already, so it takes memory while it waits, too.
  const waiting = room.waitingReplies.open(holders)
  const hasRoom = waiting.take(counted) && (await holding.wait(counted, patienceMs, leaving.signal))
  waiting.give()
  if (hasRoom) return reply
  if (reply.body instanceof Readable) reply.body.destroy()
  return faultReply(busy('too many replies at once are not read'))
}
