// Calls that may be tried again, and when (docs/client.md#tries). A call is repeated only where carrying it out twice is the same as once: a
// reading, an upload whose samples all have their times. Everything else is repeated only after a 429, which says that
// nothing was done; a 503 does not say so (docs/replies.md#errors), and neither does a lost connection.
import { CoppiceError } from './error.ts'
import type { Manner, Query } from './operation.ts'

export type Sent = Manner & { readonly query?: Query | undefined; readonly body?: unknown }

export const mayRepeat = (operation: string, { query = {}, body, isRepeatable }: Sent): boolean => {
  if (body instanceof ReadableStream) return false
  if (isRepeatable !== undefined) return isRepeatable
  if (operation.endsWith(' /api/feed')) return hasTimes(query, body)
  if (operation.startsWith('PUT ') && operation.includes('/feed/file/')) return query['time'] !== undefined
  return operation.startsWith('GET ') && !operation.includes('/conn_sink/')
}

const hasTimes = (query: Query, body: unknown): boolean => {
  if (body === undefined) return query['time'] !== undefined
  return Array.isArray(body) && body.every((sample: { readonly time?: unknown }) => (sample.time ?? null) !== null)
}

/** How long to wait before the next try, in milliseconds; undefined: there is none. */
export const waitBefore = (
  error: unknown,
  { tried, retries, isRepeatable, isStream }: Trying,
  random = Math.random,
): number | undefined => {
  if (!(error instanceof CoppiceError) || tried >= retries || isStream) return undefined
  const { status } = error
  const isWorthIt = status === 429 || (isRepeatable && [0, 502, 503, 504].includes(status))
  const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** tried * (0.5 + random())
  return isWorthIt && waitMs <= mostWaitMs ? waitMs : undefined
}

export type Trying = {
  readonly tried: number
  readonly retries: number
  readonly isRepeatable: boolean
  /** A body that can be read once. */
  readonly isStream: boolean
}

const firstWaitMs = 250
const mostWaitMs = 60_000

export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
