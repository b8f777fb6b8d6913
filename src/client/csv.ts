// CSV as pages and the command line write it, by the rules of the server's own (docs/transfer.md#csv): RFC 4180, a null is an
// empty cell, an empty text "", and a text that a spreadsheet would run as a formula has an apostrophe in front. The server
// cannot share this file, so one table of cells tests both (test/support/csv-cells.ts).

/** With its end. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** A list or an object is its JSON. */
export const csvCell = (value: unknown): string => {
  if (typeof value === 'string') return csvText(value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return csvText(JSON.stringify(value))
}

const csvText = (text: string): string => {
  const safe = likeFormula.test(text) ? `'${text}` : text
  return safe === '' || special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const likeFormula = /^'*[=+\-@\t\r]/
const special = /[",\r\n]/
