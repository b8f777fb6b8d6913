// The record that every door needs, built once in main.ts (and by the tests) and handed on. Nothing is global.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Pool } from './database/sql.ts'

export type World = {
  readonly config: Config
  readonly sql: Pool
  /** Where GET calls read: the hot standby of DATABASE_READ_URL, else the same database. */
  readonly readSql: Pool
  readonly clock: Clock
  readonly log: Log
}
