// The statements that work out derived streams. Each is one for many samples, and for many streams of a fleet: rows of
// variables (t1) become values (v) by the expression, and these are stored, or compared with what is stored.
//
// Rows come from samples of the same times, or are given in columns where statistics had to be read before. Times are
// parameters of the statement itself, so that chunks are left out while it is planned.
import type { Transaction } from '../../base/database/sql.ts'
import type { Heard } from '../sample/gate.ts'
import { journalOfDerived } from '../sample/journal.ts'
import type { Span } from '../time/span.ts'
import type { DefinedVariable, Definition } from './definition.ts'
import type { CompiledExpression } from './expression.ts'
import { columnOf, constantRow, openParameters, sqlTypes } from './parameters.ts'
import type { Parameters, Statement } from './parameters.ts'

/** 'append' stores what is new, 'rewrite' also removes what is no more, 'compare' finds the first that differs. */
export type Mode = 'append' | 'rewrite' | 'compare'

/** A stream and times of it, as shown; its sources, each once, in the order of its variables. */
export type Window = { readonly key: number; readonly span: Span; readonly sourceKeys: readonly number[] }

/** Rows of variables at times of one stream. */
export type GivenRows = {
  readonly key: number
  readonly span: Span
  /** As stored. */
  readonly timesMs: readonly number[]
  /** Seconds; null in random streams. */
  readonly spans: readonly (number | null)[]
  readonly columns: readonly (readonly (string | number | boolean | null)[])[]
}

/** The effect of a statement on a stream: rows that were stored or removed, and their stored times. */
export type Outcome = {
  readonly key: number
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
}

/** The first time that differs, as stored. */
export type Difference = { readonly key: number; readonly firstMs: number }

const moment = (ms: string) => `(to_timestamp(${ms} / 1000) + (${ms} % 1000) * interval '1 millisecond')`

/** A stored column as the variable's type. */
export const asVariable = (column: string, { source: { valueType } }: DefinedVariable): string => {
  if (valueType === 'LONG') return `${column}::float8`
  return valueType === 'BOOLEAN' ? `(${column} <> 0)` : column
}

/** Stored times of a source are shown so many milliseconds later. */
const shift = ({ source: { kind } }: Pick<DefinedVariable, 'source'>) => (kind === 'interval' ? 1 : 0)

/** The plain variables of one source. */
type Slot = { readonly variables: readonly DefinedVariable[]; readonly first: DefinedVariable; readonly back: number }

export const slotsOf = ({ variables }: Definition): readonly Slot[] => {
  const byKey = new Map<number, DefinedVariable[]>()
  for (const variable of variables) {
    if (variable.calendar !== undefined) continue
    const known = byKey.get(variable.source.key)
    if (known) known.push(variable)
    else byKey.set(variable.source.key, [variable])
  }
  return Array.from(byKey.values(), (own) => ({
    variables: own,
    first: own[0]!,
    back: Math.max(...own.map(({ back }) => back)),
  }))
}

/** For each window and slot, the stored time from which samples are needed, so that those before are known. */
export type Starts = readonly (readonly number[])[]

export const findStarts = async (
  sql: Transaction,
  definition: Definition,
  windows: readonly Window[],
): Promise<Starts> => {
  const slots = slotsOf(definition)
  const starts = windows.map(({ span }) => slots.map(({ first }) => span[0] - shift(first)))
  for (const [at, { first, back }] of slots.entries()) {
    if (back === 0 || first.source.kind === 'point') continue
    const rows = await sql<{ n: number; timeMs: number | null }[]>`
      select n::integer, (
        select time from sample where stream_key = key and time < low order by time desc offset ${back - 1} limit 1
      ) as "timeMs"
      from unnest(${windows.map(({ sourceKeys }) => sourceKeys[at]!)}::integer[],
        ${starts.map((own) => own[at]!)}::timestamptz[]) with ordinality as each (key, low, n)`
    for (const { n, timeMs } of rows) starts[n - 1]![at] = timeMs ?? farPastMs
  }
  return starts
}

const farPastMs = Date.parse('0001-01-01T00:00:00Z') - 1

/**
 * t1 for windows of streams of one shape: key, time and c1, c2 ... Where there is one window its keys and times are
 * parameters by themselves, and Postgres can merge what it reads of each source; else they are rows of d.
 */
const sampleRows = (
  parameters: Parameters,
  definition: Definition,
  windows: readonly Window[],
  starts: Starts,
): string => {
  const slots = slotsOf(definition)
  const isOne = windows.length === 1
  const low = Math.min(...windows.map(({ span }) => span[0]))
  const high = Math.max(...windows.map(({ span }) => span[1]))
  const tables = slots.map((slot, at) => {
    const lowest = starts.reduce((least, own) => Math.min(least, own[at]!), Number.POSITIVE_INFINITY)
    const from = parameters.add(lowest, 'timestamptz')
    const until = parameters.add(high - shift(slot.first), 'timestamptz')
    const table = slot.first.source.kind === 'point' ? 'point_sample' : 'sample'
    const key = isOne ? parameters.add(windows[0]!.sourceKeys[at]!, 'integer') : `d.s${at + 1}`
    const within = `s.stream_key = ${key} and s.time >= ${from} and s.time < ${until}`
    const lags = slot.variables.flatMap((variable) =>
      variable.back === 0
        ? []
        : [
            `lag(s.${columnOf(variable.source.valueType)}, ${variable.back}) over (partition by ${isOne ? '1' : 'd.n'} order by s.time) as b${variable.back}`,
          ],
    )
    const columns = ['s.time', 's.num', 's.long', 's.text', ...new Set(lags)].join(', ')
    return isOne
      ? `(select ${columns} from ${table} s where ${within}) a${at + 1}`
      : `(select d.n, ${columns} from d join ${table} s on ${within} and s.time >= d.f${at + 1} and s.time < d.high - interval '${shift(slot.first)} milliseconds') a${at + 1}`
  })
  const base = slots[0]!
  const joins = slots.slice(1).map((slot, index) => {
    const difference = shift(base.first) - shift(slot.first)
    const time = `a${index + 2}.time = a1.time${difference === 0 ? '' : ` + interval '${difference} milliseconds'`}`
    return `join ${tables[index + 1]} on ${isOne ? '' : `a${index + 2}.n = a1.n and `}${time}`
  })
  const columns = definition.variables.map((variable, index) => {
    if (variable.calendar !== undefined) return `null::${sqlTypes[variable.type]} as c${index + 1}`
    const at = slots.findIndex((slot) => slot.variables.includes(variable)) + 1
    const column = variable.back === 0 ? columnOf(variable.source.valueType) : `b${variable.back}`
    return `${asVariable(`a${at}.${column}`, variable)} as c${index + 1}`
  })
  const shownTime = `a1.time${shift(base.first) === 0 ? '' : ` + interval '1 millisecond'`}`
  const lowest = isOne
    ? parameters.add(low - shift(base.first), 'timestamptz')
    : `d.low - interval '${shift(base.first)} milliseconds'`
  return isOne
    ? `select ${parameters.add(windows[0]!.key, 'integer')} as key, null::integer as span, ${shownTime} as time, ${columns.join(', ')}
       from ${[tables[0], ...joins].join(' ')}
       where a1.time >= ${lowest}`
    : `select d.key, null::integer as span, ${shownTime} as time, ${columns.join(', ')}
       from d join ${[`${tables[0]} on a1.n = d.n and a1.time >= ${lowest}`, ...joins].join(' ')}`
}

/** d: the windows, of stored times of the derived streams in low and high. */
const windowRows = (
  parameters: Parameters,
  windows: readonly Pick<Window, 'key' | 'span' | 'sourceKeys'>[],
  starts: Starts,
): string => {
  const sources = windows[0]!.sourceKeys.map((_, at) => at)
  const lists = [
    parameters.list(
      windows.map(({ key }) => key),
      'integer',
    ),
    parameters.list(
      windows.map(({ span }) => span[0]),
      'bigint',
    ),
    parameters.list(
      windows.map(({ span }) => span[1]),
      'bigint',
    ),
    ...sources.map((at) =>
      parameters.list(
        windows.map(({ sourceKeys }) => sourceKeys[at]!),
        'integer',
      ),
    ),
    ...sources.map((at) =>
      parameters.list(
        starts.map((own) => own[at]!),
        'bigint',
      ),
    ),
  ]
  const names = [...sources.map((at) => `s${at + 1}`), ...sources.map((at) => `e${at + 1}`)]
  const shown = [...sources.map((at) => `s${at + 1}`), ...sources.map((at) => `${moment(`e${at + 1}`)} as f${at + 1}`)]
  return `select n, key, ${moment('l')} as low, ${moment('h')} as high${shown.map((each) => `, ${each}`).join('')}
    from unnest(${lists.join(', ')}) with ordinality as given (key, l, h${names.map((name) => `, ${name}`).join('')}, n)
    offset 0`
}

/** t1 of rows that are given. */
const givenRows = (parameters: Parameters, definition: Definition, streams: readonly GivenRows[]): string => {
  const [first] = streams as [GivenRows]
  const all = <T>(read: (rows: GivenRows) => readonly T[]) =>
    streams.length === 1 ? read(first) : streams.flatMap(read)
  const lists = [
    parameters.list(
      all(({ timesMs }) => timesMs),
      'bigint',
    ),
    parameters.list(
      all(({ spans }) => spans),
      'integer',
    ),
    ...definition.variables.map(({ type }, at) =>
      parameters.list(
        all(({ columns }) => columns[at]!),
        sqlTypes[type],
      ),
    ),
  ]
  const names = definition.variables.map((_, at) => `c${at + 1}`).join(', ')
  const [ofMany, key] =
    streams.length === 1
      ? [[], `${parameters.add(first.key, 'integer')} as key`]
      : [
          [
            parameters.list(
              streams.flatMap((each) => each.timesMs.map(() => each.key)),
              'integer',
            ),
          ],
          'key',
        ]
  return `select ${key}, span, ${moment('ms')} as time, ${names}
    from unnest(${[...lists, ...ofMany].join(', ')}) as given (ms, span, ${names}${streams.length === 1 ? '' : ', key'})`
}

export type Asked = {
  readonly definition: Definition
  readonly compiled: CompiledExpression
  readonly mode: Mode
  readonly nowMs: number
  /** How far aggregates are claimed: what is written before that is noted. */
  readonly claimedUntilMs: number
  /** The organizations that somebody listens to. */
  readonly heard: Heard
}

/** Of streams of one shape, all of whose variables are samples. */
export const statementOfWindows = (asked: Asked, windows: readonly Window[], starts: Starts): Statement => {
  const parameters = openParameters()
  const d = windows.length === 1 ? undefined : windowRows(parameters, windows, starts)
  const t1 = sampleRows(parameters, asked.definition, windows, starts)
  return finish(asked, parameters, d, t1, windows)
}

/** Of several streams only to append. */
export const statementOfRows = (asked: Asked, streams: readonly GivenRows[]): Statement => {
  const parameters = openParameters()
  const t1 = givenRows(parameters, asked.definition, streams)
  return finish(asked, parameters, undefined, t1, streams)
}

/** The rows as they are, for those who have more to put beside them: of each window at most so many. */
export const selectRows = (
  definition: Definition,
  windows: readonly Window[],
  starts: Starts,
  most: number,
): Statement => {
  const parameters = openParameters()
  if (windows.length === 1) {
    const t1 = sampleRows(parameters, definition, windows, starts)
    return { text: `select * from (${t1}) t1 order by time limit ${most}`, values: parameters.values }
  }
  const d = windowRows(parameters, windows, starts)
  const t1 = sampleRows(parameters, definition, windows, starts)
  return {
    text: `with d as materialized (${d})
      select *
      from (select *, row_number() over (partition by key order by time) as place from (${t1}) t1) as placed
      where place <= ${most}
      order by key, time`,
    values: parameters.values,
  }
}

/** The values as they are, and nothing stored. */
export const selectValues = ({ definition, compiled, nowMs }: Asked, rows: GivenRows): Statement => {
  const parameters = openParameters()
  const t1 = givenRows(parameters, definition, [rows])
  const k = constantRow(parameters, compiled.constants(nowMs, definition.zone))
  return {
    text: `with k as materialized (${k}), t1 as (${t1}) select t1.time as "timeMs", ${compiled.text} as value from t1, k`,
    values: parameters.values,
  }
}

const finish = (
  { definition, compiled, mode, nowMs, claimedUntilMs, heard }: Asked,
  parameters: Parameters,
  d: string | undefined,
  t1: string,
  windows: readonly Pick<Window, 'key' | 'span'>[],
): Statement => {
  const { valueType, kind, zone } = definition
  const column = columnOf(valueType)
  const k = constantRow(parameters, compiled.constants(nowMs, zone))
  const v = `select t1.key, t1.span, t1.time, ${compiled.text} as value from t1, k offset 0`
  const parts = [
    ...(d === undefined ? [] : [`d as materialized (${d})`]),
    `k as materialized (${k})`,
    `t1 as (${t1})`,
    `v as (${v})`,
  ]
  const isThere = kind === 'interval' ? 'true' : 'value is not null'
  const stored = mode === 'append' ? '' : storedRows(parameters, kind, d !== undefined, windows)
  if (mode === 'compare') {
    const from = d === undefined ? 'sample s' : 'd join sample s on'
    const text = `with ${parts.join(', ')}
      select key, min(time) as "firstMs"
      from (
        select coalesce(w.key, o.key) as key, coalesce(w.time, o.time) as time
        from (select key, time, value from v where ${isThere}) w
        full join (select s.stream_key as key, s.time, s.${column} as value from ${from} ${d === undefined ? 'where' : ''} ${stored}) o
          on o.key = w.key and o.time = w.time
        where w.key is null or o.key is null or ${differs('w.value', 'o.value', column)}
      ) as each
      group by key`
    return { text, values: parameters.values }
  }
  parts.push(`written as (
    insert into sample (stream_key, span, time, ${column})
    select key, span, time, value from v where ${isThere} order by key, time
    on conflict (stream_key, time) do update
    set span = excluded.span, num = excluded.num, long = excluded.long, text = excluded.text
    where row(sample.num, sample.long, sample.text) is distinct from row(excluded.num, excluded.long, excluded.text)
    returning stream_key, span, time, num, long, text)`)
  if (mode === 'rewrite')
    parts.push(`gone as (
      delete from sample s ${d === undefined ? '' : 'using d'}
      where ${stored} and not exists (select from v where v.key = s.stream_key and v.time = s.time and ${isThere})
      returning s.stream_key, s.time)`)
  const changed = mode === 'rewrite' ? '(select stream_key, time from written union all select * from gone)' : 'written'
  parts.push(`noted as (
    insert into stale_mark (stream_key, first_time, last_time)
    select stream_key, min(time), max(time) from ${changed} as each
    where time < ${parameters.add(claimedUntilMs, 'timestamptz')}
    group by stream_key)`)
  if (heard.size > 0) parts.push(`journal as (${journalOfDerived(heard, mode === 'rewrite')})`)
  const text = `with ${parts.join(', ')}
    select stream_key as key, count(*)::integer as count, min(time) as "firstMs", max(time) as "lastMs"
    from ${changed} as each
    group by stream_key`
  return { text, values: parameters.values }
}

/** The stored samples of the streams, as s. */
const storedRows = (
  parameters: Parameters,
  kind: Definition['kind'],
  isOfMany: boolean,
  windows: readonly Pick<Window, 'key' | 'span'>[],
): string => {
  const back = kind === 'interval' ? 1 : 0
  const low = parameters.add(Math.min(...windows.map(({ span }) => span[0])) - back, 'timestamptz')
  const high = parameters.add(Math.max(...windows.map(({ span }) => span[1])) - back, 'timestamptz')
  const within = `s.time >= ${low} and s.time < ${high}`
  return isOfMany
    ? `s.stream_key = d.key and s.time >= d.low and s.time < d.high and ${within}`
    : `s.stream_key = ${parameters.add(windows[0]!.key, 'integer')} and ${within}`
}

/** Numbers that were reckoned in another order differ in their last digits. */
const differs = (one: string, other: string, column: string): string =>
  column === 'num'
    ? `(${one} is null) <> (${other} is null) or abs(${one} - ${other}) > 1e-9 * greatest(abs(${one}), abs(${other}))`
    : `${one} is distinct from ${other}`
