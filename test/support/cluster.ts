// deploy/cluster as users start it, with programs of Debian's packages that are unpacked beside the embedded database:
// nothing is installed on the host. Where they cannot be had, the tests that need it are skipped by name.
//
//   before(async function () { cluster = (await openTestCluster()) ?? skipWithout(this, 'Patroni, etcd and HAProxy') })
//   after(() => cluster.close())
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { Selection } from '../../src/embedded/debian.ts'
import { neededByNone } from '../../src/embedded/debian.ts'
import { testInstallation } from './database.ts'
import { debianPrefix } from './debian.ts'
import { newDirectory } from './directory.ts'
import { waitForBuild, serverApiKey } from './server-process.ts'

const selection: Selection = {
  packages: ['patroni', 'python3', 'python3-etcd', 'python3-psycopg2', 'etcd-server', 'haproxy'],
  standIns: [...neededByNone, 'init-system-helpers', 'lsb-base', 'media-types', 'sysvinit-utils'],
  programs: ['usr/bin', 'usr/sbin'],
  plugins: { dir: 'usr/bin', names: /^$/ },
  needless: [],
}

export type TestCluster = {
  /** Of HAProxy. */
  readonly url: string
  readonly serverUrl: (n: number) => string
  /** Patroni's word for the role of a node: primary, replica; undefined while it does not answer. */
  readonly roleOf: (node: number) => Promise<string | undefined>
  /** The words of cluster.sh after its directory: `stop server 1`. */
  readonly run: (...words: readonly string[]) => Promise<void>
  /** The same with variables of its own: COPPICE='...' starts a server of another version. */
  readonly runWith: (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => Promise<void>
  /** The process of a part, such as server1; undefined where it has ended. */
  readonly pidOf: (name: string) => Promise<number | undefined>
  /** Asks the database of a node, whichever its role is. */
  readonly ask: (node: number, text: string) => Promise<readonly Record<string, unknown>[]>
  readonly logOf: (name: string) => Promise<string>
  readonly close: () => Promise<void>
}

const clusterPrefix = (): Promise<string | undefined> =>
  debianPrefix('cluster', selection).catch((error: unknown) => {
    process.stdout.write(`no Patroni here, its tests are skipped: ${(error as Error).message}\n`)
    return undefined
  })

const script = fileURLToPath(new URL('../../deploy/cluster/cluster.sh', import.meta.url))

/** `environment` is that of the servers. */
export const openTestCluster = async (
  environment: Readonly<Record<string, string>> = {},
): Promise<TestCluster | undefined> => {
  const prefix = await clusterPrefix()
  if (prefix === undefined) return undefined
  await waitForBuild()
  const { binDir } = await testInstallation()
  const directory = await newDirectory('cluster')
  const basePort = await freeBase()
  const python = [
    'env',
    `PYTHONHOME=${join(prefix, 'usr')}`,
    `PYTHONPATH=${join(prefix, 'usr/lib/python3/dist-packages')}`,
    'PYTHONDONTWRITEBYTECODE=1',
    join(prefix, 'usr/bin/python3.13'),
  ].join(' ')
  const env = {
    PATH: process.env['PATH'],
    // By which what is left over is found at the end of the run (directory.ts).
    COPPICE_TEST_RUN: process.env['COPPICE_TEST_RUN'],
    BASE_PORT: String(basePort),
    PG_BIN: binDir,
    PATRONI: `${python} -m patroni`,
    ETCD: join(prefix, 'usr/bin/etcd'),
    HAPROXY: join(prefix, 'usr/sbin/haproxy'),
    NODE: process.execPath,
    RUN_AS: 'nobody',
    FEED_API_KEY: serverApiKey,
    ORG_TIME_ZONE: 'UTC',
    ...environment,
  }
  const runWith: TestCluster['runWith'] = async (more, ...words) => {
    await promisify(execFile)('sh', [script, directory, ...words], { env: { ...env, ...more } })
  }
  const run = (...words: readonly string[]) => runWith({}, ...words)
  const cluster: TestCluster = {
    url: `http://127.0.0.1:${basePort}`,
    serverUrl: (n) => `http://127.0.0.1:${basePort + n}`,
    roleOf: async (node) => {
      const reply = await fetch(`http://127.0.0.1:${basePort + 200 + node}/patroni`).catch(() => undefined)
      const state = (await reply?.json().catch(() => undefined)) as { role: string; state: string } | undefined
      return state?.state === 'running' || state?.state === 'streaming' ? state.role : undefined
    },
    run,
    runWith,
    pidOf: async (name) => {
      const pid = (await readFile(join(directory, `${name}.pid`), 'utf8')).trim()
      const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      return variables.includes(`CLUSTER_PART=${directory}/${name}`) ? Number(pid) : undefined
    },
    ask: async (node, text) => {
      const password = await readFile(join(directory, 'secret-coppice'), 'utf8')
      const client = new Client({
        host: '127.0.0.1',
        port: basePort + 100 + node,
        user: 'coppice',
        password,
        database: 'coppice',
      })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    },
    logOf: (name) => readFile(join(directory, `${name}.log`), 'utf8').catch(() => ''),
    close: () => run('down'),
  }
  try {
    await run('up')
  } catch (error) {
    await run('down').catch(() => {})
    throw error
  }
  return cluster
}

/** The first of 300 ports of which those that are used soon are free. */
const freeBase = async (): Promise<number> => {
  for (;;) {
    const base = randomInt(20_000, 31_000)
    const wanted = [0, 1, 2, 3, 4, 50, 51, 101, 102, 103, 104, 201, 202, 203, 204]
    const free = await Promise.all(wanted.map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
