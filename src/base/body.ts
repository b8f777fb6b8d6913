// Reading a request's body into memory, with limits: each body has its most, and all bodies together have a
// budget, so that memory stays bounded whatever the load. Gzip is undone on the way, counting what comes out.
//
// A body that is refused is still read to its end and thrown away, because a client that is busy sending would
// otherwise find its connection reset and never see the reply; node:http does that once the reply is written.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { badRequest, busy, Fault, tooLarge } from './errors.ts'

export type Body = {
  readonly bytes: Buffer
  /** To be called when the bytes, and what was made of them, are needed no more. */
  readonly release: () => void
}

const mostBytesTogether = 160 * 1024 * 1024
let bytesTogether = 0

const idleTimeoutMs = 30_000

const noBody: Body = { bytes: Buffer.alloc(0), release: () => {} }

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

export const readBody = async (
  request: IncomingMessage,
  mostBytes: number,
  { idleMs = idleTimeoutMs, mostTogether = mostBytesTogether } = {},
): Promise<Body> => {
  if (!hasBody(request)) return noBody
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw bodyTooLarge(mostBytes)
  if (request.destroyed) throw badRequest('the body broke off')
  const gunzip = isGzip(request) ? createGunzip() : undefined
  const parts = openParts()
  const release = () => {
    bytesTogether -= parts.size
    parts.clear()
  }
  const take = (chunk: Buffer) => {
    bytesTogether += chunk.length
    parts.add(chunk)
    if (parts.size > mostBytes) throw bodyTooLarge(mostBytes)
    if (bytesTogether > mostTogether) throw busy('too many uploads at once')
  }
  try {
    if (gunzip) request.pipe(gunzip)
    await readThrough(request, gunzip ?? request, take, idleMs)
    return { bytes: parts.join(), release }
  } catch (error) {
    release()
    throw error
  } finally {
    if (gunzip) {
      request.unpipe(gunzip)
      gunzip.destroy()
    }
    request.resume()
  }
}

/** Gives each chunk to `take`, whose error ends it; the request itself is never destroyed here. */
const readThrough = (
  request: IncomingMessage,
  source: Readable,
  take: (chunk: Buffer) => void,
  idleMs: number,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      source.off('data', onData).off('end', settle)
      request.off('close', onClose)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onData = (chunk: Buffer) => {
      timer.refresh()
      try {
        take(chunk)
      } catch (error) {
        settle(error)
      }
    }
    const onClose = () => {
      if (!request.readableEnded) settle(badRequest('the body broke off'))
    }
    const onError = (error: NodeJS.ErrnoException) =>
      settle(badRequest(zlibCodes.has(error.code ?? '') ? 'the body is not valid gzip' : 'the body broke off'))
    const timer = setTimeout(
      () => settle(badRequest('the body stopped coming', { headers: { Connection: 'close' } })),
      idleMs,
    )
    source.on('data', onData).once('end', settle)
    // These stay: an error that comes after we are done must find a listener too.
    source.on('error', onError)
    if (source !== request) request.on('error', onError)
    request.once('close', onClose)
  })

export const zlibCodes = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_STREAM_ERROR', 'Z_NEED_DICT'])

/** Chunks in order. Small ones are copied together: a body sent byte by byte would cost a hundred times its size. */
const openParts = () => {
  const blockBytes = 65_536
  let parts: Buffer[] = []
  let block: Buffer | undefined
  let used = 0
  let size = 0
  const closeBlock = () => {
    if (block && used > 0) parts.push(block.subarray(0, used))
    block = undefined
    used = 0
  }
  return {
    get size() {
      return size
    },
    add: (chunk: Buffer) => {
      size += chunk.length
      if (chunk.length >= blockBytes / 8) {
        closeBlock()
        parts.push(chunk)
        return
      }
      if (block && used + chunk.length > blockBytes) closeBlock()
      // The first small chunk is most often the only one.
      block ??= Buffer.allocUnsafe(parts.length === 0 && size === chunk.length ? chunk.length : blockBytes)
      if (used + chunk.length > block.length) {
        closeBlock()
        block = Buffer.allocUnsafe(blockBytes)
      }
      used += chunk.copy(block, used)
    },
    join: (): Buffer => {
      closeBlock()
      const joined = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      return joined
    },
    clear: () => {
      parts = []
      block = undefined
      size = 0
    },
  }
}

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

/** The text of a JSON body: a BOM is skipped, and so is what old firmware leaves behind the end (CR, NUL, CR). */
export const textOf = (bytes: Buffer): string => {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let until = bytes.length
  while (until > from && isBlank(bytes[until - 1]!)) until -= 1
  const text = bytes.subarray(from, until)
  if (!isUtf8(text)) throw badRequest('the body is not UTF-8')
  return text.toString('utf8')
}

/** NUL, tab, line feed, carriage return, blank. */
const isBlank = (byte: number) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32
