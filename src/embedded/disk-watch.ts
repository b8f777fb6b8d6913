// Nobody writes any more before the disk is full. PostgreSQL ends when its log finds no room, and does not start again
// until there is some, so that nothing could be read either; with its transactions read-only by default, reading goes on.
//
// Statements that sort on the disk are bounded one by one (temp_file_limit), and several can still take all of it: four
// scripts of one caller had 318 MB in seven seconds. Before that stops everybody's changes, the one that has most is ended.
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
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

export type Database = {
  /** Called at each change, and again after it has failed. */
  readonly setReadOnly: (isReadOnly: boolean) => Promise<void>
  /** Ends the statement of one of its processes, if it is one. */
  readonly cancel: (pid: number) => Promise<void>
}

/** `dir` is the database's place, with its data in `data`. */
export const watchDisk = (dir: string, { setReadOnly, cancel }: Database, log: Log): DiskWatch => {
  const ending = new AbortController()
  let isFull = false
  const check = async () => {
    const { bavail, blocks, bsize } = await statfs(dir)
    const [free, reserve] = [bavail * bsize, reserveOf(blocks * bsize)]
    const pid = await greediest(join(dir, 'data', 'base', 'pgsql_tmp'), Math.max(free - reserve, reserve / 2))
    if (pid !== undefined) {
      await cancel(pid)
      log.warn(
        { dir, pid },
        'temporary files leave too little room on the disk: the statement that has most of them is ended',
      )
    }
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

/** The process that has most temporary files, where all of them together are more than so many bytes. */
const greediest = async (place: string, mostBytes: number): Promise<number | undefined> => {
  const bytes = new Map<number, number>()
  // A directory of them is that of parallel processes, named by the first. There is none before the first file.
  for (const name of await readdir(place, { recursive: true }).catch(() => [])) {
    const pid = Number(/^pgsql_tmp(\d+)\./.exec(name)?.[1])
    const size = await stat(join(place, name)).then(
      (file) => file.size,
      () => 0,
    )
    bytes.set(pid, (bytes.get(pid) ?? 0) + size)
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  return total > mostBytes ? [...bytes].toSorted(([, one], [, other]) => other - one)[0]![0] : undefined
}
