// The connections that scripts run on: under a role that can read only the views of db/0028_gsql_stream.sql, in
// transactions that cannot write. A script's own transaction has its own limit (deadline.ts).
import type { Config } from '../../base/config.ts'
import { divideConnections } from '../../base/database/connections.ts'
import { openPool } from '../../base/database/pool.ts'
import { openShares } from '../../base/shares.ts'
import type { Shares } from '../../base/shares.ts'
import type { Pool } from '../../base/database/sql.ts'
import { sharedTimeoutMs } from './deadline.ts'
import { usualKb } from '../script.ts'

const leaveAfterMs = 10_000

/** A query has a connection of its own, and its caller a place: nobody waits behind the slow script of another. */
export type ScriptPool = { readonly sql: Pool; readonly places: Shares }

type Needed = Pick<Config, 'gsqlTimeoutMs' | 'databaseConnections'>

export const openScriptPool = (url: string, config: Needed, mayBeStandby = false): ScriptPool => {
  const connections = divideConnections(config.databaseConnections).scripts
  return {
    sql: openConnections(url, connections, config, mayBeStandby),
    places: openShares(connections - singleQueries),
  }
}

/** Cancelling a query takes a connection beside those of the scripts. */
const singleQueries = 1

const openConnections = (url: string, connections: number, { gsqlTimeoutMs }: Needed, mayBeStandby: boolean): Pool =>
  openPool(url, {
    connections,
    mayBeStandby,
    queries: singleQueries,
    name: 'coppice scripts',
    settings: {
      role: 'coppice_gsql',
      default_transaction_read_only: 'on',
      statement_timeout: String(sharedTimeoutMs(gsqlTimeoutMs)),
      // A transaction is idle while statistics are read elsewhere for its script, which take what is left of its time.
      idle_in_transaction_session_timeout: String(gsqlTimeoutMs + leaveAfterMs),
      // Scripts are planned without their values: a plan serves every later call, and no function is called by the
      // planner with a value that its row may never see.
      plan_cache_mode: 'force_generic_plan',
      // A large sort goes to disk; hashing is off, because it stays in memory. A script must not use up the server's
      // memory.
      work_mem: `${usualKb}kB`,
      hash_mem_multiplier: '1',
      enable_hashagg: 'off',
      enable_hashjoin: 'off',
      max_parallel_workers_per_gather: '0',
      jit: 'off',
    },
  })
