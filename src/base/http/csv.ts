// CSV as replies and exports have it (docs/transfer.md#csv): RFC 4180, a null is an empty cell, an empty text "".
//
// Spreadsheets run a cell that begins with = + - @, a tab or a carriage return as a formula, whoever wrote it. A text that
// begins so has an apostrophe in front, which spreadsheets take for "this is text"; and so has a text that would else be
// taken for such a one. textOfCell takes it off again, so that every text comes back as it was. Numbers have none.
//
//   =1+1  ->  '=1+1        '=1+1  ->  ''=1+1        -5 (a number)  ->  -5
import { withDoubles } from '../database/quote.ts'
import { toJson } from './reply.ts'

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** A list or an object is its JSON. */
export const csvCell = (value: unknown): string => {
  if (typeof value === 'string') return csvText(value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return csvText(toJson(value))
}

export const csvText = (text: string): string => {
  const safe = likeFormula.test(text) ? `'${text}` : text
  return safe === '' || special.test(safe) ? `"${withDoubles(safe)}"` : safe
}

export const textOfCell = (cell: string): string =>
  cell.charCodeAt(0) === apostrophe && likeFormula.test(cell) ? cell.slice(1) : cell

const likeFormula = /^'*[=+\-@\t\r]/
const special = /[",\r\n]/
const apostrophe = 0x27
