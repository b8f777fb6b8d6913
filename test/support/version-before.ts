// The version before this one: the last commit whose migrations are the first of today's, built below the directory of the
// run. It needs the history, which only a clone has, and today's packages.
//
//   const before = (await buildVersionBefore()) ?? skipWithout(this, 'the history of the repository')
//   await cluster.runWith({ COPPICE: before.program }, 'start', 'server', '1')
import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDirectory } from './directory.ts'
import { root } from './tree.ts'

export type VersionBefore = {
  readonly commit: string
  /** The program of a server. */
  readonly program: string
  /** The migrations of this version that it has not, without their ending. */
  readonly migrations: readonly string[]
  /** Whether its servers say at /readyz that they leave (src/base/http/leave.ts). */
  readonly tellsProxies: boolean
}

const git = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', root, ...words], { maxBuffer: 1e8 })).stdout

/** The files of a commit below a path, each with the hash of its contents. */
const filesAt = async (commit: string, ...paths: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const lines = (await git('ls-tree', commit, ...paths)).split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [, , hash, name] = line.split(/\s+/)
      return [name!, hash!]
    }),
  )
}

const migrationsAt = async (commit: string) =>
  new Map([...(await filesAt(commit, 'db/'))].filter(([name]) => name.endsWith('.sql')))

const findCommit = async (): Promise<Pick<VersionBefore, 'commit' | 'migrations'> | undefined> => {
  const today = await migrationsAt('HEAD')
  const packages = (await filesAt('HEAD', 'package-lock.json')).get('package-lock.json')
  const changes = (await git('rev-list', 'HEAD', '--', 'db')).split('\n').filter((line) => line !== '')
  for (const change of changes) {
    // The last one before the change, and not the change before it, behind which others may follow.
    const commit = (await git('rev-parse', `${change}^`)).trim()
    if ((await filesAt(commit, 'package-lock.json')).get('package-lock.json') !== packages) return undefined
    const theirs = await migrationsAt(commit)
    const missing = [...today.keys()].filter((name) => !theirs.has(name))
    const isFirst = [...theirs].every(([name, hash]) => today.get(name) === hash && name < (missing[0] ?? ''))
    if (isFirst && missing.length > 0)
      return { commit, migrations: missing.map((name) => name.replace(/^db\/(.*)\.sql$/, '$1')) }
  }
  return undefined
}

/** Undefined where there is no history, or none that these packages can build. */
export const buildVersionBefore = async (): Promise<VersionBefore | undefined> => {
  const found = await findCommit().catch(() => undefined)
  if (found === undefined) return undefined
  const directory = await newDirectory('version-before')
  const archive = join(directory, 'source.tar')
  await git('archive', '--output', archive, found.commit)
  await promisify(execFile)('tar', ['-x', '-f', archive, '-C', directory])
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: directory })
  const leave = await readFile(join(directory, 'src/base/http/leave.ts'), 'utf8')
  return { ...found, program: join(directory, 'dist/main.js'), tellsProxies: leave.includes('tellProxies') }
}
