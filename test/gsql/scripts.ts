// A database and a way to run scripts on it, for the tests of the language.
import type { Fault } from '../../src/base/errors.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import type { Holders, Shares } from '../../src/base/shares.ts'
import { openMemory, openScriptMemory } from '../../src/gsql/memory.ts'
import type { Value } from '../../src/gsql/value.ts'
import { openScriptPool } from '../../src/gsql/run/script-pool.ts'
import type { Effect } from '../../src/gsql/run/effects.ts'
import type { ScriptResult } from '../../src/gsql/run/run.ts'
import type { ScriptContext, ScriptLimits } from '../../src/gsql/run/script-context.ts'
import { runScript } from '../../src/gsql/run/run.ts'
import { compileScript } from '../../src/gsql/script.ts'
import type { CompiledScript } from '../../src/gsql/script.ts'
import { openTestDatabase } from '../support/database.ts'
import { deepFreeze } from '../support/deep-freeze.ts'

export type Ran = ScriptResult & { readonly effects: readonly Effect[] }

export type Scripts = {
  readonly url: string
  /** As the owner of the database. */
  readonly sql: Pool
  /** As scripts. */
  readonly pool: Pool
  readonly shares: Shares
  readonly places: Shares
  readonly run: (script: string, more?: Partial<ScriptContext>) => Promise<Ran>
  readonly close: () => Promise<void>
}

const someone: Holders = ['organization 1', 'user 1']

/** 2026-03-01T12:00:00Z. */
export const nowMs = Date.UTC(2026, 2, 1, 12)

/** Time enough on a busy machine: a test of the time limit sets its own. */
export const testLimits: ScriptLimits = { timeoutMs: 60_000, maxRows: 100_000, maxBytes: 64 * 1024 * 1024 }

export const openScripts = async (
  limits: ScriptLimits = testLimits,
  gsqlTimeoutMs = limits.timeoutMs,
): Promise<Scripts> => {
  const database = await openTestDatabase()
  const pool = openScriptPool(database.url, { gsqlTimeoutMs, databaseConnections: 40 })
  const shares = openScriptMemory()
  const known = new Map<string, CompiledScript>()
  const compile = (text: string): CompiledScript => {
    // As it comes from its thread; calls share it, so a run that changed it would be seen by another.
    const compiled = known.get(text) ?? deepFreeze(structuredClone(compileScript(text, 65_536)))
    known.set(text, compiled)
    return compiled
  }
  return {
    url: database.url,
    sql: database.sql,
    pool: pool.sql,
    shares,
    places: pool.places,
    run: async (script, { holders = someone, ...more } = {}) => {
      const effects: Effect[] = []
      const context: ScriptContext = {
        organizationKey: 1,
        components: 'all',
        mayReadStreams: true,
        readSql: database.sql,
        zone: 'Europe/Berlin',
        nowMs,
        variables: {},
        holders,
        memory: openMemory(shares, holders),
        ...more,
      }
      try {
        const ran = await runScript(pool, limits, compile(script), context, (effect) => void effects.push(effect))
        const { columns, rows } = ran
        return { columns, rows, effects }
      } finally {
        context.memory.close()
      }
    },
    close: async () => {
      await pool.sql.end({ timeout: 1 })
      await database.drop()
    },
  }
}

/** The message that a script ends with; a result, or an error that is not a script's, is a failure. */
export const messageOf = async (running: Promise<unknown>): Promise<string> => {
  try {
    await running
  } catch (error) {
    if ((error as Fault).code === 'script_error') return (error as Error).message
    throw error
  }
  throw new Error('the script ran')
}

export const rowsOf = async (running: Promise<Ran>): Promise<readonly (readonly Value[])[]> => (await running).rows
