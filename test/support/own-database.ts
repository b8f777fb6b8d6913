// A PostgreSQL that the test stops, starts and freezes as it likes, always at the same address, and standbys of it.
//
//   const database = await openOwnDatabase(join(directory, 'postgres'))          (it is not started yet)
//   await database.start()
//   const standby = await database.addStandby(join(directory, 'standby'))        (it is)
import type { ChildProcess } from 'node:child_process'
import { copyFile, mkdir, readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { migrate } from '../../src/base/database/migrate.ts'
import { openCluster } from '../../src/embedded/cluster.ts'
import { giveTo, ownerOf } from '../../src/embedded/place.ts'
import { clearLeftovers, hasEnded, serverState, startPostmaster, stopChild } from '../../src/embedded/postmaster.ts'
import { run } from '../../src/embedded/program.ts'
import type { Installation } from '../../src/embedded/provision.ts'
import { quietLog, testInstallation } from './database.ts'
import { freePort } from './free-port.ts'

export type OwnDatabase = {
  readonly url: string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
  /** All of its processes stop where they are; no connection is closed, and the kernel still takes new ones. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  /** As the superuser. */
  readonly ask: (text: string) => Promise<readonly Record<string, unknown>[]>
  /** A copy of it that follows it; `ask` it to pg_promote(). */
  readonly addStandby: (dir: string) => Promise<OwnDatabase>
}

export const openOwnDatabase = async (
  dir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<OwnDatabase> => {
  const installation = await testInstallation()
  const settings = { fsync: 'off', shared_buffers: '64MB', ...more }
  const cluster = await openCluster({ installation, dir, settings, log: quietLog })
  await migrate(cluster.url, quietLog)
  await cluster.stop()
  return ownServer(installation, dir, cluster.url, cluster.adminUrl)
}

const ownServer = (installation: Installation, dir: string, url: string, adminUrl: string): OwnDatabase => {
  const { binDir } = installation
  const dataDir = join(dir, 'data')
  const configFile = join(dir, 'postgresql.conf')
  let child: ChildProcess
  const start = async () => {
    await clearLeftovers(dataDir)
    const user = await ownerOf(dataDir)
    const port = Number(new URL(url).port)
    child = await startPostmaster({ binDir, dataDir, configFile, logFile: join(dir, 'log'), port, user })
    while ((await serverState(dataDir, child.pid!)) !== 'ready') {
      if (hasEnded(child)) throw new Error(`${dir} does not start`)
      await pause(10)
    }
  }
  const processes = async () => {
    const real = await realpath(dataDir)
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
    return pids.filter((_, n) => places[n] === real).map(Number)
  }
  /** Without their postmaster, its children end as soon as they notice. */
  const kill = async () => {
    child.kill('SIGKILL')
    while ((await processes()).length > 0) await pause(10)
  }
  const signal = (name: NodeJS.Signals) => async () => {
    // The postmaster first, so that it starts no more.
    process.kill(child.pid!, name)
    for (const pid of await processes())
      try {
        process.kill(pid, name)
      } catch {
        // It has ended since it was listed.
      }
  }
  const ask = async (text: string) => {
    const client = new Client(adminUrl)
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const addStandby = async (place: string) => {
    const user = await ownerOf(dataDir)
    await mkdir(place, { mode: 0o755 })
    await mkdir(join(place, 'data'), { mode: 0o700 })
    await giveTo(join(place, 'data'), user)
    const copy = ['-d', adminUrl, '-D', join(place, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await run(join(binDir, 'pg_basebackup'), copy, { user, bare: true })
    await copyFile(configFile, join(place, 'postgresql.conf'))
    const port = await freePort()
    const at = (address: string) => Object.assign(new URL(address), { port: String(port) }).href
    const standby = ownServer(installation, place, at(url), at(adminUrl))
    await standby.start()
    return standby
  }
  return {
    url,
    start,
    stop: () => stopChild(child),
    kill,
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    ask,
    addStandby,
  }
}
