// The clock, handed around as a value so that tests own time. Everywhere in the code time is an
// integer number of milliseconds since 1970-01-01T00:00:00Z.
import type { Sql } from './database/sql.ts'

export type Clock = {
  readonly now: () => number
  /** The clock of our database, where it is another. */
  readonly ofDatabase?: (sql: Sql) => Promise<number>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  ofDatabase: async (sql) => {
    const [row] = await sql<[{ ms: number }]>`select clock_timestamp() as ms`
    return Math.floor(row.ms)
  },
}

/** Now by the one clock that all servers share: for times that one server keeps and another compares with its own. */
export const sharedNow = async (clock: Clock, sql: Sql): Promise<number> =>
  clock.ofDatabase ? clock.ofDatabase(sql) : clock.now()
