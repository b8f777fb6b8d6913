// A session of any kind of database, open in a thread: it runs one statement, as columns and batches of the driver's
// own values. Each column knows how its values are written as cells of the CSV that @JDBC_RESULT is.
import type { Announce } from './announced.ts'
import type { HeldRows, Holding } from './held-rows.ts'
import type { Target } from './target.ts'

export type ExternalType = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOLEAN'

export type Column = {
  readonly name: string
  /** The type as GS SQL will see it. */
  readonly type: ExternalType
  /** Never called with null or undefined, which are NULL. Throws an Error that names the expected value. */
  readonly cell: (value: never) => string | null
  /** The same as a number, where the cell is one that a double holds as it is. */
  readonly plain?: (value: never) => number | null
}

export type Statement = {
  readonly sql: string
  /** The zone of times that have none of their own. */
  readonly timeZone: string
  readonly timeoutMs: number
  /** The most rows that are needed, and one that shows that there are more; 0: all. */
  readonly maxRows: number
  /** So many rows are asked for at once, at most. */
  readonly batchRows: number
  /** Longer cells are cut; none unless given. */
  readonly mostCharacters?: number | undefined
  /** No further rows once their cells have so many characters together; all of them unless given. */
  readonly mostInAll?: number | undefined
  readonly mostColumns: number
  /** About so many bytes are asked for at once. */
  readonly batchBytes: number
  /** Rows of the last run are held back, where this kind of database can. */
  readonly holding?: Holding | undefined
}

export type Answer = {
  readonly columns: readonly Column[]
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>
  readonly held?: Held | undefined
}

/** `basis`: everything besides their bytes by which the rows' values are known. */
export type Held = Omit<HeldRows, 'forget'> & { readonly basis: string }

export type Session = {
  readonly version: string
  readonly run: (statement: Statement) => Promise<Answer>
  /** Asks the server to end its work for this session. */
  readonly cancel: () => Promise<void>
  /** Leaves nothing behind: the transaction is rolled back. */
  readonly close: () => Promise<void>
}

/** `announce` hears of long messages, where this kind of database says how long they are. */
export type OpenSession = (target: Target, announce: Announce) => Promise<Session>
