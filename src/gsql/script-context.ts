// What a script runs with: its limits, whose it is, what it may see and what it is given.
import type { Pool } from '../base/database/sql.ts'
import type { Holders } from '../base/shares.ts'
import type { ScriptMemory } from './memory.ts'
import type { Value } from './value.ts'

export type ScriptLimits = {
  readonly timeoutMs: number
  readonly maxRows: number
  /** Of text in the rows of one statement. */
  readonly maxBytes: number
}

export type ScriptContext = {
  readonly organizationKey: number
  /** Keys of the components that may be read. */
  readonly components: 'all' | readonly number[]
  /** Whether the organization's plan includes reading streams by GS SQL. */
  readonly mayReadStreams: boolean
  /**
   * Where cycles and statistics are read, on the same server: the pool of scripts sees only what scripts may see, and
   * this one what a script's transaction sees, by its snapshot.
   */
  readonly readSql: Pool
  readonly zone: string
  readonly nowMs: number
  /** System variables and those that a caller adds, by name without the @, in any case. */
  readonly variables: Readonly<Record<string, Value>>
  /** Stops the script when whoever asked for it is gone. */
  readonly signal?: AbortSignal
  /** Whose share of the connections it has. */
  readonly holders: Holders
  readonly memory: ScriptMemory
}
