// Plans to Postgres SQL. No character of a script gets into the text: every value is a parameter, every table and
// column has a name made here (t1.c2; w1 is a common table, g1 the keys of a GROUP BY), and functions are those of
// the schema gs. The parameters are described, so that a script is emitted once and bound each time it runs.
import { anyText } from '../text/any.ts'
import type { Emitted, Parameter, RowOrigins, Writer } from './emitted.ts'
import { emitLookedAt, emitStatisticStreams, emitStream, twinText } from './emit-stream.ts'
import type {
  CommonPlan,
  JoinPlan,
  QueryPlan,
  Relation,
  SelectPlan,
  SourcePlan,
  StreamPlan,
  Term,
  ValuesPlan,
} from '../plan.ts'
import type { Type } from '../value.ts'
import { canFail, hasAggregate } from '../terms.ts'
import { infix, sqlTypes } from '../check/types.ts'
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
  // Kept apart, or Postgres would work out each text twice: once to show and once to measure it.
  const isPlain = query.order.length === 0 && !query.limit && !query.offset
  const counted =
    `select q.*, sum(${sizes}) over (rows between unbounded preceding and current row) as size ` +
    `from (${inner}${isPlain ? ' offset 0' : ''}) q limit ${most}`
  const text = `select ${shown.join(', ')} from (${counted}) r where case when r.size > ${mostBytes} then gs.too_large(r.size, ${site}) else true end`
  return { text, parameters }
}

/** Where an import's rows are, and where what a statement of it writes is kept: tables of its own connection. */
export const spoolName = (spool: number) => `pg_temp.spool_${spool}`
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
 * The value of an expression over the columns of the relation t1. What are parameters elsewhere are columns p1, p2 ... of a
 * row k: Postgres does not look at those while it plans, and so fails by none that no row comes to.
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
  const from = left.length > 0 ? ` from ${fromText(writer, left)}` : ''
  const test = where.length > 0 ? ` where ${whereText(writer, infix('BOOLEAN', 'and', ...where))}` : ''
  const most = writer.parameter('most rows', 'int8', { kind: 'most rows' })
  return { text: `${withText(writer, commons)}select distinct ${text}${from}${test} limit ${most}`, parameters }
}

/** For a Stream with statistics: its streams, before the statement can run. */
export const emitStreams = ({ relation, reading, where }: StreamPlan, origins: RowOrigins): Emitted => {
  const { writer, parameters } = newWriter(origins, where && queryOfValue(where))
  return { text: emitStatisticStreams(writer, relation, reading, where), parameters }
}

/** The streams whose samples a Stream may look at; 'all' where nothing is said of them. */
export const emitLooked = ({ relation, where }: StreamPlan, origins: RowOrigins): Emitted | 'all' => {
  if (where === undefined) return 'all'
  const { writer, parameters } = newWriter(origins, undefined)
  const text = emitLookedAt(writer, relation, where)
  const most = writer.parameter('most rows', 'int8', { kind: 'most rows' })
  return { text: `${text} limit ${most}`, parameters }
}

/** As much of a query as there is, to be weighed. */
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
    column: ({ id, isFull }, name) =>
      isFull && !writer.single.has(id) ? `coalesce(t${id}.${name}, b${id}.${name})` : `t${id}.${name}`,
    single: new Set(),
  }
  return { writer, parameters }
}

// ---- queries ----

const withText = (writer: Writer, commons: readonly CommonPlan[]): string => {
  if (commons.length === 0) return ''
  const parts = commons.map(
    ({ id, query }) => `w${id}(${columnNames(query.columns.length)}) as (${innerText(writer, query)})`,
  )
  return `with ${parts.join(', ')} `
}

const innerText = (writer: Writer, query: QueryPlan): string =>
  `${queryText(writer, query)}${writer.isApart(query) ? ' offset 0' : ''}`

const columnNames = (count: number) => Array.from({ length: count }, (_, index) => `c${index + 1}`).join(', ')

const queryText = (writer: Writer, query: QueryPlan): string => {
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
  const tables = plan.from.length > 0 ? fromText(writer, plan.from) : ''
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
const whereText = (writer: Writer, where: Term): string => {
  if (!canFail(where)) return writer.term(where)
  const parts = where.kind === 'infix' && where.operator === 'and' ? where.operands : [where]
  const safe = parts.filter((part) => !canFail(part)).map(writer.term)
  return [...safe, `(${writer.term(where)}) is true`].join(' and ')
}

// ---- tables ----

const fromText = (writer: Writer, joins: readonly JoinPlan[]): string =>
  joins.reduce((left, { join, relation, on }) => {
    if (join === 'full') return fullText(writer, left, relation, on!)
    const table = tableText(writer, relation)
    const conditions = [...keyedBy(writer, relation), ...(on ? [writer.term(on)] : [])]
    if (left === '') return conditions.length > 0 ? `(select) z join ${table} on ${conditions.join(' and ')}` : table
    if (conditions.length === 0) return `${left} cross join ${table}`
    return `${left} ${join === 'left' || join === 'right' ? `${join} ` : ''}join ${table} on ${conditions.join(' and ')}`
  }, '')

/**
 * Postgres has FULL JOIN for equalities only. For any condition it is a LEFT JOIN, and below that the rows of the table
 * that no row on the left fits, as b1: a row has t1 or b1, and its columns are what is there of the two.
 */
const fullText = (writer: Writer, left: string, relation: Relation, on: Term): string => {
  const { id } = relation
  const table = tableText(writer, relation)
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

const tableText = (writer: Writer, relation: Relation): string => {
  const { id, origin, columns, isNumbered } = relation
  const names = columnNames(columns.length)
  const numbered = (table: string) => (isNumbered ? `(select n.*, row_number() over () as r from ${table} n)` : table)
  switch (origin.kind) {
    case 'query': {
      const query = `(${innerText(writer, origin.query)})`
      return `${numbered(query)} t${id}(${names}${isNumbered ? ', r' : ''})`
    }
    case 'common':
      return `${numbered(`w${origin.common}`)} t${id}`
    case 'source': {
      const { index, asked } = origin.source
      const spool = writer.origins.spools.get(index)
      if (spool !== undefined) return `${numbered(spoolName(spool))} t${id}(${names}${isNumbered ? ', r' : ''})`
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

// ---- terms ----

const termText = (writer: Writer, term: Term): string => {
  const text = writer.term
  switch (term.kind) {
    case 'constant':
      if (term.value === null) return `null::${sqlTypes[term.type]}`
      if (term.type === 'ANY') {
        const json = anyText(term.value)
        return writer.parameter(`value ${json}`, 'jsonb', { kind: 'value', value: json })
      }
      if (typeof term.value === 'boolean') return String(term.value)
      return writer.parameter(`value ${typeof term.value} ${term.value}`, sqlTypes[term.type], {
        kind: 'value',
        value: term.value,
      })
    case 'variable':
      return writer.parameter(`variable ${term.name}`, sqlTypes[term.type], {
        kind: 'variable',
        name: term.name,
        type: term.type,
      })
    case 'derived':
      // Each stands for itself: whether two are the same is known to nobody but their maker.
      return writer.parameter(`derived ${++derivedCount}`, term.sqlType, {
        kind: 'derived',
        of: term.of,
        derived: term.derived,
      })
    case 'system':
      return term.name === 'now'
        ? writer.parameter('now', 'int8', { kind: 'now' })
        : writer.parameter('zone', 'text', { kind: 'zone' })
    case 'column':
      return writer.column(term.relation, `c${term.column + 1}`)
    case 'key':
      return `g${term.group}.k${term.key + 1}`
    case 'apply': {
      const parts = term.arguments.map(text)
      const twin = twinText(writer, term)
      if (twin) return term.name === 'double' ? `coalesce(${twin}, gs.double(${parts[0]}, ${term.site}))` : twin
      if (term.name === 'coalesce') return `coalesce(${parts.join(', ')})`
      return `gs.${term.name}(${[...parts, ...(term.site === undefined ? [] : [term.site])].join(', ')})`
    }
    case 'aggregate': {
      const by = term.by
        ? ` order by ${'kind' in term.by ? edgeOrder(writer, term.by) : term.by.map((one) => writer.column(one, 'r')).join(', ')}`
        : ''
      const parts = term.arguments.length > 0 ? term.arguments.map(text).join(', ') : '*'
      return `${term.name}(${term.distinct ? 'distinct ' : ''}${parts}${by})`
    }
    case 'infix':
      return `(${term.operands.map(text).join(` ${term.operator} `)})`
    case 'not':
      return `(not ${text(term.operand)})`
    case 'is null':
      return `(${text(term.operand)} is ${term.negated ? 'not ' : ''}null)`
    case 'convert':
      return `(${text(term.operand)})::${term.sqlType}`
    case 'collate':
      return `(${text(term.operand)} collate "C")`
    case 'choose': {
      const branches = term.branches.map(({ when, result }) => `when ${text(when)} then ${text(result)}`)
      return `(case ${branches.join(' ')} else ${text(term.otherwise)} end)`
    }
    case 'in list':
      return `(${text(term.operand)} in (${term.list.map(text).join(', ')}))`
    case 'in query':
      return inQueryText(writer, term)
    case 'exists':
      return `exists (${queryText(writer, term.query)})`
    case 'scalar query':
      return `(select s.c1 from (${queryText(writer, term.query)}) s limit 1)`
  }
}

/** What First and Last go by; written once, for it may be long. */
const edgeOrder = (writer: Writer, by: Term) =>
  `${by.type === 'ANY' ? `gs.order_of(${writer.term(by)})` : writer.term(by)} nulls first`

/**
 * Values of any type are found by their probes among the keys of the list (db/0021_gsql_comparison.sql), which Postgres can
 * hash. An aggregate must not get into a query inside, where it would be that query's: the rows of a group are few,
 * and are compared one by one.
 */
const inQueryText = (writer: Writer, { operand, query, site }: Extract<Term, { kind: 'in query' }>): string => {
  const value = writer.term(operand)
  const inner = queryText(writer, query)
  if (operand.type !== 'ANY') return `(${value} in (${listText(inner, query, site)}))`
  if (hasAggregate(operand)) return `(${value} operator(gs.===) any (${listText(inner, query, site)}))`
  const keys = `select unnest(gs.keys_of(k.c1)) as c1 from (${inner}) k(c1)`
  return (
    `(select case when bool_or(f.found) then true when bool_and(f.found is not null) then false end ` +
    `from (select p.probe in (${listText(keys, query, site)}) as found from unnest(gs.probes_of(${value})) p(probe)) f)`
  )
}

/** Postgres keeps the list of an IN in memory, however large it is. */
const listText = (inner: string, query: QueryPlan, site: number): string => {
  if (query.terms.every(({ body }) => body.kind === 'values' || body.from.length === 0)) return inner
  const isText = !['LONG', 'DOUBLE', 'BOOLEAN'].includes(query.columns[0]!.type)
  const size = isText ? '48 + coalesce(octet_length(h.c1::text), 0)' : '56'
  return (
    `select i.c1 from (select h.c1, sum(${size}) over (rows between unbounded preceding and current row) as size ` +
    `from (${inner}) h) i where case when i.size > ${maxListBytes} then gs.list_too_large(i.size, ${site}) else true end`
  )
}

const maxListBytes = 64 * 1024 * 1024

let derivedCount = 0
