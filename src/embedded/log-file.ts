// The log of the database, kept short: one before it is kept. A statement that wants more memory than allowed leaves 15 kB in
// it, and whoever sends one may send thousands.
import { copyFile, rename, stat, truncate } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

export const mostLogBytes = 10_000_000
const lookEveryMs = 2000

const isLong = async (logFile: string): Promise<boolean> => {
  const found = await stat(logFile).catch(() => undefined)
  return found !== undefined && found.size > mostLogBytes
}

/** Before a start. */
export const setAsideLog = async (logFile: string): Promise<void> => {
  if (await isLong(logFile)) await rename(logFile, `${logFile}.1`)
}

/** While the server has the file open, to which it appends. */
export const keepLogShort = (logFile: string): { readonly stop: () => Promise<void> } => {
  const ending = new AbortController()
  const running = (async () => {
    while (!ending.signal.aborted) {
      // Where it cannot be done now, it is tried again.
      if (await isLong(logFile)) await cut(logFile).catch(() => {})
      await pause(lookEveryMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  })()
  return {
    stop: () => {
      ending.abort()
      return running
    },
  }
}

const cut = async (logFile: string): Promise<void> => {
  await copyFile(logFile, `${logFile}.1`)
  await truncate(logFile)
}
