// Scripts that read streams and write samples (grammar/REFERENCE.md#statements) run as if one after the other, and lose
// no upload. Such a script reads by one snapshot and writes later, so the write finds out, in its own transaction,
// whether the data that it saw still hold:
//
//   samples that it overwrites or deletes must be those that its snapshot saw (is_seen of their rows)
//   streams that it read must not have been written by another such script since, nor samples been deleted from them
//
// An upload into a stream that was read, but not over a sample that is written, is no conflict: the script came first.
// Uploads thus say nothing and wait for nobody. A script that was overtaken runs again, in its organization's turn: an advisory
// lock that only such scripts take, before the gate, so that nobody inside the gate waits for it.
import { conflict } from '../../base/errors.ts'
import { openShares } from '../../base/shares.ts'
import type { Shares } from '../../base/shares.ts'
import type { Fragment, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Lasting } from '../../base/database/lasting.ts'
import { isWithoutCrash, lastingByNow, lastingColumns } from '../../base/database/lasting.ts'
import type { Caller } from '../caller.ts'

export type Seen = {
  /** The snapshot, as pg_current_snapshot() gives it on the server that is written to. */
  readonly snapshot: string
  /** Beside it, by the end of its transaction: behind a crash it may take new samples for those that it saw. */
  readonly log: Lasting
  /** The streams whose samples were read. */
  readonly streamKeys: 'all' | readonly number[]
}

/** The snapshot of a transaction, as its beginning gives it. */
export type Sight = Lasting & Pick<Seen, 'snapshot'>

export const sightColumns = (sql: Sql): Fragment => sql`pg_current_snapshot()::text as snapshot, ${lastingColumns(sql)}`

/** At the end of the transaction. */
export const seenOf = async (sql: Transaction, sight: Sight, streamKeys: Seen['streamKeys']): Promise<Seen> => ({
  snapshot: sight.snapshot,
  log: await lastingByNow(sql, sight),
  streamKeys,
})

/** A sample or stream that a script read was changed before it could write: it must run again. */
export class Overtaken extends Error {}

/** The longest wait of a script for its turn; those before it may take as long as scripts may. */
const patienceMs = 30_000

const underWay = () => conflict('other scripts that read and write are under way in this organization, try again')

/** Holds the turn until the transaction ends, against other processes too. */
export const lockTurn = async (sql: Transaction, organizationKey: number): Promise<void> => {
  try {
    await sql`select lock_script_turn(${organizationKey}, ${patienceMs})`
  } catch (error) {
    throw sqlCode(error) === '55P03' ? underWay() : error
  }
}

/** The turn is locked: all scripts that wrote since have committed. */
export const demandUnchanged = async (sql: Transaction, organizationKey: number, seen: Seen): Promise<void> => {
  if (await isChanged(sql, organizationKey, seen)) throw new Overtaken()
}

/** Whether a script has written to these streams since, or somebody has deleted samples; or nobody can know. */
export const isChanged = async (
  sql: Transaction,
  organizationKey: number,
  { snapshot, log, streamKeys }: Seen,
): Promise<boolean> => {
  const ofThem = streamKeys === 'all' ? sql`true` : sql`stream_key = any(${streamKeys}::integer[])`
  const isSound = log.isLasting ? sql`true` : isWithoutCrash(sql, log)
  const changed = await sql`
    select
    where not ${isSound} or exists (
      select from stream_change
      where organization_key = ${organizationKey} and ${ofThem}
        and not pg_visible_in_snapshot(changed_by, ${snapshot}::pg_snapshot))`
  return changed.length > 0
}

/** The last step of a transaction, so that a script that waits for it holds nothing that it needs. */
export const noteStreamChanges = async (
  sql: Transaction,
  organizationKey: number,
  streamKeys: Iterable<number>,
): Promise<void> => {
  await sql`
    insert into stream_change (stream_key, organization_key)
    select distinct key, ${organizationKey}::integer from unnest(${[...streamKeys]}::integer[]) as key
    order by key
    on conflict (stream_key) do update set changed_by = excluded.changed_by`
}

/** A turn holds a connection; the others are left to uploads that create, and to changes. */
const mostConnections = 4

/** The turns of one process: of an organization one script at a time, so that only one of them waits in the database. */
export const openTurns = () => {
  const connections = openShares(mostConnections)
  const turns = new Map<number, Shares>()
  return async <T>(caller: Caller, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const { organizationKey, tenantUid, actor } = caller
    const turn = turns.get(organizationKey) ?? openShares(1)
    turns.set(organizationKey, turn)
    const own = turn.open([actor])
    const connection = connections.open([`tenant ${tenantUid}`, actor])
    try {
      if (!(await own.wait(1, patienceMs, signal)) || !(await connection.wait(1, patienceMs, signal))) {
        signal?.throwIfAborted()
        throw underWay()
      }
      return await work()
    } finally {
      connection.give()
      own.give()
      if (turn.free() === 1 && turn.waiting() === 0) turns.delete(organizationKey)
    }
  }
}
