// Imports of history, and how far each is stored (docs/transfer.md#go-on-where-it-stopped): each belongs to the credential that began it.
import { conflict } from '../base/errors.ts'
import type { Fragment, Sql, Transaction } from '../base/database/sql.ts'
import type { Caller } from './caller.ts'
import type { Listing, Page } from './listing.ts'
import { holds, openListing } from './listing.ts'

export type Refusal = { readonly line: number; readonly reason: string }

/** Up to the end of the last row that was stored or refused. */
export type ImportReach = {
  readonly columns: readonly string[] | null
  readonly bytes: number
  /** CRC-32 of the body up to there; null: not known. */
  readonly checksum: number | null
  readonly lines: number
  readonly stored: number
  readonly refused: number
  /** The first of those that were refused. */
  readonly refusals: readonly Refusal[]
}

export type HistoryImport = ImportReach & {
  readonly key: number
  readonly id: string
  readonly startedMs: number
  readonly touchedMs: number
  readonly endedMs: number | null
}

/** An organization keeps so many of them, the latest. */
const mostKept = 1000
/** Of one credential, so that it cannot make others' be forgotten. */
const mostKeptOfOne = 200

const columns = (sql: Sql) => sql`
  key, id, started_at as "startedMs", touched_at as "touchedMs", ended_at as "endedMs", columns, bytes, lines, stored,
  refused, refusals, case when checksum_bytes = bytes then checksum end as checksum`

/** Begins it, or goes on with it in place of the call that did before: `holder` is this call. */
export const holdImport = async (
  sql: Transaction,
  { organizationKey, actor }: Caller,
  id: string,
  holder: string,
  nowMs: number,
): Promise<HistoryImport> => {
  const [row] = await sql<[HistoryImport]>`
    insert into history_import (organization_key, actor, id, started_at, touched_at, holder)
    values (${organizationKey}, ${actor}, ${id}, ${nowMs}, ${nowMs}, ${holder})
    on conflict (organization_key, actor, id) do update set holder = excluded.holder, touched_at = excluded.touched_at
    returning ${columns(sql)}`
  await forgetOldest(sql, sql`organization_key = ${organizationKey} and actor = ${actor}`, mostKeptOfOne)
  await forgetOldest(sql, sql`organization_key = ${organizationKey}`, mostKept)
  return row
}

const forgetOldest = async (sql: Transaction, which: Fragment, most: number): Promise<void> => {
  await sql`
    delete from history_import
    where key in (select key from history_import where ${which} order by touched_at desc, key desc offset ${most})`
}

/** Throws where another call goes on with it. */
export const saveReach = async (
  sql: Sql,
  key: number,
  holder: string,
  reach: ImportReach,
  nowMs: number,
  isEnded: boolean,
): Promise<void> => {
  const { columns: names, bytes, checksum, lines, stored, refused, refusals } = reach
  const saved = await sql`
    update history_import
    set touched_at = ${nowMs}, ended_at = ${isEnded ? nowMs : null}, columns = ${names as string[] | null},
      bytes = ${bytes}, checksum = ${checksum ?? 0}, checksum_bytes = ${checksum === null ? -1 : bytes}, lines = ${lines}, stored = ${stored}, refused = ${refused},
      refusals = ${JSON.stringify(refusals)}::text::jsonb
    where key = ${key} and holder = ${holder}`
  if (saved.count === 0) throw overtaken()
}

const overtaken = () => conflict('another call goes on with this import')

/** Throws where another call goes on with it: rows of this one would come over later ones of that. */
export const demandHeld = async (sql: Sql, key: number, holder: string): Promise<void> => {
  const held = await sql`select from history_import where key = ${key} and holder = ${holder}`
  if (held.count === 0) throw overtaken()
}

export const findImport = async (
  sql: Sql,
  { organizationKey, actor }: Caller,
  id: string,
): Promise<HistoryImport | undefined> => {
  const [row] = await sql<HistoryImport[]>`
    select ${columns(sql)} from history_import
    where organization_key = ${organizationKey} and actor = ${actor} and id = ${id}`
  return row
}

export const listImports = (
  sql: Transaction,
  { organizationKey, actor }: Caller,
  page: Page,
): Promise<Listing<HistoryImport>> =>
  openListing<HistoryImport>(sql, page, {
    select: sql`select ${columns(sql)}`,
    from: sql`from history_import
      where organization_key = ${organizationKey} and actor = ${actor} and ${holds(sql, page.text, 'id')}`,
    order: sql`touched_at desc, key desc`,
  })
