// Runs a script (grammar/REFERENCE.md#limits): statement by statement, reading the state before the script. What it
// would write is handed to the caller in order, in batches, so that it goes through the one write path; nothing is
// written here.
import type { Holders } from '../base/shares.ts'
import type { Pool, Sql, Transaction } from '../base/database/sql.ts'
import { faultFromSql, snapshot, snapshotName, sqlCode, transaction } from '../base/database/sql.ts'
import { busy, Fault, forbidden } from '../base/errors.ts'
import { onOwnConnection } from '../base/database/pool.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import type { Seen } from '../core/sample/seen.ts'
import { anyFromText } from './text/any.ts'
import { bind, fixedValue, keptValue, valueFromColumn } from './bind.ts'
import type { SourceRows } from './bind.ts'
import { copiedRows } from './copied-columns.ts'
import type { Deadline } from './deadline.ts'
import { limited, openDeadline, OutOfTime } from './deadline.ts'
import { openEffects } from './effects.ts'
import type { Effect } from './effects.ts'
import type { Emitted, Parameter } from './emit/emitted.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import { charactersIn, charactersOf } from './memory.ts'
import type { ScriptMemory } from './memory.ts'
import type { QueryPlan } from './plan.ts'
import type { Type, Value } from './value.ts'
import type { ScriptPool } from './script-pool.ts'
import type { CompiledScript, CompiledSource, CompiledStatement } from './script.ts'
import { readSource, readTexts } from './sources.ts'
import type { Documents, KnownSource } from './sources.ts'
import { inSlices, openBreath } from './text/slices.ts'
import type { Breathe } from './text/slices.ts'
import { emptyFacts, findFact } from './stream-facts.ts'
import { askTogether, preparing } from './together.ts'
import type { Asker, BoundValue } from './together.ts'
import { commonType } from './check/types.ts'

export type ScriptLimits = {
  readonly timeoutMs: number
  readonly maxRows: number
  /** Of text in the rows of one statement. */
  readonly maxBytes: number
}

export const maxResultBytes = 64 * 1024 * 1024

export type ScriptContext = {
  readonly organizationKey: number
  /** Keys of the components that may be read. */
  readonly components: 'all' | readonly number[]
  /** Whether the organization's plan includes reading streams by GS SQL. */
  readonly mayReadStreams: boolean
  /**
   * Where cycles and statistics are read, on the same server: the pool of scripts sees only what scripts may see, and
   * this one what a script's transaction sees, by its snapshot.
   */
  readonly readSql: Pool
  readonly zone: string
  readonly nowMs: number
  /** System variables and those that a caller adds, by name without the @, in any case. */
  readonly variables: Readonly<Record<string, Value>>
  /** Stops the script when whoever asked for it is gone. */
  readonly signal?: AbortSignal
  /** Whose share of the connections it has. */
  readonly holders: Holders
  readonly memory: ScriptMemory
}

export type ScriptResult = {
  /** Of the last SELECT; undefined when there was none. */
  readonly columns: readonly { readonly name: string; readonly valueType: Exclude<Type, 'ANY' | 'NULL'> }[] | undefined
  readonly rows: readonly (readonly Value[])[]
}

/** Of a script that writes and reads streams also by what it found what it writes. */
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
    return runStatements({ kind: 'shared', pool }, limits, script, context, apply, deadline)
  }
  // One snapshot for all statements, and one organization; and a connection of its own, on which it can be cancelled.
  const run = inPlace(pool, context, limits.timeoutMs, (all) =>
    snapshot(all, async (whole) => {
      if (script.readsStreams) await holdChunks(whole)
      const deadline = openDeadline(limits.timeoutMs, context.signal)
      const sql = limited(whole, deadline)
      const components = context.components === 'all' ? '' : `{${context.components.join(',')}}`
      const [row] = await sql<[{ snapshot: string }]>`
        select set_config('gs.organization', ${String(context.organizationKey)}, true),
          set_config('gs.components', ${components}, true), pg_current_snapshot()::text as snapshot`
      if (script.workMemKb !== undefined) await sql`select set_config('work_mem', ${`${script.workMemKb}kB`}, true)`
      const looked = openLooked()
      const result = await runStatements({ kind: 'own', sql }, limits, script, context, apply, deadline, looked)
      return script.writesWhatItReads
        ? { ...result, seen: { snapshot: row.snapshot, streamKeys: looked.streamKeys() } }
        : result
    }),
  )
  return run.catch((error: unknown) => {
    throw isTimeout(error) ? tookTooLong(script.statements[0]!.at, limits) : error
  })
}

/** Where a script's queries are asked: in a transaction of its own, or together with those of others. */
type Place =
  | { readonly kind: 'own'; readonly sql: Transaction }
  | { readonly kind: 'shared'; readonly pool: ScriptPool }

/** Works while it has one of the places that all scripts share; whoever has many waits for those who have few. */
const inPlace = async <T>(
  { sql, places }: ScriptPool,
  { holders, signal }: Pick<ScriptContext, 'holders' | 'signal'>,
  patienceMs: number,
  work: (sql: Pool) => Promise<T>,
): Promise<T> => {
  const place = places.open(holders)
  if (!(await place.wait(1, patienceMs, signal))) {
    signal?.throwIfAborted()
    throw busy('too many scripts at once, try again', 2)
  }
  try {
    return await work(sql)
  } finally {
    place.give()
  }
}

const runStatements = async (
  place: Place,
  limits: ScriptLimits,
  script: CompiledScript,
  context: ScriptContext,
  apply: Apply,
  deadline: Deadline,
  looked = openLooked(),
): Promise<ScriptResult> => {
  const { memory } = context
  const variables = new Map(Object.entries(context.variables).map(([name, value]) => [name.toLowerCase(), value]))
  memory.spend(script.statements[0]!.at, variables.size, charactersIn([...variables.values()]))
  const documents: Documents = new Map()
  let at = script.statements[0]!.at
  const breathe = openBreath(() => {
    context.signal?.throwIfAborted()
    if (deadline.isOver()) throw tookTooLong(at, limits)
  })
  // Statistics are of the same moment as all else that the script reads.
  let name: Promise<string> | undefined
  const momentName = () => (place.kind === 'own' ? (name ??= snapshotName(place.sql)) : undefined)
  let result: ScriptResult = { columns: undefined, rows: [] }
  for (const statement of script.statements) {
    at = statement.at
    if (deadline.isOver()) throw tookTooLong(at, limits)
    const { action } = statement
    const base = { variables, nowMs: context.nowMs, zone: context.zone, memory }
    const facts = emptyFacts()
    const sources: SourceRows[] = []
    const ask = async (emitted: Emitted, mostRows: number, row: (raw: readonly unknown[]) => void): Promise<void> => {
      try {
        deadline.leftMs()
        for (const parameter of emitted.parameters)
          if (isAsked(parameter) && !(parameter.kind === 'source' && sources[parameter.source]))
            await prepare(parameter)
        const values = bind(emitted.parameters, { ...base, sources, mostRows, mostBytes: limits.maxBytes, facts })
        await askAt(place, emitted, values, row, deadline, context)
      } catch (error) {
        context.signal?.throwIfAborted()
        throw faultOf(error, statement, limits)
      }
    }
    // What a query needs to be asked may itself have to be asked for: a table's text may come from streams, and which
    // streams are meant from another table.
    const prepare = async (parameter: Asked): Promise<void> => {
      if (parameter.kind === 'source') {
        const source = statement.sources[parameter.source]!
        sources[source.index] = await ('asked' in source ? rowsOfTexts(source, source.asked) : rowsOfKnown(source))
      } else
        await findFact(facts, parameter, statement, context, {
          maxRows: limits.maxRows,
          ask: (emitted, row) => ask(emitted, limits.maxRows, row),
          read: async (work) => snapshot(context.readSql, (sql) => work(limited(sql, deadline)), await momentName()),
        })
    }
    const rowsOfKnown = (source: KnownSource) => inSlices(readSource(source, base, documents), breathe)
    const rowsOfTexts = async (source: CompiledSource, emitted: Emitted): Promise<SourceRows> => {
      const texts: Value[] = []
      const take = kept((row) => {
        memory.spend(statement.at, 1, charactersIn(row))
        texts.push(row[0] as Value)
      })
      await ask(emitted, limits.maxRows + 1, take.row)
      take.end()
      if (texts.length > limits.maxRows) throw tooManyRows(statement.at, limits.maxRows)
      return inSlices(readTexts(source, texts, base, documents), breathe)
    }

    for (const streams of statement.looked)
      if (streams === 'all') looked.addAll()
      else await ask(streams, mostLooked + 1, ([key]) => looked.add(key as number))

    if (action.kind === 'set') {
      let value: Value = null
      const isAny = action.type === 'ANY'
      if (statement.main)
        await ask(
          statement.main,
          1,
          ([raw]) => (value = isAny && raw !== null ? anyFromText(raw as string) : (raw as Value)),
        )
      else value = isAny ? keptValue(action.value!, base) : fixedValue(action.value!, base)
      memory.spend(statement.at, 1, charactersOf(value))
      memory.giveBack(charactersOf(variables.get(action.variable)))
      variables.set(action.variable, value)
      continue
    }
    const most = action.kind === 'update' || action.kind === 'delete' ? maxTouched : limits.maxRows
    const types = action.columns.map(({ type }) => (type === 'ANY' ? new Set<Type>() : undefined))
    const rows: (readonly Value[])[] = []
    const written = action.kind === 'select' ? undefined : openEffects(statement, base, apply, memory)
    const take: Take = written
      ? written.push
      : (row) => {
          // A list of its own beside its values.
          memory.spend(statement.at, row.length + 2, charactersIn(row))
          rows.push(row)
        }
    // A copy is made of sources whose text is known.
    for (const { source } of statement.copy ?? [])
      if (source !== undefined) sources[source] ??= await rowsOfKnown(statement.sources[source] as KnownSource)
    if (statement.copy) await copy(statement, sources, base, types, most, limits, take, breathe)
    else await takeRows(statement.at, types, most, (row) => ask(statement.main!, most + 1, row), take)
    written?.end()
    if (action.kind === 'select') result = selected(action.columns, rows, types)
  }
  return result
}

/** Streams that a script is said to have read one by one; with more it counts as having read all. */
const mostLooked = 1000

const openLooked = () => {
  const keys = new Set<number>()
  let isAll = false
  return {
    add: (key: number) => void keys.add(key),
    addAll: () => void (isAll = true),
    streamKeys: (): Seen['streamKeys'] => (isAll || keys.size > mostLooked ? 'all' : [...keys]),
  }
}

/** What has to be found before a query can be asked. */
type Asked = Extract<Parameter, { kind: 'source' | 'cycle' | 'statistic' }>

const isAsked = (parameter: Parameter): parameter is Asked =>
  parameter.kind === 'source' || parameter.kind === 'cycle' || parameter.kind === 'statistic'

const copy = async (
  { copy: plan, at }: CompiledStatement,
  sources: readonly SourceRows[],
  base: Parameters<typeof fixedValue>[1],
  types: SeenTypes,
  most: number,
  { maxBytes }: ScriptLimits,
  take: Take,
  breathe: Breathe,
): Promise<void> => {
  let count = 0
  let characters = 0
  for (const row of copiedRows(plan!, sources, (term) => keptValue(term, base), types)) {
    count += 1
    if (count > most) throw tooManyRows(at, most)
    for (const value of row) if (typeof value === 'string') characters += value.length
    if (characters > maxBytes) throw scriptFault(at, 'the result is larger than allowed')
    take(row)
    if (count % 1000 === 0) await breathe()
  }
}

type Take = (row: readonly Value[]) => void

/** For each column of any type, the types that its rows have. */
type SeenTypes = readonly (Set<Type> | undefined)[]

/** What is wrong with a row is thrown at the end: an error in the middle of a result would spoil its connection. */
const kept = (take: (raw: readonly unknown[]) => void) => {
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

const takeRows = async (
  at: Position,
  types: SeenTypes,
  most: number,
  ask: (row: (raw: readonly unknown[]) => void) => Promise<void>,
  take: Take,
): Promise<void> => {
  let count = 0
  const isPlain = types.every((seen) => seen === undefined)
  const taken = kept((raw) =>
    take(isPlain ? (raw as Value[]) : raw.map((value, index) => valueFromColumn(value, types[index]))),
  )
  await ask((raw) => {
    count += 1
    taken.row(raw)
  })
  taken.end()
  if (count > most) throw tooManyRows(at, most)
}

const askAt = (
  place: Place,
  emitted: Emitted,
  values: BoundValue[],
  row: (raw: readonly unknown[]) => void,
  deadline: Deadline,
  context: ScriptContext,
): Promise<void> => {
  if (place.kind === 'own') return query(place.sql, emitted, values, row, context.signal)
  const { pool } = place
  const inTime = <T>(work: (sql: Pool) => Promise<T>) => inPlace(pool, context, deadline.leftMs(), work)
  const asker: Asker = {
    single: (work) => inTime((sql) => onOwnConnection(sql, undefined, work)),
    alone: (own) =>
      inTime((all) => transaction(all, (sql) => query(limited(sql, deadline), emitted, values, own, context.signal))),
  }
  return deadline.isFar() ? askTogether(emitted, values, row, asker) : asker.alone(row)
}

/** postgres.js numbers the rows of a result on from where an earlier one broke off; handed over one by one they are not. */
const query = async (
  sql: Sql,
  emitted: Emitted,
  values: BoundValue[],
  row: (raw: readonly unknown[]) => void,
  signal: AbortSignal | undefined,
): Promise<void> => {
  signal?.throwIfAborted()
  const pending = sql.unsafe(emitted.text, values, preparing(emitted))
  // Never while it waits behind another: postgres.js 3.4.9 would hand its rows to whoever asked next (base/http/reading.ts).
  const stop = () => {
    if ((pending as unknown as { readonly active: boolean }).active) pending.cancel()
  }
  signal?.addEventListener('abort', stop)
  try {
    await pending.values().forEach(row)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

const selected = (
  columns: QueryPlan['columns'],
  rows: readonly (readonly Value[])[],
  types: SeenTypes,
): ScriptResult => ({
  columns: columns.map(({ name, type }, index) => ({ name, valueType: valueTypeOf(types[index] ?? [type]) })),
  rows,
})

/** A column is what its rows are, as long as they are one; one of which nothing is known passes for text. */
const valueTypeOf = (seen: Iterable<Type>) => {
  const type = commonType([...seen])
  return type === 'ANY' || type === 'NULL' ? 'STRING' : type
}

// ---- errors ----

const tookTooLong = (at: Position, limits: ScriptLimits) =>
  scriptFault(at, `the script took longer than ${limits.timeoutMs} ms`)

const isTimeout = (error: unknown) => error instanceof OutOfTime || sqlCode(error) === '57014'

const tooManyRows = (at: Position, most: number) => scriptFault(at, `more than ${most} rows`)

const overflow = ({ overflows, at }: CompiledStatement, error: unknown) => {
  const [first = at, ...others] = overflows
  const isOne = others.every(({ line, column }) => line === first.line && column === first.column)
  return scriptFault(first, `a number is out of range${isOne ? '' : ', here or in a later aggregate'}`, error)
}

/** Postgres' own words never reach the caller. What we did not foresee stays an error of ours. */
const faultOf = (error: unknown, plan: CompiledStatement, limits: ScriptLimits): unknown => {
  if (error instanceof Fault) return error
  if (isTimeout(error)) return tookTooLong(plan.at, limits)
  const code = sqlCode(error) ?? ''
  if (code === 'GS001') {
    const { message, detail } = error as Error & { readonly detail: string }
    return scriptFault(plan.sites[Number(detail)] ?? plan.at, message)
  }
  if (code !== '53300' && /^5[34]/.test(code))
    return scriptFault(plan.at, 'the statement needs more memory than allowed', error)
  if (code === '22003') return overflow(plan, error)
  if (code.startsWith('22')) return scriptFault(plan.at, 'a value is out of range', error)
  return faultFromSql(error)
}
