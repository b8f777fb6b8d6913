// HAProxy and nginx of Debian's packages, with the configurations that deploy/ and docs/ have. Where they cannot be had, the
// tests that need them are skipped by name.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { neededByNone } from '../../src/embedded/debian.ts'
import type { Selection } from '../../src/embedded/debian.ts'
import { commandLine } from '../../src/embedded/program.ts'
import { debianPrefix } from './debian.ts'
import { eventually } from './within.ts'

const selection: Selection = {
  packages: ['haproxy', 'nginx-light'],
  standIns: [...neededByNone, 'init-system-helpers', 'lsb-base', 'media-types', 'sysvinit-utils', 'iproute2'],
  programs: ['usr/sbin'],
  plugins: { dir: 'usr/sbin', names: /^$/ },
  needless: [],
}

let prefix: Promise<string | undefined> | undefined

/** Undefined, and a line that says why, where they cannot be had. */
export const proxyPrograms = (): Promise<string | undefined> =>
  (prefix ??= debianPrefix('proxies', selection).catch((error: unknown) => {
    process.stdout.write(`no HAProxy and nginx here, their tests are skipped: ${(error as Error).message}\n`)
    return undefined
  }))

/** Starts one of them, and waits until it answers at `url`; ends it by the function that it gives. */
export const startProxy = async (
  root: string,
  program: 'haproxy' | 'nginx',
  args: readonly string[],
  url: string,
): Promise<() => Promise<void>> => {
  const child = spawn('/usr/bin/env', commandLine(join(root, 'usr/sbin', program), args, {}))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close')
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${output}`)
    return (await fetch(url).catch(() => undefined))?.ok === true
  })
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}
