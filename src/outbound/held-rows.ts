// Rows that an import has fetched before, and that nobody has to read again. While the bytes of a result are those of the
// last run, block for block, they are kept in a file and away from the driver, which takes twenty times as long to make
// values of them as the server to send them. At the first block that differs the driver gets all of them. When all are the same,
// the reader decides: they are dropped, and the driver sees an empty result; or it gets them after all.
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Frames } from './row-frames.ts'
import { valveOf } from './valve.ts'

export type Holding = {
  /** The directory of the file. */
  readonly directory: string
  /** The blocks of the last run; undefined: nothing is held. */
  readonly blocks: Uint8Array | undefined
}

/** The bytes of a result without its tail: the hash of each block, one after another, and how many rows they are. */
export type Print = { readonly blocks: Uint8Array; readonly rows: number }

export type HeldRows = {
  /** Whether all rows are those of the last run; as soon as one is known not to be, the driver goes on. */
  readonly areSame: Promise<boolean>
  /** Resolves as soon as the first block is known to be the same, if it is. */
  readonly hasBegun: Promise<void>
  /** One of these, once, when they are the same: the driver gets the tail and no rows, nothing at all, or everything. */
  readonly drop: () => void
  readonly forget: () => void
  readonly release: () => void
  /** So many have come. */
  readonly rows: () => number
  /** Undefined where they are too many to be held. */
  readonly print: () => Print | undefined
}

const blockBytes = 256 * 1024
const hashBytes = 16
/** The most that is held of one result. */
export const mostHeldBytes = 256 * 1024 * 1024
const mostBlocks = mostHeldBytes / blockBytes
/** As much as a socket gives at once. */
const pieceBytes = 64 * 1024

/** The socket has a driver that listens to it, and the next bytes are the answer to its statement. */
export const holdRows = (socket: Socket, frames: Frames, { directory, blocks: known }: Holding): HeldRows => {
  const line = openLine(socket)
  const hashes = openHashes()
  const file = known === undefined ? undefined : openFile(directory)
  let state: 'holding' | 'held' | 'releasing' | 'passing' = file ? 'holding' : 'passing'
  let left: Buffer | undefined
  let isOver = false
  let isWhole = false
  let rows = 0
  let tail: Buffer[] = []
  let resolve: (areSame: boolean) => void = () => {}
  const areSame = new Promise<boolean>((done) => (resolve = done))
  let begin: () => void = () => {}
  const hasBegun = new Promise<void>((done) => (begin = done))
  if (!file) resolve(false)

  const release = () => {
    state = 'releasing'
    resolve(false)
    line.stop()
    void (async () => {
      for (const piece of file!.pieces()) await line.feed(piece)
      while (tail.length > 0) await line.feed(tail.shift()!)
      state = 'passing'
      file!.close()
      line.goOn()
    })()
  }
  const pass = (bytes: Buffer) => {
    if (state === 'passing') line.give(bytes)
    else tail.push(bytes)
  }
  const take = (chunk: Buffer) => {
    if (isOver) return pass(chunk)
    const bytes = left ? Buffer.concat([left, chunk]) : chunk
    const found = frames(bytes)
    left = found.left > 0 ? bytes.subarray(bytes.length - found.left) : undefined
    ;({ isOver, isWhole } = found)
    rows += found.count
    // The head has the types of the columns.
    hashes.add(bytes.subarray(0, found.to))
    if (found.from > 0) line.give(bytes.subarray(0, found.from))
    const these = bytes.subarray(found.from, found.to)
    const isKept = state === 'holding' && file!.add(these)
    if (!isKept && these.length > 0) pass(these)
    if (isOver) pass(bytes.subarray(found.to))
    if (state !== 'holding') return
    if (!isKept || !hashes.begin(known!) || file!.bytes() > mostHeldBytes) return release()
    if (hashes.count() > 1) begin()
    if (!isOver) return
    if (!isWhole || !hashes.are(known!)) return release()
    state = 'held'
    // Nothing more is taken until the reader has decided: all of it would be in memory.
    line.stop()
    resolve(true)
  }
  line.onBytes(take)
  socket.once('close', () => resolve(false))
  const forget = () => {
    state = 'passing'
    tail = []
    file!.close()
  }
  return {
    areSame,
    hasBegun,
    release,
    forget,
    drop: () => {
      const last = tail
      forget()
      for (const piece of last) line.give(piece)
      line.goOn()
    },
    rows: () => rows,
    print: () => (isWhole && hashes.count() <= mostBlocks ? { blocks: hashes.all(), rows } : undefined),
  }
}

/** Hashes of blocks, however the bytes are cut: of the last, too, which is shorter. */
const openHashes = () => {
  const whole: Buffer[] = []
  let hash = createHash('sha256')
  let filled = 0
  let checked = 0
  const digest = () => hash.copy().digest().subarray(0, hashBytes)
  const all = () => Buffer.concat(filled > 0 ? [...whole, digest()] : whole)
  return {
    add: (bytes: Buffer) => {
      for (let at = 0; at < bytes.length;) {
        const piece = bytes.subarray(at, at + blockBytes - filled)
        hash.update(piece)
        filled += piece.length
        at += piece.length
        if (filled < blockBytes) continue
        whole.push(hash.digest().subarray(0, hashBytes))
        hash = createHash('sha256')
        filled = 0
      }
    },
    count: () => whole.length + 1,
    /** Whether the blocks that are whole are the first of those. */
    begin: (known: Uint8Array): boolean => {
      for (; checked < whole.length; checked += 1) {
        const at = checked * hashBytes
        if (!whole[checked]!.equals(known.subarray(at, at + hashBytes))) return false
      }
      return true
    },
    are: (known: Uint8Array): boolean => all().equals(known),
    all,
  }
}

/** Without a name from the first moment on: nothing stays when the thread or the server ends. */
const openFile = (directory: string) => {
  let file: number | undefined
  try {
    const path = join(directory, `coppice-${randomUUID()}`)
    file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  } catch {
    // No place for files: the rows go to the driver as they come.
    if (file !== undefined) closeSync(file)
    return undefined
  }
  let bytes = 0
  return {
    /** False: the disk is full. */
    add: (piece: Buffer): boolean => {
      try {
        for (let at = 0; at < piece.length;) at += writeSync(file!, piece, at, piece.length - at, bytes + at)
        bytes += piece.length
        return true
      } catch {
        return false
      }
    },
    bytes: () => bytes,
    pieces: function* () {
      for (let at = 0; at < bytes;) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at))
        const count = readSync(file!, piece, 0, piece.length, at)
        at += count
        yield piece.subarray(0, count)
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** Between a socket and its driver, which stops and starts it as if nobody were in between. */
const openLine = (socket: Socket) => {
  const listeners = socket.listeners('data')
  socket.removeAllListeners('data')
  const valve = valveOf(socket)
  const give = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(socket, bytes)
  }
  return {
    give,
    /** Gives the bytes, and waits until the driver takes more. */
    feed: async (bytes: Buffer): Promise<void> => {
      give(bytes)
      await valve.whenOpenBut('held')
    },
    onBytes: (take: (bytes: Buffer) => void) => socket.on('data', take),
    stop: () => valve.stop('held'),
    goOn: () => valve.goOn('held'),
  }
}
