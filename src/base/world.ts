// The record that every door needs, built once in main.ts (and by the tests) and handed on. Nothing is global.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Pool } from './database/sql.ts'

export type World = {
  readonly config: Config
  readonly sql: Pool
  /** The pool of readings, whose transactions go to a standby of DATABASE_READ_URL that shows all that is stored. */
  readonly readSql: Pool
  /** The same for lists: where there are no standbys, the pool of all other calls. */
  readonly listSql?: Pool
  readonly clock: Clock
  readonly log: Log
}
