// mosquitto's own clients, of Debian's packages. Where they cannot be had, the tests that need them are skipped by name.
//
//   const clients = await openMosquitto()
//   const { code, output } = await clients('mosquitto_pub', ['-p', port, '-t', 'Boiler/temp', '-m', '21.5'])
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { neededByNone } from '../../src/embedded/debian.ts'
import type { Selection } from '../../src/embedded/debian.ts'
import { commandLine } from '../../src/embedded/program.ts'
import { debianPrefix } from './debian.ts'

const selection: Selection = {
  packages: ['mosquitto-clients'],
  standIns: neededByNone,
  programs: ['usr/bin'],
  plugins: { dir: 'usr/bin', names: /^$/ },
  needless: [],
}

export type Clients = (
  program: 'mosquitto_pub' | 'mosquitto_sub',
  args: readonly string[],
  input?: string,
) => Promise<{ readonly code: number | null; readonly output: string }>

let prefix: Promise<string | undefined> | undefined

/** Undefined, and a line that says why, where they cannot be had. */
export const openMosquitto = async (): Promise<Clients | undefined> => {
  prefix ??= debianPrefix('mosquitto', selection).catch((error: unknown) => {
    process.stdout.write(`no clients of mosquitto here, their tests are skipped: ${(error as Error).message}\n`)
    return undefined
  })
  const root = await prefix
  if (root === undefined) return undefined
  return (program, args, input = '') =>
    new Promise((resolve, reject) => {
      const child = spawn('/usr/bin/env', commandLine(join(root, 'usr/bin', program), args, {}))
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text))
      child.once('error', reject).once('close', (code) => resolve({ code, output }))
      child.stdin.on('error', () => {}).end(input)
    })
}
