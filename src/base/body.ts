// Reading a request's body into memory, with limits: each body has its most, and all bodies together have a
// budget, so that memory stays bounded whatever the load. Gzip is undone on the way, counting what comes out.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { badRequest, busy, Fault } from './errors.ts'

export type Body = {
  readonly bytes: Buffer
  /** To be called when the bytes, and what was made of them, are needed no more. */
  readonly release: () => void
}

const mostBytesTogether = 160 * 1024 * 1024
let bytesTogether = 0

const idleTimeoutMs = 30_000

export const readBody = async (request: IncomingMessage, mostBytes: number): Promise<Body> => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared === 0 && request.headers['transfer-encoding'] === undefined)
    return { bytes: Buffer.alloc(0), release: () => {} }
  if (declared > mostBytes) throw bodyTooLarge(mostBytes)
  const source = inflated(request)
  const chunks: Buffer[] = []
  let size = 0
  const release = () => {
    bytesTogether -= size
    size = 0
  }
  const timer = setTimeout(() => source.destroy(badRequest('the body stopped coming')), idleTimeoutMs)
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      timer.refresh()
      size += chunk.length
      bytesTogether += chunk.length
      if (size > mostBytes) throw bodyTooLarge(mostBytes)
      if (bytesTogether > mostBytesTogether) throw busy('too many uploads at once')
      chunks.push(chunk)
    }
  } catch (error) {
    release()
    request.unpipe()
    throw zlibCodes.has((error as NodeJS.ErrnoException).code ?? '') ? badRequest('the body is not valid gzip') : error
  } finally {
    clearTimeout(timer)
  }
  return { bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), release }
}

const zlibCodes = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_STREAM_ERROR', 'Z_NEED_DICT'])

const inflated = (request: IncomingMessage) => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  switch (encoding) {
    case '':
    case 'identity':
      return request
    case 'gzip':
    case 'x-gzip':
      return request.pipe(createGunzip())
    default:
      throw new Fault('unsupported_media_type', `the encoding '${encoding.slice(0, 40)}' is not supported, gzip is`)
  }
}

const bodyTooLarge = (mostBytes: number) =>
  new Fault('too_large', `the body is larger than ${mostBytes} bytes`, { headers: { Connection: 'close' } })

/** The text of a JSON body: a BOM is skipped, and so is what old firmware leaves behind the end (CR, NUL, CR). */
export const textOf = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw badRequest('the body is not UTF-8')
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/[\s\u0000]+$/, '')
}
