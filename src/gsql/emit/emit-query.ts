// Queries: common tables, SELECT and VALUES, the operators that join them, their order and limits.
import type { CommonPlan, QueryPlan, SelectPlan, Term, ValuesPlan } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { canFail } from '../plan/terms.ts'
import { columnNames, fromText } from './emit-table.ts'
import type { Writer } from './emitted.ts'

export const withText = (writer: Writer, commons: readonly CommonPlan[]): string => {
  if (commons.length === 0) return ''
  const parts = commons.map(
    ({ id, query }) => `w${id}(${columnNames(query.columns.length)}) as (${innerText(writer, query)})`,
  )
  return `with ${parts.join(', ')} `
}

export const innerText = (writer: Writer, query: QueryPlan): string =>
  `${queryText(writer, query)}${writer.isApart(query) ? ' offset 0' : ''}`

export const queryText = (writer: Writer, query: QueryPlan): string => {
  const commons = withText(writer, query.commons)
  const body = compoundText(writer, query.terms)
  if (query.order.length === 0 && !query.limit && !query.offset) return commons + body
  const order = query.order.flatMap(({ column, type, descending, nulls }) => {
    const name = `o.c${column + 1}`
    const direction = `${descending ? 'desc' : 'asc'} nulls ${nulls}`
    return orderKeys(name, type).map((key) => `${key} ${direction}`)
  })
  const limit = query.limit && `limit ${limitText(writer.term(query.limit))}`
  const offset = query.offset && `offset greatest(${writer.term(query.offset)}, 0)`
  return [
    `${commons}select ${query.columns.map((_, index) => `o.c${index + 1}`).join(', ')} from (${body}) o`,
    order.length > 0 ? `order by ${order.join(', ')}` : '',
    limit ?? '',
    offset ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** As in SQLite, a negative LIMIT is none. The value, which may be a query, is written once. */
const limitText = (value: string) => `nullif(greatest(${value}, -1), -1)`

/** Rows of any type: numbers before texts, as in SQLite. */
const orderKeys = (name: string, type: Type): readonly string[] => {
  if (type === 'ANY') return [`gs.rank_of(${name})`, `gs.numeric_in(${name})`, `gs.text_in(${name}) collate "C"`]
  return type === 'STRING' || type === 'NULL' ? [`${name} collate "C"`] : [name]
}

const compoundText = (writer: Writer, terms: QueryPlan['terms']): string => {
  // INTERSECT binds tighter in Postgres; in GS SQL, as in SQLite, all are taken from left to right.
  const nests = terms.some(({ operator }) => operator === 'intersect')
  return terms.reduce((text, { operator, body }, index) => {
    const own = body.kind === 'select' ? selectText(writer, body) : valuesText(writer, body)
    return index === 0 ? own : `${nests ? `(${text})` : text} ${operator} ${own}`
  }, '')
}

const valuesText = (writer: Writer, { rows }: ValuesPlan): string => {
  const tuples = rows.map((row) => `(${row.map(writer.term).join(', ')})`).join(', ')
  return `select * from (values ${tuples}) v(${columnNames(rows[0]!.length)})`
}

const selectText = (writer: Writer, plan: SelectPlan): string => {
  const items = plan.items.map((item, index) => `${writer.term(item)} as c${index + 1}`).join(', ')
  const keys = plan.group?.keys.map((key, index) => `${writer.term(key)} as k${index + 1}`) ?? []
  const group = keys.length > 0 ? `(select ${keys.join(', ')}) g${plan.group!.id}` : ''
  // Groups have no order, and aggregates that take rows in theirs say so.
  const order = plan.group || plan.distinct ? 'any' : 'ordered'
  const tables = plan.from.length > 0 ? fromText(writer, plan.from, order) : ''
  const from = tables && group ? `${tables} cross join lateral ${group}` : tables || group
  return [
    `select ${plan.distinct ? 'distinct ' : ''}${items}`,
    from && `from ${from}`,
    plan.where && `where ${whereText(writer, plan.where)}`,
    keys.length > 0 && `group by ${keys.map((_, index) => `g${plan.group!.id}.k${index + 1}`).join(', ')}`,
    plan.having && `having ${writer.term(plan.having)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Postgres tests the parts of a WHERE in the order that it finds cheapest, so a part could fail on a row that an
 * earlier one rules out. A whole with IS TRUE behind it is tested from left to right. The parts that cannot fail are
 * said once more by themselves, for the planner.
 */
export const whereText = (writer: Writer, where: Term): string => {
  if (!canFail(where)) return writer.term(where)
  const parts = where.kind === 'infix' && where.operator === 'and' ? where.operands : [where]
  const safe = parts.filter((part) => !canFail(part)).map(writer.term)
  return [...safe, `(${writer.term(where)}) is true`].join(' and ')
}
