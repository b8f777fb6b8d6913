// The Ingest SQL of an import (docs/imports.md#a-run). It reads and writes more than this process should hold: the
// external rows are put into tables of its own connection as they come, each CSV_TABLE(@JDBC_RESULT) reads one of
// these, and the rows its statements write stay there, to be fetched batch by batch.
import { badRequest, forbidden } from '../../base/errors.ts'
import { withDoubles } from '../../base/database/quote.ts'
import { snapshot } from '../../base/database/sql.ts'
import type { Pool } from '../../base/database/sql.ts'
import { inThreads } from '../../base/thread.ts'
import { holdChunks } from '../../core/sample/chunk.ts'
import { seenOf, sightColumns } from '../../core/sample/seen.ts'
import type { Seen, Sight } from '../../core/sample/seen.ts'
import { ownAsker } from '../run/asker.ts'
import { sqlTypes } from '../check/types.ts'
import { limited, openDeadline, OutOfTime } from '../run/deadline.ts'
import { effectName } from '../emit/emit.ts'
import { spoolInOrder, spoolName } from '../emit/emit-table.ts'
import { gathersOf } from './gathers.ts'
import { demandColumns } from './import-columns.ts'
import { indexOrder, plainName } from './fetched-rows.ts'
import { copyIntoSpools } from './gathered-bulk.ts'
import { isLeft, writingIn } from './import-effects.ts'
import type { ImportColumns } from './import-encoder.ts'
import { tookTooLong } from '../run/run-fault.ts'
import { openLooked, runStatements, variablesOf } from '../run/run.ts'
import type { ScriptContext, ScriptLimits } from '../run/script-context.ts'
import type { CompiledScript, CompiledStatement, Imported } from '../script.ts'
import { openEncoder } from './spool-encoder.ts'
import type { RefusedCell, SpoolColumns } from './spool-encoder.ts'
import { doesNotConvert } from '../text/rows.ts'
import type { Type, Value } from '../value.ts'

/** A row as the external database gave it: the fields of the CSV that @JDBC_RESULT is. */
export type ExternalRow = readonly (string | null)[]

const role = 'coppice_gsql'

/** Makes the tables, on a connection that nobody else uses meanwhile. */
export const makeTables = async (sql: Pool, script: CompiledScript): Promise<void> => {
  const make = (name: string, types: readonly Type[], right: 'select' | 'insert', number: string) => {
    const columns = types.map((type, index) => `c${index + 1} ${type === 'ANY' ? 'text' : sqlTypes[type]}`)
    const all = [...columns, `n bigint ${number}`].join(', ')
    return sql.unsafe(`create temp table ${plainName(name)} (${all}); grant ${right} on ${name} to ${role}`)
  }
  for (const [spool, columns] of script.imported!.spools.entries())
    await make(
      spoolName(spool),
      columns.map(({ type }) => type),
      'select',
      'not null',
    )
  for (const { index, statement, types } of writingIn(script))
    // Without the cache a sequence takes twice as long for each row.
    if (!isLeft(script, statement))
      await make(effectName(index), types, 'insert', 'generated always as identity (cache 1000)')
}

/** Removes all of these tables that exist. */
export const dropTables = async (sql: Pool): Promise<void> => {
  await sql`discard temp`
}

/** The most characters of @JDBC_RESULT as a text. */
export const mostResultLength = 16 * 1024 * 1024

/** The module by which the thread of the external session encodes rows for the tables, and what it is given. */
export const encodingOf = (script: CompiledScript) => {
  const { spools } = script.imported!
  return {
    module: inThreads(new URL('import-encoder.ts', import.meta.url)).href,
    given: { spools: spoolColumns(spools), gathers: gathersOf(script) } satisfies ImportColumns,
    refusal: (refused: unknown) => refusalOf(spools, refused as RefusedCell),
  }
}

const spoolColumns = (spools: Imported['spools']): SpoolColumns =>
  spools.map((columns) => columns.map(({ position, type }) => ({ position, type })))

const refusalOf = (spools: Imported['spools'], { spool, column, row, field }: RefusedCell) => {
  const { at, name, type } = spools[spool]![column]!
  return doesNotConvert(at, row, name, field, type)
}

/** Takes the external rows, as they come. */
export const openResult = (sql: Pool, script: CompiledScript, columnNames: readonly string[]) => {
  const { spools, readsText } = script.imported!
  const encoder = openEncoder(spoolColumns(spools))
  let text = readsText ? `${columnNames.map(csvField).join(',')}\r\n` : ''
  const addEncoded = async (encoded: readonly Uint8Array[]): Promise<void> => {
    // Checked here and not before: the reader of the rows ends their session when this throws.
    demandColumns(spools, columnNames)
    await copyIntoSpools(sql, encoded)
  }
  return {
    add: async (rows: readonly ExternalRow[]): Promise<void> => {
      for (const row of rows) {
        const refused = encoder.add(row)
        if (refused) throw refusalOf(spools, refused)
      }
      await addEncoded(encoder.take())
      if (!readsText) return
      for (const row of rows) text += `${row.map(csvField).join(',')}\r\n`
      if (text.length > mostResultLength)
        throw badRequest(
          `@JDBC_RESULT as a text would be longer than ${mostResultLength} characters: CSV_TABLE(@JDBC_RESULT) takes any number of rows`,
        )
    },
    /** Takes rows that the thread has encoded. */
    addEncoded,
    /** Gives the text, where the script wants it. */
    end: async (): Promise<string | null> => {
      demandColumns(spools, columnNames)
      for (const spool of spools.keys())
        await (isReadInOrder(script, spool)
          ? indexOrder(sql, spoolName(spool))
          : sql.unsafe(`analyze ${spoolName(spool)}`))
      return readsText ? text : null
    },
  }
}

const isReadInOrder = (script: CompiledScript, spool: number): boolean =>
  script.statements.some((statement) => {
    const asked = statement.sources.map((source) => ('asked' in source ? source.asked : undefined))
    const texts = [isLeft(script, statement) ? undefined : statement.main, ...asked]
    return texts.some((emitted) => emitted?.text.includes(spoolInOrder(spool)))
  })

const csvField = (field: string | null): string => {
  if (field === null) return ''
  return field === '' || /[",\r\n]/.test(field) ? `"${withDoubles(field)}"` : field
}

export type RanImport = {
  /** By what it found what it writes, where it reads samples. */
  readonly seen: Seen | undefined
  /** Values known without Postgres, by which it writes: for example the options of its INSERTs. */
  readonly fixed: { readonly variables: ReadonlyMap<string, Value>; readonly nowMs: number; readonly zone: string }
}

/** Runs the script once; its writes are in its tables then. */
export const runImported = async (
  sql: Pool,
  limits: ScriptLimits,
  script: CompiledScript,
  context: ScriptContext,
): Promise<RanImport> => {
  const variables = variablesOf(context)
  if (script.readsStreams && !context.mayReadStreams)
    throw forbidden('the plan of this organization does not include reading streams by GS SQL')
  // An attempt before this one may have left rows.
  for (const { index, statement } of writingIn(script))
    if (!isLeft(script, statement)) await sql.unsafe(`truncate ${effectName(index)}`)
  const run = snapshot(sql, async (whole) => {
    await whole.unsafe(`set local role ${role}`)
    if (script.readsStreams) await holdChunks(whole)
    const deadline = openDeadline(limits.timeoutMs, context.signal)
    const asked = limited(whole, deadline)
    const components = context.components === 'all' ? '' : `{${context.components.join(',')}}`
    const [sight] = await asked<[Sight]>`
      select set_config('gs.organization', ${String(context.organizationKey)}, true),
        set_config('gs.components', ${components}, true),
        ${sightColumns(whole)}`
    if (script.workMemKb !== undefined) await asked`select set_config('work_mem', ${`${script.workMemKb}kB`}, true)`
    const looked = openLooked()
    const leaves = (statement: CompiledStatement) => isLeft(script, statement)
    const asker = { ...ownAsker(asked, context), keeps: true, leaves } as const
    await runStatements(asker, limits, script, context, () => {}, deadline, looked, variables)
    const { nowMs, zone } = context
    const seen = script.writesWhatItReads ? await seenOf(whole, sight, looked.streamKeys()) : undefined
    return { seen, fixed: { variables, nowMs, zone } }
  })
  return run.catch((error: unknown) => {
    throw error instanceof OutOfTime ? tookTooLong(script.statements[0]!.at, limits) : error
  })
}
