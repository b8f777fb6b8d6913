// Terms: values, columns, functions of the schema gs, comparisons, and queries inside them.
import { anyText } from '../text/any.ts'
import type { QueryPlan, Term } from '../plan/plan.ts'
import { hasAggregate } from '../plan/terms.ts'
import { sqlTypes } from '../check/types.ts'
import { twinText } from './emit-stream.ts'
import type { Writer } from './emitted.ts'

export const termText = (writer: Writer, term: Term): string => {
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
      // Each stands for itself: only its maker knows whether two are the same.
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
      return `exists (${writer.query(term.query)})`
    case 'scalar query':
      return `(select s.c1 from (${writer.query(term.query)}) s limit 1)`
  }
}

/** The order of First and Last; written once, because it may be long. */
const edgeOrder = (writer: Writer, by: Term) =>
  `${by.type === 'ANY' ? `gs.order_of(${writer.term(by)})` : writer.term(by)} nulls first`

/**
 * Values of any type are found by their probes among the keys of the list (db/0021_gsql_comparison.sql), which Postgres
 * can hash. An aggregate must not get into an inner query, where it would become that query's: the rows of a group are
 * few, and are compared one by one.
 */
const inQueryText = (writer: Writer, { operand, query, site }: Extract<Term, { kind: 'in query' }>): string => {
  const value = writer.term(operand)
  const inner = writer.query(query)
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
