// Rows of CSV (docs/transfer.md#import): the header names the columns, in any order and any case; others are ignored. An
// empty cell is null, "" an empty text, and a text that was protected from spreadsheets comes back as it was.
import { badRequest, shorten } from '../base/errors.ts'
import { textOfCell } from '../base/http/csv.ts'
import { withoutDoubles } from '../base/database/quote.ts'
import { textOf } from './records.ts'
import type { BodyRecord } from './records.ts'
import { openIds, timeFrom, withinYears } from './rows.ts'
import type { Fixed, ReadRow, Row } from './rows.ts'

export const mostColumns = 1000

/** The names of the columns, as the header has them. */
export const readHeader = (record: BodyRecord): readonly string[] => {
  const cells = record.hasQuotes
    ? quotedCells(textOf(record), mostColumns + 1)
    : textOf(record).split(',', mostColumns + 1)
  const names = cells.map((cell) => (cell ?? '').trim().slice(0, 64))
  if (names.length > mostColumns) throw badRequest(`the header has more than ${mostColumns} columns`)
  return names
}

const known: ReadonlySet<string> = new Set(['compid', 'streamid', 'time', 'isotime', 'data'])

/** Others are ignored: all that counts of them is their place, and a thousand of them may be anything. */
export const keptName = (name: string): string => (known.has(name.toLowerCase()) ? name : '')

export const csvReader = (columns: readonly string[], { componentId, streamId }: Fixed): ReadRow => {
  const places = new Map(columns.map((name, index) => [name.toLowerCase(), index]))
  const [compAt, streamAt, dataAt] = ['compid', 'streamid', 'data'].map((name) => places.get(name) ?? -1)
  const timeAt = places.get('time') ?? places.get('isotime') ?? -1
  const missing = [
    ...(componentId === undefined && compAt === -1 ? ['compId'] : []),
    ...(streamId === undefined && streamAt === -1 ? ['streamId'] : []),
    ...(timeAt === -1 ? ['time'] : []),
    ...(dataAt === -1 ? ['data'] : []),
  ]
  if (missing.length > 0)
    throw badRequest(
      `the header lacks ${missing.join(' and ')}: the first line names the columns, such as compId,streamId,time,data${separatorHint(columns)}`,
    )
  const most = Math.max(compAt!, streamAt!, timeAt, dataAt!) + 1
  const [componentOf, streamOf] = [openIds('compId'), openIds('streamId')]
  const [readComponent, readStream] = [openCellIds(componentOf), openCellIds(streamOf)]
  const tooFew = (count: number) => badRequest(`the row has ${count} of ${columns.length} cells`)
  const readQuoted = (record: BodyRecord): Row => {
    const cells = quotedCells(textOf(record), most)
    if (cells.length < most) throw tooFew(cells.length)
    const data = cells[dataAt!]!
    return {
      componentId: componentId ?? componentOf(textOfCell(cells[compAt!] ?? '')),
      streamId: streamId ?? streamOf(textOfCell(cells[streamAt!] ?? '')),
      timeMs: timeFrom(cells[timeAt] ?? ''),
      value: data === null ? null : textOfCell(data),
    }
  }
  /** Where each cell begins, and the next one. */
  const starts = new Uint32Array(most + 1)
  return (record) => {
    if (record.hasQuotes) return readQuoted(record)
    const count = findCells(record.bytes, starts)
    if (count < most) throw tooFew(count)
    const [dataFrom, dataUntil] = [starts[dataAt!]!, starts[dataAt! + 1]! - 1]
    return {
      componentId: componentId ?? readComponent(record, starts[compAt!]!, starts[compAt! + 1]! - 1),
      streamId: streamId ?? readStream(record, starts[streamAt!]!, starts[streamAt! + 1]! - 1),
      timeMs: readTime(record, starts[timeAt]!, starts[timeAt + 1]! - 1),
      value: dataFrom === dataUntil ? null : textOfCell(textOf(record, dataFrom, dataUntil)),
    }
  }
}

/** Fills in as many as there is room for, with the end of the last, and gives their number; the rest is not looked at. */
const findCells = (bytes: Buffer, starts: Uint32Array): number => {
  const most = starts.length - 1
  let count = 0
  for (let at = 0; at < bytes.length && count < most; at += 1)
    if (bytes[at] === comma) {
      count += 1
      starts[count] = at + 1
    }
  if (count === most) return count
  starts[count + 1] = bytes.length + 1
  return count + 1
}

/** The ID of the row before is known by its bytes, and no text made of it: most rows have it. */
const openCellIds = (read: (id: string) => string): ((record: BodyRecord, from: number, until: number) => string) => {
  let last = Buffer.alloc(0)
  let lastId: string | undefined
  return (record, from, until) => {
    if (lastId !== undefined && isSame(last, record.bytes, from, until)) return lastId
    const id = read(textOfCell(textOf(record, from, until)))
    last = Buffer.from(record.bytes.subarray(from, until))
    lastId = id
    return id
  }
}

const isSame = (text: Buffer, bytes: Buffer, from: number, until: number): boolean => {
  if (text.length !== until - from) return false
  for (let n = 0; n < text.length; n += 1) if (text[n] !== bytes[from + n]) return false
  return true
}

/** Up to 15 digits are an integer that a number holds; all else is for timeFrom. */
const readTime = (record: BodyRecord, from: number, until: number): number => {
  let ms = 0
  for (let at = from; at < until; at += 1) {
    const digit = record.bytes[at]! - zero
    if (!(digit >= 0 && digit <= 9)) return timeFrom(textOf(record, from, until))
    ms = ms * 10 + digit
  }
  return until > from && until - from <= 15 ? withinYears(ms) : timeFrom(textOf(record, from, until))
}

/** Spreadsheets of half the world separate cells by semicolons. */
const separatorHint = ([first, ...others]: readonly string[]): string =>
  others.length === 0 && /[;\t|]/.test(first ?? '')
    ? ', separated by commas; CSV of another form is read by a script (CSV_TABLE)'
    : ''

type Cell = string | null

/** The first cells of a record; the rest is not looked at. */
const quotedCells = (text: string, most: number): readonly Cell[] => {
  const cells: Cell[] = []
  let from = 0
  while (cells.length < most) {
    let end: number
    if (text.charCodeAt(from) === quote) {
      let close = from
      let hasDoubles = false
      for (;;) {
        close = text.indexOf('"', close + 1)
        if (close < 0) throw badRequest(`a quote is not closed: '${shorten(text.slice(from), 40)}'`)
        if (text.charCodeAt(close + 1) !== quote) break
        hasDoubles = true
        close += 1
      }
      const inner = text.slice(from + 1, close)
      cells.push(hasDoubles ? withoutDoubles(inner) : inner)
      end = close + 1
      if (end < text.length && text.charCodeAt(end) !== comma)
        throw badRequest(`a closing quote must stand before a comma: '${shorten(text.slice(from), 40)}'`)
    } else {
      end = text.indexOf(',', from)
      if (end < 0) end = text.length
      const cell = text.slice(from, end)
      cells.push(cell === '' ? null : cell)
    }
    if (end >= text.length) break
    from = end + 1
  }
  return cells
}

const quote = 0x22
const comma = 0x2c
const zero = 0x30
