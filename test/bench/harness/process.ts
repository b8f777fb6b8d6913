// The programs that a bench starts: each on a free port of the loopback, in a directory of its own, with its
// memory watched; all of them are stopped and their directories removed at the end, whatever happens.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Program = {
  readonly pid: number
  /** Its standard output so far. */
  readonly output: () => string
  /** The most memory it has had resident, in MB; undefined where /proc does not have it. */
  readonly peakMegabytes: () => Promise<number | undefined>
  /** Begins to watch for the most anew. */
  readonly forgetPeak: () => Promise<void>
  readonly stop: () => Promise<void>
}

const closers: (() => Promise<unknown>)[] = []

/** Things are stopped in the reverse order of their start. */
export const atEnd = (close: () => Promise<unknown>) => closers.push(close)

export const stopAll = async (): Promise<void> => {
  for (const close of closers.splice(0).toReversed()) await close().catch(() => {})
}

/** Not below a temporary directory in memory: the measurement includes the disk. */
export const temporaryDirectory = async (): Promise<string> => {
  const dir = await mkdtemp(join('/var/tmp', 'coppice-bench-'))
  // The database may run as another user than we do.
  await chmod(dir, 0o755)
  atEnd(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

export const isInstalled = async (command: string): Promise<boolean> => {
  const child = spawn('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

type StartOptions = { readonly env?: Readonly<Record<string, string>>; readonly log: string }

export const startProgram = (command: string, args: readonly string[], { env, log }: StartOptions): Program => {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(log)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (text.length < 100_000) text += chunk.toString()
    file.write(chunk)
  })
  child.stderr.pipe(file)
  child.on('error', (error) => file.write(`${error.message}\n`))
  const program: Program = {
    pid: child.pid ?? 0,
    output: () => text,
    peakMegabytes: () => peakMegabytes(child.pid ?? 0),
    forgetPeak: () => writeFile(`/proc/${child.pid ?? 0}/clear_refs`, '5').catch(() => {}),
    stop: () => stopChild(child),
  }
  atEnd(program.stop)
  return program
}

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

const peakMegabytes = async (pid: number): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
}

/** Tries until it gives something, for half a minute. */
export const waitFor = async <T>(what: string, attempt: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  const untilMs = Date.now() + 30_000
  while (Date.now() < untilMs) {
    const result = await Promise.resolve(attempt()).catch(() => undefined)
    if (result !== undefined) return result
    await pause(50)
  }
  throw new Error(`${what} does not answer`)
}
