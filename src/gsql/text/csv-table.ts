// CSV_TABLE (grammar/REFERENCE.md#tables): RFC 4180 text becomes rows. An empty field is NULL, "" the empty text; blank
// lines are skipped. Text after a closing quote is kept as part of its field.
import { withoutDoubles } from '../../base/database/quote.ts'
import type { Position } from '../fault.ts'
import { scriptFault } from '../fault.ts'
import { cellFromText } from './cell.ts'
import type { Type, Value } from '../value.ts'
import { charactersOf } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import { doesNotConvert } from './rows.ts'
import type { Rows } from './rows.ts'
import type { Sliced } from '../../base/slices.ts'

export type CsvColumn = {
  readonly at: Position
  readonly name: string
  readonly type: Type
  /** One-based. */
  readonly position: number
}

type Options = { readonly header: boolean; readonly delimiter: string }

export const csvTable = function* (
  text: string | null,
  columns: readonly CsvColumn[],
  { header, delimiter }: Options,
  at: Position,
  memory: ScriptMemory,
): Sliced<Rows> {
  const cells: Value[][] = columns.map(() => [])
  if (text === null) return { count: 0, columns: cells }
  const last = columns.reduce((most, { position }) => Math.max(most, position), 0)
  let row = 0
  let skip = header
  yield* readCsv(text, delimiter, { last, cells: columns.length }, (fields) => {
    if (fields === undefined) throw scriptFault(at, `row ${row + 1}: the text has no closing "`)
    if (skip) {
      skip = false
      return
    }
    for (const [index, { at: columnAt, name, type, position }] of columns.entries()) {
      const field = fields[position - 1] ?? null
      const cell = field === null ? null : cellFromText(field, type)
      if (cell === undefined) throw doesNotConvert(columnAt, row + 1, name, field!, type)
      memory.spend(at, 1, charactersOf(cell))
      cells[index]!.push(cell)
    }
    row++
  })
  return { count: row, columns: cells }
}

/** Lines, fields and quotes that are read in one slice, and cells that are made: a field may be in a thousand columns. */
const stepsPerSlice = 1000

/** The first fields of each line that are needed, and the cells that its reader makes of them. */
type Needed = { readonly last: number; readonly cells: number }

/**
 * Calls back with the first `last` fields of each line that is not blank; with undefined when a quote is not closed.
 * The next line end and the next delimiter are remembered, so that a text without the one or the other is still read
 * in one pass.
 */
const readCsv = function* (
  text: string,
  delimiter: string,
  { last, cells }: Needed,
  line: (fields: readonly (string | null)[] | undefined) => void,
): Sliced<void> {
  let next = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let lineEnd = -1
  let delimiterAt = -1
  let steps = 0
  const isHeavy = (more: number): boolean => {
    steps += more
    if (steps < stepsPerSlice) return false
    steps = 0
    return true
  }
  const seek = () => {
    if (lineEnd < next) lineEnd = indexOrEnd(text, '\n', next)
    if (delimiterAt < next) delimiterAt = indexOrEnd(text, delimiter, next)
  }
  while (next < text.length) {
    if (isHeavy(1)) yield
    seek()
    if (isBlank(text, next, lineEnd) && delimiterAt >= lineEnd) {
      next = lineEnd + 1
      continue
    }
    const fields: (string | null)[] = []
    for (;;) {
      let field: string | null = null
      if (text.charCodeAt(next) === 0x22) {
        let closed = text.indexOf('"', next + 1)
        for (; closed >= 0 && text.charCodeAt(closed + 1) === 0x22; closed = text.indexOf('"', closed + 2))
          if (isHeavy(1)) yield
        if (closed < 0) return line(undefined)
        if (fields.length < last) field = withoutDoubles(text.slice(next + 1, closed))
        next = closed + 1
        seek()
      }
      const end = Math.min(delimiterAt, lineEnd)
      const isLast = end === lineEnd
      if (fields.length < last) {
        const rest = text.slice(next, isLast && text.charCodeAt(end - 1) === 0x0d && end > next ? end - 1 : end)
        fields.push(rest === '' ? field : (field ?? '') + rest)
      }
      next = isLast ? lineEnd + 1 : delimiterAt + delimiter.length
      if (isLast) break
      if (isHeavy(1)) yield
      seek()
    }
    line(fields)
    if (isHeavy(cells)) yield
  }
}

const indexOrEnd = (text: string, part: string, from: number) => {
  const found = text.indexOf(part, from)
  return found < 0 ? text.length : found
}

const isBlank = (text: string, from: number, to: number) => {
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false
  }
  return true
}
