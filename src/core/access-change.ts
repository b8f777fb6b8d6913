// Changes of credentials since a server last asked: db/0002_access_change.sql says why the transactions count, and not the time.
import { lastingColumns } from '../base/database/lasting.ts'
import type { Lasting } from '../base/database/lasting.ts'
import type { Sql } from '../base/database/sql.ts'
import { historyText } from './history.ts'

export type AccessChanges = {
  /** For the next reading, which gives what is new since this one, and may give a little of what is not. */
  readonly horizon: string
  /** Such as 'api_key 3' or 'user 7', or 'grant *' for all of a kind. */
  readonly tags: readonly string[]
  /** Of the database (history.ts): in another one nothing that was found before holds. */
  readonly history: string
}

/** More than go in one step of the jobs (session.ts, oauth-grant.ts). */
export const mostOfKind = 20_000

/**
 * A snapshot that outlives a crash, the one of the last reading, and where the log was then (base/database/lasting.ts). No call waits for the
 * disk: until the log is there the snapshot before counts, and what is new since is given again.
 */
type Horizon = { readonly lasting: string; readonly last: string; readonly logEnd: string }

const horizonFrom = (text: string): Horizon => {
  const [lasting = '', last = '', logEnd = ''] = text.split(' ')
  return { lasting, last, logEnd }
}

/**
 * Each tag once: a grant may have 200,000 tokens that end together, and all callers waited 2 s for as many rows. And in one reading: by the
 * oldest transaction under way alone, one of minutes had all that was noted since read again twice a second. Of a kind with very many
 * changes the kind alone, 'grant *': all callers waited 6 s for the 300,000 grants of one user that ended with the password, each with a tag.
 */
export const readAccessChanges = async (
  sql: Sql,
  horizon: string | undefined,
  most = mostOfKind,
): Promise<AccessChanges> => {
  const before = horizon === undefined ? undefined : horizonFrom(horizon)
  const since = before?.lasting
  const rows = await sql<(Lasting & Row)[]>`
    with change as materialized (
      select distinct tag
      from access_change
      where xact >= pg_snapshot_xmin(${since ?? null}::text::pg_snapshot)
        and not pg_visible_in_snapshot(xact, ${since ?? null}::text::pg_snapshot)),
    crowd as (
      select split_part(tag, ' ', 1) as kind from change group by 1 having count(*) > ${most})
    select head.*, told.tag
    from (
      select pg_current_snapshot()::text as snapshot, ${lastingColumns(sql)},
        pg_current_wal_flush_lsn() >= ${before?.logEnd ?? null}::text::pg_lsn as "isLastLasting", ${sql.unsafe(historyText)} as history
    ) as head
    left join (
      select kind || ' *' as tag from crowd
      union all
      select tag from change where split_part(tag, ' ', 1) not in (select kind from crowd)) told on true`
  const { snapshot, isLasting, isLastLasting, logEnd, history } = rows[0]!
  // The first one of a process has none before.
  const lasting = isLasting || before === undefined ? snapshot : isLastLasting ? before.last : before.lasting
  return { horizon: `${lasting} ${snapshot} ${logEnd}`, history, tags: rows.flatMap((row) => row.tag ?? []) }
}

type Row = {
  readonly snapshot: string
  readonly isLastLasting: boolean | null
  readonly tag: string | null
  readonly history: string
}

/**
 * Servers in use ask much more often; one that was idle for longer drops all it knows (access/memory.ts). The time is
 * that of the transaction's beginning, so a transaction that changes credentials may last no longer.
 */
export const accessChangesKeptMs = 86_400_000
const removedAtOnce = 20_000

/** Gives true when there may be more. */
export const removeOldAccessChanges = async (sql: Sql, nowMs: number, atOnce = removedAtOnce): Promise<boolean> => {
  const { count } = await sql`
    delete from access_change
    where serial in (select serial from access_change where at < ${nowMs - accessChangesKeptMs} limit ${atOnce})`
  return count === atOnce
}
