// Bounds of what a server sends at once. A driver keeps a message until it is whole, several times over, in buffers that no
// limit of the thread's heap counts: a server that never ends one would take all memory. A message that announces its length
// (announced.ts) is refused with its first bytes, and a long one waits until there is room for it (room.ts); of all others
// the bytes are counted as they come in.
import type { Announce } from './announced.ts'
import { ExternalError } from './external-error.ts'
import { openCollector } from './garbage.ts'
import type { Guard } from './guard.ts'
import { valveOf } from './valve.ts'

const megabyte = 1024 * 1024
/** Sign-in, the version, and the names and types of the columns. */
const mostHeadBytes = 8 * megabyte
/** Of any message, then. */
const mostRowBytes = 4 * megabyte
/** The most that may come in until a batch has been read: while the reader has one row, the next may come, and some of the one after. */
const mostUnreadBytes = 3 * mostRowBytes
/** A longer message needs room. */
const narrowBytes = megabyte / 4
const everyMs = 10

const tooMuchHead = 'the server sends more than 8 MB before its first row'
const tooLongHead = 'the server announces more than 4 MB at once before its first row'
const tooLargeRow = 'a row is larger than 4 MB'

export type Watch = {
  readonly announce: Announce
  /** From now on a statement is asked for. */
  readonly ask: () => void
  /** From now on rows come. */
  readonly begin: () => void
  /** The same rows, each batch of which is a new beginning. */
  readonly rows: <T>(batches: AsyncIterable<T>) => AsyncGenerator<T>
  /** Bytes that come meanwhile are bounded by somebody else. */
  readonly without: <T>(work: Promise<T>) => Promise<T>
  readonly end: () => void
}

/** `enterRoom` resolves when there is room for long messages of this session, until its end. */
export const watchBytes = (guard: Guard, enterRoom: () => Promise<void>): Watch => {
  let [most, what] = [mostHeadBytes, tooMuchHead]
  let tooLong = tooLongHead
  let entering: Promise<void> | undefined
  let hasRoom = false
  let markBytes = 0
  const mark = () => (markBytes = guard.bytesRead())
  const collect = openCollector()
  const timer = setInterval(() => {
    if (hasRoom) collect(guard.bytesRead())
    if (guard.bytesRead() - markBytes > most) guard.cut(new ExternalError('value', what))
  }, everyMs)
  const begin = () => {
    ;[most, what] = [mostUnreadBytes, tooLargeRow]
    mark()
  }
  return {
    announce: (socket, bytes) => {
      if (bytes > mostRowBytes) return guard.cut(new ExternalError('value', tooLong))
      if (bytes <= narrowBytes || hasRoom) return
      const valve = valveOf(socket)
      valve.stop('room')
      entering ??= enterRoom().then(() => void (hasRoom = true))
      void entering.then(() => valve.goOn('room'))
    },
    // The first row may come with the head.
    ask: () => void (tooLong = tooLargeRow),
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
