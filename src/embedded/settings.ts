// The settings of the embedded PostgreSQL, from the machine's memory and disk. They are written into a file of ours at
// every start; `alter system` goes into PostgreSQL's own, which is read last, so a user's setting there wins.
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'

export type Settings = Readonly<Record<string, string>>

export type Machine = { readonly memoryBytes: number; readonly diskBytes: number; readonly cores: number }

/** The machine as a database in dir sees it. A container's limit counts, not the memory of the machine below it. */
export const thisMachine = async (dir: string): Promise<Machine> => {
  const limit = process.constrainedMemory()
  const memory = totalmem()
  const { blocks, bsize } = await statfs(dir)
  return {
    memoryBytes: limit > 0 ? Math.min(limit, memory) : memory,
    diskBytes: blocks * bsize,
    cores: availableParallelism(),
  }
}

const mega = 1024 * 1024

/** A part of so many bytes, within bounds in megabytes. */
const share = (bytes: number, part: number, least: number, most: number) =>
  `${Math.max(least, Math.min(most, Math.floor((bytes * part) / mega)))}MB`

/** Beside those of servers there are those of people, of copies and of TimescaleDB's own jobs. */
const otherConnections = 30
const leastConnections = 100

/** `connections` are those that the servers on this database may open together. */
export const settingsFor = ({ memoryBytes, diskBytes, cores }: Machine, connections = 0): Settings => ({
  shared_preload_libraries: 'timescaledb',
  'timescaledb.telemetry_level': 'off',
  'timescaledb.max_background_workers': '8',
  max_worker_processes: String(16 + cores),
  max_connections: String(Math.max(leastConnections, connections + otherConnections)),
  // A query over a hypertable locks every chunk it may touch.
  max_locks_per_transaction: '256',
  shared_buffers: share(memoryBytes, 0.25, 128, 2048),
  effective_cache_size: share(memoryBytes, 0.6, 256, 1024 * 1024),
  maintenance_work_mem: share(memoryBytes, 0.05, 64, 256),
  work_mem: '16MB',
  // A query's sorts go to disk; one that never ends must not fill it.
  temp_file_limit: share(diskBytes, 0.1, 1024, 8192),
  // Parallel queries share memory in /dev/shm, which is small in containers, and which systemd clears when an ordinary
  // user logs out; memory set aside here is not needed there.
  min_dynamic_shared_memory: '64MB',
  max_wal_size: share(diskBytes, 0.1, 512, 4096),
  checkpoint_timeout: '15min',
  wal_compression: 'lz4',
  synchronous_commit: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // Errors of a statement reach the caller and need no second record; the server's own messages are kept.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  password_encryption: 'scram-sha-256',
})

export const settingsText = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
