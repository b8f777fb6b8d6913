// Rows of CSV (docs/transfer.md#import): the header names the columns, in any order and any case; others are ignored. An
// empty cell is null, "" an empty text, and a text that was protected from spreadsheets comes back as it was.
import { badRequest, shorten } from '../base/errors.ts'
import { textOfCell } from '../base/http/csv.ts'
import { withoutDoubles } from '../base/database/quote.ts'
import { openIds, timeFrom } from './rows.ts'
import type { Fixed, ReadRow } from './rows.ts'

export const mostColumns = 1000

/** The names of the columns, as the header has them. */
export const readHeader = (text: string, hasQuotes: boolean): readonly string[] => {
  const names = cellsOf(text, hasQuotes, mostColumns + 1).map((cell) => (cell ?? '').trim().slice(0, 64))
  if (names.length > mostColumns) throw badRequest(`the header has more than ${mostColumns} columns`)
  return names
}

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
  return (text, hasQuotes) => {
    const cells = cellsOf(text, hasQuotes, most)
    if (cells.length < most) throw badRequest(`the row has ${cells.length} of ${columns.length} cells`)
    const data = cells[dataAt!]!
    return {
      componentId: componentId ?? componentOf(textOfCell(cells[compAt!] ?? '')),
      streamId: streamId ?? streamOf(textOfCell(cells[streamAt!] ?? '')),
      timeMs: timeFrom(cells[timeAt] ?? ''),
      value: data === null ? null : textOfCell(data),
    }
  }
}

/** Spreadsheets of half the world separate cells by semicolons. */
const separatorHint = ([first, ...others]: readonly string[]): string =>
  others.length === 0 && /[;\t|]/.test(first ?? '')
    ? ', separated by commas; CSV of another form is read by a script (CSV_TABLE)'
    : ''

type Cell = string | null

/** The first cells of a record; the rest is not looked at. */
const cellsOf = (text: string, hasQuotes: boolean, most: number): readonly Cell[] => {
  if (hasQuotes) return quotedCells(text, most)
  const cells: Cell[] = text.split(',', most)
  for (let at = 0; at < cells.length; at += 1) if (cells[at] === '') cells[at] = null
  return cells
}

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
