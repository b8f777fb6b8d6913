// Rows as people and programs read them: aligned with a head on a terminal, separated by tabs in a pipe, CSV,
// or JSON, an object per line.
import { csvLine } from '../client/client.ts'
import type { Option } from './command.ts'
import type { Given } from './given.ts'
import { isGiven, memberOf, UsageError } from './given.ts'
import { showTime } from './time.ts'
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

/** Rows whose time people read; JSON keeps epoch milliseconds. */
export function* withTimes(rows: Iterable<Row & { readonly time: number }>, form: Form): Generator<Row> {
  for (const row of rows) yield form === 'json' ? row : { ...row, time: showTime(row.time) }
}

type Printing = Pick<Context, 'out' | 'isTerminal' | 'paint'>

/** Rows as they come. On a terminal the columns of each screenful are aligned, since nobody knows the rest yet. */
export const printRows = async (
  context: Printing,
  columns: readonly string[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  form: Form,
): Promise<void> => {
  const print =
    form === 'table' && context.isTerminal ? openAligned(context, columns) : openLines(context, columns, form)
  for await (const row of rows) await print.row(row)
  await print.end()
}

type Printer = { readonly row: (row: Row) => Promise<void>; readonly end: () => Promise<void> }

/** Each row is printed at once. */
export const openLines = ({ out }: Pick<Context, 'out'>, columns: readonly string[], form: Form): Printer => {
  let head = form === 'csv' ? csvLine(columns) : ''
  const print = (text: string) => {
    const whole = `${head}${text}`
    head = ''
    return whole === '' ? Promise.resolve() : out(whole)
  }
  return {
    row: (row) => {
      if (form === 'json') return print(`${JSON.stringify(row)}\n`)
      const values = columns.map((column) => memberOf(row, column))
      return print(form === 'csv' ? csvLine(values) : `${values.map((value) => oneLine(cellOf(value))).join('\t')}\n`)
    },
    end: () => print(''),
  }
}

const screenful = 200

const openAligned = ({ out, paint }: Printing, columns: readonly string[]): Printer => {
  let rows: Row[] = []
  let isFirst = true
  const widths = columns.map((column) => column.length)
  const flush = async () => {
    const cells = rows.map((row) => columns.map((column) => oneLine(cellOf(memberOf(row, column)))))
    for (const line of cells) for (const [n, cell] of line.entries()) widths[n] = Math.max(widths[n]!, cell.length)
    const isNumber = columns.map(
      (column) => rows.length > 0 && rows.every((row) => typeof memberOf(row, column) === 'number'),
    )
    const lineOf = (parts: readonly string[]) =>
      parts
        .map((part, n) => (isNumber[n] ? part.padStart(widths[n]!) : part.padEnd(widths[n]!)))
        .join('  ')
        .trimEnd()
    const head = isFirst ? `${paint('bold', lineOf(columns))}\n` : ''
    isFirst = false
    rows = []
    await out(`${head}${cells.map((line) => `${lineOf(line)}\n`).join('')}`)
  }
  return {
    row: async (row) => {
      rows.push(row)
      if (rows.length >= screenful) await flush()
    },
    end: async () => {
      if (rows.length > 0 || isFirst) await flush()
    },
  }
}

export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A cell stays in its line, and cannot steer the terminal. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '')
