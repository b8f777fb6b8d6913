// The ground of commands that work on the machine of a server: its configuration, which is the server's own, and its
// database, running or not.
import { join } from 'node:path'
import { Client } from 'pg'
import type { Config } from '../../base/config.ts'
import { readConfig } from '../../base/config.ts'
import { connectionsInAll } from '../../base/database/connections.ts'
import { migrationNames, presentMigrations } from '../../base/database/migrate.ts'
import { primaryTarget } from '../../base/database/primary.ts'
import { openLog } from '../../base/log.ts'
import { StartError } from '../../base/start-error.ts'
import { asAdmin, clusterMajor, findRunning } from '../../embedded/cluster.ts'
import { lockDataDirectory } from '../../embedded/lock.ts'
import { openEmbedded } from '../../embedded/open.ts'
import type { Context } from '../context.ts'

/** A reason of a host command to stop, as a sentence. */
export class HostError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'HostError'
  }
}

/** Refuses a database whose schema is of another version: commands that change something know their own only. */
export const refuseOutdated = async (databaseUrl: string): Promise<void> => {
  const client = new Client(primaryTarget(databaseUrl))
  client.on('error', () => {})
  await client.connect()
  try {
    const present = await presentMigrations(client)
    if (present.join() !== (await migrationNames()).join())
      throw new HostError('The database is of another version of Coppice: start the server of this version once.')
  } finally {
    await client.end().catch(() => {})
  }
}

export const hostConfig = ({ environment }: Context): Config => readConfig(environment)

export const quietLog = openLog('silent')

type Use = {
  /** Whether a database is made where there is none. */
  readonly mayMake?: boolean
}

/** Works on the database that the configuration names; an embedded one that is stopped runs meanwhile. */
export const withDatabase = async <T>(
  { err }: Context,
  config: Config,
  /** adminUrl: the same database as its superuser, of the embedded one. */
  work: (databaseUrl: string, adminUrl?: string) => Promise<T>,
  { mayMake = false }: Use = {},
): Promise<T> => {
  if (config.databaseUrl !== undefined) return work(config.databaseUrl)
  const { dataDir } = config
  const dir = join(dataDir, 'postgres')
  const running = mayMake ? undefined : await findRunning(dir)
  if (running) return work(running.url, asAdmin(running))
  if (!mayMake && (await clusterMajor(dir)) === undefined)
    throw new StartError(
      `There is no database in ${dir}: set DATA_DIR to the server's, or DATABASE_URL, or go to where it is started.`,
    )
  const lock = await lockDataDirectory(dataDir)
  try {
    const connections = connectionsInAll(config.databaseConnections, config.workers)
    const progress = (line: string) => void err(`${line}\n`)
    const cluster = await openEmbedded({ dataDir, connections, log: quietLog, progress })
    try {
      return await work(cluster.url, asAdmin(cluster))
    } finally {
      await cluster.stop()
    }
  } finally {
    await lock.release()
  }
}
