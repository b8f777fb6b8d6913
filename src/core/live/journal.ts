// The journal as listeners' servers read it: whatever was committed since a position, in pages, each with the position
// of its reading. One statement, so that rows, position and the end of the journal are of one moment.
import { lastingColumns } from '../../base/database/lasting.ts'
import type { Lasting } from '../../base/database/lasting.ts'
import type { Fragment, Sql } from '../../base/database/sql.ts'
import { historyText } from '../history.ts'
import { markOf, positionFrom } from './position.ts'
import type { Position } from './position.ts'

export type JournalRow = {
  readonly xact: number
  readonly serial: number
  readonly organizationKey: number
  readonly streamKey: number
  readonly span: number | null
  /** As stored. */
  readonly storedMs: number
  readonly num: number | null
  readonly long: number | bigint | null
  readonly text: string | null
  /** Set where samples up to before this were deleted, and none is stored. */
  readonly deletedUntilMs: number | null
}

/** Behind a row, among those that are read from one position to another. */
export type JournalPlace = Pick<JournalRow, 'xact' | 'serial'>

/** Streams whose rows are read: those of components, and all of organizations. */
export type Wanted = { readonly componentKeys: readonly number[]; readonly organizationKeys: readonly number[] }

export type Question = {
  readonly from: Position
  /** Undefined: to this moment. */
  readonly until?: Position | undefined
  /** The last row of the page before. */
  readonly after?: JournalPlace | undefined
  readonly wanted: Wanted
  /** Of which all that is wanted is, where it is one: rows of others are passed by without a look at their streams. */
  readonly organizationKey?: number
  /** Rows at the most, for one who reads little at a time. */
  readonly most?: number
}

export type Page = Lasting & {
  /** Of this moment. */
  readonly position: Position
  /** Rows that were there before this may be gone. */
  readonly trimmed: Position
  /** Changes with every change of the catalogue. */
  readonly catalogSerial: number
  /** Of the database (../history.ts). */
  readonly history: string
  readonly rows: readonly JournalRow[]
  readonly isLast: boolean
}

export const mostRows = 2000
/** Of a page, which a listener that does not read holds as a whole. */
const mostTextBytes = 2 * 1024 * 1024

type Head = Lasting & {
  readonly position: string
  readonly trimmed: string
  readonly catalogSerial: number
  readonly history: string
}
type Row = Head & ((JournalRow & { readonly found: number }) | { readonly xact: null })

export const readJournal = async (sql: Sql, question: Question): Promise<Page> => {
  const { from, most = mostRows } = question
  const rows = await sql<Row[]>`
    select head.*, page.*
    from (
      select pg_current_snapshot()::text as position, trimmed::text,
        ${lastingColumns(sql)},
        (select coalesce(max(serial), 0) from catalog_change) as "catalogSerial",
        ${sql.unsafe(historyText)} as history
      from live_state
    ) as head
    left join (
      select xact::text::bigint as xact, serial, organization_key as "organizationKey", stream_key as "streamKey", span, time as "storedMs", num, long, text,
        deleted_until as "deletedUntilMs", found
      from (
        select *, count(*) over () as found, row_number() over sorted as nth,
          sum(octet_length(text)) over sorted as bytes
        from (
          select *
          from (
            (${firstRows(sql, question, sql`xact >= ${String(from.xmax)}::text::xid8`)})
            union all
            select each.*
            from unnest(${from.running.map(String)}::text[]) as was_running (xact),
              lateral (${firstRows(sql, question, sql`live_journal.xact = was_running.xact::xid8`)}) as each
          ) as both_parts
          order by xact, serial
          limit ${most}
        ) as first_rows
        window sorted as (order by xact, serial)
      ) as counted
      where nth = 1 or bytes is null or bytes <= ${mostTextBytes}
    ) as page on true
    order by page.xact, page.serial`
  const found = rows.filter((row): row is Head & JournalRow & { readonly found: number } => row.xact !== null)
  const { position, logEnd, isLasting, checkpoint, trimmed, catalogSerial, history } = rows[0]!
  return {
    position: positionFrom(position, markOf(history))!,
    logEnd,
    isLasting,
    checkpoint,
    trimmed: positionFrom(trimmed)!,
    catalogSerial,
    history,
    rows: found,
    isLast: found.length < most && found.length === (found[0]?.found ?? 0),
  }
}

/** Each part is read in the order of the index, and no further than the page goes: an import may have left a million rows. */
const firstRows = (
  sql: Sql,
  { until, after, wanted, organizationKey, most = mostRows }: Question,
  which: Fragment,
): Fragment => sql`
  select live_journal.*
  from live_journal
  join stream on stream.key = live_journal.stream_key
  where ${which}
    and (stream.component_key = any(${wanted.componentKeys}::integer[])
      or organization_key = any(${wanted.organizationKeys}::integer[]))
    ${organizationKey === undefined ? sql`` : sql`and organization_key = ${organizationKey}`}
    ${until ? isBefore(sql, until) : sql``}
    ${after ? sql`and (xact, serial) > (${String(after.xact)}::text::xid8, ${after.serial}::bigint)` : sql``}
  order by xact, serial
  limit ${most}`

/** The bound is one that the index knows: rows that have come since are not gone through. */
const isBefore = (sql: Sql, until: Position): Fragment => sql`
  and xact < ${String(until.xmax)}::text::xid8
  and pg_visible_in_snapshot(xact, ${until.text}::text::pg_snapshot)`
