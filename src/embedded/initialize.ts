// Makes a new cluster: the data directory, the password, and in it the role and the database coppice.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../base/start-error.ts'
import { complaint } from './complaint.ts'
import { databaseUser, giveTo, namedUser } from './place.ts'
import { ProgramError, run } from './program.ts'
import type { Installation } from './provision.ts'

type Initialize = {
  readonly installation: Installation
  /** The directory that gets `data` and `password`. */
  readonly place: string
  /** Whether the files must be on the disk when it is done. */
  readonly durable: boolean
}

/**
 * Everything is made in a directory whose renaming is the last step: a broken-off attempt is begun anew. Its name is
 * new each time, because an initdb may outlive the process that was killed and go on writing.
 */
export const initialize = async ({ installation, place, durable }: Initialize): Promise<void> => {
  const dataDir = join(place, 'data')
  const present = await readdir(dataDir).catch(() => [])
  if (present.length > 0)
    throw new StartError(`${dataDir} is not empty and holds no database: move it away, or use another DATA_DIR.`)
  try {
    await removeBroken(place)
    const newDir = await mkdtemp(join(place, beginning))
    await fill(newDir, await makePassword(place), installation, durable)
    await rm(dataDir, { recursive: true, force: true })
    await rename(newDir, dataDir)
  } catch (error) {
    await removeBroken(place).catch(() => {})
    throw complaint(error instanceof ProgramError ? error.output : (error as Error).message, place, error)
  }
}

const beginning = 'data.new-'

const removeBroken = async (place: string) => {
  for (const name of await readdir(place))
    if (name.startsWith(beginning)) await rm(join(place, name), { recursive: true, force: true })
}

const fill = async (dir: string, password: string, { binDir, major }: Installation, durable: boolean) => {
  const user = await namedUser()
  await giveTo(dir, user)
  const program = { user, bare: true } as const
  const locale =
    major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin']
  const args = ['-D', dir, '-E', 'UTF8', ...locale, ...access, '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  // Our end of a child's input is a socket, which cannot be opened by the name /dev/stdin; a pipe can.
  await run('sh', ['-c', 'cat | "$@"', 'sh', join(binDir, 'initdb'), ...args], { ...program, input: `${password}\n` })
  await run(join(binDir, 'postgres'), ['--single', '-D', dir, '-c', 'exit_on_error=true', 'postgres'], {
    ...program,
    input: `create role coppice login createrole password '${password}'\ncreate database coppice owner coppice\n`,
  })
  const owner = await databaseUser()
  if (owner) await run('chown', ['-R', '-h', `${owner.uid}:${owner.gid}`, dir])
}

const makePassword = async (place: string) => {
  const path = join(place, 'password')
  const password = randomBytes(24).toString('base64url')
  await rm(path, { force: true })
  await writeFile(path, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return password
}

export const readPassword = async (place: string): Promise<string> => {
  try {
    return (await readFile(join(place, 'password'), 'utf8')).trim()
  } catch (error) {
    throw new StartError(
      `The embedded database does not open without its password: ${(error as Error).message}.`,
      error,
    )
  }
}
