// A request's body as it comes, for bodies too large to be held (receive-body.ts).
import type { RequestBody } from './call.ts'
import type { PaceLimits } from './pace.ts'
import { streamPace } from './pace.ts'
import { receiveBody } from './receive-body.ts'

/** Each chunk is read when the one before it has been used. A reader that stops early leaves the request open. */
export const bodyChunks = async function* (body: RequestBody, limits: PaceLimits = streamPace): AsyncGenerator<Buffer> {
  if (body === undefined) return
  if (Buffer.isBuffer(body)) return yield body
  // Undefined: there are no more.
  let next = promised<Buffer | undefined>()
  let used = promised<void>()
  const take = (chunk: Buffer) => {
    next.resolve(chunk)
    next = promised()
    used = promised()
    return used.promise
  }
  let coming = next.promise
  receiveBody(body, { take }, limits).then(
    () => next.resolve(undefined),
    (error: unknown) => next.reject(error),
  )
  try {
    for (;;) {
      const chunk = await coming
      if (chunk === undefined) return
      coming = next.promise
      yield chunk
      used.resolve()
    }
  } finally {
    used.reject(leftEarly)
  }
}

const leftEarly = new Error('its reader has stopped')

type Promised<T> = {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

const promised = <T>(): Promised<T> => {
  let settle: Omit<Promised<T>, 'promise'>
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The promise may fail while nobody waits for it.
  promise.catch(() => {})
  return { promise, ...settle! }
}
