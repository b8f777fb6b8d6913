// Runs a script (grammar/REFERENCE.md#limits): statement by statement, reading the state before the script. Its effects
// are handed to the caller in order, in batches, so that they go through the one write path; nothing is written here.
import { snapshot } from '../../base/database/sql.ts'
import { forbidden } from '../../base/errors.ts'
import { holdChunks } from '../../core/sample/chunk.ts'
import { seenOf, sightColumns } from '../../core/sample/seen.ts'
import type { Seen, Sight } from '../../core/sample/seen.ts'
import { ownAsker, sharedAsker, withPlace } from './asker.ts'
import type { Asker } from './asker.ts'
import { ask, openAsking, postponeError, readInto } from './statement-queries.ts'
import type { Asking, Run } from './statement-queries.ts'
import { fixedValue, keptValue, valueFromColumn } from './bind.ts'
import { commonType } from '../check/types.ts'
import { copiedRows } from '../copied-columns.ts'
import type { Copy } from '../copied-columns.ts'
import type { Deadline } from './deadline.ts'
import { limited, openDeadline, OutOfTime } from './deadline.ts'
import { openEffects } from './effects.ts'
import type { Effect } from './effects.ts'
import type { Emitted } from '../emit/emitted.ts'
import { scriptFault } from '../fault.ts'
import { charactersIn, charactersOf } from '../memory.ts'
import type { QueryPlan } from '../plan/plan.ts'
import { tookTooLong, tooManyRows } from './run-fault.ts'
import type { ScriptContext, ScriptLimits } from './script-context.ts'
import type { ScriptPool } from './script-pool.ts'
import type { CompiledAction, CompiledScript } from '../script.ts'
import { anyFromText } from '../text/any.ts'
import { openBreath } from '../../base/slices.ts'
import type { Type, Value } from '../value.ts'

/** Rows on their way from the database take twice their bytes beside the result: six scripts of 60 MB each brought the server to 553 MB. */
export const maxResultBytes = 32 * 1024 * 1024

export type ScriptResult = {
  /** The columns of the last SELECT; undefined when there was none. */
  readonly columns: readonly { readonly name: string; readonly valueType: Exclude<Type, 'ANY' | 'NULL'> }[] | undefined
  readonly rows: readonly (readonly Value[])[]
}

/** The run of a script that writes and reads streams also says what it has seen of them. */
export type ScriptRun = ScriptResult & { readonly seen?: Seen }

/** Samples that one UPDATE or DELETE may touch. */
export const maxTouched = 1_000_000

type Apply = (effect: Effect) => void

export const runScript = async (
  pool: ScriptPool,
  limits: ScriptLimits,
  script: CompiledScript,
  context: ScriptContext,
  apply: Apply,
): Promise<ScriptRun> => {
  if (script.readsStreams && !context.mayReadStreams)
    throw forbidden('the plan of this organization does not include reading streams by GS SQL')
  if (!script.readsStreams && script.workMemKb === undefined && context.signal === undefined) {
    const deadline = openDeadline(limits.timeoutMs, undefined)
    return runStatements(sharedAsker(pool, context, deadline), limits, script, context, apply, deadline)
  }
  // One snapshot for all statements, and one organization; and a connection of its own, on which it can be cancelled.
  const run = withPlace(pool, context, limits.timeoutMs, (all) =>
    snapshot(all, async (whole) => {
      if (script.readsStreams) await holdChunks(whole)
      const deadline = openDeadline(limits.timeoutMs, context.signal)
      const sql = limited(whole, deadline)
      const components = context.components === 'all' ? '' : `{${context.components.join(',')}}`
      // Standbys, which have none, run no others.
      const ofSight = script.writesWhatItReads ? whole`, ${sightColumns(whole)}` : whole``
      const [sight] = await sql<[Sight]>`
        select set_config('gs.organization', ${String(context.organizationKey)}, true),
          set_config('gs.components', ${components}, true)
          ${ofSight}`
      if (script.workMemKb !== undefined) await sql`select set_config('work_mem', ${`${script.workMemKb}kB`}, true)`
      const looked = openLooked()
      const result = await runStatements(ownAsker(sql, context), limits, script, context, apply, deadline, looked)
      return script.writesWhatItReads ? { ...result, seen: await seenOf(whole, sight, looked.streamKeys()) } : result
    }),
  )
  return run.catch((error: unknown) => {
    throw error instanceof OutOfTime ? tookTooLong(script.statements[0]!.at, limits) : error
  })
}

/** As a script begins with them; SET changes them. */
export const variablesOf = ({ variables }: Pick<ScriptContext, 'variables'>): Map<string, Value> =>
  new Map(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]))

export const runStatements = async (
  asker: Asker,
  limits: ScriptLimits,
  script: CompiledScript,
  context: ScriptContext,
  apply: Apply,
  deadline: Deadline,
  looked = openLooked(),
  variables = variablesOf(context),
): Promise<ScriptResult> => {
  const { memory, nowMs, zone } = context
  let { at } = script.statements[0]!
  memory.spend(at, variables.size, charactersIn([...variables.values()]))
  const breathe = openBreath(() => {
    context.signal?.throwIfAborted()
    if (deadline.isOver()) throw tookTooLong(at, limits)
  })
  const fixed = { variables, nowMs, zone, memory }
  const run: Run = { asker, limits, context, deadline, breathe, fixed, documents: new Map() }
  let result: ScriptResult = { columns: undefined, rows: [] }
  for (const statement of script.statements) {
    at = statement.at
    if (deadline.isOver()) throw tookTooLong(at, limits)
    const asking = openAsking(run, statement)
    if (statement.looked.length > 0) await look(asking, looked)
    const { action } = statement
    if (action.kind === 'set') await setVariable(asking, action)
    else if (action.kind === 'select') {
      // Nobody sees the rows of an import.
      if (!asker.keeps) result = await select(asking, action)
    } else await write(asking, action, apply)
  }
  return result
}

/** A script that has read more streams than these counts as having read all. */
const mostLooked = 1000

export const openLooked = () => {
  const keys = new Set<number>()
  let isAll = false
  return {
    add: (key: number) => void keys.add(key),
    addAll: () => void (isAll = true),
    streamKeys: (): Seen['streamKeys'] => (isAll || keys.size > mostLooked ? 'all' : [...keys]),
  }
}

const look = async (asking: Asking, looked: ReturnType<typeof openLooked>): Promise<void> => {
  for (const streams of asking.statement.looked)
    if (streams === 'all') looked.addAll()
    else await ask(asking, streams, mostLooked + 1, ([key]) => looked.add(key as number))
}

// ---- statements ----

type ActionOf<K extends CompiledAction['kind']> = Extract<CompiledAction, { kind: K }>

const setVariable = async (asking: Asking, { variable, value, type }: ActionOf<'set'>): Promise<void> => {
  const { statement, run } = asking
  const { variables, memory } = run.fixed
  const isAny = type === 'ANY'
  let given: Value = null
  if (!statement.main) given = isAny ? keptValue(value!, run.fixed) : fixedValue(value!, run.fixed)
  else
    await ask(asking, statement.main, 1, ([raw]) => {
      given = isAny && raw !== null ? anyFromText(raw as string) : (raw as Value)
    })
  memory.spend(statement.at, 1, charactersOf(given))
  memory.giveBack(charactersOf(variables.get(variable)))
  variables.set(variable, given)
}

const select = async (asking: Asking, { columns }: ActionOf<'select'>): Promise<ScriptResult> => {
  const { statement, run } = asking
  const rows: (readonly Value[])[] = []
  const types = seenTypes(columns)
  await takeRows(asking, types, run.limits.maxRows, (row) => {
    // A list of its own beside its values.
    run.fixed.memory.spend(statement.at, row.length + 2, charactersIn(row))
    rows.push(row)
  })
  return selected(columns, rows, types)
}

const write = async (asking: Asking, action: ActionOf<'insert' | 'update' | 'delete'>, apply: Apply): Promise<void> => {
  const { statement, run } = asking
  if (run.asker.leaves?.(statement)) return
  if (run.asker.keeps) return ask(asking, statement.main!, 0, () => {})
  const effects = openEffects(statement, run.fixed, apply, run.fixed.memory)
  const most = action.kind === 'insert' ? run.limits.maxRows : maxTouched
  await takeRows(asking, seenTypes(action.columns), most, effects.push)
  effects.end()
}

type Take = (row: readonly Value[]) => void

/** For each column of any type, the types that its rows have. */
type SeenTypes = readonly (Set<Type> | undefined)[]

const seenTypes = (columns: QueryPlan['columns']): SeenTypes =>
  columns.map(({ type }) => (type === 'ANY' ? new Set<Type>() : undefined))

const takeRows = (asking: Asking, types: SeenTypes, most: number, take: Take): Promise<void> => {
  const { copy, main } = asking.statement
  return copy ? takeCopied(asking, copy, types, most, take) : takeAsked(asking, main!, types, most, take)
}

const takeCopied = async (asking: Asking, copy: Copy, types: SeenTypes, most: number, take: Take): Promise<void> => {
  const { run, statement, sources } = asking
  for (const { source } of copy) {
    const reading = source === undefined ? undefined : readInto(asking, source)
    if (reading) await reading
  }
  let count = 0
  let characters = 0
  for (const row of copiedRows(copy, sources, (term) => keptValue(term, run.fixed), types)) {
    count += 1
    if (count > most) throw tooManyRows(statement.at, most)
    for (const value of row) if (typeof value === 'string') characters += value.length
    if (characters > run.limits.maxBytes) throw scriptFault(statement.at, 'the result is larger than allowed')
    take(row)
    if (count % 1000 === 0) await run.breathe()
  }
}

const takeAsked = async (asking: Asking, main: Emitted, types: SeenTypes, most: number, take: Take): Promise<void> => {
  let count = 0
  const isPlain = types.every((seen) => seen === undefined)
  const taken = postponeError((raw) =>
    take(isPlain ? (raw as Value[]) : raw.map((value, index) => valueFromColumn(value, types[index]))),
  )
  await ask(asking, main, most + 1, (raw) => {
    count += 1
    taken.row(raw)
  })
  taken.end()
  if (count > most) throw tooManyRows(asking.statement.at, most)
}

const selected = (
  columns: QueryPlan['columns'],
  rows: readonly (readonly Value[])[],
  types: SeenTypes,
): ScriptResult => ({
  columns: columns.map(({ name, type }, index) => ({ name, valueType: valueTypeOf(types[index] ?? [type]) })),
  rows,
})

/** A column has the type of its rows, if they have one; a column of NULLs alone passes for text. */
const valueTypeOf = (seen: Iterable<Type>) => {
  const type = commonType([...seen])
  return type === 'ANY' || type === 'NULL' ? 'STRING' : type
}
