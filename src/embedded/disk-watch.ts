// Nobody writes any more before the disk is full. PostgreSQL ends when its log finds no room, and does not start again
// until there is some, so that nothing could be read either; with its transactions read-only by default, reading goes on.
import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../base/log.ts'

const mega = 1024 * 1024
/** Uploads at full speed write some tens of megabytes in this time. */
const checkEveryMs = 250

/** The bytes that stay free for the database's own needs: checkpoints, sorts, its log's next segments. */
export const reserveOf = (diskBytes: number): number => Math.max(48 * mega, Math.min(512 * mega, diskBytes * 0.05))

export type DiskWatch = {
  /** Whether the database takes no changes now. */
  readonly isFull: () => boolean
  readonly stop: () => Promise<void>
}

/** `setReadOnly` is called at each change, and again after it has failed. */
export const watchDisk = (dir: string, setReadOnly: (isReadOnly: boolean) => Promise<void>, log: Log): DiskWatch => {
  const ending = new AbortController()
  let isFull = false
  const check = async () => {
    const { bavail, blocks, bsize } = await statfs(dir)
    const [free, reserve] = [bavail * bsize, reserveOf(blocks * bsize)]
    // Back only with some room more, so that it does not change with every sample.
    const isNow = free < (isFull ? 1.5 : 1) * reserve
    if (isNow === isFull) return
    await setReadOnly(isNow)
    isFull = isNow
    const megabytes = `${Math.floor(free / mega)} MB free of the disk`
    if (isFull) log.error({ dir }, `${megabytes}: the database takes no changes until there is more room`)
    else log.info({ dir }, `${megabytes}: the database takes changes again`)
  }
  const running = (async () => {
    while (!ending.signal.aborted) {
      await check().catch((error: unknown) => log.error({ dir, err: error }, 'the disk cannot be watched'))
      await pause(checkEveryMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  return {
    isFull: () => isFull,
    stop: () => {
      ending.abort()
      return running
    },
  }
}
