// Asks a script's queries: in a transaction of its own, which sees one moment and can be cancelled, or together with
// those of other calls (together.ts).
import { onOwnConnection } from '../../base/database/pool.ts'
import { snapshotName, transaction } from '../../base/database/sql.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { busy } from '../../base/errors.ts'
import { limited } from './deadline.ts'
import type { Deadline } from './deadline.ts'
import type { Emitted } from '../emit/emitted.ts'
import type { ScriptContext } from './script-context.ts'
import type { ScriptPool } from './script-pool.ts'
import type { CompiledStatement } from '../script.ts'
import { askTogether, preparing } from './together.ts'
import type { BoundValue, OnRow } from './together.ts'

export type Asker = {
  readonly ask: (emitted: Emitted, values: readonly BoundValue[], onRow: OnRow) => Promise<void>
  /** Whether the rows that a statement writes stay in the database (imported.ts). */
  readonly keeps?: true
  /** Of these, whether it need not be run: its rows are where it would copy them from. */
  readonly leaves?: (statement: CompiledStatement) => boolean
  /** The name of the one moment that all its queries see; undefined where each sees its own. */
  readonly momentName: () => Promise<string> | undefined
}

type Caller = Pick<ScriptContext, 'holders' | 'signal'>

export const ownAsker = (sql: Transaction, { signal }: Caller): Asker => {
  let name: Promise<string> | undefined
  return {
    ask: (emitted, values, onRow) => query(sql, emitted, values, onRow, signal),
    momentName: () => (name ??= snapshotName(sql)),
  }
}

export const sharedAsker = (pool: ScriptPool, caller: Caller, deadline: Deadline): Asker => {
  const inTime = <T>(work: (sql: Pool) => Promise<T>) => withPlace(pool, caller, deadline.leftMs(), work)
  return {
    ask: (emitted, values, onRow) => {
      const alone = (own: OnRow) =>
        inTime((all) => transaction(all, (sql) => query(limited(sql, deadline), emitted, values, own, caller.signal)))
      if (!deadline.isFar()) return alone(onRow)
      const single = <T>(work: (sql: Pool) => Promise<T>) => inTime((sql) => onOwnConnection(sql, undefined, work))
      return askTogether(emitted, values, onRow, { single, alone })
    },
    momentName: () => undefined,
  }
}

/** Works while it has one of the places that all scripts share; a caller with many scripts waits for those with few. */
export const withPlace = async <T>(
  { sql, places }: ScriptPool,
  { holders, signal }: Caller,
  patienceMs: number,
  work: (sql: Pool) => Promise<T>,
): Promise<T> => {
  const place = places.open(holders)
  if (!(await place.wait(1, patienceMs, signal))) {
    signal?.throwIfAborted()
    throw busy('too many scripts at once, try again', 2)
  }
  try {
    return await work(sql)
  } finally {
    place.give()
  }
}

/** postgres.js numbers the rows of a result on from where an earlier one broke off; handed over one by one they are not. */
const query = async (
  sql: Sql,
  emitted: Emitted,
  values: readonly BoundValue[],
  row: OnRow,
  signal: AbortSignal | undefined,
): Promise<void> => {
  signal?.throwIfAborted()
  const pending = sql.unsafe(emitted.text, [...values], preparing(emitted))
  // Never while it waits behind another: postgres.js 3.4.9 would hand its rows to the next asker
  // (base/http/reading.ts).
  const stop = () => {
    if ((pending as unknown as { readonly active: boolean }).active) pending.cancel()
  }
  signal?.addEventListener('abort', stop)
  try {
    await pending.values().forEach(row)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
