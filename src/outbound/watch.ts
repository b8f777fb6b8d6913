// Bounds of what a server sends at once. A driver keeps a message until it is whole, in buffers that no limit of the
// thread's heap counts: a server that never ends one would take all memory. So the bytes are counted as they come in.
import { ExternalError } from './external-error.ts'
import type { Guard } from './guard.ts'

/** Sign-in, the version, and the names and types of the columns. */
const mostHeadBytes = 16 * 1024 * 1024
/** The most that may come in without a whole batch of rows. */
const mostRowBytes = 64 * 1024 * 1024
const everyMs = 50

export type Watch = {
  /** From now on rows come. */
  readonly begin: () => void
  /** The same rows, each batch of which is a new beginning. */
  readonly rows: <T>(batches: AsyncIterable<T>) => AsyncGenerator<T>
  /** Bytes that come meanwhile are bounded by somebody else. */
  readonly without: <T>(work: Promise<T>) => Promise<T>
  readonly end: () => void
}

export const watchBytes = (guard: Guard): Watch => {
  let [most, what]: [number, string] = [mostHeadBytes, 'the server sends more than 16 MB before its first row']
  let markBytes = 0
  const mark = () => (markBytes = guard.bytesRead())
  const timer = setInterval(() => {
    if (guard.bytesRead() - markBytes > most) guard.cut(new ExternalError('value', what))
  }, everyMs)
  const begin = () => {
    ;[most, what] = [mostRowBytes, 'a row is larger than 64 MB']
    mark()
  }
  return {
    begin,
    rows: async function* (batches) {
      for await (const batch of batches) {
        yield batch
        mark()
      }
    },
    without: async (work) => {
      most = Infinity
      try {
        return await work
      } finally {
        begin()
      }
    },
    end: () => clearInterval(timer),
  }
}
