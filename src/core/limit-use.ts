// Servers on one database report to each other about rate limits: that they are there, and how much of a bucket they
// have used. The counts are of the window that the first of them began.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { Asked } from '../base/http/limit-exchange.ts'
import type { Counts, Used } from '../base/http/limit-failure.ts'
import type { Log } from '../base/log.ts'
import { randomToken } from '../base/secret.ts'
import type { Sql } from '../base/database/sql.ts'

// A killed server is counted for so long.
const aliveForSeconds = 20

/** Reports that this process serves; gives the number that do, or 1 while all of them are of one server. */
export const announceProcess = async (sql: Sql, uid: string, serverUid: string): Promise<number> => {
  await sql`
    insert into limit_process (uid, server_uid)
    values (${uid}, ${serverUid})
    on conflict (uid) do update set seen_at = now()`
  await sql`delete from limit_process where seen_at < now() - interval '1 day'`
  const [row] = await sql<[{ processes: number; servers: number }]>`
    select count(*)::integer as processes, count(distinct server_uid)::integer as servers
    from limit_process
    where seen_at > now() - ${aliveForSeconds} * interval '1 s'`
  return row.servers > 1 ? row.processes : 1
}

export const forgetProcess = async (sql: Sql, uid: string): Promise<void> => {
  await sql`delete from limit_process where uid = ${uid}`
}

type Row = { readonly bucket: Buffer; readonly used: number; readonly endsMs: number }

const hexOf = (bucket: string) => Buffer.from(bucket).toString('hex')
const usedOf = ({ bucket, used, endsMs }: Row): Used => ({ bucket: bucket.toString(), used, endsMs })

/**
 * Adds the use since the last time, and gives the sums; a window that would end after the last moment is over. Processes
 * that add at once do so in one order.
 */
export const addUses = async (
  sql: Sql,
  uses: readonly Used[],
  nowMs: number,
  lastMs: number,
): Promise<readonly Used[]> => {
  if (uses.length === 0) return []
  const goesOn = sql`known.ends_at > ${nowMs}::timestamptz and known.ends_at <= ${lastMs}::timestamptz`
  const rows = await sql<Row[]>`
    insert into limit_use as known (bucket, ends_at, used)
    select decode(bucket, 'hex'), ends_at, used
    from unnest(
      ${uses.map(({ bucket }) => hexOf(bucket))}::text[],
      ${uses.map(({ endsMs }) => new Date(endsMs).toISOString())}::timestamptz[],
      ${uses.map(({ used }) => used)}::integer[]) as given (bucket, ends_at, used)
    order by bucket
    on conflict (bucket) do update
    set used = excluded.used + case when ${goesOn} then known.used else 0 end,
      ends_at = case when ${goesOn} then known.ends_at else excluded.ends_at end
    returning bucket, used, ends_at as "endsMs"`
  return rows.map(usedOf)
}

export const readUses = async (sql: Sql, buckets: readonly string[], nowMs: number): Promise<readonly Used[]> => {
  const rows = await sql<Row[]>`
    select bucket, used, ends_at as "endsMs"
    from limit_use
    where bucket in (select decode(hex, 'hex') from unnest(${buckets.map(hexOf)}::text[]) as asked (hex))
      and ends_at > ${nowMs}::timestamptz`
  return rows.map(usedOf)
}

const mostRead = 10_000

/** Those that are used most; not those that are kept for weeks. */
const readMost = async (sql: Sql, nowMs: number, { prefix, leastUsed, untilMs }: Asked): Promise<readonly Used[]> => {
  const rows = await sql<Row[]>`
    select bucket, used, ends_at as "endsMs"
    from limit_use
    where ends_at > ${nowMs}::timestamptz and ends_at <= ${untilMs}::timestamptz
      and used >= ${leastUsed}::double precision
      and substr(bucket, 1, ${Buffer.byteLength(prefix)}::integer) = decode(${hexOf(prefix)}, 'hex')
    order by used desc
    limit ${mostRead}`
  return rows.map(usedOf)
}

export const countsIn = (sql: Sql): Counts => ({
  read: (buckets, nowMs) => readUses(sql, buckets, nowMs),
  add: async (uses, nowMs, lastMs) => {
    // Guesses at ever new names leave a row each; rows go as fast as they come.
    await sql`
      delete from limit_use
      where bucket in (
        select bucket from limit_use where ends_at <= ${nowMs}::timestamptz limit 10 for update skip locked)`
    return addUses(sql, uses, nowMs, lastMs)
  },
  // A portal signs in a thousand users a minute: for most of them nothing need be written.
  keep: async (bucket, endsMs) => {
    await sql`
      insert into limit_use as known (bucket, ends_at, used)
      values (decode(${hexOf(bucket)}, 'hex'), ${endsMs}::timestamptz, 0)
      on conflict (bucket) do update
      set ends_at = excluded.ends_at
      where known.ends_at < excluded.ends_at - interval '1 day'`
  },
})

export const removeEndedUses = async (sql: Sql, nowMs: number): Promise<void> => {
  await sql`delete from limit_use where ends_at <= ${nowMs}::timestamptz`
}

const announceEveryMs = 5000
const forgetWithinMs = 500

/** Reports this process while it serves. */
export const openExchange = (sql: Sql, clock: Clock, serverUid: string, log: Log) => {
  const uid = randomToken()
  let processes = 1
  let timer: NodeJS.Timeout | undefined
  const announce = () => {
    const count = (found: number) => {
      processes = found
    }
    announceProcess(sql, uid, serverUid).then(count, (error: unknown) => log.debug({ err: error }, 'not announced'))
  }
  return {
    processes: () => processes,
    report: async (uses: readonly Used[], asked: Asked) => {
      const nowMs = clock.now()
      try {
        await addUses(sql, uses, nowMs, asked.untilMs)
        return await readMost(sql, nowMs, asked)
      } catch (error) {
        log.warn({ err: error }, 'the limits of other servers are not known for now')
        throw error
      }
    },
    start: (): void => {
      announce()
      timer = setInterval(announce, announceEveryMs).unref()
    },
    stop: async (): Promise<void> => {
      if (timer === undefined) return
      clearInterval(timer)
      // A database that is away forgets it by itself.
      await Promise.race([forgetProcess(sql, uid).catch(() => {}), sleep(forgetWithinMs, undefined, { ref: false })])
    },
  }
}
