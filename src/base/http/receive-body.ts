// The one reader of bodies that arrive: gives their bytes to the taker, inflated, no faster than they are taken, and
// refuses those that come slower than they may (pace.ts). body.ts holds the bytes, body-stream.ts hands them on.
import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { badRequest, clientGone, Fault } from '../errors.ts'
import type { PaceLimits } from './pace.ts'
import { openPace } from './pace.ts'
import { askForBody } from './refused-body.ts'

export type Taker = {
  /** The next chunk is read when the returned promise is done; its error ends the reading. */
  readonly take: (chunk: Buffer) => Promise<void> | undefined
  /** Called each second until the body is there, also while it waits; its error ends the reading. */
  readonly look?: () => void
  /** Called before the first chunk: `refuse` ends the reading at once, with its error. */
  readonly begin?: (refuse: (error: unknown) => void) => void
  /** Called at once when the reading has ended. */
  readonly end?: () => void
}

/**
 * Ends when all is taken. The request is never destroyed here, so that a reader that stops early can still be answered
 * (refused-body.ts).
 */
export const receiveBody = async (
  request: IncomingMessage,
  { take, look, begin, end }: Taker,
  limits: PaceLimits,
): Promise<void> => {
  const gunzip = isGzip(request) ? createGunzip() : undefined
  const source = gunzip ?? request
  if (request.destroyed) throw brokenOff()
  askForBody(request)
  if (gunzip) request.pipe(gunzip)
  try {
    await new Promise<void>((resolve, reject) => {
      let isOver = false
      const settle = (error?: unknown) => {
        isOver = true
        end?.()
        pace.end()
        source.off('data', onData).off('end', settle)
        request.off('data', onRaw).off('close', onClose)
        if (error === undefined) return resolve()
        source.pause()
        reject(error)
      }
      const attempt = (act: () => void) => {
        try {
          act()
        } catch (error) {
          settle(error)
        }
      }
      const pace = openPace(limits, settle, look && (() => attempt(look)))
      const onData = (chunk: Buffer) => {
        if (source === request) pace.count(chunk.length)
        attempt(() => {
          const taken = take(chunk)
          if (taken !== undefined) waitFor(taken)
        })
      }
      /** The bytes on the line count, not those that they inflate to. */
      const onRaw = (chunk: Buffer) => pace.count(chunk.length)
      const waitFor = (taken: Promise<void>) => {
        source.pause()
        pace.hold(true)
        taken.then(() => {
          pace.hold(false)
          if (!isOver) source.resume()
        }, settle)
      }
      const onClose = () => {
        if (!request.readableEnded) settle(brokenOff())
      }
      const onError = ({ code = '' }: NodeJS.ErrnoException) =>
        settle(zlibCodes.has(code) ? badRequest('the body is not valid gzip') : brokenOff())
      source.on('data', onData).once('end', settle)
      // These stay: an error that comes after we are done must find a listener too.
      source.on('error', onError)
      if (source !== request) request.on('error', onError).on('data', onRaw)
      request.once('close', onClose)
      begin?.(settle)
    })
  } finally {
    if (gunzip) {
      request.unpipe(gunzip)
      gunzip.destroy()
    }
  }
}

const brokenOff = () => clientGone('the body broke off')

const zlibCodes = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_STREAM_ERROR', 'Z_NEED_DICT'])

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
