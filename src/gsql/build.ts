// Parse tree to syntax tree (ast.ts): words become values, spelling variants (== and =, && and AND, INTEGER
// digits and their sign) become one. Nothing is looked up here.
import type { ParserRuleContext, TerminalNode, Token } from 'antlr4ng'
import { shorten } from '../base/errors.ts'
import type {
  Arithmetic,
  CommonTable,
  Comparison,
  Expression,
  FromItem,
  OrderTerm,
  Query,
  QueryTerm,
  Script,
  SelectBody,
  SelectItem,
  SetOperator,
  Statement,
  TableColumn,
  TableName,
  TableSource,
  ValuesBody,
  Word,
} from './ast.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import * as tree from './generated/GsSqlParser.ts'
import { positionOf } from './parse.ts'

/** Operations one inside the other, as in a + b + c + ...: whatever walks the tree recurses that deep. */
export const maxDepth = 500

export const buildScript = (context: tree.ScriptContext): Script => {
  const statements = context.statement().map(statement)
  if (statements.length === 0) throw scriptFault({ line: 1, column: 1 }, 'the script is empty')
  return { statements }
}

// ---- statements ----

const statement = (context: tree.StatementContext): Statement => {
  const set = context.setVariable()
  if (set) {
    const variable = set.VARIABLE()
    return {
      kind: 'set',
      at: at(set),
      variable: { at: at(variable), text: variableName(variable) },
      value: top(set.expression()),
    }
  }
  const update = context.update()
  if (update)
    return {
      kind: 'update',
      at: at(update),
      table: tableName(update.tableName()),
      assignments: update.assignment().map((one) => ({ column: nameWord(one.name()), value: top(one.expression()) })),
      where: optional(update.expression(), top),
    }
  const remove = context.delete()
  if (remove)
    return {
      kind: 'delete',
      at: at(remove),
      table: tableName(remove.tableName()),
      where: optional(remove.expression(), top),
    }
  const leading = commonTables(context.withClause())
  const insert = context.insert()
  if (insert) {
    const columns = insert.name().map(nameWord)
    const query = buildQuery(insert.query())
    return {
      kind: 'insert',
      at: at(insert),
      table: tableName(insert.tableName()),
      columns: columns.length > 0 ? columns : undefined,
      options: insert.insertOption().map((one) => ({ name: nameWord(one.name()), value: top(one.expression()) })),
      query: { ...query, commonTables: [...leading, ...query.commonTables] },
    }
  }
  const body = context.queryBody()!
  return { kind: 'select', at: at(context), query: queryBody(body, leading, at(context)) }
}

// ---- queries ----

const buildQuery = (context: tree.QueryContext): Query =>
  queryBody(context.queryBody(), commonTables(context.withClause()), at(context))

const commonTables = (context: tree.WithClauseContext | null): readonly CommonTable[] =>
  context?.commonTable().map((one) => {
    const [name, ...columns] = one.name().map(nameWord)
    return { name: name!, columns: columns.length > 0 ? columns : undefined, query: buildQuery(one.query()) }
  }) ?? []

const queryBody = (context: tree.QueryBodyContext, leading: readonly CommonTable[], position: Position): Query => {
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
    limit: optional(limits[0] ?? null, top),
    offset: optional(limits[1] ?? null, top),
  }
}

const setOperator = (context: tree.SetOperatorContext): SetOperator =>
  context.EXCEPT() ? 'except' : context.INTERSECT() ? 'intersect' : context.ALL() ? 'union all' : 'union'

const termBody = (context: tree.SelectTermContext): SelectBody | ValuesBody => {
  const values = context.values()
  if (values) return { kind: 'values', at: at(values), rows: values.valueRow().map((row) => row.expression().map(top)) }
  const select = context.select()!
  return {
    kind: 'select',
    at: at(select),
    distinct: select.DISTINCT() !== null,
    items: select.selectItem().map(selectItem),
    from: fromItems(select.tables()),
    where: optional(select.expression(), top),
    groupBy: select.groupBy()?.expression().map(top) ?? [],
    having: optional(select.having()?.expression() ?? null, top),
  }
}

const selectItem = (context: tree.SelectItemContext): SelectItem => {
  if (context instanceof tree.AllColumnsContext) return { kind: 'all', at: at(context), table: undefined }
  if (context instanceof tree.TableColumnsContext)
    return { kind: 'all', at: at(context), table: anyNameWord(context.anyName()) }
  const one = context as tree.OneColumnContext
  const value = top(one.expression())
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
  return { value: top(context.expression()), descending, nulls: first ? 'first' : 'last' }
}

// ---- tables ----

const fromItems = (context: tree.TablesContext | null): readonly FromItem[] =>
  (context?.children ?? []).flatMap((child): readonly FromItem[] => {
    if (child instanceof tree.TableContext) return [fromItem(child, 'cross', undefined, at(child))]
    if (child instanceof tree.CrossJoinContext) return [fromItem(child.table(), 'cross', undefined, at(child))]
    if (child instanceof tree.InnerJoinContext)
      return [fromItem(child.table(), 'inner', optional(child.expression(), top), at(child))]
    if (child instanceof tree.LeftJoinContext)
      return [fromItem(child.table(), 'left', optional(child.expression(), top), at(child))]
    return []
  })

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
      arguments: context.expression().map(top),
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

const tableName = (context: tree.TableNameContext): TableName => {
  const words = context.anyName().map(anyNameWord)
  return { at: at(context), qualifier: words.length > 1 ? words[0]!.text : undefined, name: words.at(-1)!.text }
}

// ---- expressions ----

const top = (context: tree.ExpressionContext) => expression(context, 0)

// Operators of one rank lean to the left, so a long chain of them is a deep tree. The left edge is walked down in
// a loop, and the depth of what lies there is counted before anything recurses into it.

const expression = (context: tree.ExpressionContext, depth: number): Expression => {
  const [first, tails] = leftEdge(context, (one) =>
    one instanceof tree.PlainContext || one instanceof tree.NotContext ? null : leftOf(one),
  )
  let left =
    first instanceof tree.NotContext
      ? ({
          kind: 'not',
          at: at(first),
          operand: expression(first.expression(), deeper(depth + tails.length, first)),
        } as const)
      : value((first as tree.PlainContext).value(), depth + tails.length)
  for (const [index, tail] of tails.entries()) left = condition(left, tail, depth + tails.length - index)
  return left
}

const leftOf = (context: tree.ExpressionContext) => context.getRuleContext(0, tree.ExpressionContext)

/** The operator that joins what is on its left, built already, with what is on its right. */
const condition = (operand: Expression, context: tree.ExpressionContext, depth: number): Expression => {
  const negated = context.getTokens(tree.GsSqlParser.NOT).length > 0
  const sign = context.children[1] as TerminalNode
  const position = operand.at
  if (context instanceof tree.AndContext || context instanceof tree.OrContext) {
    const operator = context instanceof tree.AndContext ? 'and' : 'or'
    const right = expression(context.expression(1)!, deeper(depth, context))
    // a AND b AND c is one list and not a tree, however long.
    if (operand.kind === 'logic' && operand.operator === operator && !isNested(context.expression(0)!))
      return { ...operand, operands: [...operand.operands, right] }
    return { kind: 'logic', at: position, operator, operands: [operand, right] }
  }
  if (context instanceof tree.CompareContext)
    return {
      kind: 'comparison',
      at: position,
      operator: comparisonOf(sign.getText()),
      left: operand,
      right: value(context.value(), deeper(depth, context)),
    }
  if (context instanceof tree.IsNullContext) return { kind: 'is null', at: position, negated, operand }
  if (context instanceof tree.LikeContext)
    return {
      kind: 'like',
      at: position,
      negated,
      operand,
      pattern: value(context.value(0)!, deeper(depth, context)),
      escape: optional(context.value(1), (one) => value(one, deeper(depth, context))),
    }
  if (context instanceof tree.InQueryContext)
    return { kind: 'in query', at: position, negated, operand, query: buildQuery(context.query()) }
  if (context instanceof tree.InListContext)
    return {
      kind: 'in list',
      at: position,
      negated,
      operand,
      list: context
        .expression()
        .slice(1)
        .map((one) => expression(one, deeper(depth, context))),
    }
  const between = context as tree.BetweenContext
  return {
    kind: 'between',
    at: position,
    negated,
    operand,
    low: value(between.value(0)!, deeper(depth, context)),
    high: value(between.value(1)!, deeper(depth, context)),
  }
}

const isNested = (context: tree.ExpressionContext) =>
  context instanceof tree.PlainContext && context.value() instanceof tree.NestedContext

const comparisonOf = (sign: string): Comparison => (sign === '==' ? '=' : sign === '!=' ? '<>' : (sign as Comparison))

const value = (context: tree.ValueContext, depth: number): Expression => {
  const [first, tails] = leftEdge(context, (one) =>
    one instanceof tree.ProductContext || one instanceof tree.SumContext ? one.value(0) : null,
  )
  let left = primary(first, deeper(depth + tails.length, first))
  for (const [index, tail] of tails.entries()) {
    const sign = tail.children[1] as TerminalNode
    const right = (tail as tree.ProductContext | tree.SumContext).value(1)!
    left = {
      kind: 'arithmetic',
      at: left.at,
      sign: at(sign),
      operator: sign.getText() as Arithmetic,
      left,
      right: value(right, deeper(depth + tails.length - index, right)),
    }
  }
  return left
}

/** The leftmost operand, and the operators above it from the innermost to the outermost. */
const leftEdge = <T extends ParserRuleContext>(context: T, left: (context: T) => T | null): [T, readonly T[]] => {
  const operators: T[] = []
  let first = context
  for (let next = left(first); next; next = left(first)) {
    operators.push(first)
    first = next
  }
  return [first, operators.toReversed()]
}

const primary = (context: tree.ValueContext, depth: number): Expression => {
  const position = at(context)
  const below = (inner: tree.ExpressionContext) => expression(inner, deeper(depth, inner))
  if (context instanceof tree.IntegerContext)
    return { kind: 'literal', at: position, value: integer(context.INTEGER(), false) }
  if (context instanceof tree.DecimalContext) return { kind: 'literal', at: position, value: decimal(context) }
  if (context instanceof tree.DurationContext) return { kind: 'duration', at: position, text: context.getText() }
  if (context instanceof tree.TextContext) return { kind: 'literal', at: position, value: unquote(context.getText()) }
  if (context instanceof tree.TrueContext) return { kind: 'literal', at: position, value: true }
  if (context instanceof tree.FalseContext) return { kind: 'literal', at: position, value: false }
  if (context instanceof tree.NullContext) return { kind: 'literal', at: position, value: null }
  if (context instanceof tree.VariableContext)
    return { kind: 'variable', at: position, name: variableName(context.VARIABLE()), text: context.getText() }
  if (context instanceof tree.CastContext)
    return {
      kind: 'cast',
      at: position,
      operand: below(context.expression()),
      type: nameWord(context.name()),
      lenient: context.TRY_CAST() !== null,
    }
  if (context instanceof tree.CaseContext) return caseOf(context, below)
  if (context instanceof tree.ExistsContext) return { kind: 'exists', at: position, query: buildQuery(context.query()) }
  if (context instanceof tree.CallContext)
    return {
      kind: 'call',
      at: position,
      name: context.functionName().getText(),
      distinct: context.DISTINCT() !== null,
      star: context.STAR() !== null,
      arguments: context.expression().map(below),
    }
  if (context instanceof tree.QualifiedColumnContext) {
    const [table, name] = context.anyName().map(anyNameWord).slice(-2)
    return { kind: 'column', at: position, table: table!, name: name!.text }
  }
  if (context instanceof tree.ColumnContext)
    return { kind: 'column', at: position, table: undefined, name: nameWord(context.name()).text }
  if (context instanceof tree.QuotedContext) return { kind: 'quoted', at: position, text: unquote(context.getText()) }
  if (context instanceof tree.ScalarQueryContext)
    return { kind: 'scalar query', at: position, query: buildQuery(context.query()) }
  if (context instanceof tree.NestedContext) return below(context.expression())
  return signed(context as tree.SignContext, depth)
}

const signed = (context: tree.SignContext, depth: number): Expression => {
  const negative = context.MINUS() !== null
  const inner = context.value()
  // The least LONG has no positive twin, so a sign before digits is part of the number.
  if (inner instanceof tree.IntegerContext)
    return { kind: 'literal', at: at(context), value: integer(inner.INTEGER(), negative) }
  return { kind: 'sign', at: at(context), negative, operand: value(inner, deeper(depth, context)) }
}

const caseOf = (context: tree.CaseContext, below: (inner: tree.ExpressionContext) => Expression): Expression => {
  // Without the branches, what is left is the operand before WHEN and the value after ELSE.
  const others = context.expression()
  const operand = context.children[1] instanceof tree.WhenClauseContext ? undefined : others[0]
  const otherwise = context.ELSE() ? others.at(-1) : undefined
  return {
    kind: 'case',
    at: at(context),
    operand: operand && below(operand),
    branches: context
      .whenClause()
      .map((one) => ({ when: below(one.expression(0)!), result: below(one.expression(1)!) })),
    otherwise: otherwise && below(otherwise),
  }
}

const deeper = (depth: number, context: ParserRuleContext): number => {
  if (depth >= maxDepth) throw scriptFault(at(context), `more than ${maxDepth} operations inside each other`)
  return depth + 1
}

// ---- words ----

const integer = (digits: TerminalNode, negative: boolean): bigint => {
  const number = negative ? -BigInt(digits.getText()) : BigInt(digits.getText())
  if (BigInt.asIntN(64, number) !== number)
    throw scriptFault(at(digits), `${shorten(digits.getText(), 40)} does not fit in a LONG`)
  return number
}

const decimal = (context: ParserRuleContext): number => {
  const number = Number(context.getText())
  if (!Number.isFinite(number))
    throw scriptFault(at(context), `${shorten(context.getText(), 40)} does not fit in a DOUBLE`)
  return number
}

/** Variables are named without the @, in lower case. */
const variableName = (node: TerminalNode) => node.getText().slice(1).toLowerCase()

const nameWord = (context: tree.NameContext): Word => {
  const delimited = context.DELIMITED()
  const text = context.getText()
  return { at: at(context), text: delimited ? text.slice(1, -1) : text }
}

const anyNameWord = (context: tree.AnyNameContext): Word => {
  const name = context.name()
  return name ? nameWord(name) : { at: at(context), text: unquote(context.getText()) }
}

const aliasWord = (alias: tree.AliasNameContext | null, bare: tree.BareNameContext | null): Word | undefined => {
  const name = alias?.anyName()
  if (name) return anyNameWord(name)
  const given = alias ?? bare
  if (!given) return undefined
  const text = given.getText()
  return { at: at(given), text: /^['"]/.test(text) ? unquote(text) : text.replace(/^[`[](.*)[`\]]$/s, '$1') }
}

/** Takes the quotes off; inside, two of them stand for one. */
const unquote = (text: string) => text.slice(1, -1).replaceAll(text[0]!.repeat(2), text[0]!)

const sourceText = (context: ParserRuleContext) =>
  context.start!.inputStream!.getTextFromRange(context.start!.start, context.stop!.stop)

const at = (node: ParserRuleContext | TerminalNode | Token): Position => {
  if ('symbol' in node) return positionOf(node.symbol)
  if ('start' in node && typeof node.start === 'object') return positionOf(node.start)
  return positionOf(node as Token)
}

const optional = <T, R>(given: T | null, build: (given: T) => R): R | undefined =>
  given === null ? undefined : build(given)
