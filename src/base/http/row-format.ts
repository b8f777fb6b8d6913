// The formats in which rows are read (docs/replies.md#formats): JSON unless the caller's Accept header prefers lines,
// CSV with a header or one JSON object each (NDJSON). Most callers name no type, or any: these are not looked at
// further.
import type { IncomingHttpHeaders } from 'node:http'
import { withDoubles } from '../database/quote.ts'
import { ownMember } from '../own.ts'
import { acceptedType } from './accepted.ts'
import { csvCell, csvLine } from './csv.ts'
import { jsonType, toJson } from './reply.ts'

export type RowFormat = 'json' | 'csv' | 'ndjson'

export const lineTypes = {
  csv: { 'Content-Type': 'text/csv; charset=utf-8' },
  ndjson: { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
} as const

/** A client that takes any of them gets JSON. */
export const rowFormat = ({ headers }: { readonly headers: IncomingHttpHeaders }): RowFormat => {
  const { accept } = headers
  if (accept === undefined || accept === '*/*' || !/csv|ndjson|text\/\*/i.test(accept)) return 'json'
  return types.get(acceptedType(headers, [...types.keys()]) ?? '') ?? 'json'
}

const types: ReadonlyMap<string, RowFormat> = new Map([
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
])

/** The member that holds the rows, and the members of a row. */
export type RowsAbout = { readonly name: string; readonly columns: readonly string[] }

export type Shown = Readonly<Record<string, unknown>>

/** The texts of which a reply of rows is made. */
export type RowTexts = {
  readonly headers: Readonly<Record<string, string>>
  readonly before: string
  /** Between two rows. */
  readonly between: string
  /** One row; where it has a long list, in several texts. */
  readonly row: (shown: Shown) => Iterable<string>
  readonly after: string
}

/** `before` and `after` are JSON's own, around and between the rows; `columns` are those of CSV. */
export const rowTexts = (
  format: RowFormat,
  columns: readonly string[],
  { before, after }: Pick<RowTexts, 'before' | 'after'>,
): RowTexts => {
  switch (format) {
    case 'json':
      return { headers: jsonType, before, between: ',', row: jsonTexts, after }
    case 'ndjson':
      return { headers: lineTypes.ndjson, before: '', between: '', row: ndjsonTexts, after: '' }
    case 'csv':
      return {
        headers: lineTypes.csv,
        before: csvLine(columns),
        between: '',
        row: (shown) => csvTexts(columns, shown),
        after: '',
      }
  }
}

const longList = 100
const isLong = (member: unknown): member is readonly unknown[] => Array.isArray(member) && member.length > longList

/** JSON in several texts where a member is a long list, such as a component's streams: each element by itself. */
function* jsonTexts(shown: Shown): Generator<string> {
  if (!Object.values(shown).some(isLong)) return yield toJson(shown)
  let separator = '{'
  for (const [name, member] of Object.entries(shown)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (isLong(member)) yield* listTexts(member)
    else yield toJson(member)
  }
  yield '}'
}

function* listTexts(list: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, element] of list.entries()) yield `${index > 0 ? ',' : ''}${toJson(element)}`
  yield ']'
}

function* ndjsonTexts(shown: Shown): Generator<string> {
  yield* jsonTexts(shown)
  yield '\n'
}

function* csvTexts(columns: readonly string[], shown: Shown): Generator<string> {
  if (!columns.some((name) => isLong(ownMember(shown, name))))
    return yield csvLine(columns.map((name) => ownMember(shown, name)))
  for (const [index, name] of columns.entries()) {
    if (index > 0) yield ','
    const member = ownMember(shown, name)
    if (isLong(member)) {
      yield '"'
      for (const text of listTexts(member)) yield withDoubles(text)
      yield '"'
    } else yield csvCell(member)
  }
  yield '\r\n'
}
