// Reading a request's body into memory, with limits: each body has its most, comes at a least pace (pace.ts), and all
// bodies together have a room in which every caller has a share (room.ts), so that memory stays bounded whatever the
// load, and nobody takes it from others.
//
// The rest of a body that is refused is read and thrown away once the reply is written (refused-body.ts).
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { openArrival, tooMany } from './arrival.ts'
import type { Call } from './call.ts'
import { badRequest, tooLarge } from '../errors.ts'
import { free, freeChunk } from '../free.ts'
import { heldPaces } from './pace.ts'
import { openHeldBytes } from './held-bytes.ts'
import { isGzip, receiveBody } from './receive-body.ts'
import { holdersOfCall, roomOf, smallBytes } from './room.ts'
import type { Room } from './room.ts'
import type { Holders, Holding } from '../shares.ts'
import { bodyWeight } from '../turns.ts'

export type Body = {
  readonly bytes: Buffer
  /** To be called when the bytes are needed no more, but the values made of them are. */
  readonly drop: () => void
  /** To be called when neither is needed any more. */
  readonly release: () => void
}

const noBody: Body = { bytes: Buffer.alloc(0), drop: () => {}, release: () => {} }

export type BodyOptions = { readonly paces?: typeof heldPaces; readonly patienceMs?: number; readonly room?: Room }

const defaultPatienceMs = 10_000

/** Not async: a small body that is there, and has its turn, needs no promise. */
export const readBody = (
  call: Call,
  mostBytes: number,
  { paces = heldPaces, patienceMs = defaultPatienceMs, room = roomOf(call) }: BodyOptions = {},
): Body | Promise<Body> => {
  const { body } = call
  if (body === undefined) return noBody
  return Buffer.isBuffer(body)
    ? holdBody(body, room, holdersOfCall(call), patienceMs)
    : receive(body, call, mostBytes, paces, patienceMs, room)
}

const receive = async (
  body: IncomingMessage,
  call: Call,
  mostBytes: number,
  paces: typeof heldPaces,
  patienceMs: number,
  room: Room,
): Promise<Body> => {
  const holders = holdersOfCall(call)
  const declared = Number(body.headers['content-length'] ?? 0)
  if (declared > mostBytes) throw bodyTooLarge(mostBytes)
  const expected = isGzip(body) ? 0 : declared
  const held = openHeldBytes(expected, mostBytes)
  const arrival = openArrival(room, holders, expected, mostBytes, patienceMs)
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > mostBytes) throw bodyTooLarge(mostBytes)
    held.add(chunk)
    freeChunk(chunk)
    return arrival.reach(size)
  }
  try {
    const { look, begin, end } = arrival
    await receiveBody(body, { take, look, begin, end }, call.callerHolders ? paces.known : paces.strangers)
    arrival.complete()
    // It may have taken a minute, and its caller been signed out meanwhile.
    await call.judgeAgain?.()
    const bytes = held.join()
    const work = await takeTurn(room, holders, bytes.length, patienceMs)
    await new Promise<void>((enter) => room.turns.begin(bodyWeight(bytes.length), () => holders, enter))
    const drop = () => free(bytes)
    return {
      bytes,
      drop,
      release: () => {
        drop()
        arrival.release()
        work.give()
      },
    }
  } catch (error) {
    held.drop()
    arrival.release()
    throw error
  }
}

/** A body that came along with its head, and so is small. */
const holdBody = (bytes: Buffer, room: Room, holders: Holders, patienceMs: number): Body | Promise<Body> => {
  const work = takeTurn(room, holders, bytes.length, patienceMs)
  return work instanceof Promise ? work.then((turn) => heldBody(bytes, turn)) : heldBody(bytes, work)
}

const heldBody = (bytes: Buffer, work: Holding): Body => ({ bytes, drop: () => {}, release: () => work.give() })

const takeTurn = (room: Room, holders: Holders, size: number, patienceMs: number): Holding | Promise<Holding> => {
  const work = (size <= smallBytes ? room.smallWork : room.work).open(holders)
  const amount = Math.min(size, room.mostWork)
  return work.enter(amount) ? work : waitForTurn(work, amount, patienceMs)
}

const waitForTurn = async (work: Holding, amount: number, patienceMs: number): Promise<Holding> => {
  if (!(await work.wait(amount, patienceMs))) throw tooMany()
  return work
}

const bodyTooLarge = (mostBytes: number) => tooLarge(`the body is larger than ${mostBytes} bytes`)

/** More are left to the reader: 60 MB of them, in 60 KB of gzip, took a quarter of a second. */
const mostBlanks = 64 * 1024

/**
 * A JSON body as UTF-8: a BOM is skipped, and so are the bytes that old firmware leaves behind the end (CR, NUL, CR).
 */
export const jsonBytes = (bytes: Buffer): Buffer => {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let until = bytes.length
  const least = Math.max(from, until - mostBlanks)
  while (until > least && isBlank(bytes[until - 1]!)) until -= 1
  const text = bytes.subarray(from, until)
  if (!isUtf8(text)) throw badRequest('the body is not UTF-8')
  return text
}

export const textOf = (bytes: Buffer): string => jsonBytes(bytes).toString('utf8')

/** NUL, tab, line feed, carriage return, blank. */
const isBlank = (byte: number) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32
