// Shared parts of runs and trials of imports: connections of their own, compiled scripts, memory, and the way to the
// external database.
import { divideConnections } from '../base/database/connections.ts'
import { openPool } from '../base/database/pool.ts'
import type { Pool } from '../base/database/sql.ts'
import { notFound } from '../base/errors.ts'
import type { Secrets } from '../base/secret.ts'
import { openShares } from '../base/shares.ts'
import type { Holders } from '../base/shares.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { findConnection } from '../core/connection.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import type { Compiler } from '../gsql/compiler.ts'
import { dropTables, encodingOf } from '../gsql/ingest/imported.ts'
import { openMemory, openScriptMemory } from '../gsql/memory.ts'
import type { ScriptMemory } from '../gsql/memory.ts'
import type { ScriptContext } from '../gsql/run/script-context.ts'
import type { CompiledScript } from '../gsql/script.ts'
import { openScriptCache } from '../gsql/script-cache.ts'
import type { ScriptCache } from '../gsql/script-cache.ts'
import type { Value } from '../gsql/value.ts'
import { targetOf } from '../outbound/connection-target.ts'
import { fetchEncoded, fetchRows } from '../outbound/fetch.ts'
import type { Comparison, EncodedRows, ExternalRows, FetchOptions } from '../outbound/fetch.ts'
import { watchDisk } from './disk.ts'
import type { DiskWatch } from './disk.ts'

export type Workbench = {
  readonly world: World
  readonly ingestion: Ingestion
  /** A run keeps its rows in tables of one of these. */
  readonly pool: Pool
  readonly compile: ScriptCache['compile']
  readonly openMemory: (holders: Holders) => ScriptMemory
  /** Bounds the tables of a connection, which are there already, until it is closed. */
  readonly watchDisk: (own: Pool, holders: Holders, end: (reason: Error) => void) => Promise<DiskWatch>
  readonly fetch: (
    caller: Pick<Caller, 'organizationKey'>,
    connectionUid: string,
    sql: string,
    options: FetchOptions,
  ) => Promise<ExternalRows>
  /** The same, as tables of the script take them. */
  readonly fetchEncoded: (
    caller: Pick<Caller, 'organizationKey'>,
    connectionUid: string,
    sql: string,
    options: FetchOptions,
    script: CompiledScript,
    comparison: Comparison | undefined,
  ) => Promise<EncodedRows>
  readonly contextFor: (caller: Caller, given: Given) => Promise<ScriptContext>
}

type Given = Pick<ScriptContext, 'nowMs' | 'zone' | 'holders' | 'memory'> & {
  readonly variables: Readonly<Record<string, Value>>
  readonly signal: AbortSignal
}

export type WorkbenchParts = {
  readonly world: World
  readonly ingestion: Ingestion
  readonly secrets: Secrets
  readonly compiler: Compiler
  readonly databaseUrl: string
}

const memoryBytes = 256 * 1024 * 1024

export const openWorkbench = ({ world, ingestion, secrets, compiler, databaseUrl }: WorkbenchParts): Workbench => {
  const { config, sql } = world
  const memory = openScriptMemory(memoryBytes)
  const disk = openShares(config.importTotalBytes)
  const findTarget = async (organizationKey: number, connectionUid: string) => {
    const connection = await findConnection(sql, organizationKey, connectionUid)
    if (connection === undefined) throw notFound('connection', connectionUid)
    return targetOf(config, secrets, connection)
  }
  return {
    world,
    ingestion,
    pool: openImportPool(databaseUrl, config),
    compile: openScriptCache(compiler.compileImport).compile,
    openMemory: (holders) => openMemory(memory, holders),
    watchDisk: (own, holders, end) => watchDisk(world, disk, own, holders, end),
    fetch: async ({ organizationKey }, connectionUid, text, options) =>
      fetchRows(await findTarget(organizationKey, connectionUid), text, options),
    fetchEncoded: async ({ organizationKey }, connectionUid, text, options, script, comparison) =>
      fetchEncoded(await findTarget(organizationKey, connectionUid), text, options, encodingOf(script), comparison),
    contextFor: async (caller, given) => {
      const organization = await findOrganizationByKey(sql, caller.organizationKey)
      return {
        ...given,
        organizationKey: caller.organizationKey,
        components: caller.may('GET component/feed') ? 'all' : [],
        mayReadStreams: organization?.plan.gsql ?? false,
        readSql: sql,
      }
    },
  }
}

const openImportPool = (url: string, { databaseConnections, importTimeoutMs }: World['config']): Pool =>
  openPool(url, {
    connections: divideConnections(databaseConnections).imports,
    queries: 1,
    name: 'coppice imports',
    settings: {
      statement_timeout: String(importTimeoutMs),
      // Nothing is asked here while the external database is slow, or while samples are stored.
      idle_in_transaction_session_timeout: String(importTimeoutMs),
      // Planned as scripts are (gsql/run/script-pool.ts); but hashing is on, within its memory.
      plan_cache_mode: 'force_generic_plan',
      work_mem: '32MB',
      hash_mem_multiplier: '1',
      max_parallel_workers_per_gather: '0',
      jit: 'off',
    },
  })

const mostAttempts = 3

/** A query that was cancelled may have been this one, in place of the one before it. */
export const cleanUp = async (own: Pool, also: (own: Pool) => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      await dropTables(own)
      await also(own)
      return
    } catch {
      // A lost connection has given back its locks and tables.
      if (attempt === mostAttempts) return
    }
}
