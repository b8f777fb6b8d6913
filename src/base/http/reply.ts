// The one writer of replies and errors (docs/replies.md): a door gives a Reply or throws, and writeReply puts it
// on the wire, with Koa in front or without. JSON is compact and always has a Content-Length: devices read
// it into fixed buffers.
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../errors.ts'
import { free } from '../free.ts'
import type { Log } from '../log.ts'
import { faultFromSql } from '../database/sql.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream says its own Content-Length in the headers. */
  readonly body: string | Buffer | Readable | Pieces | Lasting
  /** Called when the reply has been sent, or its client is gone. */
  readonly onSent?: () => void
  /** The body is in memory anyway, for all who ask: while it is not read, it takes nothing of its own. */
  readonly isKept?: boolean
}

/** The pieces of a large reply, whose memory is charged already (large-reply.ts). */
export type Pieces = {
  /** The unsent ones: each is taken out, and its memory given back, when it is sent. */
  readonly buffers: Buffer[]
  /** The bytes of all buffers together. */
  readonly bytes: number
  /** Whether others wait for its memory. */
  readonly isAwaited: () => boolean
}

/** A reply that goes on as long as something happens; its writer keeps account of its memory. */
export type Lasting = { readonly begin: (response: ServerResponse) => void }

/** The memory of a reply is let go when it has been sent, however slowly; at once where no reply was made. */
export const keepUntilSent = async (letGo: () => void, make: () => Promise<Reply>): Promise<Reply> => {
  try {
    return { ...(await make()), onSent: letGo }
  } catch (error) {
    letGo()
    throw error
  }
}

export const emptyReply: Reply = { status: 200, headers: {}, body: '' }

export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' }

export const jsonReply = (value: unknown, status = 200): Reply => ({ status, headers: jsonType, body: toJson(value) })

/** JSON.stringify that writes a bigint as the plain number it is: LONG values are exact beyond 2^53. */
export const toJson = (value: unknown): string => {
  try {
    // Nearly no reply has one, and without looking for it JSON is written two to three times as fast.
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return toJsonWithBigints(value)
  }
}

const toJsonWithBigints = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? rawJson(member) : member)).replaceAll(
    rawMark,
    (whole, marked: string, digits: string) => (marked === tail ? digits : whole),
  )

// JSON.rawJSON is not in Node 20, so a bigint travels as a marked string whose quotes are taken off again.
// U+FFFF is not a character, and JSON input that holds it next to digits is refused nowhere; the random tail
// makes sure that no stored text can look like the mark.
const tail = Math.random().toString(36).slice(2)
const rawMark = /"\uFFFF([a-z0-9]+):(-?\d+)"/g
const rawJson = (integer: bigint) => `\uFFFF${tail}:${integer}`

/** A thrown thing as the caller sees it; a status above 499 is logged with all its detail. */
export const replyFromError = (error: unknown, log: Log): Reply => {
  const cause = faultFromSql(error)
  if (!(cause instanceof Fault)) {
    log.error({ err: cause }, 'internal error')
    return faultReply(new Fault('internal', 'internal error'))
  }
  if (cause.status > 499) warnOnceASecond(cause, log)
  return faultReply(cause)
}

const suppressedWarnings = new Map<string, { nextMs: number; times: number }>()

/** A database that is away or full refuses thousands of calls a second, all for one reason. */
const warnOnceASecond = (fault: Fault, log: Log): void => {
  const nowMs = performance.now()
  const { nextMs, times } = suppressedWarnings.get(fault.message) ?? { nextMs: 0, times: 0 }
  if (nowMs < nextMs) return void suppressedWarnings.set(fault.message, { nextMs, times: times + 1 })
  suppressedWarnings.set(fault.message, { nextMs: nowMs + 1000, times: 0 })
  log.warn({ err: fault.cause ?? fault, detail: fault.detail, moreBefore: times || undefined }, fault.message)
}

export const faultReply = (fault: Fault): Reply & { readonly body: string } => ({
  status: fault.status,
  headers: { ...jsonType, ...('Retry-After' in fault.headers ? seenByPages : {}), ...fault.headers },
  body: toJson({ success: false, code: fault.code, message: fault.message, ...fault.members }),
})

/** A page of another origin sees no other header of ours, and would come again too soon (docs/client.md#tries). */
const seenByPages = { 'Access-Control-Expose-Headers': 'Retry-After' }

/** The headers that go out, besides those of the connection. A 204 has no body and so no length of one. */
export const writtenHeaders = ({ status, headers, body }: Reply): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': '*',
  ...headers,
  ...(isWhole(body) && status !== 204 ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}),
  ...(isPieces(body) ? { 'Content-Length': String(body.bytes) } : {}),
})

export const isPieces = (body: Reply['body']): body is Pieces => typeof body === 'object' && 'buffers' in body

export const isLasting = (body: Reply['body']): body is Lasting => typeof body === 'object' && 'begin' in body

const isWhole = (body: Reply['body']): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body)

/** `bodiless` is for HEAD: the headers of the reply without its body. */
export const writeReply = async (response: ServerResponse, reply: Reply, bodiless = false): Promise<void> => {
  const { status, body, onSent } = reply
  if (onSent) {
    if (response.closed) onSent()
    else response.once('close', onSent)
  }
  response.writeHead(status, reply === emptyReply ? emptyReplyHeaders : writtenHeaders(reply))
  if (isWhole(body)) response.end(bodiless ? undefined : body)
  else if (isPieces(body)) {
    if (!bodiless) await writePieces(response, body)
    response.end()
  } else if (isLasting(body)) {
    if (bodiless) response.end()
    else {
      response.flushHeaders()
      body.begin(response)
    }
  } else if (bodiless) {
    body.destroy()
    response.end()
  } else await pipeline(body, response)
}

const lookEveryMs = 1000
/** A client that reads slower than a piece in this time has to leave when others wait for the memory. */
const mostLooks = 10

const writePieces = async (response: ServerResponse, { buffers, isAwaited }: Pieces): Promise<void> => {
  let looks = 0
  const timer = setInterval(() => {
    looks += 1
    if (looks >= mostLooks && isAwaited()) response.destroy()
  }, lookEveryMs)
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  try {
    while (buffers.length > 0 && !response.closed) {
      await Promise.race([new Promise((resolve) => response.write(buffers[0], resolve)), closed])
      looks = 0
      const sent = buffers.shift()
      if (sent) free(sent)
    }
  } finally {
    clearInterval(timer)
  }
}

/** The headers of the reply to every upload; node:http need not make a list of them each time. */
const emptyReplyHeaders = Object.entries(writtenHeaders(emptyReply)).flat()

type AfterReply = 'keep-alive' | 'close'

/** A reply as it goes over the wire, for those who write it without node:http (short.ts, connection.ts). */
export const replyText = (reply: Reply, connection: AfterReply): string => {
  const { status, body } = reply
  assert(typeof body === 'string')
  if (reply === emptyReply && connection === 'keep-alive') return emptyReplyText()
  if (status === 200 && reply.headers === jsonType && connection === 'keep-alive')
    return `HTTP/1.1 200 OK\r\n${jsonReplyLines}Content-Length: ${Buffer.byteLength(body)}\r\nDate: ${httpDate()}\r\nConnection: keep-alive\r\n\r\n${body}`
  const headers = { ...writtenHeaders(reply), Date: httpDate(), Connection: connection }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

let dateText = ''
let dateSecond = Number.NaN
let emptyText = ''

const httpDate = (): string => {
  const nowMs = Date.now()
  const second = Math.floor(nowMs / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(nowMs).toUTCString()
    emptyText = ''
  }
  return dateText
}

/** Made anew once a second. */
const emptyReplyText = (): string => {
  const date = httpDate()
  return (emptyText ||= `HTTP/1.1 200 OK\r\n${emptyReplyLines}Date: ${date}\r\nConnection: keep-alive\r\n\r\n`)
}

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const emptyReplyLines = linesOf(writtenHeaders(emptyReply))
const { 'Content-Length': _, ...jsonReplyHeaders } = writtenHeaders(jsonReply(''))
const jsonReplyLines = linesOf(jsonReplyHeaders)
