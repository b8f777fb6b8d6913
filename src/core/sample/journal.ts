// Writers' part of live feeds (db/0034_live.sql): in an organization that somebody listens to, every transaction that
// stores or deletes samples adds them to the table live_journal, where servers with listeners find them (../live). The
// gate reports which organizations these are; where nobody listens, no statement is added to a write.
//
// The journal has the values themselves, by COPY in the same round trip: readers of a million times would have to look for
// each sample among all chunks.
import type { Transaction } from '../../base/database/sql.ts'
import {
  copyEnd,
  copyHeader,
  pieceFrom,
  writeDouble,
  writeInteger,
  writeLong,
  writeString,
  writeTime,
} from './copy-rows.ts'
import type { Heard } from './gate.ts'
import { copyRow, emptyRows, slicesOf, storedMs } from './rows.ts'
import type { SampleRows } from './rows.ts'
import type { ReadableStream } from './sample.ts'
import { upsertParameters } from './sample.ts'

/** The rows of one organization; of each point stream the last. */
export type JournalRows = {
  readonly organizationKey: number
  readonly rows: SampleRows
  readonly points: SampleRows
}

/** A point stream stores the last of several. */
export const lastOfEach = (points: SampleRows): SampleRows => {
  const lastRows = new Map(points.streamKeys.map((key, row) => [key, row]))
  if (lastRows.size === points.streamKeys.length) return points
  const last = emptyRows()
  for (const row of lastRows.values()) copyRow(points, row, last)
  return last
}

export const copyJournalText =
  'copy live_journal (organization_key, stream_key, span, time, num, long, text) from stdin (format binary)'

// Number of columns, seven lengths, and all but the text: 2 + 7 * 4 + 4 + 4 + 4 + 8 + 8 + 8.
const mostRowBytes = 66
const columns = 7

export const journalData = function* (parts: readonly JournalRows[]): Generator<Buffer> {
  yield copyHeader
  for (const { organizationKey, rows, points } of parts)
    for (const each of [rows, points]) yield* piecesOf(organizationKey, each)
  yield copyEnd
}

const piecesOf = function* (organizationKey: number, rows: SampleRows): Generator<Buffer> {
  for (let from = 0; from < rows.texts.length;) {
    const [until, size] = pieceFrom(rows.texts, from, mostRowBytes)
    yield pieceOf(organizationKey, rows, from, until, size)
    from = until
  }
}

const pieceOf = (organizationKey: number, rows: SampleRows, from: number, until: number, size: number): Buffer => {
  const { streamKeys, spans, storedMs: times, nums, longs, texts } = rows
  const buffer = Buffer.allocUnsafe(size)
  const view = new DataView(buffer.buffer, buffer.byteOffset, size)
  let at = 0
  for (let row = from; row < until; row += 1) {
    view.setInt16(at, columns)
    at = writeInteger(view, at + 2, organizationKey)
    at = writeInteger(view, at, streamKeys[row]!)
    at = writeInteger(view, at, spans[row]!)
    at = writeTime(view, at, times[row]!)
    at = writeDouble(view, at, nums[row]!)
    at = writeLong(view, at, longs[row]!)
    at = writeString(buffer, view, at, texts[row]!)
  }
  return buffer.subarray(0, at)
}

/** Of transactions that do not write by a lane. */
export const writeJournal = async (sql: Transaction, { organizationKey, rows, points }: JournalRows): Promise<void> => {
  for (const each of [rows, points])
    for (const slice of slicesOf(each))
      await sql.unsafe(writeText, [...upsertParameters(slice), organizationKey], { prepare: true })
}

const writeText = `
  insert into live_journal (organization_key, stream_key, span, time, num, long, text)
  select $7::integer, stream_key, span, to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond', num, long, text
  from unnest($1::text::integer[], $2::text::integer[], $3::text::bigint[], $4::text::double precision[],
              $5::text::bigint[], $6::text::text[]) as row (stream_key, span, ms, num, long, text)`

/** Those of an import (bulk-latest.ts). */
export const journalLatest = async (sql: Transaction, organizationKey: number): Promise<void> => {
  await sql`
    insert into live_journal (organization_key, stream_key, span, time, num, long, text)
    select ${organizationKey}, stream_key, span, time, num, long, text
    from latest
    where not is_same
    order by stream_key, time`
}

/** Deletions of a stream's samples: spans of times as they are shown. */
export const journalDeletions = async (
  sql: Transaction,
  organizationKey: number,
  { key, kind }: ReadableStream,
  spans: readonly (readonly [fromMs: number, untilMs: number])[],
): Promise<void> => {
  await sql`
    insert into live_journal (organization_key, stream_key, time, deleted_until)
    select ${organizationKey}, ${key}, since, until
    from unnest(${spans.map(([fromMs]) => storedMs(kind, fromMs))}::timestamptz[],
      ${spans.map(([, untilMs]) => storedMs(kind, untilMs))}::timestamptz[]) as span (since, until)`
}

/** A statement behind those of a derivation (../derive/statement.ts), which has written some samples and maybe removed others. */
export const journalOfDerived = (heard: Heard, hasGone: boolean): string => `
  insert into live_journal (organization_key, stream_key, span, time, num, long, text, deleted_until)
  select component.organization_key, changed.*
  from (
    select stream_key, span, time, num, long, text, null::timestamptz as deleted_until from written
    ${hasGone ? `union all select stream_key, null, time, null, null, null, time + interval '1 millisecond' from gone` : ''}
  ) as changed
  join stream on stream.key = changed.stream_key
  join component on component.key = stream.component_key
  where component.organization_key in (${[...heard].join(', ')})`
