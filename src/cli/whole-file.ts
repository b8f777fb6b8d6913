// Files that are written whole or not at all. A system that runs out of room takes fewer bytes than it is given and calls that
// success; only the next write says why. So each is repeated until everything is written.
import { write } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const writeSome = promisify(write)

export const writeAll = async (descriptor: number, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length;) at += (await writeSome(descriptor, bytes, at)).bytesWritten
}

export type WholeFileOptions = {
  /** The end of its name until it is whole. */
  readonly partial?: string
  readonly mode?: number
}

/** Under another name until it is whole and on the disk: a file of its name is always whole. */
export const writeWhole = async <Made>(
  path: string,
  make: (output: (bytes: Uint8Array) => Promise<void>) => Promise<Made>,
  { partial = '.part', mode = 0o666 }: WholeFileOptions = {},
): Promise<Made> => {
  const part = `${path}${partial}`
  await rm(part, { force: true })
  const file = await open(part, 'wx', mode)
  try {
    const made = await make((bytes) => writeAll(file.fd, bytes))
    await file.sync()
    await rename(part, path)
    return made
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
