// A lock on a directory or another path that ends with its holder, however that dies. Node cannot lock files,
// so a small child does: `flock` holds the file for as long as its standard input, a pipe from us, is open.
// The kernel closes our end when we are killed, even while nobody has reaped us.
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../base/start-error.ts'
import { makeDirectory } from './place.ts'

export type Lock = { readonly release: () => Promise<void> }

/** The exit status of flock -n when another process has the lock. */
const lockedStatus = 1
const retryMs = 100

/** Locks DATA_DIR, making it if needed, and refuses when another process has it. */
export const lockDataDirectory = async (dir: string): Promise<Lock> => {
  const path = join(resolve(dir), 'coppice.lock')
  try {
    await makeDirectory(resolve(dir))
    // A server killed a moment ago keeps its lock until the kernel has closed its files.
    const lock = await takeLock(path, 2000)
    if (!lock) throw new StartError(`${resolve(dir)} is in use by another Coppice (process ${await holder(path)}).`)
    // For the sentence above only; the file may belong to another user, who ran it before.
    await writeFile(path, `${process.pid}\n`).catch(() => {})
    return lock
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${resolve(dir)} cannot be used: ${(error as Error).message}.`, error)
  }
}

/** Undefined when somebody else has held the lock for all of waitMs. */
export const takeLock = async (path: string, waitMs: number): Promise<Lock | undefined> => {
  await makeDirectory(dirname(path))
  const lastMs = Date.now() + waitMs
  for (;;) {
    const child = await tryLock(path)
    if (child) return hold(path, child)
    if (Date.now() >= lastMs) return undefined
    await pause(retryMs)
  }
}

type Holder = ChildProcessByStdio<Socket, Socket, Socket>

const hold = (path: string, first: Holder): Lock => {
  let child: Holder | undefined = first
  // Somebody may end the child without meaning us: take the lock again before another process can miss it.
  const retake = async () => {
    const next = child && (await tryLock(path))
    if (next) keep(next)
  }
  const keep = (next: Holder) => {
    child = next
    next.once('close', () => void retake().catch(() => {}))
  }
  keep(first)
  const release = async () => {
    const last = child
    child = undefined
    if (!last || last.exitCode !== null || last.signalCode !== null) return
    last.ref()
    const ended = once(last, 'close')
    last.stdin.end()
    await ended
  }
  return { release }
}

const tryLock = async (path: string): Promise<Holder | undefined> => {
  // In a session of its own, because Ctrl-C in a terminal ends the whole foreground group.
  const child = spawn('flock', ['-n', path, 'sh', '-c', 'echo locked; exec cat'], {
    detached: true,
    cwd: '/',
    stdio: 'pipe',
  }) as unknown as Holder
  let messages = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text))
  child.stdin.on('error', () => {})
  const ended = once(child, 'close') as Promise<[number | null]>
  const locked = once(child.stdout, 'data').then(() => undefined)
  const end = await Promise.race([ended, locked])
  if (end?.[0] === lockedStatus) return undefined
  if (end) throw new Error(`cannot lock ${path}: ${messages.trim()}`)
  // Held for as long as we live, but no reason to live on.
  child.unref()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.unref()
  return child
}

const holder = async (path: string) => {
  try {
    return (await readFile(path, 'utf8')).trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}
