// Runs other programs: apt, PostgreSQL's own, the small tools of the host. Arguments go as a list, never through a
// shell, and messages come in English on every host, because some are read here.
import { spawn } from 'node:child_process'

export type User = { readonly uid: number; readonly gid: number }

export type ProgramOptions = {
  /** Drops to this user first; only root can. */
  readonly user?: User | undefined
  /** The search path for programs, if not our own PATH. */
  readonly path?: string | undefined
  /** Runs with nothing of our own environment, such as PGDATA or PGTZ. */
  readonly bare?: boolean
  readonly input?: string
}

export class ProgramError extends Error {
  readonly program: string
  readonly output: string
  constructor(program: string, end: string, output: string) {
    super(`${program} ${end}: ${output.trim()}`)
    this.name = 'ProgramError'
    this.program = program
    this.output = output
  }
}

/** The command line that runs a program by `env`, which sets its environment. */
export const commandLine = (program: string, args: readonly string[], { path, bare }: ProgramOptions): string[] => [
  ...(bare ? ['-i', `PATH=${path ?? '/usr/local/bin:/usr/bin:/bin'}`] : path ? [`PATH=${path}`] : []),
  'LC_ALL=C',
  program,
  ...args,
]

/** Resolves with the program's standard output; any end but 0 is a ProgramError. */
export const run = (program: string, args: readonly string[], options: ProgramOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('/usr/bin/env', commandLine(program, args, options), { ...options.user, cwd: '/' })
    let output = ''
    let messages = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output)
      else reject(new ProgramError(program, signal ? `ended by ${signal}` : `failed (${code})`, messages || output))
    })
    // A program that ends early closes its input; its exit status is enough.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })

/** Whether the program ends with 0. */
export const succeeds = async (program: string, args: readonly string[], options: ProgramOptions = {}) => {
  try {
    await run(program, args, options)
    return true
  } catch (error) {
    if (error instanceof ProgramError) return false
    throw error
  }
}
