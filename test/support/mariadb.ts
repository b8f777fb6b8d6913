// A MariaDB for tests of imports, made of Debian's packages like the embedded database: nothing is installed on the host
// and no root is needed. Where it cannot be had, the tests that need it are skipped by name.
//
//   before(async function () { server = (await openMariadb()) ?? skipWithout(this, 'a MariaDB') })
//   after(() => server.stop())
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import type { Selection } from '../../src/embedded/debian.ts'
import { neededByNone } from '../../src/embedded/debian.ts'
import { databaseUser, giveTo } from '../../src/embedded/place.ts'
import { commandLine, run } from '../../src/embedded/program.ts'
import { debianPrefix } from './debian.ts'

const selection: Selection = {
  packages: ['mariadb-server-core'],
  standIns: [...neededByNone, 'mariadb-common', 'mysql-common'],
  programs: ['usr/sbin', 'usr/bin'],
  plugins: { dir: 'usr/bin', names: /^$/ },
  needless: [],
}

export type Mariadb = {
  /** mysql://root:...@127.0.0.1:port/plant */
  readonly url: string
  readonly version: string
  /** As root, one statement after another. */
  readonly run: (...statements: readonly string[]) => Promise<void>
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

let prefix: Promise<string | undefined> | undefined

/** Where the programs are; undefined, and a line that says why, where they cannot be had. */
const mariadbPrefix = (): Promise<string | undefined> => {
  prefix ??= debianPrefix('mariadb', selection).catch((error: unknown) => {
    process.stdout.write(`no MariaDB here, its tests are skipped: ${(error as Error).message}\n`)
    return undefined
  })
  return prefix
}

const password = "pass'word,✓"

/** A server of its own, with a database plant; TLS by the certificate beside this file. */
export const openMariadb = async (): Promise<Mariadb | undefined> => {
  const root = await mariadbPrefix()
  if (root === undefined) return undefined
  const user = await databaseUser()
  const dir = await mkdtemp('/tmp/coppice-mariadb-')
  await chmod(dir, 0o755)
  const [dataDir, runDir] = [join(dir, 'data'), join(dir, 'run')]
  for (const made of [dataDir, runDir]) {
    await mkdir(made)
    await giveTo(made, user)
  }
  const tls = ['certificate', 'key'].map((name) => join(runDir, `${name}.pem`))
  for (const [index, name] of ['certificate', 'key'].entries()) {
    await copyFile(fileURLToPath(new URL(`tls-${name}.pem`, import.meta.url)), tls[index]!)
    await giveTo(tls[index]!, user)
  }
  const server = join(root, 'usr/sbin/mariadbd')
  const common = [
    '--no-defaults',
    `--datadir=${dataDir}`,
    // A server that starts removes the temporary tables of all who share a directory.
    `--tmpdir=${runDir}`,
    `--lc-messages-dir=${join(root, 'usr/share/mariadb')}`,
  ]
  await run(server, [...common, '--bootstrap', '--innodb-log-file-size=8M'], {
    user,
    bare: true,
    input: await bootstrapScript(root),
  })
  const port = await freePort()
  const args = [
    ...common,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${join(runDir, 'socket')}`,
    `--pid-file=${join(runDir, 'pid')}`,
    `--log-error=${join(dir, 'run', 'log')}`,
    '--skip-name-resolve',
    '--max-allowed-packet=256M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-buffer-pool-size=64M',
    '--character-set-server=utf8mb4',
    '--default-time-zone=+00:00',
    `--ssl-cert=${tls[0]!}`,
    `--ssl-key=${tls[1]!}`,
    // By which clients' certificates are verified.
    `--ssl-ca=${tls[0]!}`,
  ]
  const url = `mysql://root:${encodeURIComponent(password)}@127.0.0.1:${port}/plant`
  const connect = () => createConnection({ host: '127.0.0.1', port, user: 'root', password, database: 'mysql' })
  let child: ChildProcess
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const start = async () => {
    const bare = { user, bare: true } as const
    child = spawn('/usr/bin/env', commandLine(server, args, bare), { ...user, cwd: '/', stdio: 'ignore' })
    for (let tries = 0; ; tries += 1) {
      try {
        const connection = await connect()
        await connection.end()
        return
      } catch (error) {
        if (tries < 300 && child.exitCode === null) await pause(100)
        else throw new Error(`MariaDB does not start: ${await readFile(join(runDir, 'log'), 'utf8')}`, { cause: error })
      }
    }
  }
  await start()
  const run1 = async (...statements: readonly string[]) => {
    const connection = await createConnection({ uri: url, multipleStatements: false })
    try {
      for (const statement of statements) await connection.query(statement)
    } finally {
      await connection.end()
    }
  }
  const first = await connect()
  await first.query('create database plant')
  const [rows] = await first.query('select version() as version')
  await first.end()
  return {
    url,
    version: (rows as { version: string }[])[0]!.version,
    run: run1,
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The input that mariadb-install-db would feed it: the system tables, and a root with a password. */
const bootstrapScript = async (root: string): Promise<string> => {
  const share = join(root, 'usr/share/mariadb')
  const texts = await Promise.all(
    ['mariadb_system_tables.sql', 'mariadb_performance_tables.sql', 'mariadb_system_tables_data.sql'].map((name) =>
      readFile(join(share, name), 'utf8').catch(() => readFile(join(share, name.replace('mariadb', 'mysql')), 'utf8')),
    ),
  )
  return [
    'create database if not exists mysql;\nuse mysql;\n',
    'set @auth_root_socket=NULL;\nset @skip_auth_anonymous=1;\n',
    ...texts,
    `\nflush privileges;\nalter user 'root'@'localhost' identified by '${password.replaceAll("'", "''")}';\n`,
    `create or replace user 'root'@'127.0.0.1' identified by '${password.replaceAll("'", "''")}';\n`,
    "grant all on *.* to 'root'@'127.0.0.1' with grant option;\nflush privileges;\n",
  ].join('')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
