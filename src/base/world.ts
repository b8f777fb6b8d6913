// The record that every door needs, built once in main.ts (and by the tests) and handed on. Nothing is global.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Pool } from './database/sql.ts'

export type World = {
  readonly config: Config
  readonly sql: Pool
  /** The pool of GET calls: on the hot standby of DATABASE_READ_URL, else on the same database. */
  readonly readSql: Pool
  readonly clock: Clock
  readonly log: Log
}
