// Parse tree to syntax tree (ast.ts): words become values, spelling variants (== and =, && and AND, INTEGER
// digits and their sign) become one. Nothing is looked up here. Scripts and statements; their queries, expressions
// and words are in build-query.ts, build-expression.ts and build-word.ts.
import type { Script, Statement } from './ast.ts'
import { buildExpression, buildQuery, commonTables, queryBody, tableName } from './build-query.ts'
import { variableName, anyNameWord, at, optional } from './build-word.ts'
import { scriptFault } from '../fault.ts'
import type * as tree from './generated/GsSqlParser.ts'

export const buildScript = (context: tree.ScriptContext): Script => {
  const statements = context.statement().map(statement)
  if (statements.length === 0) throw scriptFault({ line: 1, column: 1 }, 'the script is empty')
  return { statements }
}

const statement = (context: tree.StatementContext): Statement => {
  const set = context.setVariable()
  if (set) {
    const variable = set.VARIABLE()
    return {
      kind: 'set',
      at: at(set),
      variable: { at: at(variable), text: variableName(variable) },
      value: buildExpression(set.expression()),
    }
  }
  const update = context.update()
  if (update)
    return {
      kind: 'update',
      at: at(update),
      table: tableName(update.tableName()),
      assignments: update
        .assignment()
        .map((one) => ({ column: anyNameWord(one.anyName()), value: buildExpression(one.expression()) })),
      where: optional(update.expression(), buildExpression),
    }
  const remove = context.delete()
  if (remove)
    return {
      kind: 'delete',
      at: at(remove),
      table: tableName(remove.tableName()),
      where: optional(remove.expression(), buildExpression),
    }
  const leading = commonTables(context.withClause())
  const insert = context.insert()
  if (insert) {
    const columns = insert.anyName().map(anyNameWord)
    const query = buildQuery(insert.query())
    return {
      kind: 'insert',
      at: at(insert),
      table: tableName(insert.tableName()),
      columns: columns.length > 0 ? columns : undefined,
      options: insert
        .insertOption()
        .map((one) => ({ name: anyNameWord(one.anyName()), value: buildExpression(one.expression()) })),
      query: { ...query, commonTables: [...leading, ...query.commonTables] },
    }
  }
  const body = context.queryBody()!
  return { kind: 'select', at: at(context), query: queryBody(body, leading, at(context)) }
}
