// The rows of a JSON_TABLE or CSV_TABLE, column by column, on their way to Postgres, and what bounds them.
import { shorten } from '../base/errors.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import type { Value } from './plan.ts'

export type Rows = { readonly count: number; readonly columns: readonly (readonly Value[])[] }

/** Values that one table may hold, and characters of text in them. A text is at most 16 MiB when it comes in. */
export const maxCells = 4_000_000
export const maxCellCharacters = 64 * 1024 * 1024

export type Budget = { readonly at: Position; readonly table: string; cells: number; characters: number }

export const budget = (table: string, at: Position): Budget => ({ at, table, cells: 0, characters: 0 })

export const spend = (spent: Budget, value: Value, times = 1) => {
  spent.cells += times
  if (typeof value === 'string') spent.characters += value.length * times
  if (spent.cells > maxCells) throw scriptFault(spent.at, `${spent.table} holds more than ${maxCells} values`)
  if (spent.characters > maxCellCharacters)
    throw scriptFault(spent.at, `${spent.table} holds more than ${maxCellCharacters} characters`)
}

export const doesNotConvert = (at: Position, row: number, column: string, text: string, type: string) => {
  const what = text.includes('\u0000')
    ? 'the text holds a NUL character'
    : type === 'STRING'
      ? `'${shorten(text)}' holds half of a surrogate pair`
      : `'${shorten(text)}' is not a ${type}`
  return scriptFault(at, `row ${row}, column ${column}: ${what}`)
}

/** JSON numbers beyond all doubles, such as 1e400, are read as infinite: what was written is not known any more. */
export const isTooLarge = (at: Position, row: number, column: string) =>
  scriptFault(at, `row ${row}, column ${column}: the number does not fit in a DOUBLE`)
