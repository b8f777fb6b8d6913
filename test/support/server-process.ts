// A server as users start it, in a process of its own, that can be killed and measured.
//
//   const server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
//   await fetch(`${server.url}/healthz`)
//   await server.end('SIGKILL')
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { inThreads } from '../../src/base/thread.ts'
import { runDirectory } from './directory.ts'
import { within } from './within.ts'

export type ServerProcess = {
  readonly url: string
  readonly pid: number
  readonly isRunning: () => boolean
  /** The processes of its WORKERS. */
  readonly workers: () => Promise<readonly number[]>
  /** Its log so far. */
  readonly lines: readonly string[]
  /** Fails when one of its processes, those of WORKERS too, ever had more memory resident than it may. */
  readonly assertMemory: () => Promise<void>
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

const megabyte = 1024 * 1024
/** Each process of a server keeps below this whatever the load. */
const mostMemory = 400 * megabyte

export const serverApiKey = 'key-of-a-server-process'

/** Built as `npm start` does, for what translates the source on the way takes memory of its own. */
let build: Promise<void> | undefined

/** dist is what the source makes. */
export const waitForBuild = (): Promise<void> => (build ??= buildOnce())

/** Once for all tests of a run: others, in other processes, start servers from what the first has built, or `npm test`. */
const buildOnce = async () => {
  if (inThreads(new URL('../../src/main.ts', import.meta.url)).pathname.endsWith('.js')) return
  const place = join(await runDirectory(), 'build')
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  )
  if (isFirst)
    await promisify(execFile)('npm', ['run', '--silent', 'build']).then(
      () => mkdir(join(place, 'done')),
      async (error: unknown) => {
        await mkdir(join(place, 'failed'))
        throw error
      },
    )
  else
    await within(100_000, async () => {
      const [end] = await readdir(place)
      assert.notEqual(end, 'failed', 'the build failed')
      return end === 'done'
    })
}

/** As docs/operations.md#memory-of-a-server has them. */
export const startVariables = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '2097152' }

/** In an environment of its own, with what `npm start` adds to it; its stderr is shown. */
export const spawnServer = async (
  environment: Readonly<Record<string, string>>,
): Promise<ChildProcessByStdio<null, Readable, null>> => {
  await waitForBuild()
  return spawn(process.execPath, ['dist/main.js'], {
    env: { PATH: process.env['PATH'], ...startVariables, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** RATE_LIMITS are off and PORT is free; given variables come on top. */
export const startServer = async (environment: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const child = await spawnServer({
    PORT: '0',
    RATE_LIMITS: 'off',
    FEED_API_KEY: serverApiKey,
    ORG_TIME_ZONE: 'UTC',
    ...environment,
  })
  const lines: string[] = []
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const found = /listening on (http:[^"\s]+)/.exec(line)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => resolve(''))
  })
  assert.notEqual(url, '', `the server did not start: ${lines.join('\n')}`)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const workers = async () => {
    const children = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim().split(' ')
    // One of them holds the lock of DATA_DIR.
    const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return children.filter((_, n) => commands[n]!.includes('main.js')).map(Number)
  }
  return {
    url,
    pid: child.pid!,
    isRunning,
    workers,
    lines,
    assertMemory: async () => {
      for (const pid of [child.pid!, ...(await workers())]) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8')
        const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024
        assert.ok(
          peak < mostMemory,
          `${pid === child.pid ? 'the first process' : 'a worker'}: ${Math.round(peak / megabyte)} MB`,
        )
      }
    },
    end: async (signal) => {
      if (!isRunning()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
