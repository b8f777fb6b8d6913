// Directories of the tests, all below one of the whole run, which is removed at its end with all that still runs there:
// also when the run is killed, or stopped by Ctrl-C.
//
//   const directory = await newDirectory('slow')
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable by which the process of the run hands it to those that run the files for it. */
const variable = 'COPPICE_TEST_RUN'

let opened: Promise<string> | undefined
let close: (() => Promise<void>) | undefined

/** Of this process and of all that it starts. */
export const runDirectory = (): Promise<string> => (opened ??= openRun())

/** A new directory below that of the run, which the database's user may enter too. */
export const newDirectory = async (name: string): Promise<string> => {
  const directory = await mkdtemp(join(await runDirectory(), `${name}-`))
  await chmod(directory, 0o755)
  return directory
}

/** Ends what still runs, and removes all directories. Those that others opened are left to them. */
export const closeRun = async (): Promise<void> => {
  await opened
  await close?.()
}

const openRun = async (): Promise<string> => {
  const given = process.env[variable]
  if (given) return given
  // Root's database runs as another user, who may not be able to enter root's own temporary directory.
  const directory = await mkdtemp(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'coppice-test-'))
  await chmod(directory, 0o755)
  close = guard(directory)
  process.env[variable] = directory
  return directory
}

/**
 * A child that waits for the end of its input, which is ours. Then it ends the databases whose data is below the
 * directory, kills whatever was started with the directory in its environment, and removes the directory. So it
 * happens even when this process is killed. The returned function does it now.
 */
const guard = (directory: string) => {
  const script = `
    cat
    for process in /proc/[0-9]*; do
      case "$(readlink "$process/cwd")" in "$1"/*) kill -QUIT "\${process#/proc/}" ;; esac
    done
    for try in 1 2 3 4 5 6 7 8 9 10; do
      for process in /proc/[0-9]*; do
        grep -qF "$1" "$process/environ" && kill -KILL "\${process#/proc/}"
      done
      rm -rf "$1" && [ ! -e "$1" ] && exit
      sleep 0.5
    done`
  // In no environment, so that it does not find itself.
  const child = spawn('sh', ['-c', script, 'sh', directory], {
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  return async () => {
    child.ref()
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  }
}
