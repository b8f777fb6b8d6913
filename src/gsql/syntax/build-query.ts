// Queries and the tables in their FROM, from parse tree to syntax tree.
import type {
  CommonTable,
  Expression,
  FromItem,
  OrderTerm,
  Query,
  QueryTerm,
  SelectBody,
  SelectItem,
  SetOperator,
  TableColumn,
  TableName,
  TableSource,
  ValuesBody,
} from './ast.ts'
import { expressionBuilder } from './build-expression.ts'
import { anyNameWord, aliasWord, unquote, sourceText, at, optional } from './build-word.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import * as tree from './generated/GsSqlParser.ts'

export const buildQuery = (context: tree.QueryContext): Query =>
  queryBody(context.queryBody(), commonTables(context.withClause()), at(context))

export const buildExpression = expressionBuilder(buildQuery)

export const commonTables = (context: tree.WithClauseContext | null): readonly CommonTable[] =>
  context?.commonTable().map((one) => {
    const [name, ...columns] = one.anyName().map(anyNameWord)
    return { name: name!, columns: columns.length > 0 ? columns : undefined, query: buildQuery(one.query()) }
  }) ?? []

export const queryBody = (
  context: tree.QueryBodyContext,
  leading: readonly CommonTable[],
  position: Position,
): Query => {
  const operators = context.setOperator()
  const limits = context.limit()?.expression() ?? []
  return {
    at: position,
    commonTables: leading,
    terms: context.selectTerm().map((term, index): QueryTerm => {
      const operator = index === 0 ? undefined : operators[index - 1]!
      return { at: at(operator ?? term), operator: operator && setOperator(operator), body: termBody(term) }
    }),
    orderBy: context.orderBy()?.orderTerm().map(orderTerm) ?? [],
    limit: optional(limits[0] ?? null, buildExpression),
    offset: optional(limits[1] ?? null, buildExpression),
  }
}

const setOperator = (context: tree.SetOperatorContext): SetOperator =>
  context.EXCEPT() ? 'except' : context.INTERSECT() ? 'intersect' : context.ALL() ? 'union all' : 'union'

const termBody = (context: tree.SelectTermContext): SelectBody | ValuesBody => {
  const values = context.values()
  if (values)
    return {
      kind: 'values',
      at: at(values),
      rows: values.valueRow().map((row) => row.expression().map(buildExpression)),
    }
  const select = context.select()!
  return {
    kind: 'select',
    at: at(select),
    distinct: select.DISTINCT() !== null,
    items: select.selectItem().map(selectItem),
    from: fromItems(select.tables()),
    where: optional(select.expression(), buildExpression),
    groupBy: select.groupBy()?.expression().map(buildExpression) ?? [],
    having: optional(select.having()?.expression() ?? null, buildExpression),
  }
}

const selectItem = (context: tree.SelectItemContext): SelectItem => {
  if (context instanceof tree.AllColumnsContext) return { kind: 'all', at: at(context), table: undefined }
  if (context instanceof tree.TableColumnsContext)
    return { kind: 'all', at: at(context), table: anyNameWord(context.anyName()) }
  const one = context as tree.OneColumnContext
  const value = buildExpression(one.expression())
  const written = sourceText(one.expression())
  return {
    kind: 'one',
    at: at(context),
    value,
    alias: aliasWord(one.aliasName(), one.bareName()),
    text: value.kind === 'column' ? value.name : value.kind === 'quoted' ? value.text : written,
  }
}

const orderTerm = (context: tree.OrderTermContext): OrderTerm => {
  const descending = context.DESC() !== null
  const first = context.FIRST() !== null || (context.LAST() === null && !descending)
  return { value: buildExpression(context.expression()), descending, nulls: first ? 'first' : 'last' }
}

// ---- tables ----

const fromItems = (context: tree.TablesContext | null): readonly FromItem[] =>
  (context?.children ?? []).flatMap((child): readonly FromItem[] => {
    if (child instanceof tree.TableContext) return [fromItem(child, 'cross', undefined, at(child))]
    if (child instanceof tree.CrossJoinContext) return [fromItem(child.table(), 'cross', undefined, at(child))]
    if (child instanceof tree.InnerJoinContext)
      return [fromItem(child.table(), 'inner', joinCondition(child.joinCondition()), at(child))]
    if (child instanceof tree.OuterJoinContext) {
      const join = child.LEFT() ? 'left' : child.RIGHT() ? 'right' : 'full'
      return [fromItem(child.table(), join, joinCondition(child.joinCondition()), at(child))]
    }
    if (child instanceof tree.NaturalJoinContext)
      throw scriptFault(at(child), 'NATURAL JOIN is not part of GS SQL, write JOIN ... ON a.x = b.x')
    return []
  })

const joinCondition = (context: tree.JoinConditionContext | null): Expression | undefined => {
  const using = context?.USING()
  if (using) throw scriptFault(at(using), 'USING is not part of GS SQL, write ON a.x = b.x')
  return optional(context?.expression() ?? null, buildExpression)
}

const fromItem = (
  context: tree.TableContext,
  join: FromItem['join'],
  on: Expression | undefined,
  position: Position,
): FromItem => ({
  at: position,
  join,
  on,
  source: tableSource(context.tableSource()),
  alias: aliasWord(context.aliasName(), context.bareName()),
})

const tableSource = (context: tree.TableSourceContext): TableSource => {
  if (context instanceof tree.QueryTableContext)
    return { kind: 'query', at: at(context), query: buildQuery(context.query()) }
  if (context instanceof tree.TableFunctionContext)
    return {
      kind: 'function',
      at: at(context),
      name: anyNameWord(context.anyName()).text,
      arguments: context.expression().map(buildExpression),
      columns: context.WITH() ? context.tableColumn().map(tableColumn) : undefined,
    }
  return { kind: 'named', ...tableName((context as tree.NamedTableContext).tableName()) }
}

const tableColumn = (context: tree.TableColumnContext): TableColumn => {
  const [name, type] = context.anyName().map(anyNameWord)
  const path = context.STRING() ?? context.QUOTED()
  const position = context.INTEGER()
  return {
    at: at(context),
    position: position ? Number(position.getText()) : undefined,
    name: name!,
    type: type!,
    path: path ? { at: at(path), text: unquote(path.getText()) } : undefined,
  }
}

export const tableName = (context: tree.TableNameContext): TableName => {
  const words = context.anyName().map(anyNameWord)
  return { at: at(context), qualifier: words.length > 1 ? words[0]!.text : undefined, name: words.at(-1)!.text }
}
