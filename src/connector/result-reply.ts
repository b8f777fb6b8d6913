// The result of a script, as JSON, CSV or NDJSON (docs/connectors.md#gs-sql-over-http). A result may have 100,000 rows: a large
// one is charged to its caller and made in pieces (base/http/large-reply.ts), some rows at a time, and others are
// served in between.
import type { Call } from '../base/http/call.ts'
import { csvCell, csvLine } from '../base/http/csv.ts'
import { whenItFits } from '../base/http/large-reply.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonType, toJson } from '../base/http/reply.ts'
import { lineTypes } from '../base/http/row-format.ts'
import type { RowFormat } from '../base/http/row-format.ts'
import type { Holders } from '../base/shares.ts'
import { openBreath } from '../base/slices.ts'
import type { Breathe } from '../base/slices.ts'
import type { Value } from '../gsql/value.ts'
import type { Preview, Ran } from './run-script.ts'

/** `texts` gives the whole, some rows at a time, each time that it is called. */
type Shown = {
  readonly headers: Readonly<Record<string, string>>
  readonly rows: readonly (readonly Value[])[]
  readonly texts: () => Iterable<string>
}

/** A script without SELECT has no rows, but counts: these are JSON. */
export const shownAs = (format: RowFormat, ran: Ran): Shown => {
  if (ran.columns === undefined || format === 'json') return shownAsJson(ran)
  return format === 'csv' ? shownAsCsv(ran) : shownAsNdjson(ran)
}

export const shownAsJson = ({ columns = [], rows, inserted, updated, deleted }: Ran): Shown => ({
  headers: jsonType,
  rows,
  texts: () => jsonTexts({ success: true, message: '', cols: columns }, rows, { inserted, updated, deleted }),
})

/** Cells are those of all CSV replies (docs/transfer.md#csv). */
export const shownAsCsv = ({ columns = [], rows }: Ran): Shown => ({
  headers: lineTypes.csv,
  rows,
  texts: function* () {
    yield csvLine(columns.map(({ name }) => name))
    for (const some of inParts(rows))
      if (isLong(some)) {
        for (const [index, value] of some[0].entries()) yield `${index === 0 ? '' : ','}${csvCell(value)}`
        yield '\r\n'
      } else yield some.map(csvLine).join('')
  },
})

export const shownAsNdjson = ({ columns = [], rows }: Ran): Shown => {
  const names = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  const member = (value: Value, index: number) => names[index]! + toJson(value)
  const line = (row: readonly Value[]) => `${row.map(member).join('')}}\n`
  return {
    headers: lineTypes.ndjson,
    rows,
    texts: function* () {
      for (const some of inParts(rows))
        if (isLong(some)) {
          for (const [index, value] of some[0].entries()) yield member(value, index)
          yield '}\n'
        } else yield some.map(line).join('')
    },
  }
}

export const shownPreview = ({ rows, updated, deleted }: Preview): Shown => ({
  headers: jsonType,
  rows: rows.map(({ cid, id, time, sample }) => [cid, id, time, sample]),
  texts: () => jsonTexts({ success: true, message: '' }, rows, { updated, deleted }),
})

/** A reply of less is made at once. */
const smallBytes = 64 * 1024

export const resultReply = async (call: Call, holders: Holders, shown: Shown): Promise<Reply> => {
  const breathe = openBreath(() => {})
  const bytes = await bytesOf(shown.rows, breathe)
  return whenItFits(call, holders, async (pieces) => {
    if (!pieces) {
      if (bytes > smallBytes) return bytes
      return { status: 200, headers: shown.headers, body: [...shown.texts()].join('') }
    }
    for (const text of shown.texts()) {
      pieces.add(text)
      await breathe()
    }
    return pieces.reply(shown.headers)
  })
}

/**
 * The reply of a script that has written already, which must not be refused any more: its caller keeps the memory of
 * its rows.
 */
export const unrefusedReply = async ({ headers, texts }: Shown): Promise<Reply> => {
  const breathe = openBreath(() => {})
  const buffers: Buffer[] = []
  let bytes = 0
  for (const text of texts()) {
    const buffer = Buffer.from(text)
    bytes += buffer.length
    buffers.push(buffer)
    await breathe()
  }
  if (bytes <= smallBytes) return { status: 200, headers, body: Buffer.concat(buffers).toString() }
  return { status: 200, headers, body: { buffers, bytes, isAwaited: () => false } }
}

const valuesAtOnce = 1000
const charactersAtOnce = 64 * 1024
/** The bytes of a number's digits, a name of JSON or CSV's quotes, and the separator. */
const bytesPerValue = 26
/** The bytes of the other members and of the brackets around the rows. */
const bytesBeside = 4096

/** About the bytes of the rows; characters that have to be escaped come on top. */
const bytesOf = async (rows: Shown['rows'], breathe: Breathe): Promise<number> => {
  let bytes = bytesBeside
  for (const some of inParts(rows)) {
    for (const row of some)
      for (const value of row) bytes += bytesPerValue + (typeof value === 'string' ? Buffer.byteLength(value) : 0)
    await breathe()
  }
  return bytes
}

/** Some rows that are small together, or one that is long. */
const inParts = function* <T>(rows: readonly T[]): Generator<readonly T[]> {
  let from = 0
  let values = 0
  let characters = 0
  for (const [index, row] of rows.entries()) {
    const length = charactersOf(row)
    const isFull = values >= valuesAtOnce || characters + length > charactersAtOnce
    if (isFull && index > from) {
      yield rows.slice(from, index)
      from = index
      values = 0
      characters = 0
    }
    values += Array.isArray(row) ? row.length : 1
    characters += length
  }
  if (from < rows.length) yield rows.slice(from)
}

/** A row of its own, which is shown value by value: sixty texts of a megabyte at once are 60 MB, three times. */
const isLong = (some: readonly unknown[]): some is readonly [readonly Value[]] =>
  some.length === 1 && Array.isArray(some[0]) && charactersOf(some[0]) > charactersAtOnce

const charactersOf = (row: unknown): number => {
  let characters = 0
  if (Array.isArray(row)) for (const value of row) if (typeof value === 'string') characters += value.length
  return characters
}

/** {"success":true,...,"rows":[...],...} */
const jsonTexts = function* (before: object, rows: readonly unknown[], after: object): Generator<string> {
  yield `${toJson(before).slice(0, -1)},"rows":[`
  let separator = ''
  for (const some of inParts(rows)) {
    if (isLong(some)) {
      for (const [index, value] of some[0].entries()) yield `${index === 0 ? `${separator}[` : ','}${toJson(value)}`
      yield ']'
    } else yield separator + toJson(some).slice(1, -1)
    separator = ','
  }
  const rest = toJson(after)
  yield rest === '{}' ? ']}' : `],${rest.slice(1)}`
}
