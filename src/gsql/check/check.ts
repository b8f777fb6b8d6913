// Statements: a script becomes plans, in order, each knowing the variables that were set before it.
import { folderPath } from '../../core/folder.ts'
import type {
  Delete,
  Expression,
  Insert,
  Query,
  QueryTerm,
  Script,
  SelectItem,
  SetVariable,
  Statement,
  Update,
} from '../syntax/ast.ts'
import { nearestOrAll, refusedAt, refuseMore, scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { Action, InsertOption, InsertOptions, StatementPlan, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { openChecking } from './checking.ts'
import { emptyScope, same } from './scope.ts'
import type { Checking } from './scope.ts'
import { streamColumn } from './stream-table.ts'
import { isSampleTable } from './tables.ts'
import { toText } from './types.ts'

/** Filled by connectors; a script may set them too, for tests. */
export const systemVariables: ReadonlyMap<string, Type> = new Map([
  ['http_body', 'STRING'],
  ['http_query_string', 'STRING'],
  ['http_query_raw', 'STRING'],
  ['http_method', 'STRING'],
  ['jdbc_result', 'STRING'],
  ['last_run_date', 'LONG'],
  ['connector_id', 'STRING'],
])

const maxStatements = 1000

export const checkScript = (script: Script): readonly StatementPlan[] => {
  refuseMore(script.statements, maxStatements, 'statements', ({ at }) => at)
  const variables = new Map(systemVariables)
  return script.statements.map((statement) => {
    const plan = checkStatement(openChecking(variables), statement)
    if (plan.action.kind === 'set') variables.set(plan.action.variable, plan.action.value.type)
    return plan
  })
}

export const checkStatement = (checking: Checking, statement: Statement): StatementPlan => {
  const action = actionOf(checking, statement)
  return {
    at: statement.at,
    action,
    sources: checking.sources,
    streams: checking.streams,
    sites: checking.sites.positions,
    overflows: checking.overflows,
    readsStreams: checking.streams.length > 0,
  }
}

const actionOf = (checking: Checking, statement: Statement): Action => {
  switch (statement.kind) {
    case 'set':
      return setOf(checking, statement)
    case 'select':
      return { kind: 'select', query: checking.query(statement.query, emptyScope) }
    case 'insert':
      return insertOf(checking, statement)
    case 'update':
      return updateOf(checking, statement)
    case 'delete':
      refuseOtherTables(statement.table, 'deleted from')
      return { kind: 'delete', query: checking.query(storedSamples(statement, undefined), emptyScope) }
  }
}

const setOf = (checking: Checking, { variable, value }: SetVariable): Action => ({
  kind: 'set',
  variable: variable.text,
  value: checking.expression(value, { scope: emptyScope, aggregates: 'in SET' }),
})

const refuseOtherTables = (table: Insert['table'], what: string) => {
  if (isSampleTable(table)) return
  throw scriptFault(table.at, `only SAMPLE can be ${what}${suggestion(table.name, ['SAMPLE'])}`)
}

// ---- INSERT ----

const sampleColumns = ['CID', 'ID', 'TIME', 'SAMPLE'] as const
const optionNames = ['compTmplId', 'folder', 'dtId', 'dsId'] as const

const insertOf = (checking: Checking, insert: Insert): Action => {
  refuseOtherTables(insert.table, 'inserted into')
  const words = insert.columns ?? sampleColumns.map((text) => ({ text, at: insert.at }))
  const names = words.map(({ text, at }, index) => {
    const name = sampleColumns.find((one) => same(one, text))
    if (!name) throw scriptFault(at, `unknown column '${text}' of SAMPLE${nearestOrAll(text, sampleColumns)}`)
    if (words.findIndex((one) => same(one.text, text)) < index) throw scriptFault(at, `column '${text}' is there twice`)
    return name
  })
  for (const name of ['CID', 'ID', 'SAMPLE'] as const)
    if (!names.includes(name)) throw scriptFault(insert.at, `INSERT INTO SAMPLE needs the column ${name}`)
  const placeOf = (name: (typeof sampleColumns)[number]) => valuePlace(insert, names.indexOf(name))
  const query = checking.query(insert.query, emptyScope, (types) => {
    if (types.length !== names.length)
      throw scriptFault(insert.query.at, `${types.length} columns here, but INSERT names ${names.length}`)
    return types.map((type, index) => {
      const name = names[index]!
      if (name === 'TIME' && type === 'BOOLEAN') throw scriptFault(first(placeOf(name)), 'TIME is a BOOLEAN')
      // A value that is no time is reported with its row (run.ts).
      return name === 'SAMPLE' || (name === 'TIME' && type !== 'NULL') ? type : name === 'TIME' ? 'LONG' : 'STRING'
    })
  })
  return {
    kind: 'insert',
    query,
    columns: {
      cid: names.indexOf('CID'),
      id: names.indexOf('ID'),
      time: names.includes('TIME') ? names.indexOf('TIME') : undefined,
      sample: names.indexOf('SAMPLE'),
    },
    options: optionsOf(checking, insert),
    places: {
      cid: placeOf('CID'),
      id: placeOf('ID'),
      time: placeOf('TIME'),
      sample: placeOf('SAMPLE'),
      options: Object.fromEntries(insert.options.map(({ name, value }) => [optionNamed(name.text)!, value.at])),
    },
  }
}

/** The value itself; where several queries make the rows, the name of its column. */
const valuePlace = ({ at, columns, query }: Insert, index: number): Position | readonly Position[] => {
  const [{ body }, another] = query.terms as [QueryTerm, QueryTerm?]
  const named = columns?.[index]?.at ?? at
  if (another || index < 0) return named
  if (body.kind === 'values')
    return query.orderBy.length > 0 || query.limit ? named : body.rows.map((row) => row[index]!.at)
  const item = body.items.every(({ kind }) => kind === 'one') ? body.items[index] : undefined
  return item?.kind === 'one' ? item.value.at : named
}

const first = (place: Position | readonly Position[]): Position => ('line' in place ? place : place[0]!)

const optionNamed = (text: string) => optionNames.find((one) => same(one, text))

const optionsOf = (checking: Checking, insert: Insert): InsertOptions => {
  const options: Partial<Record<InsertOption, Term>> = {}
  for (const { name, value } of insert.options) {
    const known = optionNamed(name.text)
    if (!known) {
      const names = optionNames.map((one) => one.toUpperCase())
      throw scriptFault(name.at, `unknown option '${name.text}'${nearestOrAll(name.text, names)}`)
    }
    if (options[known]) throw scriptFault(name.at, `option '${name.text}' is there twice`)
    const term = toText(checking.expression(value, { scope: emptyScope, aggregates: 'in WITH' }))
    if (term.kind !== 'constant' && term.kind !== 'variable')
      throw scriptFault(value.at, `${known.toUpperCase()} must be a text in quotes or a @variable`)
    if (known === 'folder' && term.kind === 'constant' && term.value !== null)
      refusedAt(value.at, () => folderPath(String(term.value)))
    options[known] = term
  }
  if ((options.dtId === undefined) !== (options.dsId === undefined)) {
    const alone = insert.options.find(({ name }) => /^d[ts]id$/i.test(name.text))!
    throw scriptFault(alone.name.at, 'DTID and DSID go together')
  }
  return options
}

// ---- UPDATE and DELETE ----

const updateOf = (checking: Checking, update: Update): Action => {
  refuseOtherTables(update.table, 'updated')
  for (const { column } of update.assignments)
    if (!same(column.text, 'sample'))
      throw scriptFault(column.at, `only the column SAMPLE can be set, not '${column.text}'`)
  if (update.assignments.length > 1)
    throw scriptFault(update.assignments[1]!.column.at, "column 'SAMPLE' is there twice")
  return {
    kind: 'update',
    query: checking.query(storedSamples(update, update.assignments[0]!.value), emptyScope),
    sampleAt: update.assignments[0]!.value.at,
  }
}

/** SELECT cid, id, time [, value] FROM all samples WHERE ... */
const storedSamples = ({ at, where, kind }: Update | Delete, value: Expression | undefined): Query => {
  const verb = kind.toUpperCase()
  const given = where ? conjuncts(where) : []
  for (const name of ['CID', 'ID'])
    if (!given.some((one) => fixes(one, name)))
      throw scriptFault(where?.at ?? at, `${verb} needs ${name} = ... or ${name} IN (...) in its WHERE`)
  const column = (name: string): SelectItem => ({
    kind: 'one',
    at,
    value: { kind: 'column', at, table: undefined, name },
    alias: undefined,
    text: name,
  })
  const items = ['cid', 'id', 'time'].map(column)
  if (value) items.push({ kind: 'one', at, value, alias: undefined, text: 'sample' })
  return {
    at,
    commonTables: [],
    terms: [
      {
        at,
        operator: undefined,
        body: {
          kind: 'select',
          at,
          distinct: false,
          items,
          from: [{ at, join: 'cross', on: undefined, source: { kind: 'samples', at }, alias: undefined }],
          where,
          groupBy: [],
          having: undefined,
        },
      },
    ],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

const conjuncts = (expression: Expression): readonly Expression[] =>
  expression.kind === 'logic' && expression.operator === 'and' ? expression.operands.flatMap(conjuncts) : [expression]

/** A text in double quotes is a column where there is one of that name. */
const columnIn = (expression: Expression): string | undefined => {
  if (expression.kind === 'column') return expression.name
  return expression.kind === 'quoted' && streamColumn(expression.text) !== undefined ? expression.text : undefined
}

const isColumn = (expression: Expression, name: string): boolean => {
  const column = columnIn(expression)
  return column !== undefined && same(column, name)
}

const fixes = (expression: Expression, name: string): boolean => {
  if (expression.kind === 'in list' || expression.kind === 'in query')
    return !expression.negated && isColumn(expression.operand, name)
  if (expression.kind !== 'comparison' || expression.operator !== '=') return false
  const sides = [expression.left, expression.right]
  return sides.some((one) => isColumn(one, name)) && sides.some((one) => columnIn(one) === undefined)
}
