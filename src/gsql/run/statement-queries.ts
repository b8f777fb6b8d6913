// Asks the queries of one statement. A query may depend on others that are asked first: the text of a table may come
// from streams, and the choice of streams from another table.
import { snapshot } from '../../base/database/sql.ts'
import type { Asker } from './asker.ts'
import { bind } from './bind.ts'
import type { SourceRows } from './bind.ts'
import { limited } from './deadline.ts'
import type { Deadline } from './deadline.ts'
import type { Emitted, Parameter } from '../emit/emitted.ts'
import { charactersIn, charactersOnTheirWay } from '../memory.ts'
import type { ScriptMemory } from '../memory.ts'
import { faultOf, isTimeout, tookTooLong, tooManyRows } from './run-fault.ts'
import type { ScriptContext, ScriptLimits } from './script-context.ts'
import type { CompiledSource, CompiledStatement } from '../script.ts'
import { readSource, readTexts, textOf } from './sources.ts'
import type { Documents } from './sources.ts'
import { emptyFacts, findFact } from './stream-facts.ts'
import type { StreamFacts } from './stream-facts.ts'
import { atOnce, inSlices } from '../../base/slices.ts'
import type { Breathe, Sliced } from '../../base/slices.ts'
import type { OnRow } from './together.ts'
import type { Value } from '../value.ts'

/** The state that all statements of a script share. */
export type Run = {
  readonly asker: Asker
  readonly limits: ScriptLimits
  readonly context: ScriptContext
  readonly deadline: Deadline
  readonly breathe: Breathe
  /** Values known without Postgres. SET changes the variables. */
  readonly fixed: {
    readonly variables: Map<string, Value>
    readonly nowMs: number
    readonly zone: string
    readonly memory: ScriptMemory
  }
  readonly documents: Documents
}

/** A statement under way, with the sources, cycles and statistics found for it so far. */
export type Asking = {
  readonly run: Run
  readonly statement: CompiledStatement
  readonly sources: SourceRows[]
  readonly facts: StreamFacts
}

export const openAsking = (run: Run, statement: CompiledStatement): Asking => ({
  run,
  statement,
  sources: [],
  facts: emptyFacts(),
})

export const ask = async (asking: Asking, emitted: Emitted, mostRows: number, onRow: OnRow): Promise<void> => {
  const { run, statement, sources, facts } = asking
  const { asker, limits, context, deadline, fixed } = run
  try {
    deadline.leftMs()
    for (const parameter of emitted.parameters) {
      const finding = isMissing(asking, parameter) ? find(asking, parameter) : undefined
      if (finding) await finding
    }
    // Neither spread nor with a promise more by finally(): fleets push small bodies all day.
    const { variables, nowMs, zone, memory } = fixed
    const binding = { variables, nowMs, zone, sources, mostRows, mostBytes: limits.maxBytes, facts }
    const values = bind(emitted.parameters, binding)
    const onTheirWay = charactersOnTheirWay(values)
    memory.spend(statement.at, 0, onTheirWay)
    try {
      await asker.ask(emitted, values, onRow)
    } finally {
      memory.giveBack(onTheirWay)
    }
  } catch (error) {
    context.signal?.throwIfAborted()
    throw isTimeout(error, deadline) ? tookTooLong(statement.at, limits) : faultOf(error, statement)
  }
}

/** Parameters that are found before a query can be asked. */
type Missing = Extract<Parameter, { kind: 'source' | 'cycle' | 'statistic' }>

const isMissing = ({ sources }: Asking, parameter: Parameter): parameter is Missing =>
  parameter.kind === 'source'
    ? !sources[parameter.source]
    : parameter.kind === 'cycle' || parameter.kind === 'statistic'

const find = (asking: Asking, parameter: Missing): Promise<void> | undefined => {
  const { run, statement, facts } = asking
  const { asker, limits, context, deadline } = run
  if (parameter.kind === 'source') return readInto(asking, parameter.source)
  return findFact(facts, parameter, statement, context, {
    maxRows: limits.maxRows,
    ask: (emitted, onRow) => ask(asking, emitted, limits.maxRows, onRow),
    // Statistics are of the same moment as everything else that the script reads.
    read: async (work) => snapshot(context.readSql, (sql) => work(limited(sql, deadline)), await asker.momentName()),
  })
}

/** Reads a JSON_TABLE or CSV_TABLE, unless it has been read; of a short text at once, without a promise. */
export const readInto = (asking: Asking, index: number): Promise<void> | undefined => {
  const { run, statement, sources } = asking
  if (sources[index]) return undefined
  const source = statement.sources[index]!
  if ('asked' in source) return readAsked(asking, source, index)
  const text = textOf(source, run.fixed)
  const work = readSource(source, text, run.fixed, run.documents)
  if (text === null || text.length * source.table.columns.length <= fewCells) {
    sources[index] = atOnce(work)
    return undefined
  }
  return readInSlices(asking, work, index)
}

/** A text has no more rows than characters: so many cells are read in some milliseconds at most. */
const fewCells = 32_768

const readAsked = async (
  asking: Asking,
  source: Extract<CompiledSource, { asked: unknown }>,
  index: number,
): Promise<void> => {
  const { fixed, documents } = asking.run
  await readInSlices(asking, readTexts(source, await textsOf(asking, source.asked), fixed, documents), index)
}

const readInSlices = async ({ run, sources }: Asking, work: Sliced<SourceRows>, index: number): Promise<void> => {
  sources[index] = await inSlices(work, run.breathe)
}

const textsOf = async (asking: Asking, emitted: Emitted): Promise<readonly Value[]> => {
  const { at } = asking.statement
  const { limits, fixed } = asking.run
  const texts: Value[] = []
  const take = postponeError((row) => {
    fixed.memory.spend(at, 1, charactersIn(row))
    texts.push(row[0] as Value)
  })
  await ask(asking, emitted, limits.maxRows + 1, take.row)
  take.end()
  if (texts.length > limits.maxRows) throw tooManyRows(at, limits.maxRows)
  return texts
}

/** The error of a row is thrown at the end: an error in the middle of a result would spoil its connection. */
export const postponeError = (take: OnRow) => {
  let failure: { readonly error: unknown } | undefined
  return {
    row: (raw: readonly unknown[]): void => {
      if (failure) return
      try {
        take(raw)
      } catch (error) {
        failure = { error }
      }
    },
    end: (): void => {
      if (failure) throw failure.error
    },
  }
}
