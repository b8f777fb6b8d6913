// Rows as people and programs read them: aligned with a head on a terminal, separated by tabs in a pipe, CSV (RFC 4180),
// or JSON, an object per line.
import type { Option } from './command.ts'
import type { Given } from './given.ts'
import { isGiven, memberOf, UsageError } from './given.ts'
import type { Context } from './context.ts'

export type Form = 'table' | 'csv' | 'json'
export type Row = Readonly<Record<string, unknown>>

export const formOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', about: 'JSON, an object per line' },
  csv: { type: 'boolean', about: 'CSV with a head' },
}

export const formOf = (given: Given): Form => {
  if (isGiven(given, 'json') && isGiven(given, 'csv')) throw new UsageError('--json and --csv exclude each other')
  return isGiven(given, 'json') ? 'json' : isGiven(given, 'csv') ? 'csv' : 'table'
}

/** Rows that are all there. */
export const printRows = async (
  context: Pick<Context, 'out' | 'isTerminal' | 'paint'>,
  columns: readonly string[],
  rows: readonly Row[],
  form: Form,
): Promise<void> => {
  if (form === 'table' && context.isTerminal) return printAligned(context, columns, rows)
  const print = openPrinter(context, columns, form)
  for (const row of rows) await print(row)
}

/** Rows as they come: an aligned table is not among them, since nobody knows its widths yet. */
export const openPrinter = (
  { out }: Pick<Context, 'out'>,
  columns: readonly string[],
  form: Form,
): ((row: Row) => Promise<void>) => {
  let isFirst = true
  return async (row) => {
    const head = isFirst && form === 'csv' ? csvLine(columns) : ''
    isFirst = false
    if (form === 'json') return out(`${JSON.stringify(row)}\n`)
    const cells = columns.map((column) => cellOf(memberOf(row, column)))
    await out(form === 'csv' ? `${head}${csvLine(cells)}` : `${cells.map(oneLine).join('\t')}\n`)
  }
}

const printAligned = async (
  { out, paint }: Pick<Context, 'out' | 'paint'>,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> => {
  const cells = rows.map((row) => columns.map((column) => oneLine(cellOf(memberOf(row, column)))))
  const widths = columns.map((column, n) =>
    cells.reduce((most, line) => Math.max(most, line[n]!.length), column.length),
  )
  const isNumber = columns.map(
    (column) => rows.length > 0 && rows.every((row) => typeof memberOf(row, column) === 'number'),
  )
  const line = (parts: readonly string[]) =>
    parts
      .map((part, n) => (isNumber[n] ? part.padStart(widths[n]!) : part.padEnd(widths[n]!)))
      .join('  ')
      .trimEnd()
  await out(`${paint('bold', line(columns))}\n`)
  for (const parts of cells) await out(`${line(parts)}\n`)
}

export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A cell stays in its line, and cannot steer the terminal. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '')

const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
