// The catalogue of tables: Stream, which is read; SAMPLE, which is written; JSON_TABLE and CSV_TABLE, which parse.
import type { Expression, TableColumn, TableName, TableSource } from '../syntax/ast.ts'
import type { CsvColumn } from '../text/csv-table.ts'
import { maxColumns, refuseMore, scriptFault, suggestion } from '../fault.ts'
import { parseJsonPath } from '../text/json-path.ts'
import type { JsonTableColumn } from '../text/json-table.ts'
import type { JoinPlan, Origin, RelationColumn, SourcePlan, Term } from '../plan/plan.ts'
import { same } from './scope.ts'
import type { Checking, Place, Scope } from './scope.ts'
import { closedOver } from '../plan/closed-over.ts'
import { streamColumns } from './stream-table.ts'
import { convert, toText, typeOf } from './types.ts'

export const tableFunctionNames = ['JSON_TABLE', 'CSV_TABLE'] as const

export type Found = {
  readonly origin: Origin
  readonly columns: readonly RelationColumn[]
  readonly name: string | undefined
}

export const isSampleTable = ({ qualifier, name }: TableName) =>
  same(name, 'sample') && (qualifier === undefined || same(qualifier, 'system'))

export const namedTable = (table: TableName, scope: Scope): Found => {
  const common = table.qualifier === undefined ? scope.commons.findLast((one) => same(one.name, table.name)) : undefined
  if (common)
    return {
      origin: { kind: 'common', common: common.plan.id },
      columns: common.plan.query.columns.map((column) => ({ ...column, hidden: false })),
      name: common.name,
    }
  const isSystem = table.qualifier === undefined || same(table.qualifier, 'system')
  if (isSystem && same(table.name, 'stream')) {
    return { origin: { kind: 'stream' }, columns: streamColumns, name: table.name }
  }
  if (isSampleTable(table))
    throw scriptFault(
      table.at,
      'SAMPLE can only be written; samples are read from Stream: SELECT time, sample(Range(last=100)) FROM Stream',
    )
  const written = table.qualifier === undefined ? table.name : `${table.qualifier}.${table.name}`
  const known = ['Stream', 'system.stream', ...tableFunctionNames, ...scope.commons.map((one) => one.name)]
  throw scriptFault(table.at, `unknown table '${written}'${suggestion(written, known)}`)
}

/** Every stored sample, under the name that UPDATE and DELETE give it. */
export const samplesTable: Found = { origin: { kind: 'stream' }, columns: streamColumns, name: 'SAMPLE' }

type TableFunction = Extract<TableSource, { kind: 'function' }>

/** `left`: the tables before this one in its FROM, whose columns the text may come from. */
export const tableFunction = (
  checking: Checking,
  table: TableFunction,
  scope: Scope,
  left: readonly JoinPlan[],
): Found => {
  const name = tableFunctionNames.find((one) => same(one, table.name))
  if (!name && same(table.name, 'stream'))
    throw scriptFault(
      table.at,
      'Stream takes no arguments: its streams are chosen by WHERE, its samples by sample(Range(...))',
    )
  if (!name) throw scriptFault(table.at, `unknown table '${table.name}'${suggestion(table.name, tableFunctionNames)}`)
  const most = name === 'JSON_TABLE' ? 1 : 3
  if (table.arguments.length < 1 || table.arguments.length > most)
    throw scriptFault(
      table.at,
      `${name} takes ${most === 1 ? '1 argument' : '1 to 3 arguments'}, not ${table.arguments.length}`,
    )
  if (!table.columns)
    throw scriptFault(
      table.at,
      `${name} needs its columns: ${name}(...) WITH (${name === 'JSON_TABLE' ? "a String '$.a'" : '1 a STRING'})`,
    )
  refuseMore(table.columns, maxColumns, 'columns of a table', ({ at }) => at)
  refuseTwice(table.columns)

  // The text may use tables to the left in the same FROM, but not those of a query around it.
  const inside: Scope = {
    around: undefined,
    relations: left.map(({ relation }) => relation),
    commons: scope.commons,
    alias: () => undefined,
  }
  const place: Place = { scope: inside, aggregates: `in ${name}` }
  const [text, header, delimiter] = table.arguments
  const textTerm = toText(checking.expression(text!, place))
  const isKnown = textTerm.kind === 'constant' || textTerm.kind === 'variable'
  const commons = scope.commons.map(({ plan }) => plan)
  if (!isKnown && !closedOver([...left.map(({ relation }) => relation), ...commons])())
    throw scriptFault(text!.at, `the text of ${name} comes from a query that depends on the query around it`)
  const parsed =
    name === 'JSON_TABLE'
      ? ({ kind: 'json', columns: table.columns.map(jsonColumn) } as const)
      : ({
          kind: 'csv',
          columns: table.columns.map(csvColumn),
          header: header && fixedArgument(checking, header, 'BOOLEAN', place, 'the second argument, header,'),
          delimiter:
            delimiter && fixedArgument(checking, delimiter, 'STRING', place, 'the third argument, the delimiter,'),
        } as const)
  const asked = isKnown ? undefined : { left, commons, where: [] }
  // SELECTs joined by UNION ALL often begin with the same table, which is then read once.
  const key = isKnown ? `${checking.keyOf(textTerm)} ${tableKey(parsed)}` : undefined
  const known = key === undefined ? undefined : checking.knownSources.get(key)
  const source: SourcePlan = known ?? {
    index: checking.sources.length,
    at: table.at,
    text: textTerm,
    table: parsed,
    asked,
  }
  if (!known) checking.sources.push(source)
  if (key !== undefined) checking.knownSources.set(key, source)
  return {
    origin: { kind: 'source', source },
    columns: parsed.columns.map((column) => ({ name: column.name, type: column.type, hidden: false })),
    name,
  }
}

const tableKey = (table: SourcePlan['table']) =>
  JSON.stringify(table, (name, value: unknown) =>
    name === 'at' ? undefined : typeof value === 'bigint' ? String(value) : value,
  )

const fixedArgument = (
  checking: Checking,
  argument: Expression,
  type: 'BOOLEAN' | 'STRING',
  place: Place,
  what: string,
): Term => {
  const term = checking.expression(argument, place)
  if (term.kind === 'variable' && (term.type === type || term.type === 'NULL')) return term
  const converted = convert(checking.sites, term, type, argument.at)
  if (converted.kind === 'constant') return converted
  const shape = type === 'BOOLEAN' ? 'TRUE or FALSE' : 'a text in quotes'
  throw scriptFault(argument.at, `${what} must be ${shape} or a @variable`)
}

const refuseTwice = (columns: readonly TableColumn[]) => {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.size === seen.add(name.text.toLowerCase()).size)
      throw scriptFault(name.at, `column '${name.text}' is there twice`)
  }
}

const jsonColumn = (column: TableColumn): JsonTableColumn => {
  if (column.position !== undefined)
    throw scriptFault(column.at, 'a column of JSON_TABLE has a path instead of a position')
  const { name, type, path } = column
  if (same(type.text, 'ordinality')) {
    if (path) throw scriptFault(path.at, 'an Ordinality column has no path')
    return { at: name.at, name: name.text, type: 'LONG', path: undefined }
  }
  const meant = typeOf(type, ['Ordinality'])
  if (!path)
    throw scriptFault(name.at, `column '${name.text}' needs a path: ${name.text} ${type.text} '$.${name.text}'`)
  return { at: name.at, name: name.text, type: meant, path: parseJsonPath(path.text, path.at) }
}

const csvColumn = (column: TableColumn): CsvColumn => {
  const { name, type, path, position } = column
  if (position === undefined)
    throw scriptFault(name.at, `column '${name.text}' needs a position: 1 ${name.text} ${type.text}`)
  if (position < 1 || position > 100_000) throw scriptFault(column.at, 'positions go from 1 to 100000')
  if (path) throw scriptFault(path.at, 'a column of CSV_TABLE has a position instead of a path')
  return { at: name.at, name: name.text, type: typeOf(type), position }
}
