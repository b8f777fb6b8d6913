// A request's body as it comes, for bodies too large to be held: inflated, no faster than it is taken, and not slower
// than it may (pace.ts).
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isGzip, zlibCodes } from './body.ts'
import { badRequest } from '../errors.ts'
import type { Fault } from '../errors.ts'
import type { PaceLimits } from './pace.ts'
import { openPace, streamPace } from './pace.ts'
import { askForBody } from './refused-body.ts'

/**
 * A reader that stops early leaves the request open, so that the reply still reaches the client (refused-body.ts): a
 * stream's own iterator would cut the connection.
 */
export const bodyChunks = async function* (
  request: IncomingMessage,
  limits: PaceLimits = streamPace,
): AsyncGenerator<Buffer> {
  const isPacked = isGzip(request)
  askForBody(request)
  const source = isPacked ? inflate(request) : request
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let refuse: (fault: Fault) => void
  const pace = openPace(limits, (fault) => refuse(fault))
  const nextInTime = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      refuse = reject
      chunks.next().then(resolve, (error: NodeJS.ErrnoException) => reject(brokenOff(error)))
    })
  const count = (chunk: Buffer) => pace.count(chunk.length)
  // The bytes on the line count, not those that they inflate to.
  if (isPacked) request.on('data', count)
  try {
    for (;;) {
      pace.hold(false)
      const next = await nextInTime()
      pace.hold(true)
      if (next.done) return
      if (!isPacked) count(next.value)
      yield next.value
    }
  } finally {
    pace.end()
    // Not awaited: where the client has fallen silent, it returns only when the connection ends.
    Promise.resolve(chunks.return?.()).catch(() => {})
    if (isPacked) {
      request.off('data', count).unpipe()
      source.destroy()
    }
  }
}

const brokenOff = ({ code = '' }: NodeJS.ErrnoException): Fault =>
  badRequest(zlibCodes.has(code) ? 'the body is not valid gzip' : 'the body broke off')

/** pipe() alone would leave the reader waiting when the client goes away. */
const inflate = (request: IncomingMessage): Readable => {
  const gunzip = createGunzip()
  request.once('error', (error) => gunzip.destroy(error))
  return request.pipe(gunzip)
}
