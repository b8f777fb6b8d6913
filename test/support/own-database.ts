// A PostgreSQL that the test stops, starts and freezes as it likes, always at the same address. It is not started yet.
//
//   const database = await openOwnDatabase(join(directory, 'postgres'))
//   await database.start()
import type { ChildProcess } from 'node:child_process'
import { readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../src/base/database/migrate.ts'
import { openCluster } from '../../src/embedded/cluster.ts'
import { ownerOf } from '../../src/embedded/place.ts'
import { clearLeftovers, serverState, startPostmaster, stopChild } from '../../src/embedded/postmaster.ts'
import { quietLog, testInstallation } from './database.ts'

export type OwnDatabase = {
  readonly url: string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
  /** All of its processes stop where they are; no connection is closed, and the kernel still takes new ones. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
}

export const openOwnDatabase = async (dir: string): Promise<OwnDatabase> => {
  const installation = await testInstallation()
  const settings = { fsync: 'off', shared_buffers: '64MB' }
  const cluster = await openCluster({ installation, dir, settings, log: quietLog })
  await migrate(cluster.url, quietLog)
  await cluster.stop()
  const dataDir = join(dir, 'data')
  let child: ChildProcess
  const start = async () => {
    await clearLeftovers(dataDir)
    child = await startPostmaster({
      binDir: installation.binDir,
      dataDir,
      configFile: join(dir, 'postgresql.conf'),
      logFile: join(dir, 'log'),
      port: Number(new URL(cluster.url).port),
      user: await ownerOf(dataDir),
    })
    while ((await serverState(dataDir, child.pid!)) !== 'ready') await pause(10)
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
  return {
    url: cluster.url,
    start,
    stop: () => stopChild(child),
    kill,
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
  }
}
