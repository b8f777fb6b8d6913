// The user that runs the database, and where its files can lie. PostgreSQL refuses root, so as root it runs as another
// user, who must be able to reach the programs and the data: not below a home directory that only root may enter.
// Places outside the project are below directories that only root can write, so nobody can prepare them for us.
import { constants } from 'node:fs'
import { access, chmod, chown, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { StartError } from '../base/start-error.ts'
import { succeeds } from './program.ts'
import type { User } from './program.ts'

const rootCache = '/var/cache/coppice'
const rootData = '/var/lib/coppice'

const isRoot = () => process.getuid?.() === 0

/**
 * A number that belongs to nobody, in a range that neither Debian nor systemd hands out: its processes can be touched
 * by no other program of the host, unlike those of nobody. It needs no name, and so nothing is added to the host.
 */
const ownNumber = 60_930

/** Undefined: we are not root, and the database runs as ourselves. */
export const databaseUser = async (): Promise<User | undefined> => {
  if (!isRoot()) return undefined
  const own = { uid: ownNumber, gid: ownNumber }
  const isTaken = (await userLines()).some((line) => line.split(':')[2] === String(ownNumber))
  // In a container that maps few numbers, nobody can become this one.
  return !isTaken && (await canRun(own)) ? own : namedUser()
}

/** The user to make a cluster with: initdb, unlike the server, wants its user to have a name. */
export const namedUser = async (): Promise<User | undefined> => {
  if (!isRoot()) return undefined
  const line = (await userLines()).find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new StartError('PostgreSQL refuses to run as root, and this host has no user nobody: start as another user.')
  return { uid: Number(uid), gid: Number(gid) }
}

const userLines = async () => (await readFile('/etc/passwd', 'utf8')).split('\n')

const canRun = (user: User) => succeeds('true', [], { user }).catch(() => false)

/** The user's own rights are asked, not computed: parents, access lists and mount options all have a say. */
const canEnter = (dir: string, user: User | undefined) => succeeds('test', ['-x', dir], { user })

/** Makes the directories that are missing, for everybody to enter, whatever our umask. */
export const makeDirectory = async (dir: string): Promise<void> => {
  const first = await mkdir(dir, { recursive: true })
  if (first === undefined) return
  for (let made = dir; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755)
}

/** The place of the programs: in the project, where `npm start` and `npm test` share them, if that can be used. */
export const choosePrefix = async (projectDir: string): Promise<string> => {
  const user = await databaseUser()
  const own = join(resolve(projectDir), '.cache')
  const other = user ? rootCache : join(homedir(), '.cache', 'coppice')
  for (const dir of [own, other]) if (hasPlainName(dir) && (await isUsable(dir, user))) return join(dir, 'postgres')
  throw new StartError(
    `PostgreSQL's programs can be kept neither in ${own} nor in ${other}: make one of them writable.`,
  )
}

const isUsable = async (dir: string, user: User | undefined) => {
  try {
    await makeDirectory(dir)
    await access(dir, constants.W_OK)
    return await canEnter(dir, user)
  } catch {
    return false
  }
}

/** The names travel through search paths, generated scripts and apt's configuration, which know no quoting of some characters. */
const hasPlainName = (path: string) => !/["'`$\\:;,\s%*?[\]{}]/.test(path)

/**
 * The directory that stands for dir: dir itself, or the one that the link dir leads to. The link is made when
 * the database's user cannot go where dir lies; it keeps dir the one name by which the data are known.
 */
export const dataPlace = async (dir: string): Promise<string> => {
  const wanted = resolve(dir)
  await makeDirectory(dirname(wanted))
  const found = await lstat(wanted).catch(() => undefined)
  if (found) return realpath(wanted)
  const user = await databaseUser()
  if (!user || (await canEnter(dirname(wanted), user))) {
    await makeDirectory(wanted)
    return wanted
  }
  await makeDirectory(rootData)
  const place = await mkdtemp(join(rootData, 'postgres-'))
  await chmod(place, 0o755)
  await symlink(place, wanted).catch(async (error: unknown) => {
    await rm(place, { recursive: true })
    throw error
  })
  return place
}

/** The user to run a data directory with: its owner, when that is somebody else and we are root. */
export const ownerOf = async (dataDir: string): Promise<User | undefined> => {
  const { uid, gid } = await stat(dataDir)
  return isRoot() ? { uid, gid } : undefined
}

/** Data that another user's database made, root's for example, cannot even be looked at. */
export const refuseOthers = async (dataDir: string): Promise<void> => {
  const { uid } = await stat(dataDir).catch(() => ({ uid: process.getuid?.() }))
  if (!isRoot() && uid !== process.getuid?.())
    throw new StartError(`${dataDir} belongs to another user (number ${uid}): start as that user, or as root.`)
}

export const giveTo = async (path: string, user: User | undefined) => {
  if (user) await chown(path, user.uid, user.gid)
}
