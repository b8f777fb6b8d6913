// Nobody writes any more before the disk is full. PostgreSQL ends when its log finds no room, and does not start again
// until there is some, so that nothing could be read either; with its transactions read-only by default, reading goes on.
//
// Statements that sort on the disk are bounded one by one (temp_file_limit), and several can still take all of it: four
// scripts of one caller had 318 MB in seven seconds. Before that stops everybody's changes, the one that has most is ended.
// A cursor has its files between statements, too, and those held beyond their transaction for as long as the connection:
// there is nothing to cancel, and it is the connection that ends.
//
// A transaction that was under way before changes were no longer taken may still write, and one took all that was to stay
// free. So while there is ever less, the connections of those that write for long are ended.
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../base/log.ts'

const mega = 1024 * 1024
/** Uploads at full speed write some tens of megabytes in this time. */
const checkEveryMs = 250
/** So many looks a cancelled statement has to give its files back. */
const patientLooks = 4

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
  /** Ends the statement or the connection of one of its processes; false: it is none, or none any more. */
  readonly end: (pid: number, what: 'statement' | 'connection') => Promise<boolean>
  /** Ends the connections of transactions that have written for long; gives their number. */
  readonly endChanges: () => Promise<number>
}

/** `dir` is the database's place, with its data in `data`. */
export const watchDisk = (dir: string, { setReadOnly, end, endChanges }: Database, log: Log): DiskWatch => {
  const ending = new AbortController()
  let isFull = false
  /** At the last look. */
  let freeBefore = 0
  /** The looks since a process was told to end, by its number; those whose connection was ended are passed over. */
  let told: ReadonlyMap<number, number> = new Map()
  const endGreediest = async (mostBytes: number) => {
    const bytes = await temporaryBytes(join(dir, 'data', 'base', 'pgsql_tmp'))
    const looks = new Map([...told].filter(([pid]) => bytes.has(pid)))
    told = looks
    if ([...bytes.values()].reduce((sum, size) => sum + size, 0) <= mostBytes) return
    const [pid] = [...bytes]
      .filter(([other]) => (looks.get(other) ?? 0) <= patientLooks)
      .toSorted(([, one], [, other]) => other - one)
      .map(([other]) => other)
    if (pid === undefined) return
    const since = looks.get(pid) ?? 0
    looks.set(pid, since + 1)
    if (since !== 0 && since !== patientLooks) return
    const what = since === 0 ? 'statement' : 'connection'
    if (await end(pid, what))
      log.warn(
        { dir, pid },
        `temporary files leave too little room on the disk: the ${what} that has most of them is ended`,
      )
  }
  const check = async () => {
    const { bavail, blocks, bsize } = await statfs(dir)
    const [free, reserve] = [bavail * bsize, reserveOf(blocks * bsize)]
    await endGreediest(Math.max(free - reserve, reserve / 2))
    // Back only with some room more, so that it does not change with every sample.
    const isNow = free < (isFull ? 1.5 : 1) * reserve
    const isMuchLess = free < freeBefore - mega
    freeBefore = free
    if (isNow === isFull) {
      if (isFull && isMuchLess && (await endChanges()) > 0)
        log.warn({ dir }, 'changes under way take the room that is left on the disk: their connections are ended')
      return
    }
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

/** The bytes of temporary files of each process. */
const temporaryBytes = async (place: string): Promise<ReadonlyMap<number, number>> => {
  const bytes = new Map<number, number>()
  // There is no directory before the first file, and any file or directory may go while it is looked at.
  for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
    const pid = Number(/^pgsql_tmp(\d+)\./.exec(entry.name)?.[1])
    if (Number.isNaN(pid)) continue
    const path = join(place, entry.name)
    // A directory is that of parallel processes, named by the first.
    const names = entry.isDirectory() ? await readdir(path).catch(() => []) : ['']
    for (const name of names) {
      const size = await stat(join(path, name)).then(
        (file) => file.size,
        () => 0,
      )
      bytes.set(pid, (bytes.get(pid) ?? 0) + size)
    }
  }
  return bytes
}
