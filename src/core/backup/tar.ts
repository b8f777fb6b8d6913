// Tar, as much of it as a backup needs: plain files with short names, in order, each small enough to be held in memory.
// Any tar program lists and unpacks them, so a backup can be looked into without us.
import { BackupError } from './backup-error.ts'

const blockBytes = 512
/** An entry that claims to be larger is not ours: pieces have 4 MiB before they are compressed. */
const mostEntryBytes = 64 * 2 ** 20

export type Entry = { readonly name: string; readonly body: Buffer }

/** The bytes of one entry: its head, its body, and the rest of the last block. */
export const tarEntry = ({ name, body }: Entry, timeMs: number): Buffer => {
  const rest = (blockBytes - (body.length % blockBytes)) % blockBytes
  return Buffer.concat([head(name, body.length, timeMs), body, Buffer.alloc(rest)])
}

/** Two empty blocks end an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

const head = (name: string, size: number, timeMs: number): Buffer => {
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0, 100, 'latin1')
  block.write(octal(0o600, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(Math.floor(timeMs / 1000), 11), 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${octal(sumOf(block), 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')

/** The sum of a head's bytes, with spaces where the sum itself stands. */
const sumOf = (block: Buffer): number => {
  let sum = 8 * 32
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += block[at]!
  return sum
}

/** The entries of an archive; one that ends too early, or is no archive at all, is refused. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = takerOf(chunks)
  for (;;) {
    const block = await source(blockBytes)
    if (block.every((byte) => byte === 0)) return
    const { name, size } = readHead(block)
    const body = await source(size)
    await source((blockBytes - (size % blockBytes)) % blockBytes)
    yield { name, body }
  }
}

const readHead = (block: Buffer): { readonly name: string; readonly size: number } => {
  const text = (from: number, until: number) => block.toString('latin1', from, until).replace(/[\0 ].*$/s, '')
  const isOurs = block.toString('latin1', 257, 262) === 'ustar' && Number.parseInt(text(148, 156), 8) === sumOf(block)
  const size = Number.parseInt(text(124, 136), 8)
  if (!isOurs || !(size >= 0 && size <= mostEntryBytes)) throw damaged('it has a part that is no entry of an archive')
  return { name: text(0, 100), size }
}

export const damaged = (reason: string) => new BackupError(`This is no whole backup of Coppice: ${reason}.`)

/** Gives a function that takes the next so many bytes. */
const takerOf = (chunks: AsyncIterable<Buffer>): ((bytes: number) => Promise<Buffer>) => {
  const iterator = chunks[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let heldBytes = 0
  return async (bytes) => {
    while (heldBytes < bytes) {
      const next = await iterator.next()
      if (next.done) throw damaged('it ends in the middle')
      held.push(next.value)
      heldBytes += next.value.length
    }
    const all = held.length === 1 ? held[0]! : Buffer.concat(held)
    held = [all.subarray(bytes)]
    heldBytes -= bytes
    return all.subarray(0, bytes)
  }
}
