// The rows of a JSON_TABLE or CSV_TABLE, column by column, on their way to Postgres, and the error of a value that does
// not fit.
import { shorten } from '../../base/errors.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { Value } from '../value.ts'

export type Rows = { readonly count: number; readonly columns: readonly (readonly Value[])[] }

export const doesNotConvert = (at: Position, row: number, column: string, text: string, type: string) => {
  const what = text.includes('\u0000')
    ? 'the text holds a NUL character'
    : type === 'STRING'
      ? `'${shorten(text)}' holds half of a surrogate pair`
      : `'${shorten(text)}' is not a ${type}`
  return scriptFault(at, `row ${row}, column ${column}: ${what}`)
}

/** JSON numbers beyond all doubles, such as 1e400, are read as infinite: their digits are not known any more. */
export const isTooLarge = (at: Position, row: number, column: string) =>
  scriptFault(at, `row ${row}, column ${column}: the number does not fit in a DOUBLE`)
