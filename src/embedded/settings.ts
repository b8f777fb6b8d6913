// The settings of the embedded PostgreSQL, from what the machine has. They are written into a file of ours at every
// start; `alter system` goes into PostgreSQL's own, which is read last, so what a user sets there wins.
import { availableParallelism, totalmem } from 'node:os'

export type Settings = Readonly<Record<string, string>>

export type Machine = { readonly memoryBytes: number; readonly cores: number }

/** A container's limit counts, not the memory of the machine below it. */
export const thisMachine = (): Machine => {
  const limit = process.constrainedMemory()
  const memory = totalmem()
  return { memoryBytes: limit > 0 ? Math.min(limit, memory) : memory, cores: availableParallelism() }
}

const mega = 1024 * 1024

export const settingsFor = ({ memoryBytes, cores }: Machine): Settings => {
  const share = (part: number, least: number, most: number) =>
    `${Math.max(least, Math.min(most, Math.floor((memoryBytes * part) / mega)))}MB`
  return {
    shared_preload_libraries: 'timescaledb',
    'timescaledb.telemetry_level': 'off',
    'timescaledb.max_background_workers': '8',
    max_worker_processes: String(16 + cores),
    max_connections: '100',
    // A query over a hypertable locks every chunk it may touch.
    max_locks_per_transaction: '256',
    shared_buffers: share(0.25, 128, 2048),
    effective_cache_size: share(0.6, 256, 1024 * 1024),
    maintenance_work_mem: share(0.05, 64, 512),
    work_mem: '16MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    wal_compression: 'lz4',
    synchronous_commit: 'on',
    random_page_cost: '1.1',
    jit: 'off',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    // Errors of a statement reach the caller and need no second record; what the server itself has to say is kept.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    password_encryption: 'scram-sha-256',
  }
}

export const settingsText = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
