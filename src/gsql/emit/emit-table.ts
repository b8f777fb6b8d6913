// The tables of a FROM: inner queries, common tables, rows of texts, streams, and how they are joined.
import type { JoinPlan, Relation, Term } from '../plan/plan.ts'
import type { Type } from '../value.ts'
import { sqlTypes } from '../check/types.ts'
import { emitStream } from './emit-stream.ts'
import type { Writer } from './emitted.ts'

/** The table, of its own connection, that holds an import's rows: c1, c2 ..., and n, the number of a row. */
export const spoolName = (spool: number) => `pg_temp.spool_${spool}`

/**
 * Its rows in their order. The place of a row says nothing of that: Postgres puts a later, narrower one into the room that a
 * page before has left (6,116 of a million whose texts have up to 96 letters).
 */
export const spoolInOrder = (spool: number) => `${spoolName(spool)} order by n`

export const columnNames = (count: number) => Array.from({ length: count }, (_, index) => `c${index + 1}`).join(', ')

/** 'ordered': rows come in the order of the first table's, as far as a join keeps it. */
export const fromText = (writer: Writer, joins: readonly JoinPlan[], order: 'ordered' | 'any'): string =>
  joins.reduce((left, { join, relation, on }) => {
    if (join === 'full') return fullText(writer, left, relation, on!)
    const table = tableText(writer, relation, left === '' ? order : 'any')
    const conditions = [...keyedBy(writer, relation), ...(on ? [writer.term(on)] : [])]
    if (left === '') return conditions.length > 0 ? `(select) z join ${table} on ${conditions.join(' and ')}` : table
    if (conditions.length === 0) return `${left} cross join ${table}`
    return `${left} ${join === 'left' || join === 'right' ? `${join} ` : ''}join ${table} on ${conditions.join(' and ')}`
  }, '')

/**
 * Postgres has FULL JOIN for equalities only. For any condition it is a LEFT JOIN, and below that the rows of the table
 * that no row on the left fits, as b1: a row has t1 or b1, and its columns are those of the one it has.
 */
const fullText = (writer: Writer, left: string, relation: Relation, on: Term): string => {
  const { id } = relation
  const table = tableText(writer, relation, 'any')
  writer.single.add(id)
  const condition = writer.term(on)
  writer.single.delete(id)
  const others = `select * from ${table} where not exists (select from ${left} where ${condition})`
  return `${left} left join ${table} on ${condition} full join (${others}) b${id} on false`
}

/** The rows that were read from a text belong to the rows that have the text. */
const keyedBy = (writer: Writer, { id, origin }: Relation): readonly string[] =>
  origin.kind === 'source' && origin.source.asked && origin.source.asked.left.length > 0
    ? [`t${id}.k = ${writer.term(origin.source.text)}`]
    : []

const tableText = (writer: Writer, relation: Relation, order: 'ordered' | 'any'): string => {
  const { id, origin, columns, isNumbered } = relation
  const names = columnNames(columns.length)
  const numbered = (table: string) => (isNumbered ? `(select n.*, row_number() over () as r from ${table} n)` : table)
  switch (origin.kind) {
    case 'query': {
      const query = `(${writer.inner(origin.query)})`
      return `${numbered(query)} t${id}(${names}${isNumbered ? ', r' : ''})`
    }
    case 'common':
      return `${numbered(`w${origin.common}`)} t${id}`
    case 'source': {
      const { index, asked } = origin.source
      const spool = writer.origins.spools.get(index)
      if (spool !== undefined) {
        const rows = order === 'ordered' ? `(select ${names}, n from ${spoolInOrder(spool)})` : spoolName(spool)
        return `${rows} t${id}(${names}, r)`
      }
      const array = (column: number | 'text', type: Type) =>
        writer.parameter(`source ${index} ${column}`, `${sqlTypes[type]}[]`, { kind: 'source', source: index, column })
      const isKeyed = asked !== undefined && asked.left.length > 0
      const arrays = columns.map((column, position) => array(position, column.type))
      const all = isKeyed ? [array('text', 'STRING'), ...arrays] : arrays
      const number = isNumbered ? ' with ordinality' : ''
      return `unnest(${all.join(', ')})${number} t${id}(${isKeyed ? 'k, ' : ''}${names}${isNumbered ? ', r' : ''})`
    }
    case 'stream':
      return emitStream(writer, relation, writer.origins.readings.get(id)!)
  }
}
