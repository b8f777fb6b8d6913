// Reading the JSON_TABLEs and CSV_TABLEs of a statement. One text read twice, as in SELECTs joined by UNION ALL over
// the same body, is parsed once.
import { scriptFault } from '../fault.ts'
import { fixedValue } from './bind.ts'
import type { Binding, SourceRows } from './bind.ts'
import { csvTable } from '../text/csv-table.ts'
import { rowsOfJson, readJsonText } from '../text/json-table.ts'
import type { Json, Value } from '../value.ts'
import { charactersOf } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import type { Rows } from '../text/rows.ts'
import type { CompiledSource } from '../script.ts'
import type { Sliced } from '../../base/slices.ts'

export type Documents = Map<string, Json>

type Fixed = Pick<Binding, 'variables' | 'nowMs' | 'zone'> & { readonly memory: ScriptMemory }

export type KnownSource = Extract<CompiledSource, { text: unknown }>

/** Of a source whose text stands in the script or in a variable. */
export const textOf = (source: KnownSource, fixed: Fixed): string | null => {
  const value = fixedValue(source.text, fixed)
  return value === null ? null : String(value)
}

export const readSource = function* (
  source: KnownSource,
  text: string | null,
  fixed: Fixed,
  documents: Documents,
): Sliced<SourceRows> {
  const rows = yield* readText(source, text, fixed, documents)
  yield
  return { ...rows, texts: undefined }
}

/** A source with several texts: its rows are those of all, each with the text that it came from. */
export const readTexts = function* (
  source: CompiledSource,
  texts: readonly Value[],
  fixed: Fixed,
  documents: Documents,
): Sliced<SourceRows> {
  const parts: { readonly text: string; readonly rows: Rows }[] = []
  for (const given of texts) {
    if (given === null) continue
    const text = String(given)
    const rows = yield* readText(source, text, fixed, documents)
    yield
    // The lists of all are joined, and each row names its text.
    fixed.memory.spend(source.at, rows.count * (rows.columns.length + 1), rows.count * charactersOf(text))
    parts.push({ text, rows })
  }
  return {
    count: parts.reduce((sum, { rows }) => sum + rows.count, 0),
    columns: source.table.columns.map((_, column) => parts.flatMap(({ rows }) => rows.columns[column]!)),
    texts: parts.flatMap(({ text, rows }) => Array.from({ length: rows.count }, () => text)),
  }
}

const mostDelimiterLength = 8

const readText = function* (
  source: CompiledSource,
  text: string | null,
  fixed: Fixed,
  documents: Documents,
): Sliced<Rows> {
  const { table, at } = source
  if (table.kind === 'csv') {
    const isResult = 'text' in source && source.text.kind === 'variable' && source.text.name === 'jdbc_result'
    const header = isResult || (table.header !== undefined && fixedValue(table.header, fixed) === true)
    const delimiter = table.delimiter === undefined ? ',' : fixedValue(table.delimiter, fixed)
    if (typeof delimiter !== 'string' || delimiter === '' || /["\r\n]/.test(delimiter))
      throw scriptFault(at, 'the delimiter of CSV_TABLE must be a text without quotes and line ends')
    // A search for a long delimiter costs its length at every place: 60 KB in a text of 200 KB took 6 s.
    if (delimiter.length > mostDelimiterLength)
      throw scriptFault(at, `the delimiter of CSV_TABLE must have at most ${mostDelimiterLength} characters`)
    return yield* csvTable(text, table.columns, { header, delimiter }, at, fixed.memory)
  }
  if (text === null || text.trim() === '') return { count: 0, columns: table.columns.map(() => []) }
  const document = documents.get(text) ?? (yield* readJsonText(text, at, fixed.memory))
  documents.set(text, document)
  return yield* rowsOfJson(document, table.columns, at, fixed.memory)
}
