// The columns of an External SQL, and those that an Ingest SQL wants of them (docs/imports.md#import-connectors).
import { shorten } from '../../base/errors.ts'
import { scriptFault } from '../fault.ts'
import type { CsvColumn } from '../text/csv-table.ts'

/** A missing column would be NULL in every row, and the error would come out far from here. */
export const demandColumns = (spools: readonly (readonly CsvColumn[])[], names: readonly string[]): void => {
  for (const { at, name, position } of spools.flat())
    if (position > names.length)
      throw scriptFault(
        at,
        `column ${position} (${name}) is missing: External SQL gives ${names.length === 1 ? 'one column' : `${names.length} columns`} (${shorten(names.join(', '))})`,
      )
}
