// A change of the catalogue, as writers see it: it closes their gate (gate.ts), waits briefly for those who stand in it, and is noted
// for all who work from memory.
import { setTimeout as sleep } from 'node:timers/promises'
import { callerTransaction } from '../../base/database/caller-transaction.ts'
import { Fault } from '../../base/errors.ts'
import type { Pool, Sql, Transaction } from '../../base/database/sql.ts'
import { sqlCode } from '../../base/database/sql.ts'
import type { Holders } from '../../base/shares.ts'
import { everything } from './gate.ts'

// Others wait behind whoever waits for a gate: behind that of all, everybody's uploads.
const uploadWaitMs = 250
// Changes wait for each other outside the gate of all, where they are in nobody's way. Each is short.
const changeWaitMs = 10_000

/** Closes the gate of an organization, whose catalogue is about to change. Nobody else's writers wait for that. */
export const closeGate = async (sql: Transaction, organizationKey: number, waitMs = uploadWaitMs): Promise<void> => {
  await waitingBriefly(sql, async (wait) => {
    await wait(changeWaitMs, () => takeOwnTurn(sql, organizationKey), 'a long change')
    await wait(waitMs, () => sql`select close_own_gate(${organizationKey})`, 'a long upload')
  })
  if (await isBeingUpgraded(sql)) await closeCommonGate(sql, waitMs)
}

/**
 * Whether servers of the version before may be at work, whose lanes know no other gate than that of all: it is a day since they
 * had the database to themselves. All migrations of a new database are of one moment.
 */
const isBeingUpgraded = async (sql: Transaction): Promise<boolean> => {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from migration
      where name = '0048_lane_gate' and run_on > localtimestamp - interval '1 day'
        and run_on > (select min(run_on) from migration)) as found`
  return row.found
}

/** Closes the gate of all, for what is done at once. */
export const closeCommonGate = (sql: Transaction, waitMs = uploadWaitMs): Promise<void> =>
  waitingBriefly(sql, async (wait) => {
    await wait(changeWaitMs, () => takeChangeTurn(sql), 'a long change')
    await wait(waitMs, () => sql`select close_common_gate()`, 'a long upload')
  })

/** Closes the gates of all organizations, too: for changes of the chunks that anybody may be writing to. */
export const closeAllGates = async (sql: Transaction, waitMs = uploadWaitMs): Promise<void> => {
  await waitingBriefly(sql, async (wait) => {
    await wait(changeWaitMs, () => takeChangeTurn(sql), 'a long change')
    await wait(waitMs, () => sql`select close_gate()`, 'a long upload')
  })
}

/** Closes the gates of those organizations whose writers are not in the way, and gives these. */
export const closeOwnGates = async (
  sql: Transaction,
  organizationKeys: readonly number[],
): Promise<readonly number[]> => {
  const closed = await sql<{ key: number }[]>`
    select key from unnest(${organizationKeys}::integer[]) as key where try_close_own_gate(key)`
  return closed.map(({ key }) => key)
}

type Wait = (mostMs: number, lock: () => PromiseLike<unknown>, isUnderWay: string) => Promise<void>

const waitingBriefly = async (sql: Transaction, work: (wait: Wait) => Promise<void>): Promise<void> => {
  const [usual] = await sql<[{ lockTimeout: string }]>`select current_setting('lock_timeout') as "lockTimeout"`
  await work(async (mostMs, lock, isUnderWay) => {
    await sql`select set_config('lock_timeout', ${`${mostMs}ms`}, true)`
    try {
      await lock()
    } catch (error) {
      if (sqlCode(error) === '55P03')
        throw new Fault('busy', `${isUnderWay} is under way, try again`, {
          cause: error,
          headers: { 'Retry-After': '1' },
        })
      throw error
    }
  })
  await sql`select set_config('lock_timeout', ${usual.lockTimeout}, true)`
}

/** So that changes of an organization wait for each other as long as those of others, and not only as for an upload. */
const takeOwnTurn = (sql: Transaction, organizationKey: number) =>
  sql`select pg_advisory_xact_lock(hashtext('coppice own change'), ${organizationKey})`

/** So serials become visible in their order. */
const takeChangeTurn = (sql: Transaction) => sql`select pg_advisory_xact_lock(hashtext('coppice catalogue change'))`

const pauseMs = 50

/**
 * For changes that people make: the transaction is begun anew, within the patience, while a long upload or another
 * change is in its way. In between they hold no connection and no lock, and the uploads behind them go on.
 */
export const patientTransaction = async <T>(
  pool: Pool,
  holders: Holders,
  work: (sql: Transaction) => Promise<T>,
  patienceMs = changeWaitMs,
): Promise<T> => {
  let untilMs: number | undefined
  for (;;)
    try {
      return await callerTransaction(pool, holders, (sql) => notingAtItsEnd(sql, work))
    } catch (error) {
      // The patience counts from here, not from the wait for a connection.
      untilMs ??= performance.now() + patienceMs
      if (!isInTheWay(error) || performance.now() > untilMs) throw error
      await sleep(pauseMs * (1 + Math.random()))
    }
}

/**
 * Whether a lock was not to be had in time, or Postgres ended one of two that waited for each other. Nothing is stored.
 */
const isInTheWay = (error: unknown): boolean =>
  sqlCode(error) === '40P01' || (error instanceof Fault && sqlCode(error.cause) === '55P03')

/** In place of a component's key: nothing that is remembered, but somebody listens to other organizations now. */
const listeners = -(2 ** 31)

/** The gate stays open: writers inside it have not heard of the change, and whoever makes it has to wait for them. */
export const noteListeners = async (sql: Transaction): Promise<void> => {
  await takeChangeTurn(sql)
  await insertChanges(sql, [listeners])
}

type Notes = { readonly componentKeys: Set<number>; readonly last: (() => Promise<void>)[] }

/** Of transactions that note their changes at their end. */
const notes = new WeakMap<Transaction, Notes>()

/** A change that is noted keeps everybody waiting until its commit: so one that may take long notes all of it at its end. */
const notingAtItsEnd = async <T>(sql: Transaction, work: (sql: Transaction) => Promise<T>): Promise<T> => {
  const beganAt = performance.now()
  const noted: Notes = { componentKeys: new Set(), last: [] }
  notes.set(sql, noted)
  const result = await work(sql)
  const isLong = performance.now() - beganAt > longMs
  if (noted.componentKeys.size > 0 || noted.last.length > 0)
    await announce(sql, [...noted.componentKeys], isLong ? mostClosings : 1)
  for (const finish of noted.last) await finish()
  return result
}

/** Does something short when the gate of all is closed by this change, so that no more is claimed for aggregates before its commit. */
export const afterClosing = async (sql: Transaction, work: () => Promise<void>): Promise<void> => {
  const noted = notes.get(sql)
  if (noted) {
    noted.last.push(work)
    return
  }
  await closeCommonGate(sql)
  await work()
}

/** The transaction must have closed the gate of the organization. */
export const noteChange = async (sql: Transaction, componentKeys: readonly number[]): Promise<void> => {
  const noted = notes.get(sql)
  if (noted) await noteSome(sql, noted.componentKeys, componentKeys)
  else if (componentKeys.length > 0) await announce(sql, componentKeys)
}

/** A template's change may be noted of a million components: in few words meanwhile, too. */
const noteSome = async (sql: Transaction, noted: Set<number>, componentKeys: readonly number[]): Promise<void> => {
  for (const key of await fewChanges(sql, componentKeys)) noted.add(key)
  if (noted.size <= mostNoted) return
  const few = await fewChanges(sql, [...noted])
  noted.clear()
  for (const key of few) noted.add(key)
}

/** A change that has taken longer is not begun anew for an upload that is in the way of its end. */
const longMs = 1000
const mostClosings = 20

/** Each is a row that every server reads; beyond that forgetting all of their organizations costs less. */
const mostNoted = 1000

const fewChanges = async (sql: Transaction, componentKeys: readonly number[]): Promise<readonly number[]> => {
  if (componentKeys.length <= mostNoted) return componentKeys
  const rows = await sql<{ key: number }[]>`
    select distinct coalesce(-component.organization_key, given.key) as key
    from unnest(${componentKeys}::integer[]) as given (key)
    left join component on component.key = given.key`
  return rows.map(({ key }) => key)
}

/** The gate of all is closed for the commit. Between two tries others pass, but not the uploads of the organization itself. */
const announce = async (sql: Transaction, componentKeys: readonly number[], most = 1): Promise<void> => {
  const few = await fewChanges(sql, componentKeys)
  for (let closing = 1; ; closing += 1) {
    await sql`savepoint closing`
    try {
      await closeCommonGate(sql)
      break
    } catch (error) {
      if (closing === most || !isInTheWay(error)) throw error
      await sql`rollback to savepoint closing`
      await sleep(pauseMs * (1 + Math.random()))
    }
  }
  await insertChanges(sql, few)
}

const insertChanges = async (sql: Transaction, componentKeys: readonly number[]): Promise<void> => {
  await sql`insert into catalog_change (component_key) select unnest(${componentKeys}::integer[])`
}

/** Long enough that no server that is in use has to forget everything. */
export const changesKeptMs = 3_600_000

/**
 * All old changes become one, of everything, under the serial of the last of them. So a process that has not asked
 * since, however long it slept, forgets all it remembers, and one that has asked forgets nothing.
 */
export const mergeOldChanges = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`
    with last as (select max(serial) as serial from catalog_change where at < ${nowMs - changesKeptMs}),
      merged as (
        update catalog_change
        set component_key = ${everything}
        from last
        where catalog_change.serial = last.serial and component_key <> ${everything})
    delete from catalog_change
    using last
    where catalog_change.serial < last.serial`
}
