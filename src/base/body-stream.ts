// A request's body as it comes, for bodies too large to be held: inflated, and no faster than it is taken.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isGzip, zlibCodes } from './body.ts'
import { badRequest } from './errors.ts'

const idleTimeoutMs = 30_000

/**
 * Who stops early leaves the request open, so that the reply still reaches the client (and drains the rest):
 * a stream's own iterator would cut the connection.
 */
export const bodyChunks = async function* (
  request: IncomingMessage,
  idleMs: number = idleTimeoutMs,
): AsyncGenerator<Buffer> {
  const source = isGzip(request) ? inflate(request) : request
  const chunks = source.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const next = (await unlessIdle(chunks.next(), idleMs)) as IteratorResult<Buffer>
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: where the client has fallen silent, it returns only when the connection ends.
    Promise.resolve(chunks.return?.()).catch(() => {})
    if (source !== request) {
      request.unpipe()
      source.destroy()
    }
  }
}

const unlessIdle = async <T>(next: Promise<T>, idleMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(badRequest('the body stopped coming', { headers: { Connection: 'close' } })),
      idleMs,
    )
  })
  try {
    return await Promise.race([next.catch(brokenOff), idle])
  } finally {
    clearTimeout(timer)
  }
}

const brokenOff = (error: NodeJS.ErrnoException): never => {
  throw badRequest(zlibCodes.has(error.code ?? '') ? 'the body is not valid gzip' : 'the body broke off')
}

/** pipe() alone would leave the reader waiting when the client goes away. */
const inflate = (request: IncomingMessage): Readable => {
  const gunzip = createGunzip()
  request.once('error', (error) => gunzip.destroy(error))
  return request.pipe(gunzip)
}

const drainMs = 10_000

/**
 * For a reply that comes before the body's end: reads on for a while, because many clients look at the reply only
 * after they have sent everything, and a connection that is cut would take it from them.
 */
export const drain = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => request.destroy(), drainMs).unref()
  request.on('error', () => {})
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  // Not before who read it has let go of it.
  setImmediate(() => request.resume())
}
