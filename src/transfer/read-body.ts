// The records of an import's body on their way to its batches: the first line of CSV is its header, every other record a
// row, or refused with the reason why it is none.
import { isUtf8 } from 'node:buffer'
import { badRequest, Fault } from '../base/errors.ts'
import type { HistoryImport } from '../core/history-import.ts'
import type { Batches } from './batches.ts'
import { csvReader, keptName, readHeader } from './csv-rows.ts'
import type { ImportFormat, ImportQuery } from './import-query.ts'
import { ndjsonReader, objectFrom } from './ndjson-rows.ts'
import { demandUtf8, openRecords } from './records.ts'
import type { BodyRecord, Records } from './records.ts'
import type { ReadRow, Row } from './rows.ts'
import type { CatalogueLine } from './store-catalogue.ts'

const mebibyte = 1024 * 1024
/** A text of the longest kind, all its characters escaped, has half of it. */
const mostRowBytes = mebibyte
/** As large as a body of the management API. */
const mostLineBytes = 4 * mebibyte

export type BodyReader = Records & {
  /** The columns that the header names, as they are kept; null: none yet, or none at all. */
  readonly columns: () => readonly string[] | null
}

export const openSampleReader = (
  { format: given, fixed }: ImportQuery,
  begun: HistoryImport,
  batches: Batches<Row>,
): BodyReader => {
  let columns = begun.columns
  let records: Records | undefined
  let readRow: ReadRow | undefined
  const open = (format: ImportFormat): Records => {
    if (format === 'ndjson') readRow = ndjsonReader(fixed)
    else if (columns !== null) readRow = csvReader(columns, fixed)
    return openRecords({ isCsv: format === 'csv', mostBytes: mostRowBytes }, begun, take)
  }
  const take = (record: BodyRecord) => {
    if (readRow) return takeRow(record, batches, readRow)
    // Without a header there are no rows.
    if (!record.isAscii && !isUtf8(record.bytes)) throw badRequest('the header is not UTF-8')
    const names = readHeader(record)
    readRow = csvReader(names, fixed)
    columns = names.map(keptName)
    batches.reach(record.endByte, record.endLine)
  }
  return {
    add: (chunk) => {
      records ??= open(given ?? (columns !== null ? 'csv' : formatOf(chunk)))
      records.add(chunk)
    },
    end: () => records?.end(),
    columns: () => columns,
  }
}

/** A line is read at once: a component with 10,000 streams has half as many. */
const mostLineValues = 250_000

export const openCatalogueReader = (begun: HistoryImport, batches: Batches<CatalogueLine>): BodyReader => ({
  ...openRecords({ isCsv: false, mostBytes: mostLineBytes }, begun, (record) =>
    takeRow(record, batches, (line) => objectFrom(line, mostLineValues)),
  ),
  columns: () => null,
})

const takeRow = <R>(record: BodyRecord, batches: Batches<R>, readRow: (record: BodyRecord) => R): void => {
  const { line, endByte, endLine } = record
  try {
    demandUtf8(record)
    batches.add(readRow(record), line)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    batches.refuse(line, error.message)
  }
  batches.reach(endByte, endLine)
}

const formatOf = (chunk: Buffer): ImportFormat =>
  /^(?:\xef\xbb\xbf)?\s*\{/.test(chunk.subarray(0, 1024).toString('latin1')) ? 'ndjson' : 'csv'
