// The embedded database from nothing: the programs found or fetched, the data made or opened, the server running.
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../base/log.ts'
import { clusterMajor, openCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'
import { choosePrefix } from './place.ts'
import { provision } from './provision.ts'

export type EmbeddedOptions = {
  /** DATA_DIR, whose lock (lock.ts) the caller holds. */
  readonly dataDir: string
  /** The connections that the server may open together with its workers. */
  readonly connections: number
  /** Undefined: a free one. */
  readonly port?: number | undefined
  readonly log: Log
  /** Gets a line for each event: a download, its size, its time. */
  readonly progress: (line: string) => void
}

// The same two steps up from src/embedded and from dist/embedded.
const projectDir = fileURLToPath(new URL('../..', import.meta.url))

export const openEmbedded = async ({
  dataDir,
  connections,
  port,
  log,
  progress,
}: EmbeddedOptions): Promise<Cluster> => {
  const dir = join(dataDir, 'postgres')
  const prefix = await choosePrefix(projectDir)
  const installation = await provision({ prefix, progress, major: await clusterMajor(dir) })
  const cluster = await openCluster({ installation, dir, connections, port, log })
  if ((await lstat(dir)).isSymbolicLink()) progress(`${dir} leads to ${await realpath(dir)}, where the data are`)
  return cluster
}
