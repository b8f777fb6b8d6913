// Interest in an organization: the row by which writers know that somebody listens (db/0034_live.sql). It is kept up by
// the servers that have listeners, and goes some minutes after the last of them.
//
// A row that comes does not keep writers waiting: those that are inside the gate of all go on without knowing of it, and only
// the listener waits until they have left. From then on everything that is committed stands in the journal: long writers come
// to that gate at their end, and begin anew when they find the row there.
import { setTimeout as sleep } from 'node:timers/promises'
import { patientTransaction, noteListeners } from '../sample/catalog-change.ts'
import type { Pool, Sql } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import type { Holders } from '../../base/shares.ts'
import { positionFrom } from './position.ts'
import type { Position } from './position.ts'

/** A listener who comes back within this time finds everything that was stored meanwhile (docs/live.md#coming-back). */
export const journalKeptMs = 300_000

/** Interests are prolonged at least so often. */
export const prolongEveryMs = 30_000

const until = (sql: Sql) => sql`now() + ${journalKeptMs + 3 * prolongEveryMs} * interval '1 millisecond'`

/** Prolongs interests that are there; gives their organizations, and since when the journal has everything. */
export const prolongInterests = async (
  pool: Pool,
  organizationKeys: readonly number[],
): Promise<ReadonlyMap<number, Position>> => {
  const rows = await pool<{ key: number; since: string }[]>`
    update live_interest
    set until = ${until(pool)}
    where organization_key = any(${organizationKeys}::integer[]) and since is not null
    returning organization_key as key, since::text`
  return new Map(rows.map(({ key, since }) => [key, positionFrom(since)!]))
}

/** Gives since when the journal has everything of the organization; waits for writers that do not know of the interest. */
export const openInterest = async (
  pool: Pool,
  holders: Holders,
  organizationKey: number,
  isWanted: () => boolean,
): Promise<Position | undefined> => {
  const known = (await prolongInterests(pool, [organizationKey])).get(organizationKey)
  if (known) return known
  await patientTransaction(pool, holders, async (sql) => {
    await noteListeners(sql)
    await sql`
      insert into live_interest (organization_key, until)
      values (${organizationKey}, ${until(sql)})
      on conflict (organization_key) do update set until = excluded.until`
  })
  await waitForThoseInside(pool, isWanted)
  if (!isWanted()) return undefined
  const [row] = await pool<{ since: string }[]>`
    update live_interest
    set since = coalesce(since, pg_current_snapshot())
    where organization_key = ${organizationKey}
    returning since::text`
  return row && positionFrom(row.since)
}

const firstPauseMs = 5
const mostPauseMs = 200

/** Waits for the writers that are inside the gate now. */
const waitForThoseInside = async (pool: Pool, isWanted: () => boolean): Promise<void> => {
  const inside = async () => {
    const rows = await pool<{ name: string }[]>`select virtual_transaction as name from inside_gate()`
    return new Set(rows.map(({ name }) => name))
  }
  let before = await inside()
  for (let pauseMs = firstPauseMs; before.size > 0 && isWanted(); pauseMs = Math.min(mostPauseMs, 2 * pauseMs)) {
    await sleep(pauseMs)
    const now = await inside()
    before = new Set([...before].filter((name) => now.has(name)))
  }
}

/** Removes interests that nobody has prolonged. */
export const removeOldInterests = async (pool: Pool): Promise<void> => {
  const [row] = await pool<[{ found: boolean }]>`
    select exists (select from live_interest where until < now()) as found`
  if (!row.found) return
  await transaction(pool, async (sql) => {
    await noteListeners(sql)
    await sql`delete from live_interest where until < now()`
  })
}
