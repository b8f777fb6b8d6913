// Writes of an import's Ingest SQL, which stay in tables of its own connection: batch by batch, for the write path to
// judge them row by row; and as queries, where the write path can place all rows at once (core/sample/bulk.ts).
import type { Transaction } from '../../base/database/sql.ts'
import { identifier } from '../../base/http/members.ts'
import type { ResultStream } from '../../core/import/import-result.ts'
import type { Bulk, BulkPart, BulkQuery, BulkStreams } from '../../core/sample/bulk.ts'
import { mostNumberLength } from '../../core/sample/value.ts'
import { fixedValue, valueFromColumn } from '../run/bind.ts'
import { sqlTypes } from '../check/types.ts'
import { effectMaker } from '../run/effects.ts'
import type { Effect } from '../run/effects.ts'
import { always, batchCounts, fetched, indexOrder, isOfTexts } from './fetched-rows.ts'
import type { Bound, Rows } from './fetched-rows.ts'
import { gatheredOf, gatheredStreams, spoolGathered } from './gathered-bulk.ts'
import type { Kept } from './gathered-bulk.ts'
import { effectName } from '../emit/emit.ts'
import { spoolName } from '../emit/emit-table.ts'
import type { CompiledScript, CompiledStatement } from '../script.ts'
import type { Type, Value } from '../value.ts'
import { openSteps } from '../run/write-steps.ts'

export type Writing = { readonly index: number; readonly statement: CompiledStatement; readonly types: readonly Type[] }

/** The statements that write, and the types of their columns as they are kept. */
export const writingIn = ({ statements }: CompiledScript): readonly Writing[] =>
  statements.flatMap((statement, index) =>
    statement.action.kind === 'set' || statement.action.kind === 'select'
      ? []
      : [{ index, statement, types: statement.action.columns.map(({ type }) => type) }],
  )

/** Statements whose rows are those of a spool: nothing is copied, unless a script must run again. */
export const isLeft = ({ writesWhatItReads }: CompiledScript, { spooled }: CompiledStatement): boolean =>
  spooled !== undefined && !writesWhatItReads

type Fixed = Parameters<typeof effectMaker>[1]
const rowsOf = (script: CompiledScript, { index, statement }: Writing, fixed: Fixed): Rows => {
  const effect = effectName(index)
  if (!isLeft(script, statement)) return { table: effect, from: () => effect, values: [] }
  const { spool, cells } = statement.spooled!
  const values: Bound[] = []
  const columns = cells.map((cell) => {
    if (cell.kind === 'column') return () => `c${cell.column + 1}`
    const value = fixedValue(cell.term, fixed)
    const place = values.push(typeof value === 'number' || typeof value === 'bigint' ? String(value) : value) - 1
    return (first: number) => `$${first + place}::${sqlTypes[cell.term.type]}`
  })
  const from = (first: number) =>
    `(select n, ${columns.map((column, at) => `${column(first)} as c${at + 1}`).join(', ')} from ${spoolName(spool)}) r`
  return { table: spoolName(spool), from, values }
}

/** The script's writes, in its order. */
export const effectsOf = async function* (
  sql: Transaction,
  script: CompiledScript,
  fixed: Fixed,
  order: 'given' | 'time' = 'given',
): AsyncGenerator<{ readonly effect: Effect; readonly before: number }> {
  for (const writing of writingIn(script)) {
    const effectOf = effectMaker(writing.statement, fixed)
    let before = 0
    for await (const rows of keptRows(sql, writing, rowsOf(script, writing, fixed), order, fixed.nowMs)) {
      yield { effect: effectOf(rows, before), before }
      before += rows.length
    }
  }
}

/** The same as the write path takes it, from the transaction that stores it or from one beside it. */
export const bulkOf = (
  sql: Transaction,
  script: CompiledScript,
  fixed: Fixed,
  onSamples: (count: number) => void,
  kept: Kept | undefined,
): Pick<Bulk, 'streams' | 'parts' | 'queries' | 'gathered'> & {
  /** The streams, once they were asked for; undefined where they are more than are worth to be kept. */
  readonly written: () => readonly ResultStream[] | undefined
} => {
  let isPlain = true
  let written: ResultStream[] | undefined
  return {
    streams: async function* () {
      isPlain = true
      written = []
      for (const [part, writing] of writingIn(script).entries()) {
        if (writing.statement.action.kind === 'delete') continue
        const rows = rowsOf(script, writing, fixed)
        const all = kept ? keptStreams(kept, part) : streamRows(sql, writing, rows, fixed.nowMs)
        for await (const found of all) {
          if (found.some(({ isOdd }) => isOdd)) isPlain = false
          const named = found.flatMap(({ names, span }) => (names ? [{ names, span }] : []))
          written = written && withStreams(written, writing, named)
          yield* streamsOf(writing, fixed, named)
        }
      }
    },
    written: () => written,
    parts: async function* (order) {
      let count = 0
      if (kept) await spoolGathered(sql, kept)
      for await (const { effect, before } of effectsOf(sql, script, fixed, order)) {
        yield* partsOf(effect, fixed.nowMs, before)
        onSamples((count += effect.rows.length))
      }
    },
    gathered: () => (isPlain && kept ? gatheredOf(kept) : undefined),
    queries: () => {
      if (!isPlain || kept) return undefined
      const queries = writingIn(script).map((writing) => queryOf(writing, rowsOf(script, writing, fixed)))
      return queries.includes(undefined) ? undefined : (queries as BulkQuery[])
    },
  }
}

/** More streams than this are found anew by each run. */
const mostWritten = 10_000

const withStreams = (written: ResultStream[], { index }: Writing, named: readonly Named[]) => {
  if (written.length + named.length > mostWritten) return undefined
  for (const { names, span } of named) {
    const { cid, id, sample } = names
    if (!isKept(cid) || !isKept(id)) return undefined
    written.push([index, cid, id, sample, span.firstMs, span.lastMs])
  }
  return written
}

/** JSON has no larger numbers. */
const isKept = (name: Value): name is string | number => typeof name === 'string' || typeof name === 'number'

type Named = { readonly names: StreamNames; readonly span: BulkStreams['spans'][number] }

const streamsOf = function* (writing: Writing, fixed: Fixed, named: readonly Named[]): Generator<BulkStreams> {
  const { statement, types } = writing
  const { cid, id, sample } = placesOf(statement)
  const rows = named.map(({ names }) => {
    const row = types.map((): Value => null)
    row[cid] = names.cid
    row[id] = names.id
    row[sample] = names.sample
    return row
  })
  for (const step of stepsOf(effectMaker(statement, fixed)(rows, 0), fixed.nowMs))
    yield { step, spans: named.map(({ span }) => span), type: valueTypeOf(writing) }
}

/** The same streams as the run had that has written to them. */
export const streamsAgain = (script: CompiledScript, fixed: Fixed, written: readonly ResultStream[]): Bulk['streams'] =>
  async function* () {
    for (const writing of writingIn(script)) {
      const own = written.filter(([statement]) => statement === writing.index)
      for (let from = 0; from < own.length; from += streamsAtOnce)
        yield* streamsOf(
          writing,
          fixed,
          own.slice(from, from + streamsAtOnce).map(([, cid, id, sample, firstMs, lastMs]) => ({
            names: { cid, id, sample },
            span: { firstMs, lastMs },
          })),
        )
    }
  }

/** undefined: each of its rows has to be looked at. */
const valueTypeOf = ({ statement: { action }, types }: Writing): BulkStreams['type'] => {
  const type = action.kind === 'insert' ? types[action.takes.sample]! : 'ANY'
  return type === 'ANY' || type === 'NULL' ? undefined : type
}

const queryOf = (writing: Writing, { from, values }: Rows): BulkQuery | undefined => {
  const { action } = writing.statement
  const type = valueTypeOf(writing)
  if (action.kind !== 'insert' || type === undefined) return undefined
  const { cid, id, sample } = action.takes
  const { types } = writing
  const ms = msOf(writing)
  // Numbers that are no whole ones are written otherwise in Postgres.
  if (ms === undefined || ![types[cid], types[id]].every((one) => one === 'STRING' || one === 'LONG')) return undefined
  const text = (first: number) =>
    `select n as place, c${cid + 1}::text as cid, c${id + 1}::text as id, ${ms} as ms, c${sample + 1} as value from ${from(first)}`
  return { text, values, type }
}

/** undefined: times that must be read one by one. */
const msOf = ({ statement: { action }, types }: Writing): string | undefined => {
  const time = action.kind === 'insert' ? action.takes.time : undefined
  if (time === undefined || types[time] === 'NULL') return 'null::bigint'
  return types[time] === 'LONG' ? `c${time + 1}` : undefined
}

const stepsOf = function* (effect: Effect, nowMs: number, rowOf?: (index: number) => number) {
  const steps = openSteps(nowMs, rowOf)
  steps.add(effect)
  for (const step of steps.all) if (step.kind === 'batch') yield step
}

/** Samples that have the run's time apart from those with times of their own. */
const partsOf = function* (effect: Effect, nowMs: number, before: number): Generator<BulkPart> {
  if (effect.kind === 'delete') {
    const steps = openSteps(nowMs)
    steps.add(effect)
    for (const step of steps.all) if (step.kind === 'delete') yield { step }
    return
  }
  const places: Record<'own' | 'byRun', number[]> = { own: [], byRun: [] }
  effect.rows.forEach(({ timeMs }, index) =>
    places[timeMs === undefined || timeMs === nowMs ? 'byRun' : 'own'].push(index),
  )
  for (const kind of ['own', 'byRun'] as const) {
    const found = places[kind]
    if (found.length === 0) continue
    const isAll = found.length === effect.rows.length
    const some = isAll ? effect : ({ ...effect, rows: found.map((index) => effect.rows[index]!) } as Effect)
    for (const step of stepsOf(some, nowMs, (index) => before + found[index]! + 1))
      yield { step, isByRun: kind === 'byRun' }
  }
}

const keptRows = async function* (
  sql: Transaction,
  { statement, types }: Writing,
  rows: Rows,
  order: 'given' | 'time',
  nowMs: number,
): AsyncGenerator<readonly (readonly Value[])[]> {
  const { action } = statement
  const time = action.kind === 'insert' ? action.takes.time : undefined
  const isGiven = time === undefined || types[time] !== 'LONG' || order === 'given'
  if (isGiven) await indexOrder(sql, rows.table)
  const orderText = `order by ${isGiven ? '' : `coalesce(c${time + 1}, ${nowMs}), `}n`
  const text = `select ${types.map((_, column) => `c${column + 1}`).join(', ')} from ${rows.from(1)} ${orderText}`
  const decode = decoderOf(types)
  const counts = await batchCounts(sql, types, rows, orderText)
  for await (const batch of fetched(sql, text, rows.values, counts)) yield batch.map(decode)
}

const decoderOf = (types: readonly Type[]): ((raw: readonly unknown[]) => readonly Value[]) => {
  const seen = types.map((type) => (type === 'ANY' ? new Set<Type>() : undefined))
  if (seen.every((one) => one === undefined)) return (raw) => raw as readonly Value[]
  return (raw) => raw.map((value, column) => valueFromColumn(value, seen[column]))
}

/** A step may make a limited number of streams (core/sample/create.ts). */
const streamsAtOnce = 5000
/** The columns of an UPDATE (effects.ts). */
const touched = { cid: 0, id: 1, sample: 3 }

const placesOf = ({ action }: CompiledStatement) => (action.kind === 'insert' ? action.takes : touched)

/** As long as no text that a stream can take, whatever its characters. */
const mostTextBytes = 65_536
/** As long as no name of 512 characters, in quotes or not, and no text that could spell nan. */
const mostNameBytes = 2100
const mostNotFiniteBytes = 3 * mostNumberLength + 2

/** The names of a stream as a statement gives them, and a sample by which its type is known. */
type StreamNames = { readonly cid: Value; readonly id: Value; readonly sample: string | null }

type StreamRow = {
  /** Undefined where it has no names that a stream could have. */
  readonly names: StreamNames | undefined
  readonly span: BulkStreams['spans'][number]
  /** Whether one of its samples has to be looked at by itself. */
  readonly isOdd: boolean
}

/**
 * One row of each stream that a statement writes. Its sample says what the stream's type is to be: a text where any of its
 * samples is one, and one that no stream is made for where there is such.
 */
const streamRows = async function* (
  sql: Transaction,
  writing: Writing,
  { from, values }: Rows,
  nowMs: number,
): AsyncGenerator<readonly StreamRow[]> {
  const { statement, types } = writing
  const { cid, id, sample } = placesOf(statement)
  const value = `c${sample + 1}`
  const notFinite = `octet_length(${value}) <= ${mostNotFiniteBytes} and ${value} ~* '^"?\\s*[+-]?(nan|inf|infinity)\\s*"?$'`
  const texts: Record<Type, readonly [isText: string, bad: string, odd: string]> = {
    LONG: ['false', 'null::text', 'false'],
    DOUBLE: ['false', 'null::text', `bool_or(not (${value} > '-infinity' and ${value} < 'infinity'))`],
    NULL: ['false', 'null::text', 'false'],
    BOOLEAN: [`bool_or(${value} is not null)`, 'null::text', 'false'],
    STRING: [
      `bool_or(${value} is not null)`,
      `max(${value}) filter (where ${notFinite})`,
      `bool_or(octet_length(${value}) > ${mostTextBytes})`,
    ],
    ANY: [`bool_or(${value} ~ '^["tf]')`, `max(trim(both '"' from ${value})) filter (where ${notFinite})`, 'true'],
  }
  const [isText, bad, odd] = texts[types[sample]!]
  // A text that is no name is none here: it stays where it is, however long.
  const [component, stream] = [cid, id].map((column) => {
    const name = `c${column + 1}`
    return isOfTexts(types[column]!)
      ? `case when octet_length(${name}::text) <= ${mostNameBytes} then ${name} end`
      : name
  })
  const ms = msOf(writing) ?? 'null::bigint'
  // Grouped by hash, for sorting a million texts takes seconds; in one order for all imports, so that none waits for another in a circle.
  const text = `
    select * from (
      select ${component} as a, ${stream} as b, ${isText}, ${bad}, coalesce(${odd}, false),
        min(coalesce(${ms}, ${nowMs})), max(coalesce(${ms}, ${nowMs}))
      from ${from(1)} group by 1, 2 offset 0) found
    order by a::text collate "C", b::text collate "C"`
  const decode = decoderOf([types[cid]!, types[id]!, 'BOOLEAN', 'STRING', 'BOOLEAN', 'LONG', 'LONG'])
  for await (const found of fetched(sql, text, values, always(streamsAtOnce)))
    yield found.map(decode).map(([one, two, hasText, notNumber, isOdd, first, last]): StreamRow => {
      const span = { firstMs: Number(first), lastMs: Number(last) }
      if (one === null || two === null || !isName(one) || !isName(two)) return { names: undefined, span, isOdd: true }
      const typical = (notNumber as string | null) ?? (hasText === true ? 'text' : null)
      return { names: { cid: one!, id: two!, sample: typical }, span, isOdd: isOdd === true }
    })
}

/** The same of samples that are gathered. */
const keptStreams = function* (kept: Kept, part: number): Generator<readonly StreamRow[]> {
  const all = gatheredStreams(kept, part).map(({ cid, id, span }): StreamRow => {
    const isOdd = !isName(cid) || !isName(id)
    return { names: isOdd ? undefined : { cid, id, sample: null }, span, isOdd }
  })
  for (let from = 0; from < all.length; from += streamsAtOnce) yield all.slice(from, from + streamsAtOnce)
}

/** A value that is no name is refused with the number of its row, when its row comes. */
const isName = (value: Value | undefined): boolean => {
  try {
    identifier('ID', String(value))
    return true
  } catch {
    return false
  }
}
