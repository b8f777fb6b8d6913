// Reading a request's body into memory, with limits: each body has its most, and all bodies together have a
// budget, so that memory stays bounded whatever the load. Large ones are not read before there is room for them:
// their clients then send no faster than they are served. Gzip is undone on the way, counting what comes out.
//
// A body that is refused is still read to its end and thrown away, because a client that is busy sending would
// otherwise find its connection reset and never see the reply; node:http does that once the reply is written.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { openBudget } from './budget.ts'
import { badRequest, busy, Fault, tooLarge } from './errors.ts'

export type Body = {
  readonly bytes: Buffer
  /** To be called when the bytes, and what was made of them, are needed no more. */
  readonly release: () => void
}

// What is made of a body takes four times its size until it is written, and is counted with it. More would not be
// faster: the writer takes 20,000 samples at a time, and these are 300,000.
const commonBudget = openBudget(20 * 1024 * 1024)
// Sign-ins and what small devices send need not wait behind the uploads of others.
const smallBytes = 64 * 1024

const idleTimeoutMs = 30_000
const patienceMs = 10_000

const noBody: Body = { bytes: Buffer.alloc(0), release: () => {} }

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

export const readBody = async (
  request: IncomingMessage,
  mostBytes: number,
  { idleMs = idleTimeoutMs, waitMs = patienceMs, budget = commonBudget } = {},
): Promise<Body> => {
  if (!hasBody(request)) return noBody
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > mostBytes) throw bodyTooLarge(mostBytes)
  const gunzip = isGzip(request) ? createGunzip() : undefined
  const hasRoom = declared > smallBytes ? await budget.wait(declared, waitMs) : budget.take(declared)
  if (!hasRoom) throw busy('too many uploads at once')
  const parts = gunzip || declared === 0 ? openParts() : openWhole(declared)
  let held = declared
  const release = () => {
    budget.give(held)
    held = 0
    parts.clear()
  }
  const take = (chunk: Buffer) => {
    parts.add(chunk)
    if (parts.size > mostBytes) throw bodyTooLarge(mostBytes)
    const more = parts.size - held
    if (more <= 0) return
    if (!budget.take(more)) throw busy('too many uploads at once')
    held += more
  }
  try {
    if (request.destroyed) throw badRequest('the body broke off')
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

/** A body that is there already, counted with the others until it is released. */
export const holdBody = (bytes: Buffer): Body => {
  if (!commonBudget.take(bytes.length)) throw busy('too many uploads at once')
  return { bytes, release: () => commonBudget.give(bytes.length) }
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

type Parts = {
  readonly size: number
  readonly add: (chunk: Buffer) => void
  readonly join: () => Buffer
  readonly clear: () => void
}

/** A body of known length, to be filled chunk by chunk: joining them in the end would take its size once more. */
const openWhole = (length: number): Parts => {
  // A small one from Node's pool: memory of its own would cost more than reading it.
  let whole = Buffer.allocUnsafe(length)
  let size = 0
  return {
    get size() {
      return size
    },
    add: (chunk) => {
      size += chunk.copy(whole, size)
    },
    join: () => whole.subarray(0, size),
    clear: () => {
      whole = Buffer.alloc(0)
      size = 0
    },
  }
}

/** Chunks in order. Small ones are copied together: a body sent byte by byte would cost a hundred times its size. */
const openParts = (): Parts => {
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
