// The Ingest SQL of an import (docs/imports.md#a-run). It reads and writes more than this process should hold: the
// external rows are put into tables of its own connection as they come, each CSV_TABLE(@JDBC_RESULT) reads one of
// these, and the rows its statements write stay there, to be fetched batch by batch.
import { badRequest, forbidden } from '../base/errors.ts'
import { withDoubles } from '../base/database/quote.ts'
import { snapshot } from '../base/database/sql.ts'
import type { Pool } from '../base/database/sql.ts'
import { identifier } from '../base/http/members.ts'
import type { Bulk, BulkPart } from '../core/sample/bulk.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import type { Seen } from '../core/sample/seen.ts'
import { ownAsker } from './asker.ts'
import { valueFromColumn } from './bind.ts'
import { sqlTypes } from './check/types.ts'
import { limited, openDeadline } from './deadline.ts'
import { effectMaker } from './effects.ts'
import type { Effect } from './effects.ts'
import { effectName } from './emit/emit.ts'
import { spoolName } from './emit/emit-table.ts'
import { arrayText } from './emit/postgres-array.ts'
import { demandColumns } from './import-columns.ts'
import { isTimeout, tookTooLong } from './run-fault.ts'
import { openLooked, runStatements } from './run.ts'
import type { ScriptContext, ScriptLimits } from './script-context.ts'
import type { CompiledScript, CompiledStatement } from './script.ts'
import { cellFromText } from './text/cell.ts'
import type { CsvColumn } from './text/csv-table.ts'
import { doesNotConvert } from './text/rows.ts'
import type { Type, Value } from './value.ts'
import { openSteps } from './write-steps.ts'

/** A row as the external database gave it: the fields of the CSV that @JDBC_RESULT is. */
export type ExternalRow = readonly (string | null)[]

const role = 'coppice_gsql'

type Writing = { readonly index: number; readonly statement: CompiledStatement; readonly types: readonly Type[] }

/** The statements that write, and the types of their columns as they are kept. */
const writingIn = ({ statements }: CompiledScript): readonly Writing[] =>
  statements.flatMap((statement, index) =>
    statement.action.kind === 'set' || statement.action.kind === 'select'
      ? []
      : [{ index, statement, types: statement.action.columns.map(({ type }) => type) }],
  )

/** Makes the tables, on a connection that nobody else uses meanwhile. */
export const makeTables = async (sql: Pool, script: CompiledScript): Promise<void> => {
  const make = (name: string, types: readonly Type[], right: 'select' | 'insert') => {
    const columns = types.map((type, index) => `c${index + 1} ${type === 'ANY' ? 'text' : sqlTypes[type]}`)
    const plain = name.replace('pg_temp.', '')
    return sql.unsafe(`create temp table ${plain} (${columns.join(', ')}); grant ${right} on ${name} to ${role}`)
  }
  for (const [spool, columns] of script.imported!.spools.entries())
    await make(
      spoolName(spool),
      columns.map(({ type }) => type),
      'select',
    )
  for (const { index, types } of writingIn(script)) await make(effectName(index), types, 'insert')
}

/** Removes all of these tables that exist. */
export const dropTables = async (sql: Pool): Promise<void> => {
  await sql`discard temp`
}

/** The most characters of @JDBC_RESULT as a text. */
export const mostResultLength = 16 * 1024 * 1024

/** Takes the external rows, as they come. */
export const openResult = (sql: Pool, { imported }: CompiledScript, columnNames: readonly string[]) => {
  const { spools, readsText } = imported!
  let count = 0
  let text = readsText ? `${columnNames.map(csvField).join(',')}\r\n` : ''
  return {
    add: async (rows: readonly ExternalRow[]): Promise<void> => {
      // Checked here and not before: the reader of the rows ends their session when this throws.
      demandColumns(spools, columnNames)
      for (const [spool, columns] of spools.entries()) await insertRows(sql, spool, columns, rows, count)
      count += rows.length
      if (!readsText) return
      for (const row of rows) text += `${row.map(csvField).join(',')}\r\n`
      if (text.length > mostResultLength)
        throw badRequest(
          `@JDBC_RESULT as a text would be longer than ${mostResultLength} characters: CSV_TABLE(@JDBC_RESULT) takes any number of rows`,
        )
    },
    /** Gives the text, where the script wants it. */
    end: async (): Promise<string | null> => {
      demandColumns(spools, columnNames)
      for (const spool of spools.keys()) await sql.unsafe(`analyze ${spoolName(spool)}`)
      return readsText ? text : null
    },
  }
}

const csvField = (field: string | null): string => {
  if (field === null) return ''
  return field === '' || /[",\r\n]/.test(field) ? `"${withDoubles(field)}"` : field
}

const insertRows = async (
  sql: Pool,
  spool: number,
  columns: readonly CsvColumn[],
  rows: readonly ExternalRow[],
  rowsBefore: number,
): Promise<void> => {
  const arrays = columns.map(({ at, name, type, position }) =>
    arrayText(
      rows.map((row, index) => {
        const field = row[position - 1] ?? null
        const cell = field === null ? null : cellFromText(field, type)
        if (cell === undefined) throw doesNotConvert(at, rowsBefore + index + 1, name, field!, type)
        return cell
      }),
    ),
  )
  const typed = columns.map(({ type }, index) => `$${index + 1}::text::${sqlTypes[type]}[]`)
  await sql.unsafe(`insert into ${spoolName(spool)} select * from unnest(${typed.join(', ')})`, arrays, {
    prepare: true,
  })
}

/** Runs the script once; its writes are in its tables then. Gives what it has seen, where it reads samples. */
export const runImported = async (
  sql: Pool,
  limits: ScriptLimits,
  script: CompiledScript,
  context: ScriptContext,
): Promise<Seen | undefined> => {
  if (script.readsStreams && !context.mayReadStreams)
    throw forbidden('the plan of this organization does not include reading streams by GS SQL')
  // An attempt before this one may have left rows.
  for (const { index } of writingIn(script)) await sql.unsafe(`truncate ${effectName(index)}`)
  const run = snapshot(sql, async (whole) => {
    await whole.unsafe(`set local role ${role}`)
    if (script.readsStreams) await holdChunks(whole)
    const deadline = openDeadline(limits.timeoutMs, context.signal)
    const asked = limited(whole, deadline)
    const components = context.components === 'all' ? '' : `{${context.components.join(',')}}`
    const [row] = await asked<[{ snapshot: string }]>`
      select set_config('gs.organization', ${String(context.organizationKey)}, true),
        set_config('gs.components', ${components}, true), pg_current_snapshot()::text as snapshot`
    if (script.workMemKb !== undefined) await asked`select set_config('work_mem', ${`${script.workMemKb}kB`}, true)`
    const looked = openLooked()
    const asker = { ...ownAsker(asked, context), keeps: true } as const
    await runStatements(asker, limits, script, context, () => {}, deadline, looked)
    return script.writesWhatItReads ? { snapshot: row.snapshot, streamKeys: looked.streamKeys() } : undefined
  })
  return run.catch((error: unknown) => {
    throw isTimeout(error) ? tookTooLong(script.statements[0]!.at, limits) : error
  })
}

const batchRows = 20_000
/** The streams that a step may make are limited (core/sample/create.ts). */
const streamsAtOnce = 5000

type Fixed = Parameters<typeof effectMaker>[1]

/** The effects of the script, in its order. */
export const effectsOf = async function* (
  sql: Pool,
  script: CompiledScript,
  fixed: Fixed,
  order: 'given' | 'time' = 'given',
): AsyncGenerator<{ readonly effect: Effect; readonly before: number }> {
  for (const writing of writingIn(script)) {
    const effectOf = effectMaker(writing.statement, fixed)
    let before = 0
    for await (const rows of keptRows(sql, writing, order, fixed.nowMs)) {
      yield { effect: effectOf(rows, before), before }
      before += rows.length
    }
  }
}

/** The same as the write path takes it. */
export const bulkOf = (
  sql: Pool,
  script: CompiledScript,
  fixed: Fixed,
  onSamples: (count: number) => void,
): Pick<Bulk, 'streams' | 'parts'> => ({
  streams: async function* () {
    for (const writing of writingIn(script)) {
      if (writing.statement.action.kind === 'delete') continue
      const effectOf = effectMaker(writing.statement, fixed)
      for await (const rows of streamRows(sql, writing)) yield* stepsOf(effectOf(rows, 0), fixed.nowMs)
    }
  },
  parts: async function* (order) {
    let count = 0
    for await (const { effect, before } of effectsOf(sql, script, fixed, order)) {
      yield* partsOf(effect, fixed.nowMs, before)
      onSamples((count += effect.rows.length))
    }
  },
})

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
  sql: Pool,
  { index, statement, types }: Writing,
  order: 'given' | 'time',
  nowMs: number,
): AsyncGenerator<readonly (readonly Value[])[]> {
  const { action } = statement
  const time = action.kind === 'insert' ? action.takes.time : undefined
  const isPlain = time === undefined || types[time] !== 'LONG' || order === 'given'
  const orderText = isPlain ? '' : ` order by coalesce(c${time + 1}, ${nowMs}), ctid`
  const text = `select ${types.map((_, column) => `c${column + 1}`).join(', ')} from ${effectName(index)}${orderText}`
  const decode = decoderOf(types)
  for await (const rows of sql.unsafe(text).values().cursor(batchRows)) yield (rows as unknown[][]).map(decode)
}

const decoderOf = (types: readonly Type[]): ((raw: readonly unknown[]) => readonly Value[]) => {
  const seen = types.map((type) => (type === 'ANY' ? new Set<Type>() : undefined))
  if (seen.every((one) => one === undefined)) return (raw) => raw as readonly Value[]
  return (raw) => raw.map((value, column) => valueFromColumn(value, seen[column]))
}

/** The columns of an UPDATE (effects.ts). */
const touched = { cid: 0, id: 1, sample: 3 }

/**
 * One row of each stream that a statement writes. Its sample decides the stream's type: a text where any of its samples
 * is one, and one that no stream is made for where there is such.
 */
const streamRows = async function* (sql: Pool, { index, statement, types }: Writing) {
  const { action } = statement
  const { cid, id, sample } = action.kind === 'insert' ? action.takes : touched
  const value = `c${sample + 1}`
  const notFinite = `${value} ~* '^"?\\s*[+-]?(nan|inf|infinity)\\s*"?$'`
  const texts: Record<Type, readonly [isText: string, bad: string]> = {
    LONG: ['false', 'null::text'],
    DOUBLE: ['false', 'null::text'],
    NULL: ['false', 'null::text'],
    BOOLEAN: [`bool_or(${value} is not null)`, 'null::text'],
    STRING: [`bool_or(${value} is not null)`, `max(${value}) filter (where ${notFinite})`],
    ANY: [`bool_or(${value} ~ '^["tf]')`, `max(trim(both '"' from ${value})) filter (where ${notFinite})`],
  }
  const [isText, bad] = texts[types[sample]!]
  const [component, stream] = [`c${cid + 1}`, `c${id + 1}`]
  const query = sql.unsafe(
    // Grouped by hash, for sorting a million texts takes seconds; in one order for all imports, so that none waits for another in a circle.
    `select * from (
       select ${component} as a, ${stream} as b, ${isText}, ${bad} from ${effectName(index)}
       where ${component} is not null and ${stream} is not null group by 1, 2 offset 0) found
     order by a::text collate "C", b::text collate "C"`,
  )
  const decode = decoderOf([types[cid]!, types[id]!, 'BOOLEAN', 'STRING'])
  for await (const found of query.values().cursor(streamsAtOnce)) {
    const rows = (found as unknown[][]).map(decode).filter(([one, two]) => isName(one) && isName(two))
    yield rows.map(([one, two, hasText, notNumber]) => {
      const row = types.map((): Value => null)
      row[cid] = one!
      row[id] = two!
      row[sample] = notNumber ?? (hasText === true ? 'text' : null)
      return row
    })
  }
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
