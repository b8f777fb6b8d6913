// Finds PostgreSQL with TimescaleDB on this host, or fetches Debian's into a private prefix
// (docs/operations.md#running-it). A prefix is made beside its place and moved there when it is whole, so a prefix that
// is there can be trusted.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { leastPostgres, leastTimescaledb } from '../base/database/migrate.ts'
import { StartError } from '../base/start-error.ts'
import { bytesBelow, debianBin, debianShare, extensionVersion, NoDebian, unpackDebian } from './debian.ts'
import { takeLock } from './lock.ts'
import { run } from './program.ts'

export type Installation = {
  readonly binDir: string
  /** The version of PostgreSQL, such as 17.11. */
  readonly version: string
  readonly major: number
  /** The version of TimescaleDB, such as 2.19.3. */
  readonly timescaledb: string
  readonly origin: 'host' | 'prefix'
}

export type ProvisionOptions = {
  readonly prefix: string
  readonly progress: (line: string) => void
  /**
   * The major version that made the existing data; an installation on the host that cannot read them is passed over.
   */
  readonly major?: number | undefined
  /** The search path for programs, if not our own PATH. */
  readonly path?: string
  readonly zoneDir?: string
}

const neededBytes = 400e6

export const provision = async (options: ProvisionOptions): Promise<Installation> => {
  const prefix = resolve(options.prefix)
  const onHost = await findOnHost(options)
  if (onHost) return onHost
  await requireZones(options)
  return (await readPrefix(prefix)) ?? (await fillPrefix({ ...options, prefix }))
}

/** Debian's PostgreSQL reads time zones from the host. Without them it starts, and every zone name fails later. */
const requireZones = async ({ zoneDir = '/usr/share/zoneinfo' }: ProvisionOptions) => {
  if (!(await exists(join(zoneDir, 'America/New_York'))))
    throw new StartError(`The database needs the time zones in ${zoneDir}: install the package tzdata.`)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** pg_config on the PATH, and the places where distributions keep it; the newest PostgreSQL wins. */
const findOnHost = async (options: ProvisionOptions): Promise<Installation | undefined> => {
  const { major, path } = options
  const places = path === undefined ? ['/usr/lib/postgresql', '/usr'] : []
  const found = await Promise.all(
    places.map(async (place) =>
      (await readdir(place).catch(() => []))
        .filter((name) => /^(pgsql-)?\d+$/.test(name))
        .map((name) => join(place, name, 'bin/pg_config')),
    ),
  )
  const installations = await Promise.all(['pg_config', ...found.flat()].map((program) => ask(program, options)))
  return installations
    .filter((installation) => installation !== undefined)
    .filter((installation) => major === undefined || installation.major === major)
    .toSorted((a, b) => b.major - a.major)[0]
}

const ask = async (pgConfig: string, options: ProvisionOptions): Promise<Installation | undefined> => {
  const answer = await run(pgConfig, ['--bindir', '--sharedir', '--version'], { path: options.path }).catch(() => '')
  const [binDir, shareDir, version = ''] = answer.split('\n')
  if (!binDir || !shareDir) return undefined
  const timescaledb = await extensionVersion(shareDir)
  const programs = await Promise.all(['postgres', 'initdb'].map((name) => exists(join(binDir, name))))
  const number = /\d+(\.\d+)?/.exec(version)?.[0] ?? '0'
  const installation = { binDir, version: number, major: Number.parseInt(number, 10), origin: 'host' } as const
  if (!timescaledb || programs.includes(false)) return undefined
  if (installation.major < leastPostgres || isOlder(timescaledb, leastTimescaledb)) return undefined
  if (!(await exists(join(shareDir, 'timezone')))) await requireZones(options)
  return { ...installation, timescaledb }
}

/** Whether the version a, such as 2.9.1, comes before b. */
export const isOlder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true }) < 0

const stamp = 'installation.json'

/** Undefined when there is no prefix, or one whose programs do not run. */
const readPrefix = async (prefix: string): Promise<Installation | undefined> => {
  try {
    const { version, timescaledb } = JSON.parse(await readFile(join(prefix, stamp), 'utf8')) as Installation
    const installation = await describe(prefix)
    return installation.version === version && installation.timescaledb === timescaledb ? installation : undefined
  } catch {
    return undefined
  }
}

const describe = async (prefix: string): Promise<Installation> => {
  const binDir = join(prefix, debianBin)
  const answer = await run(join(binDir, 'postgres'), ['--version'], { bare: true })
  const version = /(?<!\d)\d+\.\d+/.exec(answer)?.[0] ?? ''
  const timescaledb = (await extensionVersion(join(prefix, debianShare))) ?? ''
  return { binDir, version, major: Number.parseInt(version, 10), timescaledb, origin: 'prefix' }
}

const fillPrefix = async ({ prefix, progress, path }: ProvisionOptions): Promise<Installation> => {
  const lock = await lockPrefix(prefix, progress)
  try {
    const made = await readPrefix(prefix)
    if (made) return made
    progress(`no PostgreSQL with TimescaleDB on this host: fetching Debian's into ${prefix}, once`)
    return await makePrefix(prefix, progress, path)
  } catch (error) {
    if (error instanceof NoDebian) throw noDatabase(error.message)
    throw error
  } finally {
    await lock.release()
  }
}

const lockPrefix = async (prefix: string, progress: (line: string) => void) => {
  const path = `${prefix}.lock`
  const cannot = (error: unknown) =>
    new StartError(`Nothing can be written to ${dirname(prefix)}: ${(error as Error).message}.`, error)
  try {
    const lock = await takeLock(path, 0)
    if (lock) return lock
    progress(`another process is filling ${prefix}: waiting for it`)
    for (;;) {
      const next = await takeLock(path, 60_000)
      if (next) return next
    }
  } catch (error) {
    throw cannot(error)
  }
}

const makePrefix = async (prefix: string, progress: (line: string) => void, path: string | undefined) => {
  const sinceMs = Date.now()
  const parent = dirname(prefix)
  const beginning = `${basename(prefix)}.work-`
  for (const name of await readdir(parent))
    if (name.startsWith(beginning)) await rm(join(parent, name), { recursive: true, force: true })
  await requireSpace(parent)
  const workDir = await mkdtemp(join(parent, beginning))
  try {
    const rootDir = join(workDir, 'root')
    await mkdir(rootDir)
    await unpackDebian({ workDir, rootDir, progress, path })
    const installation = await describe(rootDir)
    await writeFile(join(rootDir, stamp), `${JSON.stringify(installation)}\n`)
    // Everybody may read and run it, whatever our umask; and it must be on the disk before its name is.
    await run('chmod', ['-R', 'u+rwX,go+rX,go-w', rootDir])
    await run('sync', ['-f', rootDir])
    await rm(prefix, { recursive: true, force: true })
    await rename(rootDir, prefix)
    const seconds = ((Date.now() - sinceMs) / 1000).toFixed(0)
    const megabytes = ((await bytesBelow(prefix)) / 1e6).toFixed(0)
    progress(
      `PostgreSQL ${installation.version} with TimescaleDB ${installation.timescaledb}: ${megabytes} MB, ${seconds} s`,
    )
    return await describe(prefix)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

const requireSpace = async (dir: string) => {
  const { bavail, bsize } = await statfs(dir)
  if (bavail * bsize >= neededBytes) return
  const free = ((bavail * bsize) / 1e6).toFixed(0)
  throw new StartError(
    `Fetching PostgreSQL needs ${neededBytes / 1e6} MB in ${dir}, and ${free} MB are free: make room.`,
  )
}

const noDatabase = (reason: string) =>
  new StartError(
    `There is no PostgreSQL ${leastPostgres} or newer with TimescaleDB on this host, and it cannot be fetched: ${reason}. ` +
      'Either run `docker compose up`, which brings a database along, or set ' +
      'DATABASE_URL=postgres://user:password@host:5432/database to a server that has TimescaleDB.',
  )
