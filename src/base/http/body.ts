// Reading a request's body into memory, with limits: each body has its most, comes at a least pace (pace.ts), and all
// bodies together have a room in which every caller has a share (room.ts), so that memory stays bounded whatever the
// load, and nobody takes it from others. Gzip is undone on the way, counting what comes out.
//
// The rest of a body that is refused is read and thrown away once the reply is written (refused-body.ts).
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Arrival } from './arrival.ts'
import { openArrival, tooMany } from './arrival.ts'
import { hasBody } from './call.ts'
import type { Call } from './call.ts'
import { badRequest, Fault, tooLarge } from '../errors.ts'
import { free } from '../free.ts'
import type { PaceLimits } from './pace.ts'
import { heldPaces, openPace } from './pace.ts'
import { openParts } from './parts.ts'
import { askForBody } from './refused-body.ts'
import { holdersOfCall, roomOf, smallBytes } from './room.ts'
import type { Room } from './room.ts'
import type { Holders } from '../shares.ts'

export type Body = {
  readonly bytes: Buffer
  /** To be called when the bytes are needed no more, but what was made of them is. */
  readonly drop: () => void
  /** To be called when neither is needed any more. */
  readonly release: () => void
}

const noBody: Body = { bytes: Buffer.alloc(0), drop: () => {}, release: () => {} }

export type BodyOptions = { readonly paces?: typeof heldPaces; readonly patienceMs?: number; readonly room?: Room }

const defaultPatienceMs = 10_000

export const readBody = async (
  call: Call,
  mostBytes: number,
  { paces = heldPaces, patienceMs = defaultPatienceMs, room = roomOf(call) }: BodyOptions = {},
): Promise<Body> => {
  const { request, wholeBody } = call
  if (wholeBody) return holdBody(wholeBody, room, holdersOfCall(call), patienceMs)
  if (!hasBody(request)) return noBody
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > mostBytes) throw bodyTooLarge(mostBytes)
  const gunzip = isGzip(request) ? createGunzip() : undefined
  const expected = gunzip ? 0 : declared
  const parts = openParts(expected, mostBytes)
  const holders = holdersOfCall(call)
  const arrival = openArrival(room, holders, expected, mostBytes, patienceMs)
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > mostBytes) throw bodyTooLarge(mostBytes)
    parts.add(chunk)
    return arrival.reach(size)
  }
  try {
    if (request.destroyed) throw badRequest('the body broke off')
    askForBody(request)
    if (gunzip) request.pipe(gunzip)
    const pace = call.callerHolders ? paces.known : paces.strangers
    await readThrough(request, gunzip ?? request, take, pace, arrival)
    arrival.complete()
    const bytes = parts.join()
    const work = await takeTurn(room, holders, bytes.length, patienceMs)
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
    parts.drop()
    arrival.release()
    throw error
  } finally {
    if (gunzip) {
      request.unpipe(gunzip)
      gunzip.destroy()
    }
  }
}

/** A body that came along with its head, and so is small. */
const holdBody = async (bytes: Buffer, room: Room, holders: Holders, patienceMs: number): Promise<Body> => {
  if (bytes.length === 0) return noBody
  const work = await takeTurn(room, holders, bytes.length, patienceMs)
  return { bytes, drop: () => {}, release: () => work.give() }
}

const takeTurn = async (room: Room, holders: Holders, size: number, patienceMs: number) => {
  const work = (size <= smallBytes ? room.smallWork : room.work).open(holders)
  if (!(await work.wait(Math.min(size, room.mostWork), patienceMs))) throw tooMany()
  return work
}

/** Gives each chunk to `take`, and reads on when that is ready; its error ends it. The request is never destroyed here. */
const readThrough = (
  request: IncomingMessage,
  source: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  limits: PaceLimits,
  arrival: Arrival,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let isOver = false
    const settle = (error?: unknown) => {
      isOver = true
      pace.end()
      source.off('data', onData).off('end', settle)
      request.off('data', onRaw).off('close', onClose)
      if (error === undefined) return resolve()
      source.pause()
      reject(error)
    }
    const look = () => {
      try {
        arrival.look()
      } catch (error) {
        settle(error)
      }
    }
    const pace = openPace(limits, settle, look)
    const onData = (chunk: Buffer) => {
      if (source === request) pace.count(chunk.length)
      try {
        const room = take(chunk)
        if (room !== undefined) waitFor(room)
      } catch (error) {
        settle(error)
      }
    }
    /** The bytes on the line count, not those that they inflate to. */
    const onRaw = (chunk: Buffer) => pace.count(chunk.length)
    const waitFor = (room: Promise<void>) => {
      source.pause()
      pace.hold(true)
      room.then(() => {
        pace.hold(false)
        if (!isOver) source.resume()
      }, settle)
    }
    const onClose = () => {
      if (!request.readableEnded) settle(badRequest('the body broke off'))
    }
    const onError = (error: NodeJS.ErrnoException) =>
      settle(badRequest(zlibCodes.has(error.code ?? '') ? 'the body is not valid gzip' : 'the body broke off'))
    source.on('data', onData).once('end', settle)
    // These stay: an error that comes after we are done must find a listener too.
    source.on('error', onError)
    if (source !== request) request.on('error', onError).on('data', onRaw)
    request.once('close', onClose)
  })

export const zlibCodes = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_STREAM_ERROR', 'Z_NEED_DICT'])

export const isGzip = (request: IncomingMessage): boolean => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  switch (encoding) {
    case '':
    case 'identity':
      return false
    case 'gzip':
    case 'x-gzip':
      return true
    default:
      throw new Fault('unsupported_media_type', `the encoding '${encoding.slice(0, 40)}' is not supported, gzip is`)
  }
}

const bodyTooLarge = (mostBytes: number) => tooLarge(`the body is larger than ${mostBytes} bytes`)

/** A JSON body as UTF-8: a BOM is skipped, and so is what old firmware leaves behind the end (CR, NUL, CR). */
export const jsonBytes = (bytes: Buffer): Buffer => {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let until = bytes.length
  while (until > from && isBlank(bytes[until - 1]!)) until -= 1
  const text = bytes.subarray(from, until)
  if (!isUtf8(text)) throw badRequest('the body is not UTF-8')
  return text
}

export const textOf = (bytes: Buffer): string => jsonBytes(bytes).toString('utf8')

/** NUL, tab, line feed, carriage return, blank. */
const isBlank = (byte: number) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32
