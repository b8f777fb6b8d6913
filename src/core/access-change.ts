// Changes of credentials since a server last asked: db/0002_access_change.sql says why the transactions count, and not the time.
import { isOnDisk, lastingColumns } from '../base/database/lasting.ts'
import type { Lasting } from '../base/database/lasting.ts'
import type { Sql } from '../base/database/sql.ts'
import { memoryText } from './history.ts'

export type AccessChanges = {
  /** For the next reading, which gives what is new since this one, and may give a little of what is not. */
  readonly horizon: string
  /** Such as 'api_key 3' or 'user 7', or 'grant *' for all of a kind. */
  readonly tags: readonly string[]
  /** False where there may be others: nothing that was found before holds. */
  readonly areAll: boolean
  /** Of the database (history.ts): in another one nothing that was found before holds. */
  readonly history: string
}

/** More than go in one step of the jobs (session.ts, oauth-grant.ts). */
export const mostOfKind = 20_000

/**
 * A snapshot that outlives a crash, the one of the last reading, and the log then (base/database/lasting.ts). No call waits for the
 * disk: until the log is there the snapshot before counts, and what is new since is given again. Where there is none before, '', as at
 * the beginning of a process, nobody relies on what is given.
 */
type Horizon = Pick<Lasting, 'logEnd' | 'checkpoint'> & { readonly lasting: string; readonly last: string }

const horizonFrom = (text: string): Horizon => {
  const [lasting = '', last = '', logEnd = '', checkpoint = ''] = text.split(' ')
  return { lasting, last, logEnd, checkpoint }
}

const textOf = ({ lasting, last, logEnd, checkpoint }: Horizon): string => [lasting, last, logEnd, checkpoint].join(' ')

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
  const since = before && (before.lasting || before.last)
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
        ${isOnDisk(sql, before)} as "isLastLasting", ${sql.unsafe(memoryText)} as history
    ) as head
    left join (
      select kind || ' *' as tag from crowd
      union all
      select tag from change where split_part(tag, ' ', 1) not in (select kind from crowd)) told on true`
  const { snapshot: last, isLasting, isLastLasting, logEnd, checkpoint, history } = rows[0]!
  const lasting = isLasting ? last : before === undefined ? '' : isLastLasting ? before.last : before.lasting
  return {
    horizon: textOf({ lasting, last, logEnd, checkpoint }),
    history,
    areAll: before?.lasting !== '',
    tags: rows.flatMap((row) => row.tag ?? []),
  }
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
