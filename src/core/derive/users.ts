// Which streams are derived from which (derivation_source).
import type { Sql } from '../../base/database/sql.ts'

export type User = {
  readonly source: number
  readonly derived: number
  readonly depth: number
  /** Streams of one fleet have the same. */
  readonly fleet: number
}

/** The streams that are derived from these. */
export const readUsers = (sql: Sql, sourceKeys: readonly number[]): Promise<readonly User[]> =>
  sourceKeys.length === 0
    ? Promise.resolve([])
    : sql<User[]>`
        select source_key as source, derived_key as derived, depth, hashtext(stream.id || ' ' || expression) as fleet
        from derivation_source
        join derivation on derivation.stream_key = derived_key
        join stream on stream.key = derived_key
        where source_key = any(${[...sourceKeys]}::integer[])`
