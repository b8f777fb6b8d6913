// What each kind of database gives a thread: an open session that runs one statement, as columns and batches of the
// driver's own values. Each column knows how its values are written as cells of the CSV that @JDBC_RESULT is.
import type { Target } from './target.ts'

export type ExternalType = 'STRING' | 'LONG' | 'DOUBLE' | 'BOOLEAN'

export type Column = {
  readonly name: string
  /** As GS SQL will see it. */
  readonly type: ExternalType
  /** Never called with null or undefined, which are NULL. Throws an Error that says what the value is not. */
  readonly cell: (value: never) => string | null
}

export type Statement = {
  readonly sql: string
  /** Of times that have none of their own. */
  readonly timeZone: string
  readonly timeoutMs: number
  /** So many rows are asked for at once, at most. */
  readonly batchRows: number
  /** 0: all. */
  readonly maxRows: number
  /** About so many bytes are asked for at once. */
  readonly batchBytes: number
}

export type Answer = {
  readonly columns: readonly Column[]
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>
}

export type Session = {
  readonly version: string
  readonly run: (statement: Statement) => Promise<Answer>
  /** Asks the server to end what it does for this session. */
  readonly cancel: () => Promise<void>
  /** Leaves nothing behind: what was begun is rolled back. */
  readonly close: () => Promise<void>
}

export type OpenSession = (target: Target) => Promise<Session>
