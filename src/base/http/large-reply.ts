// Large replies: their memory is charged to their callers (shares.ts) before their data are read, and they are made in
// pieces, so that nothing else waits for a text of 60 MB to be written, and each piece is given back when it has been
// sent.
//
//   return whenItFits(call, holders, (pieces) => (pieces ? fill(pieces) : replyOrSize()))
//
// A reply is made without pieces first. One that would be large gives its size instead, holding nothing more, and is
// made again when there is memory for it.
import assert from 'node:assert/strict'
import type { Call } from './call.ts'
import { untilItIsRead } from '../database/sql.ts'
import { busy, tooLarge } from '../errors.ts'
import { free } from '../free.ts'
import { untilGone } from './reading.ts'
import type { Pieces, Reply } from './reply.ts'
import { jsonType } from './reply.ts'
import type { Holders } from '../shares.ts'
import { openShares } from '../shares.ts'

export type ReplyPieces = {
  /** Throws 413 when there can be no room for it. */
  readonly add: (text: string) => void
  /** Gives the bytes that it takes, where these are more than its room. */
  readonly reply: (headers: Readonly<Record<string, string>>, status?: number) => Reply | number
}

const mebibyte = 1024 * 1024
/** JSON of a thousand texts, each as long as it may be, of letters that take one byte. */
export const mostReplyBytes = 68 * mebibyte
/** Until there are so many bytes, a reply is not large. */
export const plainBytes = mebibyte
const patienceMs = 10_000
const pieceCharacters = mebibyte
const mostTries = 3

/** One of the largest at a time, and smaller ones beside it. */
const memory = openShares(96 * mebibyte)

/** For tests. */
export const largeReplies = { free: memory.free, waiting: memory.waiting }

export const whenItFits = async (
  call: Call,
  holders: Holders,
  /** Gives the bytes that it would take, where these are many and it has no room for them. */
  make: (pieces: ReplyPieces | undefined) => Promise<Reply | number>,
): Promise<Reply> => {
  let made = await untilItIsRead(() => make(undefined))
  for (let tries = 0; typeof made === 'number'; tries += 1) {
    if (tries === mostTries) throw busy('the reply grows while it is made')
    const bytes = made
    made = await untilItIsRead(() => makeInPieces(call, holders, bytes, make))
  }
  return made
}

/**
 * For calls that store something, and so are not made again: there is memory before, and the reply is sent however
 * large it is.
 */
export const onceItFits = async (
  call: Call,
  holders: Holders,
  bytes: number,
  make: (pieces: ReplyPieces | undefined) => Promise<Reply | number>,
): Promise<Reply> => {
  const made =
    bytes > plainBytes
      ? await makeInPieces(call, holders, Math.min(bytes, mostReplyBytes), make, 'unbounded')
      : await make(undefined)
  assert(typeof made !== 'number')
  return made
}

const makeInPieces = async (
  call: Call,
  holders: Holders,
  bytes: number,
  make: (pieces: ReplyPieces) => Promise<Reply | number>,
  size: 'bounded' | 'unbounded' = 'bounded',
): Promise<Reply | number> => {
  if (bytes > mostReplyBytes) throw replyTooLarge()
  const holding = memory.open(holders)
  if (!(await untilGone(call, (signal) => holding.wait(bytes, patienceMs, signal))))
    throw busy('too many large replies at once')
  const buffers: Buffer[] = []
  const letGo = () => {
    for (const buffer of buffers.splice(0)) free(buffer)
    holding.give()
  }
  try {
    const made = await make(openPieces(size === 'bounded' ? bytes : Number.POSITIVE_INFINITY, buffers))
    if (typeof made !== 'number') return { ...made, onSent: letGo }
    letGo()
    return made
  } catch (error) {
    letGo()
    throw error
  }
}

const openPieces = (roomBytes: number, buffers: Buffer[]): ReplyPieces => {
  let bytes = 0
  let text = ''
  const flush = () => {
    if (text === '') return
    const buffer = Buffer.from(text)
    text = ''
    bytes += buffer.length
    if (bytes > Math.max(roomBytes, mostReplyBytes)) throw replyTooLarge()
    // Characters that have to be escaped take more than was expected. Then the rest is only counted.
    if (bytes <= roomBytes) buffers.push(buffer)
    else for (const each of [...buffers.splice(0), buffer]) free(each)
  }
  return {
    add: (more) => {
      text += more
      if (text.length >= pieceCharacters) flush()
    },
    reply: (headers, status = 200) => {
      flush()
      if (bytes > roomBytes) return bytes
      const body: Pieces = { buffers, bytes, isAwaited: () => memory.waiting() > 0 }
      return { status, headers: { ...jsonType, ...headers }, body }
    },
  }
}

export const replyTooLarge = () =>
  tooLarge(`the reply would be larger than ${mostReplyBytes} bytes: ask for fewer with limit`)
