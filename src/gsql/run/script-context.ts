// The setting of a script run: limits, caller, readable components and variables.
import type { Pool } from '../../base/database/sql.ts'
import type { Holders } from '../../base/shares.ts'
import type { ScriptMemory } from '../memory.ts'
import type { Value } from '../value.ts'

export type ScriptLimits = {
  readonly timeoutMs: number
  readonly maxRows: number
  /** The most bytes of text in the rows of one statement. */
  readonly maxBytes: number
}

export type ScriptContext = {
  readonly organizationKey: number
  /** Keys of the components that may be read. */
  readonly components: 'all' | readonly number[]
  /** Whether the organization's plan includes reading streams by GS SQL. */
  readonly mayReadStreams: boolean
  /**
   * The pool for cycles and statistics, on the same server: the pool of scripts sees only the views for scripts, and
   * this one reads by the snapshot of a script's transaction.
   */
  readonly readSql: Pool
  readonly zone: string
  readonly nowMs: number
  /** System variables and those that a caller adds, by name without the @, in any case. */
  readonly variables: Readonly<Record<string, Value>>
  /** Stops the script when its caller is gone. */
  readonly signal?: AbortSignal
  /** The holders whose share of the connections it uses. */
  readonly holders: Holders
  readonly memory: ScriptMemory
}
