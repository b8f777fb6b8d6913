// Plans to Postgres SQL. No character of a script gets into the text: every value is a parameter, every table and
// column has a name made here (t1.c2; w1 is a common table, g1 the keys of a GROUP BY), and functions are those of
// the schema gs. The parameters are described, so that a script is emitted once and bound each time it runs.
import type { Emitted, Parameter, RowOrigins, Writer } from './emitted.ts'
import { emitLookedAt, emitStatisticStreams } from './emit-stream.ts'
import type { CommonPlan, JoinPlan, QueryPlan, SourcePlan, StreamPlan, Term } from '../plan/plan.ts'
import { infix } from '../check/types.ts'
import { innerText, queryText, whereText, withText } from './emit-query.ts'
import { fromText } from './emit-table.ts'
import { termText } from './emit-term.ts'
import { heavyQueries } from './weight.ts'

/** A statement's rows, bounded in number and in bytes. */
export const emitQuery = (query: QueryPlan, origins: RowOrigins, site: number): Emitted => {
  const { writer, parameters } = newWriter(origins, query)
  const names = query.columns.map((_, index) => `c${index + 1}`)
  const inner = queryText(writer, query)
  const most = writer.parameter('most rows', 'int8', { kind: 'most rows' })
  const shown = query.columns.map(({ type }, index) =>
    type === 'ANY' ? `r.${names[index]}::text` : `r.${names[index]}`,
  )
  const texts = names.filter((_, index) => !['LONG', 'DOUBLE', 'BOOLEAN'].includes(query.columns[index]!.type))
  if (texts.length === 0) return { text: `select ${shown.join(', ')} from (${inner}) r limit ${most}`, parameters }
  const sizes = texts.map((name) => `coalesce(octet_length(q.${name}::text), 0)`).join(' + ')
  const mostBytes = writer.parameter('most bytes', 'int8', { kind: 'most bytes' })
  // A row alone has half at most: it is whole in this server's memory before it can be counted there.
  // Kept apart, or Postgres would work out each text twice: once to show and once to measure it.
  const isPlain = query.order.length === 0 && !query.limit && !query.offset
  const counted =
    `select q.*, greatest(sum(${sizes}) over (rows between unbounded preceding and current row), 2 * (${sizes})) as size ` +
    `from (${inner}${isPlain ? ' offset 0' : ''}) q limit ${most}`
  const text = `select ${shown.join(', ')} from (${counted}) r where case when r.size > ${mostBytes} then gs.too_large(r.size, ${site}) else true end`
  return { text, parameters }
}

/** The table, of its own connection, that keeps the rows written by a statement of an import: c1, c2 ..., and n, their order. */
export const effectName = (statement: number) => `pg_temp.effect_${statement}`

/** All rows of a statement, which stay in the database: values of any type as texts. */
export const emitKept = (query: QueryPlan, origins: RowOrigins, statement: number): Emitted => {
  const { writer, parameters } = newWriter(origins, query)
  const inner = queryText(writer, query)
  const kept = query.columns.map(({ type }, index) => (type === 'ANY' ? `r.c${index + 1}::text` : `r.c${index + 1}`))
  return { text: `insert into ${effectName(statement)} select ${kept.join(', ')} from (${inner}) r`, parameters }
}

/** The one value of an expression that stands alone. */
export const emitValue = (term: Term, origins: RowOrigins): Emitted => {
  const { writer, parameters } = newWriter(origins, queryOfValue(term))
  const value = writer.term(term)
  return { text: `select ${term.type === 'ANY' ? `(${value})::text` : value}`, parameters }
}

/** A parameter and its type, where it is a column of the row k and not written as $1. */
export type TypedParameter = { readonly sqlType: string; readonly parameter: Parameter }

/**
 * The value of an expression over the columns of the relation t1. Its parameters are columns p1, p2 ... of a row k,
 * and not $1, $2 ...: Postgres does not look at those while it plans, and so fails by none that no row comes to.
 */
export const emitDerived = (term: Term): { readonly text: string; readonly parameters: readonly TypedParameter[] } => {
  const { writer } = newWriter({ readings: new Map(), spools: new Map() }, undefined)
  const parameters: TypedParameter[] = []
  const known = new Map<string, number>()
  const own: Writer = {
    ...writer,
    term: (each) => termText(own, each),
    parameter: (key, sqlType, parameter) => {
      const full = `${sqlType} ${key}`
      const number = known.get(full) ?? parameters.push({ sqlType, parameter })
      known.set(full, number)
      return `k.p${number}`
    },
  }
  return { text: own.term(term), parameters }
}

/** The texts that a JSON_TABLE or CSV_TABLE must be asked for before the statement can run. */
export const emitTexts = (source: SourcePlan, origins: RowOrigins): Emitted => {
  const { left, commons, where } = source.asked!
  const { writer, parameters } = newWriter(origins, queryOfValue(source.text, left, commons, where))
  const text = writer.term(source.text)
  const from = left.length > 0 ? ` from ${fromText(writer, left, 'any')}` : ''
  const test = where.length > 0 ? ` where ${whereText(writer, infix('BOOLEAN', 'and', ...where))}` : ''
  const most = writer.parameter('most rows', 'int8', { kind: 'most rows' })
  return { text: `${withText(writer, commons)}select distinct ${text}${from}${test} limit ${most}`, parameters }
}

/** The streams of a Stream with statistics, asked for before the statement can run. */
export const emitStreams = ({ relation, reading, where }: StreamPlan, origins: RowOrigins): Emitted => {
  const { writer, parameters } = newWriter(origins, where && queryOfValue(where))
  return { text: emitStatisticStreams(writer, relation, reading, where), parameters }
}

/** The streams whose samples a Stream may look at; 'all' where no condition narrows them. */
export const emitLooked = ({ relation, where }: StreamPlan, origins: RowOrigins): Emitted | 'all' => {
  if (where === undefined) return 'all'
  const { writer, parameters } = newWriter(origins, undefined)
  const text = emitLookedAt(writer, relation, where)
  const most = writer.parameter('most rows', 'int8', { kind: 'most rows' })
  return { text: `${text} limit ${most}`, parameters }
}

/** A term as a query, to be weighed. */
const queryOfValue = (
  term: Term,
  from: readonly JoinPlan[] = [],
  commons: readonly CommonPlan[] = [],
  where: readonly Term[] = [],
): QueryPlan => ({
  commons,
  terms: [
    {
      operator: undefined,
      body: {
        kind: 'select',
        distinct: true,
        items: [term],
        from,
        where: where.length > 0 ? infix('BOOLEAN', 'and', ...where) : undefined,
        group: undefined,
        having: undefined,
      },
    },
  ],
  columns: [{ name: '', type: term.type }],
  order: [],
  limit: undefined,
  offset: undefined,
})

const newWriter = (origins: RowOrigins, whole: QueryPlan | undefined) => {
  const heavy = whole && heavyQueries(whole)
  const parameters: Parameter[] = []
  const known = new Map<string, number>()
  const writer: Writer = {
    origins,
    isApart: (query) => heavy?.has(query) ?? false,
    parameter: (key, sqlType, parameter) => {
      const full = `${sqlType} ${key}`
      const number = known.get(full) ?? parameters.push(parameter)
      known.set(full, number)
      // jsonb goes as text: the driver would write it as JSON once more.
      return sqlType === 'jsonb' ? `$${number}::text::jsonb` : `$${number}::${sqlType}`
    },
    term: (term) => termText(writer, term),
    query: (query) => queryText(writer, query),
    inner: (query) => innerText(writer, query),
    column: ({ id, isFull }, name) =>
      isFull && !writer.single.has(id) ? `coalesce(t${id}.${name}, b${id}.${name})` : `t${id}.${name}`,
    single: new Set(),
  }
  return { writer, parameters }
}
