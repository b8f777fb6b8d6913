// Each connection is an open file of the process, and the system has a limit of them (`ulimit -n`). Where that is reached, a new connection is
// cut before anybody sees it, whoever it is of, and so is the way to the database: a stranger who opened connections and left them idle kept
// everybody out, and nothing was logged. So no more connections are taken than there are files.
import { readFileSync } from 'node:fs'

/** The most files that this process may have open; infinite where that is not known. */
export const mostOpenFiles = (read = () => readFileSync('/proc/self/limits', 'latin1')): number => {
  try {
    const found = /^Max open files +(\d+)/m.exec(read())?.[1]
    return found === undefined ? Number.POSITIVE_INFINITY : Number(found)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * For the program, its pipes and threads (164 with twelve connections to the database and the listeners of two ports, http/accept.ts), and
 * for as many connections as these take in one turn of the loop, which are closed at once.
 */
const filesBeside = 300

/** The part of all connections of clients for which there are files, 1 at most; some have files even where there are hardly any. */
export const partWithFiles = (clients: number, database: number, mostFiles = mostOpenFiles()): number =>
  Math.min(1, Math.max(filesLeft(0, database, mostFiles), mostFiles / 4) / clients)

/** The files that are left beside those of so many connections. */
export const filesLeft = (clients: number, database: number, mostFiles = mostOpenFiles()): number =>
  mostFiles - filesBeside - database - clients
