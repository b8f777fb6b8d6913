// Stream in a FROM: one row per stream, or one per sample. Only the columns that are looked at are asked for: the last
// value and the edges of a stream cost a look at its samples.
import { wordTable } from '../../base/own.ts'
import type { Writer } from './emitted.ts'
import type { Edge, Relation, StreamReading, Term } from '../plan/plan.ts'
import {
  isOfStream,
  isSample,
  lastValueColumn,
  sampleColumn,
  streamColumn,
  streamColumns,
} from '../check/stream-table.ts'

const metadata = wordTable({
  cid: 's.cid',
  cuid: 's.cuid',
  cname: 's.cname',
  id: 's.id',
  uid: 's.uid',
  name: 's.name',
  description: 's.description',
  folderPath: 's.folder_path',
  timeZoneId: 's.time_zone',
  streamType: 's.kind',
  valueType: 's.value_type',
  unit: 's.unit',
  lastValue: 'gs.any_sample(s.value_type, l.num, l.long, l.text)',
  lastTime: 'l.ms',
  startDate: 'gs.first_ms(s.stream_key)',
  endDate: 'l.ms',
  lastUpdated: 'l.ms',
  sample: 'gs.any_sample(s.value_type, x.num, x.long, x.text)',
  time: 'x.ms',
  timeSd: 'x.start_ms',
  timeEd: 'x.ms',
})

const ofLast = ['lastValue', 'lastTime', 'endDate', 'lastUpdated'].map((name) => streamColumn(name)!)

export const emitStream = (writer: Writer, relation: Relation, reading: StreamReading): string => {
  const number = relation.isNumbered ? ['row_number() over () as r'] : []
  const columns = [...[...reading.used].toSorted((a, b) => a - b).flatMap(columnText), ...number].join(', ')
  const rows = reading.samples ? samplesText(writer, relation, reading) : { joins: '', usesLast: false }
  const needsLast = rows.usesLast || ofLast.some((column) => reading.used.has(column))
  const last = needsLast ? ' left join lateral gs.samples(s.stream_key, null, null, 1) l on true' : ''
  return `(select ${columns} from gs.stream_row s${last}${rows.joins}) t${relation.id}`
}

/**
 * A value of any type has twins: its number as a DOUBLE, and its value as a LONG (true and false count as 1 and 0), a
 * DOUBLE, a BOOLEAN or a text, where it is one. So numbers that are added up never become JSON.
 */
const twins = {
  double: ['n', `case when s.value_type <> 'FILE' then coalesce(?.num, ?.long) end`],
  long_in: ['l', `case s.value_type when 'LONG' then ?.long when 'BOOLEAN' then ?.num::int8 end`],
  double_in: ['d', `case s.value_type when 'DOUBLE' then ?.num end`],
  boolean_in: ['b', `case s.value_type when 'BOOLEAN' then ?.num = 1 end`],
  text_in: ['s', `case when s.value_type not in ('DOUBLE', 'LONG', 'BOOLEAN') then ?.text end`],
} as const

/** The twin of a sample that a function of it asks for. */
export const twinText = (writer: Writer, term: Extract<Term, { kind: 'apply' }>): string | undefined => {
  const [value] = term.arguments
  if (!Object.hasOwn(twins, term.name) || !value || value.kind !== 'column' || !isSample(value)) return undefined
  return writer.column(value.relation, `${twins[term.name as keyof typeof twins][0]}${value.column + 1}`)
}

const columnText = (index: number): readonly string[] => {
  // Behind the columns of the table are the statistics.
  if (index >= streamColumns.length) return [`x.v${index - streamColumns.length + 1}::jsonb as c${index + 1}`]
  const column = `${metadata.get(streamColumns[index]!.name)!} as c${index + 1}`
  if (index !== sampleColumn && index !== lastValueColumn) return [column]
  const from = index === sampleColumn ? 'x' : 'l'
  return [column, ...Object.values(twins).map(([name, text]) => `${text.replaceAll('?', from)} as ${name}${index + 1}`)]
}

type Joined = { readonly joins: string; readonly usesLast: boolean }

const samplesText = (writer: Writer, relation: Relation, reading: StreamReading): Joined => {
  if (reading.statistics.length > 0) return { joins: statisticsText(writer, relation, reading), usesLast: false }
  const { low, high, most, cycle, usesLast } = windowText(
    writer,
    reading,
    `(case when s.kind = 'interval' then 1 else 0 end)`,
  )
  return { joins: `${cycle} cross join lateral gs.samples(s.stream_key, ${low}, ${high}, ${most}) x`, usesLast }
}

type Window = {
  readonly low: string
  readonly high: string
  readonly most: string
  /** A join with the current interval of a cycle in the zone of each stream. */
  readonly cycle: string
  /** Whether the edges depend on the stream's last sample, l. */
  readonly usesLast: boolean
}

/** `isEnd`: 1 where a sample of the window is timed at the end of its interval, else 0. */
const windowText = (writer: Writer, { range }: StreamReading, isEnd: string): Window => {
  const open = { low: 'null', high: 'null', most: 'null', cycle: '', usesLast: false }
  if (!range) return { ...open, most: '1' }
  if (range.kind === 'last') return { ...open, most: `${range.count}` }
  if (range.kind === 'cycle') {
    const array = (column: 'zone' | 'low' | 'high', type: string) =>
      writer.parameter(`cycle ${range.cycleId} ${column}`, type, { kind: 'cycle', cycleId: range.cycleId, column })
    const edges = `unnest(${array('zone', 'text[]')}, ${array('low', 'int8[]')}, ${array('high', 'int8[]')}) z(zone, low, high)`
    // An interval belongs to the cycle that it ends in: from after its start up to its very end.
    return {
      ...open,
      low: `z.low + ${isEnd}`,
      high: `z.high + ${isEnd}`,
      cycle: ` join ${edges} on z.zone = s.time_zone`,
    }
  }
  // An offset counts from now; where the range ends with the stream, from there.
  const toEnd = range.to?.kind === 'streamEd'
  const now = () => writer.parameter('now', 'int8', { kind: 'now' })
  const edge = (one: Edge | undefined): string => {
    if (!one) return 'null'
    if (one.kind === 'time') return writer.term(one.time)
    if (one.kind === 'now') return now()
    if (one.kind === 'streamEd') return 'l.ms'
    const count = writer.parameter(`value ${one.count}`, 'int8', { kind: 'value', value: one.count })
    const unit = writer.parameter(`unit ${one.unit}`, 'text', { kind: 'value', value: units[one.unit] })
    const zone = writer.parameter('zone', 'text', { kind: 'zone' })
    return `gs.date_add_of(${toEnd ? 'l.ms' : now()}, ${count}, ${unit}, ${zone}, ${one.site})`
  }
  return {
    ...open,
    low: edge(range.from),
    // The last sample itself belongs to a range that ends with it.
    high: toEnd ? 'l.ms + 1' : edge(range.to),
    usesLast: toEnd || range.from?.kind === 'streamEd',
  }
}

const statisticsText = (writer: Writer, { id }: Relation, { statistics }: StreamReading): string => {
  const array = (column: 'stream' | 'start' | 'end' | number, type: string) =>
    writer.parameter(`statistic ${id} ${column}`, type, { kind: 'statistic', relation: id, column })
  const values = statistics.map((_, index) => array(index, 'text[]'))
  const names = statistics.map((_, index) => `v${index + 1}`)
  const arrays = [array('stream', 'int4[]'), array('start', 'int8[]'), array('end', 'int8[]'), ...values]
  return ` join unnest(${arrays.join(', ')}) x(stream_key, start_ms, ms, ${names.join(', ')}) on x.stream_key = s.stream_key`
}

/**
 * The streams whose statistics are wanted, each with its window; of WHERE only the conditions on a stream as a whole.
 */
export const emitStatisticStreams = (
  writer: Writer,
  { id }: Relation,
  reading: StreamReading,
  where: Term | undefined,
): string => {
  const { low, high, cycle, usesLast } = windowText(writer, reading, '1')
  const last = usesLast ? ' left join lateral gs.samples(s.stream_key, null, null, 1) l on true' : ''
  const streams = `select s.stream_key, ${low} as low, ${high} as high, ${ofStream} from gs.stream_row s${last}${cycle}`
  const test = where ? ` where ${writer.term(where)}` : ''
  return `select t${id}.stream_key, t${id}.c2, t${id}.c9, t${id}.low, t${id}.high from (${streams}) t${id}${test} order by 1`
}

/** The streams whose samples may be looked at, by their keys. */
export const emitLookedAt = (writer: Writer, { id }: Relation, where: Term): string =>
  `select t${id}.stream_key from (select s.stream_key, ${ofStream} from gs.stream_row s) t${id} where ${writer.term(where)}`

/** The columns that WHERE may name where it is about streams as such. */
const ofStream = streamColumns
  .flatMap(({ name }, index) => (isOfStream(index) ? [`${metadata.get(name)!} as c${index + 1}`] : []))
  .join(', ')

const units = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week', M: 'month', y: 'year' } as const
