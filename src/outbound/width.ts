// The columns of a result, which the server holds beside its rows: a server that lies may name hundreds of thousands.
import { ExternalError } from './external-error.ts'

const mostNameCharacters = 1_000_000

export const demandNarrow = (columns: readonly { readonly name: string }[], mostColumns: number): void => {
  if (columns.length > mostColumns)
    throw new ExternalError('sql', `the statement gives ${columns.length} columns, and ${mostColumns} are allowed`)
  if (columns.reduce((sum, { name }) => sum + name.length, 0) > mostNameCharacters)
    throw new ExternalError('sql', `the names of the columns have more than ${mostNameCharacters} characters together`)
}
