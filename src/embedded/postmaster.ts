// The server process of a data directory: started as a child, found again after its parent was killed, stopped. A
// process belongs to a data directory when that is its working directory, as PostgreSQL makes it for all of its
// processes. A process number alone proves nothing: it may by now be another program's, or a dead one's that nobody
// reaped.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { open, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setAsideLog } from './log-file.ts'
import { commandLine } from './program.ts'
import type { User } from './program.ts'

const pollMs = 20
/** A fast shutdown writes everything out. Past this an immediate one leaves the rest to the log's replay at the next start. */
const fastStopMs = 3500
const immediateStopMs = 1200
/**
 * Memory that one process of the server may have beside what they share. A statement that wants more fails, and nothing else:
 * PostgreSQL has no such limit of its own, and a script of 200 functions of a text of 15 MB took 2.8 GB in a second. Above
 * maintenance_work_mem (settings.ts).
 */
export const mostProcessBytes = 512 * 1024 * 1024

type Start = {
  readonly binDir: string
  readonly dataDir: string
  readonly configFile: string
  readonly logFile: string
  readonly port: number
  readonly user: User | undefined
}

/** In a session of its own: we handle Ctrl-C, and let the calls under way end before we stop the database. */
export const startPostmaster = async ({
  binDir,
  dataDir,
  configFile,
  logFile,
  port,
  user,
}: Start): Promise<ChildProcess> => {
  await setAsideLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    // Root may have made the log, and another user start the server next time.
    const { uid, gid } = await stat(dirname(logFile))
    if (process.getuid?.() === 0) await log.chown(uid, gid)
    const server = [join(binDir, 'postgres'), '-D', dataDir, '-c', `config_file=${configFile}`, '-p', String(port)]
    const child = spawn(
      '/usr/bin/env',
      commandLine('prlimit', [`--data=${mostProcessBytes}`, ...server], { bare: true }),
      {
        ...user,
        detached: true,
        cwd: '/',
        stdio: ['ignore', log.fd, log.fd],
      },
    )
    child.on('error', () => {})
    endWithUs(child)
    return child
  } finally {
    await log.close()
  }
}

/** A process that exits without a stop, as by Ctrl-C during the start, leaves no server behind. */
const endWithUs = (child: ChildProcess) => {
  const end = () => void child.kill('SIGINT')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

export type ServerState = 'starting' | 'ready' | 'stopping'

/** The state that the server itself writes into its lock file. */
export const serverState = async (dataDir: string, pid: number): Promise<ServerState | undefined> => {
  const lines = await lockFile(dataDir)
  const state = lines[7]?.trim()
  if (Number(lines[0]) !== pid) return undefined
  return state === 'starting' || state === 'ready' || state === 'stopping' ? state : undefined
}

/** The port of the server that runs on this data directory, whoever started it; undefined where none is ready. */
export const runningPort = async (dataDir: string): Promise<number | undefined> => {
  const lines = await lockFile(dataDir)
  const pid = Number(lines[0])
  const isReady = pid > 0 && (await serverState(dataDir, pid)) === 'ready' && (await isIn(dataDir, pid))
  return isReady ? Number(lines[3]) : undefined
}

const lockFile = async (dataDir: string) => (await readFile(lockPath(dataDir), 'utf8').catch(() => '')).split('\n')
const lockPath = (dataDir: string) => join(dataDir, 'postmaster.pid')

/**
 * Stops processes that a killed server left running on this data directory, and removes a lock file that nobody holds.
 * Returns the kind of leftovers found. The caller holds the lock on DATA_DIR, so no other server of ours can be the
 * owner.
 */
export const clearLeftovers = async (dataDir: string): Promise<'nothing' | 'a server' | 'a lock file'> => {
  const pid = Number((await lockFile(dataDir))[0])
  const alive = await processesIn(dataDir)
  if (alive.includes(pid)) await stop(pid, async () => !(await isIn(dataDir, pid)))
  // Without their postmaster, backends end when they next wait for something; a busy one may take long.
  for (const orphan of await processesIn(dataDir)) signal(orphan, 'SIGQUIT')
  await waitUntil(async () => (await processesIn(dataDir)).length === 0, immediateStopMs)
  const left = (await lockFile(dataDir)).length > 1
  if (left) await rm(lockPath(dataDir), { force: true })
  if (alive.includes(pid)) return 'a server'
  return left ? 'a lock file' : 'nothing'
}

/** Resolves within five seconds in every case. Everything acknowledged is in its log by then. */
export const stopChild = async (child: ChildProcess): Promise<void> => {
  if (!hasEnded(child)) await stop(child.pid!, () => Promise.resolve(hasEnded(child)))
}

export const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null

const stop = async (pid: number, ended: () => Promise<boolean>) => {
  signal(pid, 'SIGINT')
  if (await waitUntil(ended, fastStopMs)) return
  signal(pid, 'SIGQUIT')
  await waitUntil(ended, immediateStopMs)
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

const waitUntil = async (isTrue: () => Promise<boolean>, mostMs: number) => {
  const lastMs = Date.now() + mostMs
  while (!(await isTrue())) {
    if (Date.now() > lastMs) return false
    await pause(pollMs)
  }
  return true
}

const processesIn = async (dataDir: string): Promise<number[]> => {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const ours = await Promise.all(numbers.map((pid) => isIn(dataDir, pid)))
  return numbers.filter((_, index) => ours[index])
}

const isIn = async (dataDir: string, pid: number): Promise<boolean> => {
  // A dead process that nobody reaped has no working directory any more.
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (directory === undefined || directory !== (await realpath(dataDir).catch(() => dataDir))) return false
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  // Somebody may have gone there with a shell.
  return /(^|\/|\0)postgres(:|\0|\.real\0)/.test(command)
}
