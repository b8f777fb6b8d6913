// The bytes of a body as they come, in about twice their memory at most: neither a length that was only declared nor
// thousands of single bytes cost more.
import { free } from '../free.ts'

export type HeldBytes = {
  readonly add: (chunk: Buffer) => void
  /** Gives all bytes in one piece; nothing is held then. */
  readonly join: () => Buffer
  /** Lets go of all bytes. */
  readonly drop: () => void
}

const mostBlockBytes = 65_536
const leastBlockBytes = 512
/**
 * A body has its whole memory when half of it has come. Memory that is not written to costs nothing only when it is new:
 * malloc gives memory of bodies before, which is there. With an eighth, the bodies that wait for their turn took 60-100 MB
 * under overload that nobody had counted.
 */
const ahead = 2
const muchBytes = 1024 * 1024

/** The body will have `declared` bytes, or a number that is not known (0); it never has more than mostBytes. */
export const openHeldBytes = (declared: number, mostBytes: number): HeldBytes => {
  let parts: Buffer[] = []
  /** The last of the parts, and its used length. */
  let block: Buffer | undefined
  let used = 0
  let size = 0
  /** A large body is put together as it comes: joining its parts in the end would take its size once more. */
  let whole: Buffer | undefined

  const closeBlock = () => {
    if (block && used > 0) parts.push(block.subarray(0, used))
    block = undefined
    used = 0
  }
  const gather = (bytes: number): void => {
    closeBlock()
    const gathered = Buffer.allocUnsafe(bytes)
    let at = 0
    for (const part of whole ? [whole.subarray(0, size)] : parts) at += part.copy(gathered, at)
    drop()
    whole = gathered
  }
  const drop = (): void => {
    closeBlock()
    for (const part of whole ? [whole] : parts) free(part)
    parts = []
    whole = undefined
  }
  /** 0: not yet. */
  const wholeBytes = (reached: number): number => {
    if (declared > 0) return reached * ahead >= declared ? declared : 0
    return reached > muchBytes ? Math.max(reached, Math.min(mostBytes, reached * ahead)) : 0
  }
  /**
   * Small chunks have memory of their own, a hundred times their size. Large ones are copied, too, so that their memory and
   * that of the blocks can be given back at once.
   */
  const addToBlock = (chunk: Buffer) => {
    if (block === undefined || used + chunk.length > block.length) {
      closeBlock()
      // The first chunk is most often the only one.
      const bytes = size === 0 ? chunk.length : Math.max(chunk.length, Math.min(size, mostBlockBytes), leastBlockBytes)
      block = Buffer.allocUnsafe(bytes)
    }
    used += chunk.copy(block, used)
  }
  return {
    add: (chunk) => {
      const reached = size + chunk.length
      if (reached > (whole?.length ?? 0)) {
        const bytes = wholeBytes(reached)
        if (bytes > 0) gather(bytes)
      }
      if (whole) chunk.copy(whole, size)
      else addToBlock(chunk)
      size = reached
    },
    join: () => {
      closeBlock()
      if (whole === undefined && parts.length > 1) gather(size)
      const joined = whole?.subarray(0, size) ?? parts[0] ?? Buffer.alloc(0)
      whole = undefined
      parts = []
      return joined
    },
    drop,
  }
}
